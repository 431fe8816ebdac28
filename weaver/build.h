/* build.h - the new Code attribute: code, exception table with the exceptional exit, frames, relocated attributes. */
#ifndef WEAVER_BUILD_H
#define WEAVER_BUILD_H

#include "weaver/layout.h"

/* Appends the content of the Code attribute. ERR_LIMIT when something does not fit. */
enum status build_code(struct method_plan *m, const struct layout *l, struct writer *w, struct error *err);

/* Pool index of a class constant, added if missing; 0 when the pool is full. */
uint32_t build_class_constant(struct class_plan *c, struct text name);
/* Drops constants at or above `next` when the pool is rewound. */
void build_forget_constants(struct class_plan *c, uint32_t next);

#endif
