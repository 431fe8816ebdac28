/* chdb.c - see chdb.h. The functions are those of chdb's C API, https://github.com/chdb-io/chdb
 *
 *     runs/?/NAME.parquet -> tables in memory -> the answer as text -> main.answer of SQLite
 *
 * The tables are filled first; then the connection may only read tables, so that SQL cannot reach other files. */
#include "reader/fleet/chdb.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "reader/fleet/catalogue.h"
#include "reader/fleet/clickhouse.h"
#include "reader/fleet/library.h"

/* FUNCTION(result, name behind chdb_, parameters) */
#define FUNCTIONS                                                                                                      \
    FUNCTION(void **, connect, (int argc, char **argv))                                                                \
    FUNCTION(void, close_conn, (void **connection))                                                                    \
    FUNCTION(void *, query, (void *connection, const char *sql, const char *format))                                   \
    FUNCTION(const char *, result_error, (void *result))                                                               \
    FUNCTION(char *, result_buffer, (void *result))                                                                    \
    FUNCTION(size_t, result_length, (void *result))                                                                    \
    FUNCTION(void, destroy_query_result, (void *result))

struct chdb {
    void *library, **connection;
#define FUNCTION(result, name, parameters) result(*name) parameters;
    FUNCTIONS
#undef FUNCTION
};

static enum status chdb_open(struct chdb *c, struct error *err)
{
    char name[] = "hindsight", *argv[] = { name, NULL };
    bool whole = true;
    c->library = library_open("chdb", "HINDSIGHT_CHDB", "libchdb.so", err);
    if (c->library == NULL)
        return ERR_NOT_FOUND;
#define FUNCTION(result, name, parameters)                                                                             \
    whole = library_find(c->library, "chdb_" #name, &c->name, sizeof c->name) && whole;
    FUNCTIONS
#undef FUNCTION
    if (!whole || (c->connection = c->connect(1, argv)) == NULL)
        return error_set(err, ERR_UNSUPPORTED, "chdb does not start: its library has another interface");
    return OK;
}

/* Runs a statement; `result` NULL: its answer is not wanted. */
static enum status run(struct chdb *c, const char *sql, void **result, struct error *err)
{
    void *r = c->query(*c->connection, sql, "TabSeparatedWithNamesAndTypes");
    const char *message = r != NULL ? c->result_error(r) : "it failed";
    enum status st = OK;
    if (message != NULL && message[0] != '\0')
        st = error_set(err, ERR_USAGE, "chdb: %.*s", (int)strcspn(message, "\n"), message);
    if (st == OK && result != NULL)
        *result = r;
    else if (r != NULL)
        c->destroy_query_result(r);
    return st;
}

/* A statement of our own, from sqlite3_mprintf. */
static enum status run_own(struct chdb *c, char *sql, struct error *err)
{
    enum status st = sql != NULL ? run(c, sql, NULL, err) : error_memory(err, "chdb");
    sqlite3_free(sql);
    return st == ERR_USAGE ? ERR_STORE : st;
}

static enum status read_tables(struct chdb *c, const struct fleet *f, struct error *err)
{
    stored_runs runs = { 0 };
    char *path = realpath(f->path, NULL);
    enum status st = fleet_list(f, &runs, err);
    if (st == OK && (path == NULL || strpbrk(path, "*?{}\\'") != NULL))
        st = error_set(err, ERR_UNSUPPORTED, "chdb: a path cannot have one of *?{}\\': %s", f->path);
    for (size_t i = 0; st == OK && i < CATALOGUE_COUNT; i++) {
        const char *name = catalogue_tables[i].name;
        char *columns = clickhouse_columns(&catalogue_tables[i], true);
        st = run_own(c, sqlite3_mprintf("CREATE TABLE all_%s (%s) ENGINE = Memory", name, columns), err);
        if (st == OK && runs.count > 0)
            st = run_own(c,
                         sqlite3_mprintf("INSERT INTO all_%s SELECT * FROM file('%s/runs/*/%s.parquet', Parquet, '%s')"
                                         " SETTINGS input_format_parquet_allow_missing_columns = 1",
                                         name, path, name, columns),
                         err);
        sqlite3_free(columns);
    }
    char *replaced = catalogue_replaced("all_runs");
    for (size_t i = 0; st == OK && i < CATALOGUE_COUNT; i++)
        st = run_own(c,
                     sqlite3_mprintf("CREATE VIEW %s AS SELECT * FROM all_%s WHERE run NOT IN (%s)",
                                     catalogue_tables[i].name, catalogue_tables[i].name, replaced),
                     err);
    sqlite3_free(replaced);
    free(path);
    vec_free(&runs);
    return st == OK ? run_own(c, sqlite3_mprintf("SET readonly = 1"), err) : st;
}

/* A question is what can stand in parentheses: INTO OUTFILE would write a file although tables can only be read. */
static enum status check_question(struct chdb *c, const char *sql, struct error *err)
{
    size_t n = strlen(sql);
    while (n > 0 && strchr("; \t\r\n", sql[n - 1]) != NULL)
        n--;
    char *check = sqlite3_mprintf("EXPLAIN SYNTAX SELECT count() FROM (\n%.*s\n)", (int)n, sql);
    enum status st = n > INT_MAX / 2 || check == NULL ? error_memory(err, "chdb") : run(c, check, NULL, err);
    sqlite3_free(check);
    return st;
}

enum status chdb_ask(sqlite3 *db, const struct fleet *f, const char *sql, struct answer *a, struct error *err)
{
    struct chdb c = { 0 };
    void *result = NULL;
    enum status st = chdb_open(&c, err);
    if (st == OK)
        st = read_tables(&c, f, err);
    if (st == OK)
        st = check_question(&c, sql, err);
    if (st == OK)
        st = run(&c, sql, &result, err);
    if (st == OK)
        st = answer_from_tsv(a, "chdb", db, c.result_buffer(result), c.result_length(result), err);
    if (result != NULL)
        c.destroy_query_result(result);
    if (c.connection != NULL)
        c.close_conn(c.connection);
    return st;
}
