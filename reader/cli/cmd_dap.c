/* cmd_dap.c - `hindsight dap`: the debug adapter over a trace (serve/dap.h). */
#include "reader/command/cli.h"
#include "reader/serve/listen.h"

struct args {
    struct common common;
    const char *listen, *token;
};
static const struct option_row options[] = {
    { "listen", 0, "[ADDR:]PORT", OPTION_TEXT, offsetof(struct args, listen),
      "accept connections of this user on this port of a loopback address (0: a free one). A client may speak the "
      "protocol or WebSocket; the address printed has the token that a WebSocket, and a launch with command, needs" },
    { "token", 0, "FILE", OPTION_FILE, offsetof(struct args, token),
      "with --listen: the token is kept in this file, which nobody else may read; it is made if it is not there" },
    { 0 },
};
const struct usage usage_dap = {
    .about = "The debug adapter protocol on standard input and output, for VS Code and other editors: a trace is "
             "debugged like a running program, forwards and backwards. Arguments of launch: trace, sourcePaths, at (an "
             "event), or command, a list of words that are recorded first (on a port with token, the one printed). "
             "--json: the address as an object; the messages are JSON anyway.",
    .example = "hindsight dap",
    .options = options,
};

int cmd_dap(struct context *context)
{
    struct args a = { 0 };
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    if (a.token != NULL && a.listen == NULL)
        return cli_fail(EXIT_USAGE, context, "--token belongs to --listen: standard input needs no token");
    return a.listen != NULL ? serve_listen(&a.common, context, a.listen, a.token) : serve_standard(context);
}
