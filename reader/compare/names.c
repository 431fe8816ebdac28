/* names.c - see diff.h. Names without the numbers that a compiler gives: x$5, lambda$main$4, Outer$1, fn__286.
 *
 * Another build of a program numbers them anew. Of one build they say which it is, so they are left out only where the
 * traces have classes of one name with different code. */
#include <string.h>

#include "reader/compare/diff.h"

/* What stands before such a number. */
static const char *const numbered[] = { "$", "__", "$Proxy", "$eval", "_closure", "lambda-" };

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool ends_with(const char *text, size_t length, const char *end)
{
    const size_t n = strlen(end);
    return length >= n && memcmp(text + length - n, end, n) == 0;
}

/* Does a number begin at this digit? */
static bool is_number(const char *text, size_t at)
{
    for (size_t i = 0; i < sizeof numbered / sizeof *numbered; i++)
        if (ends_with(text, at, numbered[i]))
            return true;
    return false;
}

uint64_t diff_name(const struct diff *d, const char *text, bool *has_number)
{
    uint64_t hash = 1;
    size_t begin = 0, at = 0;
    for (; d->rebuilt && text[at] != '\0'; at++) {
        if (!is_digit(text[at]) || !is_number(text, at))
            continue;
        hash = diff_mix(hash, map_hash(text + begin, at - begin));
        *has_number = true;
        while (is_digit(text[at + 1]))
            at++;
        begin = at + 1;
    }
    return diff_mix(hash, map_hash(text + begin, strlen(text + begin)));
}

const struct hs_attr *diff_attribute(const struct hs_dataid *d, const char *name)
{
    for (uint32_t i = 0; i < d->attr_count; i++)
        if (strcmp(d->attrs[i]->name, name) == 0)
            return d->attrs[i];
    return NULL;
}
