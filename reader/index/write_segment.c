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
    const size_t blocks = parts->block_count * sizeof *parts->blocks,
                 keyframes = SEGMENT_CHUNKS * sizeof *parts->keyframes;
    struct writer out = { 0 };
    enum status st = OK;
    h->directory_bytes = sizeof *parts->directory + blocks + keyframes;
    for (size_t i = 0; i < parts->block_count; i++)
        parts->blocks[i].offset += h->directory_bytes;
    for (unsigned i = 0; i < SEGMENT_CHUNKS; i++)
        parts->keyframes[i].offset += h->directory_bytes;
    for (unsigned i = 0; i < SECTIONS; i++)
        parts->directory->sections[i].offset += h->directory_bytes;
    write_bytes(&out, h, sizeof *h);
    write_bytes(&out, parts->directory, sizeof *parts->directory);
    write_bytes(&out, parts->blocks, blocks);
    write_bytes(&out, parts->keyframes, keyframes);
    if (!out.bad) {
        h->directory_hash = XXH64(out.data + sizeof *h, h->directory_bytes, 0);
        h->body_bytes = h->directory_bytes + parts->body->size;
        memcpy(out.data, h, sizeof *h);
    }
    write_bytes(&out, parts->body->data, parts->body->size);
    if (out.bad)
        st = error_memory(err, "%s", t->dir);
    else if (!write_all(fd, out.data, out.size))
        st = error_set(err, ERR_IO, "%s/" INDEX_FILE ": %s", t->dir, strerror(errno));
    writer_free(&out);
    return st;
}
