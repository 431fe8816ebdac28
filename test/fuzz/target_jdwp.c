/* target_jdwp.c - the server for debuggers: a byte chooses the trace, then packets: u1 command set, u1 command, u1 n, n
 * bytes of data. Set 0 stands for a packet whose head is the data. */
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "reader/command/context.h"
#include "reader/serve/jdwp.h"
#include "test/fuzz/kept.h"

static const char greeting[] = "JDWP-Handshake";

/* What the server sends is thrown away, so that it never waits. */
static void *read_all(void *fd)
{
    static char bytes[4096];
    while (recv(*(int *)fd, bytes, sizeof bytes, 0) > 0)
        ;
    return NULL;
}

static void put_packets(struct reader *in, struct writer *w)
{
    write_bytes(w, greeting, sizeof greeting - 1);
    for (uint32_t id = 1; in->at < in->size; id++) {
        unsigned set = read_u1(in), number = read_u1(in);
        size_t n = read_u1(in);
        if (n > in->size - in->at)
            n = in->size - in->at;
        if (set != 0) {
            write_u4(w, (uint32_t)(JDWP_HEAD + n));
            write_u4(w, id);
            write_u1(w, 0);
            write_u1(w, set);
            write_u1(w, number);
        }
        write_bytes(w, read_span(in, n), n);
    }
}

void fuzz_jdwp(const uint8_t *data, size_t size)
{
    struct reader in = reader_of(data, size);
    struct writer w = { 0 };
    struct hs_error error = HS_ERROR_INIT;
    hs_trace *trace = NULL;
    pthread_t reading;
    int ends[2];
    FUZZ_CHECK(hs_open(kept_whole(read_u1(&in) % KEPT_CHOSEN), HS_OPEN_READONLY, NULL, &trace, &error) == 0);
    put_packets(&in, &w);
    FUZZ_CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    FUZZ_CHECK(pthread_create(&reading, NULL, read_all, &ends[1]) == 0);
    size_t sent = 0;
    for (ssize_t n; sent < w.size && (n = send(ends[1], w.data + sent, w.size - sent, MSG_DONTWAIT)) > 0;)
        sent += (size_t)n; /* what does not fit into the socket is left out */
    (void)shutdown(ends[1], SHUT_WR);
    fuzz_silent(true);
    jdwp_serve(&(struct context){ .name = "jdwp" }, trace, ends[0], HS_NO_SEQ);
    fuzz_silent(false);
    (void)close(ends[0]);
    (void)pthread_join(reading, NULL);
    (void)close(ends[1]);
    hs_close(trace);
    writer_free(&w);
}
