/* contents_ops.c - calls as ops, and the views that are found while they are looked for; see contents.h. */
#include "reader/query/contents_views.h"

#include <stdio.h>

void contents_overflow(struct contents_calls *c, const struct hs_event *e, unsigned limit, const char *what)
{
    c->full = true;
    c->contents->lost = e->seq;
    (void)snprintf(c->contents->why, sizeof c->contents->why, "only the first %u %s are followed", limit, what);
}

struct contents_op *contents_add(struct contents_calls *c, const struct hs_event *e, const struct hs_dataid *site,
                                 enum contents_effect effect)
{
    if (c->ops->count >= c->contents->calls_max) {
        contents_overflow(c, e, c->contents->calls_max, "calls on it and on its iterators and views");
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

void contents_add_view(struct contents_calls *c, uint32_t id, enum contents_effect of)
{
    if (id == 0 || map_get(&c->views, id) != NULL)
        return;
    struct contents_view *v = map_put(&c->views, id);
    if (v == NULL) {
        c->no_memory = true;
        return;
    }
    v->of = of;
    v->iterator = of == DO_VIEW_ITERATOR || of == DO_VIEW_BACKWARD;
    uint64_t *to = v->iterator ? NULL : vec_push(&c->found);
    if (to != NULL)
        *to = id;
    c->no_memory |= !v->iterator && to == NULL;
}

void contents_views_done(struct contents_calls *c)
{
    map_free(&c->views);
    vec_free(&c->found);
}

enum status contents_sites(const struct contents_calls *c, unsigned event, contents_site_fn *wanted, u32_vec *ids,
                           struct error *err)
{
    const site_vec *sites = sites_of(c->t, event);
    for (size_t i = 0; i < sites->count; i++) {
        const struct hs_dataid *d = hs_dataid_get(c->t, sites->items[i].dataid);
        if (d == NULL || !wanted(c, d))
            continue;
        uint32_t *to = vec_push(ids);
        if (to == NULL)
            return state_memory(c->t, err);
        *to = sites->items[i].dataid;
    }
    return OK;
}

bool contents_add_sites(hs_trace *t, const char *name, const char *owner, u32_vec *ids)
{
    size_t count;
    const struct site *sites = sites_named(t, EVENT_CALL, name, &count);
    for (size_t i = 0; i < count; i++) {
        const struct hs_dataid *d = hs_dataid_get(t, sites[i].dataid);
        const char *text = d != NULL ? attribute_text(d, "owner") : NULL;
        const char *own = d != NULL ? attribute_text(d, "name") : NULL;
        if (text == NULL || own == NULL || strstr(text, owner) == NULL || strcmp(own, name) != 0)
            continue;
        uint32_t *to = vec_push(ids);
        if (to == NULL)
            return false;
        *to = sites[i].dataid;
    }
    return true;
}
