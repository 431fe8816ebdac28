/* parts.c - recordings in parts: events lie inside intervals, and each of those begins and ends with the event that its
 * row names.
 *
 * The walk has the events of all threads by ascending stamps, so one interval at a time is checked. */
#include "reader/fsck/parts.h"

#include "formats/format.h"

/* Formats without a stream have intervals too, but no events to look at. */
static bool is_stream(const struct fsck *f) { return format_of_trace(hs_info(f->trace, "format"))->stream; }

static const struct window *current(const struct fsck *f)
{
    return f->part.at < f->trace->intervals.count ? &f->trace->intervals.items[f->part.at] : NULL;
}

/* Called when the interval has no more events. */
static void close_part(struct fsck *f, const struct window *v)
{
    unsigned long long number = f->part.at;
    f->result->checked += 2;
    /* (recording may have stopped before that event was written) */
    if (v->start_id != NO_DATAID && v->end_id != NO_DATAID && !f->part.started)
        fsck_report(f, RULE_interval, NO_SEQ, "interval %llu does not show the event of thread %u that began it",
                    number, v->start_thread);
    if (v->end_id != NO_DATAID && (!f->part.ending || f->part.last_id != v->end_id))
        fsck_report(f, RULE_interval, NO_SEQ, "interval %llu does not end with the event of thread %u that ended it",
                    number, v->end_thread);
    f->part.started = false;
    f->part.ending = false;
    f->part.at++;
}

void parts_event(struct fsck *f, uint32_t thread, uint32_t id, uint64_t stamp, uint64_t seq)
{
    const struct window *v;
    if (f->trace->intervals.count == 0 || f->tolerant)
        return;
    for (v = current(f); v != NULL && v->end <= stamp; v = current(f))
        close_part(f, v);
    f->result->checked++;
    if (v == NULL || stamp < v->begin) {
        fsck_report(f, RULE_interval, seq, "the event with stamp %llu lies in no interval", (unsigned long long)stamp);
        return;
    }
    if (thread == v->start_thread && v->start_id != NO_DATAID && !f->part.started) {
        f->part.started = true;
        if (id != v->start_id)
            fsck_report(f, RULE_interval, seq, "interval %llu does not begin with the event that its row names",
                        (unsigned long long)f->part.at);
    }
    if (thread == v->end_thread) {
        f->part.ending = true;
        f->part.last_id = id;
    }
}

void parts_done_check(struct fsck *f)
{
    if (f->tolerant || !is_stream(f))
        return;
    for (const struct window *v = current(f); v != NULL; v = current(f))
        close_part(f, v);
}
