/* cmd_index.c - `hindsight index`. */
#include "reader/cli/record_index.h"
#include "reader/command/cli.h"

struct args {
    struct common common;
    bool idle;
};
static const struct option_row options[] = {
    { "idle", 0, NULL, OPTION_FLAG, offsetof(struct args, idle), "only when a core has nothing else to do" },
    { 0 },
};
const struct usage usage_index = {
    .about = "Commands build the index when they need it. The file TRACE/index can be deleted at any time. An "
             "interrupted build continues where it stopped.",
    .example = "hindsight index",
    .options = options,
};

#define ROWS "reader/answers/indexed.def"
#define ROW  const struct hs_index_info *info
#include "reader/answers/row.h"

static void text(struct out *o, const struct hs_index_info *info)
{
    out_format(o, "%llu of %llu chunks indexed, %llu bytes\n", (unsigned long long)info->indexed,
               (unsigned long long)info->chunks, (unsigned long long)info->bytes);
}

int cmd_index(struct context *context)
{
    struct args a = { 0 };
    struct session s;
    struct hs_error error = HS_ERROR_INIT;
    int status = session_begin_stream(&s, context, &a);
    if (status != PARSED)
        return status;
    if (a.idle)
        index_when_idle();
    if (hs_index_build(s.trace, &error) != 0)
        return session_fail(&s, "%s", error.text);
    const struct hs_index_info *info = hs_index_info(s.trace);
    if (!info->kept && info->indexed > 0)
        return session_fail(&s, "%s: the index cannot be stored: the directory is not writable", hs_dir(s.trace));
    (a.common.json ? indexed_json : text)(&s.out, info);
    return session_close(&s, EXIT_DONE);
}
