/* unpack.h - decompresses what zstd has compressed in one call. Needs memory of its own, so that it can run out. */
#ifndef FORMATS_UNPACK_H
#define FORMATS_UNPACK_H

#include <zstd.h>
#include <zstd_errors.h>

#include "formats/status.h"

/* ERR_FORMAT: damaged, or not `raw` bytes. */
static inline enum status unpack(void *to, size_t raw, const void *from, size_t stored)
{
    size_t n = ZSTD_decompress(to, raw, from, stored);
    if (ZSTD_isError(n))
        return ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation ? ERR_MEMORY : ERR_FORMAT;
    return n == raw ? OK : ERR_FORMAT;
}

#endif
