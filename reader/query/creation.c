/* creation.c - see creation.h. */
#include "reader/query/creation.h"

#include <stdlib.h>
#include <string.h>

enum { EARLY_FRAMES_MAX = 1000 };

/* ---- creation ---- */

/* Where to look for the creation: objects are told of first while they are made, or as soon as they are. Only a
 * constructor of woven code may take longer than SOON. */
static enum status created_before(hs_trace *t, uint32_t object, uint64_t *until, struct error *err)
{
    enum { SOON = 1 << 20 };
    hs_cursor *c;
    struct hs_error why;
    struct hs_event e = { 0 };
    struct hs_filter filter = HS_FILTER_ALL;
    filter.object = object;
    if (hs_cursor_open(t, &filter, &c, &why) != 0)
        return state_take(&why, err);
    enum status st = walk_next(c, &e, err);
    hs_cursor_close(c);
    if (st == OK)
        *until = event_type(t, e.dataid) == EVENT_METHOD_OBJECT_INITIALIZED ? UINT64_MAX : e.seq + SOON;
    return st;
}

enum status creation_of(hs_trace *t, uint32_t object, struct hs_event *out, struct error *err)
{
    static const unsigned pairs[][2] = { { EVENT_NEW_OBJECT_CREATED, EVENT_NEW_ARRAY_RESULT },
                                         { EVENT_MULTI_NEW_ARRAY, EVENT_MULTI_NEW_ARRAY_ELEMENT } };
    uint64_t until = UINT64_MAX;
    enum status st = created_before(t, object, &until, err);
    for (unsigned i = 0; i < 2 && (i == 0 ? st == OK : st == ERR_NOT_FOUND); i++) {
        hs_cursor *c;
        if ((st = walk_types(t, pairs[i], 2, object, until, &c, err)) != OK)
            return st;
        st = walk_next(c, out, err);
        hs_cursor_close(c);
    }
    return st;
}

/* ---- puts before initialization ---- */

static int by_seq(const void *a, const void *b)
{
    const struct hs_event *x = a, *y = b;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* The early puts of the constructor frame that `done` (METHOD_OBJECT_INITIALIZED) belongs to. */
static enum status puts_of_frame(hs_trace *t, const struct hs_event *done, event_vec *out, struct error *err)
{
    const struct replay *state;
    struct frame_walk w;
    struct hs_event e = { 0 };
    struct event_position at = { positions_stream(t, done->thread), done->position };
    enum status st = frames_at(t, at, &state, err);
    const struct effect *f = effects_get(t, done->dataid);
    const struct call_frame *top = st == OK ? replay_top(state) : NULL;
    if (top == NULL || top->method != f->method)
        return st;
    frame_walk_begin(&w, t, at, top);
    while ((st = frame_walk_back(&w, &e, err)) == OK) {
        if (event_type(t, e.dataid) != EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION)
            continue;
        struct hs_event *to = vec_push(out);
        if (to == NULL)
            return state_memory(t, err);
        *to = e;
        if ((st = positions_number(t, to, err)) != OK)
            return st;
    }
    return st == ERR_NOT_FOUND ? OK : st;
}

static int by_value(const void *a, const void *b)
{
    uint32_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

/* METHOD_OBJECT_INITIALIZED of the constructors that put the field early. */
static bool early_sites(hs_trace *t, const char *field, u32_vec *out)
{
    const site_vec *puts = sites_of(t, EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION);
    const site_vec *done = sites_of(t, EVENT_METHOD_OBJECT_INITIALIZED);
    uint64_t name = field != NULL ? site_hash(field, strlen(field)) : 0;
    u32_vec methods = { 0 };
    bool ok = true;
    for (size_t i = 0; ok && i < puts->count; i++) {
        const struct site *put = &puts->items[i];
        if (put->name == 0 || (field != NULL && put->name != name))
            continue;
        uint32_t *to = vec_push(&methods);
        if (to != NULL)
            *to = put->method_id;
        ok = to != NULL;
    }
    if (ok && methods.count > 1)
        qsort(methods.items, methods.count, sizeof *methods.items, by_value);
    for (size_t i = 0; ok && methods.count > 0 && i < done->count; i++) {
        uint32_t method = done->items[i].method_id;
        if (bsearch(&method, methods.items, methods.count, sizeof method, by_value) == NULL)
            continue;
        uint32_t *to = vec_push(out);
        if (to != NULL)
            *to = done->items[i].dataid;
        ok = to != NULL;
    }
    vec_free(&methods);
    return ok;
}

enum status early_puts(hs_trace *t, uint32_t object, const char *name, event_vec *out, struct error *err)
{
    hs_cursor *c = NULL;
    struct hs_event e = { 0 };
    u32_vec ids = { 0 };
    size_t kept = 0;
    struct hs_event made = { .seq = UINT64_MAX }; /* its constructors are done then */
    enum status st = early_sites(t, name, &ids) ? OK : state_memory(t, err);
    if (st == OK && ids.count > 0 && (st = creation_of(t, object, &made, err)) == ERR_NOT_FOUND)
        st = OK;
    if (st == OK && ids.count > 0)
        st = walk_ids(t, &ids, object, 0, made.seq, &c, err);
    vec_free(&ids);
    for (unsigned i = 0; c != NULL && i < EARLY_FRAMES_MAX && (st = walk_next(c, &e, err)) == OK; i++)
        if ((st = puts_of_frame(t, &e, out, err)) != OK)
            break;
    hs_cursor_close(c);
    if (out->count > 1)
        qsort(out->items, out->count, sizeof *out->items, by_seq);
    for (size_t i = 0; i < out->count; i++) {
        const char *own = attribute_text(hs_dataid_get(t, out->items[i].dataid), "name");
        if (name == NULL || (own != NULL && strcmp(own, name) == 0))
            out->items[kept++] = out->items[i];
    }
    out->count = kept;
    return st == ERR_NOT_FOUND ? OK : st;
}

enum status early_put_object(hs_trace *t, const struct hs_event *put, uint64_t *object, struct error *err)
{
    enum { EVENTS_MAX = 1 << 22 };
    struct hs_event e = { 0 };
    uint32_t depth = 0;
    uint32_t method = effects_get(t, put->dataid)->method;
    uint64_t gap = gap_behind(t, put->stamp);
    *object = 0;
    for (int64_t i = 1; i < EVENTS_MAX; i++) {
        enum status st = event_beside(t, put, i, &e, err);
        if (st != OK)
            return st == ERR_NOT_FOUND ? OK : st;
        const struct effect *f = effects_get(t, e.dataid);
        if (e.stamp >= gap)
            return OK;
        if (f->op == EFFECT_ENTER) {
            depth++;
        } else if (f->op == EFFECT_LEAVE) {
            if (depth-- == 0)
                return OK;
        } else if (depth == 0 && f->op == EFFECT_INITIALIZED && f->method == method) {
            *object = e.value;
            return OK;
        }
    }
    return OK;
}

/* ---- arrays of arrays ---- */

enum status multi_elements(hs_trace *t, uint32_t array, event_vec *out, struct error *err)
{
    static const unsigned owners[] = { EVENT_MULTI_NEW_ARRAY_OWNER };
    hs_cursor *c;
    struct hs_event owner = { 0 }, e = { 0 };
    enum status st = walk_types(t, owners, 1, array, UINT64_MAX, &c, err);
    if (st != OK)
        return st;
    st = walk_next(c, &owner, err);
    hs_cursor_close(c);
    for (int64_t i = 1; st == OK; i++) {
        st = event_beside(t, &owner, i, &e, err);
        if (st == OK && event_type(t, e.dataid) != EVENT_MULTI_NEW_ARRAY_ELEMENT)
            st = ERR_NOT_FOUND;
        struct hs_event *to = st == OK ? vec_push(out) : NULL;
        if (to != NULL) {
            *to = e;
            st = positions_number(t, to, err);
        } else if (st == OK) {
            st = state_memory(t, err);
        }
    }
    return st == ERR_NOT_FOUND ? OK : st;
}
