/* deriving.h - the derived chunks of an open trace, inside this folder. */
#ifndef READER_DERIVE_DERIVING_H
#define READER_DERIVE_DERIVING_H

#include "reader/derive/derive.h"
#include "reader/derive/replay_thread.h"

/* The state of a thread before a chunk. */
struct kept_state {
    size_t chunk; /* number in the stream */
    struct replay_thread state;
};

struct derived_stream {
    struct replay_thread state;
    size_t next;                 /* chunk of the stream that it stands before */
    bool failed;                 /* the chunk before it could not be executed: the state is that of a begin */
    VEC(struct kept_state) kept; /* rising */
};

struct deriving {
    hs_trace *trace;
    struct replay_code code;
    uint32_t *sites;
    struct followers followers;
    uint64_t followers_upto; /* chunk number: rows of those before it are read */
    struct chunk_decoder *decoder;
    struct derived_chunk chunk;
    const struct chunk_ref *fetched;  /* the one that `chunk` and the decoder hold, not executed; NULL */
    const struct chunk_ref *executed; /* the one that was executed to its end; NULL */
    struct derived_stream *streams;   /* as hs_trace.streams */
    bool timed;                       /* records have times */
    uint32_t *ids;                    /* of chunks that are passed */
    uint64_t *values;
    size_t kept_bytes, every;
    uint32_t *share_of; /* by data ID: number + 1 in `shares` while they are counted */
    struct chunk_share *shares;
};

/* NULL: no memory. */
struct deriving *deriving_of(hs_trace *t, struct error *err);
/* Gives all events of a chunk, whatever was executed before. */
enum status deriving_execute(struct deriving *d, const struct chunk_ref *c, uint32_t *ids, uint64_t *values,
                             struct error *err);
/* Of a branch (trace_branch): puts the thread before the chunk, with its state there as stored_state_write has it (of
 * no bytes: at its begin). False: the bytes are malformed. */
bool deriving_seed(struct deriving *d, const struct chunk_ref *c, const void *state, size_t size);
/* Does the thread of the chunk stand before it? */
bool deriving_is_before(const struct deriving *d, const struct chunk_ref *c);
/* The number of a chunk in its stream, whose number is returned; SIZE_MAX: it is in none. */
size_t stream_of_chunk(const hs_trace *t, const struct chunk_ref *c, size_t *chunk);
/* trace_decode_some, in this thread. */
enum status decode_some(hs_trace *t, struct chunk_decoder *d, const struct chunk_ref *c, unsigned want,
                        const struct chunk_probe *probe, bool stored, struct chunk_columns *out, struct error *err);
/* Data IDs as they are stored become those of same_place. */
void decode_name_places(hs_trace *t, const struct chunk_columns *c);
/* Decodes a derived chunk, as trace_decode_stored; `more`: as trace_decode_more_stored. */
enum status derived_decode(hs_trace *t, struct chunk_decoder *decoder, const struct chunk_ref *c, unsigned want,
                           bool more, struct chunk_columns *out, struct error *err);
/* As trace_stamp_changes, of a derived chunk. */
enum status derived_stamps(hs_trace *t, const struct chunk_ref *c, struct stamp_changes *out, struct error *err);
/* As chunk_shares, of the chunk that was decoded last. */
enum status derived_shares(hs_trace *t, struct chunk_decoder *decoder, const struct chunk_ref *c,
                           const struct chunk_share **out, uint32_t *count, struct error *err);

#endif
