/* slice.c - what a moment depends on: the walk over all its causes, in layers by distance.
 *
 *     layer 0   total = price * count     the moment; price and count are loaded for it: the same expression
 *     layer 1   price = 12                the writes, calls and branches behind them
 *     layer 2   ...
 *
 * A cause is older than its effect, also inside of a layer, so a heap by seq gives each layer in order while moments
 * are still added to it: the next row is known as soon as it is asked for. A moment is explained once, at its least
 * distance. */
#include "reader/query/slice.h"

#include <stdlib.h>

/* ---- the layers ---- */

static bool is_before(const struct slice_moment *a, const struct slice_moment *b)
{
    return a->event.seq > b->event.seq;
}

static bool heap_push(struct slice_cursor *c, const struct slice_moment *m)
{
    if (vec_push(&c->layer) == NULL)
        return false;
    struct slice_moment *heap = c->layer.items;
    size_t i = c->layer.count - 1;
    for (; i > 0 && is_before(m, &heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = *m;
    return true;
}

static struct slice_moment heap_pop(struct slice_cursor *c)
{
    struct slice_moment *heap = c->layer.items;
    const struct slice_moment top = heap[0], last = heap[--c->layer.count];
    const size_t count = c->layer.count;
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < count; i = child) {
        child += child + 1 < count && is_before(&heap[child + 1], &heap[child]);
        if (!is_before(&heap[child], &last))
            break;
        heap[i] = heap[child];
    }
    if (count > 0)
        heap[i] = last;
    return top;
}

/* Puts a moment into its layer, unless it is in that one or a nearer one. False: out of memory. */
static bool put(struct slice_cursor *c, const struct slice_moment *m, uint32_t layer)
{
    const struct slice_seen *known = map_get(&c->seen, m->event.seq + 1);
    if (known != NULL && known->distance <= m->distance)
        return true;
    struct slice_seen *seen = map_put(&c->seen, m->event.seq + 1);
    if (seen == NULL)
        return false;
    seen->distance = m->distance;
    if (m->distance == layer)
        return heap_push(c, m);
    struct slice_moment *to = vec_push(&c->next);
    if (to != NULL)
        *to = *m;
    return to != NULL;
}

/* The next moment; false: there is none. One that was found nearer since is passed over. */
static bool take(struct slice_cursor *c, struct slice_moment *out, bool *no_memory)
{
    for (;;) {
        if (c->layer.count == 0) {
            for (size_t i = 0; i < c->next.count && !*no_memory; i++)
                *no_memory = !heap_push(c, &c->next.items[i]);
            c->next.count = 0;
        }
        if (*no_memory || c->layer.count == 0)
            return false;
        *out = heap_pop(c);
        if (map_get(&c->seen, out->event.seq + 1)->distance == out->distance)
            return true;
    }
}

static enum status backward_next(struct slice_cursor *c, struct error *err)
{
    struct slice_moment now;
    bool no_memory = false;
    if (!take(c, &now, &no_memory))
        return no_memory ? state_memory(c->trace, err) : ERR_NOT_FOUND;
    enum status st = slice_explain(c, &now.event, err);
    for (size_t i = 0; st == OK && i < c->why.choice_count; i++) {
        const struct choice *choice = &c->why.choices[i];
        const uint32_t distance = now.distance + !why_is_near(&c->why, choice);
        if (!slice_follows(c, choice) || choice->event.seq >= now.event.seq)
            continue;
        if (distance > c->want.distance) {
            c->row.end = "distance";
            continue;
        }
        const struct slice_moment m = { choice->event, now.event.seq, distance, choice->by };
        if (!put(c, &m, now.distance))
            st = state_memory(c->trace, err);
    }
    c->row.distance = now.distance;
    c->row.from = now.from;
    c->row.by = now.by;
    return st;
}

/* ---- the cursor ---- */

static int slice_next(hs_cursor *base, const void **row, struct hs_error *error)
{
    struct slice_cursor *c = (struct slice_cursor *)base;
    struct phase phase PHASE_ENDS = trace_phase_resume(c->trace, "slice", &c->read);
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    if (c->over)
        return 0;
    enum status st = c->forward != NULL ? slice_forward_next(c, &err) : backward_next(c, &err);
    c->over = st != OK;
    if (st == ERR_NOT_FOUND)
        return 0;
    if (st != OK)
        return give(error, &err);
    *row = &c->row;
    return 1;
}

static void slice_close(hs_cursor *base)
{
    struct slice_cursor *c = (struct slice_cursor *)base;
    slice_forward_close(c->forward);
    map_free(&c->seen);
    vec_free(&c->layer);
    vec_free(&c->next);
    arena_done(&c->arena);
    free(c);
}

static const struct cursor_ops slice_ops = { .row = ROW_slice, .next = slice_next, .close = slice_close };

static enum status begin(struct slice_cursor *c, struct error *err)
{
    struct slice_moment first = { .from = HS_NO_SEQ };
    enum status st = event_at(c->trace, c->want.seq, &first.event, err);
    if (st != OK)
        return st;
    if (c->want.kind == HS_SLICE_THIN && first.event.kind == KIND_VOID)
        return error_set(err, ERR_USAGE, "event %llu has no value: name one that has, or follow control, too",
                         (unsigned long long)c->want.seq);
    index_wish(c->trace);
    if (!put(c, &first, 0))
        return state_memory(c->trace, err);
    return c->want.forward ? slice_forward_open(c, err) : OK;
}

int hs_slice_open(hs_trace *trace, const struct hs_slice_options *options, hs_cursor **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(trace, "slice");
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    if (options == NULL || options->size != sizeof *options || options->kind > HS_SLICE_CONTROL) {
        (void)error_set(&err, ERR_USAGE, "struct hs_slice_options is not one of this library");
        return give(error, &err);
    }
    struct slice_cursor *c = calloc(1, sizeof *c);
    if (c == NULL)
        return give(error, &err);
    c->base.ops = &slice_ops;
    c->trace = c->why.trace = trace;
    c->why.arena = &c->arena;
    c->want = *options;
    if (begin(c, &err) != OK) {
        slice_close(&c->base);
        return give(error, &err);
    }
    *out = &c->base;
    return 0;
}
