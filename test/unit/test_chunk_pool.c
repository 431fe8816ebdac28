/* test_chunk_pool.c - logging/sinks/chunk_pool.h: whatever thread encodes a chunk, it is as chunk_encode makes it, and
 * chunks come out as they were put. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "logging/sinks/chunk_pool.h"

enum { CHUNKS = 40, BAD = 17 };

static const uint8_t letters[] = { 'V', 'I', 'J' };
static const struct kind_table kinds = { letters, sizeof letters };

/* Chunk `number`: the more events the lower its number, so that later ones are ready first. */
static void fill(struct chunk_columns *c, unsigned number)
{
    c->count = 1 + (CHUNKS - number) * 700;
    for (uint32_t i = 0; i < c->count; i++) {
        c->ids[i] = (i * 7 + number) % 3;
        c->values[i] = c->ids[i] != 0 ? (uint32_t)(i * 2654435761u) >> (number % 20) : 0;
        c->stamps[i] = i / 100;
    }
}

static void take(struct chunk_pool *p, unsigned number, struct chunk_encoder *e, struct chunk_columns *columns)
{
    struct writer want = { 0 };
    struct error err = { 0 };
    const struct chunk_job *j = chunk_pool_oldest(p);
    assert_non_null(j);
    assert_int_equal(j->info.thread, number);
    if (number == BAD) {
        assert_int_equal(j->status, ERR_LIMIT);
        assert_non_null(strstr(j->error.text, "data ID"));
    } else {
        fill(columns, number);
        assert_int_equal(chunk_encode(e, kinds, columns, &want, &err), OK);
        assert_int_equal(j->status, OK);
        assert_int_equal(j->blob.size, want.size);
        assert_memory_equal(j->blob.data, want.data, want.size);
    }
    chunk_pool_take(p);
    writer_free(&want);
}

static void chunks_come_out_in_order(unsigned threads)
{
    struct chunk_pool *p = chunk_pool_new();
    struct chunk_encoder *e = chunk_encoder_new();
    struct chunk_columns columns;
    unsigned taken = 0;
    assert_non_null(p);
    assert_true(chunk_columns_init(&columns, false));
    chunk_pool_start(p, threads);
    assert_null(chunk_pool_oldest(p));
    for (unsigned i = 0; i < CHUNKS; i++) {
        if (!chunk_pool_has_room(p))
            take(p, taken++, e, &columns);
        struct chunk_job *j = chunk_pool_next(p);
        if (j->columns.ids == NULL)
            assert_true(chunk_columns_init(&j->columns, false));
        fill(&j->columns, i);
        if (i == BAD)
            j->columns.ids[0] = sizeof letters;
        j->info = (struct chunk_info){ .thread = i };
        j->kinds = kinds;
        chunk_pool_put(p);
    }
    while (taken < CHUNKS - 1)
        take(p, taken++, e, &columns);
    chunk_pool_free(p); /* with one left */
    chunk_columns_free(&columns);
    chunk_encoder_free(e);
}

static void without_threads(void **state)
{
    (void)state;
    chunks_come_out_in_order(0);
}

static void with_one_thread(void **state)
{
    (void)state;
    chunks_come_out_in_order(1);
}

static void with_all_threads(void **state)
{
    (void)state;
    chunks_come_out_in_order(CHUNK_POOL_THREADS_MAX + 5); /* more than it takes */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_threads),
        cmocka_unit_test(with_one_thread),
        cmocka_unit_test(with_all_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
