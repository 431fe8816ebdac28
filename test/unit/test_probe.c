/* test_probe.c - formats/probe.h and the checks of rows: a trace with one byte changed is never taken for a whole one.
 *
 * Every byte of a small trace is changed in turn. Either opening or verifying it fails, or the byte belongs to
 * nothing, and then all rows are as before. */
#include "reader_fixture.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "formats/probe.h"
#include "formats/resident.h"
#include "reader/trace/open_trace.h"

static uint32_t three(void) { return 3; }

static char *small_trace(void)
{
    static struct fake_event events[24];
    for (unsigned i = 0; i < 24; i++)
        events[i] = (struct fake_event){ .thread = i % FIXTURE_THREADS, .stamp = i / 4, .id = i % 2 };
    return fixture_write(events, 24, three);
}

struct sum {
    uint64_t hash;
    bool damaged;
};

static enum status add_row(void *context, struct text key, struct text value, struct error *err)
{
    struct sum *s = context;
    (void)err;
    s->hash = XXH64(value.data, value.size, XXH64(key.data, key.size, s->hash));
    return OK;
}

static void report(void *context, const char *what)
{
    (void)what;
    ((struct sum *)context)->damaged = true;
}

/* A hash of all rows, or that something is wrong. */
static struct sum rows_of(const char *dir)
{
    struct env env = { 0 };
    struct error err;
    struct sum s = { 0 };
    uint64_t rows = 0;
    if (env_open(&env, dir, false, NULL, &err) != OK)
        return (struct sum){ 0, true };
    ok(env_begin(&env, &err));
    for (unsigned db = 0; db < DB_COUNT; db++)
        s.damaged |= env_each(&env, (enum schema_db)db, add_row, &s, &err) != OK;
    s.damaged |= env_verify(&env, report, &s, &rows, &err) != OK || env.damage[0] != '\0';
    env_end(&env);
    env_close(&env);
    return s;
}

static void finds_every_changed_bit(void **state)
{
    (void)state;
    char *dir = small_trace(), path[64];
    (void)snprintf(path, sizeof path, "%s/" TRACE_DATA_FILE, dir);
    struct sum whole = rows_of(dir);
    assert_false(whole.damaged);
    int fd = open(path, O_RDWR);
    off_t bytes = lseek(fd, 0, SEEK_END);
    unsigned unused = 0, found = 0;
    for (off_t at = 0; at < bytes; at++) {
        uint8_t was, is;
        assert_int_equal(pread(fd, &was, 1, at), 1);
        if (was == 0 && at % 7 != 0) /* most of these are in what is unused */
            continue;
        is = was ^ (uint8_t)(1u << at % 8);
        assert_int_equal(pwrite(fd, &is, 1, at), 1);
        struct sum now = rows_of(dir);
        if (!now.damaged && now.hash != whole.hash)
            fail_msg("byte %lld of %s is changed, other rows come out, and nothing is said", (long long)at, path);
        found += now.damaged;
        unused += !now.damaged;
        assert_int_equal(pwrite(fd, &was, 1, at), 1);
    }
    assert_true(found > 2000);
    print_message("%u changes found, %u of bytes that belong to nothing\n", found, unused);
    (void)close(fd);
    fixture_remove(dir);
}

static void writes_into_no_damaged_trace(void **state)
{
    (void)state;
    char *dir = small_trace(), path[64];
    (void)snprintf(path, sizeof path, "%s/" TRACE_DATA_FILE, dir);
    struct store *s = NULL;
    struct error err;
    assert_int_equal(truncate(path, 5 * 4096), 0);
    assert_int_equal(store_open(dir, false, &s, &err), ERR_FORMAT);
    assert_null(s);
    assert_int_equal(truncate(path, 100), 0);
    assert_int_equal(store_open(dir, false, &s, &err), ERR_FORMAT);
    fixture_remove(dir);
}

static void a_row_under_the_key_of_another_shows(void **state)
{
    (void)state;
    uint8_t value[7 + ROW_CHECK_BYTES] = "a value";
    uint32_t mine = 5, other = 6;
    size_t size = sizeof value;
    row_close(DB_TYPE, &mine, sizeof mine, value, 7);
    assert_true(row_open(DB_TYPE, &mine, sizeof mine, value, &size));
    assert_int_equal(size, 7);
    size = sizeof value;
    assert_false(row_open(DB_TYPE, &other, sizeof other, value, &size));
    assert_false(row_open(DB_MARK, &mine, sizeof mine, value, &size));
    size = ROW_CHECK_BYTES - 1;
    assert_false(row_open(DB_TYPE, &mine, sizeof mine, value, &size));
}

/* Sums go with the rows: after rows were put, replaced, removed, and a transaction was given up. */
static void sums_follow_what_is_written(void **state)
{
    (void)state;
    char *dir = small_trace();
    struct store *s;
    struct error err;
    ok(store_open(dir, false, &s, &err));
    ok(store_begin(s, &err));
    for (uint32_t i = 0; i < 3000; i++)
        ok(store_put(s, DB_LATEST, i * 7 % 3001, "some bytes", 1 + i % 10, &err));
    ok(store_commit(s, &err));
    ok(store_begin(s, &err));
    for (uint32_t i = 0; i < 1000; i++)
        ok(store_put(s, DB_LATEST, i * 3, "others", 6, &err));
    ok(store_delete(s, DB_LATEST, 500, 1700, &err));
    ok(store_commit(s, &err));
    ok(store_begin(s, &err));
    ok(store_put(s, DB_LATEST, 600, "never", 5, &err));
    store_abort(s);
    store_close(s);
    assert_false(rows_of(dir).damaged);
    ok(store_open(dir, false, &s, &err)); /* which proves more: free pages, and those of long values */
    store_close(s);
    fixture_remove(dir);
}

enum { SMALL_MAP_BYTES = 64 << 20 }; /* the recorder's 1 TiB does not always fit beside TSan's */

static void drop_table(const char *dir, enum schema_db db)
{
    MDB_env *env;
    MDB_txn *txn;
    MDB_dbi dbi;
    assert_int_equal(mdb_env_create(&env), 0);
    assert_int_equal(mdb_env_set_maxdbs(env, DB_COUNT + 1), 0);
    assert_int_equal(mdb_env_set_mapsize(env, SMALL_MAP_BYTES), 0);
    assert_int_equal(mdb_env_open(env, dir, 0, 0600), 0);
    assert_int_equal(mdb_txn_begin(env, NULL, 0, &txn), 0);
    assert_int_equal(mdb_dbi_open(txn, schema_name(db), schema_key_type(db) == KEY_TEXT ? 0 : MDB_INTEGERKEY, &dbi), 0);
    assert_int_equal(mdb_drop(txn, dbi, 1), 0);
    assert_int_equal(mdb_txn_commit(txn), 0);
    mdb_env_close(env);
}

/* Every table is there from the begin, an empty one too. */
static void a_table_that_is_missing_is_damage(void **state)
{
    (void)state;
    for (unsigned i = 0; i < DB_COUNT; i++) {
        char *dir = small_trace();
        struct store *s;
        struct error err;
        assert_false(rows_of(dir).damaged);
        drop_table(dir, (enum schema_db)i);
        assert_true(rows_of(dir).damaged);
        assert_int_not_equal(store_open(dir, false, &s, &err), OK);
        fixture_remove(dir);
    }
}

static void refuses_what_is_no_regular_file(void **state)
{
    (void)state;
    static const char *const names[] = { TRACE_DATA_FILE, TRACE_JOURNAL_FILE, TRACE_INDEX_FILE };
    char path[64];
    struct error err;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        for (unsigned kind = 0; kind < 3; kind++) {
            char *dir = small_trace();
            struct env env = { 0 };
            (void)snprintf(path, sizeof path, "%s/%s", dir, names[i]);
            (void)unlink(path);
            assert_int_equal(kind == 0   ? mkfifo(path, 0600)
                             : kind == 1 ? mkdir(path, 0700)
                                         : symlink("/dev/zero", path),
                             0);
            assert_int_not_equal(env_open(&env, dir, false, NULL, &err), OK);
            assert_non_null(strstr(err.text, names[i]));
            assert_int_equal(kind == 1 ? rmdir(path) : unlink(path), 0);
            fixture_remove(dir);
        }
}

/* Bytes of files that this process has mapped and in memory. */
static uint64_t file_bytes_resident(void)
{
    unsigned long all, resident, shared;
    FILE *f = fopen("/proc/self/statm", "re");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%lu %lu %lu", &all, &resident, &shared), 3);
    (void)fclose(f);
    return (uint64_t)shared * (uint64_t)sysconf(_SC_PAGESIZE);
}

enum { LONG_ROWS = 8192, LONG_ROW = 12 << 10, RESIDENT_MOST = 48 << 20 };

static uint64_t most_resident;

static enum status note_resident(void *context, struct text key, struct text value, struct error *err)
{
    unsigned *rows = context;
    (void)key;
    (void)value;
    (void)err;
    if ((*rows)++ % 64 == 0) {
        const uint64_t now = file_bytes_resident();
        most_resident = now > most_resident ? now : most_resident;
    }
    return OK;
}

/* Of a file of 128 MB that is read from begin to end little is in the memory of the process at any time. */
static void keeps_little_of_a_large_file(void **state)
{
    (void)state;
    static const char row[LONG_ROW];
    char *dir = small_trace();
    struct store *s;
    struct env env = { 0 };
    struct error err;
    unsigned rows = 0;
    ok(store_open(dir, false, &s, &err));
    ok(store_begin(s, &err));
    for (uint32_t i = 0; i < LONG_ROWS; i++)
        ok(store_put(s, DB_LATEST, i, row, sizeof row, &err));
    ok(store_commit(s, &err));
    store_close(s);
    ok(env_open(&env, dir, false, NULL, &err));
    ok(env_begin(&env, &err));
    const uint64_t before = most_resident = file_bytes_resident();
    ok(env_each(&env, DB_LATEST, note_resident, &rows, &err));
    env_end(&env);
    env_close(&env);
    assert_int_equal(rows, LONG_ROWS);
    assert_true(most_resident > before); /* otherwise it is not measured */
    if (most_resident - before > RESIDENT_MOST)
        fail_msg("%llu MB of the file in memory", (unsigned long long)((most_resident - before) >> 20));
    fixture_remove(dir);
}

/* The same of the walk over the pages of a file, which is mapped for that alone. */
static void gives_back_what_it_has_mapped(void **state)
{
    (void)state;
    enum { BYTES = 128 << 20, PAGE = 4096 };
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(ftruncate(fileno(file), BYTES), 0);
    const char *bytes = mmap(NULL, BYTES, PROT_READ, MAP_SHARED, fileno(file), 0);
    assert_true(bytes != MAP_FAILED);
    const uint64_t before = file_bytes_resident();
    for (unsigned known = 0; known < 2; known++) {
        struct resident r = { .begin = known ? bytes : NULL, .bytes = known ? BYTES : 0 };
        uint64_t most = 0;
        for (size_t at = 0; at < BYTES; at += PAGE) {
            resident_read(&r, bytes + at, PAGE);
            assert_int_equal(*(volatile const char *)(bytes + at), 0);
            if (at % (PAGE * 64) == 0 && file_bytes_resident() > most)
                most = file_bytes_resident();
        }
        assert_ptr_equal(r.begin, bytes);
        assert_int_equal(r.bytes, BYTES);
        if (most <= before || most - before > RESIDENT_MOST)
            fail_msg("%llu of %d bytes in memory, %llu before", (unsigned long long)most, BYTES,
                     (unsigned long long)before);
    }
    assert_int_equal(munmap((void *)(uintptr_t)bytes, BYTES), 0);
    (void)fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_every_changed_bit),
        cmocka_unit_test(writes_into_no_damaged_trace),
        cmocka_unit_test(a_row_under_the_key_of_another_shows),
        cmocka_unit_test(sums_follow_what_is_written),
        cmocka_unit_test(a_table_that_is_missing_is_damage),
        cmocka_unit_test(refuses_what_is_no_regular_file),
        cmocka_unit_test(keeps_little_of_a_large_file),
        cmocka_unit_test(gives_back_what_it_has_mapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
