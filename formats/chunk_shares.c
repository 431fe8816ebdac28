/* chunk_shares.c - how many of a chunk's bytes each of its data IDs takes.
 *
 * The raw bytes of a column are known event by event: those of a miss belong to the data ID that missed, and each bit
 * to the event, or value, that it stands for. The stored bytes of a column, compressed, are shared out by raw bytes;
 * those of the frame by events. Shares are in 1 / (1 << CHUNK_SHARE_BITS) of a byte and rounded so that all of them
 * together are the chunk. */
#include "formats/chunk_parts.h"

/* Adds `bytes` to the shares by weight; the rounded sums telescope, so nothing is lost. */
static void share_out(uint64_t bytes, const uint32_t *weights, uint64_t *shares, uint32_t slots)
{
    uint64_t whole = 0, sum = 0, given = 0, all = bytes << CHUNK_SHARE_BITS;
    for (uint32_t i = 0; i < slots; i++)
        whole += weights[i];
    for (uint32_t i = 0; i < slots && whole > 0; i++) {
        sum += weights[i];
        uint64_t upto = all * sum / whole;
        shares[i] += upto - given;
        given = upto;
    }
}

static uint32_t varint_length(struct column *c)
{
    const uint8_t *before = c->at;
    (void)column_take_varint(c);
    return (uint32_t)(c->at - before);
}

/* Lengths of the varints of a column, one for each bit that is set. */
static bool count_varints(const uint16_t *slots, uint32_t count, struct column bits, struct column varints,
                          uint32_t *weights)
{
    for (uint32_t i = 0; i < count && bits.at != bits.end; i += 64)
        for (uint64_t word = column_take_word(&bits); word != 0; word &= word - 1) {
            uint32_t at = i + (uint32_t)__builtin_ctzll(word);
            if (at >= count)
                return false;
            weights[slots[at]] += varint_length(&varints);
        }
    return column_finished(&bits) && column_finished(&varints);
}

static bool count_misses(const struct chunk_tables *t, uint32_t value_count, const struct column *columns,
                         struct chunk_weights *w)
{
    struct column bits = columns[COL_VALUE_BITS], codes = columns[COL_VALUE_CODES], distances = columns[COL_DISTANCES],
                  literals = columns[COL_LITERALS], wide = columns[COL_WIDE];
    for (uint32_t j = 0; j < value_count; j += 64)
        for (uint64_t word = column_take_word(&bits); word != 0; word &= word - 1) {
            uint32_t at = j + (uint32_t)__builtin_ctzll(word);
            if (at >= value_count || codes.at == codes.end)
                return false;
            uint32_t slot = t->value_slots[at];
            w->of[COL_VALUE_CODES][slot]++;
            switch ((enum value_code) * codes.at++) {
            case CODE_COPY: w->of[COL_DISTANCES][slot] += varint_length(&distances); break;
            case CODE_LITERAL:
            case CODE_REF:
            case CODE_NEAR:
            case CODE_JUMP: w->of[COL_LITERALS][slot] += varint_length(&literals); break;
            case CODE_WIDE:
                (void)column_take_word(&wide);
                w->of[COL_WIDE][slot] += 8;
                break;
            case CODE_LAST:
            case CODE_STRIDE:
            case CODE_COPY_SAME:
            case CODE_FRESH:
            case CODE_CONTEXT: break;
            case CODE_LIMIT:
            default: return false;
            }
        }
    return column_finished(&bits) && column_finished(&codes) && column_finished(&distances) &&
           column_finished(&literals) && column_finished(&wide);
}

static bool count_times(const struct chunk_tables *t, uint32_t count, struct column times, uint32_t *weights)
{
    for (uint32_t i = 0; i < count && times.at != times.end; i++)
        weights[t->slot_list[i]] += varint_length(&times);
    return column_finished(&times);
}

bool shares_count(const struct chunk_tables *t, uint32_t count, uint32_t value_count, struct stored_ids ids,
                  const struct column *columns, const size_t *stored, size_t size, struct chunk_weights *w)
{
    uint32_t slots = t->slot_count;
    size_t frame = size;
    memset(w->shares, 0, slots * sizeof *w->shares);
    for (unsigned c = 0; c < COL_COUNT; c++)
        memset(w->of[c], 0, slots * sizeof *w->of[c]);
    memset(w->events, 0, slots * sizeof *w->events);
    for (uint32_t i = 0; i < count; i++)
        w->events[t->slot_list[i]]++;
    for (uint32_t i = 0; i < ids.count; i++)
        w->of[COL_ID_BITS][ids.slots[i]]++;
    for (uint32_t j = 0; j < value_count; j++)
        w->of[COL_VALUE_BITS][t->value_slots[j]]++;
    if (columns[COL_STAMP_BITS].at != columns[COL_STAMP_BITS].end)
        memcpy(w->of[COL_STAMP_BITS], w->events, slots * sizeof *w->of[COL_STAMP_BITS]);
    if (!count_varints(ids.slots, ids.count, columns[COL_ID_BITS], columns[COL_ID_MISSES], w->of[COL_ID_MISSES]) ||
        !count_misses(t, value_count, columns, w) ||
        !count_varints(t->slot_list, count, columns[COL_STAMP_BITS], columns[COL_STAMP_STEPS],
                       w->of[COL_STAMP_STEPS]) ||
        !count_times(t, count, columns[COL_TIMES], w->of[COL_TIMES]))
        return false;
    for (unsigned c = 0; c < COL_COUNT; c++) {
        share_out(stored[c], w->of[c], w->shares, slots);
        frame -= stored[c];
    }
    share_out(frame, w->events, w->shares, slots);
    return true;
}
