/* marks.c - marks: named intervals (recorder.h) that the user sets while the program runs.
 *
 * A mark begins and ends at a value of the shared counter that is used for it alone, so every event is on one side of
 * it. Its row is in the pending file before the next event can carry that value's successor; ending it writes the whole
 * row again. */
#include "logging/recording/recorder.h"

#include <stdlib.h>
#include <string.h>

#include "formats/rows.h"

static bool put(struct recorder *r, const struct open_mark *m, uint64_t end_stamp, uint64_t end_ns)
{
    struct writer w = { 0 };
    struct mark_row row = { .name = { m->name, strlen(m->name) },
                            .begin_stamp = m->begin_stamp,
                            .end_stamp = end_stamp,
                            .begin_ns = m->begin_ns,
                            .end_ns = end_ns };
    mark_row_encode(&row, &w);
    bool ok = pendinglog_put(&r->pending, DB_MARK, m->number, &w);
    writer_free(&w);
    return ok;
}

bool recorder_mark(struct recorder *r, const char *name)
{
    bool ok = false;
    if (!mark_name_fits((struct text){ name, strlen(name) }))
        return false;
    char *copy = strdup(name);
    (void)pthread_mutex_lock(&r->marks_mutex);
    struct open_mark *m = copy != NULL && !r->journal.ended ? vec_push(&r->marks) : NULL;
    if (m != NULL) {
        *m = (struct open_mark){ .number = r->mark_count,
                                 .name = copy,
                                 .begin_ns = clock_now(&r->clock),
                                 .begin_stamp = journal_bump(&r->journal) };
        ok = put(r, m, UINT64_MAX, UINT64_MAX);
        r->mark_count += ok;
        r->marks.count -= !ok;
    }
    (void)pthread_mutex_unlock(&r->marks_mutex);
    if (!ok)
        free(copy);
    return ok;
}

size_t recorder_unmark(struct recorder *r, const char *name)
{
    size_t ended = 0;
    (void)pthread_mutex_lock(&r->marks_mutex);
    uint64_t stamp = 0, now = clock_now(&r->clock);
    for (size_t i = r->marks.count; i-- > 0 && (name == NULL || ended == 0);) {
        struct open_mark *m = &r->marks.items[i];
        if (name != NULL && strcmp(m->name, name) != 0)
            continue;
        if (ended++ == 0)
            stamp = journal_bump(&r->journal);
        (void)put(r, m, stamp, now);
        free(m->name);
        memmove(m, m + 1, (--r->marks.count - i) * sizeof *m);
    }
    (void)pthread_mutex_unlock(&r->marks_mutex);
    return ended;
}
