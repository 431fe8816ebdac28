/* last_events.c - every event of a trace, walked in order by a plain cursor: how often each data ID was reached, by
 * which threads, and its last SIZE events. Knows nothing of what `hindsight freq` and `latest` are made of, which are
 * to tell the same (same.py).
 *
 *     last_events TRACE SIZE
 *     {"dataid":7,"count":31,"threads":[0,2],"values":[{"value":..,"seq":..,"thread":..}, ...]}
 *                                      a line per data ID, oldest event first
 *
 * Values are written by the command's own printer (show.h), so that they are equal to those of `hindsight print --json`
 * (printed.py looks). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/command/show.h"
#include "reader/trace.h"

enum { SIZE_MAX_KEPT = 1 << 16 };

struct kept {
    uint64_t seq, value;
    uint32_t thread;
    char kind;
};

/* What is known of a data ID. */
struct place {
    uint64_t count;
    uint32_t *threads, thread_count, last_thread; /* in the order in which they came */
    struct kept ring[];                           /* event n of the place is in n % size */
};

static void *need(void *p)
{
    if (p != NULL)
        return p;
    (void)fprintf(stderr, "last_events: out of memory\n");
    exit(1);
}

static int told(const char *text)
{
    (void)fprintf(stderr, "last_events: %s\n", text);
    return 1;
}

static void meet(struct place *p, uint32_t thread)
{
    if (p->thread_count > 0 && p->last_thread == thread)
        return;
    p->last_thread = thread;
    for (uint32_t i = 0; i < p->thread_count; i++)
        if (p->threads[i] == thread)
            return;
    p->threads = need(realloc(p->threads, (p->thread_count + (size_t)1) * sizeof *p->threads));
    p->threads[p->thread_count++] = thread;
}

/* Walks all events; 0, or -1 with an error. */
static int walk(hs_trace *trace, struct place **places, uint32_t dataids, size_t size, struct hs_error *error)
{
    struct hs_filter all = HS_FILTER_ALL;
    const struct hs_event *e;
    hs_cursor *cursor;
    int more;
    if (hs_events_open(trace, &all, &cursor, error) != 0)
        return -1;
    while ((more = hs_event_next(cursor, &e, error)) > 0) {
        if (e->dataid >= dataids) {
            (void)snprintf(error->text, sizeof error->text, "event %llu: no data ID %u", (unsigned long long)e->seq,
                           e->dataid);
            more = -1;
            break;
        }
        struct place *p = places[e->dataid];
        if (p == NULL)
            p = places[e->dataid] = need(calloc(1, sizeof *p + size * sizeof p->ring[0]));
        p->ring[p->count++ % size] =
            (struct kept){ .seq = e->seq, .value = e->value, .thread = e->thread, .kind = e->kind };
        meet(p, e->thread);
    }
    hs_cursor_close(cursor);
    return more;
}

static void print(struct show *s, uint32_t dataid, const struct place *p, size_t size)
{
    struct json *j = &s->out->json;
    json_object(j);
    json_member_u64(j, "dataid", dataid);
    json_member_u64(j, "count", p->count);
    json_name(j, "threads");
    json_array(j);
    for (uint32_t i = 0; i < p->thread_count; i++)
        json_u64(j, p->threads[i]);
    json_end(j);
    json_name(j, "values");
    json_array(j);
    uint64_t first = p->count > size ? p->count - size : 0;
    for (uint64_t n = first; n < p->count; n++) {
        const struct kept *k = &p->ring[n % size];
        json_object(j);
        if (k->kind != 'V') {
            json_name(j, "value");
            show_value_json(s, k->kind, k->value);
        }
        json_member_u64(j, "seq", k->seq);
        json_member_u64(j, "thread", k->thread);
        json_end(j);
    }
    json_end(j);
    json_end_line(j);
}

int main(int argc, char **argv)
{
    hs_trace *trace;
    struct hs_error error = HS_ERROR_INIT;
    struct out out;
    struct show show;
    char *end = "";
    unsigned long size = argc == 3 ? strtoul(argv[2], &end, 10) : 0;
    if (size == 0 || size > SIZE_MAX_KEPT || *end != '\0')
        return (void)fprintf(stderr, "usage: last_events TRACE SIZE\n"), 2;
    if (hs_open(argv[1], 0, NULL, &trace, &error) != 0)
        return told(error.text);
    uint32_t dataids = hs_dataid_count(trace);
    struct place **places = need(calloc((size_t)dataids + 1, sizeof(struct place *)));
    if (walk(trace, places, dataids, size, &error) != 0)
        return told(error.text);
    if (!out_init(&out) || !show_init(&show, trace, &out))
        return told("out of memory");
    for (uint32_t i = 0; i < dataids; i++) {
        if (places[i] == NULL)
            continue;
        print(&show, i, places[i], size);
        free(places[i]->threads);
        free(places[i]);
    }
    free(places);
    int failed = out_flush(&out);
    show_done(&show);
    out_done(&out);
    if (failed != 0)
        return told(strerror(failed));
    if (hs_damage(trace) != NULL)
        return told(hs_damage(trace));
    hs_close(trace);
    return 0;
}
