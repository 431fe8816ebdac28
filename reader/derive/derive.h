/* derive.h - the public header of this folder: the events of a chunk, of which derived chunks (formats/derived.h) hold
 * those alone that do not follow from the code.
 *
 * decode.c decodes any chunk; program.c translates a method to steps, replay_thread.c executes the chunks of a thread,
 * derive.c keeps for each thread the state between two chunks, so that a chunk can be reached without executing the
 * thread from its begin. */
#ifndef READER_DERIVE_H
#define READER_DERIVE_H

#include "formats/expand.h"
#include "reader/trace/open_trace.h"

/* ---- decode.c ---- */

/* Decodes one chunk: the columns live until the next use of `d` (the trace's own decoder for single uses). Data IDs are
 * those of same_place. */
enum status trace_decode(hs_trace *t, struct chunk_decoder *d, const struct chunk_ref *c, unsigned want,
                         struct chunk_columns *out, struct error *err);
/* With the data IDs as they are stored. */
enum status trace_decode_stored(hs_trace *t, struct chunk_decoder *d, const struct chunk_ref *c, unsigned want,
                                struct chunk_columns *out, struct error *err);
enum status trace_decode_more_stored(hs_trace *t, struct chunk_decoder *d, const struct chunk_ref *c, unsigned want,
                                     struct chunk_columns *out, struct error *err);
/* As trace_decode, for columns that were not wanted when the decoder was last used, if that was for this chunk; else
 * ERR_NOT_FOUND. */
enum status trace_decode_more(hs_trace *t, struct chunk_decoder *d, const struct chunk_ref *c, unsigned want,
                              struct chunk_columns *out, struct error *err);
/* The events of a chunk at which its stamps change, rising; borrowed until the next use of a chunk. */
struct stamp_changes {
    const uint32_t *events;
    const uint64_t *stamps;
    size_t count;
};
/* ERR_NOT_FOUND (`err` is not set): the chunk does not hold them so, trace_decode has its stamps. */
enum status trace_stamp_changes(hs_trace *t, const struct chunk_ref *c, struct stamp_changes *out, struct error *err);
/* Data IDs as a bitmap; NULL: all. */
struct chunk_probe {
    const uint64_t *ids;
    uint32_t count;
};
/* What a walk wants of a chunk: as trace_decode, or with `stored` data IDs as trace_decode_stored. A chunk in which
 * none of the data IDs occurs has no ids, values and times. Another thread may have decoded the chunk already. */
enum status trace_decode_some(hs_trace *t, struct chunk_decoder *d, const struct chunk_ref *c, unsigned want,
                              const struct chunk_probe *probe, bool stored, struct chunk_columns *out,
                              struct error *err);
/* The bytes that each data ID takes, of the chunk that this decoder decoded last with CHUNK_IDS. */
enum status trace_shares(hs_trace *t, struct chunk_decoder *d, const struct chunk_ref *c,
                         const struct chunk_share **out, uint32_t *count, struct error *err);

/* ---- read_ahead.c: chunks decoded by other threads (hs_set_jobs) ---- */

/* Of one walk forwards over many chunks: from(context, stream) is the first chunk of a stream that it has not opened;
 * want(context, chunk) what trace_decode_some will be asked for, 0: nothing. Both are called in the thread of the walk.
 * NULL: there is one job, another walk reads ahead, or it is not worth it. */
typedef size_t read_ahead_from_fn(void *context, size_t stream);
typedef unsigned read_ahead_want_fn(void *context, const struct chunk_ref *chunk);
struct read_ahead *read_ahead_begin(hs_trace *t, read_ahead_from_fn *from, read_ahead_want_fn *want, void *context,
                                    const struct chunk_probe *probe);
/* The walk has come to the chunk, and does not need it (any more). */
void read_ahead_drop(struct read_ahead *r, const struct chunk_ref *c);
/* To be called when the walk ends, turns or seeks. */
void read_ahead_end(struct read_ahead *r);
/* Chunks that a walk opens in a row before it begins to read ahead: what looks at one place needs no more. */
enum { READ_AHEAD_AFTER = 4 };

/* ---- derive.c ---- */

/* Appends the state of its thread before a derived chunk. */
enum status derive_state_before(hs_trace *t, const struct chunk_ref *c, struct writer *out, struct error *err);
/* While a segment of the index is built: adds the state of the thread before a chunk to the section, if the chunk is
 * derived and one is due. False: no memory. */
bool states_add(hs_trace *t, const struct chunk_ref *c, struct writer *states);

/* ---- expand_source.c ---- */

/* How many chunks are derived. */
uint64_t derive_count(const hs_trace *t);
/* The source of formats/expand.h and drop.h, which lives as long as `of`: zero but for the trace. */
struct derive_source {
    hs_trace *trace;
    size_t last; /* in hs_trace.chunks, the one that was asked for last */
};
struct expand_source derive_source(struct derive_source *of);

#endif
