/* recording_end.c - hs_recording_end_ns: until when a recording is known to have gone on. */
#include <stdlib.h>

#include "reader/trace/open_trace.h"

static uint64_t info_number(const hs_trace *t, const char *key)
{
    const char *text = hs_info(t, key);
    return text != NULL ? strtoull(text, NULL, 10) : 0;
}

/* Of one that ended well that is known; one that was killed has the last tick of its clock; of one that lost events
 * only what it has counts. */
uint64_t hs_recording_end_ns(hs_trace *trace)
{
    const struct hs_event *e;
    const uint64_t events = hs_event_count(trace);
    uint64_t end = 0;
    if (events > 0 && hs_event_at(trace, events - 1, &e, NULL) == 0)
        end = e->time_ns != HS_NO_TIME ? e->time_ns : hs_clock_ns(trace, e->stamp);
    end = end != HS_NO_TIME ? end : 0;
    for (size_t i = 0; i < trace->threads.count; i++) {
        const struct hs_thread *t = &trace->threads.items[i];
        if (t->known && t->end_ns != HS_NO_TIME && t->end_ns > end)
            end = t->end_ns;
    }
    const uint64_t started = info_number(trace, "started"), ended = info_number(trace, "ended");
    const uint64_t tick = hs_clock_ns(trace, UINT64_MAX);
    if (info_number(trace, "lost") > 0)
        return end;
    if (tick != HS_NO_TIME && tick > end)
        end = tick;
    return started > 0 && ended > started + end ? ended - started : end;
}
