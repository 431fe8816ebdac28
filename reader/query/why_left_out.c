/* why_left_out.c - ends the chain where events of percall= could show another cause.
 *
 * The first events of a call are all in the trace. So what an event took from its own frame is known, but for the exit
 * of a call of which events are missing, and for what such a call passed to another one. What was searched for in other
 * calls is known if no events are missing in between. */
#include "reader/query/left_out.h"
#include "reader/query/why.h"

#include <string.h>

enum status why_left_out(struct why *w, const struct hs_event *mark, const char *what)
{
    const struct hs_dataid *d = dataid_or_none(w->trace, mark->dataid);
    const struct hs_method *m = hs_method_get(w->trace, d->method_id);
    w->choice_count = 0;
    return why_ends(w, "left out", "%s is not known: %llu events of a call of %.120s are left out by percall=%s", what,
                    (unsigned long long)mark->value, m != NULL ? m->name : "?", hs_info(w->trace, "percall"));
}

/* The latest event of the innermost frame before this event, if it is a mark; else ERR_NOT_FOUND. */
static enum status mark_of_frame(struct why *w, uint64_t position, struct hs_event *mark, struct error *err)
{
    const struct replay *state;
    const struct event_position at = { positions_stream(w->trace, w->now.thread), position };
    enum status st = frames_at(w->trace, at, &state, err);
    if (st != OK)
        return st;
    const struct call_frame *top = replay_top(state);
    if (top == NULL || effects_get(w->trace, top->last_id)->op != EFFECT_LEFT_OUT)
        return ERR_NOT_FOUND;
    return positions_event(w->trace, (struct event_position){ at.stream, top->last }, mark, err);
}

/* The position of the METHOD_ENTRY of w->now, which is that or a METHOD_PARAM. */
static enum status entry_of(struct why *w, uint64_t *entry, struct error *err)
{
    const struct replay *state;
    *entry = w->now.position;
    if (w->site->event == EVENT_METHOD_ENTRY)
        return OK;
    enum status st = frames_at(w->trace, why_position(w, &w->now), &state, err);
    if (st != OK)
        return st;
    *entry = replay_top(state) != NULL ? replay_top(state)->entry : NO_POSITION;
    return *entry != NO_POSITION ? OK : ERR_NOT_FOUND;
}

/* The mark of the frame that w->now took its value from. */
static enum status mark_of_source(struct why *w, struct hs_event *mark, struct error *err)
{
    uint64_t entry;
    if (event_has(w->site->event, USE_LEAVE))
        return mark_of_frame(w, w->now.position, mark, err);
    if (!event_has(w->site->event, USE_ENTER | USE_PARAMETER))
        return ERR_NOT_FOUND;
    enum status st = entry_of(w, &entry, err);
    return st == OK ? mark_of_frame(w, entry, mark, err) : st;
}

/* Was the answer found by a search, or by its failure? *from: the moment that the search came to. */
static bool is_searched(const struct why *w, uint64_t *from)
{
    static const char *const certain[] = { "constant",    "new object",   "new array",
                                           "no bytecode", "control flow", "left out" };
    *from = 0;
    for (size_t i = 0; w->end != NULL && i < sizeof certain / sizeof *certain; i++)
        if (strcmp(w->end, certain[i]) == 0)
            return false;
    if (w->end != NULL)
        return true;
    *from = w->choices[0].event.seq;
    return w->choices[0].by != HS_BY_EVENTS;
}

enum status why_check_left_out(struct why *w, struct error *err)
{
    struct hs_event mark;
    struct left_out missing;
    u32_vec marks = { 0 };
    uint64_t from;
    if (!left_out_any(w->trace))
        return OK;
    enum status st = mark_of_source(w, &mark, err);
    if (st == OK)
        return why_left_out(w, &mark, "the value");
    if (st != ERR_NOT_FOUND || !is_searched(w, &from))
        return st == ERR_NOT_FOUND ? OK : st;
    st = left_out_marks(w->trace, NULL, &marks, err);
    if (st == OK)
        st = left_out_before(w->trace, &marks, w->now.seq, &missing, err);
    vec_free(&marks);
    return st == OK && missing.until > from ? why_left_out(w, &missing.mark, "where it came from") : st;
}
