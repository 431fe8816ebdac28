/* heap.c - which objects keep most of the others alive at a moment?   heap TRACE [SEQ] */
#include <stdlib.h>

#include "reader/examples/example.h"

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *rows;
    const struct hs_heap_row *row;
    struct hs_heap_options options = HS_HEAP_OPTIONS_INIT;
    hs_trace *trace = open_trace(argc, argv, 1, "heap TRACE [SEQ]");
    options.at = argc > 2 ? strtoull(argv[2], NULL, 10) : HS_NO_SEQ;
    options.objects = true;
    options.max = 10;
    const int failed = hs_heap_open(trace, &options, &rows, &error);
    if (failed == 0) {
        while (hs_heap_row_next(rows, &row, NULL) > 0)
            (void)printf("%llu %s#%u %s\n", (unsigned long long)row->retained, row->type != NULL ? row->type : "?",
                         row->id, row->root != NULL ? row->root : "");
        hs_cursor_close(rows);
    }
    hs_close(trace);
    return failed != 0 ? fail(&error) : 0;
}
