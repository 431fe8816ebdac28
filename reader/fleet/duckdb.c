/* duckdb.c - see duckdb.h. The functions and types are those of DuckDB's C API, https://duckdb.org/docs/clients/c/api
 *
 *     tables of SQLite -> Parquet in memory -> tables of DuckDB in memory -> the answer -> temp.answer of SQLite
 *
 * So it answers for the same runs, of which every value was looked at. The tables are filled first; then files are out
 * of reach, so that SQL can neither read nor write others. The answer goes through SQLite as its rows are shown like
 * those of any other query. */
#include "reader/fleet/duckdb.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reader/command/library.h"
#include "reader/fleet/answer.h"
#include "reader/fleet/catalogue.h"
#include "reader/fleet/dirs.h"
#include "reader/tables/sql_tables.h"

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

/* A file in memory with the rows of a table, which DuckDB opens by the path of its descriptor. */
static enum status copy_table(struct duck *d, sqlite3 *db, const struct table *t, struct error *err)
{
    int fd = memfd_create(t->name, MFD_CLOEXEC);
    enum status st =
        fd >= 0 ? catalogue_parquet(db, t, fd, err) : error_set(err, ERR_IO, "DuckDB: no room for %s", t->name);
    if (st == OK)
        st = duck_run(
            d, sqlite3_mprintf("CREATE TABLE %s AS SELECT * FROM read_parquet('/proc/self/fd/%d')", t->name, fd), err);
    (void)closed(&fd);
    return st;
}

static enum status read_tables(struct duck *d, sqlite3 *db, struct error *err)
{
    enum status st = OK;
    for (size_t i = 0; st == OK && i < CATALOGUE_COUNT; i++)
        st = copy_table(d, db, &catalogue_tables[i], err);
    if (st == OK)
        st = duck_run(d, sqlite3_mprintf("SET temp_directory = ''; SET enable_external_access = false"), err);
    return st == OK ? duck_run(d, sqlite3_mprintf("SET lock_configuration = true"), err) : st;
}

/* False: the value is a list or the like. */
static bool keep_value(struct duck *d, struct duck_result *r, uint64_t column, uint64_t row, struct answer *a)
{
    const int type = d->column_type(r, column);
    if (d->value_is_null(r, column, row))
        return true;
    if (type == DUCK_FLOAT || type == DUCK_DOUBLE) {
        answer_double(a, column, d->value_double(r, column, row));
        return true;
    }
    struct duck_string s = d->value_string(r, column, row);
    if (s.data == NULL)
        return false;
    if (type == DUCK_BOOLEAN)
        answer_bool(a, column, s.data[0] == 't');
    else
        answer_text(a, column, s.data, s.size, type <= DUCK_UBIGINT || type == DUCK_HUGEINT);
    d->free(s.data);
    return true;
}

struct duck_answer {
    struct duck *duck;
    struct duck_result *result;
};
static const char *column_name(void *context, size_t column)
{
    const struct duck_answer *a = context;
    return a->duck->column_name(a->result, column);
}

static enum status keep_answer(struct duck *d, struct duck_result *r, sqlite3 *db, struct answer *a, struct error *err)
{
    struct duck_answer from = { d, r };
    enum status st = answer_begin(a, "DuckDB", db, d->column_count(r), column_name, &from, err);
    for (uint64_t i = 0; st == OK && i < d->row_count(r); i++) {
        for (uint64_t k = 0; st == OK && k < d->column_count(r); k++)
            if (!keep_value(d, r, k, i, a))
                st = error_set(err, ERR_USAGE, "column %s: neither a number nor a text; CAST(... AS VARCHAR) makes one",
                               d->column_name(r, k));
        if (st == OK)
            st = answer_row(a, err);
    }
    answer_end(a);
    return st;
}

enum status duckdb_ask(sqlite3 *db, const char *sql, struct answer *answer, struct error *err)
{
    struct duck d = { 0 };
    struct duck_result result = { 0 };
    enum status st = duck_open(&d, err);
    if (st == OK)
        st = read_tables(&d, db, err);
    if (st == OK) {
        if (d.query(d.connection, sql, &result) != 0)
            st = refused(&d, &result, ERR_USAGE, err);
        else
            st = keep_answer(&d, &result, db, answer, err);
        d.destroy_result(&result);
    }
    duck_close(&d);
    return st;
}
