/* listen.c - see listen.h. Only addresses of this machine are accepted: a trace holds what a program had in memory, and
 * `launch` with a command runs programs.
 *
 * A page in a browser can connect to any local port, by WebSocket: such a connection needs the token. Programs of this
 * user begin with Content-Length, which no browser does. Those of another user need a WebSocket with the token. */
#include "reader/cli/serve/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "reader/cli/cli.h"
#include "reader/cli/serve/dap.h"
#include "reader/cli/serve/sockets.h"
#include "reader/cli/serve/websocket.h"

int serve_standard(const char *command)
{
    struct connection c;
    (void)signal(SIGPIPE, SIG_IGN);
    connection_init(&c, STDIN_FILENO, STDOUT_FILENO);
    int status = dap_serve(&c, command);
    connection_done(&c);
    return status;
}

/* "4711", "127.0.0.1:4711", "[::1]:4711" */
static int parse(const char *command, const char *text, struct sockaddr_storage *out, socklen_t *size)
{
    struct sockaddr_in *v4 = (struct sockaddr_in *)out;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)out;
    const char *colon = strrchr(text, ':'), *digits = colon != NULL ? colon + 1 : text;
    char host[64] = "127.0.0.1";
    uint64_t port;
    size_t n = colon != NULL ? (size_t)(colon - text) : 0;
    *out = (struct sockaddr_storage){ 0 };
    if (!cli_u64(digits, &port) || port > UINT16_MAX || n >= sizeof host)
        return cli_fail(EXIT_USAGE, command, "--listen %s: expected [ADDR:]PORT, a port from 0 to 65535", text);
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
    return cli_fail(EXIT_USAGE, command, "--listen %s: only addresses of this machine are served (127.0.0.1, [::1])",
                    text);
}

struct adapter {
    const char *command;
    char token[33];
};

/* Whole: a message with its body, or the head of a request for a WebSocket. */
static enum greeting greet(const void *context, int fd, const char *bytes, size_t size, const char **why)
{
    const struct adapter *a = context;
    bool web = size >= 4 && memcmp(bytes, "GET ", 4) == 0, whole;
    if (web)
        whole = memmem(bytes, size, "\r\n\r\n", 4) != NULL || size > WEBSOCKET_HEAD_MAX;
    else
        whole = connection_has_message(bytes, size, why);
    if (whole && !socket_peer_is_own(fd) && !(web && websocket_has_token(bytes, size, a->token)))
        *why = SOCKET_OF_ANOTHER_USER;
    return *why != NULL ? GREETING_REFUSED : whole ? GREETING_WHOLE : GREETING_PART;
}

static void serve_one(const void *context, int fd)
{
    const struct adapter *a = context;
    struct connection c;
    connection_init(&c, fd, fd);
    if (websocket_accept(&c, a->token))
        (void)dap_serve(&c, a->command);
    connection_done(&c);
}

int serve_listen(const char *command, const char *address)
{
    struct sockaddr_storage at;
    socklen_t size = 0;
    struct adapter a = { .command = command };
    int status = parse(command, address, &at, &size);
    if (status != PARSED)
        return status;
    int fd = socket_listen(&at, size), failed;
    if (fd >= 0 && make_token(a.token, sizeof a.token)) {
        bool v6 = at.ss_family == AF_INET6;
        unsigned port = ntohs(v6 ? ((struct sockaddr_in6 *)&at)->sin6_port : ((struct sockaddr_in *)&at)->sin_port);
        (void)printf("ws://%s:%u/?token=%s\n", v6 ? "[::1]" : "127.0.0.1", port, a.token);
        (void)fflush(stdout);
        failed = socket_serve(fd, &(struct service){ greet, serve_one, &a, command });
    } else {
        failed = errno;
    }
    if (fd >= 0)
        (void)close(fd);
    return cli_fail(EXIT_FAILED, command, "--listen %s: %s", address, strerror(failed));
}
