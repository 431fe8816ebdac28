/* show.c - see show.h. The cache: two pieces of JSON per data ID, formatted through an out without a file. */
#include "reader/cli/show.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CACHE_BYTES_MAX = 64 << 20, TEXT_UNITS_MAX = 60, VALUE_WIDTH = 24, EVENT_WIDTH = 26 };

struct piece {
    uint32_t head, attrs; /* bytes of the two */
    char text[];
};
struct show_cache {
    struct out scratch;    /* memory in which a piece is formatted before its size is known; never flushed */
    struct piece **pieces; /* by data ID */
    uint32_t count;
    size_t bytes;
};

bool show_init(struct show *s, hs_trace *trace, struct out *out)
{
    *s = (struct show){ .trace = trace, .out = out, .cache = calloc(1, sizeof *s->cache) };
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
    for (uint32_t i = 0; i < c->count; i++) {
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

static void member_text(struct out *o, const char *name, const char *value)
{
    out_char(o, ',');
    out_char(o, '"');
    out_text(o, name);
    out_text(o, "\":");
    out_json_text(o, value);
}

static void member_i64(struct out *o, const char *name, int64_t value)
{
    out_format(o, ",\"%s\":%lld", name, (long long)value);
}

static void member_name(struct out *o, const char *name, const char *value)
{
    out_char(o, ',');
    out_char(o, '"');
    out_text(o, name);
    out_text(o, "\":");
    out_json_name(o, value);
}

void show_dataid_members(struct show *s, const struct hs_dataid *d)
{
    struct out *o = s->out;
    const struct hs_class *c = hs_class_get(s->trace, d->class_no);
    const struct hs_method *m = hs_method_get(s->trace, d->method_id);
    out_format(o, "\"dataid\":%u", d->dataid);
    member_text(o, "event", hs_event_name(d->event));
    if (c != NULL)
        member_name(o, "class", c->name);
    if (m != NULL) {
        member_name(o, "method", m->name);
        member_name(o, "desc", m->desc);
    }
    if (d->line >= 0)
        member_i64(o, "line", d->line);
    member_i64(o, "pc", d->pc);
    out_json_cut(o);
}

void show_attrs_member(struct show *s, const struct hs_dataid *d)
{
    struct out *o = s->out;
    for (uint32_t i = 0; i < d->attr_count; i++) {
        const struct hs_attr *a = d->attrs[i];
        out_text(o, i == 0 ? ",\"attr\":{\"" : ",\"");
        out_text(o, a->name);
        out_text(o, "\":");
        switch (a->type) {
        case HS_ATTR_INT: out_i64(o, a->number); break;
        case HS_ATTR_BOOL: out_text(o, a->number != 0 ? "true" : "false"); break;
        case HS_ATTR_TEXT: out_json_name(o, a->text); break;
        }
    }
    if (d->attr_count == 0)
        return;
    out_json_cut(o);
    out_char(o, '}');
}

static struct piece *piece_of(struct show *s, const struct hs_dataid *d)
{
    struct show_cache *c = s->cache;
    if (d->dataid >= c->count)
        return NULL;
    if (c->pieces[d->dataid] != NULL)
        return c->pieces[d->dataid];
    struct out *o = s->out, *apart = &c->scratch;
    apart->used = 0;
    apart->failed = 0;
    s->out = apart;
    show_dataid_members(s, d);
    size_t head = apart->used;
    show_attrs_member(s, d);
    s->out = o;
    size_t all = apart->used;
    if (c->bytes > CACHE_BYTES_MAX)
        cache_clear(c);
    struct piece *p = apart->failed == 0 ? malloc(sizeof *p + all) : NULL;
    if (p != NULL) {
        p->head = (uint32_t)head;
        p->attrs = (uint32_t)(all - head);
        memcpy(p->text, apart->data, all);
        c->pieces[d->dataid] = p;
        c->bytes += sizeof *p + all;
    }
    return p;
}

void show_handover_json(struct show *s, const struct hs_handover *h)
{
    const struct hs_dataid *site = h->seq != HS_NO_SEQ ? hs_dataid_get(s->trace, h->dataid) : NULL;
    if (site == NULL)
        return;
    out_format(s->out, ",\"handed\":{\"seq\":%llu,", (unsigned long long)h->seq);
    show_dataid_members(s, site);
    show_attrs_member(s, site);
    out_char(s->out, '}');
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

void show_reference_json(struct show *s, uint64_t id)
{
    struct out *o = s->out;
    const struct hs_object *object = id != 0 && id <= UINT32_MAX ? hs_object_get(s->trace, (uint32_t)id) : NULL;
    if (id == 0) {
        out_text(o, "null");
        return;
    }
    out_text(o, "{\"id\":");
    out_u64(o, id);
    if (object != NULL && object->type != NULL) {
        out_text(o, ",\"type\":");
        out_json_name(o, object->type);
    }
    if (object == NULL || !object->has_string) {
        out_json_cut(o);
    } else {
        out_text(o, ",\"string\":");
        (void)out_json_string(o, object, UINT64_MAX);
        if (object->cut)
            out_format(o, ",\"length\":%llu", (unsigned long long)object->length);
        o->name_cut |= object->cut;
        out_json_cut(o);
    }
    out_char(o, '}');
}

void show_value_json(struct show *s, char kind, uint64_t value)
{
    switch (kind) {
    case 'L': show_reference_json(s, value); break;
    case 'Z': out_text(s->out, value != 0 ? "true" : "false"); break;
    case 'F': out_json_float(s->out, (uint32_t)value); break;
    case 'D': out_json_double(s->out, value); break;
    default: out_i64(s->out, (int64_t)value); break;
    }
}

void show_value_text(struct show *s, char kind, uint64_t value)
{
    struct out *o = s->out;
    const struct hs_object *object;
    if (kind == 'C' && value > 0x20 && value < 0x7f) {
        out_format(o, "'%c' (%u)", (char)value, (unsigned)value);
    } else if (kind == 'F') {
        out_float(o, (uint32_t)value);
    } else if (kind == 'D') {
        out_double(o, value);
    } else if (kind != 'L' || value == 0) {
        show_value_json(s, kind, value);
    } else {
        object = value <= UINT32_MAX ? hs_object_get(s->trace, (uint32_t)value) : NULL;
        if (object != NULL && object->has_string) {
            if (out_json_string(o, object, TEXT_UNITS_MAX) || object->cut)
                out_text(o, "...");
            return;
        }
        const char *type = object != NULL && object->type != NULL ? object->type : "object";
        const char *dot = strstr(type, "$$") == NULL ? strrchr(type, '.') : NULL;
        out_name(o, dot != NULL ? dot + 1 : type);
        out_char(o, '#');
        out_u64(o, value);
    }
}

/* ---- events ---- */

void show_event_json(struct show *s, const struct hs_event *e)
{
    show_event_json_open(s, e);
    out_char(s->out, '}');
}

void show_event_json_open(struct show *s, const struct hs_event *e)
{
    struct out *o = s->out;
    const struct hs_dataid *d = hs_dataid_get(s->trace, e->dataid);
    const struct piece *p = d != NULL ? piece_of(s, d) : NULL;
    out_text(o, "{\"seq\":");
    out_u64(o, e->seq);
    out_text(o, ",\"thread\":");
    out_u64(o, e->thread);
    out_char(o, ',');
    if (p != NULL)
        out_bytes(o, p->text, p->head);
    else if (d != NULL) /* longer than what is kept */
        show_dataid_members(s, d);
    else
        out_format(o, "\"dataid\":%u", e->dataid);
    if (e->kind != 'V') {
        out_text(o, ",\"value\":");
        show_value_json(s, e->kind, e->value);
    }
    if (p != NULL)
        out_bytes(o, p->text + p->head, p->attrs);
    else if (d != NULL)
        show_attrs_member(s, d);
    if (e->time_ns != HS_NO_TIME) {
        out_text(o, ",\"time\":");
        out_u64(o, e->time_ns);
    }
}

void show_method_members(struct out *o, const char *class_name, const char *method, const char *desc)
{
    out_text(o, "\"class\":");
    out_json_name(o, class_name);
    out_text(o, ",\"method\":");
    out_json_name(o, method);
    out_text(o, ",\"desc\":");
    out_json_name(o, desc);
    out_json_cut(o);
}

void show_method_text(struct out *o, const char *class_name, const char *method, const char *desc, const char *end)
{
    out_name(o, class_name);
    out_char(o, '.');
    out_name(o, method);
    out_name(o, desc);
    out_bytes(o, end, strlen(end)); /* of the caller's own, with its newline */
}

void show_place_text(struct show *s, const struct hs_dataid *d)
{
    const struct hs_class *c = hs_class_get(s->trace, d->class_no);
    const struct hs_method *m = hs_method_get(s->trace, d->method_id);
    out_name(s->out, c != NULL ? c->name : "?");
    out_char(s->out, '.');
    out_name(s->out, m != NULL ? m->name : "?");
    if (d->line >= 0)
        out_format(s->out, ":%d", d->line);
}

void show_event_heading(struct show *s)
{
    struct out *o = s->out;
    out_colour(o, COLOUR_DIM);
    out_format(o, "%12s %6s  %-*s %-*s %s", "seq", "thread", EVENT_WIDTH, "event", VALUE_WIDTH, "value", "where");
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

void show_event_text(struct show *s, const struct hs_event *e)
{
    struct out *o = s->out;
    const struct hs_dataid *d = hs_dataid_get(s->trace, e->dataid);
    out_format(o, "%12llu %6u  ", (unsigned long long)e->seq, e->thread);
    out_colour(o, COLOUR_NAME);
    out_padded(o, d != NULL ? hs_event_name(d->event) : "?", EVENT_WIDTH);
    out_colour(o, COLOUR_NONE);
    out_char(o, ' ');
    out_colour(o, COLOUR_VALUE);
    struct out *apart = &s->cache->scratch;
    apart->used = 0;
    if (e->kind != 'V') { /* its width is known when it is written */
        s->out = apart;
        show_value_text(s, e->kind, e->value);
        s->out = o;
    }
    out_char(apart, '\0');
    out_padded(o, apart->data, VALUE_WIDTH);
    out_colour(o, COLOUR_NONE);
    out_char(o, ' ');
    if (d != NULL) {
        show_place_text(s, d);
        const char *name = name_attr(d);
        out_colour(o, COLOUR_DIM);
        out_format(o, " pc %u%s", d->pc, name != NULL ? " " : "");
        out_name(o, name != NULL ? name : "");
        out_colour(o, COLOUR_NONE);
    }
    if (e->time_ns != HS_NO_TIME)
        out_format(o, " at %.6f s", (double)e->time_ns / 1e9);
    out_char(o, '\n');
}

void show_references_json(struct show *s, const char *name, const uint64_t *ids, size_t count)
{
    out_format(s->out, ",\"%s\":[", name);
    for (size_t i = 0; i < count; i++) {
        out_text(s->out, i > 0 ? "," : "");
        show_reference_json(s, ids[i]);
    }
    out_char(s->out, ']');
}

void show_frames_json(struct show *s, const char *name, const struct hs_thrown *t)
{
    struct out *o = s->out;
    out_format(o, ",\"%s\":[", name);
    for (size_t i = 0; i < t->frame_count; i++) {
        const struct hs_stack_frame *f = t->frames[i];
        out_text(o, i > 0 ? ",{\"class\":" : "{\"class\":");
        out_json_name(o, f->class_name);
        out_text(o, ",\"method\":");
        out_json_name(o, f->method);
        if (f->file[0] != '\0') {
            out_text(o, ",\"file\":");
            out_json_name(o, f->file);
        }
        if (f->line >= 0)
            out_format(o, ",\"line\":%d", f->line);
        if (f->native)
            out_text(o, ",\"native\":true");
        out_json_cut(o);
        out_char(o, '}');
    }
    out_char(o, ']');
}
