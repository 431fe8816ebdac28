/* contents_calls.c - the calls that recorded code made on an object and on what can change it, and where it was given
 * to code that is not woven; see contents.h. */
#include <stdlib.h>

#include "reader/query/contents.h"
#include "reader/query/contents_views.h"
#include "reader/query/left_out.h"
#include "reader/query/periods.h"
#include "reader/query/state.h"

static const char *text_of(const struct hs_dataid *d, const char *name)
{
    const char *s = d != NULL ? attribute_text(d, name) : NULL;
    return s != NULL ? s : "?";
}

/* ---- the object itself ---- */

static enum status own_call(struct contents_calls *c, const struct hs_event *e, const struct hs_dataid *d,
                            struct error *err)
{
    struct outside_call call;
    enum contents_effect effect = contents_method(c->class->shapes, text_of(d, "name"), text_of(d, "desc"));
    if (effect == DO_READ)
        return OK;
    enum status st = outside_call_whole(c->t, e, &call, err);
    if (st != OK)
        return st;
    const struct contents_op *op = contents_add_call(c, e, &call, effect);
    if (op != NULL && op->returned && effect >= DO_VIEW_ITERATOR && effect <= DO_VIEW_OTHER)
        contents_add_view(c, object_of(&call.result), effect);
    else if (op != NULL && op->returned && effect == DO_LOSE && (c->class->shapes & (SHAPE_VALUE | SHAPE_TEXT)) == 0)
        contents_add_holder(c, e, object_of(&call.result));
    return OK;
}

/* NEW_OBJECT_CREATED, or the CALL_RETURN that shows the object first. */
static enum status made(struct contents_calls *c, const struct hs_event *e, bool constructor, struct error *err)
{
    struct outside_call call;
    enum status st = outside_call_of(c->t, e, &call, err);
    if (st == ERR_NOT_FOUND) {
        (void)contents_add(c, e, NULL, DO_LOSE);
        c->given = e->seq;
        return OK;
    }
    if (st != OK)
        return st;
    const char *owner = outside_call_owner(&call), *name = outside_call_name(&call);
    if (constructor) {
        struct contents_op *made =
            contents_add_call(c, e, &call, contents_method(c->class->shapes, name, text_of(call.site, "desc")));
        if (made != NULL)
            made->makes = made->effect != DO_LOSE;
        return OK;
    }
    bool clone = strcmp(name, "clone") == 0 && object_of(&call.call) != 0;
    struct contents_op *op = contents_add_call(c, e, &call, clone ? DO_CLONE : contents_factory(owner, name));
    if (op != NULL)
        op->makes = op->effect != DO_LOSE;
    if (op != NULL && !op->makes)
        c->given = e->seq;
    if (op != NULL && positions_number(c->t, &call.call, NULL) == OK)
        op->from = call.call.seq;
    if (clone && op != NULL) {
        op->arguments[0] = (struct hs_value){ call.call.value, call.call.kind };
        op->argument_count = 1;
    }
    return OK;
}

static enum status own_event(struct contents_calls *c, const struct hs_event *e, struct error *err)
{
    const struct hs_dataid *d = hs_dataid_get(c->t, e->dataid);
    if (d == NULL)
        return OK;
    switch (d->event) {
    case EVENT_CALL: return own_call(c, e, d, err);
    case EVENT_CALL_PARAM:
    case EVENT_METHOD_NORMAL_EXIT:
        return (c->class->shapes & (SHAPE_OPTIONAL | SHAPE_BOX)) == 0 ? contents_given(c, e, NULL, err) : OK;
    case EVENT_NEW_OBJECT_CREATED: return made(c, e, true, err);
    case EVENT_CALL_RETURN: return c->ops->count == 0 ? made(c, e, false, err) : OK;
    case EVENT_ARRAY_STORE_VALUE: /* of one that is given away, as that of Arrays.asList */
        c->given = e->seq < c->given ? e->seq : c->given;
        return OK;
    case EVENT_INVOKE_DYNAMIC_PARAM: (void)contents_bound(c, e); return OK;
    default: return OK;
    }
}

static int by_seq(const void *a, const void *b)
{
    const struct contents_op *x = a, *y = b;
    if (x->seq != y->seq)
        return x->seq < y->seq ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* Calls on the object may be missing: what is known of it begins behind them. */
static enum status add_left_out(struct contents_calls *c, struct error *err)
{
    struct left_out missing = { 0 };
    u32_vec marks = { 0 };
    if (!left_out_any(c->t) || c->ops->count == 0)
        return OK;
    enum status st = left_out_marks(c->t, NULL, &marks, err);
    if (st == OK)
        st = left_out_before(c->t, &marks, c->to < UINT64_MAX ? c->to + 1 : c->to, &missing, err);
    vec_free(&marks);
    if (st != OK || missing.until <= c->ops->items[0].from)
        return st;
    missing.mark.seq = missing.until - 1 < c->to ? missing.until - 1 : c->to;
    (void)contents_add(c, &missing.mark, NULL, DO_GAP);
    return OK;
}

/* Recording was stopped between the last event of the object and the moment. */
static enum status add_last_gap(struct contents_calls *c, const struct hs_event *last, struct error *err)
{
    struct hs_event moment;
    if (c->to >= c->t->events)
        return OK;
    enum status st = event_at(c->t, c->to, &moment, err);
    if (st != OK || !recording_gap(c->t, last, &moment))
        return st;
    uint64_t since;
    st = recorded_since(c->t, &moment, &since, err);
    moment.seq = since;
    if (st == OK)
        (void)contents_add(c, &moment, NULL, DO_GAP);
    return st;
}

enum status contents_calls(struct contents *contents, op_vec *out, struct error *err)
{
    static const unsigned types[] = { EVENT_CALL,
                                      EVENT_CALL_PARAM,
                                      EVENT_CALL_RETURN,
                                      EVENT_NEW_OBJECT_CREATED,
                                      EVENT_METHOD_NORMAL_EXIT,
                                      EVENT_ARRAY_STORE_VALUE,
                                      EVENT_INVOKE_DYNAMIC_PARAM };
    struct contents_calls c = { .contents = contents,
                                .t = contents->t,
                                .class = contents->class,
                                .to = contents->to,
                                .ops = out,
                                .given = HS_NO_SEQ };
    struct walk w;
    struct hs_event e;
    struct hs_event before = { 0 };
    bool begun = false, immutable = (c.class->shapes & (SHAPE_OPTIONAL | SHAPE_BOX)) != 0;
    enum status st = OK;
    walk_open_types(&w, c.t, types, sizeof types / sizeof *types, contents->id, contents->to);
    while (st == OK && !c.full && !c.no_memory && walk_next(&w, &e) && e.seq <= c.to) {
        if (begun && recording_gap(c.t, &before, &e))
            (void)contents_add(&c, &e, NULL, DO_GAP);
        begun = true;
        before = e;
        st = own_event(&c, &e, err);
        if (immutable && out->count > 0 && out->items[out->count - 1].effect != DO_LOSE)
            break;
    }
    enum status walked = walk_close(&w, st == OK ? err : NULL);
    if (st == OK)
        st = walked;
    if (st == OK && !c.full && !immutable && begun)
        st = add_last_gap(&c, &before, err);
    if (st == OK && !c.full && !immutable)
        st = contents_view_calls(&c, err);
    contents_views_done(&c);
    if (st == OK && !c.full && !immutable)
        st = add_left_out(&c, err);
    if (st == OK && c.no_memory)
        st = state_memory(c.t, err);
    if (c.full)
        out->count = 0; /* a part of the calls proves nothing */
    if (st == OK && out->count > 1)
        qsort(out->items, out->count, sizeof *out->items, by_seq);
    return st;
}
