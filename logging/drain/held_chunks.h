/* held_chunks.h - keep=failed: chunks of tests that have not ended.
 *
 * A part of the recording is kept or dropped when all tests in it have ended (test_parts.h). Its chunks are rows of
 * DB_HELD until then; what is kept gets the next numbers of the stream, in the same order. A dead recorder leaves rows,
 * which recovery keeps. */
#ifndef LOGGING_HELD_CHUNKS_H
#define LOGGING_HELD_CHUNKS_H

#include "logging/drain/batch.h"

/* In a transaction, before anything of it is stored: takes the chunks whose stamps are below b->decided. */
enum status held_chunks_settle(struct batch *b, struct error *err);
/* Recovery: finds the rows of a dead recorder. */
enum status held_chunks_resume(struct batch *b, struct error *err);

#endif
