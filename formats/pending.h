/* pending.h - the append-only log of rows that are not in LMDB yet.
 *
 * What is learned outside the event stream (class woven, thread started, type seen, clock tick) is appended to
 * `TRACE/pending` as a row, with one write(2) before the first event that needs it, so that a kill loses nothing; the
 * drain thread puts the same rows into LMDB. Replaying rows twice is harmless: each is a put of a whole value.
 *
 *     record:  le4 bytes of the row | le4 check of these four | row | le4 check of the row
 *     row:     u1 database | le8 key | value           (text keys, instead of le8: varint length, text)
 *     hole:    le4 0 | le4 check of these four | le8 bytes that follow, of rows stored meanwhile | le4 check of
 *              these eight
 *
 * A check is the low half of XXH3-64. A torn last record (the process died inside write) is ignored; anything else that
 * does not fit is damage, and nothing behind it can be read. */
#ifndef FORMATS_PENDING_H
#define FORMATS_PENDING_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/bytes.h"
#include "formats/schema.h"

struct pending_row {
    enum schema_db db;
    uint64_t key;         /* integer keys */
    const char *text_key; /* KEY_TEXT databases, else NULL; not terminated */
    size_t text_key_size;
    const uint8_t *value;
    size_t size;
};

void pending_encode(const struct pending_row *row, struct writer *w);
/* What begins a hole of `bytes` in all. */
enum { PENDING_HOLE_BYTES = 20 };
void pending_encode_hole(uint64_t bytes, struct writer *w);
/* The next row. */
enum pending_end { PENDING_ROW, PENDING_END, PENDING_TORN, PENDING_DAMAGED };
enum pending_end pending_decode(struct reader *r, struct pending_row *row);

#endif
