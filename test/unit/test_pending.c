/* test_pending.c - formats/pending.h and formats/schema.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/files.h"
#include "logging/store/pendinglog.h"

static void write_samples(struct writer *w)
{
    struct pending_row rows[] = {
        { .db = DB_CLASS, .key = UINT32_MAX, .value = (const uint8_t *)"class", .size = 5 },
        { .db = DB_INFO, .text_key = "options", .text_key_size = 7, .value = (const uint8_t *)"weave=ALL", .size = 9 },
        { .db = DB_CLOCK, .key = UINT64_MAX, .value = (const uint8_t *)"", .size = 0 },
    };
    for (size_t i = 0; i < 3; i++) {
        pending_encode(&rows[i], w);
        if (i == 0)
            pending_encode_hole(PENDING_HOLE_BYTES, w);
    }
}

static void rows_come_back_in_order(void **state)
{
    (void)state;
    struct writer w = { 0 };
    struct pending_row row;
    write_samples(&w);
    struct reader r = reader_of(w.data, w.size);
    assert_int_equal(pending_decode(&r, &row), PENDING_ROW);
    assert_int_equal(row.db, DB_CLASS);
    assert_true(row.key == UINT32_MAX && row.size == 5 && row.text_key == NULL);
    assert_memory_equal(row.value, "class", 5);
    assert_int_equal(pending_decode(&r, &row), PENDING_ROW);
    assert_int_equal(row.db, DB_INFO);
    assert_int_equal(row.text_key_size, 7);
    assert_memory_equal(row.text_key, "options", 7);
    assert_memory_equal(row.value, "weave=ALL", 9);
    assert_int_equal(pending_decode(&r, &row), PENDING_ROW);
    assert_true(row.db == DB_CLOCK && row.key == UINT64_MAX && row.size == 0);
    assert_int_equal(pending_decode(&r, &row), PENDING_END);
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
        enum pending_end end;
        while ((end = pending_decode(&r, &row)) == PENDING_ROW) {
        }
        assert_int_equal(end, r.at == n ? PENDING_END : PENDING_TORN);
    }
    writer_free(&w);
}

static void every_flipped_bit_is_damage(void **state)
{
    (void)state;
    struct writer w = { 0 };
    struct pending_row row;
    write_samples(&w);
    for (size_t bit = 0; bit < 8 * w.size; bit++) {
        w.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        struct reader r = reader_of(w.data, w.size);
        enum pending_end end;
        while ((end = pending_decode(&r, &row)) == PENDING_ROW) {
        }
        assert_int_equal(end, PENDING_DAMAGED);
        w.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    writer_free(&w);
}

/* With checks as they should be: the row itself makes no sense. */
static void malformed_rows_are_damage(void **state)
{
    (void)state;
    struct pending_row row, beyond = { .db = DB_CLASS, .key = UINT64_C(1) << 32 }; /* a key that does not fit */
    struct writer w = { 0 };
    pending_encode(&beyond, &w);
    struct reader r = reader_of(w.data, w.size);
    assert_int_equal(pending_decode(&r, &row), PENDING_DAMAGED);
    writer_free(&w);
}

static void what_is_stored_leaves_a_hole(void **state)
{
    (void)state;
    enum { ROWS = 40, ROW_BYTES = 8192, STORED = 20 };
    char path[] = "/tmp/hs-pending-XXXXXX";
    struct pendinglog p;
    struct error err;
    struct writer value = { 0 }, rows;
    struct pending_row row;
    assert_non_null(mkdtemp(path));
    char file[64];
    (void)snprintf(file, sizeof file, "%s/pending", path);
    assert_int_equal(pendinglog_open(&p, file, &err), OK);
    for (unsigned i = 0; i < ROW_BYTES; i++)
        write_u1(&value, i & 0xff);
    uint64_t full = 0;
    for (uint64_t key = 0; key < ROWS; key++) {
        assert_true(pendinglog_put(&p, DB_CLASS, key, &value));
        if (key + 1 == STORED) {
            pendinglog_take_rows(&p, &rows);
            writer_free(&rows);
        }
    }
    full = file_disk_bytes(p.fd);
    pendinglog_stored(&p); /* what was taken */
    assert_true(file_disk_bytes(p.fd) < full - (STORED - 1) * ROW_BYTES);
    assert_true(pendinglog_put(&p, DB_CLASS, ROWS, &value));
    pendinglog_reread(&p, &rows);
    struct reader r = reader_of(rows.data, rows.size);
    for (uint64_t key = STORED; key <= ROWS; key++)
        assert_true(pending_decode(&r, &row) == PENDING_ROW && row.key == key && row.size == ROW_BYTES);
    assert_int_equal(pending_decode(&r, &row), PENDING_END);
    pendinglog_stored(&p);
    assert_true(p.size == 0 && p.hole == 0);
    writer_free(&p.rows); /* the recorder keeps it as long as the process */
    (void)close(p.fd);
    writer_free(&rows);
    writer_free(&value);
    (void)unlink(file);
    (void)rmdir(path);
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
        { DB_MARK, "mark", KEY_U32 },         { DB_ROLE, "role", KEY_U32 },
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
        cmocka_unit_test(rows_come_back_in_order),      cmocka_unit_test(a_torn_last_record_is_ignored),
        cmocka_unit_test(every_flipped_bit_is_damage),  cmocka_unit_test(malformed_rows_are_damage),
        cmocka_unit_test(what_is_stored_leaves_a_hole), cmocka_unit_test(databases_keep_their_names_and_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
