/* listen.c - see listen.h. Only addresses of this machine are accepted: a trace holds what a program had in memory, and
 * `launch` with a command runs programs.
 *
 * A page in a browser can connect to any local port. A WebSocket needs the token; every other request of a browser ends
 * at its first line, which is not Content-Length. A program of this user that has not shown the token may ask about
 * traces, but run nothing (sockets.h, dap_launch.c). */
#include "reader/serve/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "reader/command/cli.h"
#include "reader/serve/dap.h"
#include "reader/serve/sockets.h"
#include "reader/serve/websocket.h"

int serve_standard(struct context *context)
{
    struct connection c;
    (void)signal(SIGPIPE, SIG_IGN);
    connection_init(&c, STDIN_FILENO, STDOUT_FILENO);
    int status = dap_serve(&c, context);
    connection_done(&c);
    return status;
}

/* "4711", "127.0.0.1:4711", "[::1]:4711" */
static int parse(struct context *context, const char *text, struct sockaddr_storage *out, socklen_t *size)
{
    struct sockaddr_in *v4 = (struct sockaddr_in *)out;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)out;
    const char *colon = strrchr(text, ':'), *digits = colon != NULL ? colon + 1 : text;
    char host[64] = "127.0.0.1";
    uint64_t port;
    size_t n = colon != NULL ? (size_t)(colon - text) : 0;
    *out = (struct sockaddr_storage){ 0 };
    if (!cli_u64(digits, &port) || port > UINT16_MAX || n >= sizeof host)
        return cli_fail(EXIT_USAGE, context, "--listen %s: expected [ADDR:]PORT, a port from 0 to 65535", text);
    if (n > 0) {
        bool brackets = n > 2 && text[0] == '[' && text[n - 1] == ']';
        memcpy(host, text + brackets, n - 2 * brackets);
        host[n - 2 * brackets] = '\0';
        if (strcmp(host, "localhost") == 0)
            (void)snprintf(host, sizeof host, "127.0.0.1");
    }
    if (inet_pton(AF_INET, host, &v4->sin_addr) == 1 && (ntohl(v4->sin_addr.s_addr) >> 24) == 127) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons((uint16_t)port);
        *size = sizeof *v4;
        return PARSED;
    }
    if (inet_pton(AF_INET6, host, &v6->sin6_addr) == 1 && IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr)) {
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons((uint16_t)port);
        *size = sizeof *v6;
        return PARSED;
    }
    return cli_fail(EXIT_USAGE, context, "--listen %s: only addresses of this machine are served (127.0.0.1, [::1])",
                    text);
}

struct adapter {
    struct context *context;
    char token[TOKEN_SIZE];
};

/* Whole: a message with its body, or the head of a request for a WebSocket. */
static enum greeting greet(const char *bytes, size_t size, const char **why)
{
    bool whole = false;
    if (greeting_begins(bytes, size, "GET "))
        whole = memmem(bytes, size, "\r\n\r\n", 4) != NULL || size > WEBSOCKET_HEAD_MAX;
    else if (greeting_begins(bytes, size, "Content-Length:"))
        whole = connection_has_message(bytes, size, why);
    else
        *why = "it begins neither with Content-Length nor as a WebSocket";
    return *why != NULL ? GREETING_REFUSED : whole ? GREETING_WHOLE : GREETING_PART;
}

static void serve_one(const void *context, int fd)
{
    const struct adapter *a = context;
    struct connection c;
    connection_init(&c, fd, fd);
    c.token = a->token;
    if (websocket_accept(&c))
        (void)dap_serve(&c, a->context);
    connection_done(&c);
}

int serve_listen(const struct common *common, struct context *context, const char *address, const char *token_file)
{
    struct sockaddr_storage at;
    socklen_t size = 0;
    struct adapter a = { .context = context };
    char why[PATH_MAX + 100], url[128];
    int status = parse(context, address, &at, &size);
    if (status != PARSED)
        return status;
    if (token_file != NULL && !token_keep(token_file, a.token, why, sizeof why))
        return cli_fail(EXIT_FAILED, context, "--token %s", why);
    int fd = socket_listen(&at, size), failed;
    if (fd >= 0 && (token_file != NULL || token_make(a.token))) {
        bool v6 = at.ss_family == AF_INET6;
        unsigned port = ntohs(v6 ? ((struct sockaddr_in6 *)&at)->sin6_port : ((struct sockaddr_in *)&at)->sin_port);
        (void)snprintf(url, sizeof url, "ws://%s:%u/?token=%s", v6 ? "[::1]" : "127.0.0.1", port, a.token);
        cli_address(common, "", url);
        failed = socket_serve(fd, &(struct service){ greet, serve_one, &a, context });
    } else {
        failed = errno;
    }
    if (fd >= 0)
        (void)close(fd);
    return cli_fail(EXIT_FAILED, context, "--listen %s: %s", address, strerror(failed));
}
