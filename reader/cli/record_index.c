/* record_index.c - see record_index.h. */
#include "reader/cli/record_index.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "formats/bundle.h"
#include "formats/schema.h"
#include "reader/cli/pack.h"
#include "reader/command/cli.h"
#include "reader/command/progress_line.h"

struct making {
    struct context *context;
    const sigset_t *until;
    bool stopped;
};

static bool arrived(const sigset_t *signals) { return sigtimedwait(signals, NULL, &(struct timespec){ 0 }) > 0; }

static int step(void *context, uint64_t done, uint64_t total, const char *phase)
{
    struct making *m = context;
    m->stopped = m->stopped || arrived(m->until);
    if (!m->stopped)
        progress_line_show(phase, done, total);
    return m->stopped;
}

/* What is wrong with the trace is told by the lines behind. */
static void make_index(void *context, const char *dir)
{
    struct making *m = context;
    struct hs_error error = HS_ERROR_INIT;
    hs_trace *t;
    if (m->stopped || session_open_trace(m->context, dir, 0, NULL, &t, &error) != 0)
        return;
    hs_set_progress(t, step, m);
    if (hs_event_count(t) > 0 && hs_index_build(t, &error) != 0 && !m->stopped)
        (void)cli_fail(0, m->context, "the index is not made: %s", error.text);
    hs_close(t);
}

/* The trace must be complete: one that was killed is recovered. */
static void pack(void *context, const char *dir)
{
    struct making *m = context;
    struct hs_error error = HS_ERROR_INIT;
    struct error err = { 0 };
    struct packed_file packed;
    hs_trace *t;
    char file[PATH_MAX], run[PATH_MAX], beside[PATH_MAX];
    if (m->stopped || session_open_trace(m->context, dir, 0, NULL, &t, &error) != 0)
        return;
    const bool ended = hs_info(t, "end") != NULL;
    hs_close(t);
    if (!ended || (size_t)snprintf(file, sizeof file, "%s" BUNDLE_SUFFIX, dir) >= sizeof file ||
        (size_t)snprintf(run, sizeof run, "%s/" TRACE_RUN_FILE, dir) >= sizeof run) {
        (void)cli_fail(0, m->context, "%s: is not packed: %s", dir,
                       ended ? "the name is too long" : "it is still being recorded");
        return;
    }
    enum status st = pack_begin(file, beside, &err);
    if (st == OK)
        st = pack_write(dir, run, beside, file, step, m, &packed, &err);
    pack_end(beside);
    if (st != OK && !m->stopped)
        (void)cli_fail(0, m->context, "%s: is not packed: %s", dir, err.text);
}

static void each(const struct recorded_run *run, const sigset_t *until, recorded_trace_fn *make)
{
    struct making m = { .context = run->context, .until = until };
    while (arrived(until)) /* they were meant for the program */
        ;
    progress_line_begin(run->context->name);
    (void)recorded_each(run, make, &m);
    progress_line_erase();
}

void record_index(const struct recorded_run *run, const sigset_t *until) { each(run, until, make_index); }
void record_pack(const struct recorded_run *run, const sigset_t *until) { each(run, until, pack); }
