/* build_frames.h - the StackMapTable of woven code: the original's frames at their new pcs, and those of what is behind
 * it. For build.c. */
#ifndef WEAVER_BUILD_FRAMES_H
#define WEAVER_BUILD_FRAMES_H

#include "weaver/build.h"

struct bare_handler {
    uint32_t start, end; /* pcs of the original code */
    uint32_t new_pc;     /* of the copy */
};
typedef VEC(struct bare_handler) bare_vec;

/* What comes behind the woven code. */
struct exits {
    bare_vec bare;
    uint32_t pc[2];      /* of the exceptional exit of initialized code, of uninitialized code; 0 not needed */
    uint32_t missed[2];  /* of the handlers of those; 0 not needed */
    uint32_t release[2]; /* of the handlers of those again */
};

/* Writes the content of the attribute. */
enum status build_frames(struct method_plan *m, const struct layout *l, const struct exits *exits, struct writer *w,
                         struct error *err);

#endif
