/* thread_state.c - see thread_state.h. */
#include "reader/threads/thread_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/event.h"
#include "formats/search.h"
#include "reader/code/code.h"
#include "reader/cursor/cursor.h"
#include "reader/threads/target.h"

enum { ACCESS_STATIC = 0x0008, ACCESS_SYNCHRONIZED = 0x0020, ARGUMENTS_MOST = 256 };

static int no_memory(struct hs_error *error)
{
    return give(error, &(struct error){ .status = ERR_MEMORY, .text = "out of memory" });
}

/* ---- the last events of a thread ---- */

/* A cursor over the events of a thread that stands behind event `seq`. */
static int open_behind(hs_trace *trace, uint32_t thread, uint64_t seq, hs_cursor **out, struct hs_error *error)
{
    struct hs_filter filter = HS_FILTER_ALL;
    filter.threads = &thread;
    filter.thread_count = 1;
    filter.to = seq;
    if (hs_events_open(trace, &filter, out, error) != 0)
        return -1;
    if (hs_cursor_seek(*out, HS_NO_SEQ, error) == 0)
        return 0;
    hs_cursor_close(*out);
    return -1;
}

static int last_event(hs_trace *trace, uint32_t thread, uint64_t seq, struct hs_event *out, struct hs_error *error)
{
    const struct hs_event *e;
    hs_cursor *events;
    if (open_behind(trace, thread, seq, &events, error) != 0)
        return -1;
    int more = hs_event_previous(events, &e, error);
    if (more > 0)
        *out = *e;
    hs_cursor_close(events);
    return more;
}

int hs_last_event(hs_trace *trace, uint32_t thread, uint64_t seq, const struct hs_event **out, struct hs_error *error)
{
    int more = last_event(trace, thread, seq, &trace->last_event, error);
    if (more > 0)
        *out = &trace->last_event;
    return more;
}

static unsigned event_of(hs_trace *t, const struct hs_event *e)
{
    const struct hs_dataid *d = hs_dataid_get(t, e->dataid);
    return d != NULL ? d->event : 0;
}

/* The CALL that is the last event, or of which the last event is an argument: 1, 0 there is none, -1. */
static int find_call(hs_trace *t, const struct hs_event *last, struct hs_event *call, struct hs_error *error)
{
    const struct hs_event *e;
    hs_cursor *events;
    int more = 1;
    *call = *last;
    if (event_of(t, last) == EVENT_CALL)
        return 1;
    if (event_of(t, last) != EVENT_CALL_PARAM)
        return 0;
    if (open_behind(t, last->thread, last->seq, &events, error) != 0)
        return -1;
    for (int i = 0; i < ARGUMENTS_MOST && more > 0 && event_of(t, call) == EVENT_CALL_PARAM; i++) {
        more = hs_event_previous(events, &e, error);
        if (more > 0)
            *call = *e;
    }
    hs_cursor_close(events);
    return more > 0 ? event_of(t, call) == EVENT_CALL : more;
}

/* ---- what a thread waits for ---- */

/* Waits for the monitor that the method enters first, if that is synchronized and woven. */
static void wait_for_method(hs_trace *t, const struct hs_method *m, uint64_t receiver, struct thread_state *s)
{
    const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
    const bool is_static = m != NULL && (m->access & ACCESS_STATIC) != 0;
    if (c == NULL || (m->access & ACCESS_SYNCHRONIZED) == 0 || (m->groups & 1u << HS_GROUP_EXEC) == 0 ||
        (!is_static && receiver == 0))
        return;
    s->wait = HS_WAIT_ENTER;
    s->object = is_static ? hs_class_object(t, c) : receiver;
    s->of_class = s->object == 0 ? c : NULL;
}

/* Sets the monitor that the called method enters first, if that is known. */
static int find_method_monitor(hs_trace *t, const struct hs_event *call, const struct hs_dataid *d,
                               struct thread_state *s, struct hs_error *error)
{
    const uint64_t receiver = call->kind == HS_KIND_REF ? call->value : 0;
    uint64_t referred;
    struct call_target to = call_target(t, d, target_type(t, receiver));
    wait_for_method(t, to.method, receiver, s);
    if (to.method != NULL)
        return 0;
    int more = call_target_referred(t, call, &s->last, &to, &referred, error);
    if (more > 0)
        wait_for_method(t, to.method, referred, s);
    if (to.method == NULL)
        s->outside = d;
    return more < 0 ? -1 : 0;
}

/* Sets whether the called method is Object.wait or Thread.join: those with a parameter wait for some time. */
static void find_waiting_method(hs_trace *t, const struct hs_event *call, const struct hs_dataid *d,
                                struct thread_state *s)
{
    const char *name = attribute_text(d, "name"), *desc = attribute_text(d, "desc");
    if (name == NULL || desc == NULL || call->kind != HS_KIND_REF || call->value == 0)
        return;
    bool forever = strcmp(desc, "()V") == 0;
    if (!forever && strcmp(desc, "(J)V") != 0 && strcmp(desc, "(JI)V") != 0 &&
        strcmp(desc, "(Ljava/time/Duration;)Z") != 0)
        return;
    bool unknown;
    if (strcmp(name, "wait") == 0) /* these are final in Object */
        s->wait = HS_WAIT_NOTIFY;
    else if (strcmp(name, "join") == 0 && target_is_thread(t, d, target_type(t, call->value), &unknown))
        s->wait = HS_WAIT_JOIN;
    else
        return;
    s->object = call->value;
    s->timed = !forever;
}

/* Sets what the last event says, without the owner. */
static int find_wait(hs_trace *t, struct thread_state *s, struct hs_error *error)
{
    struct hs_event call;
    if (event_of(t, &s->last) == EVENT_MONITOR_ENTER) {
        s->wait = HS_WAIT_ENTER;
        s->object = s->last.value;
        s->since = s->last.seq;
        return 0;
    }
    int more = find_call(t, &s->last, &call, error);
    if (more <= 0)
        return more;
    const struct hs_dataid *d = hs_dataid_get(t, call.dataid);
    s->since = call.seq;
    find_waiting_method(t, &call, d, s);
    return s->wait == HS_WAIT_NONE ? find_method_monitor(t, &call, d, s, error) : 0;
}

/* ---- owners ---- */

/* The key of the monitor of a class whose object is not known: this and the number of the class. */
static const uint64_t CLASS_KEY = UINT64_C(1) << 63;

static uint64_t class_key(const struct hs_class *c) { return CLASS_KEY | c->class_no; }
static uint64_t wait_key(const struct thread_state *s)
{
    return s->of_class != NULL ? class_key(s->of_class) : s->object;
}

static int by_key(const void *a, const void *b)
{
    const struct thread_held *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->state != y->state)
        return x->state < y->state ? -1 : 1;
    return x->entered < y->entered ? -1 : x->entered > y->entered;
}

static bool add(struct thread_states *all, struct thread_held held)
{
    struct thread_held *to = vec_push(&all->held);
    if (to != NULL)
        *to = held;
    return to != NULL;
}

/* The class of which a frame holds the monitor by a static synchronized method, and the object is not known. */
static const struct hs_class *class_held(hs_trace *t, const struct hs_frame *f)
{
    const struct hs_method *m = hs_method_get(t, f->method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
    bool both = m != NULL && (m->access & ACCESS_SYNCHRONIZED) != 0 && (m->access & ACCESS_STATIC) != 0;
    return both && c != NULL && hs_class_object(t, c) == 0 ? c : NULL;
}

uint64_t thread_frames_begin(const struct thread_state *s)
{
    const struct hs_frame *left;
    if (s->frames == NULL || hs_cursor_seek(s->frames, 0, NULL) != 0)
        return 0;
    uint64_t count = hs_cursor_count(s->frames);
    bool skip = s->leaving && hs_frame_next(s->frames, &left, NULL) > 0;
    return count - skip;
}

/* Adds what the frames of a thread hold; false: out of memory. The monitor on which the thread waits for a notification
 * is not held. */
static bool add_held(hs_trace *t, struct thread_states *all, size_t position)
{
    const struct thread_state *s = &all->list.items[position];
    const struct hs_frame *f;
    bool room = true;
    if (thread_frames_begin(s) == 0)
        return true;
    while (room && hs_frame_next(s->frames, &f, NULL) > 0) {
        const struct hs_class *c = class_held(t, f);
        if (c != NULL)
            room = add(all, (struct thread_held){ class_key(c), f->entered, position, c });
        for (size_t i = 0; i < f->monitor_count && room; i++)
            if (s->wait != HS_WAIT_NOTIFY || f->monitors[i]->object != s->object)
                room =
                    add(all, (struct thread_held){ f->monitors[i]->object, f->monitors[i]->entered, position, NULL });
    }
    return room;
}

/* The first of those that hold the monitor; `count` if none does. */
static size_t first_held(const struct thread_states *all, uint64_t key)
{
    size_t low = 0, high = all->held.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all->held.items[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Sets the owner of the monitor. A thread that goes on after the moment, and waits for nobody, does not wait. */
static void find_owner(struct thread_states *all, size_t position)
{
    struct thread_state *s = &all->list.items[position];
    uint64_t key = wait_key(s);
    bool own = false;
    for (size_t i = first_held(all, key); i < all->held.count && all->held.items[i].key == key; i++) {
        const struct thread_held *h = &all->held.items[i];
        own |= h->state == position;
        if (h->state == position || s->owner != NO_STATE)
            continue;
        s->owner = (int64_t)h->state;
        s->held_since = h->entered;
    }
    bool goes_on = s->last.position + 1 < s->thread->events;
    if (s->wait == HS_WAIT_ENTER && (own || (s->owner == NO_STATE && goes_on)))
        s->wait = HS_WAIT_NONE;
}

static int find_owners(hs_trace *t, struct thread_states *all, struct hs_error *error)
{
    bool room = true;
    for (size_t i = 0; room && i < all->list.count; i++)
        room = add_held(t, all, i);
    if (all->held.count > 1)
        qsort(all->held.items, all->held.count, sizeof *all->held.items, by_key);
    for (size_t i = 0; i < all->held.count; i++)
        all->list.items[all->held.items[i].state].holds = true;
    for (size_t i = 0; room && i < all->list.count; i++)
        if (all->list.items[i].wait == HS_WAIT_ENTER || all->list.items[i].wait == HS_WAIT_NOTIFY)
            find_owner(all, i);
    return room ? 0 : no_memory(error);
}

/* ---- all threads ---- */

typedef VEC(uint64_t) begin_vec;

/* The first events of the intervals of the recording up to that in which event `at` lies: what was before the last of
 * them is not known. */
static bool intervals_to(hs_trace *t, uint64_t at, begin_vec *out)
{
    const struct hs_interval *row;
    hs_cursor *intervals;
    bool room = true;
    if (hs_intervals_open(t, &intervals, NULL) != 0)
        return true;
    while (room && hs_interval_next(intervals, &row, NULL) > 0 && row->first <= at) {
        uint64_t *to = vec_push(out);
        room = to != NULL;
        if (room)
            *to = row->first;
    }
    hs_cursor_close(intervals);
    return room;
}

/* ---- what a thread was in the middle of where an interval begins ---- */

static bool read_left_frames(hs_trace *t, uint32_t thread, struct reader *r, struct hs_frame *frames, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t head = read_varint(r), self = (head & 1) != 0 ? read_varint(r) : 0, pc = read_varint(r),
                       line = read_varint(r);
        if (r->bad || head >> 1 > UINT32_MAX || hs_method_get(t, (uint32_t)(head >> 1)) == NULL || line > INT32_MAX)
            return false;
        frames[i] = (struct hs_frame){ .method_id = (uint32_t)(head >> 1),
                                       .thread = thread,
                                       .pc = (uint32_t)pc,
                                       .line = (int32_t)line - 1,
                                       .entered = HS_NO_SEQ,
                                       .has_this = (head & 1) != 0,
                                       .self = self };
    }
    return true;
}

/* The thread has no event since events were dropped, or none at all; `least`: the first interval that begins behind its
 * last one. */
static int read_left(hs_trace *t, const begin_vec *begins, struct thread_state *s, struct hs_error *error)
{
    const struct hs_event recorded = s->last;
    struct writer row = { 0 };
    struct error err = { 0 };
    size_t least = 0;
    if (s->placed)
        LOWER_BOUND(least, begins->count, begins->items[least] <= recorded.seq);
    const enum status st = left_thread(t, begins->count - 1, least, s->thread->thread, &row, &err);
    struct reader r = reader_of(row.data, row.size);
    const uint64_t id = st == OK ? read_varint(&r) : 0, value = (uint64_t)read_svarint(&r), count = read_varint(&r);
    struct list_answer *answer = st == OK && !r.bad && count <= row.size ? list_answer_new() : NULL;
    struct hs_frame *frames = answer != NULL ? arena_array(&answer->arena, count + 1, sizeof *frames) : NULL;
    int failed = 0;
    if (frames != NULL && read_left_frames(t, s->thread->thread, &r, frames, (size_t)count)) {
        failed = cursor_over(ROW_frame, frames, sizeof *frames, (size_t)count, answer, &s->frames, error);
        answer = NULL;
    }
    if (failed == 0 && s->frames != NULL && id > 0 && id - 1 < t->kind_count) {
        s->last.thread = s->thread->thread;
        s->last.dataid = (uint32_t)(id - 1);
        s->last.kind = (char)(t->kinds[id - 1] & 0x7f);
        s->last.value = value;
        failed = find_wait(t, s, error);
        s->last = recorded;
        s->since = HS_NO_SEQ;
    }
    list_answer_free(answer);
    writer_free(&row);
    return failed;
}

/* Has the thread ended at the moment? Its last event is then the last one of all, and it is in no method. */
static bool has_ended(const struct thread_state *s)
{
    return s->thread->known && s->thread->end_ns != HS_NO_TIME && s->last.position + 1 >= s->thread->events;
}

static int read_state(hs_trace *t, uint64_t at, const begin_vec *begins, struct thread_state *s, struct hs_error *error)
{
    int more = s->thread->events > 0 ? last_event(t, s->thread->thread, at, &s->last, error) : 0;
    s->placed = more > 0;
    if (more < 0 || (s->placed && has_ended(s)))
        return more < 0 ? -1 : 0;
    if (begins->count > 0 && (!s->placed || s->last.seq < begins->items[begins->count - 1]))
        return read_left(t, begins, s, error);
    if (!s->placed)
        return 0;
    if (hs_frames_open(t, s->last.seq, &s->frames, error) != 0)
        return -1;
    s->leaving = event_has(event_of(t, &s->last), USE_LEAVE);
    return find_wait(t, s, error);
}

static int list_threads(hs_trace *trace, struct thread_states *out, struct hs_error *error)
{
    const struct hs_thread *row;
    hs_cursor *threads;
    bool room = true;
    if (hs_threads_open(trace, &threads, error) != 0)
        return -1;
    while (room && hs_thread_next(threads, &row, NULL) > 0) {
        struct thread_state *s = vec_push(&out->list);
        room = s != NULL;
        if (room)
            *s = (struct thread_state){ .thread = hs_thread_get(trace, row->thread),
                                        .owner = NO_STATE,
                                        .since = HS_NO_SEQ,
                                        .held_since = HS_NO_SEQ };
    }
    hs_cursor_close(threads);
    return room ? 0 : no_memory(error);
}

int thread_states_read(hs_trace *trace, uint64_t at, struct thread_states *out, struct hs_error *error)
{
    *out = (struct thread_states){ 0 };
    if (list_threads(trace, out, error) != 0)
        return -1;
    if (hs_event_count(trace) == 0)
        return 0;
    begin_vec begins = { 0 };
    int failed = intervals_to(trace, at, &begins) ? 0 : no_memory(error);
    for (size_t i = 0; i < out->list.count && failed == 0; i++)
        failed = read_state(trace, at, &begins, &out->list.items[i], error);
    vec_free(&begins);
    return failed == 0 ? find_owners(trace, out, error) : -1;
}

void thread_states_free(struct thread_states *s)
{
    for (size_t i = 0; i < s->list.count; i++)
        hs_cursor_close(s->list.items[i].frames);
    vec_free(&s->list);
    vec_free(&s->held);
}
