/* reach.h - where control can go from one event to the next */
#ifndef READER_FSCK_REACH_H
#define READER_FSCK_REACH_H

#include "reader/fsck/threads.h"

bool reach_first(struct method *m, uint32_t insn, uint32_t id);
/* True if `id` can be the next event after an exception that is thrown from here on. pc: of the instruction that
 * throws, or NO_INSN. */
bool reach_exception(struct method *m, const struct fframe *at, uint32_t id, uint32_t pc);
/* As reach_exception, for errors that the JVM throws anywhere. */
bool reach_error(struct method *m, const struct fframe *at, uint32_t id);
bool reach_code(struct method *m, const struct fframe *at); /* an instruction that can run other code */
bool label_legal(const struct method *m, uint32_t insn, uint64_t pc);

#endif
