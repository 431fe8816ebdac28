/* rowcheck.c - see rowcheck.h. */
#include "formats/rowcheck.h"

#include <xxhash.h>

#include "formats/bytes.h"

static uint64_t seed_of(unsigned table, const void *key, size_t key_size)
{
    return XXH3_64bits_withSeed(key, key_size, table);
}

void row_close(unsigned table, const void *key, size_t key_size, void *value, size_t size)
{
    put_le4((uint8_t *)value + size, (uint32_t)XXH3_64bits_withSeed(value, size, seed_of(table, key, key_size)));
}

bool row_open(unsigned table, const void *key, size_t key_size, const void *value, size_t *size)
{
    if (*size < ROW_CHECK_BYTES)
        return false;
    size_t bytes = *size - ROW_CHECK_BYTES;
    struct reader check = reader_of((const uint8_t *)value + bytes, ROW_CHECK_BYTES);
    if (read_le4(&check) != (uint32_t)XXH3_64bits_withSeed(value, bytes, seed_of(table, key, key_size)))
        return false;
    *size = bytes;
    return true;
}

uint64_t row_weight(unsigned table, const void *key, size_t key_size, const void *value, size_t size)
{
    uint8_t what[12] = { 0 };
    put_le4(what, (uint32_t)size);
    put_le4(what + 4, (uint32_t)((uint64_t)size >> 32));
    if (size >= ROW_CHECK_BYTES && size <= WEIGHED_BYTES)
        memcpy(what + 8, (const uint8_t *)value + size - ROW_CHECK_BYTES, ROW_CHECK_BYTES);
    return XXH3_64bits_withSeed(what, sizeof what, seed_of(table, key, key_size));
}

void row_sums_encode(const struct row_sums *sums, struct writer *w)
{
    write_le8(w, sums->txn);
    for (unsigned i = 0; i < DB_COUNT; i++) {
        write_le8(w, sums->tables[i].rows);
        write_le8(w, sums->tables[i].weight);
    }
}

bool row_sums_decode(const void *data, size_t size, struct row_sums *sums)
{
    struct reader r = reader_of(data, size);
    sums->txn = read_le8(&r);
    for (unsigned i = 0; i < DB_COUNT; i++) {
        sums->tables[i].rows = read_le8(&r);
        sums->tables[i].weight = read_le8(&r);
    }
    return !r.bad;
}
