/* run.h - which run of a program this process belongs to.
 *
 * A JVM whose output directory already has a trace must distinguish two cases: the same directory was named twice,
 * which is refused, or the JVM has inherited the options of another one, which must not fail (README.md, `output=`). A
 * run is named by
 *
 *   - HINDSIGHT_RUN (RUN_VARIABLE of schema.h) in the environment, which `hindsight record` sets for a command that is
 *     not java itself, or
 *   - the oldest of this process and its ancestors that has these options in its environment: a script that was
 *     started with them in JAVA_TOOL_OPTIONS (or MAVEN_OPTS, ...), or this process itself.
 *
 * A JVM started with the options on its command line may pass them on there; so a trace also belongs to the run of this
 * process while its recorder is an ancestor of this process. */
#ifndef LOGGING_RUN_H
#define LOGGING_RUN_H

#include <stdbool.h>

enum { RUN_NAME_MAX = 128 };

/* The name of the run of this process, which was given these options; they may be NULL. */
void run_name(const char *options, char out[RUN_NAME_MAX]);
/* A new unique name, for a process and all that it starts. */
void run_name_new(char out[RUN_NAME_MAX]);

/* The content of TRACE/run: "hindsight run", the name, and the number and start of the recorder's process, a line each.
 * */
enum { RUN_TEXT_MAX = RUN_NAME_MAX + 96 };
int run_text(const char *name, char out[RUN_TEXT_MAX]);
/* True if the trace in that directory belongs to the run `name`, or its recorder is an ancestor of this process. Waits
 * for a trace that is just being created. */
bool run_made(const char *name, const char *trace_dir);

#endif
