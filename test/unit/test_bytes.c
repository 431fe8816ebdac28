/* test_bytes.c - formats/bytes.h and formats/vec.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "formats/bytes.h"
#include "formats/vec.h"

static void what_is_written_is_read_again(void **state)
{
    (void)state;
    static const uint64_t numbers[] = { 0, 1, 127, 128, 16383, 16384, UINT32_MAX, INT64_MAX, UINT64_MAX };
    enum { N = sizeof numbers / sizeof numbers[0] };
    struct writer w = { 0 };
    for (size_t i = 0; i < N; i++) {
        write_varint(&w, numbers[i]);
        write_svarint(&w, (int64_t)numbers[i]);
        write_svarint(&w, -(int64_t)(numbers[i] >> 1));
        write_u8(&w, numbers[i]);
        write_le8(&w, numbers[i]);
        write_u4(&w, (uint32_t)numbers[i]);
        write_le4(&w, (uint32_t)numbers[i]);
        write_u2(&w, (unsigned)numbers[i] & 0xffff);
        write_text(&w, "text", i % 5);
    }
    struct reader r = reader_of(w.data, w.size);
    for (size_t i = 0; i < N; i++) {
        size_t n = 99;
        assert_true(read_varint(&r) == numbers[i]);
        assert_true(read_svarint(&r) == (int64_t)numbers[i]);
        assert_true(read_svarint(&r) == -(int64_t)(numbers[i] >> 1));
        assert_true(read_u8(&r) == numbers[i]);
        assert_true(read_le8(&r) == numbers[i]);
        assert_true(read_u4(&r) == (uint32_t)numbers[i]);
        assert_true(read_le4(&r) == (uint32_t)numbers[i]);
        assert_true(read_u2(&r) == (uint16_t)numbers[i]);
        const char *p = read_text(&r, &n);
        assert_int_equal(n, i % 5);
        assert_memory_equal(p, "text", n);
    }
    assert_int_equal(r.at, r.size);
    assert_false(r.bad);
    writer_free(&w);
}

static void big_endian_is_the_order_of_class_files(void **state)
{
    (void)state;
    static const uint8_t bytes[] = { 0xca, 0xfe, 0xba, 0xbe, 1, 2 };
    struct reader r = reader_of(bytes, sizeof bytes);
    assert_int_equal(read_u4(&r), 0xcafebabe);
    assert_int_equal(read_u2(&r), 0x0102);
}

static void reading_past_the_end_sticks(void **state)
{
    (void)state;
    static const uint8_t bytes[] = { 1, 2, 3 };
    struct reader r = reader_of(bytes, sizeof bytes);
    size_t n = 7;
    assert_int_equal(read_u4(&r), 0);
    assert_true(r.bad);
    assert_int_equal(read_u1(&r), 0);
    assert_true(read_varint(&r) == 0);
    assert_null(read_span(&r, 0));
    assert_null(read_text(&r, &n));
    assert_int_equal(n, 0);
}

static void endless_and_too_long_varints_are_bad(void **state)
{
    (void)state;
    uint8_t bytes[12];
    memset(bytes, 0xff, sizeof bytes);
    struct reader r = reader_of(bytes, 3);
    assert_true(read_varint(&r) == 0 && r.bad);
    r = reader_of(bytes, sizeof bytes);
    assert_true(read_varint(&r) == 0 && r.bad);
    bytes[9] = 2; /* bit 64 */
    r = reader_of(bytes, sizeof bytes);
    assert_true(read_varint(&r) == 0 && r.bad);
}

static void a_text_longer_than_the_stream_is_bad(void **state)
{
    (void)state;
    struct writer w = { 0 };
    write_varint(&w, UINT64_MAX);
    write_bytes(&w, "abc", 3);
    struct reader r = reader_of(w.data, w.size);
    size_t n = 1;
    assert_null(read_text(&r, &n));
    assert_true(r.bad && n == 0);
    writer_free(&w);
}

static void a_writer_that_cannot_grow_stays_bad(void **state)
{
    (void)state;
    struct writer w = { 0 };
    write_u1(&w, 1);
    assert_false(writer_reserve(&w, SIZE_MAX - 1));
    assert_true(w.bad);
    size_t size = w.size;
    for (int i = 0; i < 1000; i++)
        write_bytes(&w, "0123456789", 10);
    assert_true(w.size <= w.cap && w.size - size < 256);
    writer_free(&w);
}

static void vectors_grow_and_refuse_the_impossible(void **state)
{
    (void)state;
    VEC(uint32_t) v = { 0 };
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t *p = vec_push(&v);
        assert_non_null(p);
        *p = i;
    }
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(v.items[i], i);
    assert_false(vec_reserve(&v, SIZE_MAX));
    assert_int_equal(v.count, 1000);
    vec_free(&v);
    assert_int_equal(v.cap, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(big_endian_is_the_order_of_class_files),
        cmocka_unit_test(reading_past_the_end_sticks),
        cmocka_unit_test(endless_and_too_long_varints_are_bad),
        cmocka_unit_test(a_text_longer_than_the_stream_is_bad),
        cmocka_unit_test(a_writer_that_cannot_grow_stays_bad),
        cmocka_unit_test(vectors_grow_and_refuse_the_impossible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
