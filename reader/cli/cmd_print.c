/* cmd_print.c - `hindsight print`: the event stream with filters. */
#include <stdlib.h>
#include <string.h>

#include "formats/status.h"
#include "reader/cli/cli.h"
#include "reader/cli/names.h"
#include "reader/cli/show.h"
#include "reader/cli/where_names.h"

struct args {
    struct common common;
    uint64_t from, to, num;
    struct texts threads, events;
    const char *groups, *object, *class_glob, *method_glob, *value, *text, *mark, *where_text;
    struct where *where;
};

static const struct option_row options[] = {
    { "from", 0, "SEQ", OPTION_U64, offsetof(struct args, from), "first event, by its seq" },
    { "to", 0, "SEQ", OPTION_U64, offsetof(struct args, to), "last event" },
    MARK_OPTION(args),
    { "num", 0, "N", OPTION_U64, offsetof(struct args, num), "the same as --limit" },
    { "thread", 't', "T", OPTION_TEXTS, offsetof(struct args, threads),
      "of this thread (number, name or glob: pool-*), repeatable" },
    { "event", 'e', "E,E", OPTION_EVENTS, offsetof(struct args, events),
      "of these event types, repeatable; upper or lower case, and globs: call*" },
    { "events", 0, "E,E", OPTION_EVENTS, offsetof(struct args, events), "the same as --event" },
    { "group", 'g', "G+G", OPTION_GROUPS, offsetof(struct args, groups), "of the event types of these groups" },
    { "class", 'c', "GLOB", OPTION_TEXT, offsetof(struct args, class_glob), "in a class: a.b.*, or Foo" },
    { "method", 'm', "GLOB", OPTION_TEXT, offsetof(struct args, method_glob),
      "in a method: get*, put(String, int), or with its descriptor" },
    { "object", 0, "ID", OPTION_OBJECT, offsetof(struct args, object), "the value is this object: 5, #5 or Type#5" },
    { "value", 0, "V", OPTION_TEXT, offsetof(struct args, value),
      "the value is V, as print shows it: 42, 0x2a, -1.5, NaN, true, null, 'x', \"text\", \"text\"#12, Type#12" },
    { "where", 'w', "CONDITION", OPTION_TEXT, offsetof(struct args, where_text), WHERE_EVENT_NAMES },
    { "text", 0, "TEXT", OPTION_TEXT, offsetof(struct args, text), "the value is a string that contains TEXT" },
    { 0 },
};

const struct usage usage_print = {
    .source = true,
    .about = "Prints events in the global order. An event has to satisfy every option given.\n" WHERE_HELP,
    .example = "hindsight print --class 'com.acme.*' --event METHOD_ENTRY,METHOD_PARAM --limit 100",
    .options = options,
};

/* Which events: none chosen means all. */
static int choose_events(const char *command, const struct args *a, struct event_choice *out)
{
    int status = PARSED;
    for (size_t i = 0; status == PARSED && i < a->events.count; i++)
        status = names_events(command, a->events.items[i], out);
    if (status == PARSED && a->groups != NULL)
        status = names_groups(command, a->groups, out);
    return status;
}

static int print_all(struct session *s, hs_cursor *cursor, const struct args *a, const struct event_choice *events)
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
        if (!where_passes(a->where, s->trace, where_of_event, &(struct where_event){ s->trace, event }))
            continue;
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
    if (more == 0 && left == limit)
        where_tell_unknown(a->where, s, WHERE_EVENT_WORDS, true);
    if (more == 0)
        names_empty_of(s, limit - left, limit, "event that satisfies every option", events->items, events->count);
    return more < 0 ? session_fail(s, "%s", error.text) : session_close(s, EXIT_DONE);
}

int cmd_print(int argc, char **argv)
{
    struct args a = { .to = UINT64_MAX, .num = UINT64_MAX };
    struct session s;
    struct event_choice events = { .count = 0 };
    u32_vec threads = { 0 };
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *cursor;
    int status = cli_parse(argc, argv, &a);
    if (status == PARSED)
        status = choose_events(argv[0], &a, &events);
    if (status == PARSED)
        status = where_parse(argv[0], a.where_text, &a.where);
    if (status == PARSED)
        status = session_open_stream(&s, argv[0], &a.common, a.common.arguments[0]);
    if (status != PARSED)
        return status;
    status = a.mark != NULL ? session_mark(&s, a.mark, &a.from, &a.to) : names_range(&s, a.from, a.to);
    if (status == PARSED)
        status = names_method(&s, a.class_glob, a.method_glob);
    uint32_t object = 0;
    if (status == PARSED && a.object != NULL)
        status = names_object(&s, "--object ", a.object, &object);
    for (size_t i = 0; status == PARSED && i < a.threads.count; i++)
        status = names_threads(&s, a.threads.items[i], &threads);
    if (status != PARSED) {
        vec_free(&threads);
        return session_close(&s, status);
    }
    struct hs_filter filter = { .size = sizeof filter,
                                .from = a.from,
                                .to = a.to,
                                .threads = a.threads.count > 0 ? threads.items : NULL,
                                .thread_count = threads.count,
                                .events = events.count > 0 ? events.items : NULL,
                                .event_count = events.count,
                                .class_glob = a.class_glob,
                                .method_glob = a.method_glob,
                                .object = object,
                                .value = a.value,
                                .text = a.text };
    int opened = hs_events_open(s.trace, &filter, &cursor, &error);
    vec_free(&threads);
    if (opened != 0) {
        status = cli_fail(error.code == HS_ERR_USAGE ? EXIT_USAGE : EXIT_FAILED, argv[0], "%s", error.text);
        return session_close(&s, status);
    }
    status = print_all(&s, cursor, &a, &events);
    where_free(a.where);
    return status;
}
