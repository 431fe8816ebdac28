/* sql_other.c - another trace that a query names: of diff and suspects. */
#include <stdio.h>

#include "reader/command/cli.h"
#include "reader/tables/sql_function.h"

hs_trace *asked_open_trace(struct asked *a, const char *path, struct hs_error *error)
{
    struct context *reader = a->of->source->reader;
    hs_trace *trace = NULL;
    if (reader == NULL || path == NULL) {
        error->code = HS_ERR_USAGE;
        (void)snprintf(error->text, sizeof error->text,
                       reader == NULL ? "%s reads another trace, which only `hindsight sql` in a shell may"
                                      : "%s wants the folder of another trace: %s('trace-2')",
                       a->of->function->name, a->of->function->name);
        return NULL;
    }
    if (hs_open(path, HS_OPEN_READONLY, NULL, &trace, error) != 0)
        return NULL;
    const char *without = format_without_stream(trace);
    if (without != NULL) {
        error->code = HS_ERR_USAGE;
        (void)snprintf(error->text, sizeof error->text, "%s: " NO_STREAM_TEXT, path, without);
        hs_close(trace);
        return NULL;
    }
    hs_set_progress(trace, session_step, reader);
    return trace;
}
