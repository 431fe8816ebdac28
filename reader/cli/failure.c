/* failure.c - see failure.h. */
#include "reader/cli/failure.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/jvm/classfile.h"

enum { STEPS_MAX = 40, STEPS_DEPTH = 24, TREE_ROWS = 600, SWALLOWED_MAX = 20, SUPERS_MAX = 64, BACK_MAX = 100000 };

static int no_memory(struct hs_error *error)
{
    error->code = HS_ERR_MEMORY;
    (void)snprintf(error->text, sizeof error->text, "out of memory");
    return -1;
}

static const char *class_of_method(hs_trace *t, uint32_t method_id)
{
    const struct hs_method *m = hs_method_get(t, method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
    return c != NULL ? c->name : NULL;
}

/* ---- the exceptions of the test ---- */

static int find_exceptions(hs_trace *t, struct failure *f, struct hs_error *error)
{
    const struct hs_test *test = f->row.test;
    const struct hs_exception *x;
    hs_cursor *all;
    int more;
    if (hs_exceptions_open(t, &all, error) != 0)
        return -1;
    while ((more = hs_exception_next(all, &x, error)) > 0) {
        if (x->thrown < test->begin)
            continue;
        if (test->end != HS_NO_SEQ && x->thrown > test->end)
            break;
        if (x->id == test->exception && f->thrown == HS_NO_SEQ)
            f->thrown = x->thrown;
        const struct hs_dataid *d = hs_dataid_get(t, x->caught_dataid);
        const char *by = x->swallowed && d != NULL ? class_of_method(t, d->method_id) : NULL;
        if (by == NULL || test_library(by) || x->id == test->exception || f->swallowed.count >= SWALLOWED_MAX)
            continue;
        struct failure_swallowed *to = vec_push(&f->swallowed);
        if (to == NULL) {
            more = no_memory(error);
            break;
        }
        *to = (struct failure_swallowed){ .x = *x, .first = *x->first };
        to->x.exits = NULL;
        to->x.exit_count = 0;
    }
    hs_cursor_close(all);
    return more < 0 ? -1 : 0;
}

/* ---- where it failed ---- */

/* The frames of the program; `*library` gets the one that the innermost of them has called, NULL: none. */
static int find_frames(hs_trace *t, struct failure *f, const struct hs_frame **library, struct hs_error *error)
{
    const struct hs_frame *frame, *before = NULL;
    int more;
    *library = NULL;
    if (hs_frames_open(t, f->moment, &f->stack, error) != 0)
        return -1;
    while ((more = hs_frame_next(f->stack, &frame, error)) > 0) {
        const char *name = class_of_method(t, frame->method_id);
        const bool own = name != NULL && !test_library(name);
        if (!own && f->frames.count > 0)
            break;
        if (own && f->frames.count == 0)
            *library = before;
        struct hs_frame *to = own ? vec_push(&f->frames) : NULL;
        if (own && to == NULL)
            return no_memory(error);
        if (own)
            *to = *frame;
        before = frame;
    }
    return more < 0 ? -1 : 0;
}

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
        if (d == NULL || d->method_id != frame->method_id || e->seq == limit)
            continue;
        if (d->pc != pc || (d->event != HS_EVENT_CALL && d->event != HS_EVENT_CALL_PARAM))
            break;
        if (d->event == HS_EVENT_CALL_PARAM) {
            struct hs_event *to = vec_push(&f->assertion.arguments);
            if (to == NULL) {
                hs_cursor_close(events);
                return no_memory(error);
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
enum { NONE = -1, FIELD = -2 };
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

static int find_compared(hs_trace *t, struct failure *f, struct hs_error *error)
{
    struct failure_call *c = &f->assertion;
    const struct assertion *a = c->owner != NULL && c->name != NULL ? find_assertion(t, c->owner, c->name) : NULL;
    const int needed = a == NULL ? 0 : 1 + (a->expected > a->actual ? a->expected : a->actual);
    const struct hs_event *call;
    const struct hs_write *write;
    char what[64];
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
    if (a->actual != FIELD)
        return 0;
    if (hs_event_at(t, c->seq, &call, error) != 0)
        return -1;
    (void)snprintf(what, sizeof what, "%llu.actual", (unsigned long long)call->value);
    const int found = hs_last_write(t, what, c->seq, &write, error);
    if (found > 0) {
        f->actual = *write->event;
        f->has_actual = true;
    }
    return found < 0 && error->code != HS_ERR_NOT_FOUND && error->code != HS_ERR_USAGE ? -1 : 0;
}

/* ---- where it came from ---- */

struct step_node {
    size_t step; /* the step that stands for it; SIZE_MAX: left out, with what it comes from */
    uint32_t method_id;
    int32_t line;
};

/* Which object a field or element was read from, or a method was called on, is not where a value comes from. */
static bool is_side_step(const struct hs_dataid *d)
{
    return d->event == HS_EVENT_GET_INSTANCE_FIELD || d->event == HS_EVENT_ARRAY_LOAD;
}

/* Joins the moments of one line to a step: the tree of `why --all` as lines of the program. */
static bool take_cause(hs_trace *t, struct failure *f, const struct hs_cause *c, struct step_node *path)
{
    const struct hs_dataid *d = hs_dataid_get(t, c->event->dataid);
    const struct step_node *parent = c->depth > 0 ? &path[c->depth - 1] : NULL;
    struct step_node *node = &path[c->depth];
    *node = (struct step_node){ .step = SIZE_MAX };
    if (d == NULL || (parent != NULL && parent->step == SIZE_MAX) || (parent != NULL && is_side_step(d)))
        return true;
    const char *in = class_of_method(t, d->method_id);
    struct failure_step *of = parent != NULL ? &f->steps.items[parent->step] : NULL;
    node->method_id = d->method_id;
    node->line = d->line;
    if (of != NULL && (in == NULL || test_library(in))) /* what the framework did with it is of no interest */
        return true;
    if (of != NULL && parent->method_id == d->method_id && parent->line == d->line &&
        of->event.kind == c->event->kind && of->event.value == c->event->value) {
        of->because = c->because;
        of->end = c->end;
        if (c->decision != NULL)
            of->decision = c->decision;
        node->step = parent->step;
        return true;
    }
    if (f->steps.count >= STEPS_MAX) {
        f->more_steps++;
        return true;
    }
    struct failure_step *to = vec_push(&f->steps);
    if (to == NULL)
        return false;
    of = parent != NULL ? &f->steps.items[parent->step] : NULL;
    *to = (struct failure_step){
        .event = *c->event,
        .because = c->repeated ? NULL : c->because,
        .end = c->end,
        .decision = c->decision,
        .depth = of != NULL ? of->depth + 1 : 0,
    };
    node->step = f->steps.count - 1;
    return true;
}

static int find_steps(hs_trace *t, struct failure *f, uint64_t from, struct hs_error *error)
{
    struct hs_why_options o = HS_WHY_OPTIONS_INIT;
    struct step_node path[STEPS_DEPTH + 1] = { 0 };
    const struct hs_cause *c;
    int more;
    o.seq = from;
    o.max = TREE_ROWS;
    o.all = o.under = true;
    o.depth = STEPS_DEPTH;
    if (hs_causes_open(t, &o, &f->causes, error) != 0)
        return error->code == HS_ERR_NOT_FOUND || error->code == HS_ERR_USAGE ? 0 : -1;
    while ((more = hs_cause_next(f->causes, &c, error)) > 0)
        if (c->depth <= STEPS_DEPTH && !take_cause(t, f, c, path))
            return no_memory(error);
    return more;
}

/* A branch is shown once. */
static void drop_repeated_decisions(struct failure *f)
{
    for (size_t i = 0; i < f->steps.count; i++)
        for (size_t k = 0; k < i && f->steps.items[i].decision != NULL; k++)
            if (f->steps.items[k].decision != NULL &&
                f->steps.items[k].decision->seq == f->steps.items[i].decision->seq)
                f->steps.items[i].decision = NULL;
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
    if (more > 0)
        f->entered = e->seq;
    hs_cursor_close(events);
    return more < 0 ? -1 : 0;
}

/* The moment that the page is about; HS_NO_SEQ: there is none. */
static int find_moment(hs_trace *t, struct failure *f, struct hs_error *error)
{
    const struct hs_event *last;
    f->moment = f->thrown;
    if (f->thrown != HS_NO_SEQ || f->row.test->end != HS_NO_SEQ)
        return 0;
    const int found = hs_last_event(t, f->row.test->thread, HS_NO_SEQ, &last, error);
    if (found > 0)
        f->moment = last->seq;
    return found < 0 ? -1 : 0;
}

int failure_find(hs_trace *t, const struct hs_test *test, struct failure *out, struct hs_error *error)
{
    const struct hs_frame *library;
    const struct hs_place *place;
    const struct hs_event *thrown;
    *out = (struct failure){
        .row = test_row_of(t, test), .thrown = HS_NO_SEQ, .entered = HS_NO_SEQ, .assertion = { .seq = HS_NO_SEQ }
    };
    if (find_exceptions(t, out, error) != 0 || find_entry(t, out, error) != 0 || find_moment(t, out, error) != 0)
        return -1;
    if (out->moment == HS_NO_SEQ)
        return 0;
    if (find_frames(t, out, &library, error) != 0)
        return -1;
    if (out->frames.count == 0 || out->thrown == HS_NO_SEQ)
        return 0;
    const struct hs_frame *frame = &out->frames.items[0];
    uint32_t pc = frame->pc;
    if (library == NULL) {
        if (hs_event_at(t, out->thrown, &thrown, error) != 0)
            return -1;
        const struct hs_event event = *thrown;
        if (hs_thrown_at(t, &event, &place, error) == 0)
            pc = place->pc;
    }
    const uint64_t limit = library != NULL && library->entered != HS_NO_SEQ ? library->entered : out->thrown;
    if (find_call(t, out, frame, pc, limit, error) != 0 || find_compared(t, out, error) != 0)
        return -1;
    if (library != NULL && !out->has_actual) /* what the library did with an assertion that is not known says nothing */
        return 0;
    if (find_steps(t, out, out->has_actual ? out->actual.seq : out->thrown, error) != 0)
        return -1;
    drop_repeated_decisions(out);
    return 0;
}

void failure_free(struct failure *f)
{
    hs_cursor_close(f->causes);
    hs_cursor_close(f->stack);
    vec_free(&f->frames);
    vec_free(&f->assertion.arguments);
    vec_free(&f->steps);
    vec_free(&f->swallowed);
}
