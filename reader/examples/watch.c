/* watch.c - what would the program have printed at a place?   watch TRACE PLACE TEXT */
#include "reader/examples/example.h"

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    struct hs_watch_options options = HS_WATCH_OPTIONS_INIT;
    const struct hs_watched *row;
    hs_cursor *watch;
    int more;
    hs_trace *trace = open_trace(argc, argv, 3, "watch TRACE PLACE TEXT");
    options.place = argv[2];
    options.text = argv[3];
    if (hs_watch_open(trace, &options, &watch, &error) != 0) {
        hs_close(trace);
        return fail(&error);
    }
    for (size_t i = 0; hs_watch_expression(watch, i) != NULL; i++)
        print_name(hs_watch_expression(watch, i)), (void)printf("\n");
    while ((more = hs_watched_next(watch, &row, &error)) > 0) {
        (void)printf("%" PRIu64 " ", row->event->seq);
        print_name(row->text);
        (void)printf("\n");
    }
    if (more == 0)
        (void)printf("place %d, %" PRIu64 " undecided\n", (int)hs_watch_kind(watch), hs_watch_undecided(watch));
    hs_cursor_close(watch);
    hs_close(trace);
    return more < 0 ? fail(&error) : 0;
}
