/* chdb.h - asks the Parquet files of a fleet with chdb, which is ClickHouse as a library; it is loaded if it is
 * installed. */
#ifndef READER_FLEET_CHDB_H
#define READER_FLEET_CHDB_H

#include "reader/fleet/answer.h"
#include "reader/fleet/store.h"

/* Runs `sql` over the tables of the catalogue. ERR_NOT_FOUND: there is no library; ERR_USAGE: chdb refuses the SQL. The
 * SQL reads no files and writes none. */
enum status chdb_ask(sqlite3 *db, const struct fleet *f, const char *sql, struct answer *a, struct error *err);

#endif
