/* object_state.c - what an object held at a moment: its fields or elements as writes and reads of woven code tell.
 *
 * One walk backwards over the accesses of the object; a field that has been seen is taken out of the filter, so that the
 * index leads to the chunks of the others only. Writes before the constructor of the superclass has returned carry no
 * object; they are found from METHOD_OBJECT_INITIALIZED (early_puts). */
#include "reader/bytecode.h"
#include "reader/index.h"
#include "reader/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS_MAX = 1 << 24, CHAIN_MAX = 1000, EARLY_FRAMES_MAX = 1000 };

struct answer_members {
    hs_trace *trace;
    struct arena *arena;
    uint32_t id;
    uint64_t seq;
    VEC(struct hs_member) members;
    u64_vec types;           /* site_hash of the names of its class and superclasses */
};

/* ---- walking ---- */

/* Opens a cursor over events of one or two types that have the object as value; `place` as in cursor_open_ids. */
static enum status open_object(hs_trace *t, unsigned first, unsigned second, uint32_t object, uint32_t place, uint64_t to,
                               hs_cursor **out, struct error *err)
{
    struct hs_error why;
    u32_vec ids = { 0 };
    struct hs_filter filter = HS_FILTER_ALL;
    filter.object = object;
    filter.to = to;
    const site_vec *lists[] = { sites_of(t, first), second != 0 ? sites_of(t, second) : NULL };
    for (unsigned k = 0; k < 2; k++)
        for (size_t i = 0; lists[k] != NULL && i < lists[k]->count; i++) {
            uint32_t *to_id = vec_push(&ids);
            if (to_id == NULL) {
                vec_free(&ids);
                return state_memory(t, err);
            }
            *to_id = lists[k]->items[i].dataid;
        }
    int rc = cursor_open_ids(t, &filter, ids.items != NULL ? ids.items : (uint32_t[]){ 0 }, ids.count, place, out, &why);
    vec_free(&ids);
    return rc == 0 ? OK : state_take(&why, err);
}

/* One step; OK or ERR_NOT_FOUND at the end. */
static enum status walk(hs_cursor *c, bool forward, struct hs_event *out, struct error *err)
{
    struct hs_error why;
    const struct hs_event *e;
    int more = forward ? hs_cursor_next(c, &e, &why) : hs_cursor_previous(c, &e, &why);
    if (more < 0)
        return state_take(&why, err);
    if (more == 0)
        return ERR_NOT_FOUND;
    *out = *e;
    return OK;
}

static enum status to_end(hs_cursor *c, uint64_t seq, struct error *err)
{
    struct hs_error why;
    return hs_cursor_seek(c, seq < UINT64_MAX ? seq + 1 : seq, &why) == 0 ? OK : state_take(&why, err);
}

/* The event `steps` behind (or before) another one in its thread. */
static enum status beside(hs_trace *t, const struct hs_event *e, int64_t steps, struct hs_event *out, struct error *err)
{
    struct place at = { places_stream(t, e->thread), e->position + (uint64_t)steps };
    return places_event(t, at, out, err);
}

static unsigned event_of(hs_trace *t, uint32_t dataid)
{
    const struct hs_dataid *d = hs_dataid_get(t, dataid);
    return d != NULL ? d->event : 0;
}

/* ---- creation ---- */

/* Where to look for the creation: objects are told of first while they are made, or as soon as they are. Only a constructor
 * of woven code may take longer than SOON. */
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
    enum status st = walk(c, true, &e, err);
    hs_cursor_close(c);
    if (st == OK)
        *until = event_of(t, e.dataid) == EVENT_METHOD_OBJECT_INITIALIZED ? UINT64_MAX : e.seq + SOON;
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
        if ((st = open_object(t, pairs[i][0], pairs[i][1], object, 0, until, &c, err)) != OK)
            return st;
        st = walk(c, true, out, err);
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
    struct place at = { places_stream(t, done->thread), done->position };
    enum status st = replay_at(t, at, &state, err);
    const struct fact *f = facts_get(t, done->dataid);
    const struct frame *top = st == OK ? replay_top(state) : NULL;
    if (top == NULL || top->method != f->method)
        return st;
    frame_walk_begin(&w, t, at, top);
    while ((st = frame_walk_back(&w, &e, err)) == OK) {
        if (event_of(t, e.dataid) != EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION)
            continue;
        struct hs_event *to = vec_push(out);
        if (to == NULL)
            return state_memory(t, err);
        *to = e;
        if ((st = places_number(t, to, err)) != OK)
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

enum status early_puts(hs_trace *t, uint32_t object, const char *field, event_vec *out, struct error *err)
{
    hs_cursor *c = NULL;
    struct hs_error why;
    struct hs_event e = { 0 };
    u32_vec ids = { 0 };
    struct hs_filter filter = HS_FILTER_ALL;
    size_t kept = 0;
    struct hs_event made;
    filter.object = object;
    enum status st = early_sites(t, field, &ids) ? OK : state_memory(t, err);
    if (st == OK && ids.count > 0 && (st = creation_of(t, object, &made, err)) == OK)
        filter.to = made.seq; /* its constructors are done then */
    else if (st == ERR_NOT_FOUND)
        st = OK;
    if (st == OK && ids.count > 0 && cursor_open_ids(t, &filter, ids.items, ids.count, 0, &c, &why) != 0)
        st = state_take(&why, err);
    vec_free(&ids);
    for (unsigned i = 0; c != NULL && i < EARLY_FRAMES_MAX && (st = walk(c, true, &e, err)) == OK; i++)
        if ((st = puts_of_frame(t, &e, out, err)) != OK)
            break;
    hs_cursor_close(c);
    if (out->count > 1)
        qsort(out->items, out->count, sizeof *out->items, by_seq);
    for (size_t i = 0; i < out->count; i++) {
        const char *name = facts_text(hs_dataid_get(t, out->items[i].dataid), "name");
        if (field == NULL || (name != NULL && strcmp(name, field) == 0))
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
    uint32_t method = facts_get(t, put->dataid)->method;
    uint64_t gap = gap_behind(t, put->stamp);
    *object = 0;
    for (int64_t i = 1; i < EVENTS_MAX; i++) {
        enum status st = beside(t, put, i, &e, err);
        if (st != OK)
            return st == ERR_NOT_FOUND ? OK : st;
        const struct fact *f = facts_get(t, e.dataid);
        if (e.stamp >= gap)
            return OK;
        if (f->op == FACT_ENTER) {
            depth++;
        } else if (f->op == FACT_LEAVE) {
            if (depth-- == 0)
                return OK;
        } else if (depth == 0 && f->op == FACT_INITIALIZED && f->method == method) {
            *object = e.value;
            return OK;
        }
    }
    return OK;
}

/* ---- fields ---- */

static bool find_types(struct answer_members *m, const struct hs_object *o)
{
    const struct hs_type *type = o != NULL ? hs_type_get(m->trace, o->class_id) : NULL;
    for (unsigned i = 0; type != NULL && i < CHAIN_MAX; i++) {
        uint64_t *to = vec_push(&m->types);
        if (to == NULL)
            return false;
        *to = site_hash(type->name, strlen(type->name));
        type = type->super != 0 && type->super <= UINT32_MAX ? hs_type_get(m->trace, (uint32_t)type->super) : NULL;
    }
    return true;
}

static bool has_type(const struct answer_members *m, uint64_t name)
{
    for (size_t i = 0; i < m->types.count; i++)
        if (m->types.items[i] == name)
            return true;
    return m->types.count == 0; /* nothing is known of it: anything may be */
}

/* Adds the accesses of an event type whose field can be the object's. */
static bool add_sites(struct answer_members *m, unsigned event, u32_vec *out)
{
    const site_vec *sites = sites_of(m->trace, event);
    for (size_t i = 0; i < sites->count; i++) {
        if (sites->items[i].owner == 0 || !has_type(m, sites->items[i].owner))
            continue;
        uint32_t *to = vec_push(out);
        if (to == NULL)
            return false;
        *to = sites->items[i].dataid;
    }
    return true;
}

static bool known_field(const struct answer_members *m, const char *name)
{
    for (size_t i = 0; i < m->members.count; i++)
        if (strcmp(m->members.items[i].name, name) == 0)
            return true;
    return false;
}

static const char *full_name(struct answer_members *m, struct field f)
{
    size_t size = strlen(f.declaring) + strlen(f.name) + 2;
    char *name = arena_chars(m->arena, size);
    if (name != NULL)
        (void)snprintf(name, size, "%s.%s", f.declaring, f.name);
    return name;
}

static enum status add_field(struct answer_members *m, struct field f, const struct hs_event *value, struct error *err)
{
    const char *name = full_name(m, f);
    struct hs_member *to = name != NULL ? vec_push(&m->members) : NULL;
    if (to == NULL)
        return state_memory(m->trace, err);
    *to = (struct hs_member){ .name = name, .kind = value->kind, .value = value->value, .event = *value };
    return to->event.seq != UINT64_MAX ? OK : places_number(m->trace, &to->event, err);
}

/* A put or get of the object: its value, if the instruction gave one before the moment. */
static enum status field_value(struct answer_members *m, const struct hs_event *e, struct hs_event *value, struct error *err)
{
    bool get = event_of(m->trace, e->dataid) == EVENT_GET_INSTANCE_FIELD;
    enum status st = beside(m->trace, e, 1, value, err);
    if (st != OK)
        return st;
    unsigned expected = get ? EVENT_GET_INSTANCE_FIELD_RESULT : EVENT_PUT_INSTANCE_FIELD_VALUE;
    if (event_of(m->trace, value->dataid) != expected)
        return ERR_NOT_FOUND;
    if ((st = places_number(m->trace, value, err)) != OK)
        return st;
    return value->seq > m->seq ? ERR_NOT_FOUND : OK;
}

static enum status walk_fields(struct answer_members *m, hs_cursor *c, const u32_vec *ids, struct error *err)
{
    struct hs_event e = { 0 }, value = { 0 };
    u32_vec same = { 0 };
    size_t left = ids->count;
    enum status st = to_end(c, m->seq, err);
    while (st == OK && left > 0 && (st = walk(c, false, &e, err)) == OK) {
        struct field f = sites_field(m->trace, e.dataid);
        const char *name = full_name(m, f);
        bool answered = name != NULL && known_field(m, name); /* in a chunk that was decoded before the field was dropped */
        st = answered ? ERR_NOT_FOUND : field_value(m, &e, &value, err);
        if (st == ERR_NOT_FOUND) {
            st = OK;
            continue;
        }
        if (st != OK || (st = add_field(m, f, &value, err)) != OK)
            break;
        same.count = 0; /* all accesses of this field are answered */
        for (size_t i = 0; i < ids->count; i++)
            if (sites_same_field(m->trace, ids->items[i], f)) {
                uint32_t *to = vec_push(&same);
                if (to == NULL) {
                    st = state_memory(m->trace, err);
                    break;
                }
                *to = ids->items[i];
            }
        left -= same.count < left ? same.count : left;
        cursor_drop_ids(c, same.items, same.count);
    }
    vec_free(&same);
    return st == ERR_NOT_FOUND ? OK : st;
}

static int by_name(const void *a, const void *b)
{
    const struct hs_member *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static enum status find_fields(struct answer_members *m, struct error *err)
{
    hs_cursor *c = NULL;
    struct hs_error why;
    struct hs_filter filter = HS_FILTER_ALL;
    u32_vec ids = { 0 };
    event_vec early = { 0 };
    enum status st = OK;
    filter.object = m->id;
    if (!add_sites(m, EVENT_PUT_INSTANCE_FIELD, &ids) || !add_sites(m, EVENT_GET_INSTANCE_FIELD, &ids))
        st = state_memory(m->trace, err);
    if (st == OK && ids.count > 0 && cursor_open_ids(m->trace, &filter, ids.items, ids.count, 0, &c, &why) != 0)
        st = state_take(&why, err);
    if (st == OK && c != NULL)
        st = walk_fields(m, c, &ids, err);
    hs_cursor_close(c);
    vec_free(&ids);
    if (st == OK)
        st = early_puts(m->trace, m->id, NULL, &early, err);
    for (size_t i = early.count; st == OK && i-- > 0;) {
        struct field f = sites_field(m->trace, early.items[i].dataid);
        const char *name = full_name(m, f);
        if (name != NULL && early.items[i].seq <= m->seq && !known_field(m, name))
            st = add_field(m, f, &early.items[i], err);
    }
    vec_free(&early);
    if (m->members.count > 1)
        qsort(m->members.items, m->members.count, sizeof *m->members.items, by_name);
    return st;
}

/* ---- elements ---- */

static int by_index(const void *a, const void *b)
{
    const struct hs_member *x = a, *y = b;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* A set of indices, growing. */
struct index_set {
    u64_vec words;
    uint64_t count;
};

/* True if it was not there yet. */
static bool index_add(struct index_set *s, uint64_t index, bool *no_memory)
{
    while (index / 64 >= s->words.count) {
        uint64_t *to = vec_push(&s->words);
        if (to == NULL) {
            *no_memory = true;
            return false;
        }
        *to = 0;
    }
    uint64_t bit = (uint64_t)1 << (index % 64), *word = &s->words.items[index / 64];
    if ((*word & bit) != 0)
        return false;
    *word |= bit;
    s->count++;
    return true;
}

static enum status add_element(struct answer_members *m, struct index_set *set, uint64_t index, const struct hs_event *value,
                               struct error *err)
{
    bool no_memory = false;
    if (index >= ELEMENTS_MAX * (uint64_t)64 || !index_add(set, index, &no_memory))
        return no_memory ? state_memory(m->trace, err) : OK;
    struct hs_member *to = vec_push(&m->members);
    if (to == NULL)
        return state_memory(m->trace, err);
    *to = (struct hs_member){ .index = index, .kind = value->kind, .value = value->value, .event = *value };
    return to->event.seq != UINT64_MAX ? OK : places_number(m->trace, &to->event, err);
}

/* Index and value of an access of the array; ERR_NOT_FOUND if it gave none before the moment, or a store failed. */
static enum status element_of(hs_trace *t, const struct hs_event *e, uint64_t until, uint64_t *index, struct hs_event *value,
                              struct error *err)
{
    struct hs_event i, behind;
    bool load = event_of(t, e->dataid) == EVENT_ARRAY_LOAD;
    enum status st = beside(t, e, 1, &i, err);
    if (st == OK)
        st = beside(t, e, 2, value, err);
    if (st != OK)
        return st;
    if (event_of(t, value->dataid) != (load ? EVENT_ARRAY_LOAD_RESULT : EVENT_ARRAY_STORE_VALUE) || (int64_t)i.value < 0)
        return ERR_NOT_FOUND;
    if (!load && beside(t, e, 3, &behind, NULL) == OK && event_of(t, behind.dataid) == EVENT_CATCH_LABEL &&
        facts_get(t, behind.dataid)->method == facts_get(t, e->dataid)->method && hs_dataid_get(t, e->dataid)->pc == behind.value)
        return ERR_NOT_FOUND; /* ArrayStoreException, or the index was out of bounds */
    *index = i.value;
    if ((st = places_number(t, value, err)) != OK)
        return st;
    return value->seq > until ? ERR_NOT_FOUND : OK;
}

/* Elements that a multianewarray gave to an array of arrays. */
static enum status multi_elements(struct answer_members *m, struct index_set *set, struct error *err)
{
    hs_cursor *c;
    struct hs_event owner = { 0 }, e = { 0 };
    enum status st = open_object(m->trace, EVENT_MULTI_NEW_ARRAY_OWNER, 0, m->id, 0, m->seq, &c, err);
    if (st != OK)
        return st;
    st = walk(c, true, &owner, err);
    for (uint64_t i = 0; st == OK; i++) {
        st = beside(m->trace, &owner, (int64_t)i + 1, &e, err);
        if (st == OK && event_of(m->trace, e.dataid) != EVENT_MULTI_NEW_ARRAY_ELEMENT)
            st = ERR_NOT_FOUND;
        if (st == OK)
            st = add_element(m, set, i, &e, err);
    }
    hs_cursor_close(c);
    return st == ERR_NOT_FOUND ? OK : st;
}

static enum status find_elements(struct answer_members *m, struct hs_object_state *out, struct error *err)
{
    hs_cursor *c;
    struct hs_event e = { 0 }, value = { 0 };
    struct index_set set = { 0 };
    uint64_t index;
    enum status st = open_object(m->trace, EVENT_ARRAY_STORE, EVENT_ARRAY_LOAD, m->id, 0, UINT64_MAX, &c, err);
    if (st != OK)
        return st;
    st = to_end(c, m->seq, err);
    while (st == OK && !(out->has_length && set.count >= out->length) && (st = walk(c, false, &e, err)) == OK) {
        st = element_of(m->trace, &e, m->seq, &index, &value, err);
        if (st == OK && !(out->has_length && index >= out->length))
            st = add_element(m, &set, index, &value, err);
        else if (st == ERR_NOT_FOUND)
            st = OK;
    }
    hs_cursor_close(c);
    if (st == ERR_NOT_FOUND)
        st = multi_elements(m, &set, err);
    vec_free(&set.words);
    if (m->members.count > 1)
        qsort(m->members.items, m->members.count, sizeof *m->members.items, by_index);
    return st;
}

/* The length: from its creation, or from any arraylength. */
static enum status find_length(hs_trace *t, uint32_t id, const struct hs_event *created, struct hs_object_state *out,
                               struct error *err)
{
    hs_cursor *c;
    struct hs_event e = { 0 }, length = { 0 };
    enum status st = OK;
    if (created != NULL && event_of(t, created->dataid) == EVENT_NEW_ARRAY_RESULT &&
        beside(t, created, -1, &length, err) == OK && event_of(t, length.dataid) == EVENT_NEW_ARRAY) {
        out->has_length = true;
        out->length = length.value;
        return OK;
    }
    if ((st = open_object(t, EVENT_ARRAY_LENGTH, 0, id, 0, UINT64_MAX, &c, err)) != OK)
        return st;
    if ((st = walk(c, true, &e, err)) == OK && (st = beside(t, &e, 1, &length, err)) == OK &&
        event_of(t, length.dataid) == EVENT_ARRAY_LENGTH_RESULT) {
        out->has_length = true;
        out->length = length.value;
    }
    hs_cursor_close(c);
    return st == ERR_NOT_FOUND ? OK : st;
}

/* ---- the object ---- */

static enum status find_life(hs_trace *t, uint32_t id, uint64_t *first, uint64_t *last, struct error *err)
{
    hs_cursor *c;
    struct hs_error why;
    struct hs_event e = { 0 };
    struct hs_filter filter = HS_FILTER_ALL;
    filter.object = id;
    if (hs_cursor_open(t, &filter, &c, &why) != 0)
        return state_take(&why, err);
    enum status st = walk(c, true, &e, err);
    if (st == OK) {
        *first = e.seq;
        st = to_end(c, UINT64_MAX, err);
    }
    if (st == OK && (st = walk(c, false, &e, err)) == OK)
        *last = e.seq;
    hs_cursor_close(c);
    return st == ERR_NOT_FOUND ? OK : st;
}

int hs_life(hs_trace *t, uint32_t id, uint64_t *first, uint64_t *last, struct hs_error *error)
{
    struct error err = { 0 };
    uint64_t from = HS_NO_SEQ, to = HS_NO_SEQ;
    index_wish(t);
    if (find_life(t, id, &from, &to, &err) != OK)
        return give(error, &err);
    if (from == HS_NO_SEQ)
        return 0;
    *first = from;
    *last = to;
    return 1;
}

static enum status make_object(struct answer_members *m, struct hs_object_state *out, struct error *err)
{
    struct hs_event created = { 0 };
    const struct hs_object *o = hs_object_get(m->trace, m->id);
    bool array = o != NULL && o->type != NULL && strchr(o->type, '[') != NULL;
    *out = (struct hs_object_state){ .id = m->id, .created = HS_NO_SEQ, .first = HS_NO_SEQ, .last = HS_NO_SEQ };
    if (!find_types(m, o))
        return state_memory(m->trace, err);
    enum status st = find_life(m->trace, m->id, &out->first, &out->last, err);
    if (st != OK || out->first == HS_NO_SEQ)
        return st;
    st = creation_of(m->trace, m->id, &created, err);
    bool made = st == OK;
    if (made) {
        out->created = created.seq;
        out->created_dataid = created.dataid;
    } else if (st != ERR_NOT_FOUND) {
        return st;
    }
    if (!array)
        st = find_fields(m, err);
    else if ((st = find_length(m->trace, m->id, made ? &created : NULL, out, err)) == OK)
        st = find_elements(m, out, err);
    if (st != OK)
        return st;
    struct hs_member *kept = arena_array(m->arena, m->members.count, sizeof *kept);
    if (kept == NULL)
        return state_memory(m->trace, err);
    if (m->members.count > 0)
        memcpy(kept, m->members.items, m->members.count * sizeof *kept);
    if (array) {
        out->elements = kept;
        out->element_count = m->members.count;
    } else {
        out->fields = kept;
        out->field_count = m->members.count;
    }
    return OK;
}

int hs_object_at(hs_trace *trace, uint32_t id, uint64_t seq, const struct hs_object_state **state, struct hs_error *error)
{
    struct error err = { 0 };
    struct answer_members m = { .trace = trace, .arena = state_answer(trace, ANSWER_OBJECT), .id = id, .seq = seq };
    struct hs_object_state *out = m.arena != NULL ? arena_get(m.arena, sizeof *out) : NULL;
    if (out == NULL) {
        (void)state_memory(trace, &err);
        return give(error, &err);
    }
    index_wish(trace);
    enum status st = make_object(&m, out, &err);
    if (st == OK && out->first == HS_NO_SEQ && hs_object_get(trace, id) == NULL)
        st = error_set(&err, ERR_NOT_FOUND, "%s: there is no object %u", trace->dir, id);
    vec_free(&m.members);
    vec_free(&m.types);
    if (st != OK)
        return give(error, &err);
    *state = out;
    return 0;
}

/* ---- the last write of one place ---- */

enum status last_field_write(hs_trace *t, uint32_t object, struct field f, uint64_t seq, struct hs_event *out, struct error *err)
{
    struct hs_error why;
    struct hs_event e = { 0 };
    u32_vec ids = { 0 };
    event_vec early = { 0 };
    hs_cursor *c = NULL;
    struct hs_filter filter = HS_FILTER_ALL;
    size_t count;
    const struct site *sites = sites_named(t, object != 0 ? EVENT_PUT_INSTANCE_FIELD : EVENT_PUT_STATIC_FIELD, f.name, &count);
    filter.object = object;
    enum status st = OK;
    for (size_t i = 0; st == OK && i < count; i++)
        if (sites_same_field(t, sites[i].dataid, f)) {
            uint32_t *to = vec_push(&ids);
            if (to == NULL)
                st = state_memory(t, err);
            else
                *to = sites[i].dataid;
        }
    if (st == OK && ids.count == 0)
        st = ERR_NOT_FOUND;
    uint32_t place = object != 0 ? index_place(object, index_field((struct text){ f.name, strlen(f.name) })) : 0;
    if (st == OK && (cursor_open_ids(t, &filter, ids.items, ids.count, place, &c, &why) != 0 || hs_cursor_seek(c, seq, &why) != 0))
        st = state_take(&why, err);
    while (st == OK && (st = walk(c, false, &e, err)) == OK) {
        *out = e;
        if (object != 0 && (st = beside(t, &e, 1, out, err)) == OK)
            st = places_number(t, out, err);
        if (st != OK || out->seq < seq)
            break;
    }
    hs_cursor_close(c);
    vec_free(&ids);
    if (st != ERR_NOT_FOUND || object == 0)
        return st;
    st = early_puts(t, object, f.name, &early, err);
    bool found = false;
    for (size_t i = 0; st == OK && i < early.count; i++)
        if (early.items[i].seq < seq && sites_same_field(t, early.items[i].dataid, f)) {
            *out = early.items[i];
            found = true;
        }
    vec_free(&early);
    return st == OK && !found ? ERR_NOT_FOUND : st;
}

enum status last_element_write(hs_trace *t, uint32_t array, int64_t index, uint64_t seq, struct hs_event *out, struct error *err)
{
    struct hs_error why;
    struct hs_event e = { 0 };
    hs_cursor *c;
    uint64_t at;
    enum status st = open_object(t, EVENT_ARRAY_STORE, 0, array, index_place(array, index_element((uint64_t)index)),
                                 UINT64_MAX, &c, err);
    if (st != OK)
        return st;
    if (hs_cursor_seek(c, seq, &why) != 0)
        st = state_take(&why, err);
    while (st == OK && (st = walk(c, false, &e, err)) == OK) {
        st = element_of(t, &e, seq > 0 ? seq - 1 : 0, &at, out, err);
        if (st == OK && at == (uint64_t)index)
            break;
        if (st == ERR_NOT_FOUND)
            st = OK;
    }
    hs_cursor_close(c);
    if (st != ERR_NOT_FOUND)
        return st;
    if ((st = open_object(t, EVENT_MULTI_NEW_ARRAY_OWNER, 0, array, 0, seq, &c, err)) != OK)
        return st;
    st = walk(c, true, &e, err);
    hs_cursor_close(c);
    if (st == OK)
        st = beside(t, &e, index + 1, out, err);
    if (st == OK && event_of(t, out->dataid) != EVENT_MULTI_NEW_ARRAY_ELEMENT)
        st = ERR_NOT_FOUND;
    return st == OK ? places_number(t, out, err) : st;
}
