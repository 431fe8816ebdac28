/* section_ends.c - the ends of long calls in the index: calls that were open at the head of the chunk in which they
 * ended. There are a few per chunk; they spare a walk to the end of a call.
 *
 *     section  varint n | n times: varint thread, svarint exit - that of the one before, varint exit - entry
 *              (positions in the thread), varint calls made directly, varint data ID + 1 of the exit (0: it ended
 *              without one), svarint its value
 *
 * A segment has none if a chunk of it cannot be read. */
#include "reader/index/sections.h"

#include <stdlib.h>

void ends_encode(const call_end_vec *ends, struct writer *w)
{
    uint64_t before = 0;
    write_varint(w, ends->count);
    for (size_t i = 0; i < ends->count; i++) {
        const struct call_end *x = &ends->items[i];
        write_varint(w, x->thread);
        write_svarint(w, (int64_t)(x->exit - before));
        write_varint(w, x->exit - x->entry);
        write_varint(w, x->calls);
        write_varint(w, x->dataid != UINT32_MAX ? (uint64_t)x->dataid + 1 : 0);
        write_svarint(w, x->dataid != UINT32_MAX ? (int64_t)x->value : 0);
        before = x->exit;
    }
}

/* Fills in those of `ends` that a segment has; false: it is damaged. */
static bool read_ends(const hs_trace *t, uint32_t thread, const void *data, size_t size, struct call_end *ends,
                      size_t count)
{
    struct reader r = reader_of(data, size);
    uint64_t n = read_varint(&r), exit = 0;
    for (uint64_t i = 0; i < n && !r.bad; i++) {
        uint64_t its = read_varint(&r);
        exit += (uint64_t)read_svarint(&r);
        struct call_end x = { .exit = exit, .thread = thread };
        x.entry = exit - read_varint(&r);
        x.calls = read_varint(&r);
        uint64_t dataid = read_varint(&r);
        x.value = (uint64_t)read_svarint(&r);
        x.dataid = (uint32_t)(dataid - 1);
        if (r.bad || dataid > t->kind_count)
            return false;
        for (size_t k = 0; its == thread && k < count; k++)
            if (ends[k].entry == x.entry && ends[k].exit == CALL_UNKNOWN)
                ends[k] = x;
    }
    return !r.bad;
}

enum status ends_find(hs_trace *t, uint32_t stream, uint64_t position, struct call_end *ends, size_t count)
{
    const struct thread_chunks *own = &t->streams[stream];
    const struct chunk_ref *c = positions_chunk(t, (struct event_position){ stream, position });
    size_t left = 0, size;
    for (size_t i = 0; i < count; i++)
        left += ends[i].exit == CALL_UNKNOWN;
    for (const struct chunk_ref *before = NULL; c != NULL && c < own->chunks + own->count && left > 0; before = c++) {
        if (before != NULL && index_segment(before) == index_segment(c))
            continue;
        uint8_t *section = index_section(t, index_segment(c), SECTION_ENDS, &size);
        bool ok = section != NULL && read_ends(t, own->thread, section, size, ends, count);
        free(section);
        if (!ok)
            return ERR_NOT_FOUND;
        left = 0;
        for (size_t i = 0; i < count; i++)
            left += ends[i].exit == CALL_UNKNOWN;
    }
    return OK;
}
