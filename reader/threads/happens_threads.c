/* happens_threads.c - which thread a Thread object became; see happens.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/threads/happens.h"

uint64_t happens_object_of(const struct happens *h, uint32_t thread)
{
    const struct happens_thread *o = map_get(&h->objects, (uint64_t)thread + 1);
    return o != NULL ? o->slot : 0;
}

/* Has the program itself called what the thread runs now? */
static bool is_plain(const struct happens_state *s)
{
    for (size_t i = 0; i < s->calls.count; i++)
        if ((s->calls.items[i].library & (BY_POOL | BY_FUTURE)) != 0)
            return false;
    return s->plain;
}

struct happens_start *happens_starts(struct happens *h, const struct happens_state *from, uint64_t object, uint64_t seq)
{
    struct happens_start *s = map_put(&h->starts, object);
    h->failed |= s == NULL;
    if (s == NULL)
        return NULL;
    if (s->seq == 0)
        s->seq = seq;
    if (s->seq == seq)
        s->plain = is_plain(from); /* of the last pass, which knows more of the threads */
    return s;
}

void happens_ended(struct happens *h, uint64_t object, uint64_t seq)
{
    struct happens_start *s = object != 0 ? map_get(&h->starts, object) : NULL;
    if (s != NULL && s->seq < seq && s->ended == 0)
        s->ended = seq;
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

/* A started object, or a thread. */
struct made {
    uint64_t order; /* of an object when it was made, of a thread its id: that is given then */
    uint64_t until; /* of an object: it was made from `order` to this seq */
    uint64_t from;  /* seq of the start of an object, of the first event of a thread */
    uint64_t to;    /* seq at which an object is known to have ended; of the latest event of a thread */
    uint64_t object;
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
            room = add_made(out, (struct made){ .order = s->made != 0 ? s->seq : life->first,
                                                .until = s->made != 0 ? s->made : life->first,
                                                .from = s->seq,
                                                .to = s->ended != 0 ? s->ended : HS_NO_SEQ,
                                                .object = s->object });
    }
    hs_cursor_close(lives);
    return room;
}

/* Has a pool of the JDK made this thread, by its name? The pool starts it itself, so no Thread.start is recorded. */
static bool of_pool(const char *name)
{
    unsigned pool, thread;
    return name != NULL && (strncmp(name, "ForkJoinPool", strlen("ForkJoinPool")) == 0 ||
                            sscanf(name, "pool-%u-thread-%u", &pool, &thread) == 2);
}

/* A thread runs behind its start, and has no event behind its end. */
static bool can_be(const struct made *object, const struct made *thread)
{
    return object->from < thread->from && thread->to < object->to;
}

/* Of each object the first thread in the order of making that can be it, behind that of the object before; `backwards`
 * the last one, before that of the object behind. False: there is none. */
static bool fit_threads(const made_list *objects, const made_list *threads, bool backwards, uint64_t *out)
{
    size_t next = 0;
    for (size_t i = 0; i < objects->count; i++) {
        const size_t o = backwards ? objects->count - 1 - i : i;
        for (;; next++) {
            if (next == threads->count)
                return false;
            out[o] = backwards ? threads->count - 1 - next : next;
            if (can_be(&objects->items[o], &threads->items[out[o]]))
                break;
        }
        next++;
    }
    return true;
}

/* Is it known in which order the objects were made? Not if two threads made and started some at the same time. */
static bool in_order(const made_list *objects)
{
    uint64_t until = 0;
    for (size_t i = 0; i < objects->count; i++) {
        if (objects->items[i].order < until)
            return false;
        until = objects->items[i].until > until ? objects->items[i].until : until;
    }
    return true;
}

/* The objects are threads of the list, in the same order, if there is only one way for that. */
static bool match(struct happens *h, const made_list *objects, const made_list *threads)
{
    const size_t n = objects->count;
    u64_vec first = { 0 }, last = { 0 };
    bool room = vec_extend(&first, n) && vec_extend(&last, n);
    if (room && fit_threads(objects, threads, false, first.items) && fit_threads(objects, threads, true, last.items) &&
        (n == 0 || memcmp(first.items, last.items, n * sizeof *first.items) == 0))
        for (size_t i = 0; i < n; i++)
            happens_is_object(h, threads->items[first.items[i]].thread, map_get(&h->starts, objects->items[i].object));
    vec_free(&first);
    vec_free(&last);
    return room;
}

bool happens_match_threads(struct happens *h)
{
    made_list objects = { 0 }, threads = { 0 };
    bool room = find_objects(h, &objects);
    for (size_t i = 0; room && i < h->states.count; i++) {
        const struct happens_state *s = &h->states.items[i];
        const struct hs_thread *row = hs_thread_get(h->trace, s->number);
        if (row == NULL || !row->known || s->number == 0 || happens_object_of(h, s->number) != 0 || of_pool(row->name))
            continue;
        room = add_made(&threads,
                        (struct made){ .order = row->tid, .from = s->first, .to = s->last, .thread = s->number });
    }
    if (objects.count > 1)
        qsort(objects.items, objects.count, sizeof *objects.items, by_key);
    if (threads.count > 1)
        qsort(threads.items, threads.count, sizeof *threads.items, by_key);
    room = room && (!in_order(&objects) || match(h, &objects, &threads));
    vec_free(&objects);
    vec_free(&threads);
    return room;
}
