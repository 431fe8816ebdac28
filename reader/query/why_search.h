/* why_search.h - searches for why through code that is not woven: by identity of objects and equality of values.
 *
 *     list.add(x)                  x is given to list
 *     it = list.iterator()         it came from list: `it` and `list` are one family
 *     y = it.next()                y is x: it was last given to the family by list.add
 *
 * Every search is bounded by struct why_search; one that meets the bound finds nothing more and says so. */
#ifndef READER_WHY_SEARCH_H
#define READER_WHY_SEARCH_H

#include "reader/query/outside_call.h"
#include "reader/query/why.h"

/* The objects that a value can have passed through. Strings and boxes are none: they are values themselves. */
enum { FAMILY_MAX = 24 };
struct family {
    uint32_t ids[FAMILY_MAX];
    size_t count;
    size_t explored; /* where the first `explored` ones came from is known */
};

/* ---- why_types.c ---- */

bool is_box_type(const char *type); /* java.lang.Integer ... */
/* Is the object a string or a box, so that only its value matters? */
bool is_value_object(hs_trace *t, uint32_t object);
/* A string, a box, or another object of the JDK that is made of a value and never changes (BigDecimal, LocalDate). */
bool is_immutable(hs_trace *t, uint32_t object);
bool is_immutable_type(const char *type);
bool is_array(hs_trace *t, uint32_t object);

/* ---- why_values.c ---- */

/* Does identity say where the object came from? Not of what many have that never met: what valueOf caches, constants
 * and interned strings, enum constants, empty collections. */
enum status has_identity(struct why *w, uint32_t object, bool *out, struct error *err);
/* Is the value of the event that of w->now, or one that is equal to it: a string with the same text, a box with the
 * same number, or the number itself? */
bool is_same_value(const struct why *w, const struct hs_event *e);
enum status is_equal_value(struct why *w, const struct hs_event *e, bool *out, struct error *err);
enum status is_equal(struct why *w, const struct hs_event *a, const struct hs_event *b, bool *out, struct error *err);

/* ---- why_family.c ---- */

void family_add(struct why *w, struct family *f, uint32_t object);
void family_add_call(struct why *w, struct family *f, const struct outside_call *c);
/* Adds what the members came from: receiver and arguments of the calls that made them. */
enum status family_explore(struct why *w, struct family *f, struct error *err);
/* Adds what was given to members by calls on them before w->now: other collections (addAll). */
enum status family_add_given(struct why *w, struct family *f, struct error *err);
bool family_has(const struct family *f, uint32_t object);

/* May the search look at one more event, `far` in another part of the trace than the last one? */
bool search_goes_on(struct why *w, bool far);

/* A moment at which a value was given to code that is not woven. */
struct given {
    bool found;
    struct hs_event event; /* has the value; with its seq */
    bool through_call;
    struct outside_call call; /* that it was given to, or returned in */
    bool entry;               /* it is known that this is what was read; else it is the last time */
    bool twice;               /* through_call: the same object was given it before, too, ... */
    struct hs_event before;   /* ... then */
};
/* Can an argument of this call be what it keeps or returns? A number given to a call that returns something else is
 * rather an index or a size: list.get(3), text.charAt(3). */
bool can_keep(const struct outside_call *c, const struct hs_event *argument);
/* Is it known of the method that the collection does not keep what it is given: contains, indexOf, remove, get? */
bool only_looks(hs_trace *t, const struct outside_call *c);
/* Does the call hand out what its receiver holds: get, next, poll? Others compute. */
bool hands_out(const struct outside_call *c);
/* Is it a call on a map with a key: get, merge, remove? */
bool asks_by_key(struct why *w, const struct outside_call *c);
/* The last time before w->now that the object was given to the family (NULL: to any code that is not woven); rather, or
 * only, under the same key or index as that by which `own` (NULL: not known), the call that w->now is the result of,
 * has got it. */
enum status find_given_object(struct why *w, uint32_t object, const struct family *f, const struct outside_call *own,
                              bool same_key_only, struct given *out, struct error *err);
/* why_entries.c: of an object that was given to one collection twice, when the entry was that `own` has read. Not
 * found: the contents of the collection do not show it. */
enum status find_given_entry(struct why *w, const struct outside_call *own, const struct given *last, struct given *out,
                             struct error *err);
/* The call that made the object and keeps its arguments: a constructor, IntStream.of(5), not list.subList(3, 5).
 * ERR_NOT_FOUND: none is known. */
enum status maker_of(struct why *w, uint32_t object, struct outside_call *made, struct error *err);
/* The last call on this object before w->now with an argument that equals w->now's value, under the key of `own` if it
 * is not NULL; else the call that made the object of it. */
enum status find_given_equal(struct why *w, uint32_t receiver, const struct outside_call *own, struct given *out,
                             struct error *err);
/* The last element of that value that was stored into the array before w->now, of a parameter rather that of its
 * number: of the arguments of Method.invoke. */
enum status find_given_element(struct why *w, uint32_t array, struct given *out, struct error *err);
/* The last write of that value to a field of the object before w->now: of what code that is not woven has read. */
enum status find_given_field(struct why *w, uint32_t object, struct given *out, struct error *err);
/* The last time that the string or box of w->now was the result of a call on the same object that may have put it
 * there: merge(k, v, f) before get(k), which is `own`. The event is that result. */
enum status find_returned(struct why *w, const struct outside_call *own, struct given *out, struct error *err);
/* The first event that shows the object, before w->now. ERR_NOT_FOUND: there is none (`err` left alone). */
enum status first_event_of(struct why *w, uint32_t object, struct hs_event *out, struct error *err);
/* The same if it is the result of a call to code that is not woven, with that call; else ERR_NOT_FOUND. */
enum status first_result_of(struct why *w, uint32_t object, struct hs_event *out, struct outside_call *call,
                            struct error *err);

/* What is said when there may be more to find. */
static inline const char *why_bound(const struct why *w)
{
    return w->search.met ? "; the search for it met its bound" : "";
}

/* ---- why_computed.c ---- */

enum { GIVEN_MORE_MAX = 9999 };

/* Ends of woven methods that returned something to code that is not woven before w->now, or, of a parameter, before its
 * method was entered, in the call around: newest first. */
enum status find_callbacks(struct why *w, struct hs_event *out, size_t max, size_t *count, struct error *err);
/* Offers the receiver of the call; its arguments. */
enum status offer_receiver(struct why *w, const struct outside_call *c, struct error *err);
enum status offer_arguments(struct why *w, const struct outside_call *c, struct error *err);
/* Offers what the call computed with: values, constants, then objects that only held them; `made_here`: its result is
 * an object that it has made. */
enum status offer_call(struct why *w, const struct outside_call *c, bool made_here, struct error *err);
/* The chain goes on at the first thing offered, of a value that is computed; an object made there is an origin, and of
 * null, true and false everything and nothing is the cause. */
enum status why_computed(struct why *w, const struct outside_call *c, const char *end, const char *how,
                         struct error *err);

#endif
