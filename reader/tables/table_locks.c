/* table_locks.c - the table locks: one row for each time that a thread held a monitor, when it has left it.
 *
 *     MONITOR_ENTER o   MONITOR_ENTER_RESULT o  ...  MONITOR_EXIT o
 *     METHOD_ENTRY of a synchronized method     ...  METHOD_NORMAL_EXIT or METHOD_EXCEPTIONAL_EXIT
 *
 * The holds of a thread are a stack. A thread that entered more than HOLDS_MAX monitors and left none is of a damaged
 * trace: further ones are not kept. A filter chooses rows, and never what a row says: all holds of its threads are
 * followed. Across a part that was not recorded nothing is known: what was held is ended, and so is what a method has
 * entered at its EVENTS_LEFT_OUT. */
#include "reader/command/target.h"
#include "reader/tables/tables.h"

#include <string.h>

enum { HOLDS_MAX = 1 << 16 };
struct hold {
    uint64_t object, asked, entered, asked_ns, entered_ns; /* HS_NO_SEQ, HS_NO_TIME: not known */
    uint32_t dataid;
    bool method; /* the monitor of a synchronized method */
    bool again;  /* the thread held it already */
    bool wanted; /* the filter chooses its row */
};
struct thread_holds {
    uint64_t thread; /* its number plus 1 */
    VEC(struct hold) held;
    struct hs_event asked; /* the MONITOR_ENTER that has no result yet; kind 0: none */
};
struct locks_state {
    struct row_events events;
    struct picked picked;
    struct sites sites;
    MAP(struct thread_holds) threads;
    uint8_t *synchronized; /* by data ID: 0 not known, 1 no, 2 yes */
    hs_cursor *intervals;
    uint64_t next_part; /* seq of the first event behind a gap */
    bool flushing;      /* what is held is ended: behind a gap, or at the end */
    bool ended;
    struct hs_event held_back; /* behind the gap; kind 0: none */
    struct hs_event left_out;  /* EVENTS_LEFT_OUT whose method may still have holds; kind 0: none */
};

static const unsigned lock_events[] = { HS_EVENT_MONITOR_ENTER,      HS_EVENT_MONITOR_ENTER_RESULT,
                                        HS_EVENT_MONITOR_EXIT,       HS_EVENT_METHOD_ENTRY,
                                        HS_EVENT_METHOD_NORMAL_EXIT, HS_EVENT_METHOD_EXCEPTIONAL_EXIT,
                                        HS_EVENT_EVENTS_LEFT_OUT };
static const unsigned entered_events[] = { HS_EVENT_MONITOR_ENTER_RESULT, HS_EVENT_METHOD_ENTRY };

static bool next_part(struct rows *r, struct locks_state *s)
{
    const struct hs_interval *i;
    int more = 0;
    do
        more = hs_interval_next(s->intervals, &i, &r->error);
    while (more > 0 && i->first == 0);
    r->failed |= more < 0;
    s->next_part = more > 0 ? i->first : UINT64_MAX;
    return more >= 0;
}

static bool locks_open(struct rows *r)
{
    struct locks_state *s = r->state;
    enum { ALL = sizeof lock_events / sizeof *lock_events, ENTERED = sizeof entered_events / sizeof *entered_events };
    s->synchronized = calloc((size_t)hs_dataid_count(r->from.trace) + 1, 1);
    if (s->synchronized == NULL)
        return rows_fail(r, "out of memory");
    if (hs_intervals_open(r->from.trace, &s->intervals, &r->error) != 0)
        return rows_fail(r, "out of memory");
    return next_part(r, s) && sites_init(r, &s->sites) && picked_open(r, &s->picked, entered_events, ENTERED) &&
           row_events_open(r, &s->events, ROW_EVENTS_ALL, lock_events, ALL);
}

static bool is_synchronized(struct rows *r, struct locks_state *s, uint32_t dataid)
{
    if (s->synchronized[dataid] == 0) {
        const struct hs_dataid *d = hs_dataid_get(r->from.trace, dataid);
        s->synchronized[dataid] = 1;
        for (uint32_t i = 0; d != NULL && i < d->attr_count; i++)
            if (strcmp(d->attrs[i]->name, "synchronized") == 0 && d->attrs[i]->number != 0)
                s->synchronized[dataid] = 2;
    }
    return s->synchronized[dataid] == 2;
}

static uint64_t clock_of(struct rows *r, const struct hs_event *e)
{
    return e->time_ns != HS_NO_TIME ? e->time_ns : hs_clock_ns(r->from.trace, e->stamp);
}

static void put_elapsed(struct rows *r, unsigned column, uint64_t from, uint64_t to)
{
    if (from != HS_NO_TIME && to != HS_NO_TIME && from <= to)
        put_int(r, column, (int64_t)(to - from));
}

/* `left` NULL: it is not known when. */
static void add_row(struct rows *r, struct locks_state *s, uint64_t thread, const struct hold *h,
                    const struct hs_event *left)
{
    const struct site *site = site_get(r, &s->sites, h->dataid);
    if (!h->wanted)
        return;
    put_reference(r, COLUMN_locks_lock_id, h->object);
    put_int(r, COLUMN_locks_thread, (int64_t)thread);
    if (site != NULL && site->placed) {
        put_number(r, COLUMN_locks_class, site->class_name);
        put_number(r, COLUMN_locks_method, site->method);
        put_number(r, COLUMN_locks_desc, site->desc);
    }
    if (site != NULL)
        put_line(r, COLUMN_locks_file, site);
    put_seq(r, COLUMN_locks_asked, h->asked);
    put_seq(r, COLUMN_locks_entered, h->entered);
    put_seq(r, COLUMN_locks_left, left != NULL ? left->seq : HS_NO_SEQ);
    put_elapsed(r, COLUMN_locks_wait_ns, h->asked_ns, h->entered_ns);
    put_elapsed(r, COLUMN_locks_hold_ns, h->entered_ns, left != NULL ? clock_of(r, left) : HS_NO_TIME);
    put_bool(r, COLUMN_locks_again, h->again);
    rows_end(r);
}

/* Is it the monitor of this hold? If objects are not known, by the class of the static method. */
static bool same_monitor(struct rows *r, struct locks_state *s, const struct hold *a, const struct hold *b)
{
    if (a->object != 0 || b->object != 0)
        return a->object == b->object;
    const struct site *here = site_get(r, &s->sites, a->dataid), *there = site_get(r, &s->sites, b->dataid);
    return here != NULL && there != NULL && here->class_name == there->class_name;
}

static void enter(struct rows *r, struct locks_state *s, struct thread_holds *t, const struct hs_event *e, bool method)
{
    const uint64_t value = e->kind == HS_KIND_REF ? e->value : 0;
    const struct site *site = method ? site_get(r, &s->sites, e->dataid) : NULL;
    struct hold h = { .object = site != NULL ? target_monitor(r->from.trace, site->method_id, value) : value,
                      .asked = HS_NO_SEQ,
                      .asked_ns = HS_NO_TIME,
                      .entered = e->seq,
                      .entered_ns = clock_of(r, e),
                      .dataid = e->dataid,
                      .method = method };
    if (!method && t->asked.kind != 0) {
        h.asked = t->asked.seq;
        h.asked_ns = clock_of(r, &t->asked);
    }
    t->asked.kind = 0;
    h.wanted = e->seq >= s->events.from && e->seq <= s->events.to && picked_has(r, &s->picked, e->seq);
    if (t->held.count >= HOLDS_MAX)
        return;
    for (size_t i = 0; i < t->held.count && !h.again; i++)
        h.again = same_monitor(r, s, &t->held.items[i], &h);
    struct hold *to = vec_push(&t->held);
    if (to == NULL)
        (void)rows_fail(r, "out of memory");
    else
        *to = h;
}

/* Ends the innermost hold that this event can end, if there is one. */
static void leave(struct rows *r, struct locks_state *s, struct thread_holds *t, const struct hs_event *e, bool method)
{
    const struct site *here = site_get(r, &s->sites, e->dataid);
    for (size_t i = t->held.count; i-- > 0;) {
        const struct hold h = t->held.items[i];
        const struct site *there = site_get(r, &s->sites, h.dataid);
        bool match =
            method ? here != NULL && there != NULL && here->method_id == there->method_id : h.object == e->value;
        if (h.method != method || !match)
            continue;
        memmove(&t->held.items[i], &t->held.items[i + 1], (t->held.count - i - 1) * sizeof h);
        t->held.count--;
        add_row(r, s, e->thread, &h, e);
        return;
    }
}

static void lock_event(struct rows *r, struct locks_state *s, const struct hs_event *e)
{
    const struct site *site = site_get(r, &s->sites, e->dataid);
    unsigned type = site != NULL ? site->type : 0;
    bool entry = type == HS_EVENT_METHOD_ENTRY;
    if (site == NULL || (entry && !is_synchronized(r, s, e->dataid)))
        return;
    struct thread_holds *t = map_get(&s->threads, (uint64_t)e->thread + 1);
    if (type == HS_EVENT_EVENTS_LEFT_OUT)
        s->left_out = *e;
    bool begins = entry || type == HS_EVENT_MONITOR_ENTER || type == HS_EVENT_MONITOR_ENTER_RESULT;
    if (t == NULL && !begins)
        return;
    if (t == NULL && (t = map_put(&s->threads, (uint64_t)e->thread + 1)) == NULL) {
        (void)rows_fail(r, "out of memory");
        return;
    }
    if (type == HS_EVENT_MONITOR_ENTER)
        t->asked = *e;
    else if (type == HS_EVENT_EVENTS_LEFT_OUT)
        t->asked.kind = 0;
    else if (begins)
        enter(r, s, t, e, entry);
    else
        leave(r, s, t, e, type != HS_EVENT_MONITOR_EXIT);
}

/* Ends one hold of the method that s->left_out is of; false: it has none. */
static bool forget_one(struct rows *r, struct locks_state *s)
{
    struct thread_holds *t = map_get(&s->threads, (uint64_t)s->left_out.thread + 1);
    const struct site *here = site_get(r, &s->sites, s->left_out.dataid);
    for (size_t i = t != NULL && here != NULL ? t->held.count : 0; i-- > 0;) {
        const struct hold h = t->held.items[i];
        const struct site *there = site_get(r, &s->sites, h.dataid);
        if (h.method || there == NULL || here->method_id != there->method_id)
            continue;
        memmove(&t->held.items[i], &t->held.items[i + 1], (t->held.count - i - 1) * sizeof h);
        t->held.count--;
        add_row(r, s, t->thread - 1, &h, NULL);
        return true;
    }
    return false;
}

/* Rows of what is held; true: all of it. */
static bool flush(struct rows *r, struct locks_state *s)
{
    for (size_t i = 0; i < s->threads.cap; i++) {
        struct thread_holds *t = &s->threads.slots[i];
        for (; t->thread != 0 && t->held.count > 0; t->held.count--) {
            if (!rows_room(r))
                return false;
            add_row(r, s, t->thread - 1, &t->held.items[t->held.count - 1], NULL);
        }
        t->asked.kind = 0;
    }
    return true;
}

static bool locks_next(struct rows *r)
{
    struct locks_state *s = r->state;
    const struct hs_event *e;
    while (rows_room(r)) {
        if (s->flushing && !flush(r, s))
            return true;
        s->flushing = false;
        if (s->left_out.kind != 0 && forget_one(r, s))
            continue;
        s->left_out.kind = 0;
        if (s->ended)
            return false;
        if (s->held_back.kind != 0)
            lock_event(r, s, &s->held_back);
        s->held_back.kind = 0;
        if (!row_events_next(r, &s->events, &e)) {
            s->ended = s->flushing = true;
            continue;
        }
        if (e->seq >= s->next_part) {
            s->flushing = true;
            s->held_back = *e;
            while (e->seq >= s->next_part && next_part(r, s))
                ;
            continue;
        }
        lock_event(r, s, e);
    }
    return !r->failed;
}

static void locks_close(struct rows *r)
{
    struct locks_state *s = r->state;
    row_events_close(&s->events);
    picked_close(&s->picked);
    hs_cursor_close(s->intervals);
    sites_done(&s->sites);
    for (size_t i = 0; i < s->threads.cap; i++)
        vec_free(&s->threads.slots[i].held);
    map_free(&s->threads);
    free(s->synchronized);
}

const struct table_source source_locks = { sizeof(struct locks_state), locks_open, locks_next, locks_close };
