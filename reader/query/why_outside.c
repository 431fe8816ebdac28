/* why_outside.c - a value that came from code that is not woven, which leaves no events of its own.
 *
 *     result of a call     of an object: the last time that the same object was given to what the call was about
 *     parameter            likewise, of the call that called the method
 *     field or element     likewise, of the calls that its object was handed to
 *
 * A number, string or box has no identity that counts: then an equal value that was given is probable. What is neither
 * was computed, from what the code was given: that is offered. */
#include "reader/query/creation.h"
#include "reader/query/handover.h"
#include "reader/query/why_search.h"

#include <stdio.h>
#include <string.h>

enum { GIVEN_MAX = 8, PIECES_MAX = 64, HANDOVERS_MAX = 8 };

/* What is said when there may be more to find. */
static const char *bound(const struct why *w) { return w->search.met ? "; the search for it met its bound" : ""; }

/* "java.util.Map.put" for messages */
static void call_words(const struct outside_call *c, char out[200])
{
    (void)snprintf(out, 200, "%.140s.%.50s", outside_call_owner(c), outside_call_name(c));
}

/* ---- the same value, given before ---- */

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
    struct hs_event before = g->before;
    return g->twice ? why_offer(w, &before, by, err, "the same object, given before") : OK;
}

/* The argument of the call itself that is the value, or equals it. ERR_NOT_FOUND: none. */
static enum status from_own_argument(struct why *w, const struct outside_call *c, const char *how, bool equal,
                                     struct error *err)
{
    for (size_t i = 0; i < c->argument_count; i++) {
        struct hs_event e = c->arguments[i];
        bool same = is_same_value(w, &e) && w->now.kind == HS_KIND_REF && w->now.value != 0;
        enum status st = equal && !same ? is_equal_value(w, &e, &same, err) : OK;
        if (st != OK)
            return st;
        if (!same)
            continue;
        bool identical = w->now.kind == HS_KIND_REF && is_same_value(w, &e);
        st = why_number(w, &e, err);
        if (st != OK)
            return st;
        st = why_goes_on(w, &e, "%s; %s its own argument at seq %llu", how, identical ? "it is" : "it equals",
                         (unsigned long long)e.seq);
        why_prefer(w, &e, identical ? HS_BY_IDENTITY : HS_BY_EQUAL);
        return st;
    }
    return ERR_NOT_FOUND;
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

/* The last time that the object was given to the family. ERR_NOT_FOUND: it was not seen. */
static enum status from_given_object(struct why *w, const struct outside_call *own, struct family *f, const char *how,
                                     struct error *err)
{
    struct given g;
    struct hs_event first;
    uint32_t object = object_of(&w->now);
    enum status st = first_event_of(w, object, &first, err);
    if (st == OK)
        st = family_explore(w, f, err);
    if (st != OK)
        return st;
    st = find_given_object(w, object, f, own, &g, err);
    if (st != OK)
        return st;
    if (!g.found) { /* into another collection, all of which was given to this one? */
        size_t before = f->count;
        st = family_add_given(w, f, err);
        if (st == OK && f->count > before)
            st = family_explore(w, f, err);
        if (st == OK && f->count > before)
            st = find_given_object(w, object, f, own, &g, err);
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
    return g.found ? from_given(w, &g, HS_BY_IDENTITY, how, err) : ERR_NOT_FOUND;
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
                     (unsigned long long)first.seq, bound(w));
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
                     (unsigned long long)g.event.seq, gap != NULL ? "; " : "", gap != NULL ? gap : "", bound(w));
    why_prefer(w, &g.event, HS_BY_EQUAL);
    return st;
}

/* ---- computed from what was given ---- */

static bool is_reference(const struct why *w) { return w->now.kind == HS_KIND_REF; }
static bool is_string(struct why *w, uint32_t object)
{
    const struct hs_object *o = hs_object_get(w->trace, object);
    return o != NULL && o->has_string;
}

static enum status offer_receiver(struct why *w, const struct outside_call *c, struct error *err)
{
    struct hs_event receiver = c->call;
    if (object_of(&receiver) == 0)
        return OK;
    return why_offer(w, &receiver, HS_BY_COMPUTED, err, "receiver of %s.%s", outside_call_owner(c),
                     outside_call_name(c));
}

static enum status offer_arguments(struct why *w, const struct outside_call *c, bool values, struct error *err)
{
    for (size_t i = 0; i < c->argument_count; i++) {
        struct hs_event e = c->arguments[i];
        uint32_t object = object_of(&e);
        bool is_value = e.kind != HS_KIND_REF || (object != 0 && is_value_object(w->trace, object));
        if (is_value != values)
            continue;
        enum status st = why_offer(w, &e, HS_BY_COMPUTED, err, "argument %zu of %s.%s", i + 1, outside_call_owner(c),
                                   outside_call_name(c));
        if (st != OK)
            return st;
    }
    return OK;
}

/* What the call computed with: of a string or box itself and its arguments, of anything else what it was given. A
 * string is made of parts, in their order; other values rather of what came last. */
static enum status offer_call(struct why *w, const struct outside_call *c, bool made_here, struct error *err)
{
    uint32_t receiver = object_of(&c->call);
    bool made_of_value = receiver != 0 && is_value_object(w->trace, receiver);
    enum status st = made_of_value ? offer_receiver(w, c, err) : OK;
    if (st == OK)
        st = offer_arguments(w, c, true, err);
    bool pieces = is_reference(w) && is_string(w, object_of(&w->now));
    if (st == OK && receiver != 0 && !made_of_value && !made_here)
        st = offer_given(w, receiver, pieces ? PIECES_MAX : GIVEN_MAX, pieces, err);
    if (st == OK)
        st = offer_arguments(w, c, false, err);
    if (st == OK && !made_of_value)
        st = offer_receiver(w, c, err);
    return st;
}

/* What is said of calls that were not offered. */
static const char *more_text(const struct why *w, char out[120])
{
    out[0] = '\0';
    if (w->more > 0)
        (void)snprintf(out, 120, "; %llu%s earlier call%s on it, before seq %llu, %s not listed",
                       (unsigned long long)w->more, w->more == GIVEN_MORE_MAX ? " or more" : "",
                       w->more == 1 ? "" : "s", (unsigned long long)w->more_before, w->more == 1 ? "is" : "are");
    return out;
}

/* The chain goes on at the first thing offered, of a value that is computed; an object made there is an origin, and of
 * null, true and false everything and nothing is the cause. */
static enum status computed(struct why *w, const struct outside_call *c, const char *end, const char *how,
                            struct error *err)
{
    char more[120];
    uint32_t object = object_of(&w->now);
    bool follow = is_reference(w) ? object != 0 && is_value_object(w->trace, object) : w->now.kind != HS_KIND_BOOLEAN;
    enum status st = offer_call(w, c, object != 0 && !follow, err);
    if (st != OK)
        return st;
    if (object != 0 && !follow && !w->search.met)
        end = "made by code not woven"; /* it was not seen before */
    if (!follow || w->choice_count == 0)
        return why_ends(w, end, "%s%s%s", how, more_text(w, more), bound(w));
    struct hs_event first = w->choices[0].event;
    st = why_goes_on(w, &first, "%s; computed from what it was given, here seq %llu%s%s", how,
                     (unsigned long long)first.seq, more_text(w, more), bound(w));
    why_prefer(w, &first, HS_BY_COMPUTED);
    return st;
}

/* ---- the questions ---- */

/* A number in its box in an array that the call was given. ERR_NOT_FOUND: there is none. */
static enum status from_element(struct why *w, const struct outside_call *c, const char *how, struct error *err)
{
    for (size_t i = 0; w->now.kind != HS_KIND_REF && i < c->argument_count; i++) {
        struct given g;
        enum status st = find_given_element(w, object_of(&c->arguments[i]), &g, err);
        if (st == OK && g.found)
            st = why_number(w, &g.event, err);
        if (st != OK)
            return st;
        if (g.found)
            return from_given(w, &g, HS_BY_EQUAL, how, err);
    }
    return ERR_NOT_FOUND;
}

/* The same object, or an equal value, as far as it was seen. ERR_NOT_FOUND: it was not. */
static enum status from_seen(struct why *w, const struct outside_call *c, struct family *f, const char *how,
                             struct error *err)
{
    uint32_t object = object_of(&w->now);
    struct given g = { 0 };
    enum status st = c != NULL ? from_own_argument(w, c, how, false, err) : ERR_NOT_FOUND;
    if (st == ERR_NOT_FOUND && object != 0)
        st = from_given_object(w, c, f, how, err);
    if (st == ERR_NOT_FOUND && object != 0 && !is_value_object(w->trace, object))
        return from_first_seen(w, how, err);
    if (st != ERR_NOT_FOUND || c == NULL)
        return st;
    st = from_own_argument(w, c, how, true, err);
    if (st == ERR_NOT_FOUND)
        st = from_element(w, c, how, err);
    if (st != ERR_NOT_FOUND)
        return st;
    uint32_t receiver = object_of(&c->call);
    if (receiver == 0 || is_value_object(w->trace, receiver))
        return ERR_NOT_FOUND;
    st = find_given_equal(w, receiver, &g, err);
    if (st != OK)
        return st;
    if (g.found)
        return from_given(w, &g, HS_BY_EQUAL, how, err);
    return object != 0 ? from_returned(w, c, how, err) : ERR_NOT_FOUND;
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
        return computed(w, c, native ? "native" : "code not woven", how, err);
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
    return c != NULL ? computed(w, c, end, how, err) : why_ends(w, end, "%s%s", how, bound(w));
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
            st = from_own_argument(w, &call, how, true, err);
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
        return computed(w, &maker, "code not woven", handed, err);
    }
    if (st != ERR_NOT_FOUND)
        return st;
    if (!any)
        return why_ends(w, "code not woven", "%s%s", how, bound(w));
    struct hs_event e = last.call;
    st = why_number(w, &e, err);
    if (st != OK)
        return st;
    call_words(&last, call);
    (void)snprintf(handed, sizeof handed, "%s, and at seq %llu it was handed to %.120s", how, (unsigned long long)e.seq,
                   call);
    return computed(w, &last, "code not woven", handed, err);
}
