/* section_states.c - states of threads between derived chunks, from which a chunk can be executed (derive/derive.c).
 *
 *     section  { u1 number of the chunk in the segment, varint bytes, bytes }
 *
 * A state of more than STATE_MAX bytes is left out: one in front of it is used then. */
#include <stdlib.h>
#include <string.h>

#include "reader/index/segment.h"

enum { STATE_MAX = 1 << 20 };

bool states_add(hs_trace *t, const struct chunk_ref *c, struct writer *states)
{
    struct writer state = { 0 };
    if (!c->derived || t->derived == NULL)
        return true;
    t->derived->write_state(t, c, &state);
    if (state.size > 0 && state.size <= STATE_MAX) {
        write_u1(states, (unsigned)(c->number % SEGMENT_CHUNKS));
        write_varint(states, state.size);
        write_bytes(states, state.data, state.size);
    }
    bool ok = !state.bad && !states->bad;
    writer_free(&state);
    return ok;
}

uint8_t *index_derived_state(hs_trace *t, const struct chunk_ref *chunk, size_t *size)
{
    size_t all;
    uint8_t *section = index_section(t, index_segment(chunk), SECTION_STATES, &all), *found = NULL;
    struct reader r = reader_of(section, section != NULL ? all : 0);
    while (r.at < r.size && found == NULL && !r.bad) {
        unsigned number = read_u1(&r);
        uint64_t bytes = read_varint(&r);
        const uint8_t *p = bytes <= STATE_MAX ? read_span(&r, (size_t)bytes) : NULL;
        if (p == NULL)
            break;
        if (number != chunk->number % SEGMENT_CHUNKS)
            continue;
        found = malloc((size_t)bytes + 1);
        if (found != NULL)
            memcpy(found, p, (size_t)bytes);
        *size = (size_t)bytes;
    }
    free(section);
    return found;
}
