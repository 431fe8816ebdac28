/* filter.c - see filter.h. */
#include "weaver/filter.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

bool filter_add(struct filter *f, const char *prefix, enum filter_kind kind)
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
    *p = (struct filter_prefix){ copy, kind };
    return true;
}

bool filter_init(struct filter *f)
{
    *f = (struct filter){ 0 };
#define EXCLUDE(prefix)                                                                                                \
    if (!filter_add(f, prefix, FILTER_SYSTEM))                                                                         \
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
    for (size_t i = 0; i < f->prefixes.count; i++) {
        const struct filter_prefix *p = &f->prefixes.items[i];
        const bool includes = p->kind == FILTER_INCLUDE || p->kind == FILTER_ONLY;
        for (size_t k = 0; includes && k < sizeof defaults / sizeof *defaults; k++) {
            size_t n = strcspn(p->prefix, "*"), m = strlen(defaults[k]);
            if (strncmp(p->prefix, defaults[k], n < m ? n : m) == 0)
                return true;
        }
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

/* The first place of `part` in the text, or the last one; NULL: there is none. */
static const char *find(const char *from, const char *end, const char *part, size_t n, bool last)
{
    const char *found = memmem(from, (size_t)(end - from), part, n);
    while (last && n > 0 && found != NULL && (from = memmem(found + 1, (size_t)(end - found - 1), part, n)) != NULL)
        found = from;
    return last && n == 0 ? end : found;
}

/* How much of the beginning of the name matches, as much as possible; -1: it does not match. */
static ssize_t matches(const char *prefix, struct text name)
{
    size_t at = strcspn(prefix, "*");
    if (at > name.size || memcmp(prefix, name.data, at) != 0)
        return -1;
    for (const char *part = prefix + at; *part == '*';) {
        size_t n = strcspn(++part, "*");
        const char *found = find(name.data + at, name.data + name.size, part, n, part[n] == '\0');
        if (found == NULL)
            return -1;
        at = (size_t)(found - name.data) + n;
        part += n;
    }
    return (ssize_t)at;
}

bool filter_wants(const struct filter *f, struct text class_name, struct text location, struct text *why)
{
    const struct filter_prefix *best[FILTER_KINDS] = { NULL };
    ssize_t longest[FILTER_KINDS] = { -1, -1, -1, -1 };
    bool only = false;
    for (size_t i = 0; i < f->prefixes.count; i++) {
        const struct filter_prefix *p = &f->prefixes.items[i];
        ssize_t n = matches(p->prefix, class_name);
        only |= p->kind == FILTER_ONLY;
        if (n > longest[p->kind]) {
            best[p->kind] = p;
            longest[p->kind] = n;
        }
    }
    const ssize_t i = longest[FILTER_INCLUDE], named = i > longest[FILTER_ONLY] ? i : longest[FILTER_ONLY];
    const char *reason = NULL;
    if (only && longest[FILTER_ONLY] < 0)
        reason = "not named by only=";
    else if (longest[FILTER_EXCLUDE] > i)
        reason = best[FILTER_EXCLUDE]->prefix;
    else if (longest[FILTER_SYSTEM] > named)
        reason = best[FILTER_SYSTEM]->prefix;
    for (size_t k = 0; k < f->locations.count && reason == NULL; k++)
        if (location.size > 0 &&
            memmem(location.data, location.size, f->locations.items[k], strlen(f->locations.items[k])) != NULL)
            reason = f->locations.items[k];
    if (why != NULL && reason != NULL)
        *why = (struct text){ reason, strlen(reason) };
    return reason == NULL;
}
