/* c2_thresholds.h - while a stream is recorded, the JVM compiles with C2 only what is a hundred times as hot as usual.
 *
 * Weaving makes methods five to ten times as long, and C2 took up to half of the CPU of a recorded program for code
 * whose speed matters little: its threads wait for the one that stores. What runs long is compiled all the same, a
 * little later. The thresholds are flags of the JVM that its compilation policy reads at each decision; they are as
 * they were when recording stops, or fails. Thread-safe. */
#ifndef LOGGING_AGENT_C2_THRESHOLDS_H
#define LOGGING_AGENT_C2_THRESHOLDS_H

#include "formats/bytes.h"

/* Nothing changes where the command line sets thresholds of its own, or the JVM has no such flags. */
void c2_thresholds_raise(void);
void c2_thresholds_restore(void);
/* Appends " NAME=VALUE" for each of them, as they are while recording. */
void c2_thresholds_name(struct writer *w);

#endif
