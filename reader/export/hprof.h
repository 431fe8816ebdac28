/* hprof.h - the format hprof: the heap at a moment (--at), as far as the trace knows it, as a dump of a JVM would show
 * it. hprof_heap.c finds what is known, hprof_classes.c which fields the classes have, hprof.c writes.
 *
 * What is not known is written as a JVM would write a new object: 0, false, null; the format has no other way. Objects
 * are those that an event up to the moment has shown: whether they were collected is not in the trace. */
#ifndef READER_EXPORT_HPROF_H
#define READER_EXPORT_HPROF_H

#include "formats/map.h"
#include "formats/vec.h"
#include "reader/export/export.h"

/* ---- classes ---- */

struct hprof_field {
    const char *declaring, *name;
    char kind; /* enum hs_kind */
    bool is_static;
};
#define HPROF_NO_ID UINT64_MAX
struct hprof_class {
    const char *name;
    uint64_t id, loader;       /* id HPROF_NO_ID: its class object is not in the trace */
    const char *super;         /* NULL: it has none */
    size_t field, field_count; /* in hprof_classes.fields */
};
struct hprof_classes {
    struct export_job *job;
    hs_cursor *types;
    VEC(struct hprof_field) fields;  /* by declaring class, static ones first, and name: each once */
    VEC(struct hprof_class) classes; /* by name */
    u32_vec of_dataid;               /* 1 + the field of a data ID, 0: none */
};
bool hprof_classes_load(struct hprof_classes *c, struct export_job *x);
void hprof_classes_done(struct hprof_classes *c);
/* NULL: there is none. */
const struct hprof_class *hprof_class_find(const struct hprof_classes *c, const char *name);
const struct hprof_class *hprof_class_of(const struct hprof_classes *c, uint32_t class_id);
/* The type of the elements of an array type; false: it is no array. */
bool hprof_element(const char *type, char *kind);

/* ---- what is known ---- */

/* A field or element. HEAP_SEEN: the object was shown; HEAP_LENGTH: the length of an array. */
enum { HEAP_LENGTH = 0xfffffffe, HEAP_SEEN = 0xffffffff };
struct hprof_value {
    uint64_t key; /* object << 32 | field, index or one of the above; object 0: a static field */
    uint64_t value;
};
/* The values of so many objects that follow each other: one map of all would be moved as a whole when it grows. */
enum { HEAP_PART_BITS = 14 };
typedef MAP(struct hprof_value) hprof_part;
struct heap {
    struct export_job *job;
    const struct hprof_classes *classes;
    VEC(hprof_part) parts; /* by object >> HEAP_PART_BITS; after hprof_read no map, but `count` slots by key */
    VEC(struct hprof_thread) threads;
};
bool hprof_read(struct heap *h, const struct hprof_classes *c, uint64_t at);
void hprof_done(struct heap *h);
/* The part that has the object; NULL: nothing is known of it. */
const hprof_part *hprof_part_of(const struct heap *h, uint64_t object);

#endif
