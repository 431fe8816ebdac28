/* drop.h - takes what passed tests did (keep=failed), or what is outside of the windows (logstart= and logend= with
 * derive=on), out of a trace whose recording has ended. Implemented by logging/ (with the store's writer), called by
 * the command line; declared here because reader/ includes no logging/.
 *
 * While the program runs everything is recorded, by inputs alone where that is possible, with the parts of the run that
 * are to be kept as intervals (windows.h). Here chunks outside of them are left out, those that lie across a border are
 * written anew as plain chunks of the events that stay, and each derived chunk behind a gap gets a row of DB_STATE:
 * what its thread is in the middle of, so that it can be read without what was left out. */
#ifndef FORMATS_DROP_H
#define FORMATS_DROP_H

#include "formats/compact.h"
#include "formats/expand.h"

/* What is dropped, and what is kept of it: rows of DB_PASSED, from key 0 on, and from PASSED_LEFT on one of each
 * window, if it is not empty. */
struct drop_request {
    const struct expand_source *source;
    const struct writer *rows;
    size_t row_count;
    const struct writer *left;
    size_t left_count;
    compact_step_fn *step;
    void *step_context;
};
/* Replaces TRACE/data.mdb as compact_trace does; `*events`: that were dropped. The trace may be open in this process,
 * to be the source; it is to be closed then. */
enum status drop_outside(const struct drop_request *request, struct compact_result *out, uint64_t *events,
                         struct error *err);

#endif
