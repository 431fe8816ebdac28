/* contents_text.c - what a StringBuilder or StringBuffer held; see contents.h. A number with a point is not formatted
 * here, as JDKs differ in that; the next toString() shows it. */
#include "reader/query/contents.h"

#include <inttypes.h>
#include <stdio.h>

enum { TEXT_MAX = 1 << 24, NUMBER_ROOM = 24 };
typedef VEC(uint16_t) units;

static bool add_unit(units *u, unsigned unit)
{
    uint16_t *to = vec_push(u);
    if (to != NULL)
        *to = (uint16_t)unit;
    return to != NULL;
}

static bool add_ascii(units *u, const char *s)
{
    bool done = true;
    while (done && *s != '\0')
        done = add_unit(u, (unsigned char)*s++);
    return done;
}

static bool add_string(units *u, const struct hs_object *o)
{
    const uint8_t *data = o->data;
    size_t n = o->latin1 ? o->data_bytes : o->data_bytes / 2;
    bool done = true;
    for (size_t i = 0; done && i < n; i++)
        done = add_unit(u, o->latin1 ? data[i] : (unsigned)(data[2 * i] | data[2 * i + 1] << 8));
    return done;
}

static bool add_number(units *u, int64_t n)
{
    char text[NUMBER_ROOM];
    (void)snprintf(text, sizeof text, "%" PRId64, n);
    return add_ascii(u, text);
}

/* Appends the text of a primitive value; false: it is not known. */
static bool add_primitive(units *u, char kind, uint64_t bits)
{
    switch (kind) {
    case 'Z': return add_ascii(u, bits != 0 ? "true" : "false");
    case 'C': return add_unit(u, (unsigned)bits);
    case 'I':
    case 'B':
    case 'S':
    case 'J': return add_number(u, (int64_t)bits);
    default: return false;
    }
}

/* What append and insert make of a value; `kind`: of the parameter. */
static bool add_value(struct contents *c, const struct contents_op *op, char kind, struct hs_value v, units *u)
{
    struct hs_value box;
    if (kind != HS_KIND_REF)
        return add_primitive(u, kind, v.bits);
    if (v.bits == 0)
        return add_ascii(u, "null");
    const struct hs_object *o = v.bits <= UINT32_MAX ? hs_object_get(c->t, (uint32_t)v.bits) : NULL;
    if (o == NULL || o->type == NULL)
        return false;
    if (strcmp(o->type, "java.lang.String") == 0)
        return o->has_string && !o->cut && add_string(u, o);
    if (contents_is_box(o->type))
        return contents_box(c, (uint32_t)v.bits, &box) && add_primitive(u, box.kind, box.bits);
    const struct contents_class *k = contents_class_named(o->type);
    if (k == NULL || (k->shapes & SHAPE_TEXT) == 0 || c->depth > 2)
        return false;
    struct contents other;
    bool known = c->replay(c, (uint32_t)v.bits, op->from, &other) == OK && other.known;
    for (size_t i = 0; known && i < other.text.count; i++)
        known = add_unit(u, other.text.items[i]);
    contents_done(&other);
    return known;
}

/* Replaces the units from `start` to before `end`; false: there are none there, or out of memory. */
static bool splice(struct contents *c, uint64_t start, uint64_t end, const units *by)
{
    size_t count = c->text.count;
    if (start > end || end > count || by->count > TEXT_MAX - (count - (end - start)))
        return false;
    size_t rest = count - end;
    if (!vec_extend(&c->text, count + by->count))
        return false;
    memmove(c->text.items + start + by->count, c->text.items + end, rest * sizeof(uint16_t));
    if (by->count > 0)
        memcpy(c->text.items + start, by->items, by->count * sizeof(uint16_t));
    c->text.count = start + by->count + rest;
    return true;
}

/* Surrogate pairs stay in their order. */
static void reverse(struct contents *c)
{
    uint16_t *u = c->text.items;
    size_t n = c->text.count;
    for (size_t i = 0; i < n / 2; i++) {
        uint16_t x = u[i];
        u[i] = u[n - 1 - i];
        u[n - 1 - i] = x;
    }
    for (size_t i = 0; i + 1 < n; i++)
        if (u[i] >> 10 == 0xdc00 >> 10 && u[i + 1] >> 10 == 0xd800 >> 10) {
            uint16_t x = u[i];
            u[i] = u[i + 1];
            u[i + 1] = x;
            i++;
        }
}

/* Takes what toString() returned. */
static void shown(struct contents *c, const struct contents_op *op)
{
    units u = { 0 };
    const struct hs_object *o =
        op->result.bits != 0 && op->result.bits <= UINT32_MAX ? hs_object_get(c->t, (uint32_t)op->result.bits) : NULL;
    if (o == NULL || !o->has_string || o->cut)
        return;
    contents_start(c);
    if (!add_string(&u, o) || !splice(c, 0, 0, &u))
        contents_lose(c, op, "returned a text that is too long");
    vec_free(&u);
}

/* The parts of a call: which units go, and what comes. False: not known. */
static bool change(struct contents *c, const struct contents_op *op, uint64_t *start, uint64_t *end, units *by)
{
    const char *desc = op->site != NULL ? attribute_text(op->site, "desc") : NULL;
    const struct hs_value *a = op->arguments;
    size_t count = c->text.count;
    if (desc == NULL || op->argument_count == 0)
        return false;
    *start = a[0].bits;
    *end = a[0].bits + 1;
    switch ((unsigned)op->effect) {
    case DO_TEXT_APPEND: *start = *end = count; return add_value(c, op, desc[1], a[0], by);
    case DO_TEXT_APPEND_PART:
        *start = *end = count;
        if (op->argument_count < 3 || !add_value(c, op, 'L', a[0], by) || a[2].bits > by->count ||
            a[1].bits > a[2].bits)
            return false;
        memmove(by->items, by->items + a[1].bits, (a[2].bits - a[1].bits) * sizeof(uint16_t));
        by->count = a[2].bits - a[1].bits;
        return true;
    case DO_TEXT_CODE_POINT:
        *start = *end = count;
        if (a[0].bits > 0x10ffff)
            return false;
        if (a[0].bits <= 0xffff)
            return add_unit(by, (unsigned)a[0].bits);
        return add_unit(by, 0xd800 + (unsigned)((a[0].bits - 0x10000) >> 10)) &&
               add_unit(by, 0xdc00 + (unsigned)(a[0].bits & 0x3ff));
    case DO_TEXT_INSERT:
        if (desc[2] == HS_KIND_REF && a[1].bits == c->id && strstr(desc, "CharSequence") != NULL)
            return false; /* it is read while it moves */
        *end = *start;
        return op->argument_count > 1 && add_value(c, op, desc[2], a[1], by);
    case DO_TEXT_DELETE:
    case DO_TEXT_REPLACE:
        *end = a[1].bits < count ? a[1].bits : count;
        return op->argument_count > 1 &&
               (op->effect == DO_TEXT_DELETE || (op->argument_count > 2 && add_value(c, op, 'L', a[2], by)));
    case DO_TEXT_DELETE_AT: return true;
    case DO_TEXT_SET_AT: return op->argument_count > 1 && add_unit(by, (unsigned)a[1].bits);
    case DO_TEXT_SET_LENGTH:
        *start = a[0].bits < count ? a[0].bits : count;
        *end = count;
        if (a[0].bits > TEXT_MAX)
            return false;
        for (uint64_t i = count; i < a[0].bits; i++)
            if (!add_unit(by, 0))
                return false;
        return true;
    default: return false;
    }
}

bool contents_text_apply(struct contents *c, const struct contents_op *op)
{
    units by = { 0 };
    uint64_t start, end;
    const char *name = op->site != NULL ? attribute_text(op->site, "name") : NULL;
    if (name != NULL && strcmp(name, "<init>") == 0)
        contents_start(c);
    if (op->effect == DO_TEXT_RESULT)
        shown(c, op);
    else if (op->effect == DO_START || (op->effect == DO_TEXT_LENGTH && op->result.bits == 0) ||
             (op->effect == DO_TEXT_SET_LENGTH && op->arguments[0].bits == 0))
        contents_start(c);
    else if (op->effect == DO_TEXT_LENGTH && c->known && op->result.bits != c->text.count)
        contents_lose(c, op, "returned something else than the calls before it show");
    else if (op->effect == DO_TEXT_REVERSE)
        reverse(c);
    else if (op->effect != DO_TEXT_LENGTH && c->known &&
             (!change(c, op, &start, &end, &by) || !splice(c, start, end, &by)))
        contents_lose(c, op, "has added a text that is not known");
    vec_free(&by);
    return true;
}
