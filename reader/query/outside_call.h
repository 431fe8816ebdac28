/* outside_call.h - one call from woven code to code that is not woven: what it was given and what it gave.
 *
 *     CALL map  CALL_PARAM k  CALL_PARAM v  [events of callbacks]  CALL_RETURN r
 *     CALL      CALL_PARAM list             [events of callbacks]  CALL_RETURN  NEW_OBJECT_CREATED x
 *
 * Whether the callee is woven is not asked here: handover.h answers that. */
#ifndef READER_OUTSIDE_CALL_H
#define READER_OUTSIDE_CALL_H

#include "reader/cursor/cursor.h"

enum { CALL_ARGUMENTS_MAX = 255 }; /* JVMS 4.3.3 */
struct outside_call {
    const struct hs_dataid *site; /* of CALL */
    struct hs_event call;
    struct hs_event arguments[CALL_ARGUMENTS_MAX]; /* without seq, as `call` and `result` */
    size_t argument_count;
    bool returned;          /* has a result, which may be far behind the arguments */
    struct hs_event result; /* CALL_RETURN, or NEW_OBJECT_CREATED of a constructor */
};

/* Is its receiver a lambda or a method reference? Its class is hidden: no event shows that it calls the method whose
 * events then follow. */
bool outside_call_is_lambda(hs_trace *t, const struct outside_call *c);
/* The call that a CALL, or one of its CALL_PARAM, belongs to; its result is looked for among the next few events.
 * ERR_NOT_FOUND, as below: it is not recorded (`err` left alone). */
enum status outside_call_at(hs_trace *t, const struct hs_event *e, struct outside_call *out, struct error *err);
/* That of a CALL; its result may lie behind long callbacks. */
enum status outside_call_whole(hs_trace *t, const struct hs_event *call, struct outside_call *out, struct error *err);
/* The call that ended with this CALL_RETURN or NEW_OBJECT_CREATED. */
enum status outside_call_of(hs_trace *t, const struct hs_event *result, struct outside_call *out, struct error *err);
/* The call that is open in the frame below the one that this event belongs to, a METHOD_... event: the code that is not
 * woven which called the method. `*entry` is its METHOD_ENTRY. */
enum status outside_call_around(hs_trace *t, const struct hs_event *e, struct outside_call *out, struct hs_event *entry,
                                struct error *err);

/* What an invokedynamic was given, by its INVOKE_DYNAMIC_RESULT: appends its INVOKE_DYNAMIC_PARAM, in their order.
 * Woven code may run between them, a class loader for example. */
enum status dynamic_parameters(hs_trace *t, const struct hs_event *result, event_vec *out, struct error *err);
/* Its result, by one of its INVOKE_DYNAMIC_PARAM. ERR_NOT_FOUND: it is not recorded (`err` left alone). */
enum status dynamic_result(hs_trace *t, const struct hs_event *parameter, struct hs_event *out, struct error *err);

/* "java.util.Map", "put"; "?" where they are not known */
const char *outside_call_owner(const struct outside_call *c);
const char *outside_call_name(const struct outside_call *c);
/* The object that the call is about: its receiver, or what the constructor made; 0: none, or not known. */
uint32_t outside_call_object(const struct outside_call *c);
/* The object of an event's value; 0: the value is null or no reference. */
static inline uint32_t object_of(const struct hs_event *e)
{
    return e->kind == HS_KIND_REF && e->value <= UINT32_MAX ? (uint32_t)e->value : 0;
}

#endif
