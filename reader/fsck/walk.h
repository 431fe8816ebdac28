/* walk.h - the walk over the events of all threads */
#ifndef READER_FSCK_WALK_H
#define READER_FSCK_WALK_H

#include "reader/fsck/check.h"

enum status fsck_walk(struct fsck *f, struct error *err);

#endif
