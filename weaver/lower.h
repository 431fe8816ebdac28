/* lower.h - from steps and records to inserted code. */
#ifndef WEAVER_LOWER_H
#define WEAVER_LOWER_H

#include "weaver/plan.h"

/* The code of all places. */
void lower_method(struct method_plan *m);
/* That of steps behind the method (plan_exceptional_exit), appended to `code`. */
void lower_exit(struct method_plan *m, struct writer *code);

#endif
