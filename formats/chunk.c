/* chunk.c - writes chunks: the frame around the columns (chunk_parts.h). chunk_decode.c reads it.
 *
 *     u1 CHUNK_MAGIC | le4 checksum of all that follows: XXH64, seed 0, low 32 bits
 *     u1 flags | varint count | varint first stamp
 *     per column in order: varint raw bytes, varint stored bytes
 *     per column in order: its stored bytes; zstd if they are fewer than the raw ones, else raw
 *
 * zstd level 1: after prediction higher levels save too little for the time they take. */
#include "formats/chunk.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "formats/chunk_parts.h"

enum {
    PACK_LEAST = 24, /* columns with fewer bytes are stored without trying zstd */
    TABLE_LEAST = 1024,
    INFO_BYTES = 48,
};

/* Most bytes per event; 0: one bit per event, in words. */
static const uint8_t column_bytes[COL_COUNT] = {
#define X(name, bytes, want) [COL_##name] = bytes,
    CHUNK_COLUMNS(X)
#undef X
};

/* ---- directory entries ---- */

void chunk_info_encode(const struct chunk_info *info, struct writer *w)
{
    write_le4(w, info->thread);
    write_le4(w, info->count);
    write_le8(w, info->first_stamp);
    write_le8(w, info->last_stamp);
    write_le8(w, info->first_event);
    write_le4(w, info->bytes);
    write_le4(w, info->desc);
    write_le8(w, info->flags);
}

enum status chunk_info_decode(const void *data, size_t size, struct chunk_info *info)
{
    if (size < INFO_BYTES)
        return ERR_FORMAT;
    struct reader r = reader_of(data, size);
    info->thread = read_le4(&r);
    info->count = read_le4(&r);
    info->first_stamp = read_le8(&r);
    info->last_stamp = read_le8(&r);
    info->first_event = read_le8(&r);
    info->bytes = read_le4(&r);
    info->desc = read_le4(&r);
    info->flags = read_le8(&r);
    return OK;
}

/* ---- tables and columns ---- */

size_t column_room(unsigned column, uint32_t count)
{
    unsigned bytes = column_bytes[column];
    return bytes != 0 ? (size_t)bytes * count : ((size_t)count + 63) / 64 * 8;
}

bool columns_new(struct column *columns)
{
    for (unsigned c = 0; c < COL_COUNT; c++)
        if ((columns[c].data = malloc(column_room(c, CHUNK_EVENTS_MAX) + COLUMN_SLACK)) == NULL)
            return false;
    return true;
}

void columns_free(struct column *columns)
{
    for (unsigned c = 0; c < COL_COUNT; c++)
        free(columns[c].data);
}

bool tables_begin(struct chunk_tables *t, struct kind_table kinds)
{
    if (kinds.count > t->cap || t->generation == UINT16_MAX) {
        /* the last chunk is not needed */
        uint64_t cap = kinds.count > t->cap ? (uint64_t)kinds.count + kinds.count / 2 : t->cap;
        if (cap < TABLE_LEAST)
            cap = TABLE_LEAST;
        free(t->slot_of);
        t->cap = 0;
        if ((t->slot_of = calloc(cap, sizeof *t->slot_of)) == NULL)
            return false;
        t->cap = cap;
        t->generation = 0;
    }
    t->size = kinds.count;
    t->letters = kinds.letters;
    t->letterless = false;
    t->slot_count = t->valued_count = 0;
    t->valued_before[0] = 0;
    t->generation++;
    return true;
}

/* ---- encoder ---- */

struct chunk_encoder {
    struct chunk_tables tables;
    struct column columns[COL_COUNT];
    uint16_t recent[RECENT_COUNT];
    ZSTD_CCtx *zstd;
    struct writer packed;
};

struct chunk_encoder *chunk_encoder_new(void)
{
    struct chunk_encoder *e = calloc(1, sizeof *e);
    if (e == NULL)
        return NULL;
    e->zstd = ZSTD_createCCtx();
    if (e->zstd == NULL || !columns_new(e->columns) ||
        ZSTD_isError(ZSTD_CCtx_setParameter(e->zstd, ZSTD_c_compressionLevel, CHUNK_PACK_LEVEL)) ||
        ZSTD_isError(ZSTD_CCtx_setParameter(e->zstd, ZSTD_c_contentSizeFlag, 0))) {
        chunk_encoder_free(e);
        return NULL;
    }
    return e;
}

void chunk_encoder_free(struct chunk_encoder *e)
{
    if (e == NULL)
        return;
    ZSTD_freeCCtx(e->zstd);
    columns_free(e->columns);
    free(e->tables.slot_of);
    writer_free(&e->packed);
    free(e);
}

static enum status make_columns(struct chunk_encoder *e, struct kind_table kinds, const struct chunk_columns *in,
                                const chunk_name_vec *names, struct error *err)
{
    uint32_t value_count;
    if (!tables_begin(&e->tables, kinds))
        return error_memory(err, "chunk encoder for %u data IDs", kinds.count);
    for (unsigned c = 0; c < COL_COUNT; c++)
        e->columns[c].at = e->columns[c].data;
    bool known = names != NULL ? names_encode(&e->tables, in, names, &value_count, e->columns)
                               : ids_encode(&e->tables, in->ids, in->count, &value_count, e->columns);
    if (!known || e->tables.letterless)
        return error_set(err, ERR_LIMIT,
                         "chunk of %u events: a data ID has no kind letter, or an empty one; there are %u", in->count,
                         kinds.count);
    values_encode(&e->tables, in->values, value_count, e->recent, e->columns);
    if (names == NULL)
        stamps_encode(&e->tables, in->stamps, in->count, e->columns);
    if (names == NULL && in->times != NULL)
        times_encode(in->times, in->count, &e->columns[COL_TIMES]);
    return OK;
}

size_t column_pack(ZSTD_CCtx *zstd, const void *data, size_t raw, struct writer *w)
{
    if (raw >= PACK_LEAST && writer_reserve(w, ZSTD_compressBound(raw))) {
        size_t n = ZSTD_compress2(zstd, w->data + w->size, w->cap - w->size, data, raw);
        if (!ZSTD_isError(n) && n < raw) {
            w->size += n;
            return n;
        }
    }
    write_bytes(w, data, raw);
    return raw;
}

bool frame_write(struct writer *out, const struct chunk_head *f, const struct writer *packed)
{
    size_t start = out->size;
    write_u1(out, CHUNK_MAGIC);
    write_le4(out, 0);
    write_u1(out, (uint8_t)f->flags);
    write_varint(out, f->count);
    write_varint(out, f->first_stamp);
    for (unsigned c = 0; c < COL_COUNT; c++) {
        write_varint(out, f->raw[c]);
        write_varint(out, f->stored[c]);
    }
    write_bytes(out, packed->data, packed->size);
    if (out->bad || packed->bad) {
        out->size = start;
        return false;
    }
    uint64_t sum = XXH64(out->data + start + 5, out->size - start - 5, 0);
    for (unsigned i = 0; i < 4; i++)
        out->data[start + 1 + i] = (uint8_t)(sum >> 8 * i);
    return true;
}

enum status chunk_encode_named(struct chunk_encoder *e, struct kind_table kinds, const struct chunk_columns *in,
                               const chunk_name_vec *names, struct writer *out, struct error *err)
{
    if (in->count > CHUNK_EVENTS_MAX)
        return error_set(err, ERR_LIMIT, "chunk of %u events: at most %d are possible", in->count, CHUNK_EVENTS_MAX);
    enum status s = make_columns(e, kinds, in, names, err);
    if (s != OK)
        return s;
    struct chunk_head f = { .flags = names != NULL       ? CHUNK_NAMED
                                     : in->times != NULL ? CHUNK_TIMED
                                                         : 0,
                            .count = in->count,
                            .first_stamp = names == NULL && in->count != 0 ? in->stamps[0] : 0 };
    e->packed.size = 0;
    for (unsigned c = 0; c < COL_COUNT; c++) {
        f.raw[c] = (size_t)(e->columns[c].at - e->columns[c].data);
        f.stored[c] = column_pack(e->zstd, e->columns[c].data, f.raw[c], &e->packed);
    }
    if (frame_write(out, &f, &e->packed))
        return OK;
    writer_free(&e->packed); /* clears its `bad` */
    return error_memory(err, "chunk of %u events", in->count);
}

enum status chunk_encode(struct chunk_encoder *e, struct kind_table kinds, const struct chunk_columns *in,
                         struct writer *out, struct error *err)
{
    return chunk_encode_named(e, kinds, in, NULL, out, err);
}

bool chunk_pack_bytes(struct chunk_encoder *e, const void *data, size_t size, struct writer *out)
{
    e->packed.size = 0;
    size_t stored = column_pack(e->zstd, data, size, &e->packed);
    write_varint(out, size);
    write_varint(out, stored);
    if (e->packed.bad) {
        writer_free(&e->packed); /* clears its `bad` */
        return false;
    }
    write_bytes(out, e->packed.data, stored);
    return !out->bad;
}
