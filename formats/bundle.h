/* bundle.h - a trace in one file, NAME.hst, as `hindsight pack` writes it.
 *
 *     data.mdb | index | run | HSBUNDLE, le8 bytes of each of the three, le8 XXH64 of these 32 bytes
 *
 * The first part is the LMDB file itself, so that a reader opens it where it lies: nothing is unpacked, and nothing is
 * ever written. The sizes must add up to that of the file, so one that was cut off is noticed. */
#ifndef FORMATS_BUNDLE_H
#define FORMATS_BUNDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/status.h"

#define BUNDLE_SUFFIX ".hst"

enum bundle_part { BUNDLE_DATA, BUNDLE_INDEX, BUNDLE_RUN, BUNDLE_PARTS };
struct bundle {
    uint64_t at[BUNDLE_PARTS], bytes[BUNDLE_PARTS]; /* of each part in the file */
};

/* The parts of the file. ERR_FORMAT: it is none, or cut off. Neither a pipe nor a device is opened. */
enum status bundle_read(const char *path, struct bundle *out, struct error *err);
bool bundle_is(const char *path);
/* Appends the index and the file `run` of the directory `dir`, if there are any, to the data file in it, which is now a
 * bundle. Nobody may have the trace open. */
enum status bundle_make(const char *dir, const char *run, struct error *err);
/* Is this a trace, by its names: a directory with a data file, or a bundle? */
bool trace_is_at(const char *path);

#endif
