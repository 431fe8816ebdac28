/* cmd_jdwp.c - `hindsight jdwp`: a trace for debuggers of Java (serve/jdwp.h). */
#include <limits.h>
#include <stdio.h>

#include "reader/command/cli.h"
#include "reader/serve/jdwp.h"

struct args {
    struct common common;
    uint64_t port, at;
};
static const struct option_row options[] = {
    { "port", 0, "N", OPTION_U64, offsetof(struct args, port),
      "listen on this port of 127.0.0.1 (0: a free one); the first line printed names it. Debuggers of other users are "
      "refused" },
    { "at", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, at),
      "a session begins after this event, not the first one" },
    { 0 },
};
const struct usage usage_jdwp = {
    .about =
        "A trace as a suspended JVM for jdb, Eclipse, IntelliJ and others: attach to the port. It is debugged like "
        "a running program; the class hindsight.Time goes backwards (print hindsight.Time.back()), and so does to "
        "pop a frame. Ctrl-C ends it.",
    .example = "hindsight jdwp --port 4712",
    .options = options,
};

int cmd_jdwp(struct context *context)
{
    struct args a = { .port = UINT64_MAX, .at = HS_NO_SEQ };
    struct session s;
    char dir[PATH_MAX];
    const struct hs_event *event;
    struct hs_error error = HS_ERROR_INIT;
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    if (a.port > UINT16_MAX)
        return cli_fail(EXIT_USAGE, context, "--port N is required, a port from 0 to 65535");
    status = session_open_stream(&s, context, &a.common, a.common.arguments[0]);
    if (status != PARSED)
        return status;
    if (hs_event_at(s.trace, a.at != HS_NO_SEQ ? a.at : 0, &event, &error) != 0)
        return session_fail(&s, "%s", error.text);
    (void)snprintf(dir, sizeof dir, "%s", hs_dir(s.trace));
    status = session_close(&s, EXIT_DONE); /* sessions open it for themselves */
    if (status != EXIT_DONE && status != EXIT_INCOMPLETE)
        return status;
    return jdwp_listen(&a.common, context, dir, (uint16_t)a.port, a.at);
}
