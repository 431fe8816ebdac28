/* contents_entries.c - see contents_entries.h. */
#include "reader/query/contents_entries.h"

enum { MOVES_PER_WORK = 4 };

bool entries_insert(struct contents *c, size_t i, struct hs_value key, struct hs_value value, uint64_t seq)
{
    size_t count = contents_count(c);
    struct hs_value named = entries_are_map(c) ? key : value;
    uint64_t token = entries_are_map(c) || entries_are_set(c) ? contents_token(c, named) : 0;
    if (i == 0 && c->first > 0)
        c->first--;
    else {
        if (vec_push(&c->items) == NULL)
            return false;
        memmove(entries_at(c, i) + 1, entries_at(c, i), (count - i) * sizeof(struct held));
        c->work += (count - i) / MOVES_PER_WORK;
    }
    *entries_at(c, i) = (struct held){ .key = key, .value = value, .token = token, .seq = seq };
    c->nulls += entries_are_map(c) && value.bits == 0;
    return true;
}

void entries_take_out(struct contents *c, size_t i)
{
    c->nulls -= entries_are_map(c) && entries_at(c, i)->value.bits == 0;
    if (i == 0) {
        c->first++;
        return;
    }
    memmove(entries_at(c, i), entries_at(c, i) + 1, (contents_count(c) - i - 1) * sizeof(struct held));
    c->work += (contents_count(c) - i) / MOVES_PER_WORK;
    c->items.count--;
}

void entries_replace(struct contents *c, size_t i, struct hs_value value, uint64_t seq)
{
    struct held *h = entries_at(c, i);
    c->nulls += value.bits == 0;
    c->nulls -= h->value.bits == 0;
    h->value = value;
    h->seq = seq;
    if (c->by_access) {
        struct held moved = *h;
        memmove(h, h + 1, (contents_count(c) - i - 1) * sizeof *h);
        *entries_at(c, contents_count(c) - 1) = moved;
    }
}

enum sameness entries_find(struct contents *c, struct hs_value what, const struct hs_value *value, bool there,
                           bool backward, size_t *index)
{
    size_t n = contents_count(c), unsure = 0;
    uint64_t token = contents_token(c, what);
    for (size_t k = 0; k < n; k++) {
        size_t i = backward ? n - 1 - k : k;
        const struct held *h = entries_at(c, i);
        uint64_t other = h->token != 0                              ? h->token
                         : entries_are_map(c) || entries_are_set(c) ? 0
                                                                    : contents_token(c, h->value);
        if (value != NULL && h->value.bits != value->bits)
            continue;
        struct hs_value mine = entries_are_map(c) ? h->key : h->value;
        if (mine.bits != what.bits && token != 0 && other != 0 && token != other) {
            c->work++;
            continue;
        }
        enum sameness same = contents_equal(c, what, mine);
        if (same == SAME && (unsure == 0 || entries_are_map(c) || entries_are_set(c))) {
            *index = i;
            return SAME;
        }
        if (same == DIFFERENT)
            continue;
        if (unsure++ == 0)
            *index = i;
    }
    if (unsure == 0)
        return DIFFERENT;
    return there && unsure == 1 ? SAME : UNSURE;
}
