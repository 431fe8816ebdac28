/* why_not.c - why was a place in the code not reached?   why_not TRACE PLACE */
#include "reader/examples/example.h"

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *rows;
    const struct hs_absence *row;
    struct hs_absence_options options = HS_ABSENCE_OPTIONS_INIT;
    hs_trace *trace = open_trace(argc, argv, 2, "why_not TRACE PLACE");
    options.place = argv[2];
    int failed = hs_absences_open(trace, &options, &rows, &error);
    if (failed == 0) {
        while (hs_absence_next(rows, &row, NULL) > 0) {
            (void)printf("%llu %s ", (unsigned long long)row->calls, hs_situation_name(row->situation));
            print_name(row->method);
            (void)printf(":%d\n", (int)row->line);
        }
        hs_cursor_close(rows);
    }
    hs_close(trace);
    return failed != 0 ? fail(&error) : 0;
}
