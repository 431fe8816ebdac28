/* test_rows.c - see test_rows.h. */
#include "reader/cli/test_rows.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "reader/command/report.h"
#include "reader/command/thrown.h"

static const char *const status_names[] = { "passed", "failed", "aborted", "skipped", "unfinished" };
static const unsigned statuses = sizeof status_names / sizeof *status_names;

const char *test_status_name(enum hs_test_status status)
{
    return (unsigned)status < statuses ? status_names[status] : "?";
}

bool test_status_find(const char *name, enum hs_test_status *out)
{
    for (unsigned i = 0; i < statuses; i++)
        if (strcmp(status_names[i], name) == 0) {
            *out = (enum hs_test_status)i;
            return true;
        }
    return false;
}

/* ns of the clock at the event; HS_NO_TIME: not known */
static uint64_t time_of(hs_trace *t, uint64_t seq)
{
    const struct hs_event *e;
    if (seq == HS_NO_SEQ || hs_event_at(t, seq, &e, NULL) != 0)
        return HS_NO_TIME;
    return e->time_ns != HS_NO_TIME ? e->time_ns : hs_clock_ns(t, e->stamp);
}

struct test_row test_row_of(hs_trace *t, const struct hs_test *test)
{
    static _Thread_local char text[32];
    struct test_row row = { .test = test, .ms = "-", .ns = UINT64_MAX };
    const uint64_t from = time_of(t, test->begin), to = time_of(t, test->end);
    const struct hs_object *o = test->exception != 0 ? hs_object_get(t, test->exception) : NULL;
    row.thrown = test->exception != 0 ? hs_thrown_get(t, test->exception) : NULL;
    row.type = o != NULL ? o->type : NULL;
    if (from == HS_NO_TIME || to == HS_NO_TIME || to < from || !report_time_known(to - from, report_resolution(t)))
        return row;
    row.ns = to - from;
    (void)snprintf(text, sizeof text, "%.3f", (double)row.ns / 1e6);
    row.ms = text;
    return row;
}

void test_name_text(struct out *o, const struct hs_test *test)
{
    if (test->class_name != NULL)
        out_class(o, test->class_name);
    if (test->method != NULL) {
        out_char(o, '.');
        out_name(o, test->method);
    }
    if (test->class_name == NULL)
        out_name(o, test->name != NULL ? test->name : "?");
}

/* The name says more than method and class do. */
static bool has_own_name(const struct hs_test *test)
{
    const size_t n = test->method != NULL ? strlen(test->method) : 0;
    const char *simple = test->class_name != NULL ? strrchr(test->class_name, '.') : NULL;
    if (test->name == NULL || test->class_name == NULL)
        return false;
    if (test->method == NULL)
        return strcmp(test->name, simple != NULL ? simple + 1 : test->class_name) != 0;
    return strncmp(test->name, test->method, n) != 0 || (test->name[n] != '\0' && test->name[n] != '(');
}

static void test_text(struct show *show, const struct test_row *x)
{
    struct out *o = show->out;
    out_colour(o, COLOUR_NAME);
    test_name_text(o, x->test);
    out_colour(o, COLOUR_NONE);
    if (has_own_name(x->test)) {
        out_char(o, ' ');
        out_quoted(o, x->test->name);
    }
    if (x->test->exception != 0) {
        out_text(o, "  ");
        out_simple_class(o, x->type != NULL ? x->type : "?");
        if (x->thrown != NULL && x->thrown->message != NULL)
            out_format(o, ": %s", x->thrown->message);
    }
    if (x->test->reason != NULL && x->test->reason[0] != '\0')
        out_format(o, "  (%s)", x->test->reason);
    if (x->test->dropped)
        out_text(o, "  (its events were dropped)");
}

#define ROWS "reader/answers/tests.def"
#define ROW  struct show *show, const struct test_row *x
#include "reader/answers/row.h"

void test_heading(struct out *o) { tests_heading(o); }
void test_row_text(struct show *show, const struct test_row *x) { tests_text(show->out, show, x); }
void test_row_json(struct show *show, const struct test_row *x) { tests_json(show->out, show, x); }

bool test_is_named(const struct hs_test *test, const char *text)
{
    char whole[2048], simple_whole[2048];
    const char *dot = test->class_name != NULL ? strrchr(test->class_name, '.') : NULL;
    const char *simple = dot != NULL ? dot + 1 : test->class_name;
    const char *method = test->method != NULL ? test->method : "";
    (void)snprintf(whole, sizeof whole, "%s.%s", test->class_name != NULL ? test->class_name : "", method);
    (void)snprintf(simple_whole, sizeof simple_whole, "%s.%s", simple != NULL ? simple : "", method);
    const char *const names[] = { test->name, test->class_name, simple, test->method, whole, simple_whole };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i] != NULL && (strcmp(text, names[i]) == 0 || fnmatch(text, names[i], 0) == 0))
            return true;
    return false;
}
