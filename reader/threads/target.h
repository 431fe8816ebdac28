/* target.h - which method a call enters (JVMS 5.4.6), as far as the trace knows the classes, and whose monitor.
 *
 *     struct call_target to = call_target(trace, dataid, type of the receiver);
 *     to.method           the woven method
 *     to.outside          else the first class, from that of the receiver up, that is not woven: it declares the method
 *                         or inherits it from one above (hs_class_super)
 *
 * An instruction names the class that the source has, which may only inherit the method. */
#ifndef READER_THREADS_TARGET_H
#define READER_THREADS_TARGET_H

#include "reader/trace.h"

struct call_target {
    const struct hs_method *method; /* NULL: it is not woven, or not known */
    const char *outside;            /* NULL: as far as known every class is woven, and none declares it */
    uint64_t loader;                /* of the class from which on it was looked for */
};
/* Of a CALL. `receiver` NULL: it has none, or its type is not known. */
struct call_target call_target(hs_trace *trace, const struct hs_dataid *call, const struct hs_type *receiver);
/* Of a method that is found from a class on upwards. */
struct call_target call_target_in(hs_trace *trace, const char *class_name, uint64_t loader, const char *name,
                                  const char *desc);
/* What a CALL of a method reference (List::clear) calls, and the receiver (0: none, or not known). `last`: the event of
 * its last argument, or the CALL. 1; 0: it is no method reference, or how that was made is not recorded; -1. */
int call_target_referred(hs_trace *trace, const struct hs_event *call, const struct hs_event *last,
                         struct call_target *out, uint64_t *receiver, struct hs_error *error);
/* The type of an object; NULL: 0, or not known. */
const struct hs_type *target_type(hs_trace *trace, uint64_t object);
/* Is the receiver of a CALL a Thread, by its type or by the class that the instruction names? `*unknown` is set if the
 * classes above its type are not known to the top. */
bool target_is_thread(hs_trace *trace, const struct hs_dataid *call, const struct hs_type *receiver, bool *unknown);

#endif
