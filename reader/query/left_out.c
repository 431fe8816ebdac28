/* left_out.c - see left_out.h. */
#include "reader/query/left_out.h"

#include <stdlib.h>

#include "formats/search.h"

bool left_out_any(hs_trace *t) { return sites_of(t, EVENT_EVENTS_LEFT_OUT)->count > 0; }

static bool has(const u32_vec *sorted, uint32_t number)
{
    size_t at;
    LOWER_BOUND(at, sorted->count, sorted->items[at] < number);
    return at < sorted->count && sorted->items[at] == number;
}

enum status left_out_marks(hs_trace *t, const u32_vec *ids, u32_vec *marks, struct error *err)
{
    const site_vec *all = sites_of(t, EVENT_EVENTS_LEFT_OUT);
    u32_vec methods = { 0 };
    enum status st = OK;
    for (size_t i = 0; ids != NULL && all->count > 0 && i < ids->count; i++) {
        uint32_t *to = vec_push(&methods);
        if (to == NULL) {
            st = state_memory(t, err);
            goto out;
        }
        *to = effects_get(t, ids->items[i])->method;
    }
    if (methods.count > 1)
        qsort(methods.items, methods.count, sizeof *methods.items, u32_order);
    for (size_t i = 0; i < all->count; i++) {
        if (ids != NULL && !has(&methods, all->items[i].method_id))
            continue;
        uint32_t *to = vec_push(marks);
        if (to == NULL) {
            st = state_memory(t, err);
            goto out;
        }
        *to = all->items[i].dataid;
    }
out:
    vec_free(&methods);
    return st;
}

/* The last event of a stream that is before event `seq`, whose stamp this is. ERR_NOT_FOUND: there is none. */
static enum status last_before(hs_trace *t, uint32_t stream, uint64_t seq, uint64_t stamp, struct hs_event *out,
                               struct error *err)
{
    const struct thread_chunks *s = &t->streams[stream];
    size_t next; /* the first chunk that is wholly behind */
    LOWER_BOUND(next, s->count, s->chunks[next].first_stamp <= stamp);
    uint64_t end = next < s->count ? s->chunks[next].before : s->events, first = 0;
    while (first < end) { /* the number of events before `seq` */
        uint64_t middle = first + (end - first) / 2, at = 0;
        struct event_position position = { stream, middle };
        enum status st = positions_event(t, position, out, err);
        if (st == OK && out->stamp == stamp)
            st = positions_seq(t, position, stamp, &at, err);
        if (st != OK)
            return st;
        if (out->stamp < stamp || (out->stamp == stamp && at < seq))
            first = middle + 1;
        else
            end = middle;
    }
    return first > 0 ? positions_event(t, (struct event_position){ stream, first - 1 }, out, err) : ERR_NOT_FOUND;
}

/* The stretch behind a mark ends with the next event of its thread. */
static enum status end_of(hs_trace *t, const struct hs_event *mark, uint64_t *end, struct error *err)
{
    struct hs_event e;
    *end = UINT64_MAX;
    enum status st = event_beside(t, mark, 1, &e, err);
    if (st == OK)
        st = positions_number(t, &e, err);
    if (st == OK)
        *end = e.seq;
    return st == ERR_NOT_FOUND ? OK : st;
}

/* Lets out->until reach as far as stretches of all threads that have begun before out->mark. */
static enum status reach(hs_trace *t, const u32_vec *marks, struct left_out *out, struct error *err)
{
    enum status st = OK;
    for (uint32_t i = 0; i < t->stream_count && st == OK; i++) {
        struct hs_event e = out->mark;
        uint64_t end;
        if (t->streams[i].thread != out->mark.thread)
            st = last_before(t, i, out->mark.seq, out->mark.stamp, &e, err);
        if (st == OK && has(marks, e.dataid) && (st = end_of(t, &e, &end, err)) == OK && end > out->until)
            out->until = end;
        st = st == ERR_NOT_FOUND ? OK : st;
    }
    return st;
}

enum status left_out_before(hs_trace *t, const u32_vec *marks, uint64_t seq, struct left_out *out, struct error *err)
{
    struct walk w;
    *out = (struct left_out){ 0 };
    if (marks->count == 0)
        return OK;
    walk_open_ids(&w, t, marks, 0, UINT64_MAX);
    walk_seek(&w, seq);
    bool found = walk_previous(&w, &out->mark);
    enum status st = walk_close(&w, err);
    if (st != OK || !found)
        return st;
    out->until = out->mark.seq;
    return reach(t, marks, out, err);
}
