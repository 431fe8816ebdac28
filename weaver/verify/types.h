/* types.h - verification types of one class, JVMS 4.10.1.2: names as numbers, descriptors as types, assignability.
 *
 * A type is a vtype (stack_map.h), one for each slot of a local variable or of the operand stack: a long or double is
 * followed by its second half. The index of a VT_OBJECT is not one of the constant pool here but the number of a name,
 * from NAMES_FROM on, so that types from frames, descriptors and constants compare as numbers. */
#ifndef WEAVER_VERIFY_TYPES_H
#define WEAVER_VERIFY_TYPES_H

#include "formats/arena.h"
#include "formats/jvm/classfile.h"
#include "formats/map.h"
#include "weaver/stack_map.h"

enum { NAMES_FROM = 0x10000, NAMES_MAX = 0x800000 }; /* above every index of a pool */

/* Tags behind those of enum verification. */
enum {
    TYPE_LONG_HALF = VT_UNINITIALIZED + 1,
    TYPE_DOUBLE_HALF,
    TYPE_UNKNOWN,        /* some object: different classes met in it (inference) */
    TYPE_RETURN_ADDRESS, /* of jsr; its index is not used */
    TYPE_ANYTHING,       /* a local that a subroutine may have changed */
};
static inline unsigned type_tag(vtype v) { return v & 0xff; }
static inline bool type_is_half(vtype v) { return type_tag(v) == TYPE_LONG_HALF || type_tag(v) == TYPE_DOUBLE_HALF; }
static inline bool type_is_wide(vtype v) { return v == VT_LONG || v == VT_DOUBLE; }
static inline vtype type_half(vtype v) { return v == VT_LONG ? TYPE_LONG_HALF : TYPE_DOUBLE_HALF; }

/* Names that the rules mention, numbered from NAMES_FROM in this order. */
enum known_name {
    NAME_OBJECT,
    NAME_THROWABLE,
    NAME_STRING,
    NAME_CLASS,
    NAME_METHOD_TYPE,
    NAME_METHOD_HANDLE,
    NAME_CLONEABLE,
    NAME_SERIALIZABLE,
    KNOWN_NAMES
};
static inline vtype type_known(enum known_name n) { return vtype_of(VT_OBJECT, NAMES_FROM + (uint32_t)n); }

/* A member that instructions refer to. */
struct member_types {
    struct member_ref ref;
    vtype owner;
    const vtype *arguments; /* of a method, one for each argument */
    uint32_t argument_count, argument_slots;
    vtype result; /* of a method, or the type of a field */
    bool is_void;
};

struct name_entry {
    uint64_t hash;
    struct text name;
    uint32_t number;
};

struct class_types {
    const struct classfile *cf;
    struct arena arena;
    VEC(struct text) names;
    MAP(struct name_entry) numbers;
    vtype *of_class; /* by constant; 0: not asked yet */
    struct member_types **members;
    vtype this_type, super_type; /* super_type is VT_TOP for java.lang.Object */
    bool no_memory;
};

/* Free with types_done, also after a failure. `cf` must outlive it; this_class must be a class. */
enum status types_init(struct class_types *t, const struct classfile *cf, struct error *err);
void types_done(struct class_types *t);

/* The type of a class or array by its name. Sets no_memory. */
vtype types_of_name(struct class_types *t, struct text name);
/* The type at the start of a descriptor that is well-formed. */
vtype types_of_descriptor(struct class_types *t, const char *desc, size_t size);
/* Of a CONSTANT_Class; false if the constant is none. */
bool types_of_class(struct class_types *t, uint32_t index, vtype *out);
/* Of a Fieldref, Methodref, InterfaceMethodref or InvokeDynamic (which has no owner); NULL if the constant is none or
 * its descriptor is malformed, and when memory is out. */
const struct member_types *types_of_member(struct class_types *t, uint32_t index);
/* The name of a VT_OBJECT. */
struct text types_name(const struct class_types *t, vtype v);
/* What an array holds; VT_TOP for a class. */
vtype types_element(struct class_types *t, vtype array);
/* May a value of the one type be used as the other? */
bool types_assignable(struct class_types *t, vtype from, vtype to);
/* The type of a local or slot in which both meet (inference). */
vtype types_merge(const struct class_types *t, vtype a, vtype b);

enum { TYPE_TEXT_MAX = 100 };
/* For messages. Returns `out`. */
const char *types_show(const struct class_types *t, vtype v, char out[TYPE_TEXT_MAX]);

#endif
