/* cmd_print.c - `hindsight print`: the event stream with filters. */
#include <stdlib.h>
#include <string.h>

#include "formats/status.h"
#include "reader/cli/cli.h"
#include "reader/cli/names.h"
#include "reader/cli/show.h"

struct args {
    struct common common;
    uint64_t from, to, num;
    struct texts threads, events;
    const char *object, *class_glob, *method_glob, *value, *text, *mark;
};

static const struct option_row options[] = {
    { "from", 0, "SEQ", OPTION_U64, offsetof(struct args, from), "first event, by its seq" },
    { "to", 0, "SEQ", OPTION_U64, offsetof(struct args, to), "last event" },
    MARK_OPTION(args),
    { "num", 0, "N", OPTION_U64, offsetof(struct args, num), "the same as --limit" },
    { "thread", 't', "T", OPTION_TEXTS, offsetof(struct args, threads), "of this thread (number or name), repeatable" },
    { "event", 'e', "E,E", OPTION_EVENTS, offsetof(struct args, events), "of these event types, repeatable" },
    { "class", 'c', "GLOB", OPTION_TEXT, offsetof(struct args, class_glob), "in a class: a.b.*, or Foo" },
    { "method", 'm', "GLOB", OPTION_TEXT, offsetof(struct args, method_glob),
      "in a method: get*, or with its descriptor" },
    { "object", 0, "ID", OPTION_OBJECT, offsetof(struct args, object), "the value is this object: 5, #5 or Type#5" },
    { "value", 0, "V", OPTION_TEXT, offsetof(struct args, value),
      "the value is V, as print shows it: 42, 0x2a, -1.5, NaN, true, null, 'x', \"text\", Type#12" },
    { "text", 0, "TEXT", OPTION_TEXT, offsetof(struct args, text), "the value is a string that contains TEXT" },
    { 0 },
};

const struct usage usage_print = {
    .about = "Prints events in the global order. An event has to satisfy every option given.",
    .example = "hindsight print --class 'com.acme.*' --event METHOD_ENTRY,METHOD_PARAM --limit 100",
    .options = options,
};

enum { THREADS_MAX = 1024, EVENTS_MAX = 256 };
struct lists {
    uint32_t threads[THREADS_MAX];
    unsigned events[EVENTS_MAX];
    size_t thread_count, event_count;
};

static int add_threads(struct session *s, struct lists *l, const char *wanted)
{
    uint64_t number;
    size_t before = l->thread_count;
    bool by_number = cli_u64(wanted, &number);
    const struct hs_thread *t;
    hs_cursor *threads;
    if (hs_threads_open(s->trace, &threads, NULL) != 0)
        return cli_fail(EXIT_FAILED, s->command, "out of memory");
    bool room = true;
    while (room && hs_thread_next(threads, &t, NULL) > 0) {
        if (!(by_number ? t->thread == number : strcmp(t->name, wanted) == 0))
            continue;
        room = l->thread_count < THREADS_MAX;
        if (room)
            l->threads[l->thread_count++] = t->thread;
    }
    hs_cursor_close(threads);
    if (!room)
        return cli_fail(EXIT_FAILED, s->command, "--thread %s: more than %d threads", wanted, THREADS_MAX);
    return l->thread_count > before ? PARSED : cli_fail(EXIT_FAILED, s->command, "--thread %s: no such thread", wanted);
}

static int add_events(const char *command, struct lists *l, const char *names)
{
    for (const char *p = names; *p != '\0';) {
        char name[64];
        size_t n = strcspn(p, ",");
        unsigned event = 0;
        if (n < sizeof name) {
            memcpy(name, p, n);
            name[n] = '\0';
            event = hs_event_number(name);
        }
        if (event == 0 || l->event_count == EVENTS_MAX)
            return cli_fail(EXIT_USAGE, command, "--event: unknown event type '%.*s'", (int)n, p);
        l->events[l->event_count++] = event;
        p += n + (p[n] == ',');
    }
    return PARSED;
}

static int print_all(struct session *s, hs_cursor *cursor, const struct args *a)
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
    for (; left > 0 && s->out.failed == 0 && (more = hs_event_next(cursor, &event, &error)) > 0; left--) {
        if (a->common.json) {
            show_event_json(&show, event);
            out_char(&s->out, '\n');
        } else {
            show_event_text(&show, event);
        }
    }
    show_done(&show);
    hs_cursor_close(cursor);
    if (more == 0)
        names_empty(s, limit - left, limit, "event that satisfies every option");
    return more < 0 ? session_fail(s, "%s", error.text) : session_close(s, EXIT_DONE);
}

int cmd_print(int argc, char **argv)
{
    struct args a = { .to = UINT64_MAX, .num = UINT64_MAX };
    struct session s;
    struct lists lists = { 0 };
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *cursor;
    int status = cli_parse(argc, argv, &a);
    for (size_t i = 0; status == PARSED && i < a.events.count; i++)
        status = add_events(argv[0], &lists, a.events.items[i]);
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
        status = add_threads(&s, &lists, a.threads.items[i]);
    if (status != PARSED)
        return session_close(&s, status);
    struct hs_filter filter = { .size = sizeof filter,
                                .from = a.from,
                                .to = a.to,
                                .threads = a.threads.count > 0 ? lists.threads : NULL,
                                .thread_count = lists.thread_count,
                                .events = a.events.count > 0 ? lists.events : NULL,
                                .event_count = lists.event_count,
                                .class_glob = a.class_glob,
                                .method_glob = a.method_glob,
                                .object = object,
                                .value = a.value,
                                .text = a.text };
    if (hs_events_open(s.trace, &filter, &cursor, &error) != 0) {
        status = cli_fail(error.code == HS_ERR_USAGE ? EXIT_USAGE : EXIT_FAILED, argv[0], "%s", error.text);
        return session_close(&s, status);
    }
    return print_all(&s, cursor, &a);
}
