/* why_not_write.c - why a field, an element or a variable was not written; why an exception was not thrown: each
 * instruction that can do it is a target. */
#include <string.h>

#include "reader/query/access.h"
#include "reader/query/why_not.h"

/* ---- writes ---- */

/* The value of the write that `e` begins, as an event, and the object. ERR_NOT_FOUND: it was not done. */
static enum status written(struct asking *a, const struct hs_event *e, struct heap_access *out, struct error *err)
{
    *out = (struct heap_access){ .value = *e };
    return a->location.kind == LOCATION_LOCAL ? OK : access_at(a->trace, e, out, err);
}

static enum status hit_write(struct asking *a, const struct hs_event *e, enum hit *hit, enum hs_situation *situation,
                             struct hs_event *seen, struct error *err)
{
    const struct location *l = &a->location;
    struct heap_access w;
    const enum status st = written(a, e, &w, err);
    *hit = NO_HIT;
    if (st != OK)
        return st == ERR_NOT_FOUND ? OK : st;
    *hit = OTHER_HIT;
    *seen = w.value;
    if ((l->object != 0 && w.object != l->object) || (l->kind == LOCATION_ELEMENT && w.index != l->index) ||
        (l->kind == LOCATION_FIELD && !location_has(a->trace, l, e->dataid, w.object)))
        *situation = HS_SITUATION_OTHER_OBJECT;
    else if (a->expects &&
             !wanted_is(&a->expected, a->trace, (uint8_t)element_kind_of(a->trace, &w.value), w.value.value))
        *situation = HS_SITUATION_OTHER_VALUE;
    else
        *hit = HIT;
    return OK;
}

enum status ask_write(struct asking *a, struct error *err)
{
    enum status st = OK;
    size_t asked = 0;
    if (!tables_need_classes(a->trace))
        return state_memory(a->trace, err);
    for (size_t i = 0; st == OK && i < a->location.ids.count; i++) {
        const struct hs_dataid *d = hs_dataid_get(a->trace, a->location.ids.items[i]);
        struct method *m = d != NULL ? method_get(a->trace, d->method_id) : NULL;
        const uint32_t insn = m != NULL ? code_insn_at(&m->code, d->pc) : NO_INSN;
        if (insn == NO_INSN)
            continue;
        const struct target target = { .method = m, .insn = insn, .dataid = d->dataid, .hit = hit_write };
        asked++;
        st = survey_target(a, &target, 0, err);
    }
    return st == OK && asked == 0 ? add_reason(a, HS_SITUATION_NO_WRITER, NULL, a->options->place, err) : st;
}

/* ---- throws ---- */

static bool is_glob(const void *glob, const char *name) { return hs_class_matches(glob, name); }

/* Is the class of that name the type, or one below it? */
static bool is_of_type(hs_trace *t, const char *name, const char *type)
{
    bool unknown = false;
    return hs_class_matches(type, name) || lineage_above(t, lineage_of(t, name, 0), is_glob, type, &unknown) != NULL;
}

/* The throw of what a `new` makes; the `new` itself if it is not thrown right there. */
static uint32_t throw_of(hs_trace *t, struct method *m, uint32_t made)
{
    for (uint32_t i = 0; i < m->code.insns.count; i++) {
        const struct insn *in = &m->code.insns.items[i];
        if (in->op != OPC_athrow)
            continue;
        const struct producers p = method_producers(t, m, in->pc, 0);
        for (unsigned k = 0; k < p.count; k++)
            if (p.pcs[k] == made)
                return i;
    }
    return code_insn_at(&m->code, made);
}

enum status ask_throw(struct asking *a, const char *type, struct error *err)
{
    const site_vec *sites = sites_of(a->trace, EVENT_NEW_OBJECT);
    size_t asked = 0;
    enum status st = OK;
    if (!tables_need_classes(a->trace))
        return state_memory(a->trace, err);
    for (size_t i = 0; st == OK && i < sites->count; i++) {
        const struct hs_dataid *d = hs_dataid_get(a->trace, sites->items[i].dataid);
        struct method *m =
            d != NULL && is_of_type(a->trace, why_text(d, "type"), type) ? method_get(a->trace, d->method_id) : NULL;
        const uint32_t insn = m != NULL ? throw_of(a->trace, m, d->pc) : NO_INSN;
        if (insn == NO_INSN)
            continue;
        asked++;
        st = survey_method(a, m, insn, 0, err);
    }
    return st == OK && asked == 0 ? add_reason(a, HS_SITUATION_NO_WRITER, NULL, type, err) : st;
}
