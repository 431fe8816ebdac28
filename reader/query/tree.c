/* tree.c - the calls of one thread as a tree, from METHOD_ENTRY and the exits.
 *
 * Calls are kept in the order of their entries, so when a call returns, the calls below it are the end of the list.
 * Folding (fold.h) relies on that: repeated rounds of a loop are removed from the end.
 *
 * A tree cursor returns calls in batches. At a cut it ends all loops, looks up how the open calls end (ahead.h), and
 * returns and forgets the calls kept so far. So the first calls are returned after `ahead` events; each cut is twice as
 * far away as the one before, so that there are few. A tree with a depth leaves out what lies deeper (tree_skip.h). */
#include <stdlib.h>
#include <string.h>

#include "formats/event.h"
#include "formats/map.h"
#include "formats/rows.h"
#include "reader/cursor/cursor.h"
#include "reader/query/first_occurrence.h"
#include "reader/query/state.h"
#include "reader/query/tree_skip.h"

enum { FIRST_CUT = 1 << 20, KEPT_MAX = 1 << 20 }; /* events of the thread; calls that are kept at once */
/* a tree of more levels is read as a whole */
enum { DEPTH_MOST = 1000 };

/* A call that has not returned. */
struct open_call {
    uint32_t method_id;
    size_t node;    /* position in calls, FOLD_NO_HANDLE when it is not kept */
    bool given;     /* it was kept and then returned at a cut */
    bool begun;     /* before the walk: some of its calls may not be seen */
    uint64_t entry; /* position of its METHOD_ENTRY */
    uint64_t hash, calls;
};

/* A repetition, by the first call of its path. */
struct repeat_at {
    size_t node;
    struct hs_repeat repeat;
};

/* A call with what its public struct points to. */
struct tree_call {
    struct hs_call made;
    struct hs_value receiver, result; /* kind 0: none */
    size_t first_value;
};

struct tree_cursor {
    hs_cursor base;
    bool cut; /* there were more calls than wanted */
    struct hs_tree_options want;
    hs_trace *trace;
    struct fold fold;
    VEC(struct tree_call) calls;
    VEC(struct hs_value) values; /* arguments, in the order of calls */
    VEC(const struct hs_value *) value_list;
    VEC(struct repeat_at) repeats; /* by call when done */
    VEC(const struct hs_repeat *) repeat_list;
    VEC(struct open_call) open;  /* the first one stands for the thread */
    first_occurrence_map shapes; /* HS_FOLD_ONCE: seq of the first call of a shape */
    uint64_t gap;                /* gap_passed */
    bool no_memory;
    struct walk events;
    /* of a tree cursor */
    VEC(struct call_end) ends;
    uint32_t stream;
    uint64_t limit;          /* events of the thread up to `to` */
    uint64_t cut_at, window; /* position of the next cut; events from the cut before to it */
    bool at_cut, over;
    struct hs_event waiting; /* at a cut: the event after it */
    size_t given;            /* of `calls` */
    uint64_t read;           /* phase_resume */
    struct tree_skip skip;
};

static int next_call(hs_cursor *base, const void **call, struct hs_error *error);
static void close_tree(hs_cursor *base);
static const struct cursor_ops tree_ops = { .row = ROW_call, .next = next_call, .close = close_tree };

static struct open_call *top(struct tree_cursor *t) { return &t->open.items[t->open.count - 1]; }

/* ---- folding ---- */

static void drop_calls(void *context, size_t length)
{
    struct tree_cursor *t = context;
    if (length >= t->calls.count)
        return;
    t->values.count = t->calls.items[length].first_value;
    t->calls.count = length;
    while (t->repeats.count > 0 && t->repeats.items[t->repeats.count - 1].node >= length)
        t->repeats.count--;
}

static size_t note_repeat(void *context, size_t node, uint32_t calls, uint64_t times, size_t note)
{
    struct tree_cursor *t = context;
    if (calls == 1) {
        t->calls.items[node].made.times = times;
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

static const struct fold_ops ops = { drop_calls, note_repeat };

/* ---- the events of calls ---- */

/* Calls that lie deeper than wanted are not compared either, so that they need not be read. */
static bool folds_at(const struct tree_cursor *t, size_t depth)
{
    return t->want.fold != HS_FOLD_NONE && depth <= t->want.depth;
}

/* Is the call that begins now part of the tree? Its depth is within the limit and its caller is part of it. */
static bool is_wanted(struct tree_cursor *t, uint32_t depth)
{
    if (depth == 0)
        return true;
    return depth <= t->want.depth && (top(t)->node != FOLD_NO_HANDLE || top(t)->given);
}

/* Appends a call; false: out of memory. */
static bool add_call(struct tree_cursor *t, const struct hs_event *e, uint32_t depth)
{
    struct tree_call *n = vec_push(&t->calls);
    if (n == NULL)
        return false;
    *n = (struct tree_call){
        .made = { .seq = e->seq, .dataid = e->dataid, .depth = depth, .times = 1, .like = HS_NO_SEQ },
        .first_value = t->values.count
    };
    if (e->kind == 'L')
        n->receiver = (struct hs_value){ e->value, 'L' };
    return true;
}

static void enter(struct tree_cursor *t, const struct hs_event *e, const struct hs_dataid *d)
{
    uint32_t depth = (uint32_t)(t->open.count - 1);
    bool folds = folds_at(t, depth);
    size_t node = FOLD_NO_HANDLE;
    top(t)->calls++;
    if (folds)
        fold_next(&t->fold, d->method_id);
    size_t before = t->calls.count;
    bool wanted = is_wanted(t, depth);
    t->cut |= wanted && before >= t->want.max;
    if (wanted && before < t->want.max) {
        node = before;
        if (!add_call(t, e, depth)) {
            t->no_memory = true;
            return;
        }
    }
    if (folds) {
        fold_add(&t->fold, d->method_id, before, node);
        fold_open(&t->fold);
    }
    struct open_call *f = vec_push(&t->open);
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

static void add_argument(struct tree_cursor *t, uint64_t bits, char kind)
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
    t->calls.items[f->node].made.argument_count++;
}

/* HS_FOLD_ONCE: a call like an earlier one refers to that, and what it called is dropped. */
static void refer_to_first(struct tree_cursor *t, const struct open_call *f, uint64_t hash)
{
    if (f->node == FOLD_NO_HANDLE || f->node + 1 >= t->calls.count)
        return;
    struct hs_call *n = &t->calls.items[f->node].made;
    uint64_t first = first_occurrence_of(&t->shapes, hash, n->seq);
    t->no_memory |= first == NO_OCCURRENCE;
    if (first != n->seq) {
        n->like = first;
        drop_calls(t, f->node + 1);
    }
}

/* Removes the innermost open call. */
static void pop(struct tree_cursor *t)
{
    struct open_call *f = top(t);
    if (folds_at(t, t->open.count - 2)) {
        struct fold_sum sum = fold_close(&t->fold);
        uint64_t hash = fold_mix(fold_mix(f->hash, sum.hash), sum.length);
        fold_hash(&t->fold, hash);
        if (t->want.fold == HS_FOLD_ONCE)
            refer_to_first(t, f, hash);
    }
    if (f->node != FOLD_NO_HANDLE)
        t->calls.items[f->node].made.calls = f->begun ? HS_NO_SEQ : f->calls;
    t->open.count--;
}

/* Notes the result or exception of a call that this exit ended. */
static void set_result(struct tree_call *c, const struct hs_dataid *d, uint64_t value)
{
    c->made.left = true;
    c->made.threw = d->event != EVENT_METHOD_NORMAL_EXIT;
    if (c->made.threw)
        c->made.exception = value;
    else if (d->kind != 'V')
        c->result = (struct hs_value){ value, d->kind };
}

/* What two exceptions have to share for calls to be equal: the type; as values also the message. */
static uint64_t exception_hash(struct tree_cursor *t, uint64_t id)
{
    uint64_t hash = id <= UINT32_MAX ? objects_class(t->trace, id) : 0;
    if (t->want.fold != HS_FOLD_EQUAL || id > UINT32_MAX)
        return hash;
    struct thrown_row row = { 0 };
    struct error err = { 0 };
    const struct text data = objects_thrown(t->trace, (uint32_t)id);
    if (data.size == 0 || thrown_row_decode(data.data, data.size, &row, &err) != OK)
        return fold_mix(hash, id);
    hash = fold_mix(hash, row.has_message ? map_hash(row.message.data, row.message.size) : 1);
    thrown_row_done(&row);
    return hash;
}

/* The innermost open call ended with this exit; or with the exception of the exit, or CATCH, of one below it. */
static void end_call(struct tree_cursor *t, const struct hs_event *e, const struct hs_dataid *d)
{
    struct open_call *f = top(t);
    bool threw = d->event != EVENT_METHOD_NORMAL_EXIT;
    f->hash = fold_mix(f->hash, threw ? fold_mix(3, exception_hash(t, e->value)) : 5);
    if (t->want.fold == HS_FOLD_EQUAL && !threw)
        f->hash = fold_mix(f->hash, e->value);
    if (f->node != FOLD_NO_HANDLE)
        set_result(&t->calls.items[f->node], d, e->value);
    pop(t);
}

/* An exit, or a CATCH, whose method goes on. Calls above it that have no exit, as some after a StackOverflowError, were
 * left with the exception. */
static void leave(struct tree_cursor *t, const struct hs_event *e, const struct hs_dataid *d)
{
    size_t at = t->open.count - 1;
    while (at > 0 && t->open.items[at].method_id != d->method_id)
        at--;
    if (at == 0)
        return; /* entered before the recording, or before `from` */
    while (t->open.count - 1 > at)
        if (d->event == EVENT_METHOD_NORMAL_EXIT)
            pop(t);
        else
            end_call(t, e, d);
    if (d->event != EVENT_CATCH)
        end_call(t, e, d);
}

static void leave_out(struct tree_cursor *t, const struct hs_event *e, const struct hs_dataid *d)
{
    const struct open_call *f = top(t);
    if (t->open.count > 1 && f->method_id == d->method_id && f->node != FOLD_NO_HANDLE)
        t->calls.items[f->node].made.left_out = e->value;
}

/* Enters the calls that are open at event `open_at`, outermost first, with their arguments. */
static enum status enter_open_calls(struct tree_cursor *t, struct arena *arena, struct error *err)
{
    const struct hs_frame *frames;
    size_t count = 0;
    struct hs_event at;
    enum status st = stack_at(t->trace, t->want.open_at, arena, &frames, &count, err);
    if (st == OK)
        st = event_at(t->trace, t->want.open_at, &at, err);
    if (st != OK)
        return st;
    t->gap = gap_behind(t->trace, at.stamp);
    while (count-- > 0 && !t->no_memory) {
        const struct hs_frame *f = &frames[count];
        struct hs_event e;
        if (f->entered == HS_NO_SEQ || f->entered > t->want.open_at)
            continue; /* entered before the recording, or the walk comes to it */
        st = event_at(t->trace, f->entered, &e, err);
        if (st != OK)
            return st;
        const struct hs_dataid *d = hs_dataid_get(t->trace, e.dataid);
        if (d == NULL)
            continue;
        enter(t, &e, d);
        top(t)->begun = true;
        for (size_t i = 0; i < f->parameter_count && !t->no_memory; i++)
            add_argument(t, f->parameters[i]->value, f->parameters[i]->kind);
    }
    return OK;
}

static bool failed(const struct tree_cursor *t) { return t->no_memory || t->fold.no_memory; }

static void apply(struct tree_cursor *t, const struct hs_event *e)
{
    const struct hs_dataid *d = dataid_or_none(t->trace, e->dataid);
    if (gap_passed(t->trace, &t->gap, e->stamp))
        while (t->open.count > 1 && !failed(t)) /* it is not known whether they returned in the gap */
            pop(t);
    if (d->event == EVENT_METHOD_ENTRY)
        enter(t, e, d);
    else if (d->event == EVENT_EVENTS_LEFT_OUT)
        leave_out(t, e, d);
    else if (d->event != EVENT_METHOD_PARAM)
        leave(t, e, d);
    else if (t->open.count > 1 && top(t)->method_id == d->method_id)
        add_argument(t, e->value, e->kind);
}

/* After the last event: removes the calls that did not return. */
static void close_open_calls(struct tree_cursor *t)
{
    while (t->open.count > 1 && !failed(t))
        pop(t);
    if (t->want.fold != HS_FOLD_NONE && !failed(t))
        (void)fold_close(&t->fold);
}

static int by_node(const void *a, const void *b)
{
    const struct repeat_at *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return x->repeat.calls < y->repeat.calls ? -1 : x->repeat.calls > y->repeat.calls;
}

/* Sets the pointers of calls to their values and repeats, whose lists no longer grow. */
static bool link_calls(struct tree_cursor *t)
{
    size_t n = t->repeats.count;
    if (!vec_reserve(&t->repeat_list, n) || !vec_reserve(&t->value_list, t->values.count))
        return false;
    if (n > 1)
        qsort(t->repeats.items, n, sizeof *t->repeats.items, by_node);
    for (size_t i = 0; i < n; i++) {
        struct hs_call *c = &t->calls.items[t->repeats.items[i].node].made;
        t->repeat_list.items[i] = &t->repeats.items[i].repeat;
        if (c->repeat_count == 0)
            c->repeats = &t->repeat_list.items[i];
        c->repeat_count++;
    }
    for (size_t i = 0; i < t->values.count; i++)
        t->value_list.items[i] = &t->values.items[i];
    for (size_t i = 0; i < t->calls.count; i++) {
        struct tree_call *c = &t->calls.items[i];
        c->made.arguments = c->made.argument_count > 0 ? &t->value_list.items[c->first_value] : NULL;
        c->made.receiver = c->receiver.kind != 0 ? &c->receiver : NULL;
        c->made.result = c->result.kind != 0 ? &c->result : NULL;
    }
    return true;
}

static int no_memory(struct hs_error *error)
{
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    return give(error, &err);
}

/* A tree with the calls that are open at `open_at`, and a walk over the events that follow. */
static int begin(hs_trace *trace, const struct hs_tree_options *want, struct tree_cursor **out, struct hs_error *error)
{
    static const unsigned events[] = {
        EVENT_METHOD_ENTRY, EVENT_METHOD_PARAM,   EVENT_METHOD_NORMAL_EXIT, EVENT_METHOD_EXCEPTIONAL_EXIT,
        EVENT_CATCH,        EVENT_EVENTS_LEFT_OUT
    };
    struct hs_filter filter = { .size = sizeof filter,
                                .from = want->from,
                                .to = want->to,
                                .threads = &want->thread,
                                .thread_count = 1,
                                .events = events,
                                .event_count = sizeof events / sizeof *events };
    struct tree_cursor *t = calloc(1, sizeof *t);
    struct open_call *root = t != NULL ? vec_push(&t->open) : NULL;
    if (root == NULL) {
        free(t);
        return no_memory(error);
    }
    *root = (struct open_call){ .node = FOLD_NO_HANDLE };
    t->base.ops = &tree_ops;
    t->trace = trace;
    t->want = *want;
    t->fold = (struct fold){ .ops = &ops, .context = t };
    fold_open(&t->fold);
    walk_open_filter(&t->events, trace, &filter);
    if (walk_give(&t->events, error) != 0)
        goto failed;
    if (want->open_at != HS_NO_SEQ) {
        struct error err;
        struct arena arena = { 0 };
        enum status st = enter_open_calls(t, &arena, &err);
        arena_done(&arena);
        if (st != OK) {
            (void)give(error, &err);
            goto failed;
        }
    }
    *out = t;
    return 0;
failed:
    close_tree(&t->base);
    return -1;
}

/* Reads all events before the first call is given. */
static int make_whole(struct tree_cursor *t, struct hs_error *error)
{
    const struct hs_event *e;
    while (!failed(t) && walk_step(&t->events, &e))
        apply(t, e);
    close_open_calls(t);
    if (walk_give(&t->events, error) != 0)
        return -1;
    t->over = true;
    return failed(t) || !link_calls(t) ? no_memory(error) : 0;
}

static void close_tree(hs_cursor *base)
{
    struct tree_cursor *t = (struct tree_cursor *)base;
    (void)walk_close(&t->events, NULL);
    fold_done(&t->fold);
    vec_free(&t->open);
    map_free(&t->shapes);
    vec_free(&t->calls);
    vec_free(&t->values);
    vec_free(&t->value_list);
    vec_free(&t->repeats);
    vec_free(&t->repeat_list);
    vec_free(&t->ends);
    tree_skip_done(&t->skip);
    free(t);
}

/* ---- call by call ---- */

/* Looks up how the calls that are open and kept end. They are given then. */
static int complete_open_calls(struct tree_cursor *t, uint64_t position, struct hs_error *error)
{
    struct error err;
    size_t n = 0;
    t->ends.count = 0;
    for (size_t i = 1; i < t->open.count; i++) {
        if (t->open.items[i].node == FOLD_NO_HANDLE)
            continue;
        struct call_end *x = vec_push(&t->ends);
        if (x == NULL)
            return no_memory(error);
        x->entry = t->open.items[i].entry;
    }
    if (t->ends.count > 0 &&
        call_ends_find(t->trace, t->stream, position, t->limit, t->ends.items, t->ends.count, &err) != OK)
        return give(error, &err);
    for (size_t i = 1; i < t->open.count; i++) {
        struct open_call *f = &t->open.items[i];
        if (f->node == FOLD_NO_HANDLE)
            continue;
        const struct call_end *x = &t->ends.items[n++];
        struct tree_call *c = &t->calls.items[f->node];
        c->made.calls = x->exit == CALL_UNKNOWN ? f->calls : x->calls;
        f->node = FOLD_NO_HANDLE;
        f->given = true;
        if (x->exit == CALL_OPEN || x->exit == CALL_UNKNOWN || x->dataid == UINT32_MAX)
            continue;
        set_result(c, dataid_or_none(t->trace, x->dataid), x->value);
    }
    return 0;
}

/* Forgets the calls that were given. */
static void clear(struct tree_cursor *t) { t->calls.count = t->values.count = t->repeats.count = t->given = 0; }

/* Is there to be a cut before this event? Sets the position of the first cut. */
static bool is_cut(struct tree_cursor *t, const struct hs_event *e)
{
    if (t->window == 0) {
        t->window = t->want.ahead > 0 ? t->want.ahead : FIRST_CUT;
        t->cut_at = e->position + t->window;
    }
    if (e->position < t->cut_at && t->calls.count < KEPT_MAX)
        return false;
    return dataid_or_none(t->trace, e->dataid)->event == EVENT_METHOD_ENTRY;
}

/* Goes on behind the chunks in which no call up to the depth begins or ends, and calls
 * of that depth make no calls. False: there are none. */
static bool skip_chunks(struct tree_cursor *t, const struct hs_event *e)
{
    struct tree_skip *s = &t->skip;
    uint64_t seq;
    size_t stay = (size_t)t->want.depth + 2; /* with those that the calls of that depth make */
    if (t->open.count - 1 < stay)
        return false;
    s->frames.count = 0;
    for (size_t i = 1; i <= stay; i++) {
        struct skip_frame *to = vec_push(&s->frames);
        if (to == NULL) {
            t->no_memory = true;
            return false;
        }
        *to = (struct skip_frame){ t->open.items[i].method_id, t->open.items[i].entry };
    }
    if (!tree_skip_find(s, e->position, &seq))
        return false;
    t->open.count = stay + 1;
    for (size_t i = stay; i < s->found.count; i++) {
        const struct skip_frame *from = &s->found.items[i];
        struct open_call *f = vec_push(&t->open);
        if (f == NULL) {
            t->no_memory = true;
            return false;
        }
        *f = (struct open_call){ .method_id = from->method_id, .node = FOLD_NO_HANDLE, .entry = from->entry };
    }
    walk_seek(&t->events, seq);
    return true;
}

static void walk_to_cut(struct tree_cursor *t)
{
    const struct hs_event *e;
    if (t->at_cut) { /* the event after the last cut */
        apply(t, &t->waiting);
        t->at_cut = false;
    }
    while (!failed(t) && walk_step(&t->events, &e)) {
        if (tree_skip_due(&t->skip, e->position) && skip_chunks(t, e))
            continue;
        if (is_cut(t, e)) {
            t->waiting = *e;
            t->at_cut = true;
            return;
        }
        apply(t, e);
    }
}

/* Walks to the next cut or the end, where calls can be given. */
static int make_batch(struct tree_cursor *t, struct hs_error *error)
{
    clear(t);
    walk_clear_error(&t->events);
    walk_to_cut(t);
    if (walk_give(&t->events, error) != 0)
        return -1;
    if (t->at_cut) {
        t->window *= 2;
        t->cut_at = t->waiting.position + t->window;
        if (t->want.fold != HS_FOLD_NONE)
            fold_cut(&t->fold);
        if (complete_open_calls(t, t->waiting.position, error) != 0)
            return -1;
    } else {
        close_open_calls(t);
        t->over = true;
    }
    return failed(t) || !link_calls(t) ? no_memory(error) : 0;
}

/* Counts the events of the thread up to `to`. */
static int find_limit(struct tree_cursor *t, struct hs_error *error)
{
    struct hs_filter filter = HS_FILTER_ALL;
    struct hs_event e;
    struct walk w;
    t->stream = positions_stream(t->trace, t->want.thread);
    t->limit = t->stream != UINT32_MAX ? t->trace->streams[t->stream].events : 0;
    if (t->want.depth <= DEPTH_MOST)
        index_wish(t->trace);
    tree_skip_init(&t->skip, t->trace, t->stream);
    t->skip.off = t->skip.off || t->want.depth > DEPTH_MOST;
    if (t->want.to >= t->trace->events || t->stream == UINT32_MAX)
        return 0;
    filter.threads = &t->want.thread;
    filter.thread_count = 1;
    walk_open_filter(&w, t->trace, &filter);
    walk_seek_after(&w, t->want.to);
    t->limit = walk_previous(&w, &e) ? e.position + 1 : 0;
    return walk_finish(&w, error);
}

static int next_call(hs_cursor *base, const void **call, struct hs_error *error)
{
    struct tree_cursor *t = (struct tree_cursor *)base;
    struct phase phase PHASE_ENDS = trace_phase_resume(t->trace, "tree", &t->read);
    while (t->given == t->calls.count) {
        if (t->over)
            return 0;
        if (make_batch(t, error) != 0)
            return -1;
    }
    *call = &t->calls.items[t->given++].made;
    return 1;
}

int hs_tree_open(hs_trace *trace, const struct hs_tree_options *options, hs_cursor **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(trace, "tree");
    struct tree_cursor *t = NULL;
    struct error err;
    if (options->size != sizeof *options) {
        (void)error_set(&err, ERR_USAGE, "hs_tree_open: options of %zu bytes, this library knows %zu", options->size,
                        sizeof *options);
        return give(error, &err);
    }
    if (begin(trace, options, &t, error) != 0)
        return -1;
    bool whole = options->ahead == HS_TREE_WHOLE;
    if (!whole)
        t->want.max = UINT64_MAX;
    if ((whole ? make_whole(t, error) : find_limit(t, error)) != 0) {
        close_tree(&t->base);
        return -1;
    }
    *out = &t->base;
    return 0;
}

bool hs_tree_cut(const hs_cursor *c) { return c->ops == &tree_ops && ((const struct tree_cursor *)c)->cut; }
