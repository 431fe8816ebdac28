/* allocations.c - who makes which objects, by the calls that lead there?   allocations TRACE [TYPE] */
#include "reader/examples/example.h"

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *rows;
    const struct hs_allocation *row;
    struct hs_allocation_options options = HS_ALLOCATION_OPTIONS_INIT;
    hs_trace *trace = open_trace(argc, argv, 1, "allocations TRACE [TYPE]");
    options.by = HS_ALLOCATIONS_TREE;
    options.type_glob = argc > 2 ? argv[2] : NULL;
    const int failed = hs_allocations_open(trace, &options, &rows, &error);
    if (failed == 0) {
        while (hs_allocation_next(rows, &row, NULL) > 0) {
            const struct hs_method *m = hs_method_get(trace, row->method_id);
            const char *what = row->type != NULL ? row->type : m != NULL ? m->name : "?";
            (void)printf("%*s%s %llu (%llu unread)\n", 2 * (int)row->depth, "", what, (unsigned long long)row->count,
                         (unsigned long long)row->unread);
        }
        if (hs_allocations_cut(rows) > 0)
            (void)printf("and others\n");
        hs_cursor_close(rows);
    }
    hs_close(trace);
    return failed != 0 ? fail(&error) : 0;
}
