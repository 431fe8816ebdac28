/* test_mutf8.c - formats/mutf8.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "formats/json.h"
#include "formats/mutf8.h"

struct pair {
    const char *in;
    size_t in_size;
    const char *out;
    size_t out_size;
};
#define PAIR(a, b)                                                                                                     \
    {                                                                                                                  \
        (a), sizeof(a) - 1, (b), sizeof(b) - 1                                                                         \
    }

static void check(const struct writer *w, const struct pair *p)
{
    assert_int_equal(w->size, p->out_size);
    if (w->size != 0)
        assert_memory_equal(w->data, p->out, w->size);
}

static void modified_utf8_becomes_utf8(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        PAIR("", ""),
        PAIR("main", "main"),
        PAIR("a\xc0\x80z", "a\0z"),
        PAIR("\xc3\xa4", "\xc3\xa4"),
        PAIR("\xe2\x82\xac", "\xe2\x82\xac"),
        PAIR("\xed\xa0\xbd\xed\xb8\x80", "\xf0\x9f\x98\x80"),
        PAIR("x\xed\xa0\xbdy", "x\xed\xa0\xbdy"), /* lone surrogates stay */
        PAIR("\xed\xb8\x80\xed\xa0\xbd", "\xed\xb8\x80\xed\xa0\xbd"),
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct writer w = { 0 };
        assert_true(mutf8_to_utf8(pairs[i].in, pairs[i].in_size, &w));
        check(&w, &pairs[i]);
        writer_free(&w);
    }
}

static void malformed_sequences_are_replaced_and_reported(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        PAIR("a\x80z", "a\xef\xbf\xbdz"), PAIR("\xc3", "\xef\xbf\xbd"),   PAIR("\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd"),
        PAIR("\xf0z", "\xef\xbf\xbdz"),   PAIR("a\0z", "a\xef\xbf\xbdz"),
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct writer w = { 0 };
        assert_false(mutf8_to_utf8(pairs[i].in, pairs[i].in_size, &w));
        check(&w, &pairs[i]);
        writer_free(&w);
    }
}

static void ascii_needs_no_conversion(void **state)
{
    (void)state;
    assert_true(mutf8_is_ascii("java/lang/Object", 16));
    assert_true(mutf8_is_ascii("", 0));
    assert_false(mutf8_is_ascii("\xc3\xa4", 2));
    assert_false(mutf8_is_ascii("\0", 1));
}

static void latin1_becomes_utf8(void **state)
{
    (void)state;
    static const struct pair p = PAIR("a\xe4\0\xff z", "a\xc3\xa4\0\xc3\xbf z");
    struct writer w = { 0 };
    latin1_to_utf8(p.in, p.in_size, &w);
    check(&w, &p);
    writer_free(&w);
}

static void utf16_becomes_utf8(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        PAIR("", ""),
        PAIR("a\0\0\0z\0", "a\0z"),
        PAIR("\xe4\0\xac\x20", "\xc3\xa4\xe2\x82\xac"),
        PAIR("\x3d\xd8\x00\xde", "\xf0\x9f\x98\x80"),
        PAIR("\x3d\xd8", "\xed\xa0\xbd"),
        PAIR("\x3d\xd8z\0", "\xed\xa0\xbdz"),
        PAIR("\x00\xde\x3d\xd8", "\xed\xb8\x80\xed\xa0\xbd"),
        PAIR("a\0b", "a\xef\xbf\xbd"), /* half a unit */
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct writer w = { 0 };
        utf16le_to_utf8(pairs[i].in, pairs[i].in_size, &w);
        check(&w, &pairs[i]);
        writer_free(&w);
    }
}

static void text_is_utf8_without_controls(void **state)
{
    (void)state;
    static const char *const good[] = { "", "a b", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80" };
    static const char *const bad[] = { "a\nb", "\x7f", "\xe4", "\xc3", "\xc0\x80", "\xed\xa0\xbd", "\xf4\x90\x80\x80",
                                       "\x80" };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(utf8_is_text(good[i], strlen(good[i])));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(utf8_is_text(bad[i], strlen(bad[i])));
}

static void any_bytes_at_any_length_are_safe(void **state)
{
    (void)state;
    uint32_t x = 12345;
    for (size_t n = 0; n < 3000; n++) {
        size_t size = n % 40;
        uint8_t *bytes = malloc(size != 0 ? size : 1);
        assert_non_null(bytes);
        for (size_t i = 0; i < size; i++) {
            x = x * 1664525 + 1013904223;
            bytes[i] = (uint8_t)(x >> 24 | (x >> 9 & 0x80));
        }
        struct writer w = { 0 }, json = { 0 };
        (void)mutf8_to_utf8(bytes, size, &w);
        latin1_to_utf8(bytes, size, &w);
        utf16le_to_utf8(bytes, size, &w);
        json_escape(json_to_writer, &json, bytes, size);
        json_escape(json_to_writer, &json, w.data, w.size);
        assert_true(json.size == 0 || memchr(json.data, '\n', json.size) == NULL);
        writer_free(&w);
        writer_free(&json);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modified_utf8_becomes_utf8),
        cmocka_unit_test(malformed_sequences_are_replaced_and_reported),
        cmocka_unit_test(ascii_needs_no_conversion),
        cmocka_unit_test(latin1_becomes_utf8),
        cmocka_unit_test(utf16_becomes_utf8),
        cmocka_unit_test(text_is_utf8_without_controls),
        cmocka_unit_test(any_bytes_at_any_length_are_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
