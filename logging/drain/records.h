/* records.h - the records of a journal buffer (formats/journal.h), each decoded (record.h) and given to its consumers:
 *
 *     objects and their texts    object_records.h
 *     events                     super_exits.h: exits of constructors that the record proves are inserted before it
 *                                batch.h, derive=on: the deriver takes it, if it can, and nothing follows
 *                                super_calls.h: what it shows of constructors
 *                                percall.h: is it left out?
 *                                batch.h: the events become columns, which the sink gets */
#ifndef LOGGING_RECORDS_H
#define LOGGING_RECORDS_H

#include "formats/journal.h"
#include "logging/drain/batch.h"
#include "logging/drain/object_records.h"
#include "logging/drain/super_exits.h"

/* One buffer as it lies in memory. */
struct drain_buffer {
    const struct buffer_head *head;
    uint64_t used; /* bytes from the head on that are committed */
};

/* Where the reading of a descriptor's records stopped (journal_position), and what is known there. */
struct record_place {
    uint64_t position;
    uint64_t stamp;  /* of the event before */
    uint32_t thread; /* of the next one */
};

struct record_reader {
    const struct record_format *format;
    struct batch *batch;
    struct object_records *objects;
    struct super_exits *exits;
    const struct journal_head *journal; /* decides which events are kept (journal_keeps_below); NULL: all */
    /* records are read up to the first event of this stamp or a later one; UINT64_MAX: to the buffer's end */
    uint64_t until;
    /* by descriptor, how far it is read: what a virtual thread records on several carriers is read in its order.
     * NULL: in any order */
    const u64_vec *positions;
    bool stopped;        /* the last buffer had such an event, or records that wait */
    bool waits;          /* some wait for records of another descriptor; cleared by the owner */
    uint64_t stopped_at; /* at this byte of it */
    uint64_t stamp;      /* of the event before */
};

/* Reads the buffer, of a thread below RECORDS_THREADS_MAX; its first `done` words are stored already, and need not be
 * looked at if that is at `from`. A malformed record ends the buffer and is counted as lost. */
enum status records_read(struct record_reader *r, const struct drain_buffer *buffer, uint64_t done,
                         const struct record_place *from, struct error *err);

/* Letters of data IDs whose records have no values (journal_head.counts_only): void, joined as before. */
void kinds_without_values(uint8_t *letters, uint32_t count);

enum { RECORDS_THREADS_MAX = 1 << 24 }; /* a greater number is damage: thread numbers are table indices */

#endif
