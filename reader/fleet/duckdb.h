/* duckdb.h - asks the Parquet files of a fleet with DuckDB, whose library is loaded if it is installed. */
#ifndef READER_FLEET_DUCKDB_H
#define READER_FLEET_DUCKDB_H

#include <sqlite3.h>

#include "formats/status.h"
#include "reader/fleet/store.h"

/* Runs `sql` over the tables of the catalogue, and makes of its rows the table main.answer of `db`, whose columns are
 * named by the SELECT that is left in `select`, to be freed with sqlite3_free. ERR_NOT_FOUND: there is no library;
 * ERR_USAGE: DuckDB refuses the SQL. The SQL reads no files and writes none. */
enum status duckdb_ask(sqlite3 *db, const struct fleet *f, const char *sql, char **select, struct error *err);

#endif
