/* null_message.h - the message of a NullPointerException that the JVM threw itself.
 *
 * The JVM computes it from bytecode when it is asked for (JEP 358): what the instruction could not do, and how the null
 * stands in source. So the trace does not have it, but the same can be computed from the class file:
 *
 *     Cannot invoke "String.length()" because the return value of "java.util.Map.get(Object)" is null
 *     Cannot read field "value" because "n.grid[i][2]" is null */
#ifndef READER_NULL_MESSAGE_H
#define READER_NULL_MESSAGE_H

#include "reader/code/code.h"

/* Appends the message for the instruction at `pc`; false: the JVM gives none for it. `out->bad`: out of memory. */
bool null_message(hs_trace *t, struct method *c, uint32_t pc, struct writer *out);
/* The slots above the reference that the instruction needs, on the operand stack; -1: it needs none. */
int null_operand(const struct method *c, const struct insn *in);

#endif
