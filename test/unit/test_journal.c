/* test_journal.c - logging/journal/journal.h. Also meant for TSan: the last test is many writers and one drain. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/schema.h"
#include "logging/journal/journal.h"

static struct journal j;
static struct error err;
static char path[64];
static u32_vec got;

static int begin(void **state)
{
    (void)state;
    (void)snprintf(path, sizeof path, "journal-%d", (int)getpid());
    got.count = 0;
    return journal_open(&j, path, false, &err) == OK ? 0 : -1;
}

/* The product never unmaps (daemon threads); the test does. */
static int end(void **state)
{
    (void)state;
    (void)munmap(j.base, JOURNAL_BUFFERS_AT + (size_t)JOURNAL_BUFFERS_MAX * JOURNAL_BUFFER_BYTES);
    (void)close(j.fd);
    vec_free(&got);
    vec_free(&j.free_buffers);
    vec_free(&j.queue);
    vec_free(&j.free_descs);
    (void)pthread_mutex_destroy(&j.mutex);
    (void)pthread_cond_destroy(&j.filled);
    (void)pthread_cond_destroy(&j.freed);
    return unlink(path);
}

static bool put(struct thread_desc *d, uint64_t word)
{
    uint64_t at = d->pos;
    if (d->pos >= __atomic_load_n(&d->limit, __ATOMIC_RELAXED)) /* others set it to 0 */
        at = journal_room(&j, d, 8);
    if (at == 0)
        return false;
    memcpy((void *)(uintptr_t)at, &word, 8);
    __atomic_store_n(&d->pos, at + 8, __ATOMIC_RELEASE);
    return true;
}

static void a_new_journal_says_who_writes_it(void **state)
{
    (void)state;
    struct journal other;
    assert_true(j.head->magic == JOURNAL_MAGIC);
    assert_int_equal(j.head->pid, getpid());
    assert_true(j.head->base == (uint64_t)(uintptr_t)j.base);
    assert_int_equal(j.head->buffer_count, 0);
    assert_int_equal(journal_open(&other, path, false, &err), ERR_IO); /* never over another one */
    (void)pthread_mutex_destroy(&other.mutex);
}

static void a_descriptor_begins_without_a_buffer(void **state)
{
    (void)state;
    struct thread_desc *d = journal_desc_acquire(&j, 7);
    assert_non_null(d);
    assert_int_equal(d->thread, 7);
    assert_int_equal(d->buffer, NO_BUFFER);
    assert_int_equal(d->state, DESC_LIVE);
    assert_true(d->limit == 0);
    assert_int_equal(j.head->many, 0);
    struct thread_desc *e = journal_desc_acquire(&j, 8);
    assert_ptr_not_equal(d, e);
    assert_int_equal(j.head->many, 1); /* from now on releases move the stamp */
    assert_true(journal_stamp(&j) > 1);
}

static void a_full_buffer_is_queued_and_the_next_continues(void **state)
{
    (void)state;
    struct thread_desc *d = journal_desc_acquire(&j, 3);
    uint64_t n = 0;
    while (j.queue.count < 2)
        assert_true(put(d, n++));
    journal_collect(&j, &got, 0);
    assert_int_equal(got.count, 2);
    uint64_t next = 0;
    for (uint32_t i = 0; i < 2; i++) {
        const struct buffer_head *b = journal_buffer(&j, got.items[i]);
        assert_int_equal(b->state, BUFFER_FULL);
        assert_true(b->sequence == i + 1);
        assert_int_equal(b->thread, 3);
        assert_int_equal(b->desc, d->index);
        assert_true(b->used <= JOURNAL_BUFFER_BYTES && b->used > JOURNAL_BUFFER_BYTES - JOURNAL_RECORD_MAX_BYTES - 8);
        for (const uint64_t *p = (const uint64_t *)(b + 1); (const uint8_t *)p < (const uint8_t *)b + b->used; p++)
            assert_true(*p == next++);
    }
    assert_true(next == n - 1); /* the last one stands in the third buffer */
    size_t unused = j.free_buffers.count;
    journal_recycle(&j, got.items, got.count);
    assert_int_equal(j.free_buffers.count, unused + 2);
}

static void a_record_may_begin_just_below_the_limit(void **state)
{
    (void)state;
    struct thread_desc *d = journal_desc_acquire(&j, 3);
    assert_true(put(d, 1));
    uint64_t buffer = (uint64_t)(uintptr_t)journal_buffer(&j, d->buffer);
    assert_true(d->limit - 8 + JOURNAL_RECORD_MAX_BYTES <= buffer + JOURNAL_BUFFER_BYTES);
}

static void an_interrupted_thread_goes_on_in_its_buffer(void **state)
{
    (void)state;
    struct thread_desc *d = journal_desc_acquire(&j, 3);
    assert_true(put(d, 1));
    uint64_t pos = d->pos, limit = d->limit;
    uint32_t buffer = d->buffer;
    journal_interrupt_all(&j);
    assert_true(d->limit == 0);
    assert_true(put(d, 2));
    assert_true(d->pos == pos + 8 && d->limit == limit && d->buffer == buffer);
}

static void stamps_that_could_pass_32_bits_begin_a_new_buffer(void **state)
{
    (void)state;
    struct thread_desc *d = journal_desc_acquire(&j, 3);
    assert_true(put(d, 1));
    uint32_t buffer = d->buffer;
    j.head->stamp += UINT64_C(1) << 31;
    journal_interrupt_all(&j);
    assert_true(put(d, 2));
    assert_int_not_equal(d->buffer, buffer);
    assert_true(journal_buffer(&j, d->buffer)->first_stamp == j.head->stamp);
    assert_int_equal(j.queue.count, 1);
}

static void a_muted_thread_records_nothing(void **state)
{
    (void)state;
    struct thread_desc *d = journal_desc_acquire(&j, 3);
    assert_true(put(d, 1));
    uint64_t pos = d->pos;
    journal_mute(d);
    assert_false(put(d, 2));
    assert_false(put(d, 3));
    journal_unmute(d);
    assert_true(put(d, 4));
    assert_true(d->pos == pos + 8);
    assert_true(d->lost == 0); /* nothing was to be recorded */
}

static void reserved_room_is_one_piece(void **state)
{
    (void)state;
    struct thread_desc *d = journal_desc_acquire(&j, 3);
    uint64_t first = journal_reserve(&j, d, 24);
    assert_true(first != 0 && d->pos == first);
    d->pos += 24;
    static const uint32_t sizes[] = {
        JOURNAL_ROOM_MAX, 8, 64, 1024, JOURNAL_ROOM_MAX, JOURNAL_ROOM_MAX, 8, 20000, 20000
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint64_t at = journal_reserve(&j, d, sizes[i]);
        uint64_t buffer = (uint64_t)(uintptr_t)journal_buffer(&j, d->buffer);
        assert_true(at == d->pos && at >= buffer + sizeof(struct buffer_head) &&
                    at + sizes[i] <= buffer + JOURNAL_BUFFER_BYTES);
        memset((void *)(uintptr_t)at, 1, sizes[i]);
        d->pos += sizes[i];
    }
}

static void a_released_descriptor_gives_its_buffer_and_serves_again(void **state)
{
    (void)state;
    struct thread_desc *d = journal_desc_acquire(&j, 3);
    assert_true(put(d, 1));
    journal_desc_release(&j, d);
    assert_int_equal(d->state, DESC_ENDED);
    assert_int_equal(j.queue.count, 1);
    struct thread_desc *e = journal_desc_acquire(&j, 4);
    assert_ptr_equal(d, e);
    assert_int_equal(e->thread, 4);
    assert_true(put(e, 2));
    assert_true(journal_buffer(&j, e->buffer)->sequence == 2); /* goes on counting: recovery sorts by it */
    assert_int_equal(journal_buffer(&j, e->buffer)->thread, 4);
}

static void object_ids_come_in_pages_that_never_overlap(void **state)
{
    (void)state;
    struct thread_desc *d = journal_desc_acquire(&j, 1), *e = journal_desc_acquire(&j, 2);
    uint32_t last = 0;
    for (int i = 0; i < 100; i++) {
        struct thread_desc *x = i % 2 ? d : e;
        assert_true(journal_reserve_ids(&j, x));
        assert_true(x->object_next >= last && x->object_next > 0);
        assert_true(x->object_end > x->object_next);
        assert_int_equal((x->object_end - 1) >> OBJECT_PAGE_BITS, x->object_next >> OBJECT_PAGE_BITS);
        last = x->object_end;
    }
    j.head->object_next = OBJECT_ID_MAX;
    assert_true(journal_reserve_ids(&j, d));
    assert_true(d->object_next == OBJECT_ID_MAX && d->object_end - d->object_next == 1);
    assert_false(journal_reserve_ids(&j, d));
}

static void after_the_end_nothing_is_recorded_and_the_loss_is_counted(void **state)
{
    (void)state;
    struct thread_desc *d = journal_desc_acquire(&j, 3);
    assert_true(put(d, 1));
    uint64_t pos = d->pos;
    uint32_t buffer = d->buffer;
    journal_end(&j);
    assert_false(put(d, 2));
    assert_true(d->lost > 0);
    assert_null(journal_desc_acquire(&j, 4));
    assert_true(d->pos == pos);
    assert_int_equal(d->buffer, NO_BUFFER); /* went to the queue */
    assert_int_equal(j.queue.items[0], buffer);
    assert_true(journal_pressed(&j));
}

static void collecting_waits_no_longer_than_asked(void **state)
{
    (void)state;
    journal_collect(&j, &got, 20);
    assert_int_equal(got.count, 0);
}

enum { WRITERS = 6, BUFFERS_EACH = 80, WORDS = (JOURNAL_BUFFER_BYTES - 64 - JOURNAL_RECORD_MAX_BYTES) / 8 };
static bool writers_done;

static void *writer(void *arg)
{
    uint32_t thread = (uint32_t)(uintptr_t)arg;
    struct thread_desc *d = journal_desc_acquire(&j, thread);
    uint64_t failed = d == NULL;
    for (uint64_t i = 0; i < (uint64_t)BUFFERS_EACH * WORDS && !failed; i++) {
        if (i % 5000 == 17) {
            journal_mute(d);
            journal_unmute(d);
        }
        if (i % 997 == 0)
            (void)journal_bump(&j);
        failed += !put(d, (uint64_t)thread << 32 | i);
    }
    if (d != NULL)
        journal_desc_release(&j, d);
    return (void *)(uintptr_t)failed;
}

static void *ticker(void *arg)
{
    (void)arg;
    while (!__atomic_load_n(&writers_done, __ATOMIC_ACQUIRE)) {
        (void)journal_bump(&j);
        (void)journal_pressed(&j);
        (void)usleep(500);
    }
    return NULL;
}

static void what_many_threads_write_comes_out_in_each_ones_order(void **state)
{
    (void)state;
    pthread_t threads[WRITERS], tick;
    uint64_t next[WRITERS] = { 0 }, total = 0, stamps[WRITERS] = { 0 };
    writers_done = false;
    for (uintptr_t i = 0; i < WRITERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, writer, (void *)i), 0);
    assert_int_equal(pthread_create(&tick, NULL, ticker, NULL), 0);
    while (total < (uint64_t)WRITERS * BUFFERS_EACH * WORDS) {
        journal_collect(&j, &got, 50);
        for (size_t i = 0; i < got.count; i++) {
            const struct buffer_head *b = journal_buffer(&j, got.items[i]);
            assert_int_equal(b->state, BUFFER_FULL);
            assert_true(b->thread < WRITERS && b->first_stamp >= stamps[b->thread]);
            stamps[b->thread] = b->first_stamp;
            for (const uint64_t *p = (const uint64_t *)(b + 1); (const uint8_t *)p < (const uint8_t *)b + b->used;
                 p++, total++)
                if (*p != ((uint64_t)b->thread << 32 | next[b->thread]++))
                    fail_msg("thread %u: a word is missing or twice", b->thread);
        }
        journal_recycle(&j, got.items, got.count);
        got.count = 0;
    }
    for (int i = 0; i < WRITERS; i++) {
        void *failed;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    __atomic_store_n(&writers_done, true, __ATOMIC_RELEASE);
    assert_int_equal(pthread_join(tick, NULL), 0);
    assert_int_equal(j.live_descs, 0);
    /* writers waited; the file stayed small */
    assert_true(j.head->buffer_count <= JOURNAL_BUFFERS_SPARE + 2 * WRITERS + 16);
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    assert_true((uint64_t)st.st_size == JOURNAL_BUFFERS_AT + (uint64_t)j.head->buffer_count * JOURNAL_BUFFER_BYTES);
}

/* Writes until it is refused. */
static void *endless_writer(void *arg)
{
    struct thread_desc *d = journal_desc_acquire(&j, (uint32_t)(uintptr_t)arg);
    while (d != NULL && put(d, 1)) {
    }
    if (d != NULL)
        journal_desc_release(&j, d);
    return arg;
}

static void the_end_wakes_writers_that_wait(void **state)
{
    (void)state;
    pthread_t threads[2];
    writers_done = false;
    for (uintptr_t i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, endless_writer, (void *)i), 0);
    for (bool waits = false; !waits;) { /* nobody drains: they fill all that is allowed */
        (void)usleep(1000);
        (void)pthread_mutex_lock(&j.mutex);
        waits = j.head->buffer_count - j.free_buffers.count >= JOURNAL_BUFFERS_SPARE + 2 * (size_t)j.live_descs;
        (void)pthread_mutex_unlock(&j.mutex);
    }
    journal_end(&j);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, begin, end)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_new_journal_says_who_writes_it),
        TEST(a_descriptor_begins_without_a_buffer),
        TEST(a_full_buffer_is_queued_and_the_next_continues),
        TEST(a_record_may_begin_just_below_the_limit),
        TEST(an_interrupted_thread_goes_on_in_its_buffer),
        TEST(stamps_that_could_pass_32_bits_begin_a_new_buffer),
        TEST(a_muted_thread_records_nothing),
        TEST(reserved_room_is_one_piece),
        TEST(a_released_descriptor_gives_its_buffer_and_serves_again),
        TEST(object_ids_come_in_pages_that_never_overlap),
        TEST(after_the_end_nothing_is_recorded_and_the_loss_is_counted),
        TEST(collecting_waits_no_longer_than_asked),
        TEST(what_many_threads_write_comes_out_in_each_ones_order),
        TEST(the_end_wakes_writers_that_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
