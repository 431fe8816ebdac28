/* coverage.c - part of what the preset `coverage` builds: the counters of lines are written, or left alone.
 *
 * They are written by an exit handler. Without it a process ends by _exit (linked with --wrap=_exit) and a server by
 * SIGTERM. Nothing is written, and nothing said about it, where files are limited or the folder is another user's. */
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

extern int __llvm_profile_write_file(void);
extern _Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);

_Noreturn void __wrap__exit(int status)
{
    (void)__llvm_profile_write_file();
    __real__exit(status);
}

static void on_end(int number)
{
    (void)__llvm_profile_write_file();
    (void)raise(number); /* SA_RESETHAND, SA_NODEFER: now it ends the process */
}

/* Runs before the function of LLVM that reads the name of the file, which a library comes with. */
__attribute__((constructor)) static void begin(void)
{
    struct sigaction before, ours = { .sa_handler = on_end, .sa_flags = SA_RESETHAND | SA_NODEFER };
    struct rlimit limit;
    if (access(COUNTERS, W_OK) != 0 || getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY)
        (void)setenv("LLVM_PROFILE_FILE", "/dev/null", 1);
    if (sigaction(SIGTERM, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
        (void)sigaction(SIGTERM, &ours, NULL);
}
