/* control.h - the control socket of a recording, both ends.
 *
 * TRACE/control is a Unix stream socket of mode 0600. One connection is one question: a line of words, answered with
 * one line, a JSON object (formats/README.md, "Control"). A path of a socket has at most 107 bytes, a trace's any
 * number: both ends go through /proc/self/fd. */
#ifndef LOGGING_CONTROL_H
#define LOGGING_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "formats/status.h"

enum { CONTROL_LINE_MAX = 64 * 1024 };

/* A listening socket in the directory, or -1. A dead one is replaced. */
int control_listen(const char *dir, struct error *err);
/* A connection to the recorder of the trace, or -1: `err` says whether there is none or it does not answer. */
int control_connect(const char *dir, struct error *err);
/* Reads up to a line's end, which is cut off. False: too much came, or not all of it in time. */
bool control_read_line(int fd, char line[CONTROL_LINE_MAX], int timeout_s);
/* False: not all of it was taken in time. Never SIGPIPE. */
bool control_write(int fd, const void *data, size_t size, int timeout_s);
/* The process that connected, or that listens. */
bool control_peer(int fd, struct ucred *peer);
/* Nanoseconds of a monotonic clock. */
uint64_t control_now(void);

#endif
