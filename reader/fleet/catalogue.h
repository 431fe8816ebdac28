/* catalogue.h - what is known of a run without opening its trace: small tables (catalogue.def).
 *
 *     trace -> catalogue.db (SQLite) -> NAME.parquet, one file a table
 *
 * Both have the same rows: `fleet query` reads the databases, other engines read runs/?/NAME.parquet. */
#ifndef READER_FLEET_CATALOGUE_H
#define READER_FLEET_CATALOGUE_H

#include <sqlite3.h>

#include "formats/status.h"
#include "reader/command/cli.h"
#include "reader/fleet/store.h"
#include "reader/tables/tables.h"

enum catalogue_id {
#define TABLE(name, summary) CATALOGUE_##name,
#include "reader/fleet/catalogue.def"
    CATALOGUE_COUNT
};
extern const struct table catalogue_tables[CATALOGUE_COUNT];
/* Of all tables: another version may have others, and so another cache and another database. */
size_t catalogue_columns(void);

struct catalogue_run {
    hs_trace *trace;
    const char *id, *name, *recording;
    const struct texts *headers; /* --request */
    const struct texts *labels;  /* KEY=VALUE */
    uint64_t pushed_ns, bytes;
};
/* Writes the files into the directory `dir`, whose path is `path`. */
enum status catalogue_write(const struct catalogue_run *run, int dir, const char *path, struct error *err);
/* Runs statements of ours: a format of sqlite3_mprintf. */
enum status catalogue_sql(sqlite3 *db, struct error *err, const char *format, ...);
/* The value of a query of ours of one row: a text (NULL: it is null), for sqlite3_free, or a number of rows. */
enum status catalogue_text(sqlite3 *db, struct error *err, char **out, const char *format, ...);
enum status catalogue_count(sqlite3 *db, struct error *err, uint64_t *out, const char *format, ...);
/* Makes the tables with this prefix, empty, unless they are there. */
enum status catalogue_create(sqlite3 *db, const char *prefix, struct error *err);
/* Adds the rows of that run, from the bytes of a database, which may be anything, to the tables rows_NAME. */
enum status catalogue_read(sqlite3 *db, char *bytes, size_t n, const struct run_id *id, struct error *err);
/* The same from a file with the rows of many runs, of which those of `runs`, in the order of their names, are taken. */
enum status catalogue_read_runs(sqlite3 *db, int fd, const run_ids *runs, struct error *err);
/* The files of catalogue_write, with the rows of the runs of the table temp.fleet_part, from the tables rows_NAME. */
enum status catalogue_write_runs(sqlite3 *gathered, int dir, const char *path, struct error *err);
/* For both directions: INSERT INTO a table, a parameter for each column (NULL: see sqlite3_errmsg), and a row of one
 * statement into it (what is wrong, or NULL). */
sqlite3_stmt *catalogue_insertion(sqlite3 *db, const char *prefix, const struct table *t);
const char *catalogue_copy_row(const struct table *t, sqlite3_stmt *from, sqlite3_stmt *to);
/* The rows of a table, or of a view with its columns, as a Parquet file. */
enum status catalogue_parquet(sqlite3 *db, const struct table *t, int fd, struct error *err);

#endif
