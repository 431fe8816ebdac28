/* test_object_hash.c - formats/object_hash.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "formats/object_hash.h"

static void a_hash_stands_for_one_id(void **state)
{
    (void)state;
    uint64_t random = 88172645463325252;
    for (uint32_t i = 0; i < 1u << 22; i++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint32_t ids[] = { i, OBJECT_ID_MAX - i, (uint32_t)(random >> 33) };
        for (unsigned k = 0; k < sizeof ids / sizeof *ids; k++) {
            uint32_t hash = object_hash(ids[k]);
            assert_true(hash <= OBJECT_HASH_BITS && (hash == 0) == (ids[k] == 0));
            assert_int_equal(object_id(hash), ids[k]);
            assert_int_equal(object_hash(object_id(ids[k])), ids[k]);
        }
    }
    assert_true(object_id(UINT64_MAX) <= OBJECT_ID_MAX);
}

/* How many different values 12 bits take in the hashes of 4096 ids: for random numbers 2589 are expected, with a
 * standard deviation of 27. */
static unsigned different(const uint32_t *hashes, unsigned way)
{
    unsigned char seen[4096] = { 0 };
    unsigned n = 0;
    for (unsigned i = 0; i < 4096; i++) {
        uint32_t h = hashes[i], bits = way == 0 ? h : way == 1 ? h * 31 : way == 2 ? h ^ h >> 16 : h >> 19;
        n += !seen[bits & 4095];
        seen[bits & 4095] = 1;
    }
    return n;
}

static void hashes_are_spread_as_random_numbers_are(void **state)
{
    static const uint32_t first[] = { 1, 5000, 1 << 20, (1 << 24) + 77, (1 << 30) + 3 }, step[] = { 1, 2, 3, 16, 100 };
    uint32_t hashes[4096];
    (void)state;
    for (unsigned a = 0; a < sizeof first / sizeof *first; a++)
        for (unsigned b = 0; b < sizeof step / sizeof *step; b++) {
            unsigned neighbours = 0;
            for (uint32_t i = 0; i < 4096; i++) {
                hashes[i] = object_hash((first[a] + i * step[b]) & OBJECT_ID_MAX);
                neighbours += i > 0 && (hashes[i] - hashes[i - 1] == 1 || hashes[i - 1] - hashes[i] == 1);
            }
            assert_int_equal(neighbours, 0);
            for (unsigned way = 0; way < 4; way++)
                assert_in_range(different(hashes, way), 2589 - 110, 2589 + 110);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hash_stands_for_one_id),
        cmocka_unit_test(hashes_are_spread_as_random_numbers_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
