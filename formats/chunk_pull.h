/* chunk_pull.h - decodes a chunk of chunk_encode_named, one event after the other, in order.
 *
 * It is for whoever knows the data IDs of most events, since he executes the code (derived.h), but not before he has
 * the values of the events in front of them. The chunk lives in the decoder until that is used for another one. */
#ifndef FORMATS_CHUNK_PULL_H
#define FORMATS_CHUNK_PULL_H

#include "formats/chunk.h"

/* Begins the chunk, of `*count` events. Any bytes are safe. */
enum status chunk_pull_begin(struct chunk_decoder *d, struct kind_table kinds, const void *blob, size_t size,
                             uint32_t *count, struct error *err);
/* The next event, which has that data ID. False: the chunk is malformed, or has no more events. */
bool chunk_pull_known(struct chunk_decoder *d, uint32_t id, uint64_t *value);
/* The next event, which is named: `from` and `first` as in its chunk_name. */
bool chunk_pull_named(struct chunk_decoder *d, uint32_t from, uint32_t first, uint32_t *id, uint64_t *value);
/* Were all events taken, and everything in the chunk used? Then chunk_shares knows the bytes that they take. */
bool chunk_pull_finished(const struct chunk_decoder *d);

#endif
