/* redact.h - the places whose values are kept out of the trace: redact=GLOB.
 *
 * A place is a field, a parameter or other local variable, the result of a method, or an element of an array. A glob
 * (fnmatch) matches it by any of: its name (password), its name with the class (a.b.Login.password; of a local
 * variable a.b.Login.check:password), its type as in Java source (java.lang.String, char[] for elements). In a nested
 * class its names have $ or, as in Java source, a dot: a.b.Login$Form.pin, a.b.Login.Form.pin.
 *
 * Numbers of such a place are recorded as events without a value. References keep their id; before one is recorded,
 * woven code gives the object to config->redact_class, whose note(Object) remembers the content (logging/agent/
 * secrets.c). That also happens where a value is made that the next instruction puts into such a place. */
#ifndef WEAVER_REDACT_H
#define WEAVER_REDACT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "formats/rows.h"
#include "formats/vec.h"

struct redact_glob {
    char *text;
    atomic_bool matched; /* some place was hidden because of it; weaving sets it and never looks at it for its result */
};
struct redact {
    VEC(struct redact_glob) globs;
};

/* False: out of memory. */
bool redact_add(struct redact *r, const char *glob);
void redact_done(struct redact *r);
/* `owner` is an internal name; `local` is empty but for local variables of the method `member`. */
bool redact_hides(struct redact *r, struct text owner, struct text member, struct text local, struct text type);

#endif
