/* lock_order.h - monitors: how often they were held and waited for, and which were entered while others were held.
 *
 *     struct lock_order o;
 *     int failed = lock_order_read(&o, trace, &error);
 *     for (size_t i = 0; failed == 0 && i < o.locks.count; i++) ...
 *     lock_order_free(&o);
 *
 * From the holds (hs_holds_open). An edge goes from a monitor to one that the same thread entered inside of it,
 * with nothing held between them. Edges on a circle of which not all are of one thread are marked: threads that go
 * round it at the same time wait for each other. */
#ifndef READER_THREADS_LOCK_ORDER_H
#define READER_THREADS_LOCK_ORDER_H

#include "formats/arena.h"
#include "formats/map.h"
#include "formats/vec.h"
#include "reader/trace.h"

enum { LOCK_MANY_THREADS = UINT32_MAX };
struct lock_use {
    uint64_t object;        /* 0: of a class whose object no event showed */
    const char *class_name; /* of the static synchronized method; NULL: none */
    uint64_t entered, contended, wait_ns, hold_ns;
    /* of `entered`: where it is not known whether it was waited for, and how long it was held */
    uint64_t waits_unknown, holds_unknown;
    uint64_t still_held, still_waiting; /* when the recording ended: holds, threads that waited */
    uint32_t thread;                    /* number + 1 of the only one, or LOCK_MANY_THREADS */
    uint64_t last_left;                 /* seq of the latest exit that gave it back, by `last_thread`, number + 1 */
    uint32_t last_thread;
    uint32_t group; /* monitors on circles with each other have the same; 0: on none */
};
struct lock_edge {
    uint64_t key;                 /* places of both in `locks` */
    uint32_t from, to;            /* the same */
    uint64_t count, outer, inner; /* outer, inner: seqs at which they were entered, the first time */
    uint32_t thread;              /* as in struct lock_use */
    bool circle;
};
struct lock_key {
    uint64_t key;
    uint32_t place; /* in `locks` */
};
struct lock_order {
    VEC(struct lock_use) locks;
    VEC(struct lock_edge) edges;
    MAP(struct lock_key) by_object, by_class, by_edge;
};

/* lock_order_free in any case. */
int lock_order_read(struct lock_order *o, hs_trace *trace, struct hs_error *error);
void lock_order_free(struct lock_order *o);
/* locks_kept.c: to the index of the trace, if it can be; from there, with names in the arena: false: it has none. */
void locks_keep(hs_trace *t, const struct lock_order *o);
bool locks_kept(hs_trace *t, struct arena *names, struct lock_order *o);
/* The edges of a shortest way from one monitor to another over marked edges; 0: there is none, or it is longer than
 * `max`. */
size_t lock_order_way(const struct lock_order *o, uint32_t from, uint32_t to, const struct lock_edge **way, size_t max);

#endif
