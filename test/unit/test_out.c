/* Standard output of the command: the first rows go out as they end, and who stops reading ends it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>
#include <sys/wait.h>

#include "output.h"

enum { LONG_S = 30 };

/* A process that writes `rows` rows to a pipe and then says nothing for long; its pid, and the end of the pipe to read
 * from. */
static pid_t writer(unsigned rows, int *from)
{
    int pipes[2];
    assert_int_equal(pipe(pipes), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct out o;
        (void)close(pipes[0]);
        (void)dup2(pipes[1], STDOUT_FILENO);
        (void)close(pipes[1]);
        if (!out_init(&o))
            _exit(1);
        out_watch(&o);
        for (unsigned i = 0; i < rows; i++)
            out_format(&o, "row %u\n", i);
        (void)sleep(LONG_S);
        _exit(2);
    }
    (void)close(pipes[1]);
    *from = pipes[0];
    return pid;
}

/* Rows that arrive before the pipe says nothing for a second. */
static unsigned rows_from(int fd)
{
    struct pollfd pipe = { .fd = fd, .events = POLLIN };
    unsigned rows = 0;
    char bytes[4096];
    ssize_t n = 1;
    while (poll(&pipe, 1, 1000) > 0 && (n = read(fd, bytes, sizeof bytes)) > 0)
        for (ssize_t i = 0; i < n; i++)
            rows += bytes[i] == '\n';
    return rows;
}

static void ends_quietly(pid_t pid, int from)
{
    int status;
    uint64_t begin = coarse_ms();
    (void)close(from);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_true(coarse_ms() - begin < LONG_S * 1000 / 2);
}

static void rows_of_the_first_screen_do_not_wait(void **state)
{
    int from;
    pid_t pid = writer(3, &from);
    (void)state;
    assert_int_equal(rows_from(from), 3);
    ends_quietly(pid, from);
}

static void later_rows_are_gathered(void **state)
{
    int from;
    pid_t pid = writer(SCREEN_ROWS + 2000, &from);
    (void)state;
    unsigned rows = rows_from(from); /* on a busy machine one may be late enough to take those before it along */
    assert_in_range(rows, SCREEN_ROWS, SCREEN_ROWS + 1999);
    ends_quietly(pid, from);
}

static void a_reader_that_goes_ends_a_silent_writer(void **state)
{
    int from;
    pid_t pid = writer(0, &from);
    (void)state;
    ends_quietly(pid, from);
}

/* Once the command has answered, its exit status counts. */
static void nobody_watches_after_the_end(void **state)
{
    int pipes[2], status;
    (void)state;
    assert_int_equal(pipe(pipes), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct out o;
        (void)dup2(pipes[1], STDOUT_FILENO);
        (void)close(pipes[1]);
        if (!out_init(&o))
            _exit(1);
        out_watch(&o);
        out_done(&o);
        (void)close(pipes[0]);
        (void)usleep(200000);
        _exit(3);
    }
    (void)close(pipes[0]);
    (void)close(pipes[1]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_the_first_screen_do_not_wait),
        cmocka_unit_test(later_rows_are_gathered),
        cmocka_unit_test(a_reader_that_goes_ends_a_silent_writer),
        cmocka_unit_test(nobody_watches_after_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
