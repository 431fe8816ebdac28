/* test_map.c - formats/map.h against a plain list, and formats/search.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "formats/map.h"
#include "formats/search.h"

struct entry {
    uint64_t id;
    uint32_t value;
};
typedef MAP(struct entry) entry_map;

static uint64_t next_random(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

static void an_empty_map_has_nothing(void **state)
{
    (void)state;
    entry_map m = { 0 };
    assert_null(map_get(&m, 1));
    map_clear(&m);
    map_free(&m);
    assert_int_equal(m.count, 0);
}

static void entries_are_found_after_growing(void **state)
{
    (void)state;
    entry_map m = { 0 };
    for (uint32_t i = 1; i <= 10000; i++) {
        struct entry *e = map_put(&m, (uint64_t)i << 32 | i);
        assert_non_null(e);
        assert_int_equal(e->value, 0);
        e->value = i;
    }
    for (uint32_t i = 1; i <= 10000; i++) {
        assert_int_equal(map_get(&m, (uint64_t)i << 32 | i)->value, i);
        assert_int_equal(map_put(&m, (uint64_t)i << 32 | i)->value, i); /* not a second one */
    }
    assert_int_equal(m.count, 10000);
    assert_null(map_get(&m, 5));
    map_clear(&m);
    assert_null(map_get(&m, UINT64_C(5) << 32 | 5));
    assert_int_equal(m.count, 0);
    map_free(&m);
}

/* Few keys, so that runs of occupied slots are long and wrap around the end. */
static void removing_leaves_the_others_where_they_are_found(void **state)
{
    (void)state;
    enum { KEYS = 30 };
    entry_map m = { 0 };
    bool there[KEYS + 1] = { false };
    uint64_t x = 88172645463325252u;
    for (int round = 0; round < 100000; round++) {
        uint64_t key = 1 + next_random(&x) % KEYS;
        if (next_random(&x) % 2 == 0) {
            map_put(&m, key)->value = (uint32_t)key;
            there[key] = true;
        } else if (there[key]) {
            map_remove(&m, map_get(&m, key));
            there[key] = false;
        }
        size_t count = 0;
        for (uint64_t k = 1; k <= KEYS; k++) {
            const struct entry *e = map_get(&m, k);
            assert_int_equal(e != NULL, there[k]);
            assert_true(e == NULL || (e->id == k && e->value == k));
            count += there[k];
        }
        assert_int_equal(m.count, count);
    }
    map_free(&m);
}

static void a_map_of_plain_numbers_is_a_set(void **state)
{
    (void)state;
    MAP(uint64_t) set = { 0 };
    assert_non_null(map_put(&set, UINT64_MAX));
    assert_non_null(map_get(&set, UINT64_MAX));
    assert_null(map_get(&set, 1));
    map_free(&set);
}

static void hashes_are_keys(void **state)
{
    (void)state;
    assert_int_equal(map_hash("abc", 3), map_hash("abc", 3));
    assert_true(map_hash("abc", 3) != map_hash("abd", 3) && map_hash("", 0) != 0);
    assert_int_equal(map_next_hash(UINT64_MAX), 1);
    assert_int_equal(map_next_hash(7), 8);
}

static void lower_bound_is_the_first_that_is_not_below(void **state)
{
    (void)state;
    static const uint32_t items[] = { 2, 4, 4, 4, 9 };
    for (size_t count = 0; count <= 5; count++)
        for (uint32_t want = 0; want <= 10; want++) {
            size_t at, plain = 0, from;
            while (plain < count && items[plain] < want)
                plain++;
            LOWER_BOUND(at, count, items[at] < want);
            assert_int_equal(at, plain);
            LOWER_BOUND_FROM(from, plain / 2, count, items[from] < want);
            assert_int_equal(from, plain);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_map_has_nothing),
        cmocka_unit_test(entries_are_found_after_growing),
        cmocka_unit_test(removing_leaves_the_others_where_they_are_found),
        cmocka_unit_test(a_map_of_plain_numbers_is_a_set),
        cmocka_unit_test(hashes_are_keys),
        cmocka_unit_test(lower_bound_is_the_first_that_is_not_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
