/* test_periods.c - recording that stops and starts again, and what another process sees of it meanwhile. */
#include "recorder_fixture.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static uint32_t numbers;
static uint32_t renumber(struct thread_desc *d)
{
    (void)d;
    return 10 + numbers++;
}

static uint64_t count(void)
{
    hs_trace *t = NULL;
    struct hs_error error = HS_ERROR_INIT;
    if (hs_open(dir, 0, NULL, &t, &error) != 0)
        fail_msg("%s", error.text);
    uint64_t n = hs_event_count(t);
    hs_close(t);
    return n;
}

static bool dropped(struct thread_desc *d)
{
    return d->pos >= __atomic_load_n(&d->limit, __ATOMIC_RELAXED) && journal_room(&recorder.journal, d, 16) == 0;
}

static void a_snapshot_shows_everything_and_nothing_twice(void **state)
{
    (void)state;
    begin();
    struct thread_desc *a = journal_desc_acquire(&recorder.journal, 0), *b = journal_desc_acquire(&recorder.journal, 1);
    uint64_t all = 0;
    for (unsigned round = 0; round < 20; round++) {
        for (unsigned i = 0; i < round * 200; i++, all++)
            event(i % 3 == 0 ? a : b, i);
        assert_true(recorder_snapshot(&recorder));
        assert_int_equal(count(), all);
    }
    hs_trace *t = end();
    assert_int_equal(hs_event_count(t), all);
    gone(t);
}

static void what_comes_while_it_is_stopped_is_left_out(void **state)
{
    (void)state;
    begin();
    numbers = 0;
    recorder.journal.renumber = renumber;
    struct thread_desc *a = journal_desc_acquire(&recorder.journal, 0), *b = journal_desc_acquire(&recorder.journal, 1);
    event(a, 1);
    event(b, 2);
    assert_true(recorder_pause(&recorder));
    assert_int_equal(count(), 2);
    assert_true(dropped(a) && dropped(b));
    struct thread_desc *c = journal_desc_acquire(&recorder.journal, 2);
    assert_true(dropped(c));
    assert_true(journal_reserve(&recorder.journal, a, 16) != 0); /* an object that has its id is still described */
    recorder_resume(&recorder);
    assert_true(dropped(a) == false);
    a->pos = journal_room(&recorder.journal, a, 16);
    assert_true(recorder_pause(&recorder));
    recorder_resume(&recorder);
    /* data ID 0 was woven before; one that is woven in this period counts */
    assert_true(recorder_snapshot(&recorder));
    assert_int_equal(count(), 2);
    hs_trace *t = end();
    assert_int_equal(hs_event_count(t), 2);
    gone(t);
}

static void a_thread_has_a_new_number_in_each_period(void **state)
{
    (void)state;
    begin();
    numbers = 0;
    recorder.journal.renumber = renumber;
    struct thread_desc *a = journal_desc_acquire(&recorder.journal, 0);
    assert_true(journal_room(&recorder.journal, a, 16) != 0);
    for (unsigned round = 0; round < 5; round++) {
        assert_int_equal(a->thread, round == 0 ? 0 : 10 + round - 1);
        assert_int_equal(journal_buffer(&recorder.journal, a->buffer)->period, round);
        assert_true(recorder_pause(&recorder));
        recorder_resume(&recorder);
        assert_int_equal(recorder.journal.head->first_dataid, 1);
        assert_true(journal_room(&recorder.journal, a, 16) != 0);
    }
    gone(end());
}

/* Recording stops and starts while a thread gets its number. */
static uint32_t renumber_late(struct thread_desc *d)
{
    if (numbers == 0) {
        journal_pause(&recorder.journal);
        journal_resume(&recorder.journal, 1);
    }
    return renumber(d);
}

static void a_period_may_begin_while_a_thread_enters_the_one_before(void **state)
{
    (void)state;
    begin();
    numbers = 0;
    recorder.journal.renumber = renumber_late;
    struct thread_desc *a = journal_desc_acquire(&recorder.journal, 0);
    assert_true(journal_room(&recorder.journal, a, 16) != 0);
    assert_true(recorder_pause(&recorder));
    recorder_resume(&recorder);
    assert_true(journal_room(&recorder.journal, a, 16) != 0);
    assert_int_equal(recorder.journal.head->period, 2);
    assert_int_equal(journal_buffer(&recorder.journal, a->buffer)->period, 2);
    assert_int_equal(a->thread, 11);
    gone(end());
}

static atomic_bool done;
static _Atomic uint64_t written;
static void *write_on(void *arg)
{
    struct thread_desc *d = arg;
    while (!done) {
        uint64_t at = d->pos, words[2] = { journal_stamp(&recorder.journal) << 32, 1 };
        if (d->pos >= __atomic_load_n(&d->limit, __ATOMIC_RELAXED))
            at = journal_room(&recorder.journal, d, 16);
        if (at == 0)
            continue;
        memcpy((void *)(uintptr_t)at, words, sizeof words);
        __atomic_store_n(&d->pos, at + sizeof words, __ATOMIC_RELEASE);
        written++;
    }
    return NULL;
}

/* A thread that writes all the time, stopped and started: what is kept is the first period. */
static void stopping_under_load_loses_nothing_before(void **state)
{
    (void)state;
    pthread_t thread;
    begin();
    done = false;
    written = 0;
    assert_int_equal(pthread_create(&thread, NULL, write_on, journal_desc_acquire(&recorder.journal, 0)), 0);
    while (written == 0) /* on a busy machine the thread may be long in coming */
        (void)sched_yield();
    for (unsigned i = 0; i < 5; i++)
        assert_true(recorder_snapshot(&recorder));
    assert_true(recorder_pause(&recorder));
    uint64_t kept = count();
    for (unsigned i = 0; i < 20; i++) {
        recorder_resume(&recorder);
        assert_true(recorder_pause(&recorder));
    }
    done = true;
    (void)pthread_join(thread, NULL);
    hs_trace *t = end();
    assert_true(kept > 0 && written >= kept);
    assert_int_equal(hs_event_count(t), kept);
    gone(t);
}

static void buffers_handed_over_after_the_last_look_are_stored(void **state)
{
    (void)state;
    begin();
    struct thread_desc *a = journal_desc_acquire(&recorder.journal, 0), *b = journal_desc_acquire(&recorder.journal, 1);
    for (unsigned i = 0; i < 100; i++) {
        event(a, i);
        event(b, i);
    }
    journal_end(&recorder.journal);
    for (bool over = false; !over; (void)sched_yield()) { /* until the drain thread has gone */
        (void)pthread_mutex_lock(&recorder.snapshot_mutex);
        over = recorder.drain_over;
        (void)pthread_mutex_unlock(&recorder.snapshot_mutex);
    }
    assert_true(dropped(a));                    /* an event that meets the end */
    journal_desc_release(&recorder.journal, b); /* a thread that ends now */
    hs_trace *t = end();
    assert_int_equal(hs_event_count(t), 200);
    gone(t);
}

static void a_recording_that_ends_early_describes_what_it_shows(void **state)
{
    (void)state;
    struct recorder_totals totals;
    struct hs_error error = HS_ERROR_INIT;
    hs_trace *t = NULL;
    bound_bytes = 8 << 20;
    begin();
    bound_bytes = 0;
    struct thread_desc *a = journal_desc_acquire(&recorder.journal, 0), *b = journal_desc_acquire(&recorder.journal, 1);
    event(a, 0);
    uint64_t words[2] = { journal_stamp(&recorder.journal) << 32 | REC_FIRST | REC_OBJECT,
                          object_hash(7) | (uint64_t)object_hash(9) << 32 };
    memcpy((void *)(uintptr_t)a->pos, words, sizeof words); /* an object, known to the first thread alone */
    __atomic_store_n(&a->pos, a->pos + sizeof words, __ATOMIC_RELEASE);
    for (uint64_t random = 1; !recorder.failed;) { /* event() would not have it end */
        uint64_t at =
            b->pos < __atomic_load_n(&b->limit, __ATOMIC_RELAXED) ? b->pos : journal_room(&recorder.journal, b, 16);
        random ^= random << 13, random ^= random >> 7, random ^= random << 17; /* so that it takes space */
        uint64_t record[2] = { journal_stamp(&recorder.journal) << 32, random };
        if (at != 0) {
            memcpy((void *)(uintptr_t)at, record, sizeof record);
            __atomic_store_n(&b->pos, at + sizeof record, __ATOMIC_RELEASE);
        }
    }
    recorder_close(&recorder, &totals);
    if (hs_open(dir, 0, NULL, &t, &error) != 0)
        fail_msg("%s", error.text);
    assert_string_equal(hs_info(t, "end"), "truncated");
    assert_true(hs_event_count(t) > 0);
    assert_non_null(hs_object_get(t, 7));
    assert_int_equal(hs_object_get(t, 7)->class_id, 9);
    gone(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recording_that_ends_early_describes_what_it_shows),
        cmocka_unit_test(buffers_handed_over_after_the_last_look_are_stored),
        cmocka_unit_test(a_snapshot_shows_everything_and_nothing_twice),
        cmocka_unit_test(what_comes_while_it_is_stopped_is_left_out),
        cmocka_unit_test(a_thread_has_a_new_number_in_each_period),
        cmocka_unit_test(a_period_may_begin_while_a_thread_enters_the_one_before),
        cmocka_unit_test(stopping_under_load_loses_nothing_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
