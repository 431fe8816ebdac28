/* run.h - which run of a program this process belongs to.
 *
 * A JVM that finds a trace in the place it was given must tell two cases apart: somebody named that place twice, which
 * is refused, or the JVM has inherited the options of another one, which must not fail (surface.md, `output=`). A run
 * is named by
 *
 *     HINDSIGHT_RUN (RUN_VARIABLE of schema.h) in the environment, which `hindsight record` sets for a command that is
 * not java itself, or the oldest of the processes from this one upwards in whose environment these options stand: a
 * script that was started with them in JAVA_TOOL_OPTIONS (or MAVEN_OPTS, ...), or this process itself.
 *
 * A JVM started with the options on its command line may pass them on there; so a trace is also of our run while its
 * recorder is one of our ancestors. */
#ifndef LOGGING_RUN_H
#define LOGGING_RUN_H

#include <stdbool.h>

enum { RUN_NAME_MAX = 128 };

/* The name of the run of this process, which was given these options; they may be NULL. */
void run_name(const char *options, char out[RUN_NAME_MAX]);
/* A name that no other run has: of a process and all it starts. */
void run_name_new(char out[RUN_NAME_MAX]);

/* What TRACE/run says: "hindsight run", the name, and the number and start of the recorder's process, a line each. */
enum { RUN_TEXT_MAX = RUN_NAME_MAX + 96 };
int run_text(const char *name, char out[RUN_TEXT_MAX]);
/* Is the trace in that directory of the run `name`, or is its recorder an ancestor of this process? A trace that is
 * just being made is waited for. */
bool run_made(const char *name, const char *trace_dir);

#endif
