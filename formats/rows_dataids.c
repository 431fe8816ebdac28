/* rows_dataids.c - rows of data IDs to and from bytes (rows.h). Rows of other tables, and how rows may change: rows.c.
 *
 *     stored:  u1 version | varint rows | varint strings | texts of the strings | rows
 *     row:     varint event << 2 | joined << 1 | other method than the row before
 *              [svarint method - last method; pc restarts at 0]
 *              u1 kind letter | svarint pc - last pc | svarint line - last line | varint attributes
 *              per attribute: varint number << 1 | is text, svarint value or varint string number */
#include "formats/rows_parts.h"

#include "formats/journal.h" /* KIND_JOINED */

enum { HEAD_METHOD = 1, HEAD_JOINED = 2, HEAD_EVENT_SHIFT = 2 };

/* The number of a string, which is copied at its first use. */
static uint32_t intern(struct dataid_rows *d, struct text s)
{
    uint64_t hash = map_hash(s.data, s.size);
    const struct dataid_string *have;
    for (; (have = map_get(&d->numbers, hash)) != NULL; hash = map_next_hash(hash))
        if (have->size == s.size && (s.size == 0 || memcmp(d->strings.data + have->at, s.data, s.size) == 0))
            return have->number;
    struct dataid_string *made = s.size <= UINT32_MAX / 2 ? map_put(&d->numbers, hash) : NULL;
    if (made == NULL) {
        d->rows.bad = true;
        return 0;
    }
    write_text(&d->strings, s.data, s.size);
    if (d->strings.bad || d->strings.size > UINT32_MAX) {
        d->rows.bad = true;
        return 0;
    }
    made->number = d->string_count;
    made->at = (uint32_t)(d->strings.size - s.size);
    made->size = (uint32_t)s.size;
    return d->string_count++;
}

void dataid_rows_done(struct dataid_rows *d)
{
    writer_free(&d->rows);
    writer_free(&d->kinds);
    writer_free(&d->roles);
    writer_free(&d->places);
    writer_free(&d->strings);
    map_free(&d->numbers);
    *d = (struct dataid_rows){ 0 };
}

static uint32_t number_of(struct dataid_rows *d, struct text s)
{
    size_t at = ((uintptr_t)s.data >> 1 ^ s.size) % (sizeof d->recent / sizeof d->recent[0]);
    if (d->recent[at].text.data != s.data || d->recent[at].text.size != s.size || s.size == 0) {
        d->recent[at].number = intern(d, s);
        d->recent[at].text = s;
    }
    return d->recent[at].number;
}

/* Room for the longest row is made once, so that its fields are written without further checks. */
enum { ROW_BYTES_MAX = 7 * 10 + DATAID_ATTRS_MAX * 20 };

static uint8_t *put_varint(uint8_t *p, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        *p++ = (uint8_t)(v | 0x80);
    *p++ = (uint8_t)v;
    return p;
}
static uint8_t *put_svarint(uint8_t *p, int64_t v) { return put_varint(p, (uint64_t)v << 1 ^ (uint64_t)(v >> 63)); }

bool dataid_calls_constructor(const struct dataid_row *row, const struct attr_value *attrs)
{
    static const char constructor[] = "constructor";
    for (unsigned i = 0; row->event == EVENT_CALL && i < row->attr_count; i++)
        if (attrs[i].attr == ATTR_methodtype)
            return attrs[i].text.size == sizeof constructor - 1 &&
                   memcmp(attrs[i].text.data, constructor, sizeof constructor - 1) == 0;
    return false;
}

void dataid_rows_add(struct dataid_rows *d, const struct dataid_row *row, const struct attr_value *attrs)
{
    struct writer *w = &d->rows;
    bool moved = row->method != d->last_method;
    if (row->attr_count > DATAID_ATTRS_MAX || (w->cap - w->size < ROW_BYTES_MAX && !writer_reserve(w, ROW_BYTES_MAX))) {
        w->bad = true;
        return;
    }
    uint8_t *p = w->data + w->size;
    p = put_varint(p, (uint64_t)row->event << HEAD_EVENT_SHIFT | (row->joined ? HEAD_JOINED : 0u) |
                          (moved ? HEAD_METHOD : 0u));
    if (moved) {
        p = put_svarint(p, (int64_t)row->method - d->last_method);
        d->last_method = row->method;
        d->last_pc = 0;
    }
    *p++ = row->kind;
    p = put_svarint(p, (int64_t)row->pc - d->last_pc);
    p = put_svarint(p, (int64_t)row->line - d->last_line);
    p = put_varint(p, row->attr_count);
    for (unsigned i = 0; i < row->attr_count; i++) {
        const struct attr_value *a = &attrs[i];
        bool is_text = attr_type_of(a->attr) == ATTR_TEXT;
        p = put_varint(p, (uint64_t)a->attr << 1 | is_text);
        p = is_text ? put_varint(p, number_of(d, a->text)) : put_svarint(p, a->number);
    }
    w->size = (size_t)(p - w->data);
    d->last_pc = row->pc;
    d->last_line = row->line;
    write_u1(&d->kinds, row->kind | (row->joined ? KIND_JOINED : 0u));
    write_u1(&d->roles, row->role);
    write_le8(&d->places, row->event | row->method << 8 | (uint64_t)row->pc << 32 |
                              (uint64_t)dataid_calls_constructor(row, attrs) << 63);
    d->count++;
}

void dataid_rows_join(struct dataid_rows *d, uint32_t i, size_t at)
{
    if (dataid_rows_bad(d))
        return;
    d->rows.data[at] |= HEAD_JOINED; /* in the first byte of the head */
    d->kinds.data[i] |= KIND_JOINED;
}

struct dataid_mark dataid_rows_mark(const struct dataid_rows *d)
{
    return (struct dataid_mark){ d->rows.size, d->kinds.size, d->count, d->last_method, d->last_pc, d->last_line };
}

void dataid_rows_rewind(struct dataid_rows *d, struct dataid_mark m)
{
    d->rows.size = m.rows;
    d->kinds.size = d->roles.size = m.kinds;
    d->count = m.count;
    d->places.size = sizeof(uint64_t) * (size_t)m.count;
    d->last_method = m.last_method;
    d->last_pc = m.last_pc;
    d->last_line = m.last_line;
}

void dataid_rows_encode(const struct dataid_rows *d, struct writer *w)
{
    write_u1(w, ROW_VERSION);
    write_varint(w, d->count);
    write_varint(w, d->string_count);
    struct reader strings = reader_of(d->strings.data, d->strings.size);
    for (uint32_t i = 0; i < d->string_count; i++) {
        struct text t;
        t.data = read_text(&strings, &t.size);
        put_name(w, t);
    }
    write_bytes(w, d->rows.data, d->rows.size);
    if (dataid_rows_bad(d))
        w->bad = true;
}

static bool attr_decode(struct dataid_rows_reader *d)
{
    struct reader *r = &d->in;
    struct dataid_row *row = &d->row;
    uint64_t head = read_varint(r);
    struct attr_value a = { .attr = (enum attr)(head >> 1 & 0xffffff) };
    if ((head & 1) != 0) {
        uint64_t number = read_varint(r);
        if (number >= d->strings.count)
            return false;
        a.text = d->strings.items[number];
    } else {
        a.number = read_svarint(r);
    }
    if (head >> 1 >= ATTR_LIMIT || attr_name((unsigned)a.attr) == NULL)
        return true; /* of a newer version */
    if ((attr_type_of(a.attr) == ATTR_TEXT) != (head & 1) || row->attr_count == DATAID_ATTRS_MAX)
        return false;
    row->attrs[row->attr_count++] = a;
    return true;
}

/* Fills in what rows have; `row` is large and used again, so attributes behind attr_count are those of rows before. */
static bool dataid_decode(struct dataid_rows_reader *d)
{
    struct reader *r = &d->in;
    struct dataid_place *c = &d->next;
    struct dataid_row *row = &d->row;
    row->attr_count = 0;
    uint64_t head = read_varint(r);
    uint64_t event = head >> HEAD_EVENT_SHIFT;
    if ((head & HEAD_METHOD) != 0) {
        int64_t delta = read_svarint(r);
        if (delta < INT32_MIN || delta > INT32_MAX)
            return false;
        c->method += delta;
        c->pc = 0;
    }
    row->kind = read_u1(r);
    int64_t pc_delta = read_svarint(r), line_delta = read_svarint(r);
    if (pc_delta < INT32_MIN || pc_delta > INT32_MAX || line_delta < INT32_MIN || line_delta > INT32_MAX)
        return false;
    c->pc += pc_delta;
    c->line += line_delta;
    if (c->method < 0 || c->method > UINT32_MAX || c->pc < 0 || c->pc > UINT32_MAX || c->line < INT32_MIN ||
        c->line > INT32_MAX || event >= EVENT_LIMIT || event_name((unsigned)event) == NULL || !kind_known(row->kind))
        return false;
    row->method = (uint32_t)c->method;
    row->event = (enum event)event;
    row->joined = (head & HEAD_JOINED) != 0;
    row->pc = (uint32_t)c->pc;
    row->line = (int32_t)c->line;
    uint64_t n = read_varint(r);
    for (uint64_t i = 0; i < n && !r->bad; i++)
        if (!attr_decode(d))
            return false;
    return !r->bad;
}

/* ---- the same far from the end, where no bounds need checking: most queries read all rows of a program
 * ---- */

static const bool event_is[EVENT_LIMIT] = {
#define EVENT(no, ...) [no] = true,
#include "formats/events.def"
#undef EVENT
};
static const uint8_t text_is[ATTR_LIMIT] = {
/* 2: a text, 1: a number, 0: no attribute */
#define ATTR(no, name, type, text) [no] = 1 + (ATTR_##type == ATTR_TEXT),
#include "formats/attrs.def"
#undef ATTR
};

/* NULL for a number of more than 9 bytes. */
static inline const uint8_t *quick_varint(const uint8_t *p, uint64_t *out)
{
    uint64_t v = *p++;
    if (v >= 0x80) {
        unsigned shift = 7;
        uint8_t b;
        v &= 0x7f;
        do {
            b = *p++;
            v |= (uint64_t)(b & 0x7f) << shift;
            shift += 7;
        } while (b >= 0x80 && shift < 63);
        if (b >= 0x80)
            return NULL;
    }
    *out = v;
    return p;
}

static inline const uint8_t *quick_svarint(const uint8_t *p, int64_t *out)
{
    uint64_t v = 0;
    p = quick_varint(p, &v);
    *out = (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
    return p;
}

/* Decodes a row of the usual form. False, with nothing but `row` changed: dataid_decode must decode this row. */
static inline bool dataid_decode_quick(struct dataid_rows_reader *d)
{
    struct reader *r = &d->in;
    struct dataid_place *c = &d->next;
    struct dataid_row *row = &d->row;
    const uint8_t *p = r->data + r->at;
    uint64_t head, n, attr, number;
    int64_t method = 0, pc, line;
    if (r->size - r->at < ROW_BYTES_MAX || (p = quick_varint(p, &head)) == NULL ||
        ((head & HEAD_METHOD) != 0 && (p = quick_svarint(p, &method)) == NULL))
        return false;
    row->kind = *p++;
    if ((p = quick_svarint(p, &pc)) == NULL || (p = quick_svarint(p, &line)) == NULL ||
        (p = quick_varint(p, &n)) == NULL || n > DATAID_ATTRS_MAX || head >> HEAD_EVENT_SHIFT >= EVENT_LIMIT ||
        !event_is[head >> HEAD_EVENT_SHIFT] || !kind_known(row->kind))
        return false;
    uint64_t moved = (uint64_t)c->method + (uint64_t)method;
    uint64_t to_pc = ((head & HEAD_METHOD) != 0 ? 0 : (uint64_t)c->pc) + (uint64_t)pc,
             to_line = (uint64_t)c->line + (uint64_t)line;
    if (method != (int32_t)method || pc != (int32_t)pc || line != (int32_t)line || moved > UINT32_MAX ||
        to_pc > UINT32_MAX || to_line + 1 > INT32_MAX)
        return false;
    for (uint64_t i = 0; i < n; i++) {
        struct attr_value *a = &row->attrs[i];
        if ((p = quick_varint(p, &attr)) == NULL || (p = quick_varint(p, &number)) == NULL || attr >> 1 >= ATTR_LIMIT ||
            text_is[attr >> 1] != 1 + (attr & 1))
            return false;
        a->attr = (enum attr)(attr >> 1);
        if ((attr & 1) == 0) {
            a->number = (int64_t)(number >> 1) ^ -(int64_t)(number & 1);
            a->text = (struct text){ 0 };
        } else if (number < d->strings.count) {
            a->number = 0;
            a->text = d->strings.items[number];
        } else {
            return false;
        }
    }
    row->attr_count = (unsigned)n;
    row->event = (enum event)(head >> HEAD_EVENT_SHIFT);
    row->joined = (head & HEAD_JOINED) != 0;
    row->method = (uint32_t)moved;
    row->pc = (uint32_t)to_pc;
    row->line = (int32_t)to_line;
    c->method = (int64_t)moved;
    c->pc = (int64_t)to_pc;
    c->line = (int64_t)to_line;
    r->at = (size_t)(p - r->data);
    return true;
}

enum status dataid_rows_open(struct dataid_rows_reader *d, const void *data, size_t size, struct error *err)
{
    *d = (struct dataid_rows_reader){ .in = reader_of(data, size) };
    struct reader *r = &d->in;
    if (!get_version(r))
        return error_set(err, ERR_FORMAT, "data ID rows of %zu bytes: not version %d", size, ROW_VERSION);
    d->count = get_u32(r);
    uint32_t string_count = get_u32(r);
    for (uint32_t k = 0; k < string_count && !r->bad; k++) {
        struct text *t = vec_push(&d->strings);
        if (t == NULL)
            return error_memory(err, "data ID rows of %zu bytes, string %u", size, k);
        *t = get_text(r);
    }
    d->next.at = r->at;
    return OK;
}

void dataid_rows_close(struct dataid_rows_reader *d) { vec_free(&d->strings); }

void dataid_rows_seek(struct dataid_rows_reader *d, const struct dataid_place *place)
{
    d->next = *place;
    d->in.at = place->at <= d->in.size ? place->at : d->in.size;
}

enum status dataid_rows_next(struct dataid_rows_reader *d, struct error *err)
{
    if (d->next.index == d->count && !d->in.bad)
        return ERR_NOT_FOUND;
    if (d->in.bad || (!dataid_decode_quick(d) && !dataid_decode(d)))
        return error_set(err, ERR_FORMAT, "data ID rows of %zu bytes: malformed before byte %zu, in row %u of %u",
                         d->in.size, d->in.at, d->next.index, d->count);
    d->next.index++;
    d->next.at = d->in.at;
    return OK;
}

enum status dataid_rows_each(const void *data, size_t size, dataid_row_fn *each, void *context, struct error *err)
{
    struct dataid_rows_reader d;
    enum status s = dataid_rows_open(&d, data, size, err);
    while (s == OK) {
        s = dataid_rows_next(&d, err);
        if (s == ERR_NOT_FOUND) {
            s = OK;
            break;
        }
        if (s == OK)
            s = each(context, d.next.index - 1, &d.row, err);
    }
    dataid_rows_close(&d);
    return s;
}
