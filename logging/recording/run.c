/* run.c - see run.h. */
#include "logging/recording/run.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/schema.h"
#include "logging/journal/process.h"

enum { ANCESTORS_MAX = 256, ENVIRONMENT_MAX = 4 << 20, WAIT_MS = 500 };

static bool is_name(const char *text)
{
    size_t n = strlen(text);
    return n > 0 && n < RUN_NAME_MAX &&
           strspn(text, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-_") == n;
}

static void name_of(uint32_t pid, char out[RUN_NAME_MAX])
{
    char boot[40] = "";
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (f != NULL && fgets(boot, sizeof boot, f) != NULL)
        boot[strcspn(boot, "\n")] = '\0';
    if (f != NULL)
        (void)fclose(f);
    (void)snprintf(out, RUN_NAME_MAX, "%s-%u-%llu", boot, pid, (unsigned long long)process_start(pid));
}

void run_name_new(char out[RUN_NAME_MAX]) { name_of((uint32_t)getpid(), out); }

/* True if the process was started with these options in its environment, at the end of an agent's argument. */
static bool has_options(uint32_t pid, const char *options)
{
    char path[64], *text = NULL;
    size_t size = 0, room = 0, length = strlen(options);
    (void)snprintf(path, sizeof path, "/proc/%u/environ", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    for (ssize_t n = 1; fd >= 0 && n > 0 && size<ENVIRONMENT_MAX; size += n> 0 ? (size_t)n : 0) {
        if (room - size < 2) {
            char *more = realloc(text, room = room * 2 + 65536);
            if (more == NULL)
                break;
            text = more;
        }
        n = read(fd, text + size, room - size - 1);
    }
    if (fd >= 0)
        (void)close(fd);
    bool found = false;
    for (const char *p = text;
         !found && p != NULL && (p = memmem(p, size - (size_t)(p - text), options, length)) != NULL; p++) {
        char before = p > text ? p[-1] : '\0', after = p + length < text + size ? p[length] : '\0';
        found = before == '=' && (after == '\0' || strchr(" \t\n'\"", after) != NULL);
    }
    free(text);
    return found;
}

void run_name(const char *options, char out[RUN_NAME_MAX])
{
    const char *given = getenv(RUN_VARIABLE);
    uint32_t pid = (uint32_t)getpid();
    if (given != NULL && is_name(given)) {
        (void)snprintf(out, RUN_NAME_MAX, "%s", given);
        return;
    }
    for (int i = 0; options != NULL && *options != '\0' && i < ANCESTORS_MAX; i++) {
        uint32_t parent = process_parent(pid);
        if (parent == 0 || !has_options(parent, options))
            break;
        pid = parent;
    }
    name_of(pid, out);
}

#define FIRST_LINE "hindsight run\n"

int run_text(const char *name, char out[RUN_TEXT_MAX])
{
    return snprintf(out, RUN_TEXT_MAX, FIRST_LINE "%s\n%u %llu\n", name, (unsigned)getpid(),
                    (unsigned long long)process_start((uint32_t)getpid()));
}

static bool is_ancestor(uint32_t wanted, uint64_t start)
{
    uint32_t pid = process_parent((uint32_t)getpid());
    for (int i = 0; pid != 0 && i < ANCESTORS_MAX; i++, pid = process_parent(pid))
        if (pid == wanted)
            return process_start(pid) == start;
    return false;
}

/* Reads TRACE/run. It is empty for a moment after its recorder has created it. */
static bool read_run(const char *trace_dir, char text[RUN_TEXT_MAX])
{
    char path[4096 + 16];
    ssize_t n = 0;
    (void)snprintf(path, sizeof path, "%s/%s", trace_dir, TRACE_RUN_FILE);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    for (int i = 0; fd >= 0 && n == 0 && i < WAIT_MS; i++) {
        if (i > 0)
            (void)usleep(1000);
        n = pread(fd, text, RUN_TEXT_MAX - 1, 0);
    }
    if (fd >= 0)
        (void)close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n > 0;
}

bool run_made(const char *name, const char *trace_dir)
{
    char text[RUN_TEXT_MAX], found[RUN_NAME_MAX];
    unsigned pid;
    unsigned long long start;
    _Static_assert(RUN_NAME_MAX == 128, "the width below");
    if (!read_run(trace_dir, text) || sscanf(text, FIRST_LINE "%127s %u %llu", found, &pid, &start) != 3)
        return false;
    return strcmp(found, name) == 0 || is_ancestor(pid, start);
}
