/* overflows.c - which arithmetic wrapped, which conversion lost bits?   overflows TRACE [CONDITION] */
#include "reader/examples/example.h"

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *rows;
    const struct hs_overflow *row;
    struct hs_overflow_options options = HS_OVERFLOW_OPTIONS_INIT;
    hs_condition *where = NULL;
    hs_trace *trace = open_trace(argc, argv, 1, "overflows TRACE [CONDITION]");
    int failed = argc > 2 ? hs_condition_parse(argv[2], &where, &error) : 0;
    if (failed == 0)
        failed = hs_overflows_open(trace, &options, &rows, &error);
    if (failed == 0) {
        while (hs_overflow_next(rows, &row, NULL) > 0) {
            if (where != NULL && hs_condition_overflow(where, trace, row) != HS_TRUE)
                continue;
            (void)printf("%llu %llu %s (%s)\n", (unsigned long long)row->count, (unsigned long long)row->seq, row->what,
                         hs_loss_name(row->loss));
        }
        if (hs_overflows_cut(rows) || hs_overflows_unknown(rows, NULL) > 0)
            (void)printf("and others\n");
        hs_cursor_close(rows);
    }
    hs_condition_free(where);
    hs_close(trace);
    return failed != 0 ? fail(&error) : 0;
}
