/* derive_encoder.h - what the parts of the writer of derived chunks share: derive_write.c begins and ends chunks,
 * derive_event.c puts one event, derive_records.c puts records of the hook. Inline functions are on the hot path. */
#ifndef FORMATS_DERIVE_ENCODER_H
#define FORMATS_DERIVE_ENCODER_H

#include "formats/derive_blocks.h"
#include "formats/derive_write.h"
#include "formats/followers.h"

enum { ARGUMENTS_MAX = 256 };

/* How the records are put that begin with a data ID. */
enum record_form {
    RECORD_UNKNOWN,   /* not yet found out */
    RECORD_STRAIGHT,  /* implied events and inputs of one frame, two values at most */
    RECORD_PLAIN,     /* the same with what `flags` says, or more values */
    RECORD_ENTRY,     /* an entry with all its parameters, and implied events behind them */
    RECORD_EVENTS,    /* one by one */
    RECORD_BY_CALLER, /* one by one, by the caller of derive_put_record */
};
enum record_flag {
    RECORD_RETURNS = 1,   /* the first event is the return of a call */
    RECORD_CALLS = 2,     /* the event number `call` begins a call */
    RECORD_ARGUMENTS = 4, /* of a call that began before */
    RECORD_LAST = 8,      /* the last event is the last one of a call */
    RECORD_EXITS = 16,    /* the last event is the exit of the method */
    RECORD_FLOATS = 32,   /* a value may be a NaN */
    RECORD_CATCH = 64,    /* the first event is a CATCH */
};
/* An entry per data ID, read all the time: few bytes. */
struct record {
    uint32_t method;          /* derive_frame.method */
    struct block_place place; /* of its first event; 0 without SITE_INPUTS */
    uint8_t form, flags;
    uint8_t events, values;
    uint8_t call;                      /* RECORD_CALLS; of RECORD_ENTRY: how many parameters */
    uint8_t at[JOURNAL_RECORD_VALUES]; /* of a value: number of its event | VALUE_STORED, VALUE_REFERENCE */
};
enum { STRAIGHT_VALUES = 2, VALUE_STORED = 0x80, VALUE_REFERENCE = 0x40, VALUE_AT = 0x3f };
_Static_assert(JOURNAL_RECORD_EVENTS <= (int)VALUE_AT, "a number of an event fits");
_Static_assert(sizeof(struct record) <= 20, "three a cache line");

/* Of an entry: 1 + the data ID of the call that it was last compared with, 0 none, and encoder_parameters of it. */
struct entry_fit {
    uint32_t call, parameters;
};

struct derive_encoder {
    struct derive_tables tables;
    struct derive_thread *t;
    uint32_t count;
    uint64_t check;
    uint32_t named_at; /* number of the last event of put_named */
    uint64_t stamp;    /* of the events from stamp_event on, which is UINT32_MAX before the first record */
    uint32_t stamp_event;
    struct derived_rest rest;
    struct followers followers;
    uint64_t arguments[ARGUMENTS_MAX]; /* of the call that begins at t->call_at: values of its events */
    uint32_t call;                     /* data ID of that event */
    bool reset;
    bool full;        /* in the middle of events that come before a record */
    uint64_t dropped; /* events without a value, which is not known */
    bool bad;         /* too many events, no memory, or a data ID without a row */
    /* The place of the event that has that data ID: of the last one of the top frame, most of the time. */
    struct block_place at;
    uint32_t at_id;
    uint32_t running;           /* derive_frame.method of the top frame in DERIVE_RUNS; else UINT32_MAX */
    VEC(struct record) records; /* by data ID, as the following ones */
    VEC(struct entry_fit) fits;
    struct blocks blocks;
    struct chunk_encoder *chunks;
    struct writer explicit_events, stamps, times;
    uint32_t explicit_count, stamp_count, time_count, explicit_last, stamped_event, timed_event;
    uint64_t stamped; /* the last one in `stamps`, and its event */
    uint64_t time;    /* the last one in `times` */
};

/* After a step of the state. */
static inline void set_running(struct derive_encoder *e)
{
    e->running = e->t->state == DERIVE_RUNS ? derive_top(e->t)->method : UINT32_MAX;
}

/* ---- one event ---- */

static inline bool is_nan(bool is_float, bool is_double, uint64_t value)
{
    return (is_double && (value & INT64_MAX) > UINT64_C(0x7ff0000000000000)) ||
           (is_float && (value & INT32_MAX) > 0x7f800000);
}

/* Event `i`. */
static inline void store_if(struct derive_encoder *e, bool stored, uint32_t i, uint32_t id, uint64_t value)
{
    e->rest.stored.ids[e->rest.stored.count] = id;
    e->rest.stored.values[e->rest.stored.count] = value;
    e->rest.stored.count += stored;
    e->check += derive_check(0, i, id, value) & (0 - (uint64_t)stored);
}

/* Event `i`, which is named. */
void encoder_store_named(struct derive_encoder *e, uint32_t i, uint32_t id, uint64_t value);

/* Puts the next event, the first of `more` of a record, whose stamp is noted. False: the chunk is full. */
bool encoder_put_event(struct derive_encoder *e, uint32_t id, const uint64_t *values, uint32_t known, uint32_t more);

/* The event `i` begins a call. */
static inline void begin_call(struct derive_encoder *e, uint32_t i, uint32_t id, uint64_t value)
{
    e->t->call_at = i;
    e->call = id;
    e->arguments[0] = value;
}

static inline void note_argument(struct derive_encoder *e, uint32_t i, uint64_t value)
{
    if (i - e->t->call_at < ARGUMENTS_MAX) /* wraps if there is no call */
        e->arguments[i - e->t->call_at] = value;
}

static inline unsigned kind_of(const struct derive_encoder *e, uint32_t id)
{
    return e->tables.kinds.letters[id] & 0x7fu;
}

/* Event `i` is an entry right after a call, with its arguments, and is not recorded whole. derive_frame.last_id of the
 * new frame is not set. */
void encoder_enter_direct(struct derive_encoder *e, uint32_t i, uint32_t id, uint32_t method);

/* Number of parameters of the entry `id`, whose kinds are those of the arguments of the call that ends right before
 * event `i`; UINT32_MAX if they are not. */
uint32_t encoder_parameters(struct derive_encoder *e, uint32_t id, uint32_t i);

/* Is event `i` an entry right after a call? */
static inline bool is_called(const struct derive_thread *t, uint32_t i)
{
    return t->state == DERIVE_OPEN && t->called == i && i > 0;
}

/* ---- events that no record has ---- */

/* Counts the `n` events of the top frame in front of that of `id`, or as many as the chunk takes if there must be room
 * for `more`. */
bool encoder_count_implied(struct derive_encoder *e, struct derive_frame *top, uint32_t id, uint32_t n, uint32_t more);

/* Counts the events between the last one of the top frame and that at the place `q` of `id`, whose method it is, and
 * which comes next. False: the chunk is full. */
static inline bool count_implied_to(struct derive_encoder *e, struct derive_frame *top, uint32_t id,
                                    struct block_place q, uint32_t more)
{
    if (e->at_id != top->last_id) {
        const struct block_place *p = blocks_place(&e->blocks, top->last_id);
        if (p == NULL) {
            e->bad = true;
            return true;
        }
        e->at = *p;
        e->at_id = top->last_id;
    }
    const uint32_t n = blocks_between(e->at, q);
    if (e->count + n + more > CHUNK_EVENTS_MAX)
        return encoder_count_implied(e, top, id, n, more);
    e->count += n;
    return true;
}

static inline bool count_implied(struct derive_encoder *e, struct derive_frame *top, uint32_t id, uint32_t more)
{
    const struct block_place *q = blocks_place(&e->blocks, id);
    if (q == NULL) {
        e->bad = true;
        return true;
    }
    return count_implied_to(e, top, id, *q, more);
}

/* Counts the events of the top frame up to an exception of the instruction at `pc` of its code. */
bool encoder_count_implied_thrown(struct derive_encoder *e, struct derive_frame *top, uint32_t id, uint32_t pc,
                                  uint32_t more);

static inline bool has_inputs(const struct derive_frame *top, uint32_t row)
{
    return (row & SITE_INPUTS) != 0 && top != NULL && top->method == row >> SITE_METHOD_SHIFT && !top->recorded;
}

/* ---- stamps ---- */

/* Appends the stamp to `stamps` if it has an event: a record can have none. */
void encoder_write_stamp(struct derive_encoder *e);

static inline void note_stamp(struct derive_encoder *e, uint64_t stamp)
{
    if (stamp == e->stamp && e->stamp_event != UINT32_MAX)
        return;
    encoder_write_stamp(e);
    e->stamp = stamp;
    e->stamp_event = e->count;
}

#endif
