/* deriver.c - see deriver.h. */
#include "logging/sinks/deriver.h"

bool deriver_init(struct deriver *d)
{
    *d = (struct deriver){ .encoder = derive_encoder_new() };
    return d->encoder != NULL;
}

void deriver_done(struct deriver *d)
{
    derive_encoder_free(d->encoder);
    for (size_t i = 0; i < d->threads.count; i++)
        vec_free(&d->threads.items[i].state.frames);
    vec_free(&d->threads);
    d->encoder = NULL;
}

void deriver_rest(struct deriver *d, uint32_t thread)
{
    if (thread < d->threads.count && d->threads.items[thread].state.frames.count == 0)
        vec_free(&d->threads.items[thread].state.frames);
}

void deriver_gap(struct deriver *d, uint32_t thread)
{
    if (thread < d->threads.count)
        d->threads.items[thread].follows = false;
}

bool deriver_begin(struct deriver *d, uint32_t thread, uint32_t period, struct derive_tables tables)
{
    if (!vec_extend(&d->threads, (size_t)thread + 1))
        return false;
    struct derived_thread *t = &d->threads.items[thread];
    bool reset = !t->follows || t->period != period;
    t->follows = true;
    t->period = period;
    tables.sites = d->sites;
    tables.pcs = d->pcs;
    derive_begin(d->encoder, &t->state, reset, &tables);
    return true;
}

/* ---- rows ---- */

enum { FRAME_RECORDED = 1, FRAME_DIRECT = 2, FRAME_INTERRUPTS = 4 };
/* A row comes with every chunk. Of a thread with more frames recovery knows nothing, as at its begin: else a deep
 * recursion would write hundreds of megabytes for each 65,536 events. */
enum { FRAMES_STORED_MAX = 1 << 20 };

void deriver_put_state(const struct deriver *d, uint32_t thread, struct writer *w)
{
    if (thread >= d->threads.count)
        return;
    const struct derived_thread *t = &d->threads.items[thread];
    bool stored = t->state.frames.count <= FRAMES_STORED_MAX;
    size_t frames = stored ? t->state.frames.count : 0;
    write_u1(w, stored && t->follows);
    write_varint(w, t->period);
    write_u1(w, stored ? t->state.state : (unsigned)DERIVE_OPEN);
    write_varint(w, t->state.returned);
    write_varint(w, frames);
    for (size_t i = 0; i < frames; i++) {
        const struct derive_frame *f = &t->state.frames.items[i];
        write_varint(w, f->method);
        write_varint(w, (uint32_t)(f->pending_call + 1)); /* DERIVE_NO_CALL: 0 */
        write_varint(w, f->last_id);
        write_u1(w, (f->recorded ? FRAME_RECORDED : 0u) | (f->direct ? FRAME_DIRECT : 0u) |
                        (f->interrupts ? FRAME_INTERRUPTS : 0u));
    }
}

enum status deriver_get_state(struct deriver *d, uint32_t thread, const void *data, size_t size, struct error *err)
{
    struct reader r = reader_of(data, size);
    if (!vec_extend(&d->threads, (size_t)thread + 1))
        return error_memory(err, "thread %u", thread);
    struct derived_thread *t = &d->threads.items[thread];
    t->follows = read_u1(&r) != 0;
    t->period = (uint32_t)read_varint(&r);
    t->state.state = read_u1(&r);
    t->state.returned = read_varint(&r);
    for (uint64_t n = read_varint(&r); n > 0 && !r.bad; n--) {
        struct derive_frame *f = vec_push(&t->state.frames);
        if (f == NULL)
            return error_memory(err, "thread %u", thread);
        *f = (struct derive_frame){ .method = (uint32_t)read_varint(&r) };
        f->pending_call = (uint32_t)read_varint(&r) - 1;
        f->last_id = (uint32_t)read_varint(&r);
        unsigned flags = read_u1(&r);
        f->recorded = (flags & FRAME_RECORDED) != 0;
        f->direct = (flags & FRAME_DIRECT) != 0;
        f->interrupts = (flags & FRAME_INTERRUPTS) != 0;
        r.bad |= t->state.frames.count > DERIVE_FRAMES_MAX || f->last_id >= d->sites.count;
    }
    if (r.bad || t->state.state > DERIVE_RETURNS || (t->state.state != DERIVE_OPEN && t->state.frames.count == 0))
        return error_set(err, ERR_FORMAT, "the state of thread %u is malformed", thread);
    return OK;
}
