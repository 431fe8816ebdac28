/* tree_equal.h - parts of a thread in which one frame makes nothing but calls of one shape, for tree.c.
 *
 *     chunks    |  call call call | call call call | call call call | call other
 *     tree        call x3           .....  x6  .....                  goes on here
 *
 * The index has, of such a chunk, how many calls it has and a hash of one (index/section_repeats.c). */
#ifndef READER_TREE_EQUAL_H
#define READER_TREE_EQUAL_H

#include "reader/index/index.h"

struct tree_equal {
    struct repeat_scan scan;
    uint32_t stream;
    uint64_t check_at; /* events before this position lie in a chunk that was looked at */
    bool off;
};
struct equal_calls {
    uint64_t calls; /* of the frame, that are passed over */
    uint64_t seq;   /* where its next event is, or a later one of the frame itself */
};
/* Turned off if there is no index, or the recording is in parts. */
void tree_equal_init(struct tree_equal *s, hs_trace *t, uint32_t stream);
/* Is tree_equal_find to be tried before the event at `position`? Once a chunk is enough. */
static inline bool tree_equal_due(const struct tree_equal *s, uint64_t position)
{
    return !s->off && position >= s->check_at;
}
/* Before an entry at `position` with `depth` calls open, of which the innermost has made a call last whose entry is at
 * `last`: how many calls like that follow, with nothing else between them, and end before `until`. The caller has seen
 * each event of the chunk from its first whole call on. False: none that need not be read. */
bool tree_equal_find(struct tree_equal *s, size_t depth, uint64_t last, uint64_t position, uint64_t until,
                     struct equal_calls *out);

#endif
