/* uninitialized.h - which registers hold an object that has no id yet when it gets one.
 *
 * The constructor runs on copies of what `new` left: in the usual code one is below its arguments, one below that. That
 * they hold it follows from the code, not from their values: a long can look like any of them. */
#ifndef READER_DERIVE_UNINITIALIZED_H
#define READER_DERIVE_UNINITIALIZED_H

#include "formats/arena.h"
#include "reader/derive/program.h"

/* Fills in program.uninitialized. `y` of a STEP_INITIALIZED, the pc of its `new` or PC_OF_THIS, becomes the place of
 * its registers there. `step_of`: the first step of each instruction. The program has its steps and the STEP_STOP
 * behind them, and its registers and branches exist. False: out of memory. */
bool uninitialized_find(struct program *p, const uint32_t *step_of, struct arena *arena);

#endif
