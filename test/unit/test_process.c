/* test_process.c - logging/journal/process.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "logging/journal/process.h"

/* A child that has taken a name which looks like other fields of /proc/PID/stat, and waits to be killed. */
static pid_t child_with_a_confusing_name(void)
{
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    if (pid == 0) {
        (void)prctl(PR_SET_NAME, "a) Z 1 (b) 2");
        (void)!write(ready[1], "x", 1);
        for (;;)
            (void)pause();
    }
    assert_true(pid > 0);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    (void)close(ready[0]);
    (void)close(ready[1]);
    return pid;
}

static void a_running_process_has_a_start_that_does_not_change(void **state)
{
    (void)state;
    uint64_t start = process_start((uint32_t)getpid());
    assert_true(start != 0);
    assert_true(process_start((uint32_t)getpid()) == start);
    assert_true(process_start((uint32_t)getppid()) <= start);
}

static void a_name_does_not_confuse_it(void **state)
{
    (void)state;
    pid_t pid = child_with_a_confusing_name();
    uint64_t start = process_start((uint32_t)pid), own = process_start((uint32_t)getpid());
    assert_true(start >= own && start < own + 60 * (uint64_t)sysconf(_SC_CLK_TCK));
    (void)kill(pid, SIGKILL);
    (void)waitpid(pid, NULL, 0);
}

static void a_dead_process_has_none_even_before_it_is_waited_for(void **state)
{
    (void)state;
    pid_t pid = child_with_a_confusing_name();
    siginfo_t info;
    (void)kill(pid, SIGKILL);
    assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
    assert_true(process_start((uint32_t)pid) == 0);
    (void)waitpid(pid, NULL, 0);
    assert_true(process_start((uint32_t)pid) == 0);
    assert_true(process_start(UINT32_MAX) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_running_process_has_a_start_that_does_not_change),
        cmocka_unit_test(a_name_does_not_confuse_it),
        cmocka_unit_test(a_dead_process_has_none_even_before_it_is_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
