/* test_trace_dir.c - logging/recording/trace_dir.h where several processes want the same directory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "logging/recording/run.h"
#include "logging/recording/trace_dir.h"

enum { PROCESSES = 4, ROUNDS = 2000 };

static char base[64], path[80];

static int make_base(void **state)
{
    (void)state;
    (void)snprintf(base, sizeof base, "/tmp/hindsight-dir.XXXXXX");
    if (mkdtemp(base) == NULL)
        return -1;
    (void)snprintf(path, sizeof path, "%s/t", base);
    return 0;
}

static int remove_base(void **state)
{
    char command[128];
    (void)state;
    (void)snprintf(command, sizeof command, "rm -rf %s", base);
    return system(command);
}

static enum status claim(struct trace_dir *t)
{
    struct error err;
    enum status s = trace_dir_claim(t, path, false, "name", &err);
    if (s != OK && s != ERR_EXISTS)
        (void)fprintf(stderr, "%s\n", err.text);
    return s;
}

/* TRACE/run is empty for a moment after its recorder has made it. */
static void a_trace_that_is_being_made_is_one(void **state)
{
    char run[96], text[RUN_TEXT_MAX];
    struct trace_dir t;
    (void)state;
    assert_int_equal(mkdir(path, 0700), 0);
    (void)snprintf(run, sizeof run, "%s/run", path);
    int fd = open(run, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    pid_t pid = fork();
    if (pid == 0) {
        int n = run_text("other", text);
        (void)usleep(50000);
        _exit(pwrite(fd, text, (size_t)n, 0) != n);
    }
    assert_int_equal(claim(&t), ERR_EXISTS);
    int status = 1;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    (void)close(fd);
    assert_int_equal(unlink(run) | rmdir(path), 0);
}

/* Who does not get the directory finds a trace there, also while another one gives it up. */
static void it_is_claimed_or_there(void **state)
{
    (void)state;
    pid_t pids[PROCESSES];
    for (int p = 0; p < PROCESSES; p++)
        if ((pids[p] = fork()) == 0) {
            struct trace_dir t;
            int wrong = 0;
            for (int i = 0; i < ROUNDS && !wrong; i++) {
                enum status s = claim(&t);
                wrong = s != OK && s != ERR_EXISTS;
                if (s == OK)
                    trace_dir_abandon(&t);
            }
            _exit(wrong);
        }
    for (int p = 0; p < PROCESSES; p++) {
        int status = 1;
        assert_int_equal(waitpid(pids[p], &status, 0), pids[p]);
        assert_int_equal(status, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_trace_that_is_being_made_is_one, make_base, remove_base),
        cmocka_unit_test_setup_teardown(it_is_claimed_or_there, make_base, remove_base),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
