/* api/conditions.h - conditions on events, calls and objects, as --where takes them.
 *
 *     hs_condition *condition;
 *     struct hs_filter filter = HS_FILTER_ALL;
 *     if (hs_condition_parse("method == total && shipping > 50", &condition, &error) != 0)
 *         return fail(error.text);
 *     filter.where = condition;
 *
 * A condition is a Java expression: comparisons, && || !, arithmetic, ?:, instanceof, casts. Behind a comparison may
 * also stand a value as answers show it: a word (a text, a class, the constant of an enum), Type#12, "begin"..., a
 * date, a list; =~ takes an extended regular expression. What is not known, or what a row does not have, is neither
 * true nor false, also behind a ! (HS_UNKNOWN); && and || need only what decides them.
 *
 * Names of events: seq thread event class method line pc value result arg0 arg1 ..., and the field, local variable or
 * parameter of which the event has the value (state, Order.state, x:long where several have the name). Of calls: seq
 * thread class method line depth calls this result exception arg0 ..., and parameters. Of objects: id type length
 * string, their fields, and [0] [1] ... of elements. */
#ifndef HINDSIGHT_API_CONDITIONS_H
#define HINDSIGHT_API_CONDITIONS_H

#include "calls.h"
#include "events.h"

#ifdef __cplusplus
extern "C" {
#endif

enum hs_truth { HS_FALSE = 0, HS_TRUE = 1, HS_UNKNOWN = 2 };

/* HS_ERR_USAGE: "'TEXT', character N: expected WHAT". The text is copied. A condition belongs to one trace and one
 * thread at a time, and is freed behind the cursors that it filters. */
HS_API int hs_condition_parse(const char *text, hs_condition **out, struct hs_error *error);
HS_API void hs_condition_free(hs_condition *condition); /* NULL is allowed */

HS_API enum hs_truth hs_condition_event(hs_condition *condition, hs_trace *trace, const struct hs_event *event);
/* `thread`: of the call, which struct hs_call does not say. */
HS_API enum hs_truth hs_condition_call(hs_condition *condition, hs_trace *trace, uint32_t thread,
                                       const struct hs_call *call);
/* As the object was just after event `seq`; HS_NO_SEQ: at the end. `*old`, if not NULL, becomes true if a value that
 * was looked at may have changed since it was seen (hs_member.stale, .unrecorded). */
HS_API enum hs_truth hs_condition_object(hs_condition *condition, hs_trace *trace, uint32_t id, uint64_t seq,
                                         bool *old);

/* A name in the condition that stands for something of the row, in their order. */
struct hs_condition_name {
    const char *name;
    bool asked, seen; /* so far: it was looked up; a row had it */
    /* Names of the same number are in parts that are joined by && alone; 0: the whole condition is false without it. */
    uint32_t joined;
};
/* NULL behind the last. Rows are kept. */
HS_API const struct hs_condition_name *hs_condition_name_get(const hs_condition *condition, uint32_t number);
/* Has an event of this data ID the name, if its value was recorded? */
HS_API bool hs_event_may_have(hs_trace *trace, uint32_t dataid, const char *name);

#ifdef __cplusplus
}
#endif

#endif
