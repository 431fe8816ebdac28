/* nav.h - the state of a session, for the files of this folder. */
#ifndef READER_SESSION_NAV_H
#define READER_SESSION_NAV_H

#include "reader/cursor/cursor.h"
#include "reader/session/session.h"

/* The frames of one thread at the moment. */
struct nav_stack {
    uint32_t thread;
    hs_cursor *cursor; /* owns the frames; NULL: there are none */
    VEC(const struct hs_frame *) frames;
};

/* members.c: the field that a name means in an object of a class. */
struct nav_field_name {
    uint64_t type;            /* class_id of the object */
    const struct lineage *in; /* the class that was searched; NULL: the entry is free */
    bool own;                 /* it was not named */
    struct field field;
};
enum { NAV_FIELD_NAMES = 8 };

struct hit_place; /* hits.c: a breakpoint */
struct nav {
    hs_trace *trace;
    struct event_position at; /* of the moment's event */
    uint64_t seq, stamp;
    uint32_t thread;
    VEC(struct nav_stack) stacks; /* of the threads that were asked for since the last move */
    VEC(struct hit_place *) breaks;
    uint32_t last_break;       /* id */
    u32_vec hits;              /* of the last stop */
    struct throw_hits *thrown; /* throw_hits.c; NULL: not open */
    bool (*poll)(void *context);
    void *poll_context;
    struct field_watch *fields; /* of a watch, which only moves ahead; NULL: none */
    nav_pass_fn *pass;
    void *pass_context;
    struct nav_field_name names[NAV_FIELD_NAMES]; /* that were found last */
    size_t next_name;
};

static inline bool nav_cancelled(const struct nav *nav) { return nav->poll != NULL && nav->poll(nav->poll_context); }
static inline enum status nav_memory(const struct nav *nav, struct error *err)
{
    return error_memory(err, "%s", nav->trace->dir);
}

/* ---- moment.c ---- */

/* Drops the frames of the moment. */
void nav_forget(struct nav *nav);
/* Makes this event, with its seq, the moment. */
void nav_stand(struct nav *nav, const struct hs_event *e);
/* Position of the latest event of a stream up to the moment. ERR_NOT_FOUND: there is none (`err` is left alone). */
enum status nav_position(struct nav *nav, uint32_t stream, uint64_t *position, struct error *err);
/* Makes an event the moment. */
enum status nav_move(struct nav *nav, struct event_position to, struct error *err);

/* ---- frame_next.c ---- */

/* A frame of a stream: the `depth`th of its stack (0 is outermost), entered at `entry`. */
struct frame_id {
    uint32_t stream;
    size_t depth;
    uint64_t entry; /* NO_POSITION: before the recording */
    uint32_t method;
};
/* The stack that event `position` leaves behind, its own frame still there when it exits. `count` 0: no frame is open.
 * `top` is the innermost frame, `caller` the one below it if count > 1. */
enum status frame_of(struct nav *nav, struct event_position at, size_t *count, struct frame_id *top,
                     struct frame_id *caller, struct error *err);
/* members.c: a class of this name, of several that of the loader; of a name without a package also one whose own name
 * it is. NULL: there is none. */
const struct hs_class *class_typed(hs_trace *t, const char *name, uint64_t loader);
/* Walks along the events of one frame, its exit included, forwards: the counterpart of struct frame_walk. */
struct frame_ahead {
    struct nav *nav;
    struct frame_id frame;
    struct replay state; /* before `state.position` */
    uint64_t latest;     /* of the events of the frame that were seen */
    bool ready;
};
struct frame_step {
    uint64_t position;
    uint32_t dataid;
    bool left; /* the frame is not there any more before this event */
};
/* Begins behind the event `after`. */
void frame_ahead_begin(struct frame_ahead *a, struct nav *nav, const struct frame_id *frame, uint64_t after);
void frame_ahead_end(struct frame_ahead *a);
/* The next event of the frame, or the first one before which it is gone. ERR_NOT_FOUND: the thread ends before, or the
 * search was cancelled. */
enum status frame_ahead_next(struct frame_ahead *a, struct frame_step *out, struct error *err);

#endif
