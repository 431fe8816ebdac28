/* until_fail.h - `hindsight record --until-fail N`: did a run fail, and how a recording is removed that did not. */
#ifndef READER_CLI_UNTIL_FAIL_H
#define READER_CLI_UNTIL_FAIL_H

#include "reader/cli/recorded.h"

enum run_outcome {
    RUN_PASSED,
    RUN_FAILED,    /* the command did, or a test of it: build tools can be set to ignore those */
    RUN_UNRECORDED /* nothing was recorded */
};
enum run_outcome run_outcome(const struct recorded_run *run);
/* Removes the traces of the run; one that a JVM still records stays, and a line says so. */
void run_forget(const struct recorded_run *run);

#endif
