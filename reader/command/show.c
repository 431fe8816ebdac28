/* show.c - see show.h. The cache: two pieces of JSON per data ID, and references, formatted through an out without a
 * file. */
#include "reader/command/show.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/jvm/classfile.h"
#include "formats/values.h"

enum { CACHE_BYTES_MAX = 64 << 20, TEXT_UNITS_MAX = 60 };
/* Columns of a row of an event: where it is narrow the place behind them needs the room. */
struct widths {
    int seq, thread, event, value;
};
static const struct widths wide = { 12, 6, 26, 24 }, narrow = { 8, 3, 24, 16 };
static const struct widths *widths_of(const struct out *o) { return out_narrow(o) ? &narrow : &wide; }

enum { REFERENCE_SLOTS = 1 << 12, REFERENCE_BYTES_MAX = 244 };

struct piece {
    uint32_t head, attrs; /* bytes of the two */
    char text[];
};
/* A reference as JSON, of those that are short: events show the same objects again and again. */
struct reference {
    uint64_t id; /* 0: none */
    uint32_t bytes;
    char text[REFERENCE_BYTES_MAX];
};
struct show_cache {
    struct out scratch;    /* memory in which a piece is formatted before its size is known; never flushed */
    struct piece **pieces; /* by data ID */
    struct reference references[REFERENCE_SLOTS]; /* by the last bits of the id */
    uint32_t count;
    size_t bytes;
};

bool show_init(struct show *s, hs_trace *trace, struct out *out)
{
    *s = (struct show){ .trace = trace, .out = out, .cache = calloc(1, sizeof *s->cache), .at = HS_NO_SEQ };
    if (s->cache == NULL)
        return false;
    s->cache->count = hs_dataid_count(trace);
    s->cache->pieces = calloc((size_t)s->cache->count + 1, sizeof(struct piece *));
    if (s->cache->pieces != NULL && out_init_memory(&s->cache->scratch)) {
        s->cache->scratch.name_max = out->name_max;
        return true;
    }
    free(s->cache->pieces);
    free(s->cache);
    s->cache = NULL;
    return false;
}

static void cache_clear(struct show_cache *c)
{
    for (uint32_t i = 0; i < c->count && c->bytes > 0; i++) {
        if (c->pieces[i] == NULL)
            continue; /* its page stays untouched */
        free(c->pieces[i]);
        c->pieces[i] = NULL;
    }
    c->bytes = 0;
}

void show_done(struct show *s)
{
    if (s->cache == NULL)
        return;
    cache_clear(s->cache);
    out_done(&s->cache->scratch);
    free(s->cache->pieces);
    free(s->cache);
    s->cache = NULL;
}

/* ---- data IDs ---- */

void show_dataid_members(struct show *s, const struct hs_dataid *d)
{
    struct out *o = s->out;
    const struct hs_class *c = hs_class_get(s->trace, d->class_no);
    const struct hs_method *m = hs_method_get(s->trace, d->method_id);
    json_member_u64(&o->json, "dataid", d->dataid);
    json_member_text(&o->json, "event", hs_event_name(d->event));
    if (c != NULL)
        out_member_name(o, "class", c->name);
    if (m != NULL) {
        out_member_name(o, "method", m->name);
        out_member_name(o, "desc", m->desc);
    }
    out_member_spot(o, SPOT_OF(d));
    json_member_i64(&o->json, "pc", d->pc);
    out_member_cut(o);
}

void show_attrs_member(struct show *s, const struct hs_dataid *d)
{
    struct out *o = s->out;
    if (d->attr_count == 0)
        return;
    json_name(&o->json, "attr");
    json_object(&o->json);
    for (uint32_t i = 0; i < d->attr_count; i++) {
        const struct hs_attr *a = d->attrs[i];
        switch (a->type) {
        case HS_ATTR_INT: json_member_i64(&o->json, a->name, a->number); break;
        case HS_ATTR_BOOL: json_member_bool(&o->json, a->name, a->number != 0); break;
        case HS_ATTR_TEXT: out_member_name(o, a->name, a->text); break;
        }
    }
    out_member_cut(o);
    json_end(&o->json);
}

static struct out *begin_scratch(struct show *s)
{
    struct out *scratch = &s->cache->scratch;
    scratch->used = 0;
    scratch->failed = 0;
    json_init(&scratch->json, scratch->json.write, scratch);
    return scratch;
}

/* Formats both pieces into the scratch memory: the members of an object, without its braces and the comma between. */
static size_t format_pieces(struct show *s, const struct hs_dataid *d, size_t *attrs)
{
    struct out *o = s->out, *scratch = begin_scratch(s);
    s->out = scratch;
    json_object(&scratch->json);
    show_dataid_members(s, d);
    size_t head_end = scratch->used;
    show_attrs_member(s, d);
    s->out = o;
    *attrs = scratch->used > head_end ? scratch->used - head_end - 1 : 0;
    return head_end - 1;
}

static struct piece *piece_of(struct show *s, const struct hs_dataid *d)
{
    struct show_cache *c = s->cache;
    size_t attrs;
    if (d->dataid >= c->count)
        return NULL;
    if (c->pieces[d->dataid] != NULL)
        return c->pieces[d->dataid];
    size_t head = format_pieces(s, d, &attrs);
    if (c->bytes > CACHE_BYTES_MAX)
        cache_clear(c);
    struct piece *p = c->scratch.failed == 0 ? malloc(sizeof *p + head + attrs) : NULL;
    if (p == NULL)
        return NULL;
    p->head = (uint32_t)head;
    p->attrs = (uint32_t)attrs;
    memcpy(p->text, c->scratch.data + 1, head);
    memcpy(p->text + head, c->scratch.data + 1 + head + 1, attrs);
    c->pieces[d->dataid] = p;
    c->bytes += sizeof *p + head + attrs;
    return p;
}

void show_handover_json(struct show *s, const struct hs_handover *h)
{
    struct json *j = &s->out->json;
    const struct hs_dataid *site = h->seq != HS_NO_SEQ ? hs_dataid_get(s->trace, h->dataid) : NULL;
    if (site == NULL)
        return;
    json_name(j, "handed");
    json_object(j);
    json_member_u64(j, "seq", h->seq);
    show_dataid_members(s, site);
    show_attrs_member(s, site);
    json_end(j);
}

const char *show_text_attr(const struct hs_dataid *d, const char *name)
{
    for (uint32_t i = 0; i < d->attr_count; i++)
        if (d->attrs[i]->type == HS_ATTR_TEXT && strcmp(d->attrs[i]->name, name) == 0)
            return d->attrs[i]->text;
    return NULL;
}

bool show_handover_text(struct show *s, const struct hs_handover *h)
{
    const struct hs_dataid *site = h->seq != HS_NO_SEQ ? hs_dataid_get(s->trace, h->dataid) : NULL;
    const char *owner = site != NULL ? show_text_attr(site, "owner") : NULL,
               *name = site != NULL ? show_text_attr(site, "name") : NULL;
    if (site == NULL)
        return false;
    if (owner != NULL && name != NULL)
        out_format(s->out, "to %s.%s by ", owner, name);
    else
        out_text(s->out, "to the caller of ");
    show_place_text(s, site);
    return true;
}

/* ---- values ---- */

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

/* ---- events ---- */

/* Digits from `at` on; behind them. */
static char *put_digits(char *at, uint64_t v)
{
    char digits[24], *end = digits + sizeof digits, *p = end;
    do {
        *--p = (char)('0' + v % 10);
        v /= 10;
    } while (v != 0);
    memcpy(at, p, (size_t)(end - p));
    return at + (end - p);
}

/* A text that is shorter than 16 bytes. */
static char *put_word(char *at, const char *word)
{
    size_t n = strlen(word);
    memcpy(at, word, n);
    return at + n;
}

/* A reference at top level, from the cache if it is short. */
static void put_reference(struct show *s, uint64_t id)
{
    struct reference *r = &s->cache->references[id & (REFERENCE_SLOTS - 1)];
    struct out *o = s->out;
    if (r->id != id) {
        s->out = begin_scratch(s);
        s->at = HS_NO_SEQ; /* what it holds at other moments differs */
        show_reference_json(s, id);
        const struct out *scratch = s->out;
        s->out = o;
        if (scratch->failed != 0 || scratch->used > sizeof r->text) {
            show_reference_json(s, id);
            return;
        }
        r->id = id;
        r->bytes = (uint32_t)scratch->used;
        memcpy(r->text, scratch->data, scratch->used);
    }
    out_bytes(o, r->text, r->bytes);
}

/* ,"value":.. at top level */
static void put_value(struct show *s, char kind, uint64_t value)
{
    char text[64], *at = put_word(text, ",\"value\":");
    int64_t number = (int64_t)value;
    switch (kind) {
    case HS_KIND_REF:
        if (value != 0) {
            out_bytes(s->out, text, (size_t)(at - text));
            put_reference(s, value);
            return;
        }
        at = put_word(at, "null");
        break;
    case HS_KIND_BOOLEAN: at = put_word(at, value != 0 ? "true" : "false"); break;
    case HS_KIND_VOID:
    case HS_KIND_FLOAT:
    case HS_KIND_DOUBLE:
        out_bytes(s->out, text, (size_t)(at - text));
        show_value_json(s, kind, value);
        return;
    default:
        if (number < 0)
            *at++ = '-';
        at = put_digits(at, number < 0 ? 0 - value : value);
        break;
    }
    out_bytes(s->out, text, (size_t)(at - text));
}

static struct hs_place place_of(struct show *s, const struct hs_event *e)
{
    static const struct hs_place nowhere = { .line = -1, .unsure = true };
    const struct hs_place *place;
    return hs_place_of(s->trace, e, &place, NULL) == 0 ? *place : nowhere;
}

/* Has it a place of its own, beside that of its data ID? */
static bool is_thrown_at(const struct hs_dataid *d, const struct hs_place *place)
{
    return d != NULL && d->event == HS_EVENT_METHOD_EXCEPTIONAL_EXIT && !(place->line < 0 && place->unsure);
}

/* "thrown_at":{"file","line","pc"}: its data ID does not stand at the instruction that threw. */
static void thrown_at_member(struct show *s, const struct hs_place *place)
{
    struct json *j = &s->out->json;
    json_name(j, "thrown_at");
    json_object(j);
    out_member_spot(s->out, SPOT_OF(place));
    if (!place->unsure)
        json_member_u64(j, "pc", place->pc);
    json_end(j);
}

/* The same as show_event_json_open and json_end, in few pieces: most events of an export go this way. */
static void put_event(struct show *s, const struct piece *p, const struct hs_event *e)
{
    struct out *o = s->out;
    char text[80], *at = put_digits(put_word(text, "{\"seq\":"), e->seq);
    at = put_word(put_digits(put_word(at, ",\"thread\":"), e->thread), ",");
    out_bytes(o, text, (size_t)(at - text));
    out_bytes(o, p->text, p->head);
    if (show_has_value(s, e))
        put_value(s, e->kind, e->value);
    if (p->attrs > 0) {
        out_char(o, ',');
        out_bytes(o, p->text + p->head, p->attrs);
    }
    at = text;
    if (e->time_ns != HS_NO_TIME)
        at = put_digits(put_word(at, ",\"time\":"), e->time_ns);
    *at++ = '}';
    out_bytes(o, text, (size_t)(at - text));
}

void show_event_json(struct show *s, const struct hs_event *e)
{
    const struct out *o = s->out;
    if (o->json.depth == 0 && o->source_line == NULL) {
        const struct hs_dataid *d = hs_dataid_get(s->trace, e->dataid);
        const struct piece *p = d != NULL && d->event != HS_EVENT_METHOD_EXCEPTIONAL_EXIT ? piece_of(s, d) : NULL;
        if (p != NULL) {
            put_event(s, p, e);
            return;
        }
    }
    show_event_json_open(s, e);
    json_end(&s->out->json);
}

void show_event_json_open(struct show *s, const struct hs_event *e)
{
    json_object(&s->out->json);
    show_event_members(s, e);
}

void show_event_members(struct show *s, const struct hs_event *e)
{
    struct json *j = &s->out->json;
    const struct hs_dataid *d = hs_dataid_get(s->trace, e->dataid);
    const struct piece *p = d != NULL ? piece_of(s, d) : NULL;
    s->at = e->seq;
    json_member_u64(j, "seq", e->seq);
    json_member_u64(j, "thread", e->thread);
    if (p != NULL)
        json_members(j, p->text, p->head);
    else if (d != NULL) /* longer than what is kept */
        show_dataid_members(s, d);
    else
        json_member_u64(j, "dataid", e->dataid);
    if (show_has_value(s, e)) {
        json_name(j, "value");
        show_value_json(s, e->kind, e->value);
    }
    if (p != NULL)
        json_members(j, p->text + p->head, p->attrs);
    else if (d != NULL)
        show_attrs_member(s, d);
    if (e->time_ns != HS_NO_TIME)
        json_member_u64(j, "time", e->time_ns);
    const struct hs_place place = place_of(s, e);
    if (is_thrown_at(d, &place))
        thrown_at_member(s, &place);
    if (d != NULL)
        show_source_member(s, d->class_no, SPOT_OF(&place));
}

void show_method_members(struct out *o, const char *class_name, const char *method, const char *desc)
{
    out_member_name(o, "class", class_name);
    out_member_name(o, "method", method);
    out_member_name(o, "desc", desc);
    out_member_cut(o);
}

/* (String, Map) of (java.lang.String, java.util.Map) */
static void drop_packages(struct writer *w)
{
    size_t to = 0, word = 0;
    for (size_t i = 0; i < w->size; i++) {
        w->data[to++] = w->data[i];
        if (w->data[i] == '.')
            to = word;
        else if (strchr("(), ", w->data[i]) != NULL)
            word = to;
    }
    w->size = to;
}

void show_signature_text(struct out *o, const char *method, const char *desc)
{
    struct writer w = { 0 };
    out_name(o, method);
    bool read = descriptor_to_parameters(desc, strlen(desc), &w);
    if (out_narrow(o))
        drop_packages(&w);
    write_u1(&w, '\0');
    if (w.bad)
        o->failed = ENOMEM;
    out_name(o, read && !w.bad ? (const char *)w.data : desc);
    writer_free(&w);
}

void show_method_text(struct out *o, const char *class_name, const char *method, const char *desc, const char *end)
{
    out_class(o, class_name);
    out_char(o, '.');
    show_signature_text(o, method, desc);
    out_bytes(o, end, strlen(end)); /* of the caller's own, with its newline */
}

void show_place_text(struct show *s, const struct hs_dataid *d) { show_spot_text(s, d, SPOT_OF(d)); }

void show_spot_text(struct show *s, const struct hs_dataid *d, struct spot spot)
{
    const struct hs_class *c = hs_class_get(s->trace, d->class_no);
    const struct hs_method *m = hs_method_get(s->trace, d->method_id);
    out_class(s->out, c != NULL ? c->name : "?");
    out_char(s->out, '.');
    out_name(s->out, m != NULL ? m->name : "?");
    out_spot(s->out, c, spot);
}

static const char *source_line(const struct show *s, uint32_t class_no, struct spot spot)
{
    const struct out *o = s->out;
    return o->source_line != NULL ? o->source_line(o->sources, hs_class_get(s->trace, class_no), spot) : NULL;
}

void show_source_text(struct show *s, uint32_t class_no, struct spot spot)
{
    const char *text = source_line(s, class_no, spot);
    if (text == NULL)
        return;
    out_colour(s->out, COLOUR_DIM);
    out_format(s->out, "  | %s", text);
    out_colour(s->out, COLOUR_NONE);
}

void show_source_member(struct show *s, uint32_t class_no, struct spot spot)
{
    const char *text = source_line(s, class_no, spot);
    if (text != NULL)
        json_member_text(&s->out->json, "source", text);
}

void show_spot_members(struct show *s, const struct hs_dataid *d, struct spot spot, bool source)
{
    if (d != NULL)
        show_method_spot_members(s, d->method_id, spot, source);
}

void show_method_spot_members(struct show *s, uint32_t method_id, struct spot spot, bool source)
{
    const struct hs_method *m = hs_method_get(s->trace, method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(s->trace, m->class_no) : NULL;
    if (c == NULL)
        return;
    out_member_name(s->out, "class", c->name);
    out_member_name(s->out, "method", m->name);
    out_member_spot(s->out, spot);
    if (source)
        show_source_member(s, c->class_no, spot);
    out_member_cut(s->out);
}

void show_event_heading(struct show *s)
{
    struct out *o = s->out;
    out_colour(o, COLOUR_DIM);
    const struct widths *w = widths_of(o);
    out_format(o, "%*s %*s  %-*s %-*s %s", w->seq, "seq", w->thread, out_narrow(o) ? "thr" : "thread", w->event,
               "event", w->value, "value", "where");
    out_colour(o, COLOUR_NONE);
    out_char(o, '\n');
}

/* The name at which a reader looks: of the method, field or variable that the instruction names. */
static const char *name_attr(const struct hs_dataid *d)
{
    for (uint32_t i = 0; i < d->attr_count; i++)
        if (d->attrs[i]->type == HS_ATTR_TEXT && strcmp(d->attrs[i]->name, "name") == 0)
            return d->attrs[i]->text;
    return NULL;
}

void show_event_place_text(struct show *s, const struct hs_event *e)
{
    const struct hs_dataid *d = hs_dataid_get(s->trace, e->dataid);
    const struct hs_place place = place_of(s, e);
    if (d != NULL)
        show_spot_text(s, d, SPOT_OF(&place));
}

void show_event_text(struct show *s, const struct hs_event *e)
{
    struct out *o = s->out;
    const struct hs_dataid *d = hs_dataid_get(s->trace, e->dataid);
    const struct widths *w = widths_of(o);
    out_format(o, "%*llu %*u  ", w->seq, (unsigned long long)e->seq, w->thread, e->thread);
    out_colour(o, COLOUR_NAME);
    out_padded(o, d != NULL ? hs_event_name(d->event) : "?", w->event);
    out_colour(o, COLOUR_NONE);
    out_char(o, ' ');
    out_colour(o, COLOUR_VALUE);
    struct out *apart = &s->cache->scratch;
    apart->used = 0;
    if (show_has_value(s, e)) { /* its width is known when it is written */
        s->at = e->seq;
        s->out = apart;
        show_value_text(s, e->kind, e->value);
        s->out = o;
    }
    out_char(apart, '\0');
    out_padded(o, apart->data, w->value);
    out_colour(o, COLOUR_NONE);
    out_char(o, ' ');
    const struct hs_place place = place_of(s, e);
    if (d != NULL) {
        show_spot_text(s, d, SPOT_OF(&place));
        const char *name = name_attr(d);
        out_colour(o, COLOUR_DIM);
        if (!place.unsure && !out_narrow(o))
            out_format(o, " pc %u", place.pc);
        out_text(o, name != NULL ? " " : "");
        out_name(o, name != NULL ? name : "");
        out_colour(o, COLOUR_NONE);
    }
    if (e->time_ns != HS_NO_TIME)
        out_format(o, " at %.6f s", (double)e->time_ns / 1e9);
    if (d != NULL)
        show_source_text(s, d->class_no, SPOT_OF(&place));
    out_char(o, '\n');
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

void show_frames_json(struct show *s, const char *name, const struct hs_thrown *t)
{
    struct out *o = s->out;
    struct json *j = &o->json;
    json_name(j, name);
    json_array(j);
    for (size_t i = 0; i < t->frame_count; i++) {
        const struct hs_stack_frame *f = t->frames[i];
        json_object(j);
        out_member_name(o, "class", f->class_name);
        out_member_name(o, "method", f->method);
        if (f->file[0] != '\0')
            out_member_name(o, "file", f->file);
        if (f->line >= 0)
            json_member_i64(j, "line", f->line);
        if (f->native)
            json_member_bool(j, "native", true);
        out_member_cut(o);
        json_end(j);
    }
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
