/* location_key.h - a location of the heap, a field of an object or an element of an array, as a number.
 *
 *     bits 31..8   object id (its low 24 bits)        bits 7..0   part: the field's name, or the element's index
 *
 * The index lists the keys that a chunk writes. Several locations may have one key, so a listed chunk may not write the
 * location, but an unlisted one never does. The class of a field is not part of it. */
#ifndef READER_LOCATION_KEY_H
#define READER_LOCATION_KEY_H

#include <xxhash.h>

#include "formats/bytes.h"

/* LOCATION_PART_UNKNOWN: an element of unknown index, because the chunk ends before the event with the index. */
enum { LOCATION_PARTS = 254, LOCATION_PART_UNKNOWN = 255 };

static inline uint32_t location_part_of_field(struct text name)
{
    return 1 + XXH32(name.data, name.size, 0) % LOCATION_PARTS;
}
static inline uint32_t location_part_of_element(uint64_t index) { return 1 + (uint32_t)index % LOCATION_PARTS; }
static inline uint32_t location_key(uint32_t object, uint32_t part) { return object << 8 | part; }

#endif
