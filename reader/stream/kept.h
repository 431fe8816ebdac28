/* kept.h - the cache of decoded chunks, besides what stream.h has of it. Private to this folder. */
#ifndef READER_STREAM_KEPT_H
#define READER_STREAM_KEPT_H

#include "reader/stream/stream.h"

/* The seq of an event with this stamp is asked for: a walk that rises leaves the chunks behind it. */
void kept_walk_to(hs_trace *t, uint64_t stamp);

#endif
