/* exceptions.c - exceptions: what they held (thrown_row of the object table) and where they went (METHOD_THROW, CATCH
 * and METHOD_EXCEPTIONAL_EXIT). An exception is on its way until a CATCH that no throw or exit of the same object
 * follows.
 *
 * The events of all of them come from the index, as each may be anywhere and one exception may hold another; what else
 * costs decoding (their seq, whether it was shown again) is found out when an exception's turn comes.
 */
#include <stdlib.h>
#include <string.h>

#include "formats/event.h"
#include "reader/index/index.h"

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
        *out = (struct hs_thrown){ id,     message,         row.cause, suppressed, row.suppressed.count, row.has_stack,
                                   frames, row.frames.count };
    thrown_row_done(&row);
    return ok ? out : NULL;
}

/* ---- events of exceptions ---- */

/* An exception, by its first and last event in `events`. */
struct trail {
    uint32_t id;
    uint32_t first, last; /* positions in events */
    bool swallowed;       /* caught at the end, and nothing is known yet that has shown it since */
};

struct hs_exception_cursor {
    hs_trace *trace;
    exception_event_vec events; /* in the global order */
    VEC(struct trail) trails;
    uint32_t *slots; /* open addressing by id: position in trails + 1 */
    size_t cap;
    size_t at;    /* next trail */
    size_t asked; /* exceptions that were looked for one by one: were they shown again? */
    bool all_asked;
    struct hs_exception answer;
};

static int no_memory(const hs_trace *t, struct hs_error *error)
{
    struct error err;
    (void)error_set(&err, ERR_MEMORY, "%s: out of memory", t->dir);
    return give(error, &err);
}

static size_t slot_of(const hs_exception_cursor *c, uint64_t id)
{
    size_t at = (size_t)(id * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (c->cap - 1);
    while (c->slots[at] != 0 && c->trails.items[c->slots[at] - 1].id != id)
        at = (at + 1) & (c->cap - 1);
    return at;
}

static struct trail *find(const hs_exception_cursor *c, uint64_t id)
{
    uint32_t n = c->cap == 0 || id == 0 ? 0 : c->slots[slot_of(c, id)];
    return n == 0 ? NULL : &c->trails.items[n - 1];
}

static struct trail *add(hs_exception_cursor *c, uint32_t id, uint32_t first)
{
    if (2 * (c->trails.count + 1) > c->cap) {
        size_t cap = c->cap == 0 ? 64 : 2 * c->cap;
        uint32_t *slots = calloc(cap, sizeof *slots);
        if (slots == NULL)
            return NULL;
        free(c->slots);
        c->slots = slots;
        c->cap = cap;
        for (size_t i = 0; i < c->trails.count; i++)
            c->slots[slot_of(c, c->trails.items[i].id)] = (uint32_t)i + 1;
    }
    size_t at = slot_of(c, id);
    struct trail *x = vec_push(&c->trails);
    if (x != NULL) {
        *x = (struct trail){ .id = id, .first = first, .last = first };
        c->slots[at] = (uint32_t)c->trails.count;
    }
    return x;
}

/* As the stream is ordered: order.h. */
static int by_order(const void *a, const void *b)
{
    const struct exception_event *x = a, *y = b;
    if (x->stamp != y->stamp)
        return x->stamp < y->stamp ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return x->position < y->position ? -1 : x->position > y->position;
}

/* Without an index: throws, catches and exits are few events in few chunks. */
static int walk_exception_events(hs_trace *t, exception_event_vec *out, struct hs_error *error)
{
    static const unsigned events[] = { EVENT_METHOD_THROW, EVENT_CATCH, EVENT_METHOD_EXCEPTIONAL_EXIT };
    struct hs_filter filter = {
        .size = sizeof filter, .to = UINT64_MAX, .events = events, .event_count = sizeof events / sizeof *events
    };
    hs_cursor *c;
    const struct hs_event *e;
    int more;
    if (hs_cursor_open(t, &filter, &c, error) != 0)
        return -1;
    while ((more = hs_cursor_next(c, &e, error)) > 0) {
        const struct hs_dataid *d = hs_dataid_get(t, e->dataid);
        if (e->kind != 'L' || e->value == 0 || e->value > UINT32_MAX || d == NULL)
            continue;
        struct exception_event *w = vec_push(out);
        if (w == NULL) {
            more = no_memory(t, error);
            break;
        }
        *w = (struct exception_event){ .stamp = e->stamp,
                                       .position = e->position,
                                       .thread = e->thread,
                                       .object = (uint32_t)e->value,
                                       .event = d->event };
    }
    hs_cursor_close(c);
    return more;
}

/* Joins the events of each exception. */
static bool join(hs_exception_cursor *c)
{
    if (c->events.count > 1)
        qsort(c->events.items, c->events.count, sizeof *c->events.items, by_order);
    for (size_t i = 0; i < c->events.count; i++) {
        struct exception_event *w = &c->events.items[i];
        struct trail *x = find(c, w->object);
        if (x != NULL)
            c->events.items[x->last].next = (uint32_t)i + 1;
        else if ((x = add(c, w->object, (uint32_t)i)) == NULL)
            return false;
        x->last = (uint32_t)i;
        x->swallowed = w->event == EVENT_CATCH;
    }
    return true;
}

/* ---- swallowed or not ---- */

/* An exception that another one holds is not swallowed. */
static void held_by_others(hs_exception_cursor *c)
{
    for (size_t i = 0; i < c->trails.count; i++) {
        struct text data = objects_thrown(c->trace, c->trails.items[i].id);
        struct thrown_row row = { 0 };
        struct trail *x;
        if (data.size == 0 || thrown_row_decode(data.data, data.size, &row, NULL) != OK)
            continue; /* whoever asks for its contents is told */
        if ((x = find(c, row.cause)) != NULL)
            x->swallowed = false;
        for (size_t k = 0; k < row.suppressed.count; k++)
            if ((x = find(c, row.suppressed.items[k])) != NULL)
                x->swallowed = false;
        thrown_row_done(&row);
    }
}

/* Walks over events, of one exception or all: those that one shows behind where they were caught are not swallowed. */
static int seen_again(hs_exception_cursor *c, const struct trail *only, struct hs_error *error)
{
    struct hs_filter filter = HS_FILTER_ALL;
    hs_cursor *cursor;
    const struct hs_event *e;
    int more = 0;
    filter.object = only != NULL ? only->id : 0;
    filter.from = only != NULL ? c->answer.caught : 0;
    if (hs_cursor_open(c->trace, &filter, &cursor, error) != 0)
        return -1;
    while ((only == NULL || only->swallowed) && (more = hs_cursor_next(cursor, &e, error)) > 0) {
        struct exception_event here = { .stamp = e->stamp, .position = e->position, .thread = e->thread };
        struct trail *x = e->kind == 'L' ? find(c, e->value) : NULL;
        bool behind = x != NULL && x->swallowed && by_order(&here, &c->events.items[x->last]) > 0;
        const struct hs_dataid *d = behind ? hs_dataid_get(c->trace, e->dataid) : NULL;
        if (d != NULL && d->event != EVENT_LOCAL_STORE)
            x->swallowed = false;
    }
    hs_cursor_close(cursor);
    return more < 0 ? -1 : 0;
}

/* One costs a chunk or two with an index. The first screen is asked for so; many are found out about in one pass over
 * everything. */
enum { SCREEN = 100 };
static int ask(hs_exception_cursor *c, const struct trail *x, struct hs_error *error)
{
    size_t left = 0;
    if (c->all_asked)
        return 0;
    if (c->asked == 0 || c->asked == SCREEN)
        for (size_t i = c->at; i < c->trails.count; i++)
            left += c->trails.items[i].swallowed;
    bool few = index_present(c->trace) && (c->asked != SCREEN || left <= c->trace->chunk_count);
    if (few) {
        c->asked++;
        return seen_again(c, x, error);
    }
    c->all_asked = true;
    return seen_again(c, NULL, error);
}

/* ---- the exceptions in order ---- */

int hs_exceptions_open(hs_trace *t, hs_exception_cursor **out, struct hs_error *error)
{
    struct error err = { 0 };
    hs_exception_cursor *c = calloc(1, sizeof *c);
    if (c == NULL)
        return no_memory(t, error);
    c->trace = t;
    index_wish(t);
    enum status st = index_exception_events(t, &c->events, &err);
    int failed = st == OK ? 0 : st == ERR_NOT_FOUND ? 1 : give(error, &err);
    if (failed > 0) {
        c->events.count = 0;
        failed = walk_exception_events(t, &c->events, error);
    }
    if (failed == 0 && (c->events.count >= UINT32_MAX || !join(c)))
        failed = no_memory(t, error);
    if (failed != 0) {
        hs_exceptions_close(c);
        return -1;
    }
    held_by_others(c);
    *out = c;
    return 0;
}

void hs_exceptions_close(hs_exception_cursor *c)
{
    if (c == NULL)
        return;
    vec_free(&c->events);
    vec_free(&c->trails);
    free(c->slots);
    free(c);
}

static int seq_of(const hs_exception_cursor *c, const struct exception_event *w, uint64_t *seq, struct hs_error *error)
{
    struct hs_event e = { .thread = w->thread, .position = w->position, .stamp = w->stamp };
    struct error err;
    if (positions_number(c->trace, &e, &err) != OK)
        return give(error, &err);
    *seq = e.seq;
    return 0;
}

int hs_exceptions_next(hs_exception_cursor *c, const struct hs_exception **exception, struct hs_error *error)
{
    if (c->at == c->trails.count)
        return 0;
    struct trail *x = &c->trails.items[c->at];
    struct hs_exception *a = &c->answer;
    *a = (struct hs_exception){ .id = x->id, .caught = HS_NO_SEQ };
    if (seq_of(c, &c->events.items[x->first], &a->thrown, error) != 0)
        return -1;
    for (uint32_t i = x->first + 1; i != 0; i = c->events.items[i - 1].next) {
        const struct exception_event *w = &c->events.items[i - 1];
        if (w->event == EVENT_METHOD_EXCEPTIONAL_EXIT && a->left++ < HS_EXITS_MAX &&
            seq_of(c, w, &a->exits[a->left - 1], error) != 0)
            return -1;
        if (w->event == EVENT_CATCH && w->next == 0 && seq_of(c, w, &a->caught, error) != 0)
            return -1;
    }
    if (x->swallowed && ask(c, x, error) != 0)
        return -1;
    a->swallowed = x->swallowed;
    c->at++;
    *exception = a;
    return 1;
}

int hs_exceptions(hs_trace *t, const struct hs_exception **out, size_t *count, struct hs_error *error)
{
    hs_exception_cursor *c;
    const struct hs_exception *x;
    int more = 0;
    if (hs_exceptions_open(t, &c, error) != 0)
        return -1;
    struct hs_exception *list = arena_array(&t->arena, c->trails.count + 1, sizeof *list);
    if (list == NULL)
        more = no_memory(t, error);
    for (size_t i = 0; list != NULL && (more = hs_exceptions_next(c, &x, error)) > 0; i++)
        list[i] = *x;
    if (more == 0) {
        *out = list;
        *count = c->trails.count;
    }
    hs_exceptions_close(c);
    return more;
}
