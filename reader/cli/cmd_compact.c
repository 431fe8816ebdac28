/* cmd_compact.c - `hindsight compact`. */
#include "formats/bundle.h"
#include "formats/compact.h"
#include "reader/command/cli.h"
#include "reader/command/interrupt.h"
#include "reader/command/progress_line.h"

#include <stdlib.h>
#include <string.h>

struct args {
    struct common common;
};
const struct usage usage_compact = {
    .about =
        "Rewrites a trace that is no longer recorded: full pages, larger packs of rows, and everything compressed "
        "as far as zstd can, which would be too slow while a program runs. The answers stay the same. The new "
        "file replaces the old one when it is complete, so an interrupted run leaves the trace as it was; it needs "
        "room beside the trace. The index is removed, and built again when a question needs it.",
    .example = "hindsight compact hindsight-20261120-2031-4711",
};

#define ROWS "reader/answers/compactions.def"
#define ROW  const struct compact_result *r
#include "reader/answers/row.h"

static void text(struct out *o, const struct compact_result *r)
{
    if (r->replaced)
        out_format(o, "%llu bytes, before %llu (%.1f %% less)\n", (unsigned long long)r->after,
                   (unsigned long long)r->before, 100 - 100 * (double)r->after / (double)r->before);
    else
        out_format(o, "not changed: it has %llu bytes, written anew it would have %llu\n",
                   (unsigned long long)r->before, (unsigned long long)r->after);
}

/* The directory of the trace, which must be complete. PARSED, or the exit status after the error was reported. */
static int check(struct context *context, const struct common *c, char **dir)
{
    struct session s;
    int status = session_open(&s, context, c, c->arguments[0]);
    if (status != PARSED)
        return status;
    status = session_needs_end(&s);
    if (status != PARSED)
        return status;
    if (bundle_is(hs_dir(s.trace)))
        return session_fail(&s, "%s: is one file, which is never written, and as small already", hs_dir(s.trace));
    *dir = strdup(hs_dir(s.trace));
    if (*dir == NULL)
        return session_fail(&s, "out of memory");
    out_done(&s.out);
    hs_close(s.trace);
    return PARSED;
}

int cmd_compact(struct context *context)
{
    struct args a = { 0 };
    struct compact_result result;
    struct session s;
    struct error err;
    char *dir = NULL;
    int status = cli_parse(context, &a);
    if (status == PARSED)
        status = check(context, &a.common, &dir);
    if (status != PARSED)
        return status;
    enum status st = compact_trace(dir, session_step, &result, &err);
    progress_line_erase();
    if (st != OK) {
        free(dir);
        return st == ERR_CANCELLED ? EXIT_INTERRUPTED : cli_fail(EXIT_FAILED, context, "%s", err.text);
    }
    status = session_open(&s, context, &a.common, dir); /* opening it is the proof */
    free(dir);
    if (status != PARSED)
        return status;
    (a.common.json ? compactions_json : text)(&s.out, &result);
    return session_close(&s, EXIT_DONE);
}
