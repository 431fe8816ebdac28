/* control.h - what the commands for running JVMs share: from a process to its trace, and the answer of the agent. */
#ifndef READER_COMMAND_CONTROL_H
#define READER_COMMAND_CONTROL_H

#include <limits.h>
#include <stdbool.h>

#include <cjson/cJSON.h>

#include "reader/command/cli.h"

/* A process id: decimal digits only. */
bool control_is_pid(const char *word);
/* The trace that the process records into; false: none. It is found by the journal of the trace, which the process has
 * mapped (/proc/PID/maps), so no file can be stale or forged. */
bool control_trace_of(const char *pid, char dir[PATH_MAX]);

/* A member of the answer; "" or 0 if it is absent. */
const char *control_text(const cJSON *answer, const char *key);
uint64_t control_number(const cJSON *answer, const char *key);
/* Prints the answer, a line of JSON: its error on standard error, or what `print` makes of it. `pid` is the process
 * that was attached to, or NULL. Returns the exit status. */
int control_print(struct context *context, const struct common *c, const char *line, const char *pid,
                  void (*print)(struct out *o, bool as_json, const char *pid, const cJSON *answer));

#endif
