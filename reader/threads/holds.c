/* holds.c - hs_holds_open: each time that a thread held a monitor, when it has left it.
 *
 *     MONITOR_ENTER o   MONITOR_ENTER_RESULT o  ...  MONITOR_EXIT o
 *     METHOD_ENTRY of a synchronized method     ...  METHOD_NORMAL_EXIT or METHOD_EXCEPTIONAL_EXIT
 *
 * The holds of a thread are a stack. A thread that entered more than HOLDS_MAX monitors and left none is of a damaged
 * trace: further ones are not kept. Across a part that was not recorded nothing is known: what was held is ended, and
 * so is what a method has entered at its EVENTS_LEFT_OUT. */
#include <stdlib.h>
#include <string.h>

#include "formats/event.h"
#include "reader/code/code.h"
#include "reader/cursor/cursor.h"

enum { HOLDS_MAX = 1 << 16 };
struct open_hold {
    struct hs_hold row;
    uint64_t asked_ns, entered_ns; /* HS_NO_TIME: not known */
    bool method;                   /* the monitor of a synchronized method */
};
struct thread_holds {
    uint64_t thread; /* its number plus 1 */
    VEC(struct open_hold) held;
    struct hs_event asked; /* the MONITOR_ENTER that has no result yet; kind 0: none */
};
/* What a data ID is, kept from its first event on. */
struct hold_site {
    bool known, synchronized;
    uint16_t event; /* 0: the trace does not have it */
    uint32_t method_id;
    const char *class_name; /* NULL: not known */
};
/* Methods, by id + 1. */
struct method_key {
    uint64_t key;
};
typedef MAP(struct method_key) method_set;
struct holds {
    hs_cursor base;
    hs_trace *trace;
    hs_cursor *events, *intervals;
    struct hold_site *sites; /* by data ID, and one for all that the trace does not have */
    uint32_t site_count;
    MAP(struct thread_holds) threads;
    size_t flushed;     /* slots of `threads` that are ended */
    uint64_t next_part; /* seq of the first event behind a gap */
    bool flushing;      /* what is held is ended: behind a gap, or at the end */
    bool ended;
    struct hs_event held_back; /* behind the gap; kind 0: none */
    struct hs_event left_out;  /* EVENTS_LEFT_OUT whose method may still have holds; kind 0: none */
    struct hs_hold row;        /* the one that was given last */
};

static const struct hold_site *site_of(struct holds *h, uint32_t dataid)
{
    struct hold_site *s = &h->sites[dataid < h->site_count ? dataid : h->site_count];
    if (s->known)
        return s;
    const struct hs_dataid *d = hs_dataid_get(h->trace, dataid);
    const struct hs_class *c = d != NULL ? hs_class_get(h->trace, d->class_no) : NULL;
    s->known = true;
    if (d == NULL)
        return s;
    s->event = (uint16_t)d->event;
    s->method_id = d->method_id;
    s->class_name = c != NULL ? c->name : NULL;
    s->synchronized = attribute_number(d, "synchronized", 0) != 0;
    return s;
}

static uint64_t clock_of(struct holds *h, const struct hs_event *e)
{
    return e->time_ns != HS_NO_TIME ? e->time_ns : hs_clock_ns(h->trace, e->stamp);
}

static uint64_t elapsed(uint64_t from, uint64_t to)
{
    return from != HS_NO_TIME && to != HS_NO_TIME && from <= to ? to - from : HS_NO_TIME;
}

/* Takes a hold out of its thread and makes it the row. `left` NULL: it is not known when. */
static void end_hold(struct holds *h, struct thread_holds *t, size_t at, const struct hs_event *left)
{
    const struct open_hold o = t->held.items[at];
    memmove(&t->held.items[at], &t->held.items[at + 1], (t->held.count - at - 1) * sizeof o);
    t->held.count--;
    h->row = o.row;
    h->row.left = left != NULL ? left->seq : HS_NO_SEQ;
    h->row.wait_ns = elapsed(o.asked_ns, o.entered_ns);
    h->row.hold_ns = elapsed(o.entered_ns, left != NULL ? clock_of(h, left) : HS_NO_TIME);
}

/* Is it the monitor of this hold? If objects are not known, by the class of the static method. */
static bool same_monitor(struct holds *h, const struct hs_hold *a, const struct hs_hold *b)
{
    if (a->object != 0 || b->object != 0)
        return a->object == b->object;
    const char *here = site_of(h, a->dataid)->class_name, *there = site_of(h, b->dataid)->class_name;
    return here == there || (here != NULL && there != NULL && strcmp(here, there) == 0);
}

/* False: out of memory. */
static bool enter(struct holds *h, struct thread_holds *t, const struct hs_event *e, const struct hold_site *site,
                  bool method)
{
    const uint64_t value = e->kind == HS_KIND_REF ? e->value : 0;
    struct open_hold o = { .row = { .object = method ? hs_method_monitor(h->trace, site->method_id, value) : value,
                                    .thread = e->thread,
                                    .dataid = e->dataid,
                                    .asked = HS_NO_SEQ,
                                    .entered = e->seq },
                           .asked_ns = HS_NO_TIME,
                           .entered_ns = clock_of(h, e),
                           .method = method };
    if (!method && t->asked.kind != 0) {
        o.row.asked = t->asked.seq;
        o.asked_ns = clock_of(h, &t->asked);
    }
    t->asked.kind = 0;
    if (t->held.count >= HOLDS_MAX)
        return true;
    for (size_t i = 0; i < t->held.count && !o.row.again; i++)
        o.row.again = same_monitor(h, &t->held.items[i].row, &o.row);
    struct open_hold *to = vec_push(&t->held);
    if (to != NULL)
        *to = o;
    return to != NULL;
}

/* Ends the innermost hold that this event can end: 1; 0 there is none. */
static int leave(struct holds *h, struct thread_holds *t, const struct hs_event *e, const struct hold_site *site,
                 bool method)
{
    for (size_t i = t->held.count; i-- > 0;) {
        const struct open_hold *o = &t->held.items[i];
        if (o->method != method ||
            (method ? site_of(h, o->row.dataid)->method_id != site->method_id : o->row.object != e->value))
            continue;
        end_hold(h, t, i, e);
        return 1;
    }
    return 0;
}

static int no_memory(struct hs_error *error)
{
    return give(error, &(struct error){ .status = ERR_MEMORY, .text = "out of memory" });
}

/* 1: h->row is the hold that it ended; 0; -1. */
static int hold_event(struct holds *h, const struct hs_event *e, struct hs_error *error)
{
    const struct hold_site *site = site_of(h, e->dataid);
    const unsigned type = site->event;
    const bool entry = type == EVENT_METHOD_ENTRY;
    if (type == 0 || (entry && !site->synchronized))
        return 0;
    struct thread_holds *t = map_get(&h->threads, (uint64_t)e->thread + 1);
    if (type == EVENT_EVENTS_LEFT_OUT)
        h->left_out = *e;
    const bool begins = entry || type == EVENT_MONITOR_ENTER || type == EVENT_MONITOR_ENTER_RESULT;
    if (t == NULL && !begins)
        return 0;
    if (t == NULL && (t = map_put(&h->threads, (uint64_t)e->thread + 1)) == NULL)
        return no_memory(error);
    if (type == EVENT_MONITOR_ENTER)
        t->asked = *e;
    else if (type == EVENT_EVENTS_LEFT_OUT)
        t->asked.kind = 0;
    else if (!begins)
        return leave(h, t, e, site, type != EVENT_MONITOR_EXIT);
    else if (!enter(h, t, e, site, entry))
        return no_memory(error);
    return 0;
}

/* Ends one hold of the method that h->left_out is of; false: it has none. */
static bool forget_one(struct holds *h)
{
    struct thread_holds *t = map_get(&h->threads, (uint64_t)h->left_out.thread + 1);
    const struct hold_site *site = site_of(h, h->left_out.dataid);
    for (size_t i = t != NULL && site->event != 0 ? t->held.count : 0; i-- > 0;) {
        const struct open_hold *o = &t->held.items[i];
        if (o->method || site_of(h, o->row.dataid)->method_id != site->method_id)
            continue;
        end_hold(h, t, i, NULL);
        return true;
    }
    return false;
}

/* Ends one of all that are held; false: there is none. */
static bool flush_one(struct holds *h)
{
    for (; h->flushed < h->threads.cap; h->flushed++) {
        struct thread_holds *t = &h->threads.slots[h->flushed];
        t->asked.kind = 0;
        if (t->thread != 0 && t->held.count > 0) {
            end_hold(h, t, t->held.count - 1, NULL);
            return true;
        }
    }
    h->flushed = 0;
    return false;
}

static int next_part(struct holds *h, struct hs_error *error)
{
    const struct hs_interval *i;
    int more;
    do
        more = hs_interval_next(h->intervals, &i, error);
    while (more > 0 && i->first == 0);
    h->next_part = more > 0 ? i->first : UINT64_MAX;
    return more;
}

/* Goes on with one event: 1: h->row is the hold that it ended; 0; -1. */
static int step(struct holds *h, struct hs_error *error)
{
    const struct hs_event *e;
    int more = hs_event_next(h->events, &e, error);
    if (more <= 0) {
        h->ended = h->flushing = more == 0;
        return more;
    }
    if (e->seq < h->next_part)
        return hold_event(h, e, error);
    h->flushing = true;
    h->held_back = *e;
    while (more > 0 && e->seq >= h->next_part)
        more = next_part(h, error);
    return more < 0 ? -1 : 0;
}

static int holds_next(hs_cursor *base, const void **row, struct hs_error *error)
{
    struct holds *h = (struct holds *)base;
    int found = 0;
    while (found == 0) {
        if (h->flushing && flush_one(h))
            break;
        h->flushing = false;
        if (h->left_out.kind != 0 && forget_one(h))
            break;
        h->left_out.kind = 0;
        if (h->ended)
            return 0;
        if (h->held_back.kind != 0) {
            const struct hs_event e = h->held_back;
            h->held_back.kind = 0;
            found = hold_event(h, &e, error);
        } else {
            found = step(h, error);
        }
    }
    *row = &h->row;
    return found < 0 ? -1 : 1;
}

static void holds_close(hs_cursor *base)
{
    struct holds *h = (struct holds *)base;
    hs_cursor_close(h->events);
    hs_cursor_close(h->intervals);
    for (size_t i = 0; i < h->threads.cap; i++)
        vec_free(&h->threads.slots[i].held);
    map_free(&h->threads);
    free(h->sites);
    free(h);
}

static const struct cursor_ops hold_ops = { .row = ROW_hold, .next = holds_next, .close = holds_close };

/* Appends those of an event type; `methods`: of METHOD_ENTRY those of synchronized methods, which are noted there, and
 * of exits those of methods that are there. False: out of memory. */
static bool add_ids(struct holds *h, unsigned type, method_set *methods, u32_vec *ids)
{
    const site_vec *sites = sites_of(h->trace, type);
    for (size_t i = 0; i < sites->count; i++) {
        const uint64_t method = (uint64_t)sites->items[i].method_id + 1;
        if (type == EVENT_METHOD_ENTRY && site_of(h, sites->items[i].dataid)->synchronized &&
            map_put(methods, method) == NULL)
            return false;
        if (methods != NULL && map_get(methods, method) == NULL)
            continue;
        uint32_t *to = vec_push(ids);
        if (to == NULL)
            return false;
        *to = sites->items[i].dataid;
    }
    return true;
}

/* The events that matter: most entries and exits are of methods that take no monitor. */
static int open_events(struct holds *h, const struct hs_filter *filter, struct hs_error *error)
{
    static const struct {
        unsigned type;
        bool of_method;
    } wanted[] = { { EVENT_MONITOR_ENTER, false },     { EVENT_MONITOR_ENTER_RESULT, false },
                   { EVENT_MONITOR_EXIT, false },      { EVENT_METHOD_ENTRY, true },
                   { EVENT_METHOD_NORMAL_EXIT, true }, { EVENT_METHOD_EXCEPTIONAL_EXIT, true },
                   { EVENT_EVENTS_LEFT_OUT, false } };
    static const uint32_t none = UINT32_MAX;
    method_set methods = { 0 };
    u32_vec ids = { 0 };
    bool room = true;
    for (size_t i = 0; room && i < sizeof wanted / sizeof *wanted; i++)
        room = add_ids(h, wanted[i].type, wanted[i].of_method ? &methods : NULL, &ids);
    const int failed = !room           ? no_memory(error)
                       : ids.count > 0 ? cursor_open_ids(h->trace, filter, ids.items, ids.count, &h->events, error)
                                       : cursor_open_ids(h->trace, filter, &none, 1, &h->events, error);
    map_free(&methods);
    vec_free(&ids);
    return failed;
}

int hs_holds_open(hs_trace *trace, const uint32_t *threads, size_t thread_count, hs_cursor **out,
                  struct hs_error *error)
{
    struct hs_filter filter = HS_FILTER_ALL;
    struct holds *h = calloc(1, sizeof *h);
    filter.threads = threads;
    filter.thread_count = thread_count;
    if (h != NULL) {
        h->site_count = hs_dataid_count(trace);
        h->sites = calloc((size_t)h->site_count + 1, sizeof *h->sites);
    }
    if (h == NULL || h->sites == NULL) {
        free(h);
        return no_memory(error);
    }
    h->base.ops = &hold_ops;
    h->trace = trace;
    if (hs_intervals_open(trace, &h->intervals, error) != 0 || next_part(h, error) < 0 ||
        open_events(h, &filter, error) != 0) {
        holds_close(&h->base);
        return -1;
    }
    *out = &h->base;
    return 0;
}
