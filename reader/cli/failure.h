/* failure.h - a test that failed: where, what was expected and what came, and what led to it.
 *
 * failure.c finds the place and the values, and asks the others for their parts:
 *     failure_cause.c       the exception that the page is about, and its frames
 *     failure_steps.c       the steps by which a value came, as lines of the program
 *     failure_compare.c     where two objects differ
 *     failure_changes.c     what was done to collections and objects on the way
 *     failure_frames.c      the frames, as text and JSON
 *     failure_around.c      threads, races, an exception that was not thrown, the test when it passed */
#ifndef READER_CLI_FAILURE_H
#define READER_CLI_FAILURE_H

#include "formats/arena.h"
#include "formats/vec.h"
#include "reader/cli/test_rows.h"

/* A step back: what one line of the program did to the value. */
struct failure_step {
    struct hs_event event;
    const char *because;                /* NULL: the step is explained further up */
    const char *role;                   /* what it was to the step above, `because` begins with it; NULL: its value */
    const char *end;                    /* why the chain ends; NULL: it goes on */
    const struct hs_decision *decision; /* the branch that it stands under; NULL: none, or that of the step above */
    bool chosen;                        /* that branch says what the value is */
    unsigned depth;
    size_t again; /* so often the place gave another value that is not shown, as in a loop */
    /* not NULL: steps to something else begin here, such as a value that this branch looked at */
    const struct hs_decision *of;
    const char *part; /* ... or a part of an object, as text */
};
struct failure_call { /* of the assertion */
    uint64_t seq;
    const char *owner, *name;
    VEC(struct hs_event) arguments;
};
struct failure_swallowed {
    struct hs_exception x; /* without exits and `first` */
    struct hs_event first;
};
/* A place in which expected and actual differ. */
struct failure_difference {
    const char *path; /* "[2].price"; "": the values themselves */
    bool has_expected, has_actual;
    struct hs_value expected, actual;
    uint64_t seq;   /* at which the actual part was put there; HS_NO_SEQ: not known */
    bool is_text;   /* two strings */
    uint64_t first; /* of texts: so many units at their begin are equal */
    uint64_t last;  /* ... and so many at their end */
};
/* What was done to an object of code that is not woven by one line, or by a method on an object of the program. */
struct failure_change {
    uint32_t object;
    struct hs_event event; /* the last time: the CALL, or the METHOD_ENTRY */
    const char *what;      /* "ArrayList.remove"; NULL: a method of the program ran */
    bool made;             /* it is where the object was made, `what` is "made" */
    uint64_t times, first; /* seq of the first time */
    uint32_t called_back;  /* a method of the program that ran meanwhile; UINT32_MAX: none */
    int32_t back_line;     /* of it */
    uint64_t read;         /* not HS_NO_SEQ: it ran between a write and this read of a field of the object */
    bool waited;           /* it ran since a thread waits for the object to be notified, up to `read` */
    const struct hs_decision *decision;
};
/* Where this test and a run of it that passed went different ways; or lines that only it came to. */
struct failure_other {
    const struct hs_test *passed; /* NULL: none */
    struct hs_event here, there;  /* the first events that differ */
    bool has_here, has_there;
};
struct failure_line {
    uint32_t method_id;
    int32_t line;
    struct hs_event event; /* the first time */
};
typedef VEC(struct hs_frame) failure_frame_vec;
struct failure {
    struct test_row row;
    uint64_t thrown;  /* seq of the first event that shows the exception; HS_NO_SEQ: none */
    uint32_t cause;   /* the exception for which that of the test was thrown: `thrown` is of this one; 0: none */
    uint64_t entered; /* seq at which the test method was entered; HS_NO_SEQ: not recorded */
    uint64_t moment;  /* of the frames: `thrown`; of a test that has not ended the last event of its thread; of an
                         exception that no event shows the call that its stack trace names; HS_NO_SEQ: none */
    uint64_t until;   /* of the other threads: `moment`, or when a test that took too long was stopped */
    bool stopped;     /* it took too long, or has not ended */
    uint32_t thread;  /* that the test method ran in */
    /* seq of the first InterruptedException there, and in any thread during the test; HS_NO_SEQ: none */
    uint64_t interrupted, any_interrupted;
    uint64_t compared; /* of what the values held: before the assertion was given them; else as `moment` */
    uint64_t expected_at, actual_at; /* `compared`, or earlier: before an earlier call was given them */
    failure_frame_vec frames;        /* of the program, innermost first, down to the outermost before the framework */
    struct failure_call assertion;   /* seq HS_NO_SEQ: none, it is no assertion that is known */
    bool has_expected, has_actual;
    struct hs_event expected, actual; /* events that have these values */
    VEC(struct failure_difference) differences;
    size_t more_differences;
    VEC(struct failure_step) steps; /* from `actual`, or of another exception from `thrown` */
    size_t more_steps;
    bool more_unknown; /* there are still more */
    VEC(struct failure_change) changes;
    VEC(struct failure_swallowed) swallowed;     /* by code of the program during the test */
    VEC(const struct hs_absence *) absences;     /* of the throw of an exception that was expected */
    VEC(const struct hs_thread_state *) threads; /* that run code of the program, when it failed */
    VEC(struct hs_race) races;
    bool races_left_out; /* the trace is too long to look for them on a page */
    struct failure_other other;
    VEC(struct failure_line) only; /* lines of the program that this test came to, and none of its class that passed */
    VEC(hs_cursor *) cursors;      /* what all of this points into */
    struct arena arena;
};
/* All tests of the trace. */
struct failure_tests {
    VEC(struct hs_test) list;
};
/* 0, or -1; failure_free in either case. */
int failure_find(hs_trace *t, const struct failure_tests *tests, const struct hs_test *test, struct failure *out,
                 struct hs_error *error);
void failure_free(struct failure *f);
/* The line of an event; of an exception that leaves a method or comes to a handler, that of what has thrown it. */
struct spot failure_spot(hs_trace *t, const struct hs_event *e);

#endif
