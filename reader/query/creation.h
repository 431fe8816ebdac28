/* creation.h - how an object was made: its creation, and what was written before any event could show it. */
#ifndef READER_CREATION_H
#define READER_CREATION_H

#include "reader/cursor/cursor.h"

/* The event that made the object, from NEW_OBJECT_CREATED, NEW_ARRAY_RESULT, MULTI_NEW_ARRAY and its elements.
 * ERR_NOT_FOUND: it was not made in woven code (`err` left alone). */
enum status creation_of(hs_trace *t, uint32_t object, struct hs_event *out, struct error *err);

/* Puts of fields of an object whose constructor had not run: they carry no object, METHOD_OBJECT_INITIALIZED of the
 * same frame does. Appends all such puts on the object, the oldest first; of fields of one name only unless `name` is
 * NULL. */
enum status early_puts(hs_trace *t, uint32_t object, const char *name, event_vec *out, struct error *err);
/* The object of one such put, 0 if its constructor never came that far. */
enum status early_put_object(hs_trace *t, const struct hs_event *put, uint64_t *object, struct error *err);

/* What a multianewarray put into an array of arrays, by index; nothing if it was not made by one. */
enum status multi_elements(hs_trace *t, uint32_t array, event_vec *out, struct error *err);

/* The length of an array, from its creation or any arraylength (object_state.c). */
enum status array_length(hs_trace *t, uint32_t id, bool *known, uint64_t *length, struct error *err);

#endif
