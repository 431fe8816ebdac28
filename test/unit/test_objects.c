/* test_objects.c - formats/objects.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "formats/objects.h"
#include "formats/schema.h"

static uint64_t rng_state = 0x9e3779b97f4a7c15u;
static uint32_t rng(void)
{
    rng_state ^= rng_state << 13;
    rng_state ^= rng_state >> 7;
    rng_state ^= rng_state << 17;
    return (uint32_t)(rng_state >> 20);
}

static struct object_entry entries[OBJECT_PAGE_IDS];
static char contents[OBJECT_PAGE_IDS * 8];

/* Every kind of entry: plain, Latin-1, UTF-16, cut, empty, thrown; 100 classes. */
static size_t make_page(uint32_t page, bool all)
{
    size_t n = 0;
    for (size_t i = 0; i < sizeof contents; i++)
        contents[i] = (char)(i * 7);
    for (uint32_t i = 0; i < OBJECT_PAGE_IDS; i++) {
        if (!all && rng() % 3 == 0)
            continue;
        struct object_entry e = { .id = page << OBJECT_PAGE_BITS | i, .class_id = rng() % 4 == 0 ? rng() % 100 : 3 };
        if (i % 3 == 0) {
            e.has_string = true;
            e.latin1 = i % 2 == 0;
            e.cut = i % 5 == 0;
            e.bytes = (struct text){ contents + i, i % 4 * 2 };
            e.length = (e.latin1 ? e.bytes.size : e.bytes.size / 2) + (e.cut ? UINT64_C(1) << 31 : 0);
        }
        if (i % 50 == 1)
            e.thrown = (struct text){ contents + i * 2, 1 + i % 9 };
        entries[n++] = e;
    }
    return n;
}

static void assert_same(const struct object_entry *a, const struct object_entry *b)
{
    assert_int_equal(a->id, b->id);
    assert_int_equal(a->class_id, b->class_id);
    assert_int_equal(a->has_string, b->has_string);
    assert_int_equal(a->latin1, b->latin1);
    assert_int_equal(a->cut, b->cut);
    assert_true(a->length == b->length);
    assert_int_equal(a->bytes.size, b->bytes.size);
    assert_int_equal(a->thrown.size, b->thrown.size);
    if (a->bytes.size != 0)
        assert_memory_equal(a->bytes.data, b->bytes.data, a->bytes.size);
    if (a->thrown.size != 0)
        assert_memory_equal(a->thrown.data, b->thrown.data, a->thrown.size);
}

static void round_trip(size_t count)
{
    struct writer w = { 0 }, storage = { 0 };
    object_entry_vec got = { 0 };
    assert_int_equal(objects_encode(entries, count, &w, NULL), OK);
    assert_int_equal(objects_decode(w.data, w.size, &got, &storage, NULL), OK);
    assert_int_equal(got.count, count);
    for (size_t i = 0; i < count; i++)
        assert_same(&got.items[i], &entries[i]);
    vec_free(&got);
    writer_free(&storage);
    writer_free(&w);
}

/* Every class of a fragment is found in it, also those whose positions in the list of the last ones move; no other. */
static void classes_are_found_in_fragments(void **state)
{
    (void)state;
    struct object_entry e[400];
    bool has[300] = { false };
    struct writer w = { 0 };
    for (uint32_t i = 0; i < 400; i++) {
        e[i] = (struct object_entry){ .id = 2048 + i * 2, .class_id = i % 7 == 0 ? 200 + i % 90 : i * 31 % 170 };
        has[e[i].class_id] = true;
    }
    assert_int_equal(objects_encode(e, 400, &w, NULL), OK);
    for (uint32_t class_id = 0; class_id < 300; class_id++) {
        const uint32_t classes[] = { class_id, 100000 };
        struct object_search search = { .classes = classes, .class_count = 2 };
        assert_int_equal(objects_may_hold(w.data, w.size, &search), has[class_id]);
        writer_free(&search.raw);
    }
    struct writer raw = { 0 };
    u32_vec listed = { 0 };
    assert_int_equal(objects_classes(w.data, w.size, &raw, &listed, NULL), OK);
    bool in_list[300] = { false };
    for (size_t i = 0; i < listed.count; i++)
        in_list[listed.items[i]] = true;
    assert_memory_equal(in_list, has, sizeof has);
    assert_int_not_equal(objects_classes(w.data, 1, &raw, &listed, NULL), OK);
    writer_free(&raw);
    vec_free(&listed);
    struct object_search none = { .classes = (const uint32_t[]){ 0 } };
    assert_false(objects_may_hold(w.data, w.size, &none));
    assert_true(objects_may_hold(w.data, 1, &none));
    writer_free(&none.raw);
    writer_free(&w);
}

/* Every text of an entry is found in its fragment, in its own encoding; malformed ones are not ruled out. */
static void strings_are_found_in_fragments(void **state)
{
    (void)state;
    static const char word[] = "needle", wide[] = "n\0e\0e\0d\0l\0e";
    struct object_entry e[] = {
        { .id = 5, .class_id = 700 },
        { .id = 6, .class_id = 9, .has_string = true, .latin1 = true, .bytes = { "a needle", 8 } },
        { .id = 9, .class_id = 9, .has_string = true, .bytes = { wide, sizeof wide } },
        { .id = 10, .class_id = 4, .is_value = true, .bytes = { "\1\2", 2 } }
    };
    struct object_search in_latin1 = { .latin1 = { word, 6 } }, in_wide = { .utf16 = { wide, sizeof wide } },
                         absent = { .latin1 = { "noodle", 6 }, .utf16 = { "x", 1 } }, values = { .values = true };
    for (size_t i = 0; i < sizeof e / sizeof *e; i++) {
        struct writer w = { 0 };
        assert_int_equal(objects_encode(&e[i], 1, &w, NULL), OK);
        assert_int_equal(objects_may_hold(w.data, w.size, &in_latin1), i == 1);
        assert_int_equal(objects_may_hold(w.data, w.size, &in_wide), i == 2);
        assert_int_equal(objects_may_hold(w.data, w.size, &values), i == 3);
        assert_false(objects_may_hold(w.data, w.size, &absent));
        assert_true(objects_may_hold(w.data, 1, &absent));
        writer_free(&w);
    }
    writer_free(&in_latin1.raw);
    writer_free(&in_wide.raw);
    writer_free(&values.raw);
    writer_free(&absent.raw);
}

static void fragments_come_back(void **state)
{
    (void)state;
    round_trip(make_page(0, true));
    round_trip(make_page(UINT32_MAX >> OBJECT_PAGE_BITS, true));
    for (uint32_t i = 0; i < 50; i++)
        round_trip(make_page(i, false));
    for (size_t n = 0; n < 20; n++) {
        make_page(5, true);
        round_trip(n);
    }
}

static void a_page_of_one_class_costs_next_to_nothing(void **state)
{
    (void)state;
    struct writer w = { 0 };
    for (uint32_t i = 0; i < OBJECT_PAGE_IDS; i++)
        entries[i] = (struct object_entry){ .id = 4096 + i, .class_id = 77 };
    assert_int_equal(objects_encode(entries, OBJECT_PAGE_IDS, &w, NULL), OK);
    assert_true(w.size < 64);
    writer_free(&w);
}

static void ids_must_ascend_within_one_page(void **state)
{
    (void)state;
    struct writer w = { 0 };
    struct error err;
    struct object_entry two[2] = { { .id = 5 }, { .id = 5 } };
    assert_int_equal(objects_encode(two, 2, &w, &err), ERR_LIMIT);
    two[1].id = 1024;
    assert_int_equal(objects_encode(two, 2, &w, &err), ERR_LIMIT);
    two[1].id = 1023;
    assert_int_equal(objects_encode(two, 2, &w, &err), OK);
    writer_free(&w);
}

static uint8_t *exact_copy(const uint8_t *data, size_t n)
{
    uint8_t *p = malloc(n != 0 ? n : 1);
    assert_non_null(p);
    memcpy(p, data, n);
    return p;
}

static void damaged_fragments_never_crash(void **state)
{
    (void)state;
    static const size_t counts[] = { 3, 12, 400 };
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        struct writer w = { 0 };
        make_page(9, true);
        assert_int_equal(objects_encode(entries, counts[c], &w, NULL), OK);
        for (size_t n = 0; n < w.size; n++) {
            uint8_t *cut = exact_copy(w.data, n);
            object_entry_vec got = { 0 };
            struct writer storage = { 0 };
            assert_int_equal(objects_decode(cut, n, &got, &storage, NULL), ERR_FORMAT);
            assert_null(got.items);
            free(cut);
        }
        for (int i = 0; i < 10000; i++) {
            uint8_t *bad = exact_copy(w.data, w.size);
            object_entry_vec got = { 0 };
            struct writer storage = { 0 };
            for (uint32_t k = rng() % 4 + 1; k != 0; k--)
                bad[1 + rng() % (w.size - 1)] = (uint8_t)rng();
            enum status s = objects_decode(bad, w.size, &got, &storage, NULL);
            assert_true(s == OK || s == ERR_FORMAT);
            for (size_t k = 1; k < got.count; k++)
                assert_true(got.items[k].id > got.items[k - 1].id);
            vec_free(&got);
            writer_free(&storage);
            free(bad);
        }
        writer_free(&w);
    }
}

static void a_raw_blob_is_checked_byte_by_byte(void **state)
{
    (void)state;
    struct writer w = { 0 };
    /* count 2 | ids 2048 2050 | class 0 -> 7, class 1 | flags string+latin1, none | 3 bytes, length as it is | abc */
    static const uint8_t bytes[] = { 2, 0x80, 0x10, 1, 0, 7, 1, 3, 0, 3, 0, 'a', 'b', 'c' };
    write_u1(&w, 1);
    write_varint(&w, sizeof bytes);
    size_t head = w.size;
    write_bytes(&w, bytes, sizeof bytes);
    object_entry_vec got = { 0 };
    struct writer storage = { 0 };
    assert_int_equal(objects_decode(w.data, w.size, &got, &storage, NULL), OK);
    assert_int_equal(got.count, 2);
    assert_int_equal(got.items[1].id, 2050);
    assert_int_equal(got.items[1].class_id, 7);
    assert_int_equal(got.items[0].length, 3);
    assert_memory_equal(got.items[0].bytes.data, "abc", 3);
    vec_free(&got);
    writer_free(&storage);
    for (int i = 0; i < 50000; i++) {
        uint8_t *bad = exact_copy(w.data, w.size);
        for (uint32_t k = rng() % 4 + 1; k != 0; k--)
            bad[head + rng() % sizeof bytes] = (uint8_t)rng();
        enum status s = objects_decode(bad, w.size, &got, &storage, NULL);
        assert_true(s == OK || s == ERR_FORMAT);
        if (s == OK) {
            vec_free(&got);
            writer_free(&storage);
        }
        free(bad);
    }
    writer_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fragments_come_back),
        cmocka_unit_test(strings_are_found_in_fragments),
        cmocka_unit_test(classes_are_found_in_fragments),
        cmocka_unit_test(a_page_of_one_class_costs_next_to_nothing),
        cmocka_unit_test(ids_must_ascend_within_one_page),
        cmocka_unit_test(damaged_fragments_never_crash),
        cmocka_unit_test(a_raw_blob_is_checked_byte_by_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
