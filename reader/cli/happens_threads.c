/* happens_threads.c - which thread a Thread object became; see happens.h. */
#include <stdlib.h>

#include "reader/cli/happens.h"

const struct happens_start *happens_start_of(const struct happens *h, uint32_t thread)
{
    for (size_t i = 0; i < h->starts.cap; i++)
        if (h->starts.slots[i].object != 0 && h->starts.slots[i].thread == thread + 1)
            return &h->starts.slots[i];
    return NULL;
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

struct made {
    uint64_t order; /* of an object its first event, of a thread its id: that is given when the object is made */
    uint64_t object, seq;
    uint32_t thread;
};
typedef VEC(struct made) made_list;

static bool add_made(made_list *list, struct made m)
{
    struct made *to = vec_push(list);
    if (to != NULL)
        *to = m;
    return to != NULL;
}

bool happens_match_threads(struct happens *h)
{
    made_list objects = { 0 }, threads = { 0 };
    bool room = true;
    for (size_t i = 0; room && i < h->starts.cap; i++) {
        const struct happens_start *s = &h->starts.slots[i];
        const struct hs_life *life;
        if (s->object == 0 || s->thread != 0 || hs_life_get(h->trace, (uint32_t)s->object, &life, NULL) <= 0)
            continue;
        room = add_made(&objects, (struct made){ .order = life->first, .object = s->object, .seq = s->seq });
    }
    for (size_t i = 0; room && i < h->states.count; i++) {
        const struct happens_state *s = &h->states.items[i];
        const struct hs_thread *row = hs_thread_get(h->trace, s->number);
        if (row == NULL || !row->known || s->number == 0 || happens_start_of(h, s->number) != NULL)
            continue;
        room = add_made(&threads, (struct made){ .order = row->tid, .thread = s->number, .seq = s->first });
    }
    bool fits = room && objects.count == threads.count && objects.count > 0;
    if (fits) {
        qsort(objects.items, objects.count, sizeof *objects.items, by_key);
        qsort(threads.items, threads.count, sizeof *threads.items, by_key);
    }
    for (size_t i = 0; fits && i < objects.count; i++)
        fits = objects.items[i].seq < threads.items[i].seq;
    for (size_t i = 0; fits && i < objects.count; i++) {
        struct happens_start *s = map_get(&h->starts, objects.items[i].object);
        s->thread = threads.items[i].thread + 1;
    }
    vec_free(&objects);
    vec_free(&threads);
    return room;
}
