/* api/evaluate.h - the value of a Java expression at a moment, over the state as it was. */
#ifndef HINDSIGHT_API_EVALUATE_H
#define HINDSIGHT_API_EVALUATE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What an expression gives. Exactly one of these holds: it has a value; something that it depends on was not recorded
 * (`not_recorded`); Java would throw (`throws`). */
struct hs_evaluation {
    const char *not_recorded; /* a phrase: "Order#12.total, never read or written before event 4711" */
    const char *throws;       /* as toString gives it: "java.lang.ArithmeticException: / by zero" */
    char kind;                /* enum hs_kind; HS_KIND_REF with a text: an object that the expression made */
    uint64_t bits;            /* as in events */
    const char *text; /* a string that the expression made, or what its object stands for; NULL: `bits` has it */
    uint64_t seq;     /* of the event that has the value; HS_NO_SEQ: none, or it was computed */
    const char *note; /* how it was found, where that is not plain; NULL */
};

/* Evaluates a Java expression where the thread of event `seq` stands just after that event, in the scope of its frame
 * `frame` (0 is innermost): locals, parameters, this, fields of any access, statics, elements, operators, casts,
 * instanceof, ? :, literals, and calls. The expression is that of --where (docs/commands.md), with Java's types.
 *
 * A call executes the recorded code of the method over the objects as they were then. What it writes is seen by the
 * rest of the expression alone: the trace does not change, and nothing outside is reached. Methods of the JDK that are
 * known do what they do; of all others, of fields and elements that no event shows, and of state that code which is not
 * recorded may have changed since, the answer is not_recorded.
 *
 * HS_ERR_USAGE: it is no expression, or names something that is not there; HS_ERR_NOT_FOUND: no such event or frame.
 * The answer lives until hs_evaluate is called again on the trace. */
HS_API int hs_evaluate(hs_trace *trace, uint64_t seq, size_t frame, const char *expression,
                       const struct hs_evaluation **evaluation, struct hs_error *error);

#ifdef __cplusplus
}
#endif

#endif
