/* drain.h - from journal buffers to rows of the store: decode records, encode chunks, collect objects.
 *
 * Used by the drain thread of a living recording and by recovery; both call it on one thread, inside a transaction of
 * the store that they commit before they free the buffers. Knows neither JVM nor threads. */
#ifndef LOGGING_DRAIN_H
#define LOGGING_DRAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/chunk.h"
#include "formats/journal.h"
#include "formats/objects.h"
#include "formats/status.h"
#include "formats/vec.h"
#include "logging/aggregate/counter_tables.h"
#include "logging/capture/windows.h"
#include "logging/drain/super_calls.h"
#include "logging/sinks/sink.h"
#include "logging/store/bound.h"
#include "logging/store/store.h"

/* One buffer as it lies in memory. */
struct drain_buffer {
    const struct buffer_head *head;
    uint64_t used; /* bytes from the head on that are committed */
};

/* A long text whose pieces go on in the next group of its descriptor. */
struct carried_text {
    uint32_t desc;
    struct object_entry entry;
    struct writer text;
};

enum drain_use {
    DRAIN_STORE,
    DRAIN_OBJECTS, /* what events show is stored, they themselves are not: the recording could not go on */
    DRAIN_COUNT,   /* nothing is: events are counted as lost */
};

struct drain {
    struct store *store;
    struct chunk_encoder *encoder;
    struct kind_table kinds; /* the caller keeps both up to date */
    const uint8_t *roles;    /* enum role by data ID, as many as there are kinds */
    bool timed, numbered;    /* what records carry (formats/journal.h) */
    bool counted;            /* the numbers of the present thread's records count: it is no virtual thread */
    enum drain_use use;
    struct error error; /* why a group went on as DRAIN_COUNT */
    uint64_t start_ns;  /* clock value of time 0, subtracted from recorded times */
    uint64_t next_chunk;
    uint32_t next_fragment;
    u64_vec thread_events;              /* by thread number: events stored so far */
    const struct journal_head *journal; /* says what counts (journal_keeps_below); NULL: everything does */
    u64_vec positions;                  /* by descriptor: how far its buffers are stored, drain_position */
    VEC(struct super_calls) frames;     /* by thread number */
    struct windows *windows;            /* what is kept; NULL: everything */
    /* a group is drained up to the first event of this stamp or a later one; UINT64_MAX: to its end */
    uint64_t until;
    bool stopped;        /* ... which the last group had */
    uint64_t stopped_at; /* at this byte of its buffer */
    size_t whole;        /* buffers of that group before the one where it stopped */
    uint64_t events, lost;
    uint64_t events_kept; /* of `events`, those of transactions that were committed */
    /* of the others, those that stand in counters, and are there again when the transaction is given up */
    uint64_t imported;
    const struct sink *sink;         /* where the events go instead of into chunks; NULL: format omni */
    struct counter_tables *counters; /* learns which data IDs come often; NULL: hooks keep nothing by themselves */
    struct bound *bound;             /* drop-oldest: told which objects each chunk shows; else NULL */
    struct state *state; /* with a sink: its state, and which buffers are stored (else the DRAINED database) */
    /* the chunk being filled */
    struct chunk_columns columns;
    uint64_t *order; /* one more column, for sinks that are `ordered` */
    bool unsure;     /* the exits inserted last were proven late: events in between are in counters */
    uint32_t thread, desc;
    uint64_t stamp;
    /* objects of the group being drained */
    object_entry_vec objects;
    struct writer text;  /* their contents; entries hold offsets until the group ends */
    bool text_continues; /* the last text record was not its last piece */
    VEC(struct carried_text) carried;
    struct writer blob;
};

enum status drain_init(struct drain *d, struct store *store, bool timed, struct error *err);
void drain_done(struct drain *d);

/* How far a descriptor's buffers are stored: all before `sequence`, and `used` bytes of that one. The value of its
 * DRAINED row. */
static inline uint64_t drain_position(uint64_t sequence, uint64_t used) { return sequence << 16 | used / 8; }
/* Where the drain begins with that descriptor; what is before is stored. False: no memory. */
bool drain_resume(struct drain *d, uint32_t desc, uint64_t position);

/* Encodes the buffers of one descriptor, in order of their sequence, from where the last group ended (which may be in
 * the middle of the first of them), and puts chunks, objects and the DRAINED row. A record that makes no sense ends its
 * buffer: what follows is counted as lost. When events cannot be stored the group is still drained to its end, and
 * counted. */
enum status drain_group(struct drain *d, uint32_t desc, const struct drain_buffer *buffers, size_t count,
                        struct error *err);

/* What the hook needs to know of the record that begins with data ID `first` of `count` (letters with KIND_JOINED):
 * record_shape in counter_tables.h. */
uint8_t drain_record_shape(const uint8_t *letters, const uint8_t *roles, uint32_t first, uint32_t count);

/* The transaction was committed, or given up: then what was taken since the last one is lost. */
void drain_committed(struct drain *d);
void drain_given_up(struct drain *d);

/* After the last group: long texts whose end never came are stored as cut. */
enum status drain_rest(struct drain *d, struct error *err);

#endif
