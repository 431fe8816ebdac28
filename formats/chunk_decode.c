/* chunk_decode.c - reads chunks: the frame of chunk.c, and the columns that are wanted. */
#include "formats/chunk.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "formats/chunk_parts.h"

enum { ZSTD_SMALL_LEVEL = 19 /* chunk_repack */ };

/* enum chunk_want */
static const uint8_t column_wanted[COL_COUNT] = {
#define X(name, bytes, want) [COL_##name] = CHUNK_##want,
    CHUNK_COLUMNS(X)
#undef X
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

const char *frame_read(const void *blob, size_t size, struct chunk_head *f)
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

bool frame_unpack(struct chunk_decoder *d, const struct chunk_head *f, unsigned want)
{
    for (unsigned c = 0; c < COL_COUNT; c++) {
        struct column *col = &d->columns[c];
        col->at = col->data;
        col->end = col->data;
        col->bad = false;
        if ((column_wanted[c] & want) == 0)
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
    if (!frame_unpack(d, f, want))
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
    bool complete = (f->flags & CHUNK_NAMED) != 0 ? d->pulled == f->count : (d->done & CHUNK_IDS) != 0;
    return complete && d->sum == f->sum && d->size == size && d->tables.size == kinds.count &&
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
    if ((f.flags & CHUNK_NAMED) != 0)
        return error_set(err, ERR_FORMAT, "chunk of %zu bytes: its data IDs are not stored", size);
    if (more && ((d->done & want) != 0 || !is_last(d, kinds, &f, size)))
        return ERR_NOT_FOUND;
    if (!more && (want & (CHUNK_VALUES | CHUNK_STAMPS)) != 0)
        want |= CHUNK_IDS; /* both are predicted by data ID */
    if (f.count != 0 && kinds.count == 0)
        return error_set(err, ERR_FORMAT, "chunk of %zu bytes: %u events, but no data ID is known", size, f.count);
    unsigned done = more ? d->done : 0;
    d->done = d->pulled = 0;
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
    const struct stored_ids ids = (f.flags & CHUNK_NAMED) != 0 ? (struct stored_ids){ t->named_slots, d->named }
                                                               : (struct stored_ids){ t->slot_list, f.count };
    if (!frame_unpack(d, &f, CHUNK_ALL) ||
        !shares_count(t, f.count, d->value_count, ids, d->columns, f.stored, size, d->weights))
        return error_set(err, ERR_FORMAT, "chunk of %zu bytes: a column is malformed", size);
    for (uint32_t i = 0; i < t->slot_count; i++)
        d->shares[i] = (struct chunk_share){ t->ids[i], d->weights->events[i], d->weights->shares[i] };
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
    if (!frame_unpack(d, &f, CHUNK_ALL)) {
        st = error_set(err, ERR_FORMAT, "chunk of %zu bytes: a column does not decompress", size);
        goto out;
    }
    for (unsigned c = 0; c < COL_COUNT; c++) {
        size_t stored = column_pack(zstd, d->columns[c].data, f.raw[c], &packed);
        if (stored > f.stored[c] && !packed.bad) { /* level 1 was better */
            packed.size -= stored;
            write_bytes(&packed, f.bytes[c], f.stored[c]);
            stored = f.stored[c];
        }
        f.stored[c] = stored;
    }
    st = frame_write(out, &f, &packed) ? OK : error_memory(err, "chunk of %u events", f.count);
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
    return d->decoded;
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
