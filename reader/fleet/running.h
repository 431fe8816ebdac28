/* running.h - a trace that is still being recorded, as it is at one moment: copied to a directory of the fleet's tmp/,
 * from where it is pushed like any other. */
#ifndef READER_FLEET_RUNNING_H
#define READER_FLEET_RUNNING_H

#include "reader/fleet/store.h"
#include "reader/trace.h"

/* If a recorder writes to the trace, has it store what it has: before that there may be nothing to open. */
enum status running_store(const char *trace, struct error *err);
/* Copies what was stored, and opens the copy. The trace must not be open in this process. push_end in any case. */
enum status running_stage(struct push *stage, const struct fleet *f, const char *trace, hs_trace **out,
                          struct error *err);

#endif
