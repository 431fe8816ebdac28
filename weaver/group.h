/* group.h - which events share a record, that is one call of a hook. */
#ifndef WEAVER_GROUP_H
#define WEAVER_GROUP_H

#include "weaver/plan.h"

/* Makes the records of the steps of a method; of those behind it (plan_exceptional_exit). Without memory for all
 * method_plan.glue is bad, and nothing can be lowered. */
void group_method(struct method_plan *m);
void group_exit(struct method_plan *m);

#endif
