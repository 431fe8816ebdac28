/* clickhouse_server.c - see clickhouse_server.h. */
#include "reader/command/clickhouse_server.h"

#include <stdlib.h>
#include <string.h>

enum { ANSWER_MAX_BYTES = 256 << 20, SERVER_SILENT_S = 600 };

enum status clickhouse_open(struct clickhouse_client *c, struct error *err)
{
    c->user = getenv("CLICKHOUSE_USER");
    c->password = getenv("CLICKHOUSE_PASSWORD");
    if (c->user != NULL && c->password == NULL)
        c->password = "";
    return http_open(&c->http, err);
}

void clickhouse_close(struct clickhouse_client *c)
{
    http_close(c->http);
    c->http = NULL;
}

enum status clickhouse_check_server(const char *url, struct error *err)
{
    return http_is_server(url)
               ? OK
               : error_set(err, ERR_USAGE,
                           "--server wants http://HOST:PORT; CLICKHOUSE_USER and CLICKHOUSE_PASSWORD say who asks");
}

bool clickhouse_is_name(const char *name)
{
    return strlen(name) > 0 && strlen(name) < 64 &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(name);
}

/* Is the SQL to blame? Not where it was not looked at, or where another server of the cluster went away. */
static bool is_refusal(const struct http_answer *a)
{
    return a->status != 401 && a->status != 403 && strstr(a->message, "DB::NetException") == NULL;
}

enum status clickhouse_run(const struct clickhouse_client *c, const char *server, const struct clickhouse_statement *q,
                           http_text *text, struct error *err)
{
    struct http_request r = {
        .method = "POST", .user = c->user, .password = c->password, .silent_s = SERVER_SILENT_S, .ends = q->ends
    };
    struct http_answer a = { .text_max = ANSWER_MAX_BYTES };
    http_text url = { 0 };
    const size_t n = strlen(server);
    bool whole = http_append(&url, server) && (server[n - 1] == '/' || http_append(&url, "/")) &&
                 http_append(&url, "?wait_end_of_query=1") &&
                 http_append(&url, q->parameters != NULL ? q->parameters : "");
    r.body = q->sql;
    r.body_bytes = strlen(q->sql);
    if (q->body != NULL) {
        whole = whole && http_append(&url, "&query=") && http_escape(&url, q->sql, false);
        r.body = q->body;
        r.body_bytes = q->body_bytes;
    }
    enum status st = ERR_MEMORY;
    if (!whole || !http_end(&url)) {
        (void)error_memory(err, "%s", server);
    } else {
        r.url = url.items;
        st = http_send(c->http, &r, &a, err);
    }
    if (st == OK && a.status >= 300)
        st = error_set(err, is_refusal(&a) ? ERR_USAGE : ERR_IO, "%s: the server answers %d: %.*s", server, a.status,
                       (int)strcspn(a.message, "\n"), a.message);
    if (st == OK && text != NULL)
        *text = a.text;
    else
        vec_free(&a.text);
    vec_free(&url);
    return st;
}
