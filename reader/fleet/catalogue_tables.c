/* catalogue_tables.c - the tables of catalogues, and their rows as Parquet (catalogue.h). */
#include <string.h>

#include "reader/export/parquet_file.h"
#include "reader/fleet/catalogue.h"
#include "reader/tables/sql_tables.h"

/* Rows of a table are those of a statement, which rows_open leaves to be set. */
struct statement_state {
    sqlite3_stmt *statement;
};

static bool statement_next(struct rows *r)
{
    sqlite3_stmt *s = ((struct statement_state *)r->state)->statement;
    int code = SQLITE_ROW;
    while (rows_room(r) && (code = sqlite3_step(s)) == SQLITE_ROW) {
        for (unsigned i = 0; i < r->from.table->column_count; i++) {
            if (sqlite3_column_type(s, (int)i) == SQLITE_NULL)
                continue;
            const bool number = r->from.table->columns[i].type == COLUMN_INT;
            const char *text = number ? NULL : (const char *)sqlite3_column_text(s, (int)i);
            if (number)
                put_int(r, i, sqlite3_column_int64(s, (int)i));
            else if (text != NULL)
                put_text(r, i, text, (size_t)sqlite3_column_bytes(s, (int)i));
            else
                return rows_fail(r, "%s: out of memory", CATALOGUE_FILE);
        }
        rows_end(r);
    }
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return rows_fail(r, "%s: %s", CATALOGUE_FILE, sql_error(sqlite3_db_handle(s)));
    return code == SQLITE_ROW;
}
static const struct table_source statement_source = { .state_bytes = sizeof(struct statement_state),
                                                      .next = statement_next };

#define TABLE(name, summary)               static const struct column columns_##name[] = {
#define COLUMN(table, name, type, meaning) { #name, COLUMN_##type, meaning },
#define END(table)                                                                                                     \
    }                                                                                                                  \
    ;
/* clang-format off */
#include "reader/fleet/catalogue.def"
/* clang-format on */

const struct table catalogue_tables[CATALOGUE_COUNT] = {
#define TABLE(name, summary)                                                                                           \
    { #name, summary, columns_##name, sizeof columns_##name / sizeof *columns_##name, 0, &statement_source },
#include "reader/fleet/catalogue.def"
};

size_t catalogue_columns(void)
{
    size_t n = 0;
    for (size_t i = 0; i < CATALOGUE_COUNT; i++)
        n += catalogue_tables[i].column_count;
    return n;
}

/* ---- to Parquet ---- */

static bool next_rows(void *unused, struct rows *r)
{
    (void)unused;
    return rows_next(r);
}

static enum status write_rows(sqlite3_stmt *query, const struct table *t, int fd, struct error *err)
{
    struct rows_from from = { .table = t, .to = UINT64_MAX, .wanted = ROWS_ALL_COLUMNS };
    struct rows r;
    struct out out;
    bool done = false;
    if (!out_init_file(&out, fd))
        return error_memory(err, "%s.parquet", t->name);
    if (rows_open(&r, &from)) {
        ((struct statement_state *)r.state)->statement = query;
        done = parquet_write(&out, &r, next_rows, NULL);
    }
    const int failed = out_flush(&out);
    out_done(&out);
    if (!rows_close(&r))
        return error_set(err, ERR_STORE, "%s", r.error.text);
    if (failed != 0)
        return error_set(err, ERR_IO, "%s.parquet: %s", t->name, strerror(failed));
    return done ? OK : error_memory(err, "%s.parquet", t->name);
}

enum status catalogue_parquet(sqlite3 *db, const struct table *t, int fd, struct error *err)
{
    sqlite3_stmt *query = NULL;
    enum status st = ERR_STORE;
    char *sql = sqlite3_mprintf("SELECT * FROM %s", t->name);
    if (sql == NULL || sqlite3_prepare_v2(db, sql, -1, &query, NULL) != SQLITE_OK)
        (void)error_set(err, st, "%s.parquet: %s", t->name, sql_error(db));
    else
        st = write_rows(query, t, fd, err);
    (void)sqlite3_finalize(query);
    sqlite3_free(sql);
    return st;
}
