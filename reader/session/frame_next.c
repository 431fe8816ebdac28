/* frame_next.c - the frame that an event belongs to, and the next event of a frame; see nav.h.
 *
 * The events of the calls that a frame makes are skipped: within a chunk by replay, over many chunks with the states
 * that the index has for their heads. As long as the latest event of the frame stays the same from head to head, none
 * of its own lies between; a search that doubles its steps finds the last such head. */
#include "reader/session/nav.h"

#include <stdlib.h>

static void name_frame(struct frame_id *out, uint32_t stream, const struct replay *f, size_t depth)
{
    const struct call_frame *frame = &f->stack.items[depth];
    *out = (struct frame_id){ .stream = stream, .depth = depth, .entry = frame->entry, .method = frame->method };
}

enum status frame_of(struct nav *nav, struct event_position at, size_t *count, struct frame_id *top,
                     struct frame_id *caller, struct error *err)
{
    struct hs_event e;
    const struct replay *f;
    enum status st = positions_event(nav->trace, at, &e, err);
    if (st != OK)
        return st;
    struct event_position moment = at;
    moment.position += effects_get(nav->trace, e.dataid)->op != EFFECT_LEAVE;
    st = frames_at(nav->trace, moment, &f, err);
    if (st != OK)
        return st;
    *count = f->stack.count;
    if (*count > 0)
        name_frame(top, at.stream, f, *count - 1);
    if (*count > 1)
        name_frame(caller, at.stream, f, *count - 2);
    return OK;
}

static const struct call_frame *frame_in(const struct replay *f, const struct frame_id *frame)
{
    const struct call_frame *have = frame->depth < f->stack.count ? &f->stack.items[frame->depth] : NULL;
    return have != NULL && have->entry == frame->entry && have->method == frame->method ? have : NULL;
}

/* Is the frame open before the chunk, with the same latest event as at `after`? */
static bool unchanged(struct nav *nav, const struct frame_id *frame, uint64_t after, const struct chunk_ref *c)
{
    const struct replay *f;
    if (frames_at(nav->trace, (struct event_position){ frame->stream, c->before }, &f, NULL) != OK)
        return false;
    const struct call_frame *have = frame_in(f, frame);
    return have != NULL && have->last <= after;
}

/* The last chunk from `c` on before which the frame is unchanged. */
static const struct chunk_ref *skip_from(struct nav *nav, const struct frame_id *frame, uint64_t after,
                                         const struct chunk_ref *c)
{
    const struct thread_chunks *own = &nav->trace->streams[frame->stream];
    size_t step = 1, left = (size_t)(own->chunks + own->count - c);
    if (!index_present(nav->trace))
        return c;
    while (step < left && unchanged(nav, frame, after, c + step)) {
        c += step;
        left -= step;
        step *= 2;
    }
    for (step /= 2; step > 0; step /= 2)
        if (step < left && unchanged(nav, frame, after, c + step)) {
            c += step;
            left -= step;
        }
    return c;
}

void frame_ahead_begin(struct frame_ahead *a, struct nav *nav, const struct frame_id *frame, uint64_t after)
{
    *a = (struct frame_ahead){ .nav = nav, .frame = *frame, .latest = after };
    replay_init(&a->state, nav->trace, frame->stream);
    a->state.position = after + 1;
}

void frame_ahead_end(struct frame_ahead *a) { replay_done(&a->state); }

static enum status restore(struct frame_ahead *a, uint64_t position, struct error *err)
{
    replay_done(&a->state);
    replay_init(&a->state, a->nav->trace, a->frame.stream);
    return frames_copy(a->nav->trace, (struct event_position){ a->frame.stream, position }, &a->state, err);
}

/* Replays to the end of a loaded chunk; OK: found, and applied. */
static enum status search_chunk(struct frame_ahead *a, const struct loaded *l, struct frame_step *out)
{
    struct replay *f = &a->state;
    while (f->position - l->chunk->before < l->count && !f->no_memory) {
        uint32_t i = (uint32_t)(f->position - l->chunk->before);
        replay_gap(f, l->stamps[i]);
        bool open = frame_in(f, &a->frame) != NULL;
        const struct effect *e = effects_get(f->trace, l->ids[i]);
        bool own = f->stack.count == a->frame.depth + 1 && e->op != EFFECT_ENTER && e->op != EFFECT_STRANGE &&
                   e->method == a->frame.method;
        *out = (struct frame_step){ .position = f->position, .dataid = l->ids[i], .left = !open };
        replay_apply(f, l->ids[i], l->values[i], l->stamps[i]);
        if (!open || own) {
            a->latest = out->position;
            return OK;
        }
    }
    return ERR_NOT_FOUND;
}

enum status frame_ahead_next(struct frame_ahead *a, struct frame_step *out, struct error *err)
{
    hs_trace *t = a->nav->trace;
    for (;;) {
        const struct chunk_ref *c = positions_chunk(t, (struct event_position){ a->frame.stream, a->state.position });
        const struct loaded *l;
        enum status st = OK;
        if (c == NULL || nav_cancelled(a->nav))
            return ERR_NOT_FOUND;
        if (a->ready && a->state.position == c->before)
            c = skip_from(a->nav, &a->frame, a->latest, c);
        if (!a->ready || c->before > a->state.position)
            st = restore(a, c->before > a->state.position ? c->before : a->state.position, err);
        a->ready = true;
        if (st == OK)
            st = positions_load(t, c, CHUNK_ALL, &l, err);
        if (st != OK || search_chunk(a, l, out) == OK)
            return st;
        if (a->state.no_memory)
            return nav_memory(a->nav, err);
        a->state.position = c->before + c->count; /* a chunk that cannot be read is skipped */
    }
}
