/* whole.c - sums over a whole trace that has ended, which a question or `index` keeps in the index when it is complete:
 * threads reach into each other's chunks, so that no segment has what such a sum needs. */
#include <stdlib.h>
#include <string.h>

#include "reader/index/sections.h"

enum { WHOLE_RAW_MAX = 16 << 20, WHOLE_LEAST = 1 << 16, WHOLE_SHARE = 50 };

bool index_whole_wanted(hs_trace *t, enum index_section which)
{
    struct hs_index_info info;
    size_t size;
    index_info(t, &info);
    if (!info.kept || info.indexed != t->chunk_count || t->bundled || t->read_only || hs_info(t, "end") == NULL ||
        hs_damage(t) != NULL || t->progress.cancelled)
        return false;
    uint8_t *there = index_section(t, SEGMENT_WHOLE(which), which, &size);
    free(there);
    return there == NULL;
}

static enum status write_whole(hs_trace *t, enum index_section which, struct packed *p, int fd, struct error *err)
{
    struct segment_head h = { .magic = SEGMENT_MAGIC, .segment = SEGMENT_WHOLE(which) };
    struct segment_parts parts = { .packed = p };
    size_t count, first;
    const struct numbered *all = index_numbered(t, &count);
    if (all == NULL || !section_write(p, &parts.directory.sections[which]))
        return error_memory(err, "%s", t->dir);
    h.chunks = (uint32_t)index_rows(t, all, count, h.segment, &first, &h.rows_hash);
    return segment_write(t, fd, &h, &parts, err);
}

/* Is it small beside the trace, of which the index is a tenth at most? */
bool index_whole_small(const hs_trace *t, size_t bytes)
{
    uint64_t stored = 0;
    for (size_t i = 0; i < t->chunk_count; i++)
        stored += t->chunks[i].bytes;
    return bytes <= WHOLE_RAW_MAX && (bytes <= WHOLE_LEAST || bytes / 2 <= stored / WHOLE_SHARE);
}

void index_keep_whole(hs_trace *t, enum index_section which, struct writer *raw)
{
    struct packed p = { .raw = *raw, .zstd = ZSTD_createCCtx() };
    struct error err = { 0 };
    *raw = (struct writer){ 0 };
    if (p.zstd != NULL && !p.raw.bad && index_whole_small(t, p.raw.size) && index_whole_wanted(t, which)) {
        const int fd = index_append_begin(t, &err);
        if (fd >= 0 && index_whole_wanted(t, which))   /* no other process has done it */
            (void)write_whole(t, which, &p, fd, &err); /* without room in the file it is not kept */
        if (fd >= 0)
            index_append_end(t);
    }
    ZSTD_freeCCtx(p.zstd);
    writer_free(&p.body);
    writer_free(&p.raw);
}
