/* test_source.c - a JUnit test of the call that an event stands in.   test_source TRACE SEQ */
#include "reader/examples/example.h"

int main(int argc, char **argv)
{
    hs_trace *trace = open_trace(argc, argv, 2, "test_source TRACE SEQ");
    struct hs_error error = HS_ERROR_INIT;
    struct hs_test_source_options options = HS_TEST_SOURCE_OPTIONS_INIT;
    const struct hs_test_source *row;
    hs_cursor *rows;
    options.seq = strtoull(argv[2], NULL, 10);
    if (hs_test_sources_open(trace, &options, &rows, &error) != 0 || hs_test_source_next(rows, &row, &error) < 0)
        return fail(&error);
    if (row->source != NULL)
        (void)printf("%s", row->source);
    else
        print_name(row->why);
    hs_cursor_close(rows);
    hs_close(trace);
    return 0;
}
