/* timeline.c - the last events of all data IDs in order, with the calls known to be open.   timeline TRACE */
#include "reader/examples/example.h"

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *recents;
    const struct hs_recent *r;
    hs_trace *trace = open_trace(argc, argv, 1, "timeline TRACE");
    int more = hs_recents_open(trace, &recents, &error);
    if (more == 0) {
        while ((more = hs_recent_next(recents, &r, &error)) > 0) {
            const struct hs_dataid *d = hs_dataid_get(trace, r->event->dataid);
            (void)printf("%" PRIu64 " %s:", r->event->seq, d != NULL ? hs_event_name(d->event) : "?");
            for (size_t i = 0; i < r->frame_count; i++) {
                (void)putchar(' ');
                print_method(trace, r->methods[i]);
            }
            (void)putchar('\n');
        }
        hs_cursor_close(recents);
    }
    hs_close(trace);
    return more != 0 ? fail(&error) : 0;
}
