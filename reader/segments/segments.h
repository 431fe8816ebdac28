/* segments.h - the public header of this folder: the file TRACE/index, its segments and their sections.
 *
 *     TRACE/index      HSINDEX1 | segment | segment | ...          one segment: 64 chunks with consecutive numbers
 *     segment          head | directory, packed | keyframes, blocks of each set, sections, each packed
 *     set              enum index_set: which chunks have what, in blocks
 *     block            up to 4096 ids, rising, each with a bitmap: bit i is chunk number 64 * segment + i
 *     keyframes        of 16 chunks: u1 chunk (its bit), varint bytes, bytes; not all chunks have one
 *     section          derive/stored_state.c; index/section_shares.c, section_calls.c, section_exceptions.c,
 *                      section_ends.c, section_lanes.c, section_values.c, section_paths.c,
 *                      section_flights.c, section_repeats.c, section_stacks.c; of the whole trace threads/locks_kept.c,
 *                      index/whole_rows.c, index/class_pages.c
 *
 * Derived data: it can be deleted at any moment, grows by whole segments, and every segment carries a hash of the rows
 * of the chunk directory it was made from, so that a segment of another trace is not used. Chunks without a segment are
 * always candidates. The file is only read with pread, so that truncating it is harmless. A trace whose directory
 * cannot be written has its index in memory. */
#ifndef READER_SEGMENTS_H
#define READER_SEGMENTS_H

#include "reader/trace/open_trace.h"

/* ---- which chunks to read ---- */

enum { SEGMENT_BITS = 6, SEGMENT_CHUNKS = 1 << SEGMENT_BITS };

/* What is known of chunks by an id. */
enum index_set {
    SET_DATAIDS, /* data IDs: chunks with such an event */
    SET_OBJECTS, /* object ids: chunks with such a value */
    SET_WRITTEN, /* location keys (location_key.h): chunks that write the field or element */
    SET_READ,    /* location keys: chunks that read the field */
    SET_HANDED,  /* object ids: chunks in which code that is not woven may get the object (index/handing.c) */
    SETS
};
struct index_key {
    enum index_set set;
    uint32_t id;
};

/* What a chunk must contain: one of these data IDs, and this object as a value. */
struct index_want {
    const uint64_t *ids; /* bitmap over data IDs; NULL: any */
    uint32_t id_count;
    const uint32_t *list; /* the same ones, unless there are `many` */
    uint32_t list_count;
    uint32_t object;              /* 0: any */
    const u32_vec *objects;       /* one of these, which rise; NULL: any */
    const struct index_key *keys; /* it is in one of these sets, whatever its data IDs; none: any */
    size_t key_count;
    /* very many data IDs are wanted: check all those of the segment, and only if that can exclude many chunks */
    bool many;
};

static inline uint64_t index_segment(const struct chunk_ref *c) { return c->number >> SEGMENT_BITS; }
static inline uint64_t index_bit(const struct chunk_ref *c)
{
    return (uint64_t)1 << (c->number & (SEGMENT_CHUNKS - 1));
}
/* True if anything is indexed. Opens the index on the first call. */
bool index_present(hs_trace *t);
/* The chunks of a segment that may hold what is wanted, as bits. */
uint64_t index_candidates(hs_trace *t, uint64_t segment, const struct index_want *want);
/* Reads all of the index; calls `report` for damaged parts, which queries do not use. */
void index_verify(hs_trace *t, env_tell_fn *report, void *context);

void index_info(hs_trace *t, struct hs_index_info *out);

/* ---- the file ---- */

enum { BLOCK_IDS = 4096 };
#define INDEX_FILE TRACE_INDEX_FILE

/* Opens the existing index; never fails, but may find none. */
void index_open(hs_trace *t);

/* A section of a segment, malloc'ed; NULL if there is none. */
enum index_section {
    SECTION_COUNTS,
    SECTION_CALLS,
    SECTION_EXCEPTIONS,
    SECTION_ENDS,
    SECTION_STATES,
    SECTION_LANES,
    SECTION_VALUES,
    SECTION_PATHS,
    SECTION_FLIGHTS,
    SECTION_REPEATS,
    SECTION_KINDS,
    SECTION_STACKS,
    SECTION_LOCKS, /* of the whole trace, as those behind it */
    SECTION_MADE_BY_PLACE,
    SECTION_MADE_BY_TYPE,
    SECTION_HEAP,
    SECTION_CLASS_PAGES,
    SECTIONS
};
/* A section of the whole trace is that of a segment of its own, which has this number and all chunks. */
#define SEGMENT_WHOLE(section) (UINT64_MAX - (section))
static inline bool segment_is_whole(uint64_t segment) { return segment > SEGMENT_WHOLE(SECTIONS); }
uint8_t *index_section(hs_trace *t, uint64_t segment, enum index_section section, size_t *size);
/* That section of every segment; ERR_NOT_FOUND (`err` is not set) if the index does not have it for every chunk, also
 * from `each`. */
typedef enum status index_section_fn(void *context, uint64_t segment, const void *data, size_t size, struct error *err);
enum status index_each(hs_trace *t, enum index_section which, index_section_fn *each, void *context, struct error *err);
bool index_has_keyframe(hs_trace *t, const struct chunk_ref *chunk);
/* The keyframe of a chunk, borrowed until the next one; NULL if there is none. */
const uint8_t *index_keyframe(hs_trace *t, const struct chunk_ref *chunk, size_t *size);
/* Chunks by number, so that a segment's rows can be found: `*stream` is that of the chunk. */
struct numbered {
    const struct chunk_ref *chunk;
    uint32_t stream;
};
const struct numbered *index_numbered(hs_trace *t, size_t *count);
/* The chunks of a segment in `numbered`: first and how many; and the hash of their rows. */
size_t index_rows(const hs_trace *t, const struct numbered *all, size_t count, uint64_t segment, size_t *first,
                  uint64_t *hash);
/* True if the index has the segment and it matches these rows. */
bool index_has(hs_trace *t, uint64_t segment);
/* The file for appending, exclusively locked, cut to its last whole segment; -1 if neither file nor memory can be
 * written. */
int index_append_begin(hs_trace *t, struct error *err);
/* Makes the appended segments available to queries. */
void index_append_end(hs_trace *t);

/* ---- on disk ---- */

/* One segment on disk: this head, then `body_bytes`. Little-endian on all supported machines; checked by `magic`. */
struct segment_head {
    uint32_t magic, chunks;
    uint64_t segment;
    uint64_t rows_hash;  /* of the chunk directory's rows */
    uint64_t body_bytes; /* with the directory */
    uint32_t directory_bytes, directory_stored;
    uint64_t directory_hash; /* of what is stored */
};
enum { SEGMENT_MAGIC = 0x53584448, INDEX_VERSION = 30 };
#define INDEX_MAGIC "HSINDEX1"

/* The directory: this struct, then a block_row for each block, set by set. Offsets count from its end. */
struct block_row {
    uint32_t first_id, raw_bytes, stored_bytes, check;
    uint64_t offset;
};
struct section_row {
    uint32_t raw_bytes, stored_bytes; /* raw 0: there is none */
    uint32_t check, reserved;
    uint64_t offset;
};
enum { KEYFRAMES_TOGETHER = 16, KEYFRAME_ROWS = SEGMENT_CHUNKS / KEYFRAMES_TOGETHER };
struct segment_directory {
    uint32_t blocks[SETS], reserved;
    uint64_t keyframes; /* chunks that have one, as bits */
    struct section_row keyframe_rows[KEYFRAME_ROWS], sections[SECTIONS];
};

#endif
