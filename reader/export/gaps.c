/* gaps.c - see gaps.h. */
#include "reader/export/gaps.h"

#include <stdio.h>

static bool add(u64_vec *out, uint64_t seq, struct hs_error *error)
{
    uint64_t *to = vec_push(out);
    if (to == NULL)
        (void)snprintf(error->text, sizeof error->text, "out of memory");
    else
        *to = seq;
    return to != NULL;
}

bool gaps_read(hs_trace *trace, u64_vec *out, struct hs_error *error)
{
    const struct hs_interval *part;
    hs_cursor *parts;
    const uint64_t events = hs_event_count(trace);
    uint64_t start = hs_next_start(trace, 0), last = 0; /* the beginning is no gap */
    bool room = true;
    int more = 0;
    if (hs_intervals_open(trace, &parts, error) != 0)
        return false;
    while (room && (more = hs_interval_next(parts, &part, error)) > 0) {
        for (; room && start < part->first; start = hs_next_start(trace, start)) {
            room = start <= last || add(out, start, error);
            last = start > last ? start : last;
        }
        if (room && part->first > last && part->first < events) {
            room = add(out, part->first, error);
            last = part->first;
        }
    }
    for (; room && more == 0 && start < events; start = hs_next_start(trace, start))
        room = start <= last || add(out, start, error);
    hs_cursor_close(parts);
    return room && more == 0;
}
