/* clickhouse_server.h - statements for a server of ClickHouse, by HTTP; the same servers are those of `fleet query` and
 * of `export --to clickhouse`. https://clickhouse.com/docs/interfaces/http */
#ifndef READER_COMMAND_CLICKHOUSE_SERVER_H
#define READER_COMMAND_CLICKHOUSE_SERVER_H

#include "reader/command/http.h"

/* Who asks: CLICKHOUSE_USER and CLICKHOUSE_PASSWORD; a client belongs to one thread. */
struct clickhouse_client {
    const char *user, *password;
    struct http *http;
};
enum status clickhouse_open(struct clickhouse_client *c, struct error *err);
void clickhouse_close(struct clickhouse_client *c);

/* ERR_USAGE: no address of a server, which has no user, password or question in it. */
enum status clickhouse_check_server(const char *url, struct error *err);
/* Letters, digits and _, at most 63: what needs no quotation marks. */
bool clickhouse_is_name(const char *name);

/* Zeros are good for all members but `sql`. */
struct clickhouse_statement {
    const char *sql;
    const char *parameters; /* of the address, each with & before it */
    const void *body;       /* what follows the statement */
    size_t body_bytes;
    bool ends; /* it is sent after Ctrl-C, too */
};
/* Sends a statement to a server; `text` may be NULL. ERR_USAGE: the server refuses the SQL. */
enum status clickhouse_run(const struct clickhouse_client *c, const char *server, const struct clickhouse_statement *q,
                           http_text *text, struct error *err);
#endif
