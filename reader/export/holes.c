/* holes.c - see holes.h. */
#include "reader/export/holes.h"

#include <stdio.h>

static bool add(struct call_events *c, hole_vec *out, struct hole h)
{
    struct hole *to = vec_push(out);
    if (to == NULL)
        return export_fail(c->job, "out of memory");
    *to = h;
    if (h.end_ns < h.begin_ns) /* clocks of two runs of the recorder */
        to->end_ns = h.begin_ns;
    return true;
}

/* A number of events that `info` has; 0: none. */
static uint64_t number(const hs_trace *t, const char *key)
{
    const char *text = hs_info(t, key);
    uint64_t n;
    return text != NULL && cli_u64(text, &n) ? n : 0;
}

static uint64_t time_at(struct call_events *c, uint64_t seq)
{
    const struct hs_event *e;
    return hs_event_at(c->job->trace, seq, &e, NULL) == 0 ? call_time_of_event(c, e) : 0;
}

/* What lies between the events on both sides of each gap. */
static bool read_gaps(struct call_events *c, hole_vec *out)
{
    bool done = true;
    for (size_t i = 0; done && i < c->gaps.count; i++) {
        const uint64_t seq = c->gaps.items[i];
        if (seq > c->job->filter->filter.from && seq <= c->job->filter->filter.to)
            done = add(c, out,
                       (struct hole){ .what = "not recorded",
                                      .seq = seq,
                                      .begin_ns = time_at(c, seq - 1),
                                      .end_ns = time_at(c, seq),
                                      .reason = "" });
    }
    return done;
}

bool holes_read(struct call_events *c, hole_vec *out)
{
    const hs_trace *t = c->job->trace;
    const uint64_t count = hs_event_count(t), dropped = number(t, "dropped"), lost = number(t, "lost");
    const char *reason = hs_info(t, "lost_reason");
    bool done = true;
    if (count > 0 && dropped > 0 && c->job->filter->filter.from == 0) {
        const uint64_t first_ns = time_at(c, 0);
        done = add(c, out, (struct hole){ "events dropped", 0, 0, first_ns, dropped, "maxbytes" });
    }
    done = done && read_gaps(c, out);
    if (done && count > 0 && lost > 0 && c->job->filter->filter.to >= count) {
        const uint64_t last_ns = time_at(c, count - 1);
        done = add(c, out,
                   (struct hole){ "events lost", HS_NO_SEQ, last_ns, last_ns, lost, reason != NULL ? reason : "" });
    }
    return done;
}

void hole_text(const struct hole *h, char out[HOLE_TEXT_MAX])
{
    const int n = snprintf(out, HOLE_TEXT_MAX, "%s", h->what);
    size_t at = (size_t)n;
    if (h->events > 0)
        at += (size_t)snprintf(out + at, HOLE_TEXT_MAX - at, ": %llu", (unsigned long long)h->events);
    if (h->seq != HS_NO_SEQ)
        at += (size_t)snprintf(out + at, HOLE_TEXT_MAX - at, ", before seq %llu", (unsigned long long)h->seq);
    if (h->reason[0] != '\0')
        (void)snprintf(out + at, HOLE_TEXT_MAX - at, ", %.250s", h->reason);
}
