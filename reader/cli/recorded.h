/* recorded.h - the last lines of `hindsight record`: what was recorded, and what can be asked of it.
 *
 * A trace is of this run if its file `run` has the name of the run (logging/recording/run.h). The JVMs of a run record
 * into one directory's children, so that directory is searched. */
#ifndef READER_CLI_RECORDED_H
#define READER_CLI_RECORDED_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/command/context.h"

struct recorded_run {
    struct context *context;
    const char *command; /* the program that ran, for messages */
    const char *output;  /* where traces were asked for, with its placeholders; NULL: the agent's default */
    const char *name;    /* of the run */
    uint64_t took_ns;
    int signal;       /* that ended the program; 0: none */
    int exit_status;  /* otherwise */
    bool failed_java; /* the command was java and failed: it has said why itself */
    bool json;
    bool tests;             /* only a JVM that runs tests */
    uint64_t runs;          /* of --until-fail, with this one; 0: without it */
    bool pack;              /* the files of record_pack are named, where they exist */
    const char *unrecorded; /* why it ran without the agent; NULL: it ran with it */
};
/* Calls `each` for the traces of the run, whose paths live for the call. Returns their number, -1 if it is not known
 * where they are. */
typedef void recorded_trace_fn(void *context, const char *dir);
int recorded_each(const struct recorded_run *run, recorded_trace_fn *each, void *context);
/* Writes to standard error: lines, or one JSON object. */
void recorded_tell(const struct recorded_run *run);

#endif
