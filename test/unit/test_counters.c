/* test_counters.c - data IDs whose events the hook keeps by itself (logging/aggregate/counters.h): nothing is missing
 * and nothing is there twice, whenever one looks. The hook is played by `hook` below, which does what HindsightHook.put
 * does. */
#include "reader_fixture.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "formats/recover.h"
#include "formats/roles.h"
#include "logging/recording/recorder.h"

/* Two records: a value with another joined to it, and one alone, which has a role and so never gets a counter. */
enum { PAIR, PAIR_SECOND, ALONE, IDS, KEEP = 3 };
static const uint8_t kinds[IDS + 1] = { 'I', 'I' | KIND_JOINED, 'I', 0 };
static const uint8_t roles[IDS] = { ROLE_NONE, ROLE_NONE, ROLE_CATCH };

/* One for each test: a recorder's memory lives as long as its process, since threads of a JVM may still write. */
static struct recorder recorders[8];
static unsigned recorder_number;
#define recorder recorders[recorder_number]
static struct error err;
static char dir[32];
static uint64_t in_counters;

static void begin(const char *format)
{
    struct writer letters = { 0 };
    assert_true(++recorder_number < sizeof recorders / sizeof *recorders);
    (void)snprintf(dir, sizeof dir, "counters-XXXXXX");
    assert_non_null(mkdtemp(dir));
    ok(recorder_open(&recorder, &(struct recorder_target){ .dir = dir }, false, &err));
    ok(recorder_use_sink(&recorder, sink_of(format_find(format)->id), KEEP, true, &err));
    write_bytes(&letters, kinds, IDS);
    assert_true(recorder_add_dataids(&recorder, kinds, roles, NULL, IDS));
    assert_true(pendinglog_put(&recorder.pending, DB_KIND, 0, &letters));
    assert_true(pendinglog_put_info(&recorder.pending, "version", SCHEMA_VERSION));
    assert_true(pendinglog_put_info(&recorder.pending, "format", format));
    writer_free(&letters);
    ok(recorder_start(&recorder, &err));
    in_counters = 0;
}

static hs_trace *opened(void)
{
    hs_trace *t = NULL;
    struct hs_error error = HS_ERROR_INIT;
    if (hs_open(dir, 0, NULL, &t, &error) != 0)
        fail_msg("%s", error.text);
    assert_null(hs_damage(t));
    return t;
}

static hs_trace *end(void)
{
    struct recorder_totals totals;
    recorder_close(&recorder, &totals);
    assert_false(recorder.failed);
    return opened();
}

static void gone(hs_trace *t)
{
    hs_close(t);
    fixture_remove(strdup(dir));
}

static const struct counter *counter; /* that was written last; NULL: it may be in use elsewhere since */
static uint64_t position;             /* the next one of it */

/* Like a loop, it stores its position now and then, and before and behind the last entry of the ring. */
static void keep(struct thread_desc *d, struct counter *c, const uint64_t *values)
{
    in_counters++;
    if (counter != c || c->words == 0)
        position = c->position;
    counter = c;
    if (c->words == 0) {
        __atomic_store_n(&c->position, position + 1, __ATOMIC_RELEASE);
        return;
    }
    uint64_t *entry = (uint64_t *)(uintptr_t)c->ring + position % c->bytes / 8;
    entry[0] = journal_stamp(&recorder.journal);
    memcpy(entry + 2, values, (c->words - 2) * sizeof *values);
    if ((position + 8u * c->words) % c->bytes == 0)
        __atomic_store_n(&c->position, position, __ATOMIC_RELEASE);
    __atomic_store_n(&entry[1], d->number, __ATOMIC_RELEASE);
    d->number += c->events;
    position += 8u * c->words;
    if (position % c->bytes == 0 || in_counters % 5 == 0)
        __atomic_store_n(&c->position, position, __ATOMIC_RELEASE);
}

static void hook(struct thread_desc *d, uint32_t id, uint64_t a, uint64_t b)
{
    const int64_t *counters = (const int64_t *)(uintptr_t)__atomic_load_n(&d->cells, __ATOMIC_ACQUIRE);
    int64_t address = __atomic_load_n(&counters[id], __ATOMIC_ACQUIRE);
    uint64_t values[2] = { a, b };
    if (address != 0) {
        keep(d, (struct counter *)(uintptr_t)address, values);
        return;
    }
    unsigned count = recorder.record_shapes[id] & RECORD_EVENTS, n = 0;
    uint64_t at = d->pos, words[4];
    if (d->pos >= __atomic_load_n(&d->limit, __ATOMIC_RELAXED))
        at = journal_room(&recorder.journal, d, sizeof words);
    assert_true(at != 0);
    words[n++] = journal_stamp(&recorder.journal) << 32 | id; /* not before a new buffer has begun */
    if (recorder.drain.format.numbered)
        words[n++] = d->number;
    d->number += count;
    memcpy(words + n, values, count * sizeof *values);
    memcpy((void *)(uintptr_t)at, words, (n + count) * sizeof *words);
    __atomic_store_n(&d->pos, at + (n + count) * sizeof *words, __ATOMIC_RELEASE);
}

/* Works until counters have taken so many records; every tenth round the other record comes too. Returns the rounds. */
static uint64_t work(struct thread_desc *d, uint64_t from, uint64_t wanted)
{
    counter = NULL;
    const struct timespec pause = { 0, 1000000 };
    uint64_t i = from, before = in_counters;
    for (; in_counters - before < wanted; i++) {
        hook(d, PAIR, i, 2 * i);
        if (i % 10 == 0)
            hook(d, ALONE, i, 0);
        if (i % 50000 == 49999)
            (void)nanosleep(&pause, NULL); /* the drain is to learn which ones come often */
        assert_true(i < from + 200000000); /* it never does */
    }
    return i;
}

/* So many rounds were worked, the last of them by `thread` from number 0 on. */
static void check_rounds(hs_trace *t, uint64_t rounds, bool rings)
{
    uint64_t counts[IDS];
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *latest = NULL;
    assert_int_equal(hs_dataid_count(t), IDS);
    assert_int_equal(hs_count_dataids(t, counts, NULL, &error), 0);
    assert_int_equal(counts[PAIR], rounds);
    assert_int_equal(counts[PAIR_SECOND], rounds);
    assert_int_equal(counts[ALONE], (rounds + 9) / 10);
    if (!rings)
        return;
    assert_int_equal(hs_latest_open(t, &latest, &error), 0);
    assert_int_equal(hs_latest_read(latest, (const uint32_t[]){ 0, 1, 2 }, IDS, true, &error), 0);
    for (uint32_t id = 0; id < IDS; id++) {
        size_t n;
        const struct hs_event *e;
        assert_int_equal(hs_latest_select(latest, id, &n, &error), 0);
        assert_int_equal(n, KEEP);
        for (size_t k = 0; k < n; k++) {
            assert_int_equal(hs_event_next(latest, &e, &error), 1);
            uint64_t round = id == ALONE ? (rounds - 1) / 10 * 10 - 10 * (KEEP - 1 - k) : rounds - KEEP + k;
            assert_int_equal(e->value, id == PAIR_SECOND ? 2 * round : round);
            assert_int_equal(e->seq, 2 * round + (round + 9) / 10 + (id == PAIR_SECOND ? 1 : id == ALONE ? 2 : 0));
        }
    }
    hs_cursor_close(latest);
}

static void what_comes_often_is_kept_by_the_hook(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        begin(k == 0 ? "latest" : "freq");
        struct thread_desc *d = journal_desc_acquire(&recorder.journal, 0);
        uint64_t rounds = work(d, 0, 100000);
        assert_int_equal(((const uint64_t *)(uintptr_t)d->table)[ALONE], 0);
        hs_trace *t = end();
        check_rounds(t, rounds, k == 0);
        gone(t);
    }
}

static void a_snapshot_shows_what_is_in_counters(void **state)
{
    (void)state;
    begin("latest");
    struct thread_desc *d = journal_desc_acquire(&recorder.journal, 0);
    uint64_t rounds = 0;
    for (int k = 0; k < 10; k++) {
        rounds = work(d, rounds, 1000);
        assert_true(recorder_snapshot(&recorder));
        hs_trace *t = opened();
        check_rounds(t, rounds, true);
        hs_close(t);
    }
    hs_trace *t = end();
    check_rounds(t, rounds, true);
    gone(t);
}

static void counters_of_a_thread_that_ended_serve_the_next(void **state)
{
    (void)state;
    begin("latest");
    uint64_t events[6], all = 0, used = 0;
    for (uint32_t thread = 0; thread < 6; thread++) {
        struct thread_desc *d = journal_desc_acquire(&recorder.journal, thread);
        uint64_t rounds = work(d, 0, 1000);
        events[thread] = 2 * rounds + (rounds + 9) / 10;
        all += rounds;
        journal_desc_release(&recorder.journal, d);
        assert_true(recorder_snapshot(&recorder)); /* by then the drain has noticed */
        if (thread == 1)
            used = recorder.state.head->rows[STATE_COUNTER];
    }
    assert_int_equal(recorder.state.head->rows[STATE_COUNTER], used);
    hs_trace *t = end();
    uint64_t counts[IDS];
    struct hs_error error = HS_ERROR_INIT;
    assert_int_equal(hs_count_dataids(t, counts, NULL, &error), 0);
    assert_int_equal(counts[PAIR], all);
    for (uint32_t thread = 0; thread < 6; thread++)
        assert_int_equal(hs_thread_get(t, thread)->events, events[thread]);
    gone(t);
}

/* A virtual thread's descriptor changes threads at any time. */
static void a_guest_gets_no_counters(void **state)
{
    (void)state;
    begin("freq");
    struct thread_desc *d = journal_desc_acquire(&recorder.journal, 0);
    d->is_guest = 1;
    for (uint64_t i = 0; i < 300000; i++)
        hook(d, PAIR, i, i);
    assert_true(recorder_snapshot(&recorder));
    assert_true(d->table == 0 && in_counters == 0);
    gone(end());
}

static void counters_survive_a_kill(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 6; k++) {
        uint64_t *progress = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        assert_true(progress != MAP_FAILED);
        (void)snprintf(dir, sizeof dir, "counters-%d-%u", (int)getpid(), k);
        const char *name = strdup(dir);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            begin(k % 2 == 0 ? "latest" : "freq");
            (void)rename(dir, name);
            struct thread_desc *d = journal_desc_acquire(&recorder.journal, 0);
            for (uint64_t rounds = 0;;) {
                rounds = work(d, rounds, 50);
                __atomic_store_n(progress, rounds, __ATOMIC_RELEASE);
            }
        }
        while (__atomic_load_n(progress, __ATOMIC_ACQUIRE) == 0) {
        }
        (void)nanosleep(&(struct timespec){ k / 3, (long)(k * 37 % 100) * 10000000 }, NULL);
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, NULL, 0), child);
        (void)snprintf(dir, sizeof dir, "%s", name);
        free((void *)(uintptr_t)name);
        struct recover_result result;
        ok(recover_trace(dir, &result, &err));
        hs_trace *t = opened();
        uint64_t counts[IDS], reached = *progress;
        struct hs_error error = HS_ERROR_INIT;
        assert_int_equal(hs_count_dataids(t, counts, NULL, &error), 0);
        assert_true(counts[PAIR] >= reached);
        /* it may have been killed between the two events of a round */
        assert_true(counts[ALONE] == (counts[PAIR] + 9) / 10 || counts[ALONE] + 1 == (counts[PAIR] + 9) / 10);
        if (counts[ALONE] == (counts[PAIR] + 9) / 10)
            check_rounds(t, counts[PAIR], k % 2 == 0);
        assert_int_equal(hs_thread_get(t, 0)->events, counts[PAIR] * 2 + counts[ALONE]);
        gone(t);
        (void)munmap(progress, 4096);
    }
}

static void a_damaged_counter_is_left_out(void **state)
{
    (void)state;
    struct state s;
    uint8_t letters[IDS];
    memcpy(letters, kinds, IDS);
    (void)snprintf(dir, sizeof dir, "counters-XXXXXX");
    assert_non_null(mkdtemp(dir));
    ok(state_create(&s, dir, KEEP, false, &err));
    uint64_t at = (state_alloc(&s, 4096) + COUNTER_BYTES - 1) / COUNTER_BYTES * COUNTER_BYTES,
             *row = state_row(&s, STATE_COUNTER, 0);
    struct counter *c = state_block(&s, at), good = {
        .position = 224, .ring = s.head->heap + at + COUNTER_BYTES, .events = 2, .id = PAIR, .words = 4, .bytes = 128
    };
    for (int k = 0; k < 11; k++) {
        struct counter_importer h = {
            .state = &s, .import_ring = sink_of(FORMAT_LATEST)->import_ring, .kinds = { letters, IDS }, .rings = true
        };
        *row = k == 1 ? UINT64_C(1) << 40 : k == 2 ? at + 8 : at;
        *c = good;
        c->events = k == 3 ? 5 : k == 4 ? 0 : 2;
        c->id = k == 5 ? IDS - 1 : PAIR;
        c->bytes = k == 6 ? 96 : k == 7 ? 1u << 30 : 128;
        c->position += k == 8 ? 8u : 0;
        c->ring += k == 9 ? UINT64_C(1) << 40 : 0;
        c->words = k == 10 ? 32 : 4;
        ok(counters_import(&h, &err));
        assert_int_equal(h.events, k == 0 ? 14 : 0);
        assert_int_equal(h.malformed, k != 0);
    }
    sink_of(FORMAT_LATEST)->done(&s);
    state_close(&s);
    fixture_remove(strdup(dir));
}

/* Whichever position a loop has stored last, as far back as it may be. */
static void entries_behind_the_position_count(void **state)
{
    enum { ROOM = 4, WORDS = 3 };
    (void)state;
    struct state s;
    (void)snprintf(dir, sizeof dir, "counters-XXXXXX");
    assert_non_null(mkdtemp(dir));
    ok(state_create(&s, dir, KEEP, false, &err));
    uint64_t at = (state_alloc(&s, 4096) + COUNTER_BYTES - 1) / COUNTER_BYTES * COUNTER_BYTES;
    struct counter *c = state_block(&s, at);
    *c = (struct counter){
        .ring = s.head->heap + at + COUNTER_BYTES, .events = 1, .words = WORDS, .bytes = 8 * ROOM * WORDS
    };
    for (uint64_t n = 1; n < 6 * ROOM; n++) {
        counter_entry(&s, c, n - 1)[1] = 5 * n;
        for (uint64_t stored = (n - n % ROOM) - (n % ROOM == 0); stored <= n; stored++) {
            c->position = 8 * WORDS * stored;
            assert_int_equal(counter_count(&s, c), n);
        }
    }
    sink_of(FORMAT_LATEST)->done(&s);
    state_close(&s);
    fixture_remove(strdup(dir));
}

static void spoil(const char *file)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", dir, file);
    FILE *f = fopen(path, access(path, F_OK) == 0 ? "r+" : "w");
    assert_non_null(f);
    assert_int_equal(fputs("rubbish", f) < 0, 0);
    assert_int_equal(fclose(f), 0);
}

/* Two files are damaged: what is reported is the first error, not what came after it. */
static void recovery_reports_its_first_error(void **state)
{
    (void)state;
    struct recover_result result;
    int ready[2];
    char byte;
    (void)snprintf(dir, sizeof dir, "counters-first-%d", (int)getpid());
    char *name = strdup(dir);
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        begin("latest");
        (void)rename(dir, name);
        (void)!write(ready[1], "x", 1);
        for (;;)
            (void)pause();
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    (void)close(ready[0]);
    (void)close(ready[1]);
    (void)snprintf(dir, sizeof dir, "%s", name);
    spoil(TRACE_STATE_FILE);
    spoil(TRACE_INTERVALS_FILE);
    assert_int_equal(recover_trace(dir, &result, &err), ERR_FORMAT);
    assert_non_null(strstr(err.text, "/" TRACE_STATE_FILE " is malformed"));
    static const char *const files[] = { TRACE_STATE_FILE, TRACE_INTERVALS_FILE, TRACE_JOURNAL_FILE, TRACE_PENDING_FILE,
                                         "reserve" };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[256];
        (void)snprintf(path, sizeof path, "%s/%s", dir, files[i]);
        (void)unlink(path);
    }
    fixture_remove(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recovery_reports_its_first_error),
        cmocka_unit_test(what_comes_often_is_kept_by_the_hook),
        cmocka_unit_test(a_snapshot_shows_what_is_in_counters),
        cmocka_unit_test(counters_of_a_thread_that_ended_serve_the_next),
        cmocka_unit_test(a_guest_gets_no_counters),
        cmocka_unit_test(counters_survive_a_kill),
        cmocka_unit_test(a_damaged_counter_is_left_out),
        cmocka_unit_test(entries_behind_the_position_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
