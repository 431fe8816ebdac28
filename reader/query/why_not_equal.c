/* why_not_equal.c - is an element of a collection equal to the one that is looked for, as equals() and, in HashSet and
 * HashMap, hashCode() say; and those that only look like it. Texts and numbers are compared here; what the program's
 * own equals() and hashCode() say is evaluated by their recorded code. */
#include <ctype.h>
#include <string.h>

#include "formats/mutf8.h"
#include "reader/query/contents_entries.h"
#include "reader/query/why_not.h"

enum { EVALUATED_MAX = 2000, ALIKE_MAX = 10 };

bool member_hashes(const struct member_search *s)
{
    return (s->contents.class->shapes & (SHAPE_SET | SHAPE_MAP)) != 0 &&
           (s->contents.class->shapes & SHAPE_SORTED) == 0 && !s->wanted->of_values;
}

static const struct hs_object *object_at(struct asking *a, struct hs_value v)
{
    return v.kind == HS_KIND_REF && v.bits - 1 < UINT32_MAX ? hs_object_get(a->trace, (uint32_t)v.bits) : NULL;
}

/* The text of a string, behind what `out` has; false: it is none, or not all of it was recorded. */
static bool text_of(struct asking *a, struct hs_value v, struct writer *out)
{
    const struct hs_object *o = object_at(a, v);
    if (o == NULL || !o->has_string || o->cut)
        return false;
    (o->latin1 ? latin1_to_utf8 : utf16le_to_utf8)(o->data, o->data_bytes, out);
    write_u1(out, 0);
    return !out->bad;
}

static enum sameness same_number(struct asking *a, struct hs_value v)
{
    struct hs_value number;
    const struct hs_object *o = object_at(a, v);
    if (o == NULL || !contents_is_box(o->type))
        return o != NULL || v.bits == 0 ? DIFFERENT : UNSURE;
    if (!contents_box(&a->member->contents, (uint32_t)v.bits, &number))
        return UNSURE;
    return number.kind == a->member->wanted->element.kind && number.bits == a->member->wanted->element.bits ? SAME
                                                                                                            : DIFFERENT;
}

static enum sameness same_text(struct asking *a, struct hs_value v)
{
    struct writer text = { 0 };
    const struct hs_object *o = object_at(a, v);
    enum sameness same = o != NULL && o->has_string && o->cut ? UNSURE : DIFFERENT;
    if (text_of(a, v, &text))
        same = strcmp((const char *)text.data, a->member->wanted->text) == 0 ? SAME : DIFFERENT;
    writer_free(&text);
    return same;
}

/* Does the class, or one below Object that it extends, declare the method? False too where that is not known. */
static bool declares(hs_trace *t, const struct hs_object *o, const char *method)
{
    const struct hs_type *type = o != NULL ? hs_type_get(t, o->class_id) : NULL;
    const struct lineage *l = type != NULL ? lineage_of(t, type->name, type->loader) : NULL;
    bool unknown = false;
    for (; l != NULL; l = lineage_super(t, l, &unknown))
        for (uint32_t i = 0; l->row != NULL && i < l->row->method_count; i++)
            if (strcmp(l->row->methods[i]->name, method) == 0)
                return true;
    return false;
}

/* The hashCode of Object: another one for each object. */
static bool hashes_by_identity(struct asking *a, uint32_t id)
{
    const struct hs_object *o = hs_object_get(a->trace, id);
    return o != NULL && declares(a->trace, o, "equals") && !declares(a->trace, hs_object_get(a->trace, id), "hashCode");
}

/* Two equal objects in a collection that looks for them by hashCode(). */
static bool other_hash(struct asking *a, uint32_t id)
{
    const struct absent_member *w = a->member->wanted;
    int32_t mine, other;
    if (!member_hashes(a->member) || w->element.kind != HS_KIND_REF || w->element.bits == id)
        return false;
    if (hashes_by_identity(a, id))
        return true;
    return w->hash(w->context, (uint32_t)w->element.bits, w->at, &mine) && w->hash(w->context, id, w->at, &other) &&
           mine != other;
}

/* By the program's own equals(); asked once of an object. */
static enum sameness evaluated(struct asking *a, uint32_t id)
{
    struct member_search *s = a->member;
    struct member_equals *known = map_get(&s->equals, id);
    if (known != NULL)
        return known->same;
    if (s->evaluated == EVALUATED_MAX || (known = map_put(&s->equals, id)) == NULL)
        return UNSURE;
    s->evaluated++;
    const enum expression_answer yes = s->wanted->equals(s->wanted->context, id);
    known->same = yes == EXPRESSION_YES ? SAME : yes == EXPRESSION_NO ? DIFFERENT : UNSURE;
    if (known->same == SAME && other_hash(a, id))
        known->same = DIFFERENT;
    return known->same;
}

enum sameness member_is(struct asking *a, struct hs_value v)
{
    const struct absent_member *w = a->member->wanted;
    if (w->text != NULL)
        return same_text(a, v);
    if (w->element.kind != HS_KIND_REF)
        return same_number(a, v);
    const enum sameness same = contents_equal(&a->member->contents, w->element, v);
    return same == UNSURE ? evaluated(a, (uint32_t)v.bits) : same;
}

/* ---- hashCode ---- */

/* The last write of a field of the object in this time; ERR_NOT_FOUND: there is none. */
static enum status last_write(hs_trace *t, uint32_t id, uint64_t from, uint64_t to, struct hs_event *out,
                              struct error *err)
{
    static const unsigned types[] = { EVENT_PUT_INSTANCE_FIELD };
    struct walk w;
    walk_open_types(&w, t, types, 1, id, to);
    walk_seek_after(&w, to);
    const bool found = walk_previous(&w, out) && out->seq > from;
    const enum status st = walk_close(&w, err);
    return st == OK && !found ? ERR_NOT_FOUND : st;
}

enum status ask_hash(struct asking *a, bool *changed, struct error *err)
{
    const struct member_search *s = a->member;
    const struct absent_member *w = s->wanted;
    struct hs_event write;
    int32_t then, now;
    const uint32_t id = s->added.object;
    *changed = false;
    if (id == 0 || !w->hash(w->context, id, s->added.from, &then) || !w->hash(w->context, id, w->at, &now) ||
        then == now)
        return OK;
    const enum status st = last_write(a->trace, id, s->added.seq, w->at, &write, err);
    if (st != OK)
        return st == ERR_NOT_FOUND ? OK : st;
    *changed = true;
    const struct hs_value was = { (uint64_t)(int64_t)then, HS_KIND_INT }, is = { (uint64_t)(int64_t)now, HS_KIND_INT };
    return add_value(a, HS_SITUATION_HASH_CHANGED, &write, "hashCode", &is, &was, err);
}

/* ---- what looks like it ---- */

/* Equal but for case and the blanks around it. */
static bool alike_text(const char *x, const char *y)
{
    size_t n = strlen(x), m = strlen(y);
    for (; n > 0 && isspace((unsigned char)*x); n--)
        x++;
    for (; m > 0 && isspace((unsigned char)*y); m--)
        y++;
    for (; n > 0 && isspace((unsigned char)x[n - 1]);)
        n--;
    for (; m > 0 && isspace((unsigned char)y[m - 1]);)
        m--;
    for (size_t i = 0; i < n && n == m; i++)
        if (tolower((unsigned char)x[i]) != tolower((unsigned char)y[i]))
            return false;
    return n == m;
}

/* What a number of any box says. */
static bool number_in(struct asking *a, struct hs_value v, struct hs_value *out)
{
    const struct hs_object *o = object_at(a, v);
    *out = v;
    return v.kind != HS_KIND_REF ||
           (o != NULL && contents_is_box(o->type) && contents_box(&a->member->contents, (uint32_t)v.bits, out));
}

/* The fields of two objects of one class, as far as known, with the same values. */
static enum status alike_fields(struct asking *a, uint32_t x, uint32_t y, bool *alike, struct error *err)
{
    const struct hs_object_state *p, *q;
    const uint64_t at = a->member->wanted->at;
    size_t same = 0;
    enum status st = object_state(a->trace, a->arena, x, at, PART_ALL, &p, err);
    if (st == OK)
        st = object_state(a->trace, a->arena, y, at, PART_ALL, &q, err);
    if (st != OK)
        return st == ERR_NOT_FOUND ? OK : st;
    for (size_t i = 0; i < p->field_count && i < q->field_count; i++) {
        const struct hs_value v = { p->fields[i]->value, p->fields[i]->kind };
        const struct hs_value w = { q->fields[i]->value, q->fields[i]->kind };
        same += strcmp(p->fields[i]->name, q->fields[i]->name) == 0 && v.kind == w.kind &&
                (v.kind == HS_KIND_REF ? contents_equal(&a->member->contents, v, w) == SAME : v.bits == w.bits);
    }
    *alike = same > 0 && same == p->field_count && same == q->field_count;
    return OK;
}

/* Why an element that looks like the one that is looked for is not it; NULL: it does not look like it. */
static enum status look_alike(struct asking *a, struct hs_value v, const char **why, struct error *err)
{
    const struct absent_member *w = a->member->wanted;
    struct writer x = { 0 }, y = { 0 };
    struct hs_value p, q;
    const bool text = w->text != NULL || text_of(a, w->element, &x);
    *why = NULL;
    if (text && text_of(a, v, &y) && alike_text(w->text != NULL ? w->text : (const char *)x.data, (const char *)y.data))
        *why = "only without regard to case and blanks";
    writer_free(&x);
    writer_free(&y);
    if (text || *why != NULL)
        return OK;
    if (number_in(a, w->element, &p) && number_in(a, v, &q)) {
        *why = p.kind != q.kind && p.bits == q.bits ? "a number in a box of another class" : NULL;
        return OK;
    }
    const struct hs_object *o = object_at(a, w->element);
    const uint32_t class = o != NULL ? o->class_id : 0;
    o = object_at(a, v);
    if (class == 0 || o == NULL || o->class_id != class || w->element.bits == v.bits)
        return OK;
    bool alike = false;
    const bool equal = w->equals(w->context, (uint32_t)v.bits) == EXPRESSION_YES;
    const enum status st = equal ? OK : alike_fields(a, (uint32_t)w->element.bits, (uint32_t)v.bits, &alike, err);
    if (equal)
        *why = hashes_by_identity(a, (uint32_t)v.bits) ? "its class has equals and no hashCode"
                                                       : "equals, but another hashCode";
    else if (alike)
        *why = declares(a->trace, object_at(a, v), "equals") ? "the same fields, but equals is false"
                                                             : "the same fields, but its class has no equals";
    return st;
}

enum status ask_alike(struct asking *a, struct error *err)
{
    const struct member_search *s = a->member;
    enum status st = OK;
    unsigned found = 0;
    for (size_t i = contents_count(&s->contents); st == OK && s->contents.known && found < ALIKE_MAX && i-- > 0;) {
        const struct held *h = entries_at(&s->contents, i);
        const struct hs_value v = entries_are_map(&s->contents) && !s->wanted->of_values ? h->key : h->value;
        struct hs_event put;
        const char *why;
        st = look_alike(a, v, &why, err);
        if (st != OK || why == NULL || h->seq == HS_NO_SEQ)
            continue;
        found++;
        st = event_at(a->trace, h->seq, &put, err);
        if (st == OK)
            st = add_value(a, HS_SITUATION_NOT_EQUAL, &put, why, &v, NULL, err);
    }
    return st;
}
