/* why_lambdas.h - from a parameter of a lambda's body, or of a method that was called by a reference to it, to the
 * value that was captured where the lambda was made.
 *
 *     Thread 1:  INVOKE_DYNAMIC_PARAM 5   INVOKE_DYNAMIC_RESULT #9    CALL execute  CALL_PARAM #9
 *     Thread 2:                            METHOD_ENTRY lambda$run$0  METHOD_PARAM 5
 *
 * Which lambda it was is known where woven code called it, or gave it to the call in which its body runs. Else it is
 * one that was made, before, of the same body with the same captured values. */
#ifndef READER_WHY_LAMBDAS_H
#define READER_WHY_LAMBDAS_H

#include "reader/query/outside_call.h"
#include "reader/query/why.h"

/* Explains w->now, a parameter or the receiver, which is number `index`, of the method that was entered at `entry`;
 * `outer` is the call around it (NULL: none is known). ERR_NOT_FOUND: it is no captured value; `*given` then is the
 * call that the lambda was given to, if `*is_given`: what calls it has its parameters from there. */
enum status why_from_lambda(struct why *w, const struct hs_event *entry, const struct outside_call *outer,
                            int64_t index, const char *what, struct outside_call *given, bool *is_given,
                            struct error *err);

#endif
