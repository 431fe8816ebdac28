/* control.h - the control socket of a recording, both ends.
 *
 * TRACE/control is a Unix stream socket of mode 0600. A connection carries one request, a line of words, and one
 * answer, a line with a JSON object (formats/README.md, "Control"). The path of a socket is limited to 107 bytes, that
 * of a trace is not, so both ends address the socket through /proc/self/fd. */
#ifndef LOGGING_CONTROL_H
#define LOGGING_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "formats/status.h"

enum { CONTROL_LINE_MAX = 64 * 1024 };

/* Creates a listening socket in the directory, and replaces a socket without a listener; -1 on failure. */
int control_listen(const char *dir, struct error *err);
/* Connects to the recorder of the trace; -1: `err` says why not. */
int control_connect(const char *dir, struct error *err);
/* Reads a line and cuts off its newline. False: it is too long or did not arrive in time. */
bool control_read_line(int fd, char line[CONTROL_LINE_MAX], int timeout_s);
/* False: not all of it was accepted in time. Does not raise SIGPIPE. */
bool control_write(int fd, const void *data, size_t size, int timeout_s);
/* The process at the other end. */
bool control_peer(int fd, struct ucred *peer);
/* Nanoseconds of a monotonic clock. */
uint64_t control_now(void);

#endif
