/* contents_apply.c - what a call did to a collection or a single value; see contents.h. */
#include "reader/query/contents_entries.h"

enum { WORK_MAX = 50000000 };

/* The argument that is an index. */
static bool index_of(const struct contents_op *op, uint64_t *index, struct hs_value *other)
{
    size_t i = op->arguments[0].kind == HS_KIND_REF ? 1 : 0;
    *index = op->arguments[i].bits;
    *other = op->arguments[1 - i];
    return op->argument_count > i && op->arguments[i].kind != HS_KIND_REF;
}

/* ---- lists, queues, sets ---- */

static void remove_end(struct contents *c, const struct contents_op *op, bool first)
{
    size_t n = contents_count(c), i = first ? 0 : n - 1;
    if (n == 0 && op->result.bits == 0)
        return;
    if (n == 0 || entries_at(c, i)->value.bits != op->result.bits)
        contents_lose(c, op, entries_contradiction);
    else
        entries_take_out(c, i);
}

/* Of an element by its identity, the only one or any. */
static void remove_this(struct contents *c, const struct contents_op *op, struct hs_value what, bool any)
{
    size_t n = contents_count(c), found = n, count = 0;
    for (size_t i = 0; i < n; i++) {
        bool same =
            (entries_are_map(c) && op->view != DO_VIEW_VALUES ? entries_at(c, i)->key : entries_at(c, i)->value).bits ==
            what.bits;
        count += same;
        found = same && found == n ? i : found;
    }
    c->work += n;
    if (count == 0 || (count > 1 && !any))
        contents_lose(c, op, count == 0 ? entries_contradiction : entries_unclear);
    else
        entries_take_out(c, found);
}

static void remove_equal(struct contents *c, const struct contents_op *op, bool backward)
{
    size_t i;
    if (op->result.kind != HS_KIND_VOID && op->result.bits == 0)
        return;
    enum sameness same = entries_find(c, op->arguments[0], NULL, true, backward, &i);
    if (same == SAME)
        entries_take_out(c, i);
    else
        contents_lose(c, op, same == UNSURE ? entries_unclear : entries_contradiction);
}

static void view_remove(struct contents *c, const struct contents_op *op)
{
    bool list = !entries_are_map(c) && !entries_are_set(c) && (c->class->shapes & SHAPE_QUEUE) == 0;
    if (op->argument_count == 0)
        contents_lose(c, op, entries_unclear);
    else if (list && op->has_index) {
        if (op->index < contents_count(c) && entries_at(c, op->index)->value.bits == op->arguments[0].bits)
            entries_take_out(c, op->index);
        else
            contents_lose(c, op, entries_contradiction);
    } else
        remove_this(c, op, op->arguments[0], false);
}

/* Of the array behind Arrays.asList no event says what the list wrote to it. */
static void array_written(struct contents *c, const struct contents_op *op)
{
    if (c->array != 0)
        contents_lose(c, op, "has written to the array behind it");
}

static void swap(struct contents *c, const struct contents_op *op)
{
    uint64_t a = op->arguments[1].bits, b = op->arguments[2].bits;
    if (op->argument_count < 3 || a >= contents_count(c) || b >= contents_count(c)) {
        contents_lose(c, op, entries_contradiction);
        return;
    }
    struct held h = *entries_at(c, a);
    *entries_at(c, a) = *entries_at(c, b);
    *entries_at(c, b) = h;
    array_written(c, op);
}

static void reverse(struct contents *c, const struct contents_op *op)
{
    for (size_t i = 0, n = contents_count(c); i < n / 2; i++) {
        struct held h = *entries_at(c, i);
        *entries_at(c, i) = *entries_at(c, n - 1 - i);
        *entries_at(c, n - 1 - i) = h;
    }
    array_written(c, op);
}

/* Methods that name a place of a list. */
static bool place(struct contents *c, const struct contents_op *op)
{
    uint64_t i;
    struct hs_value other;
    size_t n = contents_count(c);
    if (!index_of(op, &i, &other) || i > n || (i == n && op->effect != DO_ADD_AT && op->effect != DO_ADD_ALL_AT)) {
        contents_lose(c, op, entries_contradiction);
        return true;
    }
    if (op->effect == DO_ADD_AT)
        return entries_insert(c, i, entries_nothing, other, op->seq);
    if (op->effect == DO_ADD_ALL_AT)
        return bulk_add_all(c, op, (uint32_t)other.bits, i);
    if (op->result.kind != HS_KIND_VOID && op->result.bits != entries_at(c, i)->value.bits)
        contents_lose(c, op, entries_contradiction);
    else if (op->effect == DO_REMOVE_AT)
        entries_take_out(c, i);
    else if (op->effect == DO_SET_AT) {
        entries_at(c, i)->value = other;
        entries_at(c, i)->seq = op->seq;
        array_written(c, op);
    }
    return true;
}

/* ---- single values ---- */

static bool hold(struct contents *c, struct hs_value v, uint64_t seq)
{
    contents_start(c);
    return entries_insert(c, 0, entries_nothing, v, seq);
}

static bool change_value(struct contents *c, const struct contents_op *op)
{
    static const struct {
        const char *type;
        char kind;
    } kinds[] = { { "AtomicInteger", 'I' }, { "AtomicLong", 'J' }, { "AtomicBoolean", 'Z' } };
    const char *name = strrchr(c->class->type, '.') + 1;
    struct hs_value v = op->result;
    char kind = HS_KIND_REF;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].type, name) == 0)
            kind = kinds[i].kind;
    switch ((unsigned)op->effect) {
    case DO_VALUE_ARGUMENT:
        return op->argument_count > 0 ? hold(c, op->arguments[0], op->seq)
                                      : (contents_lose(c, op, entries_unclear), true);
    case DO_VALUE_OR_ABSENT:
        if (op->argument_count > 0 && op->arguments[0].bits != 0)
            return hold(c, op->arguments[0], op->seq);
        contents_start(c);
        return true;
    case DO_VALUE_RESULT:
    case DO_VALUE_SEEN: return hold(c, v, op->seq);
    case DO_ATOMIC_SEEN: return v.kind != kind || hold(c, v, op->seq);
    case DO_ATOMIC_START: return hold(c, (struct hs_value){ 0, kind }, op->seq);
    case DO_SECOND_IF_TRUE: return v.bits == 0 || hold(c, op->arguments[1], op->seq);
    case DO_RESULT_AND_1: v.bits += 1; break;
    case DO_RESULT_LESS_1: v.bits -= 1; break;
    case DO_RESULT_AND_ARGUMENT: v.bits += op->arguments[0].bits; break;
    case DO_PRESENT_IF_TRUE:
    case DO_ABSENT_IF_TRUE:
        if ((v.bits != 0) == (op->effect == DO_ABSENT_IF_TRUE))
            contents_start(c);
        return true;
    default: contents_lose(c, op, entries_unclear); return true;
    }
    if (v.kind == 'I')
        v.bits = (uint64_t)(int64_t)(int32_t)(uint32_t)v.bits;
    return hold(c, v, op->seq);
}

/* ---- any ---- */

static bool change_collection(struct contents *c, const struct contents_op *op)
{
    if (op->effect >= DO_PUT && op->effect <= DO_ACCESS && op->effect != DO_PUT_ALL)
        return map_change(c, op);
    switch ((unsigned)op->effect) {
    case DO_ADD_LAST: return entries_insert(c, contents_count(c), entries_nothing, op->arguments[0], op->seq);
    case DO_ADD_FIRST: return entries_insert(c, 0, entries_nothing, op->arguments[0], op->seq);
    case DO_ADD_AT:
    case DO_SET_AT:
    case DO_GET_AT:
    case DO_REMOVE_AT:
    case DO_ADD_ALL_AT: return place(c, op);
    case DO_REMOVE_FIRST:
    case DO_REMOVE_LAST: remove_end(c, op, op->effect == DO_REMOVE_FIRST); return true;
    case DO_REMOVE_RESULT:
        if (op->result.bits != 0 || contents_count(c) > 0)
            remove_this(c, op, op->result, true);
        return true;
    case DO_REMOVE_VALUE:
    case DO_REMOVE_LAST_VALUE: remove_equal(c, op, op->effect == DO_REMOVE_LAST_VALUE); return true;
    case DO_COPY: contents_start(c); return bulk_add_all(c, op, (uint32_t)op->arguments[0].bits, SIZE_MAX);
    case DO_CLONE: return bulk_clone(c, op, (uint32_t)op->arguments[0].bits);
    case DO_ARGUMENTS:
    case DO_PAIRS: return bulk_arguments(c, op);
    case DO_COPIES: return bulk_copies(c, op);
    case DO_ADD_ALL:
    case DO_PUT_ALL: return bulk_add_all(c, op, (uint32_t)op->arguments[0].bits, SIZE_MAX);
    case DO_ADD_ARRAY: return bulk_add_array(c, op, (uint32_t)op->arguments[1].bits);
    case DO_REMOVE_ALL:
    case DO_RETAIN_ALL: bulk_keep(c, op, op->effect == DO_RETAIN_ALL); return true;
    case DO_IF_TRUE_ANY:
        if (op->result.bits != 0 && !contents_filter(c, op))
            contents_lose(c, op, entries_unclear);
        return true;
    case DO_REVERSE: reverse(c, op); return true;
    case DO_SWAP: swap(c, op); return true;
    case DO_ADD_MEMBER:
        return op->result.bits == 0 || entries_insert(c, contents_count(c), entries_nothing, op->arguments[0], op->seq);
    case DO_REMOVE_MEMBER:
        if (entries_are_map(c))
            return map_change(c, op);
        remove_equal(c, op, false);
        return true;
    case DO_VIEW_REMOVE: view_remove(c, op); return true;
    default: contents_lose(c, op, entries_unclear); return true;
    }
}

/* Results that show all of it, known or not. */
static bool shows_all(struct contents *c, const struct contents_op *op)
{
    uint64_t n = contents_count(c);
    if (op->effect == DO_START || op->effect == DO_COMPARED || op->effect == DO_ACCESS_ORDER) {
        contents_start(c);
        c->compared |= op->effect == DO_COMPARED && op->arguments[0].bits != 0;
        c->by_access = op->effect == DO_ACCESS_ORDER ? op->arguments[2].bits != 0 : c->by_access;
        return true;
    }
    if (op->effect != DO_SIZE && op->effect != DO_IS_EMPTY)
        return false;
    bool empty = op->effect == DO_SIZE ? op->result.bits == 0 : op->result.bits != 0;
    bool fits = op->effect == DO_SIZE ? op->result.bits == n : empty == (n == 0);
    if (c->known && !fits)
        contents_lose(c, op, entries_contradiction);
    if (!c->known && empty)
        contents_start(c);
    return true;
}

bool contents_apply(struct contents *c, const struct contents_op *op)
{
    if (op->effect == DO_HANDED || op->effect == DO_GAP || op->effect == DO_LOSE) {
        contents_lose(c, op,
                      op->effect == DO_HANDED  ? "may have changed it"
                      : op->effect == DO_GAP   ? "events are missing"
                      : contents_count(c) == 0 ? "may have filled it"
                                               : entries_unclear);
        return true;
    }
    if (op->effect == DO_ASKED) {
        if (c->by_access && contents_count(c) > 1)
            contents_lose(c, op, "may have changed its order by get");
        return true;
    }
    bool bulk = op->effect == DO_COPY || op->effect == DO_CLONE || op->effect == DO_ADD_ALL ||
                op->effect == DO_ADD_ALL_AT || op->effect == DO_PUT_ALL || op->effect == DO_REMOVE_ALL ||
                op->effect == DO_RETAIN_ALL || op->effect == DO_IF_TRUE_ANY;
    if (!op->returned) {
        if (bulk)
            contents_lose(c, op, "was left by an exception, or has not returned");
        return true;
    }
    if (op->effect >= DO_VIEW_ITERATOR && op->effect <= DO_VIEW_OTHER)
        return true;
    if ((c->class->shapes & SHAPE_TEXT) != 0)
        return contents_text_apply(c, op);
    if (shows_all(c, op))
        return true;
    if ((c->class->shapes & SHAPE_VALUE) != 0)
        return change_value(c, op);
    if (c->work > WORK_MAX) {
        contents_lose(c, op, "has to be compared with too many others");
        return true;
    }
    if (c->known || op->effect == DO_COPY || op->effect == DO_CLONE || op->effect == DO_ARGUMENTS ||
        op->effect == DO_PAIRS || op->effect == DO_COPIES)
        return change_collection(c, op);
    return !entries_are_map(c) || op->effect < DO_REMOVE_MEMBER || op->effect > DO_ACCESS || map_change_lost(c, op);
}
