/* drop_tests.c - see drop_tests.h. */
#include "reader/cli/drop_tests.h"

#include <stdlib.h>
#include <string.h>

#include "formats/drop.h"
#include "formats/search.h"
#include "reader/cli/failure_parts.h"
#include "reader/command/suspect_runs.h"
#include "reader/derive/derive.h"
#include "reader/query/passed.h"
#include "reader/threads/left_threads.h"

/* What the tests that will be dropped did: rows of DB_PASSED. */
struct passed {
    hs_trace *trace;
    struct suspect_runs runs; /* all tests; then those that are dropped */
    VEC(struct hs_test) tests;
    VEC(struct writer) rows;
    left_vec left;
    struct error *err;
};

static enum status refused(struct passed *p, const struct hs_error *error)
{
    return error_set(p->err, (enum status)error->code, "%s", error->text);
}

/* Is there a gap between the events? */
static bool is_dropped(hs_trace *t, uint64_t begin, uint64_t end)
{
    const struct hs_event *e;
    size_t behind;
    if (hs_event_at(t, begin, &e, NULL) != 0)
        return false;
    const uint64_t from = e->stamp;
    if (hs_event_at(t, end, &e, NULL) != 0)
        return false;
    LOWER_BOUND(behind, t->to_keep.count, t->to_keep.items[behind].begin <= from);
    return behind < t->to_keep.count && t->to_keep.items[behind].begin <= e->stamp;
}

/* The tests that passed and are dropped, with the names that live as long as the cursor. */
static enum status find_tests(struct passed *p, hs_cursor **cursor)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_test *test;
    int more;
    if (hs_tests_open(p->trace, cursor, &error) != 0)
        return refused(p, &error);
    while ((more = hs_test_next(*cursor, &test, &error)) > 0) {
        if (test->container || (test->status != HS_TEST_PASSED && test->status != HS_TEST_FAILED))
            continue;
        if (!suspect_runs_add_test(&p->runs, p->trace, test))
            return error_memory(p->err, "tests");
        if (test->status == HS_TEST_FAILED || !is_dropped(p->trace, test->begin, test->end))
            continue;
        struct hs_test *to = vec_push(&p->tests);
        if (to == NULL)
            return error_memory(p->err, "tests");
        *to = *test;
    }
    suspect_runs_part(&p->runs);
    return more < 0 ? refused(p, &error) : OK;
}

static struct writer *new_row(struct passed *p)
{
    struct writer *w = vec_push(&p->rows);
    if (w != NULL)
        *w = (struct writer){ 0 };
    return w;
}

static enum status write_features(struct passed *p)
{
    struct writer *w = new_row(p);
    size_t n = 0;
    if (w == NULL)
        return error_memory(p->err, "tests");
    for (size_t i = 0; i < p->runs.list.count; i++) {
        const struct hs_suspect_run *run = &p->runs.list.items[i];
        if (!run->failed && is_dropped(p->trace, run->from, run->to))
            p->runs.list.items[n++] = *run;
    }
    return passed_write(p->runs.list.items, n, w, p->err);
}

static void write_class(struct writer *w, const char *name, const uint8_t *met, size_t count)
{
    size_t rows = 0, last = 0;
    for (size_t id = 0; id < count; id++)
        rows += met[id];
    write_text(w, name, strlen(name));
    write_varint(w, rows);
    for (size_t id = 0; id < count; id++) {
        if (met[id] == 0)
            continue;
        write_varint(w, id - last);
        last = id;
    }
}

static int by_class(const void *a, const void *b)
{
    const struct hs_test *x = a, *y = b;
    return strcmp(x->class_name, y->class_name);
}

static enum status write_classes(struct passed *p)
{
    struct hs_error error = HS_ERROR_INIT;
    const size_t count = hs_dataid_count(p->trace);
    uint8_t *met = calloc(count + 1, 1);
    size_t n = 0;
    enum status st = met != NULL ? OK : error_memory(p->err, "tests");
    for (size_t i = 0; i < p->tests.count; i++)
        if (p->tests.items[i].class_name != NULL)
            p->tests.items[n++] = p->tests.items[i];
    if (n > 1)
        qsort(p->tests.items, n, sizeof *p->tests.items, by_class);
    for (size_t i = 0; i < n && st == OK; i++) {
        const struct hs_test *test = &p->tests.items[i];
        if (i == 0 || by_class(test, test - 1) != 0)
            memset(met, 0, count);
        if (failure_count_lines(p->trace, test, test->end, met, &error) != 0)
            st = refused(p, &error);
        if (st != OK || (i + 1 < n && by_class(test, test + 1) == 0))
            continue;
        struct writer *w = new_row(p);
        if (w != NULL)
            write_class(w, test->class_name, met, count);
        if (w == NULL || w->bad)
            st = error_memory(p->err, "tests");
    }
    free(met);
    return st;
}

/* Of a run whose tests all failed, or were not ended, nothing is dropped. */
static bool keeps_all(const hs_trace *t)
{
    const window_vec *w = &t->to_keep;
    return w->count == 0 || (w->count == 1 && w->items[0].begin == 0 && w->items[0].end == UINT64_MAX);
}

static enum status drop(hs_trace *t, compact_step_fn *step, void *context, uint64_t *events, struct error *err)
{
    struct passed p = { .trace = t, .err = err };
    struct derive_source chunks = { .trace = t };
    const struct expand_source source = derive_source(&chunks);
    struct compact_result result;
    hs_cursor *tests = NULL;
    const bool any = hs_info(t, "tests_to_drop") != NULL && !keeps_all(t);
    enum status st = any ? find_tests(&p, &tests) : OK;
    if (st == OK && any)
        st = write_features(&p);
    if (st == OK && any)
        st = write_classes(&p);
    if (st == OK && any)
        st = left_threads(t, &p.left, err);
    if (st == OK)
        st = drop_outside(&(struct drop_request){ .source = &source,
                                                  .rows = p.rows.items,
                                                  .row_count = p.rows.count,
                                                  .left = p.left.items,
                                                  .left_count = p.left.count,
                                                  .step = step,
                                                  .step_context = context },
                          &result, events, err);
    hs_cursor_close(tests);
    suspect_runs_done(&p.runs);
    vec_free(&p.tests);
    for (size_t i = 0; i < p.rows.count; i++)
        writer_free(&p.rows.items[i]);
    for (size_t i = 0; i < p.left.count; i++)
        writer_free(&p.left.items[i]);
    vec_free(&p.rows);
    vec_free(&p.left);
    return st;
}

enum status drop_at_end(const char *dir, compact_step_fn *step, void *context, uint64_t *events, struct error *err)
{
    struct hs_error error = HS_ERROR_INIT;
    enum status st = OK;
    hs_trace *t;
    *events = 0;
    if (hs_open(dir, 0, NULL, &t, &error) != 0)
        return error_set(err, (enum status)error.code, "%s", error.text);
    if (trace_is_to_drop(t) && hs_info(t, "end") == NULL)
        st = error_set(err, ERR_EXISTS, "%s: it is still being recorded; that ends with its JVM", dir);
    else if (trace_is_to_drop(t))
        st = drop(t, step, context, events, err);
    hs_close(t);
    return st;
}
