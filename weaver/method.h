/* method.h - one method: plan, lay out, write its new Code attribute; give up groups until it fits. */
#ifndef WEAVER_METHOD_H
#define WEAVER_METHOD_H

#include "weaver/class_plan.h"

/* Weaves `member` and replaces its Code attribute's bytes. Fills the groups and the reason of `row`. Anything but
 * ERR_MEMORY leaves the class usable: the method is unchanged and `row->reason` says why. */
void method_buffers_done(struct plan_buffers *b); /* class_plan.buffers, which may be NULL */
enum status method_weave(struct class_plan *c, struct member *member, uint32_t index, struct method_row *row,
                         struct error *err);

#endif
