/* pager.h - the program that shows long answers a screen at a time, as git does it.
 *
 * It is the command of HINDSIGHT_PAGER, else of PAGER, else `less -FRX`; one that is empty or `cat` means none. A
 * process has one pager, since it has one terminal. While it runs, standard error goes to it as well, so that messages
 * stand behind the rows they belong to. */
#ifndef READER_COMMAND_PAGER_H
#define READER_COMMAND_PAGER_H

#include <stdbool.h>

/* The command; NULL: none, also if standard input or output is not a terminal. */
const char *pager_command(void);
/* Starts it. Its standard input, or -1 if it cannot be started. SIGPIPE is ignored from then on. */
int pager_start(const char *command);
bool pager_is_running(void);
/* Waits until the user leaves it, and restores standard error. False: the shell did not find it. Does nothing if it
 * does not run. May be called in a signal handler, and by several threads. */
bool pager_wait(void);
/* As pager_wait, after the end of its input. */
bool pager_end(void);

#endif
