/* failure.h - a test that failed: where, what was expected and what came, and the steps by which the value came. */
#ifndef READER_CLI_FAILURE_H
#define READER_CLI_FAILURE_H

#include "formats/vec.h"
#include "reader/cli/test_rows.h"

/* A step back: what one line of the program did to the value. */
struct failure_step {
    struct hs_event event;
    const char *because;                /* NULL: the step is explained further up */
    const char *end;                    /* why the chain ends; NULL: it goes on */
    const struct hs_decision *decision; /* the branch that it stands under; NULL: none, or that of the step above */
    unsigned depth;
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
struct failure {
    struct test_row row;
    uint64_t thrown;  /* seq of the first event that shows the exception; HS_NO_SEQ: none */
    uint64_t entered; /* seq at which the test method was entered; HS_NO_SEQ: not recorded */
    uint64_t moment;  /* of the frames: `thrown`, or of a test that has not ended the last event of its thread */
    VEC(struct hs_frame) frames;   /* of the program, innermost first, down to the outermost before the framework */
    struct failure_call assertion; /* seq HS_NO_SEQ: none, it is no assertion that is known */
    bool has_expected, has_actual;
    struct hs_event expected, actual; /* events that have these values */
    VEC(struct failure_step) steps;   /* from `actual`, or of another exception from `thrown` */
    size_t more_steps;
    VEC(struct failure_swallowed) swallowed; /* by code of the program during the test */
    hs_cursor *causes, *stack;               /* what steps and frames point into */
};
/* 0, or -1; failure_free in either case. */
int failure_find(hs_trace *t, const struct hs_test *test, struct failure *out, struct hs_error *error);
void failure_free(struct failure *f);

#endif
