/* cmd_slice.c - `hindsight slice SEQ`. */
#include "formats/status.h"
#include "reader/cli/slice_rows.h"
#include "reader/command/cli.h"

struct args {
    struct common common;
    uint64_t at, to;
    bool thin, control, forward;
};
static const struct option_row options[] = {
    { "at", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, at), "the event to explain, if it is not given as SEQ" },
    { "thin", 0, NULL, OPTION_FLAG, offsetof(struct args, thin),
      "values alone: no branches, nor the objects, arrays and indices by which they were reached" },
    { "control", 0, NULL, OPTION_FLAG, offsetof(struct args, control), "branches, calls and throws alone" },
    { "forward", 0, NULL, OPTION_FLAG, offsetof(struct args, forward), "what came of it, the oldest first" },
    { "to", 0, "DEPTH", OPTION_U64, offsetof(struct args, to), "up to this distance" },
    { 0 },
};
const struct usage usage_slice = {
    .source = true,
    .about =
        "All that a moment depends on, in layers: with each line the values that it had, the newest first. The first "
        "number is the distance: how many writes, calls and branches lie between. It follows every cause that `why "
        "--all --control` offers, and the objects, arrays and indices by which was written.\n"
        "--forward is the other direction: what read the value, which branches it decided, what the program wrote "
        "because of it.",
    .example = "hindsight slice 20",
    .options = options,
};

int cmd_slice(struct context *context)
{
    struct args a = { .at = UINT64_MAX, .to = UINT64_MAX };
    struct hs_slice_options o = HS_SLICE_OPTIONS_INIT;
    struct session s;
    struct show show;
    struct slice_line line = { 0 };
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_slice *row;
    hs_cursor *rows;
    const char *trace;
    int status = cli_parse(context, &a), more = 1;
    if (status != PARSED)
        return status;
    status = cli_trace_and_seq(context, &a.common, "specify SEQ, the number of an event", &trace, &a.at);
    if (status != PARSED)
        return status;
    if (a.thin && a.control)
        return cli_fail(EXIT_USAGE, context, "--thin is without control: name one of --thin and --control");
    if ((status = session_open_stream(&s, context, &a.common, trace)) != PARSED)
        return status;
    o.seq = a.at;
    o.kind = a.thin ? HS_SLICE_THIN : a.control ? HS_SLICE_CONTROL : HS_SLICE_ALL;
    o.forward = a.forward;
    o.distance = a.to < UINT32_MAX ? (uint32_t)a.to : UINT32_MAX;
    if (hs_slice_open(s.trace, &o, &rows, &error) != 0)
        return session_refused(&s, &error);
    if (!show_init(&show, s.trace, &s.out)) {
        hs_cursor_close(rows);
        return session_fail(&s, "out of memory");
    }
    for (uint64_t left = a.common.limit; left > 0 && (more = hs_slice_next(rows, &row, &error)) > 0; left--) {
        if (a.common.json)
            slice_row_json(&show, row);
        else
            slice_row_text(&show, &line, row);
    }
    slice_line_close(&show, &line);
    hs_cursor_close(rows);
    show_done(&show);
    return more < 0 ? session_fail(&s, "%s", error.text) : session_close(&s, EXIT_DONE);
}
