/* events.c - which events are of interest? Those of a class glob, counted per event type.   events TRACE CLASS-GLOB */
#include "reader/examples/example.h"

int main(int argc, char **argv)
{
    enum { TYPES = 256 };
    hs_cursor *events;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_event *event;
    uint64_t counts[TYPES] = { 0 };
    int more = -1;
    hs_trace *trace = open_trace(argc, argv, 2, "events TRACE CLASS-GLOB");
    struct hs_filter filter = HS_FILTER_ALL;
    filter.class_glob = argv[2];
    if (hs_events_open(trace, &filter, &events, &error) == 0) {
        while ((more = hs_event_next(events, &event, &error)) > 0) {
            unsigned type = hs_dataid_get(trace, event->dataid)->event;
            if (type < TYPES)
                counts[type]++;
        }
        hs_cursor_close(events);
    }
    for (unsigned i = 0; i < TYPES; i++)
        if (counts[i] > 0)
            (void)printf("%s %" PRIu64 "\n", hs_event_name(i), counts[i]);
    hs_close(trace);
    return more < 0 ? fail(&error) : 0;
}
