/* write_segment.c - the bytes of a segment, in the order of the file: head, directory, body. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "formats/limits.h"
#include "reader/index/sections.h"

static bool write_all(int fd, const void *bytes, size_t n)
{
    while (n > 0) {
        off_t at = lseek(fd, 0, SEEK_CUR);
        /* else the program that uses this library would get a signal */
        if (at >= 0 && (uint64_t)at + n > limit_file_bytes())
            return errno = EFBIG, false;
        ssize_t put = write(fd, bytes, n);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        bytes = (const char *)bytes + put;
        n -= (size_t)put;
    }
    return true;
}

enum status segment_write(const hs_trace *t, int fd, struct segment_head *h, const struct segment_parts *parts,
                          struct error *err)
{
    struct packed out = { .zstd = parts->packed->zstd };
    enum status st = OK;
    write_bytes(&out.raw, &parts->directory, sizeof parts->directory);
    write_bytes(&out.raw, parts->blocks, parts->block_count * sizeof *parts->blocks);
    write_bytes(&out.body, h, sizeof *h);
    h->directory_bytes = (uint32_t)out.raw.size;
    h->directory_stored = pack(&out, out.raw.data, out.raw.size);
    if (!out.body.bad) {
        h->directory_hash = XXH64(out.body.data + sizeof *h, h->directory_stored, 0);
        h->body_bytes = h->directory_stored + parts->packed->body.size;
        memcpy(out.body.data, h, sizeof *h);
    }
    write_bytes(&out.body, parts->packed->body.data, parts->packed->body.size);
    if (out.raw.bad || out.body.bad)
        st = error_memory(err, "%s", t->dir);
    else if (!write_all(fd, out.body.data, out.body.size))
        st = error_set(err, ERR_IO, "%s/" INDEX_FILE ": %s", t->dir, strerror(errno));
    writer_free(&out.raw);
    writer_free(&out.body);
    return st;
}
