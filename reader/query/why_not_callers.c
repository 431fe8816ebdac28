/* why_not_callers.c - why a method was not called: its call sites, whose methods are asked in turn. */
#include <string.h>

#include "reader/query/why_not.h"

enum { CALLERS_DEEP = 6 };

static bool same_name(const void *wanted, const char *name) { return strcmp(wanted, name) == 0; }

/* Can a call of `owner` enter a method of the class? */
static bool may_be_of(hs_trace *t, const struct hs_class *c, const char *owner)
{
    bool unknown = false;
    return lineage_above(t, lineage_of(t, c->name, c->loader_id), same_name, owner, &unknown) != NULL;
}

static enum status survey_site(struct asking *a, const struct hs_dataid *d, unsigned deep, struct error *err)
{
    struct method *m = method_get(a->trace, d->method_id);
    const uint32_t insn = m != NULL ? code_insn_at(&m->code, d->pc) : NO_INSN;
    return insn != NO_INSN ? survey_method(a, m, insn, deep, err) : OK;
}

static enum status ask_callers(struct asking *a, const struct hs_method *m, unsigned deep, struct error *err)
{
    const struct hs_class *c = hs_class_get(a->trace, m->class_no);
    size_t count, found = 0;
    enum status st = OK;
    for (size_t i = 0; i < a->asked.count; i++)
        if (a->asked.items[i] == m->method_id)
            return OK;
    uint32_t *asked = deep < CALLERS_DEEP && c != NULL ? vec_push(&a->asked) : NULL;
    if (asked == NULL)
        return OK;
    *asked = m->method_id;
    const struct site *sites = sites_named(a->trace, EVENT_CALL, m->name, &count);
    for (size_t i = 0; st == OK && i < count; i++) {
        const struct hs_dataid *d = hs_dataid_get(a->trace, sites[i].dataid);
        if (d == NULL || strcmp(why_text(d, "name"), m->name) != 0 || strcmp(why_text(d, "desc"), m->desc) != 0 ||
            !may_be_of(a->trace, c, why_text(d, "owner")))
            continue;
        found++;
        st = survey_site(a, d, deep + 1, err);
    }
    return st == OK && found == 0 ? add_reason(a, HS_SITUATION_NO_CALLER, method_get(a->trace, m->method_id), NULL, err)
                                  : st;
}

enum status ask_uncalled(struct asking *a, struct error *err)
{
    enum status st = OK;
    for (size_t i = 0; st == OK && i < a->uncalled.count; i++) {
        const struct uncalled u = a->uncalled.items[i];
        st = ask_callers(a, u.method, u.deep, err);
    }
    return st;
}

/* ---- a class that has no woven code ---- */

/* The classes that were loaded, and not woven; else the name of the one that was not loaded. */
static enum status add_class(struct asking *a, struct error *err)
{
    const struct hs_class *c;
    bool any = false;
    enum status st = OK;
    for (size_t i = 0; st == OK && (c = class_at(a->trace, i)) != NULL; i++) {
        if (c->state == HS_CLASS_WOVEN || !hs_class_matches(a->class_glob, c->name))
            continue;
        any = true;
        st = add_reason(a, HS_SITUATION_NOT_WOVEN, NULL, c->name, err);
    }
    return st == OK && !any ? add_reason(a, HS_SITUATION_NOT_LOADED, NULL, a->class_glob, err) : st;
}

enum status ask_class(struct asking *a, struct error *err)
{
    const site_vec *sites = sites_of(a->trace, EVENT_CALL);
    enum status st = add_class(a, err);
    for (size_t i = 0; st == OK && i < sites->count; i++) {
        const struct hs_dataid *d = hs_dataid_get(a->trace, sites->items[i].dataid);
        if (d != NULL && hs_class_matches(a->class_glob, why_text(d, "owner")) &&
            hs_method_matches(a->method_glob[0] != '\0' ? a->method_glob : NULL, why_text(d, "name"),
                              why_text(d, "desc")))
            st = survey_site(a, d, 1, err);
    }
    return st;
}
