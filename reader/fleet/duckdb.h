/* duckdb.h - asks the tables of a fleet with DuckDB, whose library is loaded if it is installed. */
#ifndef READER_FLEET_DUCKDB_H
#define READER_FLEET_DUCKDB_H

#include <sqlite3.h>

#include "formats/status.h"
#include "reader/fleet/answer.h"

/* Runs `sql` over the tables that `db` has (gather.h), and makes of its rows the table temp.answer of `db`.
 * ERR_NOT_FOUND: there is no library; ERR_USAGE: DuckDB refuses the SQL. The SQL reads no files and writes none. */
enum status duckdb_ask(sqlite3 *db, const char *sql, struct answer *answer, struct error *err);

#endif
