/* slice.c - on what does a moment depend?   slice TRACE SEQ [forward] */
#include "reader/examples/example.h"

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *rows;
    const struct hs_slice *row;
    struct hs_slice_options options = HS_SLICE_OPTIONS_INIT;
    hs_trace *trace = open_trace(argc, argv, 2, "slice TRACE SEQ [forward]");
    options.seq = strtoull(argv[2], NULL, 10);
    options.forward = argc > 3;
    int more = hs_slice_open(trace, &options, &rows, &error);
    if (more == 0) {
        while ((more = hs_slice_next(rows, &row, &error)) > 0) {
            const struct hs_dataid *site = hs_dataid_get(trace, row->event->dataid);
            (void)printf("%u %llu %s ", row->distance, (unsigned long long)row->event->seq, hs_event_name(site->event));
            print_name(row->because);
            (void)printf("\n");
        }
        hs_cursor_close(rows);
    }
    hs_close(trace);
    return more < 0 ? fail(&error) : 0;
}
