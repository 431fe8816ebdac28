/* process.c - see process.h. proc(5), /proc/PID/stat: fields between spaces, of which the second is a name in
 * parentheses that may hold both spaces and parentheses; the third is the state, the fourth the parent, the 22nd the
 * start time. */
#include "logging/journal/process.h"

#include <stdio.h>
#include <string.h>

enum { FIELD_PARENT = 4, FIELD_START = 22 };

/* A number of a process that runs; 0: there is none. */
static uint64_t stat_field(uint32_t pid, int wanted)
{
    char path[64], text[1024];
    unsigned long long value;
    (void)snprintf(path, sizeof path, "/proc/%u/stat", pid);
    FILE *f = fopen(path, "re");
    if (f == NULL)
        return 0;
    size_t n = fread(text, 1, sizeof text - 1, f);
    (void)fclose(f);
    text[n] = '\0';
    const char *p = strrchr(text, ')');
    if (p == NULL || p[1] != ' ' || p[2] == 'Z' || p[2] == 'X')
        return 0;
    for (int field = 2; p != NULL && field < wanted; field++)
        p = strchr(p + 1, ' ');
    return p != NULL && sscanf(p, " %llu", &value) == 1 ? value : 0;
}

uint64_t process_start(uint32_t pid) { return stat_field(pid, FIELD_START); }
uint32_t process_parent(uint32_t pid) { return (uint32_t)stat_field(pid, FIELD_PARENT); }
