/* locks.c - which monitors were waited for, and which ones were entered in different orders?   locks TRACE
 *
 * Then the last hold that ended. */
#include "reader/examples/example.h"

static void print_monitor(hs_trace *trace, const struct hs_lock *l)
{
    if (l->object == 0) {
        print_name(l->class_name);
        return;
    }
    print_type(trace, l->object);
    (void)printf("#%" PRIu64, l->object);
}

static int print_locks(hs_trace *trace, hs_cursor *locks, struct hs_error *error)
{
    const struct hs_lock *l;
    int more;
    while ((more = hs_lock_next(locks, &l, error)) > 0) {
        print_monitor(trace, l);
        (void)printf(": entered %" PRIu64 " times, %" PRIu64 " times waited for\n", l->entered, l->contended);
    }
    return more;
}

static int print_edges(hs_trace *trace, hs_cursor *locks, struct hs_error *error)
{
    const struct hs_lock_edge *e;
    hs_cursor *edges;
    if (hs_lock_edges_open(locks, &edges, error) != 0)
        return -1;
    int more;
    while ((more = hs_lock_edge_next(edges, &e, error)) > 0) {
        print_monitor(trace, e->from);
        (void)printf(" before ");
        print_monitor(trace, e->to);
        (void)printf(", %" PRIu64 " times\n", e->count);
    }
    hs_cursor_close(edges);
    return more;
}

static int print_inversions(hs_trace *trace, hs_cursor *locks, struct hs_error *error)
{
    const struct hs_inversion *v;
    hs_cursor *circles;
    if (hs_inversions_open(locks, &circles, error) != 0)
        return -1;
    int more;
    while ((more = hs_inversion_next(circles, &v, error)) > 0)
        for (size_t i = 0; i < v->edge_count; i++) {
            print_monitor(trace, v->edges[i]->from);
            (void)printf(i + 1 < v->edge_count ? " " : ": a circle\n");
        }
    hs_cursor_close(circles);
    return more;
}

static int print_last(hs_trace *trace, struct hs_error *error)
{
    const struct hs_hold *h;
    uint64_t entered = HS_NO_SEQ;
    hs_cursor *holds;
    if (hs_holds_open(trace, NULL, 0, &holds, error) != 0)
        return -1;
    int more;
    while ((more = hs_hold_next(holds, &h, error)) > 0)
        entered = h->entered;
    hs_cursor_close(holds);
    if (entered != HS_NO_SEQ)
        (void)printf("the last one was entered at %" PRIu64 "\n", entered);
    return more;
}

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *locks = NULL;
    hs_trace *trace = open_trace(argc, argv, 1, "locks TRACE");
    int failed = hs_locks_open(trace, &locks, &error);
    failed = failed != 0 ? failed : print_locks(trace, locks, &error);
    failed = failed != 0 ? failed : print_edges(trace, locks, &error);
    failed = failed != 0 ? failed : print_inversions(trace, locks, &error);
    hs_cursor_close(locks);
    failed = failed != 0 ? failed : print_last(trace, &error);
    hs_close(trace);
    return failed != 0 ? fail(&error) : 0;
}
