/* creation.h - the event that created an object, and what was written to it before any event could name it. */
#ifndef READER_CREATION_H
#define READER_CREATION_H

#include "reader/cursor/cursor.h"

/* The event that created the object: NEW_OBJECT_CREATED, NEW_ARRAY_RESULT, MULTI_NEW_ARRAY or one of its elements.
 * ERR_NOT_FOUND: it was not created in woven code (`err` left alone). */
enum status creation_of(hs_trace *t, uint32_t object, struct hs_event *out, struct error *err);

/* Puts to fields of an object before its superclass constructor was called: they carry no object, but
 * METHOD_OBJECT_INITIALIZED of the same frame does. Appends these puts, oldest first; only those to fields of this name
 * unless `name` is NULL. */
enum status early_puts(hs_trace *t, uint32_t object, const char *name, event_vec *out, struct error *err);
/* The object of one such put; 0 if its constructor ended before METHOD_OBJECT_INITIALIZED. */
enum status early_put_object(hs_trace *t, const struct hs_event *put, uint64_t *object, struct error *err);

/* What multianewarray stored in an array of arrays, by index; nothing if it was not created by one. */
enum status multi_elements(hs_trace *t, uint32_t array, event_vec *out, struct error *err);

/* Which operand of multianewarray gave an array its length: dimension `number` from 0 on, so many slots deep. */
struct dimension {
    unsigned number, depth;
};
/* False: the event that made the array is none of a multianewarray that did. */
bool array_dimension(hs_trace *t, uint32_t array, const struct hs_event *made, struct dimension *out);
/* The length of an array, from its creation (NULL: not in woven code), the call that returned it, or any
 * arraylength. */
enum status array_length_from(hs_trace *t, uint32_t array, const struct hs_event *made, bool *known, uint64_t *length,
                              struct error *err);
/* The same; also from what multianewarray put into it. */
enum status array_length(hs_trace *t, uint32_t array, bool *known, uint64_t *length, struct error *err);

#endif
