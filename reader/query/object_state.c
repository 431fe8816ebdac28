/* object_state.c - what an object held at a moment: its fields or elements as writes and reads of woven code tell.
 *
 * One walk backwards over the accesses of the object; a field that has been seen is taken out of the filter, so that
 * the index leads to the chunks of the others only. What was written before any event could show the object
 * (creation.h) comes last. */
#include "reader/query/access.h"
#include "reader/query/creation.h"
#include "reader/query/handover.h"
#include "reader/query/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS_MAX = 1 << 24 };

struct answer_members {
    hs_trace *trace;
    struct arena *arena;
    uint32_t id;
    uint64_t seq;
    VEC(struct hs_member) members;
    u64_vec types; /* site_hash of the names of its class and superclasses; empty: not all are known */
};

static enum status to_end(hs_cursor *c, uint64_t seq, struct error *err)
{
    return walk_seek(c, seq < UINT64_MAX ? seq + 1 : seq, err);
}

/* ---- fields ---- */

static bool find_types(struct answer_members *m, const struct hs_object *o)
{
    const struct hs_type *type = o != NULL ? hs_type_get(m->trace, o->class_id) : NULL;
    const struct lineage *c = type != NULL ? lineage_of(m->trace, type->name, type->loader) : NULL;
    bool unknown = c == NULL;
    for (; c != NULL; c = lineage_super(m->trace, c, &unknown)) {
        uint64_t *to = vec_push(&m->types);
        if (to == NULL)
            return false;
        *to = site_hash(c->name, strlen(c->name));
    }
    if (unknown)
        m->types.count = 0;
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
    if (name == NULL)
        return false;
    for (size_t i = 0; i < m->members.count; i++)
        if (strcmp(m->members.items[i].name, name) == 0)
            return true;
    return false;
}

/* "a.b.Declaring.field"; with the type behind it where that class declares several of this name. */
static const char *full_name(struct answer_members *m, struct field f)
{
    bool overloaded = field_overloaded(m->trace, f);
    size_t size = strlen(f.declaring) + strlen(f.name) + strlen(f.type) + 3;
    char *name = arena_chars(m->arena, size);
    if (name != NULL)
        (void)snprintf(name, size, "%s.%s%s%s", f.declaring, f.name, overloaded ? ":" : "", overloaded ? f.type : "");
    return name;
}

static enum status add_field(struct answer_members *m, const char *name, const struct hs_event *value,
                             struct error *err)
{
    struct hs_member *to = name != NULL ? vec_push(&m->members) : NULL;
    if (to == NULL)
        return state_memory(m->trace, err);
    *to = (struct hs_member){
        .name = name, .kind = value->kind, .value = access_narrowed(value->kind, value->value), .event = *value
    };
    return to->event.seq != UINT64_MAX ? OK : positions_number(m->trace, &to->event, err);
}

/* All accesses of this field are answered: *left of `ids` were not. */
static enum status drop_field(struct answer_members *m, hs_cursor *c, const u32_vec *ids, struct field f, size_t *left,
                              struct error *err)
{
    u32_vec same = { 0 };
    bool ok = true;
    for (size_t i = 0; ok && i < ids->count; i++)
        if (sites_same_field(m->trace, ids->items[i], f)) {
            uint32_t *to = vec_push(&same);
            ok = to != NULL;
            if (ok)
                *to = ids->items[i];
        }
    *left -= same.count < *left ? same.count : *left;
    cursor_drop_ids(c, same.items, same.count);
    vec_free(&same);
    return ok ? OK : state_memory(m->trace, err);
}

static enum status walk_fields(struct answer_members *m, hs_cursor *c, const u32_vec *ids, struct error *err)
{
    struct hs_event e = { 0 };
    struct heap_access a;
    size_t left = ids->count;
    enum status st = to_end(c, m->seq, err);
    while (st == OK && left > 0 && (st = walk_previous(c, &e, err)) == OK) {
        struct field f = sites_field(m->trace, e.dataid);
        const char *name = full_name(m, f);
        bool answered = known_field(m, name); /* in a chunk that was decoded before the field was dropped */
        st = answered ? ERR_NOT_FOUND : access_at(m->trace, &e, &a, err);
        if (st == OK && a.value.seq > m->seq)
            st = ERR_NOT_FOUND;
        if (st == OK && (st = add_field(m, name, &a.value, err)) == OK)
            st = drop_field(m, c, ids, f, &left, err);
        else if (st == ERR_NOT_FOUND)
            st = OK;
    }
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
    u32_vec ids = { 0 };
    event_vec early = { 0 };
    enum status st = OK;
    if (!add_sites(m, EVENT_PUT_INSTANCE_FIELD, &ids) || !add_sites(m, EVENT_GET_INSTANCE_FIELD, &ids))
        st = state_memory(m->trace, err);
    if (st == OK && ids.count > 0)
        st = walk_ids(m->trace, &ids, m->id, 0, UINT64_MAX, &c, err);
    if (st == OK && c != NULL)
        st = walk_fields(m, c, &ids, err);
    hs_cursor_close(c);
    vec_free(&ids);
    if (st == OK)
        st = early_puts(m->trace, m->id, NULL, &early, err);
    for (size_t i = early.count; st == OK && i-- > 0;) {
        const char *name = full_name(m, sites_field(m->trace, early.items[i].dataid));
        if (early.items[i].seq <= m->seq && !known_field(m, name))
            st = add_field(m, name, &early.items[i], err);
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

static enum status add_element(struct answer_members *m, struct index_set *set, uint64_t index,
                               const struct hs_event *value, struct error *err)
{
    bool no_memory = false;
    if (index >= ELEMENTS_MAX * (uint64_t)64 || !index_add(set, index, &no_memory))
        return no_memory ? state_memory(m->trace, err) : OK;
    struct hs_member *to = vec_push(&m->members);
    if (to == NULL)
        return state_memory(m->trace, err);
    *to = (struct hs_member){
        .index = index, .kind = value->kind, .value = access_narrowed(value->kind, value->value), .event = *value
    };
    return to->event.seq != UINT64_MAX ? OK : positions_number(m->trace, &to->event, err);
}

/* `nested`: its elements are arrays. */
static enum status find_elements(struct answer_members *m, bool nested, struct hs_object_state *out, struct error *err)
{
    static const unsigned types[] = { EVENT_ARRAY_STORE, EVENT_ARRAY_LOAD };
    hs_cursor *c;
    struct hs_event e = { 0 };
    struct heap_access a;
    struct index_set set = { 0 };
    event_vec made = { 0 };
    enum status st = nested ? multi_elements(m->trace, m->id, &made, err) : OK;
    if (st == OK && !out->has_length && made.count > 0) {
        out->has_length = true;
        out->length = made.count;
    }
    if (st == OK)
        st = walk_types(m->trace, types, 2, m->id, UINT64_MAX, &c, err);
    if (st != OK) {
        vec_free(&made);
        return st;
    }
    st = to_end(c, m->seq, err);
    while (st == OK && !(out->has_length && set.count >= out->length) && (st = walk_previous(c, &e, err)) == OK) {
        st = access_at(m->trace, &e, &a, err);
        if (st == OK && a.value.seq <= m->seq && !(out->has_length && a.index >= out->length))
            st = add_element(m, &set, a.index, &a.value, err);
        else if (st == ERR_NOT_FOUND)
            st = OK;
    }
    hs_cursor_close(c);
    st = st == ERR_NOT_FOUND ? OK : st;
    for (size_t i = 0; st == OK && i < made.count && made.items[i].seq <= m->seq; i++)
        st = add_element(m, &set, i, &made.items[i], err);
    vec_free(&made);
    vec_free(&set.words);
    if (m->members.count > 1)
        qsort(m->members.items, m->members.count, sizeof *m->members.items, by_index);
    return st;
}

/* The length: from its creation, or from any arraylength. */
static enum status find_length(hs_trace *t, uint32_t id, const struct hs_event *created, bool *known, uint64_t *out,
                               struct error *err)
{
    static const unsigned types[] = { EVENT_ARRAY_LENGTH };
    hs_cursor *c;
    struct hs_event e = { 0 }, length = { 0 };
    enum status st = OK;
    if (created != NULL && event_type(t, created->dataid) == EVENT_NEW_ARRAY_RESULT &&
        event_beside(t, created, -1, &length, err) == OK && event_type(t, length.dataid) == EVENT_NEW_ARRAY) {
        *known = true;
        *out = length.value;
        return OK;
    }
    if ((st = walk_types(t, types, 1, id, UINT64_MAX, &c, err)) != OK)
        return st;
    if ((st = walk_next(c, &e, err)) == OK && (st = event_beside(t, &e, 1, &length, err)) == OK &&
        event_type(t, length.dataid) == EVENT_ARRAY_LENGTH_RESULT) {
        *known = true;
        *out = length.value;
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
    enum status st = walk_next(c, &e, err);
    if (st == OK) {
        *first = e.seq;
        st = to_end(c, UINT64_MAX, err);
    }
    if (st == OK && (st = walk_previous(c, &e, err)) == OK)
        *last = e.seq;
    hs_cursor_close(c);
    return st == ERR_NOT_FOUND ? OK : st;
}

int hs_life(hs_trace *t, uint32_t id, uint64_t *first, uint64_t *last, struct hs_error *error)
{
    struct error err = { 0 };
    uint64_t from = HS_NO_SEQ, to = HS_NO_SEQ;
    if (id == 0)
        return 0; /* null */
    index_wish(t);
    if (find_life(t, id, &from, &to, &err) != OK)
        return give(error, &err);
    if (from == HS_NO_SEQ)
        return 0;
    *first = from;
    *last = to;
    return 1;
}

/* What unwoven code may have written. */
static enum status find_handover(struct answer_members *m, struct hs_object_state *out, struct error *err)
{
    enum status st = handover_last(m->trace, m->id, 0, m->seq, &out->handed, err);
    for (size_t i = 0; st == OK && i < m->members.count; i++)
        m->members.items[i].stale = out->handed.seq != HS_NO_SEQ && m->members.items[i].event.seq < out->handed.seq;
    return st;
}

static enum status make_object(struct answer_members *m, struct hs_object_state *out, struct error *err)
{
    struct hs_event created = { 0 };
    const struct hs_object *o = hs_object_get(m->trace, m->id);
    bool array = o != NULL && o->type != NULL && strchr(o->type, '[') != NULL;
    bool nested = array && strstr(o->type, "[][]") != NULL;
    *out = (struct hs_object_state){
        .id = m->id, .created = HS_NO_SEQ, .first = HS_NO_SEQ, .last = HS_NO_SEQ, .handed = { .seq = HS_NO_SEQ }
    };
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
    else if ((st = find_length(m->trace, m->id, made ? &created : NULL, &out->has_length, &out->length, err)) == OK)
        st = find_elements(m, nested, out, err);
    if (st == OK)
        st = find_handover(m, out, err);
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

int hs_object_at(hs_trace *trace, uint32_t id, uint64_t seq, const struct hs_object_state **state,
                 struct hs_error *error)
{
    struct error err = { 0 };
    struct answer_members m = { .trace = trace, .arena = state_answer(trace, ANSWER_OBJECT), .id = id, .seq = seq };
    struct hs_object_state *out = m.arena != NULL ? arena_get(m.arena, sizeof *out) : NULL;
    if (out == NULL) {
        (void)state_memory(trace, &err);
        return give(error, &err);
    }
    index_wish(trace);
    enum status st = id != 0
                         ? make_object(&m, out, &err)
                         : error_set(&err, ERR_NOT_FOUND, "%s: there is no object 0: it stands for null", trace->dir);
    if (st == OK && out->first == HS_NO_SEQ && hs_object_get(trace, id) == NULL)
        st = error_set(&err, ERR_NOT_FOUND, "%s: there is no object %u", trace->dir, id);
    vec_free(&m.members);
    vec_free(&m.types);
    if (st != OK)
        return give(error, &err);
    *state = out;
    return 0;
}

enum status array_length(hs_trace *t, uint32_t id, bool *known, uint64_t *length, struct error *err)
{
    struct hs_event created = { 0 };
    event_vec made = { 0 };
    *known = false;
    enum status st = multi_elements(t, id, &made, err);
    if (st == OK && made.count > 0) {
        *known = true;
        *length = made.count;
    }
    vec_free(&made);
    if (st != OK || *known)
        return st;
    st = creation_of(t, id, &created, err);
    if (st != OK && st != ERR_NOT_FOUND)
        return st;
    return find_length(t, id, st == OK ? &created : NULL, known, length, err);
}
