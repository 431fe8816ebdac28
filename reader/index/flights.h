/* flights.h - the events of exceptions, by flight: an exception is thrown, leaves frames, and is caught or not.
 *
 *     METHOD_THROW  METHOD_EXCEPTIONAL_EXIT*  CATCH        one flight
 *     ... CATCH  METHOD_THROW ...                          goes on: it is thrown again in the frame that caught it
 *     ... CATCH  METHOD_EXCEPTIONAL_EXIT or CATCH          another one: the JVM or code that is not woven threw it
 *
 * One object can fly many times, and in several threads at once: an exception that a static field keeps, and those that
 * HotSpot throws instead of new ones where it has thrown many. An event goes on with the flight before in its thread if
 * its frame was open then. */
#ifndef READER_INDEX_FLIGHTS_H
#define READER_INDEX_FLIGHTS_H

#include <stdlib.h>

#include "formats/map.h"
#include "reader/index/index.h"

struct flight {
    uint32_t id;
    uint32_t first, last; /* positions in the events */
    uint32_t next;        /* position + 1 of the next flight of this object and thread, 0: none */
    bool unsure;          /* it may have uses that the index does not have */
    bool alone;           /* the only flight of its object */
    bool swallowed;       /* its last event is a CATCH, and no later use is known yet */
};
typedef VEC(struct flight) flight_vec;

/* The flights of all events, by their first one. Sorts the events as the stream is ordered, and links those of a flight
 * by `next`. */
enum status flights_find(hs_trace *t, exception_event_vec *events, flight_vec *out, struct error *err);
/* As the stream is ordered: order.h. */
int exception_event_order(const void *a, const void *b);

/* ---- settled.c: flights of which one segment has all ---- */

/* The flights of a segment that nothing in another one can belong to, as far as it knows itself: of objects that fly
 * once, from a METHOD_THROW to a CATCH, with a known kind. The events of other objects are in `rest`. */
struct settled {
    exception_event_vec events;
    flight_vec flights;
    struct exception_lists rest;
};
/* `all`: what the segment has. `aside`: objects that go to `rest`, rising. `last`: also the last one of each thread, as
 * the segment behind may go on with it. settled_done in any case. */
enum status flights_settle(hs_trace *t, const struct exception_lists *all, const u32_vec *aside, bool last,
                           struct settled *out, struct error *err);
void settled_done(struct settled *s);
static inline bool objects_have(const u32_vec *rising, uint32_t id)
{
    return rising->count > 0 && bsearch(&id, rising->items, rising->count, sizeof id, u32_order) != NULL;
}
/* Rising, each once. */
static inline void objects_sort(u32_vec *v)
{
    size_t kept = 0;
    if (v->count > 1)
        qsort(v->items, v->count, sizeof *v->items, u32_order);
    for (size_t i = 0; i < v->count; i++)
        if (kept == 0 || v->items[kept - 1] != v->items[i])
            v->items[kept++] = v->items[i];
    v->count = kept;
}

/* ---- flight_sums.c: settled flights that are alike ---- */

/* Of one kind, thrown by one data ID, caught by one, and swallowed or not. */
struct flight_sum {
    struct exception_event first, caught; /* of the earliest of them: what threw it and its last CATCH */
    struct thrown_kind kind;
    uint64_t times, left; /* left: the least number of exits */
    bool swallowed;
    bool threads, exits; /* they are of several threads; they have different numbers of exits */
};
struct flight_sums {
    VEC(struct flight_sum) list;
    MAP(struct flight_sum_of {
        uint64_t hash;
        size_t at; /* position + 1 */
    })
    by_hash;
};
/* False: out of memory. */
bool flight_sums_add(struct flight_sums *s, const struct flight_sum *x);
bool flight_sums_add_settled(struct flight_sums *s, hs_trace *t, const struct settled *from,
                             const struct thrown_kind *kinds);
void flight_sums_clear(struct flight_sums *s);
void flight_sums_done(struct flight_sums *s);

/* ---- section_flights.c ---- */

/* A segment that has settled flights, and the stamps of the first events of the first and the last of these. */
struct flight_part {
    uint64_t segment, least, greatest;
};
struct flight_parts {
    u32_vec again; /* objects that several segments have, rising */
    VEC(struct flight_part) list;
};
void flight_parts_done(struct flight_parts *p);
/* The sums of the whole trace (or NULL), and in `rest` what exceptions have that belongs to several segments or is not
 * settled. ERR_NOT_FOUND (`err` is not set) if the index does not have them for every chunk. */
enum status index_flights(hs_trace *t, struct flight_parts *parts, struct flight_sums *sums,
                          struct exception_lists *rest, struct error *err);
/* The settled flights of a segment, without those in `rest`, and with `all` what it has, whose `kinds` are theirs. */
enum status index_settled(hs_trace *t, const struct flight_parts *parts, uint64_t segment, struct exception_lists *all,
                          struct settled *out, struct error *err);

#endif
