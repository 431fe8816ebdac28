/* contents_ops.c - calls as ops, and whether code that is not woven may have changed what it was given; see contents.h.
 */
#include "reader/query/contents_views.h"

#include <stdio.h>

static const char *text_of(const struct hs_dataid *d, const char *name)
{
    const char *s = d != NULL ? attribute_text(d, name) : NULL;
    return s != NULL ? s : "?";
}

void contents_overflow(struct contents_calls *c, const struct hs_event *e, unsigned limit, const char *what)
{
    c->full = true;
    c->contents->lost = e->seq;
    (void)snprintf(c->contents->why, sizeof c->contents->why, "only the first %u %s are followed", limit, what);
}

struct contents_op *contents_add(struct contents_calls *c, const struct hs_event *e, const struct hs_dataid *site,
                                 enum contents_effect effect)
{
    if (c->ops->count >= CONTENTS_CALLS_MAX) {
        contents_overflow(c, e, CONTENTS_CALLS_MAX, "calls on it and on its iterators and views");
        return NULL;
    }
    struct contents_op *op = vec_push(c->ops);
    if (op == NULL) {
        c->no_memory = true;
        return NULL;
    }
    *op = (struct contents_op){
        .from = e->seq, .seq = e->seq, .call = *e, .site = site, .effect = effect, .thread = e->thread
    };
    return op;
}

/* The op of a call that is known. */
struct contents_op *contents_add_call(struct contents_calls *c, const struct hs_event *e, struct outside_call *call,
                                      enum contents_effect effect)
{
    if (call->returned && call->result.seq == HS_NO_SEQ && positions_number(c->t, &call->result, NULL) != OK)
        call->returned = false;
    if (call->returned && call->result.seq > c->to)
        return NULL; /* it has done nothing yet, as far as is known */
    struct contents_op *op = contents_add(c, e, call->site, effect);
    if (op == NULL)
        return NULL;
    op->returned = call->returned;
    if (call->returned) {
        op->seq = call->result.seq > e->seq ? call->result.seq : e->seq;
        op->result = (struct hs_value){ call->result.value, call->result.kind };
    }
    for (size_t i = 0; i < call->argument_count && i < OP_ARGUMENTS; i++)
        op->arguments[i] = (struct hs_value){ call->arguments[i].value, call->arguments[i].kind };
    for (size_t i = 0; i < call->argument_count && i < OP_ARGUMENTS; i++)
        if (object_of(&call->arguments[i]) != 0)
            c->no_memory |= !contents_box_before(c->contents, &call->call, object_of(&call->arguments[i]));
    op->argument_count = (uint8_t)(call->argument_count < OP_ARGUMENTS ? call->argument_count : OP_ARGUMENTS);
    return op;
}

/* ---- where it may have been changed unseen ---- */

/* Does the method of code that is not woven leave the objects that it is given as they are? */
static bool only_reads(hs_trace *t, const struct outside_call *call)
{
    const char *owner = outside_call_owner(call), *name = outside_call_name(call);
    const char *desc = text_of(call->site, "desc");
    if (contents_reader(owner, name))
        return true;
    const struct contents_class *k = strcmp(name, "<init>") == 0 ? contents_class_named(owner) : NULL;
    if (k == NULL && object_of(&call->call) != 0)
        k = contents_class_of(t, object_of(&call->call));
    if (k == NULL)
        return object_of(&call->call) != 0 && strncmp(owner, "java.util.", 10) == 0 &&
               contents_method(~0u & ~(unsigned)SHAPE_VALUE, name, desc) != DO_LOSE;
    return contents_method(k->shapes, name, desc) != DO_LOSE;
}

enum status contents_given(struct contents_calls *c, const struct hs_event *e, struct error *err)
{
    struct outside_call call;
    struct hs_event entry;
    const struct hs_dataid *d = hs_dataid_get(c->t, e->dataid);
    bool given;
    enum status st = is_handover(c->t, &c->known, e, &given, err);
    if (st != OK || !given || d == NULL)
        return st;
    bool passed = d->event == EVENT_CALL_PARAM;
    st = passed ? outside_call_at(c->t, e, &call, err) : outside_call_around(c->t, e, &call, &entry, err);
    if (st == OK && only_reads(c->t, &call))
        return OK;
    if (st == OK && passed && attribute_number(d, "index", -1) == 0 && call.call.kind == HS_KIND_VOID) {
        enum contents_effect effect = contents_changer(outside_call_owner(&call), outside_call_name(&call));
        if (effect != DO_LOSE) {
            (void)contents_add_call(c, e, &call, effect);
            return OK;
        }
    }
    if (st == OK || st == ERR_NOT_FOUND)
        (void)contents_add(c, e, st == OK ? call.site : call_site(c->t, d), DO_HANDED);
    return st == ERR_NOT_FOUND ? OK : st;
}
