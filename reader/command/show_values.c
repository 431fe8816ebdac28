/* show_values.c - values, and the objects that they are; see show.h. */
#include "reader/command/show.h"

#include <stdio.h>
#include <string.h>

#include "formats/values.h"

enum { TEXT_UNITS_MAX = 60 };

/* The class that an object is; NULL: it is none. */
static const char *class_of_object(struct show *s, uint64_t id)
{
    const struct hs_type *type = id <= UINT32_MAX ? hs_type_get(s->trace, (uint32_t)id) : NULL;
    return type != NULL ? type->name : NULL;
}

static const struct hs_object_value *value_of(struct show *s, uint64_t id)
{
    return id - 1 < UINT32_MAX ? hs_object_value_get(s->trace, (uint32_t)id, s->at) : NULL;
}

/* "value": of a box its number, of other objects the text of what they stand for. */
static void value_member(struct show *s, uint64_t id)
{
    const struct hs_object_value *v = value_of(s, id);
    if (v == NULL)
        return;
    if (v->kind == 0) {
        out_member_name(s->out, "value", v->text);
        return;
    }
    json_name(&s->out->json, "value");
    show_value_json(s, v->kind, v->bits);
}

static void reference_json(struct show *s, uint64_t id, const char *class_name)
{
    struct out *o = s->out;
    struct json *j = &o->json;
    if (id == 0) {
        json_null(j);
        return;
    }
    const struct hs_object *object = id <= UINT32_MAX ? hs_object_get(s->trace, (uint32_t)id) : NULL;
    json_object(j);
    json_member_u64(j, "id", id);
    if (object != NULL && object->type != NULL)
        out_member_name(o, "type", object->type);
    if (object != NULL && object->has_string) {
        out_member_string(o, "string", object);
        if (object->cut)
            json_member_u64(j, "length", object->length);
        o->name_cut |= object->cut;
    } else {
        value_member(s, id);
    }
    if (class_name != NULL)
        out_member_name(o, "class", class_name);
    out_member_cut(o);
    json_end(j);
}

void show_reference_json(struct show *s, uint64_t id) { reference_json(s, id, NULL); }
void show_monitor_json(struct show *s, uint64_t id) { reference_json(s, id, class_of_object(s, id)); }

void show_value_json(struct show *s, char kind, uint64_t value)
{
    struct json *j = &s->out->json;
    switch (kind) {
    case 'L': show_reference_json(s, value); break;
    case 'V': /* redact= left it out */
        json_object(j);
        json_member_bool(j, "redacted", true);
        json_end(j);
        break;
    case 'Z': json_bool(j, value != 0); break;
    case 'F': json_float(j, (uint32_t)value); break;
    case 'D': json_double(j, value); break;
    default: json_i64(j, (int64_t)value); break;
    }
}

static const char *short_name(const char *type)
{
    const char *dot = strstr(type, "$$") == NULL ? strrchr(type, '.') : NULL;
    return dot != NULL ? dot + 1 : type;
}

const char *show_without_type(const char *text)
{
    size_t n = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    if (n > 0 && text[n] == '[')
        return text + n;
    return strncmp(text, "Optional", 8) == 0 && text[n] == '.' && strcmp(text + n, ".empty") == 0 ? "empty" : text;
}

/* RoundingMode.HALF_UP; the class of a constant with a body is nested in that of the enum. */
static void constant_text(struct out *o, const char *type, const char *name)
{
    char text[400];
    (void)snprintf(text, sizeof text, "%s", short_name(type));
    text[value_enum_length(text)] = '\0';
    out_name(o, text);
    out_char(o, '.');
    out_name(o, name);
}

static void shortened(struct out *o, const char *text)
{
    const size_t max = o->name_max;
    o->name_max = TEXT_UNITS_MAX;
    out_name(o, text);
    o->name_max = max;
}

static void reference_text(struct show *s, uint64_t id)
{
    struct out *o = s->out;
    const struct hs_object *object = id <= UINT32_MAX ? hs_object_get(s->trace, (uint32_t)id) : NULL;
    if (object != NULL && object->has_string) {
        if (out_quoted_string(o, object, TEXT_UNITS_MAX) || object->cut)
            out_text(o, "...");
        out_char(o, '#');
        out_u64(o, id);
        return;
    }
    const struct hs_object_value *v = value_of(s, id);
    object = v != NULL ? hs_object_get(s->trace, (uint32_t)id) : NULL; /* that may have ended the answer before */
    if (v != NULL && v->is_constant && object != NULL && object->type != NULL) {
        constant_text(o, object->type, v->text);
        return;
    }
    if (v == NULL || v->kind == 0 || !s->bare_boxes) {
        show_object_name(s, id);
        if (v == NULL)
            return;
        out_char(o, ' ');
    }
    if (v->kind != 0)
        show_value_text(s, v->kind, v->bits);
    else
        shortened(o, show_without_type(v->text));
}

void show_object_name(struct show *s, uint64_t id)
{
    struct out *o = s->out;
    const struct hs_object *object = id <= UINT32_MAX ? hs_object_get(s->trace, (uint32_t)id) : NULL;
    const char *type = object != NULL && object->type != NULL ? object->type : "object";
    out_simple_class(o, short_name(type));
    out_char(o, '#');
    out_u64(o, id);
}

bool show_class_object(struct show *s, uint64_t id)
{
    const char *name = class_of_object(s, id);
    if (name == NULL)
        return false;
    out_text(s->out, "class ");
    out_name(s->out, name);
    out_char(s->out, '#');
    out_u64(s->out, id);
    return true;
}

void show_monitor_name(struct show *s, uint64_t id)
{
    if (!show_class_object(s, id))
        show_object_name(s, id);
}

static void char_text(struct out *o, uint64_t value)
{
    if (value > UINT16_MAX) { /* of a damaged trace */
        out_u64(o, value);
        return;
    }
    out_character(o, (uint16_t)value);
    out_format(o, " (%u)", (unsigned)value);
}

void show_value_text(struct show *s, char kind, uint64_t value)
{
    struct out *o = s->out;
    switch (kind) {
    case 'C': char_text(o, value); break;
    case 'F': out_float(o, (uint32_t)value); break;
    case 'D': out_double(o, value); break;
    case 'V': out_text(o, "(redacted)"); break;
    case 'Z': out_text(o, value != 0 ? "true" : "false"); break;
    case 'L':
        if (value != 0)
            reference_text(s, value);
        else
            out_text(o, "null");
        break;
    default: out_i64(o, (int64_t)value); break;
    }
}

void show_references_json(struct show *s, const char *name, const uint64_t *ids, size_t count)
{
    struct json *j = &s->out->json;
    json_name(j, name);
    json_array(j);
    for (size_t i = 0; i < count; i++)
        show_reference_json(s, ids[i]);
    json_end(j);
}

void show_monitors_member(struct show *s, const struct hs_frame *f)
{
    struct json *j = &s->out->json;
    if (f->monitor_count == 0)
        return;
    json_name(j, "monitors");
    json_array(j);
    for (size_t i = 0; i < f->monitor_count; i++) {
        json_object(j);
        json_name(j, "object");
        show_monitor_json(s, f->monitors[i]->object);
        if (f->monitors[i]->entered != HS_NO_SEQ)
            json_member_u64(j, "entered", f->monitors[i]->entered);
        json_end(j);
    }
    json_end(j);
}
