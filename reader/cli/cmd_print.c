/* cmd_print.c - `hindsight print`: the event stream with filters. */
#include "reader/command/chosen_events.h"
#include "reader/command/cli.h"
#include "reader/command/show.h"

struct args {
    struct common common;
    uint64_t num;
    struct chosen_args filter;
};

static const struct option_row options[] = {
    { "num", 0, "N", OPTION_U64, offsetof(struct args, num), "the same as --limit" },
    CHOSEN_OPTIONS(args, filter),
    { 0 },
};

const struct usage usage_print = {
    .source = true,
    .about = "Prints events in the global order. An event has to satisfy every option given.\n" WHERE_HELP,
    .example = "hindsight print --class 'com.acme.*' --event METHOD_ENTRY,METHOD_PARAM --limit 100",
    .options = options,
};

static int print_all(struct session *s, hs_cursor *cursor, const struct args *a, const struct chosen_events *f)
{
    struct hs_error error = HS_ERROR_INIT;
    struct show show;
    const struct hs_event *event;
    uint64_t limit = a->num < a->common.limit ? a->num : a->common.limit, left = limit;
    int more = 0;
    if (!show_init(&show, s->trace, &s->out))
        return session_fail(s, "out of memory");
    if (!a->common.json)
        show_event_heading(&show);
    while (left > 0 && s->out.failed == 0) {
        more = hs_event_next(cursor, &event, &error);
        if (more <= 0)
            break;
        left--;
        if (a->common.json) {
            show_event_json(&show, event);
            out_char(&s->out, '\n');
        } else {
            show_event_text(&show, event);
        }
    }
    show_done(&show);
    hs_cursor_close(cursor);
    int status = EXIT_DONE;
    if (more == 0 && left == limit && !condition_tell_apart(f->where, s, &status))
        status = condition_tell_unknown(f->where, s, WHERE_EVENT_WORDS, true);
    if (more == 0 && status == EXIT_DONE)
        names_empty_of(s, limit - left, limit, "event that satisfies every option", f->events.items, f->events.count);
    return more < 0 ? session_fail(s, "%s", error.text) : session_close(s, status);
}

int cmd_print(struct context *context)
{
    struct args a = { .filter = CHOSEN_ARGS, .num = UINT64_MAX };
    struct session s;
    struct chosen_events f = { 0 };
    hs_cursor *cursor;
    int status = cli_parse(context, &a);
    if (status == PARSED)
        status = chosen_parse(&f, context, &a.filter);
    if (status == PARSED)
        status = session_open_stream(&s, context, &a.common, a.common.arguments[0]);
    if (status != PARSED)
        goto out;
    status = chosen_resolve(&f, &s);
    if (status == PARSED)
        status = chosen_open(&f, context, &cursor);
    status = status == PARSED ? print_all(&s, cursor, &a, &f) : session_close(&s, status);
out:
    chosen_done(&f);
    return status;
}
