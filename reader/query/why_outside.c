/* why_outside.c - a value that came from code that is not woven, which leaves no events of its own.
 *
 *     result of a call     of an object: the last time that the same object was given to what the call was about
 *     parameter            the last time that it was given to the call that called the method
 *     field or element     the last time that it was given to a call that its object was handed to
 *
 * A number, string or box has no identity that counts: then an equal value that was given is probable. What is neither
 * was computed, from what the code was given: that is offered. */
#include "reader/query/creation.h"
#include "reader/query/handover.h"
#include "reader/query/why_search.h"

#include <stdio.h>
#include <string.h>

enum { HANDOVERS_MAX = 8, CALLBACKS_MAX = 8 };

/* "java.util.Map.put" for messages */
static void call_words(const struct outside_call *c, char out[200])
{
    (void)snprintf(out, 200, "%.140s.%.50s", outside_call_owner(c), outside_call_name(c));
}

static bool is_null(const struct hs_event *e) { return e->kind == HS_KIND_REF && e->value == 0; }

/* Does it read fields of its arguments: Field.getInt, VarHandle.get? */
static bool is_field_reader(const struct outside_call *c)
{
    const char *owner = outside_call_owner(c);
    return strncmp(owner, "java.lang.reflect.", 18) == 0 || strncmp(owner, "java.lang.invoke.", 17) == 0 ||
           strncmp(owner, "java.util.concurrent.atomic.", 28) == 0 || strstr(owner, "Unsafe") != NULL;
}

/* ---- the same value, given before ---- */

/* Was it given to the very call that returned it, as the default of Map.getOrDefault? */
static bool is_own_argument(const struct why *w, const struct given *g)
{
    return g->through_call && g->call.returned && g->call.result.thread == w->now.thread &&
           g->call.result.position == w->now.position;
}

/* The key of a call that asks by one and gave an argument of its own: it found no other value. */
static enum status offer_key(struct why *w, const struct outside_call *c, const struct hs_event *argument,
                             struct error *err)
{
    char call[200];
    if (!asks_by_key(w, c) || c->arguments[0].position == argument->position)
        return OK;
    struct hs_event key = c->arguments[0];
    call_words(c, call);
    return why_offer(w, &key, HS_BY_COMPUTED, err, "the key of %s, which gave its default", call);
}

/* The chain goes on where the value was given; `how` says how it came back. */
static enum status from_given(struct why *w, const struct given *g, enum hs_cause_by by, const char *how,
                              struct error *err)
{
    char call[200], where[300];
    const char *same = by == HS_BY_EQUAL ? "an equal value was" : "it was";
    struct hs_event at = g->event;
    unsigned long long seq = at.seq;
    if (event_type(w->trace, at.dataid) == EVENT_METHOD_NORMAL_EXIT) {
        (void)snprintf(where, sizeof where, "last returned to code that is not woven at seq %llu", seq);
    } else if (is_own_argument(w, g)) {
        (void)snprintf(where, sizeof where, "its own argument at seq %llu", seq);
        same = by == HS_BY_EQUAL ? "equal to" : "it is";
    } else if (g->through_call && g->twice) {
        call_words(&g->call, call);
        (void)snprintf(where, sizeof where, "last given to %s at seq %llu, and before that at seq %llu", call, seq,
                       (unsigned long long)g->before.seq);
    } else if (g->through_call) {
        call_words(&g->call, call);
        (void)snprintf(where, sizeof where, "%sgiven to %s at seq %llu", g->entry ? "" : "last ", call, seq);
    } else if (event_type(w->trace, at.dataid) == EVENT_INVOKE_DYNAMIC_PARAM) {
        (void)snprintf(where, sizeof where, "captured by a lambda at seq %llu", seq);
    } else {
        (void)snprintf(where, sizeof where, "stored in an array at seq %llu", seq);
    }
    const char *gap = why_gap(w, &at);
    enum status st =
        why_goes_on(w, &at, "%s; %s %s%s%s", how, same, where, gap != NULL ? "; " : "", gap != NULL ? gap : "");
    if (st != OK)
        return st;
    why_prefer(w, &at, by);
    if (is_own_argument(w, g) && (st = offer_key(w, &g->call, &g->event, err)) != OK)
        return st;
    struct hs_event before = g->before;
    return g->twice ? why_offer(w, &before, by, err, "the same object, given before") : OK;
}

/* The argument of the call itself that is the same object, or that equals the value. ERR_NOT_FOUND: none. */
static enum status from_own_argument(struct why *w, const struct outside_call *c, const char *how, enum hs_cause_by by,
                                     struct error *err)
{
    for (size_t i = 0; i < c->argument_count; i++) {
        struct hs_event e = c->arguments[i];
        bool same = is_same_value(w, &e) && w->now.kind == HS_KIND_REF && w->now.value != 0;
        if (!same && by == HS_BY_EQUAL && !is_null(&e) && can_keep(c, &e)) {
            enum status st = is_equal_value(w, &e, &same, err);
            if (st != OK)
                return st;
        }
        if (!same)
            continue;
        enum status st = why_number(w, &e, err);
        if (st != OK)
            return st;
        st = why_goes_on(w, &e,
                         by == HS_BY_IDENTITY ? "%s; it is its own argument at seq %llu"
                                              : "%s; computed from what it was given: seq %llu has an equal value",
                         how, (unsigned long long)e.seq);
        why_prefer(w, &e, by);
        return st == OK ? offer_key(w, c, &c->arguments[i], err) : st;
    }
    return ERR_NOT_FOUND;
}

/* The string or box that the call was on, if it equals the value: text.intern(). ERR_NOT_FOUND: it does not. */
static enum status from_receiver(struct why *w, const struct outside_call *c, const char *how, struct error *err)
{
    struct hs_event e = c->call;
    bool equal = false;
    enum status st = object_of(&e) != 0 && is_value_object(w->trace, object_of(&e)) ? is_equal_value(w, &e, &equal, err)
                                                                                    : ERR_NOT_FOUND;
    if (st == OK)
        st = equal ? why_number(w, &e, err) : ERR_NOT_FOUND;
    if (st != OK)
        return st;
    st = why_goes_on(w, &e, "%s; it equals the receiver of the call", how);
    why_prefer(w, &e, HS_BY_EQUAL);
    return st;
}

/* Boxing and unboxing (JLS 5.1.7, 5.1.8): the same value in another form. ERR_NOT_FOUND: the call is neither. */
static enum status from_box(struct why *w, const struct outside_call *c, const char *how, struct error *err)
{
    const char *name = outside_call_name(c), *owner = outside_call_owner(c);
    struct hs_event e = c->call;
    bool boxes = strcmp(name, "valueOf") == 0 && c->argument_count == 1 && c->arguments[0].kind != HS_KIND_REF;
    size_t size = strlen(name);
    bool unboxes = size > 5 && strcmp(name + size - 5, "Value") == 0 && c->argument_count == 0 && object_of(&e) != 0;
    if ((!boxes && !unboxes) || !is_box_type(owner))
        return ERR_NOT_FOUND;
    if (boxes)
        e = c->arguments[0];
    enum status st = why_number(w, &e, err);
    if (st != OK)
        return st;
    st = why_goes_on(w, &e, "%s; %s of seq %llu", how, boxes ? "the box" : "the value", (unsigned long long)e.seq);
    why_prefer(w, &e, HS_BY_EQUAL);
    return st;
}

/* The last time that the object was given to the family (NULL: to any code that is not woven); of one that has no
 * identity, under the same key. ERR_NOT_FOUND: it was not seen. */
static enum status from_given_object(struct why *w, const struct outside_call *own, struct family *f, bool identity,
                                     const char *how, struct error *err)
{
    struct given g;
    struct hs_event first;
    uint32_t object = object_of(&w->now);
    enum status st = first_event_of(w, object, &first, err);
    if (st == OK && f != NULL)
        st = family_explore(w, f, err);
    if (st != OK)
        return st;
    st = find_given_object(w, object, f, own, !identity, &g, err);
    if (st != OK)
        return st;
    if (!g.found && f != NULL) { /* into another collection, all of which was given to this one? */
        size_t before = f->count;
        st = family_add_given(w, f, err);
        if (st == OK && f->count > before)
            st = family_explore(w, f, err);
        if (st == OK && f->count > before)
            st = find_given_object(w, object, f, own, !identity, &g, err);
        if (st != OK)
            return st;
    }
    if (g.found && g.twice && own != NULL) {
        struct given entry;
        st = find_given_entry(w, own, &g, &entry, err);
        if (st != OK)
            return st;
        g = entry.found ? entry : g;
    }
    const bool same = identity || (own != NULL && hands_out(own));
    return g.found ? from_given(w, &g, same ? HS_BY_IDENTITY : HS_BY_EQUAL, how, err) : ERR_NOT_FOUND;
}

/* Where the object was made, else first seen, before w->now. ERR_NOT_FOUND: it was not. */
static enum status from_first_seen(struct why *w, const char *how, struct error *err)
{
    struct hs_event first;
    enum status st = creation_of(w->trace, object_of(&w->now), &first, err);
    bool made = st == OK && first.seq < w->now.seq;
    if (!made && (st == OK || st == ERR_NOT_FOUND))
        st = first_event_of(w, object_of(&w->now), &first, err);
    if (st != OK)
        return st;
    st = why_goes_on(w, &first, "%s; the same object was %s at seq %llu%s", how, made ? "made" : "first seen",
                     (unsigned long long)first.seq, why_bound(w));
    why_prefer(w, &first, HS_BY_IDENTITY);
    return st;
}

/* Where the object was the result of an earlier call, which computed it. ERR_NOT_FOUND: it was not seen. */
static enum status from_returned(struct why *w, const struct outside_call *own, const char *how, struct error *err)
{
    char call[200];
    struct given g;
    enum status st = find_returned(w, own, &g, err);
    if (st != OK || !g.found)
        return st != OK ? st : ERR_NOT_FOUND;
    call_words(&g.call, call);
    const char *gap = why_gap(w, &g.event);
    st = why_goes_on(w, &g.event, "%s; the same object was returned by %s at seq %llu%s%s%s", how, call,
                     (unsigned long long)g.event.seq, gap != NULL ? "; " : "", gap != NULL ? gap : "", why_bound(w));
    why_prefer(w, &g.event, HS_BY_EQUAL);
    return st;
}

/* ---- the questions ---- */

/* An equal value that `find` finds for one of the arguments of the call: in an array, or a field. ERR_NOT_FOUND. */
static enum status from_inside(struct why *w, const struct outside_call *c,
                               enum status (*find)(struct why *, uint32_t, struct given *, struct error *),
                               const char *how, struct error *err)
{
    for (size_t i = 0; i < c->argument_count; i++) {
        struct given g;
        enum status st = find(w, object_of(&c->arguments[i]), &g, err);
        if (st == OK && g.found)
            st = why_number(w, &g.event, err);
        if (st != OK)
            return st;
        if (g.found)
            return from_given(w, &g, HS_BY_EQUAL, how, err);
    }
    return ERR_NOT_FOUND;
}

/* What woven code that the call called has returned to it last: the same object, or an equal value. ERR_NOT_FOUND. */
static enum status from_callback(struct why *w, const char *how, enum hs_cause_by by, struct error *err)
{
    struct hs_event exits[CALLBACKS_MAX];
    size_t count;
    enum status st = find_callbacks(w, exits, CALLBACKS_MAX, &count, err);
    w->search.met |= st == OK && count == CALLBACKS_MAX;
    for (size_t i = 0; st == OK && i < count; i++) {
        struct given g = { .found = true, .event = exits[i] };
        bool same = is_same_value(w, &exits[i]);
        if (!same && by == HS_BY_EQUAL)
            st = is_equal_value(w, &exits[i], &same, err);
        if (st == OK && same)
            st = why_number(w, &g.event, err);
        if (st == OK && same)
            return from_given(w, &g, by, how, err);
    }
    return st == OK ? ERR_NOT_FOUND : st;
}

/* An equal value that was given to an object that the value can have passed through. ERR_NOT_FOUND. */
static enum status from_family(struct why *w, const struct outside_call *c, struct family *f, const char *how,
                               struct error *err)
{
    const struct outside_call *keyed = hands_out(c) || asks_by_key(w, c) ? c : NULL;
    enum status st = family_explore(w, f, err);
    for (size_t i = 0; st == OK && i < f->count; i++) {
        struct given g;
        st = is_array(w->trace, f->ids[i]) ? find_given_element(w, f->ids[i], &g, err)
                                           : find_given_equal(w, f->ids[i], keyed, &g, err);
        if (st == OK && g.found)
            st = why_number(w, &g.event, err);
        if (st == OK && g.found)
            return from_given(w, &g, HS_BY_EQUAL, how, err);
    }
    return st == OK ? ERR_NOT_FOUND : st;
}

/* An equal value, the nearest first. ERR_NOT_FOUND: none was seen. */
static enum status from_equal(struct why *w, const struct outside_call *c, struct family *f, const char *how,
                              struct error *err)
{
    const uint32_t object = object_of(&w->now), receiver = object_of(&c->call);
    if (w->now.kind == HS_KIND_REF && object == 0)
        return ERR_NOT_FOUND;
    enum status st = from_callback(w, how, HS_BY_EQUAL, err);
    if (st == ERR_NOT_FOUND)
        st = from_receiver(w, c, how, err);
    if (st == ERR_NOT_FOUND)
        st = from_own_argument(w, c, how, HS_BY_EQUAL, err);
    if (st == ERR_NOT_FOUND)
        st = from_inside(w, c, find_given_element, how, err);
    if (st == ERR_NOT_FOUND && object != 0)
        st = from_given_object(w, c, f, false, how, err);
    if (st == ERR_NOT_FOUND && (receiver == 0 || !is_immutable(w->trace, receiver)))
        st = from_family(w, c, f, how, err);
    if (st == ERR_NOT_FOUND && is_field_reader(c))
        st = from_inside(w, c, find_given_field, how, err);
    return st == ERR_NOT_FOUND && object != 0 ? from_returned(w, c, how, err) : st;
}

/* The same object, or an equal value, as far as it was seen. ERR_NOT_FOUND: it was not. */
static enum status from_seen(struct why *w, const struct outside_call *c, struct family *f, const char *how,
                             struct error *err)
{
    const uint32_t object = object_of(&w->now);
    bool identity = object != 0;
    enum status st = object != 0 ? has_identity(w, object, &identity, err) : OK;
    if (st != OK)
        return st;
    st = c != NULL && identity ? from_callback(w, how, HS_BY_IDENTITY, err) : ERR_NOT_FOUND;
    if (st == ERR_NOT_FOUND && c != NULL && identity)
        st = from_own_argument(w, c, how, HS_BY_IDENTITY, err);
    if (st == ERR_NOT_FOUND && object != 0 && (identity || (f != NULL && (c == NULL || hands_out(c)))))
        st = from_given_object(w, c, f, identity, how, err);
    if (st == ERR_NOT_FOUND && identity)
        st = from_first_seen(w, how, err);
    if (st != ERR_NOT_FOUND || c == NULL)
        return st;
    st = from_equal(w, c, f, how, err);
    /* equal by chance, perhaps: what it would be computed from is shown, too */
    return st == OK && !event_has(w->site->event, USE_PARAMETER) && !hands_out(c) ? offer_call(w, c, false, err) : st;
}

enum status why_from_new(struct why *w, struct error *err)
{
    static const char how[] = "the object was made here", end[] = "new object";
    struct outside_call c;
    enum status st = outside_call_of(w->trace, &w->now, &c, err);
    if (st != OK || has_woven_class(w->trace, outside_call_owner(&c)))
        return st == OK || st == ERR_NOT_FOUND ? why_ends(w, end, how) : st;
    if (is_immutable_type(outside_call_owner(&c)))
        return why_computed(w, &c, end, how, err);
    st = offer_arguments(w, &c, err);
    return st == OK ? why_ends(w, end, how) : st;
}

enum status why_from_result(struct why *w, const struct outside_call *c, bool native, struct error *err)
{
    char call[200], how[300];
    struct family f = { 0 };
    struct hs_event receiver = c->call;
    call_words(c, call);
    (void)snprintf(how, sizeof how, "returned by %s, which is %s", call,
                   native                                ? "native"
                   : outside_call_is_lambda(w->trace, c) ? "a lambda or method reference"
                                                         : "not woven");
    if (object_of(&w->now) != 0 && receiver.kind == HS_KIND_REF && receiver.value == w->now.value) {
        enum status st = why_number(w, &receiver, err); /* as StringBuilder.append does */
        if (st != OK)
            return st;
        st = why_goes_on(w, &receiver, "%s; it is the receiver of the call", how);
        why_prefer(w, &receiver, HS_BY_IDENTITY);
        return st;
    }
    enum status st = from_box(w, c, how, err);
    if (st != ERR_NOT_FOUND)
        return st;
    family_add_call(w, &f, c);
    st = from_seen(w, c, &f, how, err);
    if (st == ERR_NOT_FOUND)
        return why_computed(w, c, native ? "native" : "code not woven", how, err);
    return st == OK ? offer_receiver(w, c, err) : st;
}

enum status why_from_outer_call(struct why *w, const struct outside_call *c, bool given, const char *what,
                                struct error *err)
{
    char call[200], how[300];
    struct family f = { 0 };
    static const char end[] = "parameter of unwoven caller";
    if (c == NULL) {
        (void)snprintf(how, sizeof how, "parameter %.120s of a method that was called by code that is not woven", what);
        enum status st = from_seen(w, NULL, NULL, how, err);
        return st == ERR_NOT_FOUND ? why_ends(w, end, "%s%s", how, why_bound(w)) : st;
    } else {
        call_words(c, call);
        (void)snprintf(how, sizeof how, "parameter %.60s of a %s %.150s, which is %s", what,
                       given ? "lambda that was given to" : "method that was called by", call,
                       outside_call_is_lambda(w->trace, c) ? "a lambda or method reference" : "not woven");
        family_add_call(w, &f, c);
    }
    enum status st = from_seen(w, c, &f, how, err);
    if (st != ERR_NOT_FOUND)
        return st;
    return why_computed(w, c, end, how, err);
}

/* The call, of those that the owner was handed to, that was given the value too (Arrays.fill, Field.set).
 * ERR_NOT_FOUND: none. `*last` is the last of all, if `*any`. */
static enum status from_handovers(struct why *w, uint32_t owner, uint64_t from, const char *how, struct family *f,
                                  struct outside_call *last, bool *any, struct error *err)
{
    struct hs_handover handed;
    uint64_t to = w->now.seq - 1;
    *any = false;
    for (unsigned i = 0; search_goes_on(w, true) && to > from; i++) {
        if (i == HANDOVERS_MAX) {
            w->search.met = true;
            break;
        }
        struct hs_event e;
        struct outside_call call;
        enum status st = handover_last(w->trace, owner, from, to, &handed, err);
        if (st != OK)
            return st;
        if (handed.seq == HS_NO_SEQ)
            break;
        st = event_at(w->trace, handed.seq, &e, err);
        if (st == OK)
            st = outside_call_at(w->trace, &e, &call, err);
        if (st == OK) {
            if (!*any)
                *last = call;
            *any = true;
            family_add_call(w, f, &call);
            st = from_own_argument(w, &call, how, HS_BY_EQUAL, err);
        }
        if (st != ERR_NOT_FOUND)
            return st;
        to = handed.seq > 0 ? handed.seq - 1 : 0;
    }
    return ERR_NOT_FOUND;
}

enum status why_from_handover(struct why *w, uint32_t owner, uint64_t from, const char *how, struct error *err)
{
    struct family f = { 0 };
    struct outside_call last;
    bool any;
    return from_handovers(w, owner, from, how, &f, &last, &any, err);
}

enum status why_from_outside_write(struct why *w, uint32_t owner, uint64_t from, const char *what, const char *say,
                                   struct error *err)
{
    char how[TEXT_MAX / 2], handed[TEXT_MAX], call[200];
    struct family f = { 0 };
    struct outside_call last;
    bool any;
    (void)snprintf(how, sizeof how, "%s, %s", what, say);
    family_add(w, &f, owner);
    enum status st = from_handovers(w, owner, from, how, &f, &last, &any, err);
    if (st == ERR_NOT_FOUND && any && is_array(w->trace, owner) &&
        !is_null(&w->now)) { /* moved inside of it: Arrays.sort */
        struct given g;
        st = find_given_element(w, owner, &g, err);
        if (st == OK && g.found)
            st = why_number(w, &g.event, err);
        if (st == OK)
            st = g.found ? from_given(w, &g, HS_BY_EQUAL, how, err) : ERR_NOT_FOUND;
    }
    if (st == ERR_NOT_FOUND && object_of(&w->now) != 0)
        st = from_seen(w, NULL, &f, how, err);
    if (st != ERR_NOT_FOUND)
        return st;
    struct hs_event made;
    struct outside_call maker;
    st = from == 0 ? first_result_of(w, owner, &made, &maker, err) : ERR_NOT_FOUND; /* rather full from the beginning */
    if (st == OK) {
        call_words(&maker, call);
        (void)snprintf(handed, sizeof handed, "%s; its object was made by %.120s", how, call);
        return why_computed(w, &maker, "code not woven", handed, err);
    }
    if (st != ERR_NOT_FOUND)
        return st;
    if (!any)
        return why_ends(w, "code not woven", "%s%s", how, why_bound(w));
    struct hs_event e = last.call;
    st = why_number(w, &e, err);
    if (st != OK)
        return st;
    call_words(&last, call);
    (void)snprintf(handed, sizeof handed, "%s, and at seq %llu it was handed to %.120s", how, (unsigned long long)e.seq,
                   call);
    return why_computed(w, &last, "code not woven", handed, err);
}
