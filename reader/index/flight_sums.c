/* flight_sums.c - settled flights that are alike, counted: flights.h. */
#include "reader/index/flights.h"

static bool alike(const struct flight_sum *a, const struct flight_sum *b)
{
    return memcmp(&a->kind, &b->kind, sizeof a->kind) == 0 && a->first.dataid == b->first.dataid &&
           a->caught.dataid == b->caught.dataid && a->swallowed == b->swallowed;
}

static void join(struct flight_sum *to, const struct flight_sum *x)
{
    to->threads |= x->threads || to->first.thread != x->first.thread;
    to->exits |= x->exits || to->left != x->left;
    to->left = x->left < to->left ? x->left : to->left;
    to->times += x->times;
    if (exception_event_order(&x->first, &to->first) < 0) {
        to->first = x->first;
        to->caught = x->caught;
    }
}

bool flight_sums_add(struct flight_sums *s, const struct flight_sum *x)
{
    const uint64_t parts[] = { x->kind.message, (uint64_t)x->kind.type << 32 | x->kind.cause,
                               (uint64_t)x->first.dataid << 32 | x->caught.dataid, x->swallowed };
    uint64_t hash = map_hash(parts, sizeof parts);
    struct flight_sum_of *known;
    for (; (known = map_put(&s->by_hash, hash)) != NULL && known->at != 0; hash = map_next_hash(hash))
        if (alike(&s->list.items[known->at - 1], x)) {
            join(&s->list.items[known->at - 1], x);
            return true;
        }
    struct flight_sum *new = known != NULL ? vec_push(&s->list) : NULL;
    if (new == NULL)
        return false;
    *new = *x;
    known->at = s->list.count;
    return true;
}

bool flight_sums_add_settled(struct flight_sums *s, hs_trace *t, const struct settled *from,
                             const struct thrown_kind *kinds)
{
    for (size_t i = 0; i < from->flights.count; i++) {
        const struct flight *f = &from->flights.items[i];
        struct flight_sum x = { .first = from->events.items[f->first],
                                .caught = from->events.items[f->last],
                                .times = 1,
                                .swallowed = f->swallowed };
        x.kind = kinds[x.first.kind - 1];
        for (uint32_t at = f->first + 1; at != 0; at = from->events.items[at - 1].next)
            x.left += exception_event_type(t, &from->events.items[at - 1]) == EVENT_METHOD_EXCEPTIONAL_EXIT;
        if (!flight_sums_add(s, &x))
            return false;
    }
    return true;
}

void flight_sums_clear(struct flight_sums *s)
{
    s->list.count = 0;
    map_clear(&s->by_hash);
}

void flight_sums_done(struct flight_sums *s)
{
    vec_free(&s->list);
    map_free(&s->by_hash);
}
