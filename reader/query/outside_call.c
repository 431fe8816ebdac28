/* outside_call.c - see outside_call.h. */
#include "reader/query/outside_call.h"
#include "reader/query/handover.h"

#include <string.h>

enum { RESULT_WITHIN = 64, RESULT_WITHIN_LONG = 1 << 20, PARAMETERS_MAX = 256 };

const char *outside_call_owner(const struct outside_call *c)
{
    const char *s = attribute_text(c->site, "owner");
    return s != NULL ? s : "?";
}

const char *outside_call_name(const struct outside_call *c)
{
    const char *s = attribute_text(c->site, "name");
    return s != NULL ? s : "?";
}

uint32_t outside_call_object(const struct outside_call *c)
{
    uint32_t receiver = object_of(&c->call);
    bool constructor = strcmp(outside_call_name(c), "<init>") == 0;
    return receiver == 0 && constructor && c->returned ? object_of(&c->result) : receiver;
}

bool outside_call_is_lambda(hs_trace *t, const struct outside_call *c)
{
    const struct hs_object *o = hs_object_get(t, object_of(&c->call));
    return o != NULL && o->type != NULL && strstr(o->type, "$$Lambda") != NULL;
}

static bool same_instruction(const struct hs_dataid *a, const struct hs_dataid *b)
{
    return a != NULL && b != NULL && a->method_id == b->method_id && a->pc == b->pc;
}

/* The arguments behind c->call; `*next` is the number of steps to the event behind them. */
static enum status read_arguments(hs_trace *t, struct outside_call *c, int64_t *next, struct error *err)
{
    struct hs_event e;
    uint64_t gap = gap_behind(t, c->call.stamp);
    for (*next = 1; *next < PARAMETERS_MAX; ++*next) {
        enum status st = event_beside(t, &c->call, *next, &e, err);
        if (st == ERR_NOT_FOUND || (st == OK && e.stamp >= gap))
            return OK;
        if (st != OK)
            return st;
        const struct hs_dataid *d = dataid_or_none(t, e.dataid);
        if (d == NULL || d->event != EVENT_CALL_PARAM || !same_instruction(d, c->site))
            return OK;
        if (c->argument_count < CALL_ARGUMENTS_MAX)
            c->arguments[c->argument_count++] = e;
    }
    return OK;
}

/* The result, if it is among the next `within` events. An event of another instruction of the frame: the call threw. */
static enum status read_result(hs_trace *t, struct outside_call *c, int64_t next, int64_t within, struct error *err)
{
    struct hs_event e;
    uint64_t gap = gap_behind(t, c->call.stamp);
    uint32_t depth = 0;
    for (int64_t end = next + within; next < end; next++) {
        enum status st = event_beside(t, &c->call, next, &e, err);
        if (st == ERR_NOT_FOUND || (st == OK && e.stamp >= gap))
            return OK;
        if (st != OK)
            return st;
        const struct effect *f = effects_get(t, e.dataid);
        if (f->op == EFFECT_ENTER)
            depth++;
        if (f->op == EFFECT_LEAVE && depth-- == 0)
            return OK;
        if (depth > 0)
            continue;
        const struct hs_dataid *d = dataid_or_none(t, e.dataid);
        if (d->method_id == c->site->method_id && (d->pc != c->site->pc || d->event == EVENT_CALL))
            return OK;
        if (!same_instruction(d, c->site) || (d->event != EVENT_CALL_RETURN && d->event != EVENT_NEW_OBJECT_CREATED))
            continue;
        c->result = e;
        c->returned = true;
        if (e.kind != HS_KIND_VOID || strcmp(outside_call_name(c), "<init>") != 0)
            return OK;
    }
    return OK;
}

static enum status read_call(hs_trace *t, const struct hs_event *call, int64_t within, struct outside_call *out,
                             struct error *err)
{
    int64_t next;
    *out = (struct outside_call){ .site = dataid_or_none(t, call->dataid), .call = *call };
    if (out->site == NULL)
        return ERR_NOT_FOUND;
    enum status st = read_arguments(t, out, &next, err);
    if (st != OK || within == 0)
        return st;
    return read_result(t, out, next, within, err);
}

enum status outside_call_at(hs_trace *t, const struct hs_event *e, struct outside_call *out, struct error *err)
{
    struct hs_event at = *e;
    const struct hs_dataid *own = dataid_or_none(t, e->dataid);
    uint64_t begin = gap_before(t, e->stamp);
    for (int64_t i = 0; i < PARAMETERS_MAX; i++) {
        enum status st = event_beside(t, e, -i, &at, err);
        if (st != OK)
            return st;
        if (at.stamp < begin)
            return ERR_NOT_FOUND;
        const struct hs_dataid *d = dataid_or_none(t, at.dataid);
        if (!same_instruction(d, own))
            return ERR_NOT_FOUND;
        if (d->event == EVENT_CALL)
            return read_call(t, &at, RESULT_WITHIN, out, err);
        if (d->event != EVENT_CALL_PARAM)
            return ERR_NOT_FOUND;
    }
    return ERR_NOT_FOUND;
}

enum status outside_call_whole(hs_trace *t, const struct hs_event *call, struct outside_call *out, struct error *err)
{
    return read_call(t, call, RESULT_WITHIN_LONG, out, err);
}

/* The frame that the event belongs to, or, for a METHOD_ENTRY, the one below. */
static enum status frame_of(hs_trace *t, const struct hs_event *e, struct call_frame *out, struct error *err)
{
    const struct replay *state;
    struct event_position at = { positions_stream(t, e->thread), e->position };
    enum status st = frames_at(t, at, &state, err);
    if (st != OK)
        return st;
    const struct call_frame *top = replay_top(state);
    if (top == NULL)
        return ERR_NOT_FOUND;
    *out = *top;
    return OK;
}

enum status outside_call_of(hs_trace *t, const struct hs_event *result, struct outside_call *out, struct error *err)
{
    const struct hs_dataid *own = dataid_or_none(t, result->dataid);
    struct call_frame frame;
    struct frame_walk walk;
    struct hs_event e;
    bool direct = true; /* only events of the call itself lie between */
    uint64_t begin = gap_before(t, result->stamp);
    enum status st = OK;
    for (int64_t i = 1; direct && i < PARAMETERS_MAX; i++) {
        st = event_beside(t, result, -i, &e, err);
        if (st != OK)
            return st;
        if (e.stamp < begin)
            return ERR_NOT_FOUND;
        const struct hs_dataid *d = dataid_or_none(t, e.dataid);
        direct = same_instruction(d, own);
        if (direct && d->event == EVENT_CALL)
            goto found;
    }
    st = frame_of(t, result, &frame, err);
    if (st != OK)
        return st;
    frame_walk_begin(&walk, t, (struct event_position){ positions_stream(t, result->thread), result->position },
                     &frame);
    for (;;) {
        st = frame_walk_back(&walk, &e, err);
        if (st != OK)
            return st;
        const struct hs_dataid *d = dataid_or_none(t, e.dataid);
        if (same_instruction(d, own) && d->event == EVENT_CALL)
            break;
    }
found:
    st = read_call(t, &e, 0, out, err);
    if (st != OK)
        return st;
    out->result = *result;
    out->returned = true;
    return OK;
}

enum status outside_call_around(hs_trace *t, const struct hs_event *e, struct outside_call *out, struct hs_event *entry,
                                struct error *err)
{
    struct call_frame frame;
    struct hs_event last;
    *entry = *e;
    if (event_type(t, e->dataid) != EVENT_METHOD_ENTRY) {
        enum status st = frame_of(t, e, &frame, err);
        if (st != OK)
            return st;
        if (frame.entry == NO_POSITION)
            return ERR_NOT_FOUND;
        st = positions_event(t, (struct event_position){ positions_stream(t, e->thread), frame.entry }, entry, err);
        if (st != OK)
            return st;
    }
    enum status st = frame_of(t, entry, &frame, err);
    if (st != OK)
        return st;
    st = positions_event(t, (struct event_position){ positions_stream(t, e->thread), frame.last }, &last, err);
    if (st != OK)
        return st;
    unsigned event = event_type(t, last.dataid);
    if (event != EVENT_CALL && event != EVENT_CALL_PARAM)
        return ERR_NOT_FOUND;
    return outside_call_at(t, &last, out, err);
}

/* ---- invokedynamic ---- */

/* Appends the event if it is a parameter of the same instruction; false: it is another event of the frame. */
static bool add_parameter(hs_trace *t, const struct hs_event *e, const struct hs_dataid *own, event_vec *out,
                          bool *memory)
{
    const struct hs_dataid *d = dataid_or_none(t, e->dataid);
    if (d->event != EVENT_INVOKE_DYNAMIC_PARAM || !same_instruction(d, own))
        return false;
    struct hs_event *to = vec_push(out);
    *memory = to != NULL;
    if (to != NULL)
        *to = *e;
    return to != NULL;
}

enum status dynamic_parameters(hs_trace *t, const struct hs_event *result, event_vec *out, struct error *err)
{
    const struct hs_dataid *own = dataid_or_none(t, result->dataid);
    const size_t first = out->count;
    struct call_frame frame;
    struct frame_walk walk;
    struct hs_event e;
    bool memory = true;
    enum status st = frame_of(t, result, &frame, err);
    const bool framed = st == OK; /* else the events beside it are all there is */
    if (st != OK && st != ERR_NOT_FOUND)
        return st;
    if (framed)
        frame_walk_begin(&walk, t, (struct event_position){ positions_stream(t, result->thread), result->position },
                         &frame);
    for (int64_t i = 1; i < PARAMETERS_MAX; i++) {
        st = framed ? frame_walk_back(&walk, &e, err) : event_beside(t, result, -i, &e, err);
        if (st != OK || e.stamp < gap_before(t, result->stamp) || !add_parameter(t, &e, own, out, &memory))
            break;
    }
    for (size_t i = first, k = out->count; i + 1 < k; i++, k--) {
        struct hs_event swap = out->items[i];
        out->items[i] = out->items[k - 1];
        out->items[k - 1] = swap;
    }
    if (!memory)
        return state_memory(t, err);
    return st == ERR_NOT_FOUND ? OK : st;
}

enum status dynamic_result(hs_trace *t, const struct hs_event *parameter, struct hs_event *out, struct error *err)
{
    const struct hs_dataid *own = dataid_or_none(t, parameter->dataid);
    uint64_t gap = gap_behind(t, parameter->stamp);
    uint32_t depth = 0;
    for (int64_t i = 1; i < RESULT_WITHIN_LONG; i++) {
        enum status st = event_beside(t, parameter, i, out, err);
        if (st != OK)
            return st;
        const struct effect *f = effects_get(t, out->dataid);
        depth += f->op == EFFECT_ENTER;
        if (out->stamp >= gap || (f->op == EFFECT_LEAVE && depth-- == 0))
            return ERR_NOT_FOUND;
        if (depth > 0 || f->op == EFFECT_LEAVE)
            continue;
        const struct hs_dataid *d = dataid_or_none(t, out->dataid);
        if (same_instruction(d, own) && d->event == EVENT_INVOKE_DYNAMIC_RESULT)
            return OK;
        if (!same_instruction(d, own) || d->event != EVENT_INVOKE_DYNAMIC_PARAM)
            return ERR_NOT_FOUND;
    }
    return ERR_NOT_FOUND;
}
