/* after_end.c - when the trace is complete, the command beside this library drops what is not to be kept
 * (formats/drop.h) and, with index=now, makes the index, in a process of its own that only runs when a core has nothing
 * else to do. The JVM does not wait for it. Where it is not found, or is ended, everything is kept, and the first
 * question makes the index. `hindsight record` drops by itself. */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/schema.h"
#include "logging/agent/agent.h"

extern char **environ;

/* lib/libhindsight.so and bin/hindsight, as they are built and installed; or both in one folder. */
static bool find_command(char out[PATH_MAX])
{
    static const char *const places[] = { "../bin/hindsight", "../../bin/hindsight", "hindsight" };
    Dl_info own;
    if (dladdr((const void *)find_command, &own) == 0 || own.dli_fname == NULL)
        return false;
    const char *slash = strrchr(own.dli_fname, '/');
    for (size_t i = 0; slash != NULL && i < sizeof places / sizeof *places; i++) {
        const int n = snprintf(out, PATH_MAX, "%.*s/%s", (int)(slash - own.dli_fname), own.dli_fname, places[i]);
        if (n > 0 && n < PATH_MAX && access(out, X_OK) == 0)
            return true;
    }
    return false;
}

static void run(const char *const *words)
{
    char command[PATH_MAX];
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none;
    pid_t pid;
    if (!find_command(command) || posix_spawn_file_actions_init(&files) != 0)
        return;
    if (posix_spawnattr_init(&how) != 0) {
        (void)posix_spawn_file_actions_destroy(&files);
        return;
    }
    /* who waits for the end of what the program writes must not wait for the index */
    for (int fd = 0; fd < 3; fd++)
        (void)posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
    (void)sigemptyset(&none);
    (void)posix_spawnattr_setsigmask(&how, &none);
    (void)posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
    (void)posix_spawn(&pid, command, &files, &how, (char *const *)(uintptr_t)words, environ);
    (void)posix_spawnattr_destroy(&how);
    (void)posix_spawn_file_actions_destroy(&files);
}

void finish_trace(const char *dir)
{
    const bool drops =
                   agent.options.keep != KEEP_ALL || (options_in_parts(&agent.options) && agent.recorder.sites != NULL),
               indexes = agent.options.index == INDEX_NOW;
    const char *const drop[] = { "hindsight", "compact", "--passed", "--idle", dir, indexes ? "--index" : NULL, NULL },
                      *const index[] = { "hindsight", "index", "--idle", dir, NULL };
    if (drops && getenv(RUN_VARIABLE) == NULL)
        run(drop);
    else if (!drops && indexes)
        run(index);
}
