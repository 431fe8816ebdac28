/* first_occurrence.c - see first_occurrence.h. The hashes must be well mixed. */
#include "reader/query/first_occurrence.h"

struct first_occurrence {
    uint64_t hash, value;
};

static size_t slot_of(const struct first_occurrences *s, uint64_t hash)
{
    size_t at = (size_t)(hash >> 7) & (s->cap - 1);
    while (s->slots[at] != 0 && s->list.items[s->slots[at] - 1].hash != hash)
        at = (at + 1) & (s->cap - 1);
    return at;
}

uint64_t first_occurrence_of(struct first_occurrences *s, uint64_t hash, uint64_t value)
{
    if (2 * (s->list.count + 1) > s->cap) {
        size_t cap = s->cap == 0 ? 1024 : 2 * s->cap;
        size_t *slots = calloc(cap, sizeof *slots);
        if (slots == NULL)
            return NO_OCCURRENCE;
        free(s->slots);
        s->slots = slots;
        s->cap = cap;
        for (size_t i = 0; i < s->list.count; i++)
            s->slots[slot_of(s, s->list.items[i].hash)] = i + 1;
    }
    size_t at = slot_of(s, hash);
    if (s->slots[at] != 0)
        return s->list.items[s->slots[at] - 1].value;
    struct first_occurrence *e = vec_push(&s->list);
    if (e == NULL)
        return NO_OCCURRENCE;
    *e = (struct first_occurrence){ hash, value };
    s->slots[at] = s->list.count;
    return value;
}

void first_occurrences_done(struct first_occurrences *s)
{
    vec_free(&s->list);
    free(s->slots);
    *s = (struct first_occurrences){ 0 };
}
