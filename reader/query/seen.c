/* seen.c - see seen.h. Hashes are taken to be well mixed. */
#include "reader/query/seen.h"

struct seen_entry {
    uint64_t hash, value;
};

static size_t slot_of(const struct seen *s, uint64_t hash)
{
    size_t at = (size_t)(hash >> 7) & (s->cap - 1);
    while (s->slots[at] != 0 && s->list.items[s->slots[at] - 1].hash != hash)
        at = (at + 1) & (s->cap - 1);
    return at;
}

uint64_t seen_first(struct seen *s, uint64_t hash, uint64_t value)
{
    if (2 * (s->list.count + 1) > s->cap) {
        size_t cap = s->cap == 0 ? 1024 : 2 * s->cap;
        size_t *slots = calloc(cap, sizeof *slots);
        if (slots == NULL)
            return SEEN_NOTHING;
        free(s->slots);
        s->slots = slots;
        s->cap = cap;
        for (size_t i = 0; i < s->list.count; i++)
            s->slots[slot_of(s, s->list.items[i].hash)] = i + 1;
    }
    size_t at = slot_of(s, hash);
    if (s->slots[at] != 0)
        return s->list.items[s->slots[at] - 1].value;
    struct seen_entry *e = vec_push(&s->list);
    if (e == NULL)
        return SEEN_NOTHING;
    *e = (struct seen_entry){ hash, value };
    s->slots[at] = s->list.count;
    return value;
}

void seen_done(struct seen *s)
{
    vec_free(&s->list);
    free(s->slots);
    *s = (struct seen){ 0 };
}
