/* test_store.c - logging/store/store.h. */
#include "reader_fixture.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "logging/store/pendinglog.h"
#include "reader/trace/open_trace.h"

static char dir[32];
static struct error err;

static struct store *fresh(void)
{
    struct store *s;
    (void)snprintf(dir, sizeof dir, "store-XXXXXX");
    assert_non_null(mkdtemp(dir));
    ok(store_open(dir, true, &s, &err));
    return s;
}

static void gone(struct store *s)
{
    store_close(s);
    fixture_remove(strdup(dir));
}

static void keeps_what_was_committed(void **state)
{
    (void)state;
    struct store *s = fresh();
    const void *data;
    size_t size;
    ok(store_begin(s, &err));
    ok(store_put(s, DB_TYPE, 7, "seven", 5, &err));
    ok(store_put_text(s, DB_INFO, "end", 3, "clean", 5, &err));
    ok(store_commit(s, &err));
    ok(store_begin(s, &err));
    ok(store_put(s, DB_TYPE, 8, "eight", 5, &err));
    store_abort(s);
    store_close(s);
    ok(store_open(dir, false, &s, &err));
    ok(store_begin(s, &err));
    ok(store_get(s, DB_TYPE, 7, &data, &size, &err));
    assert_int_equal(size, 5);
    assert_memory_equal(data, "seven", 5);
    assert_int_equal(store_get(s, DB_TYPE, 8, &data, &size, &err), ERR_NOT_FOUND);
    gone(s);
}

static void refuses_a_second_trace_and_a_missing_one(void **state)
{
    (void)state;
    struct store *s = fresh(), *other = NULL;
    assert_int_equal(store_open(dir, true, &other, &err), ERR_EXISTS);
    assert_int_equal(store_open("there-is-none", false, &other, &err), ERR_NOT_FOUND);
    assert_null(other);
    gone(s);
}

static enum status count_row(void *context, uint64_t key, const void *data, size_t size)
{
    uint64_t *next = context;
    (void)data;
    assert_int_equal(size, sizeof(uint64_t));
    assert_true(key >= *next);
    *next = key + 1;
    return OK;
}

static void appends_chunks_in_any_order(void **state)
{
    (void)state;
    struct store *s = fresh();
    uint64_t key, next = 0;
    ok(store_begin(s, &err));
    assert_int_equal(store_last_key(s, DB_CHUNK, &key, &err), ERR_NOT_FOUND);
    static const uint64_t keys[] = { 1, 5, 3, 1, UINT64_C(1) << 40, 4 };
    for (unsigned i = 0; i < 6; i++)
        ok(store_put(s, DB_CHUNK, keys[i], &keys[i], sizeof keys[i], &err));
    ok(store_last_key(s, DB_CHUNK, &key, &err));
    assert_int_equal(key, UINT64_C(1) << 40);
    ok(store_each(s, DB_CHUNK, count_row, &next, &err));
    assert_int_equal(next, (UINT64_C(1) << 40) + 1);
    ok(store_commit(s, &err));
    ok(store_sync(s, &err));
    gone(s);
}

static void refuses_a_key_that_does_not_fit(void **state)
{
    (void)state;
    struct store *s = fresh();
    ok(store_begin(s, &err));
    assert_int_equal(store_put(s, DB_CLASS, UINT64_C(1) << 32, "x", 1, &err), ERR_LIMIT);
    gone(s);
}

static void gives_its_reserve_back(void **state)
{
    (void)state;
    struct store *s = fresh();
    char path[64];
    (void)snprintf(path, sizeof path, "%s/reserve", dir);
    assert_int_equal(access(path, F_OK), 0);
    store_release_reserve(s);
    assert_int_not_equal(access(path, F_OK), 0);
    gone(s);
}

/* Another program reads the trace, and is killed while it holds a snapshot. */
static void killed_reader(void)
{
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        struct env env = { 0 };
        if (env_open(&env, dir, false, NULL, &err) != OK || env_begin(&env, &err) != OK)
            (void)fprintf(stderr, "a reader fails: %s\n", err.text);
        else
            (void)!write(ends[1], "", 1);
        (void)close(ends[1]);
        (void)alarm(60);
        (void)pause();
    }
    (void)close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    (void)close(ends[0]);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

static void readers_that_are_killed_take_no_place(void **state)
{
    (void)state;
    struct store *s = fresh();
    for (unsigned i = 0; i < 200; i++) /* the store is open: else LMDB would begin its table anew */
        killed_reader();
    gone(s);
}

static void readers_that_are_killed_keep_no_pages(void **state)
{
    (void)state;
    static const char row[1 << 16];
    struct store *s = fresh();
    char path[64];
    struct stat before, after;
    (void)snprintf(path, sizeof path, "%s/data.mdb", dir);
    for (unsigned i = 0; i < 80; i++) {
        if (i == 20) {
            killed_reader();
            assert_int_equal(stat(path, &before), 0);
        }
        ok(store_begin(s, &err));
        ok(store_put(s, DB_CHUNK, 1, row, sizeof row, &err));
        ok(store_commit(s, &err));
    }
    assert_int_equal(stat(path, &after), 0);
    assert_in_range(after.st_size, before.st_size, before.st_size + 4 * (off_t)sizeof row);
    gone(s);
}

static enum status next_row(void *context, uint64_t key, const void *data, size_t size)
{
    uint64_t *next = context;
    (void)data;
    /* each once, in order: a row is found in the pack with the greatest key not above its own */
    assert_int_equal(key, (*next)++);
    assert_int_equal(size, 400);
    return OK;
}

/* A recorder that died left rows that are stored as well; packs of the rows given again must not hide those behind
 * them. */
static void rows_given_again_hide_none(void **state)
{
    (void)state;
    static const uint8_t value[400];
    struct store *s = fresh();
    struct writer all = { 0 };
    bool damaged;
    size_t from = 0, again = 0;
    for (uint64_t key = 0; key < 5000; key++) {
        struct pending_row row = { .db = DB_CLASS, .key = key, .value = value, .size = sizeof value };
        pending_encode(&row, &all);
        if (key == 999)
            again = all.size;
        if (key % 700 == 699 && key < 4000) { /* as often as the recorder commits, and as packs are full */
            ok(store_begin(s, &err));
            ok(pending_store(s, all.data + from, all.size - from, &damaged, &err));
            ok(store_commit(s, &err));
            from = all.size;
        }
    }
    ok(store_begin(s, &err));
    ok(pending_store(s, all.data + from, all.size - from, &damaged, &err)); /* and a transaction that is given up */
    store_abort(s);
    store_close(s);
    ok(store_open(dir, false, &s, &err));
    ok(store_begin(s, &err));
    ok(pending_store(s, all.data + again, all.size - again, &damaged, &err));
    assert_false(damaged);
    ok(store_commit(s, &err));
    uint64_t next = 0;
    ok(store_begin(s, &err));
    ok(store_each(s, DB_CLASS, next_row, &next, &err));
    assert_int_equal(next, 5000);
    writer_free(&all);
    gone(s);
}

/* Values of up to WEIGHED_BYTES lie in leaf pages, also where a long one was before. */
static void a_row_that_becomes_short_is_sound(void **state)
{
    (void)state;
    static const uint8_t value[20000];
    struct store *s = fresh();
    ok(store_begin(s, &err));
    for (size_t size = sizeof value; size > 0; size = size > 3000 ? 3000 : size > 1000 ? 1000 : 0) {
        ok(store_put(s, DB_DERIVED, 7, value, size, &err));
        ok(store_put_text(s, DB_INFO, "end", 3, value, size, &err));
    }
    ok(store_commit(s, &err));
    store_close(s);
    ok(store_open(dir, false, &s, &err)); /* which looks at every page */
    gone(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_what_was_committed),
        cmocka_unit_test(rows_given_again_hide_none),
        cmocka_unit_test(a_row_that_becomes_short_is_sound),
        cmocka_unit_test(refuses_a_second_trace_and_a_missing_one),
        cmocka_unit_test(appends_chunks_in_any_order),
        cmocka_unit_test(refuses_a_key_that_does_not_fit),
        cmocka_unit_test(gives_its_reserve_back),
        cmocka_unit_test(readers_that_are_killed_take_no_place),
        cmocka_unit_test(readers_that_are_killed_keep_no_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
