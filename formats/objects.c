/* objects.c - fragments of the object table (objects.h).
 *
 *     blob:  u1 version | varint raw bytes | zstd of the raw bytes, or they themselves if that is not shorter
 *     raw:   varint count | varint first id | varint id - id before - 1, for all but the first
 *            per entry: class, as varint position in the list of classes used last (1 is the latest),
 *                       or 0 and varint class id
 *            per entry: u1 flags
 *            per string: varint bytes | svarint length - units in these bytes
 *            per thrown row: varint bytes; per value: the same
 *            bytes of strings | bytes of thrown rows | bytes of values
 *
 * Fields of one kind are stored together, which compresses better; most classes are among the few used just before. */
#include "formats/objects.h"

#include <zstd.h>

#include "formats/schema.h"
#include "formats/search.h"
#include "formats/unpack.h"

enum { OBJECTS_VERSION = 1, CLASSES_LISTED = 64, ZSTD_LEVEL = 1, RAW_MAX = 1 << 30 };
enum { FLAG_STRING = 1, FLAG_LATIN1 = 2, FLAG_CUT = 4, FLAG_THROWN = 8, FLAG_VALUE = 16, FLAGS_ALL = 31 };

/* Classes, the one used last in front. */
struct class_list {
    uint32_t ids[CLASSES_LISTED];
    unsigned count;
};

static void class_list_front(struct class_list *l, unsigned from, uint32_t id)
{
    memmove(&l->ids[1], &l->ids[0], from * sizeof l->ids[0]);
    l->ids[0] = id;
}

static void class_list_add(struct class_list *l, uint32_t id)
{
    if (l->count < CLASSES_LISTED)
        l->count++;
    class_list_front(l, l->count - 1, id);
}

static void class_encode(struct class_list *l, uint32_t id, struct writer *w)
{
    unsigned at = 0;
    while (at < l->count && l->ids[at] != id)
        at++;
    if (at < l->count) {
        write_varint(w, at + 1);
        class_list_front(l, at, id);
    } else {
        write_varint(w, 0);
        write_varint(w, id);
        class_list_add(l, id);
    }
}

static uint32_t class_decode(struct class_list *l, struct reader *r)
{
    uint64_t code = read_varint(r), id;
    if (code == 0) {
        id = read_varint(r);
        if (id > UINT32_MAX)
            r->bad = true;
        else
            class_list_add(l, (uint32_t)id);
    } else if (code > l->count) {
        r->bad = true;
    } else {
        id = l->ids[code - 1];
        class_list_front(l, (unsigned)code - 1, (uint32_t)id);
    }
    return r->bad ? 0 : l->ids[0];
}

static unsigned flags_of(const struct object_entry *e)
{
    return (e->has_string ? FLAG_STRING : 0u) | (e->latin1 ? FLAG_LATIN1 : 0u) | (e->cut ? FLAG_CUT : 0u) |
           (e->thrown.size != 0 ? FLAG_THROWN : 0u) | (e->is_value ? FLAG_VALUE : 0u);
}

static uint64_t units_in(const struct object_entry *e) { return e->latin1 ? e->bytes.size : e->bytes.size / 2; }

static enum status check_entries(const struct object_entry *entries, size_t count, struct error *err)
{
    for (size_t i = 1; i < count; i++)
        if (entries[i].id <= entries[i - 1].id ||
            entries[i].id >> OBJECT_PAGE_BITS != entries[0].id >> OBJECT_PAGE_BITS)
            return error_set(err, ERR_LIMIT, "object fragment: id %u after %u: not ascending within one page",
                             entries[i].id, entries[i - 1].id);
    return OK;
}

static void raw_encode(const struct object_entry *entries, size_t count, struct writer *w)
{
    struct class_list classes = { .count = 0 };
    write_varint(w, count);
    for (size_t i = 0; i < count; i++)
        write_varint(w, i == 0 ? entries[0].id : entries[i].id - entries[i - 1].id - 1);
    for (size_t i = 0; i < count; i++)
        class_encode(&classes, entries[i].class_id, w);
    for (size_t i = 0; i < count; i++)
        write_u1(w, flags_of(&entries[i]));
    for (size_t i = 0; i < count; i++)
        if (entries[i].has_string) {
            write_varint(w, entries[i].bytes.size);
            write_svarint(w, (int64_t)(entries[i].length - units_in(&entries[i])));
        }
    for (size_t i = 0; i < count; i++)
        if (entries[i].thrown.size != 0)
            write_varint(w, entries[i].thrown.size);
    for (size_t i = 0; i < count; i++)
        if (entries[i].is_value)
            write_varint(w, entries[i].bytes.size);
    for (size_t i = 0; i < count; i++)
        if (entries[i].has_string)
            write_bytes(w, entries[i].bytes.data, entries[i].bytes.size);
    for (size_t i = 0; i < count; i++)
        write_bytes(w, entries[i].thrown.data, entries[i].thrown.size);
    for (size_t i = 0; i < count; i++)
        if (entries[i].is_value)
            write_bytes(w, entries[i].bytes.data, entries[i].bytes.size);
}

enum status objects_encode(const struct object_entry *entries, size_t count, struct writer *out, struct error *err)
{
    enum status s = check_entries(entries, count, err);
    if (s != OK)
        return s;
    size_t start = out->size;
    struct writer raw = { 0 };
    raw_encode(entries, count, &raw);
    if (!raw.bad && raw.size > RAW_MAX) {
        s = error_set(err, ERR_LIMIT, "object fragment of %zu objects: %zu bytes of strings", count, raw.size);
        goto out;
    }
    write_u1(out, OBJECTS_VERSION);
    write_varint(out, raw.size);
    if (raw.bad || !writer_reserve(out, ZSTD_compressBound(raw.size))) {
        s = error_memory(err, "object fragment of %zu objects", count);
        goto out;
    }
    size_t n = ZSTD_compress(out->data + out->size, out->cap - out->size, raw.data, raw.size, ZSTD_LEVEL);
    if (!ZSTD_isError(n) && n < raw.size)
        out->size += n;
    else
        write_bytes(out, raw.data, raw.size);
out:
    if (s != OK)
        out->size = start;
    writer_free(&raw);
    return s;
}

/* Ids, classes and flags of `count` entries, which are there already. */
static void heads_decode(struct reader *r, struct object_entry *entries, size_t count)
{
    struct class_list classes = { .count = 0 };
    uint64_t id = 0, page = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t delta = read_varint(r);
        id = i == 0 ? delta : id + 1 + (delta < UINT32_MAX ? delta : UINT32_MAX);
        page = i == 0 ? id >> OBJECT_PAGE_BITS : page;
        if (id > UINT32_MAX || id >> OBJECT_PAGE_BITS != page)
            r->bad = true;
        entries[i] = (struct object_entry){ .id = r->bad ? 0 : (uint32_t)id };
    }
    for (size_t i = 0; i < count; i++)
        entries[i].class_id = class_decode(&classes, r);
    for (size_t i = 0; i < count; i++) {
        unsigned flags = read_u1(r);
        if (flags > FLAGS_ALL)
            r->bad = true;
        entries[i].has_string = (flags & FLAG_STRING) != 0;
        entries[i].latin1 = (flags & FLAG_LATIN1) != 0;
        entries[i].cut = (flags & FLAG_CUT) != 0;
        entries[i].is_value = (flags & FLAG_VALUE) != 0 && !entries[i].has_string;
        entries[i].thrown.size = (flags & FLAG_THROWN) != 0; /* its size follows */
    }
}

static void contents_decode(struct reader *r, struct object_entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (entries[i].has_string) {
            entries[i].bytes.size = (size_t)read_varint(r);
            entries[i].length = units_in(&entries[i]) + (uint64_t)read_svarint(r);
        }
    for (size_t i = 0; i < count; i++)
        if (entries[i].thrown.size != 0)
            entries[i].thrown.size = (size_t)read_varint(r);
    for (size_t i = 0; i < count; i++)
        if (entries[i].is_value)
            entries[i].bytes.size = (size_t)read_varint(r);
    for (size_t i = 0; i < count; i++)
        if (entries[i].has_string)
            entries[i].bytes.data = (const char *)read_span(r, entries[i].bytes.size);
    for (size_t i = 0; i < count; i++)
        if (entries[i].thrown.size != 0)
            entries[i].thrown.data = (const char *)read_span(r, entries[i].thrown.size);
    for (size_t i = 0; i < count; i++)
        if (entries[i].is_value)
            entries[i].bytes.data = (const char *)read_span(r, entries[i].bytes.size);
}

static enum status raw_decode(const struct writer *raw, object_entry_vec *out, struct error *err)
{
    struct reader r = reader_of(raw->data, raw->size);
    uint64_t count = read_varint(&r);
    if (r.bad || count > OBJECT_PAGE_IDS)
        return error_set(err, ERR_FORMAT, "object fragment: %llu objects in one page", (unsigned long long)count);
    if (!vec_reserve(out, (size_t)count))
        return error_memory(err, "object fragment of %llu objects", (unsigned long long)count);
    heads_decode(&r, out->items, (size_t)count);
    if (!r.bad)
        contents_decode(&r, out->items, (size_t)count);
    if (r.bad || r.at != r.size)
        return error_set(err, ERR_FORMAT, "object fragment of %llu objects: malformed", (unsigned long long)count);
    out->count = (size_t)count;
    return OK;
}

/* The raw bytes, appended to an empty `raw`. */
static enum status raw_unpack(const void *blob, size_t size, struct writer *raw, struct error *err)
{
    struct reader r = reader_of(blob, size);
    unsigned version = read_u1(&r);
    uint64_t raw_size = read_varint(&r);
    if (r.bad || version != OBJECTS_VERSION || raw_size == 0 || raw_size > RAW_MAX || size - r.at > raw_size)
        return error_set(err, ERR_FORMAT, "object fragment of %zu bytes: malformed head", size);
    if (!writer_reserve(raw, (size_t)raw_size))
        return error_memory(err, "object fragment of %zu bytes", size);
    raw->size = (size_t)raw_size;
    enum status s = OK;
    if (size - r.at == raw_size) {
        memcpy(raw->data, r.data + r.at, raw->size);
    } else {
        s = unpack(raw->data, raw->size, r.data + r.at, size - r.at);
        if (s == ERR_MEMORY)
            s = error_memory(err, "object fragment of %zu bytes", size);
        else if (s != OK)
            s = error_set(err, s, "object fragment of %zu bytes: does not decompress", size);
    }
    return s;
}

enum status objects_decode(const void *blob, size_t size, object_entry_vec *out, struct writer *storage,
                           struct error *err)
{
    object_entry_vec entries = { 0 };
    struct writer raw = { 0 };
    enum status s = raw_unpack(blob, size, &raw, err);
    if (s == OK)
        s = raw_decode(&raw, &entries, err);
    if (s != OK) {
        vec_free(&entries);
        writer_free(&raw);
        return s;
    }
    *out = entries;
    *storage = raw;
    return OK;
}

static void skip_varint(struct reader *r)
{
    while (r->at < r->size && (r->data[r->at] & 0x80) != 0)
        r->at++;
    r->at += r->at < r->size;
}

/* To the classes of a fragment. False: it is malformed. */
static bool pass_ids(struct reader *r, uint64_t *count)
{
    *count = read_varint(r);
    if (r->bad || *count > OBJECT_PAGE_IDS)
        return false;
    for (uint64_t i = 0; i < *count; i++)
        skip_varint(r);
    return true;
}

/* Stands an object for something? Only flags say so, which lie behind ids and classes. */
static bool has_values(const struct writer *raw)
{
    struct reader r = reader_of(raw->data, raw->size);
    uint64_t count;
    if (!pass_ids(&r, &count))
        return true;
    for (uint64_t i = 0; i < count; i++) {
        const bool named = r.at < r.size && r.data[r.at] == 0;
        skip_varint(&r);
        if (named)
            skip_varint(&r);
    }
    for (uint64_t i = 0; i < count; i++)
        if (r.at + i >= r.size || (r.data[r.at + i] & FLAG_VALUE) != 0)
            return true;
    return false;
}

bool objects_is_class(const struct object_search *search, uint64_t class_id)
{
    size_t i;
    LOWER_BOUND(i, search->class_count, search->classes[i] < class_id);
    return i < search->class_count && search->classes[i] == class_id;
}

/* Each class of a fragment stands in it with its id, once at least. */
static bool next_class(struct reader *r, uint64_t *entries, uint64_t *class_id)
{
    while (*entries > 0 && !r->bad) {
        --*entries;
        if (read_varint(r) == 0 && !r->bad) {
            *class_id = read_varint(r);
            return !r->bad;
        }
    }
    return false;
}

static bool has_class(const struct writer *raw, const struct object_search *search)
{
    struct reader r = reader_of(raw->data, raw->size);
    uint64_t entries, class_id;
    if (!pass_ids(&r, &entries))
        return true;
    while (next_class(&r, &entries, &class_id))
        if (objects_is_class(search, class_id))
            return true;
    return r.bad;
}

enum status objects_classes(const void *blob, size_t size, struct writer *raw, u32_vec *out, struct error *err)
{
    raw->size = 0;
    enum status st = raw_unpack(blob, size, raw, err);
    struct reader r = reader_of(raw->data, raw->size);
    uint64_t entries, class_id;
    if (st != OK)
        return st;
    if (!pass_ids(&r, &entries))
        r.bad = true;
    while (!r.bad && next_class(&r, &entries, &class_id)) {
        uint32_t *to = class_id <= UINT32_MAX ? vec_push(out) : NULL;
        if (to == NULL)
            return class_id <= UINT32_MAX ? error_memory(err, "object fragment of %zu bytes", size)
                                          : error_set(err, ERR_FORMAT, "object fragment of %zu bytes: class", size);
        *to = (uint32_t)class_id;
    }
    return r.bad ? error_set(err, ERR_FORMAT, "object fragment of %zu bytes: malformed classes", size) : OK;
}

static bool text_in(const struct writer *raw, struct text text)
{
    return text.data != NULL && (text.size == 0 || memmem(raw->data, raw->size, text.data, text.size) != NULL);
}

bool objects_may_hold(const void *blob, size_t size, struct object_search *search)
{
    struct error err;
    search->raw.size = 0;
    if (raw_unpack(blob, size, &search->raw, &err) != OK)
        return true;
    if (search->classes != NULL)
        return has_class(&search->raw, search);
    return text_in(&search->raw, search->latin1) || text_in(&search->raw, search->utf16) ||
           (search->values && has_values(&search->raw));
}
