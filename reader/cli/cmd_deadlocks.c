/* cmd_deadlocks.c - `hindsight deadlocks`: circles of threads that wait for each other.
 *
 * A thread waits for one other thread at most, so each circle is found by following the owners from any of its
 * threads. */
#include <string.h>

#include "formats/event.h"
#include "reader/analysis/thread_show.h"
#include "reader/command/names.h"

struct args {
    struct common common;
    uint64_t at;
};
static const struct option_row options[] = {
    { "at", 0, "SEQ", OPTION_U64, offsetof(struct args, at), "just after this event (default: at the end)" },
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

/* The thread that holds the monitor which this one waits to enter; NO_STATE: there is none. */
static int64_t next_in_circle(const struct thread_state *t) { return t->wait == WAIT_ENTER ? t->owner : NO_STATE; }

struct circle {
    size_t first, length; /* the thread with the lowest number; 0: there is no circle */
};

/* The circle that begins with `at`, from its thread with the lowest number on. */
static struct circle circle_of(const struct thread_states *all, int64_t at)
{
    struct circle c = { (size_t)at, 0 };
    int64_t i = at;
    do {
        c.first = (size_t)i < c.first ? (size_t)i : c.first;
        c.length++;
        i = next_in_circle(&all->list.items[i]);
    } while (i != at);
    return c;
}

/* Follows the owners from a thread on. A circle is found from the first thread that leads to it: `walks` has, for each
 * thread, the walk that has come to it (0: none). */
static struct circle find_circle(const struct thread_states *all, size_t from, u32_vec *walks)
{
    uint32_t walk = (uint32_t)from + 1;
    int64_t at = (int64_t)from;
    while (at != NO_STATE && walks->items[at] == 0) {
        walks->items[at] = walk;
        at = next_in_circle(&all->list.items[at]);
    }
    return at != NO_STATE && walks->items[at] == walk ? circle_of(all, at) : (struct circle){ 0 };
}

static void threads_member(struct show *s, const struct thread_states *all, struct circle c)
{
    struct json *j = &s->out->json;
    const struct thread_state *t = &all->list.items[c.first];
    json_name(j, "threads");
    json_array(j);
    for (size_t i = 0; i < c.length; i++) {
        json_object(j);
        json_member_u64(j, "thread", t->thread->thread);
        if (t->thread->known)
            json_member_text(j, "name", t->thread->name);
        thread_wait_json(s, all, t);
        thread_stack_json(s, t, UINT64_MAX);
        json_end(j);
        t = &all->list.items[next_in_circle(t)];
    }
    json_end(j);
}

#define ROWS "reader/answers/deadlocks.def"
#define ROW  struct show *show, const struct thread_states *all, struct circle c
#include "reader/answers/row.h"

static void text(struct show *s, const struct thread_states *all, struct circle c)
{
    struct out *o = s->out;
    const struct thread_state *t = &all->list.items[c.first];
    out_format(o, "deadlock of %zu thread%s\n", c.length, c.length > 1 ? "s" : "");
    for (size_t i = 0; i < c.length; i++) {
        out_text(o, "  ");
        out_colour(o, COLOUR_NAME);
        thread_name_text(o, t->thread);
        out_colour(o, COLOUR_NONE);
        out_char(o, ' ');
        thread_wait_text(s, all, t);
        out_char(o, '\n');
        thread_stack_text(s, t, UINT64_MAX, "    ");
        t = &all->list.items[next_in_circle(t)];
    }
}

/* Does it stand in a call of java.util.concurrent, or is it parked by one that is woven? */
static bool stands_in_concurrent(const char *owner, const char *name)
{
    static const char package[] = "java.util.concurrent.";
    return strncmp(owner, package, sizeof package - 1) == 0 || strcmp(name, "park") == 0;
}

/* Names the threads that may wait for others where that is not seen; returns how many stand in java.util.concurrent. */
static size_t tell_outside(const struct session *s, const struct thread_states *all, bool say)
{
    size_t concurrent = 0;
    for (size_t i = 0; i < all->list.count; i++) {
        const struct thread_state *t = &all->list.items[i];
        const char *owner = t->outside != NULL ? show_text_attr(t->outside, "owner") : NULL,
                   *name = t->outside != NULL ? show_text_attr(t->outside, "name") : NULL;
        if (owner == NULL || name == NULL)
            continue;
        bool stands = stands_in_concurrent(owner, name);
        concurrent += stands;
        if (say && (t->holds || stands))
            (void)cli_fail(EXIT_DONE, s->command,
                           "thread %u %s %sstands in %s.%s, which is not woven, since %llu: what it waits for there "
                           "is not known",
                           t->thread->thread, t->thread->known ? t->thread->name : "",
                           t->holds ? "holds a monitor and " : "", owner, name, (unsigned long long)t->since);
    }
    return concurrent;
}

/* Says on standard error why there is nothing to see, and which threads may wait for others where that is not seen. */
static void tell_rest(const struct session *s, const struct thread_states *all, uint64_t shown, uint64_t limit)
{
    bool concurrent = tell_outside(s, all, false) > 0;
    names_empty_without(s, shown, limit,
                        concurrent ? "deadlock of monitors (locks of java.util.concurrent are not known)" : "deadlock",
                        USE_LOCK);
    (void)tell_outside(s, all, true);
}

int cmd_deadlocks(int argc, char **argv)
{
    struct args a = { .at = HS_NO_SEQ };
    struct session s;
    struct show show;
    struct thread_states all;
    u32_vec walks = { 0 };
    struct hs_error error = HS_ERROR_INIT;
    int status = session_begin_stream(&s, argc, argv, &a);
    if (status != PARSED)
        return status;
    status = names_moment(&s, a.at);
    if (status != PARSED)
        return session_close(&s, status);
    if (!show_init(&show, s.trace, &s.out))
        return session_fail(&s, "out of memory");
    int failed = thread_states_read(s.trace, a.at, &all, &error);
    bool room = vec_extend(&walks, all.list.count);
    uint64_t shown = 0;
    for (size_t i = 0; failed == 0 && room && i < all.list.count && shown < a.common.limit && s.out.failed == 0; i++) {
        struct circle c = find_circle(&all, i, &walks);
        if (c.length == 0)
            continue;
        if (a.common.json)
            deadlocks_json(&s.out, &show, &all, c);
        else
            text(&show, &all, c);
        shown++;
    }
    vec_free(&walks);
    if (failed == 0 && room)
        tell_rest(&s, &all, shown, a.common.limit);
    thread_states_free(&all);
    show_done(&show);
    if (failed != 0 || !room)
        return session_fail(&s, "%s", failed != 0 ? error.text : "out of memory");
    return session_close(&s, EXIT_DONE);
}
