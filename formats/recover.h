/* recover.h - completes a trace whose recorder died. Implemented by logging/ (with the code that drains the journal of
 * a running recording), called by the command line before it opens such a trace; declared here because reader/ includes
 * no logging/. */
#ifndef FORMATS_RECOVER_H
#define FORMATS_RECOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/status.h"

struct recover_result {
    bool needed;               /* there was a journal of a dead process */
    unsigned long long events; /* events that were not in LMDB before */
    unsigned long long lost;   /* events or bytes that could not be read, with the reason in `note` */
    char note[256];
};

/* True if the trace has the journal of a process that no longer runs. */
bool recover_needed(const char *trace_dir);

/* True if it has the journal of a process that runs, or is about to end. */
bool recover_recording(const char *trace_dir);

/* True if that process has stopped recording for now, and all events up to that are in the trace; `*period` counts the
 * starts before the last one. Asked before the trace is opened and after it was read, the same answer holds for all the
 * time in between. */
bool recover_stopped(const char *trace_dir, uint32_t *period);

/* Moves what journal and pending rows hold into LMDB, writes how the recording ended (`end=crashed`, or `clean` if it
 * was stopped then), removes both files. Does nothing when not needed. Safe to interrupt and repeat. */
enum status recover_trace(const char *trace_dir, struct recover_result *out, struct error *err);

/* The same where the trace cannot be changed: in a copy of it, in a new directory below TMPDIR. recover_copy_remove,
 * also while the copy is open. */
struct recover_copy {
    char dir[4096];
};
enum status recover_copy_make(const char *trace_dir, struct recover_copy *copy, struct error *err);
void recover_copy_remove(const struct recover_copy *copy);

#endif
