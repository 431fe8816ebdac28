/* duckdb.c - see duckdb.h. The functions and types are those of DuckDB's C API, https://duckdb.org/docs/clients/c/api
 *
 *     runs/?/NAME.parquet -> tables of a database in memory -> the answer -> main.answer of SQLite
 *
 * The tables are filled first; then files are out of reach, so that SQL can neither read nor write others. The answer
 * goes through SQLite as its rows are shown like those of any other query. */
#include "reader/cli/fleet/duckdb.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reader/cli/export/sql_tables.h"
#include "reader/cli/fleet/catalogue.h"
#include "reader/cli/fleet/library.h"

struct duck_result { /* duckdb_result */
    uint64_t counts[3];
    void *columns, *message, *data;
};
struct duck_string { /* duckdb_string */
    char *data;
    uint64_t size;
};
enum duck_type { DUCK_BOOLEAN = 1, DUCK_UBIGINT = 9, DUCK_FLOAT = 10, DUCK_DOUBLE = 11, DUCK_HUGEINT = 16 };

/* FUNCTION(result, name behind duckdb_, parameters) */
#define FUNCTIONS                                                                                                      \
    FUNCTION(int, open, (const char *path, void **database))                                                           \
    FUNCTION(int, connect, (void *database, void **connection))                                                        \
    FUNCTION(void, disconnect, (void **connection))                                                                    \
    FUNCTION(void, close, (void **database))                                                                           \
    FUNCTION(int, query, (void *connection, const char *sql, struct duck_result *result))                              \
    FUNCTION(void, destroy_result, (struct duck_result * result))                                                      \
    FUNCTION(const char *, result_error, (struct duck_result * result))                                                \
    FUNCTION(uint64_t, column_count, (struct duck_result * result))                                                    \
    FUNCTION(uint64_t, row_count, (struct duck_result * result))                                                       \
    FUNCTION(const char *, column_name, (struct duck_result * result, uint64_t column))                                \
    FUNCTION(int, column_type, (struct duck_result * result, uint64_t column))                                         \
    FUNCTION(bool, value_is_null, (struct duck_result * result, uint64_t column, uint64_t row))                        \
    FUNCTION(double, value_double, (struct duck_result * result, uint64_t column, uint64_t row))                       \
    FUNCTION(struct duck_string, value_string, (struct duck_result * result, uint64_t column, uint64_t row))           \
    FUNCTION(void, free, (void *p))

struct duck {
    void *library, *database, *connection;
#define FUNCTION(result, name, parameters) result(*name) parameters;
    FUNCTIONS
#undef FUNCTION
};

static enum status duck_open(struct duck *d, struct error *err)
{
    bool whole = true;
    d->library = library_open("DuckDB", "HINDSIGHT_DUCKDB", "libduckdb.so", err);
    if (d->library == NULL)
        return ERR_NOT_FOUND;
#define FUNCTION(result, name, parameters)                                                                             \
    whole = library_find(d->library, "duckdb_" #name, &d->name, sizeof d->name) && whole;
    FUNCTIONS
#undef FUNCTION
    if (!whole || d->open(NULL, &d->database) != 0 || d->connect(d->database, &d->connection) != 0)
        return error_set(err, ERR_UNSUPPORTED, "DuckDB does not start: its library has another interface");
    return OK;
}

static void duck_close(struct duck *d)
{
    if (d->connection != NULL)
        d->disconnect(&d->connection);
    if (d->database != NULL)
        d->close(&d->database);
}

/* The first line of its message; the others show where in the SQL. */
static enum status refused(struct duck *d, struct duck_result *r, enum status st, struct error *err)
{
    const char *message = d->result_error(r);
    if (message == NULL)
        message = "it failed";
    return error_set(err, st, "DuckDB: %.*s", (int)strcspn(message, "\n"), message);
}

/* Runs a statement of our own, from sqlite3_mprintf. */
static enum status duck_run(struct duck *d, char *sql, struct error *err)
{
    struct duck_result result = { 0 };
    enum status st = OK;
    if (sql == NULL)
        return error_memory(err, "DuckDB");
    if (d->query(d->connection, sql, &result) != 0)
        st = refused(d, &result, ERR_STORE, err);
    d->destroy_result(&result);
    sqlite3_free(sql);
    return st;
}

/* Of a fleet without runs the tables are empty. */
static enum status read_tables(struct duck *d, const struct fleet *f, struct error *err)
{
    stored_runs runs = { 0 };
    enum status st = fleet_list(f, &runs, err);
    for (size_t i = 0; st == OK && i < CATALOGUE_COUNT; i++) {
        const char *name = catalogue_tables[i].name;
        char *columns = sql_columns(&catalogue_tables[i], false);
        st = duck_run(d,
                      runs.count == 0 ? sqlite3_mprintf("CREATE TABLE %s(%s)", name, columns)
                                      : sqlite3_mprintf("CREATE TABLE %s AS SELECT * FROM read_parquet("
                                                        "'%q/runs/*/%s.parquet', union_by_name = true)",
                                                        name, f->path, name),
                      err);
        sqlite3_free(columns);
    }
    vec_free(&runs);
    if (st == OK)
        st = duck_run(d, sqlite3_mprintf("SET enable_external_access = false"), err);
    return st == OK ? duck_run(d, sqlite3_mprintf("SET lock_configuration = true"), err) : st;
}

/* Integers that fit 64 bits, exactly; others are texts. */
static bool whole_number(const struct duck_string *s, int64_t *out)
{
    char *end;
    errno = 0;
    long long v = strtoll(s->data, &end, 10);
    *out = v;
    return errno == 0 && end == s->data + s->size;
}

static void bind_double(sqlite3_stmt *to, int at, double v)
{
    if (isnan(v)) /* SQLite would take it for null */
        (void)sqlite3_bind_text(to, at, "NaN", -1, SQLITE_STATIC);
    else
        (void)sqlite3_bind_double(to, at, v);
}

/* False: the value is a list or the like. */
static bool bind_value(struct duck *d, struct duck_result *r, uint64_t column, uint64_t row, sqlite3_stmt *to)
{
    const int type = d->column_type(r, column), at = (int)column + 1;
    int64_t number;
    if (d->value_is_null(r, column, row)) {
        (void)sqlite3_bind_null(to, at);
        return true;
    }
    if (type == DUCK_FLOAT || type == DUCK_DOUBLE) {
        bind_double(to, at, d->value_double(r, column, row));
        return true;
    }
    struct duck_string s = d->value_string(r, column, row);
    if (s.data == NULL)
        return false;
    if (type == DUCK_BOOLEAN)
        (void)sqlite3_bind_int(to, at, s.data[0] == 't');
    else if ((type <= DUCK_UBIGINT || type == DUCK_HUGEINT) && whole_number(&s, &number))
        (void)sqlite3_bind_int64(to, at, number);
    else
        (void)sqlite3_bind_text64(to, at, s.data, s.size, SQLITE_TRANSIENT, SQLITE_UTF8);
    d->free(s.data);
    return true;
}

/* CREATE TABLE, INSERT and SELECT; columns are c0, c1, ... as several may have one name. */
static bool statements(struct duck *d, struct duck_result *r, char *out[3])
{
    static const char *const heads[] = { "CREATE TABLE main.answer(", "INSERT INTO main.answer VALUES(", "SELECT " };
    bool done = true;
    for (size_t k = 0; k < 3; k++) {
        sqlite3_str *s = sqlite3_str_new(NULL);
        sqlite3_str_appendall(s, heads[k]);
        for (uint64_t i = 0; i < d->column_count(r); i++) {
            sqlite3_str_appendall(s, i > 0 ? "," : "");
            if (k == 1)
                sqlite3_str_appendall(s, "?");
            else
                sqlite3_str_appendf(s, "c%llu", (unsigned long long)i);
            if (k == 2)
                sqlite3_str_appendf(s, " AS \"%w\"", d->column_name(r, i));
        }
        sqlite3_str_appendall(s, k < 2 ? ")" : " FROM main.answer");
        out[k] = sqlite3_str_finish(s);
        done = done && out[k] != NULL;
    }
    return done;
}

static enum status keep_answer(struct duck *d, struct duck_result *r, sqlite3 *db, char **select, struct error *err)
{
    char *sql[3] = { 0 };
    sqlite3_stmt *row = NULL;
    enum status st = OK;
    if (!statements(d, r, sql) || sqlite3_exec(db, sql[0], NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(db, sql[1], -1, &row, NULL) != SQLITE_OK)
        st = error_set(err, ERR_STORE, "the answer of DuckDB: %s", sql_error(db));
    for (uint64_t i = 0; st == OK && i < d->row_count(r); i++) {
        for (uint64_t k = 0; st == OK && k < d->column_count(r); k++)
            if (!bind_value(d, r, k, i, row))
                st = error_set(err, ERR_USAGE, "column %s: neither a number nor a text; CAST(... AS VARCHAR) makes one",
                               d->column_name(r, k));
        if (st == OK && sqlite3_step(row) != SQLITE_DONE)
            st = error_set(err, ERR_STORE, "the answer of DuckDB: %s", sql_error(db));
        (void)sqlite3_reset(row);
    }
    (void)sqlite3_finalize(row);
    sqlite3_free(sql[0]);
    sqlite3_free(sql[1]);
    *select = sql[2];
    return st;
}

enum status duckdb_ask(sqlite3 *db, const struct fleet *f, const char *sql, char **select, struct error *err)
{
    struct duck d = { 0 };
    struct duck_result result = { 0 };
    enum status st = duck_open(&d, err);
    *select = NULL;
    if (st == OK)
        st = read_tables(&d, f, err);
    if (st == OK) {
        if (d.query(d.connection, sql, &result) != 0)
            st = refused(&d, &result, ERR_USAGE, err);
        else
            st = keep_answer(&d, &result, db, select, err);
        d.destroy_result(&result);
    }
    duck_close(&d);
    return st;
}
