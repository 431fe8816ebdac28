/* values.c - objects that are shown by what they stand for; see code.h. */
#include "formats/jvm/primitive.h"
#include "reader/code/code.h"

#include <stdlib.h>
#include <string.h>

#include "formats/json.h"
#include "formats/mutf8.h"
#include "reader/code/types.h"
#include "reader/code/value_texts.h"

enum { DEPTH_MAX = 6, TEXT_MAX = 1 << 14, PART_MAX = 200 };

struct part {
    char letter;        /* values.def */
    uint64_t bits;      /* a number, the bits of one, an id, or the length of an array */
    size_t count, size; /* of bytes, ints or ids in `data`; bytes of the ids */
    const uint8_t *data;
    size_t at, end; /* in the copy */
};
struct copy {
    const struct value_row *row;
    const struct lineage *record; /* the class, whose fields these are; NULL */
    unsigned count;
    struct part parts[VALUE_FIELDS_MAX];
};

/* ---- reading ---- */

static char letter_of(const char *type)
{
    const char letter = primitive_letter(type);
    return strchr("FDL", letter) != NULL ? letter : 'N';
}

static void read_ids(struct reader *r, struct part *p)
{
    p->bits = read_varint(r);
    uint64_t count = read_varint(r);
    if (count > VALUE_ELEMENTS_MAX || count > p->bits)
        r->bad = true;
    p->data = r->data + r->at;
    p->count = r->bad ? 0 : (size_t)count;
    for (size_t i = 0; i < p->count; i++)
        (void)read_varint(r);
    p->size = r->bad ? 0 : (size_t)(r->data + r->at - p->data);
}

static void read_part(struct reader *r, struct part *p)
{
    p->at = r->at;
    switch (p->letter) {
    case 'F': p->bits = read_le4(r); break;
    case 'D': p->bits = read_le8(r); break;
    case 'L': p->bits = read_varint(r); break;
    case 'T':
    case 'B':
    case 'M': {
        uint64_t count = read_varint(r);
        if (count > VALUE_COPY_MAX)
            r->bad = true;
        p->count = r->bad ? 0 : (size_t)count;
        p->data = read_span(r, p->count * (p->letter == 'M' ? 4 : 1));
        break;
    }
    case 'A':
    case 'H': read_ids(r, p); break;
    default: p->bits = (uint64_t)read_svarint(r); break;
    }
    p->end = r->at;
}

/* Reads a copy; the parts point into it. */
static bool read_copy(hs_trace *t, uint32_t id, struct text bytes, struct copy *out)
{
    struct reader r = reader_of(bytes.data, bytes.size);
    *out = (struct copy){ .row = value_row_at(read_u1(&r)) };
    if (out->row == NULL)
        return false;
    for (const char *at = out->row->fields; *at != '\0';) {
        at += strcspn(at, ":") + 1;
        out->parts[out->count] = (struct part){ .letter = *at };
        read_part(&r, &out->parts[out->count++]);
        at += at[1] == ' ' ? 2 : 1;
    }
    if (out->row->form == VALUE_RECORD) {
        const struct hs_type *type = hs_type_get(t, objects_class(t, id));
        out->record = type != NULL ? lineage_of(t, type->name, type->loader) : NULL;
        if (out->record == NULL || !out->record->known)
            return false;
        for (size_t i = 0; i < out->record->field_count && out->count < VALUE_FIELDS_MAX; i++)
            if (!out->record->fields[i].is_static) {
                out->parts[out->count] = (struct part){ .letter = letter_of(out->record->fields[i].type) };
                read_part(&r, &out->parts[out->count++]);
            }
    }
    return !r.bad;
}

/* ---- texts ---- */

struct put {
    hs_trace *t;
    struct writer *w;
    unsigned depth;
    value_other_fn *other;
};

static void put_word(const struct put *p, const char *word) { write_bytes(p->w, word, strlen(word)); }

static void put_string(const struct put *p, const struct hs_object *o)
{
    size_t bytes = o->data_bytes < PART_MAX ? o->data_bytes : PART_MAX;
    (o->latin1 ? latin1_to_utf8 : utf16le_to_utf8)(o->data, bytes, p->w);
    if (bytes < o->data_bytes || o->cut)
        put_word(p, "...");
}

static void put_reference(const struct put *p, uint64_t id)
{
    if (id == 0) {
        put_word(p, "null");
        return;
    }
    const struct hs_object *o = id <= UINT32_MAX ? hs_object_get(p->t, (uint32_t)id) : NULL;
    if (o != NULL && o->has_string) {
        put_string(p, o);
        return;
    }
    struct value v;
    if (o != NULL && p->depth < DEPTH_MAX && p->w->size < TEXT_MAX &&
        value_put(p->t, (uint32_t)id, p->depth + 1, p->other, &v, p->w))
        return;
    const char *type = o != NULL && o->type != NULL ? o->type : "object";
    const char *dot = strrchr(type, '.');
    value_format(p->w, "%.400s#%llu", dot != NULL ? dot + 1 : type, (unsigned long long)id);
}

void value_put_part(hs_trace *t, char kind, uint64_t bits, unsigned depth, value_other_fn *other, struct writer *w)
{
    const struct put p = { t, w, depth, other };
    char digits[JSON_NUMBER_MAX];
    switch (kind) {
    case HS_KIND_REF: put_reference(&p, bits); break;
    case HS_KIND_BOOLEAN: put_word(&p, bits != 0 ? "true" : "false"); break;
    case HS_KIND_CHAR: utf16le_to_utf8((uint8_t[]){ (uint8_t)bits, (uint8_t)(bits >> 8) }, 2, w); break;
    case HS_KIND_FLOAT: put_word(&p, json_float_digits((uint32_t)bits, digits)); break;
    case HS_KIND_DOUBLE: put_word(&p, json_double_digits(bits, digits)); break;
    default: value_format(w, "%lld", (long long)bits); break;
    }
}

static void put_kind(const struct put *p, char kind, uint64_t bits)
{
    value_put_part(p->t, kind, bits, p->depth, p->other, p->w);
}

static char kind_of(const char *type)
{
    char letter = letter_of(type);
    return letter == 'N' && strcmp(type, "boolean") == 0 ? HS_KIND_BOOLEAN
           : letter == 'N' && strcmp(type, "char") == 0  ? HS_KIND_CHAR
           : letter == 'N'                               ? HS_KIND_LONG
           : letter == 'L'                               ? HS_KIND_REF
                                                         : letter;
}

static void put_record(const struct put *p, const struct copy *c)
{
    const char *dot = strrchr(c->record->name, '.'), *name = dot != NULL ? dot + 1 : c->record->name;
    const char *dollar = strrchr(name, '$');
    unsigned at = 0;
    put_word(p, dollar != NULL && dollar[1] != '\0' ? dollar + 1 : name);
    put_word(p, "[");
    for (size_t i = 0; i < c->record->field_count && at < c->count; i++) {
        const struct hs_field *f = &c->record->fields[i];
        if (f->is_static)
            continue;
        put_word(p, at > 0 ? ", " : "");
        put_word(p, f->name);
        put_word(p, "=");
        put_kind(p, kind_of(f->type), c->parts[at++].bits);
    }
    put_word(p, "]");
}

/* [1, 2], or of a map {1=2}. */
static void put_entries(const struct put *p, const struct part *ids, bool map)
{
    struct reader r = reader_of(ids->data, ids->size);
    uint64_t all[VALUE_ELEMENTS_MAX];
    for (size_t i = 0; i < ids->count; i++)
        all[i] = read_varint(&r);
    put_word(p, map ? "{" : "[");
    for (size_t i = 0; i < ids->count; i++) {
        put_word(p, i == 0 ? "" : map && i % 2 == 1 ? "=" : ", ");
        put_reference(p, all[i]);
    }
    if (ids->count < ids->bits)
        value_format(p->w, ", ... %llu in all", (unsigned long long)(map ? ids->bits / 2 : ids->bits));
    put_word(p, map ? "}" : "]");
}

static void put_list(const struct put *p, const uint64_t *ids, size_t count)
{
    put_word(p, "[");
    for (size_t i = 0; i < count; i++) {
        put_word(p, i > 0 ? ", " : "");
        put_reference(p, ids[i]);
    }
    put_word(p, "]");
}

static void put_decimal(const struct put *p, const struct copy *c)
{
    struct writer digits = { 0 };
    struct value v;
    int64_t compact = (int64_t)c->parts[0].bits;
    if (compact != INT64_MIN)
        value_format(&digits, "%lld", (long long)compact);
    else if (c->parts[2].bits == 0 || c->parts[2].bits > UINT32_MAX ||
             !value_put(p->t, (uint32_t)c->parts[2].bits, p->depth + 1, NULL, &v, &digits))
        digits.bad = true;
    write_u1(&digits, 0);
    if (digits.bad || digits.size < 2)
        put_word(p, "?");
    else
        value_big_decimal(p->w, (const char *)digits.data, (int64_t)c->parts[1].bits);
    writer_free(&digits);
}

static void put_optional(const struct put *p, const struct copy *c)
{
    const char *dot = strrchr(c->row->class_name.data, '/');
    bool present = c->row->kind == HS_KIND_REF ? c->parts[0].bits != 0 : c->parts[1].bits != 0;
    put_word(p, dot + 1);
    put_word(p, present ? "[" : ".empty");
    if (!present)
        return;
    put_kind(p, c->row->kind, c->parts[0].bits);
    put_word(p, "]");
}

static void put_joined(const struct put *p, const struct copy *c, const char *between)
{
    put_reference(p, c->parts[0].bits);
    put_word(p, between);
    put_reference(p, c->parts[1].bits);
}

static void put_copy(const struct put *p, const struct copy *c)
{
    const struct part *a = c->parts;
    int64_t n[4] = { 0 };
    for (unsigned i = 0; i < c->count && i < 4; i++)
        n[i] = (int64_t)a[i].bits;
    const uint64_t pair[] = { a[0].bits, a[1].bits };
    switch (c->row->form) {
    case VALUE_NUMBER: put_kind(p, c->row->kind, a[0].bits); break;
    case VALUE_CONSTANT:
    case VALUE_TEXT: write_bytes(p->w, a[0].data, a[0].count); break;
    case VALUE_BIG_INTEGER: value_big_integer(p->w, n[0], a[1].data, a[1].count); break;
    case VALUE_BIG_DECIMAL: put_decimal(p, c); break;
    case VALUE_UUID: value_uuid(p->w, a[0].bits, a[1].bits); break;
    case VALUE_DATE: value_date(p->w, n[0], n[1], n[2]); break;
    case VALUE_TIME: value_time(p->w, n[0], n[1], n[2], n[3]); break;
    case VALUE_JOINED: put_joined(p, c, ""); break;
    case VALUE_JOINED_T: put_joined(p, c, "T"); break;
    case VALUE_ZONED:
        put_joined(p, c, "");
        if (n[1] != n[2]) {
            put_word(p, "[");
            put_reference(p, a[2].bits);
            put_word(p, "]");
        }
        break;
    case VALUE_INSTANT: value_instant(p->w, n[0], n[1]); break;
    case VALUE_DURATION: value_duration(p->w, n[0], n[1]); break;
    case VALUE_PERIOD: value_period(p->w, n[0], n[1], n[2]); break;
    case VALUE_YEAR: value_format(p->w, "%lld", (long long)n[0]); break;
    case VALUE_YEAR_MONTH: value_year_month(p->w, n[0], n[1]); break;
    case VALUE_MONTH_DAY: value_format(p->w, "--%02lld-%02lld", (long long)n[0], (long long)n[1]); break;
    case VALUE_OFFSET: value_offset(p->w, n[0]); break;
    case VALUE_OPTIONAL: put_optional(p, c); break;
    case VALUE_PAIR: put_list(p, pair, pair[1] != 0 ? 2 : 1); break;
    case VALUE_ONE: put_list(p, pair, 1); break;
    case VALUE_LIST: put_entries(p, &a[0], false); break;
    case VALUE_MAP: put_entries(p, &a[0], true); break;
    case VALUE_MAP_ENTRY:
        put_word(p, "{");
        put_joined(p, c, "=");
        put_word(p, "}");
        break;
    case VALUE_ENTRY: put_joined(p, c, "="); break;
    case VALUE_RECORD: put_record(p, c); break;
    }
}

static uint64_t length_of(const struct copy *c)
{
    enum value_form form = c->row->form;
    if (form == VALUE_PAIR)
        return c->parts[1].bits != 0 ? 2 : 1;
    if (form == VALUE_ONE || form == VALUE_MAP_ENTRY)
        return 1;
    return form == VALUE_LIST ? c->parts[0].bits : form == VALUE_MAP ? c->parts[0].bits / 2 : 0;
}

/* The copy's bytes, which nested look-ups would free, in memory of the caller. */
static bool take_bytes(hs_trace *t, uint32_t id, struct writer *out)
{
    struct text bytes = objects_value(t, id);
    write_bytes(out, bytes.data, bytes.size);
    return bytes.size > 0 && !out->bad;
}

bool value_put(hs_trace *t, uint32_t id, unsigned depth, value_other_fn *other, struct value *out, struct writer *w)
{
    const struct put p = { t, w, depth, other };
    struct writer bytes = { 0 };
    struct copy c;
    bool found =
        take_bytes(t, id, &bytes) && read_copy(t, id, (struct text){ (const char *)bytes.data, bytes.size }, &c);
    if (found) {
        put_copy(&p, &c);
        *out = (struct value){ .form = c.row->form, .length = length_of(&c) };
        if (c.row->form == VALUE_NUMBER) {
            out->kind = c.row->kind;
            out->bits = c.parts[0].bits;
        }
    }
    writer_free(&bytes);
    return found || (other != NULL && other(t, id, depth, w));
}

bool value_number(hs_trace *t, uint32_t id, char *kind, uint64_t *bits)
{
    struct copy c;
    const struct text bytes = objects_value(t, id);
    if (bytes.size == 0 || !read_copy(t, id, bytes, &c) || c.row->form != VALUE_NUMBER)
        return false;
    *kind = c.row->kind;
    *bits = c.parts[0].bits;
    return true;
}

bool value_is_whole(hs_trace *t, uint32_t id)
{
    struct writer bytes = { 0 };
    struct copy c;
    bool whole =
        !take_bytes(t, id, &bytes) || read_copy(t, id, (struct text){ (const char *)bytes.data, bytes.size }, &c);
    writer_free(&bytes);
    return whole;
}

bool value_look(void *trace, uint32_t id, struct text copy, struct copied_look *look)
{
    const struct put p = { trace, &look->text, 0, NULL };
    struct copy c;
    look->count = 0;
    if (!read_copy(trace, id, copy, &c))
        return false;
    for (unsigned i = 0; i < c.count; i++) {
        const struct part *n = &c.parts[i];
        const char kind = n->letter == 'N' ? HS_KIND_LONG : n->letter;
        if (kind != HS_KIND_LONG && kind != HS_KIND_FLOAT && kind != HS_KIND_DOUBLE)
            continue;
        look->numbers[look->count].kind = kind;
        look->numbers[look->count].bits = n->bits;
        look->numbers[look->count].at = n->at;
        look->numbers[look->count++].size = n->end - n->at;
    }
    put_copy(&p, &c);
    return true;
}
