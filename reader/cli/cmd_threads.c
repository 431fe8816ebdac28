/* cmd_threads.c - `hindsight threads`. */
#include "reader/cli/cli.h"

struct args {
    struct common common;
};
const struct usage usage_threads = {
    .about =
        "start and end are nanoseconds since the start of the recording; a thread that was still running has no end.",
    .example = "hindsight threads --json",
};

static void json(struct out *o, const struct hs_thread *t)
{
    out_format(o, "{\"thread\":%u", t->thread);
    if (t->known) {
        out_text(o, ",\"name\":");
        out_json_text(o, t->name);
        out_format(o, ",\"id\":%llu,\"daemon\":%s,\"virtual\":%s,\"start\":%llu", (unsigned long long)t->tid,
                   t->daemon ? "true" : "false", t->is_virtual ? "true" : "false", (unsigned long long)t->start_ns);
        if (t->end_ns != HS_NO_TIME)
            out_format(o, ",\"end\":%llu", (unsigned long long)t->end_ns);
        if (t->group[0] != '\0') {
            out_text(o, ",\"group\":");
            out_json_text(o, t->group);
        }
        if (t->object_id != 0)
            out_format(o, ",\"object\":%llu", (unsigned long long)t->object_id);
    }
    out_format(o, ",\"events\":%llu}\n", (unsigned long long)t->events);
}

static void seconds(struct out *o, bool known, uint64_t ns)
{
    if (known && ns != HS_NO_TIME)
        out_format(o, " %12.6f", (double)ns / 1e9);
    else
        out_format(o, " %12s", "-");
}

static void text(struct out *o, const struct hs_thread *t)
{
    out_format(o, "%6u %8llu %14llu", t->thread, (unsigned long long)t->tid, (unsigned long long)t->events);
    seconds(o, t->known, t->start_ns);
    seconds(o, t->known, t->end_ns);
    out_format(o, "  %s%s%s\n", t->known ? t->name : "?", t->daemon ? " (daemon)" : "",
               t->is_virtual ? " (virtual)" : "");
}

int cmd_threads(int argc, char **argv)
{
    struct args a = { 0 };
    struct session s;
    int status = session_begin(&s, argc, argv, &a);
    if (status != PARSED)
        return status;
    if (!a.common.json)
        out_format(&s.out, "%6s %8s %14s %12s %12s  %s\n", "thread", "id", "events", "start s", "end s", "name");
    const struct hs_thread *t;
    hs_cursor *threads;
    if (hs_threads_open(s.trace, &threads, NULL) != 0)
        return session_fail(&s, "out of memory");
    for (uint64_t left = a.common.limit; left > 0 && hs_thread_next(threads, &t, NULL) > 0; left--)
        (a.common.json ? json : text)(&s.out, t);
    hs_cursor_close(threads);
    return session_close(&s, EXIT_DONE);
}
