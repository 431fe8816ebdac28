/* section_values.c - which values the events of each data ID have in a segment: chunks in which a value cannot be are
 * not decoded when it is looked for.
 *
 *     section  varint n | n times: varint data ID - the one before - 1 (first: data ID), varint values,
 *              each value: svarint the first, varint its distance from the one before
 *
 * Up to VALUES_LISTED values are all there are, rising; 0: more, then the least and the greatest follow. A float is its
 * bits; of references it is known only whether one was null (0), and whether one was not (1). Behind the data IDs
 * stand, by kind, the numbers that objects of the segment stand for, and as KIND_REF the forms (enum value_form) of
 * those that stand for something else. */
#include <stdlib.h>
#include <string.h>

#include "formats/values.h"
#include "reader/index/sections.h"

/* ---- while a segment is built ---- */

static int64_t key_of(uint8_t kind, uint64_t value)
{
    return kind == KIND_REF ? value != 0 : kind == KIND_FLOAT ? (int64_t)(uint32_t)value : (int64_t)value;
}

/* `v` has not had the key last. */
static void add_key(struct segment_values *v, int64_t key)
{
    uint32_t at = 0;
    if (v->count > VALUES_LISTED) {
        v->keys[0] = key < v->keys[0] ? key : v->keys[0];
        v->keys[1] = key > v->keys[1] ? key : v->keys[1];
        return;
    }
    while (at < v->count && v->keys[at] < key)
        at++;
    if (at < v->count && v->keys[at] == key)
        return;
    if (v->count == VALUES_LISTED) {
        v->keys[1] = v->keys[VALUES_LISTED - 1];
        v->count++;
        add_key(v, key);
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
        const bool listed = v->count <= VALUES_LISTED;
        if (v->count == 0)
            continue;
        write_varint(w, id - next);
        write_varint(w, listed ? v->count : 0);
        write_svarint(w, v->keys[0]);
        for (uint32_t i = 1; i < (listed ? v->count : 2); i++)
            write_varint(w, (uint64_t)v->keys[i] - (uint64_t)v->keys[i - 1]);
        next = (uint64_t)id + 1;
    }
}

/* ---- reading ---- */

static bool read_values(struct reader *r, struct segment_values *v)
{
    const uint64_t count = read_varint(r);
    if (count > VALUES_LISTED)
        return false;
    v->count = count > 0 ? (uint32_t)count : VALUES_LISTED + 1;
    v->keys[0] = read_svarint(r);
    for (uint32_t i = 1; i < (count > 0 ? count : 2); i++)
        v->keys[i] = (int64_t)((uint64_t)v->keys[i - 1] + read_varint(r));
    return !r->bad;
}

bool index_values_have(const struct segment_values *v, int64_t key)
{
    if (v->count > VALUES_LISTED)
        return v->keys[0] <= key && key <= v->keys[1];
    for (uint32_t i = 0; i < v->count; i++)
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
