/* cmd_compact.c - `hindsight compact`. */
#include "formats/bundle.h"
#include "formats/compact.h"
#include "formats/schema.h"
#include "reader/cli/drop_tests.h"
#include "reader/cli/record_index.h"
#include "reader/command/cli.h"
#include "reader/command/interrupt.h"
#include "reader/command/progress_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct args {
    struct common common;
    bool passed, idle, index;
};
static const struct option_row options[] = {
    { "passed", 0, NULL, OPTION_FLAG, offsetof(struct args, passed),
      "only drop what passed tests did (keep=failed), or what is outside of the windows (logstart=, logend=)" },
    { "idle", 0, NULL, OPTION_FLAG, offsetof(struct args, idle), "only when a core has nothing else to do" },
    { "index", 0, NULL, OPTION_FLAG, offsetof(struct args, index), "also make the index" },
    { 0 },
};
const struct usage usage_compact = {
    .about =
        "Rewrites a trace that is no longer recorded: full pages, larger packs of rows, and everything compressed "
        "as far as zstd can, which would be too slow while a program runs. The answers stay the same. The new "
        "file replaces the old one when it is complete, so an interrupted run leaves the trace as it was; it needs "
        "room beside the trace. The index is removed, and built again when a question needs it.",
    .example = "hindsight compact hindsight-20261120-2031-4711",
    .options = options,
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

static uint64_t size_of(const char *dir)
{
    struct stat st;
    char file[PATH_MAX];
    (void)snprintf(file, sizeof file, "%s/" TRACE_DATA_FILE, dir);
    return stat(file, &st) == 0 ? (uint64_t)st.st_size : 0;
}

/* Writes the trace anew: first without what passed tests did, where that is asked for. */
static enum status rewrite(const char *dir, bool passed, struct compact_result *out, struct error *err)
{
    const uint64_t before = size_of(dir);
    uint64_t events;
    enum status st = drop_at_end(dir, session_step, NULL, &events, err);
    *out = (struct compact_result){ .before = before, .after = before };
    if (st == OK && !passed)
        st = compact_trace(dir, session_step, out, err);
    if (st == OK && events > 0)
        *out = (struct compact_result){ .before = before, .after = size_of(dir), .replaced = true };
    return st;
}

int cmd_compact(struct context *context)
{
    struct args a = { 0 };
    struct compact_result result = { 0 };
    struct session s;
    struct error err;
    struct hs_error error = HS_ERROR_INIT;
    char *dir = NULL;
    int status = cli_parse(context, &a);
    if (status == PARSED)
        status = check(context, &a.common, &dir);
    if (status != PARSED)
        return status;
    if (a.idle)
        index_when_idle();
    enum status st = rewrite(dir, a.passed, &result, &err);
    progress_line_erase();
    if (st != OK) {
        free(dir);
        return st == ERR_CANCELLED ? EXIT_INTERRUPTED : cli_fail(EXIT_FAILED, context, "%s", err.text);
    }
    status = session_open(&s, context, &a.common, dir); /* opening it is the proof */
    free(dir);
    if (status != PARSED)
        return status;
    if (a.index && hs_index_build(s.trace, &error) != 0)
        return session_fail(&s, "%s", error.text);
    (a.common.json ? compactions_json : text)(&s.out, &result);
    return session_close(&s, EXIT_DONE);
}
