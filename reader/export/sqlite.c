/* sqlite.c - the format sqlite: a database with the tables of the trace, indexes and views.
 *
 * Rows are copied from virtual tables (sql_tables.h) in one transaction without a journal: the file appears under its
 * name when it is complete, so nobody can need one. Memory is bounded by SQLite's cache; sorting for the indexes goes
 * to files. */
#include <sqlite3.h>
#include <string.h>

#include "reader/export/row_files.h"
#include "reader/tables/sql_tables.h"

static const char *const indexes[] = {
    "events(dataid)",    "events(value_id) WHERE value_id IS NOT NULL",
    "calls(method_id)",  "calls(parent)",
    "writes(object_id)", "writes(name, owner)",
    "reads(object_id)",  "reads(name, owner)",
    "exceptions(type)",  "locks(lock_id)",
    "objects(type)",
};

static const char *output_name(const struct export_job *x)
{
    return x->options.output != NULL ? x->options.output : export_path(x);
}

static bool run_sql(struct export_job *x, sqlite3 *db, const struct sql_source *source, const char *sql)
{
    int code = sql != NULL ? sqlite3_exec(db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
    if (code == SQLITE_OK)
        return true;
    const char *why = sql != NULL ? sql_error(db) : "out of memory";
    return source->usage ? export_wrong(x, "%s", why) : export_fail(x, "%s: %s", output_name(x), why);
}

static bool copy_table(struct export_job *x, sqlite3 *db, const struct sql_source *source, const struct table *t)
{
    char *columns = sql_columns(t, true);
    char *create = columns != NULL ? sqlite3_mprintf("CREATE TABLE main.%s(%s)", t->name, columns) : NULL;
    char *insert = x->limit < INT64_MAX
                       ? sqlite3_mprintf("INSERT INTO main.%s SELECT * FROM temp.trace_%s LIMIT %lld", t->name, t->name,
                                         (long long)x->limit)
                       : sqlite3_mprintf("INSERT INTO main.%s SELECT * FROM temp.trace_%s", t->name, t->name);
    bool done = run_sql(x, db, source, create) && run_sql(x, db, source, insert);
    sqlite3_free(columns);
    sqlite3_free(create);
    sqlite3_free(insert);
    return done;
}

static bool make_index(struct export_job *x, sqlite3 *db, const struct sql_source *source, size_t i, const char *on)
{
    char *sql = sqlite3_mprintf("CREATE INDEX main.index_%d ON %s", (int)i, on);
    bool done = run_sql(x, db, source, sql);
    sqlite3_free(sql);
    return done;
}

/* The tables that are written: that of --table, or all of them. */
static bool fill(struct export_job *x, sqlite3 *db, struct sql_source *source)
{
    const char *only = x->options.table != NULL && strcmp(x->options.table, "all") != 0 ? x->options.table : NULL;
    if (only != NULL && !export_table_fits(x))
        return false;
    if (!run_sql(x, db, source,
                 "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768; BEGIN"))
        return false;
    if (sql_tables_create(db, "temp", "trace_", source) != SQLITE_OK)
        return export_fail(x, "%s", sql_error(db));
    for (size_t i = 0; i < TABLE_COUNT; i++)
        if ((only == NULL || strcmp(only, table_list[i].name) == 0) && !copy_table(x, db, source, &table_list[i]))
            return false;
    for (size_t i = 0; i < sizeof indexes / sizeof *indexes; i++)
        if ((only == NULL || (strncmp(only, indexes[i], strlen(only)) == 0 && indexes[i][strlen(only)] == '(')) &&
            !make_index(x, db, source, i, indexes[i]))
            return false;
    if (only == NULL && sql_views_create(db, "main") != SQLITE_OK)
        return export_fail(x, "%s", sql_error(db));
    return run_sql(x, db, source, "COMMIT");
}

bool export_sqlite(struct export_job *x)
{
    struct sql_source source = { .trace = x->trace, .filter = x->filter };
    sqlite3 *db = NULL;
    bool done;
    if (sqlite3_open(export_path(x), &db) != SQLITE_OK) {
        done = export_fail(x, "%s: %s", export_path(x), db != NULL ? sql_error(db) : "out of memory");
    } else {
        sql_catch_interrupt(db);
        done = fill(x, db, &source);
    }
    (void)sqlite3_close(db);
    return done;
}
