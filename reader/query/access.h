/* access.h - one read or write of a field or element: of what, with which value, and whether it happened.
 *
 *     PUT_INSTANCE_FIELD o   PUT_INSTANCE_FIELD_VALUE v        the instruction's events stand beside each other; the
 * first one ARRAY_LOAD a  ARRAY_LOAD_INDEX i  ARRAY_LOAD_RESULT v    is where a walk finds it
 *
 * Events of a store come before it: whether it was done shows in what follows. */
#ifndef READER_ACCESS_H
#define READER_ACCESS_H

#include "reader/cursor/cursor.h"

struct heap_access {
    uint64_t object;       /* or array; 0 for statics */
    uint64_t index;        /* of an element */
    struct hs_event value; /* the event that has the value; with its seq */
};
/* The access that `first` begins. ERR_NOT_FOUND: it was none, or failed (null, index, type, class initialization), or
 * is cut off
 * (`err` left alone). */
enum status access_at(hs_trace *t, const struct hs_event *first, struct heap_access *out, struct error *err);

/* What a variable of that kind (kinds.def) keeps of the int on the operand stack. */
uint64_t access_narrowed(char kind, uint64_t value);

#endif
