/* unwoven.h - methods that are not woven because an option says so: skip=generated, fold=trivial. */
#ifndef WEAVER_UNWOVEN_H
#define WEAVER_UNWOVEN_H

#include "weaver/class_plan.h"

/* Why the method of that name is left out, NULL if it is woven. */
const char *unwoven_why(const struct class_plan *c, const struct member *m, struct text name);
/* The instructions of a method; empty without. */
struct text unwoven_code(const struct classfile *cf, const struct member *m);

#endif
