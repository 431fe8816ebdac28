/* test_api.c - what trace.h promises of all its functions: handles, sizes, cursors of the wrong kind, read-only traces,
 * two handles on one trace, and that every call that reads much can be cancelled at each of its steps and asked
 * again. */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

#include "formats/event.h"
#include "reader_fixture.h"

enum { EVENTS = 200, THREADS = 3 };

static uint64_t seed;
static uint32_t roll(uint32_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % n;
}
static uint32_t cut(void) { return 1 + roll(20); }

/* Calls of `other` within calls, an exception now and then: the order of all threads is that of the stamps. */
static char *write_trace(void)
{
    static struct fake_event events[EVENTS];
    size_t n = 0;
    seed = 11;
    for (uint64_t stamp = 1; n + 6 < EVENTS; stamp++) {
        uint32_t thread = (uint32_t)(stamp % THREADS);
        events[n++] = (struct fake_event){ thread, stamp, ID_ENTRY, 0 };
        events[n++] = (struct fake_event){ thread, stamp, ID_PARAM_INT, stamp };
        events[n++] = (struct fake_event){ thread, stamp, ID_ENTRY_OTHER, 0 };
        events[n++] = (struct fake_event){ thread, stamp, ID_LOCAL_LONG, stamp };
        if (roll(9) == 0) {
            events[n++] = (struct fake_event){ thread, stamp, ID_THROW, OBJECT_FAR };
            events[n++] = (struct fake_event){ thread, stamp, ID_CATCH, OBJECT_FAR };
        }
        events[n++] = (struct fake_event){ thread, stamp, ID_EXIT_OTHER, OBJECT_USER };
        if (n < EVENTS)
            events[n++] = (struct fake_event){ thread, stamp, ID_EXIT_VOID, 0 };
    }
    return fixture_write(events, n, cut);
}

static hs_trace *open_trace(const char *dir, unsigned flags)
{
    hs_trace *t;
    struct hs_error error = HS_ERROR_INIT;
    if (hs_open(dir, flags, NULL, &t, &error) != 0)
        fail_msg("%s", error.text);
    return t;
}

static void remove_trace(char *dir)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/index", dir);
    (void)unlink(path);
    fixture_remove(dir);
}

/* ---- versions and sizes ---- */

static void sizes_and_versions_are_reported(void **state)
{
    (void)state;
    assert_string_equal(hs_version(), HS_VERSION);
    assert_int_equal(hs_version_number(), HS_VERSION_NUMBER);
    assert_int_equal(hs_sizeof("hs_event"), sizeof(struct hs_event));
    assert_int_equal(hs_sizeof("hs_object_state"), sizeof(struct hs_object_state));
    assert_int_equal(hs_sizeof("hs_nothing"), 0);
    for (int i = HS_OK; i <= HS_CANCELLED; i++)
        assert_true(strlen(hs_status_text(i)) > 0);
    assert_non_null(hs_status_text(-1));
    assert_non_null(hs_status_text(1000));
}

static void structs_of_other_sizes_are_refused(void **state)
{
    (void)state;
    char *dir = write_trace();
    hs_trace *t = NULL;
    hs_cursor *c = NULL;
    struct hs_error error = HS_ERROR_INIT, other;
    struct hs_open_options options = HS_OPEN_OPTIONS_INIT;
    options.size += 8;
    assert_int_equal(hs_open(dir, 0, &options, &t, &error), -1);
    assert_int_equal(error.code, HS_ERR_USAGE);
    assert_int_equal(hs_open(dir, 1u << 30, NULL, &t, &error), -1);
    assert_int_equal(error.code, HS_ERR_USAGE);
    assert_null(t);
    memset(&other, 0x5a, sizeof other); /* a struct of another size is not written to */
    other.size = sizeof other / 2;
    struct hs_error before = other;
    assert_int_equal(hs_open("/nowhere", 0, NULL, &t, &other), -1);
    assert_memory_equal(&before, &other, sizeof other);

    t = open_trace(dir, 0);
    struct hs_tree_options tree = HS_TREE_OPTIONS_INIT;
    tree.size--;
    assert_int_equal(hs_tree_open(t, &tree, &c, &error), -1);
    assert_int_equal(error.code, HS_ERR_USAGE);
    struct hs_filter filter = HS_FILTER_ALL;
    filter.size = 0;
    assert_int_equal(hs_events_open(t, &filter, &c, &error), -1);
    filter.size = sizeof filter + 8;
    assert_int_equal(hs_events_open(t, &filter, &c, &error), -1);
    assert_null(c);
    hs_close(t);
    hs_close(NULL);
    remove_trace(dir);
}

static void cursors_of_other_rows_are_refused(void **state)
{
    (void)state;
    char *dir = write_trace();
    hs_trace *t = open_trace(dir, 0);
    hs_cursor *threads, *exceptions, *other;
    const struct hs_class *row = NULL;
    const struct hs_thread *thread;
    size_t count;
    struct hs_error error = HS_ERROR_INIT;
    assert_int_equal(hs_threads_open(t, &threads, &error), 0);
    assert_int_equal(hs_class_next(threads, &row, &error), -1);
    assert_int_equal(error.code, HS_ERR_USAGE);
    assert_null(row);
    assert_int_equal(hs_latest_select(threads, 0, &count, &error), -1);
    assert_int_equal(hs_feature_flows_open(threads, &other, &error), -1);
    assert_false(hs_tree_cut(threads));
    assert_int_equal(hs_history_object(threads), 0);
    assert_int_equal(hs_cursor_count(threads), THREADS);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(hs_thread_next(threads, &thread, &error), 1);
    assert_int_equal(hs_thread_next(threads, &thread, &error), 0);
    assert_int_equal(hs_cursor_seek(threads, 1, &error), 0);
    assert_int_equal(hs_thread_next(threads, &thread, &error), 1);
    assert_int_equal(thread->thread, 1);
    hs_cursor_close(threads);
    assert_int_equal(hs_exceptions_open(t, &exceptions, &error), 0);
    assert_int_equal(hs_cursor_seek(exceptions, 0, &error), 0);
    assert_true(hs_cursor_count(exceptions) == UINT64_MAX);
    hs_cursor_close(exceptions);
    assert_int_equal(hs_exception_groups_open(t, &exceptions, &error), 0);
    assert_int_equal(hs_cursor_seek(exceptions, 0, &error), -1); /* it only goes forward */
    assert_null(hs_exception_held(exceptions));
    hs_cursor_close(exceptions);
    hs_cursor_close(NULL);
    hs_close(t);
    remove_trace(dir);
}

/* ---- questions that read much ---- */

static uint64_t mix(uint64_t h, uint64_t x) { return (h ^ x) * UINT64_C(0x9e3779b97f4a7c15) + (h >> 31); }

/* Walks to the end of a cursor; adds up `field` of all rows. */
#define SUM_UP(open_call, type, field)                                                                                 \
    do {                                                                                                               \
        hs_cursor *c_;                                                                                                 \
        const struct hs_##type *row;                                                                                   \
        int more_;                                                                                                     \
        if ((open_call) != 0)                                                                                          \
            return -1;                                                                                                 \
        while ((more_ = hs_##type##_next(c_, &row, error)) > 0)                                                        \
            *sum = mix(*sum, (uint64_t)(field));                                                                       \
        hs_cursor_close(c_);                                                                                           \
        return more_;                                                                                                  \
    } while (0)

static int ask_index(hs_trace *t, uint64_t *sum, struct hs_error *error)
{
    (void)sum;
    return hs_index_build(t, error);
}
static int ask_counts(hs_trace *t, uint64_t *sum, struct hs_error *error)
{
    uint64_t counts[ID_COUNT];
    if (hs_count_dataids(t, counts, NULL, error) != 0)
        return -1;
    for (unsigned i = 0; i < ID_COUNT; i++)
        *sum = mix(*sum, counts[i]);
    return 0;
}
static int ask_costs(hs_trace *t, uint64_t *sum, struct hs_error *error)
{
    SUM_UP(hs_costs_open(t, 0, HS_NO_SEQ, &c_, error), cost, row->calls);
}
static int ask_costs_between(hs_trace *t, uint64_t *sum, struct hs_error *error)
{
    SUM_UP(hs_costs_open(t, 5, EVENTS / 2, &c_, error), cost, row->calls);
}
static int ask_lives(hs_trace *t, uint64_t *sum, struct hs_error *error)
{
    SUM_UP(hs_lives_open(t, &c_, error), life, row->last);
}
static int ask_exceptions(hs_trace *t, uint64_t *sum, struct hs_error *error)
{
    SUM_UP(hs_exceptions_open(t, &c_, error), exception, row->thrown + row->swallowed);
}
static int ask_tree(hs_trace *t, uint64_t *sum, struct hs_error *error)
{
    struct hs_tree_options options = HS_TREE_OPTIONS_INIT;
    options.ahead = 50;
    SUM_UP(hs_tree_open(t, &options, &c_, error), call, row->seq + row->times);
}
static int ask_whole_tree(hs_trace *t, uint64_t *sum, struct hs_error *error)
{
    struct hs_tree_options options = HS_TREE_OPTIONS_INIT;
    options.ahead = HS_TREE_WHOLE;
    SUM_UP(hs_tree_open(t, &options, &c_, error), call, row->seq + row->times);
}
static int ask_paths(hs_trace *t, uint64_t *sum, struct hs_error *error)
{
    SUM_UP(hs_paths_open(t, HS_PATH_CALLS, 0, HS_NO_SEQ, &c_, error), path, row->calls);
}
static int ask_signals(hs_trace *t, uint64_t *sum, struct hs_error *error)
{
    SUM_UP(hs_signals_open(t, 4, false, &c_, error), signal, row->calls[0]);
}
static int ask_events(hs_trace *t, uint64_t *sum, struct hs_error *error)
{
    SUM_UP(hs_events_open(t, NULL, &c_, error), event, row->seq + row->value);
}
static int ask_history(hs_trace *t, uint64_t *sum, struct hs_error *error)
{
    SUM_UP(hs_history_open(t, "7", &c_, error), write, row->event->seq + row->event->value);
}
static int ask_frames(hs_trace *t, uint64_t *sum, struct hs_error *error)
{
    SUM_UP(hs_frames_open(t, EVENTS / 2, &c_, error), frame, row->entered);
}
static int ask_object(hs_trace *t, uint64_t *sum, struct hs_error *error)
{
    const struct hs_object_state *s;
    if (hs_object_at(t, OBJECT_USER, HS_NO_SEQ, &s, error) != 0)
        return -1;
    *sum = mix(*sum, s->first + s->last);
    return 0;
}
static int ask_fsck(hs_trace *t, uint64_t *sum, struct hs_error *error)
{
    const struct hs_fsck_result *r;
    if (hs_fsck(t, NULL, NULL, &r, error) != 0)
        return -1;
    *sum = mix(r->events, r->violations);
    return 0;
}

static const struct question {
    const char *name;
    int (*ask)(hs_trace *t, uint64_t *sum, struct hs_error *error);
} questions[] = {
    { "events", ask_events },
    { "costs", ask_costs },
    { "costs between", ask_costs_between },
    { "counts", ask_counts },
    { "lives", ask_lives },
    { "exceptions", ask_exceptions },
    { "tree", ask_tree },
    { "whole tree", ask_whole_tree },
    { "paths", ask_paths },
    { "signals", ask_signals },
    { "history", ask_history },
    { "frames", ask_frames },
    { "object", ask_object },
    { "fsck", ask_fsck },
    { "index", ask_index },
};
enum { QUESTIONS = sizeof questions / sizeof *questions };

struct steps {
    uint64_t made, allowed;
};

static int count_step(void *context, uint64_t done, uint64_t total, const char *phase)
{
    struct steps *s = context;
    assert_true(done > 0 && done <= total);
    assert_true(phase != NULL && phase[0] != '\0');
    return ++s->made > s->allowed;
}

/* Of a fresh handle. */
static uint64_t answer_of(const char *dir, const struct question *q)
{
    struct hs_error error = HS_ERROR_INIT;
    uint64_t sum = 0;
    hs_trace *t = open_trace(dir, HS_OPEN_READONLY);
    if (q->ask(t, &sum, &error) != 0)
        fail_msg("%s: %s", q->name, error.text);
    hs_close(t);
    return sum;
}

/* Cancels at the 1st, 2nd, ... step, until there are no more; asks again after each with the same handle. */
static void cancel_everywhere(const char *dir, const struct question *q)
{
    uint64_t want = answer_of(dir, q);
    for (uint64_t allowed = 0;; allowed++) {
        struct hs_error error = HS_ERROR_INIT;
        struct steps steps = { 0, allowed };
        uint64_t sum = 0;
        hs_trace *t = open_trace(dir, HS_OPEN_READONLY);
        hs_set_progress(t, count_step, &steps);
        int failed = q->ask(t, &sum, &error);
        if (failed == 0 && steps.made <= allowed) { /* nobody asked it to stop */
            if (allowed == 0)
                fail_msg("%s: no step was reported", q->name);
            assert_true(sum == want);
            hs_close(t);
            return;
        }
        if (failed == 0 || error.code != HS_CANCELLED)
            fail_msg("%s: cancelled at step %d, but it gives %d (%s)", q->name, (int)allowed + 1, failed, error.text);
        assert_null(hs_damage(t));
        steps = (struct steps){ 0, UINT64_MAX };
        sum = 0;
        if (q->ask(t, &sum, &error) != 0 || sum != want)
            fail_msg("%s: cancelled at step %d, the second time is wrong: %s", q->name, (int)allowed + 1, error.text);
        hs_set_progress(t, NULL, NULL);
        assert_int_equal(q->ask(t, &sum, &error), 0);
        hs_close(t);
    }
}

static void questions_can_be_cancelled(void **state)
{
    (void)state;
    char *dir = write_trace();
    for (unsigned i = 0; i < QUESTIONS; i++)
        cancel_everywhere(dir, &questions[i]);
    remove_trace(dir);
}

/* Walks to one end, cancelled once at step `at`; false if there were fewer steps. */
static bool walk_cancelled(hs_trace *t, hs_cursor *c, bool forward, uint64_t at)
{
    struct hs_error error = HS_ERROR_INIT;
    struct steps steps = { 0, at };
    uint64_t seq = forward ? 0 : hs_event_count(t);
    bool cancelled = false;
    hs_set_progress(t, count_step, &steps);
    for (;;) {
        const struct hs_event *e;
        int more = forward ? hs_event_next(c, &e, &error) : hs_event_previous(c, &e, &error);
        if (more == 0)
            break;
        if (more < 0) {
            assert_int_equal(error.code, HS_CANCELLED);
            assert_false(cancelled);
            cancelled = true;
            steps = (struct steps){ 0, UINT64_MAX };
            continue;
        }
        assert_true(e->seq == (forward ? seq : seq - 1)); /* it goes on where it was */
        seq = forward ? seq + 1 : seq - 1;
    }
    assert_true(seq == (forward ? hs_event_count(t) : 0));
    hs_set_progress(t, NULL, NULL);
    return cancelled;
}

static void a_cancelled_cursor_goes_on(void **state)
{
    (void)state;
    char *dir = write_trace();
    hs_trace *t = open_trace(dir, HS_OPEN_READONLY);
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *c;
    uint64_t at = 0;
    bool more = true;
    assert_int_equal(hs_events_open(t, NULL, &c, &error), 0);
    for (; more; at++) {
        more = walk_cancelled(t, c, true, at);
        more |= walk_cancelled(t, c, false, at);
    }
    assert_true(at > 5);
    hs_cursor_close(c);
    hs_close(t);
    remove_trace(dir);
}

/* ---- read-only ---- */

/* Names, sizes, times and bytes of all files of a directory. */
static uint64_t print_of(const char *dir)
{
    uint64_t sum = 0;
    DIR *d = opendir(dir);
    assert_non_null(d);
    struct dirent *e;
    while ((e = readdir(d)) != NULL) {
        char path[512];
        struct stat info;
        uint64_t of_file = 0;
        (void)snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
        if (strcmp(e->d_name, "..") == 0)
            continue;
        assert_int_equal(stat(path, &info), 0);
        for (const char *p = e->d_name; *p != '\0'; p++)
            of_file = mix(of_file, (uint64_t)*p);
        of_file = mix(of_file, (uint64_t)info.st_size);
        of_file = mix(of_file, (uint64_t)info.st_mtim.tv_nsec + (uint64_t)info.st_mtim.tv_sec);
        of_file = mix(of_file, (uint64_t)info.st_ino);
        sum += of_file; /* in any order */
    }
    (void)closedir(d);
    return sum;
}

static void read_only_changes_nothing(void **state)
{
    (void)state;
    char *dir = write_trace();
    uint64_t sum;
    struct hs_error error = HS_ERROR_INIT;
    for (int protected = 0; protected < 2; protected ++) {
        if (protected)
            assert_int_equal(chmod(dir, 0500), 0);
        uint64_t before = print_of(dir);
        hs_trace *t = open_trace(dir, HS_OPEN_READONLY);
        for (unsigned i = 0; i < QUESTIONS; i++)
            assert_int_equal(questions[i].ask(t, &sum, &error), 0);
        const struct hs_index_info *info = hs_index_info(t);
        assert_true(info->indexed == info->chunks && info->chunks > 0 && !info->kept);
        hs_close(t);
        assert_true(print_of(dir) == before);
    }
    assert_int_equal(chmod(dir, 0700), 0);
    hs_trace *t = open_trace(dir, 0); /* else the index is kept */
    assert_int_equal(hs_index_build(t, &error), 0);
    assert_true(hs_index_info(t)->kept);
    hs_close(t);
    uint64_t before = print_of(dir);
    t = open_trace(dir, HS_OPEN_READONLY); /* and used, if it is there */
    assert_true(hs_index_info(t)->kept && hs_index_info(t)->indexed == hs_index_info(t)->chunks);
    hs_close(t);
    assert_true(print_of(dir) == before);
    remove_trace(dir);
}

static void no_index_builds_none(void **state)
{
    (void)state;
    char *dir = write_trace();
    hs_trace *t;
    uint64_t sum;
    struct hs_error error = HS_ERROR_INIT;
    struct hs_open_options options = HS_OPEN_OPTIONS_INIT;
    options.no_index = true;
    assert_int_equal(hs_open(dir, 0, &options, &t, &error), 0);
    assert_int_equal(ask_exceptions(t, &sum, &error), 0);
    assert_int_equal(hs_index_info(t)->indexed, 0);
    hs_close(t);
    remove_trace(dir);
}

/* ---- several handles on one trace ---- */

struct reader_thread {
    const char *dir;
    uint64_t sums[QUESTIONS];
    bool failed;
};

static void *read_all(void *context)
{
    struct reader_thread *r = context;
    for (unsigned round = 0; round < 20; round++) {
        struct hs_error error = HS_ERROR_INIT;
        hs_trace *t;
        if (hs_open(r->dir, round % 2 == 0 ? HS_OPEN_READONLY : 0, NULL, &t, &error) != 0) {
            r->failed = true;
            return NULL;
        }
        for (unsigned i = 0; i < QUESTIONS; i++) {
            r->sums[i] = 0;
            r->failed |= questions[i].ask(t, &r->sums[i], &error) != 0;
        }
        hs_close(t);
    }
    return NULL;
}

static void two_handles_in_two_threads(void **state)
{
    (void)state;
    char *dir = write_trace();
    struct reader_thread readers[2] = { { .dir = dir }, { .dir = dir } };
    pthread_t threads[2];
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, read_all, &readers[i]), 0);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (unsigned i = 0; i < 2; i++) {
        assert_false(readers[i].failed);
        for (unsigned k = 0; k < QUESTIONS; k++)
            assert_true(readers[i].sums[k] == answer_of(dir, &questions[k]));
    }
    hs_trace *one = open_trace(dir, 0), *two = open_trace(dir, 0); /* and in one thread; the first one closed first */
    hs_close(one);
    uint64_t sum = 0;
    struct hs_error error = HS_ERROR_INIT;
    assert_int_equal(ask_events(two, &sum, &error), 0);
    assert_true(sum == answer_of(dir, &questions[0]));
    hs_close(two);
    remove_trace(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_and_versions_are_reported),
        cmocka_unit_test(structs_of_other_sizes_are_refused),
        cmocka_unit_test(cursors_of_other_rows_are_refused),
        cmocka_unit_test(questions_can_be_cancelled),
        cmocka_unit_test(a_cancelled_cursor_goes_on),
        cmocka_unit_test(read_only_changes_nothing),
        cmocka_unit_test(no_index_builds_none),
        cmocka_unit_test(two_handles_in_two_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
