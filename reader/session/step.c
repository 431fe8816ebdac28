/* step.c - steps of a thread, in both directions; see session.h for what they are. */
#include "reader/session/hits.h"
#include "reader/session/nav.h"

/* ---- stops ---- */

static enum status method_of(struct nav *nav, struct event_position at, const struct hs_dataid **d, struct error *err)
{
    struct hs_event e;
    enum status st = positions_event(nav->trace, at, &e, err);
    *d = st == OK ? hs_dataid_get(nav->trace, e.dataid) : NULL;
    return st;
}

static bool has_lines(struct nav *nav, const struct hs_dataid *d)
{
    const struct hs_method *m = hs_method_get(nav->trace, d->method_id);
    return m != NULL && (m->groups & 1u << HS_GROUP_LINE) != 0 && (m->groups & 1u << HS_GROUP_EXEC) != 0;
}

/* Of a method without LINE_NUMBER: does another line begin with this event? */
static enum status begins_line(struct nav *nav, struct event_position at, const struct hs_dataid *d, bool *stop,
                               struct error *err)
{
    const struct hs_dataid *before;
    *stop = d->line >= 0 && (d->event == EVENT_METHOD_ENTRY || d->event == EVENT_CATCH_LABEL || at.position == 0);
    if (*stop || d->line < 0 || at.position == 0)
        return OK;
    enum status st = method_of(nav, (struct event_position){ at.stream, at.position - 1 }, &before, err);
    *stop = st == OK && before != NULL && before->method_id == d->method_id && !same_source_line(before, d) &&
            before->event != EVENT_METHOD_NORMAL_EXIT && before->event != EVENT_METHOD_EXCEPTIONAL_EXIT;
    return st == ERR_NOT_FOUND ? OK : st;
}

/* The LINE_NUMBER before this one in its frame, among the last events; ERR_NOT_FOUND: it lies further back. */
static enum status line_nearby(struct nav *nav, struct event_position at, const struct hs_dataid *d, bool *other,
                               struct error *err)
{
    enum { NEAR = 2000 };
    unsigned depth = 0;
    for (unsigned i = 0; i < NEAR && at.position > 0; i++) {
        const struct loaded *l;
        at.position--;
        const struct chunk_ref *c = positions_chunk(nav->trace, at);
        enum status st = c != NULL ? positions_load(nav->trace, c, CHUNK_IDS, &l, err) : ERR_NOT_FOUND;
        if (st != OK || at.position - c->before >= l->count)
            return st != OK ? st : ERR_NOT_FOUND;
        uint32_t id = l->ids[at.position - c->before];
        const struct effect *e = effects_get(nav->trace, id);
        depth += e->op == EFFECT_LEAVE;
        if (e->op == EFFECT_ENTER && depth-- == 0) {
            *other = true;
            return OK;
        }
        const struct hs_dataid *before = depth == 0 && e->event == EVENT_LINE_NUMBER && e->method == d->method_id
                                             ? hs_dataid_get(nav->trace, id)
                                             : NULL;
        if (before != NULL) {
            *other = !same_source_line(before, d);
            return OK;
        }
    }
    return ERR_NOT_FOUND;
}

/* Is the LINE_NUMBER before this one in its frame of another line? */
static enum status changes_line(struct nav *nav, struct event_position at, const struct hs_dataid *d, bool *stop,
                                struct error *err)
{
    struct frame_id top, caller;
    struct frame_walk walk;
    struct hs_event e;
    size_t count;
    enum status st = line_nearby(nav, at, d, stop, err);
    if (st != ERR_NOT_FOUND)
        return st;
    st = frame_of(nav, at, &count, &top, &caller, err);
    *stop = true;
    if (st != OK || count == 0 || top.method != d->method_id)
        return st;
    const struct call_frame frame = { .method = top.method, .entry = top.entry };
    frame_walk_begin(&walk, nav->trace, at, &frame);
    while ((st = frame_walk_back(&walk, &e, err)) == OK) {
        const struct hs_dataid *before = hs_dataid_get(nav->trace, e.dataid);
        if (before == NULL || before->event != EVENT_LINE_NUMBER)
            continue;
        *stop = !same_source_line(before, d);
        return OK;
    }
    return st == ERR_NOT_FOUND ? OK : st;
}

static enum status is_stop(struct nav *nav, struct event_position at, uint32_t dataid, enum nav_unit unit, bool *stop,
                           struct error *err)
{
    const struct hs_dataid *d = hs_dataid_get(nav->trace, dataid);
    *stop = unit == NAV_EVENT;
    if (*stop || d == NULL)
        return OK;
    if (!has_lines(nav, d))
        return begins_line(nav, at, d, stop, err);
    if (d->event != EVENT_LINE_NUMBER || unit == NAV_STATEMENT) {
        *stop = d->event == EVENT_LINE_NUMBER;
        return OK;
    }
    return changes_line(nav, at, d, stop, err);
}

/* ---- steps: each finds a position; ERR_NOT_FOUND: the thread has nothing more in that direction ---- */

/* From chunk to chunk, so that an event costs a look at its data ID. */
static enum status step_in(struct nav *nav, struct event_position *at, enum nav_unit unit, int way, struct error *err)
{
    hs_trace *t = nav->trace;
    uint64_t events = t->streams[at->stream].events;
    bool stop = false;
    while (way > 0 ? at->position + 1 < events : at->position > 0) {
        const struct loaded *l;
        at->position += (uint64_t)(int64_t)way;
        const struct chunk_ref *c = positions_chunk(t, *at);
        enum status st = c != NULL ? positions_load(t, c, CHUNK_IDS, &l, err) : ERR_NOT_FOUND;
        if (st != OK)
            return st;
        uint64_t in = at->position - c->before;
        if (in >= l->count)
            continue;
        st = is_stop(nav, *at, l->ids[in], unit, &stop, err);
        if (st != OK || stop)
            return st;
        if (in == 0 && nav_cancelled(nav))
            return ERR_NOT_FOUND;
    }
    return ERR_NOT_FOUND;
}

/* The next event of a frame. */
static enum status ahead_in(struct nav *nav, struct event_position *at, const struct frame_id *frame, struct error *err)
{
    struct frame_ahead a;
    struct frame_step next;
    frame_ahead_begin(&a, nav, frame, at->position);
    enum status st = frame_ahead_next(&a, &next, err);
    frame_ahead_end(&a);
    if (st == OK)
        at->position = next.position;
    return st;
}

/* Out of the outermost frame: the first stop after its end. */
static enum status after_frame(struct nav *nav, struct event_position *at, const struct frame_id *top,
                               enum nav_unit unit, struct error *err)
{
    struct frame_ahead a;
    struct frame_step next = { 0 };
    bool stop = false;
    enum status st = OK;
    frame_ahead_begin(&a, nav, top, at->position);
    while (st == OK && !next.left)
        st = frame_ahead_next(&a, &next, err);
    frame_ahead_end(&a);
    if (st != OK)
        return st;
    at->position = next.position;
    st = is_stop(nav, *at, next.dataid, unit, &stop, err);
    return st != OK || stop ? st : step_in(nav, at, unit, 1, err);
}

static enum status out_ahead(struct nav *nav, struct event_position *at, enum nav_unit unit, size_t count,
                             const struct frame_id *top, const struct frame_id *caller, struct error *err)
{
    return count > 1 ? ahead_in(nav, at, caller, err) : after_frame(nav, at, top, unit, err);
}

static enum status over_ahead(struct nav *nav, struct event_position *at, enum nav_unit unit, size_t count,
                              const struct frame_id *top, const struct frame_id *caller, struct error *err)
{
    struct frame_ahead a;
    struct frame_step next = { 0 };
    bool stop = false;
    frame_ahead_begin(&a, nav, top, at->position);
    enum status st = frame_ahead_next(&a, &next, err);
    for (; st == OK && !next.left; st = frame_ahead_next(&a, &next, err)) {
        st = is_stop(nav, (struct event_position){ at->stream, next.position }, next.dataid, unit, &stop, err);
        if (st != OK || stop)
            break;
    }
    frame_ahead_end(&a);
    if (st != OK)
        return st;
    if (!stop) /* the frame is gone */
        return out_ahead(nav, at, unit, count, top, caller, err);
    at->position = next.position;
    return OK;
}

/* The last event of the frame before `at`, at a stop of the unit. */
static enum status back_in(struct nav *nav, struct event_position *at, const struct frame_id *frame, enum nav_unit unit,
                           struct error *err)
{
    const struct call_frame of = { .method = frame->method, .entry = frame->entry };
    struct frame_walk walk;
    struct hs_event e;
    bool stop = false;
    frame_walk_begin(&walk, nav->trace, *at, &of);
    enum status st = frame_walk_back(&walk, &e, err);
    for (; st == OK; st = frame_walk_back(&walk, &e, err)) {
        struct event_position here = { at->stream, walk.position };
        st = is_stop(nav, here, e.dataid, unit, &stop, err);
        if (st != OK)
            return st;
        if (stop) {
            *at = here;
            return OK;
        }
        if (nav_cancelled(nav))
            return ERR_NOT_FOUND;
    }
    return st;
}

static enum status out_back(struct nav *nav, struct event_position *at, enum nav_unit unit, size_t count,
                            const struct frame_id *top, const struct frame_id *caller, struct error *err)
{
    if (top->entry == NO_POSITION)
        return ERR_NOT_FOUND;
    struct event_position entry = { at->stream, top->entry };
    if (count < 2) {
        at->position = top->entry;
        return step_in(nav, at, unit, -1, err);
    }
    enum status st = back_in(nav, &entry, caller, NAV_EVENT, err);
    if (st == OK)
        *at = entry;
    return st;
}

static enum status over_back(struct nav *nav, struct event_position *at, enum nav_unit unit, size_t count,
                             const struct frame_id *top, const struct frame_id *caller, struct error *err)
{
    enum status st = top->entry == at->position ? ERR_NOT_FOUND : back_in(nav, at, top, unit, err);
    return st == ERR_NOT_FOUND && !nav_cancelled(nav) ? out_back(nav, at, unit, count, top, caller, err) : st;
}

static enum status find(struct nav *nav, struct event_position *at, enum nav_step step, enum nav_unit unit,
                        enum nav_direction direction, struct error *err)
{
    struct frame_id top, caller;
    size_t count;
    bool ahead = direction == NAV_FORWARD;
    if (step == NAV_IN)
        return step_in(nav, at, unit, ahead ? 1 : -1, err);
    enum status st = frame_of(nav, *at, &count, &top, &caller, err);
    if (st != OK)
        return st;
    if (count == 0) /* no frame is known: the code around has no entries */
        return step_in(nav, at, unit, ahead ? 1 : -1, err);
    if (step == NAV_OVER)
        return ahead ? over_ahead(nav, at, unit, count, &top, &caller, err)
                     : over_back(nav, at, unit, count, &top, &caller, err);
    return ahead ? out_ahead(nav, at, unit, count, &top, &caller, err)
                 : out_back(nav, at, unit, count, &top, &caller, err);
}

/* ---- the session ---- */

static enum status stopped(struct nav *nav, enum nav_reason reason, struct nav_stop *stop)
{
    *stop = (struct nav_stop){ .reason = reason, .seq = nav->seq, .thread = nav->thread };
    return OK;
}

/* There is nothing more for the thread: it stands at its first or last event. */
static enum status at_end(struct nav *nav, struct event_position at, enum nav_direction direction,
                          struct nav_stop *stop, struct error *err)
{
    bool ahead = direction == NAV_FORWARD;
    if (nav_cancelled(nav))
        return stopped(nav, NAV_CANCELLED, stop);
    at.position = ahead ? nav->trace->streams[at.stream].events - 1 : 0;
    enum status st = nav_move(nav, at, err);
    return st == OK ? stopped(nav, ahead ? NAV_END : NAV_BEGIN, stop) : st;
}

/* The session has moved: to a hit on its way, or back if that was cancelled. */
static enum status after_hits(struct nav *nav, uint64_t from, enum nav_direction direction, struct nav_stop *stop,
                              struct error *err)
{
    enum status st = hits_between(nav, from, nav->seq, direction, stop, err);
    if (st != ERR_CANCELLED)
        return st;
    st = nav_go(nav, from, err);
    return st == OK ? stopped(nav, NAV_CANCELLED, stop) : st;
}

enum status nav_step(struct nav *nav, uint32_t thread, enum nav_step step, enum nav_unit unit,
                     enum nav_direction direction, struct nav_stop *stop, struct error *err)
{
    uint32_t stream = positions_stream(nav->trace, thread);
    struct event_position at = { stream, 0 };
    uint64_t from = nav->seq;
    bool begins = false;
    if (stream == UINT32_MAX || nav->trace->streams[stream].events == 0)
        return error_set(err, ERR_NOT_FOUND, "%s: thread %u has no events", nav->trace->dir, thread);
    enum status st = nav_position(nav, stream, &at.position, err);
    if (st == ERR_NOT_FOUND && direction == NAV_FORWARD) {
        st = OK; /* its first event */
        begins = true;
    }
    if (st == OK && !begins)
        st = find(nav, &at, step, unit, direction, err);
    if (st == ERR_NOT_FOUND)
        return at_end(nav, at, direction, stop, err);
    if (st == OK)
        st = nav_move(nav, at, err);
    if (st != OK)
        return st;
    (void)stopped(nav, NAV_STEPPED, stop);
    return nav->seq == from ? OK : after_hits(nav, from, direction, stop, err);
}

enum status nav_run(struct nav *nav, enum nav_direction direction, struct nav_stop *stop, struct error *err)
{
    bool ahead = direction == NAV_FORWARD;
    uint64_t last = nav->trace->events - 1, from = nav->seq;
    (void)stopped(nav, ahead ? NAV_END : NAV_BEGIN, stop);
    enum status st = nav_go(nav, ahead ? last : 0, err);
    if (st != OK)
        return st;
    stop->seq = nav->seq;
    stop->thread = nav->thread;
    return from == stop->seq ? OK : after_hits(nav, from, direction, stop, err);
}

enum status nav_restart(struct nav *nav, uint32_t thread, size_t frame, struct nav_stop *stop, struct error *err)
{
    const struct hs_frame *const *frames;
    size_t count;
    enum status st = nav_frames(nav, thread, &frames, &count, err);
    if (st != OK)
        return st;
    if (frame >= count || frames[frame]->entered == HS_NO_SEQ)
        return error_set(err, ERR_NOT_FOUND, "the beginning of this frame was not recorded");
    st = nav_go(nav, frames[frame]->entered, err);
    if (st == OK)
        st = hits_after_parameters(nav, err);
    return st == OK ? stopped(nav, NAV_STEPPED, stop) : st;
}
