/* clickhouse.h - asks servers of ClickHouse over HTTP, after they got the rows of the fleet that they do not have yet.
 *
 *     on each server     DB.rows_calls   load, and the columns of the table      DB.loads   run, version, load
 *                        DB.shard_calls  the rows whose load is the last one of its run
 *     on the first one   DB_CLUSTER.calls, or DB_server.calls: those of all servers
 *
 * A run is loaded into one server: its rows under a new random name, the load, then one row of `loads`, which makes
 * them seen. So a load that was cut off is never seen, one that was made twice is seen once, and an empty load takes a
 * run away. Nothing is asked while a server is away, as rows would be missing. */
#ifndef READER_FLEET_CLICKHOUSE_H
#define READER_FLEET_CLICKHOUSE_H

#include <sqlite3.h>

#include "reader/command/cli.h"
#include "reader/fleet/answer.h"
#include "reader/tables/tables.h"

struct clickhouse {
    const struct texts *servers; /* http://HOST:PORT; the first one is asked */
    const char *cluster;         /* of the servers' configuration; NULL: there is one server */
    const char *database;        /* DB, with the fleet and the number of columns behind it; NULL: hindsight */
    uint64_t fleet;              /* whose rows they are */
};
/* ERR_USAGE: an address or a name is none. */
enum status clickhouse_check(const struct clickhouse *c, struct error *err);
/* Loads the runs that are in the tables of the catalogue in `db`, and takes away others; then asks `sql`, which can
 * only read. ERR_USAGE: a server refuses it. */
enum status clickhouse_ask(const struct clickhouse *c, sqlite3 *db, const char *sql, struct answer *a,
                           struct error *err);

#endif
