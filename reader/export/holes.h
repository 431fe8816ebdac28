/* holes.h - where a recording has no events although the program ran: between two parts of it, before the first event
 * if old ones were dropped, behind the last one if the recording ended early. For exporters that show time.
 *
 * Those that percall= leaves out of a call are events of their own (EVENTS_LEFT_OUT). */
#ifndef READER_EXPORT_HOLES_H
#define READER_EXPORT_HOLES_H

#include "reader/export/call_events.h"

struct hole {
    const char *what;
    uint64_t seq;              /* of the first event behind it; HS_NO_SEQ: none is */
    uint64_t begin_ns, end_ns; /* times as steps have them */
    uint64_t events;           /* that are missing; 0: not known */
    const char *reason;        /* "": none */
};
typedef VEC(struct hole) hole_vec;

/* Those of the chosen range, in their order. `calls` is open. False: it failed. */
bool holes_read(struct call_events *calls, hole_vec *out);
/* As a sentence. */
enum { HOLE_TEXT_MAX = 400 };
void hole_text(const struct hole *h, char out[HOLE_TEXT_MAX]);

#endif
