/* report.c - where did the time go, of the whole trace or of the events of a mark?   report TRACE [MARK] */
#include <string.h>

#include "reader/examples/example.h"

/* 1: it was found. */
static int find_mark(hs_trace *trace, const char *name, uint64_t *from, uint64_t *to, struct hs_error *error)
{
    hs_cursor *marks;
    const struct hs_mark *mark;
    int found = 0;
    if (hs_marks_open(trace, &marks, error) != 0)
        return -1;
    while (found == 0 && hs_mark_next(marks, &mark, NULL) > 0)
        if (strcmp(mark->name, name) == 0 && mark->events > 0) {
            *from = mark->first;
            *to = mark->first + mark->events - 1;
            found = 1;
        }
    hs_cursor_close(marks);
    return found;
}

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *costs;
    const struct hs_cost *cost;
    uint64_t from = 0, to = HS_NO_SEQ;
    hs_trace *trace = open_trace(argc, argv, 1, "report TRACE [MARK]");
    int found = argc > 2 ? find_mark(trace, argv[2], &from, &to, &error) : 1;
    int failed = found > 0 ? hs_costs_open(trace, from, to, &costs, &error) : -1;
    if (found == 0)
        (void)snprintf(error.text, sizeof error.text, "there is no such mark");
    if (failed == 0) {
        uint64_t resolution = hs_clock_resolution_ns(trace);
        (void)printf("%" PRIu64 " methods, times below %" PRIu64 " ns are not known\n", hs_cursor_count(costs),
                     resolution);
        while (hs_cost_next(costs, &cost, NULL) > 0) {
            print_method(trace, cost->method_id);
            (void)printf(": %" PRIu64 " calls, %" PRIu64 " ns\n", cost->calls, cost->total_ns);
        }
        hs_cursor_close(costs);
    }
    hs_close(trace);
    return failed != 0 ? fail(&error) : 0;
}
