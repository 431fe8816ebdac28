/* dataid_stats.h - statistics of data IDs, which formats without a stream store: counts, last events, times of methods.
 *
 *     COUNTS  first data ID of a block of COUNT_BLOCK -> pairs of varints: data IDs skipped, events; only if not 0
 *     LATEST  data ID -> last_event rows, oldest first
 *     TIMING  data ID of a METHOD_ENTRY -> timing_row
 *     TALLY   thread number -> varint: events of that thread
 *
 * Decoders check everything. */
#ifndef FORMATS_DATAID_STATS_H
#define FORMATS_DATAID_STATS_H

#include <stdint.h>

#include "formats/bytes.h"
#include "formats/status.h"
#include "formats/vec.h"

enum { COUNT_BLOCK = 4096 };

void count_block_encode(const uint64_t counts[COUNT_BLOCK], struct writer *w);
enum status count_block_decode(const void *data, size_t size, uint64_t counts[COUNT_BLOCK], struct error *err);

/* One event of a ring. Events are ordered by (stamp, thread, number), as the stream is. */
struct last_event {
    uint64_t stamp;
    uint32_t thread;
    uint64_t number; /* events of that thread before it */
    uint64_t value;  /* as kinds.def says */
    uint64_t time;   /* ns since the start; 0 without a clock */
};
typedef VEC(struct last_event) last_event_vec;
void last_events_encode(const struct last_event *events, size_t count, struct writer *w);
/* Appends to `out`. */
enum status last_events_decode(const void *data, size_t size, last_event_vec *out, struct error *err);

/* Calls of one method. Total counts nested calls of the method once, self leaves out the calls it made. */
enum { TIMING_BUCKETS = 64 };
struct timing_row {
    uint64_t calls, left, exceptions; /* begun; left; left by an exception */
    uint64_t total_ns, self_ns, min_ns, max_ns;
    uint64_t histogram[TIMING_BUCKETS]; /* calls that took [2^i, 2^(i+1)) ns; [0]: 0 and 1 */
    uint64_t hooks_ns;                  /* time of hooks that is not in self_ns */
};
static inline unsigned timing_bucket(uint64_t ns) { return ns < 2 ? 0 : 63 - (unsigned)__builtin_clzll(ns); }
void timing_row_encode(const struct timing_row *row, struct writer *w);
enum status timing_row_decode(const void *data, size_t size, struct timing_row *row, struct error *err);

#endif
