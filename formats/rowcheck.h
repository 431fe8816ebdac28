/* rowcheck.h - checksums that detect rows of the trace that were changed, moved or lost.
 *
 * A stored value is the row and its check over table, key and row:
 *
 *     row bytes | le4 check           seed = XXH3(key, seed number of the table); check = low half of XXH3(row, seed)
 *
 * It detects a changed byte of key or row, and a row under another key. Missing rows are detected by the one row of the
 * database `sum`, written with every commit: how many rows each table has and the sum of their weights. A row's weight
 * is a hash of its table, key and length, and of its check where it lies in a leaf page (WEIGHED_BYTES): so walking the
 * leaf pages gives the sum without reading long values. The row of `sum` also names the transaction that wrote it,
 * which reveals an older page in the place of a newer one. */
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
/* True if a stored value matches its check; then `*size`, its length, becomes that of the row. */
bool row_open(unsigned table, const void *key, size_t key_size, const void *value, size_t *size);
/* The weight of a stored value; the bytes of one longer than WEIGHED_BYTES are not read. */
uint64_t row_weight(unsigned table, const void *key, size_t key_size, const void *value, size_t size);

struct row_sum {
    uint64_t rows, weight;
};
struct row_sums {
    uint64_t txn; /* of LMDB */
    struct row_sum tables[DB_COUNT];
};
/* le8 txn | per table by its number: le8 rows, le8 weight. */
void row_sums_encode(const struct row_sums *sums, struct writer *w);
bool row_sums_decode(const void *data, size_t size, struct row_sums *sums);

#endif
