/* test_order.c - the reader's global order, seeking and filters, against a sort of the whole and brute force. */
#include "reader_fixture.h"

#include "reader/stream/sequence.h"

static struct fake_event *events; /* in the expected order after sort_events */
static size_t event_count;

/* Events of random threads; a thread's stamps never go back. `spread` 0: all stamps are equal. */
static void make_events(size_t count, uint32_t threads, uint32_t spread)
{
    uint64_t stamps[FIXTURE_THREADS] = { 0 };
    events = calloc(count + 1, sizeof *events);
    event_count = count;
    for (size_t i = 0; i < count; i++) {
        uint32_t t = fixture_random(threads), id = fixture_random(ID_COUNT);
        stamps[t] += spread > 0 ? fixture_random(spread) : 0;
        uint64_t value = fixture_kinds[id] == 'V'   ? 0
                         : fixture_kinds[id] == 'Z' ? fixture_random(2)
                                                    : fixture_random(50);
        if (fixture_kinds[id] == 'L')
            value = fixture_random(3) == 0 ? 0 : OBJECT_USER + fixture_random(5);
        events[i] = (struct fake_event){ .thread = t, .stamp = stamps[t], .id = id, .value = value };
    }
}

/* A stable insertion of the rule in order.h: stamp, thread, position. */
static int by_order(const void *a, const void *b)
{
    const struct fake_event *const *x = a, *const *y = b;
    if ((*x)->stamp != (*y)->stamp)
        return (*x)->stamp < (*y)->stamp ? -1 : 1;
    if ((*x)->thread != (*y)->thread)
        return (*x)->thread < (*y)->thread ? -1 : 1;
    return *x < *y ? -1 : *x > *y;
}

static void sort_events(void)
{
    const struct fake_event **p = calloc(event_count + 1, sizeof *p);
    struct fake_event *sorted = calloc(event_count + 1, sizeof *sorted);
    for (size_t i = 0; i < event_count; i++)
        p[i] = &events[i];
    qsort(p, event_count, sizeof *p, by_order);
    for (size_t i = 0; i < event_count; i++)
        sorted[i] = *p[i];
    free(p);
    free(events);
    events = sorted;
}

static uint32_t short_chunks(void) { return 1 + fixture_random(40); }
static uint32_t long_chunks(void) { return CHUNK_EVENTS_MAX; }

static void check(const struct hs_event *got, size_t i)
{
    const struct fake_event *want = &events[i];
    if (got->seq != i || got->thread != want->thread || got->dataid != want->id || got->value != want->value ||
        got->stamp != want->stamp || got->kind != fixture_kinds[want->id])
        fail_msg("event %zu: got seq %" PRIu64 " thread %u id %u value %" PRIu64 " stamp %" PRIu64
                 ", expected thread %u id %u value %" PRIu64 " stamp %" PRIu64,
                 i, got->seq, got->thread, got->dataid, got->value, got->stamp, want->thread, want->id, want->value,
                 want->stamp);
}

static void walk_everything(hs_trace *t)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_event *e;
    hs_cursor *c;
    assert_int_equal(hs_events_open(t, NULL, &c, &error), 0);
    for (size_t i = 0; i < event_count; i++) {
        assert_int_equal(hs_event_next(c, &e, &error), 1);
        check(e, i);
    }
    assert_int_equal(hs_event_next(c, &e, &error), 0);
    for (size_t i = event_count; i-- > 0;) {
        assert_int_equal(hs_event_previous(c, &e, &error), 1);
        check(e, i);
    }
    assert_int_equal(hs_event_previous(c, &e, &error), 0);
    hs_cursor_close(c);
}

static void seek_everywhere(hs_trace *t)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_event *e;
    hs_cursor *c;
    assert_int_equal(hs_events_open(t, NULL, &c, &error), 0);
    for (unsigned round = 0; round < 300; round++) {
        size_t at = fixture_random((uint32_t)event_count + 1), end = at + 30;
        assert_int_equal(hs_cursor_seek(c, at, &error), 0);
        for (; at < end && at < event_count; at++) {
            assert_int_equal(hs_event_next(c, &e, &error), 1);
            check(e, at);
        }
        for (end = at > 50 ? at - 50 : 0; at > end; at--) {
            assert_int_equal(hs_event_previous(c, &e, &error), 1);
            check(e, at - 1);
        }
        for (end = at + 3; at < end && at < event_count; at++) {
            assert_int_equal(hs_event_next(c, &e, &error), 1);
            check(e, at);
        }
    }
    hs_cursor_close(c);
}

static bool passes(const struct fake_event *e, size_t seq, const struct hs_filter *f)
{
    static const unsigned types[ID_COUNT] = { 1, 2, 2, 3, 3, 41, 40, 42, 1, 3 };
    bool thread = f->threads == NULL, event = f->events == NULL;
    for (size_t i = 0; i < f->thread_count; i++)
        thread = thread || f->threads[i] == e->thread;
    for (size_t i = 0; i < f->event_count; i++)
        event = event || f->events[i] == types[e->id];
    unsigned method = e->id <= ID_EXIT_VOID ? 0 : e->id <= ID_LOCAL_LONG ? 1 : 2;
    return thread && event && seq >= f->from && seq <= f->to && (f->method_glob == NULL || method == 2) &&
           (f->object == 0 || (fixture_kinds[e->id] == 'L' && e->value == f->object)) &&
           (f->value == NULL || (strchr("IJ", fixture_kinds[e->id]) != NULL && e->value == 7)) &&
           (f->text == NULL || (fixture_kinds[e->id] == 'L' && e->value == OBJECT_CUT));
}

static void filter_like_brute_force(hs_trace *t)
{
    static const uint32_t threads[] = { 2, 0 };
    static const unsigned types[] = { 2, 41 };
    for (unsigned mask = 0; mask < 256; mask++) {
        struct hs_filter f = HS_FILTER_ALL;
        struct hs_error error = HS_ERROR_INIT;
        const struct hs_event *e;
        hs_cursor *c;
        if (mask & 1) {
            f.threads = threads;
            f.thread_count = 2;
        }
        if (mask & 2) {
            f.events = types;
            f.event_count = 2;
        }
        f.from = mask & 4 ? event_count / 3 : 0;
        f.to = mask & 8 ? event_count / 2 : UINT64_MAX;
        f.method_glob = mask & 16 ? "other()*" : NULL;
        f.object = mask & 32 ? OBJECT_USER : 0;
        f.value = mask & 64 ? "7" : NULL;
        f.text = mask & 128 ? "egi" : NULL;
        f.class_glob = mask & 6 ? "a/b/*" : "C";
        assert_int_equal(hs_events_open(t, &f, &c, &error), 0);
        for (size_t i = 0; i < event_count; i++)
            if (passes(&events[i], i, &f)) {
                assert_int_equal(hs_event_next(c, &e, &error), 1);
                check(e, i);
            }
        assert_int_equal(hs_event_next(c, &e, &error), 0);
        hs_cursor_close(c);
    }
}

/* The seq of every event from its position, in order, thread by thread and anywhere. */
static void number_everything(hs_trace *t)
{
    uint64_t next[FIXTURE_THREADS] = { 0 };
    struct event_position *at = calloc(event_count + 1, sizeof *at);
    struct sequence *s;
    struct error err;
    for (size_t i = 0; i < event_count; i++)
        at[i] = (struct event_position){ positions_stream(t, events[i].thread), next[events[i].thread]++ };
    assert_int_equal(sequence_new(t, &s, &err), OK);
    assert_non_null(s);
    for (size_t i = 0; i < event_count; i++)
        assert_int_equal(sequence_seq(s, at[i]), i);
    for (uint32_t thread = 0; thread < FIXTURE_THREADS; thread++)
        for (size_t i = 0; i < event_count; i++)
            if (events[i].thread == thread)
                assert_int_equal(sequence_seq(s, at[i]), i);
    for (unsigned round = 0; round < 3000 && event_count > 0; round++) {
        size_t i = fixture_random((uint32_t)event_count);
        assert_int_equal(sequence_seq(s, at[i]), i);
    }
    sequence_free(s);
    free(at);
}

static void all_of(size_t count, uint32_t threads, uint32_t spread, uint32_t (*cut)(void))
{
    struct hs_error error = HS_ERROR_INIT;
    hs_trace *t;
    make_events(count, threads, spread);
    char *dir = fixture_write(events, count, cut);
    sort_events();
    if (hs_open(dir, 0, NULL, &t, &error) != 0)
        fail_msg("%s", error.text);
    assert_int_equal(hs_event_count(t), count);
    walk_everything(t);
    if (count > 0)
        seek_everywhere(t);
    filter_like_brute_force(t);
    number_everything(t);
    assert_null(hs_damage(t));
    hs_close(t);
    fixture_remove(dir);
    free(events);
}

static void merges_interleaved_threads(void **state)
{
    (void)state;
    all_of(5000, 7, 3, short_chunks);
}
static void merges_threads_with_many_equal_stamps(void **state)
{
    (void)state;
    all_of(3000, 5, 2, short_chunks);
}
static void keeps_thread_order_when_all_stamps_are_equal(void **state)
{
    (void)state;
    all_of(3000, 4, 0, short_chunks);
}
static void reads_a_single_thread(void **state)
{
    (void)state;
    all_of(3000, 1, 2, short_chunks);
}
static void merges_distinct_stamps_in_long_chunks(void **state)
{
    (void)state;
    all_of(20000, 3, 1000, long_chunks);
}
static void reads_an_empty_trace(void **state)
{
    (void)state;
    all_of(0, 1, 0, long_chunks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merges_interleaved_threads),
        cmocka_unit_test(merges_threads_with_many_equal_stamps),
        cmocka_unit_test(keeps_thread_order_when_all_stamps_are_equal),
        cmocka_unit_test(reads_a_single_thread),
        cmocka_unit_test(merges_distinct_stamps_in_long_chunks),
        cmocka_unit_test(reads_an_empty_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
