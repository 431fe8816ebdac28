/* location.h - what can be written: a field of a class or object, an array element or a local variable; and how users
 * name it.
 *
 *     a.b.C.x   C.x   *.x       static field, or instance field of any object, that these classes declare or inherit
 *     17.x      a.b.D#17.x      field of object 17, as its class resolves the name
 *     17.C.x    17.a.b.C.x      the same as C resolves it, where a subclass hides a field of its superclass
 *     17[3]     int[]#17[3]     array element
 *     C.m:i     C.m(I)V:#2      local variable, by name or by slot
 *     88                        data ID: all its events
 *
 * Classes and methods are globs, matched as by filters (reader/cursor/class_names.c). */
#ifndef READER_LOCATION_H
#define READER_LOCATION_H

#include "reader/cursor/cursor.h"

#define LOCATION_FORMS "Class.field, ID.field, ID.Class.field, ID[index], Class.method:local or a data ID"

enum location_kind { LOCATION_DATAID, LOCATION_FIELD, LOCATION_OBJECT_FIELD, LOCATION_ELEMENT, LOCATION_LOCAL };

struct location {
    enum location_kind kind;
    uint32_t object;          /* of OBJECT_FIELD, ELEMENT */
    uint64_t index;           /* of ELEMENT */
    VEC(struct field) fields; /* FIELD: all that are meant; OBJECT_FIELD: one */
    /* FIELD: as it was named. Fields of objects count if they or their class is of that name */
    char *class_glob;
    u32_vec ids; /* data IDs of the events that begin a write */
};
/* ERR_USAGE: it is none of the forms; ERR_NOT_FOUND: it names something that the trace does not have. Free with
 * location_done, also after a failure. */
enum status location_parse(hs_trace *t, const char *text, struct location *out, struct error *err);
/* The same without text. `object` 0: static. */
enum status location_of_field(hs_trace *t, uint32_t object, struct field f, struct location *out, struct error *err);
enum status location_of_element(hs_trace *t, uint32_t array, uint64_t index, struct location *out, struct error *err);
void location_done(struct location *l);

/* Is a write of this data ID (a put) on this object one of the location? The data ID is one of `ids`. */
bool location_has(hs_trace *t, const struct location *l, uint32_t dataid, uint64_t object);

#endif
