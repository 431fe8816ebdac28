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

bool is_box_type(const char *type); /* java.lang.Integer ... */
/* Is the object a string or a box, so that only its value matters? */
bool is_value_object(hs_trace *t, uint32_t object);
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
/* The last time before w->now that the object was given to the family; rather under the same key or index as that by
 * which `own` (NULL: not known), the call that w->now is the result of, has got it. */
enum status find_given_object(struct why *w, uint32_t object, const struct family *f, const struct outside_call *own,
                              struct given *out, struct error *err);
/* why_entries.c: of an object that was given to one collection twice, when the entry was that `own` has read. Not
 * found: the contents of the collection do not show it. */
enum status find_given_entry(struct why *w, const struct outside_call *own, const struct given *last, struct given *out,
                             struct error *err);
/* The last call on this object before w->now with an argument that equals w->now's value. */
enum status find_given_equal(struct why *w, uint32_t receiver, struct given *out, struct error *err);
/* The last element that was stored into the array before w->now whose box has w->now's value, of a parameter rather
 * that of its number: of the arguments of Method.invoke. */
enum status find_given_element(struct why *w, uint32_t array, struct given *out, struct error *err);
/* The last time that the string or box of w->now was the result of a call on the same object that may have put it
 * there: merge(k, v, f) before get(k), which is `own`. The event is that result. */
enum status find_returned(struct why *w, const struct outside_call *own, struct given *out, struct error *err);
/* Is the value of the event that of w->now, or one that is equal to it? */
bool is_same_value(const struct why *w, const struct hs_event *e);
enum status is_equal_value(struct why *w, const struct hs_event *e, bool *out, struct error *err);

/* The first event that shows the object, before w->now. ERR_NOT_FOUND: there is none (`err` left alone). */
enum status first_event_of(struct why *w, uint32_t object, struct hs_event *out, struct error *err);
/* The same if it is the result of a call to code that is not woven, with that call; else ERR_NOT_FOUND. */
enum status first_result_of(struct why *w, uint32_t object, struct hs_event *out, struct outside_call *call,
                            struct error *err);
enum { GIVEN_MORE_MAX = 9999 };
/* Offers what was given to the object by the last `max` calls on it before w->now, newest first or oldest first; counts
 * those before in w->more. */
enum status offer_given(struct why *w, uint32_t object, size_t max, bool oldest_first, struct error *err);

#endif
