/* filter.h - decides which classes are woven, by prefixes to include and exclude and by parts of code source locations
 * to exclude.
 *
 * Names are compared in internal form (java/util/List). The longest matching prefix decides; between an include and an
 * exclude of equal length the include wins. An excluded location beats every include. */
#ifndef WEAVER_FILTER_H
#define WEAVER_FILTER_H

#include <stdbool.h>

#include "formats/rows.h"
#include "formats/vec.h"

struct filter_prefix {
    char *prefix; /* internal form; owned */
    bool include, by_user;
};

struct filter {
    VEC(struct filter_prefix) prefixes;
    VEC(char *) locations;
};

/* With the default excludes: the system packages of filter_defaults.def. False: out of memory. */
bool filter_init(struct filter *f);
void filter_done(struct filter *f);
/* `prefix` with dots or slashes. */
bool filter_add(struct filter *f, const char *prefix, bool include);
bool filter_add_location(struct filter *f, const char *text);

/* True if the user includes classes that the defaults exclude (they may be loaded before the agent sees them). */
bool filter_includes_system(const struct filter *f);

/* Why this class is never woven (never.def), NULL if it may be. */
const char *filter_never(struct text class_name);

/* True if the class is to be woven. If not, `why` (if not NULL) gets a text that lives as long as the filter.
 * `location` may be empty. */
bool filter_wants(const struct filter *f, struct text class_name, struct text location, struct text *why);

#endif
