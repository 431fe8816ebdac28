/* record_index.c - see record_index.h. */
#include "reader/cli/record_index.h"

#include <time.h>

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

void record_index(const struct recorded_run *run, const sigset_t *until)
{
    struct making m = { .context = run->context, .until = until };
    while (arrived(until)) /* they were meant for the program */
        ;
    progress_line_begin(run->context->name);
    (void)recorded_each(run, make_index, &m);
    progress_line_erase();
}
