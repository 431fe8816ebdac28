/* check_ids.c - are ids exact? Reads the recording of ManyObjects: one object has one id, however often and by whom it
 * is shown, and no two of all the objects that ever lived have the same.   check_ids TRACE LIVE GENERATIONS */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/trace.h"

enum { THREADS_MAX = 1 << 16, RACE = 16, THREADS = 2, TYPE_STEP = 997 };

static uint64_t live, objects;        /* at once; in all generations */
static uint32_t *ids;                 /* by key: 0 not met yet */
static uint8_t *used;                 /* a bit per id */
static uint64_t pending[THREADS_MAX]; /* by thread: the object whose key follows */
static uint64_t shown, met;

static int say(const char *what, uint64_t key, uint64_t id)
{
    (void)printf("FAILED: object %" PRIu64 ", id %" PRIu64 ": %s\n", key, id, what);
    return 1;
}

static int see(uint64_t key, uint64_t id)
{
    shown++;
    if (key >= objects)
        return say("there is no such object", key, id);
    if (id == 0 || id > UINT32_MAX)
        return say("no id", key, id);
    if (ids[key] == id)
        return 0;
    if (ids[key] != 0)
        return say("it had another id before", key, id);
    if (used[id / 8] & 1u << id % 8)
        return say("another object has this id", key, id);
    used[id / 8] |= (uint8_t)(1u << id % 8);
    ids[key] = (uint32_t)id;
    met++;
    return 0;
}

static int read_events(hs_trace *trace)
{
    struct hs_error error = HS_ERROR_INIT;
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_event *e;
    const unsigned event = hs_event_number("METHOD_PARAM");
    hs_cursor *cursor;
    int more, bad = 0;
    filter.class_glob = "ManyObjects";
    filter.method_glob = "show";
    filter.events = &event;
    filter.event_count = 1;
    if (hs_events_open(trace, &filter, &cursor, &error) != 0) {
        (void)printf("FAILED: %s\n", error.text);
        return 1;
    }
    while ((more = hs_event_next(cursor, &e, &error)) > 0 && bad < 10) {
        if (e->thread >= THREADS_MAX)
            bad += say("of a thread beyond all", 0, e->value);
        else if (e->kind == 'L')
            pending[e->thread] = e->value;
        else
            bad += see(e->value, pending[e->thread]);
    }
    if (more < 0) {
        (void)printf("FAILED: %s\n", error.text);
        bad++;
    }
    hs_cursor_close(cursor);
    return bad;
}

static int check_types(hs_trace *trace)
{
    /* by slot & 3 */
    static const char *const types[] = { "java.lang.Object", "ManyObjects$Node", "int[]", "ManyObjects$Node[]" };
    for (uint64_t key = 0; key < objects; key += TYPE_STEP) {
        const struct hs_object *o = hs_object_get(trace, ids[key]);
        if (o == NULL || o->type == NULL || strcmp(o->type, types[key % live & 3]) != 0)
            return say(o != NULL && o->type != NULL ? o->type : "no type", key, ids[key]);
    }
    return 0;
}

int main(int argc, char **argv)
{
    hs_trace *trace;
    struct hs_error error = HS_ERROR_INIT;
    if (argc < 4) {
        (void)fprintf(stderr, "usage: check_ids TRACE LIVE GENERATIONS\n");
        return 2;
    }
    live = strtoull(argv[2], NULL, 10);
    uint64_t generations = strtoull(argv[3], NULL, 10), want = generations * (2 * live + (THREADS - 1) * (live / RACE));
    objects = live * generations;
    ids = calloc(objects + 1, sizeof *ids);
    used = calloc(UINT32_MAX / 8 + 1, 1);
    if (ids == NULL || used == NULL || hs_open(argv[1], 0, NULL, &trace, &error) != 0) {
        (void)printf("FAILED: %s\n", ids == NULL || used == NULL ? "out of memory" : error.text);
        return 1;
    }
    int bad = read_events(trace);
    if (bad == 0 && (met != objects || shown != want)) {
        (void)printf("FAILED: %" PRIu64 " objects shown %" PRIu64 " times, not %" PRIu64 " and %" PRIu64 "\n", met,
                     shown, objects, want);
        bad++;
    }
    if (bad == 0)
        bad = check_types(trace);
    if (bad == 0)
        (void)printf("%" PRIu64 " objects, shown %" PRIu64 " times: as many ids\n", met, shown);
    hs_close(trace);
    free(ids);
    free(used);
    return bad != 0;
}
