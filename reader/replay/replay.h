/* replay.h - the frames of one thread: replaying its events gives the stack, the locals and the monitors held at any
 * moment.
 *
 *     events     ENTRY main  STORE x  CALL f  ENTRY f  PARAM  ...      <- "before position p" is a moment
 *     frames     main {x}                     f {a}
 *
 * State at a moment is the keyframe of its chunk (index.h) and a replay of less than a chunk; without an index, a
 * replay from the start of the thread. The last state is kept, so that a walk forwards costs each event once. Entries
 * and exits that do not pair (recording began inside a method, methods without EXEC) lose no more than the frames
 * concerned. */
#ifndef READER_REPLAY_H
#define READER_REPLAY_H

#include "reader/code/effects.h"
#include "reader/stream/positions.h"

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
    VEC(struct monitor) monitors; /* held, by depth and as they were entered */
    uint64_t gap;                 /* gap_passed: of the events applied so far */
    size_t untouched;             /* frames that were not on top since the last keyframe */
    bool no_memory;
};

void replay_init(struct replay *f, hs_trace *t, uint32_t stream);
void replay_done(struct replay *f);
void replay_clear(struct replay *f); /* no frame is open, before event 0 */
/* Before replay_apply, for who looks at frames that go: if events are missing before one of this stamp, no frame is
 * open any more. */
void replay_gap(struct replay *f, uint64_t stamp);
/* The next event of the thread. */
void replay_apply(struct replay *f, uint32_t id, uint64_t value, uint64_t stamp);

/* The state before event `at.position`, borrowed until the next call. */
enum status replay_at(hs_trace *t, struct event_position at, const struct replay **out, struct error *err);
void replay_forget(hs_trace *t);

static inline const struct call_frame *replay_top(const struct replay *f)
{
    return f->stack.count > 0 ? &f->stack.items[f->stack.count - 1] : NULL;
}

/* Keyframes: the state before a chunk. `shared` frames are those of the keyframe before in the same thread. */
void replay_encode(const struct replay *f, size_t shared, struct writer *w);
/* Replaces the frames from `shared` on by those of the keyframe. */
enum status replay_decode(struct replay *f, const void *data, size_t size, struct error *err);

/* Walks back over the events of one frame only, jumping over what it called where keyframes tell how far. */
struct frame_walk {
    hs_trace *trace;
    uint32_t stream, method;
    uint64_t entry;    /* NO_POSITION: back to the start of the thread, or of the interval */
    uint64_t begin;    /* events before this stamp are of another interval; NO_POSITION: not looked at yet */
    uint64_t position; /* events before it are still to come */
    uint32_t depth;    /* calls entered, seen from behind */
    bool done;
};
/* Begins before `at` in the frame that is open there (its top). */
void frame_walk_begin(struct frame_walk *w, hs_trace *t, struct event_position at, const struct call_frame *frame);
/* The event before; ERR_NOT_FOUND when METHOD_ENTRY was the last one (`err` left alone). */
enum status frame_walk_back(struct frame_walk *w, struct hs_event *out, struct error *err);

#endif
