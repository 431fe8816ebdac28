/* moments.c - the moments that a text of the output, or a time, names, and the line of code.   moments TRACE TEXT */
#include "reader/examples/example.h"

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_moment *moment;
    hs_cursor *moments;
    hs_trace *trace = open_trace(argc, argv, 2, "moments TRACE TEXT");
    int more = hs_moments_open(trace, argv[2], &moments, &error);
    if (more == 0) {
        while ((more = hs_moment_next(moments, &moment, &error)) > 0) {
            (void)printf("%" PRIu64 " thread %" PRIu32, moment->seq, moment->thread);
            if (moment->line != NULL) {
                (void)printf(": ");
                print_name(moment->line->text);
            }
            (void)printf("\n");
        }
        hs_cursor_close(moments);
    }
    int failed = more < 0 ? fail(&error) : 0;
    hs_close(trace);
    return failed;
}
