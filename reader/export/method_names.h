/* method_names.h - the names of methods as formats with text carry them: a.b.C.method(int, java.lang.String), with the
 * parameters, so that overloads stay apart. Control characters and the like are escaped (formats/visible.h); what else
 * a format cannot hold its exporter escapes. */
#ifndef READER_EXPORT_METHOD_NAMES_H
#define READER_EXPORT_METHOD_NAMES_H

#include "reader/export/export.h"

struct method_names {
    struct export_job *job;
    struct out text; /* memory */
};
/* False: out of memory, as the job then says. */
bool method_names_init(struct method_names *n, struct export_job *job);
void method_names_done(struct method_names *n);

/* The name of a method, until the next call; "?" if the trace does not have it. Without memory the job fails. */
const char *method_name(struct method_names *n, uint32_t method_id);

#endif
