/* cmd_failure.c - `hindsight failure [TEST]`: one page about a test that failed. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "reader/cli/failure.h"
#include "reader/command/cli.h"
#include "reader/command/show_decision.h"
#include "reader/command/source.h"
#include "reader/command/thrown.h"

struct args {
    struct common common;
};
static const struct option_row options[] = { { 0 } };
const struct usage usage_failure = {
    .source = true,
    .about =
        "TEST is Class, Class.method, the name that the framework shows, or a glob; without it the first test that "
        "failed. Of an assertion that is known (JUnit, TestNG, Hamcrest, AssertJ, Truth, kotlin.test) it shows what "
        "was "
        "expected and what came, and where that came from: the steps of why --all, joined to one for each line of the "
        "program, each with the value that it gave. Of another exception it shows where its null, index or other value "
        "came from. Frames and steps of test frameworks and of the JDK are left out.",
    .example = "hindsight failure",
    .options = options,
};

enum { NEXT_MAX = 6, NEXT_ROOM = 256, VARIABLES_OF_FRAMES = 4, INDENT_MAX = 24 };

/* ---- what both forms show ---- */

/* Commands to go on; returns how many. */
static size_t next_commands(const struct show *s, const struct failure *f, char next[NEXT_MAX][NEXT_ROOM])
{
    const char *dir = hs_dir(s->trace);
    size_t n = 0;
    if (f->entered != HS_NO_SEQ)
        (void)snprintf(next[n++], NEXT_ROOM, "hindsight calls %s --open %llu", dir, (unsigned long long)f->entered);
    if (f->has_actual)
        (void)snprintf(next[n++], NEXT_ROOM, "hindsight why %s %llu --all --control --depth 8", dir,
                       (unsigned long long)f->actual.seq);
    if (f->thrown != HS_NO_SEQ) {
        (void)snprintf(next[n++], NEXT_ROOM, "hindsight why %s %llu --control", dir, (unsigned long long)f->thrown);
        (void)snprintf(next[n++], NEXT_ROOM, "hindsight locals %s --at %llu", dir, (unsigned long long)f->thrown);
    }
    if (f->row.test->end != HS_NO_SEQ)
        (void)snprintf(next[n++], NEXT_ROOM, "hindsight tree %s --from %llu --to %llu", dir,
                       (unsigned long long)f->row.test->begin, (unsigned long long)f->row.test->end);
    return n;
}

/* `x` stays as it is as long as the row. */
static struct thrown_row swallowed_row(struct show *s, struct failure_swallowed *x)
{
    x->x.first = &x->first;
    return thrown_row(s->trace, &x->x);
}

/* ---- JSON ---- */

static void frames_member(struct show *s, const struct failure *f)
{
    struct json *j = &s->out->json;
    if (f->frames.count == 0)
        return;
    json_name(j, "frames");
    json_array(j);
    for (size_t i = 0; i < f->frames.count; i++) {
        const struct hs_frame *x = &f->frames.items[i];
        json_object(j);
        show_method_spot_members(s, x->method_id, SPOT_OF(x), true);
        if (x->entered != HS_NO_SEQ)
            json_member_u64(j, "entered", x->entered);
        json_name(j, "variables");
        json_object(j);
        for (size_t k = 0; k < x->parameter_count + x->local_count; k++) {
            const struct hs_variable *v = k < x->parameter_count ? x->parameters[k] : x->locals[k - x->parameter_count];
            json_name(j, v->name);
            show_value_json(s, v->kind, v->value);
        }
        json_end(j);
        json_end(j);
    }
    json_end(j);
}

static void assertion_member(struct show *s, const struct failure *f)
{
    char name[600];
    if (!f->has_actual || f->assertion.owner == NULL)
        return;
    (void)snprintf(name, sizeof name, "%.400s.%.150s", f->assertion.owner, f->assertion.name);
    json_member_text(&s->out->json, "assertion", name);
}

static void compared_member(struct show *s, const char *name, bool has, const struct hs_event *e)
{
    if (!has)
        return;
    json_name(&s->out->json, name);
    show_value_json(s, e->kind, e->value);
}

static void origin_member(struct show *s, const struct failure *f)
{
    struct json *j = &s->out->json;
    if (f->steps.count == 0)
        return;
    json_name(j, "origin");
    json_array(j);
    for (size_t i = 0; i < f->steps.count; i++) {
        const struct failure_step *x = &f->steps.items[i];
        const struct hs_dataid *d = hs_dataid_get(s->trace, x->event.dataid);
        s->at = x->event.seq;
        json_object(j);
        json_member_u64(j, "depth", x->depth);
        json_member_u64(j, "seq", x->event.seq);
        if (show_has_value(s, &x->event)) {
            json_name(j, "value");
            show_value_json(s, x->event.kind, x->event.value);
        }
        show_spot_members(s, d, SPOT_OF(d), true);
        json_member_text(j, "because", x->because != NULL ? x->because : "explained above");
        if (x->end != NULL)
            json_member_text(j, "end", x->end);
        show_decision_member(s, "under", x->decision);
        json_end(j);
    }
    json_end(j);
}

static void swallowed_member(struct show *s, const struct failure *f)
{
    struct json *j = &s->out->json;
    if (f->swallowed.count == 0)
        return;
    json_name(j, "swallowed");
    json_array(j);
    for (size_t i = 0; i < f->swallowed.count; i++) {
        const struct thrown_row row = swallowed_row(s, &f->swallowed.items[i]);
        json_object(j);
        json_member_u64(j, "thrown", row.x->thrown);
        json_member_u64(j, "caught", row.x->caught);
        if (row.type != NULL)
            out_member_name(s->out, "type", row.type);
        if (row.known != NULL)
            thrown_message_json(j, row.known);
        if (row.class_name != NULL) {
            out_member_name(s->out, "class", row.class_name);
            out_member_name(s->out, "method", row.method);
            out_member_spot(s->out, row.spot);
        }
        out_member_cut(s->out);
        json_end(j);
    }
    json_end(j);
}

static void next_member(struct show *s, const struct failure *f)
{
    char next[NEXT_MAX][NEXT_ROOM];
    const size_t n = next_commands(s, f, next);
    json_name(&s->out->json, "next");
    json_array(&s->out->json);
    for (size_t i = 0; i < n; i++)
        json_text(&s->out->json, next[i]);
    json_end(&s->out->json);
}

#define ROWS "reader/answers/failure.def"
#define ROW  struct show *show, const struct failure *f
#include "reader/answers/row.h"

/* ---- text ---- */

static void place_text(struct show *s, uint32_t method_id, struct spot spot)
{
    const struct hs_method *m = hs_method_get(s->trace, method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(s->trace, m->class_no) : NULL;
    if (c == NULL)
        return;
    out_class(s->out, c->name);
    out_char(s->out, '.');
    out_name(s->out, m->name);
    out_spot(s->out, c, spot);
    show_source_text(s, c->class_no, spot);
}

static void variables_text(struct show *s, const struct hs_frame *x)
{
    struct out *o = s->out;
    if (x->has_this) {
        out_format(o, "        %-16s ", "this");
        show_value_text(s, HS_KIND_REF, x->self);
        out_char(o, '\n');
    }
    for (size_t k = 0; k < x->parameter_count + x->local_count; k++) {
        const struct hs_variable *v = k < x->parameter_count ? x->parameters[k] : x->locals[k - x->parameter_count];
        out_format(o, "        %-16s ", v->name);
        out_colour(o, COLOUR_VALUE);
        show_value_text(s, v->kind, v->value);
        out_colour(o, COLOUR_NONE);
        out_char(o, '\n');
    }
}

static void frames_text(struct show *s, const struct failure *f)
{
    struct out *o = s->out;
    for (size_t i = 0; i < f->frames.count; i++) {
        const struct hs_frame *x = &f->frames.items[i];
        out_text(o, i == 0 ? "at      " : "  from  ");
        place_text(s, x->method_id, SPOT_OF(x));
        out_char(o, '\n');
        if (i < VARIABLES_OF_FRAMES)
            variables_text(s, x);
    }
}

static void compared_text(struct show *s, const char *name, bool has, const struct hs_event *e)
{
    struct out *o = s->out;
    if (!has)
        return;
    out_format(o, "%-10s ", name);
    out_colour(o, COLOUR_VALUE);
    show_value_text(s, e->kind, e->value);
    out_colour(o, COLOUR_NONE);
    out_char(o, '\n');
}

static void origin_text(struct show *s, const struct failure *f)
{
    struct out *o = s->out;
    if (f->steps.count == 0)
        return;
    out_format(o, "\nwhere %s comes from:\n", f->has_actual ? "the actual value" : "the exception");
    for (size_t i = 0; i < f->steps.count; i++) {
        const struct failure_step *x = &f->steps.items[i];
        const struct hs_dataid *d = hs_dataid_get(s->trace, x->event.dataid);
        const int indent = (int)(x->depth * 2 < INDENT_MAX ? x->depth * 2 : INDENT_MAX);
        s->at = x->event.seq;
        out_format(o, "%12llu  %*s", (unsigned long long)x->event.seq, indent, "");
        out_colour(o, COLOUR_VALUE);
        if (show_has_value(s, &x->event))
            show_value_text(s, x->event.kind, x->event.value);
        out_colour(o, COLOUR_NONE);
        out_text(o, "  ");
        if (d != NULL)
            place_text(s, d->method_id, SPOT_OF(d));
        out_colour(o, COLOUR_DIM);
        out_format(o, "  %s", x->because != NULL ? x->because : "explained above");
        if (x->end != NULL)
            out_format(o, " (%s)", x->end);
        out_char(o, '\n');
        if (x->decision != NULL) {
            out_format(o, "%*sunder ", indent + 16, "");
            show_decision_text(s, x->decision);
            out_char(o, '\n');
        }
        out_colour(o, COLOUR_NONE);
    }
    if (f->more_steps > 0)
        out_format(o, "              ... and %zu more steps\n", f->more_steps);
}

static void swallowed_text(struct show *s, const struct failure *f)
{
    struct out *o = s->out;
    if (f->swallowed.count > 0)
        out_format(o, "\nexceptions that the program caught and never used:\n");
    for (size_t i = 0; i < f->swallowed.count; i++) {
        const struct thrown_row row = swallowed_row(s, &f->swallowed.items[i]);
        out_format(o, "%12llu  ", (unsigned long long)row.x->thrown);
        out_simple_class(o, row.type != NULL ? row.type : "?");
        if (row.known != NULL && row.known->message != NULL)
            out_format(o, ": %s", row.known->message);
        if (row.class_name != NULL) {
            out_text(o, " at ");
            out_class(o, row.class_name);
            out_format(o, ".%s:%d", row.method, row.spot.line);
        }
        out_char(o, '\n');
    }
}

static void page(struct show *s, const struct failure *f)
{
    struct out *o = s->out;
    char next[NEXT_MAX][NEXT_ROOM];
    const size_t n = next_commands(s, f, next);
    out_colour(o, COLOUR_WARN);
    out_format(o, "%s  ", test_status_name(f->row.test->status));
    out_colour(o, COLOUR_NAME);
    test_name_text(o, f->row.test);
    out_colour(o, COLOUR_NONE);
    if (f->row.test->name != NULL)
        out_format(o, "  %s", f->row.test->name);
    out_char(o, '\n');
    if (f->row.test->exception != 0) {
        out_text(o, "        ");
        out_class(o, f->row.type != NULL ? f->row.type : "?");
        if (f->row.thrown != NULL && f->row.thrown->message != NULL)
            out_format(o, ": %s", f->row.thrown->message);
        out_char(o, '\n');
    }
    out_format(o, "        thread %u, events %llu to ", f->row.test->thread, (unsigned long long)f->row.test->begin);
    if (f->row.test->end != HS_NO_SEQ)
        out_format(o, "%llu", (unsigned long long)f->row.test->end);
    else
        out_text(o, "the end of the recording");
    if (f->thrown != HS_NO_SEQ)
        out_format(o, ", thrown at %llu", (unsigned long long)f->thrown);
    out_char(o, '\n');
    out_char(o, '\n');
    s->at = f->moment;
    compared_text(s, "expected", f->has_expected, &f->expected);
    compared_text(s, "actual", f->has_actual, &f->actual);
    frames_text(s, f);
    origin_text(s, f);
    swallowed_text(s, f);
    out_format(o, "\nto go on:\n");
    for (size_t i = 0; i < n; i++)
        out_format(o, "    %s\n", next[i]);
}

/* The test that is asked for, a copy; the texts live as long as `tests`. 1, 0: there is none, -1. */
static int choose(hs_cursor *tests, const char *wanted, struct hs_test *out, uint64_t *others, bool *any,
                  struct hs_error *error)
{
    const struct hs_test *test;
    int more, found = 0;
    bool failed = false;
    *others = 0;
    *any = false;
    while ((more = hs_test_next(tests, &test, error)) > 0) {
        *any = true;
        const bool fails = test->status == HS_TEST_FAILED;
        const bool fits = wanted != NULL ? test_is_named(test, wanted) : fails || test->status == HS_TEST_UNFINISHED;
        *others += fits && fails && failed;
        if (!fits || (found && (failed || !fails))) /* the first that failed, else the first */
            continue;
        *out = *test;
        found = 1;
        failed = fails;
    }
    return more < 0 ? -1 : found;
}

static int show_failure(struct session *s, const struct args *a, const struct hs_test *test)
{
    struct hs_error error = HS_ERROR_INIT;
    struct failure f;
    struct show show;
    if (!show_init(&show, s->trace, &s->out))
        return session_fail(s, "out of memory");
    show.bare_boxes = true;
    const int failed = failure_find(s->trace, test, &f, &error);
    if (failed == 0 && a->common.json)
        failure_json(&s->out, &show, &f);
    else if (failed == 0)
        page(&show, &f);
    failure_free(&f);
    show_done(&show);
    return failed != 0 ? session_fail(s, "%s", error.text) : EXIT_DONE;
}

/* Where the sources of Maven and Gradle projects are, or a folder src, below the current one. */
static const char *usual_sources(void)
{
    static const char maven[] = "src/main/java:src/test/java", plain[] = "src";
    return access("src/test/java", R_OK) == 0 ? maven : access(plain, R_OK) == 0 ? plain : NULL;
}

int cmd_failure(struct context *context)
{
    struct args a = { 0 };
    struct session s;
    struct hs_error error = HS_ERROR_INIT;
    struct hs_test test;
    const char *wanted;
    uint64_t others;
    bool any;
    hs_cursor *tests;
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    const char *trace = cli_trace_and_word(&a.common, &wanted);
    const bool guessed = a.common.source == NULL;
    if (guessed)
        a.common.source = usual_sources();
    if ((status = session_open_stream(&s, context, &a.common, trace)) != PARSED)
        return status;
    if (guessed && s.sources != NULL)
        sources_guessed(s.sources);
    if (hs_tests_open(s.trace, &tests, &error) != 0)
        return session_fail(&s, "%s", error.text);
    const int found = choose(tests, wanted, &test, &others, &any, &error);
    if (found <= 0) {
        hs_cursor_close(tests);
        if (found < 0)
            return session_fail(&s, "%s", error.text);
        if (wanted != NULL && any)
            return session_fail(&s, "no test is named '%s'; `hindsight tests` lists them", wanted);
        if (wanted != NULL)
            return session_fail(&s, "%s: " TEST_NONE, hs_dir(s.trace));
        (void)cli_fail(EXIT_DONE, context, any ? "no test failed" : TEST_NONE);
        return session_close(&s, EXIT_DONE);
    }
    status = show_failure(&s, &a, &test);
    hs_cursor_close(tests);
    if (status != EXIT_DONE)
        return status;
    if (others > 0)
        (void)cli_fail(EXIT_DONE, context, "%llu more failed: hindsight tests --status failed",
                       (unsigned long long)others);
    return session_close(&s, EXIT_DONE);
}
