/* access.h - one read or write of a field or element: of what, with which value, and whether it happened.
 *
 *     PUT_INSTANCE_FIELD o   PUT_INSTANCE_FIELD_VALUE v
 *     ARRAY_LOAD a   ARRAY_LOAD_INDEX i   ARRAY_LOAD_RESULT v
 *
 * The events of one instruction stand next to each other in their thread; walks find the first of them. The events of a
 * store are recorded before it is done, so whether it threw is seen in the events that follow. */
#ifndef READER_ACCESS_H
#define READER_ACCESS_H

#include "reader/cursor/cursor.h"

struct heap_access {
    uint64_t object;       /* or array; 0 for statics */
    uint64_t index;        /* of an element */
    struct hs_event value; /* the event that has the value; with its seq */
};
/* The access whose first event is `first`. ERR_NOT_FOUND: it is no access, it threw (null, index, type, class
 * initialization), or its other events are missing (`err` left alone). */
enum status access_at(hs_trace *t, const struct hs_event *first, struct heap_access *out, struct error *err);

#endif
