/* filter.c - see filter.h. */
#include "weaver/filter.h"

#include <stdlib.h>
#include <string.h>

static bool add(struct filter *f, const char *prefix, bool include, bool by_user)
{
    char *copy = strdup(prefix);
    struct filter_prefix *p = copy != NULL ? vec_push(&f->prefixes) : NULL;
    if (p == NULL) {
        free(copy);
        return false;
    }
    for (char *c = copy; *c != '\0'; c++)
        if (*c == '.')
            *c = '/';
    *p = (struct filter_prefix){ copy, include, by_user };
    return true;
}

bool filter_init(struct filter *f)
{
    *f = (struct filter){ 0 };
#define EXCLUDE(prefix)                                                                                                \
    if (!add(f, prefix, false, false))                                                                                 \
        return false;
#include "weaver/filter_defaults.def"
#undef EXCLUDE
    return true;
}

void filter_done(struct filter *f)
{
    for (size_t i = 0; i < f->prefixes.count; i++)
        free(f->prefixes.items[i].prefix);
    for (size_t i = 0; i < f->locations.count; i++)
        free(f->locations.items[i]);
    vec_free(&f->prefixes);
    vec_free(&f->locations);
}

bool filter_add(struct filter *f, const char *prefix, bool include) { return add(f, prefix, include, true); }

bool filter_add_location(struct filter *f, const char *text)
{
    char **slot = vec_push(&f->locations);
    if (slot == NULL)
        return false;
    *slot = strdup(text);
    return *slot != NULL;
}

bool filter_includes_system(const struct filter *f)
{
    static const char *const defaults[] = {
#define EXCLUDE(prefix) prefix,
#include "weaver/filter_defaults.def"
#undef EXCLUDE
    };
    for (size_t i = 0; i < f->prefixes.count; i++)
        for (size_t k = 0; f->prefixes.items[i].include && k < sizeof defaults / sizeof *defaults; k++) {
            size_t n = strlen(f->prefixes.items[i].prefix), m = strlen(defaults[k]);
            if (strncmp(f->prefixes.items[i].prefix, defaults[k], n < m ? n : m) == 0)
                return true;
        }
    return false;
}

const char *filter_never(struct text class_name)
{
    static const struct {
        const char *name, *why;
    } never[] = {
#define NEVER(name, why) { name, why },
#include "weaver/never.def"
#undef NEVER
    };
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        size_t n = strlen(never[i].name);
        char last = never[i].name[n - 1];
        if (class_name.size >= n && memcmp(class_name.data, never[i].name, n) == 0 &&
            (class_name.size == n || last == '$' || last == '/'))
            return never[i].why;
    }
    return NULL;
}

bool filter_wants(const struct filter *f, struct text class_name, struct text location, struct text *why)
{
    const struct filter_prefix *best = NULL;
    size_t best_length = 0;
    for (size_t i = 0; i < f->prefixes.count; i++) {
        const struct filter_prefix *p = &f->prefixes.items[i];
        size_t n = strlen(p->prefix);
        if (n > class_name.size || memcmp(p->prefix, class_name.data, n) != 0)
            continue;
        if (best == NULL || n > best_length || (n == best_length && p->include)) {
            best = p;
            best_length = n;
        }
    }
    struct text reason = { NULL, 0 };
    if (best != NULL && !best->include)
        reason = (struct text){ best->prefix, best_length };
    for (size_t i = 0; i < f->locations.count && reason.data == NULL; i++)
        if (location.size > 0 &&
            memmem(location.data, location.size, f->locations.items[i], strlen(f->locations.items[i])) != NULL)
            reason = (struct text){ f->locations.items[i], strlen(f->locations.items[i]) };
    if (why != NULL && reason.data != NULL)
        *why = reason;
    return reason.data == NULL;
}
