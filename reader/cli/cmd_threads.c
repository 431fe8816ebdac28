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
    struct json *j = &o->json;
    json_object(j);
    json_member_u64(j, "thread", t->thread);
    if (t->known) {
        json_member_text(j, "name", t->name);
        json_member_u64(j, "id", (uint64_t)t->tid);
        json_member_bool(j, "daemon", t->daemon);
        json_member_bool(j, "virtual", t->is_virtual);
        json_member_u64(j, "start", t->start_ns);
        if (t->end_ns != HS_NO_TIME)
            json_member_u64(j, "end", t->end_ns);
        if (t->group[0] != '\0')
            json_member_text(j, "group", t->group);
        if (t->object_id != 0)
            json_member_u64(j, "object", t->object_id);
    }
    json_member_u64(j, "events", t->events);
    json_end_line(j);
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
