/* compile_policy.h - while woven code records, the JVM compiles it with less effort than usual.
 *
 * Weaving makes methods several times as long, and compiling them took up to half of the CPU of a recorded program, for
 * code whose speed matters little: its threads wait for the one that stores, or it ends before the code has paid. So
 * - C2 compiles only what is a hundred times as hot as usual;
 * - C1 does not count branches and types for C2 (tier 2 instead of 3) before a method is a tenth as hot as that. Code
 *   that counts is longer, and a third slower.
 * What runs long is compiled all the same, a little later. These are flags of the JVM that its compilation policy
 * (compilationPolicy.cpp of OpenJDK) reads at each decision; they are as they were when recording stops, or fails.
 * Thread-safe. */
#ifndef LOGGING_AGENT_COMPILE_POLICY_H
#define LOGGING_AGENT_COMPILE_POLICY_H

#include "formats/bytes.h"

/* Nothing changes where the command line chooses how methods are compiled, or the JVM has no such flags. */
void compile_policy_relax(void);
void compile_policy_restore(void);
/* Appends " NAME=VALUE" for each flag that is changed now. */
void compile_policy_name(struct writer *w);

#endif
