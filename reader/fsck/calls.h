/* calls.h - the method that a call certainly enters */
#ifndef READER_FSCK_CALLS_H
#define READER_FSCK_CALLS_H

#include "reader/fsck/methods.h"

/* NULL: not certain. */
struct fmethod *callee_of(struct fsck *f, struct fsite *p, uint64_t receiver);

#endif
