/* statistics.c - see statistics.h. Groups are kept in memory: a number for each run that has the method. */
#include "reader/fleet/statistics.h"

#include <math.h>
#include <stdbool.h>

#include "formats/vec.h"

/* Up to here the numbers of subsets are below 2^53. */
enum { EXACT_MOST = 40 };

struct sample {
    double value;
    bool first; /* of side 1 */
};
struct group {
    VEC(struct sample) samples;
    bool no_memory;
};

static void add(sqlite3_context *context, sqlite3_value *value, bool first)
{
    struct group *g = sqlite3_aggregate_context(context, sizeof *g);
    if (g == NULL || sqlite3_value_type(value) == SQLITE_NULL)
        return;
    struct sample *s = vec_push(&g->samples);
    if (s == NULL)
        g->no_memory = true;
    else
        *s = (struct sample){ sqlite3_value_double(value), first };
}

static int by_value(const void *a, const void *b)
{
    const double x = ((const struct sample *)a)->value, y = ((const struct sample *)b)->value;
    return (x > y) - (x < y);
}

/* The samples in order; NULL: there are none, or memory was out, which is the result then. */
static struct group *sorted(sqlite3_context *context)
{
    struct group *g = sqlite3_aggregate_context(context, 0);
    if (g == NULL || g->samples.count == 0)
        return NULL;
    if (g->no_memory) {
        sqlite3_result_error_nomem(context);
        vec_free(&g->samples);
        return NULL;
    }
    qsort(g->samples.items, g->samples.count, sizeof *g->samples.items, by_value);
    return g;
}

/* ---- median ---- */

static void median_step(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    add(context, values[0], false);
}

static void median_end(sqlite3_context *context)
{
    struct group *g = sorted(context);
    if (g == NULL)
        return;
    const size_t n = g->samples.count;
    sqlite3_result_double(context, (g->samples.items[(n - 1) / 2].value + g->samples.items[n / 2].value) / 2);
    vec_free(&g->samples);
}

/* ---- the test of Mann and Whitney ----
 *
 * U: the number of pairs in which the value of side 1 is the greater one, equal ones count one half. Without equal
 * values and with up to 40 runs p is exact: how many of the subsets of n1 of the ranks 1..n1+n2 have an U so far from
 * its mean (H. B. Mann, D. R. Whitney: On a test of whether one of two random variables is stochastically larger than
 * the other, Ann. Math. Statist. 18, 1947, 50-60; the numbers of subsets are coefficients of the Gaussian binomial).
 * Else the normal distribution with the variance for ties and half a pair for continuity (E. L. Lehmann:
 * Nonparametrics, 1975, section 1.4). */

/* The share of subsets whose U is at most `u`. */
static double exact_tail(size_t n1, size_t n2, size_t u)
{
    double *ways = calloc(n1 * n2 + 1, sizeof *ways), tail = 0, all = 0;
    if (ways == NULL)
        return NAN;
    ways[0] = 1;
    for (size_t i = 1; i <= n1; i++) { /* times (1 - x^(n2 + i)) / (1 - x^i) */
        for (size_t k = n1 * n2; k >= n2 + i; k--)
            ways[k] -= ways[k - n2 - i];
        for (size_t k = i; k <= n1 * n2; k++)
            ways[k] += ways[k - i];
    }
    for (size_t k = 0; k <= n1 * n2; k++) {
        tail += k <= u ? ways[k] : 0;
        all += ways[k];
    }
    free(ways);
    return tail / all;
}

static double normal_p(double n1, double n2, double u, double ties)
{
    const double n = n1 + n2, variance = n1 * n2 / 12 * (n + 1 - ties / (n * (n - 1)));
    const double off = fabs(u - n1 * n2 / 2) - 0.5;
    return variance > 0 && off > 0 ? erfc(off / sqrt(2 * variance)) : 1;
}

static void test_step(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    add(context, values[1], sqlite3_value_int64(values[0]) == 1);
}

static void test_end(sqlite3_context *context)
{
    struct group *g = sorted(context);
    if (g == NULL)
        return;
    const struct sample *s = g->samples.items;
    const size_t n = g->samples.count;
    size_t n1 = 0;
    double ranks = 0, ties = 0;
    for (size_t from = 0, to; from < n; from = to) { /* equal values have the mean of their ranks */
        size_t firsts = 0;
        for (to = from; to < n && s[to].value <= s[from].value; to++)
            firsts += s[to].first;
        const double t = (double)(to - from);
        ranks += (double)firsts * ((double)(from + to) + 1) / 2;
        ties += t * t * t - t;
        n1 += firsts;
    }
    const size_t n2 = n - n1;
    const double pairs = (double)n1 * (double)n2, u = ranks - (double)n1 * ((double)n1 + 1) / 2;
    vec_free(&g->samples);
    if (n1 == 0 || n2 == 0)
        return;
    if (ties > 0 || n > EXACT_MOST) {
        sqlite3_result_double(context, normal_p((double)n1, (double)n2, u, ties));
        return;
    }
    const double p = 2 * exact_tail(n1, n2, (size_t)(u < pairs - u ? u : pairs - u));
    if (isnan(p))
        sqlite3_result_error_nomem(context);
    else
        sqlite3_result_double(context, p < 1 ? p : 1);
}

enum status statistics_create(sqlite3 *db, struct error *err)
{
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    if (sqlite3_create_function(db, "median", 1, flags, NULL, NULL, median_step, median_end) != SQLITE_OK ||
        sqlite3_create_function(db, "mann_whitney", 2, flags, NULL, NULL, test_step, test_end) != SQLITE_OK)
        return error_memory(err, "SQLite");
    return OK;
}
