/* resident.h - of a large file that is mapped and read here and there, little stays in the process's memory.
 *
 * With each page that is read the kernel maps those around it that it has cached: a row from every tenth page, and all
 * of the file counts as memory of the process. What was mapped is given back after so many places; the file stays
 * cached. */
#ifndef FORMATS_RESIDENT_H
#define FORMATS_RESIDENT_H

#include <stddef.h>
#include <stdint.h>

enum { RESIDENT_WINDOW_BITS = 16, RESIDENT_WINDOWS_MAX = 256 }; /* 64 KiB, as the kernel maps at a time; 16 MiB */

struct resident {
    const void *begin; /* of the mapping, which is only read; NULL: not known yet */
    size_t bytes;
    uintptr_t window; /* the last one */
    size_t windows;
};
/* Gives back what is mapped; finds the mapping around `at` first if it is not known. What is read again is mapped
 * again. */
void resident_release(struct resident *r, const void *at);

/* Bytes of the mapping are read. */
static inline void resident_read(struct resident *r, const void *at, size_t size)
{
    const uintptr_t window = ((uintptr_t)at + size) >> RESIDENT_WINDOW_BITS;
    if (window == r->window)
        return;
    r->window = window;
    r->windows += 1 + (size >> RESIDENT_WINDOW_BITS);
    if (r->windows > RESIDENT_WINDOWS_MAX)
        resident_release(r, at);
}

#endif
