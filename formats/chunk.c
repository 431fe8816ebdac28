/* chunk.c - the frame around the columns of a chunk (chunk_parts.h).
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
#include <zstd.h>

#include "formats/chunk_parts.h"

enum {
    CHUNK_MAGIC = 0xc1, /* chunk, version 1 */
    CHUNK_TIMED = 1,
    ZSTD_LEVEL = 1,
    ZSTD_SMALL_LEVEL = 19, /* chunk_repack */
    PACK_LEAST = 24,       /* columns with fewer bytes are stored without trying zstd */
    TABLE_LEAST = 1024,
    INFO_BYTES = 48,
};

static const struct {
    unsigned bytes; /* most per event; 0: one bit per event, in words */
    unsigned want;
} column_rows[COL_COUNT] = {
#define X(name, bytes, want) [COL_##name] = { bytes, CHUNK_##want },
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

static size_t column_room(unsigned column, uint32_t count)
{
    unsigned bytes = column_rows[column].bytes;
    return bytes != 0 ? (size_t)bytes * count : ((size_t)count + 63) / 64 * 8;
}

static bool columns_new(struct column *columns)
{
    for (unsigned c = 0; c < COL_COUNT; c++)
        if ((columns[c].data = malloc(column_room(c, CHUNK_EVENTS_MAX) + COLUMN_SLACK)) == NULL)
            return false;
    return true;
}

static void columns_free(struct column *columns)
{
    for (unsigned c = 0; c < COL_COUNT; c++)
        free(columns[c].data);
}

/* Begins a chunk: room for the data IDs of `kinds`, all without state. */
static bool tables_begin(struct chunk_tables *t, struct kind_table kinds)
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

/* A chunk without its checksum. */
struct chunk_head {
    unsigned flags;
    uint32_t count;
    uint64_t first_stamp, sum;
    size_t raw[COL_COUNT], stored[COL_COUNT];
    const uint8_t *bytes[COL_COUNT];
};

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
        ZSTD_isError(ZSTD_CCtx_setParameter(e->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL)) ||
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
                                struct error *err)
{
    uint32_t value_count;
    if (!tables_begin(&e->tables, kinds))
        return error_memory(err, "chunk encoder for %u data IDs", kinds.count);
    for (unsigned c = 0; c < COL_COUNT; c++)
        e->columns[c].at = e->columns[c].data;
    if (!ids_encode(&e->tables, in->ids, in->count, &value_count, e->columns) || e->tables.letterless)
        return error_set(err, ERR_LIMIT,
                         "chunk of %u events: a data ID has no kind letter, or an empty one; there are %u", in->count,
                         kinds.count);
    values_encode(&e->tables, in->values, value_count, e->recent, e->columns);
    stamps_encode(&e->tables, in->stamps, in->count, e->columns);
    if (in->times != NULL)
        times_encode(in->times, in->count, &e->columns[COL_TIMES]);
    return OK;
}

/* Appends the column to `w` in the shorter of its two forms. */
static size_t pack(ZSTD_CCtx *zstd, const struct column *c, struct writer *w)
{
    size_t raw = (size_t)(c->at - c->data);
    if (raw >= PACK_LEAST && writer_reserve(w, ZSTD_compressBound(raw))) {
        size_t n = ZSTD_compress2(zstd, w->data + w->size, w->cap - w->size, c->data, raw);
        if (!ZSTD_isError(n) && n < raw) {
            w->size += n;
            return n;
        }
    }
    write_bytes(w, c->data, raw);
    return raw;
}

/* Appends the frame around packed columns. False: out of memory, and nothing is appended. */
static bool write_frame(struct writer *out, const struct chunk_head *f, const struct writer *packed)
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

enum status chunk_encode(struct chunk_encoder *e, struct kind_table kinds, const struct chunk_columns *in,
                         struct writer *out, struct error *err)
{
    if (in->count > CHUNK_EVENTS_MAX)
        return error_set(err, ERR_LIMIT, "chunk of %u events: at most %d are possible", in->count, CHUNK_EVENTS_MAX);
    enum status s = make_columns(e, kinds, in, err);
    if (s != OK)
        return s;
    struct chunk_head f = { .flags = in->times != NULL ? CHUNK_TIMED : 0,
                            .count = in->count,
                            .first_stamp = in->count != 0 ? in->stamps[0] : 0 };
    e->packed.size = 0;
    for (unsigned c = 0; c < COL_COUNT; c++) {
        f.raw[c] = (size_t)(e->columns[c].at - e->columns[c].data);
        f.stored[c] = pack(e->zstd, &e->columns[c], &e->packed);
    }
    if (write_frame(out, &f, &e->packed))
        return OK;
    writer_free(&e->packed); /* clears its `bad` */
    return error_memory(err, "chunk of %u events", in->count);
}

/* ---- decoder ---- */

struct chunk_decoder {
    struct chunk_tables tables;
    struct column columns[COL_COUNT];
    ZSTD_DCtx *zstd;
    struct chunk_columns decoded; /* its `count` is not used */
    uint64_t sum;                 /* of the chunk decoded last */
    size_t size;
    uint64_t lent; /* number + 1 of the chunk whose columns others have filled in; 0 none */
    unsigned done; /* its columns; 0: chunk_decode_more has nothing to add to */
    uint32_t value_count;
    struct chunk_weights *weights; /* chunk_shares; NULL until then */
    struct chunk_share *shares;
};

struct chunk_decoder *chunk_decoder_new(void)
{
    struct chunk_decoder *d = calloc(1, sizeof *d);
    if (d == NULL)
        return NULL;
    d->zstd = ZSTD_createDCtx();
    if (d->zstd == NULL || !chunk_columns_init(&d->decoded, true) || !columns_new(d->columns)) {
        chunk_decoder_free(d);
        return NULL;
    }
    return d;
}

void chunk_decoder_free(struct chunk_decoder *d)
{
    if (d == NULL)
        return;
    ZSTD_freeDCtx(d->zstd);
    chunk_columns_free(&d->decoded);
    columns_free(d->columns);
    free(d->tables.slot_of);
    free(d->weights);
    free(d->shares);
    free(d);
}

/* NULL, or what is wrong. */
static const char *frame_read(const void *blob, size_t size, struct chunk_head *f)
{
    struct reader r = reader_of(blob, size);
    if (read_u1(&r) != CHUNK_MAGIC)
        return "not a chunk of this version";
    uint32_t sum = read_le4(&r);
    if (r.bad || (uint32_t)(f->sum = XXH64(r.data + r.at, r.size - r.at, 0)) != sum)
        return "the checksum is wrong";
    f->flags = read_u1(&r);
    uint64_t count = read_varint(&r);
    f->first_stamp = read_varint(&r);
    if (r.bad || count > CHUNK_EVENTS_MAX)
        return "the number of events is impossible";
    f->count = (uint32_t)count;
    for (unsigned c = 0; c < COL_COUNT; c++) {
        uint64_t raw = read_varint(&r), stored = read_varint(&r);
        if (raw > column_room(c, f->count) || stored > raw)
            return "the size of a column is impossible";
        f->raw[c] = (size_t)raw;
        f->stored[c] = (size_t)stored;
    }
    for (unsigned c = 0; c < COL_COUNT; c++)
        f->bytes[c] = read_span(&r, f->stored[c]);
    return r.bad || r.at != r.size ? "its columns do not fill it" : NULL;
}

static bool unpack(struct chunk_decoder *d, const struct chunk_head *f, unsigned want)
{
    for (unsigned c = 0; c < COL_COUNT; c++) {
        struct column *col = &d->columns[c];
        col->at = col->data;
        col->end = col->data;
        col->bad = false;
        if ((column_rows[c].want & want) == 0)
            continue;
        if (f->stored[c] == f->raw[c]) {
            memcpy(col->data, f->bytes[c], f->raw[c]);
        } else {
            size_t n = ZSTD_decompressDCtx(d->zstd, col->data, f->raw[c], f->bytes[c], f->stored[c]);
            if (ZSTD_isError(n) || n != f->raw[c])
                return false;
        }
        col->end = col->data + f->raw[c];
        memset(col->data + f->raw[c], 0, COLUMN_SLACK);
    }
    return true;
}

static const char *read_columns(struct chunk_decoder *d, const struct chunk_head *f, unsigned want)
{
    struct chunk_tables *t = &d->tables;
    if (!unpack(d, f, want))
        return "a column does not decompress";
    if ((want & CHUNK_IDS) != 0 && !ids_decode(t, d->decoded.ids, f->count, &d->value_count, d->columns))
        return "the data IDs are malformed, or one is not known";
    if ((want & CHUNK_VALUES) != 0) {
        if (t->letterless)
            return "a data ID has no kind letter";
        if (d->value_count != f->count)
            memset(d->decoded.values, 0, f->count * sizeof *d->decoded.values);
        if (!values_decode(t, d->decoded.values, d->value_count, d->columns))
            return "the values are malformed";
    }
    if ((want & CHUNK_STAMPS) != 0 && !stamps_decode(t, d->decoded.stamps, f->count, f->first_stamp, d->columns))
        return "the stamps are malformed";
    if ((want & CHUNK_TIMES) != 0 && (f->flags & CHUNK_TIMED) != 0 &&
        !times_decode(d->decoded.times, f->count, &d->columns[COL_TIMES]))
        return "the times are malformed";
    return NULL;
}

/* Is this the chunk that was decoded last, with its data IDs? */
static bool is_last(const struct chunk_decoder *d, struct kind_table kinds, const struct chunk_head *f, size_t size)
{
    return (d->done & CHUNK_IDS) != 0 && d->sum == f->sum && d->size == size && d->tables.size == kinds.count &&
           d->tables.letters == kinds.letters;
}

static enum status decode(struct chunk_decoder *d, struct kind_table kinds, const void *blob, size_t size,
                          unsigned want, bool more, struct chunk_columns *out, struct error *err)
{
    struct chunk_head f;
    d->lent = 0;
    const char *wrong = frame_read(blob, size, &f);
    if (wrong != NULL)
        return error_set(err, ERR_FORMAT, "chunk of %zu bytes: %s", size, wrong);
    if (more && ((d->done & want) != 0 || !is_last(d, kinds, &f, size)))
        return ERR_NOT_FOUND;
    if (!more && (want & (CHUNK_VALUES | CHUNK_STAMPS)) != 0)
        want |= CHUNK_IDS; /* both are predicted by data ID */
    if (f.count != 0 && kinds.count == 0)
        return error_set(err, ERR_FORMAT, "chunk of %zu bytes: %u events, but no data ID is known", size, f.count);
    unsigned done = more ? d->done : 0;
    d->done = 0;
    if (!more && !tables_begin(&d->tables, kinds))
        return error_memory(err, "chunk decoder for %u data IDs", kinds.count);
    wrong = read_columns(d, &f, want);
    if (wrong != NULL)
        return error_set(err, ERR_FORMAT, "chunk of %zu bytes and %u events: %s", size, f.count, wrong);
    d->done = done | want;
    d->sum = f.sum;
    d->size = size;
    *out = (struct chunk_columns){
        .count = f.count,
        .ids = (want & CHUNK_IDS) != 0 ? d->decoded.ids : NULL,
        .values = (want & CHUNK_VALUES) != 0 ? d->decoded.values : NULL,
        .stamps = (want & CHUNK_STAMPS) != 0 ? d->decoded.stamps : NULL,
        .times = (want & CHUNK_TIMES) != 0 && (f.flags & CHUNK_TIMED) != 0 ? d->decoded.times : NULL,
    };
    return OK;
}

enum status chunk_decode(struct chunk_decoder *d, struct kind_table kinds, const void *blob, size_t size, unsigned want,
                         struct chunk_columns *out, struct error *err)
{
    return decode(d, kinds, blob, size, want, false, out, err);
}

enum status chunk_decode_more(struct chunk_decoder *d, struct kind_table kinds, const void *blob, size_t size,
                              unsigned want, struct chunk_columns *out, struct error *err)
{
    return decode(d, kinds, blob, size, want, true, out, err);
}

enum status chunk_shares(struct chunk_decoder *d, struct kind_table kinds, const void *blob, size_t size,
                         const struct chunk_share **out, uint32_t *count, struct error *err)
{
    struct chunk_head f;
    const char *wrong = frame_read(blob, size, &f);
    if (wrong != NULL)
        return error_set(err, ERR_FORMAT, "chunk of %zu bytes: %s", size, wrong);
    if (!is_last(d, kinds, &f, size))
        return ERR_NOT_FOUND;
    if (d->weights == NULL)
        d->weights = malloc(sizeof *d->weights);
    if (d->shares == NULL)
        d->shares = malloc(SLOTS_MAX * sizeof *d->shares);
    if (d->weights == NULL || d->shares == NULL)
        return error_memory(err, "shares of a chunk");
    const struct chunk_tables *t = &d->tables;
    if (!unpack(d, &f, CHUNK_ALL) || !shares_count(t, f.count, d->value_count, d->columns, f.stored, size, d->weights))
        return error_set(err, ERR_FORMAT, "chunk of %zu bytes: a column is malformed", size);
    for (uint32_t i = 0; i < t->slot_count; i++)
        d->shares[i] = (struct chunk_share){ t->ids[i], d->weights->of[COL_ID_BITS][i], d->weights->shares[i] };
    *out = d->shares;
    *count = t->slot_count;
    return OK;
}

enum status chunk_repack(const void *blob, size_t size, struct writer *out, struct error *err)
{
    struct chunk_head f;
    struct writer packed = { 0 };
    ZSTD_CCtx *zstd = NULL;
    enum status st = ERR_MEMORY;
    const char *wrong = frame_read(blob, size, &f);
    struct chunk_decoder *d = wrong == NULL ? calloc(1, sizeof *d) : NULL; /* for its columns */
    if (wrong != NULL)
        return error_set(err, ERR_FORMAT, "chunk of %zu bytes: %s", size, wrong);
    if (d != NULL && columns_new(d->columns)) {
        d->zstd = ZSTD_createDCtx();
        zstd = ZSTD_createCCtx();
    }
    if (d == NULL || d->zstd == NULL || zstd == NULL ||
        ZSTD_isError(ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, ZSTD_SMALL_LEVEL)) ||
        ZSTD_isError(ZSTD_CCtx_setParameter(zstd, ZSTD_c_contentSizeFlag, 0))) {
        st = error_memory(err, "chunk of %u events", f.count);
        goto out;
    }
    if (!unpack(d, &f, CHUNK_ALL)) {
        st = error_set(err, ERR_FORMAT, "chunk of %zu bytes: a column does not decompress", size);
        goto out;
    }
    for (unsigned c = 0; c < COL_COUNT; c++) {
        d->columns[c].at = d->columns[c].data + f.raw[c]; /* as when it was written */
        size_t stored = pack(zstd, &d->columns[c], &packed);
        if (stored > f.stored[c] && !packed.bad) { /* level 1 was better */
            packed.size -= stored;
            write_bytes(&packed, f.bytes[c], f.stored[c]);
            stored = f.stored[c];
        }
        f.stored[c] = stored;
    }
    st = write_frame(out, &f, &packed) ? OK : error_memory(err, "chunk of %u events", f.count);
out:
    writer_free(&packed);
    ZSTD_freeCCtx(zstd);
    chunk_decoder_free(d);
    return st;
}

struct chunk_columns chunk_decoder_lend(struct chunk_decoder *d, uint64_t chunk, bool again)
{
    if (again && d->lent != chunk + 1)
        return (struct chunk_columns){ 0 };
    d->done = 0;
    d->lent = chunk + 1;
    return (struct chunk_columns){ .ids = d->decoded.ids, .values = d->decoded.values, .stamps = d->decoded.stamps };
}

#define EXCHANGE(type, mine, theirs)                                                                                   \
    if ((theirs) != NULL) {                                                                                            \
        type *array = (mine);                                                                                          \
        (mine) = (theirs);                                                                                             \
        (theirs) = array;                                                                                              \
    }
void chunk_decoder_swap(struct chunk_decoder *d, struct chunk_columns *with)
{
    EXCHANGE(uint32_t, d->decoded.ids, with->ids)
    EXCHANGE(uint64_t, d->decoded.values, with->values)
    EXCHANGE(uint64_t, d->decoded.stamps, with->stamps)
    EXCHANGE(uint64_t, d->decoded.times, with->times)
}
