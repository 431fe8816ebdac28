/* tree.c - the calls of one thread as a tree, from METHOD_ENTRY and the exits.
 *
 * Calls are kept in the order of their entries, so what lies below a call is exactly the end of the list when it is
 * left. Folding (fold.h) relies on that: rounds of a loop that were there before are taken off the end.
 *
 * A cursor cuts now and then: loops end there, how the open calls end is looked up (ahead.h), and what was kept is
 * given and forgotten. So the first calls are there after `ahead` events; each cut is twice as far as the one before,
 * so that there are few. */
#include <stdlib.h>
#include <string.h>

#include "formats/event.h"
#include "reader/index/index.h"
#include "reader/query/first_occurrence.h"

enum { FIRST_CUT = 1 << 20, KEPT_MAX = 1 << 20 }; /* events of the thread; calls that are kept at once */

/* A call that is being made. */
struct open_call {
    uint32_t method_id;
    size_t node;    /* position in calls, FOLD_NO_HANDLE when it is not kept */
    bool given;     /* it was kept, until a cut */
    uint64_t entry; /* position of its METHOD_ENTRY */
    uint64_t hash, calls;
};

struct repeat_at {
    size_t node;
    struct hs_repeat repeat;
};

struct hs_tree_cursor {
    struct hs_tree made;
    struct hs_tree_want want;
    hs_trace *trace;
    struct fold fold;
    VEC(struct hs_call) calls;
    VEC(struct hs_value) values;   /* arguments, in the order of calls */
    VEC(size_t) first_values;      /* by call */
    VEC(struct repeat_at) repeats; /* by call when done */
    VEC(struct hs_repeat) repeat_list;
    VEC(struct open_call) frames;    /* the first one is the thread */
    struct first_occurrences shapes; /* HS_FOLD_ONCE: seq of the first call of a shape */
    uint64_t gap;                    /* gap_passed */
    bool no_memory;
    /* of a cursor */
    hs_cursor *events;
    VEC(struct call_end) ends;
    uint32_t stream;
    uint64_t limit;          /* events of the thread that lie before `to` */
    uint64_t cut_at, window; /* position of the next cut; events from the cut before to it */
    bool at_cut, over;
    struct hs_event waiting; /* at a cut: the event behind it */
    size_t given;            /* calls of `made` */
};

static struct open_call *top(hs_tree_cursor *t) { return &t->frames.items[t->frames.count - 1]; }

static void drop(void *context, size_t length)
{
    hs_tree_cursor *t = context;
    if (length >= t->calls.count)
        return;
    t->values.count = t->first_values.items[length];
    t->calls.count = t->first_values.count = length;
    while (t->repeats.count > 0 && t->repeats.items[t->repeats.count - 1].node >= length)
        t->repeats.count--;
}

static size_t repeat(void *context, size_t node, uint32_t calls, uint64_t times, size_t note)
{
    hs_tree_cursor *t = context;
    if (calls == 1) {
        t->calls.items[node].times = times;
        return FOLD_NO_HANDLE;
    }
    if (note == FOLD_NO_HANDLE) {
        note = t->repeats.count;
        if (vec_push(&t->repeats) == NULL) {
            t->no_memory = true;
            return FOLD_NO_HANDLE;
        }
    }
    t->repeats.items[note] = (struct repeat_at){ node, { calls, times } };
    return note;
}

static const struct fold_ops ops = { drop, repeat };

static void enter(hs_tree_cursor *t, const struct hs_event *e, const struct hs_dataid *d)
{
    bool folds = t->want.fold != HS_FOLD_NONE;
    uint32_t depth = (uint32_t)(t->frames.count - 1);
    size_t node = FOLD_NO_HANDLE;
    top(t)->calls++;
    if (folds)
        fold_next(&t->fold, d->method_id);
    size_t before = t->calls.count;
    bool wanted = depth == 0 || (depth <= t->want.depth && (top(t)->node != FOLD_NO_HANDLE || top(t)->given));
    t->made.cut |= wanted && before >= t->want.max;
    if (wanted && before < t->want.max) {
        struct hs_call *n = vec_push(&t->calls);
        size_t *first = vec_push(&t->first_values);
        if (n == NULL || first == NULL) {
            t->no_memory = true;
            return;
        }
        node = before;
        *first = t->values.count;
        *n = (struct hs_call){ .seq = e->seq,
                               .dataid = e->dataid,
                               .depth = depth,
                               .times = 1,
                               .like = HS_NO_SEQ,
                               .receiver =
                                   e->kind == 'L' ? (struct hs_value){ e->value, 'L' } : (struct hs_value){ 0 } };
    }
    if (folds) {
        fold_add(&t->fold, d->method_id, before, node);
        fold_open(&t->fold);
    }
    struct open_call *f = vec_push(&t->frames);
    if (f == NULL) {
        t->no_memory = true;
        return;
    }
    *f = (struct open_call){
        .method_id = d->method_id, .node = node, .entry = e->position, .hash = fold_mix(1, d->method_id)
    };
    if (e->kind == 'L' && t->want.fold == HS_FOLD_EQUAL)
        f->hash = fold_mix(f->hash, e->value);
}

static void add_argument(hs_tree_cursor *t, uint64_t bits, char kind)
{
    struct open_call *f = top(t);
    if (t->want.fold == HS_FOLD_EQUAL)
        f->hash = fold_mix(f->hash, bits);
    if (f->node == FOLD_NO_HANDLE)
        return;
    struct hs_value *v = vec_push(&t->values);
    if (v == NULL) {
        t->no_memory = true;
        return;
    }
    *v = (struct hs_value){ bits, kind };
    t->calls.items[f->node].argument_count++;
}

/* The call on top is over. */
static void pop(hs_tree_cursor *t)
{
    struct open_call *f = top(t);
    if (t->want.fold != HS_FOLD_NONE) {
        struct fold_sum made = fold_close(&t->fold);
        uint64_t hash = fold_mix(fold_mix(f->hash, made.hash), made.length);
        fold_hash(&t->fold, hash);
        if (t->want.fold == HS_FOLD_ONCE && f->node != FOLD_NO_HANDLE && f->node + 1 < t->calls.count) {
            struct hs_call *n = &t->calls.items[f->node];
            uint64_t first = first_occurrence_of(&t->shapes, hash, n->seq);
            t->no_memory |= first == NO_OCCURRENCE;
            if (first != n->seq) {
                n->like = first;
                drop(t, f->node + 1);
            }
        }
    }
    if (f->node != FOLD_NO_HANDLE)
        t->calls.items[f->node].calls = f->calls;
    t->frames.count--;
}

/* The call was left with this event. */
static void left_with(struct hs_call *c, const struct hs_dataid *d, uint64_t value)
{
    c->left = true;
    c->threw = d->event == EVENT_METHOD_EXCEPTIONAL_EXIT;
    if (c->threw)
        c->exception = value;
    else if (d->kind != 'V')
        c->result = (struct hs_value){ value, d->kind };
}

static void leave(hs_tree_cursor *t, const struct hs_event *e, const struct hs_dataid *d)
{
    size_t at = t->frames.count - 1;
    while (at > 0 && t->frames.items[at].method_id != d->method_id)
        at--;
    if (at == 0)
        return; /* entered before the recording, or before `from` */
    while (t->frames.count - 1 > at)
        pop(t);
    struct open_call *f = top(t);
    bool threw = d->event == EVENT_METHOD_EXCEPTIONAL_EXIT;
    f->hash = fold_mix(f->hash, threw ? 3 : 5);
    if (t->want.fold == HS_FOLD_EQUAL && !threw)
        f->hash = fold_mix(f->hash, e->value);
    if (f->node != FOLD_NO_HANDLE)
        left_with(&t->calls.items[f->node], d, e->value);
    pop(t);
}

/* The calls that are open at event `open_at`, outermost first: their entries and arguments. */
static int open_calls(hs_tree_cursor *t, struct hs_error *error)
{
    const struct hs_frame *frames;
    size_t count = 0;
    struct hs_event at;
    if (hs_frames_at(t->trace, t->want.open_at, &frames, &count, error) != 0 ||
        hs_event_at(t->trace, t->want.open_at, &at, error) != 0)
        return -1;
    t->gap = gap_behind(t->trace, at.stamp);
    while (count-- > 0 && !t->no_memory) {
        const struct hs_frame *f = &frames[count];
        struct hs_event e;
        if (f->entered == HS_NO_SEQ || f->entered > t->want.open_at)
            continue; /* entered before the recording, or about to be walked over */
        if (hs_event_at(t->trace, f->entered, &e, error) != 0)
            return -1;
        enter(t, &e, hs_dataid_get(t->trace, e.dataid));
        for (size_t i = 0; i < f->parameter_count && !t->no_memory; i++)
            add_argument(t, f->parameters[i].value, f->parameters[i].kind);
    }
    return 0;
}

static bool failed(const hs_tree_cursor *t) { return t->no_memory || t->fold.no_memory; }

static void step(hs_tree_cursor *t, const struct hs_event *e, const struct hs_dataid *d)
{
    if (gap_passed(t->trace, &t->gap, e->stamp))
        while (t->frames.count > 1 && !failed(t)) /* nobody knows whether they still run */
            pop(t);
    if (d->event == EVENT_METHOD_ENTRY)
        enter(t, e, d);
    else if (d->event != EVENT_METHOD_PARAM)
        leave(t, e, d);
    else if (t->frames.count > 1 && top(t)->method_id == d->method_id)
        add_argument(t, e->value, e->kind);
}

/* Behind the last event: calls that are still running. */
static void end(hs_tree_cursor *t)
{
    while (t->frames.count > 1 && !failed(t))
        pop(t);
    if (t->want.fold != HS_FOLD_NONE && !failed(t))
        (void)fold_close(&t->fold);
}

static int by_node(const void *a, const void *b)
{
    const struct repeat_at *x = a, *y = b;
    return x->node != y->node                  ? (x->node < y->node ? -1 : 1)
           : x->repeat.calls < y->repeat.calls ? -1
                                               : x->repeat.calls > y->repeat.calls;
}

/* Calls get their arguments and repeats, now that these lists stand still. */
static bool finish(hs_tree_cursor *t)
{
    size_t n = t->repeats.count;
    if (!vec_reserve(&t->repeat_list, n))
        return false;
    if (n > 1)
        qsort(t->repeats.items, n, sizeof *t->repeats.items, by_node);
    for (size_t i = 0; i < n; i++) {
        struct hs_call *c = &t->calls.items[t->repeats.items[i].node];
        t->repeat_list.items[i] = t->repeats.items[i].repeat;
        c->repeats = c->repeat_count++ == 0 ? &t->repeat_list.items[i] : c->repeats;
    }
    for (size_t i = 0; i < t->calls.count; i++)
        t->calls.items[i].arguments =
            t->calls.items[i].argument_count > 0 ? &t->values.items[t->first_values.items[i]] : NULL;
    t->made.calls = t->calls.items;
    t->made.count = t->calls.count;
    return true;
}

static int no_memory(struct hs_error *error)
{
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    return give(error, &err);
}

/* A tree that has the calls open at `open_at`, and a cursor over the events that follow. */
static int begin(hs_trace *trace, const struct hs_tree_want *want, hs_tree_cursor **out, struct hs_error *error)
{
    static const unsigned events[] = { EVENT_METHOD_ENTRY, EVENT_METHOD_PARAM, EVENT_METHOD_NORMAL_EXIT,
                                       EVENT_METHOD_EXCEPTIONAL_EXIT };
    struct hs_filter filter = { .size = sizeof filter,
                                .from = want->from,
                                .to = want->to,
                                .threads = &want->thread,
                                .thread_count = 1,
                                .events = events,
                                .event_count = sizeof events / sizeof *events };
    hs_tree_cursor *t = calloc(1, sizeof *t);
    struct open_call *root = t != NULL ? vec_push(&t->frames) : NULL;
    if (root == NULL) {
        free(t);
        return no_memory(error);
    }
    *root = (struct open_call){ .node = FOLD_NO_HANDLE };
    t->trace = trace;
    t->want = *want;
    t->fold = (struct fold){ .ops = &ops, .context = t };
    fold_open(&t->fold);
    if (hs_cursor_open(trace, &filter, &t->events, error) != 0 ||
        (want->open_at != HS_NO_SEQ && open_calls(t, error) != 0)) {
        hs_tree_close(&t->made);
        return -1;
    }
    *out = t;
    return 0;
}

int hs_tree_open(hs_trace *trace, const struct hs_tree_want *want, const struct hs_tree **out, struct hs_error *error)
{
    hs_tree_cursor *t;
    const struct hs_event *e;
    int more = 0;
    if (begin(trace, want, &t, error) != 0)
        return -1;
    while (!failed(t) && (more = hs_cursor_next(t->events, &e, error)) > 0)
        step(t, e, hs_dataid_get(trace, e->dataid));
    end(t);
    if (more >= 0 && (failed(t) || !finish(t)))
        more = no_memory(error);
    if (more < 0) {
        hs_tree_close(&t->made);
        return -1;
    }
    *out = &t->made;
    return 0;
}

void hs_tree_close(const struct hs_tree *made)
{
    hs_tree_cursor *t = (hs_tree_cursor *)(uintptr_t)made; /* its first member */
    if (t == NULL)
        return;
    hs_cursor_close(t->events);
    fold_done(&t->fold);
    vec_free(&t->frames);
    first_occurrences_done(&t->shapes);
    vec_free(&t->calls);
    vec_free(&t->values);
    vec_free(&t->first_values);
    vec_free(&t->repeats);
    vec_free(&t->repeat_list);
    vec_free(&t->ends);
    free(t);
}

/* ---- call by call ---- */

/* Of the calls that are open and kept: what is known when they end. */
static int look_ahead(hs_tree_cursor *t, uint64_t position, struct hs_error *error)
{
    struct error err;
    size_t n = 0;
    t->ends.count = 0;
    for (size_t i = 1; i < t->frames.count; i++)
        if (t->frames.items[i].node != FOLD_NO_HANDLE) {
            struct call_end *x = vec_push(&t->ends);
            if (x == NULL)
                return no_memory(error);
            x->entry = t->frames.items[i].entry;
        }
    if (t->ends.count > 0 &&
        call_ends_find(t->trace, t->stream, position, t->limit, t->ends.items, t->ends.count, &err) != OK)
        return give(error, &err);
    for (size_t i = 1; i < t->frames.count; i++) {
        struct open_call *f = &t->frames.items[i];
        if (f->node == FOLD_NO_HANDLE)
            continue;
        const struct call_end *x = &t->ends.items[n++];
        struct hs_call *c = &t->calls.items[f->node];
        c->calls = x->exit == CALL_UNKNOWN ? f->calls : x->calls;
        f->node = FOLD_NO_HANDLE;
        f->given = true;
        if (x->exit == CALL_OPEN || x->exit == CALL_UNKNOWN || x->dataid == UINT32_MAX)
            continue;
        left_with(c, hs_dataid_get(t->trace, x->dataid), x->value);
    }
    return 0;
}

/* Forgets what was given. */
static void clear(hs_tree_cursor *t)
{
    t->calls.count = t->values.count = t->first_values.count = t->repeats.count = 0;
    t->made.count = t->given = 0;
}

/* Walks to the next cut or the end, where calls can be given. */
static int walk_on(hs_tree_cursor *t, struct hs_error *error)
{
    const struct hs_event *e;
    int more = 0;
    clear(t);
    if (t->at_cut) { /* the event behind the last cut */
        step(t, &t->waiting, hs_dataid_get(t->trace, t->waiting.dataid));
        t->at_cut = false;
    }
    while (!failed(t) && (more = hs_cursor_next(t->events, &e, error)) > 0) {
        const struct hs_dataid *d = hs_dataid_get(t->trace, e->dataid);
        if (t->window == 0) {
            t->window = t->want.ahead > 0 ? t->want.ahead : FIRST_CUT;
            t->cut_at = e->position + t->window;
        }
        if (d->event == EVENT_METHOD_ENTRY && (e->position >= t->cut_at || t->calls.count >= KEPT_MAX)) {
            t->waiting = *e;
            t->at_cut = true;
            break;
        }
        step(t, e, d);
    }
    if (more < 0)
        return -1;
    if (t->at_cut) {
        t->window *= 2;
        t->cut_at = t->waiting.position + t->window;
        if (t->want.fold != HS_FOLD_NONE)
            fold_cut(&t->fold);
        if (look_ahead(t, t->waiting.position, error) != 0)
            return -1;
    } else {
        end(t);
        t->over = true;
    }
    return failed(t) || !finish(t) ? no_memory(error) : 0;
}

/* The events of the thread up to `to`. */
static int find_limit(hs_tree_cursor *t, struct hs_error *error)
{
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_event *e;
    hs_cursor *c;
    t->stream = positions_stream(t->trace, t->want.thread);
    t->limit = t->stream != UINT32_MAX ? t->trace->streams[t->stream].events : 0;
    if (t->want.to >= t->trace->events || t->stream == UINT32_MAX)
        return 0;
    filter.threads = &t->want.thread;
    filter.thread_count = 1;
    if (hs_cursor_open(t->trace, &filter, &c, error) != 0)
        return -1;
    int more = hs_cursor_seek(c, t->want.to + 1, error) == 0 ? hs_cursor_previous(c, &e, error) : -1;
    if (more >= 0)
        t->limit = more > 0 ? e->position + 1 : 0;
    hs_cursor_close(c);
    return more < 0 ? -1 : 0;
}

int hs_tree_cursor_open(hs_trace *trace, const struct hs_tree_want *want, hs_tree_cursor **out, struct hs_error *error)
{
    hs_tree_cursor *t;
    if (begin(trace, want, &t, error) != 0)
        return -1;
    if (find_limit(t, error) != 0) {
        hs_tree_close(&t->made);
        return -1;
    }
    *out = t;
    return 0;
}

void hs_tree_cursor_close(hs_tree_cursor *c) { hs_tree_close(c != NULL ? &c->made : NULL); }

int hs_tree_cursor_next(hs_tree_cursor *c, const struct hs_call **call, struct hs_error *error)
{
    while (c->given == c->made.count) {
        if (c->over)
            return 0;
        if (walk_on(c, error) != 0)
            return -1;
    }
    *call = &c->made.calls[c->given++];
    return 1;
}
