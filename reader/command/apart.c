/* apart.c - a command as a child process of its host, which takes its output; see context.h.
 *
 * Standard input of the child is empty. The end of what it says on standard error is kept, as it stands there. A sink
 * that refuses, and the deadline, end it. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reader/command/cli.h"

extern char **environ;

enum { PIECE = 1 << 16, MESSAGE_MAX = 2000 };

struct child {
    pid_t pid;
    int out, err;              /* -1: ended */
    char message[MESSAGE_MAX]; /* the end of its standard error */
    size_t message_size;
};

static void end_pipe(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

/* Starts the program with its output in pipes; 0 or errno. The signals that the server blocks are open again in it. */
static int start(const char *program, char *const *words, struct child *child)
{
    int out[2] = { -1, -1 }, err[2] = { -1, -1 };
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    if (pipe2(out, O_CLOEXEC) != 0)
        return errno;
    if (pipe2(err, O_CLOEXEC) != 0) {
        int failed = errno;
        end_pipe(&out[0]);
        end_pipe(&out[1]);
        return failed;
    }
    (void)sigemptyset(&none);
    (void)posix_spawnattr_init(&attributes);
    (void)posix_spawnattr_setsigmask(&attributes, &none);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    (void)posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    (void)posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
    int failed = posix_spawn(&child->pid, program, &actions, &attributes, words, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)posix_spawnattr_destroy(&attributes);
    end_pipe(&out[1]);
    end_pipe(&err[1]);
    child->out = out[0];
    child->err = err[0];
    return failed;
}

static void take_message(struct child *child)
{
    char piece[512];
    ssize_t n = read(child->err, piece, sizeof piece);
    if (n <= 0) {
        end_pipe(&child->err);
        return;
    }
    size_t size = (size_t)n,
           drop = child->message_size + size > MESSAGE_MAX ? child->message_size + size - MESSAGE_MAX : 0;
    memmove(child->message, child->message + drop, child->message_size - drop);
    child->message_size -= drop;
    memcpy(child->message + child->message_size, piece, size);
    child->message_size += size;
}

/* Gives its output to the sink until both pipes have ended. False: it is to be killed. */
static bool pass_on(struct host *h, struct child *child, char *piece)
{
    while (child->out >= 0 || child->err >= 0) {
        struct pollfd wait[2] = { { .fd = child->out, .events = POLLIN }, { .fd = child->err, .events = POLLIN } };
        uint64_t now = host_now_ms(), left = h->deadline_ms > now ? h->deadline_ms - now : 0;
        int ready = poll(wait, 2, left < INT_MAX ? (int)left : INT_MAX);
        if (ready == 0 && host_is_late(h))
            return false;
        if (ready <= 0)
            continue;
        if (wait[1].revents != 0)
            take_message(child);
        if (wait[0].revents == 0)
            continue;
        ssize_t n = read(child->out, piece, PIECE);
        if (n <= 0)
            end_pipe(&child->out);
        else if (h->sink(h->to, piece, (size_t)n) != 0)
            return false;
    }
    return true;
}

int apart_run(struct host *h, int argc, char **argv)
{
    struct child child = { .out = -1, .err = -1 };
    char **words = calloc((size_t)argc + 2, sizeof *words), *piece = malloc(PIECE);
    int status = 0, failed = ENOMEM;
    if (words != NULL && piece != NULL) {
        words[0] = (char *)(uintptr_t)h->program;
        memcpy(words + 1, argv, (size_t)argc * sizeof *words);
        failed = start(h->program, words, &child);
    }
    if (failed == 0 && !pass_on(h, &child, piece))
        (void)kill(child.pid, SIGKILL);
    end_pipe(&child.out);
    end_pipe(&child.err);
    free(words);
    free(piece);
    errno = failed;
    if (failed != 0)
        return COMMAND_NOT_STARTED;
    while (waitpid(child.pid, &status, 0) < 0 && errno == EINTR)
        ;
    while (child.message_size > 0 && strchr("\n\r ", child.message[child.message_size - 1]) != NULL)
        child.message_size--;
    write_bytes(&h->messages, child.message, child.message_size);
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILED;
}
