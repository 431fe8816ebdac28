/* segments.c - reading the index file; see segments.h for its layout, index/build.c for how it is built. */
#include "reader/segments/segments.h"

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

enum { CACHED_BLOCKS = 256, DIRECTORY_MAX = 1 << 28, BLOCK_RAW_MAX = BLOCK_IDS * 14 + 16 };

struct segment {
    uint64_t number;
    uint64_t body;            /* offset of its body in the file */
    uint32_t first[SETS + 1]; /* block of each set; the last: how many there are */
    struct block_row *blocks;
    struct section_row keyframes[SEGMENT_CHUNKS], sections[SECTIONS];
};

/* One decoded block. */
struct block {
    const struct block_row *row;
    uint32_t count;
    uint32_t ids[BLOCK_IDS];
    uint64_t bits[BLOCK_IDS];
};

struct index {
    int fd;                       /* -1: none */
    bool kept;                    /* a file in the trace, not memory */
    uint64_t base, bytes;         /* of a trace in one file: where it lies in that; 0: the file is the index */
    uint64_t end;                 /* of the last whole segment */
    VEC(struct segment) segments; /* by number */
    struct numbered *numbered;
    size_t numbered_count;
    struct block *cache[CACHED_BLOCKS];
    ZSTD_DCtx *zstd;
    uint8_t *scratch; /* BLOCK_RAW_MAX twice */
};

static struct index *index_of(const hs_trace *t) { return trace_attached(t, ATTACHED_INDEX); }

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
    size_t low;
    LOWER_BOUND(low, count, index_segment(all[low].chunk) < segment);
    size_t n = 0;
    uint64_t h = 0;
    for (; low + n < count && index_segment(all[low + n].chunk) == segment; n++) {
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

static bool read_at(const struct index *x, uint64_t offset, void *to, size_t n)
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

static bool size_of(const struct index *x, uint64_t *bytes)
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
    for (unsigned i = 0; i < CACHED_BLOCKS; i++)
        if (x->cache[i] != NULL)
            x->cache[i]->row = NULL;
}

/* Reads the directory of a segment; false if it is damaged. */
static bool read_directory(struct index *x, const struct segment_head *h, uint64_t body, struct segment *out)
{
    struct segment_directory d;
    bool ok = false;
    uint8_t *bytes = h->directory_bytes <= DIRECTORY_MAX ? malloc(h->directory_bytes + 1) : NULL;
    if (bytes == NULL || h->directory_bytes < sizeof d || h->directory_bytes > h->body_bytes ||
        !read_at(x, body, bytes, h->directory_bytes) || XXH64(bytes, h->directory_bytes, 0) != h->directory_hash)
        goto out;
    memcpy(&d, bytes, sizeof d);
    uint64_t blocks = 0;
    for (unsigned i = 0; i < SETS; i++)
        blocks += d.blocks[i];
    if (h->directory_bytes != sizeof d + blocks * sizeof(struct block_row) + sizeof out->keyframes)
        goto out;
    *out = (struct segment){ .number = h->segment, .body = body };
    for (unsigned i = 0; i < SETS; i++)
        out->first[i + 1] = out->first[i] + d.blocks[i];
    out->blocks = malloc(blocks * sizeof *out->blocks + 1);
    if (out->blocks == NULL)
        goto out;
    memcpy(out->blocks, bytes + sizeof d, blocks * sizeof *out->blocks);
    memcpy(out->keyframes, bytes + sizeof d + blocks * sizeof *out->blocks, sizeof out->keyframes);
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

/* Reads all segments; those that do not match the chunk rows of the trace are skipped. */
static void read_segments(hs_trace *t, struct index *x)
{
    char magic[8];
    size_t count;
    const struct numbered *all = index_numbered(t, &count);
    uint64_t bytes;
    forget_segments(x);
    x->end = 0;
    if (all == NULL || !size_of(x, &bytes) || !read_at(x, 0, magic, sizeof magic) ||
        memcmp(magic, INDEX_MAGIC, sizeof magic) != 0)
        return;
    x->end = sizeof magic;
    struct segment_head h;
    while (bytes - x->end >= sizeof h && read_at(x, x->end, &h, sizeof h)) {
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
        indexed += index_rows(t, all, count, index_of(t)->segments.items[i].number, &first, &hash);
    *out = (struct hs_index_info){ .chunks = t->chunk_count,
                                   .indexed = indexed,
                                   .kept = any && index_of(t)->kept,
                                   .bytes = any && size_of(index_of(t), &bytes) ? bytes : 0 };
}

const struct hs_index_info *hs_index_info(hs_trace *t)
{
    index_info(t, &t->index_info);
    return &t->index_info;
}

/* ---- blocks ---- */

static const struct segment *find_segment(const struct index *x, uint64_t number)
{
    struct segment key = { .number = number };
    return x->segments.count == 0 ? NULL : bsearch(&key, x->segments.items, x->segments.count, sizeof key, by_segment);
}

bool index_has(hs_trace *t, uint64_t segment) { return index_present(t) && find_segment(index_of(t), segment) != NULL; }

/* A section of a body, inflated into the first half of the scratch memory; NULL if it is damaged. */
static const uint8_t *inflate(struct index *x, const struct segment *s, uint64_t offset, uint32_t raw, uint32_t stored,
                              uint32_t check)
{
    uint8_t *packed = x->scratch + BLOCK_RAW_MAX;
    if (raw > BLOCK_RAW_MAX || stored > raw ||
        !read_at(x, s->body + offset, stored == raw ? x->scratch : packed, stored))
        return NULL;
    if (XXH32(stored == raw ? x->scratch : packed, stored, 0) != check)
        return NULL;
    if (stored != raw && ZSTD_decompressDCtx(x->zstd, x->scratch, raw, packed, stored) != raw)
        return NULL;
    return x->scratch;
}

/* Columns: varint ids (difference - 1), one code byte each (0..63 that bit alone, 64 as the id before, 65 a bitmap),
 * bitmaps. */
static bool decode_block(struct block *b, const uint8_t *bytes, size_t size, uint32_t first_id)
{
    struct reader r = reader_of(bytes, size);
    uint64_t n = read_varint(&r), id = first_id;
    if (r.bad || n == 0 || n > BLOCK_IDS)
        return false;
    for (uint64_t i = 0; i < n; i++) {
        id += i == 0 ? 0 : read_varint(&r) + 1;
        if (id > UINT32_MAX)
            return false;
        b->ids[i] = (uint32_t)id;
    }
    const uint8_t *codes = read_span(&r, n);
    if (codes == NULL)
        return false;
    for (uint64_t i = 0; i < n; i++) {
        if (codes[i] < 64)
            b->bits[i] = (uint64_t)1 << codes[i];
        else
            b->bits[i] = codes[i] == 64 && i > 0 ? b->bits[i - 1] : read_le8(&r);
    }
    b->count = (uint32_t)n;
    return !r.bad;
}

static const struct block *load_block(struct index *x, const struct segment *s, const struct block_row *row)
{
    struct block **slot = &x->cache[((uintptr_t)row / sizeof *row) % CACHED_BLOCKS];
    if (*slot != NULL && (*slot)->row == row)
        return *slot;
    if (*slot == NULL)
        *slot = malloc(sizeof **slot);
    struct block *b = *slot;
    if (b == NULL)
        return NULL;
    b->row = NULL;
    const uint8_t *bytes = inflate(x, s, row->offset, row->raw_bytes, row->stored_bytes, row->check);
    if (bytes == NULL || !decode_block(b, bytes, row->raw_bytes, row->first_id))
        return NULL;
    b->row = row;
    return b;
}

static const struct block_row *rows_of(const struct segment *s, enum index_set set, uint32_t *count)
{
    *count = s->first[set + 1] - s->first[set];
    return s->blocks + s->first[set];
}

/* The chunks that the set has for an id; all if the block cannot be read. */
static uint64_t chunks_of(struct index *x, const struct segment *s, enum index_set set, uint32_t id)
{
    uint32_t count;
    const struct block_row *rows = rows_of(s, set, &count);
    uint32_t behind, low; /* the last block that begins at or before it is at `behind` - 1 */
    LOWER_BOUND(behind, count, rows[behind].first_id <= id);
    if (behind == 0)
        return 0;
    const struct block *b = load_block(x, s, &rows[behind - 1]);
    if (b == NULL)
        return UINT64_MAX;
    LOWER_BOUND(low, b->count, b->ids[low] < id);
    return low < b->count && b->ids[low] == id ? b->bits[low] : 0;
}

/* The chunks that hold one of the objects; all if a block cannot be read. Reads only blocks that may have one. */
static uint64_t chunks_of_objects(struct index *x, const struct segment *s, const u32_vec *objects)
{
    uint32_t count;
    const struct block_row *rows = rows_of(s, SET_OBJECTS, &count);
    uint64_t bits = 0;
    size_t next = 0; /* of the objects */
    for (uint32_t k = 0; k < count && next < objects->count; k++) {
        uint64_t end = k + 1 < count ? rows[k + 1].first_id : (uint64_t)UINT32_MAX + 1;
        while (next < objects->count && objects->items[next] < rows[k].first_id)
            next++;
        if (next == objects->count || objects->items[next] >= end)
            continue;
        const struct block *b = load_block(x, s, &rows[k]);
        if (b == NULL)
            return UINT64_MAX;
        for (uint32_t i = 0; i < b->count && next < objects->count; i++) {
            while (next < objects->count && objects->items[next] < b->ids[i])
                next++;
            if (next < objects->count && objects->items[next] == b->ids[i])
                bits |= b->bits[i];
        }
    }
    return bits;
}

/* The chunks among `of` that hold one of the ids of a bitmap. */
static uint64_t chunks_of_any(struct index *x, const struct segment *s, const struct index_want *want, uint64_t of)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; !want->many && i < want->list_count && (bits & of) != of; i++)
        bits |= chunks_of(x, s, SET_DATAIDS, want->list[i]);
    uint32_t count;
    const struct block_row *rows = rows_of(s, SET_DATAIDS, &count);
    for (uint32_t k = 0; want->many && k < count && (bits & of) != of; k++) {
        const struct block *b = load_block(x, s, &rows[k]);
        if (b == NULL)
            return of;
        for (uint32_t i = 0; i < b->count; i++)
            if (b->ids[i] < want->id_count && (want->ids[b->ids[i] / 64] >> (b->ids[i] % 64) & 1) != 0)
                bits |= b->bits[i];
    }
    return bits & of;
}

static uint64_t chunks_of_keys(struct index *x, const struct segment *s, const struct index_want *want)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < want->key_count; i++) {
        const struct index_key *k = &want->keys[i];
        bits |= chunks_of(x, s, k->set, k->id);
        if (k->set == SET_WRITTEN)
            bits |= chunks_of(x, s, k->set, k->id | LOCATION_PART_UNKNOWN);
    }
    return bits;
}

uint64_t index_candidates(hs_trace *t, uint64_t segment, const struct index_want *want)
{
    enum { WORTH_CHUNKS = 4 }; /* decoding more chunks costs more than reading all data IDs of a segment */
    const struct segment *s = index_present(t) ? find_segment(index_of(t), segment) : NULL;
    uint64_t bits = UINT64_MAX;
    if (s == NULL)
        return bits;
    if (want->key_count > 0)
        return chunks_of_keys(index_of(t), s, want);
    if (want->object != 0)
        bits &= chunks_of(index_of(t), s, SET_OBJECTS, want->object);
    if (want->objects != NULL)
        bits &= chunks_of_objects(index_of(t), s, want->objects);
    if (bits != 0 && want->ids != NULL && (!want->many || __builtin_popcountll(bits) > WORTH_CHUNKS))
        bits = chunks_of_any(index_of(t), s, want, bits);
    return bits;
}

/* ---- sections: keyframes, the call table ---- */

/* Reads and inflates a section, malloc'ed; NULL if there is none or it is damaged. */
static uint8_t *read_section(struct index *x, const struct segment *s, const struct section_row *p)
{
    enum { SECTION_MAX = 64 << 20 };
    if (p->raw_bytes == 0 || p->raw_bytes > SECTION_MAX || p->stored_bytes > p->raw_bytes)
        return NULL;
    uint8_t *raw = malloc(p->raw_bytes), *packed = malloc(p->stored_bytes + 1);
    bool ok = raw != NULL && packed != NULL && read_at(x, s->body + p->offset, packed, p->stored_bytes) &&
              XXH32(packed, p->stored_bytes, 0) == p->check;
    if (ok && p->stored_bytes == p->raw_bytes)
        memcpy(raw, packed, p->raw_bytes);
    else if (ok)
        ok = ZSTD_decompressDCtx(x->zstd, raw, p->raw_bytes, packed, p->stored_bytes) == p->raw_bytes;
    free(packed);
    if (!ok) {
        free(raw);
        raw = NULL;
    }
    return raw;
}

uint8_t *index_section(hs_trace *t, uint64_t segment, enum index_section section, size_t *size)
{
    const struct segment *s = index_present(t) ? find_segment(index_of(t), segment) : NULL;
    *size = s != NULL ? s->sections[section].raw_bytes : 0;
    return s != NULL ? read_section(index_of(t), s, &s->sections[section]) : NULL;
}

bool index_has_keyframe(hs_trace *t, const struct chunk_ref *chunk)
{
    const struct segment *s = index_present(t) ? find_segment(index_of(t), index_segment(chunk)) : NULL;
    return s != NULL && s->keyframes[chunk->number % SEGMENT_CHUNKS].raw_bytes > 0;
}

uint8_t *index_keyframe(hs_trace *t, const struct chunk_ref *chunk, size_t *size)
{
    const struct segment *s = index_present(t) ? find_segment(index_of(t), index_segment(chunk)) : NULL;
    const struct section_row *row = s != NULL ? &s->keyframes[chunk->number % SEGMENT_CHUNKS] : NULL;
    *size = row != NULL ? row->raw_bytes : 0;
    return row != NULL ? read_section(index_of(t), s, row) : NULL;
}

enum status index_each(hs_trace *t, enum index_section which, index_section_fn *each, void *context, struct error *err)
{
    struct hs_index_info info;
    size_t n, size;
    index_info(t, &info);
    if (info.indexed != t->chunk_count || t->chunk_count == 0)
        return ERR_NOT_FOUND;
    const struct numbered *all = index_numbered(t, &n);
    for (size_t i = 0; i < n; i++) {
        uint64_t segment = index_segment(all[i].chunk);
        if (i > 0 && index_segment(all[i - 1].chunk) == segment)
            continue;
        uint8_t *section = index_section(t, segment, which, &size);
        enum status st = section != NULL ? each(context, section, size, err) : ERR_NOT_FOUND;
        free(section);
        if (st != OK)
            return st;
    }
    return OK;
}

/* ---- verification ---- */

static bool section_whole(struct index *x, const struct segment *s, const struct section_row *p)
{
    uint8_t *raw = p->raw_bytes > 0 ? read_section(x, s, p) : NULL;
    free(raw);
    return raw != NULL || p->raw_bytes == 0;
}

static bool segment_whole(struct index *x, const struct segment *s)
{
    bool whole = true;
    for (uint32_t i = 0; i < s->first[SETS]; i++)
        whole = whole && load_block(x, s, &s->blocks[i]) != NULL;
    for (unsigned i = 0; i < SEGMENT_CHUNKS; i++)
        whole = whole && section_whole(x, s, &s->keyframes[i]);
    for (unsigned i = 0; i < SECTIONS; i++)
        whole = whole && section_whole(x, s, &s->sections[i]);
    return whole;
}

void index_verify(hs_trace *t, env_tell_fn *report, void *context)
{
    char what[120];
    uint64_t bytes;
    index_open(t);
    struct index *x = index_of(t);
    const char *remedy = t->bundled ? "pack the trace again" : "delete it";
    if (x == NULL || x->fd < 0 || !x->kept || !size_of(x, &bytes))
        return;
    if (x->end != bytes && bytes > 0) {
        (void)snprintf(what, sizeof what, INDEX_FILE ": damaged behind byte %llu: %s", (unsigned long long)x->end,
                       remedy);
        report(context, what);
    }
    for (size_t i = 0; i < x->segments.count; i++)
        if (!segment_whole(x, &x->segments.items[i])) {
            (void)snprintf(what, sizeof what, INDEX_FILE ": segment %llu is damaged: %s",
                           (unsigned long long)x->segments.items[i].number, remedy);
            report(context, what);
        }
}
