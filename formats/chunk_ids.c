/* chunk_ids.c - the data ID column: what follows a data ID is what followed it the last time, at first id + 1.
 *
 * Order 1 suffices: woven code is straight-line between branches, and numbers follow the code; contexts of higher order were
 * measured and did not pay. The first event of a chunk follows data ID 0.
 *
 * Both directions give every event its slot here and list the events that have a value; all other columns are decoded by slot. Slots
 * are numbered as they occur, so that in straight code the next slot is this one + 1. */
#include "formats/chunk_parts.h"

uint32_t slot_find(struct chunk_tables *t, uint64_t id)
{
    if (id >= t->size)
        return SLOT_NONE;
    uint32_t cell = t->slot_of[id];
    if (cell >> 16 == t->generation)
        return cell & 0xffff;
    unsigned letter = t->letters != NULL ? t->letters[id] & ~KIND_JOINED : KIND_VOID;
    if (letter == 0)
        return SLOT_NONE;
    uint64_t flags = (letter != KIND_VOID ? SLOT_VALUE : 0) | (letter == KIND_REF ? SLOT_REF : 0);
    uint32_t slot = t->slot_count++; /* there are at most as many as events */
    /* the event that followed data ID 0 before it occurred itself is the first of the chunk */
    t->slots[slot] = slot_with_next(id | flags << 32, id == 0 ? 0 : NEXT_UNKNOWN);
    t->slot_of[id] = t->generation << 16 | slot;
    t->steps[slot] = 0;
    t->distances[slot] = 0;
    value_states(t)[slot] = (struct value_state){ .at = slot * STATE_CELLS };
    return slot;
}

/* Event i has this slot: the number of values so far. */
static inline uint32_t place_event(struct chunk_tables *t, uint32_t placed, uint32_t i, uint32_t slot, uint64_t cell)
{
    t->slot_list[i] = t->value_slots[placed] = (uint16_t)slot;
    t->value_events[placed] = (uint16_t)i;
    return placed + (slot_flags(cell) & SLOT_VALUE);
}

bool ids_encode(struct chunk_tables *t, const uint32_t *ids, uint32_t count, uint32_t *value_count, struct column *columns)
{
    uint64_t *const slots = t->slots;
    struct column misses = columns[COL_ID_MISSES];
    uint64_t nothing = slot_with_next(0, NEXT_UNKNOWN), *cell = &nothing; /* of the event before */
    uint32_t placed = 0;
    for (uint32_t i = 0; i < count;) {
        uint32_t n = count - i < 64 ? count - i : 64;
        uint64_t word = 0;
        for (uint32_t b = 0; b < n; b++, i++) {
            uint32_t id = ids[i], slot = slot_find(t, id), last = slot_id(*cell), guess = slot_next(*cell);
            if (slot == SLOT_NONE)
                return false;
            if (slot != guess) {
                if (guess != NEXT_UNKNOWN || id != last + 1) {
                    word |= UINT64_C(1) << b;
                    column_put_varint(&misses, zigzag((uint64_t)id - last));
                }
                *cell = slot_with_next(*cell, slot);
            }
            cell = &slots[slot];
            placed = place_event(t, placed, i, slot, *cell);
        }
        column_put_word(&columns[COL_ID_BITS], word);
    }
    columns[COL_ID_MISSES] = misses;
    *value_count = placed;
    return true;
}

/* Makes the compiler keep a branch that tells v: what depends on v then need not wait for the load that v came from. */
#define TOLD_BY_BRANCH(v) __asm__("" : "+r"(v))

bool ids_decode(struct chunk_tables *t, uint32_t *ids, uint32_t count, uint32_t *value_count, struct column *columns)
{
    uint64_t *const slots = t->slots;
    struct chunk_tables lists = *t; /* a copy: the loop need not read it again after a store */
    struct column bits = columns[COL_ID_BITS], misses = columns[COL_ID_MISSES];
    uint64_t cell = slot_with_next(0, NEXT_UNKNOWN); /* of the event before */
    uint32_t placed = 0, slot = SLOT_NONE;
    for (uint32_t i = 0; i < count;) {
        uint32_t stop = count - i < 64 ? count : i + 64, first = i;
        uint64_t word = column_take_word(&bits);
        while (i < stop) {
            uint32_t miss = word != 0 ? first + (uint32_t)__builtin_ctzll(word) : stop;
            miss = miss < stop ? miss : stop;
            for (; i < miss; i++) {
                uint32_t next = slot_next(cell), before = slot++;
                if (next != slot) {
                    slot = next;
                    if (next == NEXT_UNKNOWN) {
                        if ((slot = slot_find(t, (uint64_t)slot_id(cell) + 1)) == SLOT_NONE)
                            return false;
                        if (before != SLOT_NONE)
                            slots[before] = slot_with_next(slots[before], slot);
                    }
                    TOLD_BY_BRANCH(slot);
                }
                cell = slots[slot];
                ids[i] = slot_id(cell);
                placed = place_event(&lists, placed, i, slot, cell);
            }
            if (i == stop)
                break;
            uint32_t before = slot;
            uint64_t id = slot_id(cell) + unzigzag(column_take_varint(&misses));
            if ((slot = slot_find(t, id)) == SLOT_NONE)
                return false;
            if (before != SLOT_NONE)
                slots[before] = slot_with_next(slots[before], slot);
            cell = slots[slot];
            ids[i] = slot_id(cell);
            placed = place_event(&lists, placed, i, slot, cell);
            i++;
            word &= word - 1;
        }
    }
    *value_count = placed;
    return column_finished(&bits) && column_finished(&misses);
}
