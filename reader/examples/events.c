/* events.c - which events are of interest? Those of a class glob, counted per event type.   events TRACE CLASS-GLOB */
#include <inttypes.h>
#include <stdio.h>

#include "reader/trace.h"

int main(int argc, char **argv)
{
    enum { TYPES = 256 };
    hs_trace *trace;
    hs_cursor *cursor;
    struct hs_error error;
    const struct hs_event *event;
    uint64_t counts[TYPES] = { 0 };
    int more = 0;
    if (argc < 3) {
        (void)fprintf(stderr, "usage: events TRACE CLASS-GLOB\n");
        return 2;
    }
    if (hs_open(argv[1], &trace, &error) != 0) {
        (void)fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    struct hs_filter filter = HS_FILTER_ALL;
    filter.class_glob = argv[2];
    if (hs_cursor_open(trace, &filter, &cursor, &error) != 0) {
        (void)fprintf(stderr, "%s\n", error.text);
        hs_close(trace);
        return 1;
    }
    while ((more = hs_cursor_next(cursor, &event, &error)) > 0) {
        unsigned type = hs_dataid_get(trace, event->dataid)->event;
        if (type < TYPES)
            counts[type]++;
    }
    if (more < 0)
        (void)fprintf(stderr, "%s\n", error.text);
    for (unsigned i = 0; i < TYPES; i++)
        if (counts[i] > 0)
            (void)printf("%s %" PRIu64 "\n", hs_event_name(i), counts[i]);
    hs_cursor_close(cursor);
    hs_close(trace);
    return more < 0;
}
