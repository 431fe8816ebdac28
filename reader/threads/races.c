/* races.c - hs_races_open: fields, elements and collections that two threads touched without order.
 *
 * Two accesses race when they are of different threads, one of them writes, and neither happened before the other
 * (happens.h). Of each place the last write and the last read of each thread are kept: what raced with an older one is
 * found by the one behind it, or was ordered by it. Only places of objects that several threads touch are kept, which a
 * first pass finds. */
#include <stdlib.h>

#include "reader/cursor/cursor.h"
#include "reader/threads/happens.h"

enum { MANY_THREADS = UINT32_MAX };
struct owner {
    uint64_t key;    /* object + 1; of static fields the place, which is below 2^32, with bit 63 */
    uint32_t thread; /* number + 1, or MANY_THREADS */
};
struct access_at {
    struct happens_moment at;
    uint64_t seq;
    uint32_t dataid;
};
struct place {
    uint64_t key;
    struct access_at write;      /* clock 0: none */
    VEC(struct access_at) reads; /* since then, the last of each thread */
};
struct race {
    uint64_t key; /* the data IDs of both, the lower one first */
    uint32_t at;  /* in the rows, + 1 */
};
struct races {
    struct list_answer base;
    VEC(struct hs_race) rows;
    bool cut;
};
struct search {
    struct races *out;
    struct happens happens;
    bool shared; /* has any owner MANY_THREADS? */
    MAP(struct owner) owners;
    MAP(struct place) places;
    MAP(struct race) by_key;
};

static uint64_t owner_key(const struct happens *h)
{
    return h->object != 0 ? h->object + 1 : h->place | UINT64_C(1) << 63;
}

static bool remember_owner(struct search *s, const struct hs_event *e)
{
    if (s->happens.place == 0)
        return true;
    struct owner *o = map_put(&s->owners, owner_key(&s->happens));
    if (o == NULL)
        return false;
    if (o->thread == 0)
        o->thread = e->thread + 1;
    else if (o->thread != e->thread + 1) {
        o->thread = MANY_THREADS;
        s->shared = true;
    }
    return true;
}

/* False: out of memory. */
static bool add_race(struct search *s, const struct access_at *a, const struct access_at *b)
{
    struct races *out = s->out;
    const uint32_t low = a->dataid < b->dataid ? a->dataid : b->dataid, high = a->dataid + b->dataid - low;
    const uint64_t key = ((uint64_t)low << 32 | high) + 1;
    const bool full = out->rows.count >= HS_RACES_MAX;
    struct race *r = full ? map_get(&s->by_key, key) : map_put(&s->by_key, key);
    out->cut |= r == NULL && full;
    if (r == NULL)
        return full;
    if (r->at != 0) {
        out->rows.items[r->at - 1].count++;
        return true;
    }
    struct hs_race *row = vec_push(&out->rows);
    if (row == NULL)
        return false;
    *row = (struct hs_race){ .a = a->seq,
                             .b = b->seq,
                             .count = 1,
                             .object = s->happens.object,
                             .index = s->happens.index,
                             .element = s->happens.element,
                             .collection = s->happens.collection };
    r->at = (uint32_t)out->rows.count;
    return true;
}

/* Keeps the last read of each thread. */
static bool add_read(struct place *p, const struct access_at *now)
{
    for (size_t i = 0; i < p->reads.count; i++)
        if (p->reads.items[i].at.thread == now->at.thread) {
            p->reads.items[i] = *now;
            return true;
        }
    struct access_at *r = vec_push(&p->reads);
    if (r != NULL)
        *r = *now;
    return r != NULL;
}

static bool remember_access(struct search *s, const struct hs_event *e)
{
    const struct happens *h = &s->happens;
    const struct owner *o = h->place != 0 ? map_get(&s->owners, owner_key(h)) : NULL;
    if (o == NULL || o->thread != MANY_THREADS)
        return true;
    struct place *p = map_put(&s->places, h->place);
    const struct access_at now = { h->at, e->seq, e->dataid };
    if (p == NULL)
        return false;
    if (p->write.at.clock != 0 && !happens_before(h, p->write.at) && !add_race(s, &p->write, &now))
        return false;
    if (!h->writes)
        return add_read(p, &now);
    for (size_t i = 0; i < p->reads.count; i++)
        if (!happens_before(h, p->reads.items[i].at) && !add_race(s, &p->reads.items[i], &now))
            return false;
    p->reads.count = 0;
    p->write = now;
    return true;
}

static int no_memory(struct hs_error *error)
{
    return give(error, &(struct error){ .status = ERR_MEMORY, .text = "out of memory" });
}

/* One pass over the events. */
static int pass(struct search *s, bool (*each)(struct search *s, const struct hs_event *e), struct hs_error *error)
{
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_event *e;
    hs_cursor *events;
    filter.events = happens_events;
    filter.event_count = happens_event_count;
    bool room = happens_begin(&s->happens);
    int more = room ? hs_events_open(s->happens.trace, &filter, &events, error) : 0;
    if (room && more == 0) {
        while (room && (more = hs_event_next(events, &e, error)) > 0) {
            struct hs_event now = *e;
            room = happens_event(&s->happens, &now) && each(s, &now);
        }
        hs_cursor_close(events);
    }
    if (!room && s->happens.too_many)
        return give(error, &(struct error){ .status = ERR_MEMORY,
                                            .text = "more threads and monitors than can be kept in order (1 GB)" });
    return room ? more : no_memory(error);
}

static void search_done(struct search *s)
{
    happens_done(&s->happens);
    for (size_t i = 0; i < s->places.cap; i++)
        vec_free(&s->places.slots[i].reads);
    map_free(&s->places);
    map_free(&s->owners);
    map_free(&s->by_key);
}

/* Do two threads have events? Else nothing needs to be looked for. */
static bool two_threads(const hs_trace *t)
{
    unsigned count = 0;
    for (size_t i = 0; i < t->threads.count && count < 2; i++)
        count += t->threads.items[i].events > 0;
    return count == 2;
}

static void races_done(struct list_answer *base)
{
    struct races *r = (struct races *)base;
    vec_free(&r->rows);
    arena_done(&base->arena);
    free(r);
}

/* All races of a trace. */
static int find_races(hs_trace *trace, struct races *out, struct hs_error *error)
{
    struct search s = { .out = out };
    int failed = happens_init(&s.happens, trace) ? 0 : no_memory(error);
    if (failed == 0)
        failed = pass(&s, remember_owner, error);
    if (failed == 0 && s.shared)
        failed = pass(&s, remember_access, error);
    search_done(&s);
    return failed;
}

int hs_races_open(hs_trace *trace, hs_cursor **out, struct hs_error *error)
{
    struct races *r = calloc(1, sizeof *r);
    if (r == NULL)
        return no_memory(error);
    r->base.done = races_done;
    if (two_threads(trace) && find_races(trace, r, error) != 0) {
        list_answer_free(&r->base);
        return -1;
    }
    return cursor_over(ROW_race, r->rows.items, sizeof *r->rows.items, r->rows.count, &r->base, out, error);
}

bool hs_races_cut(const hs_cursor *races)
{
    const struct races *r = (const struct races *)cursor_answer(races, ROW_race);
    return r != NULL && r->cut;
}
