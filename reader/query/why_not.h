/* why_not.h - why something did not happen: a place was not reached, a write or a throw did not come, a value is not
 * the expected one.
 *
 * Each question comes down to targets, instructions of recorded methods, and to what the calls of these methods did
 * instead: one pass over the events of a method's calls, whose results are added up as reasons, the rows of the answer.
 *
 *     why_not.c           which question it is (situations.def has what can be said)
 *     why_not_place.c     Class.method, Class.method:LINE, Class:LINE
 *     why_not_write.c     a field, an element or a variable that was not written; throw TYPE
 *     why_not_value.c     a value that is not the expected one
 *     why_not_member.c    an element that a collection does not contain: what was done to the collection
 *     why_not_adds.c      the calls that add to it, or to another one
 *     why_not_equal.c     elements that are equal, and those that are not although they look alike
 *     why_not_callers.c   calls of a method that was not entered
 *     why_not_reasons.c   what calls have in common, added up
 *     why_not_calls.c     the calls of a method: why they did not come to the target
 *     why_not_ways.c      the ways of branches on which the target depends
 *     why_not_rows.c      reasons as rows */
#ifndef READER_WHY_NOT_H
#define READER_WHY_NOT_H

#include "reader/query/absences.h"
#include "reader/query/contents.h"
#include "reader/query/decision.h"
#include "reader/query/location.h"

/* What calls of a method have in common: a row, while calls are added to it. */
struct reason {
    enum hs_situation situation;
    struct method *method; /* NULL: not known */
    struct method *target; /* with `target_insn`: what was not reached; NULL: it is not about that */
    uint32_t target_insn;
    uint32_t branch, to, needed; /* NO_INSN: it is no branch */
    const char *name;            /* of a class that was not loaded */
    const char *exception;       /* its type */
    uint64_t calls, times;
    struct hs_event last;
    bool has_event;
    bool has_value, has_expected;
    struct hs_value value, expected;
    const char *what; /* of a value: what has it, as it may stand in source */
    size_t order;
};
typedef VEC(struct reason) reason_vec;

struct asking;
/* What an event of the target is. */
enum hit { NO_HIT, HIT, OTHER_HIT };
/* `e` is an event of the target; sets `*seen`, the event to show, and for OTHER_HIT `*situation`. */
typedef enum status hit_fn(struct asking *a, const struct hs_event *e, enum hit *hit, enum hs_situation *situation,
                           struct hs_event *seen, struct error *err);
/* What was not reached. */
struct target {
    struct method *method;
    uint32_t insn;   /* 0: the entry */
    uint32_t dataid; /* only its events count, as `hit` says; NO_ID: all that show the place */
    hit_fn *hit;
};

/* A method that was not entered, so many calls away from the target. */
struct uncalled {
    const struct hs_method *method;
    unsigned deep;
};
struct asking {
    hs_trace *trace;
    const struct hs_absence_options *options;
    struct arena *arena;
    uint64_t least; /* times that a call has to come there */
    char class_glob[512], method_glob[512];
    int32_t line; /* -1: the entry */
    reason_vec reasons;
    u32_vec asked; /* methods whose callers were looked at */
    VEC(struct uncalled) uncalled;
    struct location location; /* of a write */
    bool expects;
    struct wanted expected;
    struct member_search *member; /* of an element of a collection */
};

/* ---- why_not_reasons.c ---- */
/* A reason that is about nothing yet. */
struct reason reason_new(enum hs_situation situation, struct method *m);
/* The one that is alike; NULL: out of memory. */
struct reason *reason_like(struct asking *a, const struct reason *like);
enum status add_reason(struct asking *a, enum hs_situation situation, struct method *m, const char *name,
                       struct error *err);

/* ---- why_not_ways.c ---- */
/* A way of a branch, or into a handler, on which the target depends. */
struct needed {
    uint32_t branch, to; /* branch NO_INSN: the handler at `to` */
    uint32_t level;
};
struct ways {
    const struct control *control;
    const struct code *code;
    VEC(struct needed) needed; /* level by level */
    u32_vec branches;          /* that have one of the ways */
};
/* False: out of memory. ways_done in any case. */
bool ways_find(hs_trace *t, struct method *m, uint32_t insn, struct ways *out);
void ways_done(struct ways *w);
/* The nearest level at which the target depends on a branch. */
uint32_t ways_level(const struct ways *w, uint32_t branch);
/* Does the way lead on, at that level? */
bool ways_is_needed(const struct ways *w, uint32_t branch, uint32_t to);
/* The way of a branch that would have led on. */
uint32_t ways_right(const struct ways *w, uint32_t branch);
/* Is the target in a handler? */
bool ways_has_handler(const struct ways *w);

/* ---- why_not_calls.c ---- */
/* Why the calls of its method did not come to the target; without a call the method is one of a->uncalled. */
enum status survey_target(struct asking *a, const struct target *target, unsigned deep, struct error *err);
/* That of a place. */
enum status survey_method(struct asking *a, struct method *m, uint32_t insn, unsigned deep, struct error *err);

/* ---- why_not_callers.c ---- */
/* Why a->uncalled were not called. */
enum status ask_uncalled(struct asking *a, struct error *err);
/* Calls that name a class that was not loaded. */
enum status ask_class(struct asking *a, struct error *err);

/* ---- the questions ---- */
/* ERR_NOT_FOUND: no recorded code stands there. */
enum status ask_place(struct asking *a, struct error *err);
enum status ask_throw(struct asking *a, const char *type, struct error *err);
enum status ask_write(struct asking *a, struct error *err);
/* Why the value of an event is not a->expected. */
enum status ask_value(struct asking *a, const struct hs_event *e, struct error *err);

/* ---- an element of a collection ---- */

/* An element of the moment when it became one. */
struct member_added {
    uint64_t from, seq; /* of the call, and its end */
    uint32_t object;    /* 0: not known */
};
/* Whether an object is equal to the element: asked once. */
struct member_equals {
    uint64_t id;
    enum sameness same;
};
struct member_search {
    const struct absent_member *wanted;
    struct contents contents;
    MAP(struct member_equals) equals;
    unsigned evaluated;
    bool present, failed;
    struct member_added added; /* the last time */
    u64_vec adds;              /* the calls that added it */
    u32_vec sites;             /* the calls that are surveyed */
    uint64_t count;            /* events that were looked at */
};
enum status ask_member(struct asking *a, const struct absent_member *wanted, struct error *err);

/* why_not_equal.c: is it equal to the element, as equals() says? */
enum sameness member_is(struct asking *a, struct hs_value v);
bool member_hashes(const struct member_search *s); /* does the collection look for it by hashCode()? */
/* The hashCode of what was added was another one then. */
enum status ask_hash(struct asking *a, bool *changed, struct error *err);
/* Elements that look like it. */
enum status ask_alike(struct asking *a, struct error *err);

/* why_not_adds.c: what a call adds (of a map, with of_values the value, else the key); false: nothing, or several. */
bool member_of_call(struct asking *a, uint32_t object, const struct outside_call *call, struct hs_event *out);
enum status ask_adds(struct asking *a, struct error *err);

/* why_not_reasons.c: where a value is, at an event; `what` is copied. */
enum status add_value(struct asking *a, enum hs_situation situation, const struct hs_event *e, const char *what,
                      const struct hs_value *value, const struct hs_value *expected, struct error *err);

/* ---- why_not_rows.c ---- */
enum status reasons_rows(struct asking *a, struct hs_absence **out, struct error *err);

#endif
