/* compact.h - rewrites a trace smaller. Implemented by logging/ (with the store's writer), called by the command line;
 * declared here because reader/ includes no logging/. */
#ifndef FORMATS_COMPACT_H
#define FORMATS_COMPACT_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/status.h"

struct compact_result {
    uint64_t before, after; /* bytes of the data file */
    bool replaced;          /* false: the new one is no smaller, and the old one was kept */
};

/* Rewrites TRACE/data.mdb: full pages, large packs, everything compressed as far as zstd can. The answers stay the
 * same; the index, which is derived, is removed. The new file takes the place of the old one when it is complete and on
 * the disk: until then a failure, or the end of the process, leaves the trace as it was. What that leaves beside the
 * trace, the directory .NAME.compact, is removed by the next call. The trace must not be open in this process, nor
 * still be recorded. `step` is called after each piece; when it does not return 0 the call fails with ERR_CANCELLED. */
typedef int compact_step_fn(void *context, uint64_t done, uint64_t total, const char *phase);
enum status compact_trace(const char *trace_dir, compact_step_fn *step, struct compact_result *out, struct error *err);
/* The same into the new directory `out_dir`, which is removed again after a failure; the trace may be a bundle. */
enum status compact_copy(const char *trace, const char *out_dir, compact_step_fn *step, void *context,
                         struct error *err);

#endif
