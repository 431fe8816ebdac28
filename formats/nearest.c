/* nearest.c - see nearest.h. */
#include "formats/nearest.h"

#include <stdio.h>
#include <string.h>

enum { LENGTH_MAX = 100 }; /* longer names are not compared */

void nearest_init(struct nearest *n, const char *wanted)
{
    *n = (struct nearest){ .wanted = wanted, .length = strlen(wanted) };
    n->most = n->length < 6 ? 1 + n->length / 4 : n->length / 3;
    if (strpbrk(wanted, "*?") != NULL)
        n->length = 0; /* a glob is like nothing */
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Row by row of the usual table: distances between the beginnings of `a` and those of `b`. A row has nothing below the
 * least of the two before it: one that is more than `most` is the answer. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length, size_t most)
{
    size_t rows[3][LENGTH_MAX + 1], *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t k = 0; k <= b_length; k++)
        last[k] = before[k] = k;
    size_t least_last = 0;
    for (size_t i = 1; i <= a_length; i++) {
        size_t least_now = now[0] = i;
        for (size_t k = 1; k <= b_length; k++) {
            char x = lower(a[i - 1]), y = lower(b[k - 1]);
            now[k] = least(least(last[k], now[k - 1]) + 1, last[k - 1] + (x != y));
            if (i > 1 && k > 1 && x == lower(b[k - 2]) && y == lower(a[i - 2]))
                now[k] = least(now[k], before[k - 2] + 1);
            least_now = least(least_now, now[k]);
        }
        if (least(least_last, least_now) > most)
            return least(least_last, least_now);
        least_last = least_now;
        size_t *free_row = before;
        before = last;
        last = now;
        now = free_row;
    }
    return last[b_length];
}

static void keep(struct nearest *n, const char *shown, size_t d)
{
    size_t at = 0;
    for (size_t i = 0; i < n->count; i++)
        if (strncmp(n->best[i].name, shown, NEAREST_NAME_MAX - 1) == 0)
            return; /* of its forms the first that is like it counts */
    while (at < n->count && n->best[at].distance <= d)
        at++;
    if (at == NEAREST_KEPT)
        return;
    n->count = least(n->count + 1, NEAREST_KEPT);
    memmove(&n->best[at + 1], &n->best[at], (n->count - at - 1) * sizeof n->best[0]);
    n->best[at].distance = d;
    (void)snprintf(n->best[at].name, NEAREST_NAME_MAX, "%s", shown);
}

void nearest_offer_as(struct nearest *n, const char *name, const char *shown)
{
    n->exact |= strcmp(name, n->wanted) == 0;
    size_t length = strlen(name), longer = length > n->length ? length : n->length;
    if (n->length == 0 || longer > LENGTH_MAX || longer - least(length, n->length) > n->most)
        return;
    size_t d = distance(n->wanted, n->length, name, length, n->most);
    if (d <= n->most)
        keep(n, shown, d);
}

void nearest_offer(struct nearest *n, const char *name) { nearest_offer_as(n, name, name); }

void nearest_offer_class(struct nearest *n, const char *name)
{
    const char *dot = strrchr(name, '.'), *dollar = strrchr(name, '$');
    if (dollar != NULL && dollar[1] != '\0')
        nearest_offer_as(n, dollar + 1, name);
    if (dot != NULL)
        nearest_offer_as(n, dot + 1, name);
    nearest_offer(n, name);
}

const char *nearest_text(const struct nearest *n, char out[NEAREST_TEXT_MAX])
{
    size_t at = 0;
    out[0] = '\0';
    for (size_t i = 0; i < n->count; i++)
        at += (size_t)snprintf(out + at, NEAREST_TEXT_MAX - at, "%s%s", i == 0 ? "; the nearest: " : ", ",
                               n->best[i].name);
    return out;
}
