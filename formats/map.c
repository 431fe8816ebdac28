/* map.c - see map.h. */
#include "formats/map.h"

#include <xxhash.h>

enum { SLOTS_FIRST = 64 };

bool map_grow_raw(void **slots, size_t *cap, size_t size)
{
    size_t new_cap = *cap == 0 ? SLOTS_FIRST : 2 * *cap;
    if (new_cap <= *cap)
        return false;
    char *new_slots = calloc(new_cap, size);
    if (new_slots == NULL)
        return false;
    for (size_t i = 0; i < *cap; i++) {
        uint64_t key = map_key_at(*slots, i, size);
        if (key != 0)
            memcpy(map_slot_raw(new_slots, new_cap, key, size), (char *)*slots + i * size, size);
    }
    free(*slots);
    *slots = new_slots;
    *cap = new_cap;
    return true;
}

void map_remove_raw(void *slots, size_t *count, size_t cap, void *entry, size_t size)
{
    size_t free_at = (size_t)((char *)entry - (char *)slots) / size, mask = cap - 1;
    for (size_t i = (free_at + 1) & mask;; i = (i + 1) & mask) {
        uint64_t key = map_key_at(slots, i, size);
        if (key == 0)
            break;
        if (((i - map_home(key, cap)) & mask) < ((i - free_at) & mask))
            continue; /* its probe sequence does not use the slot that becomes free */
        memcpy((char *)slots + free_at * size, (char *)slots + i * size, size);
        free_at = i;
    }
    memset((char *)slots + free_at * size, 0, size);
    --*count;
}

uint64_t map_hash(const void *data, size_t size)
{
    uint64_t hash = XXH3_64bits(data, size);
    return hash != 0 ? hash : 1;
}
