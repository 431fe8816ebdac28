/* failure.c - see failure.h. */
#include "reader/cli/failure.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/jvm/classfile.h"
#include "reader/cli/failure_parts.h"

enum { SWALLOWED_MAX = 20, SUPERS_MAX = 64, BACK_MAX = 100000 };

/* ---- the exceptions of the test ---- */

static int find_exceptions(hs_trace *t, struct failure *f, struct hs_error *error)
{
    const struct hs_test *test = f->row.test;
    const struct hs_exception *x;
    /* that of a constructor comes before the framework announces the test */
    const uint64_t before = failure_first_flight(t, test->exception, test->begin);
    hs_cursor *all;
    int more;
    if (hs_exceptions_open_from(t, test->begin, &all, error) != 0)
        return -1;
    while ((more = hs_exception_next(all, &x, error)) > 0) {
        if (test->end != HS_NO_SEQ && x->thrown > test->end)
            break;
        if (x->id == test->exception && f->thrown == HS_NO_SEQ)
            f->thrown = x->thrown;
        const struct hs_object *o = hs_object_get(t, x->id);
        if (o != NULL && o->type != NULL && strcmp(o->type, "java.lang.InterruptedException") == 0) {
            if (f->interrupted == HS_NO_SEQ && x->first->thread == f->thread)
                f->interrupted = x->thrown;
            if (f->any_interrupted == HS_NO_SEQ)
                f->any_interrupted = x->thrown;
        }
        const struct hs_dataid *d = hs_dataid_get(t, x->caught_dataid);
        const char *by = x->swallowed && d != NULL ? failure_class(t, d->method_id) : NULL;
        if (by == NULL || test_library(by) || x->id == test->exception || f->swallowed.count >= SWALLOWED_MAX)
            continue;
        struct failure_swallowed *to = vec_push(&f->swallowed);
        if (to == NULL) {
            more = failure_no_memory(error);
            break;
        }
        *to = (struct failure_swallowed){ .x = *x, .first = *x->first };
        to->x.exits = NULL;
        to->x.exit_count = 0;
    }
    hs_cursor_close(all);
    if (f->thrown == HS_NO_SEQ)
        f->thrown = before;
    return more < 0 ? -1 : 0;
}

/* ---- the assertion ---- */

/* The call in this frame that ended in the exception, with its arguments: before event `limit`. */
static int find_call(hs_trace *t, struct failure *f, const struct hs_frame *frame, uint32_t pc, uint64_t limit,
                     struct hs_error *error)
{
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_event *e;
    hs_cursor *events;
    int more;
    filter.threads = &frame->thread;
    filter.thread_count = 1;
    filter.from = frame->entered != HS_NO_SEQ ? frame->entered : 0;
    filter.to = limit;
    if (hs_events_open(t, &filter, &events, error) != 0)
        return -1;
    more = hs_cursor_seek(events, HS_NO_SEQ, error);
    for (size_t i = 0; more >= 0 && i < BACK_MAX && (more = hs_event_previous(events, &e, error)) > 0; i++) {
        const struct hs_dataid *d = hs_dataid_get(t, e->dataid);
        if (d == NULL || d->method_id != frame->method_id || e->seq == limit || d->event == HS_EVENT_CATCH_LABEL)
            continue; /* where the method catches it: the call is before that */
        if (d->pc != pc || (d->event != HS_EVENT_CALL && d->event != HS_EVENT_CALL_PARAM))
            break;
        if (d->event == HS_EVENT_CALL_PARAM) {
            struct hs_event *to = vec_push(&f->assertion.arguments);
            if (to == NULL) {
                hs_cursor_close(events);
                return failure_no_memory(error);
            }
            *to = *e;
            continue;
        }
        f->assertion.seq = e->seq;
        f->assertion.owner = show_text_attr(d, "owner");
        f->assertion.name = show_text_attr(d, "name");
        break;
    }
    hs_cursor_close(events);
    for (size_t i = 0, n = f->assertion.arguments.count; i < n / 2; i++) {
        const struct hs_event last = f->assertion.arguments.items[n - 1 - i];
        f->assertion.arguments.items[n - 1 - i] = f->assertion.arguments.items[i];
        f->assertion.arguments.items[i] = last;
    }
    return more < 0 ? -1 : 0;
}

/* ---- what it compared ---- */

enum message { FIRST, LAST };
enum { NONE = -1, SUBJECT = -2 };
/* The calls that are given what an assertion is about, and the matchers that are equal to what they are given. */
#define SUBJECT_MAKERS "assertThat*|that|then*"
#define EQUAL_MAKERS   "is|equalTo|equalToObject|sameInstance|contains|arrayContaining"
static const struct assertion {
    const char *class_name, *methods;
    enum message message;
    int expected, actual;
} assertions[] = {
#define ASSERTION(class_name, methods, message, expected, actual) { class_name, methods, message, expected, actual },
#include "reader/cli/assertions.def"
};

static bool has_name(const char *globs, const char *name)
{
    char glob[64];
    for (const char *at = globs; *at != '\0';) {
        const size_t n = strcspn(at, "|");
        (void)snprintf(glob, sizeof glob, "%.*s", (int)n, at);
        if (fnmatch(glob, name, 0) == 0)
            return true;
        at += n + (at[n] == '|');
    }
    return false;
}

/* The superclass of the first class of this name; NULL: none, or not known. */
static const char *super_of(hs_trace *t, const char *name)
{
    const struct hs_class *c;
    const char *super = NULL;
    hs_cursor *classes;
    if (hs_classes_open(t, &classes, NULL) != 0)
        return NULL;
    while (super == NULL && hs_class_next(classes, &c, NULL) > 0)
        if (strcmp(c->name, name) == 0 && c->super[0] != '\0')
            super = c->super;
    hs_cursor_close(classes);
    return super;
}

static const struct assertion *assertion_of(const char *owner, const char *name)
{
    for (size_t i = 0; i < sizeof assertions / sizeof *assertions; i++) {
        const struct assertion *a = &assertions[i];
        const size_t n = strlen(a->class_name);
        const bool package = a->class_name[n - 1] == '.';
        if ((package ? strncmp(owner, a->class_name, n) == 0 : strcmp(owner, a->class_name) == 0) &&
            has_name(a->methods, name))
            return a;
    }
    return NULL;
}

/* A test that extends TestCase calls assertEquals as a method of its own: a call names the class that it is written in,
 * and a superclass may declare the method. */
static const struct assertion *find_assertion(hs_trace *t, const char *owner, const char *name)
{
    const struct assertion *a = NULL;
    for (size_t i = 0; a == NULL && owner != NULL && i < SUPERS_MAX; i++, owner = super_of(t, owner))
        a = assertion_of(owner, name);
    return a;
}

static bool is_string(hs_trace *t, const struct hs_event *e)
{
    const struct hs_object *o =
        e->kind == HS_KIND_REF && e->value - 1 < UINT32_MAX ? hs_object_get(t, (uint32_t)e->value) : NULL;
    return e->kind == HS_KIND_REF && (e->value == 0 || (o != NULL && o->has_string));
}

static bool is_library_object(hs_trace *t, const struct hs_event *e)
{
    const struct hs_object *o =
        e->kind == HS_KIND_REF && e->value - 1 < UINT32_MAX ? hs_object_get(t, (uint32_t)e->value) : NULL;
    return o != NULL && o->type != NULL && strncmp(o->type, "org.hamcrest.", strlen("org.hamcrest.")) == 0;
}

static int find_compared(hs_trace *t, struct failure *f, const struct hs_frame *frame, struct hs_error *error)
{
    struct failure_call *c = &f->assertion;
    const struct assertion *a = c->owner != NULL && c->name != NULL ? find_assertion(t, c->owner, c->name) : NULL;
    const int needed = a == NULL ? 0 : 1 + (a->expected > a->actual ? a->expected : a->actual);
    const struct hs_event *call;
    struct hs_event made;
    int found = 0;
    if (a == NULL)
        return 0;
    const bool first =
        a->message == FIRST && c->arguments.count > (size_t)needed && is_string(t, &c->arguments.items[0]);
    const size_t expected = (size_t)(a->expected + first), actual = (size_t)(a->actual + first);
    if (a->expected != NONE && expected < c->arguments.count) {
        f->expected = c->arguments.items[expected];
        f->has_expected = true;
    }
    if (a->actual >= 0 && actual < c->arguments.count) {
        f->actual = c->arguments.items[actual];
        f->has_actual = true;
    }
    if (a->actual == 0 && f->has_expected && has_name("assertThat|checkThat", c->name)) {
        if (f->expected.kind != HS_KIND_REF) { /* assertThat(reason, boolean) */
            f->actual = f->expected;
            f->has_expected = false;
            return 0;
        }
        found = failure_made_of(t, frame, f->expected.value, c->seq, EQUAL_MAKERS, &made, error);
        while (found > 0) { /* is(equalTo(x)) */
            f->expected = made;
            found = made.kind == HS_KIND_REF ? failure_made_of(t, frame, made.value, c->seq, EQUAL_MAKERS, &made, error)
                                             : 0;
        }
        f->has_expected = !is_library_object(t, &f->expected); /* a matcher says nothing */
    }
    if (a->actual != SUBJECT || found < 0)
        return found < 0 ? -1 : 0;
    if (hs_event_at(t, c->seq, &call, error) != 0)
        return -1;
    found = failure_made_of(t, frame, call->value, c->seq, SUBJECT_MAKERS, &f->actual, error);
    f->has_actual = found > 0;
    return found < 0 ? -1 : 0;
}

/* ---- all of it ---- */

/* The first call of the test method during the test. */
static int find_entry(hs_trace *t, struct failure *f, struct hs_error *error)
{
    const struct hs_test *test = f->row.test;
    const unsigned entry = HS_EVENT_METHOD_ENTRY;
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_event *e;
    hs_cursor *events;
    if (test->class_name == NULL || test->method == NULL)
        return 0;
    filter.from = test->begin;
    filter.to = test->end;
    filter.events = &entry;
    filter.event_count = 1;
    filter.class_glob = test->class_name;
    filter.method_glob = test->method;
    if (hs_events_open(t, &filter, &events, error) != 0)
        return error->code == HS_ERR_USAGE ? 0 : -1;
    const int more = hs_event_next(events, &e, error);
    if (more > 0) {
        f->entered = e->seq;
        f->thread = e->thread;
    }
    hs_cursor_close(events);
    return more < 0 ? -1 : 0;
}

static bool is_timeout(const struct failure *f)
{
    const char *message = f->row.thrown != NULL ? f->row.thrown->message : NULL, *type = f->row.type;
    return (type != NULL && (strstr(type, "TimedOut") != NULL || strstr(type, "Timeout") != NULL)) ||
           (message != NULL && strstr(message, "timed out") != NULL);
}

/* The moment that the page is about; HS_NO_SEQ: there is none. Of a test that took too long it is where its thread was
 * stopped: before it was interrupted, else when the framework gave it up, whose exception says nothing. */
static int find_moment(hs_trace *t, struct failure *f, struct hs_error *error)
{
    const struct hs_event *last;
    const bool timeout = is_timeout(f);
    uint64_t before = HS_NO_SEQ;
    if (timeout && f->interrupted != HS_NO_SEQ && f->thrown != HS_NO_SEQ && f->interrupted < f->thrown)
        f->thrown = HS_NO_SEQ;
    f->moment = f->until = f->thrown;
    if (timeout && f->thrown != HS_NO_SEQ && f->any_interrupted < f->thrown)
        f->until = f->any_interrupted - 1; /* the test itself gave other threads so long */
    if (f->thrown != HS_NO_SEQ || (f->row.test->end != HS_NO_SEQ && (!timeout || f->entered == HS_NO_SEQ)))
        return 0;
    if (f->row.test->end != HS_NO_SEQ)
        before = f->interrupted != HS_NO_SEQ ? f->interrupted - 1 : f->row.test->end;
    f->until = before != HS_NO_SEQ ? before : hs_event_count(t) - 1;
    f->stopped = true;
    const int found = hs_last_event(t, f->thread, before, &last, error);
    if (found > 0)
        f->moment = last->seq;
    return found < 0 ? -1 : 0;
}

/* Before the call that was given a value: the assertion, or an earlier one. */
static uint64_t moment_of(hs_trace *t, const struct failure *f, bool has, const struct hs_event *e)
{
    const struct hs_event *begin = has && e->seq < f->compared ? failure_before(t, e) : NULL;
    return begin != NULL ? begin->seq : f->compared;
}

/* The assertion that failed, or what threw, and where the values came from. */
static int find_values(hs_trace *t, struct failure *f, const struct hs_frame *library, struct hs_error *error)
{
    const struct hs_frame *frame = &f->frames.items[0];
    const struct hs_place *place;
    const struct hs_event *thrown;
    failure_seen_vec seen = { 0 };
    uint32_t pc = frame->pc;
    if (library == NULL && f->thrown != HS_NO_SEQ) {
        if (hs_event_at(t, f->thrown, &thrown, error) != 0)
            return -1;
        const struct hs_event event = *thrown;
        if (hs_thrown_at(t, &event, &place, error) == 0)
            pc = place->pc;
    }
    const uint64_t limit = library != NULL && library->entered != HS_NO_SEQ ? library->entered
                           : f->thrown != HS_NO_SEQ                         ? f->thrown
                                                                            : f->moment + 1;
    if (find_call(t, f, frame, pc, limit, error) != 0 || find_compared(t, f, frame, error) != 0)
        return -1;
    if (f->assertion.seq != HS_NO_SEQ)
        f->compared = f->assertion.seq;
    f->expected_at = moment_of(t, f, f->has_expected, &f->expected);
    f->actual_at = moment_of(t, f, f->has_actual, &f->actual);
    if (failure_compare(t, f, error) != 0)
        return -1;
    /* what the library did with an assertion that is not known, or for want of an exception, says nothing */
    if ((library != NULL || f->absences.count > 0 || f->thrown == HS_NO_SEQ) && !f->has_actual)
        return 0;
    int failed = failure_find_steps(t, f, &seen, error);
    if (failed == 0)
        failed = failure_find_changes(t, f, &seen, error);
    if (failed == 0)
        failed = failure_add_given(t, f, error);
    vec_free(&seen);
    return failed;
}

int failure_find(hs_trace *t, const struct failure_tests *tests, const struct hs_test *test, struct failure *out,
                 struct hs_error *error)
{
    const struct hs_frame *library = NULL;
    *out = (struct failure){
        .row = test_row_of(t, test),
        .thrown = HS_NO_SEQ,
        .entered = HS_NO_SEQ,
        .thread = test->thread,
        .interrupted = HS_NO_SEQ,
        .any_interrupted = HS_NO_SEQ,
        .assertion = { .seq = HS_NO_SEQ },
    };
    if (find_entry(t, out, error) != 0 || find_exceptions(t, out, error) != 0 || find_moment(t, out, error) != 0)
        return -1;
    if (failure_find_frames(t, out, &library, error) != 0)
        return -1;
    if (out->moment == HS_NO_SEQ)
        return failure_find_absences(t, tests, out, error);
    out->expected_at = out->actual_at = out->compared = out->moment;
    if (failure_find_absences(t, tests, out, error) != 0)
        return -1;
    if (out->frames.count > 0 && !out->stopped && find_values(t, out, library, error) != 0)
        return -1;
    if (failure_find_threads(t, out, error) != 0)
        return -1;
    return failure_find_other(t, tests, out, error);
}

void failure_free(struct failure *f)
{
    for (size_t i = f->cursors.count; i-- > 0;)
        hs_cursor_close(f->cursors.items[i]);
    vec_free(&f->cursors);
    vec_free(&f->frames);
    vec_free(&f->assertion.arguments);
    vec_free(&f->differences);
    vec_free(&f->steps);
    vec_free(&f->changes);
    vec_free(&f->swallowed);
    vec_free(&f->absences);
    vec_free(&f->threads);
    vec_free(&f->races);
    vec_free(&f->only);
    arena_done(&f->arena);
}
