/* map.h - the one hash map of the project: entries of any struct whose first member is a uint64_t, the key.
 *
 *     struct entry { uint64_t id; uint32_t value; };
 *     MAP(struct entry) map = { 0 };               // zero is empty
 *     struct entry *e = map_put(&map, id);         // the rest of a new entry is 0; NULL: out of memory
 *     e = map_get(&map, id);                       // NULL: there is none
 *     map_free(&map);
 *
 * Keys are not 0. Open addressing, at most half full; entries move with every map_put that adds one, and with
 * map_remove. Where the key is a text, use a hash of it, and try the next key while the entry belongs to another text
 * (map_hash, map_next_hash), so nothing may be removed from such a map. */
#ifndef FORMATS_MAP_H
#define FORMATS_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAP(type)                                                                                                      \
    struct {                                                                                                           \
        type *slots;                                                                                                   \
        size_t count, cap; /* cap: a power of two, or 0 */                                                             \
    }

static inline size_t map_home(uint64_t key, size_t cap)
{
    return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (cap - 1);
}

static inline uint64_t map_key_at(const void *slots, size_t at, size_t size)
{
    uint64_t key;
    memcpy(&key, (const char *)slots + at * size, sizeof key);
    return key;
}

/* The slot of the key, or the free one where it belongs; cap is not 0. */
static inline void *map_slot_raw(void *slots, size_t cap, uint64_t key, size_t size)
{
    size_t at = map_home(key, cap);
    for (uint64_t k; (k = map_key_at(slots, at, size)) != 0 && k != key;)
        at = (at + 1) & (cap - 1);
    return (char *)slots + at * size;
}

static inline void *map_get_raw(void *slots, size_t cap, uint64_t key, size_t size)
{
    void *slot = cap > 0 ? map_slot_raw(slots, cap, key, size) : NULL;
    return slot != NULL && map_key_at(slot, 0, size) != 0 ? slot : NULL;
}

/* Doubles the slots. False: out of memory, and nothing has changed. */
bool map_grow_raw(void **slots, size_t *cap, size_t size);

static inline void *map_put_raw(void **slots, size_t *count, size_t *cap, uint64_t key, size_t size)
{
    if (2 * (*count + 1) > *cap && !map_grow_raw(slots, cap, size))
        return NULL;
    void *slot = map_slot_raw(*slots, *cap, key, size);
    if (map_key_at(slot, 0, size) == 0) {
        memcpy(slot, &key, sizeof key);
        ++*count;
    }
    return slot;
}

/* Frees the slot; entries behind it that would not be found any more move up. */
void map_remove_raw(void *slots, size_t *count, size_t cap, void *entry, size_t size);

/* A key for bytes that are no number; not 0. */
uint64_t map_hash(const void *data, size_t size);
static inline uint64_t map_next_hash(uint64_t hash) { return hash + 1 != 0 ? hash + 1 : 1; }

#define map_get(m, key) ((__typeof__((m)->slots))map_get_raw((void *)(m)->slots, (m)->cap, (key), sizeof *(m)->slots))
#define map_put(m, key)                                                                                                \
    ((__typeof__((m)->slots))map_put_raw((void **)&(m)->slots, &(m)->count, &(m)->cap, (key), sizeof *(m)->slots))
#define map_remove(m, entry) map_remove_raw((m)->slots, &(m)->count, (m)->cap, (entry), sizeof *(m)->slots)
/* Removes all entries and keeps the memory. */
#define map_clear(m) ((m)->cap > 0 ? memset((m)->slots, 0, (m)->cap * sizeof *(m)->slots) : NULL, (m)->count = 0)
#define map_free(m)  (free((m)->slots), (m)->slots = NULL, (m)->count = (m)->cap = 0)

#endif
