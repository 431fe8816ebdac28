/* tree.c - the calls of one thread as a tree, from METHOD_ENTRY and the exits.
 *
 * Calls are kept in the order of their entries, so what lies below a call is exactly the end of the list when it is left. Folding
 * (fold.h) relies on that: rounds of a loop that were there before are taken off the end. */
#include <stdlib.h>
#include <string.h>

#include "formats/event.h"
#include "reader/fold.h"
#include "reader/internal.h"
#include "reader/seen.h"

/* A call that is being made. */
struct frame {
    uint32_t method_id;
    size_t node;    /* position in calls, FOLD_NO_HANDLE when it is not kept */
    uint64_t hash, calls;
};

struct repeat_at {
    size_t node;
    struct hs_repeat repeat;
};

struct tree {
    struct hs_tree made;
    struct hs_tree_want want;
    hs_trace *trace;
    struct fold fold;
    VEC(struct hs_call) calls;
    VEC(struct hs_value) values;      /* arguments, in the order of calls */
    VEC(size_t) first_values;         /* by call */
    VEC(struct repeat_at) repeats;    /* by call when done */
    VEC(struct hs_repeat) repeat_list;
    VEC(struct frame) frames;         /* the first one is the thread */
    struct seen shapes;               /* HS_FOLD_ONCE: seq of the first call of a shape */
    bool no_memory;
};

static struct frame *top(struct tree *t) { return &t->frames.items[t->frames.count - 1]; }

static void drop(void *context, size_t length)
{
    struct tree *t = context;
    if (length >= t->calls.count)
        return;
    t->values.count = t->first_values.items[length];
    t->calls.count = t->first_values.count = length;
    while (t->repeats.count > 0 && t->repeats.items[t->repeats.count - 1].node >= length)
        t->repeats.count--;
}

static size_t repeat(void *context, size_t node, uint32_t calls, uint64_t times, size_t note)
{
    struct tree *t = context;
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

static void enter(struct tree *t, const struct hs_event *e, const struct hs_dataid *d)
{
    bool folds = t->want.fold != HS_FOLD_NONE;
    uint32_t depth = (uint32_t)(t->frames.count - 1);
    size_t node = FOLD_NO_HANDLE;
    top(t)->calls++;
    if (folds)
        fold_next(&t->fold, d->method_id);
    size_t before = t->calls.count;
    bool wanted = depth == 0 || (depth <= t->want.depth && top(t)->node != FOLD_NO_HANDLE);
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
        *n = (struct hs_call){ .seq = e->seq, .dataid = e->dataid, .depth = depth, .times = 1, .like = HS_NO_SEQ,
                               .receiver = e->kind == 'L' ? (struct hs_value){ e->value, 'L' } : (struct hs_value){ 0 } };
    }
    if (folds) {
        fold_add(&t->fold, d->method_id, before, node);
        fold_open(&t->fold);
    }
    struct frame *f = vec_push(&t->frames);
    if (f == NULL) {
        t->no_memory = true;
        return;
    }
    *f = (struct frame){ .method_id = d->method_id, .node = node, .hash = fold_mix(1, d->method_id) };
    if (e->kind == 'L' && t->want.fold == HS_FOLD_EQUAL)
        f->hash = fold_mix(f->hash, e->value);
}

static void add_argument(struct tree *t, uint64_t bits, char kind)
{
    struct frame *f = top(t);
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
static void pop(struct tree *t)
{
    struct frame *f = top(t);
    if (t->want.fold != HS_FOLD_NONE) {
        struct fold_sum made = fold_close(&t->fold);
        uint64_t hash = fold_mix(fold_mix(f->hash, made.hash), made.length);
        fold_hash(&t->fold, hash);
        if (t->want.fold == HS_FOLD_ONCE && f->node != FOLD_NO_HANDLE && f->node + 1 < t->calls.count) {
            struct hs_call *n = &t->calls.items[f->node];
            uint64_t first = seen_first(&t->shapes, hash, n->seq);
            t->no_memory |= first == SEEN_NOTHING;
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

static void leave(struct tree *t, const struct hs_event *e, const struct hs_dataid *d)
{
    size_t at = t->frames.count - 1;
    while (at > 0 && t->frames.items[at].method_id != d->method_id)
        at--;
    if (at == 0)
        return; /* entered before the recording, or before `from` */
    while (t->frames.count - 1 > at)
        pop(t);
    struct frame *f = top(t);
    bool threw = d->event == EVENT_METHOD_EXCEPTIONAL_EXIT;
    f->hash = fold_mix(f->hash, threw ? 3 : 5);
    if (t->want.fold == HS_FOLD_EQUAL && !threw)
        f->hash = fold_mix(f->hash, e->value);
    if (f->node != FOLD_NO_HANDLE) {
        struct hs_call *n = &t->calls.items[f->node];
        n->left = true;
        n->threw = threw;
        n->exception = threw ? e->value : 0;
        if (!threw && e->kind != 'V')
            n->result = (struct hs_value){ e->value, e->kind };
    }
    pop(t);
}

/* The calls that are open at event `open_at`, outermost first: their entries and arguments. */
static int open_calls(struct tree *t, struct hs_error *error)
{
    const struct hs_frame *frames;
    size_t count = 0;
    if (hs_frames_at(t->trace, t->want.open_at, &frames, &count, error) != 0)
        return -1;
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

static int walk(struct tree *t, hs_cursor *c, struct hs_error *error)
{
    const struct hs_event *e;
    int more = 0;
    if (t->want.open_at != HS_NO_SEQ && open_calls(t, error) != 0)
        return -1;
    while (!t->no_memory && !t->fold.no_memory && (more = hs_cursor_next(c, &e, error)) > 0) {
        const struct hs_dataid *d = hs_dataid_get(t->trace, e->dataid);
        if (d->event == EVENT_METHOD_ENTRY)
            enter(t, e, d);
        else if (d->event != EVENT_METHOD_PARAM)
            leave(t, e, d);
        else if (t->frames.count > 1 && top(t)->method_id == d->method_id)
            add_argument(t, e->value, e->kind);
    }
    while (t->frames.count > 1 && !t->no_memory && !t->fold.no_memory) /* still running */
        pop(t);
    if (more == 0 && t->want.fold != HS_FOLD_NONE)
        (void)fold_close(&t->fold);
    return more;
}

static int by_node(const void *a, const void *b)
{
    const struct repeat_at *x = a, *y = b;
    return x->node != y->node ? (x->node < y->node ? -1 : 1) : x->repeat.calls < y->repeat.calls ? -1 : x->repeat.calls > y->repeat.calls;
}

/* Calls get their arguments and repeats, now that these lists stand still. */
static bool finish(struct tree *t)
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
        t->calls.items[i].arguments = t->calls.items[i].argument_count > 0 ? &t->values.items[t->first_values.items[i]] : NULL;
    t->made.calls = t->calls.items;
    t->made.count = t->calls.count;
    return true;
}

int hs_tree_open(hs_trace *trace, const struct hs_tree_want *want, const struct hs_tree **out, struct hs_error *error)
{
    static const unsigned events[] = { EVENT_METHOD_ENTRY, EVENT_METHOD_PARAM, EVENT_METHOD_NORMAL_EXIT, EVENT_METHOD_EXCEPTIONAL_EXIT };
    struct hs_filter filter = { .size = sizeof filter, .from = want->from, .to = want->to, .threads = &want->thread,
                                .thread_count = 1, .events = events, .event_count = sizeof events / sizeof *events };
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    struct tree *t = calloc(1, sizeof *t);
    struct frame *root = t != NULL ? vec_push(&t->frames) : NULL;
    hs_cursor *c;
    if (root == NULL) {
        free(t);
        return give(error, &err);
    }
    *root = (struct frame){ .node = FOLD_NO_HANDLE };
    t->trace = trace;
    t->want = *want;
    t->fold = (struct fold){ .ops = &ops, .context = t };
    fold_open(&t->fold);
    int failed = hs_cursor_open(trace, &filter, &c, error);
    if (failed == 0) {
        failed = walk(t, c, error);
        hs_cursor_close(c);
        if (failed == 0 && (t->no_memory || t->fold.no_memory || !finish(t)))
            failed = give(error, &err);
    }
    fold_done(&t->fold);
    vec_free(&t->frames);
    seen_done(&t->shapes);
    if (failed != 0)
        hs_tree_close(&t->made);
    else
        *out = &t->made;
    return failed;
}

void hs_tree_close(const struct hs_tree *made)
{
    struct tree *t = (struct tree *)(uintptr_t)made; /* its first member */
    if (t == NULL)
        return;
    vec_free(&t->calls);
    vec_free(&t->values);
    vec_free(&t->first_values);
    vec_free(&t->repeats);
    vec_free(&t->repeat_list);
    free(t);
}
