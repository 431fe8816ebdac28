/* cmd_deadlocks.c - `hindsight deadlocks`: circles of threads that wait for each other. */
#include <string.h>

#include "formats/event.h"
#include "reader/command/names.h"
#include "reader/command/thread_show.h"

struct args {
    struct common common;
    uint64_t at;
};
static const struct option_row options[] = {
    { "at", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, at), "just after this event (default: at the end)" },
    { 0 },
};
const struct usage usage_deadlocks = {
    .about = "A deadlock is a circle of threads each of which waits to enter a monitor that the next one holds, by "
             "synchronized blocks or methods. Each thread is shown with what it waits for and its stack. Locks of "
             "java.util.concurrent are not known; a thread that stands in a call of that package, or holds a monitor "
             "and stands in code that is not woven, is named on standard error. Needs events of the groups EXEC, CALL "
             "and SYNC.",
    .example = "hindsight deadlocks",
    .options = options,
};

static void threads_member(struct show *s, const struct hs_deadlock *d)
{
    struct json *j = &s->out->json;
    json_name(j, "threads");
    json_array(j);
    for (size_t i = 0; i < d->thread_count; i++) {
        const struct hs_thread_state *t = d->threads[i];
        json_object(j);
        json_member_u64(j, "thread", t->thread->thread);
        if (t->thread->known)
            json_member_text(j, "name", t->thread->name);
        thread_wait_json(s, t);
        thread_stack_json(s, t, UINT64_MAX);
        json_end(j);
    }
    json_end(j);
}

#define ROWS "reader/answers/deadlocks.def"
#define ROW  struct show *show, const struct hs_deadlock *d
#include "reader/answers/row.h"

static void text(struct show *s, const struct hs_deadlock *d)
{
    struct out *o = s->out;
    out_format(o, "deadlock of %zu thread%s\n", d->thread_count, d->thread_count > 1 ? "s" : "");
    for (size_t i = 0; i < d->thread_count; i++) {
        const struct hs_thread_state *t = d->threads[i];
        out_text(o, "  ");
        out_colour(o, COLOUR_NAME);
        thread_name_text(o, t->thread);
        out_colour(o, COLOUR_NONE);
        out_char(o, ' ');
        thread_wait_text(s, t);
        out_char(o, '\n');
        thread_stack_text(s, t, UINT64_MAX, "    ");
    }
}

/* Does it stand in a call of java.util.concurrent, or is it parked by one that is woven? */
static bool stands_in_concurrent(const char *owner, const char *name)
{
    static const char package[] = "java.util.concurrent.";
    return strncmp(owner, package, sizeof package - 1) == 0 || strcmp(name, "park") == 0;
}

/* Names the threads that may wait for others where that is not seen; returns how many stand in java.util.concurrent. */
static size_t tell_outside(const struct session *s, hs_cursor *states, bool say)
{
    const struct hs_thread_state *t;
    size_t concurrent = 0;
    (void)hs_cursor_seek(states, 0, NULL);
    while (hs_thread_state_next(states, &t, NULL) > 0) {
        const char *owner = t->outside != NULL ? show_text_attr(t->outside, "owner") : NULL,
                   *name = t->outside != NULL ? show_text_attr(t->outside, "name") : NULL;
        if (owner == NULL || name == NULL)
            continue;
        bool stands = stands_in_concurrent(owner, name);
        concurrent += stands;
        char since[40] = "";
        if (t->since != HS_NO_SEQ)
            (void)snprintf(since, sizeof since, ", since %llu", (unsigned long long)t->since);
        if (say && (t->holds || stands))
            (void)cli_fail(EXIT_DONE, s->context,
                           "thread %u %s %sstands in %s.%s, which is not woven%s: what it waits for there is not known",
                           t->thread->thread, t->thread->known ? t->thread->name : "",
                           t->holds ? "holds a monitor and " : "", owner, name, since);
    }
    return concurrent;
}

/* Says on standard error why there is nothing to see, and which threads may wait for others where that is not seen. */
static void tell_rest(const struct session *s, hs_cursor *states, uint64_t shown, uint64_t limit)
{
    bool concurrent = tell_outside(s, states, false) > 0;
    names_empty_without(s, shown, limit,
                        concurrent ? "deadlock of monitors (locks of java.util.concurrent are not known)" : "deadlock",
                        USE_LOCK);
    (void)tell_outside(s, states, true);
}

int cmd_deadlocks(struct context *context)
{
    struct args a = { .at = HS_NO_SEQ };
    struct session s;
    struct show show;
    const struct hs_deadlock *d;
    hs_cursor *states = NULL, *circles = NULL;
    struct hs_error error = HS_ERROR_INIT;
    int status = session_begin_stream(&s, context, &a);
    if (status != PARSED)
        return status;
    status = names_moment(&s, a.at);
    if (status != PARSED)
        return session_close(&s, status);
    if (!show_init(&show, s.trace, &s.out))
        return session_fail(&s, "out of memory");
    const bool ok =
        hs_thread_states_open(s.trace, a.at, &states, &error) == 0 && hs_deadlocks_open(states, &circles, &error) == 0;
    uint64_t shown = 0;
    for (; ok && shown < a.common.limit && s.out.failed == 0 && hs_deadlock_next(circles, &d, &error) > 0; shown++)
        if (a.common.json)
            deadlocks_json(&s.out, &show, d);
        else
            text(&show, d);
    hs_cursor_close(circles);
    if (ok)
        tell_rest(&s, states, shown, a.common.limit);
    hs_cursor_close(states);
    show_done(&show);
    return ok ? session_close(&s, EXIT_DONE) : session_fail(&s, "%s", error.text);
}
