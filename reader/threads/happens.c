/* happens.c - see happens.h. A thread gives its clock to a lock and takes that of the lock (`give`, `take`); whatever
 * orders threads is a lock of some kind: a monitor, a volatile field, a class, a thread, a pool. */
#include "reader/threads/happens.h"

#include <stdlib.h>
#include <string.h>

const unsigned happens_events[] = {
    HS_EVENT_METHOD_ENTRY,
    HS_EVENT_METHOD_NORMAL_EXIT,
    HS_EVENT_METHOD_EXCEPTIONAL_EXIT,
    HS_EVENT_CALL,
    HS_EVENT_CALL_RETURN,
    HS_EVENT_CATCH,
    HS_EVENT_EVENTS_LEFT_OUT,
    HS_EVENT_MONITOR_ENTER_RESULT,
    HS_EVENT_MONITOR_EXIT,
    HS_EVENT_GET_INSTANCE_FIELD,
    HS_EVENT_GET_INSTANCE_FIELD_RESULT,
    HS_EVENT_GET_STATIC_FIELD,
    HS_EVENT_PUT_INSTANCE_FIELD,
    HS_EVENT_PUT_INSTANCE_FIELD_VALUE,
    HS_EVENT_PUT_STATIC_FIELD,
    HS_EVENT_ARRAY_LOAD,
    HS_EVENT_ARRAY_LOAD_INDEX,
    HS_EVENT_ARRAY_LOAD_RESULT,
    HS_EVENT_ARRAY_STORE,
    HS_EVENT_ARRAY_STORE_INDEX,
    HS_EVENT_ARRAY_STORE_VALUE,
};
const size_t happens_event_count = sizeof happens_events / sizeof *happens_events;

enum { HOLDS_MAX = 1 << 16, ELEMENT_BIT = 1u << 31, CONTENTS = ELEMENT_BIT - 1 };
enum lock_kind {
    LOCK_MONITOR = 1,
    LOCK_CLASS_MONITOR,
    LOCK_VOLATILE,
    LOCK_CLASS,
    LOCK_START,
    LOCK_OBJECT,
    LOCK_HANDED,
    LOCK_DONE,
    LOCK_ENDED,
    LOCK_FUTURE,
    LOCK_INTERRUPT
};

/* ---- clocks ---- */

static struct happens_state *state_at(struct happens *h) { return &h->states.items[h->at.thread]; }

/* Makes room for the numbers of so many threads. */
static bool grow_clock(struct happens *h, u32_vec *clock, size_t count)
{
    if (count <= clock->count)
        return true;
    h->numbers += count - clock->count;
    h->too_many |= h->numbers > HAPPENS_NUMBERS_MAX;
    h->failed |= h->too_many || !vec_extend(clock, count);
    return !h->failed;
}

static void join_clock(struct happens *h, u32_vec *to, const u32_vec *from)
{
    if (!grow_clock(h, to, from->count))
        return;
    for (size_t i = 0; i < from->count; i++)
        if (to->items[i] < from->items[i])
            to->items[i] = from->items[i];
}

static uint64_t lock_key(enum lock_kind kind, uint64_t of)
{
    uint64_t key = of * UINT64_C(0x9e3779b97f4a7c15) + kind;
    return key != 0 ? key : 1;
}

/* What the thread has done until now happens before what takes it from there. */
static void give(struct happens *h, uint64_t lock)
{
    struct happens_state *s = state_at(h);
    struct happens_lock *l = map_put(&h->locks, lock);
    h->failed |= l == NULL;
    if (l == NULL)
        return;
    join_clock(h, &l->clock, &s->clock);
    s->clock.items[h->at.thread]++;
}

static bool take(struct happens *h, uint64_t lock)
{
    const struct happens_lock *l = map_get(&h->locks, lock);
    if (l != NULL)
        join_clock(h, &state_at(h)->clock, &l->clock);
    return l != NULL;
}

/* Events are missing here: all that was before is taken as ordered. `all` gets the clocks of all threads. */
static void order_all(struct happens *h, u32_vec *all)
{
    for (size_t k = 0; k < h->states.count; k++)
        join_clock(h, all, &h->states.items[k].clock);
    for (size_t k = 0; k < h->states.count; k++) {
        join_clock(h, &h->states.items[k].clock, all);
        h->states.items[k].clock.items[k]++;
    }
}

/* A gap of the recording, before this event: of no thread is it known where it stands. Behind a stop the threads
 * have other numbers. */
static void pass_gap(struct happens *h, const struct hs_event *e)
{
    const struct hs_interval *i;
    if (e->seq < h->gap && e->seq < h->start)
        return;
    order_all(h, &h->before_gap);
    for (size_t k = 0; k < h->states.count; k++) {
        struct happens_state *s = &h->states.items[k];
        s->held.count = 0;
        s->depth = 0;
        s->calls.count = 0;
        s->object = 0;
    }
    if (h->start <= e->seq)
        h->start = hs_next_start(h->trace, e->seq);
    while (h->gap <= e->seq)
        h->gap = hs_interval_next(h->gaps, &i, NULL) > 0 ? i->first : HS_NO_SEQ;
}

static void begin_thread(struct happens *h, uint32_t thread, uint64_t seq)
{
    struct happens_state *s = state_at(h);
    uint64_t object = happens_object_of(h, thread);
    s->first = seq;
    s->number = thread;
    s->started = object != 0;
    const struct happens_start *start = s->started ? map_get(&h->starts, object) : NULL;
    s->plain = thread == 0 || (start != NULL && start->plain);
    (void)take(h, lock_key(LOCK_START, object));
}

/* A thread has seen that the thread of this object ended. */
static void join_thread(struct happens *h, uint64_t object)
{
    const struct happens_start *start = object != 0 ? map_get(&h->starts, object) : NULL;
    if (start == NULL)
        return;
    const struct happens_thread *known = start->thread != 0 ? map_get(&h->threads, start->thread) : NULL;
    if (start->thread != 0 && known != NULL)
        join_clock(h, &state_at(h)->clock, &h->states.items[known->slot - 1].clock);
    else if (start->thread == 0)
        (void)take(h, lock_key(LOCK_ENDED, 0));
}

/* Sets the thread of the event; of a new one what was before it was started has happened. */
static bool enter_thread(struct happens *h, uint32_t thread, uint64_t seq)
{
    struct happens_thread *t = map_put(&h->threads, (uint64_t)thread + 1);
    if (t == NULL)
        return false;
    bool fresh = t->slot == 0;
    if (fresh) {
        struct happens_state *s = vec_push(&h->states);
        if (s == NULL)
            return false;
        *s = (struct happens_state){ 0 };
        t->slot = (uint32_t)h->states.count;
        join_clock(h, &s->clock, &h->before_gap);
        if (!grow_clock(h, &s->clock, t->slot))
            return false;
        s->clock.items[t->slot - 1] = 1;
    }
    h->at.thread = t->slot - 1;
    if (fresh)
        begin_thread(h, thread, seq);
    return !h->failed;
}

/* What calls on an object are in order with: a condition and the locks for reading and writing are their lock. */
static uint64_t object_key(const struct happens *h, uint64_t object)
{
    const struct happens_thread *part = map_get(&h->parts, object);
    return lock_key(LOCK_OBJECT, part != NULL ? part->slot : object);
}

static void learn_part(struct happens *h, uint64_t lock, uint64_t object)
{
    const struct happens_thread *of = map_get(&h->parts, lock);
    const uint32_t whole = of != NULL ? of->slot : (uint32_t)lock;
    struct happens_thread *part = map_put(&h->parts, object);
    h->failed |= part == NULL;
    if (part != NULL)
        part->slot = whole;
}

/* ---- events ---- */

static void take_class(struct happens *h, const struct happens_site *site)
{
    if (site->class_name != 0)
        (void)take(h, lock_key(LOCK_CLASS, site->class_name));
}

/* Has library code called the method that is entered or was just left, as what does this (enum library)? `outermost`:
 * also if no woven method is around it. */
static bool called_back(const struct happens_state *s, unsigned library, bool outermost)
{
    const size_t count = s->calls.count;
    if (s->depth == 0)
        return outermost;
    return count > 0 && s->calls.items[count - 1].depth == s->depth &&
           (s->calls.items[count - 1].library & library) != 0;
}

/* Has a call on an object of the library, as the await of a barrier, called it back? The object; 0: no. */
static uint64_t called_by(const struct happens_state *s)
{
    return called_back(s, BY_OBJECT, false) ? s->calls.items[s->calls.count - 1].receiver : 0;
}

/* What is given to a future runs in the thread that completes it, or that finds it complete. Which future that is
 * cannot be seen: it is taken to be behind every task that has ended and all that was given to futures. */
static void begin_continuation(struct happens *h)
{
    (void)take(h, lock_key(LOCK_FUTURE, 0));
    (void)take(h, lock_key(LOCK_HANDED, 0));
}

/* Of a synchronized method. Of a class whose object no event showed there are no blocks. */
static uint64_t method_lock(const struct happens_site *site, uint64_t receiver)
{
    if (!site->is_static)
        return lock_key(LOCK_MONITOR, receiver);
    return site->class_object != 0 ? lock_key(LOCK_MONITOR, site->class_object)
                                   : lock_key(LOCK_CLASS_MONITOR, site->class_name);
}

static void method_entry(struct happens *h, const struct happens_site *site, const struct hs_event *e)
{
    struct happens_state *s = state_at(h);
    struct happens_start *own = e->value != 0 && e->kind == HS_KIND_REF ? map_get(&h->starts, e->value) : NULL;
    if (s->depth == 0 && s->first == e->seq && own != NULL)
        happens_is_object(h, e->thread, own);
    if (called_by(s) != 0)
        (void)take(h, object_key(h, called_by(s)));
    const bool body = s->plain && !s->entered; /* of the thread: what its run method does */
    if (called_back(s, BY_FUTURE, h->continued && !body))
        begin_continuation(h);
    if (s->depth == 0 && !s->started)
        (void)take(h, lock_key(LOCK_HANDED, 0)); /* a task of a pool */
    s->entered |= s->depth++ == 0 && !site->initialiser;
    if (!site->initialiser)
        take_class(h, site);
    if (!site->is_synchronized || s->held.count == HOLDS_MAX)
        return;
    struct happens_hold *hold = vec_push(&s->held);
    h->failed |= hold == NULL;
    if (hold == NULL)
        return;
    *hold = (struct happens_hold){ method_lock(site, e->value), site->method_id };
    (void)take(h, hold->lock);
}

static void method_exit(struct happens *h, const struct happens_site *site)
{
    struct happens_state *s = state_at(h);
    if (site->initialiser && site->class_name != 0)
        give(h, lock_key(LOCK_CLASS, site->class_name));
    for (size_t i = s->held.count; site->is_synchronized && i-- > 0;)
        if (s->held.items[i].method_id == site->method_id) {
            give(h, s->held.items[i].lock);
            s->held.count = i; /* what was entered in it and never left has been left, too */
            break;
        }
    if (s->depth == 0)
        return;
    s->depth--;
    if (called_by(s) != 0)
        give(h, object_key(h, called_by(s)));
    if (called_back(s, BY_POOL, true))
        give(h, lock_key(LOCK_FUTURE, 0));
    if (s->depth > 0)
        return;
    give(h, lock_key(LOCK_ENDED, 0));
    if (!s->started)
        give(h, lock_key(LOCK_DONE, 0));
}

static void start_thread(struct happens *h, uint64_t object, uint64_t seq)
{
    (void)happens_starts(h, state_at(h), object, seq);
    give(h, lock_key(LOCK_START, object));
    give(h, lock_key(LOCK_START, 0));
}

/* A field or an element of `object`, what it holds, or a static field (0). */
static void access_place(struct happens *h, const struct happens_site *site, uint64_t object, uint32_t low, bool writes)
{
    happens_place place = object << 32 | low;
    if (low == 0 || object > UINT32_MAX)
        return;
    if (site->is_static)
        take_class(h, site);
    if (site->is_volatile && writes)
        give(h, lock_key(LOCK_VOLATILE, place));
    else if (site->is_volatile)
        (void)take(h, lock_key(LOCK_VOLATILE, place));
    else
        h->place = place;
    h->object = object;
    h->writes = writes;
}

/* A thread is made and started by the call. The pass before may have learnt which object it is. */
static void start_new_thread(struct happens *h, uint64_t seq)
{
    const struct happens_thread *object = map_get(&h->started, seq + 1);
    if (object != NULL)
        give(h, lock_key(LOCK_START, object->slot));
    give(h, lock_key(LOCK_START, 0));
}

/* The call that made and started it has returned it. */
static void learn_new_thread(struct happens *h, uint64_t call_seq, const struct hs_event *e)
{
    if (e->kind != HS_KIND_REF || e->value == 0 || e->value > UINT32_MAX)
        return;
    struct happens_start *start = happens_starts(h, state_at(h), e->value, call_seq);
    struct happens_thread *object = map_put(&h->started, call_seq + 1);
    h->failed |= object == NULL;
    if (start == NULL || object == NULL)
        return;
    start->made = e->seq;
    object->slot = (uint32_t)e->value;
}

static void begin_call(struct happens *h, const struct happens_site *site, const struct hs_event *e)
{
    struct happens_state *s = state_at(h);
    const uint64_t receiver = e->kind == HS_KIND_REF ? e->value : 0;
    const struct happens_called *called = happens_called(h, e, receiver);
    if (called == NULL)
        return;
    const uint8_t does = called->library;
    if (called->collection) {
        access_place(h, site, receiver, CONTENTS, site->changes);
        h->collection = true;
    }
    if ((called->call == CALL_OTHER && does == 0) || s->calls.count == HOLDS_MAX)
        return;
    struct happens_call *call = vec_push(&s->calls);
    h->failed |= call == NULL;
    if (call == NULL)
        return;
    *call = (struct happens_call){ .receiver = receiver,
                                   .seq = e->seq,
                                   .depth = s->depth,
                                   .call = called->call,
                                   .library = does,
                                   .shown = site->shown,
                                   .gives_part = (does & BY_OBJECT) != 0 && site->gives_part };
    if (call->call == CALL_WAIT)
        give(h, lock_key(LOCK_MONITOR, receiver));
    else if (call->call == CALL_START && receiver != 0)
        start_thread(h, receiver, e->seq);
    else if (call->call == CALL_START_NEW)
        start_new_thread(h, e->seq);
    else if (call->call == CALL_INTERRUPT)
        give(h, lock_key(LOCK_INTERRUPT, 0));
    if ((does & BY_OBJECT) != 0 && receiver != 0)
        give(h, object_key(h, receiver));
    if ((does & BY_POOL) != 0)
        give(h, lock_key(LOCK_HANDED, 0));
    if ((does & BY_FUTURE) != 0 && site->future == FUTURE_COMPLETED)
        give(h, lock_key(LOCK_FUTURE, 0));
    h->continued |= (does & BY_FUTURE) != 0 && site->future == FUTURE_CONTINUED;
}

/* Does the thread know from what the call returned that the thread of the receiver has ended? */
static void end_join(struct happens *h, struct happens_call call, const struct hs_event *e)
{
    if ((call.shown == SHOWN_BY_TRUE && e->value == 0) || (call.shown == SHOWN_BY_FALSE && e->value != 0))
        return;
    join_thread(h, call.receiver);
    if (call.shown != SHOWN_PERHAPS)
        happens_ended(h, call.receiver, e->seq);
}

/* The thread goes on behind a call with this event, its CALL_RETURN if it was not left by an exception. */
static void end_call(struct happens *h, struct happens_call call, unsigned event, const struct hs_event *e)
{
    const uint64_t value = e->value;
    if (call.call == CALL_WAIT)
        (void)take(h, lock_key(LOCK_MONITOR, call.receiver));
    else if (event == HS_EVENT_CALL_RETURN && call.call == CALL_JOIN)
        end_join(h, call, e);
    else if (event == HS_EVENT_CALL_RETURN && call.call == CALL_START_NEW)
        learn_new_thread(h, call.seq, e);
    else if (event == HS_EVENT_CALL_RETURN && call.call == CALL_INTERRUPTED && value != 0)
        (void)take(h, lock_key(LOCK_INTERRUPT, 0));
    if ((call.library & BY_OBJECT) != 0 && call.receiver != 0)
        (void)take(h, object_key(h, call.receiver));
    if (event == HS_EVENT_CALL_RETURN && call.gives_part && call.receiver != 0 && value != 0)
        learn_part(h, call.receiver, value);
    if ((call.library & BY_POOL) != 0)
        (void)take(h, lock_key(LOCK_DONE, 0));
    if ((call.library & BY_FUTURE) != 0)
        (void)take(h, lock_key(LOCK_FUTURE, 0));
}

/* Ends the calls of library code behind which the thread stands. A woven method that is entered ends none: it is what
 * was called, or was called back. */
static void end_calls(struct happens *h, unsigned event, const struct hs_event *e)
{
    struct happens_state *s = state_at(h);
    while (s->calls.count > 0) {
        struct happens_call call = s->calls.items[s->calls.count - 1];
        if (call.depth < s->depth || (call.depth == s->depth && event == HS_EVENT_METHOD_ENTRY))
            return;
        s->calls.count--;
        end_call(h, call, event, e);
    }
}

/* Which thread was interrupted is not looked at: every interrupt before is taken as that of this thread. */
static void caught(struct happens *h, const struct hs_event *e)
{
    const struct hs_object *o =
        e->kind == HS_KIND_REF && e->value <= UINT32_MAX ? hs_object_get(h->trace, (uint32_t)e->value) : NULL;
    if (o != NULL && o->type != NULL && strcmp(o->type, "java.lang.InterruptedException") == 0)
        (void)take(h, lock_key(LOCK_INTERRUPT, 0));
}

static void element(struct happens *h, const struct happens_site *site, bool writes)
{
    struct happens_state *s = state_at(h);
    if (s->object != 0 && s->index < ELEMENT_BIT)
        access_place(h, site, s->object, ELEMENT_BIT | (uint32_t)s->index, writes);
    h->element = true;
    h->index = (uint32_t)s->index;
    s->object = 0;
}

static void field(struct happens *h, const struct happens_site *site, bool writes)
{
    struct happens_state *s = state_at(h);
    if (s->object != 0)
        access_place(h, site, s->object, site->field, writes);
    s->object = 0;
}

static void apply(struct happens *h, const struct happens_site *site, const struct hs_event *e)
{
    struct happens_state *s = state_at(h);
    switch (site->event) {
    case HS_EVENT_METHOD_ENTRY: method_entry(h, site, e); break;
    case HS_EVENT_METHOD_NORMAL_EXIT:
    case HS_EVENT_METHOD_EXCEPTIONAL_EXIT: method_exit(h, site); break;
    case HS_EVENT_CATCH: caught(h, e); break;
    case HS_EVENT_CALL: begin_call(h, site, e); break;
    case HS_EVENT_MONITOR_ENTER_RESULT: take(h, lock_key(LOCK_MONITOR, e->value)); break;
    case HS_EVENT_MONITOR_EXIT: give(h, lock_key(LOCK_MONITOR, e->value)); break;
    case HS_EVENT_GET_INSTANCE_FIELD:
    case HS_EVENT_PUT_INSTANCE_FIELD:
    case HS_EVENT_ARRAY_LOAD:
    case HS_EVENT_ARRAY_STORE: s->object = e->kind == HS_KIND_REF ? e->value : 0; break;
    case HS_EVENT_ARRAY_LOAD_INDEX:
    case HS_EVENT_ARRAY_STORE_INDEX: s->index = e->value; break;
    case HS_EVENT_GET_INSTANCE_FIELD_RESULT: field(h, site, false); break;
    case HS_EVENT_PUT_INSTANCE_FIELD_VALUE: field(h, site, true); break;
    case HS_EVENT_GET_STATIC_FIELD: access_place(h, site, 0, site->field, false); break;
    case HS_EVENT_PUT_STATIC_FIELD: access_place(h, site, 0, site->field, true); break;
    case HS_EVENT_ARRAY_LOAD_RESULT: element(h, site, false); break;
    case HS_EVENT_ARRAY_STORE_VALUE: element(h, site, true); break;
    default: break;
    }
}

bool happens_event(struct happens *h, const struct hs_event *e)
{
    const struct happens_site *site = happens_site_of(h, e->dataid);
    h->place = 0;
    h->element = h->writes = h->collection = false;
    if (site == NULL)
        return !h->failed;
    pass_gap(h, e);
    if (!enter_thread(h, e->thread, e->seq))
        return false;
    bool left_out = site->event == HS_EVENT_EVENTS_LEFT_OUT;
    if (left_out || state_at(h)->left_out) { /* where events of a call are missing, and where the next one is */
        u32_vec all = { 0 };
        order_all(h, &all);
        vec_free(&all);
    }
    state_at(h)->left_out = left_out;
    state_at(h)->last = e->seq;
    end_calls(h, site->event, e);
    apply(h, site, e);
    h->at.clock = state_at(h)->clock.items[h->at.thread];
    return !h->failed;
}

bool happens_before(const struct happens *h, struct happens_moment earlier)
{
    const u32_vec *now = &h->states.items[h->at.thread].clock;
    return earlier.thread < now->count && earlier.clock <= now->items[earlier.thread];
}

/* ---- the whole ---- */

static void forget_clocks(struct happens *h)
{
    for (size_t i = 0; i < h->states.count; i++) {
        vec_free(&h->states.items[i].clock);
        vec_free(&h->states.items[i].held);
        vec_free(&h->states.items[i].calls);
    }
    for (size_t i = 0; i < h->locks.cap; i++)
        vec_free(&h->locks.slots[i].clock);
    vec_free(&h->states);
    map_free(&h->locks);
    map_free(&h->threads);
    vec_free(&h->before_gap);
    hs_cursor_close(h->gaps);
    h->gaps = NULL;
    h->numbers = 0;
    h->continued = false;
}

bool happens_begin(struct happens *h)
{
    const struct hs_interval *i;
    bool room = happens_match_threads(h);
    forget_clocks(h);
    h->gap = HS_NO_SEQ;
    h->start = hs_next_start(h->trace, 0);
    if (!room || hs_intervals_open(h->trace, &h->gaps, NULL) != 0)
        return false;
    /* the first part begins with the recording: there is no gap before it */
    int more = hs_interval_next(h->gaps, &i, NULL);
    if (more > 0)
        more = hs_interval_next(h->gaps, &i, NULL);
    if (more > 0)
        h->gap = i->first;
    return true;
}

bool happens_init(struct happens *h, hs_trace *trace)
{
    *h = (struct happens){ .trace = trace };
    h->sites = calloc((size_t)hs_dataid_count(trace) + 1, sizeof *h->sites);
    return h->sites != NULL;
}

void happens_done(struct happens *h)
{
    forget_clocks(h);
    map_free(&h->names);
    map_free(&h->parts);
    map_free(&h->fields);
    map_free(&h->starts);
    map_free(&h->started);
    map_free(&h->called);
    map_free(&h->objects);
    free(h->sites);
}
