/* numbering.c - marks, intervals and snapshots as the public functions give them: with their seqs.
 *
 * A row says where something begins and ends on the shared counter; the events before such a stamp are counted
 * (positions_below), and that count is the seq of the first event behind it. Counted when first asked for. */
#include "reader/stream/stream.h"

#include "formats/search.h"

enum status marks_number(hs_trace *t, struct error *err)
{
    for (size_t i = 0; i < t->marks.count && !t->marks_numbered; i++) {
        const struct mark_stamps *stamps = &t->mark_stamps.items[i];
        struct hs_mark *mark = &t->marks.items[i];
        uint64_t end = t->events;
        enum status st = positions_below(t, stamps->begin, &mark->first, err);
        if (st == OK && stamps->end != UINT64_MAX)
            st = positions_below(t, stamps->end, &end, err);
        if (st != OK)
            return st;
        mark->events = end > mark->first ? end - mark->first : 0;
    }
    t->marks_numbered = true;
    return OK;
}

/* The data ID of an event, as it is stored. */
static enum status stored_id(hs_trace *t, struct event_position at, uint32_t *id, struct error *err)
{
    struct chunk_columns columns;
    const struct chunk_ref *c = positions_chunk(t, at);
    enum status st = c != NULL ? trace_decode_stored(t, t->decoder, c, CHUNK_IDS, &columns, err) : ERR_NOT_FOUND;
    if (st == OK)
        *id = columns.ids[at.position - c->before];
    return st;
}

/* The first event with a data ID from this one on: all of a period come before those of the next one. */
static enum status first_from(hs_trace *t, struct period *p, struct error *err)
{
    uint64_t first = 0, end = t->events;
    while (first < end) {
        uint64_t middle = first + (end - first) / 2;
        struct event_position at;
        uint32_t id = 0;
        enum status st = positions_find(t, middle, &at, err);
        if (st == OK)
            st = stored_id(t, at, &id, err);
        if (st != OK)
            return st;
        if (id < p->first_dataid)
            first = middle + 1;
        else
            end = middle;
    }
    p->begin = first;
    struct event_position at;
    if (first == t->events) /* it has no events */
        return OK;
    enum status st = positions_find(t, first, &at, err);
    return st == OK ? positions_stamp(t, at, &p->stamp, err) : st;
}

enum status periods_number(hs_trace *t, struct error *err)
{
    for (size_t i = 0; i < t->periods.count && !t->periods_numbered; i++) {
        enum status st = first_from(t, &t->periods.items[i], err);
        if (st != OK)
            return st;
    }
    t->periods_numbered = true;
    return OK;
}

size_t period_of(hs_trace *t, uint64_t stamp)
{
    struct error err;
    size_t behind; /* the first start after it */
    if (periods_number(t, &err) != OK) {
        trace_damaged(t, &err);
        return 0;
    }
    LOWER_BOUND(behind, t->periods.count, t->periods.items[behind].stamp <= stamp);
    return behind;
}

int hs_marks_open(hs_trace *t, hs_cursor **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(t, "marks");
    struct error err;
    if (marks_number(t, &err) != OK)
        return give(error, &err);
    return cursor_over(ROW_mark, t->marks.items, sizeof *t->marks.items, t->marks.count, NULL, out, error);
}

static enum status make_interval(hs_trace *t, const struct window *v, struct hs_interval *out, struct error *err)
{
    *out = (struct hs_interval){ .begin_ns = v->begin_ns,
                                 .end_ns = v->end == UINT64_MAX ? HS_NO_TIME : v->end_ns,
                                 .start_dataid = same_place(t, v->start_id),
                                 .end_dataid = same_place(t, v->end_id),
                                 .start_thread = v->start_thread,
                                 .end_thread = v->end_thread };
    uint64_t end = t->events;
    enum status st = t->chunk_count > 0 ? positions_below(t, v->begin, &out->first, err) : OK;
    if (st == OK && t->chunk_count > 0 && v->end != UINT64_MAX)
        st = positions_below(t, v->end, &end, err);
    if (st == OK)
        out->events = end > out->first ? end - out->first : 0;
    return st;
}

static enum status make_intervals(hs_trace *t, struct hs_interval *list, struct error *err)
{
    for (size_t i = 0; i < t->intervals.count; i++) {
        enum status st = make_interval(t, &t->intervals.items[i], &list[i], err);
        if (st != OK)
            return st;
    }
    return OK;
}

int hs_intervals_open(hs_trace *t, hs_cursor **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(t, "intervals");
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    size_t count = t->intervals.count;
    struct list_answer *answer = list_answer_new();
    struct hs_interval *list = answer != NULL ? arena_array(&answer->arena, count + 1, sizeof *list) : NULL;
    if (list == NULL || make_intervals(t, list, &err) != OK) {
        list_answer_free(answer);
        return give(error, &err);
    }
    return cursor_over(ROW_interval, list, sizeof *list, count, answer, out, error);
}

static enum status make_snapshots(hs_trace *t, struct hs_snapshot *list, struct error *err)
{
    for (size_t i = 0; i < t->snapshots.count; i++) {
        list[i] = t->snapshots.items[i];
        list[i].seq = HS_NO_SEQ;
        enum status st = t->chunk_count > 0 ? positions_below(t, list[i].stamp, &list[i].seq, err) : OK;
        if (st != OK)
            return st;
    }
    return OK;
}

int hs_snapshots_open(hs_trace *t, hs_cursor **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(t, "snapshots");
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    size_t count = t->snapshots.count;
    struct list_answer *answer = list_answer_new();
    struct hs_snapshot *list = answer != NULL ? arena_array(&answer->arena, count + 1, sizeof *list) : NULL;
    if (list == NULL || make_snapshots(t, list, &err) != OK) {
        list_answer_free(answer);
        return give(error, &err);
    }
    return cursor_over(ROW_snapshot, list, sizeof *list, count, answer, out, error);
}
