/* periods.c - see periods.h. */
#include "reader/query/periods.h"

#include "formats/search.h"
#include "reader/query/state.h"

static const struct hs_event beginning = { 0 }; /* of the first period, before all intervals */

bool recording_gap(const hs_trace *t, const struct hs_event *earlier, const struct hs_event *later)
{
    const struct hs_event *e = earlier != NULL ? earlier : &beginning;
    return (earlier == NULL && t->late) || !same_period(t, e->dataid, later->dataid) ||
           gap_before(t, later->stamp) > e->stamp;
}

const char *recording_gap_text(const hs_trace *t, const struct hs_event *earlier, const struct hs_event *later)
{
    if (!recording_gap(t, earlier, later))
        return NULL;
    if (!same_period(t, earlier != NULL ? earlier->dataid : 0, later->dataid))
        return "recording was stopped in between";
    return gap_before(t, later->stamp) > (earlier != NULL ? earlier->stamp : 0)
               ? "what lies between two intervals is not recorded"
               : "what the program did before the recording began is not recorded";
}

/* The first event before `end` from which on there is no gap up to `e` (`e` NULL: that belongs to the period, or to a
 * later one); `end`: there is none. */
static enum status first_event(hs_trace *t, uint64_t end, const struct hs_event *e, size_t period, uint64_t *seq,
                               struct error *err)
{
    uint64_t first = 0;
    while (first < end) {
        uint64_t middle = first + (end - first) / 2;
        struct hs_event at;
        enum status st = event_at(t, middle, &at, err);
        if (st != OK)
            return st;
        if (e != NULL ? recording_gap(t, &at, e) : trace_period(t, at.dataid) < period)
            first = middle + 1;
        else
            end = middle;
    }
    *seq = first;
    return OK;
}

enum status recorded_since(hs_trace *t, const struct hs_event *e, uint64_t *seq, struct error *err)
{
    *seq = 0;
    return recording_gap(t, NULL, e) ? first_event(t, e->seq, e, 0, seq, err) : OK;
}

enum status period_begin(hs_trace *t, uint32_t dataid, uint64_t *seq, struct error *err)
{
    size_t period = trace_period(t, dataid);
    *seq = 0;
    if (period == 0)
        return OK;
    struct period *p = &t->periods.items[period - 1];
    if (p->begin == PERIOD_BEGIN_UNKNOWN) {
        enum status st = first_event(t, t->events, NULL, period, &p->begin, err);
        if (st != OK)
            return st;
    }
    *seq = p->begin;
    return OK;
}

enum status period_begin_at(hs_trace *t, uint64_t seq, uint64_t *begin, struct error *err)
{
    struct hs_event e;
    *begin = 0;
    if (t->periods.count == 0 || t->events == 0)
        return OK;
    enum status st = event_at(t, seq < t->events ? seq : t->events - 1, &e, err);
    return st == OK ? period_begin(t, e.dataid, begin, err) : st;
}
