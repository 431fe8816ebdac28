/* failure_compare.c - where expected and actual differ: elements, entries, fields, and texts. */
#include <stdio.h>
#include <string.h>

#include "reader/cli/failure_parts.h"

enum { DIFFERENCES_MAX = 8, DEPTH_MAX = 16, PAIRS_MAX = 4096, PARTS_MAX = 4096, BACK_MAX = 40 };

struct side {
    struct hs_value value;
    uint64_t seq; /* at which it was put there; HS_NO_SEQ: not known */
};
struct compare {
    hs_trace *trace;
    struct failure *f;
    struct hs_error *error;
    unsigned pairs; /* of objects that were compared by their parts */
    bool failed;
};

static const struct hs_object *object_of(hs_trace *t, const struct hs_value *v)
{
    return v->kind == HS_KIND_REF && v->bits - 1 < UINT32_MAX ? hs_object_get(t, (uint32_t)v->bits) : NULL;
}

static unsigned unit_of(const struct hs_object *o, uint64_t i)
{
    const unsigned char *p = o->data;
    return o->latin1 ? p[i] : (unsigned)(p[2 * i] | p[2 * i + 1] << 8);
}

static uint64_t units_of(const struct hs_object *o) { return o->latin1 ? o->data_bytes : o->data_bytes / 2; }

/* ---- is it the same? ---- */

enum sameness { DIFFERENT, SAME, PARTS_DIFFER, UNKNOWN };

/* Numbers by their bits, texts by their content, boxes and values such as dates by what they stand for. PARTS_DIFFER:
 * records and collections that stand for different texts. */
static enum sameness same_value(const struct compare *c, const struct hs_value *a, const struct hs_value *b)
{
    if (a->kind != HS_KIND_REF || b->kind != HS_KIND_REF)
        return a->kind == b->kind ? (a->bits == b->bits ? SAME : DIFFERENT) : UNKNOWN;
    if (a->bits == b->bits)
        return SAME;
    if (a->bits == 0 || b->bits == 0)
        return DIFFERENT;
    const struct hs_object *o = object_of(c->trace, a);
    if (o == NULL)
        return UNKNOWN;
    const struct hs_object x = *o; /* a row ends with the next question */
    const struct hs_object *y = object_of(c->trace, b);
    if (y == NULL)
        return UNKNOWN;
    if (x.has_string && y->has_string) {
        const uint64_t n = units_of(&x);
        if (x.length != y->length)
            return DIFFERENT;
        for (uint64_t i = 0; i < n && i < units_of(y); i++)
            if (unit_of(&x, i) != unit_of(y, i))
                return DIFFERENT;
        return x.cut || y->cut ? UNKNOWN : SAME;
    }
    if (x.has_string != y->has_string || x.type == NULL)
        return x.type != NULL ? DIFFERENT : UNKNOWN;
    const struct hs_object_value *v = hs_object_value_get(c->trace, (uint32_t)a->bits, HS_NO_SEQ);
    if (v == NULL)
        return UNKNOWN;
    const char kind = v->kind;
    const uint64_t bits = v->bits;
    const char *text = kind == 0 && v->text != NULL ? failure_text(c->f, "%s", v->text) : NULL;
    v = hs_object_value_get(c->trace, (uint32_t)b->bits, HS_NO_SEQ);
    if (v == NULL || v->kind != kind)
        return UNKNOWN;
    if (kind != 0)
        return v->bits == bits ? SAME : DIFFERENT;
    if (text == NULL || v->text == NULL)
        return UNKNOWN;
    const bool has_parts = !v->is_constant && (!test_library(x.type) || strncmp(x.type, "java.util.", 10) == 0);
    return strcmp(text, v->text) == 0 ? SAME : has_parts ? PARTS_DIFFER : DIFFERENT;
}

/* ---- a difference ---- */

static void mark_text(const struct compare *c, struct failure_difference *x)
{
    const struct hs_object *o = object_of(c->trace, &x->expected);
    if (o == NULL || !o->has_string)
        return;
    const struct hs_object a = *o, *b = object_of(c->trace, &x->actual);
    if (b == NULL || !b->has_string)
        return;
    const uint64_t n = units_of(&a), m = units_of(b), least = n < m ? n : m;
    x->is_text = true;
    while (x->first < least && unit_of(&a, x->first) == unit_of(b, x->first))
        x->first++;
    if (!a.cut && !b->cut)
        while (x->last < least - x->first && unit_of(&a, n - 1 - x->last) == unit_of(b, m - 1 - x->last))
            x->last++;
}

/* The event that gave the value to the call which put it there, and has returned at `seq`. */
static uint64_t given_at(const struct compare *c, uint64_t seq, const struct hs_value *value)
{
    const struct hs_event *e;
    if (seq == HS_NO_SEQ || hs_event_at(c->trace, seq, &e, NULL) != 0)
        return seq;
    struct hs_event at = *e;
    for (unsigned i = 0; i < BACK_MAX; i++) {
        const struct hs_dataid *d = hs_dataid_get(c->trace, at.dataid);
        if (at.kind == value->kind && at.value == value->bits && d != NULL &&
            (d->event == HS_EVENT_CALL_PARAM || d->event == HS_EVENT_ARRAY_STORE_VALUE))
            return at.seq;
        if ((e = failure_before(c->trace, &at)) == NULL)
            break;
        at = *e;
    }
    return seq;
}

static void add(struct compare *c, const char *path, const struct side *a, const struct side *b, uint64_t seq)
{
    struct failure *f = c->f;
    if (f->differences.count >= DIFFERENCES_MAX) {
        f->more_differences++;
        return;
    }
    struct failure_difference *to = vec_push(&f->differences);
    if (to == NULL) {
        c->failed = true;
        return;
    }
    *to = (struct failure_difference){ .path = path, .has_expected = a != NULL, .has_actual = b != NULL, .seq = seq };
    if (a != NULL)
        to->expected = a->value;
    if (b != NULL)
        to->actual = b->value;
    if (a != NULL && b != NULL)
        mark_text(c, to);
    if (b != NULL)
        to->seq = given_at(c, b->seq, &b->value);
}

/* ---- the parts of two values ---- */

static void compare(struct compare *c, const char *path, const struct side *a, const struct side *b, unsigned depth);

struct parts {
    bool known, is_map, ordered;
    VEC(struct hs_value) keys;
    VEC(struct side) items;
    VEC(const char *) names; /* of fields */
};

static void parts_free(struct parts *p)
{
    vec_free(&p->keys);
    vec_free(&p->items);
    vec_free(&p->names);
}

static void add_part(struct compare *c, struct parts *p, const struct hs_value *value, uint64_t seq)
{
    struct side *to = vec_push(&p->items);
    if (to == NULL)
        c->failed = true;
    else
        *to = (struct side){ *value, seq };
}

static void members(struct compare *c, struct parts *p, const struct hs_member *const *from, size_t n, bool named)
{
    for (size_t i = 0; i < n && i < PARTS_MAX; i++) {
        const struct hs_value v = { .kind = from[i]->kind, .bits = from[i]->value };
        const char **name = named ? vec_push(&p->names) : NULL;
        if (name != NULL) {
            const char *dot = from[i]->name != NULL ? strrchr(from[i]->name, '.') : NULL;
            *name = failure_text(c->f, "%s", dot != NULL ? dot + 1 : "?");
            c->failed |= *name == NULL;
        }
        c->failed |= named && name == NULL;
        add_part(c, p, &v, from[i]->is_default ? HS_NO_SEQ : from[i]->event->seq);
    }
}

static bool knows_elements(const struct hs_object_state *array)
{
    bool known = array->element_count == array->length && array->length <= PARTS_MAX;
    for (size_t i = 0; known && i < array->element_count; i++)
        known = !array->elements[i]->stale && !array->elements[i]->unrecorded;
    return known;
}

/* Elements of a collection or array, or fields of an object of the program, when the test failed. */
static void find_parts(struct compare *c, const struct hs_value *value, uint64_t moment, struct parts *p)
{
    const struct hs_contents *contents;
    const struct hs_object_state *state;
    const uint32_t id = (uint32_t)value->bits;
    const int found = hs_contents_at(c->trace, id, moment, &contents, NULL);
    if (found > 0 && contents->known && contents->shape <= HS_CONTENTS_MAP) {
        p->known = contents->entry_count <= PARTS_MAX;
        p->is_map = contents->shape == HS_CONTENTS_MAP;
        p->ordered = contents->shape == HS_CONTENTS_LIST;
        for (size_t i = 0; p->known && i < contents->entry_count; i++) {
            struct hs_value *key = p->is_map ? vec_push(&p->keys) : NULL;
            c->failed |= p->is_map && key == NULL;
            if (key != NULL)
                *key = *contents->entries[i]->key;
            add_part(c, p, contents->entries[i]->value, contents->entries[i]->seq);
        }
        return;
    }
    if (found != 0 || hs_object_at(c->trace, id, moment, &state, NULL) != 0)
        return;
    const struct hs_object *o = object_of(c->trace, value);
    const bool is_array = state->has_length;
    if (o == NULL || o->type == NULL || (!is_array && test_library(o->type)))
        return;
    p->known = !is_array || knows_elements(state);
    p->ordered = is_array;
    if (p->known && is_array)
        members(c, p, state->elements, state->element_count, false);
    else if (p->known)
        members(c, p, state->fields, state->field_count, true);
}

static const char *key_text(struct compare *c, const struct hs_value *key)
{
    const struct hs_object *o = object_of(c->trace, key);
    if (o != NULL && o->has_string && o->latin1)
        return failure_text(c->f, "[\"%.*s\"]", (int)(o->data_bytes < 60 ? o->data_bytes : 60), (const char *)o->data);
    const struct hs_object_value *v =
        o != NULL ? hs_object_value_get(c->trace, (uint32_t)key->bits, c->f->compared) : NULL;
    if (v != NULL && v->text != NULL)
        return failure_text(c->f, "[%.60s]", v->text);
    if (v != NULL && v->kind != 0)
        return failure_text(c->f, "[%lld]", (long long)v->bits);
    return failure_text(c->f, "[%s#%u]", o != NULL && o->type != NULL ? o->type : "?", (unsigned)key->bits);
}

static void compare_lists(struct compare *c, const char *path, struct parts *a, struct parts *b, unsigned depth)
{
    const size_t n = a->items.count, m = b->items.count;
    const uint64_t last = m > 0 ? given_at(c, b->items.items[m - 1].seq, &b->items.items[m - 1].value) : HS_NO_SEQ;
    for (size_t i = 0; i < n || i < m; i++) {
        const char *at = failure_text(c->f, "%s[%zu]", path, i);
        if (at == NULL)
            c->failed = true;
        else if (i < n && i < m)
            compare(c, at, &a->items.items[i], &b->items.items[i], depth + 1);
        else
            add(c, at, i < n ? &a->items.items[i] : NULL, i < m ? &b->items.items[i] : NULL, last);
    }
}

/* Where the key, or of a set the element, is among those of the other; SIZE_MAX: it is not. */
static size_t find_in(const struct compare *c, const struct parts *p, const struct hs_value *wanted)
{
    for (size_t i = 0; i < p->items.count; i++)
        if (same_value(c, p->is_map ? &p->keys.items[i] : &p->items.items[i].value, wanted) == SAME)
            return i;
    return SIZE_MAX;
}

static void compare_keyed(struct compare *c, const char *path, struct parts *a, struct parts *b, unsigned depth)
{
    const size_t m = b->items.count;
    const uint64_t last = m > 0 ? given_at(c, b->items.items[m - 1].seq, &b->items.items[m - 1].value) : HS_NO_SEQ;
    for (int side = 0; side < 2; side++) {
        const struct parts *from = side == 0 ? a : b, *to = side == 0 ? b : a;
        for (size_t i = 0; i < from->items.count; i++) {
            const struct hs_value *key = from->is_map ? &from->keys.items[i] : &from->items.items[i].value;
            const size_t at = find_in(c, to, key);
            const char *name = key_text(c, key);
            const char *whole = name != NULL ? failure_text(c->f, "%s%s", path, name) : NULL;
            if (whole == NULL)
                c->failed = true;
            else if (at == SIZE_MAX)
                add(c, whole, side == 0 ? &from->items.items[i] : NULL, side == 1 ? &from->items.items[i] : NULL, last);
            else if (side == 0 && from->is_map)
                compare(c, whole, &from->items.items[i], &to->items.items[at], depth + 1);
        }
    }
}

static void compare_fields(struct compare *c, const char *path, struct parts *a, struct parts *b, unsigned depth)
{
    for (size_t i = 0; i < a->items.count; i++)
        for (size_t k = 0; k < b->items.count; k++) {
            if (strcmp(a->names.items[i], b->names.items[k]) != 0)
                continue;
            const char *at = failure_text(c->f, "%s.%s", path, a->names.items[i]);
            if (at == NULL)
                c->failed = true;
            else
                compare(c, at, &a->items.items[i], &b->items.items[k], depth + 1);
            break;
        }
}

static void compare(struct compare *c, const char *path, const struct side *a, const struct side *b, unsigned depth)
{
    const enum sameness same = same_value(c, &a->value, &b->value);
    struct parts x = { 0 }, y = { 0 };
    if (c->failed || same == SAME)
        return;
    const bool look = same == UNKNOWN || same == PARTS_DIFFER;
    if (look && depth < DEPTH_MAX && c->pairs < PAIRS_MAX && a->value.kind == HS_KIND_REF &&
        b->value.kind == HS_KIND_REF) {
        c->pairs++;
        find_parts(c, &a->value, c->f->expected_at, &x);
        find_parts(c, &b->value, c->f->actual_at, &y);
    }
    const bool fields = x.names.count > 0 && y.names.count > 0;
    if (same == DIFFERENT || (same == UNKNOWN && a->value.kind != b->value.kind))
        add(c, path, a, b, HS_NO_SEQ);
    else if (x.known && y.known && x.ordered && y.ordered)
        compare_lists(c, path, &x, &y, depth);
    else if (x.known && y.known && !fields && x.is_map == y.is_map && x.names.count == y.names.count)
        compare_keyed(c, path, &x, &y, depth);
    else if (x.known && y.known && fields)
        compare_fields(c, path, &x, &y, depth);
    else if (same == PARTS_DIFFER)
        add(c, path, a, b, HS_NO_SEQ);
    parts_free(&x);
    parts_free(&y);
}

int failure_compare(hs_trace *t, struct failure *f, struct hs_error *error)
{
    struct compare c = { .trace = t, .f = f, .error = error };
    if (!f->has_expected || !f->has_actual)
        return 0;
    const struct side a = { { .kind = f->expected.kind, .bits = f->expected.value }, HS_NO_SEQ };
    const struct side b = { { .kind = f->actual.kind, .bits = f->actual.value }, HS_NO_SEQ };
    if (a.value.kind == HS_KIND_REF && b.value.kind == HS_KIND_REF)
        compare(&c, "", &a, &b, 0);
    return c.failed ? failure_no_memory(error) : 0;
}
