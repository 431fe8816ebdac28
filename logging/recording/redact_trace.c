/* redact_trace.c - see formats/redact_trace.h. A text is replaced by as many bytes, so that lengths, class files and
 * what was computed from them stay sound; what has a checksum gets a new one. */
#include "formats/redact_trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "formats/derived.h"
#include "formats/journal.h"
#include "formats/jvm/classfile.h"
#include "formats/map.h"
#include "formats/objects.h"
#include "formats/rows.h"
#include "formats/search.h"
#include "logging/recording/copy_trace.h"

/* One encoding of a secret. */
struct pattern_bytes {
    uint8_t *data;
    size_t size;
    unsigned wide; /* bytes of a '*': 1, or 2 of UTF-16 */
    bool big;      /* big-endian */
};
struct file_hash {
    uint64_t key, hash; /* class number + 1; XXH64 of its changed class file */
};
struct redacting {
    const struct redact_request *request;
    bool numbers;
    VEC(struct pattern_bytes) patterns;
    bool begins[256]; /* a pattern begins with this byte */
    MAP(struct file_hash) files;
    struct chunk_decoder *decoder;
    struct chunk_encoder *encoder;
    struct redact_result *result;
    struct writer bytes; /* scratch */
    struct copied_look look;
};

/* ---- texts ---- */

static bool add_pattern(struct redacting *r, const struct writer *w, unsigned wide, bool big)
{
    for (size_t i = 0; i < r->patterns.count; i++)
        if (r->patterns.items[i].size == w->size && memcmp(r->patterns.items[i].data, w->data, w->size) == 0)
            return true;
    struct pattern_bytes *p = vec_push(&r->patterns);
    uint8_t *copy = p != NULL ? malloc(w->size) : NULL;
    if (copy == NULL) {
        r->patterns.count -= p != NULL;
        return false;
    }
    memcpy(copy, w->data, w->size);
    *p = (struct pattern_bytes){ copy, w->size, wide, big };
    r->begins[copy[0]] = true;
    return true;
}

/* The code point at *at of valid UTF-8. */
static uint32_t next_point(struct text t, size_t *at)
{
    const uint8_t *p = (const uint8_t *)t.data + *at;
    size_t left = t.size - *at, n = p[0] < 0x80 ? 1 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    uint32_t point = n == 1 ? p[0] : p[0] & (0xffu >> (n + 1));
    for (size_t i = 1; i < n && i < left; i++)
        point = point << 6 | (p[i] & 0x3f);
    *at += n < left ? n : left;
    return point;
}

enum encoding { AS_UTF8, AS_LATIN1, AS_UTF16LE, AS_UTF16BE, AS_MUTF8, ENCODINGS };

static void put_unit(struct writer *w, uint32_t unit, enum encoding as)
{
    if (as == AS_MUTF8) {
        write_u1(w, 0xe0 | unit >> 12);
        write_u1(w, 0x80 | (unit >> 6 & 0x3f));
        write_u1(w, 0x80 | (unit & 0x3f));
        return;
    }
    write_u1(w, as == AS_UTF16LE ? unit & 0xff : unit >> 8);
    write_u1(w, as == AS_UTF16LE ? unit >> 8 : unit & 0xff);
}

/* False: it has no such form. */
static bool encode(struct text t, enum encoding as, struct writer *w)
{
    w->size = 0;
    for (size_t at = 0, from; at < t.size;) {
        from = at;
        uint32_t point = next_point(t, &at);
        if (as == AS_UTF8 || (as == AS_MUTF8 && point < 0x10000)) {
            write_bytes(w, t.data + from, at - from);
        } else if (as == AS_LATIN1) {
            if (point > 0xff)
                return false;
            write_u1(w, point);
        } else if (point >= 0x10000) {
            put_unit(w, 0xd800 | (point - 0x10000) >> 10, as);
            put_unit(w, 0xdc00 | ((point - 0x10000) & 0x3ff), as);
        } else {
            put_unit(w, point, as);
        }
    }
    return !w->bad;
}

static enum status make_patterns(struct redacting *r, struct error *err)
{
    for (size_t i = 0; i < r->request->count; i++)
        for (unsigned as = 0; as < ENCODINGS; as++)
            if (encode(r->request->secrets[i].text, as, &r->bytes) &&
                !add_pattern(r, &r->bytes, as == AS_UTF16LE || as == AS_UTF16BE ? 2 : 1, as == AS_UTF16BE))
                return error_memory(err, "%s", r->request->source->trace_dir);
    return r->bytes.bad ? error_memory(err, "%s", r->request->source->trace_dir) : OK;
}

/* Puts '*' where a secret stands, also where several overlap; how many stand in no other. A byte is written only when
 * all that begin before and at it are found. */
static uint64_t cover(const struct redacting *r, uint8_t *data, size_t size)
{
    const struct pattern_bytes *by = NULL; /* covers what is between */
    size_t from = 0, end = 0;
    uint64_t found = 0;
    for (size_t i = 0; i < size; i++) {
        for (size_t k = 0; r->begins[data[i]] && k < r->patterns.count; k++) {
            const struct pattern_bytes *p = &r->patterns.items[k];
            if (p->size > size - i || i + p->size <= end || memcmp(data + i, p->data, p->size) != 0)
                continue;
            found += by == NULL || from != i;
            by = p;
            from = i;
            end = i + p->size;
        }
        if (i < end)
            data[i] = by->wide == 1 || ((i - from) % 2 == 1) == by->big ? '*' : 0;
    }
    return found;
}

/* Puts '*' where a text that was cut ends with the first bytes of a secret; 1 or 0. */
static uint64_t cover_end(const struct redacting *r, uint8_t *data, size_t size)
{
    size_t longest = 0;
    unsigned wide = 1;
    for (size_t k = 0; k < r->patterns.count; k++) {
        const struct pattern_bytes *p = &r->patterns.items[k];
        for (size_t n = p->size - 1; !p->big && n >= SECRET_BYTES_MIN * p->wide && n > longest; n--)
            if (n <= size && memcmp(data + size - n, p->data, n) == 0) {
                longest = n;
                wide = p->wide;
            }
    }
    for (size_t i = 0; i < longest; i++)
        data[size - longest + i] = wide == 1 || i % 2 == 0 ? '*' : 0;
    return longest > 0;
}

/* The bytes of a string that the request names. */
static uint64_t cover_ranges(const struct redacting *r, const struct object_entry *e)
{
    const struct redact_range *ranges = r->request->ranges;
    uint8_t *data = (uint8_t *)(uintptr_t)e->bytes.data;
    uint64_t found = 0;
    size_t i;
    LOWER_BOUND(i, r->request->range_count, ranges[i].object < e->id);
    for (; i < r->request->range_count && ranges[i].object == e->id; i++) {
        found += ranges[i].to <= e->bytes.size;
        for (size_t at = ranges[i].from; at < ranges[i].to && ranges[i].to <= e->bytes.size; at++)
            data[at] = e->latin1 || at % 2 == 0 ? '*' : 0;
    }
    return found;
}

/* ---- numbers ---- */

static bool is_secret(const struct redacting *r, unsigned kind, uint64_t value)
{
    for (size_t i = 0; i < r->request->count; i++) {
        const struct secret *s = &r->request->secrets[i];
        float f;
        double d;
        uint32_t low = (uint32_t)value;
        memcpy(&f, &low, sizeof f);
        memcpy(&d, &value, sizeof d);
        switch (kind) {
        case 'B':
        case 'S':
        case 'C':
        case 'I':
        case 'J':
            if (s->is_integer && (int64_t)value == s->integer)
                return true;
            break;
        case 'F':
            if (s->is_number && f == (float)s->number)
                return true;
            break;
        case 'D':
            if (s->is_number && d == s->number)
                return true;
            break;
        default: break;
        }
    }
    return false;
}

/* Constants of a class file. */
static void cover_constants(struct redacting *r, uint8_t *bytes, size_t size)
{
    struct classfile cf;
    struct error ignored;
    if (r->numbers && classfile_read(&cf, bytes, size, &ignored) == OK)
        for (uint32_t i = 1; i < cf.cp.count; i++) {
            const uint8_t *entry = cpool_entry(&cf.cp, i);
            const unsigned tag = cpool_tag(&cf.cp, i);
            const bool wide = tag == CONSTANT_Long || tag == CONSTANT_Double;
            const unsigned kind = tag == CONSTANT_Integer  ? 'I'
                                  : tag == CONSTANT_Float  ? 'F'
                                  : tag == CONSTANT_Long   ? 'J'
                                  : tag == CONSTANT_Double ? 'D'
                                                           : 0;
            if (kind == 0)
                continue;
            uint64_t value = be4(entry + 1);
            value = wide ? value << 32 | be4(entry + 5) : kind == 'I' ? (uint64_t)(int64_t)(int32_t)value : value;
            if (!is_secret(r, kind, value))
                continue;
            memset(bytes + (entry + 1 - bytes), 0, wide ? 8 : 4);
            r->result->numbers++;
        }
    if (r->numbers)
        classfile_done(&cf);
}

/* ---- rows ---- */

static uint64_t change_file(struct redacting *r, const void *data, size_t size, struct writer *out)
{
    const size_t at = out->size;
    write_bytes(out, data, size);
    if (out->bad)
        return 0;
    uint64_t found = cover(r, out->data + at, size);
    cover_constants(r, out->data + at, size);
    return found;
}

/* Class numbers with the hash that their class file is going to have. */
static enum status note_file(void *context, uint64_t key, const void *data, size_t size)
{
    struct redacting *r = context;
    const struct redact_result before = *r->result;
    r->bytes.size = 0;
    uint64_t found = change_file(r, data, size, &r->bytes);
    const bool changed = found > 0 || r->result->numbers != before.numbers;
    *r->result = before; /* they are counted when it is copied */
    struct file_hash *f = changed ? map_put(&r->files, key + 1) : NULL;
    if (r->bytes.bad || (changed && f == NULL))
        return ERR_MEMORY;
    if (f != NULL)
        f->hash = XXH64(r->bytes.data, size, 0);
    return OK;
}

static enum status begin(void *context, struct store *from, struct store *to, struct error *err)
{
    (void)to;
    return store_each(from, DB_CLASSFILE, note_file, context, err);
}

static enum status change_class(struct redacting *r, uint64_t key, const void *data, size_t size, struct writer *out,
                                struct error *err)
{
    struct class_row row;
    const struct file_hash *f = map_get(&r->files, key + 1);
    if (f == NULL) {
        write_bytes(out, data, size);
        return OK;
    }
    enum status st = class_row_decode(data, size, &row, err);
    if (st == OK) {
        row.hash = f->hash;
        class_row_encode(&row, out);
    }
    class_row_done(&row);
    return st;
}

/* True: a secret is in the text of a class that is shown by more than its numbers and its own texts. */
static bool is_shown(struct redacting *r, struct text copy)
{
    const struct value_row *row = value_row_at((uint8_t)copy.data[0]);
    struct writer *text = &r->look.text;
    if (row == NULL || row->form < VALUE_BIG_INTEGER || row->form > VALUE_OFFSET)
        return false;
    write_u1(text, 0);
    if (!text->bad && (row->form == VALUE_BIG_INTEGER || row->form == VALUE_BIG_DECIMAL)) {
        double number = strtod((const char *)text->data, NULL);
        uint64_t bits;
        memcpy(&bits, &number, sizeof bits);
        if (is_secret(r, 'D', bits))
            return true;
    }
    return text->bad || cover(r, text->data, text->size) > 0;
}

/* What an object stands for. A number that becomes 0 keeps its size: 80 80 00 is a varint, too. */
static void change_copy(struct redacting *r, struct object_entry *e)
{
    struct copied_look *look = &r->look;
    uint8_t *bytes = (uint8_t *)(uintptr_t)e->bytes.data;
    look->text.size = 0;
    const bool known = r->request->copied(r->request->context, e->id, e->bytes, look);
    if (!known || is_shown(r, e->bytes)) {
        r->result->numbers += known;
        e->is_value = false;
        e->bytes = (struct text){ NULL, 0 };
        return;
    }
    for (size_t i = 0; i < look->count; i++) {
        uint8_t *at = bytes + look->numbers[i].at;
        const size_t last = look->numbers[i].size - 1;
        if (!is_secret(r, (unsigned)look->numbers[i].kind, look->numbers[i].bits))
            continue;
        memset(at, look->numbers[i].kind == 'J' ? 0x80 : 0, last);
        at[last] = 0;
        r->result->numbers++;
    }
}

static uint64_t change_text(struct redacting *r, const struct object_entry *e)
{
    uint8_t *data = (uint8_t *)(uintptr_t)e->bytes.data;
    uint64_t found = cover(r, data, e->bytes.size);
    if (e->has_string)
        found += cover_ranges(r, e);
    if (e->has_string && e->cut)
        found += cover_end(r, data, e->bytes.size);
    return found;
}

/* A message does not say whether it was cut. */
static uint64_t change_thrown(struct redacting *r, struct text thrown)
{
    struct thrown_row row;
    struct error ignored;
    uint64_t found = cover(r, (uint8_t *)(uintptr_t)thrown.data, thrown.size);
    if (thrown.size > 0 && thrown_row_decode(thrown.data, thrown.size, &row, &ignored) == OK) {
        if (row.has_message)
            found += cover_end(r, (uint8_t *)(uintptr_t)row.message.data, row.message.size);
        thrown_row_done(&row);
    }
    return found;
}

static enum status change_objects(struct redacting *r, const void *data, size_t size, struct writer *out,
                                  struct error *err)
{
    object_entry_vec entries = { 0 };
    struct writer storage = { 0 };
    enum status st = objects_decode(data, size, &entries, &storage, err);
    if (st == OK) {
        for (size_t i = 0; i < entries.count; i++) { /* they are in `storage` */
            if (entries.items[i].is_value)
                change_copy(r, &entries.items[i]);
            r->result->texts += change_text(r, &entries.items[i]);
            r->result->texts += change_thrown(r, entries.items[i].thrown);
        }
        st = objects_encode(entries.items, entries.count, out, err);
    }
    vec_free(&entries);
    writer_free(&storage);
    return st;
}

static enum status change_row(void *context, enum schema_db db, uint64_t key, const void *data, size_t size, bool *keep,
                              struct writer *out, struct error *err)
{
    struct redacting *r = context;
    const size_t at = out->size;
    enum status st = OK;
    if (db == DB_OBJECT)
        return change_objects(r, data, size, out, err);
    if ((db == DB_DERIVED || db == DB_STATE) && r->numbers) { /* states of threads: nothing is derived any more */
        *keep = false;
        return OK;
    }
    if (db == DB_CLASSFILE) {
        r->result->texts += change_file(r, data, size, out);
        return OK;
    }
    if (db == DB_CLASS)
        st = change_class(r, key, data, size, out, err);
    else
        write_bytes(out, data, size);
    if (st == OK && !out->bad)
        r->result->texts += cover(r, out->data + at, out->size - at);
    return st;
}

static enum status change_chunk(void *context, uint64_t key, const void *data, size_t size, struct chunk_info *info,
                                struct writer *out, struct error *err)
{
    struct redacting *r = context;
    struct chunk_columns columns;
    if (!r->numbers) {
        write_bytes(out, data, size);
        return out->bad ? error_memory(err, "%s", r->request->source->trace_dir) : OK;
    }
    enum status st = derived_is(data, size)
                         ? r->request->source->chunk(r->request->source->context, key, &columns, err)
                         : chunk_decode(r->decoder, r->request->source->kinds, data, size, CHUNK_ALL, &columns, err);
    if (st != OK)
        return st;
    for (uint32_t i = 0; i < columns.count; i++) {
        const uint32_t id = columns.ids[i];
        const unsigned kind =
            id < r->request->source->kinds.count ? r->request->source->kinds.letters[id] & ~KIND_JOINED : 0;
        if (is_secret(r, kind, columns.values[i])) {
            columns.values[i] = 0;
            r->result->numbers++;
        }
    }
    info->flags &= ~(uint64_t)CHUNK_IS_DERIVED;
    return chunk_encode(r->encoder, r->request->source->kinds, &columns, out, err);
}

/* For fsck: what is computed from a number that is 0 now proves nothing. */
static enum status end(void *context, struct store *to, struct error *err)
{
    const uint64_t numbers = ((const struct redacting *)context)->result->numbers;
    return numbers > 0 ? store_put_number(to, "redacted_numbers", numbers, err) : OK;
}

enum status redact_trace(const struct redact_request *request, struct redact_result *result, struct error *err)
{
    *result = (struct redact_result){ 0 };
    struct redacting r = {
        .request = request, .decoder = chunk_decoder_new(), .encoder = chunk_encoder_new(), .result = result
    };
    for (size_t i = 0; i < request->count; i++)
        r.numbers |= request->secrets[i].is_integer || request->secrets[i].is_number;
    enum status st = r.decoder != NULL && r.encoder != NULL ? make_patterns(&r, err)
                                                            : error_memory(err, "%s", request->source->trace_dir);
    if (st == OK)
        st = copy_trace(&(struct trace_copy){ .trace_dir = request->source->trace_dir,
                                              .out_dir = request->out_dir,
                                              .chunk = change_chunk,
                                              .row = change_row,
                                              .begin = begin,
                                              .end = end,
                                              .context = &r },
                        err);
    for (size_t i = 0; i < r.patterns.count; i++)
        free(r.patterns.items[i].data);
    vec_free(&r.patterns);
    map_free(&r.files);
    writer_free(&r.bytes);
    writer_free(&r.look.text);
    chunk_decoder_free(r.decoder);
    chunk_encoder_free(r.encoder);
    return st;
}
