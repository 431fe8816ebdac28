/* chunk_ids.c - the data ID column: what follows a data ID is what followed it the last time, at first id + 1.
 *
 * Order 1 suffices: woven code is straight-line between branches, and numbers follow the code; contexts of higher order were
 * measured and did not pay. The first event of a chunk follows data ID 0. */
#include "formats/chunk_parts.h"

void ids_encode(struct chunk_tables *t, const uint32_t *ids, uint32_t count, struct column *columns)
{
    uint64_t *next = t->next;
    struct column misses = columns[COL_ID_MISSES];
    const uint32_t generation = t->generation;
    uint32_t last = 0;
    for (uint32_t i = 0; i < count;) {
        uint32_t n = count - i < 64 ? count - i : 64;
        uint64_t word = 0;
        for (uint32_t b = 0; b < n; b++) {
            uint32_t id = ids[i + b];
            uint64_t cell = next[last];
            uint32_t guess = cell >> 32 == generation ? (uint32_t)cell : last + 1;
            if (id != guess) {
                word |= UINT64_C(1) << b;
                column_put_varint(&misses, zigzag((uint64_t)id - last));
                next[last] = (uint64_t)generation << 32 | id;
            }
            last = id;
        }
        column_put_word(&columns[COL_ID_BITS], word);
        i += n;
    }
    columns[COL_ID_MISSES] = misses;
}

/* Each event waits for the table entry of the one before, so that placing values in the same loop is free. */
static inline __attribute__((always_inline)) bool decode(struct chunk_tables *t, uint32_t *ids, uint32_t count,
                                                         const uint8_t *letters, uint32_t *value_count,
                                                         struct column *columns)
{
    uint64_t *const next = t->next;
    uint32_t *const places = t->places;
    const uint32_t generation = t->generation, size = t->size;
    uint32_t last = 0, placed = 0, missing = 0;
    for (uint32_t i = 0; i < count;) {
        uint32_t n = count - i < 64 ? count - i : 64;
        uint64_t word = column_take_word(&columns[COL_ID_BITS]);
        for (uint32_t b = 0; b < n; b++, word >>= 1) {
            uint64_t cell = next[last];
            uint32_t id = cell >> 32 == generation ? (uint32_t)cell : last + 1;
            if ((word & 1) != 0) {
                uint64_t to = last + unzigzag(column_take_varint(&columns[COL_ID_MISSES]));
                if (to >= size)
                    return false;
                id = (uint32_t)to;
                next[last] = (uint64_t)generation << 32 | id;
            }
            if (id >= size)
                return false;
            ids[i + b] = id;
            last = id;
            if (letters != NULL) {
                placed = place_event(places, placed, i + b, letters[id]);
                missing |= (letters[id] & ~KIND_JOINED) == 0;
            }
        }
        i += n;
    }
    *value_count = placed;
    return missing == 0 && column_finished(&columns[COL_ID_BITS]) && column_finished(&columns[COL_ID_MISSES]);
}

bool ids_decode(struct chunk_tables *t, uint32_t *ids, uint32_t count, const uint8_t *letters, uint32_t *value_count,
                struct column *columns)
{
    return letters == NULL ? decode(t, ids, count, NULL, value_count, columns)
                           : decode(t, ids, count, letters, value_count, columns);
}
