/* tree_calls.c - see tree_calls.h. */
#include "reader/query/tree_calls.h"

#include <stdlib.h>
#include <string.h>

#include "formats/event.h"

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

const struct fold_ops tree_fold_ops = { drop_calls, note_repeat };

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
    t->ended.entry = f->entry;
    t->ended.depth = --t->open.count - 1;
}

/* Notes the result or exception of a call that this exit ended. */
void tree_set_result(struct tree_call *c, const struct hs_dataid *d, uint64_t value)
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
        tree_set_result(&t->calls.items[f->node], d, e->value);
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
enum status tree_enter_open_calls(struct tree_cursor *t, struct arena *arena, struct error *err)
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

void tree_apply(struct tree_cursor *t, const struct hs_event *e)
{
    const struct hs_dataid *d = dataid_or_none(t->trace, e->dataid);
    if (gap_passed(t->trace, &t->gap, e->stamp))
        while (t->open.count > 1 && !tree_failed(t)) /* it is not known whether they returned in the gap */
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
void tree_close_open_calls(struct tree_cursor *t)
{
    while (t->open.count > 1 && !tree_failed(t))
        pop(t);
    if (t->want.fold != HS_FOLD_NONE && !tree_failed(t))
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
bool tree_link_calls(struct tree_cursor *t)
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
