/* frames.h - the event being checked, violations at it, and the frames of its thread.
 *
 * Each thread has a stack of frames of methods with EXEC. A frame has the position of its last event (instruction,
 * side, number of events of that side) and the known values of its operand stack and locals. */
#ifndef READER_FSCK_FRAMES_H
#define READER_FSCK_FRAMES_H

#include "reader/fsck/threads.h"

enum { TEXT_MAX = 400 };
/* Of all frames of a thread, half a gigabyte in a JVM: a few events can enter methods that have 65,535 slots. A check
 * that needs more ends (fsck.too_wide). */
enum { SLOTS_MAX = 1 << 26 };

/* The event that is checked. */
struct now {
    struct fsck *f;
    struct fthread *t;
    struct code_event *p;
    uint32_t id, thread;
    uint64_t value, seq, position; /* position in its thread */
    const struct method *returned; /* fthread.returned, of the event before */
};

void violation(struct now *n, enum rule rule, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* A violation, unless the next exception is an error that the JVM can throw anywhere (stack overflow inside a hook). */
void violation_unless_error(struct now *n, enum rule rule, const char *what);
/* Reports the pending violation, unless this event shows such an error. */
void settle_pending(struct now *n);

struct fframe *frame_top(struct fthread *t); /* NULL: no frame */
/* May the method write fields and elements without an event? Too long for its hooks, it has lost groups. */
bool hides_writes(const struct method *m);
/* Called when unknown code has run: it may have written any field or element. */
void run_unknown_code(struct fthread *t);
/* NULL: out of memory (f->no_memory), or too many slots (f->too_wide). */
struct fframe *frame_push(struct now *n, struct method *m, bool is_callee);
void frame_pop(struct now *n, bool normal, uint64_t value);
/* Moves the frame to the event; the values on its stack are unknown then. */
void frame_resync(struct now *n, struct fframe *fr, bool locals_too);
/* The frame of the event's method; frames above it are removed. A new frame if there is none, or NULL: as
 * frame_push. */
struct fframe *frame_find(struct now *n);

#endif
