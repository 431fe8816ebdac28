/* drain.h - turns journal buffers into rows of the store, a group of buffers of one descriptor at a time.
 *
 *     records.h          reads the records of a buffer (record.h decodes one) and gives each to its consumers
 *     batch.h            gathers events of a thread and hands them to the sink
 *     object_records.h   collects objects and their texts
 *     super_exits.h      inserts exits of constructors that no handler can record
 *
 * Used by the drain thread of a running recording and by recovery; both call it on one thread, inside a transaction of
 * the store that they commit before they free the buffers. Does not depend on the JVM or on threads. */
#ifndef LOGGING_DRAIN_H
#define LOGGING_DRAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/status.h"
#include "formats/vec.h"
#include "logging/drain/batch.h"
#include "logging/drain/object_records.h"
#include "logging/drain/records.h"
#include "logging/drain/super_exits.h"
#include "logging/store/store.h"

/* The parts point to each other: it must not be moved after initialization. */
struct drain {
    struct record_format format;
    struct batch batch;
    struct object_records objects;
    struct super_exits exits;
    struct percall percall;
    struct record_reader reader;
    VEC(struct record_place) places; /* by descriptor: where it was read last, as long as that is its position */
    u64_vec positions; /* by descriptor: how far its buffers are stored, journal_position; values of DB_DRAINED */
    size_t whole;      /* buffers of the last group before the one where it stopped (reader.until, reader.waits) */
    bool moved;        /* a group was read further; cleared by the owner */
};

enum status drain_init(struct drain *d, struct store *store, bool timed, struct error *err);
void drain_done(struct drain *d);
/* Of each call only so many events are kept, and its exit (percall.h). 0: all. */
void drain_limit_calls(struct drain *d, uint32_t most);
/* Writes how many were left out so far. */
enum status drain_put_left_out(struct drain *d, struct error *err);

/* Sets where the drain begins with that descriptor; everything before is stored. False: no memory. */
bool drain_resume(struct drain *d, uint32_t desc, uint64_t position);

/* Encodes the buffers of one descriptor, in order of their sequence, from where the last group ended (which may be in
 * the middle of the first of them), and stores events, objects and the position. A malformed record ends its buffer:
 * the rest is counted as lost. When events cannot be stored the group is still read to its end, and its events are
 * counted. */
enum status drain_group(struct drain *d, uint32_t desc, const struct drain_buffer *buffers, size_t count,
                        struct error *err);

/* After the last group: unfinished long texts are stored as cut. */
enum status drain_rest(struct drain *d, struct error *err);

#endif
