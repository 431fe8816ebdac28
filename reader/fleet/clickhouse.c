/* clickhouse.c - see clickhouse.h. The statements are those of ClickHouse 18.16 (Debian's) and later.
 * https://clickhouse.com/docs/interfaces/http */
#include "reader/fleet/clickhouse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "reader/command/clickhouse_server.h"
#include "reader/command/progress_line.h"
#include "reader/fleet/catalogue.h"
#include "reader/fleet/clickhouse_sql.h"
#include "reader/tables/sql_tables.h"

enum { BATCH_BYTES = 8 << 20, BATCH_RUNS = 100, ASK_TRIES = 10 };

struct servers {
    const struct clickhouse *clickhouse;
    const char *database;
    struct clickhouse_client client;
    sqlite3 *db;
};

/* ---- requests ---- */

enum status clickhouse_check(const struct clickhouse *c, struct error *err)
{
    enum status st = OK;
    for (size_t i = 0; st == OK && i < c->servers->count; i++)
        st = clickhouse_check_server(c->servers->items[i], err);
    if (st != OK)
        return st;
    if (c->servers->count > 1 && c->cluster == NULL)
        return error_set(err, ERR_USAGE, "several servers are asked as a --cluster that their configuration names");
    if ((c->cluster != NULL && !clickhouse_is_name(c->cluster)) ||
        (c->database != NULL && !clickhouse_is_name(c->database)))
        return error_set(err, ERR_USAGE, "--cluster and --database want a name of letters, digits and _");
    return OK;
}

/* What follows a statement. */
struct body {
    const void *bytes;
    size_t n;
};

/* Sends a statement to a server; `parameters` begin with &, and `body` follows the statement. */
static enum status run(const struct servers *s, size_t server, const char *sql, const char *parameters,
                       const struct body *body, http_text *text, struct error *err)
{
    const struct clickhouse_statement q = { sql, parameters, body != NULL ? body->bytes : NULL,
                                            body != NULL ? body->n : 0, false };
    return clickhouse_run(&s->client, s->clickhouse->servers->items[server], &q, text, err);
}

/* A statement of our own, a format of sqlite3_mprintf; if it is refused, that is no fault of the user's SQL. */
static enum status run_own(const struct servers *s, size_t server, const struct body *body, struct error *err,
                           const char *format, ...)
{
    va_list values;
    va_start(values, format);
    char *sql = sqlite3_vmprintf(format, values);
    va_end(values);
    enum status st = sql == NULL ? error_memory(err, "ClickHouse") : run(s, server, sql, "", body, NULL, err);
    sqlite3_free(sql);
    return st == ERR_USAGE ? ERR_IO : st;
}

/* ---- tables ---- */

static char *clickhouse_columns(const struct table *t, bool types)
{
    sqlite3_str *s = sqlite3_str_new(NULL);
    for (size_t i = 0; i < t->column_count; i++)
        sqlite3_str_appendf(s, "%s`%s`%s", i > 0 ? ", " : "", t->columns[i].name,
                            !types                             ? ""
                            : t->columns[i].type == COLUMN_INT ? " Nullable(Int64)"
                                                               : " Nullable(String)");
    return sqlite3_str_finish(s);
}

static enum status make_tables(const struct servers *s, size_t server, struct error *err)
{
    const char *d = s->database;
    enum status st = run_own(s, server, NULL, err, "CREATE DATABASE IF NOT EXISTS %s", d);
    if (st == OK)
        st = run_own(s, server, NULL, err,
                     "CREATE TABLE IF NOT EXISTS %s.loads (run String, version UInt64, load String)"
                     " ENGINE = MergeTree ORDER BY run",
                     d);
    for (size_t i = 0; st == OK && i < CATALOGUE_COUNT; i++) {
        const struct table *t = &catalogue_tables[i];
        char *typed = clickhouse_columns(t, true), *names = clickhouse_columns(t, false);
        st = run_own(s, server, NULL, err,
                     "CREATE TABLE IF NOT EXISTS %s.rows_%s (load String, %s) ENGINE = MergeTree ORDER BY load", d,
                     t->name, typed);
        if (st == OK)
            st = run_own(s, server, NULL, err,
                         "CREATE VIEW IF NOT EXISTS %s.shard_%s AS SELECT %s FROM %s.rows_%s WHERE load IN"
                         " (SELECT max((version, load)).2 FROM %s.loads GROUP BY run)",
                         d, t->name, names, d, t->name, d);
        sqlite3_free(typed);
        sqlite3_free(names);
    }
    return st;
}

/* What SQL asks: the views of all servers, or of the only one, under the names of the catalogue. */
static enum status make_views(const struct servers *s, const char *views, struct error *err)
{
    const char *cluster = s->clickhouse->cluster;
    enum status st = run_own(s, 0, NULL, err, "CREATE DATABASE IF NOT EXISTS %s", views);
    for (size_t i = 0; st == OK && i < CATALOGUE_COUNT; i++) {
        const char *name = catalogue_tables[i].name;
        char *typed = clickhouse_columns(&catalogue_tables[i], true);
        if (cluster != NULL)
            st = run_own(s, 0, NULL, err,
                         "CREATE TABLE IF NOT EXISTS %s.all_%s (%s) ENGINE = Distributed(%s, %s, shard_%s)", views,
                         name, typed, cluster, s->database, name);
        if (st == OK)
            st = run_own(s, 0, NULL, err, "CREATE VIEW IF NOT EXISTS %s.%s AS SELECT * FROM %s.%s_%s", views, name,
                         cluster != NULL ? views : s->database, cluster != NULL ? "all" : "shard", name);
        sqlite3_free(typed);
    }
    return st;
}

/* ---- which runs are where ---- */

/* temp.loaded: server, run, version, load: the last load of each run. */
static enum status read_loads(const struct servers *s, size_t server, struct error *err)
{
    http_text text = { 0 };
    struct answer answer = { 0 };
    char *sql = sqlite3_mprintf("SELECT run, max((version, load)).1, max((version, load)).2 FROM %s.loads GROUP BY run"
                                " FORMAT TabSeparatedWithNamesAndTypes",
                                s->database);
    enum status st = sql == NULL ? error_memory(err, "ClickHouse") : run(s, server, sql, "", NULL, &text, err);
    if (st == OK)
        st = answer_from_tsv(&answer, "ClickHouse", s->db, text.items, text.count, err);
    if (st == OK)
        st = catalogue_sql(s->db, err,
                           "INSERT INTO temp.loaded SELECT %llu, c0, c1, c2 FROM temp.answer;"
                           " DROP TABLE temp.answer",
                           (unsigned long long)server);
    sqlite3_free(answer.select);
    sqlite3_free(sql);
    vec_free(&text);
    return st;
}

/* temp.current: what a run has if a server has its rows as they are now, as repair changes them. temp.removals: loads
 * of runs that are not in the fleet, or on two servers. temp.additions: runs that no server has, with the server that
 * a run is always given first, so that two commands that load it at once do it in one place. temp.old: the loads that
 * these take the place of. */
static const char plan[] =
    "CREATE TABLE temp.current AS SELECT run, fleet_server(run) AS server, fleet_stamp(stamp) AS stamp"
    " FROM main.fleet_known WHERE run IN (SELECT run FROM runs);"
    "CREATE UNIQUE INDEX temp.current_run ON current(run);"
    "CREATE TABLE temp.old AS SELECT server, l.run AS run, load FROM temp.loaded AS l JOIN temp.current AS c"
    " USING (run, server) WHERE load <> '' AND substr(load, 33) <> stamp;"
    "CREATE TABLE temp.removals AS SELECT l.server, run, version + 1 AS version, load FROM temp.loaded AS l"
    " LEFT JOIN temp.current AS c USING (run) WHERE load <> '' AND (c.run IS NULL"
    "  OR (substr(load, 33) <> stamp AND c.server <> l.server)"
    "  OR EXISTS (SELECT 1 FROM temp.loaded AS o WHERE o.run = l.run AND o.load <> '' AND o.server < l.server));"
    "CREATE TABLE temp.additions AS SELECT c.server, c.run, coalesce(l.version, 0) + 1 AS version,"
    "  lower(hex(randomblob(16))) || stamp AS load FROM temp.current AS c LEFT JOIN temp.loaded AS l USING (server, "
    "run)"
    " WHERE NOT EXISTS (SELECT 1 FROM temp.loaded AS o WHERE o.run = c.run AND substr(o.load, 33) = stamp);";

/* fleet_stamp(stamp): 16 hexadecimal digits. */
static void hash_stamp(sqlite3_context *context, int count, sqlite3_value **values)
{
    char digits[17];
    const char *stamp = (const char *)sqlite3_value_text(values[0]);
    (void)count;
    (void)snprintf(digits, sizeof digits, "%016llx",
                   (unsigned long long)XXH3_64bits(stamp != NULL ? stamp : "", stamp != NULL ? strlen(stamp) : 0));
    sqlite3_result_text(context, digits, -1, SQLITE_TRANSIENT);
}

/* fleet_server(run): a number below that of the servers, from the first digits of the run. */
static void choose_server(sqlite3_context *context, int count, sqlite3_value **values)
{
    const struct servers *s = sqlite3_user_data(context);
    const char *name = (const char *)sqlite3_value_text(values[0]);
    char digits[9];
    (void)count;
    (void)snprintf(digits, sizeof digits, "%s", name != NULL ? name : "");
    sqlite3_result_int64(context, (int64_t)(strtoul(digits, NULL, 16) % s->clickhouse->servers->count));
}

/* ---- loading ---- */

static bool append_value(http_text *to, sqlite3_stmt *row, int column)
{
    static const char special[] = "\\\t\n\r\b\f", letters[] = "\\tnrbf";
    if (sqlite3_column_type(row, column) == SQLITE_NULL)
        return http_append(to, "\\N");
    const char *text = (const char *)sqlite3_column_text(row, column);
    if (text == NULL)
        return false; /* out of memory */
    const int n = sqlite3_column_bytes(row, column);
    for (int i = 0; i < n; i++) {
        const char *found = text[i] != '\0' ? strchr(special, text[i]) : NULL;
        char escaped[3] = { '\\', text[i] == '\0' ? '0' : found != NULL ? letters[found - special] : '\0', '\0' };
        char plain[2] = { text[i], '\0' };
        if (!http_append(to, escaped[1] != '\0' ? escaped : plain))
            return false;
    }
    return true;
}

static enum status insert(const struct servers *s, size_t server, const char *table, http_text *rows, struct error *err)
{
    const struct body body = { rows->items, rows->count };
    rows->count = 0;
    return body.n == 0 ? OK
                       : run_own(s, server, &body, err, "INSERT INTO %s.%s FORMAT TabSeparated", s->database, table);
}

/* The rows of a query, a format of sqlite3_mprintf, into a table of a server. */
static enum status send_rows(const struct servers *s, size_t server, const char *table, struct error *err,
                             const char *format, ...)
{
    http_text rows = { 0 };
    sqlite3_stmt *query = NULL;
    int code = SQLITE_NOMEM;
    enum status st = OK;
    va_list values;
    va_start(values, format);
    char *sql = sqlite3_vmprintf(format, values);
    va_end(values);
    if (sql != NULL && (code = sqlite3_prepare_v2(s->db, sql, -1, &query, NULL)) == SQLITE_OK)
        while (st == OK && (code = sqlite3_step(query)) == SQLITE_ROW) {
            bool done = true;
            for (int i = 0; done && i < sqlite3_column_count(query); i++)
                done = (i == 0 || http_append(&rows, "\t")) && append_value(&rows, query, i);
            if (!done || !http_append(&rows, "\n"))
                st = error_memory(err, "ClickHouse");
            else if (rows.count > BATCH_BYTES)
                st = insert(s, server, table, &rows, err);
        }
    if (st == OK && code != SQLITE_DONE)
        st = error_set(err, ERR_STORE, "the rows of %s: %s", table, sql_error(s->db));
    if (st == OK)
        st = insert(s, server, table, &rows, err);
    (void)sqlite3_finalize(query);
    sqlite3_free(sql);
    vec_free(&rows);
    return st;
}

/* Some runs of temp.additions, which then leave it: all their rows, then what makes them seen. */
static enum status load_runs(const struct servers *s, size_t server, struct error *err)
{
    char name[80];
    enum status st =
        catalogue_sql(s->db, err,
                      "DROP TABLE IF EXISTS temp.now; CREATE TABLE temp.now AS SELECT * FROM temp.additions"
                      " WHERE server = %llu LIMIT %d;"
                      " DELETE FROM temp.additions WHERE run IN (SELECT run FROM temp.now)",
                      (unsigned long long)server, (int)BATCH_RUNS);
    for (size_t i = 0; st == OK && i < CATALOGUE_COUNT; i++) {
        (void)snprintf(name, sizeof name, "rows_%s", catalogue_tables[i].name);
        st = send_rows(s, server, name, err, "SELECT n.load, t.* FROM %s AS t JOIN temp.now AS n ON n.run = t.run",
                       catalogue_tables[i].name);
    }
    return st == OK ? send_rows(s, server, "loads", err, "SELECT run, version, load FROM temp.now") : st;
}

/* The rows of the loads of a table, which are not seen, are deleted when the server finds time. */
static enum status delete_rows(const struct servers *s, size_t server, const char *from, struct error *err)
{
    char *loads = NULL;
    enum status st = catalogue_text(s->db, err, &loads,
                                    "SELECT group_concat('''' || load || '''') FROM temp.%s WHERE server = %llu AND"
                                    " load NOT GLOB '*[^0-9a-f]*'",
                                    from, (unsigned long long)server);
    for (size_t i = 0; st == OK && loads != NULL && i < CATALOGUE_COUNT; i++)
        st = run_own(s, server, NULL, err, "ALTER TABLE %s.rows_%s DELETE WHERE load IN (%s)", s->database,
                     catalogue_tables[i].name, loads);
    sqlite3_free(loads);
    return st;
}

/* Hides the runs of temp.removals. */
static enum status remove_runs(const struct servers *s, size_t server, struct error *err)
{
    enum status st =
        send_rows(s, server, "loads", err, "SELECT run, version, '' FROM temp.removals WHERE server = %llu",
                  (unsigned long long)server);
    return st == OK ? delete_rows(s, server, "removals", err) : st;
}

/* The servers get the runs of the fleet, and lose others. */
static enum status synchronize(struct servers *s, struct error *err)
{
    const size_t count = s->clickhouse->servers->count;
    enum status st = catalogue_sql(s->db, err,
                                   "CREATE TABLE temp.loaded(server, run, version CHECK(typeof(version) = 'integer'"
                                   " AND version < 1 << 62), load, PRIMARY KEY (run, server))");
    for (size_t i = 0; st == OK && i < count; i++) {
        st = make_tables(s, i, err);
        if (st == OK)
            st = read_loads(s, i, err);
    }
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    if (st == OK &&
        (sqlite3_create_function(s->db, "fleet_server", 1, flags, s, choose_server, NULL, NULL) != SQLITE_OK ||
         sqlite3_create_function(s->db, "fleet_stamp", 1, flags, NULL, hash_stamp, NULL, NULL) != SQLITE_OK))
        st = error_memory(err, "ClickHouse");
    if (st == OK)
        st = catalogue_sql(s->db, err, plan);
    for (size_t i = 0; st == OK && i < count; i++) {
        static const char additions[] = "SELECT count(*) FROM temp.additions WHERE server = %llu";
        uint64_t all = 0, left;
        st = catalogue_count(s->db, err, &all, additions, (unsigned long long)i);
        if (st == OK)
            st = remove_runs(s, i, err);
        for (left = all; st == OK && left > 0;) {
            progress_line_show("load", all - left, all);
            st = load_runs(s, i, err);
            if (st == OK)
                st = catalogue_count(s->db, err, &left, additions, (unsigned long long)i);
        }
        if (st == OK)
            st = delete_rows(s, i, "old", err);
    }
    progress_line_erase();
    return st;
}

/* The question names no table of another database of the server. */
static enum status check_sql(const struct servers *s, const char *views, const char *sql, struct error *err)
{
    http_text databases = { 0 };
    enum status st = run(s, 0, "SELECT name FROM system.databases FORMAT TabSeparated", "", NULL, &databases, err);
    if (st == OK)
        st = http_end(&databases) ? clickhouse_sql_check(sql, databases.items, views, err)
                                  : error_memory(err, "ClickHouse");
    vec_free(&databases);
    return st;
}

/* Rows are only added to `loads`, so their number says whether the servers have other runs now. */
static enum status count_loads(const struct servers *s, uint64_t *out, struct error *err)
{
    enum status st = OK;
    *out = 0;
    for (size_t i = 0; st == OK && i < s->clickhouse->servers->count; i++) {
        http_text text = { 0 };
        char *sql = sqlite3_mprintf("SELECT count() FROM %s.loads FORMAT TabSeparated", s->database);
        st = sql != NULL ? run(s, i, sql, "", NULL, &text, err) : ERR_MEMORY;
        if (st == OK && http_end(&text))
            *out += strtoull(text.items, NULL, 10);
        sqlite3_free(sql);
        vec_free(&text);
    }
    return st;
}

/* A server reads each table when it comes to it. If another command added or removed runs meanwhile it is asked again,
 * so that an answer is of one set of runs. */
static enum status ask(const struct servers *s, const char *sql, const char *parameters, http_text *text,
                       struct error *err)
{
    uint64_t before, after;
    enum status st = count_loads(s, &before, err);
    for (unsigned i = 0; st == OK; i++, before = after) {
        text->count = 0;
        st = run(s, 0, sql, parameters, NULL, text, err);
        if (st == OK)
            st = count_loads(s, &after, err);
        if (st != OK || before == after)
            break;
        if (i + 1 == ASK_TRIES)
            st = error_set(err, ERR_IO, "other commands change the runs of the servers while they are asked");
    }
    return st;
}

enum status clickhouse_ask(const struct clickhouse *c, sqlite3 *db, const char *sql, struct answer *a,
                           struct error *err)
{
    char database[96], views[192], parameters[320];
    struct servers s = { .clickhouse = c, .db = db, .database = database };
    http_text text = { 0 };
    enum status st = clickhouse_open(&s.client, err);
    (void)snprintf(database, sizeof database, "%s_%016llx_%zu", c->database != NULL ? c->database : "hindsight",
                   (unsigned long long)c->fleet, catalogue_columns());
    (void)snprintf(views, sizeof views, "%s_%s", database, c->cluster != NULL ? c->cluster : "server");
    (void)snprintf(parameters, sizeof parameters,
                   "&default_format=TabSeparatedWithNamesAndTypes"
                   "&connect_timeout_with_failover_ms=10000" /* between shards; 50 ms by default */
                   "&database=%s&readonly=1",                /* the last one: no other is set after it */
                   views);
    if (st == OK)
        st = synchronize(&s, err);
    if (st == OK)
        st = make_views(&s, views, err);
    if (st == OK)
        st = check_sql(&s, views, sql, err);
    if (st == OK)
        st = ask(&s, sql, parameters, &text, err);
    if (st == OK)
        st = answer_from_tsv(a, "ClickHouse", db, text.items, text.count, err);
    vec_free(&text);
    clickhouse_close(&s.client);
    return st;
}
