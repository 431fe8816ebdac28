/* tree_skip.h - parts of a thread in which a tree that ends at a depth has no call.
 *
 *     depth 0   main ------------------------------------------------------------
 *           1     parse -----  compile ------------------------------------------
 *           2                    unit ----------------------------  unit --------
 *           3                      a  b  a  b  ...    chunks ...        c
 *
 * With `--depth 1` the calls of `compile` count, but what `unit` calls does not: while the same `unit` is open before a
 * chunk and before a later one, nothing between them belongs to the tree. The keyframes of the index have these
 * frames. */
#ifndef READER_TREE_SKIP_H
#define READER_TREE_SKIP_H

#include "reader/index/index.h"

/* A call that is open: its method, and the position of its METHOD_ENTRY. */
struct skip_frame {
    uint32_t method_id;
    uint64_t entry;
};
struct tree_skip {
    hs_trace *trace;
    struct frame_scan scan;
    uint32_t stream;
    uint64_t check_at; /* events before this position lie in a chunk that was looked at */
    bool off;
    VEC(struct skip_frame) frames; /* of the caller: open calls that have to stay open, outermost first */
    VEC(struct skip_frame) found;  /* all that are open where tree_skip_find has led to */
};
/* Turned off if the index has no keyframes, or the recording is in parts. */
void tree_skip_init(struct tree_skip *s, hs_trace *t, uint32_t stream);
void tree_skip_done(struct tree_skip *s);
/* Is tree_skip_find to be tried before the event at `position`? Once a chunk is enough. */
static inline bool tree_skip_due(const struct tree_skip *s, uint64_t position)
{
    return !s->off && position >= s->check_at;
}
/* With the calls open before the event at `position` in `frames`: finds the last chunk of the thread before which they
 * all are still open, and the seq at which it begins. False: that is the chunk of the event. */
bool tree_skip_find(struct tree_skip *s, uint64_t position, uint64_t *to_seq);

#endif
