/* slice_frames.h - which events of a frame can have a moment of the frame as a cause: see slice_frames.c. */
#ifndef READER_SLICE_FRAMES_H
#define READER_SLICE_FRAMES_H

#include "reader/query/why.h"

/* What the instructions of methods use, kept for the whole question. */
struct uses;
struct uses *uses_new(hs_trace *t);
void uses_free(struct uses *u);

/* The moments of the slice in one frame. NULL: out of memory. */
struct marks;
struct marks *marks_new(struct uses *u, uint32_t method_id);
void marks_free(struct marks *m);

/* The event of the frame is in the slice, or (`in` false) is not, although one before it at the same place was. */
void marks_set(struct marks *m, const struct hs_event *e, bool in);
/* Can the event have a moment of the frame as a cause? By control, too, if `control`. */
bool marks_ask(struct marks *m, const struct hs_event *e, bool control);
/* Does a call of code that is not woven, whose result this is, know nothing but numbers that it is given? */
bool uses_numbers_alone(struct uses *u, const struct hs_event *e);

#endif
