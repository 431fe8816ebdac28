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
    const char
        *first;       /* SQL of ours before it, of one row: 1 and why it is not answered, or 0 and a note; NULL: none */
    bool fail_if_any; /* EXIT_FAILED if there is a row */
};
/* Writes the rows, and closes the place before. The exit status, after a failure was reported; EXIT_INCOMPLETE:
 * runs cannot be read, which were named. */
int fleet_ask(struct context *context, const struct fleet_question *q, struct place *p);

#endif
