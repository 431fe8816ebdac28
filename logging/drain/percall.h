/* percall.h - percall=N: which events of a call are left out of the trace.
 *
 * Counted are the events of a call itself, METHOD_ENTRY included, not those of the calls it makes. The first N are
 * kept, whole records of them, and all entries and exits: so the calls in the trace nest as they did. Everything else
 * of the call is left out, and an event EVENTS_LEFT_OUT says so. It stands where the first of those events would stand,
 * with its stamp, and its value is the number of events of the call that were left out so far:
 *
 *     recorded  ENTRY f  STORE  LOAD  STORE  ENTRY g  EXIT g  LOAD  LOAD  EXIT f        percall=2
 *     kept      ENTRY f  STORE  LEFT_OUT 2   ENTRY g  EXIT g  LEFT_OUT 4  EXIT f
 *
 * It is put before the next event of the thread that is kept, and at the end of each group of buffers: a trace that is
 * read, or cut off, at any moment reports everything that is missing from it. So events that are left out in a row may
 * be reported by several EVENTS_LEFT_OUT.
 *
 * Calls that were open when the recording began are counted from their first recorded event on. Of calls that were open
 * before the buffers which recovery reads all that these hold is kept. So is everything of virtual threads: their
 * buffers may be read in another order than they were written. */
#ifndef LOGGING_PERCALL_H
#define LOGGING_PERCALL_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/roles.h"
#include "formats/vec.h"
#include "logging/drain/record.h"

/* An open call. */
struct counted_call {
    uint32_t mark; /* data ID of the EVENTS_LEFT_OUT of its method */
    uint32_t kept;
    bool whole; /* nothing is left out */
    uint64_t left_out;
};

struct counted_thread {
    VEC(struct counted_call) calls;
    uint32_t period;
    bool pending;         /* events of the innermost call were left out, and no EVENTS_LEFT_OUT reports it yet */
    uint64_t stamp, time; /* of the first of them */
};

struct percall {
    uint32_t most; /* N; 0: nothing is left out */
    bool resumed;  /* recovery: of calls that were open before it is not known how many events they had */
    u32_vec marks; /* by data ID: that of the EVENTS_LEFT_OUT of its method; NO_MARK */
    VEC(struct counted_thread) threads;
    uint64_t events, calls; /* left out so far; of so many calls */
};
#define NO_MARK UINT32_MAX

void percall_done(struct percall *p);

/* Before the records of a buffer: calls of another period of the recording have other data IDs and are forgotten. */
void percall_begin(struct percall *p, uint32_t thread, uint32_t period);

/* The next record of a thread. False: it is left out. `roles` has an entry for each of `ids` data IDs. What there is no
 * memory for is kept. */
bool percall_keeps(struct percall *p, uint32_t thread, const struct record *r, const uint8_t *roles, uint32_t ids);
/* Counts a record that is kept, after percall_take. */
void percall_count(struct percall *p, uint32_t thread, const struct record *r, const uint8_t *roles);

struct left_out {
    uint32_t id;
    uint64_t value, stamp, time;
};
/* The EVENTS_LEFT_OUT that is due in the thread. False: none. */
bool percall_due(const struct percall *p, uint32_t thread);
bool percall_take(struct percall *p, uint32_t thread, struct left_out *out);

#endif
