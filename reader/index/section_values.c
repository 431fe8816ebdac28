/* section_values.c - which values the events of each data ID have in a segment: chunks in which a value cannot be are
 * not decoded when it is looked for.
 *
 *     section  varint n | n times: varint data ID - the one before - 1 (first: data ID), varint values,
 *              each value: svarint the first, varint its distance from the one before
 *
 * Up to VALUES_LISTED values are all there are, rising. VALUES_LISTED + n: more, which lie in n ranges, whose first and
 * last values follow: up to VALUES_RANGES, so that few values far from the others do not stand for all between.
 * A float is its bits; of references it is known only whether one was null (0), and whether one was not (1). Behind the
 * data IDs stand, by kind, the numbers that objects of the segment stand for, and as KIND_REF the forms (enum
 * value_form) of those that stand for something else. */
#include <stdlib.h>
#include <string.h>

#include "formats/values.h"
#include "reader/index/sections.h"

/* ---- while a segment is built ---- */

static int64_t key_of(uint8_t kind, uint64_t value)
{
    return kind == KIND_REF ? value != 0 : kind == KIND_FLOAT ? (int64_t)(uint32_t)value : (int64_t)value;
}

/* Ranges that rise, one more than there is room for: the two that are nearest become one. */
static void join_nearest(int64_t *ranges, uint32_t *count)
{
    uint32_t at = 0;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i + 1 < *count; i++) {
        const uint64_t gap = (uint64_t)ranges[2 * i + 2] - (uint64_t)ranges[2 * i + 1];
        at = gap < least ? i : at;
        least = gap < least ? gap : least;
    }
    memmove(ranges + 2 * at + 1, ranges + 2 * at + 3, (2 * (*count - at) - 3) * sizeof *ranges);
    --*count;
}

static void add_to_ranges(struct segment_values *v, int64_t key)
{
    int64_t ranges[2 * (VALUES_RANGES + 1)];
    uint32_t at = 0, count = v->ranges;
    while (at < count && v->keys[2 * at + 1] < key)
        at++;
    if (at < count && v->keys[2 * at] <= key)
        return;
    memcpy(ranges, v->keys, 2 * at * sizeof *ranges);
    ranges[2 * at] = ranges[2 * at + 1] = key;
    memcpy(ranges + 2 * at + 2, v->keys + 2 * at, 2 * (count - at) * sizeof *ranges);
    count++;
    if (count > VALUES_RANGES)
        join_nearest(ranges, &count);
    memcpy(v->keys, ranges, 2 * count * sizeof *ranges);
    v->ranges = count;
}

/* `v` has not had the key last. */
static void add_key(struct segment_values *v, int64_t key)
{
    uint32_t at = 0;
    if (v->count > VALUES_LISTED) {
        add_to_ranges(v, key);
        return;
    }
    while (at < v->count && v->keys[at] < key)
        at++;
    if (at < v->count && v->keys[at] == key)
        return;
    if (v->count == VALUES_LISTED) {
        int64_t listed[VALUES_LISTED];
        memcpy(listed, v->keys, sizeof listed);
        v->count++;
        for (at = 0; at < VALUES_LISTED; at++)
            add_to_ranges(v, listed[at]);
        add_to_ranges(v, key);
        return;
    }
    memmove(v->keys + at + 1, v->keys + at, (v->count - at) * sizeof *v->keys);
    v->keys[at] = key;
    v->count++;
}

void segment_values_add(struct segment_values *values, const uint8_t *kinds, const struct chunk_columns *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        const uint8_t kind = kinds[c->ids[i]] & 0x7f;
        struct segment_values *v = &values[c->ids[i]];
        if (kind == KIND_VOID)
            continue;
        const int64_t key = key_of(kind, c->values[i]);
        if (v->count > 0 && key == v->last)
            continue;
        v->last = key;
        add_key(v, key);
    }
}

void segment_values_object(struct segment_values *stood, struct text copy)
{
    struct reader r = reader_of(copy.data, copy.size);
    const struct value_row *row = copy.size > 0 ? value_row_at(read_u1(&r)) : NULL;
    if (row == NULL)
        return;
    if (row->form != VALUE_NUMBER) {
        add_key(&stood[KIND_REF], row->form);
        return;
    }
    const uint64_t value = row->kind == KIND_FLOAT    ? read_le4(&r)
                           : row->kind == KIND_DOUBLE ? read_le8(&r)
                                                      : (uint64_t)read_svarint(&r);
    add_key(&stood[(unsigned char)row->kind % VALUES_KINDS], key_of((uint8_t)row->kind, value));
}

void segment_values_encode(const struct segment_values *values, uint32_t id_count, struct writer *w)
{
    uint64_t n = 0, next = 0;
    for (uint32_t id = 0; id < id_count; id++)
        n += values[id].count > 0;
    write_varint(w, n);
    for (uint32_t id = 0; id < id_count; id++) {
        const struct segment_values *v = &values[id];
        const uint32_t keys = v->count <= VALUES_LISTED ? v->count : 2 * v->ranges;
        if (v->count == 0)
            continue;
        write_varint(w, id - next);
        write_varint(w, v->count <= VALUES_LISTED ? v->count : VALUES_LISTED + v->ranges);
        write_svarint(w, v->keys[0]);
        for (uint32_t i = 1; i < keys; i++)
            write_varint(w, (uint64_t)v->keys[i] - (uint64_t)v->keys[i - 1]);
        next = (uint64_t)id + 1;
    }
}

/* ---- reading ---- */

static bool read_values(struct reader *r, struct segment_values *v)
{
    const uint64_t count = read_varint(r);
    if (count == 0 || count > VALUES_LISTED + VALUES_RANGES)
        return false;
    v->count = count <= VALUES_LISTED ? (uint32_t)count : VALUES_LISTED + 1;
    v->ranges = count <= VALUES_LISTED ? 0 : (uint32_t)count - VALUES_LISTED;
    v->keys[0] = read_svarint(r);
    for (uint32_t i = 1; i < (v->ranges > 0 ? 2 * v->ranges : v->count); i++)
        v->keys[i] = (int64_t)((uint64_t)v->keys[i - 1] + read_varint(r));
    return !r->bad;
}

bool index_values_have(const struct segment_values *v, int64_t key)
{
    for (uint32_t i = 0; i < v->ranges; i++)
        if (v->keys[2 * i] <= key && key <= v->keys[2 * i + 1])
            return true;
    for (uint32_t i = 0; v->ranges == 0 && i < v->count; i++)
        if (v->keys[i] == key)
            return true;
    return false;
}

bool index_values(hs_trace *t, uint64_t segment, index_values_fn *may, void *context, u32_vec *ids)
{
    size_t size;
    uint8_t *section = index_section(t, segment, SECTION_VALUES, &size);
    struct reader r = reader_of(section, size);
    const uint64_t n = section != NULL ? read_varint(&r) : 0;
    uint64_t id = 0;
    bool ok = section != NULL;
    for (uint64_t i = 0; i < n && ok; i++, id++) {
        struct segment_values v = { 0 };
        id += read_varint(&r);
        ok = read_values(&r, &v) && id < (uint64_t)t->kind_count + VALUES_KINDS;
        if (!ok || !may(context, (uint32_t)id, &v))
            continue;
        uint32_t *to = vec_push(ids);
        ok = to != NULL;
        if (ok)
            *to = (uint32_t)id;
    }
    free(section);
    return ok && !r.bad;
}
