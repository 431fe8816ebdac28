/* dap_moves.c - requests that move the session: steps, runs, jumps; and the event that says where it stands. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/serve/dap.h"

/* ---- where it stands ---- */

/* The description of reasons that VS Code would show as "Paused on goto", "Paused on pause", "Paused on restart"; NULL:
 * that text reads well. */
static const char *description_of(const char *reason, const struct nav_stop *stop, uint64_t seq, char *room,
                                  size_t size)
{
    if (stop != NULL && stop->reason == NAV_END)
        return "End of the recording";
    if (stop != NULL && stop->reason == NAV_BEGIN)
        return "Beginning of the recording";
    if (strcmp(reason, "restart") == 0)
        return "Paused at the beginning of the call";
    if (strcmp(reason, "goto") != 0 && strcmp(reason, "pause") != 0)
        return NULL;
    (void)snprintf(room, size, "Paused at event %llu", (unsigned long long)seq);
    return room;
}

/* The breakpoint of this id; NULL: it only logs, or is none of the client's. */
static const struct dap_break *breaks_at(struct dap *d, uint32_t id)
{
    const struct dap_break *b = dap_break_of(d, id);
    return b != NULL && b->log == NULL ? b : NULL;
}

void dap_stopped(struct dap *d, const char *reason, const struct nav_stop *stop)
{
    static const char *const hit_reasons[] = { "breakpoint", "function breakpoint", "exception", "data breakpoint" };
    char room[48];
    const size_t count = stop != NULL && stop->reason == NAV_HIT ? stop->hit_count : 0;
    bool any = false;
    if (stop != NULL && (stop->reason == NAV_END || stop->reason == NAV_BEGIN || stop->reason == NAV_CANCELLED))
        reason = "pause";
    for (size_t i = 0; i < count && !any; i++) {
        const struct dap_break *b = breaks_at(d, stop->hits[i]);
        any = b != NULL;
        if (any)
            reason = hit_reasons[b->kind];
    }
    dap_forget(d);
    dap_send_output(d);
    const char *description = description_of(reason, stop, nav_seq(d->nav), room, sizeof room);
    struct json *j = dap_event_begin(d, "stopped");
    json_member_text(j, "reason", reason);
    if (description != NULL)
        json_member_text(j, "description", description);
    json_member_u64(j, "threadId", (uint64_t)nav_thread(d->nav) + 1);
    json_member_bool(j, "allThreadsStopped", true);
    json_member_u64(j, "seqOfTrace", nav_seq(d->nav));
    if (any) {
        json_name(j, "hitBreakpointIds");
        json_array(j);
        for (size_t i = 0; i < count; i++)
            if (breaks_at(d, stop->hits[i]) != NULL)
                json_u64(j, stop->hits[i]);
        json_end(j);
    }
    dap_event_end(d);
}

/* ---- steps and runs ---- */

static bool thread_of(struct dap *d, const cJSON *arguments, uint32_t *thread)
{
    int64_t id = dap_number(arguments, "threadId", (int64_t)nav_thread(d->nav) + 1);
    if (id < 1 || id > UINT32_MAX || hs_thread_get(d->trace, (uint32_t)id - 1) == NULL)
        return dap_fail(d, "threadId: there is no thread %lld", (long long)id);
    *thread = (uint32_t)id - 1;
    return true;
}

static bool step(struct dap *d, const cJSON *arguments, enum nav_step how, enum nav_direction direction)
{
    const char *granularity = dap_text(arguments, "granularity"),
               *unit_names[] = { "instruction", "statement", "line" };
    enum nav_unit unit = NAV_STATEMENT;
    struct nav_stop stop;
    struct error err = { 0 };
    uint32_t thread = 0;
    if (!thread_of(d, arguments, &thread))
        return false;
    for (int i = 0; granularity != NULL && i < 3; i++)
        if (strcmp(granularity, unit_names[i]) == 0)
            unit = (enum nav_unit)i;
    dap_answer(d);
    nav_set_poll(d->nav, dap_poll, d);
    enum status st = nav_step(d->nav, thread, how, unit, direction, &stop, &err);
    nav_set_poll(d->nav, NULL, NULL);
    if (st != OK)
        (void)dap_fail(d, "%s", err.text);
    dap_stopped(d, st == OK ? "step" : "pause", st == OK ? &stop : NULL);
    return st == OK;
}

bool dap_next(struct dap *d, const cJSON *arguments) { return step(d, arguments, NAV_OVER, NAV_FORWARD); }
bool dap_stepIn(struct dap *d, const cJSON *arguments) { return step(d, arguments, NAV_IN, NAV_FORWARD); }
bool dap_stepOut(struct dap *d, const cJSON *arguments) { return step(d, arguments, NAV_OUT, NAV_FORWARD); }

/* Over; `kind` "in" or "out" of our own clients for the others. */
bool dap_stepBack(struct dap *d, const cJSON *arguments)
{
    const char *kind = dap_text(arguments, "kind");
    enum nav_step how = kind != NULL && strcmp(kind, "in") == 0    ? NAV_IN
                        : kind != NULL && strcmp(kind, "out") == 0 ? NAV_OUT
                                                                   : NAV_OVER;
    return step(d, arguments, how, NAV_BACKWARD);
}

static bool run(struct dap *d, enum nav_direction direction)
{
    struct nav_stop stop;
    struct error err = { 0 };
    json_member_bool(&d->json, "allThreadsContinued", true);
    dap_answer(d);
    nav_set_poll(d->nav, dap_poll, d);
    enum status st = nav_run(d->nav, direction, &stop, &err);
    nav_set_poll(d->nav, NULL, NULL);
    if (st != OK)
        (void)dap_fail(d, "%s", err.text);
    dap_stopped(d, st == OK ? "breakpoint" : "pause", st == OK ? &stop : NULL);
    return st == OK;
}

bool dap_continue(struct dap *d, const cJSON *arguments)
{
    (void)arguments;
    return run(d, NAV_FORWARD);
}

bool dap_reverseContinue(struct dap *d, const cJSON *arguments)
{
    (void)arguments;
    return run(d, NAV_BACKWARD);
}

/* What runs has ended before this is read (dap_poll). */
bool dap_pause(struct dap *d, const cJSON *arguments)
{
    (void)d;
    (void)arguments;
    return true;
}

bool dap_configurationDone(struct dap *d, const cJSON *arguments)
{
    (void)arguments;
    return d->configured = true;
}

/* ---- jumps ---- */

/* A client that goes to a moment by an extension does not know that the session moves: it keeps what it has of the stop
 * before. */
static void report_that_it_moves(struct dap *d)
{
    struct json *j = dap_event_begin(d, "continued");
    json_member_u64(j, "threadId", (uint64_t)nav_thread(d->nav) + 1);
    json_member_bool(j, "allThreadsContinued", true);
    dap_event_end(d);
}

static bool jump(struct dap *d, uint64_t seq, const char *reason, bool unexpected)
{
    struct error err = { 0 };
    if (nav_go(d->nav, seq, &err) != OK)
        return dap_fail(d, "%s", err.text);
    dap_answer(d);
    if (unexpected)
        report_that_it_moves(d);
    dap_stopped(d, reason, NULL);
    return true;
}

bool dap_restart(struct dap *d, const cJSON *arguments)
{
    (void)arguments;
    return jump(d, 0, "entry", false);
}

static bool add_target(struct dap *d, uint64_t seq, const char *label, int64_t line)
{
    struct json *j = &d->json;
    uint64_t *to = vec_push(&d->targets);
    char text[64];
    if (to == NULL)
        return dap_fail(d, "out of memory");
    *to = seq;
    (void)snprintf(text, sizeof text, "%s, event %llu", label, (unsigned long long)seq);
    json_object(j);
    json_member_u64(j, "id", d->targets.count);
    json_member_text(j, "label", text);
    json_member_i64(j, "line", line);
    json_end(j);
    return true;
}

/* The next and the previous time that the line was reached. */
bool dap_gotoTargets(struct dap *d, const cJSON *arguments)
{
    static const char *const labels[] = { "next time here", "last time here" };
    char room[SOURCE_NAME_MAX];
    const char *path = dap_source_path(d, cJSON_GetObjectItemCaseSensitive(arguments, "source"), room);
    int64_t line = dap_number(arguments, "line", -1);
    struct error err = { 0 };
    uint64_t seq;
    if (path == NULL || line < 0 || line > UINT16_MAX)
        return dap_fail(d, "gotoTargets wants a source and a line");
    json_name(&d->json, "targets");
    json_array(&d->json);
    for (int way = NAV_FORWARD; way <= NAV_BACKWARD; way++) {
        enum status st = nav_find_line(d->nav, path, (int32_t)line + d->lines_from_0, nav_seq(d->nav),
                                       (enum nav_direction)way, &seq, &err);
        if (st != OK && st != ERR_NOT_FOUND)
            return dap_fail(d, "%s", err.text);
        if (st == OK && !add_target(d, seq, labels[way], line))
            return false;
    }
    json_end(&d->json);
    return true;
}

/* A target of gotoTargets; or `seq` of our own clients: that moment. */
bool dap_goto(struct dap *d, const cJSON *arguments)
{
    int64_t id = dap_number(arguments, "targetId", 0);
    uint64_t seq;
    if (dap_u64(arguments, "seq", &seq))
        return jump(d, seq, "goto", true);
    if (id < 1 || (uint64_t)id > d->targets.count)
        return dap_fail(d, "targetId: there is no target %lld", (long long)id);
    return jump(d, d->targets.items[id - 1], "goto", false);
}

bool dap_restartFrame(struct dap *d, const cJSON *arguments)
{
    struct dap_frame f;
    struct nav_stop stop;
    struct error err = { 0 };
    if (!dap_frame_get(d, dap_number(arguments, "frameId", 0), &f))
        return dap_fail(d, "frameId: there is no such frame");
    if (nav_restart(d->nav, f.thread, f.frame, &stop, &err) != OK)
        return dap_fail(d, "%s", err.text);
    dap_answer(d);
    dap_stopped(d, "restart", &stop);
    return true;
}
