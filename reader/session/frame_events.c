/* frame_events.c - the events of one call around the moment, without those of the calls that it makes. */
#include "reader/session/nav.h"

typedef VEC(struct hs_event) frame_event_vec;

/* Those up to the moment, the latest first. */
static enum status backwards(struct nav *nav, struct event_position at, const struct call_frame *frame, size_t limit,
                             frame_event_vec *found, struct error *err)
{
    struct frame_walk walk;
    struct hs_event e;
    enum status st = OK;
    frame_walk_begin(&walk, nav->trace, at, frame);
    while (found->count < limit && !nav_cancelled(nav) && (st = frame_walk_back(&walk, &e, err)) == OK) {
        struct hs_event *to = vec_push(found);
        if (to == NULL)
            return nav_memory(nav, err);
        *to = e;
    }
    return st == ERR_NOT_FOUND ? OK : st;
}

static enum status numbered(struct nav *nav, struct hs_event *e, nav_event_fn *fn, void *context, struct error *err)
{
    enum status st = positions_number(nav->trace, e, err);
    if (st == OK && !fn(context, e))
        st = nav_memory(nav, err);
    return st;
}

static enum status forwards(struct nav *nav, const struct frame_id *frame, uint64_t after, size_t limit,
                            nav_event_fn *fn, void *context, struct error *err)
{
    struct frame_ahead ahead;
    struct frame_step step;
    struct hs_event e;
    enum status st = OK;
    frame_ahead_begin(&ahead, nav, frame, after);
    for (size_t n = 0; n < limit && st == OK; n++) {
        st = frame_ahead_next(&ahead, &step, err);
        if (st != OK || step.left)
            break;
        st = positions_event(nav->trace, (struct event_position){ frame->stream, step.position }, &e, err);
        if (st == OK)
            st = numbered(nav, &e, fn, context, err);
    }
    frame_ahead_end(&ahead);
    return st == ERR_NOT_FOUND ? OK : st;
}

enum status nav_frame_events(struct nav *nav, uint32_t thread, size_t frame, size_t limit, nav_event_fn *fn,
                             void *context, struct error *err)
{
    struct event_position at = { positions_stream(nav->trace, thread), 0 };
    const struct replay *f;
    frame_event_vec before = { 0 };
    struct hs_event e;
    if (at.stream == UINT32_MAX)
        return ERR_NOT_FOUND;
    enum status st = nav_position(nav, at.stream, &at.position, err);
    if (st == OK)
        st = positions_event(nav->trace, at, &e, err);
    if (st != OK)
        return st;
    at.position += effects_get(nav->trace, e.dataid)->op != EFFECT_LEAVE; /* its frame is still there */
    st = frames_at(nav->trace, at, &f, err);
    if (st != OK || frame >= f->stack.count)
        return st != OK ? st : ERR_NOT_FOUND;
    const size_t depth = f->stack.count - 1 - frame;
    const struct call_frame own = f->stack.items[depth];
    const struct frame_id id = { at.stream, depth, own.entry, own.method };
    st = backwards(nav, (struct event_position){ at.stream, own.last + 1 }, &own, limit, &before, err);
    for (size_t i = before.count; i > 0 && st == OK; i--)
        st = numbered(nav, &before.items[i - 1], fn, context, err);
    vec_free(&before);
    return st == OK ? forwards(nav, &id, own.last, limit, fn, context, err) : st;
}
