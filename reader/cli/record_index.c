/* record_index.c - see record_index.h. */
#include "reader/cli/record_index.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "formats/bundle.h"
#include "formats/schema.h"
#include "reader/cli/drop_tests.h"
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

/* The lines printed behind this say what is wrong with the trace. */
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

/* A trace whose JVM was killed is recovered first. */
static void drop(void *context, const char *dir)
{
    struct making *m = context;
    struct hs_error error = HS_ERROR_INIT;
    struct error err = { 0 };
    uint64_t events;
    hs_trace *t;
    if (m->stopped || session_open_trace(m->context, dir, 0, NULL, &t, &error) != 0)
        return;
    hs_close(t);
    if (drop_at_end(dir, step, m, &events, &err) != OK && err.status != ERR_CANCELLED)
        (void)cli_fail(0, m->context, "what is not to be kept is still there: %s", err.text);
}

/* ---- while the program runs ---- */

void index_when_idle(void)
{
    (void)setpriority(PRIO_PROCESS, 0, 19);
    (void)sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){ 0 });
}

/* When this process last ran. It reads in transactions, behind which the recorder can free no pages: where it is not
 * given a core for long, the machine is busy and it leaves off. */
enum { LATE_MS = 50, PAUSE_MS = 500, PAUSE_BUSY_MS = 2000 };
struct pace {
    int64_t at_ms;
    bool busy;
};

static int64_t now_ms(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* It should run again at this time. */
static void pace_check(struct pace *p, int64_t due_ms)
{
    p->at_ms = now_ms();
    p->busy = p->at_ms > due_ms + LATE_MS;
}

static int pace_step(void *context, uint64_t done, uint64_t total, const char *phase)
{
    struct pace *p = context;
    (void)done, (void)total, (void)phase;
    pace_check(p, p->at_ms);
    return p->busy;
}

/* What is wrong with a trace that is being recorded is reported at the end, if it still is. */
static void index_so_far(void *context, const char *dir)
{
    struct hs_error error = HS_ERROR_INIT;
    struct pace *p = context;
    hs_trace *t;
    if (p->busy || hs_open(dir, 0, NULL, &t, &error) != 0)
        return;
    hs_set_progress(t, pace_step, p);
    pace_check(p, now_ms());
    if (hs_event_count(t) > 0)
        (void)hs_index_build(t, &error);
    hs_close(t);
}

pid_t index_maker_begin(const struct recorded_run *run)
{
    const pid_t parent = getpid(), pid = fork();
    struct pace p = { 0 };
    if (pid != 0)
        return pid > 0 ? pid : 0;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    index_when_idle();
    while (getppid() == parent) {
        const int ms = p.busy ? PAUSE_BUSY_MS : PAUSE_MS;
        const int64_t due = now_ms() + ms;
        (void)nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000L }, NULL);
        pace_check(&p, due);
        (void)recorded_each(run, index_so_far, &p);
    }
    _exit(0);
}

/* It may be in the middle of a segment, which is made anew then. */
void index_maker_end(pid_t pid)
{
    if (pid == 0)
        return;
    (void)kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* ---- when it has ended ---- */

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
void record_drop(const struct recorded_run *run, const sigset_t *until) { each(run, until, drop); }
void record_pack(const struct recorded_run *run, const sigset_t *until) { each(run, until, pack); }
