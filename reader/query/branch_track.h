/* branch_track.h - the branches that a frame took, back from a moment: see branch_track.c. */
#ifndef READER_BRANCH_TRACK_H
#define READER_BRANCH_TRACK_H

#include "reader/index/index.h"

/* A LABEL behind a branch, or (`caught`) the CATCH_LABEL of a handler. */
struct branch {
    uint64_t position;
    int64_t steps; /* events of the frame between it and the begin of its track; less than 0: it is newer */
    uint32_t from, to : 31, caught : 1; /* instructions: the branch, or the one that threw; where it went */
};

/* Of the branches that decided one branch, those of earlier rounds of its loop, the newest first. `number`s of branches
 * rise towards older ones. */
struct branch_chain {
    uint32_t base;             /* the branch */
    VEC(int64_t) older, newer; /* numbers of branches; `newer` from the oldest on */
    uint32_t now;              /* the branch whose decision is looked for */
    int64_t next;              /* the number to go on with */
    bool over;                 /* `decision` is known: */
    int64_t decision;          /* what the loop stands under; NO_BRANCH: nothing in this frame */
    uint8_t *from, *to;        /* for the caller; freed with the chain */
};
#define NO_BRANCH INT64_MIN

struct branch_track {
    struct frame_walk walk;          /* behind the oldest branch */
    VEC(struct branch) older, newer; /* newer: from the oldest on */
    VEC(struct branch_chain) chains;
    int64_t walked; /* events of the frame up to `walk` */
    uint64_t used;
};

/* Where a walk over the branches of a frame began. */
struct branch_start {
    struct branch_track *track;
    int64_t number; /* of the first branch before the moment; of a branch, its own is the one before that */
    int64_t steps;  /* of the moment */
    int64_t most;   /* events of the frame that may be walked over from there */
};

/* Begins before `at` in the frame that is open there; `is_branch`: the event at `at` is one. ERR_NOT_FOUND: the frame
 * has no branch before it. ERR_LIMIT: none among the last `most` events. */
enum status branches_from(hs_trace *t, struct event_position at, const struct call_frame *frame, bool is_branch,
                          int64_t most, struct branch_start *out, struct error *err);
/* The branch of this number. ERR_NOT_FOUND, ERR_LIMIT: as above. */
enum status branches_get(hs_trace *t, struct branch_start *s, int64_t number, struct branch *out, struct error *err);

/* Events of the frame that were walked over where there is no further branch. */
static inline int64_t branches_walked(const struct branch_start *s)
{
    return (s->track != NULL ? s->track->walked : 0) - s->steps;
}

/* The chain of the branch `base` that has this number; `*link`: which of its links. NULL: none is kept. */
struct branch_chain *branch_chain_of(struct branch_track *track, uint32_t base, int64_t number, int64_t *link);
/* A new one that begins with this number. NULL: out of memory. */
struct branch_chain *branch_chain_new(struct branch_track *track, uint32_t base, int64_t number);
/* Adds an older link, or a newer one. False: out of memory. */
bool branch_chain_add(struct branch_chain *c, int64_t number, bool newer);

#endif
