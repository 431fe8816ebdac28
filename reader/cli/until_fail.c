/* until_fail.c - see until_fail.h. */
#include "reader/cli/until_fail.h"

#include <fcntl.h>
#include <unistd.h>

#include "formats/recover.h"
#include "formats/schema.h"
#include "formats/trace_files.h"
#include "reader/command/cli.h"

struct looking {
    struct context *context;
    bool failed;
};

/* A test that has not ended took its JVM with it. */
static void look(void *context, const char *dir)
{
    struct looking *l = context;
    struct hs_error error = HS_ERROR_INIT;
    hs_trace *t;
    hs_cursor *tests;
    const struct hs_test *test;
    if (l->failed || session_open_trace(l->context, dir, 0, NULL, &t, &error) != 0)
        return;
    if (hs_tests_open(t, &tests, &error) == 0) {
        while (!l->failed && hs_test_next(tests, &test, &error) > 0)
            l->failed = test->status == HS_TEST_FAILED || test->status == HS_TEST_UNFINISHED;
        hs_cursor_close(tests);
    }
    hs_close(t);
}

enum run_outcome run_outcome(const struct recorded_run *run)
{
    struct looking l = { run->context, run->signal != 0 || run->exit_status != 0 };
    const int traces = recorded_each(run, look, &l);
    return l.failed ? RUN_FAILED : traces <= 0 ? RUN_UNRECORDED : RUN_PASSED;
}

static void forget(void *context, const char *dir)
{
    struct context *c = context;
    struct error err = { 0 };
    if (recover_recording(dir)) {
        (void)cli_fail(0, c, "%s: of a run that passed, is still being recorded, and so is kept", dir);
        return;
    }
    const int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    bool gone = fd >= 0 && trace_files_check(fd, dir, &err) == OK && trace_files_remove(fd, dir, &err) == OK &&
                unlinkat(fd, TRACE_RUN_FILE, 0) == 0;
    if (fd >= 0)
        (void)close(fd);
    if (!gone || rmdir(dir) != 0)
        (void)cli_fail(0, c, "%s: of a run that passed, cannot be removed", dir);
}

void run_forget(const struct recorded_run *run) { (void)recorded_each(run, forget, run->context); }
