/* numbering.c - marks, intervals and snapshots as the public functions give them: with their seqs.
 *
 * A row says where something begins and ends on the shared counter; the events before such a stamp are counted
 * (positions_below), and that count is the seq of the first event behind it. Counted when first asked for. */
#include "reader/stream/stream.h"

int hs_marks(hs_trace *t, const struct hs_mark **out, size_t *count, struct hs_error *error)
{
    struct error err;
    enum status st = OK;
    for (size_t i = 0; i < t->marks.count && !t->marks_numbered; i++) {
        const struct mark_stamps *stamps = &t->mark_stamps.items[i];
        struct hs_mark *mark = &t->marks.items[i];
        uint64_t end = t->events;
        st = positions_below(t, stamps->begin, &mark->first, &err);
        if (st == OK && stamps->end != UINT64_MAX)
            st = positions_below(t, stamps->end, &end, &err);
        if (st != OK)
            return give(error, &err);
        mark->events = end > mark->first ? end - mark->first : 0;
    }
    t->marks_numbered = true;
    *out = t->marks.items;
    *count = t->marks.count;
    return 0;
}

int hs_interval_at(hs_trace *t, size_t position, struct hs_interval *out, struct hs_error *error)
{
    const struct interval *v = &t->intervals.items[position];
    struct error err;
    *out = (struct hs_interval){ .begin_ns = v->begin_ns,
                                 .end_ns = v->end == UINT64_MAX ? HS_NO_TIME : v->end_ns,
                                 .start_dataid = v->start_id,
                                 .end_dataid = v->end_id,
                                 .start_thread = v->start_thread,
                                 .end_thread = v->end_thread };
    uint64_t end = t->events;
    enum status st = t->chunk_count > 0 ? positions_below(t, v->begin, &out->first, &err) : OK;
    if (st == OK && t->chunk_count > 0 && v->end != UINT64_MAX)
        st = positions_below(t, v->end, &end, &err);
    if (st != OK)
        return give(error, &err);
    out->events = end > out->first ? end - out->first : 0;
    return 0;
}

int hs_snapshot_at(hs_trace *t, size_t position, struct hs_snapshot *out, struct hs_error *error)
{
    struct error err;
    *out = t->snapshots.items[position];
    out->seq = HS_NO_SEQ;
    return t->chunk_count == 0 || positions_below(t, out->stamp, &out->seq, &err) == OK ? 0 : give(error, &err);
}
