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
    NATURE_COMPARATOR,
    NATURE_CLASS,
    NATURE_ANY /* of natives.def alone */
};
enum nature nature_of(struct machine *m, struct jvalue v);
/* Of any object of a class. */
enum nature nature_of_type(struct machine *m, const char *type, const struct lineage *c);
/* A class of the JDK whose collections can be made and changed. */
struct made_type {
    const char *type;
    enum collection { COLLECTION_NONE, COLLECTION_LIST, COLLECTION_SET, COLLECTION_MAP } is;
    bool unordered, sorted;
};
const struct made_type *made_type(const char *type); /* NULL: it is none */
enum collection made_collection(const char *type);
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
bool append_unit(struct machine *m, units_vec *to, uint16_t unit);
bool append_units(struct machine *m, units_vec *to, const uint16_t *units, size_t count);
bool append_ascii(struct machine *m, units_vec *to, const char *text);
/* An argument that is an int; false: it is not known. */
bool int_of(struct machine *m, struct jvalue v, int32_t *out);
/* Appends the text of a value as String.valueOf gives it; `letter`: of its descriptor. */
bool append_text(struct machine *m, units_vec *to, struct jvalue v, char letter);
/* Of a recorded builder the copy that executed code changes; NULL: ended. */
struct made *builder_of(struct machine *m, struct jvalue v);
/* Makes a string of what is in `units`, and frees it. */
bool finish_text(struct machine *m, units_vec *units, struct jvalue *out);

/* ---- natives_words.c ---- */
/* Of an array of characters. */
bool append_chars(struct machine *m, units_vec *to, struct jvalue array);

/* ---- natives_numbers.c ---- */
/* The number in a box; false: ended. */
bool unboxed(struct machine *m, struct jvalue box, struct jvalue *out, char *letter);

/* ---- natives_objects.c ---- */
/* equals and hashCode, of any two objects. False: ended. */
bool values_equal(struct machine *m, struct jvalue a, struct jvalue b, bool *equal);
bool value_hash(struct machine *m, struct jvalue v, int32_t *hash);
/* Of numbers, as their boxes have it. */
bool same_number(struct jvalue a, struct jvalue b);
int32_t number_hash(struct jvalue v, char letter);

/* ---- natives_made.c ---- */
/* A list or set of entries; `fixed`: it cannot be changed. */
bool make_collection(struct machine *m, const char *type, const struct jvalue *values, size_t count, bool fixed,
                     struct jvalue *out);
bool make_map(struct machine *m, const char *type, const struct jvalue *keys, const struct jvalue *values, size_t count,
              bool unordered, struct jvalue *out);
/* The entry with that key (or element): its place, or -1. */
bool collection_place(struct machine *m, const struct jvalue *in, size_t count, struct jvalue wanted, int64_t *at);
void collection_remove(struct made *made, size_t at);
bool make_set(struct machine *m, const struct jvalue *values, size_t count, struct jvalue *out); /* a HashSet */
/* ---- natives_fixed.c ---- */
/* As List.of of an array. */
bool make_list_of(struct machine *m, const struct jvalue *values, size_t count, struct jvalue *out);

/* ---- natives_streams.c ---- */
/* All that the stream gives, as a list. */
bool stream_values(struct machine *m, struct jvalue stream, struct jvalue *out);

/* ---- natives_optional.c ---- */
/* Of a value of the kind A I J D; NULL: empty. */
bool make_optional(struct machine *m, char kind, const struct jvalue *value, struct jvalue *out);

/* ---- natives_sorting.c ---- */
/* Sorts, equal ones in their order; the comparator null: as compareTo has it. False: ended. */
bool sort_values(struct machine *m, struct jvalue comparator, struct jvalue *values, size_t count);
bool compare_values(struct machine *m, struct jvalue comparator, struct jvalue a, struct jvalue b, int32_t *out);

/* ---- natives_collections.c ---- */
/* The entries of a collection in their order, or the elements of an array. */
bool elements_of(struct machine *m, struct jvalue v, struct held *out);

/* ---- natives_classes.c ---- */
/* The one object of that class; the name with dots. */
bool class_object(struct machine *m, const char *type, uint64_t loader, struct jvalue *out);

/* ---- natives_constants.c ---- */
/* A constant of the JDK; false, with nothing said: it is none that is known. */
bool jdk_constant(struct machine *m, const char *owner, const char *name, struct jvalue *out);

/* ---- resolve.c ---- */
bool resolve_and_call(struct machine *m, const struct machine_call *call, struct machine_answer *out);

#endif
