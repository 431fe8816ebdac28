/* test_pack.c - formats/pack.h. */
#include "class_fixture.h"

#include <zstd.h>

#include "formats/pack.h"

static void encode(struct pack *p, struct writer *out)
{
    out->size = 0;
    assert_int_equal(pack_encode(p, out, NULL), OK);
}

static void rows_come_back_in_order(void **state)
{
    (void)state;
    struct pack p = { 0 };
    struct writer out = { 0 };
    struct pack_reader r;
    static uint8_t bytes[3000];
    for (int round = 0; round < 30; round++) {
        uint64_t keys[100], first = round == 0 ? 0 : noise();
        size_t sizes[100];
        unsigned n = 1 + noise() % 100;
        for (unsigned i = 0; i < n; i++) {
            keys[i] = i == 0 ? first : keys[i - 1] + 1 + noise() % 1000;
            sizes[i] = i % 7 == 0 ? 0 : noise() % sizeof bytes;
            memset(bytes, (int)i + 1, sizeof bytes);
            assert_true(pack_add(&p, keys[i], bytes, sizes[i]));
        }
        encode(&p, &out);
        assert_int_equal(p.count, 0);
        assert_int_equal(pack_open(&r, first, out.data, out.size, NULL), OK);
        for (int pass = 0; pass < 2; pass++) {
            uint64_t key;
            const uint8_t *data;
            size_t size;
            for (unsigned i = 0; i < n; i++) {
                assert_true(pack_next(&r, &key, &data, &size));
                assert_true(key == keys[i]);
                assert_int_equal(size, sizes[i]);
                for (size_t b = 0; b < size; b++)
                    assert_int_equal(data[b], (uint8_t)(i + 1));
            }
            assert_false(pack_next(&r, &key, &data, &size));
            assert_false(r.index.bad);
            pack_rewind(&r, first);
        }
        pack_reader_done(&r);
    }
    writer_free(&out);
    pack_done(&p);
}

static void keys_must_ascend(void **state)
{
    (void)state;
    struct pack p = { 0 };
    assert_true(pack_add(&p, 7, "a", 1));
    assert_false(pack_add(&p, 7, "b", 1));
    assert_false(pack_add(&p, 6, "b", 1));
    assert_true(pack_add(&p, UINT64_MAX, "b", 1));
    assert_int_equal(p.count, 2);
    pack_done(&p);
    assert_true(pack_add(&p, 1, "again", 5)); /* done is also empty */
    pack_done(&p);
}

static void a_pack_ends_when_it_is_full(void **state)
{
    (void)state;
    struct pack p = { 0 };
    struct writer out = { 0 };
    struct pack_reader r;
    uint8_t *row = calloc(1, PACK_BYTES + 5);
    uint64_t key = 0;
    while (pack_add(&p, key, row, 1000))
        key++;
    assert_true(p.rows.size >= PACK_BYTES && p.rows.size < PACK_BYTES + 1000);
    encode(&p, &out);
    assert_true(pack_add(&p, key, row, PACK_BYTES + 5)); /* one row of any size has room in an empty pack */
    assert_false(pack_add(&p, key + 1, row, 0));
    encode(&p, &out);
    assert_int_equal(pack_open(&r, key, out.data, out.size, NULL), OK);
    uint64_t got;
    const uint8_t *data;
    size_t size;
    assert_true(pack_next(&r, &got, &data, &size) && got == key && size == PACK_BYTES + 5);
    pack_reader_done(&r);
    free(row);
    writer_free(&out);
    pack_done(&p);
}

static void walk(const uint8_t *value, size_t size)
{
    uint8_t *exact = exact_copy(value, size);
    struct pack_reader r;
    struct error err = { 0 };
    uint64_t key;
    const uint8_t *data;
    size_t n, sum = 0;
    enum status s = pack_open(&r, 5, exact, size, &err);
    assert_true(s == OK || s == ERR_FORMAT);
    assert_true(s == OK || err.text[0] != '\0');
    while (s == OK && pack_next(&r, &key, &data, &n))
        for (size_t i = 0; i < n; i++)
            sum += data[i];
    assert_true(sum < SIZE_MAX);
    pack_reader_done(&r);
    free(exact);
}

static void damaged_packs_never_crash(void **state)
{
    (void)state;
    struct pack p = { 0 };
    struct writer out = { 0 };
    for (unsigned i = 0; i < 20; i++)
        assert_true(pack_add(&p, 5 + i, "some bytes of a row", i));
    encode(&p, &out);
    for (size_t n = 0; n < out.size; n++) {
        struct pack_reader r;
        uint8_t *cut = exact_copy(out.data, n);
        assert_int_equal(pack_open(&r, 5, cut, n, NULL), ERR_FORMAT);
        pack_reader_done(&r);
        free(cut);
    }
    for (int i = 0; i < 5000; i++) {
        uint8_t *bad = exact_copy(out.data, out.size);
        bad[noise() % out.size] = (uint8_t)noise();
        walk(bad, out.size);
        free(bad);
    }
    writer_free(&out);
    pack_done(&p);
}

static void malformed_contents_never_crash(void **state)
{
    (void)state;
    /* well compressed, badly made: counts and lengths that lie, keys that run over */
    for (int i = 0; i < 5000; i++) {
        uint8_t raw[32], packed[128], value[160];
        uint32_t n = noise() % sizeof raw;
        for (uint32_t k = 0; k < n; k++)
            raw[k] = noise() % 3 == 0 ? (uint8_t)noise() : (uint8_t)(noise() % 4);
        if (i % 5 == 0)
            memset(raw, 0xff, n < 9 ? n : 9);
        size_t size = ZSTD_compress(packed, sizeof packed, raw, n, 1);
        value[0] = (uint8_t)n;
        value[1] = value[2] = value[3] = 0;
        memcpy(value + 4, packed, size);
        walk(value, size + 4);
    }
}

static void a_size_that_cannot_be_is_refused_before_memory_is_asked_for(void **state)
{
    (void)state;
    struct pack_reader r;
    const uint8_t value[] = { 0xff, 0xff, 0xff, 0x3f, 1, 2, 3 };
    assert_int_equal(pack_open(&r, 0, value, sizeof value, NULL), ERR_FORMAT);
    pack_reader_done(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_back_in_order),
        cmocka_unit_test(keys_must_ascend),
        cmocka_unit_test(a_pack_ends_when_it_is_full),
        cmocka_unit_test(damaged_packs_never_crash),
        cmocka_unit_test(malformed_contents_never_crash),
        cmocka_unit_test(a_size_that_cannot_be_is_refused_before_memory_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
