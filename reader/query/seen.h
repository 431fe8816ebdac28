/* seen.h - a table from hashes to what had them first. */
#ifndef READER_SEEN_H
#define READER_SEEN_H

#include <stdint.h>

#include "formats/vec.h"

struct seen {
    VEC(struct seen_entry) list;
    size_t *slots; /* open addressing: position in list + 1 */
    size_t cap;
};
#define SEEN_NOTHING UINT64_MAX

/* The value that came with the hash first: `value` if this is the first time. SEEN_NOTHING without memory. */
uint64_t seen_first(struct seen *s, uint64_t hash, uint64_t value);
void seen_done(struct seen *s);

#endif
