/* why_lambdas.c - see why_lambdas.h. */
#include "reader/query/why_lambdas.h"
#include "reader/query/why_search.h"

#include <string.h>

enum { VALUES_MAX = 256, SAME_MAX = 32 };

/* A call of the body of a lambda, or of a method by a reference. */
struct body {
    const struct hs_method *method;
    struct hs_event values[VALUES_MAX]; /* receiver and parameters, by index; kind VOID where they are not recorded */
};

static void read_body(struct why *w, const struct hs_event *entry, struct body *b)
{
    struct hs_event e;
    for (size_t i = 0; i < VALUES_MAX; i++)
        b->values[i].kind = HS_KIND_VOID;
    if ((b->method->access & ACC_STATIC) == 0)
        b->values[0] = *entry;
    for (int64_t i = 1; i < VALUES_MAX && event_beside(w->trace, entry, i, &e, NULL) == OK; i++) {
        const struct hs_dataid *d = dataid_or_none(w->trace, e.dataid);
        if (d->event != EVENT_METHOD_PARAM || d->method_id != b->method->method_id)
            break;
        int64_t index = attribute_number(d, "index", -1);
        if (index >= 0 && index < VALUES_MAX)
            b->values[index] = e;
    }
}

/* Is the invokedynamic of this data ID one that makes lambdas of the method? */
static bool makes(struct why *w, const struct hs_dataid *d, const struct hs_method *m, struct lambda_site *out)
{
    const struct method *code =
        d != NULL && d->event == EVENT_INVOKE_DYNAMIC_RESULT ? method_get(w->trace, d->method_id) : NULL;
    return code != NULL && method_lambda(code, d->pc, out) && name_is(out->method.name, m->name) &&
           name_is(out->method.desc, m->desc);
}

/* The INVOKE_DYNAMIC_RESULT that made this object of the method. ERR_NOT_FOUND: there is none. */
static enum status made_of(struct why *w, uint32_t object, const struct hs_method *m, struct hs_event *made,
                           struct lambda_site *site, struct error *err)
{
    const struct hs_object *o = hs_object_get(w->trace, object);
    if (o == NULL || o->type == NULL || strstr(o->type, "$$Lambda") == NULL)
        return ERR_NOT_FOUND;
    enum status st = first_event_of(w, object, made, err);
    if (st != OK)
        return st;
    return makes(w, hs_dataid_get(w->trace, made->dataid), m, site) ? OK : ERR_NOT_FOUND;
}

/* The lambda, if the call around its body was a call of it or was given it. */
static enum status of_call(struct why *w, const struct outside_call *outer, const struct hs_method *m,
                           struct hs_event *made, struct lambda_site *site, struct error *err)
{
    enum status st = made_of(w, object_of(&outer->call), m, made, site, err);
    for (size_t i = 0; st == ERR_NOT_FOUND && i < outer->argument_count; i++)
        st = made_of(w, object_of(&outer->arguments[i]), m, made, site, err);
    return st;
}

/* Has the body been called with what was captured here? */
static bool has_captured(const struct body *b, const event_vec *captured)
{
    for (size_t i = 0; i < captured->count; i++) {
        const struct hs_event *c = &captured->items[i], *v = &b->values[i < VALUES_MAX ? i : 0];
        if (c->kind == v->kind && c->value != v->value)
            return false;
    }
    return true;
}

/* The executions that the lambda may be from, newest first. */
struct makers {
    struct hs_event made[SAME_MAX];
    size_t count;
    struct lambda_site site;
};

static enum status find_makers(struct why *w, const struct body *b, struct makers *out, struct error *err)
{
    const struct hs_class *c = hs_class_get(w->trace, b->method->class_no);
    u32_vec ids = { 0 };
    struct walk walk;
    struct hs_event e;
    struct lambda_site site;
    event_vec captured = { 0 };
    enum status st = OK;
    if (c == NULL || (b->method->access & ACC_SYNTHETIC) == 0) /* others can be called otherwise */
        return ERR_NOT_FOUND;
    for (uint32_t id = c->first_dataid; id < c->first_dataid + c->dataid_count; id++) {
        if (!makes(w, hs_dataid_get(w->trace, id), b->method, &site))
            continue;
        uint32_t *to = vec_push(&ids);
        if (to == NULL) {
            vec_free(&ids);
            return state_memory(w->trace, err);
        }
        *to = id;
        out->site = site;
    }
    if (ids.count == 0 || !search_goes_on(w, true)) {
        vec_free(&ids);
        return ERR_NOT_FOUND;
    }
    walk_open_ids(&walk, w->trace, &ids, 0, w->now.seq);
    walk_seek(&walk, w->now.seq);
    while (st == OK && !w->more_causes && search_goes_on(w, false) && walk_previous(&walk, &e)) {
        captured.count = 0;
        st = dynamic_parameters(w->trace, &e, &captured, err);
        if (st != OK || !has_captured(b, &captured))
            continue;
        w->more_causes = out->count == SAME_MAX;
        if (!w->more_causes)
            out->made[out->count++] = e;
    }
    vec_free(&captured);
    vec_free(&ids);
    st = walk_end(&walk, st, err);
    return st != OK ? st : out->count > 0 ? OK : ERR_NOT_FOUND;
}

/* The link goes on at captured value `index` of the first of them. */
static enum status from_captured(struct why *w, const struct makers *makers, size_t index, const char *what,
                                 struct error *err)
{
    struct hs_event value = { 0 };
    enum status st = OK;
    for (size_t i = 0; st == OK && i < makers->count; i++) {
        event_vec captured = { 0 };
        st = dynamic_parameters(w->trace, &makers->made[i], &captured, err);
        if (st == OK && captured.count <= index)
            st = ERR_NOT_FOUND;
        if (st == OK)
            st = why_number(w, &captured.items[index], err);
        if (st == OK && i == 0)
            value = captured.items[index];
        else if (st == OK)
            st = why_offer(w, &captured.items[index], HS_BY_EQUAL, err, "captured by an earlier lambda like it");
        vec_free(&captured);
    }
    if (st != OK)
        return st;
    unsigned long long seq = value.seq;
    if (makers->count == 1)
        return why_goes_on(w, &value, "parameter %s, a value captured by the lambda at seq %llu", what, seq);
    st = why_goes_on(w, &value, "parameter %s, a value captured at seq %llu by one of several lambdas like it", what,
                     seq);
    why_prefer(w, &value, HS_BY_EQUAL);
    return st;
}

/* The first call that was given the lambda. */
static enum status find_given(struct why *w, const struct hs_event *made, struct outside_call *out, struct error *err)
{
    static const unsigned types[] = { EVENT_CALL_PARAM };
    struct walk walk;
    struct hs_event e;
    walk_open_types(&walk, w->trace, types, 1, object_of(made), w->now.seq);
    walk_seek(&walk, made->seq);
    const bool found = object_of(made) != 0 && walk_next(&walk, &e) && e.seq < w->now.seq;
    enum status st = walk_close(&walk, err);
    if (st != OK || !found)
        return st != OK ? st : ERR_NOT_FOUND;
    return outside_call_at(w->trace, &e, out, err);
}

/* The receiver of a method that is called by a reference to it (this::run): the reference has it. */
static enum status from_reference(struct why *w, const struct hs_method *m, const char *what, struct error *err)
{
    static const unsigned types[] = { EVENT_INVOKE_DYNAMIC_PARAM };
    struct walk walk;
    struct hs_event e, made;
    struct lambda_site site;
    enum status st = ERR_NOT_FOUND;
    if (object_of(&w->now) == 0 || !search_goes_on(w, true))
        return ERR_NOT_FOUND;
    walk_open_types(&walk, w->trace, types, 1, object_of(&w->now), w->now.seq);
    walk_seek(&walk, w->now.seq);
    while (st == ERR_NOT_FOUND && search_goes_on(w, false) && walk_previous(&walk, &e)) {
        st = dynamic_result(w->trace, &e, &made, err);
        if (st == OK && !makes(w, hs_dataid_get(w->trace, made.dataid), m, &site))
            st = ERR_NOT_FOUND;
    }
    if (st != OK) {
        const enum status walked = walk_close(&walk, st == ERR_NOT_FOUND ? err : NULL);
        return st == ERR_NOT_FOUND && walked != OK ? walked : st;
    }
    st = walk_close(&walk, err);
    if (st != OK)
        return st;
    st = why_goes_on(w, &e, "parameter %s, the object of a method reference made at seq %llu", what,
                     (unsigned long long)e.seq);
    why_prefer(w, &e, HS_BY_IDENTITY);
    return st;
}

enum status why_from_lambda(struct why *w, const struct hs_event *entry, const struct outside_call *outer,
                            int64_t index, const char *what, struct outside_call *given, bool *is_given,
                            struct error *err)
{
    struct makers makers = { 0 };
    struct body b = { .method = hs_method_get(w->trace, w->site->method_id) };
    *is_given = false;
    if (b.method == NULL)
        return ERR_NOT_FOUND;
    enum status st = outer != NULL ? of_call(w, outer, b.method, &makers.made[0], &makers.site, err) : ERR_NOT_FOUND;
    const bool known = st == OK;
    makers.count = known;
    if (st == ERR_NOT_FOUND) {
        read_body(w, entry, &b);
        st = find_makers(w, &b, &makers, err);
    }
    if (st == ERR_NOT_FOUND && outer == NULL && index == 0 && w->site->event == EVENT_METHOD_ENTRY)
        return from_reference(w, b.method, what, err);
    if (st != OK)
        return st;
    if (index < makers.site.captured)
        return from_captured(w, &makers, (size_t)index, what, err);
    if (outer == NULL) {
        st = find_given(w, &makers.made[0], given, err);
        *is_given = st == OK;
        return st == OK ? ERR_NOT_FOUND : st;
    }
    if (!known || object_of(&outer->call) != object_of(&makers.made[0]))
        return ERR_NOT_FOUND;
    size_t at = (size_t)index - makers.site.captured; /* woven code called the lambda itself */
    struct hs_event argument = at < outer->argument_count ? outer->arguments[at] : (struct hs_event){ 0 };
    if (at >= outer->argument_count || argument.kind != w->now.kind || argument.value != w->now.value)
        return ERR_NOT_FOUND;
    st = why_number(w, &argument, err);
    if (st != OK)
        return st;
    return why_goes_on(w, &argument,
                       "parameter %s, the argument of the call of a lambda or method reference at seq %llu", what,
                       (unsigned long long)argument.seq);
}
