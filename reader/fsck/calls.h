/* calls.h - the method that a call certainly enters */
#ifndef READER_FSCK_CALLS_H
#define READER_FSCK_CALLS_H

#include "reader/fsck/facts.h"

/* NULL: not certain. */
struct method *callee_of(struct fsck *f, const struct code_event *p, uint64_t receiver);

#endif
