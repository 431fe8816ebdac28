/* resident.c - see resident.h. */
#include "formats/resident.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* The mapping that has the address. */
static void find(struct resident *r, uintptr_t at)
{
    char *line = NULL;
    size_t size = 0;
    FILE *f = fopen("/proc/self/maps", "re");
    while (f != NULL && r->begin == NULL && getline(&line, &size, f) > 0) {
        char *end;
        const uintptr_t begin = strtoull(line, &end, 16);
        const uintptr_t behind = *end == '-' ? strtoull(end + 1, NULL, 16) : begin;
        if (begin <= at && at < behind)
            *r = (struct resident){ .begin = (const void *)begin, .bytes = behind - begin };
    }
    free(line);
    if (f != NULL)
        (void)fclose(f);
}

void resident_release(struct resident *r, const void *at)
{
    r->windows = 0;
    if (r->begin == NULL)
        find(r, (uintptr_t)at);
    if (r->begin != NULL)
        (void)madvise((void *)(uintptr_t)r->begin, r->bytes, MADV_DONTNEED);
}
