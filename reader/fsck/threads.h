/* threads.h - a thread and its frames, as the check follows them */
#ifndef READER_FSCK_THREADS_H
#define READER_FSCK_THREADS_H

#include "reader/fsck/facts.h"

/* FRESH: the object made by the `new` at pc v (UINT32_MAX: `this`), not initialized */
enum known { UNKNOWN, KNOWN, FRESH };
struct slot {
    uint64_t v;
    uint32_t known;
};

enum call_state { CALL_NONE, CALL_WAITS, CALL_INSIDE, CALL_RETURNED, CALL_THREW };

struct fframe {
    struct method *method;
    uint64_t entered; /* seq */
    uint32_t insn;
    uint16_t at; /* events of this side so far */
    uint8_t side;
    bool is_callee; /* certainly entered by the call of the frame below */
    uint8_t call;   /* enum call_state, of its current call */
    bool thrown_known;
    bool replaced;        /* `thrown` was by a method with monitors: another exception may have come in its place */
    bool left_out;        /* its last event is EVENTS_LEFT_OUT: where it stands is not known */
    bool initialized;     /* constructors: this(...) or super(...) has returned */
    bool returned_hidden; /* the callee returned a number without saying which */
    size_t base;          /* in thread.slots: locals, then stack */
    uint32_t depth;       /* slots on the stack */
    uint64_t thrown, returned, object, index;
    uint64_t self;         /* constructors: the object; 0 not known yet */
    uint64_t made;         /* the object whose constructor the last call ran, 0 not known */
    uint64_t last;         /* seq of its last event */
    struct method *target; /* method of the call, NULL if not certain */
};

struct fthread {
    VEC(struct fframe) frames;
    VEC(struct slot) slots;
    uint64_t epoch_any, epoch_hard; /* heap.c: counters of unknown code that ran */
    uint64_t pending_seq;           /* of a violation that an error of the JVM would excuse */
    char *pending;                  /* its text, NULL none */
    enum rule pending_rule;
    struct method *returned; /* the last event is the METHOD_NORMAL_EXIT of this method; NULL: another one */
    bool lost;               /* a chunk could not be read */
    /* an interval began in the middle of its frames (reader/trace/windows.c): the outer ones appear when they
     * continue */
    bool rootless;
    uint64_t gap; /* gap_passed */
    struct {
        bool there, erased_by_entry, hidden; /* by redact= */
        uint64_t key, value, object;
        struct ffield *field;
        uint32_t frame; /* index */
        bool is_array;
    } store; /* a store whose instruction has not completed */
};

#endif
