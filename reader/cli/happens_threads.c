/* happens_threads.c - which thread a Thread object became; see happens.h. */
#include <stdlib.h>

#include "reader/cli/happens.h"

uint64_t happens_object_of(const struct happens *h, uint32_t thread)
{
    const struct happens_thread *o = map_get(&h->objects, (uint64_t)thread + 1);
    return o != NULL ? o->slot : 0;
}

void happens_is_object(struct happens *h, uint32_t thread, struct happens_start *start)
{
    struct happens_thread *o = map_put(&h->objects, (uint64_t)thread + 1);
    h->failed |= o == NULL;
    if (o == NULL || start->object > UINT32_MAX)
        return;
    o->slot = (uint32_t)start->object;
    start->thread = thread + 1;
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

/* The started objects that are not known to be a thread, with their first events. */
static bool find_objects(struct happens *h, made_list *out)
{
    const struct hs_life *life;
    hs_cursor *lives;
    bool room = true;
    if (h->starts.count == 0)
        return true;
    if (hs_lives_open(h->trace, &lives, NULL) != 0)
        return true; /* none can be matched */
    while (room && hs_life_next(lives, &life, NULL) > 0) {
        const struct happens_start *s = life->id != 0 ? map_get(&h->starts, life->id) : NULL;
        if (s != NULL && s->thread == 0)
            room = add_made(out, (struct made){ .order = life->first, .object = s->object, .seq = s->seq });
    }
    hs_cursor_close(lives);
    return room;
}

bool happens_match_threads(struct happens *h)
{
    made_list objects = { 0 }, threads = { 0 };
    bool room = find_objects(h, &objects);
    for (size_t i = 0; room && i < h->states.count; i++) {
        const struct happens_state *s = &h->states.items[i];
        const struct hs_thread *row = hs_thread_get(h->trace, s->number);
        if (row == NULL || !row->known || s->number == 0 || happens_object_of(h, s->number) != 0)
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
    for (size_t i = 0; fits && i < objects.count; i++)
        happens_is_object(h, threads.items[i].thread, map_get(&h->starts, objects.items[i].object));
    vec_free(&objects);
    vec_free(&threads);
    return room;
}
