/* pager.c - see pager.h. The state is one for the process, because a signal handler has to end the pager, too. */
#include "reader/command/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEFAULT_PAGER "less -FRX"
enum { SHELL_NOT_FOUND = 127, NO_FILE = -1 };

static atomic_int running;                  /* process id; 0: none */
static atomic_int input = NO_FILE;          /* its standard input */
static atomic_int standard_error = NO_FILE; /* a copy of ours */
static atomic_bool not_found;

static bool is_installed(const char *name)
{
    const char *path = getenv("PATH");
    char file[4096];
    while (path != NULL && *path != '\0') {
        size_t n = strcspn(path, ":");
        if (n + strlen(name) + 2 < sizeof file) {
            memcpy(file, path, n);
            file[n] = '/';
            memcpy(file + n + 1, name, strlen(name) + 1);
            if (access(file, X_OK) == 0)
                return true;
        }
        path += n + (path[n] == ':');
    }
    return false;
}

const char *pager_command(void)
{
    const char *command = getenv("HINDSIGHT_PAGER");
    if (isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0)
        return NULL;
    if (command == NULL)
        command = getenv("PAGER");
    if (command == NULL)
        return is_installed("less") ? DEFAULT_PAGER : NULL;
    return *command == '\0' || strcmp(command, "cat") == 0 ? NULL : command;
}

static int spawn(const char *command, int in, pid_t *pid)
{
    const char *words[] = { "sh", "-c", command, NULL };
    posix_spawn_file_actions_t files;
    int failed = posix_spawn_file_actions_init(&files);
    if (failed != 0)
        return failed;
    (void)posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
    failed = posix_spawnp(pid, words[0], &files, NULL, (char *const *)(uintptr_t)words, environ);
    (void)posix_spawn_file_actions_destroy(&files);
    return failed;
}

int pager_start(const char *command)
{
    int ends[2];
    pid_t pid;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    (void)setenv("LESS", "FRX", 0); /* for PAGER=less */
    (void)setenv("LV", "-c", 0);
    int failed = spawn(command, ends[0], &pid);
    (void)close(ends[0]);
    if (failed != 0) {
        (void)close(ends[1]);
        return -1;
    }
    (void)signal(SIGPIPE, SIG_IGN); /* the pager ends first, then we do */
    if (isatty(STDERR_FILENO) != 0) {
        standard_error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
        (void)dup2(ends[1], STDERR_FILENO);
    }
    input = ends[1];
    running = pid;
    return ends[1];
}

bool pager_is_running(void) { return running != 0; }

bool pager_wait(void)
{
    int saved_errno = errno, errors = atomic_exchange(&standard_error, NO_FILE);
    siginfo_t end = { 0 };
    pid_t pid = running;
    if (errors != NO_FILE) {
        (void)dup2(errors, STDERR_FILENO);
        (void)close(errors);
    }
    /* It stays a zombie, so that each thread that waits sees how it ended. */
    while (pid != 0 && waitid(P_PID, (id_t)pid, &end, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
    }
    if (end.si_code == CLD_EXITED && end.si_status == SHELL_NOT_FOUND)
        not_found = true;
    running = 0;
    errno = saved_errno;
    return !not_found;
}

bool pager_end(void)
{
    int in = atomic_exchange(&input, NO_FILE);
    if (in != NO_FILE)
        (void)close(in);
    return pager_wait();
}
