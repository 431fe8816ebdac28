/* test_pending.c - formats/pending.h and formats/schema.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "formats/pending.h"

static void write_samples(struct writer *w)
{
    struct pending_row rows[] = {
        { .db = DB_CLASS, .key = UINT32_MAX, .value = (const uint8_t *)"class", .size = 5 },
        { .db = DB_INFO, .text_key = "options", .text_key_size = 7, .value = (const uint8_t *)"weave=ALL", .size = 9 },
        { .db = DB_CLOCK, .key = UINT64_MAX, .value = (const uint8_t *)"", .size = 0 },
    };
    for (size_t i = 0; i < 3; i++)
        pending_encode(&rows[i], w);
}

static void rows_come_back_in_order(void **state)
{
    (void)state;
    struct writer w = { 0 };
    struct pending_row row;
    write_samples(&w);
    struct reader r = reader_of(w.data, w.size);
    assert_true(pending_decode(&r, &row));
    assert_int_equal(row.db, DB_CLASS);
    assert_true(row.key == UINT32_MAX && row.size == 5 && row.text_key == NULL);
    assert_memory_equal(row.value, "class", 5);
    assert_true(pending_decode(&r, &row));
    assert_int_equal(row.db, DB_INFO);
    assert_int_equal(row.text_key_size, 7);
    assert_memory_equal(row.text_key, "options", 7);
    assert_memory_equal(row.value, "weave=ALL", 9);
    assert_true(pending_decode(&r, &row));
    assert_true(row.db == DB_CLOCK && row.key == UINT64_MAX && row.size == 0);
    assert_false(pending_decode(&r, &row));
    assert_false(r.bad);
    writer_free(&w);
}

static void a_torn_last_record_is_ignored(void **state)
{
    (void)state;
    struct writer w = { 0 };
    struct pending_row row;
    write_samples(&w);
    for (size_t n = 0; n < w.size; n++) {
        struct reader r = reader_of(w.data, n);
        size_t whole = 0;
        while (pending_decode(&r, &row))
            whole = r.at;
        assert_true(r.bad == (whole != n));
    }
    writer_free(&w);
}

static void malformed_records_are_bad(void **state)
{
    (void)state;
    static const struct {
        uint8_t bytes[16];
        size_t size;
    } cases[] = {
        { { 0, 0, 0, 0 }, 4 },                                    /* no database */
        { { 9, 0, 0, 0, 99, 0, 0, 0, 0, 0, 0, 0, 0 }, 13 },       /* unknown database */
        { { 3, 0, 0, 0, DB_CLASS, 0, 0 }, 7 },                    /* key cut by its own length */
        { { 3, 0, 0, 0, DB_INFO, 5, 'a' }, 7 },                   /* text key longer than the record */
        { { 9, 0, 0, 0, DB_CLASS, 0, 0, 0, 0, 1, 0, 0, 0 }, 13 }, /* key beyond 32 bits */
        { { 255, 255, 255, 255, DB_CLASS }, 5 },                  /* endless */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct reader r = reader_of(cases[i].bytes, cases[i].size);
        struct pending_row row;
        assert_false(pending_decode(&r, &row));
        assert_true(r.bad);
    }
}

static void databases_keep_their_names_and_keys(void **state)
{
    (void)state;
    static const struct {
        enum schema_db db;
        const char *name;
        enum schema_key key;
    } fixed[] = {
        { DB_INFO, "info", KEY_TEXT },        { DB_CLASS, "class", KEY_U32 },   { DB_CLASSFILE, "classfile", KEY_U32 },
        { DB_DATAID, "dataid", KEY_U32 },     { DB_KIND, "kind", KEY_U32 },     { DB_THREAD, "thread", KEY_U32 },
        { DB_TYPE, "type", KEY_U32 },         { DB_OBJECT, "object", KEY_U64 }, { DB_CHUNK, "chunk", KEY_U64 },
        { DB_CHUNKDIR, "chunkdir", KEY_U64 }, { DB_CLOCK, "clock", KEY_U64 },   { DB_DRAINED, "drained", KEY_U32 },
        { DB_MARK, "mark", KEY_U32 },
        { DB_ROLE, "role", KEY_U32 },
    };
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) {
        assert_int_equal(fixed[i].db, i); /* pending records hold the number */
        assert_string_equal(schema_name(fixed[i].db), fixed[i].name);
        assert_int_equal(schema_key_type(fixed[i].db), fixed[i].key);
    }
    assert_null(schema_name(DB_COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_back_in_order),
        cmocka_unit_test(a_torn_last_record_is_ignored),
        cmocka_unit_test(malformed_records_are_bad),
        cmocka_unit_test(databases_keep_their_names_and_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
