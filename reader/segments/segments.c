/* segments.c - reading the index file; see segments.h for its layout, index/build.c for how it is built. */
#include "reader/segments/segments_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "formats/files.h"
#include "formats/search.h"

enum { DIRECTORY_MAX = 1 << 28 };

/* ---- chunks by number ---- */

static int by_number(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;
    return x->chunk->number < y->chunk->number ? -1 : x->chunk->number > y->chunk->number;
}

static void number_chunks(const hs_trace *t, struct index *x)
{
    x->numbered = malloc((t->chunk_count + 1) * sizeof *x->numbered);
    if (x->numbered == NULL)
        return;
    for (size_t s = 0; s < t->stream_count; s++)
        for (size_t i = 0; i < t->streams[s].count; i++)
            x->numbered[x->numbered_count++] = (struct numbered){ &t->streams[s].chunks[i], (uint32_t)s };
    if (x->numbered_count > 0)
        qsort(x->numbered, x->numbered_count, sizeof *x->numbered, by_number);
}

const struct numbered *index_numbered(hs_trace *t, size_t *count)
{
    index_open(t);
    struct index *x = index_of(t);
    *count = 0;
    if (x == NULL)
        return NULL;
    if (x->numbered == NULL)
        number_chunks(t, x);
    *count = x->numbered != NULL ? x->numbered_count : 0;
    return x->numbered;
}

size_t index_rows(const hs_trace *t, const struct numbered *all, size_t count, uint64_t segment, size_t *first,
                  uint64_t *hash)
{
    const bool whole = segment_is_whole(segment);
    size_t low;
    LOWER_BOUND(low, count, !whole && index_segment(all[low].chunk) < segment);
    size_t n = 0;
    uint64_t h = 0;
    for (; low + n < count && (whole || index_segment(all[low + n].chunk) == segment); n++) {
        const struct chunk_ref *c = all[low + n].chunk;
        uint64_t row[] = {
            h,        c->number, t->streams[all[low + n].stream].thread, c->first_stamp, c->last_stamp, c->before,
            c->count, c->bytes
        };
        h = XXH64(row, sizeof row, INDEX_VERSION);
    }
    *first = low;
    *hash = h;
    return n;
}

/* ---- opening ---- */

bool segments_read_at(const struct index *x, uint64_t offset, void *to, size_t n)
{
    while (n > 0) {
        ssize_t got = pread(x->fd, to, n, (off_t)(x->base + offset));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        to = (char *)to + got;
        offset += (uint64_t)got;
        n -= (size_t)got;
    }
    return true;
}

bool segments_size_of(const struct index *x, uint64_t *bytes)
{
    struct stat info;
    if (x->base > 0) {
        *bytes = x->bytes;
        return true;
    }
    if (fstat(x->fd, &info) != 0)
        return false;
    *bytes = (uint64_t)info.st_size;
    return true;
}

static void forget_segments(struct index *x)
{
    for (size_t i = 0; i < x->segments.count; i++)
        free(x->segments.items[i].blocks);
    vec_free(&x->segments);
    free(x->keyframes.bytes);
    memset(&x->keyframes, 0, sizeof x->keyframes);
    for (unsigned i = 0; i < CACHED_BLOCKS; i++)
        if (x->cache[i] != NULL)
            x->cache[i]->row = NULL;
}

/* The bytes of a directory, malloc'ed; NULL if it is damaged. */
static uint8_t *unpack_directory(struct index *x, const struct segment_head *h, uint64_t body)
{
    const size_t stored = h->directory_stored, size = h->directory_bytes;
    if (size > DIRECTORY_MAX || stored > size || stored > h->body_bytes)
        return NULL;
    uint8_t *packed = malloc(stored + 1), *bytes = NULL;
    const bool read =
        packed != NULL && segments_read_at(x, body, packed, stored) && XXH64(packed, stored, 0) == h->directory_hash;
    if (read && stored == size)
        return packed;
    bytes = read ? malloc(size + 1) : NULL;
    if (bytes != NULL && ZSTD_decompressDCtx(x->zstd, bytes, size, packed, stored) != size) {
        free(bytes);
        bytes = NULL;
    }
    free(packed);
    return bytes;
}

/* Reads the directory of a segment; false if it is damaged. */
static bool read_directory(struct index *x, const struct segment_head *h, uint64_t body, struct segment *out)
{
    struct segment_directory d;
    bool ok = false;
    uint8_t *bytes = unpack_directory(x, h, body);
    if (bytes == NULL || h->directory_bytes < sizeof d)
        goto out;
    memcpy(&d, bytes, sizeof d);
    uint64_t blocks = 0;
    for (unsigned i = 0; i < SETS; i++)
        blocks += d.blocks[i];
    if (h->directory_bytes != sizeof d + blocks * sizeof(struct block_row))
        goto out;
    *out = (struct segment){ .number = h->segment, .body = body + h->directory_stored, .keyframes = d.keyframes };
    for (unsigned i = 0; i < SETS; i++)
        out->first[i + 1] = out->first[i] + d.blocks[i];
    out->blocks = malloc(blocks * sizeof *out->blocks + 1);
    if (out->blocks == NULL)
        goto out;
    memcpy(out->blocks, bytes + sizeof d, blocks * sizeof *out->blocks);
    memcpy(out->keyframe_rows, d.keyframe_rows, sizeof out->keyframe_rows);
    memcpy(out->sections, d.sections, sizeof out->sections);
    ok = true;
out:
    free(bytes);
    return ok;
}

static int by_segment(const void *a, const void *b)
{
    const struct segment *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

const struct segment *segments_find(const struct index *x, uint64_t number)
{
    struct segment key = { .number = number };
    return x->segments.count == 0 ? NULL : bsearch(&key, x->segments.items, x->segments.count, sizeof key, by_segment);
}

/* Reads all segments; those that do not match the chunk rows of the trace are skipped. */
static void read_segments(hs_trace *t, struct index *x)
{
    char magic[8];
    size_t count;
    const struct numbered *all = index_numbered(t, &count);
    uint64_t bytes;
    forget_segments(x);
    x->end = 0;
    if (all == NULL || !segments_size_of(x, &bytes) || !segments_read_at(x, 0, magic, sizeof magic) ||
        memcmp(magic, INDEX_MAGIC, sizeof magic) != 0)
        return;
    x->end = sizeof magic;
    struct segment_head h;
    while (bytes - x->end >= sizeof h && segments_read_at(x, x->end, &h, sizeof h)) {
        uint64_t body = x->end + sizeof h, hash;
        size_t first;
        if (h.magic != SEGMENT_MAGIC || h.body_bytes > bytes - body)
            break;
        struct segment s;
        size_t chunks = index_rows(t, all, count, h.segment, &first, &hash);
        bool ours = chunks == h.chunks && hash == h.rows_hash;
        if (ours && !read_directory(x, &h, body, &s))
            break;
        x->end = body + h.body_bytes;
        if (!ours)
            continue;
        struct segment *to = vec_push(&x->segments);
        if (to == NULL) {
            free(s.blocks);
            break;
        }
        *to = s;
    }
    if (x->segments.count > 1)
        qsort(x->segments.items, x->segments.count, sizeof *x->segments.items, by_segment);
}

static int open_file(const hs_trace *t, int flags)
{
    char path[4096];
    if (t->bundled)
        return open(t->dir, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if ((size_t)snprintf(path, sizeof path, "%s/" INDEX_FILE, t->dir) >= sizeof path)
        return -1;
    return flags & O_CREAT ? file_make(AT_FDCWD, path, flags) : open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
}

static void index_free(void *what)
{
    struct index *x = what;
    forget_segments(x);
    for (unsigned i = 0; i < CACHED_BLOCKS; i++)
        free(x->cache[i]);
    if (x->fd >= 0)
        (void)close(x->fd);
    ZSTD_freeDCtx(x->zstd);
    free(x->scratch);
    free(x->numbered);
    free(x);
}

void index_open(hs_trace *t)
{
    struct index *x = index_of(t);
    if (x != NULL)
        return;
    x = calloc(1, sizeof *x);
    if (x == NULL)
        return;
    trace_attach(t, ATTACHED_INDEX, x, index_free);
    x->zstd = ZSTD_createDCtx();
    x->scratch = malloc(2 * BLOCK_RAW_MAX);
    x->fd = x->zstd != NULL && x->scratch != NULL ? open_file(t, O_RDONLY) : -1;
    x->kept = x->fd >= 0;
    x->base = t->bundled ? t->bundle.at[BUNDLE_INDEX] : 0;
    x->bytes = t->bundled ? t->bundle.bytes[BUNDLE_INDEX] : 0;
    if (x->fd >= 0)
        read_segments(t, x);
}

bool index_present(hs_trace *t)
{
    index_open(t);
    return index_of(t) != NULL && index_of(t)->segments.count > 0;
}

/* ---- appending ---- */

static void replace_file(struct index *x, int fd, bool kept)
{
    if (x->fd >= 0)
        (void)close(x->fd);
    x->fd = fd;
    x->kept = kept;
    x->base = 0;
}

/* Opens the file in the trace and locks it; uses memory if it cannot be written. */
static bool open_for_append(const hs_trace *t, struct index *x)
{
    int fd = !t->read_only && (x->kept || x->fd < 0) ? open_file(t, O_RDWR | O_CREAT) : -1;
    if (fd >= 0 && flock(fd, LOCK_EX) == 0) {
        replace_file(x, fd, true);
        return true;
    }
    if (fd >= 0)
        (void)close(fd);
    if (x->fd >= 0 && !x->kept)
        return true; /* it is in memory already */
    fd = memfd_create("hindsight-index", MFD_CLOEXEC);
    if (fd < 0)
        return false;
    replace_file(x, fd, false);
    return true;
}

/* Truncates the file after its last whole segment and seeks to its end; a file without any segment is begun anew. */
static bool set_end(struct index *x)
{
    if (x->segments.count == 0)
        x->end = 0; /* all segments are of another version or trace */
    if (x->end == 0) {
        if (ftruncate(x->fd, 0) != 0 || pwrite(x->fd, INDEX_MAGIC, 8, 0) != 8)
            return false;
        x->end = 8;
    }
    return ftruncate(x->fd, (off_t)x->end) == 0 && lseek(x->fd, (off_t)x->end, SEEK_SET) >= 0;
}

int index_append_begin(hs_trace *t, struct error *err)
{
    index_open(t);
    struct index *x = index_of(t);
    if (x == NULL || x->zstd == NULL || x->scratch == NULL) {
        (void)error_memory(err, "%s", t->dir);
        return -1;
    }
    if (!open_for_append(t, x)) {
        (void)error_set(err, ERR_IO, "%s: the index can be written neither to a file nor to memory: %s", t->dir,
                        strerror(errno));
        return -1;
    }
    read_segments(t, x); /* another process may have appended to it */
    if (!set_end(x)) {
        (void)error_set(err, ERR_IO, "%s/" INDEX_FILE ": %s", t->dir, strerror(errno));
        return -1;
    }
    return x->fd;
}

void index_append_end(hs_trace *t)
{
    struct index *x = index_of(t);
    struct stat info;
    read_segments(t, x);
    if (x->fd < 0 || !x->kept)
        return;
    if (fstat(x->fd, &info) == 0 && (uint64_t)info.st_size > x->end)
        (void)!ftruncate(x->fd, (off_t)x->end); /* of a segment for which there was no room */
    (void)flock(x->fd, LOCK_UN);
}

void index_info(hs_trace *t, struct hs_index_info *out)
{
    size_t count, first;
    uint64_t hash, bytes = 0, indexed = 0;
    bool any = index_present(t);
    const struct numbered *all = any ? index_numbered(t, &count) : NULL;
    for (size_t i = 0; any && i < index_of(t)->segments.count; i++)
        if (!segment_is_whole(index_of(t)->segments.items[i].number))
            indexed += index_rows(t, all, count, index_of(t)->segments.items[i].number, &first, &hash);
    *out = (struct hs_index_info){ .chunks = t->chunk_count,
                                   .indexed = indexed,
                                   .kept = any && index_of(t)->kept,
                                   .bytes = any && segments_size_of(index_of(t), &bytes) ? bytes : 0 };
}

const struct hs_index_info *hs_index_info(hs_trace *t)
{
    index_info(t, &t->index_info);
    return &t->index_info;
}
