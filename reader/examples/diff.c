/* diff.c - where do two runs differ, but for what differs from a third one?   diff A B [NOISE] */
#include "reader/examples/example.h"

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    struct hs_diff_options options = HS_DIFF_OPTIONS_INIT;
    const struct hs_difference *x;
    hs_cursor *rows;
    int more = -1;
    options.a = open_trace(argc, argv, 2, "diff A B [NOISE]");
    options.b = open_trace(argc - 1, argv + 1, 1, "diff A B [NOISE]");
    if (argc > 3)
        options.noise = open_trace(argc - 2, argv + 2, 1, "diff A B [NOISE]");
    if (hs_diff_open(&options, &rows, &error) == 0) {
        while ((more = hs_difference_next(rows, &x, &error)) > 0) {
            const struct hs_event *events[] = { x->a, x->b };
            (void)printf("%s", hs_difference_kind_name(x->kind));
            for (int side = 0; side < 2; side++)
                if (events[side] != NULL)
                    (void)printf(" %" PRIu64, events[side]->seq);
                else
                    (void)printf(" -");
            (void)printf(" %zu ", x->path_count);
            print_name(x->a_decision != NULL ? x->a_decision->condition : "-");
            (void)printf("\n");
        }
        uint64_t calls, methods;
        hs_diff_partial(rows, &calls, &methods);
        (void)fprintf(stderr,
                      "left out as noise %" PRIu64 ", compared in part: calls %" PRIu64 " methods %" PRIu64 "\n",
                      hs_diff_noise(rows), calls, methods);
        hs_cursor_close(rows);
    }
    hs_close(options.noise);
    hs_close(options.b);
    hs_close(options.a);
    return more < 0 ? fail(&error) : 0;
}
