/* places.h - random access to events: by thread and position, and between that and the global order.
 *
 *     place   = (stream, position): the position-th event of one thread; streams are numbered as in hs_trace.streams
 *     seq     = place in the global order (order.h)
 *
 * Questions of state and cause walk one thread, mostly within a chunk or two, and need the global order for few events.
 * So decoded chunks are kept (KEPT of them, the one used longest ago goes), and a place becomes a seq by counting:
 * chunks that lie wholly before its stamp by a prefix sum over the directory, those that straddle it by their stamps.
 */
#ifndef READER_PLACES_H
#define READER_PLACES_H

#include "reader/trace/internal.h"

struct place {
    uint32_t stream;
    uint64_t position;
};

/* Columns of one chunk; lives until KEPT others have been asked for: check `chunk` before using it again. */
struct loaded {
    const struct chunk_ref *chunk;
    unsigned have;  /* enum chunk_want */
    uint32_t count; /* 0 if the chunk cannot be read (hs_damage) */
    uint32_t *ids;
    uint64_t *values, *stamps, *times;
    bool timed;
    uint64_t used;
};

enum status places_load(hs_trace *t, const struct chunk_ref *chunk, unsigned want, const struct loaded **out,
                        struct error *err);
void places_done(hs_trace *t);

/* The chunk of a stream that holds the position; NULL behind its end. */
const struct chunk_ref *places_chunk(const hs_trace *t, struct place at);

/* The event at a place, without its seq (UINT64_MAX). ERR_NOT_FOUND: no such place, or in a chunk that cannot be read.
 */
enum status places_event(hs_trace *t, struct place at, struct hs_event *out, struct error *err);
/* The stamp of an event; that at which its chunk begins if it cannot be read. */
enum status places_stamp(hs_trace *t, struct place at, uint64_t *stamp, struct error *err);
/* Place of the event `seq`. ERR_NOT_FOUND behind the end (`err` is filled). */
enum status places_find(hs_trace *t, uint64_t seq, struct place *out, struct error *err);
/* seq of an event, from its place and stamp. */
enum status places_seq(hs_trace *t, struct place at, uint64_t stamp, uint64_t *seq, struct error *err);
/* The events of all threads with a stamp below this one: the seq of the first event at or after it. */
enum status places_below(hs_trace *t, uint64_t stamp, uint64_t *seq, struct error *err);
/* Fills in e->seq. */
enum status places_number(hs_trace *t, struct hs_event *e, struct error *err);

/* Number of the stream of a thread; UINT32_MAX if it has no events. */
uint32_t places_stream(const hs_trace *t, uint32_t thread);

#endif
