/* contents_equal.c - are two references equal as equals() says, the numbers in boxes, and the natural order; see
 * contents.h. */
#include "reader/query/contents.h"

#include <stdlib.h>

/* ---- boxes ---- */

static const struct {
    const char *type, *getter;
    char kind;
} boxes[] = {
    { "java.lang.Integer", "intValue", 'I' },    { "java.lang.Long", "longValue", 'J' },
    { "java.lang.Character", "charValue", 'C' }, { "java.lang.Boolean", "booleanValue", 'Z' },
    { "java.lang.Double", "doubleValue", 'D' },  { "java.lang.Float", "floatValue", 'F' },
    { "java.lang.Short", "shortValue", 'S' },    { "java.lang.Byte", "byteValue", 'B' },
};
enum { BOXES = sizeof boxes / sizeof *boxes };

static int box_row(const char *type)
{
    for (int i = 0; type != NULL && i < (int)BOXES; i++)
        if (strcmp(boxes[i].type, type) == 0)
            return i;
    return -1;
}

bool contents_is_box(const char *type) { return box_row(type) >= 0; }

/* Does this event of the box prove what it holds? */
static bool proves(hs_trace *t, const struct hs_event *e, int row, struct hs_value *out)
{
    const struct hs_dataid *d = hs_dataid_get(t, e->dataid);
    const struct hs_dataid *site = d != NULL ? call_site(t, d) : NULL;
    const char *name = site != NULL ? attribute_text(site, "name") : NULL;
    struct outside_call call;
    if (name == NULL)
        return false;
    if (d->event == EVENT_CALL && strcmp(name, boxes[row].getter) == 0) {
        if (outside_call_at(t, e, &call, NULL) != OK || !call.returned || call.result.kind == HS_KIND_REF)
            return false;
        *out = (struct hs_value){ call.result.value, boxes[row].kind };
        return true;
    }
    bool made = d->event == EVENT_NEW_OBJECT_CREATED || (d->event == EVENT_CALL_RETURN && strcmp(name, "valueOf") == 0);
    if (!made || outside_call_of(t, e, &call, NULL) != OK || call.argument_count == 0 ||
        call.arguments[0].kind == HS_KIND_REF || strcmp(outside_call_owner(&call), boxes[row].type) != 0)
        return false;
    *out = (struct hs_value){ call.arguments[0].value, boxes[row].kind };
    return true;
}

enum { SEARCHES_MAX = 300, EVENTS_OF_A_BOX = 40, EVENTS_BEFORE = 16 };

bool contents_box_before(struct contents *c, const struct hs_event *call, uint32_t id)
{
    struct hs_event e;
    const struct hs_object *o = map_get(&c->boxes, id) == NULL ? hs_object_get(c->t, id) : NULL;
    int row = o != NULL ? box_row(o->type) : -1;
    struct hs_value v;
    for (int i = 1; row >= 0 && i <= EVENTS_BEFORE && event_beside(c->t, call, -i, &e, NULL) == OK; i++)
        if (e.value == id && event_type(c->t, e.dataid) == EVENT_CALL_RETURN && proves(c->t, &e, row, &v)) {
            struct box *box = map_put(&c->boxes, id);
            if (box == NULL)
                return false;
            box->known = true;
            box->value = v;
            break;
        }
    return true;
}

bool contents_box(struct contents *c, uint32_t id, struct hs_value *out)
{
    static const unsigned types[] = { EVENT_CALL_RETURN, EVENT_CALL, EVENT_NEW_OBJECT_CREATED };
    const struct hs_object *o = hs_object_get(c->t, id);
    int row = o != NULL ? box_row(o->type) : -1;
    struct walk w;
    struct hs_event e;
    if (row < 0)
        return false;
    struct box *box = map_get(&c->boxes, id);
    if (box == NULL && c->searches < SEARCHES_MAX && (box = map_put(&c->boxes, id)) != NULL) {
        c->searches++;
        walk_open_types(&w, c->t, types, 3, id, UINT64_MAX);
        for (int i = 0; i < EVENTS_OF_A_BOX && !box->known && walk_next(&w, &e); i++)
            box->known = proves(c->t, &e, row, &box->value);
        (void)walk_close(&w, NULL);
    }
    if (box == NULL || !box->known)
        return false;
    *out = box->value;
    return true;
}

/* ---- equality ---- */

/* The bits that equals() compares: all NaNs are one. */
static uint64_t box_bits(struct hs_value v)
{
    if (v.kind == 'D' && (v.bits & INT64_MAX) > UINT64_C(0x7ff0000000000000))
        return UINT64_C(0x7ff8000000000000);
    if (v.kind == 'F' && (v.bits & 0x7fffffff) > 0x7f800000)
        return 0x7fc00000;
    return v.kind == 'Z' ? v.bits != 0 : v.bits;
}

uint64_t contents_token(struct contents *c, struct hs_value v)
{
    struct hs_value number;
    if (v.bits == 0)
        return 1;
    const struct hs_object *o =
        v.bits <= UINT32_MAX && !contents_by_comparator(c) ? hs_object_get(c->t, (uint32_t)v.bits) : NULL;
    if (o == NULL || o->type == NULL)
        return 0;
    if (o->has_string)
        return o->cut ? 0 : map_hash(o->data, o->data_bytes) | 2;
    if (!contents_is_box(o->type) || !contents_box(c, (uint32_t)v.bits, &number))
        return 0;
    const uint64_t words[] = { (uint64_t)number.kind, box_bits(number) };
    return map_hash(words, sizeof words) | 2;
}

/* Is equals() that of Object for all objects of the class? */
static bool by_identity(hs_trace *t, const struct hs_object *o)
{
    const struct hs_type *type = hs_type_get(t, o->class_id);
    const struct lineage *l = type != NULL ? lineage_of(t, type->name, type->loader) : NULL;
    while (l != NULL) {
        const struct hs_class *c = NULL;
        bool unknown = false;
        if (strcmp(l->name, "java.lang.Object") == 0)
            return true;
        for (size_t i = 0; (c = class_at(t, i)) != NULL && strcmp(c->name, l->name) != 0;)
            i++;
        if (c == NULL || c->method_count == 0)
            return false;
        for (uint32_t i = 0; i < c->method_count; i++)
            if (strcmp(c->methods[i]->name, "equals") == 0)
                return false;
        if (l->known && (strcmp(l->super, "java.lang.Object") == 0 || strcmp(l->super, "java.lang.Enum") == 0))
            return true;
        l = lineage_super(t, l, &unknown);
    }
    return false;
}

static enum sameness same_text(const struct hs_object *a, const struct hs_object *b)
{
    if (!a->has_string || !b->has_string)
        return UNSURE;
    if (a->length != b->length)
        return DIFFERENT;
    size_t bytes = a->data_bytes < b->data_bytes ? a->data_bytes : b->data_bytes;
    if (a->latin1 != b->latin1) /* compact strings: Latin-1 wherever it fits, unless they were cut */
        return a->cut || b->cut ? UNSURE : DIFFERENT;
    if (memcmp(a->data, b->data, bytes) != 0)
        return DIFFERENT;
    return a->cut || b->cut ? UNSURE : SAME;
}

enum sameness contents_equal(struct contents *c, struct hs_value a, struct hs_value b)
{
    struct hs_value x, y;
    c->work++;
    if (a.bits == b.bits)
        return SAME;
    if (a.bits == 0 || b.bits == 0 || a.bits > UINT32_MAX || b.bits > UINT32_MAX)
        return DIFFERENT;
    const struct hs_object *o = hs_object_get(c->t, (uint32_t)a.bits);
    if (o == NULL || o->type == NULL)
        return UNSURE;
    struct hs_object first = *o;
    if (o->has_string) { /* its bytes live until the next object */
        c->scratch.count = 0;
        if (!vec_extend(&c->scratch, o->data_bytes + 1))
            return UNSURE;
        memcpy(c->scratch.items, o->data, o->data_bytes);
        first.data = c->scratch.items;
    }
    const struct hs_object *second = hs_object_get(c->t, (uint32_t)b.bits);
    if (second == NULL || second->type == NULL)
        return UNSURE;
    bool text = strcmp(first.type, "java.lang.String") == 0, box = contents_is_box(first.type);
    bool text_2 = strcmp(second->type, "java.lang.String") == 0, box_2 = contents_is_box(second->type);
    if (contents_by_comparator(c))
        return UNSURE; /* as a Comparator says */
    if (text && text_2)
        return same_text(&first, second);
    if ((text || box) && (text_2 || box_2) && strcmp(first.type, second->type) != 0)
        return DIFFERENT;
    if (box && box_2) {
        if (!contents_box(c, (uint32_t)a.bits, &x) || !contents_box(c, (uint32_t)b.bits, &y))
            return UNSURE;
        return box_bits(x) == box_bits(y) ? SAME : DIFFERENT;
    }
    if ((c->class->shapes & SHAPE_SORTED) != 0)
        return UNSURE; /* as compareTo says */
    struct hs_object other = *second;
    return (text || box || by_identity(c->t, &first)) && (text_2 || box_2 || by_identity(c->t, &other)) ? DIFFERENT
                                                                                                        : UNSURE;
}

/* ---- the natural order ---- */

struct sorting {
    struct held held;
    struct hs_value number;
    const uint8_t *data;
    size_t units;
    bool latin1;
};

static int by_text(const void *a, const void *b)
{
    const struct sorting *x = a, *y = b;
    size_t n = x->units < y->units ? x->units : y->units;
    for (size_t i = 0; i < n; i++) {
        unsigned u = x->latin1 ? x->data[i] : (unsigned)(x->data[2 * i] | x->data[2 * i + 1] << 8);
        unsigned v = y->latin1 ? y->data[i] : (unsigned)(y->data[2 * i] | y->data[2 * i + 1] << 8);
        if (u != v)
            return u < v ? -1 : 1;
    }
    return x->units < y->units ? -1 : x->units > y->units;
}

static int by_number(const void *a, const void *b)
{
    int64_t x = (int64_t)((const struct sorting *)a)->number.bits;
    int64_t y = (int64_t)((const struct sorting *)b)->number.bits;
    return x < y ? -1 : x > y;
}

bool contents_sort(struct contents *c)
{
    size_t n = contents_count(c);
    struct arena arena = { 0 };
    struct sorting *s = arena_array(&arena, n + 1, sizeof *s);
    bool sorted = s != NULL && !contents_by_comparator(c), texts = false;
    char kind = 0;
    for (size_t i = 0; sorted && i < n; i++) {
        const struct held *h = &c->items.items[c->first + i];
        struct hs_value v = (c->class->shapes & SHAPE_MAP) != 0 ? h->key : h->value;
        const struct hs_object *o = v.bits != 0 && v.bits <= UINT32_MAX ? hs_object_get(c->t, (uint32_t)v.bits) : NULL;
        s[i].held = *h;
        if (o != NULL && o->has_string && !o->cut && (i == 0 || texts)) {
            uint8_t *data = (uint8_t *)arena_chars(&arena, o->data_bytes + 1);
            if (data != NULL)
                memcpy(data, o->data, o->data_bytes);
            texts = true;
            sorted = data != NULL;
            s[i].data = data;
            s[i].latin1 = o->latin1;
            s[i].units = o->data_bytes / (o->latin1 ? 1 : 2);
        } else {
            sorted = !texts && v.bits != 0 && v.bits <= UINT32_MAX && contents_box(c, (uint32_t)v.bits, &s[i].number) &&
                     (kind == 0 || kind == s[i].number.kind) && strchr("IJSBC", s[i].number.kind) != NULL;
            kind = s[i].number.kind;
        }
    }
    if (sorted && n > 1)
        qsort(s, n, sizeof *s, texts ? by_text : by_number);
    for (size_t i = 0; sorted && i < n; i++)
        c->items.items[c->first + i] = s[i].held;
    arena_done(&arena);
    return sorted;
}
