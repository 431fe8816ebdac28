/* identity.c - see diff.h. When are two values of two runs the same?
 *
 * Ids of objects differ from run to run. Two objects are the same if they have the same type and each was first seen
 * where the other was: the pairs are kept in two tables, by the id of either. The tables have a fixed size. A pair
 * that another one has replaced is forgotten, and its objects are seen for the first time again; so a trace with more
 * objects than that may have differences of identity that are not found, never ones that are not there. */
#include <string.h>

#include "reader/compare/diff.h"

enum { PAIRS = 1 << 20 }; /* ids are given one after the other: those that live at a time share few places */

bool diff_identity_init(struct diff *d)
{
    for (int side = 0; side < 2; side++)
        d->pairs[side] = calloc(PAIRS, sizeof *d->pairs[side]);
    return d->pairs[0] != NULL && d->pairs[1] != NULL;
}

void diff_identity_clear(struct diff *d)
{
    for (int side = 0; side < 2; side++)
        memset(d->pairs[side], 0, PAIRS * sizeof *d->pairs[side]);
}

void diff_identity_done(struct diff *d)
{
    free(d->pairs[0]);
    free(d->pairs[1]);
}

/* The other object of a pair, 0: none is known. */
static uint32_t other_of(const struct diff *d, int side, uint32_t id)
{
    const struct diff_pair *p = &d->pairs[side][id % PAIRS];
    return p->id == id ? p->other : 0;
}

/* Classes that the JVM makes have a number in their names, which differs from run to run. */
static bool same_type(const struct diff *d, const char *a, const char *b)
{
    static const char *const made[] = { "$$Lambda", "/0x", "$Proxy", "LambdaForm$", NULL };
    if (a == NULL || b == NULL || strcmp(a, b) == 0)
        return a == b || (a != NULL && b != NULL);
    for (size_t i = 0; made[i] != NULL; i++) {
        const char *in_a = strstr(a, made[i]), *in_b = strstr(b, made[i]);
        if (in_a != NULL && in_b != NULL && in_a - a == in_b - b && memcmp(a, b, (size_t)(in_a - a)) == 0)
            return true;
    }
    bool number = false;
    return diff_name(d, a, &number) == diff_name(d, b, &number) && number;
}

static bool same_string(const struct hs_object *a, const struct hs_object *b)
{
    return a->length == b->length && a->latin1 == b->latin1 && a->data_bytes == b->data_bytes &&
           (a->data_bytes == 0 || memcmp(a->data, b->data, a->data_bytes) == 0);
}

/* `id` is no longer the object of the other trace that `old` is, but `now`. */
static void forget(struct diff *d, int side, uint32_t id, uint32_t old, uint32_t now)
{
    struct diff_pair *p = &d->pairs[side][old % PAIRS];
    if (old != 0 && old != now && p->id == old && p->other == id)
        *p = (struct diff_pair){ 0 };
}

static bool same_object(struct diff *d, uint32_t a, uint32_t b)
{
    uint32_t of_a = other_of(d, 0, a), of_b = other_of(d, 1, b);
    if (of_a == b && of_b == a)
        return true;
    const struct hs_object *in_a = hs_object_get(d->sides[0].trace, a), *in_b = hs_object_get(d->sides[1].trace, b);
    if ((in_a == NULL) != (in_b == NULL))
        return false;
    bool strings = in_a != NULL && in_a->has_string && in_b->has_string;
    bool same = strings || in_a == NULL || same_type(d, in_a->type, in_b->type);
    if (strings)
        same = same_string(in_a, in_b);
    else if (same && ((of_a != 0 && of_a != b) || (of_b != 0 && of_b != a))) {
        d->was[0] = of_a;
        d->was[1] = of_b;
        same = false;
    }
    if (!same && strings)
        return false;
    forget(d, 0, b, of_b, a); /* a difference is found once: from here on these two are one object */
    forget(d, 1, a, of_a, b);
    d->pairs[0][a % PAIRS] = (struct diff_pair){ a, b };
    d->pairs[1][b % PAIRS] = (struct diff_pair){ b, a };
    return same;
}

bool diff_same_value(struct diff *d, const struct hs_event *a, const struct hs_event *b)
{
    d->was[0] = d->was[1] = 0;
    if (a->kind != b->kind)
        return false;
    if (a->kind == HS_KIND_REF && a->value != 0 && b->value != 0 && a->value <= UINT32_MAX && b->value <= UINT32_MAX)
        return same_object(d, (uint32_t)a->value, (uint32_t)b->value);
    if (a->kind != HS_KIND_PC)
        return a->value == b->value;
    const struct diff_site *site = diff_site(d, 0, a->dataid); /* pcs of code that has changed say nothing */
    return site == NULL || !d->methods.items[site->method].same || a->value == b->value;
}
