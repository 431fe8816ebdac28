/* periods.c - see periods.h. */
#include "reader/query/periods.h"

#include "reader/query/state.h"

static const struct hs_event beginning = { 0 }; /* of the first period, before all intervals */

static bool same_period(hs_trace *t, const struct hs_event *a, const struct hs_event *b)
{
    return t->periods.count == 0 || period_of(t, a->stamp) == period_of(t, b->stamp);
}

bool recording_gap(hs_trace *t, const struct hs_event *earlier, const struct hs_event *later)
{
    const struct hs_event *e = earlier != NULL ? earlier : &beginning;
    return (earlier == NULL && t->late) || !same_period(t, e, later) || gap_before(t, later->stamp) > e->stamp;
}

const char *recording_gap_text(hs_trace *t, const struct hs_event *earlier, const struct hs_event *later)
{
    const struct hs_event *e = earlier != NULL ? earlier : &beginning;
    if (!recording_gap(t, earlier, later))
        return NULL;
    if (!same_period(t, e, later))
        return "recording was stopped in between";
    if (gap_before(t, later->stamp) > e->stamp && hs_info(t, "dropped_tests") != NULL)
        return "what tests did in between that passed was dropped (keep=)";
    return gap_before(t, later->stamp) > e->stamp ? "what lies between two intervals is not recorded"
                                                  : "what the program did before the recording began is not recorded";
}

enum status recorded_since(hs_trace *t, const struct hs_event *e, uint64_t *seq, struct error *err)
{
    uint64_t first = 0, end = e->seq; /* the first event before `e` from which on there is no gap up to it */
    if (!recording_gap(t, NULL, e))
        end = 0;
    while (first < end) {
        uint64_t middle = first + (end - first) / 2;
        struct hs_event at;
        enum status st = event_at(t, middle, &at, err);
        if (st != OK)
            return st;
        if (recording_gap(t, &at, e))
            first = middle + 1;
        else
            end = middle;
    }
    *seq = first;
    return OK;
}

enum status period_begin(hs_trace *t, uint64_t stamp, uint64_t *seq, struct error *err)
{
    *seq = 0;
    if (t->periods.count == 0)
        return OK;
    enum status st = periods_number(t, err);
    if (st != OK)
        return st;
    const size_t period = period_of(t, stamp);
    *seq = period > 0 ? t->periods.items[period - 1].begin : 0;
    return OK;
}

enum status period_begin_at(hs_trace *t, uint64_t seq, uint64_t *begin, struct error *err)
{
    struct hs_event e;
    *begin = 0;
    if (t->periods.count == 0 || t->events == 0)
        return OK;
    enum status st = event_at(t, seq < t->events ? seq : t->events - 1, &e, err);
    return st == OK ? period_begin(t, e.stamp, begin, err) : st;
}

uint64_t hs_next_start(hs_trace *t, uint64_t seq)
{
    struct error err;
    if (periods_number(t, &err) != OK) {
        trace_damaged(t, &err);
        return HS_NO_SEQ;
    }
    for (size_t i = 0; i < t->periods.count; i++)
        if (t->periods.items[i].begin > seq)
            return t->periods.items[i].begin;
    return HS_NO_SEQ;
}
