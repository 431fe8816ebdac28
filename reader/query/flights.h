/* flights.h - the events of exceptions, by flight: an exception is thrown, leaves frames, and is caught or not.
 *
 *     METHOD_THROW  METHOD_EXCEPTIONAL_EXIT*  CATCH        one flight
 *     ... CATCH  METHOD_THROW ...                          goes on: it is thrown again in the frame that caught it
 *     ... CATCH  METHOD_EXCEPTIONAL_EXIT or CATCH          another one: the JVM or code that is not woven threw it
 *
 * One object can fly many times, and in several threads at once: an exception that a static field keeps, and those that
 * HotSpot throws instead of new ones where it has thrown many. An event goes on with the flight before in its thread if
 * its frame was open then. */
#ifndef READER_QUERY_FLIGHTS_H
#define READER_QUERY_FLIGHTS_H

#include "reader/index/index.h"

struct flight {
    uint32_t id;
    uint32_t first, last; /* positions in the events */
    uint32_t next;        /* position + 1 of the next flight of this object and thread, 0: none */
    bool unsure;          /* it may have uses that the index does not have */
    bool alone;           /* the only flight of its object */
    bool swallowed;       /* its last event is a CATCH, and no later use is known yet */
};
typedef VEC(struct flight) flight_vec;

/* The flights of all events, by their first one. Sorts the events as the stream is ordered, and links those of a flight
 * by `next`. */
enum status flights_find(hs_trace *t, exception_event_vec *events, flight_vec *out, struct error *err);
/* As the stream is ordered: order.h. */
int exception_event_order(const void *a, const void *b);

#endif
