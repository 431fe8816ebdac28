/* positions.h - random access to events: by thread and position, and between that and the global order.
 *
 *     event position   (stream, position): the position-th event of one thread; streams are numbered as in
 *                      hs_trace.streams
 *     seq              number of the event in the global order (order.h)
 *
 * Questions of state and cause walk one thread, mostly within a chunk or two, and need the global order for few events.
 * So decoded chunks are kept (KEPT of them, the one used longest ago goes), and a position becomes a seq by counting:
 * chunks that lie wholly before its stamp by a prefix sum over the directory, those that straddle it by their stamps.
 */
#ifndef READER_POSITIONS_H
#define READER_POSITIONS_H

#include "reader/trace/internal.h"

struct event_position {
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

enum status positions_load(hs_trace *t, const struct chunk_ref *chunk, unsigned want, const struct loaded **out,
                           struct error *err);
void positions_done(hs_trace *t);

/* The chunk of a stream that holds the position; NULL behind its end. */
const struct chunk_ref *positions_chunk(const hs_trace *t, struct event_position at);

/* The event at a position, without its seq (UINT64_MAX). ERR_NOT_FOUND: there is none, or in a chunk that cannot be
 * read.
 */
enum status positions_event(hs_trace *t, struct event_position at, struct hs_event *out, struct error *err);
/* The stamp of an event; that at which its chunk begins if it cannot be read. */
enum status positions_stamp(hs_trace *t, struct event_position at, uint64_t *stamp, struct error *err);
/* Position of the event `seq`. ERR_NOT_FOUND behind the end (`err` is filled). */
enum status positions_find(hs_trace *t, uint64_t seq, struct event_position *out, struct error *err);
/* seq of an event, from its position and stamp. */
enum status positions_seq(hs_trace *t, struct event_position at, uint64_t stamp, uint64_t *seq, struct error *err);
/* The events of all threads with a stamp below this one: the seq of the first event at or after it. */
enum status positions_below(hs_trace *t, uint64_t stamp, uint64_t *seq, struct error *err);
/* Fills in e->seq. */
enum status positions_number(hs_trace *t, struct hs_event *e, struct error *err);

/* Number of the stream of a thread; UINT32_MAX if it has no events. */
uint32_t positions_stream(const hs_trace *t, uint32_t thread);

#endif
