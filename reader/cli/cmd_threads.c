/* cmd_threads.c - `hindsight threads`. */
#include "reader/command/names.h"
#include "reader/command/thread_show.h"

struct args {
    struct common common;
    uint64_t at, frames;
};
static const struct option_row options[] = {
    { "at", 0, "MOMENT", OPTION_MOMENT, offsetof(struct args, at),
      "last event, stack and waiting just after this event (default: at the end)" },
    { "frames", 0, "N", OPTION_U64, offsetof(struct args, frames),
      "frames of each stack that are shown (default 3; with --json frames is then their whole number)" },
    { 0 },
};
const struct usage usage_threads = {
    .about =
        "start and end are nanoseconds since the start of the recording (seconds in the text); a thread that was still "
        "running has no end. last is the last event of the thread. Of a thread that had not ended the innermost frames "
        "follow with the monitors that they hold, and what the thread waits for: to enter a monitor, to be notified "
        "(Object.wait), or for the end of a thread (Thread.join). Locks of java.util.concurrent are not known; of a "
        "thread that is in a method that is not woven, such as BlockingQueue.take, that is named. Needs "
        "events of the groups EXEC, CALL and SYNC.",
    .example = "hindsight threads --frames 5",
    .options = options,
};

static void last_member(struct show *show, const struct hs_thread_state *state)
{
    if (state->last == NULL)
        return;
    json_name(&show->out->json, "last");
    show_event_json(show, state->last);
}

#define ROWS "reader/answers/threads.def"
#define ROW  const struct hs_thread *t, struct show *show, const struct hs_thread_state *state, uint64_t frames
#include "reader/answers/row.h"

static void seconds(struct out *o, bool known, uint64_t ns)
{
    if (known && ns != HS_NO_TIME)
        out_format(o, " %12.6f", (double)ns / 1e9);
    else
        out_format(o, " %12s", "-");
}

static void text(struct show *s, const struct hs_thread_state *state, uint64_t frames)
{
    const char *const indent = out_narrow(s->out) ? "       " : "               ";
    struct out *o = s->out;
    const struct hs_thread *t = state->thread;
    out_format(o, "%6u", t->thread);
    if (!out_narrow(o))
        out_format(o, " %8llu", (unsigned long long)t->tid);
    out_format(o, " %14llu", (unsigned long long)t->events);
    if (!out_narrow(o)) {
        seconds(o, t->known, t->start_ns);
        seconds(o, t->known, t->end_ns);
    }
    if (state->last != NULL)
        out_format(o, " %12llu  ", (unsigned long long)state->last->seq);
    else
        out_format(o, " %12s  ", "-");
    out_format(o, "%s%s%s\n", t->known ? t->name : "?", t->daemon ? " (daemon)" : "",
               t->is_virtual ? " (virtual)" : "");
    thread_stack_text(s, state, frames, indent);
    if (state->wait == HS_WAIT_NONE && state->outside == NULL)
        return;
    out_text(o, indent);
    thread_wait_text(s, state);
    out_char(o, '\n');
}

int cmd_threads(struct context *context)
{
    struct args a = { .at = HS_NO_SEQ, .frames = 3 };
    struct session s;
    struct show show;
    const struct hs_thread_state *state;
    hs_cursor *states = NULL;
    struct hs_error error = HS_ERROR_INIT;
    int status = session_begin(&s, context, &a);
    if (status != PARSED)
        return status;
    status = names_moment(&s, a.at);
    if (status != PARSED)
        return session_close(&s, status);
    if (!show_init(&show, s.trace, &s.out))
        return session_fail(&s, "out of memory");
    int more = hs_thread_states_open(s.trace, a.at, &states, &error);
    if (!a.common.json && out_narrow(&s.out))
        out_format(&s.out, "%6s %14s %12s  %s\n", "thread", "events", "last", "name");
    else if (!a.common.json)
        out_format(&s.out, "%6s %8s %14s %12s %12s %12s  %s\n", "thread", "id", "events", "start s", "end s", "last",
                   "name");
    static const unsigned waits[] = { HS_EVENT_MONITOR_ENTER, HS_EVENT_CALL };
    char unwoven[NAMES_UNWOVEN_MAX] = "";
    bool open = false; /* a thread with frames that may be waiting */
    uint64_t shown = 0;
    while (states != NULL && (more = hs_thread_state_next(states, &state, &error)) > 0) {
        if (shown++ < a.common.limit && s.out.failed == 0) {
            if (a.common.json)
                threads_json(&s.out, state->thread, &show, state, a.frames);
            else
                text(&show, state, a.frames);
        }
        open |= state->frames != NULL && state->wait == HS_WAIT_NONE;
    }
    for (size_t i = 0; open && unwoven[0] == '\0' && i < sizeof waits / sizeof *waits; i++)
        (void)names_unwoven(&s, &waits[i], 1, unwoven);
    if (unwoven[0] != '\0')
        (void)cli_fail(EXIT_DONE, s.context, "%s: what threads wait for is not all known%s", hs_dir(s.trace), unwoven);
    hs_cursor_close(states);
    show_done(&show);
    return more < 0 ? session_fail(&s, "%s", error.text) : session_close(&s, EXIT_DONE);
}
