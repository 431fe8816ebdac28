/* classes.h - the classes of a trace by name, and their class files with fields */
#ifndef READER_FSCK_CLASSES_H
#define READER_FSCK_CLASSES_H

#include "formats/jvm/classfile.h"
#include "reader/fsck/check.h"

/* A field as its class declares it. */
struct ffield {
    struct fclass *declares; /* NULL: not a woven class, so nothing is known of the field */
    uint64_t key;
    bool is_volatile, is_private, is_static;
    uint32_t thread; /* statics: the one that wrote; UINT32_MAX none */
    bool many;       /* statics: several wrote */
};

struct fclass {
    const struct hs_class *row;
    const struct classfile *cf;
    bool tried, usable;
    struct ffield *fields; /* by index in the class file */
};

bool fclasses_init(struct fsck *f);
void fclasses_done(struct fsck *f);
/* Superclasses that are followed: there are no more above each other, or hierarchy.h says so. */
enum { SUPERCLASSES_MOST = 1000 };
/* The class of that name (as in Java source), NULL if there is none or more than one. */
struct fclass *class_by_name(struct fsck *f, const char *name, size_t size);
struct fclass *class_super(struct fsck *f, const struct fclass *c); /* NULL as class_by_name */
struct fclass *class_need(struct fsck *f, struct fclass *c);        /* with its class file read; NULL if it cannot be */
/* Reports what is wrong with the code of all woven classes, and places their data IDs. */
void fsck_code(struct fsck *f);
static inline bool class_is_woven(const struct fclass *c) { return c != NULL && c->row->state == HS_CLASS_WOVEN; }

#endif
