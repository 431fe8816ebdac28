/* progress_line.h - how far a long command is, on standard error if that is a terminal:
 *
 *     hindsight fsck: check 45 %, 12 s left
 *
 * It appears when the command has run for a second, or HINDSIGHT_PROGRESS_DELAY seconds, and is erased before anything
 * else is written to the terminal and at the end. A process has one such line, since it has one terminal.
 *
 * Where standard error is no terminal there is one line alone, of an index that takes longer than it has taken so far:
 *
 *     hindsight object: making the index of the trace, once: 12 %, 40 s left */
#ifndef READER_COMMAND_PROGRESS_LINE_H
#define READER_COMMAND_PROGRESS_LINE_H

#include <stdint.h>

/* From now on counts the first second. `command` is borrowed until the program ends. */
void progress_line_begin(const char *command);
/* `done` of `total` pieces of the phase; may be called very often. */
void progress_line_show(const char *phase, uint64_t done, uint64_t total);
/* Erases it until it is shown again. May be called in a signal handler. */
void progress_line_erase(void);

#endif
