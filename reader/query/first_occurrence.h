/* first_occurrence.h - a table from hashes to the value that was first seen with each. */
#ifndef READER_FIRST_OCCURRENCE_H
#define READER_FIRST_OCCURRENCE_H

#include <stdint.h>

#include "formats/vec.h"

struct first_occurrences {
    VEC(struct first_occurrence) list;
    size_t *slots; /* open addressing: position in list + 1 */
    size_t cap;
};
#define NO_OCCURRENCE UINT64_MAX

/* The value first seen with this hash, which is `value` if the hash is new. NO_OCCURRENCE: out of memory. */
uint64_t first_occurrence_of(struct first_occurrences *s, uint64_t hash, uint64_t value);
void first_occurrences_done(struct first_occurrences *s);

#endif
