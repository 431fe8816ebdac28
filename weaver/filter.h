/* filter.h - decides which classes are woven, by beginnings of their names and by parts of code source locations.
 *
 *     only   nothing is woven but classes that begin so
 *     i, e   include and exclude; an exclude also takes out of `only`
 *
 * Names are compared in internal form (java/util/List); a * in a prefix stands for any text, so *$MockitoMock$ names
 * classes whose beginning nobody knows. Between i and e the longest matching beginning of the name decides, between
 * equal ones the include. The system packages are left out unless an `only` or `i` is as long. An excluded location
 * beats every include. */
#ifndef WEAVER_FILTER_H
#define WEAVER_FILTER_H

#include <stdbool.h>

#include "formats/rows.h"
#include "formats/vec.h"

enum filter_kind { FILTER_INCLUDE, FILTER_EXCLUDE, FILTER_ONLY, FILTER_SYSTEM, FILTER_KINDS };
struct filter_prefix {
    char *prefix; /* internal form; owned */
    enum filter_kind kind;
};

struct filter {
    VEC(struct filter_prefix) prefixes;
    VEC(char *) locations;
};

/* With the default excludes: the system packages of filter_defaults.def. False: out of memory. */
bool filter_init(struct filter *f);
void filter_done(struct filter *f);
/* `prefix` with dots or slashes. */
bool filter_add(struct filter *f, const char *prefix, enum filter_kind kind);
bool filter_add_location(struct filter *f, const char *text);

/* True if the user may include classes that the defaults exclude (they may be loaded before the agent sees them). */
bool filter_includes_system(const struct filter *f);

/* Why this class is never woven (never.def), NULL if it may be. */
const char *filter_never(struct text class_name);

/* True if the class is to be woven. If not, `why` (if not NULL) gets a text that lives as long as the filter.
 * `location` may be empty. */
bool filter_wants(const struct filter *f, struct text class_name, struct text location, struct text *why);

#endif
