/* failure_around.c - what happened around a failure: the other threads and races with them, why an exception that the
 * test expected was not thrown, and a run of the same test that passed. */
#include <stdio.h>
#include <string.h>

#include "reader/cli/failure_parts.h"
#include "reader/query/passed.h"

/* A search for races looks at all events: the page comes without it where that takes more than some seconds. */
enum { RACES_EVENTS_MAX = 50000000, WAY_MAX = 10000000 };
enum { THREADS_MAX = 12, RACES_MAX = 5, ABSENCES_MAX = 4, ONLY_MAX = 12, LINES_MAX = 1 << 20, ENTRIES_MAX = 1000 };

/* ---- threads ---- */

static bool runs_program(hs_trace *t, const struct hs_thread_state *s)
{
    for (size_t i = 0; i < s->frame_count; i++)
        if (failure_own_class(t, s->frames[i]->method_id) != NULL)
            return true;
    return false;
}

static int find_races(hs_trace *t, struct failure *f, struct hs_error *error)
{
    const uint64_t from = f->entered != HS_NO_SEQ ? f->entered : f->row.test->begin;
    const struct hs_race *race;
    const struct hs_event *e;
    hs_cursor *races;
    int more;
    f->races_left_out = hs_event_count(t) > RACES_EVENTS_MAX;
    if (f->races_left_out)
        return 0;
    if (hs_races_open(t, &races, error) != 0)
        return failure_refused(error);
    while ((more = hs_race_next(races, &race, error)) > 0 && f->races.count < RACES_MAX) {
        /* what the framework did before the test, such as starting its thread, is not recorded and orders nothing */
        if (race->a < from || race->a > f->until || hs_event_at(t, race->b, &e, NULL) != 0)
            continue;
        const struct hs_dataid *d = hs_dataid_get(t, e->dataid);
        if (d == NULL || failure_own_class(t, d->method_id) == NULL)
            continue;
        struct hs_race *to = vec_push(&f->races);
        if (to == NULL) {
            more = failure_no_memory(error);
            break;
        }
        *to = *race;
    }
    hs_cursor_close(races);
    return more < 0 ? -1 : 0;
}

/* Did other threads run code of the program during the test? */
static bool has_threads(hs_trace *t, const struct failure *f)
{
    const unsigned entry = HS_EVENT_METHOD_ENTRY;
    for (uint32_t n = 0; n < hs_thread_count(t); n++) {
        const struct hs_thread *thread = hs_thread_get(t, n);
        struct hs_filter filter = HS_FILTER_ALL;
        const struct hs_event *e;
        hs_cursor *events;
        bool found = false;
        if (thread == NULL || n == f->row.test->thread || thread->events == 0)
            continue;
        filter.threads = &n;
        filter.thread_count = 1;
        filter.from = f->row.test->begin;
        filter.to = f->until;
        filter.events = &entry;
        filter.event_count = 1;
        if (hs_events_open(t, &filter, &events, NULL) != 0)
            continue;
        for (unsigned i = 0; !found && i < ENTRIES_MAX && hs_event_next(events, &e, NULL) > 0; i++) {
            const struct hs_dataid *d = hs_dataid_get(t, e->dataid);
            found = d != NULL && failure_own_class(t, d->method_id) != NULL;
        }
        hs_cursor_close(events);
        if (found)
            return true;
    }
    return false;
}

int failure_find_threads(hs_trace *t, struct failure *f, struct hs_error *error)
{
    const struct hs_thread_state *s;
    hs_cursor *states;
    int more;
    if (f->moment == HS_NO_SEQ || (!f->stopped && !has_threads(t, f)))
        return 0;
    if (hs_thread_states_open(t, f->until, &states, error) != 0)
        return failure_refused(error);
    if (failure_keep(f, states, error) != 0)
        return -1;
    while ((more = hs_thread_state_next(states, &s, error)) > 0 && f->threads.count < THREADS_MAX) {
        const bool listed = s->thread->thread == f->row.test->thread && f->frames.count > 0;
        if (listed ? s->wait == HS_WAIT_NONE && (!f->stopped || s->outside == NULL) : !runs_program(t, s))
            continue;
        const struct hs_thread_state **to = vec_push(&f->threads);
        if (to == NULL)
            return failure_no_memory(error);
        *to = s;
        if (s->wait == HS_WAIT_NOTIFY && s->object != 0 && s->object <= UINT32_MAX && s->since != HS_NO_SEQ &&
            failure_find_since(t, f, (uint32_t)s->object, s->since, error) != 0)
            return -1;
    }
    return more < 0 ? -1 : find_races(t, f, error);
}

/* ---- an exception that was not thrown ---- */

/* The name of the exception that a message says should have been thrown, when nothing was: that of JUnit 4 and its
 * rule, JUnit 5 and TestNG. */
static bool expected_exception(const char *message, char *name, size_t size)
{
    static const struct {
        const char *before, *after;
    } forms[] = { { "Expected exception: ", "" },
                  { "Expected exception of type class ", " " },
                  { "Expected test to throw an instance of ", "" },
                  { "should have thrown an exception of type class ", "" },
                  { "Expected ", " to be thrown, but nothing was thrown" },
                  { "expected ", " to be thrown, but nothing was thrown" } };
    for (size_t i = 0; i < sizeof forms / sizeof *forms && message != NULL; i++) {
        const char *at = strstr(message, forms[i].before), *after = forms[i].after;
        if (at == NULL)
            continue;
        at += strlen(forms[i].before);
        const size_t n = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$.");
        if (n == 0 || n >= size || strncmp(at + n, after, strlen(after)) != 0)
            continue;
        (void)snprintf(name, size, "%.*s", (int)n, at);
        return true;
    }
    return false;
}

static bool is_of_type(hs_trace *t, const char *made, const char *wanted)
{
    const char *simple = strrchr(made, '.');
    return strcmp(made, wanted) == 0 || (simple != NULL && strcmp(simple + 1, wanted) == 0) ||
           hs_class_extends(t, made, 0, wanted, NULL);
}

/* The line was reached, and the condition stands in it, too: what the last call of the method that ended without an
 * exception stood under then. */
static const struct hs_absence *other_way(hs_trace *t, struct failure *f, const struct hs_dataid *d,
                                          const struct hs_absence *reached)
{
    const unsigned exits = HS_EVENT_METHOD_NORMAL_EXIT;
    struct hs_why_options o = HS_WHY_OPTIONS_INIT;
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_event *e;
    const struct hs_cause *c;
    hs_cursor *events, *causes;
    uint64_t exit = HS_NO_SEQ;
    filter.from = f->row.test->begin;
    filter.to = f->row.test->end;
    filter.events = &exits;
    filter.event_count = 1;
    filter.class_glob = failure_own_class(t, d->method_id);
    filter.method_glob = hs_method_get(t, d->method_id)->name;
    if (hs_events_open(t, &filter, &events, NULL) != 0)
        return reached;
    for (unsigned i = 0; i < ENTRIES_MAX && hs_event_next(events, &e, NULL) > 0; i++)
        if (hs_dataid_get(t, e->dataid)->method_id == d->method_id)
            exit = e->seq;
    hs_cursor_close(events);
    o.seq = exit;
    o.under = o.control = true;
    if (exit == HS_NO_SEQ || hs_causes_open(t, &o, &causes, NULL) != 0)
        return reached;
    struct hs_absence *way = arena_get(&f->arena, sizeof *way);
    if (failure_keep(f, causes, NULL) != 0 || way == NULL || hs_cause_next(causes, &c, NULL) <= 0)
        return reached;
    while (c->decision == NULL)
        if (hs_cause_next(causes, &c, NULL) <= 0)
            return reached;
    *way = *reached;
    way->situation = HS_SITUATION_DECISION;
    way->line = c->decision->place.line;
    way->seq = c->decision->seq;
    way->because = "went another way";
    way->decision = c->decision;
    return way;
}

static int add_absences(hs_trace *t, struct failure *f, const struct hs_dataid *d, struct hs_error *error)
{
    struct hs_absence_options o = HS_ABSENCE_OPTIONS_INIT;
    const struct hs_method *m = hs_method_get(t, d->method_id);
    const struct hs_absence *x;
    hs_cursor *rows;
    int more;
    o.place = failure_text(f, "%s.%s:%d", failure_own_class(t, d->method_id), m->name, (int)d->line);
    o.at = f->row.test->end;
    if (o.place == NULL)
        return failure_no_memory(error);
    if (hs_absences_open(t, &o, &rows, error) != 0)
        return failure_refused(error);
    if (failure_keep(f, rows, error) != 0)
        return -1;
    while ((more = hs_absence_next(rows, &x, error)) > 0 && f->absences.count < ABSENCES_MAX) {
        const struct hs_absence **to = vec_push(&f->absences);
        if (to == NULL)
            return failure_no_memory(error);
        *to = x->situation == HS_SITUATION_REACHED ? other_way(t, f, d, x) : x;
    }
    return more < 0 ? -1 : 0;
}

/* Is the method of a class of other tests, or another test? */
static bool is_other_test(const struct failure_tests *tests, const struct hs_test *test, const char *class_name,
                          const char *method)
{
    for (size_t i = 0; i < tests->list.count; i++) {
        const struct hs_test *other = &tests->list.items[i];
        const size_t n = other->class_name != NULL ? strlen(other->class_name) : 0;
        if (n == 0 || strncmp(class_name, other->class_name, n) != 0 || strchr("$", class_name[n]) == NULL)
            continue;
        if (test->class_name == NULL || strncmp(test->class_name, other->class_name, n) != 0 ||
            (other->method != NULL && strcmp(method, other->method) == 0 &&
             (test->method == NULL || strcmp(method, test->method) != 0)))
            return true;
    }
    return false;
}

/* Each place that makes such an exception: why it was not reached. */
int failure_find_absences(hs_trace *t, const struct failure_tests *tests, struct failure *f, struct hs_error *error)
{
    const char *message = f->row.thrown != NULL ? f->row.thrown->message : NULL;
    char wanted[1024];
    int failed = 0;
    if (!expected_exception(message, wanted, sizeof wanted))
        return 0;
    for (uint32_t i = 0; failed == 0 && i < hs_dataid_count(t) && f->absences.count < ABSENCES_MAX; i++) {
        const struct hs_dataid *d = hs_dataid_get(t, i);
        const char *type = d != NULL && d->event == HS_EVENT_NEW_OBJECT ? show_text_attr(d, "type") : NULL;
        const char *in = type != NULL && d->line >= 0 ? failure_own_class(t, d->method_id) : NULL;
        if (in != NULL && !is_other_test(tests, f->row.test, in, hs_method_get(t, d->method_id)->name) &&
            is_of_type(t, type, wanted))
            failed = add_absences(t, f, d, error);
    }
    return failed;
}

/* ---- the test when it passed ---- */

static bool same_text(const char *a, const char *b) { return a != NULL && b != NULL && strcmp(a, b) == 0; }

/* Events of the program in the thread of a test, of which the places say which way it went. */
static int open_way(hs_trace *t, const struct hs_test *test, uint64_t to, hs_cursor **out, struct hs_error *error)
{
    static const unsigned types[] = { HS_EVENT_METHOD_ENTRY, HS_EVENT_LABEL, HS_EVENT_CATCH_LABEL };
    struct hs_filter filter = HS_FILTER_ALL;
    filter.threads = &test->thread;
    filter.thread_count = 1;
    filter.from = test->begin;
    filter.to = to;
    filter.events = types;
    filter.event_count = sizeof types / sizeof *types;
    return hs_events_open(t, &filter, out, error);
}

static int next_own(hs_trace *t, hs_cursor *way, struct hs_event *out, struct hs_error *error)
{
    const struct hs_event *e;
    int more;
    while ((more = hs_event_next(way, &e, error)) > 0) {
        const struct hs_dataid *d = hs_dataid_get(t, e->dataid);
        if (d != NULL && failure_own_class(t, d->method_id) != NULL) {
            *out = *e;
            return 1;
        }
    }
    return more;
}

static int find_first_difference(hs_trace *t, struct failure *f, const struct hs_test *passed, struct hs_error *error)
{
    hs_cursor *a = NULL, *b = NULL;
    struct failure_other *x = &f->other;
    size_t steps = 0;
    int here = 0, there = 0;
    if (open_way(t, f->row.test, f->moment, &a, error) != 0 || open_way(t, passed, passed->end, &b, error) != 0)
        here = failure_refused(error);
    else
        do {
            here = next_own(t, a, &x->here, error);
            there = here < 0 ? -1 : next_own(t, b, &x->there, error);
        } while (here > 0 && there > 0 && x->here.dataid == x->there.dataid && ++steps < WAY_MAX);
    hs_cursor_close(a);
    hs_cursor_close(b);
    if (here < 0 || there < 0)
        return -1;
    if (steps == WAY_MAX)
        return 0;
    x->has_here = here > 0;
    x->has_there = there > 0;
    x->passed = here > 0 || there > 0 ? passed : NULL;
    return 0;
}

/* ---- lines that only this test came to ---- */

int failure_count_lines(hs_trace *t, const struct hs_test *test, uint64_t to, uint8_t *met, struct hs_error *error)
{
    hs_cursor *way;
    const struct hs_event *e;
    int more = 0;
    if (open_way(t, test, to, &way, error) != 0)
        return failure_refused(error);
    for (size_t i = 0; i < LINES_MAX && (more = hs_event_next(way, &e, error)) > 0; i++)
        met[e->dataid] = 1;
    hs_cursor_close(way);
    return more < 0 ? -1 : 0;
}

static bool is_line(hs_trace *t, uint32_t dataid, const struct hs_dataid *d)
{
    const struct hs_dataid *x = hs_dataid_get(t, dataid);
    return x != NULL && x->method_id == d->method_id && x->line == d->line;
}

/* Is the line on the page already? */
static bool is_listed(hs_trace *t, const struct failure *f, const struct hs_dataid *d)
{
    for (size_t i = 0; i < f->steps.count; i++)
        if (is_line(t, f->steps.items[i].event.dataid, d))
            return true;
    for (size_t i = 0; i < f->changes.count; i++)
        if (is_line(t, f->changes.items[i].event.dataid, d))
            return true;
    for (size_t i = 0; i < f->only.count; i++)
        if (f->only.items[i].method_id == d->method_id && f->only.items[i].line == d->line)
            return true;
    return false;
}

static int find_only(hs_trace *t, struct failure *f, const uint8_t *met, struct hs_error *error)
{
    struct hs_event e;
    hs_cursor *way;
    int more = 0;
    if (open_way(t, f->row.test, f->moment, &way, error) != 0)
        return failure_refused(error);
    for (size_t i = 0; i < LINES_MAX && (more = next_own(t, way, &e, error)) > 0; i++) {
        const struct hs_dataid *d = hs_dataid_get(t, e.dataid);
        if (met[e.dataid] || d->line < 0 || is_listed(t, f, d) ||
            same_text(failure_own_class(t, d->method_id), f->row.test->class_name))
            continue;
        if (f->only.count >= ONLY_MAX)
            break;
        struct failure_line *to = vec_push(&f->only);
        if (to == NULL) {
            more = failure_no_memory(error);
            break;
        }
        *to = (struct failure_line){ d->method_id, d->line, e };
    }
    hs_cursor_close(way);
    return more < 0 ? -1 : 0;
}

int failure_find_other(hs_trace *t, const struct failure_tests *tests, struct failure *f, struct hs_error *error)
{
    const struct hs_test *passed = NULL;
    const size_t n = hs_dataid_count(t);
    bool any = false;
    int failed = 0;
    if (f->moment == HS_NO_SEQ)
        return 0;
    uint8_t *met = calloc(n + 1, 1);
    if (met == NULL)
        return failure_no_memory(error);
    for (size_t i = 0; failed == 0 && i < tests->list.count; i++) {
        const struct hs_test *x = &tests->list.items[i];
        if (x->status != HS_TEST_PASSED || x->dropped || !same_text(x->class_name, f->row.test->class_name))
            continue;
        any = true;
        failed = failure_count_lines(t, x, x->end, met, error);
        if (passed == NULL && same_text(x->method, f->row.test->method))
            passed = x;
    }
    any |= f->row.test->class_name != NULL && passed_places(t, f->row.test->class_name, met, n);
    if (failed == 0 && passed != NULL)
        failed = find_first_difference(t, f, passed, error);
    if (failed == 0 && any)
        failed = find_only(t, f, met, error);
    free(met);
    return failed;
}
