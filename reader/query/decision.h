/* decision.h - a branch that went one way: the condition that held, and the values that decided.
 *
 *     iload x   iload max   if_icmple else   ...          went on: "x > max", since 120 > 100
 *
 * Which way it went is known from the LABEL behind it. The compiler turns conditions round, so the condition that held
 * is shown, never whether the one in source was true. */
#ifndef READER_DECISION_H
#define READER_DECISION_H

#include "reader/query/why.h"

/* A branch of a method and where it went, as instructions. */
struct way {
    struct method *method;
    uint32_t branch, to;
};
/* False: the event is no LABEL behind a branch. */
bool way_of(hs_trace *t, const struct hs_event *label, struct way *out);
/* The way to a handler, from the instruction that threw. False: the event is no CATCH_LABEL. */
bool way_caught(hs_trace *t, const struct hs_event *label, struct way *out);
/* Appends the condition under which the branch goes that way. */
void way_condition(hs_trace *t, const struct way *way, struct writer *out);
/* The decision before w->now, a LABEL. The moments that its values come from are offered as choices. `*out` NULL: it is
 * none. */
enum status decision_make(struct why *w, const struct hs_decision **out, struct error *err);

#endif
