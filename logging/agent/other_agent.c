/* other_agent.c - detects another agent in this process.
 *
 * Two agents would weave each other's hooks, and use the same fields of Thread and object headers. The same library
 * loaded twice shows in `agent`; another copy of its file has its own variables, so it is found by its journal, which
 * is mapped in this process (formats/journal.h). Memory is read with process_vm_readv, so that an unmapped page is an
 * error, not a signal. */
#include "logging/agent/agent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static bool is_journal(uint64_t address)
{
    struct journal_head h = { 0 };
    struct iovec here = { &h, sizeof h }, there = { (void *)(uintptr_t)address, sizeof h };
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)sizeof h && h.magic == JOURNAL_MAGIC &&
           h.base == address && h.pid == (uint32_t)getpid();
}

/* The path in a line of maps, if that is a journal: its directory. */
static char *journal_dir(char *line)
{
    static const char file[] = "/" TRACE_JOURNAL_FILE, gone[] = " (deleted)";
    char *path = strchr(line, '/');
    if (path == NULL || strstr(line, " rw-s 00000000 ") == NULL)
        return NULL;
    path[strcspn(path, "\n")] = '\0';
    size_t n = strlen(path);
    if (n >= sizeof gone - 1 && strcmp(path + n - (sizeof gone - 1), gone) == 0)
        path[n -= sizeof gone - 1] = '\0';
    if (n < sizeof file || strcmp(path + n - (sizeof file - 1), file) != 0)
        return NULL;
    path[n - (sizeof file - 1)] = '\0';
    return path;
}

bool other_agent_present(struct error *err)
{
    char *line = NULL, *dir = NULL, *end;
    size_t size = 0;
    bool found = agent.vm != NULL;
    FILE *f = found ? NULL : fopen("/proc/self/maps", "re");
    while (f != NULL && !found && getline(&line, &size, f) > 0)
        found = (dir = journal_dir(line)) != NULL && is_journal(strtoull(line, &end, 16));
    if (f != NULL)
        (void)fclose(f);
    if (found)
        (void)error_set(err, ERR_EXISTS,
                        "this program is recorded already, into %.400s; another agent does nothing here, see hindsight "
                        "status, start, stop",
                        dir != NULL ? dir : agent.recorder.dir);
    free(line);
    return found;
}
