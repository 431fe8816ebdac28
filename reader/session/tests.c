/* tests.c - hs_tests_open: the calls by which test frameworks tell their listeners what becomes of each test
 * (test_frameworks.def), watched, put in order and joined. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/search.h"
#include "formats/vec.h"
#include "reader/cursor/cursor.h"
#include "reader/trace/open_trace.h"

enum framework {
#define TEST_FRAMEWORK(id, name) id,
#define TEST_CALL(...)
#define TEST_OUTCOME(word, what)
#include "reader/session/test_frameworks.def"
};
static const char *const framework_names[] = {
#define TEST_FRAMEWORK(id, name) name,
#define TEST_CALL(...)
#define TEST_OUTCOME(word, what)
#include "reader/session/test_frameworks.def"
};

/* What a call tells: a status that ends the test, or one of these. */
enum { BEGINS = 100, THROWS, ENDS, STATUS_SO_FAR };
#define SO_FAR(status) (STATUS_SO_FAR + (status))
static const struct {
    const char *word;
    int what;
} outcomes[] = {
#define TEST_FRAMEWORK(id, name)
#define TEST_CALL(...)
#define TEST_OUTCOME(word, what) { word, what },
#include "reader/session/test_frameworks.def"
};

enum part { OUTCOME, KEY, NAME, CLASS, METHOD, LEAF, EXCEPTION, REASON, PARTS };
static const struct test_call {
    enum framework framework;
    const char *place, *text;
} calls[] = {
#define TEST_FRAMEWORK(id, name)
#define TEST_OUTCOME(word, what)
#define TEST_CALL(id, method, outcome, key, name, class, of, leaf, exception, reason)                                  \
    { id, method, "{" outcome "}{" key "}{" name "}{" class "}{" of "}{" leaf "}{" exception "}{" reason "}" },
#include "reader/session/test_frameworks.def"
};

/* A call. Texts lie in the arena of the answer; NULL: null, or not known. */
struct told {
    enum framework framework;
    int what;
    uint64_t seq;
    uint32_t thread, exception;
    const char *key, *name, *class_name, *method, *reason;
    bool leaf, leaf_known;
};

/* Who told of a test. */
struct test_told {
    const char *key;
    enum framework framework;
    bool twice; /* a framework of higher rank tells of it, too */
};
struct test_list {
    hs_trace *trace;
    struct list_answer *answer;
    VEC(struct told) told;
    VEC(struct hs_test) tests;
    VEC(size_t) open;              /* tests that have begun and not ended, by index */
    VEC(struct test_told) tellers; /* of each test */
    size_t containers;             /* of the platform that are open */
};

static int no_memory(const hs_trace *t, struct hs_error *error)
{
    struct error err;
    (void)state_memory(t, &err);
    return give(error, &err);
}

static bool is_null(const struct hs_evaluation *v)
{
    return v->not_recorded != NULL || v->throws != NULL || (v->kind == HS_KIND_REF && v->bits == 0 && v->text == NULL);
}

static const char *keep(struct test_list *l, const struct hs_watched *row, enum part part)
{
    if (is_null(row->values[part]))
        return NULL;
    const size_t size = strlen(row->texts[part]) + 1;
    char *copy = arena_chars(&l->answer->arena, size);
    return copy != NULL ? memcpy(copy, row->texts[part], size) : NULL;
}

/* The name of the class that this object is, or else of its own; NULL: it is a text, or not known. */
static const char *class_of_object(hs_trace *t, uint64_t id)
{
    const struct hs_type *type = id <= UINT32_MAX ? hs_type_get(t, (uint32_t)id) : NULL;
    const struct hs_object *o = id - 1 < UINT32_MAX ? hs_object_get(t, (uint32_t)id) : NULL;
    return type != NULL ? type->name : o != NULL && !o->has_string ? o->type : NULL;
}

/* What tells two tests apart: an object by itself, not by what its toString says of it at the moment. */
static const char *keep_key(struct test_list *l, const struct hs_watched *row)
{
    enum { ROOM = 16 };
    const uint64_t id = row->values[KEY]->bits;
    if (is_null(row->values[KEY]) || row->values[KEY]->kind != HS_KIND_REF || class_of_object(l->trace, id) == NULL)
        return keep(l, row, KEY);
    char *key = arena_chars(&l->answer->arena, ROOM);
    if (key != NULL)
        (void)snprintf(key, ROOM, "#%" PRIu32, (uint32_t)id);
    return key;
}

static int outcome_of(const struct hs_watched *row)
{
    for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++)
        if (!is_null(row->values[OUTCOME]) && strcmp(outcomes[i].word, row->texts[OUTCOME]) == 0)
            return outcomes[i].what;
    return -1;
}

/* "method(a.b.Class)", as JUnit 4 and 3 name tests. */
static void split_name(struct test_list *l, struct told *t)
{
    const size_t n = t->name != NULL ? strlen(t->name) : 0;
    const char *bracket = n > 0 && t->name[n - 1] == ')' ? strrchr(t->name, '(') : NULL;
    if (t->class_name != NULL)
        return;
    if (bracket == NULL) { /* of a class, whose set-up failed */
        t->class_name = t->method == NULL ? t->name : NULL;
        return;
    }
    char *copy = arena_chars(&l->answer->arena, n + 1);
    if (copy == NULL)
        return;
    const size_t method = (size_t)(bracket - t->name);
    memcpy(copy, t->name, n);
    copy[method] = copy[n - 1] = copy[n] = '\0';
    t->method = t->name = copy;
    t->class_name = copy + method + 1;
}

/* False: out of memory. */
static bool take_row(struct test_list *l, const struct test_call *call, const struct hs_watched *row)
{
    const int what = outcome_of(row);
    if (what < 0)
        return true;
    struct told *t = vec_push(&l->told);
    if (t == NULL)
        return false;
    const struct hs_evaluation *leaf = row->values[LEAF], *exception = row->values[EXCEPTION];
    *t = (struct told){ .framework = call->framework,
                        .what = what,
                        .seq = row->event->seq,
                        .thread = row->event->thread,
                        .key = keep_key(l, row),
                        .name = keep(l, row, NAME),
                        .class_name = keep(l, row, CLASS),
                        .method = keep(l, row, METHOD),
                        .reason = keep(l, row, REASON),
                        .exception = is_null(exception) ? 0 : (uint32_t)exception->bits,
                        .leaf_known = !is_null(leaf),
                        .leaf = !is_null(leaf) && leaf->bits != 0 };
    const char *named = t->class_name != NULL ? class_of_object(l->trace, row->values[CLASS]->bits) : NULL;
    if (named != NULL)
        t->class_name = named;
    split_name(l, t);
    if (!t->leaf_known)
        t->leaf = t->method != NULL;
    return true;
}

static int watch_call(struct test_list *l, const struct test_call *call, struct hs_error *error)
{
    struct hs_watch_options o = HS_WATCH_OPTIONS_INIT;
    const struct hs_watched *row;
    hs_cursor *watch;
    int more;
    o.kind = HS_WATCH_ENTRY;
    o.place = call->place;
    o.text = call->text;
    if (hs_watch_open(l->trace, &o, &watch, error) != 0)
        return error->code == HS_ERR_NOT_FOUND || error->code == HS_ERR_USAGE ? 0 : -1;
    while ((more = hs_watched_next(watch, &row, error)) > 0)
        if (!take_row(l, call, row)) {
            more = no_memory(l->trace, error);
            break;
        }
    hs_cursor_close(watch);
    return more;
}

static int by_seq(const void *a, const void *b)
{
    const struct told *x = a, *y = b;
    return (x->seq > y->seq) - (x->seq < y->seq);
}

/* ---- joining ---- */

static size_t find_open(const struct test_list *l, const struct told *t)
{
    for (size_t i = l->open.count; i-- > 0;) {
        const size_t at = l->open.items[i];
        const struct test_told *by = &l->tellers.items[at];
        if (by->framework == t->framework && by->key != NULL && t->key != NULL && strcmp(by->key, t->key) == 0)
            return i;
    }
    return SIZE_MAX;
}

static struct hs_test *add_test(struct test_list *l, const struct told *t)
{
    struct hs_test *test = vec_push(&l->tests);
    struct test_told *by = vec_push(&l->tellers);
    if (test == NULL || by == NULL)
        return NULL;
    *by = (struct test_told){ t->key, t->framework, false };
    *test = (struct hs_test){ .framework = framework_names[t->framework],
                              .class_name = t->class_name,
                              .method = t->method,
                              .name = t->name,
                              .status = HS_TEST_UNFINISHED,
                              .container = !t->leaf,
                              .begin = t->seq,
                              .end = HS_NO_SEQ,
                              .thread = t->thread };
    return test;
}

/* What is open in the thread holds the test that begins; of some it is not known that they are no tests themselves. */
static void hold_tests(struct test_list *l, const struct told *t)
{
    for (size_t i = 0; i < l->open.count; i++) {
        struct hs_test *test = &l->tests.items[l->open.items[i]];
        if (test->thread == t->thread && test->framework == framework_names[t->framework] && !test->container) {
            test->container = true;
            l->containers += t->framework == PLATFORM;
        }
    }
}

static void end_test(struct test_list *l, size_t open, const struct told *t)
{
    struct hs_test *test = &l->tests.items[l->open.items[open]];
    test->end = t->seq;
    if (t->what != ENDS)
        test->status = (enum hs_test_status)t->what;
    else if (test->status == HS_TEST_UNFINISHED)
        test->status = HS_TEST_PASSED;
    if (t->exception != 0)
        test->exception = t->exception;
    if (test->status == HS_TEST_PASSED) /* it was expected */
        test->exception = 0;
    if (t->framework == PLATFORM && test->container)
        l->containers--;
    memmove(&l->open.items[open], &l->open.items[open + 1], (l->open.count - open - 1) * sizeof *l->open.items);
    l->open.count--;
}

/* A framework runs the tests of an older one, or is run by it: then both tell of each test, one inside of the other.
 * Is this one told by one of higher rank? */
static bool is_told_twice(struct test_list *l, const struct told *t)
{
    for (size_t i = 0; i < l->open.count; i++) {
        struct test_told *by = &l->tellers.items[l->open.items[i]];
        if (l->tests.items[l->open.items[i]].thread != t->thread)
            continue;
        if (by->framework < t->framework)
            return true;
        by->twice |= by->framework > t->framework && t->what == BEGINS;
    }
    return t->framework != PLATFORM && l->containers > 0;
}

static bool take(struct test_list *l, const struct told *t)
{
    size_t open = find_open(l, t);
    if (is_told_twice(l, t))
        return true;
    if (t->what == BEGINS) {
        hold_tests(l, t);
        const struct hs_test *test = add_test(l, t);
        size_t *to = vec_push(&l->open);
        if (test == NULL || to == NULL)
            return false;
        *to = l->tests.count - 1;
        l->containers += t->framework == PLATFORM && test->container;
        return true;
    }
    if (t->what == THROWS) {
        if (open != SIZE_MAX)
            l->tests.items[l->open.items[open]].exception = t->exception;
        return true;
    }
    if (t->what >= STATUS_SO_FAR && open != SIZE_MAX) {
        struct hs_test *test = &l->tests.items[l->open.items[open]];
        test->status = (enum hs_test_status)(t->what - STATUS_SO_FAR);
        test->exception = t->exception;
        return true;
    }
    if (open != SIZE_MAX) {
        end_test(l, open, t);
        return true;
    }
    /* It was never begun: it was skipped, or what stands for its class failed. */
    const int status = t->what >= STATUS_SO_FAR ? t->what - STATUS_SO_FAR : t->what;
    struct hs_test *test = t->what != ENDS ? add_test(l, t) : NULL;
    if (test != NULL) {
        test->status = (enum hs_test_status)status;
        test->end = t->seq;
        test->exception = t->exception;
        test->reason = t->reason;
        test->container = !t->leaf;
    }
    return test != NULL || t->what == ENDS;
}

/* Containers that passed, or have not ended, are of no interest, nor what is told twice. */
static void drop_containers(struct test_list *l)
{
    size_t n = 0;
    for (size_t i = 0; i < l->tests.count; i++) {
        const struct hs_test *t = &l->tests.items[i];
        if (l->tellers.items[i].twice)
            continue;
        if (!t->container || t->status == HS_TEST_FAILED || t->status == HS_TEST_SKIPPED ||
            t->status == HS_TEST_ABORTED)
            l->tests.items[n++] = *t;
    }
    l->tests.count = n;
}

/* Marks the passed tests in which there is a gap. */
static int mark_dropped(struct test_list *l, struct hs_error *error)
{
    VEC(uint64_t) gaps = { 0 }; /* seqs of the first events behind them */
    const struct hs_interval *interval;
    hs_cursor *intervals;
    int more;
    if (hs_info(l->trace, "dropped_tests") == NULL)
        return 0;
    if (hs_intervals_open(l->trace, &intervals, error) != 0)
        return -1;
    while ((more = hs_interval_next(intervals, &interval, error)) > 0) {
        uint64_t *gap = vec_push(&gaps);
        if (gap == NULL) {
            more = no_memory(l->trace, error);
            break;
        }
        *gap = interval->first;
    }
    hs_cursor_close(intervals);
    for (size_t i = 0; i < l->tests.count && more == 0; i++) {
        struct hs_test *t = &l->tests.items[i];
        size_t behind;
        LOWER_BOUND(behind, gaps.count, gaps.items[behind] <= t->begin);
        t->dropped = t->status == HS_TEST_PASSED && behind < gaps.count && gaps.items[behind] <= t->end;
    }
    vec_free(&gaps);
    return more;
}

static int find_tests(struct test_list *l, struct hs_error *error)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (watch_call(l, &calls[i], error) < 0)
            return -1;
    if (l->told.count > 0)
        qsort(l->told.items, l->told.count, sizeof *l->told.items, by_seq);
    for (size_t i = 0; i < l->told.count; i++)
        if (!take(l, &l->told.items[i]))
            return no_memory(l->trace, error);
    drop_containers(l);
    return mark_dropped(l, error);
}

static int give_tests(struct test_list *l, hs_cursor **out, struct hs_error *error)
{
    const size_t n = l->tests.count;
    struct hs_test *tests = arena_array(&l->answer->arena, n + 1, sizeof *tests);
    if (tests == NULL)
        return no_memory(l->trace, error);
    if (n > 0)
        memcpy(tests, l->tests.items, n * sizeof *tests);
    struct list_answer *answer = l->answer;
    l->answer = NULL;
    return cursor_over(ROW_test, tests, sizeof *tests, n, answer, out, error);
}

int hs_tests_open(hs_trace *trace, hs_cursor **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(trace, "tests");
    struct test_list l = { .trace = trace, .answer = list_answer_new() };
    int failed = l.answer == NULL ? no_memory(trace, error) : find_tests(&l, error);
    if (failed == 0)
        failed = give_tests(&l, out, error);
    list_answer_free(l.answer);
    vec_free(&l.told);
    vec_free(&l.tests);
    vec_free(&l.open);
    vec_free(&l.tellers);
    return failed;
}
