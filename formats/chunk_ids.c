/* chunk_ids.c - the data ID column: the predicted successor of a data ID is what followed it the last time, at first id
 * + 1.
 *
 * Order 1 suffices: woven code is straight-line between branches, and numbers follow the code; contexts of higher order
 * were measured and did not pay. The first event of a chunk follows data ID 0.
 *
 * Both directions give every event its slot here and list the events that have a value; all other columns are coded by
 * slot. Slots are numbered as they occur, so that in straight code the next slot is this one + 1: the decoder copies
 * such runs as a whole. */
#include "formats/chunk_parts.h"

/* Initializes the slots of the group that begins with `slot`. */
static __attribute__((noinline)) void group_begin(struct chunk_tables *t, uint32_t slot)
{
    t->breaks[slot / GROUP] = UINT64_MAX;
    memset(&t->next[slot], 0xff, GROUP * sizeof *t->next);
    memset(&t->steps[slot], 0, GROUP * sizeof *t->steps);
    memset(&t->tails[slot], 0, GROUP * sizeof *t->tails);
    for (uint32_t i = slot; i < slot + GROUP; i++)
        t->states[i] = (struct value_state){ .at = i * STATE_CELLS };
}

uint32_t slot_new(struct chunk_tables *t, uint32_t id)
{
    unsigned letter = t->letters[id] & ~KIND_JOINED;
    bool valued = letter != KIND_VOID && letter != 0;
    t->letterless |= letter == 0;
    uint32_t slot = t->slot_count++; /* there are at most as many as events */
    if (slot % GROUP == 0)
        group_begin(t, slot);
    if (id == 0) /* what followed data ID 0 before it occurred itself is the first event of the chunk */
        t->next[slot] = 0;
    t->slot_of[id] = t->generation << 16 | slot;
    t->ids[slot] = id;
    t->flags[slot] = (valued ? SLOT_VALUE : 0) | (letter == KIND_REF ? SLOT_REF : 0);
    t->valued[t->valued_count] = (uint16_t)slot;
    t->valued_count += valued;
    t->valued_before[slot + 1] = (uint16_t)t->valued_count;
    return slot;
}

static inline void slot_link(struct chunk_tables *t, uint32_t slot, uint32_t next)
{
    uint64_t bit = UINT64_C(1) << slot % GROUP, *word = &t->breaks[slot / GROUP];
    t->next[slot] = (uint16_t)next;
    *word = next == slot + 1 ? *word & ~bit : *word | bit;
}

bool ids_encode(struct chunk_tables *t, const uint32_t *ids, uint32_t count, uint32_t *value_count,
                struct column *columns)
{
    struct column misses = columns[COL_ID_MISSES];
    uint32_t placed = 0, last = SLOT_NONE, last_id = 0;
    for (uint32_t i = 0; i < count;) {
        uint32_t n = count - i < 64 ? count - i : 64;
        uint64_t word = 0;
        for (uint32_t b = 0; b < n; b++, i++) {
            uint32_t id = ids[i], slot = slot_find(t, id), guess = last != SLOT_NONE ? t->next[last] : NEXT_UNKNOWN;
            if (slot == SLOT_NONE)
                return false;
            if (slot != guess || slot == NEXT_UNKNOWN) {
                if (guess != NEXT_UNKNOWN || id != last_id + 1) {
                    word |= UINT64_C(1) << b;
                    column_put_varint(&misses, zigzag((uint64_t)id - last_id));
                }
                if (last != SLOT_NONE)
                    slot_link(t, last, slot);
            }
            last = slot;
            last_id = id;
            slot_place(t, slot, i, placed);
            placed += t->flags[slot] & SLOT_VALUE;
        }
        column_put_word(&columns[COL_ID_BITS], word);
    }
    columns[COL_ID_MISSES] = misses;
    *value_count = placed;
    return true;
}

/* The slot of an event that is as expected. If nothing has followed `last` yet, straight code of up to `most` events is
 * begun. */
static inline uint32_t slot_expected(struct chunk_tables *t, uint32_t last, uint32_t most)
{
    uint32_t next = last != SLOT_NONE ? t->next[last] : NEXT_UNKNOWN;
    if (next != NEXT_UNKNOWN)
        return next;
    uint64_t id = last != SLOT_NONE ? (uint64_t)t->ids[last] + 1 : 1;
    uint32_t slot = slot_find(t, id), before = slot;
    if (slot == SLOT_NONE)
        return SLOT_NONE;
    if (last != SLOT_NONE)
        slot_link(t, last, slot);
    while (before + 1 == t->slot_count && --most != 0 && ++id < t->size && t->slot_of[id] >> 16 != t->generation &&
           (next = slot_find(t, id)) != SLOT_NONE) { /* an impossible id is detected when it is used */
        slot_link(t, before, next);
        before = next;
    }
    return slot;
}

typedef uint16_t u16x8 __attribute__((vector_size(16), aligned(2), may_alias));
typedef uint32_t u32x4 __attribute__((vector_size(16), aligned(4), may_alias));
_Static_assert(ROOM == 8, "loops write eight items at once");

/* Events i to i + n have slots from `slot` on: the number of values so far. */
static inline size_t place_run(struct chunk_tables *t, uint32_t *ids, size_t placed, size_t i, size_t slot, size_t n)
{
    static const u16x8 steps = { 0, 1, 2, 3, 4, 5, 6, 7 };
    size_t from = t->valued_before[slot], values = (uint16_t)(t->valued_before[slot + n] - from);
    for (size_t k = 0; k < n; k += ROOM) {
        *(u32x4 *)&ids[i + k] = *(const u32x4 *)&t->ids[slot + k];
        *(u32x4 *)&ids[i + k + 4] = *(const u32x4 *)&t->ids[slot + k + 4];
        *(u16x8 *)&t->slot_list[i + k] = steps + (uint16_t)(slot + k);
    }
    for (size_t k = 0; k < values; k += ROOM) {
        u16x8 slots = *(const u16x8 *)&t->valued[from + k];
        *(u16x8 *)&t->value_slots[placed + k] = slots;
        *(u16x8 *)&t->value_events[placed + k] = slots + (uint16_t)(i - slot);
    }
    return placed + values;
}

/* The slot of an event that is not as expected. */
static inline uint32_t slot_missed(struct chunk_tables *t, uint32_t last, struct column *misses)
{
    uint64_t before = last != SLOT_NONE ? t->ids[last] : 0;
    uint32_t slot = slot_find(t, before + unzigzag(column_take_varint(misses)));
    if (last != SLOT_NONE && slot != SLOT_NONE)
        slot_link(t, last, slot);
    return slot;
}

bool ids_decode(struct chunk_tables *t, uint32_t *ids, uint32_t count, uint32_t *value_count, struct column *columns)
{
    struct column bits = columns[COL_ID_BITS], misses = columns[COL_ID_MISSES];
    size_t placed = 0;
    uint32_t last = SLOT_NONE;
    for (size_t i = 0; i < count;) {
        size_t stop = count - i < 64 ? count : i + 64;
        uint64_t word = column_take_word(&bits);
        while (i < stop) {
            bool miss = (word & 1) != 0;
            word &= ~UINT64_C(1);
            uint32_t most = (uint32_t)(stop - i);
            if (word != 0 && (uint32_t)__builtin_ctzll(word) < most)
                most = (uint32_t)__builtin_ctzll(word);
            uint32_t slot = miss ? slot_missed(t, last, &misses) : slot_expected(t, last, most);
            if (slot == SLOT_NONE)
                return false;
            uint64_t breaks = t->breaks[slot / GROUP] >> slot % GROUP;
            uint32_t n = breaks != 0 ? (uint32_t)__builtin_ctzll(breaks) + 1 : GROUP - slot % GROUP;
            n = n < most ? n : most;
            placed = place_run(t, ids, placed, i, slot, n);
            i += n;
            word = n < 64 ? word >> n : 0;
            last = slot + n - 1;
        }
    }
    *value_count = (uint32_t)placed;
    return column_finished(&bits) && column_finished(&misses);
}
