/* test_features.c - hs_features and hs_signals on random events and marks, against counting event by event. */
#include "reader_fixture.h"

enum { EVENTS = 3000, THREADS = 3, MARKS = 40, NAMES = 5, METHODS = 3, OBJECTS = 8, BUCKETS = 9 };
static struct fake_event events[EVENTS]; /* in the global order: thread by thread of a stamp */
static struct mark_row marks[MARKS];
static const char *const names[NAMES] = { "a", "b", "", "d e", "\xc3\xa9" };
static struct error err;

static uint32_t cut(void) { return 1 + fixture_random(60); }

static int by_stamp(const void *a, const void *b)
{
    const struct fake_event *x = a, *y = b;
    return x->stamp != y->stamp     ? (x->stamp < y->stamp ? -1 : 1)
           : x->thread != y->thread ? (x->thread < y->thread ? -1 : 1)
                                    : (int)(x->value & 0xff) - (int)(y->value & 0xff);
}

/* Events of a stamp and thread are made in rising order of their value, so that the sort is the order. */
static char *make(void)
{
    for (size_t i = 0; i < EVENTS; i++) {
        static const uint32_t ids[] = { ID_ENTRY, ID_EXIT_VOID, ID_ENTRY_OTHER, ID_EXIT_OTHER, ID_PARAM_REF };
        uint32_t id = ids[fixture_random(5)];
        events[i] = (struct fake_event){ .thread = fixture_random(THREADS),
                                         .stamp = fixture_random(EVENTS / 4),
                                         .id = id,
                                         .value = fixture_kinds[id] == 'L' ? 1 + fixture_random(OBJECTS) : 0 };
    }
    qsort(events, EVENTS, sizeof *events, by_stamp);
    char *dir = fixture_write(events, EVENTS, cut);
    struct store *s;
    ok(store_open(dir, false, &s, &err));
    ok(store_begin(s, &err));
    for (uint32_t i = 0; i < MARKS; i++) {
        const char *name = names[i < 3 ? 2 - i : fixture_random(NAMES)];
        uint64_t from = fixture_random(EVENTS / 4);
        marks[i] = (struct mark_row){ .name = { name, strlen(name) },
                                      .begin_stamp = from,
                                      .end_stamp = fixture_random(9) == 0 ? UINT64_MAX : from + fixture_random(30) };
        marks[i].end_ns = marks[i].end_stamp == UINT64_MAX ? UINT64_MAX : 0;
        struct writer w = { 0 };
        mark_row_encode(&marks[i], &w);
        ok(store_put(s, DB_MARK, i, w.data, w.size, &err));
        writer_free(&w);
    }
    ok(store_commit(s, &err));
    store_close(s);
    return dir;
}

static bool inside(const struct fake_event *e, const char *name)
{
    bool in = false;
    for (size_t i = 0; i < MARKS; i++)
        in |=
            strcmp(marks[i].name.data, name) == 0 && marks[i].begin_stamp <= e->stamp && e->stamp < marks[i].end_stamp;
    return in;
}

static bool is_entry(const struct fake_event *e) { return e->id == ID_ENTRY || e->id == ID_ENTRY_OTHER; }

static void check_feature(const struct hs_feature *f)
{
    uint64_t count = 0, calls = 0, objects = 0, first = HS_NO_SEQ, last = HS_NO_SEQ, of_name = 0, unended = 0;
    bool shown[OBJECTS + 1] = { false }, entered[METHODS] = { false };
    for (size_t i = 0; i < MARKS; i++) {
        of_name += strcmp(marks[i].name.data, f->name) == 0;
        unended += strcmp(marks[i].name.data, f->name) == 0 && marks[i].end_stamp == UINT64_MAX;
    }
    for (size_t i = 0; i < EVENTS; i++) {
        const struct fake_event *e = &events[i];
        if (!inside(e, f->name))
            continue;
        count++;
        calls += is_entry(e);
        first = first == HS_NO_SEQ ? i : first;
        last = i;
        if (is_entry(e))
            entered[e->id == ID_ENTRY ? 0 : 2] = true;
        if (fixture_kinds[e->id] == 'L' && !shown[e->value]) {
            shown[e->value] = true;
            objects++;
        }
    }
    assert_int_equal(f->marks, of_name);
    assert_int_equal(f->unended, unended);
    assert_int_equal(f->events, count);
    assert_int_equal(f->calls, calls);
    assert_int_equal(f->objects, objects);
    assert_int_equal(f->created, 0); /* no event says that woven code made them */
    assert_true(f->first == first && f->last == last);
    assert_int_equal(f->method_count, entered[0] + entered[2]);
    for (size_t i = 0; i < f->method_count; i++)
        assert_true(entered[f->methods[i] - 100]);
    assert_int_equal(f->class_count, f->method_count > 0);
}

static void features_are_what_counting_says(void **state)
{
    (void)state;
    hs_cursor *all, *methods, *flows;
    const struct hs_feature *features[NAMES];
    struct hs_error error = HS_ERROR_INIT;
    hs_trace *t;
    for (unsigned round = 0; round < 10; round++) {
        char *dir = make();
        assert_int_equal(hs_open(dir, 0, NULL, &t, &error), 0);
        assert_int_equal(hs_features_open(t, &all, &error), 0);
        size_t n = (size_t)hs_cursor_count(all);
        assert_true(n >= 3 && n <= NAMES);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(hs_feature_next(all, &features[i], &error), 1);
        assert_int_equal(hs_feature_next(all, &features[0], &error), 0);
        for (size_t i = 0; i < 3; i++)
            assert_string_equal(features[i]->name, names[2 - i]); /* in the order of their first marks */
        for (size_t i = 0; i < n; i++)
            check_feature(features[i]);
        assert_int_equal(hs_feature_flows_open(all, &flows, &error), 0);
        assert_int_equal(hs_cursor_count(flows), 0);
        hs_cursor_close(flows);
        const struct hs_feature_method *m;
        assert_int_equal(hs_feature_methods_open(all, &methods, &error), 0);
        while (hs_feature_method_next(methods, &m, &error) > 0) {
            size_t in = 0;
            for (size_t k = 0; k < n; k++)
                for (size_t x = 0; x < features[k]->method_count; x++)
                    in += features[k]->methods[x] == m->method_id;
            assert_int_equal(m->feature_count, in);
            assert_int_equal(m->affinity, in == 1      ? HS_SINGLE
                                          : in == n    ? HS_INFRASTRUCTURAL
                                          : 2 * in < n ? HS_LOW
                                                       : HS_HIGH);
        }
        hs_cursor_close(methods);
        hs_cursor_close(all);
        hs_close(t);
        fixture_remove(dir);
    }
}

static void signals_are_what_counting_says(void **state)
{
    (void)state;
    hs_cursor *all;
    const struct hs_signal *signal;
    struct hs_error error = HS_ERROR_INIT;
    hs_trace *t;
    char *dir = make();
    assert_int_equal(hs_open(dir, 0, NULL, &t, &error), 0);
    assert_int_equal(hs_signals_open(t, BUCKETS, false, &all, &error), 0);
    assert_true(hs_cursor_count(all) > 1);
    while (hs_signal_next(all, &signal, &error) > 0) {
        assert_int_equal(signal->width, EVENTS / BUCKETS + 1);
        assert_int_equal(signal->bucket_count, BUCKETS);
        uint64_t calls[BUCKETS] = { 0 };
        uint32_t deepest[BUCKETS] = { 0 }, depth[THREADS] = { 0 };
        for (size_t i = 0; i < EVENTS; i++) {
            const struct fake_event *e = &events[i];
            uint32_t *d = &depth[e->thread];
            if (is_entry(e))
                ++*d;
            else if ((e->id == ID_EXIT_VOID || e->id == ID_EXIT_OTHER) && *d > 0)
                --*d;
            if (!is_entry(e) || (signal->feature != NULL && !inside(e, signal->feature)))
                continue;
            calls[i / signal->width]++;
            deepest[i / signal->width] = *d > deepest[i / signal->width] ? *d : deepest[i / signal->width];
        }
        assert_memory_equal(signal->calls, calls, sizeof calls);
        assert_memory_equal(signal->depth, deepest, sizeof deepest);
    }
    hs_cursor_close(all);
    assert_int_equal(hs_signals_open(t, 0, true, &all, &error), -1);
    assert_int_equal(hs_signals_open(t, HS_BUCKETS_MAX + 1, true, &all, &error), -1);
    hs_close(t);
    fixture_remove(dir);
}

static void a_trace_without_marks_or_events_has_no_features(void **state)
{
    (void)state;
    hs_cursor *all, *methods, *flows, *signals;
    const struct hs_signal *signal;
    struct hs_error error = HS_ERROR_INIT;
    hs_trace *t;
    char *dir = fixture_write(NULL, 0, cut);
    assert_int_equal(hs_open(dir, 0, NULL, &t, &error), 0);
    assert_int_equal(hs_features_open(t, &all, &error), 0);
    assert_int_equal(hs_feature_methods_open(all, &methods, &error), 0);
    assert_int_equal(hs_feature_flows_open(all, &flows, &error), 0);
    assert_int_equal(hs_cursor_count(all) + hs_cursor_count(methods) + hs_cursor_count(flows), 0);
    hs_cursor_close(methods);
    hs_cursor_close(flows);
    hs_cursor_close(all);
    hs_cursor_close(NULL);
    assert_int_equal(hs_signals_open(t, 4, true, &signals, &error), 0);
    assert_int_equal(hs_cursor_count(signals), 1);
    assert_int_equal(hs_signal_next(signals, &signal, &error), 1);
    assert_int_equal(signal->calls[0], 0);
    hs_cursor_close(signals);
    hs_close(t);
    fixture_remove(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features_are_what_counting_says),
        cmocka_unit_test(signals_are_what_counting_says),
        cmocka_unit_test(a_trace_without_marks_or_events_has_no_features),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
