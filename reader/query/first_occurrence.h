/* first_occurrence.h - a table from hashes to the value that was first seen with each. The hashes must be well
 * mixed. */
#ifndef READER_FIRST_OCCURRENCE_H
#define READER_FIRST_OCCURRENCE_H

#include <stdint.h>

#include "formats/map.h"

struct first_occurrence {
    uint64_t hash, value;
    bool known;
};
typedef MAP(struct first_occurrence) first_occurrence_map;
#define NO_OCCURRENCE UINT64_MAX

/* The value first seen with this hash, which is `value` if the hash is new. NO_OCCURRENCE: out of memory. */
static inline uint64_t first_occurrence_of(first_occurrence_map *m, uint64_t hash, uint64_t value)
{
    struct first_occurrence *first = map_put(m, hash != 0 ? hash : 1);
    if (first == NULL)
        return NO_OCCURRENCE;
    if (!first->known) {
        first->known = true;
        first->value = value;
    }
    return first->value;
}

#endif
