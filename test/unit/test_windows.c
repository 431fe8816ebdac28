/* test_intervals.c - formats/windows.h, logging/capture/windows.h and snapshot_requests.h: what is kept of a recording
 * in parts, and what snapshots hold. */
#include "recorder_fixture.h"

#include <pthread.h>
#include <stdatomic.h>

#include "formats/windows.h"
#include "logging/sinks/sink.h"

/* data IDs:  0 plain   1 begins   2 ends   3 both   4, 5, 6: one hook call, of which 5 begins and 6 ends */
enum { JOINED_I = 'I' | KIND_JOINED, FOUR = 7 };
static const uint8_t letters[] = { 'I', 'I', 'I', 'I', 'I', 'I', 'I', 'I', JOINED_I, JOINED_I, JOINED_I };
static const uint8_t roles[sizeof letters] = { 0 };
static const uint8_t triggers[] = { 0,
                                    EDGE_START,
                                    EDGE_END,
                                    EDGE_START | EDGE_END,
                                    0,
                                    EDGE_SAME_CALL | EDGE_START,
                                    EDGE_SAME_CALL | EDGE_END,
                                    EDGE_START,
                                    0,
                                    0,
                                    0 };

static void begin_parts(struct window_options options, const struct sink *sink)
{
    struct writer kinds = { 0 };
    assert_true(++recorder_number < sizeof recorders / sizeof *recorders);
    (void)snprintf(dir, sizeof dir, "recorder-XXXXXX");
    assert_non_null(mkdtemp(dir));
    ok(recorder_open(&recorder, &(struct recorder_target){ .dir = dir }, false, &err));
    ok(recorder_use_windows(&recorder, &options, &err));
    if (sink != NULL)
        ok(recorder_use_sink(&recorder, sink, 4, false, &err));
    assert_true(recorder_add_dataids(&recorder, letters, roles, triggers, sizeof letters));
    write_bytes(&kinds, letters, sizeof letters);
    assert_true(pendinglog_put(&recorder.pending, DB_KIND, 0, &kinds));
    assert_true(pendinglog_put_info(&recorder.pending, "version", SCHEMA_VERSION));
    writer_free(&kinds);
    ok(recorder_start(&recorder, &err));
}

static void trigger(struct thread_desc *d, uint32_t id, uint64_t value)
{
    recorder_record_trigger(&recorder, d, id, false,
                            &(const struct record_values){ { value, value + 1, value + 2, value + 3 } });
}

/* The values of the trace's events, in their order, as "1 2 3". */
static void shows(hs_trace *t, const char *want)
{
    char got[1024] = "";
    const struct hs_event *e;
    for (uint64_t seq = 0; seq < hs_event_count(t); seq++) {
        assert_int_equal(hs_event_at(t, seq, &e, NULL), 0);
        (void)snprintf(got + strlen(got), sizeof got - strlen(got), "%s%llu", seq > 0 ? " " : "",
                       (unsigned long long)e->value);
    }
    assert_string_equal(got, want);
}

static void rows_come_back_as_they_were(void **state)
{
    (void)state;
    struct window list[] = { { 5, 9, 100, 100, 1, 2, 0, 3 },
                             { 9, 10, 100, 250, NO_DATAID, 7, 0, 0 },
                             { UINT64_C(1) << 40, UINT64_MAX, 1 << 30, 0, 0, NO_DATAID, 7, 0 } };
    struct writer w = { 0 };
    window_vec out = { 0 };
    windows_encode(list, 3, &w);
    ok(windows_decode(w.data, w.size, &out, &err));
    assert_int_equal(out.count, 3);
    list[2].end_ns = list[2].begin_ns;
    assert_memory_equal(out.items, list, sizeof list);
    for (size_t size = 0; size < w.size; size++) { /* cut anywhere: refused, and never read behind the end */
        window_vec less = { 0 };
        void *exact = malloc(size + 1);
        memcpy(exact, w.data, size);
        assert_int_equal(windows_decode(exact, size, &less, &err), ERR_FORMAT);
        free(exact);
        vec_free(&less);
    }
    list[1].end = UINT64_MAX; /* an open one is the last one */
    w.size = 0;
    windows_encode(list, 3, &w);
    assert_int_equal(windows_decode(w.data, w.size, &out, &err), ERR_FORMAT);
    vec_free(&out);
    w.size = 0;
    struct snapshot_row row = { .kind = SNAPSHOT_THROW,
                                .saved = 1,
                                .stamp = 7,
                                .ns = 8,
                                .thread = 9,
                                .interval = 10,
                                .object = 11,
                                .type = TEXT_OF("a.b.C") },
                        back;
    snapshot_row_encode(&row, &w);
    ok(snapshot_row_decode(w.data, w.size, &back, &err));
    assert_true(back.kind == row.kind && back.saved == 1 && back.stamp == 7 && back.ns == 8 && back.thread == 9 &&
                back.interval == 10 && back.object == 11);
    assert_memory_equal(back.type.data, "a.b.C", 5);
    w.data[1] = SNAPSHOT_KINDS;
    assert_int_equal(snapshot_row_decode(w.data, w.size, &back, &err), ERR_FORMAT);
    writer_free(&w);
}

static void what_is_between_start_and_end_is_kept(void **state)
{
    (void)state;
    begin_parts((struct window_options){ .starts = true, .ends = true }, NULL);
    struct thread_desc *a = journal_desc_acquire(&recorder.journal, 0);
    event(a, 1);
    trigger(a, 2, 2); /* ends nothing */
    trigger(a, 1, 3);
    event(a, 4);
    trigger(a, 1, 5);
    trigger(a, 2, 6);
    event(a, 7);
    trigger(a, 3, 8); /* itself alone */
    event(a, 9);
    trigger(a, 1, 10);
    event(a, 11);
    hs_trace *t = end();
    shows(t, "3 4 5 6 8 10 11");
    hs_cursor *all;
    const struct hs_interval *v;
    assert_int_equal(hs_interval_count(t), 3);
    assert_int_equal(hs_intervals_open(t, &all, NULL), 0);
    assert_int_equal(hs_interval_next(all, &v, NULL), 1);
    assert_true(v->first == 0 && v->events == 4 && v->start_dataid == 1 && v->end_dataid == 2 &&
                v->end_ns >= v->begin_ns);
    assert_int_equal(hs_interval_next(all, &v, NULL), 1);
    assert_true(v->first == 4 && v->events == 1 && v->start_dataid == 3 && v->end_dataid == 3);
    assert_int_equal(hs_interval_next(all, &v, NULL), 1);
    assert_true(v->first == 5 && v->events == 2 && v->end_dataid == UINT32_MAX && v->end_ns == HS_NO_TIME);
    assert_int_equal(hs_interval_next(all, &v, NULL), 0);
    hs_cursor_close(all);
    gone(t);
}

static void a_record_of_a_trigger_has_all_its_values(void **state)
{
    (void)state;
    begin_parts((struct window_options){ .starts = true }, NULL);
    struct thread_desc *a = journal_desc_acquire(&recorder.journal, 0);
    trigger(a, FOUR, 11);
    hs_trace *t = end();
    shows(t, "11 12 13 14");
    gone(t);
}

static void nested_ones_need_as_many_ends(void **state)
{
    (void)state;
    begin_parts((struct window_options){ .starts = true, .ends = true, .nested = true }, NULL);
    struct thread_desc *a = journal_desc_acquire(&recorder.journal, 0);
    event(a, 1);
    trigger(a, 1, 2);
    trigger(a, 1, 3);
    trigger(a, 2, 4);
    event(a, 5);
    trigger(a, 3, 6); /* one more and one less */
    trigger(a, 2, 7);
    event(a, 8);
    hs_trace *t = end();
    shows(t, "2 3 4 5 6 7");
    gone(t);
}

static void a_trigger_in_the_middle_of_a_hook_call_is_exact(void **state)
{
    (void)state;
    begin_parts((struct window_options){ .starts = true, .ends = true }, NULL);
    struct thread_desc *a = journal_desc_acquire(&recorder.journal, 0);
    trigger(a, 4, 10);
    event(a, 1);
    trigger(a, 4, 20);
    hs_trace *t = end();
    shows(t, "11 12 21 22");
    gone(t);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    begin_parts((struct window_options){ .starts = true, .ends = true }, NULL);
    struct thread_desc *a = journal_desc_acquire(&recorder.journal, 0), *b = journal_desc_acquire(&recorder.journal, 1);
    event(b, 1);
    trigger(a, 1, 2);
    event(b, 3);
    (void)journal_bump(&recorder.journal);
    event(a, 4);
    trigger(b, 2, 5);
    event(a, 6);
    event(b, 7);
    hs_trace *t = end();
    shows(t, "2 3 4 5");
    gone(t);
}

static void one_of_the_two_options_is_enough(void **state)
{
    (void)state;
    begin_parts((struct window_options){ .ends = true }, NULL);
    struct thread_desc *a = journal_desc_acquire(&recorder.journal, 0);
    event(a, 1);
    trigger(a, 2, 2);
    event(a, 3);
    trigger(a, 2, 4);
    hs_trace *t = end();
    shows(t, "1 2");
    gone(t);
    begin_parts((struct window_options){ .starts = true }, NULL);
    a = journal_desc_acquire(&recorder.journal, 0);
    event(a, 1);
    trigger(a, 1, 2);
    event(a, 3);
    t = end();
    shows(t, "2 3");
    gone(t);
}

static void a_stop_ends_a_window(void **state)
{
    (void)state;
    begin_parts((struct window_options){ .starts = true, .ends = true, .nested = true }, NULL);
    struct thread_desc *a = journal_desc_acquire(&recorder.journal, 0);
    trigger(a, 1, 1);
    trigger(a, 1, 2);
    assert_true(recorder_pause(&recorder));
    trigger(a, 1, 3); /* nothing is recorded, so nothing begins */
    recorder_resume(&recorder);
    assert_true(recorder_add_dataids(&recorder, letters, roles, triggers, sizeof letters));
    struct writer kinds = { 0 };
    write_bytes(&kinds, letters, sizeof letters);
    assert_true(pendinglog_put(&recorder.pending, DB_KIND, sizeof letters, &kinds));
    writer_free(&kinds);
    trigger(a, sizeof letters + 2, 4);
    trigger(a, sizeof letters + 1, 5);
    trigger(a, 2, 7); /* code that was woven before: its events are not kept, so it ends nothing */
    trigger(a, sizeof letters + 2, 6);
    trigger(a, 1, 8); /* nor does it begin anything */
    hs_trace *t = end();
    shows(t, "1 2 5 6");
    hs_cursor *all;
    const struct hs_interval *v;
    assert_int_equal(hs_interval_count(t), 2);
    assert_int_equal(hs_intervals_open(t, &all, NULL), 0);
    assert_int_equal(hs_interval_next(all, &v, NULL), 1);
    assert_true(v->events == 2 && v->end_dataid == UINT32_MAX && v->end_ns != HS_NO_TIME);
    hs_cursor_close(all);
    gone(t);
}

static uint64_t counted(hs_trace *t, uint32_t snapshot, uint32_t id)
{
    uint64_t counts[64] = { 0 };
    struct hs_error error = HS_ERROR_INIT;
    if (hs_use_snapshot(t, snapshot, &error) != 0)
        fail_msg("%s", error.text);
    assert_true(hs_dataid_count(t) <= 64);
    assert_int_equal(hs_count_dataids(t, counts, NULL, &error), 0);
    return counts[id];
}

static void partial_saves_begin_anew(void **state)
{
    (void)state;
    for (int partial = 0; partial < 2; partial++) {
        begin_parts(
            (struct window_options){ .starts = true, .ends = true, .save = partial ? SAVE_PARTIAL : SAVE_SNAPSHOT },
            sink_of(FORMAT_LATEST));
        struct thread_desc *a = journal_desc_acquire(&recorder.journal, 0);
        for (uint64_t i = 0; i < 3; i++) {
            event(a, 100);
            trigger(a, 1, 10 * i);
            for (uint64_t k = 0; k <= i; k++)
                event(a, i);
            trigger(a, 2, 10 * i + 1);
            if (i == 1)
                assert_true(recorder_snapshot(&recorder));
        }
        trigger(a, 1, 30);
        event(a, 3);
        hs_trace *t = end();
        assert_int_equal(hs_snapshot_count(t), 3);
        assert_int_equal(counted(t, 1, 0), 1);
        assert_int_equal(counted(t, 2, 0), partial ? 2 : 3);
        assert_int_equal(counted(t, 3, 0), partial ? 3 : 6);
        assert_int_equal(counted(t, 0, 0), partial ? 1 : 7);
        assert_int_equal(counted(t, 0, 2), partial ? 0 : 3);
        hs_cursor *l;
        const struct hs_event *e;
        size_t n;
        assert_int_equal(hs_use_snapshot(t, 3, NULL), 0);
        assert_int_equal(hs_latest_open(t, &l, NULL), 0);
        assert_int_equal(hs_latest_select(l, 0, &n, NULL), 0);
        assert_int_equal(hs_event_next(l, &e, NULL), 1);
        assert_int_equal(n, partial ? 3 : 4); /* the size of the rings is 4 */
        assert_int_equal(e->value, partial ? 2 : 1);
        hs_cursor_close(l);
        assert_int_equal(hs_use_snapshot(t, 4, NULL), -1);
        gone(t);
    }
}

/* Two threads write as fast as they can while a third asks for snapshots: each has what was written when it was asked
 * for. */
enum { WRITERS = 2, SNAPSHOTS = 100 };
static atomic_uint_fast64_t written[WRITERS];
static atomic_bool enough;

static void *write_events(void *arg)
{
    unsigned n = (unsigned)(uintptr_t)arg;
    struct thread_desc *d = journal_desc_acquire(&recorder.journal, n);
    for (uint64_t i = 0; !enough; i++) {
        event(d, i);
        written[n] = i + 1;
    }
    return NULL;
}

static void snapshots_hold_what_was_before(void **state)
{
    (void)state;
    uint64_t least[SNAPSHOTS], most[SNAPSHOTS];
    pthread_t threads[WRITERS];
    begin_parts((struct window_options){ 0 }, sink_of(FORMAT_FREQ));
    for (uintptr_t i = 0; i < WRITERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, write_events, (void *)i), 0);
    for (unsigned i = 0; i < SNAPSHOTS; i++) {
        least[i] = written[0] + written[1];
        assert_true(recorder_request_snapshot(&recorder, SNAPSHOT_THROW, 9, i, "x"));
        most[i] = written[0] + written[1] + WRITERS; /* one of each may be written and not counted yet */
        (void)usleep(i % 5 == 0 ? 3000 : 100);
    }
    enough = true;
    for (unsigned i = 0; i < WRITERS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    hs_trace *t = end();
    assert_int_equal(hs_snapshot_count(t), SNAPSHOTS);
    for (unsigned i = 0; i < SNAPSHOTS; i++)
        assert_in_range(counted(t, i + 1, 0), least[i], most[i]);
    assert_int_equal(counted(t, 0, 0), written[0] + written[1]);
    gone(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_back_as_they_were),
        cmocka_unit_test(what_is_between_start_and_end_is_kept),
        cmocka_unit_test(a_record_of_a_trigger_has_all_its_values),
        cmocka_unit_test(nested_ones_need_as_many_ends),
        cmocka_unit_test(a_trigger_in_the_middle_of_a_hook_call_is_exact),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(one_of_the_two_options_is_enough),
        cmocka_unit_test(a_stop_ends_a_window),
        cmocka_unit_test(partial_saves_begin_anew),
        cmocka_unit_test(snapshots_hold_what_was_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
