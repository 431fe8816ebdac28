/* query.h - asks SQL of the tables of all runs (catalogue.h). */
#ifndef READER_FLEET_QUERY_H
#define READER_FLEET_QUERY_H

#include "reader/command/cli.h"
#include "reader/fleet/clickhouse.h"
#include "reader/fleet/place.h"

struct fleet_question {
    const struct common *common;
    const char *sql;
    const char *engine; /* NULL: sqlite, or ClickHouse if it has servers */
    struct clickhouse clickhouse;
};
/* Writes the rows, and closes the place before. The exit status, after a failure was reported; EXIT_INCOMPLETE: a
 * catalogue cannot be read. */
int fleet_ask(struct context *context, const struct fleet_question *q, struct place *p);
/* The runs that are not asked, as a later push of the same recording is there. */
enum status fleet_replaced(struct context *context, struct place *p, run_ids *out, struct error *err);

#endif
