/* moment.c - the moment of a session, where each thread stands at it, and their frames; see session.h. */
#include "formats/search.h"
#include "reader/session/nav.h"

void nav_forget(struct nav *nav)
{
    for (size_t i = 0; i < nav->stacks.count; i++) {
        hs_cursor_close(nav->stacks.items[i].cursor);
        vec_free(&nav->stacks.items[i].frames);
    }
    nav->stacks.count = 0;
}

static void stand(struct nav *nav, const struct hs_event *e, uint64_t seq, struct event_position at)
{
    nav_forget(nav);
    nav->at = at;
    nav->seq = seq;
    nav->stamp = e->stamp;
    nav->thread = e->thread;
}

void nav_stand(struct nav *nav, const struct hs_event *e)
{
    stand(nav, e, e->seq, (struct event_position){ positions_stream(nav->trace, e->thread), e->position });
}

enum status nav_go(struct nav *nav, uint64_t seq, struct error *err)
{
    struct event_position at;
    struct hs_event e;
    enum status st = positions_find(nav->trace, seq, &at, err);
    if (st == OK)
        st = positions_event(nav->trace, at, &e, err);
    if (st == OK)
        stand(nav, &e, seq, at);
    return st;
}

enum status nav_move(struct nav *nav, struct event_position to, struct error *err)
{
    struct hs_event e;
    uint64_t seq;
    enum status st = positions_event(nav->trace, to, &e, err);
    if (st == OK)
        st = positions_seq(nav->trace, to, e.stamp, &seq, err);
    if (st == OK)
        stand(nav, &e, seq, to);
    return st;
}

/* The order is (stamp, thread, position): of another stream, events below the moment's stamp lie before it, and those
 * of the stamp itself if the stream's thread comes first. */
enum status nav_position(struct nav *nav, uint32_t stream, uint64_t *position, struct error *err)
{
    hs_trace *t = nav->trace;
    const struct thread_chunks *s = &t->streams[stream];
    uint64_t limit = nav->stamp + (stream < nav->at.stream), low = 0, high = 0;
    size_t chunk;
    if (stream == nav->at.stream) {
        *position = nav->at.position;
        return OK;
    }
    LOWER_BOUND(chunk, s->count, s->chunks[chunk].first_stamp < limit);
    if (chunk == 0)
        return ERR_NOT_FOUND;
    low = s->chunks[chunk - 1].before;
    high = low + s->chunks[chunk - 1].count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2, stamp;
        enum status st = positions_stamp(t, (struct event_position){ stream, middle }, &stamp, err);
        if (st != OK)
            return st;
        if (stamp < limit)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return ERR_NOT_FOUND;
    *position = low - 1;
    return OK;
}

enum status nav_thread_seq(struct nav *nav, uint32_t thread, uint64_t *seq, struct error *err)
{
    uint32_t stream = positions_stream(nav->trace, thread);
    struct event_position at = { stream, 0 };
    uint64_t stamp;
    if (stream == UINT32_MAX)
        return ERR_NOT_FOUND;
    enum status st = nav_position(nav, stream, &at.position, err);
    if (st == OK)
        st = positions_stamp(nav->trace, at, &stamp, err);
    return st == OK ? positions_seq(nav->trace, at, stamp, seq, err) : st;
}

enum status nav_written(struct nav *nav, uint32_t thread, const struct hs_variable *v, uint64_t *seq, struct error *err)
{
    struct event_position at = { positions_stream(nav->trace, thread), v->position };
    uint64_t stamp;
    if (at.stream == UINT32_MAX)
        return ERR_NOT_FOUND;
    enum status st = positions_stamp(nav->trace, at, &stamp, err);
    return st == OK ? positions_seq(nav->trace, at, stamp, seq, err) : st;
}

enum status nav_frames(struct nav *nav, uint32_t thread, const struct hs_frame *const **frames, size_t *count,
                       struct error *err)
{
    struct hs_error error = HS_ERROR_INIT;
    struct nav_stack *s = NULL;
    uint64_t seq;
    for (size_t i = 0; i < nav->stacks.count; i++)
        if (nav->stacks.items[i].thread == thread)
            s = &nav->stacks.items[i];
    if (s == NULL) {
        struct nav_stack made = { .thread = thread };
        const struct hs_frame *frame;
        enum status st = nav_thread_seq(nav, thread, &seq, err);
        if (st != OK && st != ERR_NOT_FOUND)
            return st;
        if (st == OK && hs_frames_open(nav->trace, seq, &made.cursor, &error) != 0)
            return state_take(&error, err);
        while (made.cursor != NULL && hs_frame_next(made.cursor, &frame, NULL) > 0) {
            const struct hs_frame **to = vec_push(&made.frames);
            if (to != NULL)
                *to = frame;
        }
        s = vec_push(&nav->stacks);
        if (s == NULL) {
            hs_cursor_close(made.cursor);
            vec_free(&made.frames);
            return nav_memory(nav, err);
        }
        *s = made;
    }
    *frames = s->frames.items;
    *count = s->frames.count;
    return OK;
}
