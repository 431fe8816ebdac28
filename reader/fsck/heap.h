/* heap.h - the last known values of fields and array elements */
#ifndef READER_FSCK_HEAP_H
#define READER_FSCK_HEAP_H

#include "reader/fsck/threads.h"

bool heap_init(struct fsck *f);
void heap_done(struct fsck *f);
void heap_finish(struct fsck *f); /* reports the differences that are still certain */
void heap_event(struct fsck *f, uint32_t thread, struct fthread *t, struct fframe *fr, const struct code_event *p,
                uint64_t value, uint64_t seq);
void heap_settle(struct fsck *f, uint32_t thread, struct fthread *t, bool completed);

#endif
