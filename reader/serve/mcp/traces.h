/* traces.h - the traces that a server answers for: those named at its start, those in the folders named there, and
 * those that the tool `record` made.
 *
 * A trace is opened when it is first asked for, read-only: nothing is written, not even its index (one that is there is
 * used). At most OPEN_MAX are open at a time. */
#ifndef READER_SERVE_MCP_TRACES_H
#define READER_SERVE_MCP_TRACES_H

#include "formats/vec.h"
#include "reader/command/context.h"
#include "reader/trace.h"

enum { TRACES_OPEN_MAX = 8 };

struct trace {
    char *name; /* by which messages name it */
    char *path;
    hs_trace *open;
    uint64_t used; /* when it was last asked for; greater is later */
};
struct traces {
    struct context *context; /* of the command that opens them */
    VEC(struct trace) list;
    size_t recorded; /* index + 1 of the one that was recorded last; 0: none */
    uint64_t clock;
};

/* Adds a trace, or all traces that a folder holds (one level). False: `error` says why there is none. */
bool traces_add(struct traces *t, const char *path, struct hs_error *error);
void traces_done(struct traces *t);
/* The trace of a call that names none: the only one, or the one that was recorded last; NULL: there is none. */
struct trace *traces_default(struct traces *t);
/* NULL: there is none of the name. */
struct trace *traces_find(struct traces *t, const char *name);
/* 0, or -1 with `error` set. */
int traces_open(struct traces *t, struct trace *trace, struct hs_error *error);

#endif
