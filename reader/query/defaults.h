/* defaults.h - which fields and elements have their default, null, 0 or false, since nothing has written them.
 *
 *     NEW_OBJECT   METHOD_OBJECT_INITIALIZED o ... NEW_OBJECT_CREATED o ...  CALL m  CALL_PARAM o
 *                  |- what no event has written has its default ---------------------------|  m is not woven
 *
 * A value of 0 that was read is a default if recorded code made the object and no write was recorded: default_since,
 * for `why`. Without such a read, writes that no event shows must be excluded too: of code that is not woven, of
 * methods without the events of fields or arrays, while recording was stopped, of events that are left out or lost. */
#ifndef READER_DEFAULTS_H
#define READER_DEFAULTS_H

#include "reader/cursor/cursor.h"

/* The event that shows that recorded code made the object: as creation_of, or METHOD_OBJECT_INITIALIZED of the
 * constructor of its own class, where code of the JDK called that. ERR_NOT_FOUND: there is none (`err` left alone). */
enum status default_since(hs_trace *t, uint32_t object, struct hs_event *made, struct error *err);
/* The same where creation_of has found nothing. */
enum status default_since_constructor(hs_trace *t, uint32_t object, struct hs_event *made, struct error *err);

/* Does every member that no event has written up to `seq` have its default then, as far as default_of_field or
 * default_of_elements allows it? `made` is that of default_since, `first` the first event of the object. */
enum status defaults_hold(hs_trace *t, uint32_t object, const struct hs_event *made, uint64_t first, uint64_t seq,
                          bool *hold, struct error *err);
/* Is every method recorded that can write the field, or elements of this kind? */
bool default_of_field(hs_trace *t, struct field f);
bool default_of_elements(hs_trace *t, char kind);

#endif
