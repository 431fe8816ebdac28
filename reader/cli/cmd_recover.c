/* cmd_recover.c - `hindsight recover`. Every other command recovers by itself what it opens; this one prints what it
 * found. */
#include <time.h>

#include "formats/recover.h"
#include "reader/command/cli.h"

struct args {
    struct common common;
};
const struct usage usage_recover = {
    .about = "Moves what the journal of a killed JVM still holds into the trace. Every command that opens such a trace "
             "does this by itself. A complete trace is not changed.",
    .example = "hindsight recover hindsight-20261120-2031-4711",
    .plain = true,
};

/* A JVM that was just killed is there for a moment. */
static void wait_for_death(const char *dir)
{
    enum { TRIES = 50 };
    const struct timespec pause = { .tv_nsec = 20 * 1000000 };
    for (int i = 0; i < TRIES && recover_recording(dir); i++)
        (void)nanosleep(&pause, NULL);
}

#define ROWS "reader/answers/recoveries.def"
#define ROW  hs_trace *t, bool running, const struct recover_result *r
#include "reader/answers/row.h"

static void text(struct session *s, bool running, const struct recover_result *r)
{
    if (!r->needed) {
        out_line(&s->out, running ? "not recovered: its JVM runs" : "nothing to recover");
        return;
    }
    out_format(&s->out, "recovered %llu events; the trace has %llu\n", r->events,
               (unsigned long long)hs_event_count(s->trace));
    if (r->lost > 0)
        out_format(&s->out, "lost %llu: %s\n", r->lost, r->note);
}

int cmd_recover(struct context *context)
{
    struct args a = { 0 };
    struct recover_result result = { 0 };
    struct error err;
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    const char *dir = a.common.arguments[0];
    if (dir == NULL)
        return cli_fail(EXIT_USAGE, context, "specify which trace to recover; see hindsight recover -h");
    wait_for_death(dir);
    if (recover_needed(dir) && recover_trace(dir, &result, &err) != OK)
        return cli_fail(EXIT_FAILED, context, "%s", err.text);

    struct session s; /* opening it is the proof */
    status = session_open(&s, context, &a.common, dir);
    if (status != PARSED)
        return status;
    const bool running = !result.needed && recover_recording(dir);
    if (a.common.json)
        recoveries_json(&s.out, s.trace, running, &result);
    else
        text(&s, running, &result);
    return session_close(&s, EXIT_DONE);
}
