/* clickhouse_sql.h - what SQL may not be sent to a server of ClickHouse, beside what its setting readonly=1 refuses
 * there (table functions, settings, INSERT, SYSTEM, tables that are made or changed): other statements than SELECT, as
 * KILL QUERY, and what other databases have. */
#ifndef READER_FLEET_CLICKHOUSE_SQL_H
#define READER_FLEET_CLICKHOUSE_SQL_H

#include "formats/status.h"

/* `databases`: those of the server, a name a line, of which `own` may be named. ERR_USAGE: it is refused. */
enum status clickhouse_sql_check(const char *sql, const char *databases, const char *own, struct error *err);

#endif
