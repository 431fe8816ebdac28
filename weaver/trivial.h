/* trivial.h - methods that do nothing worth an entry and an exit: fold=trivial.
 *
 * A method is trivial if its code is short, has no branch, call, allocation, monitor or handler, and ends in a return:
 * it returns a field, a constant, an argument or what arithmetic makes of them, or does nothing. One that sets a field
 * is, too, where writes of fields are not recorded. What it throws is then thrown by the call, in its caller. */
#ifndef WEAVER_TRIVIAL_H
#define WEAVER_TRIVIAL_H

#include "formats/event.h"
#include "formats/jvm/classfile.h"

/* Is it, if these groups are to be woven? `code`: its instructions. */
bool trivial_method(const struct classfile *cf, const struct member *m, struct text code, group_set groups);

#endif
