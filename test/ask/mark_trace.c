/* mark_trace TRACE [NAME FIRST LAST]...: marks a finished trace, as if it had been marked while it was recorded.
 *
 * FIRST and LAST are seqs; LAST `-` leaves the mark open. Exact only where no two events share a stamp (order=total).
 * The marks are numbered from 0, so doing it again changes nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/rows.h"
#include "logging/store/store.h"
#include "reader/trace.h"

static struct hs_event event_at(hs_trace *t, const char *seq)
{
    const struct hs_event *e;
    struct hs_error error = HS_ERROR_INIT;
    if (hs_event_at(t, strtoull(seq, NULL, 10), &e, &error) != 0) {
        fprintf(stderr, "mark_trace: %s\n", error.text);
        exit(1);
    }
    return *e;
}

int main(int argc, char **argv)
{
    hs_trace *t;
    struct hs_error open_error = HS_ERROR_INIT;
    struct error err = { 0 };
    struct store *s;
    int count = (argc - 2) / 3;
    struct mark_row *rows = calloc((size_t)count + 1, sizeof *rows);
    if (argc < 2 || count * 3 != argc - 2 || rows == NULL) {
        fprintf(stderr, "usage: mark_trace TRACE [NAME FIRST LAST]...\n");
        return 2;
    }
    if (hs_open(argv[1], 0, NULL, &t, &open_error) != 0) {
        fprintf(stderr, "mark_trace: %s\n", open_error.text);
        return 1;
    }
    for (int i = 0; i < count; i++) {
        char **a = argv + 2 + 3 * i;
        struct hs_event first = event_at(t, a[1]), last = strcmp(a[2], "-") == 0 ? first : event_at(t, a[2]);
        bool open = strcmp(a[2], "-") == 0;
        rows[i] = (struct mark_row){ .name = { a[0], strlen(a[0]) },
                                     .begin_stamp = first.stamp,
                                     .begin_ns = hs_clock_ns(t, first.stamp),
                                     .end_stamp = open ? UINT64_MAX : last.stamp + 1,
                                     .end_ns = open ? UINT64_MAX : hs_clock_ns(t, last.stamp) };
    }
    hs_close(t);
    enum status st = store_open(argv[1], false, &s, &err);
    if (st == OK)
        st = store_begin(s, &err);
    for (int i = 0; i < count && st == OK; i++) {
        struct writer w = { 0 };
        mark_row_encode(&rows[i], &w);
        st = store_put(s, DB_MARK, (uint64_t)i, w.data, w.size, &err);
        writer_free(&w);
    }
    if (st == OK)
        st = store_commit(s, &err);
    if (st != OK) {
        fprintf(stderr, "mark_trace: %s\n", err.text);
        return 1;
    }
    store_close(s);
    free(rows);
    return 0;
}
