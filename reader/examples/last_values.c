/* last_values.c - what was seen last at each event of a type, at the end or at the moment of a snapshot?
 *     last_values TRACE EVENT [SNAPSHOT] */
#include "reader/examples/example.h"

static int print_snapshots(hs_trace *trace, struct hs_error *error)
{
    hs_cursor *snapshots, *intervals;
    const struct hs_snapshot *s;
    const struct hs_interval *v;
    if (hs_intervals_open(trace, &intervals, error) != 0)
        return -1;
    while (hs_interval_next(intervals, &v, NULL) > 0)
        (void)printf("interval of %" PRIu64 " events from %" PRIu64 "\n", v->events, v->first);
    hs_cursor_close(intervals);
    if (hs_snapshots_open(trace, &snapshots, error) != 0)
        return -1;
    while (hs_snapshot_next(snapshots, &s, NULL) > 0)
        (void)printf("snapshot %" PRIu32 " at %" PRIu64 " ns\n", s->number, s->ns);
    hs_cursor_close(snapshots);
    (void)printf("%zu intervals, %zu snapshots\n", hs_interval_count(trace), hs_snapshot_count(trace));
    return 0;
}

/* The last values of one data ID. */
static int print_values(hs_trace *trace, hs_cursor *latest, const struct hs_dataid *d, struct hs_error *error)
{
    const struct hs_event *e;
    size_t count;
    int more;
    if (hs_latest_select(latest, d->dataid, &count, error) != 0)
        return -1;
    if (count == 0)
        return 0;
    print_method(trace, d->method_id);
    (void)printf(" pc %" PRIu32 ":", d->pc);
    while ((more = hs_event_next(latest, &e, error)) > 0)
        (void)printf(" %" PRId64, (int64_t)e->value);
    (void)printf("\n");
    return more;
}

static int print_latest(hs_trace *trace, unsigned event, struct hs_error *error)
{
    hs_cursor *latest;
    uint32_t count = 0, *ids = calloc((size_t)hs_dataid_count(trace) + 1, sizeof *ids);
    if (ids == NULL || hs_latest_open(trace, &latest, error) != 0) {
        free(ids);
        return -1;
    }
    for (uint32_t i = 0; i < hs_dataid_count(trace); i++) {
        const struct hs_dataid *d = hs_dataid_get(trace, i);
        if (d != NULL && d->event == event)
            ids[count++] = i;
    }
    int failed = hs_latest_read(latest, ids, count, false, error);
    for (uint32_t i = 0; failed == 0 && i < count; i++)
        failed = print_values(trace, latest, hs_dataid_get(trace, ids[i]), error);
    hs_cursor_close(latest);
    free(ids);
    return failed;
}

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    hs_trace *trace = open_trace(argc, argv, 2, "last_values TRACE EVENT [SNAPSHOT]");
    int failed = print_snapshots(trace, &error);
    if (failed == 0 && argc > 3)
        failed = hs_use_snapshot(trace, (uint32_t)strtoul(argv[3], NULL, 10), &error);
    if (failed == 0)
        failed = print_latest(trace, hs_event_number(argv[2]), &error);
    hs_close(trace);
    return failed != 0 ? fail(&error) : 0;
}
