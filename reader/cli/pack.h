/* pack.h - a trace as one file (formats/bundle.h), for `pack` and `record --pack`. */
#ifndef READER_CLI_PACK_H
#define READER_CLI_PACK_H

#include <limits.h>

#include "formats/compact.h"

/* Of a trace from which secrets are removed first, the directory below the one that pack_begin makes. */
#define PACK_REDACTED "redacted"

struct packed_file {
    char path[PATH_MAX];
    uint64_t bytes, events;
};
/* The directory that a trace is packed in, beside `file`, so that they are on one file system. */
enum status pack_begin(const char *file, char beside[PATH_MAX], struct error *err);
/* Writes the trace, which nobody has open, into `beside`, makes its index, and puts it in the place of `file`. It is in
 * `trace` as it was; `run`: its file `run`, also if `trace` is a copy. ERR_CANCELLED: `step` did not return 0. */
enum status pack_write(const char *trace, const char *run, const char *beside, const char *file, compact_step_fn *step,
                       void *context, struct packed_file *out, struct error *err);
/* Removes the directory with all that is in it. */
void pack_end(const char *beside);

#endif
