/* show.c - data IDs and events; see show.h. The cache: two pieces of JSON per data ID, and references, formatted
 * through an out without a file. */
#include "reader/command/show.h"

#include <stdlib.h>
#include <string.h>

enum { CACHE_BYTES_MAX = 64 << 20 };
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
        const char *name = show_text_attr(d, "name"); /* of the method, field or variable */
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
