/* read_ahead.h - chunks that a walk will need, decoded by other threads while it works on those before.
 *
 *     walk, in the thread that asked          threads 1..jobs, each with a branch of the trace
 *     plan:   chunks by their first stamp ->  [ slots: decoded by the thread that they were given to ]
 *     take: <- the slot of a chunk, in the order of the walk
 *
 * The walk alone decides in which order the chunks are used, so answers do not depend on the number of threads. A chunk
 * that was not planned, or whose thread met anything unusual (damage, no memory), is decoded by the walk itself, which
 * then reports what it finds.
 *
 * Which thread: a stored chunk any one. A derived chunk needs the state of its thread before it: it is given with its
 * state from the index, or stands at the begin of its thread; else it goes to the thread that has the chunk before; and
 * if there is none, it is not planned. RUN chunks with a state stay together, as it costs some time to read one.
 *
 * Memory: SLOTS slots for each thread, each with the columns of a chunk, 1.3 MB (1.8 with times); and for each thread
 * the classes whose methods it executes. */
#ifndef READER_DERIVE_READ_AHEAD_H
#define READER_DERIVE_READ_AHEAD_H

#include "reader/derive/derive.h"

/* A chunk that was planned, for this decoder. ERR_NOT_FOUND: it was not, or is to be decoded by the caller. */
enum status read_ahead_take(struct read_ahead *r, struct chunk_decoder *d, const struct chunk_ref *c, unsigned want,
                            struct chunk_columns *out);

#endif
