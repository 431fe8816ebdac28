/* parts.h - intervals of recordings in parts */
#ifndef READER_FSCK_PARTS_H
#define READER_FSCK_PARTS_H

#include "reader/fsck/check.h"

/* Called for each event, by ascending stamps; then for the end. */
void parts_event(struct fsck *f, uint32_t thread, uint32_t id, uint64_t stamp, uint64_t seq);
void parts_done_check(struct fsck *f);

#endif
