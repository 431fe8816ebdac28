/* settled.c - the flights of which one segment has all: flights.h. What it finds of an object depends on that object's
 * events alone, so that the same is found again with more objects set aside. */
#include "reader/index/flights.h"

struct settling {
    hs_trace *trace;
    const struct exception_lists *all;
    struct settled *out;
    u32_vec aside; /* rising, but for those that were added */
    bool last;
};
struct last_of {
    uint64_t key; /* thread + 1 */
    uint64_t position;
    size_t flight;
};
struct flight_number {
    uint64_t id;
    size_t at;
};

static bool put_aside(struct settling *s, uint32_t id)
{
    uint32_t *to = vec_push(&s->aside);
    if (to != NULL)
        *to = id;
    return to != NULL;
}

static bool put_all_aside(struct settling *s, const u32_vec *objects)
{
    for (size_t i = 0; i < objects->count; i++)
        if (!put_aside(s, objects->items[i]))
            return false;
    return true;
}

/* Objects that are set aside whatever their flights are. */
static bool find_aside(struct settling *s, const u32_vec *given)
{
    if (!put_all_aside(s, given) || !put_all_aside(s, &s->all->unsure))
        return false;
    for (size_t i = 0; i < s->all->events.count; i++)
        if (s->all->events.items[i].kind == 0 && !put_aside(s, s->all->events.items[i].object))
            return false;
    objects_sort(&s->aside);
    return true;
}

static const struct exception_event *event_of(const struct settling *s, uint32_t at)
{
    return &s->out->events.items[at];
}

/* Sets the last flight of each thread aside. */
static bool put_last_aside(struct settling *s)
{
    MAP(struct last_of) threads = { 0 };
    bool room = true;
    for (size_t i = 0; room && i < s->out->flights.count; i++) {
        const struct exception_event *e = event_of(s, s->out->flights.items[i].last);
        struct last_of *last = map_put(&threads, (uint64_t)e->thread + 1);
        room = last != NULL;
        if (room && e->position >= last->position) {
            last->position = e->position;
            last->flight = i;
        }
    }
    for (size_t i = 0; room && i < threads.cap; i++)
        if (threads.slots[i].key != 0)
            room = put_aside(s, s->out->flights.items[threads.slots[i].flight].id);
    map_free(&threads);
    return room;
}

/* Keeps the flights that are settled. */
static bool keep_settled(struct settling *s)
{
    flight_vec *flights = &s->out->flights;
    size_t kept = 0;
    if (s->last && !put_last_aside(s))
        return false;
    for (size_t i = 0; i < flights->count; i++) {
        const struct flight *x = &flights->items[i];
        const bool whole = x->alone && x->swallowed && /* its last event is a CATCH */
                           exception_event_type(s->trace, event_of(s, x->first)) == EVENT_METHOD_THROW;
        if (!whole && !put_aside(s, x->id))
            return false;
    }
    objects_sort(&s->aside);
    for (size_t i = 0; i < flights->count; i++)
        if (!objects_have(&s->aside, flights->items[i].id))
            flights->items[kept++] = flights->items[i];
    flights->count = kept;
    return true;
}

/* Uses of those that were caught, and others that hold them. */
static bool find_used(struct settling *s)
{
    MAP(struct flight_number) by_id = { 0 };
    flight_vec *flights = &s->out->flights;
    bool room = true;
    for (size_t i = 0; room && i < flights->count; i++) {
        struct flight_number *n = map_put(&by_id, flights->items[i].id);
        room = n != NULL;
        if (room)
            n->at = i;
    }
    for (size_t i = 0; room && i < s->all->uses.count; i++) {
        const struct exception_use *u = &s->all->uses.items[i];
        const struct exception_event at = { .stamp = u->stamp, .position = u->position, .thread = u->thread };
        const struct flight_number *n = map_get(&by_id, u->object);
        if (n != NULL && exception_event_order(&at, event_of(s, flights->items[n->at].last)) > 0)
            flights->items[n->at].swallowed = false;
    }
    for (size_t i = 0; room && i < s->all->held.count; i++) {
        const uint32_t id = s->all->held.items[i];
        const struct flight_number *n = id != 0 ? map_get(&by_id, id) : NULL;
        if (n != NULL)
            flights->items[n->at].swallowed = false;
    }
    map_free(&by_id);
    return room;
}

static bool keep_objects(const struct settling *s, const u32_vec *from, u32_vec *to)
{
    for (size_t i = 0; i < from->count; i++) {
        uint32_t *new = objects_have(&s->aside, from->items[i]) ? vec_push(to) : NULL;
        if (new != NULL)
            *new = from->items[i];
        else if (objects_have(&s->aside, from->items[i]))
            return false;
    }
    return true;
}

/* What the segment has of the objects that were set aside; their kinds with new numbers. */
static bool find_rest(struct settling *s)
{
    struct exception_lists *to = &s->out->rest;
    const struct exception_lists *all = s->all;
    u32_vec numbers = { 0 };
    bool room = vec_extend(&numbers, all->kinds.count + 1);
    for (size_t i = 0; room && i < all->events.count; i++) {
        const struct exception_event *e = &all->events.items[i];
        if (!objects_have(&s->aside, e->object))
            continue;
        if (e->kind != 0 && numbers.items[e->kind] == 0) {
            struct thrown_kind *kind = vec_push(&to->kinds);
            room = kind != NULL;
            if (room)
                *kind = all->kinds.items[e->kind - 1];
            numbers.items[e->kind] = (uint32_t)to->kinds.count;
        }
        struct exception_event *new = room ? vec_push(&to->events) : NULL;
        room = new != NULL;
        if (room) {
            *new = *e;
            new->kind = numbers.items[e->kind];
        }
    }
    for (size_t i = 0; room && i < all->uses.count; i++)
        if (objects_have(&s->aside, all->uses.items[i].object)) {
            struct exception_use *new = vec_push(&to->uses);
            room = new != NULL;
            if (room)
                *new = all->uses.items[i];
        }
    vec_free(&numbers);
    return room && keep_objects(s, &all->unsure, &to->unsure) && keep_objects(s, &all->held, &to->held);
}

enum status flights_settle(hs_trace *t, const struct exception_lists *all, const u32_vec *aside, bool last,
                           struct settled *out, struct error *err)
{
    struct settling s = { .trace = t, .all = all, .out = out, .last = last };
    bool room = find_aside(&s, aside);
    for (size_t i = 0; room && i < all->events.count; i++) {
        const struct exception_event *e = &all->events.items[i];
        if (objects_have(&s.aside, e->object))
            continue;
        struct exception_event *new = vec_push(&out->events);
        room = new != NULL;
        if (room)
            *new = *e;
    }
    enum status st = room ? flights_find(t, &out->events, &out->flights, err) : OK;
    room = room && (st != OK || (keep_settled(&s) && find_used(&s) && find_rest(&s)));
    vec_free(&s.aside);
    return room ? st : error_memory(err, "%s", t->dir);
}

void settled_done(struct settled *s)
{
    vec_free(&s->events);
    vec_free(&s->flights);
    exception_lists_done(&s->rest);
}
