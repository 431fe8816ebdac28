/* chunk_stamps.c - the stamp and time columns.
 *
 * The stamp steps where the hook reads the shared counter anew, which is a property of the data ID: so the step before an
 * event is expected to be the one its data ID had last (at first 0). Where one thread records alone nothing ever steps, and
 * both columns are empty. Only the low 32 bits of a step are remembered. Times are differences. */
#include "formats/chunk_parts.h"

static bool all_same(const uint64_t *stamps, uint32_t count)
{
    uint64_t other = 0;
    for (uint32_t i = 1; i < count; i++)
        other |= stamps[i] ^ stamps[0];
    return other == 0;
}

void stamps_encode(struct chunk_tables *t, const uint64_t *stamps, uint32_t count, struct column *columns)
{
    if (all_same(stamps, count))
        return;
    uint32_t *const steps = t->steps;
    const uint16_t *const slots = t->slot_list;
    struct column misses = columns[COL_STAMP_STEPS];
    uint64_t last = stamps[0];
    for (uint32_t i = 0; i < count;) {
        uint32_t n = count - i < 64 ? count - i : 64;
        uint64_t word = 0;
        for (uint32_t b = 0; b < n; b++, i++) {
            uint64_t step = stamps[i] - last;
            if (step != steps[slots[i]]) {
                word |= UINT64_C(1) << b;
                column_put_varint(&misses, step);
                steps[slots[i]] = (uint32_t)step;
            }
            last = stamps[i];
        }
        column_put_word(&columns[COL_STAMP_BITS], word);
    }
    columns[COL_STAMP_STEPS] = misses;
}

bool stamps_decode(struct chunk_tables *t, uint64_t *stamps, uint32_t count, uint64_t first, struct column *columns)
{
    struct column bits = columns[COL_STAMP_BITS], misses = columns[COL_STAMP_STEPS];
    uint64_t last = first;
    if (bits.at == bits.end) {
        for (uint32_t i = 0; i < count; i++)
            stamps[i] = first;
        return misses.at == misses.end;
    }
    uint32_t *const steps = t->steps;
    const uint16_t *const slots = t->slot_list;
    for (uint32_t i = 0; i < count;) {
        uint32_t begin = i, stop = count - i < 64 ? count : i + 64;
        uint64_t word = column_take_word(&bits);
        for (; word != 0; word &= word - 1) {
            uint32_t miss = begin + (uint32_t)__builtin_ctzll(word);
            if (miss >= stop)
                break;
            for (; i < miss; i++)
                stamps[i] = last += steps[slots[i]];
            uint64_t step = column_take_varint(&misses);
            steps[slots[i]] = (uint32_t)step;
            stamps[i++] = last += step;
        }
        for (; i < stop; i++)
            stamps[i] = last += steps[slots[i]];
    }
    return column_finished(&bits) && column_finished(&misses);
}

void times_encode(const uint64_t *times, uint32_t count, struct column *column)
{
    uint64_t last = 0;
    for (uint32_t i = 0; i < count; i++) {
        column_put_varint(column, zigzag(times[i] - last));
        last = times[i];
    }
}

bool times_decode(uint64_t *times, uint32_t count, struct column *column)
{
    uint64_t last = 0;
    for (uint32_t i = 0; i < count; i++) {
        last += unzigzag(column_take_varint(column));
        times[i] = last;
    }
    return column_finished(column);
}
