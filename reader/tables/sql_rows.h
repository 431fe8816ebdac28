/* sql_rows.h - a question in SQL, and its rows as text or JSON: for `sql` and `fleet query`. */
#ifndef READER_TABLES_SQL_ROWS_H
#define READER_TABLES_SQL_ROWS_H

#include <sqlite3.h>

#include "formats/status.h"
#include "reader/command/cli.h"

/* Writes the rows of the one statement `sql`, which may only read, at most --limit; counts them. EXIT_DONE, or the exit
 * status with `err`. From then on the connection can only be asked. */
int sql_ask(struct out *o, const struct common *c, sqlite3 *db, const char *sql, uint64_t *rows, struct error *err);

#endif
