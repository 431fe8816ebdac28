/* pack.c - parts of a segment are packed each by itself, so that a query unpacks what it needs. */
#include <xxhash.h>

#include "reader/index/sections.h"

enum { ZSTD_LEVEL = 3 };

uint32_t pack(struct packed *to, const void *bytes, size_t n)
{
    enum { PACK_LEAST = 48 };
    if (n >= PACK_LEAST && writer_reserve(&to->body, ZSTD_compressBound(n))) {
        size_t packed = ZSTD_compressCCtx(to->zstd, to->body.data + to->body.size, to->body.cap - to->body.size, bytes,
                                          n, ZSTD_LEVEL);
        if (!ZSTD_isError(packed) && packed < n) {
            to->body.size += packed;
            return (uint32_t)packed;
        }
    }
    write_bytes(&to->body, bytes, n);
    return (uint32_t)n;
}

bool section_write(struct packed *to, struct section_row *out)
{
    *out = (struct section_row){ .raw_bytes = (uint32_t)to->raw.size, .offset = to->body.size };
    out->stored_bytes = pack(to, to->raw.data, to->raw.size);
    out->check = to->body.bad ? 0 : XXH32(to->body.data + out->offset, out->stored_bytes, 0);
    return !to->body.bad && !to->raw.bad;
}
