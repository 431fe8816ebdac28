/* jmtrace.c - the format jmtrace: a line per read or write of a field or array element, in the global order.
 *
 *     R 1 000000000000002a a.b.Account.balance         R or W, Thread.threadId(), the id of the object in hexadecimal
 *     W 14 000000000000002b int[3]                     (0: a static field), what was read or written
 *     W 1 0000000000000000 a.b.Account.count
 *
 * Accesses that threw are left out. A store is recorded before it is done, and the object of a store before super() is
 * known only after it: such lines wait in a queue until an event of their thread has shown it, and lines behind them
 * wait, too. The queue is bounded: a line that would make it longer leaves it as if its store was done. */
#include "formats/event.h"
#include "formats/map.h"
#include "formats/vec.h"
#include "reader/command/show.h"
#include "reader/export/export.h"

#include <string.h>

enum { QUEUE_MAX = 1 << 16 };
enum line_state { LINE_DONE, LINE_LEFT_OUT, LINE_STORE, LINE_EARLY };

/* The first event of an access, and what is known of it. */
struct line {
    enum line_state state;
    bool wanted; /* one of its events passes the filter */
    uint32_t thread, dataid;
    uint64_t object, index;
    uint64_t waits; /* the number of the line of its thread that waits too, and was there before it; 0 none */
    int64_t depth;  /* of its frame */
};
struct thread {
    uint64_t key;      /* number + 1 */
    int64_t depth;     /* frames entered less frames left */
    uint64_t waits;    /* the newest line that waits; 0 none */
    struct line begun; /* of an access whose events are not complete */
    bool open;
};
struct jmtrace {
    struct export_job *job;
    MAP(struct thread) threads;
    struct line *queue;   /* a ring, QUEUE_MAX */
    uint64_t first, next; /* numbers of lines, from 1 on */
    hs_cursor *chosen;    /* events that pass the filter; NULL: all do */
    const struct hs_event *passes;
    uint64_t left; /* --limit */
};

static struct line *line_at(struct jmtrace *q, uint64_t number) { return &q->queue[number % QUEUE_MAX]; }

/* ---- output ---- */

static void place(struct jmtrace *q, const struct line *l, const struct hs_dataid *d)
{
    struct out *o = q->job->out;
    if (!event_has(d->event, USE_READ_ELEMENT | USE_WRITE_ELEMENT)) {
        const char *owner = show_text_attr(d, "owner"), *name = show_text_attr(d, "name");
        out_name(o, owner != NULL ? owner : "?");
        out_char(o, '.');
        out_name(o, name != NULL ? name : "?");
        return;
    }
    const struct hs_object *array = l->object <= UINT32_MAX ? hs_object_get(q->job->trace, (uint32_t)l->object) : NULL;
    const char *type = array != NULL && array->type != NULL ? array->type : "?";
    size_t n = strlen(type);
    if (n > 2 && strcmp(type + n - 2, "[]") == 0)
        n -= 2; /* the type of its elements */
    out_format(o, "%.*s[", (int)(n < NAME_MAX_DEFAULT ? n : NAME_MAX_DEFAULT), type);
    out_u64(o, l->index);
    out_char(o, ']');
}

static void write_line(struct jmtrace *q, const struct line *l)
{
    struct out *o = q->job->out;
    const struct hs_dataid *d = hs_dataid_get(q->job->trace, l->dataid);
    const struct hs_thread *thread = hs_thread_get(q->job->trace, l->thread);
    if (l->state == LINE_LEFT_OUT || !l->wanted || d == NULL)
        return;
    out_char(o, event_has(d->event, USE_READ_FIELD | USE_READ_ELEMENT) ? 'R' : 'W');
    out_char(o, ' ');
    out_u64(o, thread != NULL ? thread->tid : 0);
    out_format(o, " %016llx ", (unsigned long long)l->object);
    place(q, l, d);
    out_char(o, '\n');
}

/* Writes the lines at the front of the queue that do not wait, down to `most`. */
static void drain(struct jmtrace *q, uint64_t most)
{
    while (q->first < q->next) {
        struct line *l = line_at(q, q->first);
        bool waits = l->state == LINE_STORE || l->state == LINE_EARLY;
        if (waits && q->next - q->first <= most)
            return;
        write_line(q, l);
        q->first++;
    }
}

/* ---- lines that wait ---- */

static bool add(struct jmtrace *q, struct thread *t, struct line l)
{
    if (q->next - q->first == QUEUE_MAX)
        drain(q, QUEUE_MAX - 1);
    if (l.state == LINE_STORE || l.state == LINE_EARLY) {
        l.waits = t->waits;
        t->waits = q->next;
    }
    *line_at(q, q->next++) = l;
    drain(q, QUEUE_MAX);
    return export_ok(q->job);
}

/* JVMS 6.5: what aastore, the other array stores and putstatic throw themselves. */
static bool thrown_by_store(struct jmtrace *q, uint64_t exception)
{
    static const char *const types[] = { "java.lang.ArrayIndexOutOfBoundsException", "java.lang.ArrayStoreException",
                                         "java.lang.NullPointerException", "java.lang.ExceptionInInitializerError",
                                         "java.lang.NoClassDefFoundError" };
    const struct hs_object *o = exception <= UINT32_MAX ? hs_object_get(q->job->trace, (uint32_t)exception) : NULL;
    for (size_t i = 0; o != NULL && o->type != NULL && i < sizeof types / sizeof *types; i++)
        if (strcmp(o->type, types[i]) == 0)
            return true;
    return false;
}

/* Does this event of the frame of a store show that it threw? */
static bool shows_throw(struct jmtrace *q, const struct hs_event *e, const struct hs_dataid *d, const struct line *l)
{
    const struct hs_dataid *store = hs_dataid_get(q->job->trace, l->dataid);
    if (d->method_id != store->method_id)
        return false;
    if (d->event == HS_EVENT_CATCH_LABEL)
        return e->value == store->pc;
    return (d->event == HS_EVENT_METHOD_EXCEPTIONAL_EXIT || d->event == HS_EVENT_CATCH) && thrown_by_store(q, e->value);
}

/* What an event shows of the lines of its thread that wait. Those of outer frames go on waiting. */
static void settle(struct jmtrace *q, struct thread *t, const struct hs_event *e, const struct hs_dataid *d)
{
    while (t->waits >= q->first) {
        struct line *l = line_at(q, t->waits);
        bool leaves = event_has(d->event, USE_LEAVE);
        bool element = event_has(hs_dataid_get(q->job->trace, l->dataid)->event, USE_WRITE_ELEMENT);
        if (l->depth < t->depth || (event_has(d->event, USE_ENTER) && !element)) /* an entry: a class initializer */
            return;
        if (l->state == LINE_STORE)
            l->state = shows_throw(q, e, d, l) ? LINE_LEFT_OUT : LINE_DONE;
        else if (d->event == HS_EVENT_METHOD_OBJECT_INITIALIZED || leaves) {
            l->object = leaves ? 0 : e->value;
            l->state = LINE_DONE;
        } else
            return;
        t->waits = l->waits;
    }
    t->waits = 0;
}

/* ---- accesses ---- */

/* The last event of an access, whose line is complete. */
static bool end_access(struct jmtrace *q, struct thread *t, enum line_state state)
{
    t->open = false;
    t->begun.state = state;
    return t->begun.object == 0 || add(q, t, t->begun); /* null: it threw */
}

static bool access_event(struct jmtrace *q, struct thread *t, const struct hs_event *e, const struct hs_dataid *d,
                         bool wanted)
{
    struct line alone = { .thread = e->thread, .dataid = e->dataid, .wanted = wanted, .depth = t->depth };
    switch (d->event) {
    case HS_EVENT_GET_INSTANCE_FIELD:
    case HS_EVENT_PUT_INSTANCE_FIELD:
    case HS_EVENT_ARRAY_LOAD:
    case HS_EVENT_ARRAY_STORE:
        t->begun = alone;
        t->begun.object = e->value;
        t->open = true;
        return true;
    case HS_EVENT_GET_STATIC_FIELD: return add(q, t, alone);
    case HS_EVENT_PUT_STATIC_FIELD: alone.state = LINE_STORE; return add(q, t, alone);
    case HS_EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION: alone.state = LINE_EARLY; return add(q, t, alone);
    default: break;
    }
    const struct hs_dataid *first = t->open ? hs_dataid_get(q->job->trace, t->begun.dataid) : NULL;
    if (first == NULL || first->method_id != d->method_id || first->pc != d->pc) {
        t->open = false; /* it threw */
        return true;
    }
    t->begun.wanted |= wanted;
    switch (d->event) {
    case HS_EVENT_ARRAY_LOAD_INDEX:
    case HS_EVENT_ARRAY_STORE_INDEX: t->begun.index = e->value; return true;
    case HS_EVENT_GET_INSTANCE_FIELD_RESULT:
    case HS_EVENT_ARRAY_LOAD_RESULT:
    case HS_EVENT_PUT_INSTANCE_FIELD_VALUE: return end_access(q, t, LINE_DONE);
    case HS_EVENT_ARRAY_STORE_VALUE: return end_access(q, t, LINE_STORE);
    default: return true;
    }
}

static bool event(struct jmtrace *q, const struct hs_event *e, bool wanted)
{
    const struct hs_dataid *d = hs_dataid_get(q->job->trace, e->dataid);
    struct thread *t = map_put(&q->threads, (uint64_t)e->thread + 1);
    if (t == NULL)
        return export_fail(q->job, "out of memory");
    if (d == NULL)
        return true;
    settle(q, t, e, d);
    t->depth += event_has(d->event, USE_ENTER);
    bool done = access_event(q, t, e, d, wanted);
    t->depth -= event_has(d->event, USE_LEAVE);
    return done;
}

/* ---- reading ---- */

/* Steps to the next event that passes the filter. */
static bool next_chosen(struct jmtrace *q)
{
    struct hs_error error = HS_ERROR_INIT;
    int more = q->left-- > 0 ? hs_event_next(q->chosen, &q->passes, &error) : 0;
    if (more <= 0)
        q->passes = NULL;
    return more >= 0 || export_failed(q->job, &error);
}

static bool walk(struct jmtrace *q, hs_cursor *cursor)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_event *e;
    int more = 0;
    while (export_ok(q->job) && (more = hs_event_next(cursor, &e, &error)) > 0) {
        bool wanted = q->chosen == NULL || (q->passes != NULL && q->passes->seq == e->seq);
        if (!event(q, e, wanted) || (q->chosen != NULL && wanted && !next_chosen(q)))
            return false;
    }
    drain(q, 0);
    return more == 0 || export_failed(q->job, &error);
}

bool export_jmtrace(struct export_job *x)
{
    struct jmtrace q = { .job = x, .first = 1, .next = 1, .left = x->limit };
    const struct hs_filter *f = &x->filter->filter;
    struct hs_filter all = HS_FILTER_ALL;
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *cursor = NULL;
    bool done = false;
    all.from = f->from;
    all.to = f->to;
    all.threads = f->threads;
    all.thread_count = f->thread_count;
    if (!export_has_stream(x))
        return false;
    q.queue = malloc(QUEUE_MAX * sizeof *q.queue);
    if (q.queue == NULL) {
        (void)export_fail(x, "out of memory");
        goto out;
    }
    if (!x->filter->all || x->limit != UINT64_MAX) {
        x->status = chosen_open(x->filter, x->session->context, &q.chosen);
        if (x->status != PARSED || !next_chosen(&q))
            goto out;
    }
    if (hs_events_open(x->trace, &all, &cursor, &error) != 0)
        (void)export_failed(x, &error);
    else
        done = walk(&q, cursor);
out:
    hs_cursor_close(cursor);
    hs_cursor_close(q.chosen);
    map_free(&q.threads);
    free(q.queue);
    if (done)
        export_unwoven(x, "read or write", USE_READ_FIELD | USE_WRITE_FIELD | USE_READ_ELEMENT | USE_WRITE_ELEMENT);
    return done;
}
