/* blocks.c - what the segments of an index say: the chunks that have an id, keyframes and tables; see segments.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "formats/search.h"
#include "reader/segments/segments_parts.h"

bool index_has(hs_trace *t, uint64_t segment)
{
    return index_present(t) && segments_find(index_of(t), segment) != NULL;
}

/* A section of a body, inflated into the first half of the scratch memory; NULL if it is damaged. */
static const uint8_t *inflate(struct index *x, const struct segment *s, uint64_t offset, uint32_t raw, uint32_t stored,
                              uint32_t check)
{
    uint8_t *packed = x->scratch + BLOCK_RAW_MAX;
    if (raw > BLOCK_RAW_MAX || stored > raw ||
        !segments_read_at(x, s->body + offset, stored == raw ? x->scratch : packed, stored))
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
    const struct segment *s = index_present(t) ? segments_find(index_of(t), segment) : NULL;
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
    bool ok = raw != NULL && packed != NULL && segments_read_at(x, s->body + p->offset, packed, p->stored_bytes) &&
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
    const struct segment *s = index_present(t) ? segments_find(index_of(t), segment) : NULL;
    *size = s != NULL ? s->sections[section].raw_bytes : 0;
    return s != NULL ? read_section(index_of(t), s, &s->sections[section]) : NULL;
}

bool index_has_keyframe(hs_trace *t, const struct chunk_ref *chunk)
{
    const struct segment *s = index_present(t) ? segments_find(index_of(t), index_segment(chunk)) : NULL;
    return s != NULL && (s->keyframes & index_bit(chunk)) != 0;
}

const uint8_t *index_keyframe(hs_trace *t, const struct chunk_ref *chunk, size_t *size)
{
    const struct segment *s = index_present(t) ? segments_find(index_of(t), index_segment(chunk)) : NULL;
    struct index *x = index_of(t);
    if (s == NULL || (s->keyframes & index_bit(chunk)) == 0)
        return NULL;
    const unsigned at = chunk->number % SEGMENT_CHUNKS;
    const struct section_row *row = &s->keyframe_rows[at / KEYFRAMES_TOGETHER];
    if (x->keyframes.row != row) {
        free(x->keyframes.bytes);
        x->keyframes.bytes = read_section(x, s, row);
        x->keyframes.size = x->keyframes.bytes != NULL ? row->raw_bytes : 0;
        x->keyframes.row = row;
    }
    struct reader r = reader_of(x->keyframes.bytes, x->keyframes.size);
    while (r.at < r.size && !r.bad) {
        const unsigned of = read_u1(&r);
        const uint64_t bytes = read_varint(&r);
        const uint8_t *keyframe = bytes <= r.size ? read_span(&r, (size_t)bytes) : NULL;
        if (keyframe == NULL)
            return NULL;
        *size = (size_t)bytes;
        if (of == at)
            return keyframe;
    }
    return NULL;
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
        enum status st = section != NULL ? each(context, segment, section, size, err) : ERR_NOT_FOUND;
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
    for (unsigned i = 0; i < KEYFRAME_ROWS; i++)
        whole = whole && section_whole(x, s, &s->keyframe_rows[i]);
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
    if (x == NULL || x->fd < 0 || !x->kept || !segments_size_of(x, &bytes))
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
