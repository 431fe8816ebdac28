/* fold.h - repeated sequences in a sequence of steps: each distinct path through a loop once, with its count.
 *
 *     steps of a call    A B C  A B C  A D  A B C  E         kept    (A B C) x3  (A D) x1  E
 *
 * A step is a call that a method makes, or a basic block; equal steps stand at one `site` and have one `hash`. When a
 * site comes again the steps since it was there were one round of a loop; a round like one before is dropped and
 * counted, another one is kept as a further path. Loops nest, and what a loop did counts as one step of the round
 * around it. So hashes of whole sequences say which paths were taken, not how often nor in which order of rounds.
 *
 * Frames are a stack: while a step is being made, its own steps are folded in a frame above. The consumer keeps what
 * steps are (rows of a tree, symbols) in a list that only grows at its end, which is where dropped rounds are. */
#ifndef READER_FOLD_H
#define READER_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/vec.h"

struct fold_ops {
    /* The consumer's list ends before `length` from now on. */
    void (*drop)(void *context, size_t length);
    /* The path that begins with step `handle` and has `steps` kept steps beside each other was taken `times` times so
     * far. The result is given again as `note` (FOLD_NO_HANDLE the first time), so that the consumer finds what it
     * noted. */
    size_t (*repeat)(void *context, size_t handle, uint32_t steps, uint64_t times, size_t note);
};

/* What a whole sequence hashes to. */
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
/* A step at this site begins in the frame on top: folds what is complete, before the consumer adds it to its list. */
void fold_next(struct fold *f, uint32_t site);
/* The step itself: the length of the list before it, and its place there. */
void fold_add(struct fold *f, uint32_t site, size_t length, size_t handle);
/* What the step on top of the frame was, known when it is over. */
void fold_hash(struct fold *f, uint64_t hash);
/* Closes the frame on top. */
struct fold_sum fold_close(struct fold *f);
/* Ends all loops, as if every frame were over: what comes next is folded without what was. The hash of a frame that was
 * open then is one of what comes next only. */
void fold_cut(struct fold *f);

static inline uint64_t fold_mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

#endif
