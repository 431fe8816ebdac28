/* test_tree.c - the calls of a thread: call by call they are what the whole tree has, but for loops that are cut. */
#include "reader_fixture.h"

#include "reader/index/index.h"

enum { EVENTS = 2000, THREADS = 3, DEPTH_MAX = 12, CALLS_MAX = EVENTS };

static uint64_t seed;
static uint32_t roll(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % below;
}

static uint32_t cut(void) { return 1 + roll(40); }

/* Calls of two methods in each thread, deep and long ones; some vanish without an exit (if so), some are never left. */
static char *random_calls(bool vanish)
{
    static struct fake_event events[EVENTS];
    bool other[THREADS][DEPTH_MAX]; /* by depth: which method */
    unsigned depth[THREADS] = { 0 };
    uint64_t stamp = 0;
    for (size_t n = 0; n < EVENTS;) {
        uint32_t thread = roll(THREADS);
        unsigned *d = &depth[thread];
        stamp += roll(2);
        if (*d == 0 || (*d < DEPTH_MAX && roll(100) < 52)) {
            other[thread][*d] = roll(2);
            bool first = !other[thread][*d];
            events[n++] = (struct fake_event){ thread, stamp, first ? ID_ENTRY : ID_ENTRY_OTHER, 0 };
            if (first && n < EVENTS)
                events[n++] = (struct fake_event){ thread, stamp, ID_PARAM_INT, roll(3) };
            (*d)++;
            continue;
        }
        /* the innermost vanishes */
        bool skip = vanish && *d > 3 && roll(8) == 0 && other[thread][*d - 1] != other[thread][*d - 2];
        *d -= skip ? 2 : 1;
        bool of_other = other[thread][*d];
        events[n++] = (struct fake_event){ thread, stamp, of_other ? ID_EXIT_OTHER : ID_EXIT_VOID,
                                           of_other ? OBJECT_USER + roll(2) : 0 };
    }
    return fixture_write(events, EVENTS, cut);
}

enum { ARGUMENTS_MAX = 2, NUMBERS = 14 + 2 * ARGUMENTS_MAX };
/* What there is to say of a call. */
struct row {
    uint64_t seq, times, calls, left, depth, other[NUMBERS];
};

static uint64_t kind_of(const struct hs_value *v) { return v != NULL ? (uint64_t)v->kind : 0; }
static uint64_t bits_of(const struct hs_value *v) { return v != NULL ? v->bits : 0; }

static void keep(struct row *to, const struct hs_call *c)
{
    *to = (struct row){ c->seq,
                        c->times,
                        c->calls,
                        c->left,
                        c->depth,
                        { c->dataid, c->repeat_count, kind_of(c->receiver), bits_of(c->receiver), kind_of(c->result),
                          bits_of(c->result), c->argument_count, c->like, c->threw, c->exception } };
    assert_true(c->argument_count <= ARGUMENTS_MAX);
    for (uint32_t i = 0; i < c->argument_count; i++) {
        to->other[14 + 2 * i] = bits_of(c->arguments[i]);
        to->other[15 + 2 * i] = kind_of(c->arguments[i]);
    }
}

static size_t call_by_call(hs_trace *t, const struct hs_tree_options *want, struct row *out)
{
    hs_cursor *c;
    const struct hs_call *call;
    struct hs_error error = HS_ERROR_INIT;
    size_t n = 0;
    int more;
    assert_int_equal(hs_tree_open(t, want, &c, &error), 0);
    while ((more = hs_call_next(c, &call, &error)) > 0) {
        assert_true(n < CALLS_MAX);
        keep(&out[n++], call);
    }
    assert_int_equal(more, 0);
    assert_false(hs_tree_cut(c));
    hs_cursor_close(c);
    return n;
}

static size_t whole(hs_trace *t, const struct hs_tree_options *want, struct row *out)
{
    struct hs_tree_options options = *want;
    options.ahead = HS_TREE_WHOLE;
    return call_by_call(t, &options, out);
}

static struct row one[CALLS_MAX], other[CALLS_MAX];

static void compare(hs_trace *t, struct hs_tree_options *want)
{
    size_t n = whole(t, want, one);
    assert_int_equal(call_by_call(t, want, other), n);
    assert_memory_equal(one, other, n * sizeof *one);
}

static void gives_every_call_as_the_whole_tree_does(void **state)
{
    (void)state;
    for (uint64_t round = 1; round < 8; round++) {
        seed = round;
        char *dir = random_calls(round % 2);
        hs_trace *t;
        struct hs_error error = HS_ERROR_INIT;
        for (unsigned indexed = 0; indexed < 2; indexed++) {
            assert_int_equal(hs_open(dir, 0, NULL, &t, &error), 0);
            t->index_wished = UINT64_MAX; /* not by itself */
            if (indexed)
                assert_int_equal(hs_index_build(t, &error), 0);
            for (unsigned i = 0; i < 60; i++) {
                struct hs_tree_options want = HS_TREE_OPTIONS_INIT;
                want.thread = roll(THREADS);
                want.fold = HS_FOLD_NONE;
                want.ahead = 1 + roll(i < 30 ? 20 : 800);
                want.depth = roll(3) == 0 ? roll(6) : UINT32_MAX;
                /* not both: who vanished then is open in the tree */
                want.from = round % 2 == 0 && roll(3) == 0 ? roll(EVENTS) : 0;
                want.to = roll(3) == 0 ? roll(EVENTS) : UINT64_MAX;
                compare(t, &want);
            }
            /* one that ends before the first cut is the same folded, too, with all levels and with some */
            for (unsigned i = 0; i < 6 * (HS_FOLD_NONE + 1); i++) {
                struct hs_tree_options want = HS_TREE_OPTIONS_INIT;
                want.thread = roll(THREADS);
                want.fold = (enum hs_fold)(i / 6);
                want.depth = i % 6 == 0 ? UINT32_MAX : roll(6);
                compare(t, &want);
            }
            hs_close(t);
        }
        char path[256];
        (void)snprintf(path, sizeof path, "%s/index", dir);
        assert_int_equal(unlink(path), 0);
        fixture_remove(dir);
    }
}

enum { ROUNDS = 500 };

/* main calls f ROUNDS times. */
static void a_loop_is_cut_and_counted_anew(void **state)
{
    (void)state;
    static struct fake_event events[2 + 2 * ROUNDS];
    size_t n = 0;
    events[n++] = (struct fake_event){ 0, 1, ID_ENTRY, 0 };
    for (unsigned i = 0; i < ROUNDS; i++) {
        events[n++] = (struct fake_event){ 0, 2 + i, ID_ENTRY_OTHER, 0 };
        events[n++] = (struct fake_event){ 0, 2 + i, ID_EXIT_OTHER, OBJECT_USER };
    }
    events[n++] = (struct fake_event){ 0, 3 + ROUNDS, ID_EXIT_VOID, 0 };
    seed = 5;
    char *dir = fixture_write(events, n, cut), path[256];
    hs_trace *t;
    struct hs_error error = HS_ERROR_INIT;
    assert_int_equal(hs_open(dir, 0, NULL, &t, &error), 0);
    struct hs_tree_options want = HS_TREE_OPTIONS_INIT;
    assert_int_equal(whole(t, &want, one), 2);
    assert_int_equal(one[1].times, ROUNDS);
    want.ahead = 100; /* cuts at 100, 300, 700, 1500 */
    size_t rows = call_by_call(t, &want, other);
    assert_int_equal(rows, 5);
    assert_memory_equal(&one[0], &other[0], sizeof *one); /* left, with all that it called */
    assert_int_equal(other[0].calls, ROUNDS);
    assert_true(other[0].left);
    uint64_t times = 0;
    for (size_t i = 1; i < rows; i++) {
        assert_int_equal(other[i].depth, 1);
        assert_true(other[i].seq > other[i - 1].seq);
        times += other[i].times;
    }
    assert_int_equal(other[1].times, 50);
    assert_int_equal(times, ROUNDS);
    hs_close(t);
    (void)snprintf(path, sizeof path, "%s/index", dir);
    (void)unlink(path);
    fixture_remove(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_every_call_as_the_whole_tree_does),
        cmocka_unit_test(a_loop_is_cut_and_counted_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
