/* segments_parts.h - an index file that is open, for segments.c and blocks.c alone. */
#ifndef READER_SEGMENTS_SEGMENTS_PARTS_H
#define READER_SEGMENTS_SEGMENTS_PARTS_H

#include <zstd.h>

#include "reader/segments/segments.h"

enum { CACHED_BLOCKS = 256, BLOCK_RAW_MAX = BLOCK_IDS * 14 + 16 };

struct segment {
    uint64_t number;
    uint64_t body;            /* what offsets count from, in the file */
    uint32_t first[SETS + 1]; /* block of each set; the last: how many there are */
    struct block_row *blocks;
    uint64_t keyframes; /* segment_directory */
    struct section_row keyframe_rows[KEYFRAME_ROWS], sections[SECTIONS];
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
    struct {
        const struct section_row *row;
        uint8_t *bytes;
        size_t size;
    } keyframes; /* those read last */
};

static inline struct index *index_of(const hs_trace *t) { return trace_attached(t, ATTACHED_INDEX); }

/* Bytes at an offset of the index; false: they are not there. */
bool segments_read_at(const struct index *x, uint64_t offset, void *to, size_t n);
bool segments_size_of(const struct index *x, uint64_t *bytes);
const struct segment *segments_find(const struct index *x, uint64_t number); /* NULL: there is none */

#endif
