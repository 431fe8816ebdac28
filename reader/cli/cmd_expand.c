/* cmd_expand.c - `hindsight expand`. */
#include "reader/command/cli.h"
#include "reader/derive/derive.h"

struct args {
    struct common common;
    const char *out;
};
static const struct option_row options[] = {
    { "output", 'o', "OUT", OPTION_FILE, offsetof(struct args, out),
      "the new trace, a directory that is not there yet" },
    { 0 },
};
const struct usage usage_expand = {
    .about = "Writes a trace that was recorded with derive=on as one that holds every event, so that nothing has to be "
             "executed to read it. The answers of both are the same. The new directory has the data alone: not the "
             "classes of dump=true.",
    .example = "hindsight expand hindsight-20261120-2031-4711 -o whole",
    .options = options,
};

#define ROWS "reader/answers/expansions.def"
#define ROW  uint64_t events, uint64_t derived
#include "reader/answers/row.h"

int cmd_expand(struct context *context)
{
    struct args a = { 0 };
    struct session s;
    struct error err = { 0 };
    int status = session_begin(&s, context, &a);
    if (status != PARSED)
        return status;
    if (a.out == NULL) {
        (void)session_fail(&s, "-o OUT is missing: the directory of the new trace");
        return EXIT_USAGE;
    }
    status = session_needs_end(&s);
    if (status != PARSED)
        return status;
    struct derive_source chunks = { .trace = s.trace };
    const struct expand_source source = derive_source(&chunks);
    const uint64_t derived = derive_count(s.trace);
    if (expand_trace(&source, a.out, &err) != OK)
        return session_fail(&s, "%s", err.text);
    if (a.common.json) {
        expansions_json(&s.out, hs_event_count(s.trace), derived);
    } else if (derived == 0) {
        out_format(&s.out,
                   "%llu events in %s, a copy; there was nothing to expand: the trace has every event already\n",
                   (unsigned long long)hs_event_count(s.trace), a.out);
    } else {
        out_format(&s.out, "%llu events in %s; %llu chunks were derived\n", (unsigned long long)hs_event_count(s.trace),
                   a.out, (unsigned long long)derived);
    }
    return session_close(&s, EXIT_DONE);
}
