/* suspect_runs.c - see suspect_runs.h. */
#include "reader/command/suspect_runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* False: out of memory. */
static bool add(struct suspect_runs *r, const struct hs_suspect_run *run, const char *class_name, const char *name)
{
    struct hs_suspect_run *to = vec_push(&r->list);
    char **text = vec_push(&r->names);
    const size_t n = strlen(name) + (class_name != NULL ? strlen(class_name) + 1 : 0) + 1;
    if (text != NULL)
        *text = malloc(n);
    if (to == NULL || text == NULL || *text == NULL)
        return false;
    *to = *run;
    (void)snprintf(*text, n, "%s%s%s", class_name != NULL ? class_name : "", class_name != NULL ? "." : "", name);
    return true;
}

bool suspect_runs_add(struct suspect_runs *r, hs_trace *trace, const char *path, bool failed)
{
    return add(r, &(struct hs_suspect_run){ trace, 0, UINT64_MAX, UINT32_MAX, failed }, NULL, path);
}

bool suspect_runs_add_test(struct suspect_runs *r, hs_trace *trace, const struct hs_test *test)
{
    const char *name = test->method != NULL ? test->method : test->name != NULL ? test->name : "?";
    const bool failed = test->status == HS_TEST_FAILED;
    return add(r, &(struct hs_suspect_run){ trace, test->begin, test->end, test->thread, failed }, test->class_name,
               name);
}

void suspect_runs_part(struct suspect_runs *r)
{
    uint64_t end = 0;
    for (size_t i = 0; i < r->list.count; i++) {
        struct hs_suspect_run *run = &r->list.items[i];
        const bool alone = (i == 0 || end <= run->from) && (i + 1 == r->list.count || run[1].from >= run->to);
        end = run->to > end ? run->to : end;
        if (alone)
            run->thread = UINT32_MAX;
    }
}

int suspect_runs_add_tests(struct suspect_runs *r, hs_trace *trace, test_wanted_fn *wanted, const char *text,
                           size_t *all, struct hs_error *error)
{
    const struct hs_test *test;
    hs_cursor *tests;
    bool ok = true;
    *all = 0;
    if (hs_tests_open(trace, &tests, error) != 0)
        return -1;
    for (; ok && hs_test_next(tests, &test, NULL) > 0; ++*all) {
        const bool failed = test->status == HS_TEST_FAILED;
        if (test->container || test->dropped || (!failed && test->status != HS_TEST_PASSED) ||
            (failed && wanted != NULL && !wanted(test, text)))
            continue;
        ok = suspect_runs_add_test(r, trace, test);
    }
    suspect_runs_part(r);
    hs_cursor_close(tests);
    if (!ok && error != NULL) {
        error->code = HS_ERR_MEMORY;
        (void)snprintf(error->text, sizeof error->text, "%s", hs_status_text(HS_ERR_MEMORY));
    }
    return ok ? 0 : -1;
}

void suspect_runs_done(struct suspect_runs *r)
{
    for (size_t i = 0; i < r->names.count; i++)
        free(r->names.items[i]);
    vec_free(&r->names);
    vec_free(&r->list);
}

bool test_library(const char *class_name)
{
    static const char *const prefixes[] = {
#define TEST_LIBRARY(prefix) prefix,
#include "reader/command/test_libraries.def"
#undef TEST_LIBRARY
    };
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(class_name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

bool suspect_of_test(const struct hs_suspect *x, const char *test)
{
    return test_library(x->method) ||
           (x->kind != HS_SUSPECT_BRANCH && x->kind != HS_SUSPECT_VALUE && strcmp(x->method, test) == 0);
}
