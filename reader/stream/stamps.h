/* stamps.h - how many events of a chunk lie before a stamp: what the seq of an event in a trace of many threads is
 * counted with, and where a seek ends. Private to this folder. */
#ifndef READER_STREAM_STAMPS_H
#define READER_STREAM_STAMPS_H

#include "reader/stream/stream.h"

/* The events of the chunk with a stamp below this one. All events of a damaged chunk count at its first stamp, as in
 * order.c. */
enum status stamps_below(hs_trace *t, const struct chunk_ref *chunk, uint64_t stamp, uint64_t *out, struct error *err);

#endif
