/* target_http.c - the server of `hindsight view`: what a browser sends, until it closes. TOKEN and PORT in it stand for
 * the token and the port. No command is run (fuzz.c). The server is one for the process, as civetweb's is. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "reader/serve/web.h"
#include "test/fuzz/kept.h"

static struct web web;
static void stop(void) { web_stop(&web); }

static void start(void)
{
    char why[256];
    if (web.server != NULL)
        return;
    commands = command_table;
    struct web_trace *t = vec_push(&web.traces);
    FUZZ_CHECK(t != NULL);
    *t = (struct web_trace){ strdup("trace"), strdup(kept_whole(0)) };
    FUZZ_CHECK(web_start(&web, 0, why, sizeof why));
    (void)atexit(stop);
}

static void fill_in(struct reader *in, struct writer *w)
{
    static const char token[] = "TOKEN", port[] = "PORT";
    char number[16];
    (void)snprintf(number, sizeof number, "%d", web.port);
    while (in->at < in->size) {
        const uint8_t *p = in->data + in->at;
        size_t left = in->size - in->at, n = 1;
        if (left >= sizeof token - 1 && memcmp(p, token, sizeof token - 1) == 0) {
            n = sizeof token - 1;
            write_bytes(w, web.token, TOKEN_SIZE - 1);
        } else if (left >= sizeof port - 1 && memcmp(p, port, sizeof port - 1) == 0) {
            n = sizeof port - 1;
            write_bytes(w, number, strlen(number));
        } else {
            write_u1(w, *p);
        }
        in->at += n;
    }
}

void fuzz_http(const uint8_t *data, size_t size)
{
    static char answer[1 << 16];
    struct reader in = reader_of(data, size);
    struct writer w = { 0 };
    start();
    fill_in(&in, &w);
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)web.port) };
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct timeval patience = { .tv_sec = 8 };
    FUZZ_CHECK(fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) == 0);
    FUZZ_CHECK(connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
    (void)!send(fd, w.data, w.size, MSG_NOSIGNAL);
    (void)shutdown(fd, SHUT_WR);
    while (recv(fd, answer, sizeof answer, 0) > 0)
        ;
    struct linger at_once = { .l_onoff = 1 }; /* thousands of connections a minute leave no ports behind */
    (void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    (void)close(fd);
    writer_free(&w);
}
