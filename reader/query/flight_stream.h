/* flight_stream.h - the settled flights of an index (index/flights.h) in the order of their first events, a few
 * segments in memory at a time. */
#ifndef READER_QUERY_FLIGHT_STREAM_H
#define READER_QUERY_FLIGHT_STREAM_H

#include "reader/index/flights.h"

/* A segment that was read and has flights left. */
struct flight_page {
    struct exception_lists all; /* its `kinds` */
    struct settled settled;
    size_t at; /* next flight */
};
struct flight_stream {
    hs_trace *trace;
    struct flight_parts parts; /* by the stamp of their first flight */
    size_t next;               /* the part that is read next, */
    uint64_t from;             /* of those that do not end before this stamp */
    VEC(struct flight_page) pages;
};
struct settled_flight {
    const struct flight *flight;
    const exception_event_vec *events;
    const struct thrown_kind *kind;
};

/* All flights. What is no settled flight goes to `rest`. ERR_NOT_FOUND (`err` is not set) if the index does not have
 * them. flight_stream_done in any case. */
enum status flight_stream_open(struct flight_stream *s, hs_trace *t, struct exception_lists *rest, struct error *err);
/* Begins anew, without parts that end before the stamp. */
void flight_stream_seek(struct flight_stream *s, uint64_t stamp);
/* The next flight, until flight_stream_pass; ERR_NOT_FOUND (`err` is not set): there is none; ERR_FORMAT: the index is
 * damaged there. */
enum status flight_stream_next(struct flight_stream *s, struct settled_flight *out, struct error *err);
void flight_stream_pass(struct flight_stream *s, const struct settled_flight *x);
void flight_stream_done(struct flight_stream *s);

#endif
