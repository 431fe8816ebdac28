/* catalogue_read.c - rows from catalogues of others, which may be anything (catalogue.h). */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "reader/command/interrupt.h"
#include "reader/fleet/catalogue.h"
#include "reader/tables/sql_tables.h"

sqlite3_stmt *catalogue_insertion(sqlite3 *db, const char *prefix, const struct table *t)
{
    sqlite3_str *s = sqlite3_str_new(db);
    sqlite3_stmt *statement = NULL;
    sqlite3_str_appendf(s, "INSERT INTO main.%s%s VALUES(?", prefix, t->name);
    for (size_t i = 1; i < t->column_count; i++)
        sqlite3_str_appendall(s, ",?");
    sqlite3_str_appendall(s, ")");
    char *sql = sqlite3_str_finish(s);
    if (sql != NULL)
        (void)sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    sqlite3_free(sql);
    return statement;
}

/* A database of others. Its pages may name each other in circles, so that it has rows without an end: what is read of
 * it is bounded by its size. */
struct source {
    sqlite3 *db;
    uint64_t bytes, steps, texts; /* of the file; left for its statements; left for the values of its rows */
};
enum { STEPS_AT_ONCE = 1000, STEPS_LEAST = 1000000, STEPS_A_BYTE = 8 };

static int stop_endless(void *context)
{
    struct source *s = context;
    const bool left = s->steps > STEPS_AT_ONCE;
    s->steps -= left ? STEPS_AT_ONCE : 0;
    return !left || interrupt_seen();
}

/* Views may never end, tables may be programs, and so may columns. */
static bool plain_tables(sqlite3 *db)
{
    sqlite3_stmt *odd = NULL;
    int defensive = 0, trusted = 1;
    bool plain = sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, &defensive) == SQLITE_OK &&
                 sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, &trusted) == SQLITE_OK &&
                 sqlite3_prepare_v2(db,
                                    "SELECT 1 FROM sqlite_schema AS s WHERE type <> 'table' OR rootpage IS NULL"
                                    " OR rootpage = 0 OR EXISTS"
                                    " (SELECT 1 FROM pragma_table_xinfo(s.name) WHERE hidden <> 0)",
                                    -1, &odd, NULL) == SQLITE_OK &&
                 sqlite3_step(odd) == SQLITE_DONE;
    (void)sqlite3_finalize(odd);
    return plain;
}

static bool is_safe(struct source *s)
{
    (void)sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, s->bytes < INT_MAX ? (int)s->bytes : INT_MAX);
    s->steps = STEPS_LEAST + STEPS_A_BYTE * s->bytes;
    s->texts = s->bytes;
    sqlite3_progress_handler(s->db, STEPS_AT_ONCE, stop_endless, s);
    return plain_tables(s->db);
}

static const char *source_error(const struct source *s)
{
    return s->db == NULL                         ? "out of memory"
           : s->steps <= STEPS_AT_ONCE           ? "it has no end"
           : sqlite3_errcode(s->db) == SQLITE_OK ? "it has views or the like"
                                                 : sql_error(s->db);
}

/* The texts of a row, and one for what else a row takes. */
static bool take_row(struct source *s, sqlite3_stmt *row)
{
    uint64_t bytes = 1;
    for (int i = 0; i < sqlite3_column_count(row); i++)
        if (sqlite3_column_type(row, i) == SQLITE_TEXT)
            bytes += (uint64_t)sqlite3_column_bytes(row, i);
    const bool room = bytes <= s->texts;
    s->texts -= room ? bytes : 0;
    return room;
}

/* The columns of `t` that its database has, null for the others, of the runs (one, or all that there are). */
static sqlite3_stmt *selection(sqlite3 *db, const struct table *t, const run_ids *runs)
{
    sqlite3_stmt *query = NULL;
    sqlite3_str *s = sqlite3_str_new(db);
    for (size_t i = 0; i < t->column_count; i++) {
        const bool there = sqlite3_table_column_metadata(db, "main", t->name, t->columns[i].name, NULL, NULL, NULL,
                                                         NULL, NULL) == SQLITE_OK;
        sqlite3_str_appendf(s, there ? "%s \"%w\"" : "%s NULL", i == 0 ? "SELECT" : ",", t->columns[i].name);
    }
    sqlite3_str_appendf(s, " FROM main.%s", t->name);
    if (runs->count == 1)
        sqlite3_str_appendf(s, " WHERE run = %Q", runs->items[0].text);
    sqlite3_str_appendall(s, t == &catalogue_tables[CATALOGUE_runs] ? " ORDER BY run COLLATE BINARY" : "");
    char *sql = sqlite3_str_finish(s);
    if (sql != NULL)
        (void)sqlite3_prepare_v2(db, sql, -1, &query, NULL);
    sqlite3_free(sql);
    return query;
}

/* Is the value of the type of its column? Others may mean something else to each engine. */
static bool fits(const struct column *c, sqlite3_value *v)
{
    const int type = sqlite3_value_type(v);
    return type == SQLITE_NULL || type == (c->type == COLUMN_INT ? SQLITE_INTEGER : SQLITE_TEXT);
}

const char *catalogue_copy_row(const struct table *t, sqlite3_stmt *from, sqlite3_stmt *to)
{
    for (int i = 0; i < sqlite3_column_count(from); i++) {
        sqlite3_value *v = sqlite3_column_value(from, i);
        if (!fits(&t->columns[i], v))
            return "a value is of a wrong type";
        (void)sqlite3_bind_value(to, i + 1, v);
    }
    const bool done = sqlite3_step(to) == SQLITE_DONE;
    (void)sqlite3_reset(to);
    return done ? NULL : sql_error(sqlite3_db_handle(to));
}

/* The rows of these runs, which are in the order of their names. What is wrong, or NULL. */
static const char *copy_rows(struct source *s, const struct table *t, sqlite3_stmt *from, sqlite3_stmt *to,
                             const run_ids *runs)
{
    const char *const one_row =
        runs->count == 1 ? "it does not have one row of this run" : "it does not have one row of each run";
    const struct run_id *last = NULL, *one = NULL;
    const char *wrong = NULL;
    size_t found = 0;
    int code = SQLITE_ROW;
    while (wrong == NULL && (code = sqlite3_step(from)) == SQLITE_ROW) {
        const char *run = (const char *)sqlite3_column_text(from, 0);
        if (!take_row(s, from))
            return "its rows have more bytes than it has itself";
        if (run != NULL && (last == NULL || strcmp(run, last->text) != 0)) {
            one = sqlite3_column_bytes(from, 0) == RUN_ID_CHARS ? run_ids_find(runs, run) : NULL; /* no zero byte */
            found += one != NULL;
        } else if (run == NULL || (one != NULL && t == &catalogue_tables[CATALOGUE_runs])) {
            return one_row;
        }
        if (one != NULL && (wrong = catalogue_copy_row(t, from, to)) == NULL)
            last = one;
    }
    if (wrong == NULL && code != SQLITE_DONE)
        wrong = source_error(s);
    if (wrong == NULL && t == &catalogue_tables[CATALOGUE_runs] && found != runs->count)
        wrong = one_row;
    return wrong;
}

static enum status read_table(struct source *s, sqlite3 *db, enum catalogue_id i, const run_ids *runs,
                              struct error *err)
{
    const struct table *t = &catalogue_tables[i];
    if (i != CATALOGUE_runs &&
        sqlite3_table_column_metadata(s->db, "main", t->name, NULL, NULL, NULL, NULL, NULL, NULL) != SQLITE_OK)
        return OK; /* it was pushed before there was such a table */
    sqlite3_stmt *rows = selection(s->db, t, runs), *row = catalogue_insertion(db, "rows_", t);
    const char *wrong = rows == NULL ? source_error(s) : row == NULL ? sql_error(db) : copy_rows(s, t, rows, row, runs);
    enum status st = wrong == NULL ? OK : error_set(err, ERR_FORMAT, "no catalogue: the table %s: %s", t->name, wrong);
    (void)sqlite3_finalize(rows);
    (void)sqlite3_finalize(row);
    return st;
}

static enum status read_tables(struct source *s, bool opened, sqlite3 *db, const run_ids *runs, struct error *err)
{
    enum status st = OK;
    if (!opened || !is_safe(s))
        st = error_set(err, ERR_FORMAT, "no catalogue: %s", source_error(s));
    for (size_t i = 0; st == OK && i < CATALOGUE_COUNT; i++)
        st = read_table(s, db, (enum catalogue_id)i, runs, err);
    (void)sqlite3_close(s->db);
    return interrupt_seen() ? error_set(err, ERR_CANCELLED, "%s", status_text(ERR_CANCELLED)) : st;
}

enum status catalogue_read(sqlite3 *db, char *bytes, size_t n, const struct run_id *id, struct error *err)
{
    struct source s = { .bytes = n };
    struct run_id one = *id;
    const bool opened = sqlite3_open(":memory:", &s.db) == SQLITE_OK &&
                        sqlite3_deserialize(s.db, "main", (unsigned char *)bytes, (sqlite3_int64)n, (sqlite3_int64)n,
                                            SQLITE_DESERIALIZE_READONLY) == SQLITE_OK;
    return read_tables(&s, opened, db, &(run_ids){ .items = &one, .count = 1 }, err);
}

enum status catalogue_read_runs(sqlite3 *db, int fd, const run_ids *runs, struct error *err)
{
    struct source s = { 0 };
    struct stat st;
    char file[64]; /* it does not change: nobody has to be waited for */
    (void)snprintf(file, sizeof file, "file:/proc/self/fd/%d?immutable=1", fd);
    const bool opened = fstat(fd, &st) == 0 && st.st_size > 0 &&
                        sqlite3_open_v2(file, &s.db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) == SQLITE_OK;
    s.bytes = opened ? (uint64_t)st.st_size : 0;
    return read_tables(&s, opened, db, runs, err);
}
