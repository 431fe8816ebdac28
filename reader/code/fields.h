/* fields.h - classes by name and loader, and who declares a field (JVMS 5.4.3.2).
 *
 *     class A { int x; }   class B extends A { int x; }   class C extends B {}
 *     C.x  is  B.x;   ((A) c).x  is  A.x             declaring class, name and type are the field
 *
 * Woven classes are known by their class files, those above them by hierarchy rows. Where a trace tells of neither,
 * what an instruction names stands for itself. Texts live as long as the trace. */
#ifndef READER_FIELDS_H
#define READER_FIELDS_H

#include "reader/trace/internal.h"

/* A field: `type` as in Java source; a class file may declare one name with several types. */
struct field {
    const char *declaring, *name, *type;
    bool is_static; /* as its class declares it; false if that is not known */
};
static inline bool field_same(struct field a, struct field b)
{
    return strcmp(a.name, b.name) == 0 && strcmp(a.declaring, b.declaring) == 0 && strcmp(a.type, b.type) == 0;
}

struct declared {
    const char *name, *type;
    bool is_static;
};
/* One class. */
struct lineage {
    const char *name, *super; /* with dots; super "" if none */
    uint64_t loader;          /* number of its loader */
    bool known;               /* false: neither class file nor row; nothing below is told */
    const char *const *interfaces;
    const struct declared *fields; /* that it declares itself */
    size_t interface_count, field_count;
};
/* The class of that name and loader, else one that the loader may have found elsewhere; NULL: the trace does not know
 * it. */
const struct lineage *lineage_of(hs_trace *t, const char *name, uint64_t loader);
/* Its superclass; NULL if it has none, or that is not known: then `*unknown` is set. */
const struct lineage *lineage_super(hs_trace *t, const struct lineage *c, bool *unknown);
/* All classes, one at a time: NULL behind the last. */
const struct lineage *lineage_at(hs_trace *t, size_t position);
const char *lineage_name_at(hs_trace *t, size_t position); /* without reading it */
void lineage_done(hs_trace *t);

/* The field that `owner`.`name` means for a class of `loader`. `type` NULL: of any type. False: no class declares one,
 * as far as is known, and `out` is what was asked for. */
bool field_find(hs_trace *t, const char *owner, const char *name, const char *type, uint64_t loader, struct field *out);
/* The same from a class on, of any type. */
bool field_find_in(hs_trace *t, const struct lineage *c, const char *name, struct field *out);
/* Does its class declare another one of this name? */
bool field_overloaded(hs_trace *t, struct field f);

#endif
