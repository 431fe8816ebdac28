/* contents_given.c - whether code that is not woven may have changed what it was given; see contents.h. */
#include "reader/query/contents_views.h"

static const char *text_of(const struct hs_dataid *d, const char *name)
{
    const char *s = d != NULL ? attribute_text(d, name) : NULL;
    return s != NULL ? s : "?";
}

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

/* Does the call leave what it was given to its caller, when it is over? Others keep it. */
static bool copies(const struct outside_call *call)
{
    static const char *const names[] = { "addAll",      "putAll", "removeAll", "retainAll",     "containsAll",
                                         "copyOf",      "equals", "contains",  "containsValue", "indexOf",
                                         "lastIndexOf", "remove", "print",     "println",       "valueOf" };
    const char *name = outside_call_name(call), *desc = text_of(call->site, "desc");
    if (strncmp(outside_call_owner(call), "java.", 5) != 0)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    if (strcmp(outside_call_owner(call), "java.util.Objects") == 0)
        return true; /* requireNonNull */
    if (strcmp(outside_call_owner(call), "java.util.Collections") == 0 && desc[strlen(desc) - 1] != ';')
        return true; /* reverse, addAll, shuffle */
    return strcmp(name, "<init>") == 0 && contents_class_named(outside_call_owner(call)) != NULL &&
           strstr(desc, "java/lang/Object;") == NULL;
}

/* Can the map that the call was given have been compared with others, or be later, where it is kept? The equals of
 * another map asks it by get, which changes an order of access. */
static bool may_ask(const struct outside_call *call)
{
    static const char *const never[] = { "<init>", "putAll",  "copyOf",          "of",      "ofNullable",
                                         "print",  "println", "unmodifiableMap", "valueOf", "requireNonNull" };
    const char *name = outside_call_name(call);
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (strcmp(name, never[i]) == 0)
            return false;
    return true;
}

/* The static method changed the object itself, which was its first argument. */
static bool add_changer(struct contents_calls *c, const struct hs_event *e, struct outside_call *call, int64_t index)
{
    if (index != 0 || call->call.kind != HS_KIND_VOID)
        return false;
    enum contents_effect effect = contents_changer(outside_call_owner(call), outside_call_name(call));
    if (effect == DO_LOSE)
        return false;
    (void)contents_add_call(c, e, call, effect);
    return true;
}

/* What the call made or returned may have kept it. */
static enum status add_holder_of(struct contents_calls *c, const struct hs_event *e, struct outside_call *call,
                                 struct error *err)
{
    enum status st = OK;
    if (!call->returned)
        st = outside_call_whole(c->t, &call->call, call, err);
    if (st == OK && call->returned)
        contents_add_holder(c, e, object_of(&call->result));
    return st;
}

enum status contents_given(struct contents_calls *c, const struct hs_event *e, const struct contents_view *view,
                           struct error *err)
{
    struct outside_call call;
    struct hs_event entry;
    const struct hs_dataid *d = hs_dataid_get(c->t, e->dataid);
    bool given;
    enum status st = is_handover(c->t, &c->known, e, &given, err);
    if (st != OK || !given || d == NULL)
        return st;
    bool passed = d->event == EVENT_CALL_PARAM;
    int64_t index = passed ? attribute_number(d, "index", -1) : -1;
    c->entries_given |= view != NULL && view->of == DO_VIEW_ENTRIES;
    st = passed ? outside_call_at(c->t, e, &call, err) : outside_call_around(c->t, e, &call, &entry, err);
    if ((view == NULL || view->of != DO_HANDED) && !(st == OK && passed && copies(&call))) {
        c->given = e->seq < c->given ? e->seq : c->given;
        c->view_given |= view != NULL;
    }
    if (st == OK && (view == NULL || view->of != DO_HANDED) && only_reads(c->t, &call)) {
        if (view == NULL && c->class->ordered && (c->class->shapes & SHAPE_MAP) != 0 && may_ask(&call))
            (void)contents_add(c, e, call.site, DO_ASKED);
        return OK;
    }
    if (st == OK && view == NULL && passed && add_changer(c, e, &call, index))
        return OK;
    if (st != OK && st != ERR_NOT_FOUND)
        return st;
    (void)contents_add(c, e, st == OK ? call.site : call_site(c->t, d), DO_HANDED);
    return st == OK && passed ? add_holder_of(c, e, &call, err) : OK;
}
