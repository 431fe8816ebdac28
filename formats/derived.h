/* derived.h - chunks of the stream without the events that follow from bytecode (option derive=on).
 *
 * The class files are in the trace. Executing a method from its entry gives the next event and, for most events, its
 * value: these are implied, and not in the chunk. A derived chunk stores the inputs alone: values that were read from
 * the heap, results of calls that are not woven, new objects, exceptions, and which method a call entered. The reader
 * executes the code and gets back all events (reader/derive).
 *
 *     implied    not in the chunk: the code gives the event and its value
 *     stored     in the chunk. An input is stored with its value alone, since the code gives its data ID
 *     named      stored with its data ID
 *     explicit   named, where the state below expects another event: its number in the chunk is in a list
 *
 * Both sides follow a thread with the same state, struct derive_thread, which depends on nothing but the events so far:
 *
 *     OPEN     code that is not woven runs, or a frame that is recorded whole: the next event is named
 *     RUNS     the code of the top frame gives the next event, if it is not explicit
 *     RETURNS  a woven method returned to a woven call: CALL_RETURN with the same value, if it is not explicit
 *
 * In OPEN an entry right after a call of a woven frame is explicit if its arguments are not those of the call: then its
 * parameters are stored. */
#ifndef FORMATS_DERIVED_H
#define FORMATS_DERIVED_H

#include "formats/bytes.h"
#include "formats/chunk.h"
#include "formats/event.h"
#include "formats/vec.h"

/* What a method must have to be followed: these groups, and not more locals and stack than this. */
enum { DERIVE_REGISTERS_MAX = 65000 };
#define DERIVE_GROUPS                                                                                                  \
    (GROUP_BIT(EXEC) | GROUP_BIT(CALL) | GROUP_BIT(PARAM) | GROUP_BIT(FIELD) | GROUP_BIT(ARRAY) | GROUP_BIT(OBJECT) |  \
     GROUP_BIT(LOCAL) | GROUP_BIT(LABEL))

/* The role of a data ID: what its event is to a derived chunk. Bits of a row of derive_sites, beside the number of its
 * method. */
enum site_role {
    SITE_IMPLIED, /* the code gives event and value */
    SITE_INPUT,   /* the code gives the event, but not its value */
    SITE_ENTRY,
    SITE_PARAMETER,
    SITE_EXIT,
    SITE_THROWN, /* METHOD_EXCEPTIONAL_EXIT */
    SITE_CAUGHT, /* CATCH_LABEL */
    SITE_CALL,
    SITE_ARGUMENT,
    SITE_RESULT,
    SITE_EXPLICIT,  /* always explicit: elements of new arrays of arrays */
    SITE_BLOCK,     /* implied, and begins a block: code between two of them is straight */
    SITE_NEVER,     /* not in the stream */
    SITE_BLOCK_END, /* not in the stream; ends a block */
    SITE_ROLE = 15,
    SITE_FLOAT = 16, /* the value is implied, unless it is a NaN, whose bits are not */
    SITE_DOUBLE = 32,
    /* Of an event without a value: a constructor is called or entered. Its receiver is the first argument, though the
     * event does not show it. */
    SITE_CONSTRUCTOR = SITE_FLOAT | SITE_DOUBLE,
    SITE_LAST = 64,       /* the last event before a call */
    SITE_RECORDED = 128,  /* all events of the method are recorded: its code cannot be followed */
    SITE_INPUTS = 256,    /* of a method whose hooks record inputs alone (method_row.inputs) */
    SITE_VALUELESS = 512, /* with SITE_INPUTS: recorded without its value, or not at all */
    SITE_AFTER = 1024,    /* it comes behind its instruction: not if that one throws */
    SITE_METHOD_SHIFT = 11,
};

/* By data ID: number of the method << SITE_METHOD_SHIFT | enum site_role. Borrowed; may grow between calls. */
struct derive_sites {
    const uint32_t *rows;
    uint32_t count;
};
/* A data ID: number of its method, event, event of the data ID behind it, kind letter, method_row.followed, .inputs; is
 * it the CALL of a constructor, or the METHOD_ENTRY of one? */
struct derive_site {
    uint32_t method;
    unsigned event, next, kind;
    bool followed, inputs, constructor;
};
/* Is an event of this type recorded without its value, or not at all, in a method that records inputs alone? */
bool derive_event_valueless(unsigned event);
/* Does it come behind its instruction? */
bool derive_event_after(unsigned event);
uint32_t derive_site_row(const struct derive_site *site); /* never 0 */

enum derive_state { DERIVE_OPEN, DERIVE_RUNS, DERIVE_RETURNS };
enum { DERIVE_NO_CALL = UINT32_MAX };
/* One frame more, and those below are forgotten: both sides know nothing of them any more. A stack of 1 GB, the most
 * that -Xss gives, has as many if each takes 32 bytes, as those of the smallest methods do. */
enum { DERIVE_FRAMES_MAX = 1 << 25 };

struct derive_frame {
    uint32_t method;
    uint32_t pending_call; /* data ID of the last event before the call that runs; DERIVE_NO_CALL */
    bool recorded;         /* all its events are stored */
    bool direct;           /* its parameters are the arguments of the call of the frame below */
    bool interrupts;       /* entered in the middle of straight code, as a class initializer is */
    uint32_t last_id;      /* data ID of its last event, the encoder's program counter; with SITE_INPUTS alone */
};

/* Zero is the begin of a thread. */
struct derive_thread {
    VEC(struct derive_frame) frames;
    uint8_t state;
    uint64_t returned; /* RETURNS: the value */
    uint32_t call_at;  /* number in the chunk of the CALL event of the last call; UINT32_MAX: not in it */
    uint32_t called;   /* number in the chunk of the event after the last call; 0 none */
    uint32_t named;    /* data ID of the last named event of the chunk; 0 none */
};
void derive_forget(struct derive_thread *t); /* events are missing: as at the begin */
static inline void derive_begin_chunk(struct derive_thread *t)
{
    t->called = t->named = 0;
    t->call_at = UINT32_MAX;
}
static inline struct derive_frame *derive_top(struct derive_thread *t)
{
    return t->frames.count > 0 ? &t->frames.items[t->frames.count - 1] : NULL;
}

/* Where the code does not give the next event, its data ID is stored: it is named (chunk_name). It is predicted from
 * this data ID: */
static inline uint32_t derive_named_after(struct derive_thread *t)
{
    const struct derive_frame *top = derive_top(t);
    return top != NULL && !top->recorded && top->pending_call != DERIVE_NO_CALL ? top->pending_call : t->named;
}

/* The steps of the state. An event that the code of the top frame gives, and that is not explicit: */
static inline void derive_call(struct derive_thread *t, struct derive_frame *top, uint32_t id, uint32_t at)
{
    top->pending_call = id;
    t->called = at + 1;
    t->state = DERIVE_OPEN;
}
void derive_exit(struct derive_thread *t, uint64_t value);
/* A named event, explicit or not. What it was for the top frame: */
enum derive_move {
    MOVE_ENTERED, /* a new top frame */
    MOVE_LEFT,    /* the top frame left (frames above that of the event are removed first) */
    MOVE_CAUGHT,  /* the top frame continues in a handler */
    MOVE_RETURNED,
    MOVE_NEXT,     /* the next event of the code of the top frame, whose state is RUNS */
    MOVE_RECORDED, /* of a frame that is recorded */
    MOVE_FOREIGN,  /* of no frame that is known */
    MOVE_EXTRA,    /* SITE_EXPLICIT in RUNS */
    MOVE_NO_MEMORY,
};
enum derive_move derive_event(struct derive_thread *t, uint32_t id, uint32_t row, uint64_t value, bool direct);

/* Adds to the check value of a chunk its event number `i`, which is stored: the reader, which executes the code in
 * between, must come to that number. */
#define DERIVE_CHECK_ID    UINT64_C(0x9e3779b97f4a7c15)
#define DERIVE_CHECK_EVENT UINT64_C(0xc2b2ae3d27d4eb4f)
static inline uint64_t derive_check(uint64_t check, uint32_t i, uint32_t id, uint64_t value)
{
    return check + (value + id * DERIVE_CHECK_ID) * (DERIVE_CHECK_EVENT + 2 * i);
}

/* Flags of a chunk. */
enum { DERIVED_RESET = 1, DERIVED_TIMED = 2 };

/* With times each record of the hook has one. The list has it as a number, which is the sum of those so far: the time
 * since that of the record before << DERIVED_SPAN_BITS | the events of the record that come behind its first. */
enum { DERIVED_SPAN_BITS = 5 };

/* Sets the checksum of the derived chunk that begins at `start` of `out` and ends there. */
void derived_set_checksum(struct writer *out, size_t start);

/* ---- reading ---- */

/* A derived chunk, unpacked. Arrays are owned. The data IDs and values of stored events are filled in by whoever takes
 * them from `pull` (chunk_pull.h), in order, since most of these data IDs follow from the code. */
struct derived_chunk {
    bool reset;                 /* it begins with the state of a new thread */
    uint32_t count;             /* events in all */
    uint32_t stored;            /* of those that are stored: */
    struct chunk_decoder *pull; /* borrowed */
    uint32_t *ids;
    uint64_t *values;
    u32_vec explicit_events; /* rising */
    u32_vec stamp_events;    /* rising: the first event with the stamp in `stamps` */
    u64_vec stamps;
    bool timed;
    u32_vec time_events; /* with times: rising, the first event of a record (derive_time) */
    u64_vec times;
    uint64_t check;
};
/* As chunk_repack. */
enum status derived_chunk_repack(const void *blob, size_t size, struct writer *out, struct error *err);
void derived_chunk_done(struct derived_chunk *c);
bool derived_is(const void *blob, size_t size);
/* The chunk of the stored events inside it. */
bool derived_chunk_stored(const void *blob, size_t size, const void **stored, size_t *stored_size);
/* Reads a chunk into `c`, which is reused. The decoder is needed as long as the chunk. Any bytes are safe. */
enum status derived_chunk_read(struct derived_chunk *c, struct chunk_decoder *d, struct kind_table kinds,
                               const void *blob, size_t size, struct error *err);

#endif
