/* lineage.h - superclasses, interfaces and fields of the classes whose class files were seen: for redact=, which must
 * know what an instruction means that names a member by a class that inherits it (JVMS 5.4.3).
 *
 * Classes are known by name alone: where two loaders have different classes of one name, either may be meant, and both
 * are kept. */
#ifndef WEAVER_LINEAGE_H
#define WEAVER_LINEAGE_H

#include "formats/jvm/classfile.h"
#include "formats/map.h"

struct lineage_class {
    uint64_t key; /* of the map: a hash of the name */
    struct text name;
    VEC(struct text) above;  /* superclass, interfaces */
    VEC(struct text) fields; /* each a name and a descriptor, "pin I" */
};
struct lineage {
    MAP(struct lineage_class) classes;
};

/* Adds what the class file says. False: no memory, and nothing may be concluded any more from what is missing. */
bool lineage_add(struct lineage *l, const struct classfile *cf);
void lineage_done(struct lineage *l);

/* Calls `visit` for the class and what is above it, nearest first, until it says true. With a field, nothing above a
 * class that declares it is visited. LINEAGE_UNKNOWN: a class of the program on the way was not seen yet. */
enum lineage_answer { LINEAGE_NO, LINEAGE_YES, LINEAGE_UNKNOWN };
typedef bool lineage_fn(void *context, struct text class_name);
enum lineage_answer lineage_walk(const struct lineage *l, struct text class_name, struct text field, struct text desc,
                                 lineage_fn *visit, void *context);

#endif
