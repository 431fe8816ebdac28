/* kept_fields.h - the fields of objects as they were found at a moment.
 *
 * A debugger asks for the same objects at one moment after the other. The last access of a field up to a moment is the
 * one that was the last up to an earlier moment, or lies in between: so only the events in between are read. */
#ifndef READER_KEPT_FIELDS_H
#define READER_KEPT_FIELDS_H

#include "reader/cursor/cursor.h"

struct kept_field {
    char *name; /* as answers show it */
    struct hs_event value;
};
struct kept_fields {
    uint32_t object;
    uint64_t until; /* no event behind it counts */
    size_t count;
    struct kept_field items[];
};
/* NULL: nothing is kept of the object. Borrowed until the next kept_fields_put. */
const struct kept_fields *kept_fields_get(hs_trace *t, uint32_t object);
/* Room for `count` fields; NULL: there are too many, or no memory, which only makes it slower. */
struct kept_fields *kept_fields_new(uint32_t object, uint64_t until, size_t count);
/* The names are copied; false: out of memory. */
bool kept_fields_set(struct kept_fields *k, size_t i, const char *name, const struct hs_event *value);
/* Takes it, in place of what is kept there. */
void kept_fields_put(hs_trace *t, struct kept_fields *k);
void kept_fields_free(struct kept_fields *k);

#endif
