/* terminal.h - what a terminal can show: its size, colours, and how much of a line fits. */
#ifndef READER_COMMAND_TERMINAL_H
#define READER_COMMAND_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

struct screen {
    unsigned columns, rows; /* 0: not known, or no limit */
};
/* The size of the terminal `fd`; the environment variables COLUMNS and LINES are preferred, COLUMNS=0 means no limit.
 * Zeros if it is not a terminal. */
struct screen terminal_screen(int fd);

/* Does `fd` get colours? `when` is always, never or auto: if it is a terminal, not dumb, and NO_COLOR is not set. */
bool terminal_has_colours(int fd, const char *when);

/* Bytes at the start of a line (UTF-8, with SGR sequences, which take no columns) that are shown if the terminal has so
 * many columns: all of them, or those that leave room for an ellipsis. */
size_t terminal_fit(const char *line, size_t n, unsigned columns);
#define ELLIPSIS "\xe2\x80\xa6"

#endif
