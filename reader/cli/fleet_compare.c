/* fleet_compare.c - `hindsight fleet compare BUILD1 BUILD2`: exceptions that only one of them has, and methods whose
 * time changed: one question in SQL. */
#include <stdlib.h>
#include <string.h>

#include "reader/cli/fleet_args.h"
#include "reader/fleet/query.h"

/* Which runs are of a build: a label KEY=VALUE, or the hash of a class. */
static char *runs_of(const char *build)
{
    const size_t key = strcspn(build, "=");
    return build[key] == '=' ? sqlite3_mprintf("(SELECT run FROM labels WHERE key = '%.*q' AND value = %Q)", (int)key,
                                               build, build + key + 1)
                             : sqlite3_mprintf("(SELECT run FROM builds WHERE hash = %Q)", build);
}

/* A run that is of both builds is of none. `times`: the time of a call itself, in each run; the median is that of the
 * runs. `corrected`: the p of all methods by Benjamini and Hochberg (J. R. Statist. Soc. B 57, 1995, 289-300),
 * since of a thousand methods that did not change fifty have a p below 0.05. */
#define SIDES                                                                                                          \
    "WITH RECURSIVE sides(run, side) AS (SELECT run, 1 FROM runs WHERE run IN %s AND run NOT IN %s"                    \
    " UNION ALL SELECT run, 2 FROM runs WHERE run IN %s AND run NOT IN %s),"                                           \
    " times AS (SELECT run, side, class, method, \"desc\", sum(self_ns) * 1.0 / sum(calls) AS ns"                      \
    "  FROM calls JOIN sides USING (run) WHERE calls > 0 AND self_ns IS NOT NULL"                                      \
    "  GROUP BY run, side, class, method, \"desc\"),"                                                                  \
    " methods AS (SELECT class, method, \"desc\", sum(side = 1) AS runs1, sum(side = 2) AS runs2,"                     \
    "  median(ns) FILTER (WHERE side = 1) AS before, median(ns) FILTER (WHERE side = 2) AS after,"                     \
    "  mann_whitney(side, ns) AS p FROM times GROUP BY class, method, \"desc\" HAVING p IS NOT NULL)"

static const char rows[] =
    SIDES ", ranked AS (SELECT *, row_number() OVER (ORDER BY p, class, method, \"desc\") AS k FROM methods),"
          " corrected AS (SELECT *, min(1, min(p * (SELECT count(*) FROM methods) / k) OVER (ORDER BY k DESC)) AS q"
          "  FROM ranked),"
          " shapes AS (SELECT type, class, method, count(DISTINCT run) FILTER (WHERE side = 1) AS runs1,"
          "  count(DISTINCT run) FILTER (WHERE side = 2) AS runs2, sum(count) AS times FROM exceptions"
          "  JOIN sides USING (run) GROUP BY type, class, method),"
          " changes AS (SELECT CASE runs1 WHEN 0 THEN 1 ELSE 2 END AS place, class, method, type AS what, runs1, runs2,"
          "  CASE runs1 WHEN 0 THEN 0 ELSE times END AS before, CASE runs1 WHEN 0 THEN times ELSE 0 END AS after,"
          "  NULL AS ratio, NULL AS p, NULL AS q FROM shapes WHERE runs1 = 0 OR runs2 = 0"
          "  UNION ALL SELECT CASE WHEN after > before THEN 3 ELSE 4 END, class, method, \"desc\", runs1, runs2,"
          "   round(before, 1), round(after, 1), round(after / before, 3), p, q FROM corrected WHERE q <= 0.05)"
          " SELECT CASE place WHEN 1 THEN 'new exception' WHEN 2 THEN 'gone exception' WHEN 3 THEN 'slower'"
          "  ELSE 'faster' END AS change, class, method, what, runs1, runs2, before, after, ratio, p, q FROM changes"
          " ORDER BY place, max(ratio, 1 / ratio) DESC, class, method, what";

/* Why it is not answered, or how much the answer rests on; `least`: the p of values of which those of one side are all
 * below those of the other. */
static const char first[] =
    SIDES ", n(n1, n2, m) AS (SELECT (SELECT count(*) FROM sides WHERE side = 1),"
          "  (SELECT count(*) FROM sides WHERE side = 2), (SELECT count(*) FROM methods)),"
          " numbers(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM numbers, n WHERE v < n1 + n2),"
          " least(p) AS (SELECT mann_whitney(v <= n1, v) FROM numbers, n)"
          " SELECT n1 = 0 OR n2 = 0, CASE WHEN n1 = 0 THEN 'no run is of the build ' || %Q"
          " WHEN n2 = 0 THEN 'no run is of the build ' || %Q"
          " ELSE n1 || ' and ' || n2 || ' runs, ' || m || ' methods have times in both'"
          " || CASE WHEN p > 0.05 THEN '; so few runs cannot show that a time changed' ELSE '' END END FROM n, least";

int fleet_compare(struct context *context, const struct fleet_args *a, struct place *p)
{
    if (a->common.argument_count != 3)
        return cli_fail(EXIT_USAGE, context,
                        "compare wants two builds: labels KEY=VALUE, or hashes of a class (hindsight fleet query "
                        "'SELECT class, hash FROM builds')");
    const char *one = a->common.arguments[1], *two = a->common.arguments[2];
    char *of1 = runs_of(one), *of2 = runs_of(two);
    char *sql = sqlite3_mprintf(rows, of1, of2, of2, of1);
    char *before = sqlite3_mprintf(first, of1, of2, of2, of1, one, two);
    const struct fleet_question question = { .common = &a->common,
                                             .sql = sql,
                                             .first = before,
                                             .clickhouse = { &a->servers, NULL, NULL },
                                             .fail_if_any = a->fail_if_any };
    int status = of1 != NULL && of2 != NULL && sql != NULL && before != NULL
                     ? fleet_ask(context, &question, p)
                     : cli_fail(EXIT_FAILED, context, "out of memory");
    sqlite3_free(of1);
    sqlite3_free(of2);
    sqlite3_free(sql);
    sqlite3_free(before);
    return status;
}
