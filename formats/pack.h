/* pack.h - several rows of a table in one value of the store.
 *
 * Rows of classes are a few kilobytes each; stored singly they waste half a page of LMDB and compress badly. The PACKED
 * databases (schema.h) therefore hold packs: the key is that of the first row, the value is le4 raw size and a zstd
 * frame over
 *
 *     varint count, { varint distance from the key before (0 first), varint bytes } * count, all bytes
 *
 * Keys of a pack ascend, and packs leave no gap in the rows they were made of: a row is in the pack with the greatest
 * key that is not above its own. */
#ifndef FORMATS_PACK_H
#define FORMATS_PACK_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/bytes.h"
#include "formats/status.h"

enum { PACK_BYTES = 512 * 1024 }; /* a pack is full when its rows have this many */

struct pack {
    uint64_t first, last;
    uint32_t count;
    struct writer index, rows;
    bool small; /* compressed as far as zstd can: for packs that are not made while a program waits */
    bool quick; /* the rows are compressed already */
};
void pack_done(struct pack *p);
/* False when the key does not ascend or the pack is full: store the pack and begin anew. Out of memory sets `bad` of
 * the writers. */
bool pack_add(struct pack *p, uint64_t key, const void *data, size_t size);
/* Appends the value and empties the pack. */
enum status pack_encode(struct pack *p, struct writer *out, struct error *err);

/* A pack being read. `data` is owned. */
struct pack_reader {
    uint8_t *data;
    size_t size;
    struct reader index;
    uint64_t key;
    uint32_t left;
    size_t at; /* of the next row's bytes */
};
/* Inflates a value whose key is `first`. Free with pack_reader_done, also after a failure. */
enum status pack_open(struct pack_reader *r, uint64_t first, const void *value, size_t size, struct error *err);
/* The next row; false at the end (or where the pack is malformed: r->index.bad). The bytes live as long as the
 * reader. */
bool pack_next(struct pack_reader *r, uint64_t *key, const uint8_t **data, size_t *size);
/* Begins again with the first row. */
void pack_rewind(struct pack_reader *r, uint64_t first);
void pack_reader_done(struct pack_reader *r);

#endif
