/* test_index.c - the index gives what a walk over everything gives, whatever happens to its file. */
#include "reader_fixture.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "reader/index/index.h"
#include "reader/index/sections.h"

enum { EVENTS = 3000, FEW_EVENTS = 600, THREADS = 5, CHUNK = 7, WALKS = 120 };

/* Under a sanitizer each step takes 10 to 50 times as long; the full numbers are those of the release build. */
#if defined __SANITIZE_THREAD__ || defined __SANITIZE_ADDRESS__
enum { SEEDS = 2, FLIPS = 9 };
#else
enum { SEEDS = 5, FLIPS = 60 };
#endif

static uint64_t seed;
static uint32_t roll(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % below;
}

static uint32_t cut(void) { return 1 + roll(CHUNK); }

/* Events of several threads with stamps that interleave, and stamps that are equal. */
static char *random_trace_of(size_t count)
{
    static struct fake_event events[EVENTS];
    static const uint32_t objects[] = { 0, OBJECT_USER, OBJECT_LATIN1, OBJECT_FAR, OBJECT_UNKNOWN };
    uint64_t stamp[THREADS] = { 0 };
    assert_true(count <= EVENTS);
    for (size_t i = 0; i < count; i++) {
        uint32_t thread = roll(THREADS), id = roll(ID_COUNT);
        stamp[thread] += roll(4) == 0 ? roll(40) : 0;
        uint64_t value = fixture_kinds[id] == 'V'   ? 0
                         : fixture_kinds[id] == 'L' ? objects[roll(5)]
                         : fixture_kinds[id] == 'Z' ? roll(2)
                                                    : roll(9);
        events[i] = (struct fake_event){ thread, stamp[thread], id, value };
    }
    return fixture_write(events, count, cut);
}

static char *random_trace(void) { return random_trace_of(EVENTS); }

struct walked {
    uint64_t seq[64];
    uint32_t thread[64];
    uint64_t position[64];
};

/* Steps in both directions from a place; every step is noted, an end as well. */
static void walk(hs_trace *t, const struct hs_filter *filter, uint64_t at, struct walked *out)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_event *e;
    hs_cursor *c;
    assert_int_equal(hs_events_open(t, filter, &c, &error), 0);
    assert_int_equal(hs_cursor_seek(c, at, &error), 0);
    for (unsigned i = 0; i < 64; i++) {
        int more = i / 9 % 2 == 0 ? hs_event_next(c, &e, &error) : hs_event_previous(c, &e, &error);
        assert_true(more >= 0);
        out->seq[i] = more > 0 ? e->seq : UINT64_MAX;
        out->thread[i] = more > 0 ? e->thread : 0;
        out->position[i] = more > 0 ? e->position : 0;
    }
    hs_cursor_close(c);
}

static const unsigned types[] = { 0, EVENT_METHOD_ENTRY, EVENT_METHOD_NORMAL_EXIT, EVENT_LOCAL_STORE, EVENT_CATCH };
static const char *const texts[] = { "z/", "", "no string has this" };
static const char *const wanted[] = { "\"a\"...", "\"no string is this\"", "#2001", "String#2001", "7", "null" };

/* A filter of up to all conditions, most of which are not set. */
static void random_filter(hs_trace *t, struct hs_filter *out)
{
    static uint32_t threads[2];
    uint32_t events = (uint32_t)hs_event_count(t), type = roll(5);
    *out = (struct hs_filter)HS_FILTER_ALL;
    out->object = roll(2) == 0 ? 0 : roll(2) == 0 ? OBJECT_FAR : OBJECT_USER;
    out->events = type != 0 ? &types[type] : NULL;
    out->event_count = type != 0;
    out->from = roll(3) == 0 ? roll(events) : 0;
    out->to = roll(3) == 0 ? roll(events) : UINT64_MAX;
    threads[0] = roll(THREADS + 1);
    threads[1] = roll(THREADS + 1);
    out->threads = roll(3) == 0 ? threads : NULL;
    out->thread_count = out->threads != NULL ? 1 + roll(2) : 0;
    out->text = roll(4) == 0 ? texts[roll(3)] : NULL;
    out->value = roll(4) == 0 ? wanted[roll(6)] : NULL;
    if (out->text != NULL || out->value != NULL)
        out->object = 0;
}

static void answers(const char *dir, bool build, struct walked *out)
{
    hs_trace *t;
    struct hs_error error = HS_ERROR_INIT;
    assert_int_equal(hs_open(dir, 0, NULL, &t, &error), 0);
    if (build) {
        assert_int_equal(hs_index_build(t, &error), 0);
        const struct hs_index_info *info = hs_index_info(t);
        assert_int_equal(info->indexed, info->chunks);
    }
    seed = 99;
    for (unsigned i = 0; i < WALKS; i++) {
        struct hs_filter filter;
        random_filter(t, &filter);
        walk(t, &filter, roll((uint32_t)hs_event_count(t) + 10), &out[i]);
    }
    hs_close(t);
}

static char *index_of(const char *dir)
{
    static char path[512];
    (void)snprintf(path, sizeof path, "%s/index", dir);
    return path;
}

static void gives_what_a_walk_gives(void **state)
{
    (void)state;
    static struct walked without[WALKS], with[WALKS];
    for (seed = 1; seed <= SEEDS; seed++) {
        uint64_t keep = seed;
        char *dir = random_trace();
        answers(dir, false, without);
        assert_int_not_equal(access(index_of(dir), F_OK), 0); /* cursors do not build one */
        answers(dir, true, with);
        assert_memory_equal(without, with, sizeof with);
        answers(dir, false, with); /* from the file */
        assert_memory_equal(without, with, sizeof with);
        assert_int_equal(unlink(index_of(dir)), 0);
        fixture_remove(dir);
        seed = keep;
    }
}

struct sums {
    uint64_t counts[ID_COUNT];
    double bytes[ID_COUNT];
    size_t methods;
    struct hs_cost costs[8];
};

/* What all events add up to; with `build` the index has to know it. */
static void add_up(const char *dir, bool build, struct sums *out)
{
    hs_trace *t;
    struct hs_error error = HS_ERROR_INIT;
    struct error err;
    hs_cursor *costs;
    const struct hs_cost *cost;
    memset(out, 0, sizeof *out);
    assert_int_equal(hs_open(dir, 0, NULL, &t, &error), 0);
    if (build) {
        struct costs known = { .trace = t };
        assert_int_equal(hs_index_build(t, &error), 0);
        assert_int_equal(index_costs(t, &known, &err), OK);
        costs_done(&known);
    }
    assert_int_equal(hs_count_dataids(t, out->counts, out->bytes, &error), 0);
    assert_int_equal(hs_costs_open(t, 0, HS_NO_SEQ, &costs, &error), 0);
    out->methods = (size_t)hs_cursor_count(costs);
    assert_true(out->methods > 0 && out->methods <= 8);
    for (size_t i = 0; hs_cost_next(costs, &cost, &error) > 0; i++)
        out->costs[i] = *cost;
    hs_cursor_close(costs);
    hs_close(t);
}

static void adds_up_to_the_same(void **state)
{
    (void)state;
    static struct sums without, with;
    for (uint64_t round = 1; round <= SEEDS; round++) {
        seed = round;
        char *dir = random_trace();
        struct stat info;
        add_up(dir, false, &without);
        add_up(dir, true, &with);
        assert_memory_equal(&without, &with, sizeof with);
        assert_int_equal(stat(index_of(dir), &info), 0);
        for (unsigned i = 1; i < 8; i++) { /* interrupted anywhere, it goes on with the calls that were open there */
            assert_int_equal(truncate(index_of(dir), info.st_size * i / 8), 0);
            add_up(dir, true, &with);
            assert_memory_equal(&without, &with, sizeof with);
        }
        uint64_t calls = 0;
        for (size_t i = 0; i < with.methods; i++)
            calls += with.costs[i].calls;
        assert_int_equal(calls, with.counts[ID_ENTRY] + with.counts[ID_ENTRY_OTHER]);
        assert_int_equal(unlink(index_of(dir)), 0);
        fixture_remove(dir);
    }
}

enum { FLIGHTS_MAX = 1 << 14, EXITS_MAX = 64, EXCEPTIONS = 4 };
/* A flight of an exception with the exits that its row points to. */
struct kept_exception {
    struct hs_exception row;
    uint64_t alike;
    uint32_t dataid; /* of its first event */
    uint64_t exits[EXITS_MAX];
};

/* The flights of exceptions; their number. */
static size_t exceptions_from(const char *dir, bool build, uint64_t from, struct kept_exception *out)
{
    hs_trace *t;
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *c;
    const struct hs_exception *x;
    size_t n = 0;
    int more;
    assert_int_equal(hs_open(dir, 0, NULL, &t, &error), 0);
    if (build) {
        struct exception_lists lists = { 0 };
        struct error err;
        assert_int_equal(hs_index_build(t, &error), 0);
        assert_int_equal(index_exceptions(t, &lists, &err), OK);
        exception_lists_done(&lists);
    }
    t->index_wished = UINT64_MAX; /* what is not there is not built */
    assert_int_equal(hs_exceptions_open_from(t, from, &c, &error), 0);
    while ((more = hs_exception_next(c, &x, &error)) > 0) {
        assert_true(n < FLIGHTS_MAX);
        assert_true(x->exit_count <= EXITS_MAX && x->exit_count <= x->left);
        out[n].row = *x;
        out[n].row.exits = NULL;
        out[n].row.first = NULL;
        out[n].row.type = NULL;
        out[n].alike = hs_exception_alike(c);
        out[n].dataid = x->first->dataid;
        if (x->exit_count > 0)
            memcpy(out[n].exits, x->exits, x->exit_count * sizeof *x->exits);
        n++;
    }
    assert_int_equal(more, 0);
    hs_cursor_close(c);
    hs_close(t);
    return n;
}

static size_t exceptions_of(const char *dir, bool build, struct kept_exception *out)
{
    return exceptions_from(dir, build, 0, out);
}

static void finds_the_same_exceptions(void **state)
{
    (void)state;
    static struct kept_exception without[FLIGHTS_MAX], with[FLIGHTS_MAX];
    for (uint64_t round = 1; round <= SEEDS; round++) {
        seed = round;
        char *dir = random_trace();
        size_t n = exceptions_of(dir, false, without);
        uint32_t ids[EXCEPTIONS], id_count = 0; /* random events throw the few objects many times */
        for (size_t i = 0; i < n; i++) {
            uint32_t k = 0;
            while (k < id_count && ids[k] != without[i].row.id)
                k++;
            assert_true(k < EXCEPTIONS);
            ids[k] = without[i].row.id;
            id_count += k == id_count;
            assert_true(i == 0 || without[i - 1].row.thrown < without[i].row.thrown);
        }
        assert_int_equal(id_count, EXCEPTIONS);
        assert_int_equal(exceptions_of(dir, true, with), n);
        assert_memory_equal(without, with, n * sizeof *with);
        assert_int_equal(unlink(index_of(dir)), 0);
        fixture_remove(dir);
    }
}

/* Events of few methods, in which most exceptions are new, are caught at once, and some are used or thrown later: in
 * another segment, too. */
static char *trace_of_exceptions(uint32_t threads)
{
    enum { KNOWN = 40, FIRST = 3000 };
    static struct fake_event events[EVENTS];
    uint64_t stamp[THREADS] = { 0 };
    uint32_t flying[THREADS] = { 0 }, next = FIRST;
    for (size_t i = 0; i < EVENTS; i++) {
        const uint32_t thread = roll(threads), what = roll(20), reach = roll(8) == 0 ? KNOWN * 9 : KNOWN;
        const uint32_t old = next > FIRST ? next - 1 - roll(next - FIRST < reach ? next - FIRST : reach) : next++;
        struct fake_event e = { thread, 0, ID_CATCH, flying[thread] };
        stamp[thread] += roll(4) == 0 ? roll(40) : 0;
        e.stamp = stamp[thread];
        if (flying[thread] == 0 || what == 0) {
            e.id = what < 10 ? ID_THROW : what < 13 ? ID_ENTRY_OTHER : what < 15 ? ID_EXIT_OTHER : ID_PARAM_REF;
            e.value = what == 0 ? old : what < 10 ? next++ : what < 13 ? 0 : what == 18 ? old : OBJECT_USER;
        }
        flying[thread] = e.id == ID_THROW ? (uint32_t)e.value : e.id == ID_CATCH ? 0 : flying[thread];
        events[i] = e;
    }
    return fixture_write(events, EVENTS, cut);
}

struct kept_group {
    uint64_t alike, thrown, caught, times, left;
    uint32_t id, dataid, caught_dataid, thread;
    bool swallowed, threads, exits;
};

static void join_group(struct kept_group *all, size_t *count, const struct hs_exception_group *g)
{
    const struct hs_exception *x = g->first;
    const struct kept_group new = { .alike = g->alike,
                                    .thrown = x->thrown,
                                    .caught = x->caught,
                                    .times = g->times,
                                    .left = x->left,
                                    .id = x->id,
                                    .dataid = x->first->dataid,
                                    .caught_dataid = x->caught_dataid,
                                    .thread = x->first->thread,
                                    .swallowed = x->swallowed,
                                    .threads = g->threads,
                                    .exits = g->exits };
    size_t at = 0;
    while (at < *count && (all[at].alike != new.alike || all[at].dataid != new.dataid ||
                           all[at].caught_dataid != new.caught_dataid || all[at].swallowed != new.swallowed))
        at++;
    if (at == *count) {
        all[(*count)++] = new;
        return;
    }
    struct kept_group *to = &all[at];
    to->times += new.times;
    to->threads |= new.threads || to->thread != new.thread;
    to->exits |= new.exits || to->left != new.left;
    to->left = new.left < to->left ? new.left : to->left;
}

/* Exceptions by place and fate: of each flight, or of groups; their number. `rows`: of how many. */
static size_t groups_of(const char *dir, bool build, struct kept_group *out, size_t *rows)
{
    hs_trace *t;
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *c;
    const struct hs_exception *x;
    const struct hs_exception_group *g;
    size_t n = 0;
    int more;
    memset(out, 0, FLIGHTS_MAX * sizeof *out);
    *rows = 0;
    assert_int_equal(hs_open(dir, 0, NULL, &t, &error), 0);
    if (build)
        assert_int_equal(hs_index_build(t, &error), 0);
    t->index_wished = UINT64_MAX;
    assert_int_equal((build ? hs_exception_groups_open : hs_exceptions_open)(t, &c, &error), 0);
    while ((more = build ? hs_exception_group_next(c, &g, &error) : hs_exception_next(c, &x, &error)) > 0) {
        const struct hs_exception_group one = { .first = x, .times = 1, .alike = build ? 0 : hs_exception_alike(c) };
        join_group(out, &n, build ? g : &one);
        assert_true(++*rows < FLIGHTS_MAX);
    }
    assert_int_equal(more, 0);
    hs_cursor_close(c);
    hs_close(t);
    return n;
}

static void counts_the_same_groups(void **state)
{
    (void)state;
    static struct kept_group without[FLIGHTS_MAX], with[FLIGHTS_MAX];
    size_t flights, rows, joined = 0;
    struct stat info;
    for (uint64_t round = 1; round <= 2 * SEEDS; round++) {
        seed = round;
        char *dir = trace_of_exceptions(1 + (uint32_t)round % 3);
        size_t n = groups_of(dir, false, without, &flights);
        assert_true(n >= 2 && flights > 300);
        assert_int_equal(groups_of(dir, true, with, &rows), n);
        assert_memory_equal(without, with, n * sizeof *with);
        joined += rows < flights / 2;
        assert_int_equal(stat(index_of(dir), &info), 0);
        for (unsigned i = 1; i < 4; i++) { /* what was thrown in segments of a build before is known */
            assert_int_equal(truncate(index_of(dir), info.st_size * i / 4), 0);
            assert_int_equal(groups_of(dir, true, with, &rows), n);
            assert_memory_equal(without, with, n * sizeof *with);
        }
        assert_int_equal(unlink(index_of(dir)), 0);
        fixture_remove(dir);
    }
    assert_true(joined >= SEEDS / 2); /* those of one thread at least */
}

/* Of each segment by itself, from the first on and from anywhere, and where a segment of the index is damaged. */
static void reads_exceptions_by_segments(void **state)
{
    (void)state;
    static struct kept_exception without[FLIGHTS_MAX], with[FLIGHTS_MAX];
    for (uint64_t round = 1; round <= SEEDS; round++) {
        seed = round;
        char *dir = trace_of_exceptions(1 + (uint32_t)round % 3), byte;
        const size_t n = exceptions_of(dir, false, without);
        assert_int_equal(exceptions_of(dir, true, with), n);
        assert_memory_equal(without, with, n * sizeof *with);
        for (unsigned i = 0; i < 8; i++) {
            const uint64_t from = roll(EVENTS + 10);
            size_t first = 0;
            while (first < n && without[first].row.thrown < from)
                first++;
            assert_int_equal(exceptions_from(dir, false, from, with), n - first);
            assert_memory_equal(without + first, with, (n - first) * sizeof *with);
        }
        struct stat info;
        assert_int_equal(stat(index_of(dir), &info), 0);
        for (unsigned i = 0; i < FLIPS / 6; i++) {
            const int fd = open(index_of(dir), O_RDWR);
            const off_t at = (off_t)roll((uint32_t)info.st_size);
            assert_int_equal(pread(fd, &byte, 1, at), 1);
            const char flipped = (char)(byte ^ 1 << roll(8));
            assert_int_equal(pwrite(fd, &flipped, 1, at), 1);
            assert_int_equal(exceptions_from(dir, false, 0, with), n);
            assert_memory_equal(without, with, n * sizeof *with);
            assert_int_equal(pwrite(fd, &byte, 1, at), 1);
            assert_int_equal(close(fd), 0);
        }
        assert_int_equal(unlink(index_of(dir)), 0);
        fixture_remove(dir);
    }
}

enum { LAST_OF_STREAM = 32 };

/* The last events of each data ID, asked for all together or one by one. */
static void last_of(hs_trace *t, bool together, uint64_t seqs[ID_COUNT][LAST_OF_STREAM + 1])
{
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *l;
    uint32_t ids[ID_COUNT];
    size_t n;
    memset(seqs, 0, ID_COUNT * sizeof *seqs);
    assert_int_equal(hs_latest_open(t, &l, &error), 0);
    for (uint32_t i = 0; i < ID_COUNT; i++)
        ids[i] = i;
    if (together)
        assert_int_equal(hs_latest_read(l, ids, ID_COUNT, true, &error), 0);
    for (uint32_t i = 0; i < ID_COUNT; i++) {
        if (!together)
            assert_int_equal(hs_latest_read(l, &i, 1, false, &error), 0);
        const struct hs_event *e;
        assert_int_equal(hs_latest_select(l, i, &n, &error), 0);
        assert_true(n <= LAST_OF_STREAM);
        seqs[i][0] = n;
        for (size_t k = 0; k < n; k++) {
            assert_int_equal(hs_event_next(l, &e, &error), 1);
            assert_int_equal(e->dataid, i);
            seqs[i][k + 1] = e->seq;
        }
        assert_int_equal(hs_event_next(l, &e, &error), 0);
    }
    hs_cursor_close(l);
}

static void finds_the_last_events(void **state)
{
    (void)state;
    static uint64_t expected[ID_COUNT][LAST_OF_STREAM + 1], got[ID_COUNT][LAST_OF_STREAM + 1];
    seed = 4;
    char *dir = random_trace();
    hs_trace *t;
    hs_cursor *c;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_event *e;
    assert_int_equal(hs_open(dir, 0, NULL, &t, &error), 0);
    t->index_wished = UINT64_MAX;
    assert_int_equal(hs_events_open(t, NULL, &c, &error), 0);
    while (hs_event_next(c, &e, &error) > 0) {
        uint64_t *x = expected[e->dataid];
        if (x[0] == LAST_OF_STREAM)
            memmove(&x[1], &x[2], (LAST_OF_STREAM - 1) * sizeof *x);
        else
            x[0]++;
        x[x[0]] = e->seq;
    }
    hs_cursor_close(c);
    for (unsigned indexed = 0; indexed < 2; indexed++) {
        if (indexed)
            assert_int_equal(hs_index_build(t, &error), 0);
        last_of(t, true, got);
        assert_memory_equal(got, expected, sizeof got);
        last_of(t, false, got);
        assert_memory_equal(got, expected, sizeof got);
    }
    hs_close(t);
    assert_int_equal(unlink(index_of(dir)), 0);
    fixture_remove(dir);
}

static void finds_places_and_numbers(void **state)
{
    (void)state;
    seed = 7;
    char *dir = random_trace();
    hs_trace *t;
    hs_cursor *c;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_event *at, *e;
    assert_int_equal(hs_open(dir, 0, NULL, &t, &error), 0);
    assert_int_equal(hs_events_open(t, NULL, &c, &error), 0);
    while (hs_event_next(c, &e, &error) > 0) {
        assert_int_equal(hs_event_at(t, e->seq, &at, &error), 0);
        assert_int_equal(at->position, e->position);
        assert_int_equal(at->thread, e->thread);
        assert_int_equal(at->dataid, e->dataid);
    }
    assert_int_equal(hs_event_at(t, EVENTS, &at, &error), -1);
    hs_cursor_close(c);
    hs_close(t);
    fixture_remove(dir);
}

/* Stretches of events from..to against the events: each covers what it says, and all are covered. */
static void check_stretches(hs_trace *t, uint64_t from, uint64_t to, uint64_t seqs[THREADS][EVENTS],
                            const uint64_t *events, const bool *is_entry)
{
    enum { OFF = CHUNK * (THREADS - 1) }; /* a stretch is no longer than a chunk */
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_stretch *s;
    hs_cursor *c;
    bool covered[EVENTS] = { 0 };
    uint64_t next[THREADS] = { 0 };
    int more;
    assert_int_equal(hs_stretches_open(t, from, to, &c, &error), 0);
    while ((more = hs_stretch_next(c, &s, &error)) > 0) {
        uint64_t calls = 0;
        assert_true(s->thread < THREADS && s->position + s->events <= events[s->thread]);
        assert_true(next[s->thread] == 0 || next[s->thread] == s->position);
        next[s->thread] = s->position + s->events;
        for (uint64_t i = s->position; i < next[s->thread]; i++) {
            covered[seqs[s->thread][i]] = true;
            calls += is_entry[seqs[s->thread][i]];
        }
        assert_int_equal(s->calls, calls);
        uint64_t seq = s->events > 0 ? seqs[s->thread][s->position] : 0;
        if (s->events > 0 && seq >= from)
            assert_in_range(s->seq + OFF - seq, 0, 2 * OFF);
        else if (s->events > 0)
            assert_in_range(s->seq, 0, from + OFF);
    }
    assert_int_equal(more, 0);
    hs_cursor_close(c);
    for (uint64_t seq = from + OFF; seq + OFF <= to && seq < EVENTS; seq++)
        assert_true(covered[seq]);
}

static void has_stretches_of_any_part(void **state)
{
    (void)state;
    static uint64_t seqs[THREADS][EVENTS];
    static bool is_entry[EVENTS];
    for (seed = 1; seed <= SEEDS; seed++) {
        uint64_t kept = seed, events[THREADS] = { 0 };
        char *dir = random_trace();
        struct hs_error error = HS_ERROR_INIT;
        const struct hs_event *e;
        hs_trace *t;
        hs_cursor *c;
        assert_int_equal(hs_open(dir, 0, NULL, &t, &error), 0);
        assert_int_equal(hs_events_open(t, NULL, &c, &error), 0);
        while (hs_event_next(c, &e, &error) > 0) {
            seqs[e->thread][events[e->thread]++] = e->seq;
            is_entry[e->seq] = e->dataid == ID_ENTRY || e->dataid == ID_ENTRY_OTHER;
        }
        hs_cursor_close(c);
        check_stretches(t, 0, HS_NO_SEQ, seqs, events, is_entry);
        for (unsigned i = 0; i < WALKS; i++) {
            uint64_t from = roll(EVENTS);
            check_stretches(t, from, from + roll(EVENTS / 2), seqs, events, is_entry);
        }
        hs_close(t);
        (void)unlink(index_of(dir));
        fixture_remove(dir);
        seed = kept;
    }
}

static uint32_t long_cut(void) { return 9000 + roll(100); }

static bool has_same_frames(const lane_frame_vec *a, const lane_frame_vec *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = a->items[i].method == b->items[i].method && a->items[i].entry == b->items[i].entry;
    return same;
}

/* Of very many pieces several are one, with their sums, and with the frames before the first of them. */
static void joins_pieces_of_a_long_part(void **state)
{
    (void)state;
    enum { LONG = 60000, OF_TWO = 2 };
    seed = 11;
    struct fake_event *events = calloc(LONG, sizeof *events);
    assert_non_null(events);
    for (uint64_t i = 0; i < LONG; i++) {
        const uint32_t id = roll(2) == 0 ? ID_EXIT_VOID : roll(3) > 0 ? ID_ENTRY : ID_ENTRY_OTHER;
        events[i] = (struct fake_event){ roll(OF_TWO), i, id, 0 };
    }
    char *dir = fixture_write(events, LONG, long_cut);
    hs_trace *t;
    struct hs_error error = HS_ERROR_INIT;
    struct error err;
    struct lanes all, few;
    lane_frame_vec all_frames = { 0 }, few_frames = { 0 };
    assert_int_equal(hs_open(dir, 0, NULL, &t, &error), 0);
    ok(lanes_load(t, 0, HS_NO_SEQ, LANE_PIECES_MOST, &all, &err));
    ok(lanes_load(t, 0, HS_NO_SEQ, LONG / LANE_EVENTS, &few, &err)); /* two in one, of three in a chunk */
    assert_true(few.pieces.count < all.pieces.count && few.pieces.count > OF_TWO);
    size_t k = 0, depth = 0;
    for (size_t i = 0; i < few.pieces.count; i++) {
        const struct lane_piece *p = &few.pieces.items[i];
        struct lane_piece sum = all.pieces.items[k];
        assert_true(lanes_frames(t, &few, p, &few_frames));
        for (uint32_t part = 0; part <= p->joined; part++, k++) {
            const struct lane_piece *q = &all.pieces.items[k];
            assert_true(lanes_frames(t, &all, q, &all_frames));
            if (part == 0) {
                assert_true(has_same_frames(&all_frames, &few_frames));
                depth += few_frames.count;
                continue;
            }
            sum.events += q->events;
            sum.calls += q->calls;
            sum.least = q->least < sum.least ? q->least : sum.least;
            sum.most = q->most > sum.most ? q->most : sum.most;
        }
        assert_true(p->stream == sum.stream && p->position == sum.position && p->depth == sum.depth);
        assert_true(p->events == sum.events && p->calls == sum.calls && p->least == sum.least && p->most == sum.most);
    }
    assert_int_equal(k, all.pieces.count);
    assert_true(depth > few.pieces.count);
    lanes_done(&all);
    lanes_done(&few);
    vec_free(&all_frames);
    vec_free(&few_frames);
    hs_close(t);
    (void)unlink(index_of(dir));
    fixture_remove(dir);
    free(events);
}

static void survives_a_damaged_file(void **state)
{
    (void)state;
    static struct walked without[WALKS], with[WALKS];
    seed = 3;
    char *dir = random_trace_of(FEW_EVENTS);
    answers(dir, false, without);
    answers(dir, true, with);
    struct stat info;
    assert_int_equal(stat(index_of(dir), &info), 0);
    for (unsigned round = 0; round < FLIPS; round++) {
        seed = 1000 + round;
        int fd = open(index_of(dir), O_RDWR);
        uint8_t byte;
        off_t where = (off_t)roll((uint32_t)info.st_size);
        assert_int_equal(pread(fd, &byte, 1, where), 1);
        byte ^= (uint8_t)(1 << roll(8));
        assert_int_equal(pwrite(fd, &byte, 1, where), 1);
        assert_int_equal(close(fd), 0);
        answers(dir, false, with);
        assert_memory_equal(without, with, sizeof with);
        byte = 0;
        if (round % (FLIPS / 3) == FLIPS / 3 - 1) { /* cut: what is missing is built again */
            assert_int_equal(truncate(index_of(dir), (off_t)roll((uint32_t)info.st_size)), 0);
            answers(dir, true, with);
            assert_memory_equal(without, with, sizeof with);
            assert_int_equal(stat(index_of(dir), &info), 0);
        }
    }
    assert_int_equal(unlink(index_of(dir)), 0);
    fixture_remove(dir);
}

static void frames_of_the_fixture(void **state)
{
    (void)state;
    static const struct fake_event events[] = {
        { 0, 1, ID_ENTRY, 0 },       { 0, 1, ID_PARAM_INT, 5 },
        { 0, 1, ID_ENTRY_OTHER, 0 }, { 0, 2, ID_EXIT_OTHER, OBJECT_USER },
        { 0, 3, ID_EXIT_VOID, 0 },
    };
    static const size_t depth[] = { 1, 1, 2, 2, 1 };
    seed = 1;
    char *dir = fixture_write(events, 5, cut);
    hs_trace *t;
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *frames;
    const struct hs_frame *frame;
    assert_int_equal(hs_open(dir, 0, NULL, &t, &error), 0);
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(hs_frames_open(t, i, &frames, &error), 0);
        assert_int_equal(hs_cursor_count(frames), depth[i]);
        assert_int_equal(hs_cursor_seek(frames, depth[i] - 1, &error), 0);
        assert_int_equal(hs_frame_next(frames, &frame, &error), 1);
        assert_int_equal(frame->entered, 0);
        hs_cursor_close(frames);
    }
    hs_close(t);
    (void)unlink(index_of(dir));
    fixture_remove(dir);
}

/* The values of a data ID: each one that was added is had, whatever their order; none of a wide gap between is. */
static void ranges_have_every_value(void **state)
{
    static const int64_t centres[] = { 0, 5000000, INT64_MIN + 500, INT64_MAX - 500, -70000 };
    enum { CENTRES = sizeof centres / sizeof *centres, COUNT = 300 };
    static const uint8_t kinds[] = { KIND_LONG };
    (void)state;
    for (seed = 1; seed <= 200; seed++) {
        const uint32_t used = 1 + roll(CENTRES), count = 1 + roll(COUNT);
        const bool rising = roll(2) == 0;
        uint32_t ids[COUNT] = { 0 };
        uint64_t values[COUNT];
        struct segment_values v = { 0 };
        for (uint32_t i = 0; i < count; i++)
            values[i] = (uint64_t)centres[rising ? i * used / count : roll(used)] + roll(100);
        segment_values_add(&v, kinds, &(struct chunk_columns){ .ids = ids, .values = values, .count = count });
        for (uint32_t i = 0; i < count; i++)
            assert_true(index_values_have(&v, (int64_t)values[i]));
        for (uint32_t i = 0; i < VALUES_RANGES && used <= VALUES_RANGES; i++) { /* as many ranges as centres */
            assert_false(index_values_have(&v, centres[i] + 200));
            assert_false(index_values_have(&v, centres[i] - 200));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_what_a_walk_gives),   cmocka_unit_test(adds_up_to_the_same),
        cmocka_unit_test(finds_the_same_exceptions), cmocka_unit_test(finds_the_last_events),
        cmocka_unit_test(finds_places_and_numbers),  cmocka_unit_test(survives_a_damaged_file),
        cmocka_unit_test(frames_of_the_fixture),     cmocka_unit_test(has_stretches_of_any_part),
        cmocka_unit_test(ranges_have_every_value),   cmocka_unit_test(joins_pieces_of_a_long_part),
        cmocka_unit_test(counts_the_same_groups),    cmocka_unit_test(reads_exceptions_by_segments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
