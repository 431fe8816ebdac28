/* held.h - full buffers that were taken from the journal's queue and are not stored yet, by descriptor. */
#ifndef LOGGING_HELD_H
#define LOGGING_HELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "logging/drain/records.h"
#include "logging/journal/journal.h"

/* Buffers of one thread that are stored together: a full chunk; more would not fit into the cache. */
enum { CHUNK_BUFFERS = 16 };

struct held {
    u32_vec *lists; /* by descriptor, each in order */
    size_t count;
};
typedef VEC(struct drain_buffer) drain_buffer_vec;

/* False: no memory. */
bool held_add(struct held *h, const struct journal *j, const u32_vec *buffers);
/* True if a descriptor has enough of them for a chunk. */
bool held_has_chunk(const struct held *h);
static inline bool held_has(const struct held *h, uint32_t desc) { return desc < h->count && h->lists[desc].count > 0; }
/* The buffers of a descriptor, as input of the drain. False: no memory. */
bool held_group(const struct held *h, const struct journal *j, size_t desc, drain_buffer_vec *out);
/* The first `count` of a descriptor are stored: moves them to `done`. False: no memory, and nothing is moved. */
bool held_move(struct held *h, size_t desc, size_t count, u32_vec *done);
void held_free(struct held *h);

#endif
