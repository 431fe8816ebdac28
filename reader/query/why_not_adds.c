/* why_not_adds.c - the calls that add to a collection: each call in the code whose receiver stood where the collection
 * stood (a field, a variable, the result of a method) is a target, as a write is; and calls that added the element to
 * another collection. */
#include <string.h>

#include "reader/query/why_not.h"

enum { CALLS_MAX = 1000000 };

/* ---- what a call adds ---- */

static bool adds(enum contents_effect effect)
{
    return (effect >= DO_ADD_LAST && effect <= DO_SET_AT) || effect == DO_ADD_MEMBER ||
           (effect >= DO_PUT && effect <= DO_PUT_RESULT_OR_REMOVE && effect != DO_RESULT_IF_PRESENT);
}
static bool adds_several(enum contents_effect effect)
{
    return effect == DO_ADD_ALL || effect == DO_ADD_ALL_AT || effect == DO_ADD_ARRAY || effect == DO_PUT_ALL;
}

static enum contents_effect effect_of(const struct hs_dataid *site, unsigned shapes)
{
    const char *name = attribute_text(site, "name"), *desc = attribute_text(site, "desc");
    return name != NULL && desc != NULL ? contents_method(shapes, name, desc) : DO_LOSE;
}

bool member_of_call(struct asking *a, uint32_t object, const struct outside_call *call, struct hs_event *out)
{
    const struct contents_class *k = object != 0 ? contents_class_of(a->trace, object) : NULL;
    const enum contents_effect effect = k != NULL ? effect_of(call->site, k->shapes) : DO_LOSE;
    size_t i = (k != NULL && (k->shapes & SHAPE_MAP) != 0 && a->member->wanted->of_values) ? 1 : 0;
    if (effect == DO_ADD_AT || effect == DO_SET_AT)
        i = call->argument_count > 0 && call->arguments[0].kind == HS_KIND_REF ? 0 : 1;
    if (!adds(effect) || i >= call->argument_count)
        return false;
    *out = call->arguments[i];
    return true;
}

static bool has_added(const struct member_search *s, uint64_t seq)
{
    for (size_t i = 0; i < s->adds.count; i++)
        if (s->adds.items[i] == seq)
            return true;
    return false;
}

static enum status hit_add(struct asking *a, const struct hs_event *e, enum hit *hit, enum hs_situation *situation,
                           struct hs_event *seen, struct error *err)
{
    struct outside_call call;
    struct hs_event element;
    const enum status st = outside_call_at(a->trace, e, &call, err);
    *hit = NO_HIT;
    if (st != OK)
        return st == ERR_NOT_FOUND ? OK : st;
    const uint32_t object = object_of(&call.call);
    const bool mine = object == a->member->wanted->collection;
    const bool one = member_of_call(a, object, &call, &element);
    const bool equal = one && member_is(a, (struct hs_value){ element.value, element.kind }) == SAME;
    *hit = mine && (equal || has_added(a->member, e->seq)) ? HIT : OTHER_HIT;
    *seen = one ? element : *e;
    *situation = !mine ? equal ? HS_SITUATION_OTHER_COLLECTION : HS_SITUATION_OTHER_OBJECT : HS_SITUATION_OTHER_ELEMENT;
    return OK;
}

/* ---- where the collection stood ---- */

/* What an instruction takes an object from: a variable of a method, a field, the result of a method. */
struct stand {
    enum { OF_NOTHING, OF_LOCAL, OF_NAME } of;
    uint32_t method_id, slot;
    const char *owner, *name;
};

static bool same_stand(const struct stand *a, const struct stand *b)
{
    if (a->of != b->of || a->of == OF_NOTHING)
        return false;
    return a->of == OF_LOCAL ? a->method_id == b->method_id && a->slot == b->slot
                             : strcmp(a->owner, b->owner) == 0 && strcmp(a->name, b->name) == 0;
}

static struct stand stand_of(hs_trace *t, const struct hs_dataid *d)
{
    struct stand s = { .of = OF_NOTHING };
    const struct effect *f = effects_get(t, d->dataid);
    const struct hs_dataid *site = d->event == EVENT_CALL_RETURN ? call_site(t, d) : d;
    if (f->op == EFFECT_READ || f->op == EFFECT_WRITE)
        return (struct stand){ .of = OF_LOCAL, .method_id = f->method, .slot = f->slot };
    s.owner = site != NULL ? attribute_text(site, "owner") : NULL;
    s.name = site != NULL ? attribute_text(site, "name") : NULL;
    const bool named = d->event == EVENT_CALL_RETURN || event_has(d->event, USE_NAMED);
    s.of = named && s.owner != NULL && s.name != NULL ? OF_NAME : OF_NOTHING;
    return s;
}

typedef VEC(struct stand) stand_vec;

static enum status find_stands(struct asking *a, stand_vec *out, struct error *err)
{
    struct walk w;
    struct hs_event e;
    bool ok = true;
    walk_open_object(&w, a->trace, a->member->wanted->collection);
    while (ok && walk_next(&w, &e)) {
        const struct hs_dataid *d = hs_dataid_get(a->trace, e.dataid);
        const struct stand s = d != NULL ? stand_of(a->trace, d) : (struct stand){ .of = OF_NOTHING };
        bool known = s.of == OF_NOTHING;
        for (size_t i = 0; i < out->count && !known; i++)
            known = same_stand(&out->items[i], &s);
        struct stand *to = known ? NULL : vec_push(out);
        ok = known || to != NULL;
        if (to != NULL)
            *to = s;
    }
    const enum status st = walk_close(&w, err);
    return st == OK && !ok ? state_memory(a->trace, err) : st;
}

/* What the instruction at `pc` takes the object from. */
static struct stand stand_at(hs_trace *t, const struct method *m, uint32_t pc)
{
    struct stand s = { .of = OF_NOTHING };
    const struct insn *in = code_at(&m->code, pc);
    if (in == NULL)
        return s;
    if ((in->op >= OPC_aload_0 && in->op <= OPC_aload_3) || in->op == OPC_aload)
        return (struct stand){ .of = OF_LOCAL, .method_id = m->row->method_id, .slot = in->local };
    for (uint32_t id = m->owner->first_dataid; id - m->owner->first_dataid < m->owner->dataid_count; id++) {
        const struct hs_dataid *d = hs_dataid_get(t, id);
        if (d == NULL || d->method_id != m->row->method_id || d->pc != (int64_t)pc)
            continue;
        const struct stand found = stand_of(t, d);
        if (found.of == OF_NAME)
            return found;
    }
    return s;
}

static bool stands_there(struct asking *a, const stand_vec *stands, struct method *m, uint32_t pc)
{
    const struct insn *in = code_at(&m->code, pc);
    if (in == NULL || in->pops <= 0)
        return false;
    const struct producers p = method_producers(a->trace, m, pc, (uint32_t)in->pops - 1);
    for (unsigned k = 0; k < p.count; k++) {
        if ((p.pcs[k] & PRODUCER_CAUGHT) != 0)
            continue;
        const struct stand s = stand_at(a->trace, m, p.pcs[k]);
        for (size_t i = 0; i < stands->count; i++)
            if (same_stand(&stands->items[i], &s))
                return true;
    }
    return false;
}

static enum status survey_adds(struct asking *a, const stand_vec *stands, u32_vec *others, struct error *err)
{
    const site_vec *sites = sites_of(a->trace, EVENT_CALL);
    const unsigned shapes = a->member->contents.class->shapes;
    enum status st = OK;
    for (size_t i = 0; st == OK && i < sites->count; i++) {
        const struct hs_dataid *d = hs_dataid_get(a->trace, sites->items[i].dataid);
        const enum contents_effect effect = d != NULL ? effect_of(d, ~(unsigned)(SHAPE_TEXT | SHAPE_VALUE)) : DO_LOSE;
        if (!adds(effect) && !adds_several(effect))
            continue;
        const enum contents_effect mine = effect_of(d, shapes);
        struct method *m = adds(mine) || adds_several(mine) ? method_get(a->trace, d->method_id) : NULL;
        const uint32_t insn = m != NULL ? code_insn_at(&m->code, d->pc) : NO_INSN;
        const bool target = insn != NO_INSN && stands_there(a, stands, m, (uint32_t)d->pc);
        uint32_t *to = vec_push(target ? &a->member->sites : others);
        if (to == NULL)
            return state_memory(a->trace, err);
        *to = d->dataid;
        const struct target of = { .method = m, .insn = insn, .dataid = d->dataid, .hit = hit_add };
        st = target ? survey_target(a, &of, 0, err) : OK;
    }
    return st;
}

/* ---- other collections ---- */

static enum status add_other(struct asking *a, const struct hs_event *e, struct error *err)
{
    struct outside_call call;
    struct hs_event element;
    const enum status st = outside_call_at(a->trace, e, &call, err);
    if (st != OK)
        return st == ERR_NOT_FOUND ? OK : st;
    const uint32_t object = object_of(&call.call);
    if (object == a->member->wanted->collection || !member_of_call(a, object, &call, &element))
        return OK;
    const struct hs_value v = { element.value, element.kind };
    return member_is(a, v) == SAME ? add_value(a, HS_SITUATION_OTHER_COLLECTION, e, NULL, &v, NULL, err) : OK;
}

static enum status ask_others(struct asking *a, const u32_vec *ids, struct error *err)
{
    struct walk w;
    struct hs_event e;
    uint64_t looked = 0;
    enum status st = OK;
    if (ids->count == 0)
        return OK;
    walk_open_ids(&w, a->trace, ids, 0, a->member->wanted->at);
    while (st == OK && walk_next(&w, &e)) {
        if (looked++ == CALLS_MAX) {
            st = add_value(a, HS_SITUATION_NOT_SEARCHED, &e, NULL, NULL, NULL, err);
            break;
        }
        st = add_other(a, &e, err);
    }
    const enum status walked = walk_close(&w, st == OK ? err : NULL);
    return st == OK ? walked : st;
}

enum status ask_adds(struct asking *a, struct error *err)
{
    stand_vec stands = { 0 };
    u32_vec others = { 0 };
    enum status st = find_stands(a, &stands, err);
    if (st == OK)
        st = survey_adds(a, &stands, &others, err);
    if (st == OK)
        st = ask_others(a, &others, err);
    if (st == OK && a->member->sites.count == 0 && a->reasons.count == 0)
        st = add_reason(a, HS_SITUATION_NO_WRITER, NULL, a->options->place, err);
    vec_free(&stands);
    vec_free(&others);
    return st;
}
