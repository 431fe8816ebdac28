/* handover.h - when an object was last given to code that is not woven, which may write it without an event.
 *
 *     CALL System.arraycopy  CALL_PARAM a ...  CALL_RETURN       no METHOD_ENTRY of the callee: it is not woven
 *     METHOD_NORMAL_EXIT a                                       and no CALL_RETURN: nor is the caller */
#ifndef READER_HANDOVER_H
#define READER_HANDOVER_H

#include "reader/cursor/cursor.h"

/* The latest one in from..to (inclusive). `out->seq` is HS_NO_SEQ if there was none. */
enum status handover_last(hs_trace *t, uint32_t object, uint64_t from, uint64_t to, struct hs_handover *out,
                          struct error *err);

/* Whether callees can be woven methods without recorded entries, by data ID of the call, and whether methods write what
 * has no events: that takes a pass over all methods, or over the code of one. Zeros at first. */
enum { KNOWN_CALLS = 64 };
struct known_calls {
    struct {
        uint32_t method_id;
        bool known, unseen;
    } methods[KNOWN_CALLS];
    struct {
        uint32_t dataid;
        bool known, unentered;
    } slots[KNOWN_CALLS];
};
/* Does this CALL, CALL_PARAM or METHOD_NORMAL_EXIT hand its value to code that is not woven? */
enum status is_handover(hs_trace *t, struct known_calls *known, const struct hs_event *e, bool *out, struct error *err);
/* False: it does not, and an index may leave it out (SET_HANDED). */
enum status may_be_handover(hs_trace *t, const struct hs_event *e, bool *out, struct error *err);

#endif
