/* chunk_stamps.c - the stamp and time columns.
 *
 * The stamp steps where the hook reads the shared counter anew, which is a property of the data ID: so the predicted
 * step before an event is the last step of its data ID (at first 0). Where one thread records alone nothing ever steps,
 * and both columns are empty. Only the low 32 bits of a step are remembered. Times are differences. */
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

/* Events [i, end) step as expected. Four at once, because the chain of additions takes the time. */
static inline uint64_t step_on(const uint32_t *steps, const uint16_t *slots, uint64_t *stamps, size_t i, size_t end,
                               uint64_t last)
{
    for (; i + 4 <= end; i += 4) {
        stamps[i] = last += steps[slots[i]];
        stamps[i + 1] = last += steps[slots[i + 1]];
        stamps[i + 2] = last += steps[slots[i + 2]];
        stamps[i + 3] = last += steps[slots[i + 3]];
    }
    for (; i < end; i++)
        stamps[i] = last += steps[slots[i]];
    return last;
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
    for (size_t i = 0; i < count;) {
        size_t begin = i, stop = count - i < 64 ? count : i + 64;
        uint64_t word = column_take_word(&bits);
        for (; word != 0; word &= word - 1) {
            size_t miss = begin + (size_t)__builtin_ctzll(word);
            if (miss >= stop)
                break;
            last = step_on(steps, slots, stamps, i, miss, last);
            uint64_t step = column_take_varint(&misses);
            steps[slots[miss]] = (uint32_t)step;
            stamps[miss] = last += step;
            i = miss + 1;
        }
        last = step_on(steps, slots, stamps, i, stop, last);
        i = stop;
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
