/* web_answer.c - answers, and who gets them; see web.h. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "formats/bytes.h"
#include "formats/json.h"
#include "reader/cli/serve/web.h"

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

bool web_is_token(const struct web *w, const char *text, size_t size)
{
    unsigned different = size != WEB_TOKEN_SIZE - 1;
    for (size_t i = 0; i < size && i < WEB_TOKEN_SIZE - 1; i++)
        different |= (unsigned)(text[i] ^ w->token[i]);
    return different == 0;
}

/* Is it 127.0.0.1:PORT or localhost:PORT? */
static bool is_here(const struct web *w, const char *host)
{
    char here[2][32];
    (void)snprintf(here[0], sizeof here[0], "127.0.0.1:%d", w->port);
    (void)snprintf(here[1], sizeof here[1], "localhost:%d", w->port);
    return strcmp(host, here[0]) == 0 || strcmp(host, here[1]) == 0;
}

/* The only Host of a request (RFC 9112, 3.2: exactly one); NULL: there is none, or more than one. */
static const char *only_host(const struct mg_connection *c)
{
    const struct mg_request_info *r = mg_get_request_info(c);
    const char *host = NULL;
    for (int i = 0; i < r->num_headers; i++) {
        if (strcasecmp(r->http_headers[i].name, "Host") != 0)
            continue;
        if (host != NULL)
            return NULL;
        host = r->http_headers[i].value;
    }
    return host;
}

bool web_comes_from_here(const struct web *w, struct mg_connection *c)
{
    static const char scheme[] = "http://";
    const char *host = only_host(c), *origin = mg_get_header(c, "Origin");
    if (host == NULL || !is_here(w, host))
        return false;
    return origin == NULL ||
           (strncmp(origin, scheme, sizeof scheme - 1) == 0 && strcmp(origin + sizeof scheme - 1, host) == 0);
}

static bool has_token(const struct web *w, struct mg_connection *c)
{
    static const char bearer[] = "Bearer ";
    const char *header = mg_get_header(c, "Authorization"), *cookies = mg_get_header(c, "Cookie");
    char name[32], value[WEB_TOKEN_SIZE + 16];
    if (header != NULL && strncmp(header, bearer, sizeof bearer - 1) == 0)
        return web_is_token(w, header + sizeof bearer - 1, strlen(header + sizeof bearer - 1));
    (void)snprintf(name, sizeof name, "hindsight-%d", w->port);
    return cookies != NULL && mg_get_cookie(cookies, name, value, sizeof value) > 0 &&
           web_is_token(w, value, strlen(value));
}

bool web_allowed(struct web *w, struct mg_connection *c, const struct mg_request_info *r)
{
    (void)r;
    if (!web_comes_from_here(w, c)) {
        web_fail(c, 403, "this address is http://127.0.0.1:%d/, and only its own page may ask", w->port);
        return false;
    }
    if (!has_token(w, c)) {
        web_fail(c, 401, "the token is missing: open the address that hindsight view has printed");
        return false;
    }
    return true;
}
