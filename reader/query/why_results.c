/* why_results.c - where the result of a call or of invokedynamic comes from. */
#include "reader/query/handover.h"
#include "reader/query/outside_call.h"
#include "reader/query/why.h"

#include <string.h>

/* ---- calls ---- */

/* Is the event the exit of a method of this name that returned the link's value? */
static bool is_exit_of(struct why *w, const struct hs_event *e, const char *name)
{
    const struct hs_dataid *d = dataid_or_none(w->trace, e->dataid);
    const struct hs_method *m = hs_method_get(w->trace, d->method_id);
    return d->event == EVENT_METHOD_NORMAL_EXIT && m != NULL && strcmp(m->name, name) == 0 && e->value == w->now.value;
}

static bool is_native(hs_trace *t, const char *class_name, const char *method)
{
    for (size_t i = 0; i < class_rows(t); i++) {
        const struct hs_class *c = class_at(t, i);
        if (strcmp(c->name, class_name) != 0)
            continue;
        for (uint32_t k = 0; k < c->method_count; k++)
            if (strcmp(c->methods[k]->name, method) == 0 && (c->methods[k]->access & ACC_NATIVE) != 0)
                return true;
    }
    return false;
}

enum status why_from_callee(struct why *w, struct error *err)
{
    struct hs_event e;
    const struct hs_dataid *call = call_site(w->trace, w->site);
    const char *owner = call != NULL ? why_text(call, "owner") : "?";
    const char *name = call != NULL ? why_text(call, "name") : "?";
    enum status st = event_beside(w->trace, &w->now, -1, &e, err);
    if (st != OK && st != ERR_NOT_FOUND)
        return st;
    if (st == OK && why_gap(w, &e) != NULL) /* an exit before it is that of another call */
        st = ERR_NOT_FOUND;
    if (st == OK && is_exit_of(w, &e, name)) {
        st = why_number(w, &e, err);
        if (st != OK)
            return st;
        return why_goes_on(w, &e, "returned by %s.%s at seq %llu", owner, name, (unsigned long long)e.seq);
    }
    const bool same = st == OK && event_type(w->trace, e.dataid) == EVENT_METHOD_NORMAL_EXIT && e.kind == w->now.kind &&
                      e.value == w->now.value;
    bool native = is_native(w->trace, owner, name);
    struct outside_call outside;
    st = outside_call_of(w->trace, &w->now, &outside, err);
    if (st == OK && same && outside_call_is_lambda(w->trace, &outside)) {
        st = why_number(w, &e, err);
        return st != OK ? st
                        : why_goes_on(w, &e, "returned by %s.%s, a lambda, at seq %llu", owner, name,
                                      (unsigned long long)e.seq);
    }
    if (st == OK)
        return why_from_result(w, &outside, native, err);
    if (st != ERR_NOT_FOUND)
        return st;
    if (native)
        return why_ends(w, "native", "returned by %s.%s, which is native", owner, name);
    return why_ends(w, "code not woven", "returned by %s.%s, which is not woven", owner, name);
}

/* ---- invokedynamic ---- */

/* Offers what invokedynamic was given: parts, captured values. `*first` is the first of them, if there are any. */
static enum status offer_parameters(struct why *w, const char *role, size_t *count, struct hs_event *first,
                                    struct error *err)
{
    event_vec given = { 0 };
    enum status st = dynamic_parameters(w->trace, &w->now, &given, err);
    *count = given.count;
    for (size_t i = 0; st == OK && i < given.count; i++) {
        size_t before = w->choice_count;
        st = why_offer(w, &given.items[i], HS_BY_EVENTS, err, "%s %zu", role, i + 1);
        if (w->choice_count > before)
            w->choices[before].operand = true;
    }
    if (given.count > 0)
        *first = given.items[0];
    vec_free(&given);
    return st;
}

/* A string concatenation: the chain goes on at the first part. */
static enum status from_parts(struct why *w, struct error *err)
{
    struct hs_event first;
    size_t n;
    enum status st = offer_parameters(w, "part", &n, &first, err);
    if (st != OK)
        return st;
    if (n == 0)
        return why_ends(w, "string concatenation", "a string joined by invokedynamic from parts that are not recorded");
    return why_goes_on(w, &first, "a string joined from %zu part%s, the first at seq %llu", n, n == 1 ? "" : "s",
                       (unsigned long long)first.seq);
}

enum status why_from_dynamic(struct why *w, struct error *err)
{
    struct hs_event first;
    size_t n;
    const char *name = why_text(w->site, "name"), *bootstrap = why_text(w->site, "bootstrap_name");
    if (strstr(name, "makeConcat") != NULL || strstr(bootstrap, "makeConcat") != NULL)
        return from_parts(w, err);
    bool lambda = strstr(bootstrap, "etafactory") != NULL; /* metafactory, altMetafactory */
    enum status st = offer_parameters(w, lambda ? "captured value" : "argument", &n, &first, err);
    if (st != OK)
        return st;
    if (lambda)
        return why_ends(w, "new object", "a lambda or method reference made by invokedynamic");
    if (n > 0)
        return why_goes_on(w, &first, "computed by invokedynamic %s", name);
    return why_ends(w, "invokedynamic", "computed by invokedynamic %s", name);
}
