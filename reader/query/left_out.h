/* left_out.h - what is not known because of percall=N: places that events which were left out can have written.
 *
 * An event EVENTS_LEFT_OUT (a mark) stands where the first of some events of a call would stand, and they lie between
 * it and the next event of its thread (logging/drain/percall.h). So what one event shows of a field is known to hold at
 * a later moment unless such a stretch lies between, of a method whose code writes that field:
 *
 *     thread 0   PUT x=1 .................... GET y      x is 1 here?
 *     thread 1   ........... mark ........................            no: it may have been written behind the mark
 *     thread 2   . mark ........... ENTRY g ..............            no: the stretch reaches beyond the PUT */
#ifndef READER_LEFT_OUT_H
#define READER_LEFT_OUT_H

#include "reader/cursor/cursor.h"

/* Has the trace places for such events: was it recorded with percall=? */
bool left_out_any(hs_trace *t);
/* The marks of the methods that have one of these data IDs; of all methods for NULL. */
enum status left_out_marks(hs_trace *t, const u32_vec *ids, u32_vec *marks, struct error *err);

/* What events of these methods can have written up to a moment. */
struct left_out {
    uint64_t until;       /* what was seen before this event may have been overwritten; 0: nothing */
    struct hs_event mark; /* the last one before the moment, if there is any */
};
/* The moment is before event `seq`. */
enum status left_out_before(hs_trace *t, const u32_vec *marks, uint64_t seq, struct left_out *out, struct error *err);

#endif
