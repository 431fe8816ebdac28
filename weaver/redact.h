/* redact.h - the places whose values are kept out of the trace: redact=GLOB.
 *
 * A place is a field, a parameter or other local variable, the result of a method, or an element of an array. A glob
 * (fnmatch) matches it by any of: its name (password), its name with the class (a.b.Login.password; of a local
 * variable a.b.Login.check:password), its type as in Java source (java.lang.String, char[] for elements). In a nested
 * class its names have $ or, as in Java source, a dot: a.b.Login$Form.pin, a.b.Login.Form.pin.
 *
 * The class of an instruction need not be the one that a user means. With a class in the glob,
 *     a field, a static method   is matched by each class that the named one inherits it from, as far as is known
 *                                (lineage.h); by any class where one of them was not seen yet
 *     another method             is matched by its name whatever the class: a call through an interface or a class
 *                                above may enter it, a class that is not loaded yet may override it
 *     a captured variable        (field val$pin of a local class, variable of a lambda's body) by its own name alone
 * A guess of these needs a name in the glob: Login.* says nothing about methods of other classes.
 *
 * Numbers of such a place are recorded as events without a value. References keep their id; before one is recorded,
 * woven code gives the object to config->redact_class, whose note(Object) remembers the content (logging/agent/
 * secrets.c). Copies of such a value that have no name are kept out too (hidden.h). */
#ifndef WEAVER_REDACT_H
#define WEAVER_REDACT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "formats/rows.h"
#include "formats/vec.h"
#include "weaver/lineage.h"

struct redact_glob {
    char *text;
    /* of a.b.Login.check:password: a.b.Login.check, check, password; NULL: it has none */
    char *whole_member, *member_part, *local_part;
    bool named; /* the member part is not only * and ? */
    /* Some place was hidden because of it, by its name; by a guess; a class that was seen declares what it names.
     * Weaving sets them and never looks at them for its result. */
    atomic_bool matched, guessed, declared;
};
struct redact {
    VEC(struct redact_glob) globs;
    struct lineage lineage;
    bool lost; /* no memory for a class: nothing is known to be unrelated */
};

enum redact_kind {
    REDACT_FIELD,    /* of an instruction */
    REDACT_RESOLVED, /* the result of a method that the instruction resolves: static, private, super */
    REDACT_CALLED,   /* of one that the object selects */
    REDACT_OWN,      /* of the method being woven, if others may override it; its variables */
    REDACT_OWN_ONLY, /* of one that none overrides */
    REDACT_TYPE,     /* by the type alone */
};
struct redact_place {
    enum redact_kind kind;
    struct text owner;        /* internal name */
    struct text member, desc; /* of a field or method; desc of fields alone */
    struct text local;        /* of a variable of the method `member`, else empty */
    struct text type;         /* as in Java source */
};

/* False: out of memory. */
bool redact_add(struct redact *r, const char *glob);
void redact_done(struct redact *r);
/* Every class that is loaded while something is woven, before it is woven. */
void redact_see_class(struct redact *r, const void *bytes, size_t size);
bool redact_hides(struct redact *r, const struct redact_place *place);
/* Has the glob hidden nothing that bears its name? */
bool redact_unmatched(const struct redact_glob *g);

#endif
