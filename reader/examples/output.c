/* output.c - the lines that the program wrote, and the line of code that wrote each.   output TRACE */
#include "reader/examples/example.h"

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_output_line *line;
    hs_cursor *lines;
    hs_trace *trace = open_trace(argc, argv, 1, "output TRACE");
    int more = hs_output_open(trace, &lines, &error);
    while (more == 0 && (more = hs_output_line_next(lines, &line, &error)) > 0) {
        const struct hs_output_part *first = line->parts[0];
        const struct hs_dataid *d = hs_dataid_get(trace, first->dataid);
        (void)printf("%" PRIu64 " %s line %" PRId32 ": ", first->seq, line->stream == HS_STDERR ? "err" : "out",
                     d != NULL && first->by_program ? d->line : -1);
        print_name(line->text);
        (void)printf("\n");
        more = 0;
    }
    int failed = more < 0 ? fail(&error) : 0;
    hs_close(trace);
    return failed;
}
