/* relocate.h - attributes of a Code attribute with every pc replaced by the new one, by the policy of attributes.def.
 * */
#ifndef WEAVER_RELOCATE_H
#define WEAVER_RELOCATE_H

#include "weaver/layout.h"

struct relocation {
    const struct method_plan *m;
    const struct layout *l;
    const uint16_t *handler_index; /* by old exception table index: the new one (ranges may have been split) */
};

enum relocated {
    RELOCATED, /* `w` has the content as it is to be in woven code */
    LEFT_OUT,  /* by policy, or it is malformed in a way that the JVM does not check */
    REFUSED,   /* malformed: the JVM rejects such a class, so it must not become valid by weaving */
};
enum relocated relocate_attribute(const struct relocation *r, struct text name, const struct attribute *a,
                                  struct writer *w);

#endif
