/* cmd_events.c - `hindsight events`: the catalogue of event types, from formats/events.def. */
#include <stdio.h>
#include <string.h>

#include "formats/event.h"
#include "reader/command/cli.h"

struct args {
    struct common common;
};
const struct usage usage_events = {
    .about =
        "The types that --event takes. A type that needs two groups is recorded when both are woven (EXEC+PARAM), one "
        "with several alternatives when any of them is (CALL|FIELD). The types in brackets are never recorded: they "
        "name locations that values of other events point at.",
    .example = "hindsight events --json",
};

/* The groups of an event's condition, joined by what joins them there. */
static void groups_text(unsigned event, char out[64])
{
    group_set groups = event_groups(event);
    size_t n = 0;
    for (unsigned g = 0; g < GROUP_COUNT; g++) {
        if ((groups & (group_set)1 << g) == 0)
            continue;
        const char *join = n == 0 ? "" : event_woven(event, (group_set)1 << g) ? "|" : "+";
        n += (size_t)snprintf(out + n, n < 64 ? 64 - n : 0, "%s%s", join, group_name(g));
    }
    out[n < 64 ? n : 63] = '\0';
}

static void groups_member(struct out *o, unsigned event)
{
    const group_set groups = event_groups(event);
    json_name(&o->json, "groups");
    json_array(&o->json);
    for (unsigned g = 0; g < GROUP_COUNT; g++)
        if ((groups & (group_set)1 << g) != 0)
            json_text(&o->json, group_name(g));
    json_end(&o->json);
}

/* Of its groups: is one of them not enough? */
static bool needs_all(unsigned event)
{
    const group_set groups = event_groups(event);
    for (unsigned g = 0; g < GROUP_COUNT; g++)
        if ((groups & (group_set)1 << g) != 0 && !event_woven(event, (group_set)1 << g))
            return true;
    return false;
}

#define ROWS "reader/answers/event_types.def"
#define ROW  unsigned event
#include "reader/answers/row.h"

static void text(struct out *o, unsigned event)
{
    char groups[64], name[64];
    bool recorded = !event_has(event, USE_STATIC_ONLY);
    groups_text(event, groups);
    (void)snprintf(name, sizeof name, "%s%s%s", recorded ? "" : "(", event_name(event), recorded ? "" : ")");
    out_padded(o, name, 50);
    out_padded(o, groups, 28);
    out_line(o, event_text(event));
}

int cmd_events(struct context *context)
{
    struct args a = { 0 };
    struct out out;
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    if (!cli_out_init(&out, context, &a.common))
        return cli_fail(EXIT_FAILED, context, "out of memory");
    uint64_t given = 0;
    for (unsigned event = 0; event < EVENT_LIMIT; event++)
        if (event_name(event) != NULL && given++ < a.common.limit)
            (a.common.json ? event_types_json : text)(&out, event);
    return cli_out_end(&out, context, EXIT_DONE);
}
