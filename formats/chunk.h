/* chunk.h - the columnar, predictive codec: up to CHUNK_EVENTS_MAX consecutive events of one thread as one blob.
 *
 * Each chunk is decoded by itself; nothing but the kind letters of the data IDs is needed from outside. chunk_parts.h
 * and formats/README.md describe the columns and how each is predicted. Both directions are single-threaded per encoder
 * or decoder object and keep their tables between calls. */
#ifndef FORMATS_CHUNK_H
#define FORMATS_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/bytes.h"
#include "formats/schema.h"
#include "formats/status.h"
#include "formats/vec.h"

/* Events of one chunk; arrays for decoded columns have room for CHUNK_ROOM more. */
enum { CHUNK_EVENTS_MAX = 65536, CHUNK_ROOM = 8 };

/* Kind letters by data ID (kinds.def; KIND_JOINED may be set and is ignored). Borrowed; may grow between calls. */
struct kind_table {
    const uint8_t *letters;
    uint32_t count;
};

/* Columns of one chunk. `values[i]` is 0 and not stored where the kind of ids[i] is KIND_VOID. */
struct chunk_columns {
    uint32_t count;
    uint32_t *ids;
    uint64_t *values;
    uint64_t *stamps; /* never go back */
    uint64_t *times;  /* ns since start, NULL if the recording has no clock per event */
};

/* Allocates the columns, with room for CHUNK_EVENTS_MAX + CHUNK_ROOM events; `times` only if `timed`. False: no
 * memory. */
bool chunk_columns_init(struct chunk_columns *c, bool timed);
void chunk_columns_free(struct chunk_columns *c);

/* What the chunk directory holds of a chunk: 48 bytes in this order, little-endian. */
struct chunk_info {
    uint32_t thread;
    uint32_t count;
    uint64_t first_stamp, last_stamp;
    uint64_t first_event; /* events of this thread in chunks before it */
    uint32_t bytes;       /* of the blob */
    uint32_t desc;        /* journal descriptor it came from */
    uint64_t flags;       /* enum chunk_flag */
};
enum chunk_flag { CHUNK_IS_DERIVED = 1 };
/* Where it is stored. */
static inline enum schema_db chunk_table(const struct chunk_info *info)
{
    return (info->flags & CHUNK_IS_DERIVED) != 0 ? DB_CHUNKPACK : DB_CHUNK;
}
void chunk_info_encode(const struct chunk_info *info, struct writer *w);
enum status chunk_info_decode(const void *data, size_t size, struct chunk_info *info);

struct chunk_encoder;
struct chunk_encoder *chunk_encoder_new(void); /* NULL: out of memory */
void chunk_encoder_free(struct chunk_encoder *e);
/* Appends the blob to `out`. Fails with ERR_LIMIT for a data ID without a kind letter or too many events. */
enum status chunk_encode(struct chunk_encoder *e, struct kind_table kinds, const struct chunk_columns *in,
                         struct writer *out, struct error *err);

/* An event whose data ID is stored though those of others are not: its number; the data ID that it comes after; and the
 * one that is expected there when nothing came after that in this chunk. */
struct chunk_name {
    uint32_t event, from, first;
};
typedef VEC(struct chunk_name) chunk_name_vec; /* events rise */
/* As chunk_encode, with the data IDs of named events alone, and without stamps and times; see chunk_pull.h. `names`
 * NULL: chunk_encode. */
enum status chunk_encode_named(struct chunk_encoder *e, struct kind_table kinds, const struct chunk_columns *in,
                               const chunk_name_vec *names, struct writer *out, struct error *err);

/* Appends varint size, varint bytes stored, and the bytes, in the shorter of two forms: a zstd frame, or as they are.
 * False: no memory. */
bool chunk_pack_bytes(struct chunk_encoder *e, const void *data, size_t size, struct writer *out);

enum chunk_want { CHUNK_IDS = 1, CHUNK_VALUES = 2, CHUNK_STAMPS = 4, CHUNK_TIMES = 8, CHUNK_ALL = 15 };
struct chunk_decoder;
struct chunk_decoder *chunk_decoder_new(void);
void chunk_decoder_free(struct chunk_decoder *d);
/* Decodes the wanted columns (values need ids and imply them). The columns point into the decoder and live until its
 * next call or its end; what was not wanted is NULL. Any bytes are safe: a bad blob gives ERR_FORMAT. */
enum status chunk_decode(struct chunk_decoder *d, struct kind_table kinds, const void *blob, size_t size, unsigned want,
                         struct chunk_columns *out, struct error *err);
/* Decodes further columns of the chunk that this decoder decoded last. `want` must not name columns that were decoded
 * then. ERR_NOT_FOUND: the last chunk was another one, was malformed, or was decoded without CHUNK_IDS. */
enum status chunk_decode_more(struct chunk_decoder *d, struct kind_table kinds, const void *blob, size_t size,
                              unsigned want, struct chunk_columns *out, struct error *err);
/* The bytes of a chunk that each of its data IDs takes, in 1 / (1 << CHUNK_SHARE_BITS); together they are `size`. */
enum { CHUNK_SHARE_BITS = 20 };
struct chunk_share {
    uint32_t dataid, events;
    uint64_t share;
};
/* Of the chunk that this decoder decoded last, with CHUNK_IDS or to the end of chunk_pull.h; else ERR_NOT_FOUND. The
 * list lives until the decoder's next call. */
enum status chunk_shares(struct chunk_decoder *d, struct kind_table kinds, const void *blob, size_t size,
                         const struct chunk_share **out, uint32_t *count, struct error *err);
/* Appends the chunk with its columns compressed as far as zstd can. It decodes to the same; data IDs need not be
 * known. */
enum status chunk_repack(const void *blob, size_t size, struct writer *out, struct error *err);
/* The arrays of the decoder, for columns that are computed elsewhere (derived.h): valid as those of chunk_decode. With
 * `again` those of this chunk, if it was the last one that used the decoder, else all NULL. */
struct chunk_columns chunk_decoder_lend(struct chunk_decoder *d, uint64_t chunk, bool again);
/* Hands decoded columns over: exchanges them for the arrays of `with` that are not NULL, malloc'ed, of CHUNK_EVENTS_MAX
 * + CHUNK_ROOM each. */
void chunk_decoder_swap(struct chunk_decoder *d, struct chunk_columns *with);

#endif
