/* why_given.c - when a value was given to code that is not woven: see why_search.h. */
#include "reader/query/contents.h"
#include "reader/query/handed_walk.h"
#include "reader/query/handover.h"
#include "reader/query/why_search.h"

#include <string.h>

enum { FAR_EVENTS = 8192, CALLS_SEEN = 256 };

/* Is event number n looked at, too? */
static bool calls_left(struct why *w, size_t n)
{
    w->search.met |= n == CALLS_SEEN;
    return n < CALLS_SEEN && search_goes_on(w, false);
}

/* ---- equal values ---- */

bool can_keep(const struct outside_call *c, const struct hs_event *argument)
{
    if (argument->kind == HS_KIND_REF || !c->returned)
        return true;
    const struct hs_event *r = &c->result;
    bool itself = r->kind == HS_KIND_REF && r->value == c->call.value;
    return r->kind == HS_KIND_VOID || r->kind == HS_KIND_BOOLEAN || r->kind == argument->kind || itself ||
           strcmp(outside_call_name(c), "<init>") == 0;
}

bool only_looks(hs_trace *t, const struct outside_call *c)
{
    const struct contents_class *class = contents_class_of(t, object_of(&c->call));
    if (class == NULL)
        return false;
    switch ((int)contents_method(class->shapes, outside_call_name(c), why_text(c->site, "desc"))) {
    case DO_READ:
    case DO_SIZE:
    case DO_IS_EMPTY:
    case DO_GET_AT:
    case DO_GET_KEY:
    case DO_REMOVE_VALUE:
    case DO_REMOVE_LAST_VALUE:
    case DO_REMOVE_MEMBER:
    case DO_REMOVE_KEY: return true;
    default: return false;
    }
}

bool hands_out(const struct outside_call *c)
{
    static const char *const names[] = {
        "compute",
        "computeIfAbsent",
        "computeIfPresent",
        "elementAt",
        "element",
        "findAny",
        "findFirst",
        "first",
        "firstElement",
        "firstKey",
        "get",
        "getFirst",
        "getKey",
        "getLast",
        "getNow",
        "getOrDefault",
        "getValue",
        "join",
        "last",
        "lastKey",
        "next",
        "nextElement",
        "orElse",
        "orElseThrow",
        "peek",
        "peekFirst",
        "peekLast",
        "poll",
        "pollFirst",
        "pollLast",
        "pop",
        "previous",
        "put",
        "putIfAbsent",
        "remove",
        "removeFirst",
        "removeLast",
        "replace",
        "set",
        "take",
        "lastElement",
    };
    const char *owner = outside_call_owner(c), *name = outside_call_name(c);
    if (strncmp(owner, "java.util.", 10) != 0 || strncmp(owner, "java.util.function.", 19) == 0 ||
        strstr(owner, ".AtomicInteger") != NULL || strstr(owner, ".AtomicLong") != NULL)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static enum status has_same_key(struct why *w, const struct outside_call *own, const struct given *g, bool *out,
                                struct error *err);

static enum status check_call(struct why *w, const struct outside_call *own, const struct hs_event *e,
                              struct given *out, struct error *err)
{
    struct outside_call call;
    enum status st = outside_call_at(w->trace, e, &call, err);
    if (st != OK)
        return st == ERR_NOT_FOUND ? OK : st;
    if (only_looks(w->trace, &call))
        return OK;
    for (size_t i = call.argument_count; i > 0; i--) {
        bool equal = false;
        if (can_keep(&call, &call.arguments[i - 1]))
            st = is_equal_value(w, &call.arguments[i - 1], &equal, err);
        if (st != OK)
            return st;
        if (!equal)
            continue;
        struct given g = { .found = true, .event = call.arguments[i - 1], .call = call, .through_call = true };
        st = own != NULL ? has_same_key(w, own, &g, &equal, err) : OK;
        if (st != OK)
            return st;
        if (!equal)
            continue;
        *out = g;
        return why_number(w, &out->event, err);
    }
    return OK;
}

enum status maker_of(struct why *w, uint32_t object, struct outside_call *made, struct error *err)
{
    struct hs_event first;
    enum status st = first_event_of(w, object, &first, err);
    unsigned event = st == OK ? event_type(w->trace, first.dataid) : 0;
    if (st == OK && event != EVENT_NEW_OBJECT_CREATED && event != EVENT_CALL_RETURN)
        return ERR_NOT_FOUND;
    if (st == OK)
        st = outside_call_of(w->trace, &first, made, err);
    if (st != OK)
        return st;
    const bool keeps = strcmp(outside_call_name(made), "<init>") == 0 || object_of(&made->call) == 0;
    return keeps && made->argument_count > 0 ? OK : ERR_NOT_FOUND;
}

/* Of the call that made the object: its arguments that equal w->now's value. */
static enum status check_maker(struct why *w, uint32_t object, struct given *out, struct error *err)
{
    struct outside_call made;
    enum status st = maker_of(w, object, &made, err);
    for (size_t i = 0; st == OK && !out->found && i < made.argument_count; i++) {
        bool equal = false;
        st = is_equal_value(w, &made.arguments[i], &equal, err);
        if (st == OK && equal) {
            *out = (struct given){ .found = true, .event = made.arguments[i], .call = made, .through_call = true };
            st = why_number(w, &out->event, err);
        }
    }
    return st == ERR_NOT_FOUND ? OK : st;
}

enum status find_given_equal(struct why *w, uint32_t receiver, const struct outside_call *own, struct given *out,
                             struct error *err)
{
    static const unsigned types[] = { EVENT_CALL };
    struct walk walk;
    struct hs_event e;
    struct known_calls known = { 0 };
    enum status st = OK;
    *out = (struct given){ 0 };
    if (receiver == 0 || !search_goes_on(w, true))
        return OK;
    walk_open_types(&walk, w->trace, types, 1, receiver, w->now.seq);
    walk_seek(&walk, w->now.seq);
    for (size_t n = 0; st == OK && !out->found; n++) {
        bool outside;
        if (!search_goes_on(w, false) || !walk_previous(&walk, &e))
            break;
        if (n == CALLS_SEEN) {
            w->search.met = true;
            break;
        }
        st = is_handover(w->trace, &known, &e, &outside, err);
        if (st == OK && outside)
            st = check_call(w, own, &e, out, err);
    }
    st = walk_end(&walk, st, err);
    if (st != OK || out->found)
        return st;
    return check_maker(w, receiver, out, err);
}

enum status find_given_element(struct why *w, uint32_t array, struct given *out, struct error *err)
{
    static const unsigned types[] = { EVENT_ARRAY_STORE };
    struct walk walk;
    struct hs_event e, index, value;
    enum status st = OK;
    *out = (struct given){ 0 };
    if (array == 0 || !search_goes_on(w, true))
        return OK;
    const struct hs_method *m = hs_method_get(w->trace, w->site->method_id);
    const bool instance = m != NULL && (m->access & ACC_STATIC) == 0; /* 0 is the receiver then */
    const int64_t wanted =
        w->site->event == EVENT_METHOD_PARAM ? attribute_number(w->site, "index", -1) - instance : -1;
    bool exact = false; /* the element of the parameter's number */
    walk_open_types(&walk, w->trace, types, 1, array, w->now.seq);
    walk_seek(&walk, w->now.seq);
    for (size_t n = 0; !exact && walk_previous(&walk, &e) && calls_left(w, n); n++) {
        bool equal = false;
        st = event_beside(w->trace, &e, 1, &index, err);
        if (st == OK)
            st = event_beside(w->trace, &e, 2, &value, err);
        if (st == OK)
            st = is_equal_value(w, &value, &equal, err);
        if (equal) {
            exact = wanted < 0 || (int64_t)index.value == wanted;
            if (exact || !out->found)
                *out = (struct given){ .found = true, .event = value };
        }
        if (st != OK && st != ERR_NOT_FOUND)
            break;
        st = OK;
    }
    return walk_end(&walk, st, err);
}

enum status find_given_field(struct why *w, uint32_t object, struct given *out, struct error *err)
{
    static const unsigned types[] = { EVENT_PUT_INSTANCE_FIELD };
    struct walk walk;
    struct hs_event e, value;
    enum status st = OK;
    *out = (struct given){ 0 };
    if (object == 0 || !search_goes_on(w, true))
        return OK;
    walk_open_types(&walk, w->trace, types, 1, object, w->now.seq);
    walk_seek(&walk, w->now.seq);
    for (size_t n = 0; st == OK && !out->found && walk_previous(&walk, &e) && calls_left(w, n); n++) {
        st = event_beside(w->trace, &e, 1, &value, err);
        if (st == OK)
            st = is_equal_value(w, &value, &out->found, err);
        out->event = value;
        st = st == ERR_NOT_FOUND ? OK : st;
    }
    return walk_end(&walk, st, err);
}

/* ---- the same object ---- */

/* Is the call about the family: its object, its result, or another of its arguments? */
static bool is_about(const struct outside_call *c, const struct family *f, uint64_t value)
{
    if (family_has(f, outside_call_object(c)) || (c->returned && family_has(f, object_of(&c->result))))
        return true;
    for (size_t i = 0; i < c->argument_count; i++)
        if (c->arguments[i].value != value && family_has(f, object_of(&c->arguments[i])))
            return true;
    return false;
}

/* An argument of a call to code that is not woven. */
static enum status given_as_argument(struct why *w, struct known_calls *known, const struct hs_event *e,
                                     const struct family *f, struct given *out, struct error *err)
{
    bool outside;
    struct outside_call call;
    enum status st = outside_call_at(w->trace, e, &call, err);
    if (st != OK)
        return st == ERR_NOT_FOUND ? OK : st;
    if ((f != NULL && !is_about(&call, f, e->value)) || only_looks(w->trace, &call))
        return OK;
    st = is_handover(w->trace, known, e, &outside, err);
    *out = (struct given){ .found = outside, .event = *e, .call = call, .through_call = true };
    return st;
}

/* The result of a method that code which is not woven has called: of a callback. */
static enum status given_as_result(struct why *w, struct known_calls *known, const struct hs_event *e,
                                   const struct family *f, struct given *out, struct error *err)
{
    struct hs_event entry, next;
    bool outside;
    enum status st = is_handover(w->trace, known, e, &outside, err);
    if (st == OK && !outside)
        st = event_beside(w->trace, e, 1, &next, err); /* the last event of its thread is one, too */
    if (st != ERR_NOT_FOUND && (st != OK || !outside))
        return st;
    *out = (struct given){ .event = *e };
    st = outside_call_around(w->trace, e, &out->call, &entry, err);
    if (st != OK && st != ERR_NOT_FOUND)
        return st;
    out->through_call = st == OK;
    out->found = f == NULL || family_has(f, object_of(&entry)) || (st == OK && is_about(&out->call, f, e->value));
    return OK;
}

/* Captured by a lambda. */
static enum status given_to_lambda(struct why *w, const struct hs_event *e, const struct family *f, struct given *out,
                                   struct error *err)
{
    struct hs_event result;
    *out = (struct given){ .event = *e };
    enum status st = dynamic_result(w->trace, e, &result, err);
    out->found = st == OK && f != NULL && family_has(f, object_of(&result));
    return st == ERR_NOT_FOUND ? OK : st;
}

/* Stored into an array, which was given to code that is not woven. */
static enum status given_in_array(struct why *w, const struct hs_event *e, const struct family *f, struct given *out,
                                  struct error *err)
{
    struct hs_event array;
    enum status st = event_beside(w->trace, e, -2, &array, err);
    if (st != OK)
        return st == ERR_NOT_FOUND ? OK : st;
    *out = (struct given){ .found = f != NULL && family_has(f, object_of(&array)), .event = *e };
    return OK;
}

bool asks_by_key(struct why *w, const struct outside_call *c)
{
    const struct contents_class *class = contents_class_of(w->trace, outside_call_object(c));
    return class != NULL && (class->shapes & SHAPE_MAP) != 0 && c->argument_count > 0;
}

/* Was the object given under the key, or index, that the call has got it by? put(k, v), get(k). Calls without a key are
 * all alike, add(v), next(), but on a map: whose key it was given under then is not known, collect(groupingBy(...)). */
static enum status has_same_key(struct why *w, const struct outside_call *own, const struct given *g, bool *out,
                                struct error *err)
{
    *out = own == NULL || own->argument_count == 0 || (g->call.argument_count < 2 && !asks_by_key(w, own));
    for (size_t i = 0; !*out && i < g->call.argument_count; i++) {
        const struct hs_event *a = &g->call.arguments[i];
        enum status st = OK;
        if (a->position != g->event.position)
            st = is_equal(w, &own->arguments[0], a, out, err);
        if (st != OK)
            return st;
    }
    return OK;
}

/* May the call have changed what `own` has got? merge(k, v, f), get(k): under an equal key, or one that cannot be
 * compared, since only strings and boxes can. */
static enum status may_be_key(struct why *w, const struct outside_call *own, const struct outside_call *call, bool *out,
                              struct error *err)
{
    const struct hs_event *a = &own->arguments[0];
    *out = false;
    if (own->argument_count == 0 || call->argument_count < 2 || object_of(&call->call) != object_of(&own->call))
        return OK;
    *out = object_of(a) != 0 && !is_value_object(w->trace, object_of(a));
    return *out ? OK : is_equal(w, a, &call->arguments[0], out, err);
}

enum status find_returned(struct why *w, const struct outside_call *own, struct given *out, struct error *err)
{
    static const unsigned types[] = { EVENT_CALL_RETURN };
    struct walk walk;
    struct hs_event e;
    enum status st = OK;
    *out = (struct given){ 0 };
    if (!search_goes_on(w, true))
        return OK;
    walk_open_types(&walk, w->trace, types, 1, object_of(&w->now), w->now.seq);
    walk_seek(&walk, w->now.seq);
    for (size_t n = 0; !out->found && walk_previous(&walk, &e) && calls_left(w, n); n++) {
        st = e.seq < w->now.seq ? outside_call_of(w->trace, &e, &out->call, err) : ERR_NOT_FOUND;
        if (st == OK)
            st = may_be_key(w, own, &out->call, &out->found, err);
        if (st != OK && st != ERR_NOT_FOUND)
            break;
        st = OK;
        out->event = e;
    }
    return walk_end(&walk, st, err);
}

/* Was the object given to the same collection before `g`, at which the walk stands? */
static enum status find_before(struct why *w, struct handed_walk *walk, struct known_calls *known,
                               const struct family *f, const struct outside_call *own, struct given *g,
                               struct error *err)
{
    enum { EVENTS_BEFORE = 64 };
    struct hs_event e;
    enum status st = OK;
    if (!g->through_call || outside_call_object(&g->call) == 0 ||
        (own != NULL && own->argument_count > 0 && asks_by_key(w, &g->call)))
        return OK;
    for (size_t n = 0; st == OK && !g->twice && n < EVENTS_BEFORE; n++) {
        struct given seen = { 0 };
        st = handed_walk_previous(walk, &e, err);
        if (st == OK && event_type(w->trace, e.dataid) == EVENT_CALL_PARAM)
            st = given_as_argument(w, known, &e, f, &seen, err);
        if (st != OK)
            break;
        g->twice = seen.found && outside_call_object(&seen.call) == outside_call_object(&g->call) &&
                   seen.call.call.position != g->call.call.position;
        g->before = e;
    }
    return st == ERR_NOT_FOUND ? OK : st;
}

static enum status check_given(struct why *w, struct known_calls *known, const struct hs_event *e,
                               const struct family *f, struct given *out, struct error *err)
{
    switch (event_type(w->trace, e->dataid)) {
    case EVENT_CALL_PARAM: return given_as_argument(w, known, e, f, out, err);
    case EVENT_METHOD_NORMAL_EXIT: return given_as_result(w, known, e, f, out, err);
    case EVENT_INVOKE_DYNAMIC_PARAM: return given_to_lambda(w, e, f, out, err);
    default: return given_in_array(w, e, f, out, err);
    }
}

enum status find_given_object(struct why *w, uint32_t object, const struct family *f, const struct outside_call *own,
                              bool same_key_only, struct given *out, struct error *err)
{
    enum { EVENTS_SEEN = 1000 };
    struct handed_walk walk;
    struct hs_event e;
    struct known_calls known = { 0 };
    uint64_t last = w->now.seq;
    *out = (struct given){ 0 };
    if (!search_goes_on(w, true))
        return OK;
    enum status st = handed_walk_open(&walk, w->trace, object, w->now.seq, err);
    bool same_key = false;
    for (size_t n = 0; st == OK && !same_key; n++) {
        struct given seen = { 0 };
        st = handed_walk_previous(&walk, &e, err);
        if (st != OK || !search_goes_on(w, last - e.seq > FAR_EVENTS))
            break;
        if (n == EVENTS_SEEN) {
            w->search.met = true;
            break;
        }
        last = e.seq;
        st = check_given(w, &known, &e, f, &seen, err);
        if (st != OK || !seen.found)
            continue;
        same_key = true;
        if (seen.through_call)
            st = has_same_key(w, own, &seen, &same_key, err);
        if (st == OK && (same_key || (!out->found && !same_key_only)))
            *out = seen;
    }
    if (st == ERR_NOT_FOUND)
        st = OK;
    if (st == OK && out->found)
        st = handed_walk_seek(&walk, out->event.seq, err);
    if (st == OK && out->found)
        st = find_before(w, &walk, &known, f, own, out, err);
    return handed_walk_close(&walk, st, err);
}
