/* object_value.c - what an object stands for, as text and as number: from the copy that the agent made of it, from the
 * writes of a woven record or what its constructor was given, from the calls that made a box, and for a moment from
 * those of a short collection.
 *
 * What never changes is kept by object. Only the copies are quick; how many of the others are looked for is limited, so
 * that a stream of millions of events is not held up. */
#include "reader/query/contents.h"
#include "reader/query/record_parameters.h"
#include "reader/query/state.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 1 << 12, LOOKED_FOR_MAX = 5000, EVENTS_MAX = 20000000, CALLS_MAX = 200, ENTRIES_MAX = 16 };

struct known {
    uint32_t id;
    char *text; /* NULL: nothing is known of it */
    struct hs_object_value value;
};
struct object_values {
    struct known known[SLOTS];
    struct known moment; /* of a collection at a moment */
    unsigned looked_for;
    uint64_t walked; /* events */
};

static void values_free(void *what)
{
    struct object_values *v = what;
    for (unsigned i = 0; i < SLOTS; i++)
        free(v->known[i].text);
    free(v->moment.text);
    free(v);
}

static struct object_values *values_of(hs_trace *t)
{
    struct object_values *v = trace_attached(t, ATTACHED_VALUES);
    if (v != NULL)
        return v;
    v = calloc(1, sizeof *v);
    if (v == NULL)
        trace_no_memory(t);
    else
        trace_attach(t, ATTACHED_VALUES, v, values_free);
    return v;
}

/* Without an index each search walks along all events. */
static bool may_look(hs_trace *t)
{
    struct object_values *v = values_of(t);
    if (v == NULL || v->looked_for == LOOKED_FOR_MAX)
        return false;
    if (!index_present(t)) {
        v->walked += hs_event_count(t);
        if (v->walked > EVENTS_MAX)
            return false;
    }
    v->looked_for++;
    return true;
}

/* ---- records ---- */

static const struct lineage *record_of(hs_trace *t, uint32_t class_id)
{
    const struct hs_type *type = hs_type_get(t, class_id);
    const struct lineage *l = type != NULL ? lineage_of(t, type->name, type->loader) : NULL;
    return l != NULL && l->known && l->woven && strcmp(l->super, "java.lang.Record") == 0 ? l : NULL;
}

static const struct hs_member *member_of(const struct hs_object_state *s, const char *name)
{
    for (size_t i = 0; i < s->field_count; i++) {
        const char *dot = strrchr(s->fields[i]->name, '.');
        if (strcmp(dot != NULL ? dot + 1 : s->fields[i]->name, name) == 0)
            return s->fields[i];
    }
    return NULL;
}

/* Is the component known, from a write or, as `out`, the parameter that was stored into it? */
static const struct hs_member *component_of(hs_trace *t, const struct hs_object_state *s, const struct record_maker *m,
                                            const char *name, struct hs_event *e, struct hs_member *out)
{
    const struct hs_member *written = member_of(s, name);
    if (written != NULL || !record_parameter(t, m, name, e))
        return written;
    *out = (struct hs_member){ .kind = e->kind, .value = e->value };
    return out;
}

/* The components of a record whose constructor was recorded; `?` for one that is not known. */
static bool put_record(hs_trace *t, uint32_t id, unsigned depth, struct writer *w)
{
    const struct lineage *l = record_of(t, objects_class(t, id));
    const struct hs_object_state *s;
    struct arena arena = { 0 };
    size_t known = 0, count = 0, before = w->size;
    if (l == NULL || !may_look(t) || object_state(t, &arena, id, HS_NO_SEQ, PART_ALL, &s, NULL) != OK) {
        arena_done(&arena);
        return false;
    }
    struct hs_event e;
    struct record_maker maker = { 0 };
    if (s->field_count == 0 && l->field_count > 0 && s->first != HS_NO_SEQ && event_at(t, s->first, &e, NULL) == OK)
        maker = record_maker_of(t, &e);
    const char *dot = strrchr(l->name, '.'), *dollar = strrchr(l->name, '$');
    const char *name = dollar != NULL && dollar[1] != '\0' ? dollar + 1 : dot != NULL ? dot + 1 : l->name;
    const char *between = "[";
    write_bytes(w, name, strlen(name));
    for (size_t i = 0; i < l->field_count; i++) {
        if (l->fields[i].is_static)
            continue;
        struct hs_member given;
        const struct hs_member *m = component_of(t, s, &maker, l->fields[i].name, &e, &given);
        write_bytes(w, between, strlen(between));
        write_bytes(w, l->fields[i].name, strlen(l->fields[i].name));
        write_bytes(w, "=", 1);
        if (m != NULL && m->kind != HS_KIND_VOID)
            value_put_part(t, m->kind, m->value, depth + 1, put_record, w);
        else
            write_bytes(w, "?", 1);
        known += m != NULL;
        count++;
        between = ", ";
    }
    write_bytes(w, count == 0 ? "[]" : "]", count == 0 ? 2 : 1);
    bool found = known > 0 || count == 0;
    if (!found)
        w->size = before;
    arena_done(&arena);
    return found;
}

/* ---- what never changes ---- */

/* The number in a box whose content is not copied, as its calls show. */
static bool find_box(hs_trace *t, uint32_t id, struct value *out, struct writer *w)
{
    const struct contents_class *k = contents_class_of(t, id);
    struct contents c;
    struct contents_effort effort;
    if (k == NULL || (k->shapes & SHAPE_BOX) == 0 || has_woven_class(t, k->type) || !may_look(t))
        return false;
    bool found =
        contents_replay(t, id, HS_NO_SEQ, CALLS_MAX, &effort, &c, NULL) == OK && c.known && contents_count(&c) == 1;
    if (found) {
        const struct hs_value v = c.items.items[c.first].value;
        *out = (struct value){ .form = VALUE_NUMBER, .kind = v.kind, .bits = v.bits };
        value_put_part(t, v.kind, v.bits, 0, NULL, w);
    }
    contents_done(&c);
    return found;
}

static bool keep(hs_trace *t, struct known *k, uint32_t id, const struct value *v, struct writer *w)
{
    write_u1(w, 0);
    if (w->bad)
        trace_no_memory(t);
    free(k->text);
    k->id = id;
    k->text = w->bad ? NULL : (char *)w->data;
    if (w->bad)
        writer_free(w);
    k->value = (struct hs_object_value){
        .id = id, .kind = v->kind, .bits = v->bits, .is_constant = v->form == VALUE_CONSTANT, .text = k->text
    };
    return k->text != NULL;
}

static const struct hs_object_value *find_known(hs_trace *t, struct object_values *all, uint32_t id)
{
    struct known *k = &all->known[id & (SLOTS - 1)];
    if (k->id == id)
        return k->text != NULL ? &k->value : NULL;
    struct writer w = { 0 };
    struct value v = { .form = VALUE_TEXT };
    bool found = value_put(t, id, 0, put_record, &v, &w) || find_box(t, id, &v, &w);
    if (found)
        return keep(t, k, id, &v, &w) ? &k->value : NULL;
    writer_free(&w);
    free(k->text);
    *k = (struct known){ .id = id };
    return NULL;
}

/* ---- collections at a moment ---- */

static void put_entry(hs_trace *t, const struct held *h, bool map, struct writer *w)
{
    if (map) {
        value_put_part(t, h->key.kind, h->key.bits, 1, put_record, w);
        write_bytes(w, "=", 1);
    }
    value_put_part(t, h->value.kind, h->value.bits, 1, put_record, w);
}

/* The entries of a collection whose contents are known and not many; of an Optional, Atomic... or StringBuilder what is
 * in it. */
static bool put_contents(hs_trace *t, struct contents *c, struct writer *w)
{
    bool map = c->class->as == HS_CONTENTS_MAP, text = c->class->as == HS_CONTENTS_TEXT;
    size_t n = contents_count(c);
    if (!c->known || n > ENTRIES_MAX || w->bad)
        return false;
    if (text) {
        enum { UNITS_MAX = 200 };
        for (size_t i = 0; i < c->text.count && i < UNITS_MAX; i++)
            value_put_part(t, HS_KIND_CHAR, c->text.items[i], 0, NULL, w);
        if (c->text.count > UNITS_MAX)
            write_bytes(w, "...", 3);
        return true;
    }
    if (c->class->as == HS_CONTENTS_VALUE) {
        if (n == 0)
            write_bytes(w, "empty", 5);
        else
            put_entry(t, &c->items.items[c->first], false, w);
        return true;
    }
    write_bytes(w, map ? "{" : "[", 1);
    for (size_t i = 0; i < n; i++) {
        write_bytes(w, ", ", i > 0 ? 2 : 0);
        put_entry(t, &c->items.items[c->first + i], map, w);
    }
    write_bytes(w, map ? "}" : "]", 1);
    return true;
}

static const struct hs_object_value *find_contents(hs_trace *t, struct object_values *all, uint32_t id, uint64_t seq)
{
    const struct contents_class *k = contents_class_of(t, id);
    struct writer w = { 0 };
    struct contents c;
    struct contents_effort effort;
    if (k == NULL || (k->shapes & SHAPE_BOX) != 0 || has_woven_class(t, k->type) || !may_look(t))
        return NULL;
    bool found = contents_replay(t, id, seq, CALLS_MAX, &effort, &c, NULL) == OK;
    if (found && c.known && (c.class->shapes & SHAPE_SORTED) != 0)
        (void)contents_sort(&c);
    found = found && put_contents(t, &c, &w);
    contents_done(&c);
    const struct value v = { .form = VALUE_TEXT };
    if (found && keep(t, &all->moment, id, &v, &w))
        return &all->moment.value;
    writer_free(&w);
    return NULL;
}

enum class_standing class_standing(hs_trace *t, uint32_t class_id)
{
    const struct hs_type *type = hs_type_get(t, class_id);
    const struct contents_class *k = type != NULL ? contents_class_named(type->name) : NULL;
    if (type == NULL || strcmp(type->name, "java.lang.String") == 0 || record_of(t, class_id) != NULL)
        return STANDS_FOR_SOMETHING;
    if (k == NULL)
        return STANDS_FOR_NOTHING;
    return (k->shapes & SHAPE_BOX) != 0                              ? STANDS_FOR_NUMBER
           : k->as == HS_CONTENTS_TEXT || k->as == HS_CONTENTS_VALUE ? STANDS_FOR_SOMETHING
                                                                     : HOLDS_SEVERAL;
}

const struct hs_object_value *hs_object_value_get(hs_trace *trace, uint32_t id, uint64_t seq)
{
    struct object_values *all = id != 0 ? values_of(trace) : NULL;
    const struct hs_object_value *v = all != NULL ? find_known(trace, all, id) : NULL;
    return v == NULL && all != NULL && seq != HS_NO_SEQ ? find_contents(trace, all, id, seq) : v;
}
