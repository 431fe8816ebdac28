/* exceptions.c - exceptions: what they held (thrown_row of the object table) and the way they took (METHOD_THROW, CATCH and
 * METHOD_EXCEPTIONAL_EXIT). An exception is on its way until a CATCH that no throw or exit of the same object follows. */
#include <stdlib.h>
#include <string.h>

#include "formats/event.h"
#include "reader/index.h"

static const char *text_of(hs_trace *t, struct text s) { return s.data != NULL ? trace_text(t, s, false) : ""; }

const struct hs_thrown *hs_thrown_get(hs_trace *t, uint32_t id)
{
    struct text data = objects_thrown(t, id);
    struct thrown_row row = { 0 };
    struct error err = { 0 };
    if (data.size == 0)
        return NULL;
    if (thrown_row_decode(data.data, data.size, &row, &err) != OK) {
        trace_damaged(t, &err);
        return NULL;
    }
    struct hs_thrown *out = arena_get(&t->arena, sizeof *out);
    uint64_t *suppressed = arena_array(&t->arena, row.suppressed.count + 1, sizeof *suppressed);
    struct hs_stack_frame *frames = arena_array(&t->arena, row.frames.count + 1, sizeof *frames);
    bool ok = out != NULL && suppressed != NULL && frames != NULL;
    for (size_t i = 0; ok && i < row.suppressed.count; i++)
        suppressed[i] = row.suppressed.items[i];
    for (size_t i = 0; ok && i < row.frames.count; i++) {
        const struct thrown_frame *f = &row.frames.items[i];
        frames[i] = (struct hs_stack_frame){ text_of(t, f->class_name), text_of(t, f->method), text_of(t, f->file),
                                             f->line < 0 ? -1 : f->line, f->line == -2 };
        ok = frames[i].class_name != NULL && frames[i].method != NULL && frames[i].file != NULL;
    }
    const char *message = ok && row.has_message ? text_of(t, row.message) : NULL;
    if (ok)
        *out = (struct hs_thrown){ id, message, row.cause, suppressed, row.suppressed.count, row.has_stack, frames, row.frames.count };
    thrown_row_done(&row);
    return ok ? out : NULL;
}

/* ---- ways ---- */

/* Exceptions seen, with an open-addressed table id -> position + 1. */
struct ways {
    VEC(struct hs_exception) list;
    uint32_t *slots;
    size_t cap;
};

static size_t slot_of(const struct ways *w, uint64_t id)
{
    size_t at = (size_t)(id * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (w->cap - 1);
    while (w->slots[at] != 0 && w->list.items[w->slots[at] - 1].id != id)
        at = (at + 1) & (w->cap - 1);
    return at;
}

static struct hs_exception *find(const struct ways *w, uint64_t id)
{
    uint32_t n = w->cap == 0 ? 0 : w->slots[slot_of(w, id)];
    return n == 0 ? NULL : &w->list.items[n - 1];
}

static struct hs_exception *add(struct ways *w, uint32_t id, uint64_t seq)
{
    if (2 * (w->list.count + 1) > w->cap) {
        size_t cap = w->cap == 0 ? 64 : 2 * w->cap;
        uint32_t *slots = calloc(cap, sizeof *slots);
        if (slots == NULL)
            return NULL;
        free(w->slots);
        w->slots = slots;
        w->cap = cap;
        for (size_t i = 0; i < w->list.count; i++)
            w->slots[slot_of(w, w->list.items[i].id)] = (uint32_t)i + 1;
    }
    struct hs_exception *e = vec_push(&w->list);
    if (e != NULL) {
        *e = (struct hs_exception){ .id = id, .thrown = seq, .caught = HS_NO_SEQ };
        w->list.count--; /* not found by its own search */
        size_t at = slot_of(w, id);
        w->slots[at] = (uint32_t)++w->list.count;
    }
    return e;
}

static bool on_its_way(struct ways *w, const struct hs_event *e, unsigned event)
{
    struct hs_exception *x = find(w, e->value);
    if (x == NULL && (x = add(w, (uint32_t)e->value, e->seq)) == NULL)
        return false;
    x->caught = event == EVENT_CATCH ? e->seq : HS_NO_SEQ;
    x->swallowed = event == EVENT_CATCH;
    if (event == EVENT_METHOD_EXCEPTIONAL_EXIT && x->left++ < HS_EXITS_MAX)
        x->exits[x->left - 1] = e->seq;
    return true;
}

/* An exception that another one holds is not swallowed. */
static void held_by_others(hs_trace *t, struct ways *w)
{
    for (size_t i = 0; i < w->list.count; i++) {
        const struct hs_thrown *row = hs_thrown_get(t, w->list.items[i].id);
        struct hs_exception *x;
        if (row != NULL && (x = find(w, row->cause)) != NULL)
            x->swallowed = false;
        for (size_t k = 0; row != NULL && k < row->suppressed_count; k++)
            if ((x = find(w, row->suppressed[k])) != NULL)
                x->swallowed = false;
    }
}

/* Throws, catches and exits: few events in few chunks. */
static int walk_ways(hs_trace *t, struct ways *w, struct hs_error *error)
{
    static const unsigned events[] = { EVENT_METHOD_THROW, EVENT_CATCH, EVENT_METHOD_EXCEPTIONAL_EXIT };
    struct hs_filter filter = { .size = sizeof filter, .to = UINT64_MAX, .events = events, .event_count = sizeof events / sizeof *events };
    hs_cursor *c;
    const struct hs_event *e;
    struct error err;
    int more;
    if (hs_cursor_open(t, &filter, &c, error) != 0)
        return -1;
    while ((more = hs_cursor_next(c, &e, error)) > 0) {
        const struct hs_dataid *d = hs_dataid_get(t, e->dataid);
        if (e->kind != 'L' || e->value == 0 || e->value > UINT32_MAX || d == NULL || on_its_way(w, e, d->event))
            continue;
        (void)error_set(&err, ERR_MEMORY, "%s: out of memory", t->dir);
        more = give(error, &err);
        break;
    }
    hs_cursor_close(c);
    return more;
}

/* Walks over events behind where they were caught, of one exception or all: those that one shows again are not swallowed. */
static int seen_again(hs_trace *t, struct ways *w, const struct hs_exception *only, struct hs_error *error)
{
    struct hs_filter filter = HS_FILTER_ALL;
    hs_cursor *c;
    const struct hs_event *e;
    int more = 0;
    filter.object = only != NULL ? only->id : 0;
    filter.from = only != NULL ? only->caught : 0;
    if (hs_cursor_open(t, &filter, &c, error) != 0)
        return -1;
    while ((only == NULL || only->swallowed) && (more = hs_cursor_next(c, &e, error)) > 0) {
        struct hs_exception *x = e->kind == 'L' && e->value != 0 ? find(w, e->value) : NULL;
        const struct hs_dataid *d = x != NULL && x->swallowed && e->seq > x->caught ? hs_dataid_get(t, e->dataid) : NULL;
        if (d != NULL && d->event != EVENT_LOCAL_STORE)
            x->swallowed = false;
    }
    hs_cursor_close(c);
    return more < 0 ? -1 : 0;
}

static int walk(hs_trace *t, struct ways *w, struct hs_error *error)
{
    size_t open = 0;
    index_wish(t);
    if (walk_ways(t, w, error) != 0)
        return -1;
    for (size_t i = 0; i < w->list.count; i++)
        open += w->list.items[i].swallowed;
    if (open > 0 && (!index_present(t) || open > t->chunk_count)) /* one costs a chunk or two */
        return seen_again(t, w, NULL, error);
    for (size_t i = 0; i < w->list.count; i++)
        if (w->list.items[i].swallowed && seen_again(t, w, &w->list.items[i], error) != 0)
            return -1;
    return 0;
}

int hs_exceptions(hs_trace *t, const struct hs_exception **out, size_t *count, struct hs_error *error)
{
    struct ways w = { 0 };
    struct error err;
    int failed = walk(t, &w, error);
    if (failed == 0) {
        held_by_others(t, &w);
        struct hs_exception *list = arena_array(&t->arena, w.list.count + 1, sizeof *list);
        if (list == NULL) {
            (void)error_set(&err, ERR_MEMORY, "%s: out of memory", t->dir);
            failed = give(error, &err);
        } else {
            if (w.list.count > 0)
                memcpy(list, w.list.items, w.list.count * sizeof *list);
            *out = list; /* in the order of seq, as they were met */
            *count = w.list.count;
        }
    }
    vec_free(&w.list);
    free(w.slots);
    return failed;
}
