/* interrupt.h - Ctrl-C: the command ends what it is doing, restores the terminal, and exits with status 130.
 *
 * The first SIGINT sets a flag, at which the reader's functions (hs_set_progress) and the output stop, so that files
 * are left whole. A second one, or two seconds without an end, end the process at once, after the pager. */
#ifndef READER_COMMAND_INTERRUPT_H
#define READER_COMMAND_INTERRUPT_H

#include <stdbool.h>

enum { EXIT_INTERRUPTED = 130 };

/* The status after the signal that was seen: 130, and of the others of interrupt_catch_ends 128 + its number. */
int interrupt_status(void);
/* The same for SIGTERM and SIGHUP, of a command that would leave its temporary file; and a file that would be larger
 * than the limit (RLIMIT_FSIZE) is an error of its write. Not for commands that start others: these would inherit
 * it. */
void interrupt_catch_ends(void);
/* From now on SIGINT is handled so, unless the program was started with SIGINT ignored. */
void interrupt_catch(void);
/* From now on an end may take so long, not two seconds: what a server has begun is taken back. */
void interrupt_patience(unsigned seconds);
bool interrupt_seen(void);

#endif
