/* test_marks.c - marks from the recorder to the reader: recorder_mark, mark rows, hs_marks_open. */
#include "recorder_fixture.h"

static void expect(hs_trace *t, const char *const *names, const uint64_t (*ranges)[2], const bool *ended, size_t n)
{
    hs_cursor *marks;
    const struct hs_mark *mark;
    struct hs_error error = HS_ERROR_INIT;
    assert_int_equal(hs_marks_open(t, &marks, &error), 0);
    assert_int_equal(hs_cursor_count(marks), n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(hs_mark_next(marks, &mark, &error), 1);
        assert_string_equal(mark->name, names[i]);
        assert_int_equal(mark->first, ranges[i][0]);
        assert_int_equal(mark->events, ranges[i][1]);
        assert_true((mark->end_ns != HS_NO_TIME) == ended[i]);
        assert_true(mark->begin_ns <= mark->end_ns);
    }
    hs_cursor_close(marks);
}

static void marks_nest_overlap_and_repeat(void **state)
{
    (void)state;
    begin();
    struct thread_desc *a = journal_desc_acquire(&recorder.journal, 0), *b = journal_desc_acquire(&recorder.journal, 1);
    event(a, 0);
    assert_true(recorder_mark(&recorder, "load")); /* from 1 */
    event(a, 1);
    event(b, 2);
    assert_true(recorder_mark(&recorder, "parse file")); /* from 3, inside */
    event(b, 3);
    assert_true(recorder_mark(&recorder, "load")); /* from 4, the same name */
    event(a, 4);
    assert_int_equal(recorder_unmark(&recorder, "load"), 1); /* the inner one */
    event(a, 5);
    assert_int_equal(recorder_unmark(&recorder, "load"), 1);
    event(b, 6);
    assert_int_equal(recorder_unmark(&recorder, "load"), 0);
    assert_false(recorder_mark(&recorder, ""));
    assert_false(recorder_mark(&recorder, "two\nlines"));
    assert_false(recorder_mark(&recorder, "Latin-1 \xe4"));
    assert_true(recorder_mark(&recorder, "\xc3\xa4 empty")); /* nothing happens in this one */
    assert_int_equal(recorder_unmark(&recorder, "\xc3\xa4 empty"), 1);
    assert_true(recorder_mark(&recorder, "open"));
    event(a, 7);
    hs_trace *t = end();
    assert_int_equal(hs_event_count(t), 8);
    expect(t, (const char *const[]){ "load", "parse file", "load", "\xc3\xa4 empty", "open" },
           (const uint64_t[][2]){ { 1, 5 }, { 3, 5 }, { 4, 1 }, { 7, 0 }, { 7, 1 } },
           (const bool[]){ true, false, true, true, false }, 5);
    gone(t);
}

static void all_open_marks_end_together(void **state)
{
    (void)state;
    begin();
    struct thread_desc *a = journal_desc_acquire(&recorder.journal, 0);
    assert_int_equal(recorder_unmark(&recorder, NULL), 0);
    assert_true(recorder_mark(&recorder, "a"));
    event(a, 0);
    assert_true(recorder_mark(&recorder, "b"));
    event(a, 1);
    assert_int_equal(recorder_unmark(&recorder, NULL), 2);
    event(a, 2);
    hs_trace *t = end();
    expect(t, (const char *const[]){ "a", "b" }, (const uint64_t[][2]){ { 0, 2 }, { 1, 1 } },
           (const bool[]){ true, true }, 2);
    assert_false(recorder_mark(&recorder, "late"));
    gone(t);
}

static void *mark_often(void *name)
{
    for (unsigned i = 0; i < 100; i++)
        if (!recorder_mark(&recorder, name) || recorder_unmark(&recorder, name) != 1)
            return name;
    return NULL;
}

static void threads_mark_at_once(void **state)
{
    (void)state;
    static char names[4][2] = { "a", "b", "c", "d" };
    pthread_t threads[4];
    void *failed;
    hs_cursor *marks;
    const struct hs_mark *mark, *before = NULL;
    size_t each[4] = { 0 };
    struct hs_error error = HS_ERROR_INIT;
    begin();
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, mark_often, names[i]), 0);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    hs_trace *t = end();
    assert_int_equal(hs_marks_open(t, &marks, &error), 0);
    assert_int_equal(hs_cursor_count(marks), 400);
    while (hs_mark_next(marks, &mark, &error) > 0) {
        each[mark->name[0] - 'a']++;
        assert_true(mark->end_ns != HS_NO_TIME && mark->events == 0);
        assert_true(before == NULL || before->begin_ns <= mark->begin_ns); /* numbered in order of beginning */
        before = mark;
    }
    hs_cursor_close(marks);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(each[i], 100);
    gone(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_nest_overlap_and_repeat),
        cmocka_unit_test(all_open_marks_end_together),
        cmocka_unit_test(threads_mark_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
