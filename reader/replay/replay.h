/* replay.h - the public header of this folder: state derived from the events of one thread, applied in order.
 *
 * replay.c keeps frames, locals and monitors; costs.c times of calls; fold.c repeated sequences. None of them reads a
 * trace: the caller passes the events. */
#ifndef READER_REPLAY_H
#define READER_REPLAY_H

#include "formats/calls.h"
#include "reader/code/code.h"

/* ---- replay.c ----
 *
 * The frames of one thread: replaying its events gives the stack, the locals and the monitors held at any
 * moment.
 *
 *     events     ENTRY main  STORE x  CALL f  ENTRY f  PARAM  ...      <- "before position p" is a moment
 *     frames     main {x}                     f {a}
 *
 * State at a moment is the keyframe of its chunk and a replay of less than a chunk (index/frames_at.c). Entries and
 * exits that do not pair (recording began inside a method, methods without EXEC) lose only the frames concerned. */
#define NO_POSITION UINT64_MAX

struct local {
    uint64_t value, position; /* position of the event that wrote it */
    uint32_t id;              /* its data ID; UINT32_MAX: not known */
};

/* A monitor that a frame entered by MONITORENTER. Those of synchronized methods follow from the frames. */
struct monitor {
    uint64_t object, position, stamp; /* position and stamp of its MONITOR_ENTER_RESULT */
    size_t depth;                     /* of its frame in the stack */
};

struct call_frame {
    uint32_t method;
    uint64_t entry; /* position of its METHOD_ENTRY, NO_POSITION if that was not recorded */
    uint64_t entry_stamp;
    uint64_t last;  /* position of its latest event */
    uint64_t calls; /* that it made directly, up to here */
    uint32_t last_id;
    uint32_t entry_id; /* UINT32_MAX if not recorded */
    bool has_self;
    uint64_t self;        /* object id */
    size_t first_local;   /* in replay.locals */
    uint32_t local_count; /* slots */
};

struct replay {
    hs_trace *trace;
    uint32_t stream;
    uint64_t position; /* of the next event to be applied */
    VEC(struct call_frame) stack;
    VEC(struct local) locals;
    VEC(struct monitor) monitors; /* held, by depth, then in the order of entering */
    uint64_t gap;                 /* gap_passed: of the events applied so far */
    size_t untouched;             /* frames that were not on top since the last keyframe */
    bool no_memory;
};

void replay_init(struct replay *f, hs_trace *t, uint32_t stream);
void replay_done(struct replay *f);
void replay_clear(struct replay *f); /* no frame is open, before event 0 */
/* Makes `f`, of the same trace, a copy. False: out of memory, and `f` is of no stream. */
bool replay_copy(struct replay *f, const struct replay *from);
/* Called before replay_apply by users that track the end of frames: if events are missing before this stamp, all frames
 * are removed. */
void replay_gap(struct replay *f, uint64_t stamp);
/* Applies the next event of the thread. */
void replay_apply(struct replay *f, uint32_t id, uint64_t value, uint64_t stamp);
/* Applies the next events, up to `count`, as long as they are of the frame on top, leave the stack as it is, have the
 * stamp of the first and no type of `stop` (by event type). Returns how many: most of them come in such runs. */
uint32_t replay_run(struct replay *f, const uint32_t *ids, const uint64_t *values, const uint64_t *stamps,
                    uint32_t count, const bool *stop);

static inline const struct call_frame *replay_top(const struct replay *f)
{
    return f->stack.count > 0 ? &f->stack.items[f->stack.count - 1] : NULL;
}

/* Keyframes: the state before a chunk. `shared` frames are those of the keyframe before in the same thread. */
void replay_encode(const struct replay *f, size_t shared, struct writer *w);
/* Replaces the frames from `shared` on by those of the keyframe. */
enum status replay_decode(struct replay *f, const void *data, size_t size, struct error *err);

/* ---- costs.c ----
 *
 * Times of calls: entries and exits of one thread in order, added up by method.
 *
 * It is used over all events (query/costs.c) and while the index is built (index/build.c), which keeps the sums
 * of each segment and the calls that were open behind it. */
/* Sums by method; min_ns is UINT64_MAX until a call was left. */
struct costs {
    hs_trace *trace;
    cost_vec list;
    u32_vec position; /* by method id; position in list + 1 */
    size_t clock_at;  /* cache of trace_clock_ns */
    bool left;        /* the last event ended a call that is known, which took: */
    struct call_took took;
};

/* NULL: out of memory. */
struct hs_cost *costs_of(struct costs *c, uint32_t method);
void costs_clear(struct costs *c); /* no sums, memory kept */
void costs_done(struct costs *c);
/* By method id. */
void costs_sort(struct costs *c);

/* The time of an event: `*time_ns`, or that of the coarse clock for NULL; `*clock_at` as in trace_clock_ns. 0 without a
 * clock. */
uint64_t call_time_ns(hs_trace *t, uint64_t stamp, const uint64_t *time_ns, size_t *clock_at);
/* Counts one event of the thread if it is an entry or exit. `times` NULL: the coarse clock. False: out of memory. */
bool costs_apply(struct costs *c, struct call_stack *s, const struct effect *f, uint64_t stamp,
                 const uint64_t *time_ns);

/* ---- fold.c ----
 *
 * Repeated sequences in a sequence of steps: each distinct path through a loop once, with its count.
 *
 *     steps of a call    A B C  A B C  A D  A B C  E         kept    (A B C) x3  (A D) x1  E
 *
 * A step is a call that a method makes, or a basic block; equal steps stand at one `site` and have one `hash`. When a
 * site occurs again the steps since its last occurrence were one round of a loop; a round equal to an earlier one is
 * dropped and counted, another one is kept as a further path. Loops nest, and a whole loop counts as one step of the
 * round around it. So hashes of whole sequences depend on the paths taken, but not on how often or in which order.
 *
 * Frames are a stack: while a step is being made, its own steps are folded in a frame above. The consumer keeps what
 * steps are (rows of a tree, symbols) in a list that only grows at its end, where dropped rounds are. */
struct fold_ops {
    /* Truncates the consumer's list to `length`. */
    void (*drop)(void *context, size_t length);
    /* The path that begins with step `handle` and has `steps` top-level kept steps was taken `times` times so far. The
     * result is passed again as `note` (FOLD_NO_HANDLE the first time), so that the consumer can find its own
     * record. */
    size_t (*repeat)(void *context, size_t handle, uint32_t steps, uint64_t times, size_t note);
};

/* Hash of a whole sequence. */
struct fold_sum {
    uint64_t hash;
    uint32_t length; /* steps, a loop with one path counted as one round of it */
};

struct fold {
    const struct fold_ops *ops;
    void *context;
    bool no_memory;
    VEC(struct fold_step) steps; /* of all frames */
    VEC(struct fold_path) paths; /* of the loops in `steps` */
    VEC(struct fold_frame {
        size_t steps;
        size_t paths; /* where its own begin */
    })
    frames;
};
#define FOLD_NO_HANDLE SIZE_MAX /* a step that is not kept */

void fold_done(struct fold *f);
void fold_open(struct fold *f);
/* A step at this site begins in the frame on top: folds completed rounds before the consumer adds the step to its list.
 * */
void fold_next(struct fold *f, uint32_t site);
/* Adds the step: `length` of the list before it, and its `handle` there. */
void fold_add(struct fold *f, uint32_t site, size_t length, size_t handle);
/* The step that the frame made last, which is complete, is made `times` more: true if it is one round of the loop
 * before it. Behind them the frame is as if each had been added. */
bool fold_again(struct fold *f, uint64_t times);
/* Sets the hash of the frame's last step when the step is complete. */
void fold_hash(struct fold *f, uint64_t hash);
/* Closes the frame on top. */
struct fold_sum fold_close(struct fold *f);
/* Ends all loops, as if every frame were complete: later steps are folded independently of earlier ones. The hash of a
 * frame that is open covers later steps only. */
void fold_cut(struct fold *f);

static inline uint64_t fold_mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

#endif
