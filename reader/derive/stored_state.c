/* stored_state.c - see stored_state.h.
 *
 *     u1 enum derive_state | svarint returned | varint frames, then for each, outermost first:
 *         varint method + 1 | varint call + 1 (0 none) | u1 flags
 *         if it is followed: varint data ID of the method | varint step | varint from_pc | varint number of registers |
 *         svarint registers
 *
 * Of the frames below the top one the code is read when it is needed: of most stacks it never is.
 *
 * SECTION_STATES of the index: { u1 number of the chunk in the segment, varint bytes, state }. A state of more than
 * STATE_MAX bytes is left out: one in front of it is used then. */
#include "reader/derive/stored_state.h"

#include "reader/segments/segments.h"

enum { STATE_MAX = 1 << 20 };
enum { FRAME_RECORDED = 1, FRAME_DIRECT = 2, FRAME_INTERRUPTS = 4, FRAME_FOLLOWED = 8 };

void stored_state_write(const struct replay_thread *t, struct writer *w)
{
    write_u1(w, t->state.state);
    write_svarint(w, (int64_t)t->state.returned);
    write_varint(w, t->frames.count);
    for (size_t i = 0; i < t->frames.count; i++) {
        const struct derive_frame *d = &t->state.frames.items[i];
        const struct replay_frame *f = &t->frames.items[i];
        const uint64_t *registers = t->registers.items + f->base;
        write_varint(w, d->method);
        write_varint(w, d->pending_call == DERIVE_NO_CALL ? 0 : (uint64_t)d->pending_call + 1);
        write_u1(w, (d->recorded ? FRAME_RECORDED : 0u) | (d->direct ? FRAME_DIRECT : 0u) |
                        (d->interrupts ? FRAME_INTERRUPTS : 0u) | (f->registers > 0 ? FRAME_FOLLOWED : 0u));
        if (f->registers == 0)
            continue;
        write_varint(w, f->program != NULL ? f->program->method->first_id : f->unread);
        write_varint(w, f->step);
        write_varint(w, f->from_pc);
        write_varint(w, f->registers);
        for (uint32_t k = 0; k < f->registers; k++)
            write_svarint(w, (int64_t)registers[k]);
    }
}

static bool read_frame(const struct replay_code *code, struct replay_thread *t, struct reader *r, size_t *base)
{
    struct derive_frame *d = vec_push(&t->state.frames);
    struct replay_frame *f = d != NULL ? vec_push(&t->frames) : NULL;
    if (f == NULL)
        return false;
    *d = (struct derive_frame){ .method = (uint32_t)read_varint(r) };
    uint64_t call = read_varint(r);
    unsigned flags = read_u1(r);
    d->pending_call = call == 0 ? DERIVE_NO_CALL : (uint32_t)(call - 1);
    d->recorded = (flags & FRAME_RECORDED) != 0;
    d->direct = (flags & FRAME_DIRECT) != 0;
    d->interrupts = (flags & FRAME_INTERRUPTS) != 0;
    *f = (struct replay_frame){ .unread = NO_ID, .base = *base };
    if ((flags & FRAME_FOLLOWED) == 0)
        return !r->bad && d->recorded;
    uint64_t id = read_varint(r), step = read_varint(r), from_pc = read_varint(r), registers = read_varint(r);
    if (r->bad || id >= code->sites.count || step > UINT32_MAX || from_pc > UINT32_MAX || registers < PROGRAM_SCRATCH ||
        registers > r->size - r->at || *base + registers > REPLAY_REGISTERS_MAX ||
        !vec_reserve(&t->registers, *base + registers))
        return false;
    f->unread = (uint32_t)id;
    f->registers = (uint32_t)registers;
    f->step = (uint32_t)step;
    f->from_pc = (uint32_t)from_pc;
    for (uint32_t k = 0; k < f->registers; k++)
        t->registers.items[*base + k] = (uint64_t)read_svarint(r);
    *base = replay_frame_end(f);
    return !r->bad;
}

static bool read_state(const struct replay_code *code, struct replay_thread *t, struct reader *r)
{
    size_t base = 0;
    t->state.state = (uint8_t)read_u1(r);
    t->state.returned = (uint64_t)read_svarint(r);
    uint64_t count = read_varint(r);
    if (r->bad || t->state.state > DERIVE_RETURNS || count > DERIVE_FRAMES_MAX || count > r->size)
        return false;
    for (uint64_t i = 0; i < count; i++)
        if (!read_frame(code, t, r, &base))
            return false;
    const struct derive_frame *top = derive_top(&t->state);
    if (top != NULL && !replay_frame_read(code, &t->frames.items[t->frames.count - 1]))
        return false;
    return t->state.state == DERIVE_OPEN || (top != NULL && !top->recorded);
}

bool stored_state_read(const struct replay_code *code, struct replay_thread *t, const void *data, size_t size)
{
    struct reader r = reader_of(data, size);
    replay_thread_forget(t);
    if (read_state(code, t, &r))
        return true;
    replay_thread_forget(t);
    return false;
}

/* ---- the section of the index ---- */

void stored_states_add(const struct chunk_ref *c, const struct writer *state, struct writer *section)
{
    if (state->size == 0 || state->size > STATE_MAX)
        return;
    write_u1(section, (unsigned)(c->number % SEGMENT_CHUNKS));
    write_varint(section, state->size);
    write_bytes(section, state->data, state->size);
}

const uint8_t *stored_state_in(const uint8_t *section, size_t all, const struct chunk_ref *chunk, size_t *size)
{
    struct reader r = reader_of(section, section != NULL ? all : 0);
    while (r.at < r.size && !r.bad) {
        unsigned number = read_u1(&r);
        uint64_t bytes = read_varint(&r);
        const uint8_t *p = bytes <= STATE_MAX ? read_span(&r, (size_t)bytes) : NULL;
        if (p == NULL)
            break;
        *size = (size_t)bytes;
        if (number == chunk->number % SEGMENT_CHUNKS)
            return p;
    }
    return NULL;
}

uint8_t *stored_states_find(hs_trace *t, const struct chunk_ref *chunk, size_t *size)
{
    size_t all = 0;
    uint8_t *section = index_section(t, index_segment(chunk), SECTION_STATES, &all);
    const uint8_t *p = stored_state_in(section, all, chunk, size);
    uint8_t *found = p != NULL ? malloc(*size + 1) : NULL;
    if (found != NULL)
        memcpy(found, p, *size);
    free(section);
    return found;
}
