/* drop_tests.h - when the recording has ended, what passed tests did (keep=failed), or what is outside of the windows,
 * is taken out of its trace. */
#ifndef READER_CLI_DROP_TESTS_H
#define READER_CLI_DROP_TESTS_H

#include "formats/compact.h"

/* *events: that were dropped; 0 where nothing was to be dropped, which is OK, also for a trace in one file. The trace
 * must not be open in this process. ERR_EXISTS: it is still being recorded. */
enum status drop_at_end(const char *dir, compact_step_fn *step, void *context, uint64_t *events, struct error *err);

#endif
