/* call_events.c - see call_events.h.
 *
 * Where only some events are chosen, a second cursor reads all entries and exits of the chosen threads beside them: so
 * the stack of each thread is complete, whichever events are shown. */
#include "reader/export/call_events.h"

#include "reader/export/gaps.h"

/* More open calls than this in one thread are not those of a JVM; arguments: JVMS 4.3.3. */
enum { CALLS_MOST = 1 << 22, ARGUMENTS_MOST = 255 };
#define NO_DATAID UINT32_MAX

static bool no_memory(struct call_events *c)
{
    c->failed = true;
    return export_fail(c->job, "out of memory");
}

/* ---- times ---- */

uint64_t call_time_of(const struct call_events *c, uint64_t seq, uint64_t ns)
{
    return !c->by_seq ? ns : seq < UINT64_MAX / 1000 ? seq * 1000 : UINT64_MAX;
}

uint64_t call_time_of_event(struct call_events *c, const struct hs_event *e)
{
    if (c->by_seq || e->time_ns != HS_NO_TIME)
        return call_time_of(c, e->seq, e->time_ns);
    if (c->stamp != e->stamp || c->stamp_ns == HS_NO_TIME) {
        c->stamp = e->stamp;
        c->stamp_ns = hs_clock_ns(c->job->trace, e->stamp);
    }
    return c->stamp_ns != HS_NO_TIME ? c->stamp_ns : 0;
}

/* The time of a step of the thread: not before `ns`, and behind its last step. */
static uint64_t behind(struct call_thread *t, uint64_t ns)
{
    if (ns < t->next_ns)
        ns = t->next_ns;
    t->next_ns = ns < UINT64_MAX ? ns + 1 : ns;
    return ns;
}

/* ---- threads and calls ---- */

static struct call_thread *thread_of(struct call_events *c, uint32_t thread)
{
    const uint64_t key = (uint64_t)thread + 1;
    struct call_thread *t = map_get(&c->threads, key);
    if (t != NULL)
        return t;
    t = map_put(&c->threads, key);
    if (t == NULL)
        return no_memory(c), NULL;
    for (int i = 0; i < 3; i++)
        t->recent[i].dataid = NO_DATAID;
    return t;
}

static struct open_call *push(struct call_events *c, struct call_thread *t, uint32_t method, bool chosen)
{
    if (t->calls.count >= CALLS_MOST) {
        c->failed = true;
        return export_fail(c->job, "thread %llu: more than %d calls are open", (unsigned long long)t->key - 1,
                           CALLS_MOST),
               NULL;
    }
    struct open_call *call = vec_push(&t->calls);
    if (call == NULL)
        return no_memory(c), NULL;
    *call = (struct open_call){ .method_id = method,
                                .dataid = NO_DATAID,
                                .depth = t->depth,
                                .chosen = chosen,
                                .entered = HS_NO_SEQ,
                                .receiver.kind = HS_KIND_VOID,
                                .first_argument = t->arguments.count };
    t->depth += chosen;
    c->open += chosen;
    return call;
}

static struct open_call *top(const struct call_thread *t)
{
    return t->calls.count > 0 ? &t->calls.items[t->calls.count - 1] : NULL;
}

static bool add_argument(struct call_events *c, struct call_thread *t, struct call_value value)
{
    const struct open_call *call = top(t);
    if (call == NULL || t->arguments.count - call->first_argument >= ARGUMENTS_MOST)
        return true;
    struct call_value *to = vec_push(&t->arguments);
    if (to == NULL)
        return no_memory(c);
    *to = value;
    return true;
}

const struct call_value *call_arguments(const struct call_thread *t, const struct open_call *call, size_t *count)
{
    const struct open_call *next = call + 1, *end = t->calls.items + t->calls.count;
    *count = (next < end ? next->first_argument : t->arguments.count) - call->first_argument;
    return t->arguments.items + call->first_argument;
}

/* ---- calls that were open before the first event ---- */

static bool method_chosen(const struct call_events *c, uint32_t method)
{
    const struct chosen_events *f = c->job->filter;
    const struct hs_method *m = hs_method_get(c->job->trace, method);
    const struct hs_class *k = m != NULL ? hs_class_get(c->job->trace, m->class_no) : NULL;
    return k != NULL && hs_class_matches(f->filter.class_glob, k->name) &&
           hs_method_matches(f->filter.method_glob, m->name, m->desc);
}

static bool push_frame(struct call_events *c, struct call_thread *t, const struct hs_frame *f)
{
    struct open_call *call = push(c, t, f->method_id, method_chosen(c, f->method_id));
    if (call == NULL)
        return false;
    call->entered = f->entered;
    if (f->has_this)
        call->receiver = (struct call_value){ f->self, HS_KIND_REF };
    for (size_t i = 0; i < f->parameter_count; i++)
        if (!add_argument(c, t, (struct call_value){ f->parameters[i]->value, f->parameters[i]->kind }))
            return false;
    return true;
}

/* The frames of a thread just before event `from`. Its last event may be the exit of the innermost one. */
static bool open_frames(struct call_events *c, uint32_t thread, uint64_t from)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_event *last;
    hs_cursor *frames;
    const struct hs_frame *f;
    int found = hs_last_event(c->job->trace, thread, from - 1, &last, &error);
    if (found <= 0)
        return found == 0 || export_failed(c->job, &error);
    const struct hs_dataid *d = hs_dataid_get(c->job->trace, last->dataid);
    const bool leaving =
        d != NULL && (d->event == HS_EVENT_METHOD_NORMAL_EXIT || d->event == HS_EVENT_METHOD_EXCEPTIONAL_EXIT);
    struct call_thread *t = thread_of(c, thread);
    if (t == NULL)
        return false;
    if (hs_frames_open(c->job->trace, last->seq, &frames, &error) != 0)
        return export_failed(c->job, &error);
    bool done = true;
    for (uint64_t i = hs_cursor_count(frames); done && i > (leaving ? 1 : 0); i--)
        done = hs_cursor_seek(frames, i - 1, &error) == 0 && hs_frame_next(frames, &f, &error) > 0
                   ? push_frame(c, t, f)
                   : export_failed(c->job, &error);
    hs_cursor_close(frames);
    return done;
}

static bool open_before(struct call_events *c, uint64_t from)
{
    const struct hs_filter *f = &c->job->filter->filter;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_thread *t;
    hs_cursor *threads;
    bool done = true;
    if (hs_threads_open(c->job->trace, &threads, &error) != 0)
        return export_failed(c->job, &error);
    while (done && hs_thread_next(threads, &t, NULL) > 0)
        if (t->events > 0 && chosen_thread(f, t->thread))
            done = open_frames(c, t->thread, from);
    hs_cursor_close(threads);
    return done;
}

/* ---- events ---- */

/* Comes to an event; true: events are missing in front of it, since the last one that was come to. */
static bool pass_gaps(struct call_events *c, uint64_t seq)
{
    const size_t before = c->next_gap;
    while (c->next_gap < c->gaps.count && c->gaps.items[c->next_gap] <= seq)
        c->next_gap++;
    return c->next_gap > before;
}

static bool selects(const struct chosen_events *f)
{
    const struct hs_filter *a = &f->filter;
    return a->events != NULL || a->class_glob != NULL || a->method_glob != NULL || a->object != 0 || a->value != NULL ||
           a->text != NULL || f->where != NULL;
}

bool call_below_clock(const struct call_events *c, const struct call_step *s)
{
    return !c->by_seq && c->resolution_ns > 1 && s->time_ns - s->call->begun_ns < c->resolution_ns;
}

bool call_events_open(struct call_events *c, struct export_job *x)
{
    const uint64_t resolution_ns = hs_clock_resolution_ns(x->trace);
    static const unsigned calls[] = { HS_EVENT_METHOD_ENTRY, HS_EVENT_METHOD_PARAM, HS_EVENT_METHOD_OBJECT_INITIALIZED,
                                      HS_EVENT_METHOD_NORMAL_EXIT, HS_EVENT_METHOD_EXCEPTIONAL_EXIT };
    struct hs_error error = HS_ERROR_INIT;
    *c = (struct call_events){ .job = x,
                               .by_seq = (x->options.time != NULL && strcmp(x->options.time, "seq") == 0) ||
                                         resolution_ns == HS_NO_TIME,
                               .resolution_ns = resolution_ns,
                               .stamp_ns = HS_NO_TIME,
                               .used_chosen = true,
                               .used_own = true,
                               .closing = SIZE_MAX };
    if (!export_events_open(x))
        return false;
    if (selects(x->filter)) {
        struct hs_filter own = { .size = sizeof own,
                                 .from = x->filter->filter.from,
                                 .to = x->filter->filter.to,
                                 .threads = x->filter->filter.threads,
                                 .thread_count = x->filter->filter.thread_count,
                                 .events = calls,
                                 .event_count = sizeof calls / sizeof *calls };
        if (hs_events_open(x->trace, &own, &c->own, &error) != 0)
            return export_failed(x, &error);
    }
    if (!gaps_read(x->trace, &c->gaps, &error))
        return export_failed(x, &error);
    const uint64_t from = x->filter->filter.from;
    const bool behind_gap = pass_gaps(c, from) && c->gaps.items[c->next_gap - 1] == from;
    return from == 0 || behind_gap || open_before(c, from);
}

/* The next event of either cursor. False: there are no more, or it failed. */
static bool next_event(struct call_events *c)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_event *e;
    if (c->used_chosen)
        c->next_chosen = export_event_next(c->job, &e) ? e : NULL;
    if (c->used_own && c->own != NULL) {
        int more = hs_event_next(c->own, &e, &error);
        if (more < 0)
            return export_failed(c->job, &error);
        c->next_own = more > 0 ? e : NULL;
    }
    if (!export_ok(c->job))
        return false;
    const struct hs_event *chosen = c->next_chosen, *own = c->next_own;
    if (chosen == NULL && (own == NULL || c->open == 0 || c->job->left == 0))
        return false; /* behind the last event that is wanted, only ends of calls matter */
    c->event = own == NULL || (chosen != NULL && chosen->seq <= own->seq) ? chosen : own;
    c->used_chosen = c->event_chosen = chosen != NULL && chosen->seq == c->event->seq;
    c->used_own = own != NULL && own->seq == c->event->seq;
    return true;
}

static void note_event(struct call_thread *t, const struct hs_event *e, uint64_t time_ns)
{
    memmove(t->recent + 1, t->recent, sizeof t->recent - sizeof *t->recent);
    t->recent[0] = (struct call_recent){ .dataid = e->dataid, .value = { e->value, e->kind }, .time_ns = time_ns };
}

/* Finds what an exit leaves, and has it ended with all that is inside of it. */
static bool leave(struct call_events *c, struct call_thread *t, uint32_t method)
{
    for (size_t i = t->calls.count; i > 0; i--)
        if (t->calls.items[i - 1].method_id == method) {
            c->closing_key = t->key;
            c->closing_to = i - 1;
            c->leaves = true;
            return true;
        }
    return false;
}

static const struct open_call *innermost_chosen(const struct call_thread *t)
{
    for (size_t i = t->calls.count; t->depth > 0 && i > 0; i--)
        if (t->calls.items[i - 1].chosen)
            return &t->calls.items[i - 1];
    return NULL;
}

/* True: the event is a step; else the calls that it ends are, or nothing. */
static bool apply(struct call_events *c, struct call_step *step)
{
    const struct hs_event *e = c->event;
    const struct hs_dataid *d = hs_dataid_get(c->job->trace, e->dataid);
    struct call_thread *t = thread_of(c, e->thread);
    struct open_call *call;
    if (t == NULL)
        return false;
    c->last = call_time_of_event(c, e);
    note_event(t, e, c->last);
    *step = (struct call_step){ .kind = CALL_INSIDE, .thread = e->thread, .event = e, .dataid = d, .in = t };
    if (d != NULL && d->event == HS_EVENT_METHOD_ENTRY) {
        call = push(c, t, d->method_id, c->event_chosen);
        if (call == NULL)
            return false;
        call->entered = e->seq;
        call->dataid = e->dataid;
        call->receiver = (struct call_value){ e->value, e->kind };
        step->kind = CALL_BEGINS;
        step->call = call;
        if (call->chosen)
            step->time_ns = call->begun_ns = behind(t, c->last);
        return call->chosen;
    }
    call = top(t);
    if (call != NULL && d != NULL && d->method_id == call->method_id) {
        call->dataid = e->dataid;
        if (d->event == HS_EVENT_METHOD_PARAM && !add_argument(c, t, (struct call_value){ e->value, e->kind }))
            return false;
        if (d->event == HS_EVENT_METHOD_OBJECT_INITIALIZED) /* a constructor has no receiver before */
            call->receiver = (struct call_value){ e->value, e->kind };
    }
    if (d != NULL && (d->event == HS_EVENT_METHOD_NORMAL_EXIT || d->event == HS_EVENT_METHOD_EXCEPTIONAL_EXIT) &&
        leave(c, t, d->method_id))
        return false;
    if (c->event_chosen) {
        step->time_ns = t->recent[0].time_ns = behind(t, c->last);
        step->call = innermost_chosen(t);
    }
    return c->event_chosen;
}

/* ---- steps without an event of their own ---- */

/* The calls that were open before begin, one a step. */
static bool begin_before(struct call_events *c, struct call_step *step)
{
    for (; c->opening < c->threads.cap; c->opening++, c->opening_call = 0) { /* SIZE_MAX: that was done */
        struct call_thread *t = &c->threads.slots[c->opening];
        while (t->key != 0 && c->opening_call < t->calls.count) {
            struct open_call *call = &t->calls.items[c->opening_call++];
            if (!call->chosen)
                continue;
            call->begun_ns = behind(t, call_time_of_event(c, c->event));
            *step = (struct call_step){
                .kind = CALL_BEGINS, .thread = (uint32_t)(t->key - 1), .time_ns = call->begun_ns, .call = call, .in = t
            };
            return true;
        }
    }
    c->opening = SIZE_MAX;
    return false;
}

/* Ends the innermost call of the thread. True: it is a step. */
static bool end_one(struct call_events *c, struct call_thread *t, struct call_step *step)
{
    const struct open_call *call = top(t);
    const bool left = c->leaves && t->calls.count - 1 == c->closing_to;
    *step = (struct call_step){ .kind = CALL_ENDS, .thread = (uint32_t)(t->key - 1), .call = call, .in = t };
    step->arguments = call_arguments(t, call, &step->argument_count);
    if (left) {
        step->event = c->event;
        step->dataid = hs_dataid_get(c->job->trace, c->event->dataid);
    }
    if (call->chosen) {
        step->time_ns = behind(t, c->last);
        t->depth--;
        c->open--;
    }
    t->arguments.count = call->first_argument;
    t->calls.count--;
    for (size_t i = t->calls.count; call->chosen && i > 0; i--)
        if (t->calls.items[i - 1].chosen) {
            t->calls.items[i - 1].inner_ns += step->time_ns - call->begun_ns;
            break;
        }
    if (!call->chosen && left && c->event_chosen) { /* the exit alone was chosen */
        step->kind = CALL_INSIDE;
        step->time_ns = behind(t, c->last);
        step->call = innermost_chosen(t);
        return true;
    }
    return call->chosen;
}

/* The thread whose calls are being ended; NULL: there is nothing to end. */
static struct call_thread *ending(struct call_events *c)
{
    struct call_thread *t = c->closing_key != 0 ? map_get(&c->threads, c->closing_key) : NULL;
    if (t != NULL && t->calls.count > c->closing_to)
        return t;
    c->closing_key = 0;
    c->leaves = false;
    for (; c->closing < c->threads.cap; c->closing++) {
        t = &c->threads.slots[c->closing];
        if (t->key != 0 && t->calls.count > 0) {
            c->closing_key = t->key;
            c->closing_to = 0;
            return t;
        }
    }
    c->closing = SIZE_MAX;
    return NULL;
}

bool call_events_next(struct call_events *c, struct call_step *step)
{
    while (!c->failed && export_ok(c->job)) {
        if (c->held && begin_before(c, step))
            return true;
        struct call_thread *t = ending(c);
        if (t != NULL) {
            if (end_one(c, t, step))
                return true;
        } else if (c->ended) {
            return false;
        } else if (c->held) {
            c->held = false;
            if (apply(c, step))
                return true;
        } else if (next_event(c)) {
            c->held = true;
            if (pass_gaps(c, c->event->seq))
                c->closing = 0;
        } else {
            c->ended = true;
            c->closing = c->opening == SIZE_MAX ? 0 : SIZE_MAX; /* without an event no call has begun */
        }
    }
    return false;
}

void call_events_done(struct call_events *c)
{
    for (size_t i = 0; i < c->threads.cap; i++) {
        vec_free(&c->threads.slots[i].calls);
        vec_free(&c->threads.slots[i].arguments);
    }
    map_free(&c->threads);
    hs_cursor_close(c->own);
    vec_free(&c->gaps);
}
