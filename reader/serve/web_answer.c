/* web_answer.c - answers, and who gets them; see web.h. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "formats/bytes.h"
#include "formats/json.h"
#include "reader/serve/web.h"

#define HEADERS                                                                                                        \
    "Cache-Control: no-store\r\n"                                                                                      \
    "X-Content-Type-Options: nosniff\r\n"                                                                              \
    "X-Frame-Options: DENY\r\n"                                                                                        \
    "Referrer-Policy: no-referrer\r\n"                                                                                 \
    "Cross-Origin-Resource-Policy: same-origin\r\n"                                                                    \
    "Cross-Origin-Opener-Policy: same-origin\r\n"                                                                      \
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "           \
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"

void web_head(struct mg_connection *c, int status, const char *type, const char *extra)
{
    (void)mg_printf(c, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\n" HEADERS "%sTransfer-Encoding: chunked\r\n\r\n", status,
                    mg_get_response_code_text(c, status), type, extra);
}

void web_answer(struct mg_connection *c, int status, const char *type, const char *extra, const void *body, size_t size)
{
    (void)mg_printf(c, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\n" HEADERS "%sContent-Length: %zu\r\n\r\n", status,
                    mg_get_response_code_text(c, status), type, extra, size);
    if (size > 0)
        (void)mg_write(c, body, size);
}

void web_fail(struct mg_connection *c, int status, const char *fmt, ...)
{
    char text[1024];
    struct writer body = { 0 };
    struct json j;
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    json_init(&j, json_to_writer, &body);
    json_object(&j);
    json_member_text(&j, "error", text);
    json_end_line(&j);
    web_answer(c, status, "application/json", "", body.data, body.bad ? 0 : body.size);
    writer_free(&body);
}

/* ---- who is answered ---- */

/* Asked once for each connection, of which a flag is kept. */
static bool is_own(const struct web *w, struct mg_connection *c)
{
    struct sockaddr_in here = { .sin_family = AF_INET, .sin_port = htons((uint16_t)w->port) }, there = here;
    struct sockaddr_storage ends[2] = { 0 };
    const struct mg_request_info *r = mg_get_request_info(c);
    if (mg_get_user_connection_data(c) != NULL)
        return true;
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    there.sin_port = htons((uint16_t)r->remote_port);
    if (inet_pton(AF_INET, r->remote_addr, &there.sin_addr) != 1)
        return false;
    memcpy(&ends[0], &here, sizeof here);
    memcpy(&ends[1], &there, sizeof there);
    bool own = socket_is_own(&ends[0], &ends[1]);
    if (own)
        mg_set_user_connection_data(c, (void *)(uintptr_t)w);
    return own;
}

/* Is it 127.0.0.1:PORT or localhost:PORT? */
static bool is_here(const struct web *w, const char *host)
{
    char here[2][32];
    (void)snprintf(here[0], sizeof here[0], "127.0.0.1:%d", w->port);
    (void)snprintf(here[1], sizeof here[1], "localhost:%d", w->port);
    return strcmp(host, here[0]) == 0 || strcmp(host, here[1]) == 0;
}

/* The value of a header, NULL if there is none. False: there is more than one, and others may read another one. */
static bool only_header(const struct mg_connection *c, const char *name, const char **value)
{
    const struct mg_request_info *r = mg_get_request_info(c);
    *value = NULL;
    for (int i = 0; i < r->num_headers; i++) {
        if (strcasecmp(r->http_headers[i].name, name) != 0)
            continue;
        if (*value != NULL)
            return false;
        *value = r->http_headers[i].value;
    }
    return true;
}

/* Is it sent to this server, by no other page? */
static bool comes_from_here(const struct web *w, struct mg_connection *c)
{
    static const char scheme[] = "http://";
    const char *host, *origin, *authorization;
    if (!only_header(c, "Host", &host) || !only_header(c, "Origin", &origin) ||
        !only_header(c, "Authorization", &authorization))
        return false;
    if (host == NULL || !is_here(w, host)) /* RFC 9112, 3.2: exactly one */
        return false;
    return origin == NULL ||
           (strncmp(origin, scheme, sizeof scheme - 1) == 0 && strcmp(origin + sizeof scheme - 1, host) == 0);
}

static bool has_token(const struct web *w, struct mg_connection *c, bool in_query)
{
    static const char bearer[] = "Bearer ";
    const char *header = mg_get_header(c, "Authorization"), *cookies = mg_get_header(c, "Cookie"),
               *query = mg_get_request_info(c)->query_string;
    char name[32], value[TOKEN_SIZE + 16];
    if (header != NULL && strncmp(header, bearer, sizeof bearer - 1) == 0)
        return token_is(w->token, header + sizeof bearer - 1, strlen(header + sizeof bearer - 1));
    if (in_query && query != NULL && mg_get_var(query, strlen(query), "token", value, sizeof value) > 0)
        return token_is(w->token, value, strlen(value));
    (void)snprintf(name, sizeof name, "hindsight-%d", w->port);
    return cookies != NULL && mg_get_cookie(cookies, name, value, sizeof value) > 0 &&
           token_is(w->token, value, strlen(value));
}

bool web_allowed(struct web *w, struct mg_connection *c, enum web_needs needs)
{
    if (!is_own(w, c)) {
        web_fail(c, 403, "this server is another user's");
        mg_disable_connection_keep_alive(c);
        return false;
    }
    if (!comes_from_here(w, c)) {
        web_fail(c, 403, "this address is http://127.0.0.1:%d/, and only its own page may ask", w->port);
        return false;
    }
    if (needs != WEB_NO_TOKEN && !has_token(w, c, needs == WEB_TOKEN_ANYWHERE)) {
        web_fail(c, 401, "the token is missing: open the address that hindsight view has printed");
        return false;
    }
    if (needs != WEB_NO_TOKEN)
        web_opened(w);
    return true;
}
