/* rowcheck.h - the checksums that show when a row of the trace was changed, moved or lost.
 *
 * A stored value is the row and behind it its check, over table, key and row:
 *
 *     row bytes | le4 check           seed = XXH3(key, seed number of the table); check = low half of XXH3(row, seed)
 *
 * So a changed byte of key or row shows, and a row under the key of another. What no row can say, that others are
 * missing, is in the one row of the database `sum`, written with every commit: how many rows each table has and what
 * they weigh together. A row's weight is a hash of its table, key and length, and of its check where it lies in a leaf
 * page (WEIGHED_BYTES): whoever walks the leaf pages knows the sum and need not read long values. It also names the
 * transaction that wrote it, so that an older page in the place of a newer one shows. */
#ifndef FORMATS_ROWCHECK_H
#define FORMATS_ROWCHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/bytes.h"
#include "formats/schema.h"

#define ROW_SUMS_NAME "sum"
enum {
    ROW_CHECK_BYTES = 4,
    ROW_SUMS_TABLE = 255, /* the number of the database `sum` */
    ROW_SUMS_KEY = 0,     /* u32, of its row */
    WEIGHED_BYTES = 1024, /* values up to so many always lie in a leaf page, and their check counts for the weight */
};

/* Writes the check of the row of `size` bytes at `value` behind it. */
void row_close(unsigned table, const void *key, size_t key_size, void *value, size_t size);
/* Is a stored value whole? Then `*size`, its length, becomes that of the row. */
bool row_open(unsigned table, const void *key, size_t key_size, const void *value, size_t *size);
/* What a stored value weighs; one longer than WEIGHED_BYTES is not looked at. */
uint64_t row_weight(unsigned table, const void *key, size_t key_size, const void *value, size_t size);

struct row_sum {
    uint64_t rows, weight;
};
struct row_sums {
    uint64_t txn; /* of LMDB */
    struct row_sum tables[DB_COUNT];
};
/* le8 txn | per table by its number: le8 rows, le8 weight */
void row_sums_encode(const struct row_sums *sums, struct writer *w);
bool row_sums_decode(const void *data, size_t size, struct row_sums *sums);

#endif
