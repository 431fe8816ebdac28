/* first_occurrence.h - a table from hashes to what had them first. */
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

/* The value that came with the hash first: `value` if this is the first time. NO_OCCURRENCE without memory. */
uint64_t first_occurrence_of(struct first_occurrences *s, uint64_t hash, uint64_t value);
void first_occurrences_done(struct first_occurrences *s);

#endif
