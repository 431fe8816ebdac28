/* natives.h - methods of the JDK, whose code is not in the trace, for the files that execute them; natives.def lists
 * them. */
#ifndef READER_NATIVES_H
#define READER_NATIVES_H

#include "reader/execute/machine.h"

typedef VEC(uint16_t) units_vec;

/* What an object is for natives.def. */
enum nature {
    NATURE_STATIC, /* not an object: a static method of the owner */
    NATURE_OTHER,
    NATURE_STRING,
    NATURE_BUILDER,
    NATURE_BOX,
    NATURE_CONSTANT, /* of an enum */
    NATURE_LIST,     /* list, queue or set: entries without keys */
    NATURE_MAP,
    NATURE_ITERATOR,
    NATURE_ENTRY,
    NATURE_OPTIONAL,
    NATURE_STREAM,
    NATURE_ARRAY,
    NATURE_THROWN,
    NATURE_BIG_INTEGER,
    NATURE_BIG_DECIMAL,
    NATURE_MATH_CONTEXT,
    NATURE_CLASS,
    NATURE_ANY /* of natives.def alone */
};
enum nature nature_of(struct machine *m, struct jvalue v);
/* Of any object of a class. */
enum nature nature_of_type(struct machine *m, const char *type, const struct lineage *c);
/* The entries of a collection, map, optional; false: ended. */
bool entries_of(struct machine *m, struct jvalue v, struct held *out);

/* ---- natives.c ---- */
/* A row of natives.def. */
struct native {
    enum nature nature;
    const char *owner;
    struct text name;
    const char *desc;
    const char *generic; /* the signature of the result; NULL: it is not generic */
    bool (*function)(struct machine *m, const struct invocation *i, struct jvalue *out);
};
const struct native *native_at(size_t number); /* NULL behind the last */
/* The next row of that name from `*number` on, which becomes the one behind it; NULL: no more. */
const struct native *native_named(struct text name, size_t *number);
bool native_fits(const struct native *n, enum nature nature, struct text owner);

#define NATIVE(nature, owner, name, desc, function)                                                                    \
    bool function(struct machine *m, const struct invocation *i, struct jvalue *out);
#define NATIVE_OF(nature, owner, name, desc, generic, function) NATIVE(nature, owner, name, desc, function)
#include "reader/execute/natives.def"
#undef NATIVE
#undef NATIVE_OF

/* ---- natives_text.c ---- */
/* The units of a string or builder; NULL: ended. */
const uint16_t *units_of(struct machine *m, struct jvalue v, uint32_t *count);
bool append_ascii(struct machine *m, units_vec *to, const char *text);
/* Appends the text of a value as String.valueOf gives it; `letter`: of its descriptor. */
bool append_text(struct machine *m, units_vec *to, struct jvalue v, char letter);
/* Makes a string of what is in `units`, and frees it. */
bool finish_text(struct machine *m, units_vec *units, struct jvalue *out);

/* ---- natives_numbers.c ---- */
/* The number in a box; false: ended. */
bool unboxed(struct machine *m, struct jvalue box, struct jvalue *out, char *letter);

/* ---- natives_objects.c ---- */
/* equals and hashCode, of any two objects. False: ended. */
bool values_equal(struct machine *m, struct jvalue a, struct jvalue b, bool *equal);
bool value_hash(struct machine *m, struct jvalue v, int32_t *hash);

/* ---- resolve.c ---- */
bool resolve_and_call(struct machine *m, const struct machine_call *call, struct machine_answer *out);

#endif
