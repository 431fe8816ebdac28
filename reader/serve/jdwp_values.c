/* jdwp_values.c - values: fields of objects, elements of arrays, strings. A value that was not recorded is an object of
 * the class hindsight.NotRecorded, in whatever type a client expects: it can be shown, and is no number. */
#include <stdlib.h>
#include <string.h>

#include "formats/mutf8.h"
#include "reader/serve/jdwp.h"

enum { ELEMENTS_MAX = 1 << 16, FIELDS_MAX = 1 << 14, ANSWERS_MAX = 16 << 20 };

/* ---- writing and reading ---- */

static char tag_of(struct jdwp *d, uint64_t id)
{
    static const char tags[] = { 'L', 'c', 't', 'g', 'l', 's', 'L' };
    uint64_t space = id >> 32, object, loader;
    if (space != SPACE_OBJECT && space != SPACE_MADE)
        return space <= SPACE_UNKNOWN ? tags[space] : 'L';
    const struct hs_object *o = space == SPACE_OBJECT && id != 0 ? hs_object_get(d->trace, (uint32_t)id) : NULL;
    const char *type = space == SPACE_MADE ? jdwp_made_type(d, id, &object, &loader) : o != NULL ? o->type : NULL;
    const size_t size = type != NULL ? strlen(type) : 0;
    bool array = size > 2 && strcmp(type + size - 2, "[]") == 0;
    return array ? '[' : type != NULL && strcmp(type, "java.lang.String") == 0 ? 's' : 'L';
}

void jdwp_put_object(struct jdwp *d, struct writer *out, uint64_t id)
{
    write_u1(out, (unsigned char)tag_of(d, id));
    write_u8(out, id);
}

static unsigned size_of(char kind)
{
    switch (kind) {
    case 'Z':
    case 'B': return 1;
    case 'C':
    case 'S': return 2;
    case 'I':
    case 'F': return 4;
    case 'J':
    case 'D': return 8;
    default: return 0;
    }
}

static void put_bits(struct writer *out, uint64_t bits, unsigned size)
{
    while (size-- > 0)
        write_u1(out, (uint8_t)(bits >> 8 * size));
}

void jdwp_put_made(struct jdwp *d, struct writer *out, const char *text)
{
    size_t size = strlen(text);
    char *copy = jdwp_chars(d, size + 1);
    const char **to = copy != NULL ? vec_push(&d->made) : NULL;
    if (to == NULL) {
        out->bad = true;
        return;
    }
    memcpy(copy, text, size + 1);
    *to = copy;
    jdwp_put_object(d, out, jdwp_id(SPACE_TEXT, (uint32_t)d->made.count));
}

void jdwp_put_unknown(struct jdwp *d, struct writer *out, const char *why)
{
    struct writer text = { 0 }, object = { 0 };
    write_bytes(&text, jdwp_not_recorded, strlen(jdwp_not_recorded));
    write_bytes(&text, ": ", 2);
    write_bytes(&text, why, strlen(why) + 1);
    if (!text.bad)
        jdwp_put_made(d, &object, (const char *)text.data);
    out->bad |= text.bad || object.bad;
    writer_free(&text);
    writer_free(&object);
    jdwp_put_object(d, out, jdwp_id(SPACE_UNKNOWN, (uint32_t)d->made.count + 1));
}

void jdwp_put_value(struct jdwp *d, struct writer *out, const struct expression_value *v)
{
    unsigned size = size_of(v->kind);
    if (!v->known)
        jdwp_put_object(d, out, jdwp_id(SPACE_UNKNOWN, 1));
    else if (v->kind == EXPRESSION_TEXT)
        jdwp_put_made(d, out, v->text);
    else if (v->kind == 'V')
        write_u1(out, 'V');
    else if (size == 0)
        jdwp_put_object(d, out, v->bits >= NAV_MADE ? jdwp_made_id(d, v->bits) : v->bits);
    else {
        write_u1(out, (unsigned char)v->kind);
        put_bits(out, v->kind == 'Z' ? v->bits != 0 : v->bits, size);
    }
}

bool jdwp_read_value(struct reader *in, uint64_t *bits, char *tag)
{
    *tag = (char)read_u1(in);
    unsigned size = size_of(*tag);
    bool object = *tag != '\0' && strchr("L[stglc", *tag) != NULL;
    if (object)
        size = 8;
    *bits = 0;
    for (unsigned i = 0; i < size; i++)
        *bits = *bits << 8 | read_u1(in);
    return !in->bad && (object || size > 0);
}

bool jdwp_string(struct jdwp *d, uint64_t id, struct writer *out)
{
    uint32_t number = (uint32_t)id;
    if (id >> 32 == SPACE_TEXT && number > 0 && number <= d->made.count) {
        const char *text = d->made.items[number - 1];
        write_bytes(out, text, strlen(text));
        return true;
    }
    if (id >> 32 != SPACE_OBJECT || tag_of(d, id) != 's')
        return false;
    const struct hs_object *o = hs_object_get(d->trace, number);
    if (o == NULL || !o->has_string)
        write_bytes(out, jdwp_not_recorded, strlen(jdwp_not_recorded));
    else
        (o->latin1 ? latin1_to_utf8 : utf16le_to_utf8)(o->data, o->data_bytes, out);
    return true;
}

/* ---- objects ---- */

COMMAND_OF(object_type)
{
    uint64_t id = read_u8(in);
    if (id == 0 || id >> 32 > SPACE_MADE)
        return JDWP_INVALID_OBJECT;
    uint64_t type = jdwp_type_of_object(d, id);
    if (type == 0)
        return JDWP_INVALID_OBJECT;
    write_u1(out, jdwp_type_tag(d, type));
    write_u8(out, type);
    return JDWP_NONE;
}

void jdwp_forget_answers(struct jdwp *d)
{
    map_free(&d->answers.objects);
    map_free(&d->answers.statics);
    arena_done(&d->answers.arena);
    d->answers = (struct jdwp_answers){ .seq = HS_NO_SEQ };
}

/* What was answered about another moment, or is too much, is forgotten. */
static struct jdwp_answers *answers_at(struct jdwp *d, uint64_t seq)
{
    if (d->answers.seq != seq || d->answers.arena.bytes > ANSWERS_MAX)
        jdwp_forget_answers(d);
    d->answers.seq = seq;
    return &d->answers;
}

/* The object after an event; borrowed until the next question. NULL: there is none. */
static const struct nav_object *object_at(struct jdwp *d, uint32_t id, uint64_t seq)
{
    struct jdwp_answers *a = answers_at(d, seq);
    struct jdwp_object *known = map_get(&a->objects, id);
    struct nav_object o;
    if (known != NULL)
        return &known->object;
    if (nav_object_at(d->nav, id, seq, &a->arena, &o, NULL) != OK)
        return NULL;
    known = map_put(&a->objects, id);
    if (known == NULL)
        return NULL;
    known->object = o;
    return &known->object;
}

static struct expression_value static_at(struct jdwp *d, uint64_t field, const struct jdwp_type *type, const char *name)
{
    struct jdwp_answers *a = answers_at(d, jdwp_values_seq(d));
    struct jdwp_static *known = map_get(&a->statics, field);
    struct expression_value v = { 0 };
    if (known != NULL)
        return known->value;
    if (nav_static_at(d->nav, type->name, type->loader, name, a->seq, &v, NULL) != OK)
        v.known = false;
    known = map_put(&a->statics, field);
    if (known != NULL)
        known->value = v;
    return v;
}

COMMAND_OF(object_values)
{
    uint64_t id = read_u8(in), type, object, loader;
    uint32_t count = read_u4(in);
    const struct nav_object *o = NULL;
    enum jdwp_error error = JDWP_NONE;
    if (id == 0 || id >> 32 > SPACE_MADE)
        return JDWP_INVALID_OBJECT;
    if (count > FIELDS_MAX)
        return JDWP_INVALID_LENGTH;
    if (id >> 32 == SPACE_OBJECT && (o = object_at(d, (uint32_t)id, jdwp_values_seq(d))) == NULL)
        error = JDWP_INVALID_OBJECT;
    write_u4(out, count);
    for (uint32_t i = 0; i < count && error == JDWP_NONE && !in->bad; i++) {
        const struct nav_declared *f = jdwp_field(d, read_u8(in), &type);
        const struct jdwp_type *t = jdwp_type_of(d, type);
        struct expression_value v = { 0 };
        if (f == NULL || t == NULL)
            error = JDWP_INVALID_FIELDID;
        if (error == JDWP_NONE && id >> 32 == SPACE_MADE && jdwp_made_type(d, id, &object, &loader) != NULL)
            v = nav_made_field(d->calls, object, t->name, f->name);
        for (size_t k = 0; error == JDWP_NONE && o != NULL && k < o->member_count; k++)
            if (o->members[k].name != NULL && strcmp(o->members[k].name, f->name) == 0 &&
                strcmp(o->members[k].declaring, t->name) == 0)
                v = o->members[k].value;
        jdwp_put_value(d, out, &v);
    }
    return error;
}

COMMAND_OF(static_values)
{
    uint64_t type = read_u8(in), declaring;
    uint32_t count = read_u4(in);
    if (jdwp_type_of(d, type) == NULL)
        return JDWP_INVALID_CLASS;
    if (count > FIELDS_MAX)
        return JDWP_INVALID_LENGTH;
    write_u4(out, count);
    for (uint32_t i = 0; i < count && !in->bad; i++) {
        const uint64_t field = read_u8(in);
        const struct nav_declared *f = jdwp_field(d, field, &declaring);
        const struct jdwp_type *t = jdwp_type_of(d, declaring);
        if (f == NULL || t == NULL)
            return JDWP_INVALID_FIELDID;
        struct expression_value v = static_at(d, field, t, f->name);
        jdwp_put_value(d, out, &v);
    }
    return JDWP_NONE;
}

static enum jdwp_error exists(struct reader *in)
{
    uint64_t id = read_u8(in);
    return id == 0 || id >> 32 > SPACE_UNKNOWN ? JDWP_INVALID_OBJECT : JDWP_NONE;
}
COMMAND_OF(keep_object)
{
    (void)d;
    (void)out;
    return exists(in);
}
COMMAND_OF(release_object)
{
    (void)d;
    (void)out;
    return exists(in);
}
COMMAND_OF(is_collected)
{
    (void)d;
    write_u1(out, 0);
    return exists(in);
}

COMMAND_OF(string_value)
{
    struct writer text = { 0 };
    if (!jdwp_string(d, read_u8(in), &text))
        return JDWP_INVALID_STRING;
    write_u4(out, (uint32_t)text.size);
    write_bytes(out, text.data, text.size);
    out->bad |= text.bad;
    writer_free(&text);
    return JDWP_NONE;
}

/* ---- arrays ---- */

/* Its length; where that is not known, what its known elements reach to. */
static uint64_t length_of(const struct nav_object *o)
{
    uint64_t length = o->has_length ? o->length : 0;
    for (size_t i = 0; !o->has_length && i < o->member_count; i++)
        if (o->members[i].name == NULL && o->members[i].index >= length)
            length = o->members[i].index + 1;
    return length <= INT32_MAX ? length : INT32_MAX;
}

static enum jdwp_error array_of(struct jdwp *d, uint64_t id, uint64_t from, uint64_t most, struct arena *arena,
                                struct nav_object *o)
{
    if (id == 0 || id >> 32 != SPACE_OBJECT || tag_of(d, id) != '[')
        return JDWP_INVALID_OBJECT;
    return nav_object_part(d->nav, (uint32_t)id, from, most, arena, o, NULL) == OK ? JDWP_NONE : JDWP_INVALID_OBJECT;
}

/* The length of one that a call made. */
static uint64_t made_length(struct jdwp *d, uint64_t object)
{
    const struct expression_value v = nav_made_element(d->calls, object, -1);
    return v.known ? v.bits : 0;
}

COMMAND_OF(array_length)
{
    struct arena arena = { 0 };
    struct nav_object o;
    uint64_t id = read_u8(in), object, loader;
    if (jdwp_made_type(d, id, &object, &loader) != NULL) {
        write_u4(out, (uint32_t)made_length(d, object));
        return JDWP_NONE;
    }
    enum jdwp_error error = array_of(d, id, 0, 0, &arena, &o);
    if (error == JDWP_NONE)
        write_u4(out, (uint32_t)length_of(&o));
    arena_done(&arena);
    return error;
}

/* Every element has its own tag, as objects have: then one that is not known can stand beside numbers. */
COMMAND_OF(array_values)
{
    struct arena arena = { 0 };
    struct nav_object o;
    uint64_t id = read_u8(in), object, loader;
    uint32_t first = read_u4(in), count = read_u4(in);
    const bool made = jdwp_made_type(d, id, &object, &loader) != NULL;
    enum jdwp_error error = made ? JDWP_NONE : array_of(d, id, first, count, &arena, &o);
    const uint64_t length = made ? made_length(d, object) : error == JDWP_NONE ? length_of(&o) : 0;
    size_t at = 0;
    if (error == JDWP_NONE && (first > length || count > length - first))
        error = JDWP_INVALID_INDEX;
    if (error == JDWP_NONE && count > ELEMENTS_MAX)
        error = JDWP_INVALID_LENGTH;
    if (error == JDWP_NONE) {
        write_u1(out, 'L');
        write_u4(out, count);
        for (uint64_t i = first; i < (uint64_t)first + count; i++) {
            struct expression_value v = made ? nav_made_element(d->calls, object, (int64_t)i) : expression_unknown;
            while (!made && at < o.member_count && (o.members[at].name != NULL || o.members[at].index < i))
                at++;
            if (!made && at < o.member_count && o.members[at].index == i)
                v = o.members[at].value;
            jdwp_put_value(d, out, &v);
        }
    }
    arena_done(&arena);
    return error;
}
