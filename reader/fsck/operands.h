/* operands.h - compares the values of events with the computed ones. */
#ifndef READER_FSCK_OPERANDS_H
#define READER_FSCK_OPERANDS_H

#include "reader/fsck/frames.h"

/* Checks the value of the event by itself: range of its kind, reference. */
void operands_check_value(struct now *n);
/* Compares the event's value with the stack, the locals and the heap. */
void operands_check(struct now *n, struct fframe *fr);
/* At CALL: the method that must be entered next, if it is certain. */
void operands_begin_call(struct now *n, struct fframe *fr);
/* At CALL_RETURN: compares the result with that of the callee. */
void operands_after_call(struct now *n, struct fframe *fr);

#endif
