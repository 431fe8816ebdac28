/* creation.c - see creation.h. */
#include "reader/query/creation.h"

#include <stdlib.h>
#include <string.h>

#include "formats/search.h"

/* Constructor frames of one object that are looked at: one per class of its hierarchy. */
enum { EARLY_FRAMES_MAX = 1000 };

/* ---- creation ---- */

/* The last seq at which the creation can be recorded. The first event of an object comes while it is being created or
 * shortly after; only a woven constructor can run for longer than SOON events. ERR_NOT_FOUND: it has no events. */
static enum status created_before(hs_trace *t, uint32_t object, uint64_t *until, struct error *err)
{
    enum { SOON = 1 << 20 };
    struct walk w;
    struct hs_event e;
    walk_open_object(&w, t, object);
    bool found = walk_next(&w, &e);
    enum status st = walk_close(&w, err);
    if (st != OK)
        return st;
    if (!found)
        return ERR_NOT_FOUND;
    *until = event_type(t, e.dataid) == EVENT_METHOD_OBJECT_INITIALIZED ? UINT64_MAX : e.seq + SOON;
    return OK;
}

static bool is_array(const char *type) { return strchr(type, '[') != NULL; }

/* NEW_OBJECT_CREATED of the methods that have a NEW_OBJECT of that class. Both lists ascend, and a method's data IDs
 * stand together. */
static bool add_created_sites(hs_trace *t, const char *type, u32_vec *ids)
{
    const site_vec *allocations = sites_of(t, EVENT_NEW_OBJECT), *created = sites_of(t, EVENT_NEW_OBJECT_CREATED);
    const uint64_t name = site_hash(type, strlen(type));
    uint32_t last = UINT32_MAX;
    for (size_t i = 0; i < allocations->count; i++) {
        const struct site *allocation = &allocations->items[i];
        size_t at;
        if (allocation->owner != name || allocation->method_id == last)
            continue;
        last = allocation->method_id;
        LOWER_BOUND(at, created->count, created->items[at].dataid < allocation->dataid);
        while (at > 0 && created->items[at - 1].method_id == last)
            at--;
        for (; at < created->count && created->items[at].method_id == last; at++) {
            uint32_t *to = vec_push(ids);
            if (to == NULL)
                return false;
            *to = created->items[at].dataid;
        }
    }
    return true;
}

/* The sites that can create the object: most objects of libraries have none. Constant pools do not know the name of a
 * hidden class, which has a slash. */
static bool creating_sites(hs_trace *t, uint32_t object, bool multi, u32_vec *ids)
{
    const struct hs_object *o = hs_object_get(t, object);
    const char *type = o != NULL ? o->type : NULL;
    if (multi)
        return (type != NULL && !is_array(type)) ||
               (walk_add_sites(t, EVENT_MULTI_NEW_ARRAY, ids) && walk_add_sites(t, EVENT_MULTI_NEW_ARRAY_ELEMENT, ids));
    if (type == NULL || strchr(type, '/') != NULL)
        return walk_add_sites(t, EVENT_NEW_OBJECT_CREATED, ids) && walk_add_sites(t, EVENT_NEW_ARRAY_RESULT, ids);
    return is_array(type) ? walk_add_sites(t, EVENT_NEW_ARRAY_RESULT, ids) : add_created_sites(t, type, ids);
}

/* The first event of these sites that has the object. ERR_NOT_FOUND: there is none. */
static enum status first_of_sites(hs_trace *t, const u32_vec *ids, uint32_t object, uint64_t until,
                                  struct hs_event *out, struct error *err)
{
    struct walk w;
    if (ids->count == 0)
        return ERR_NOT_FOUND;
    walk_open_ids(&w, t, ids, object, until);
    const bool found = walk_next(&w, out);
    const enum status st = walk_close(&w, err);
    return st != OK || found ? st : ERR_NOT_FOUND;
}

enum status creation_of(hs_trace *t, uint32_t object, struct hs_event *out, struct error *err)
{
    u32_vec single = { 0 }, multi = { 0 };
    uint64_t until = UINT64_MAX;
    enum status st = ERR_NOT_FOUND;
    if (!creating_sites(t, object, false, &single) || !creating_sites(t, object, true, &multi))
        st = state_memory(t, err);
    else if (single.count + multi.count > 0 && (st = created_before(t, object, &until, err)) == OK)
        st = first_of_sites(t, &single, object, until, out, err);
    if (st == ERR_NOT_FOUND)
        st = first_of_sites(t, &multi, object, until, out, err);
    vec_free(&single);
    vec_free(&multi);
    return st;
}

/* ---- puts before initialization ---- */

static int by_seq(const void *a, const void *b)
{
    const struct hs_event *x = a, *y = b;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static enum status add_event(hs_trace *t, const struct hs_event *e, event_vec *out, struct error *err)
{
    struct hs_event *to = vec_push(out);
    if (to == NULL)
        return state_memory(t, err);
    *to = *e;
    return positions_number(t, to, err);
}

/* The early puts of the constructor frame that `done` (METHOD_OBJECT_INITIALIZED) belongs to. */
static enum status puts_of_frame(hs_trace *t, const struct hs_event *done, event_vec *out, struct error *err)
{
    const struct replay *state;
    struct frame_walk w;
    struct hs_event e;
    struct event_position at = { positions_stream(t, done->thread), done->position };
    enum status st = frames_at(t, at, &state, err);
    if (st != OK)
        return st;
    const struct call_frame *top = replay_top(state);
    if (top == NULL || top->method != effects_get(t, done->dataid)->method)
        return OK;
    frame_walk_begin(&w, t, at, top);
    for (;;) {
        st = frame_walk_back(&w, &e, err);
        if (st != OK)
            return st == ERR_NOT_FOUND ? OK : st;
        if (event_type(t, e.dataid) != EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION)
            continue;
        st = add_event(t, &e, out, err);
        if (st != OK)
            return st;
    }
}

/* The constructors that put the field before they initialize their object, sorted. */
static bool find_early_methods(hs_trace *t, const char *field, u32_vec *methods)
{
    const site_vec *puts = sites_of(t, EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION);
    uint64_t name = field != NULL ? site_hash(field, strlen(field)) : 0;
    for (size_t i = 0; i < puts->count; i++) {
        const struct site *put = &puts->items[i];
        if (put->name == 0 || (field != NULL && put->name != name))
            continue;
        uint32_t *to = vec_push(methods);
        if (to == NULL)
            return false;
        *to = put->method_id;
    }
    if (methods->count > 1)
        qsort(methods->items, methods->count, sizeof *methods->items, u32_order);
    return true;
}

/* METHOD_OBJECT_INITIALIZED of these constructors. */
static bool find_initialized_sites(hs_trace *t, const u32_vec *methods, u32_vec *out)
{
    const site_vec *done = sites_of(t, EVENT_METHOD_OBJECT_INITIALIZED);
    if (methods->count == 0)
        return true;
    for (size_t i = 0; i < done->count; i++) {
        uint32_t method = done->items[i].method_id;
        if (bsearch(&method, methods->items, methods->count, sizeof method, u32_order) == NULL)
            continue;
        uint32_t *to = vec_push(out);
        if (to == NULL)
            return false;
        *to = done->items[i].dataid;
    }
    return true;
}

static enum status early_sites(hs_trace *t, const char *field, u32_vec *out, struct error *err)
{
    u32_vec methods = { 0 };
    bool ok = find_early_methods(t, field, &methods) && find_initialized_sites(t, &methods, out);
    vec_free(&methods);
    return ok ? OK : state_memory(t, err);
}

/* The early puts of all constructor frames of the object that these events end. */
static enum status collect_early_puts(hs_trace *t, uint32_t object, const u32_vec *ids, event_vec *out,
                                      struct error *err)
{
    struct walk w;
    struct hs_event e;
    struct hs_event made = { .seq = UINT64_MAX }; /* its constructors have returned by then */
    enum status st = creation_of(t, object, &made, err);
    if (st != OK && st != ERR_NOT_FOUND)
        return st;
    walk_open_ids(&w, t, ids, object, made.seq);
    st = OK;
    for (unsigned i = 0; st == OK && i < EARLY_FRAMES_MAX && walk_next(&w, &e); i++)
        st = puts_of_frame(t, &e, out, err);
    return walk_end(&w, st, err);
}

static void keep_puts_of(hs_trace *t, const char *name, event_vec *puts)
{
    size_t kept = 0;
    for (size_t i = 0; i < puts->count; i++) {
        const char *own = attribute_text(dataid_or_none(t, puts->items[i].dataid), "name");
        if (own != NULL && strcmp(own, name) == 0)
            puts->items[kept++] = puts->items[i];
    }
    puts->count = kept;
}

enum status early_puts(hs_trace *t, uint32_t object, const char *name, event_vec *out, struct error *err)
{
    u32_vec ids = { 0 };
    enum status st = early_sites(t, name, &ids, err);
    if (st != OK || ids.count == 0)
        goto out;
    st = collect_early_puts(t, object, &ids, out, err);
    if (out->count > 1)
        qsort(out->items, out->count, sizeof *out->items, by_seq);
    if (name != NULL)
        keep_puts_of(t, name, out);
out:
    vec_free(&ids);
    return st;
}

/* Does the method of this put have an event that shows its object? Data IDs of a method stand next to each other. */
static bool shows_early_object(hs_trace *t, uint32_t dataid, uint32_t method)
{
    const site_vec *done = sites_of(t, EVENT_METHOD_OBJECT_INITIALIZED);
    size_t at;
    LOWER_BOUND(at, done->count, done->items[at].dataid < dataid);
    return (at < done->count && done->items[at].method_id == method) ||
           (at > 0 && done->items[at - 1].method_id == method);
}

enum status early_put_object(hs_trace *t, const struct hs_event *put, uint64_t *object, struct error *err)
{
    enum { EVENTS_MAX = 1 << 22 };
    struct hs_event e = { 0 };
    uint32_t depth = 0;
    uint32_t method = effects_get(t, put->dataid)->method;
    uint64_t gap = gap_behind(t, put->stamp);
    *object = 0;
    if (!shows_early_object(t, put->dataid, method))
        return OK; /* not of EXEC */
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
    struct walk w;
    struct hs_event owner, e;
    walk_open_types(&w, t, owners, 1, array, UINT64_MAX);
    bool found = walk_next(&w, &owner);
    enum status st = walk_close(&w, err);
    if (st != OK || !found)
        return st;
    for (int64_t i = 1;; i++) {
        st = event_beside(t, &owner, i, &e, err);
        if (st != OK)
            return st == ERR_NOT_FOUND ? OK : st;
        if (event_type(t, e.dataid) != EVENT_MULTI_NEW_ARRAY_ELEMENT)
            return OK;
        st = add_event(t, &e, out, err);
        if (st != OK)
            return st;
    }
}
