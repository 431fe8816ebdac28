/* choices.c - threads, marks, event types and groups that options name; see names.h. */
#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "reader/command/names.h"

/* ---- event types ---- */

static void add_event(struct event_choice *c, unsigned event)
{
    size_t at = 0;
    while (at < c->count && c->items[at] < event)
        at++;
    if (at < c->count && c->items[at] == event)
        return;
    memmove(&c->items[at + 1], &c->items[at], (c->count - at) * sizeof c->items[0]);
    c->items[at] = event;
    c->count++;
}

static int no_event(struct context *context, const char *name)
{
    struct nearest n;
    char text[NEAREST_TEXT_MAX];
    nearest_init(&n, name);
    for (unsigned e = 1; e < EVENT_LIMIT; e++)
        if (event_name(e) != NULL)
            nearest_offer(&n, event_name(e));
    return cli_fail(EXIT_USAGE, context, "--event: unknown event type '%s'%s", name, nearest_text(&n, text));
}

static int add_named(struct context *context, const char *text, size_t length, struct event_choice *out)
{
    size_t before = out->count;
    bool found = false;
    char *name = strndup(text, length);
    if (name == NULL)
        return cli_fail(EXIT_FAILED, context, "out of memory");
    for (char *p = name; *p != '\0'; p++)
        *p = (char)toupper((unsigned char)*p);
    for (unsigned e = 1; e < EVENT_LIMIT; e++) {
        if (event_name(e) == NULL || fnmatch(name, event_name(e), FNM_NOESCAPE) != 0)
            continue;
        add_event(out, e);
        found = true;
    }
    free(name);
    if (found || out->count > before)
        return PARSED;
    char *typed = strndup(text, length);
    int status = no_event(context, typed != NULL ? typed : "");
    free(typed);
    return status;
}

int names_events(struct context *context, const char *list, struct event_choice *out)
{
    int status = PARSED;
    if (*list == '\0')
        return cli_fail(EXIT_USAGE, context,
                        "--event wants event types, joined by commas; hindsight events lists them");
    for (const char *p = list; status == PARSED && *p != '\0';) {
        size_t n = strcspn(p, ",");
        status = add_named(context, p, n, out);
        p += n + (p[n] == ',');
    }
    return status;
}

int names_groups(struct context *context, const char *list, struct event_choice *out)
{
    group_set groups = 0;
    const char *bad = NULL;
    int length = 0;
    if (!group_set_parse(list, &groups, &bad, &length)) {
        struct nearest n;
        char text[NEAREST_TEXT_MAX];
        char *name = strndup(bad, (size_t)length);
        nearest_init(&n, name != NULL ? name : "");
        for (unsigned g = 0; g < GROUP_COUNT; g++)
            nearest_offer(&n, group_name(g));
        int status = cli_fail(EXIT_USAGE, context, "--group: '%.*s' is no event group%s", length, bad,
                              n.count > 0 ? nearest_text(&n, text)
                                          : "; they are EXEC CALL PARAM FIELD ARRAY OBJECT SYNC LOCAL LABEL LINE");
        free(name);
        return status;
    }
    for (unsigned e = 1; e < EVENT_LIMIT; e++)
        if (event_name(e) != NULL && (groups >> event_first_group(e) & 1) != 0)
            add_event(out, e);
    return PARSED;
}

/* ---- marks ---- */

int names_no_mark(const struct session *s, const char *option, const char *name)
{
    struct nearest n;
    char text[NEAREST_TEXT_MAX];
    const struct hs_mark *mark;
    hs_cursor *marks = NULL;
    nearest_init(&n, name);
    if (hs_marks_open(s->trace, &marks, NULL) == 0)
        while (hs_mark_next(marks, &mark, NULL) > 0)
            nearest_offer(&n, mark->name);
    hs_cursor_close(marks);
    return cli_fail(EXIT_FAILED, s->context, "--%s: no mark is called '%s'%s", option, name,
                    n.count > 0 ? nearest_text(&n, text) : "; hindsight features lists them");
}

/* ---- threads ---- */

enum likeness { BY_NUMBER, BY_NAME, BY_GLOB };

static bool is_wanted(const struct hs_thread *t, const char *wanted, uint64_t number, enum likeness how)
{
    switch (how) {
    case BY_NUMBER: return t->thread == number;
    case BY_NAME: return strcmp(t->name, wanted) == 0;
    case BY_GLOB: return t->known && fnmatch(wanted, t->name, FNM_NOESCAPE) == 0;
    }
    return false;
}

/* Adds the threads that are like it in this way. False: out of memory. */
static bool add_like(struct session *s, const char *wanted, uint64_t number, enum likeness how, u32_vec *out)
{
    const struct hs_thread *t;
    hs_cursor *threads;
    bool room = true;
    if (hs_threads_open(s->trace, &threads, NULL) != 0)
        return false;
    while (room && hs_thread_next(threads, &t, NULL) > 0) {
        if (!is_wanted(t, wanted, number, how))
            continue;
        uint32_t *to = vec_push(out);
        room = to != NULL;
        if (room)
            *to = t->thread;
    }
    hs_cursor_close(threads);
    return room;
}

static int no_thread(const struct session *s, const char *wanted, bool by_number)
{
    struct nearest n;
    char text[NEAREST_TEXT_MAX];
    const struct hs_thread *t;
    hs_cursor *threads = NULL;
    if (by_number)
        return cli_fail(EXIT_FAILED, s->context, "--thread: there is no thread %s; hindsight threads lists them",
                        wanted);
    nearest_init(&n, wanted);
    if (hs_threads_open(s->trace, &threads, NULL) == 0)
        while (hs_thread_next(threads, &t, NULL) > 0)
            nearest_offer(&n, t->name);
    hs_cursor_close(threads);
    return cli_fail(EXIT_FAILED, s->context, "--thread: no thread is called '%s'%s", wanted,
                    n.count > 0 ? nearest_text(&n, text) : "; hindsight threads lists them");
}

int names_threads(struct session *s, const char *wanted, u32_vec *out)
{
    uint64_t number = 0;
    size_t before = out->count;
    bool by_number = cli_u64(wanted, &number);
    bool room = add_like(s, wanted, number, by_number ? BY_NUMBER : BY_NAME, out);
    if (room && out->count == before && !by_number)
        room = add_like(s, wanted, number, BY_GLOB, out);
    if (!room)
        return cli_fail(EXIT_FAILED, s->context, "out of memory");
    return out->count > before ? PARSED : no_thread(s, wanted, by_number);
}
