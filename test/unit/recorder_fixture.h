/* recorder_fixture.h - a recorder in a scratch directory with one data ID of kind I, its events, and the trace that it
 * leaves. */
#ifndef TEST_RECORDER_FIXTURE_H
#define TEST_RECORDER_FIXTURE_H

#include "reader_fixture.h"

#include "logging/recording/recorder.h"

/* One for each test: a recorder's memory lives as long as its process, since threads of a JVM may still write. */
static struct recorder recorders[16];
static unsigned recorder_number;
#define recorder recorders[recorder_number]
static struct error err;
static char dir[32];
static uint64_t bound_bytes; /* of the next recorder; 0: none */

static inline void begin(void)
{
    struct writer kinds = { 0 };
    assert_true(++recorder_number < sizeof recorders / sizeof *recorders);
    (void)snprintf(dir, sizeof dir, "recorder-XXXXXX");
    assert_non_null(mkdtemp(dir));
    ok(recorder_open(&recorder, &(struct recorder_target){ .dir = dir }, false, &err));
    write_u1(&kinds, 'I');
    assert_true(recorder_add_dataids(&recorder, (const uint8_t *)"I", (const uint8_t *)"", NULL, 1));
    assert_true(pendinglog_put(&recorder.pending, DB_KIND, 0, &kinds));
    assert_true(pendinglog_put_info(&recorder.pending, "version", SCHEMA_VERSION));
    writer_free(&kinds);
    if (bound_bytes > 0)
        recorder_use_bound(&recorder, bound_bytes, false);
    ok(recorder_start(&recorder, &err));
}

static hs_trace *end(void)
{
    struct recorder_totals totals;
    struct hs_error error = HS_ERROR_INIT;
    hs_trace *t = NULL;
    recorder_close(&recorder, &totals);
    assert_false(recorder.failed);
    if (hs_open(dir, 0, NULL, &t, &error) != 0)
        fail_msg("%s", error.text);
    assert_null(hs_damage(t));
    return t;
}

static void gone(hs_trace *t)
{
    hs_close(t);
    fixture_remove(strdup(dir));
}

/* An event as a hook writes it: with the value that the shared counter has now. */
static void event(struct thread_desc *d, uint64_t value)
{
    uint64_t at = d->pos;
    if (d->pos >= __atomic_load_n(&d->limit, __ATOMIC_RELAXED)) /* others set it to 0 */
        at = journal_room(&recorder.journal, d, 16);
    assert_true(at != 0);
    uint64_t words[2] = { journal_stamp(&recorder.journal) << 32, value };
    memcpy((void *)(uintptr_t)at, words, sizeof words);
    __atomic_store_n(&d->pos, at + sizeof words, __ATOMIC_RELEASE);
}

#endif
