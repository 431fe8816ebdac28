/* jdwp.c - the packets of a connection, one after the other, and the commands about the VM; see jdwp.h.
 *
 *     length u4 (with this head)   id u4   flags u1 (0x80: a reply)   set u1, command u1 | error u2   data
 *
 * A program in a browser cannot begin with the handshake, so that a port of this machine needs no token. */
#include "reader/cli/serve/jdwp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "formats/mutf8.h"
#include "reader/cli/cli.h"

enum { HEAD = 11, PACKET_MAX = 1 << 20, MADE_MAX = 1 << 16 };
static const char handshake[] = "JDWP-Handshake";

static const struct {
    uint8_t set, number;
    jdwp_fn *run;
} rows[] = {
#define JDWP(set, number, name) { set, number, jdwp_##name },
#include "reader/cli/serve/jdwp_commands.def"
#undef JDWP
};

/* ---- bytes ---- */

static bool send_all(struct jdwp *d, const void *data, size_t size)
{
    const char *p = data;
    while (size > 0) {
        ssize_t n = send(d->fd, p, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            d->ended = true;
            return false;
        }
        p += n;
        size -= (size_t)n;
    }
    return true;
}

/* Waits for more bytes; false: the connection has ended. */
static bool receive(struct jdwp *d)
{
    uint8_t bytes[4096];
    ssize_t n;
    if (d->in_at > 0) {
        memmove(d->in.data, d->in.data + d->in_at, d->in.size - d->in_at);
        d->in.size -= d->in_at;
        d->in_at = 0;
    }
    do
        n = recv(d->fd, bytes, sizeof bytes, 0);
    while (n < 0 && errno == EINTR);
    if (n > 0)
        write_bytes(&d->in, bytes, (size_t)n);
    if (n <= 0 || d->in.bad)
        d->ended = true;
    return !d->ended;
}

/* The size of the packet that begins here, if it is there as a whole; else 0. */
static size_t whole(struct jdwp *d, size_t at)
{
    size_t have = d->in.size - at;
    if (have < 4)
        return 0;
    uint32_t size = be4(d->in.data + at);
    if (size < HEAD || size > PACKET_MAX) {
        d->bad = "a packet is shorter than its head, or longer than 1 MB";
        d->ended = true;
        return 0;
    }
    return have >= size ? size : 0;
}

bool jdwp_poll(void *jdwp)
{
    struct jdwp *d = jdwp;
    struct pollfd p = { .fd = d->fd, .events = POLLIN };
    if (d->handling)
        return false;
    while (!d->ended && d->in.size - d->in_at < PACKET_MAX && poll(&p, 1, 0) > 0)
        (void)receive(d);
    for (size_t at = d->in_at, size; !d->ended && (size = whole(d, at)) > 0; at += size) {
        const uint8_t *head = d->in.data + at;
        unsigned set = head[9], number = head[10];
        bool stops = (set == 1 && (number == 6 || number == 8 || number == 10)) || (set == 11 && number == 2);
        if ((head[8] & 0x80) == 0 && stops)
            return true;
    }
    return d->ended;
}

static void send_packet(struct jdwp *d, uint32_t id, uint8_t flags, uint8_t high, uint8_t low, struct writer *body)
{
    struct writer w = { 0 };
    write_u4(&w, (uint32_t)(HEAD + body->size));
    write_u4(&w, id);
    write_u1(&w, flags);
    write_u1(&w, high);
    write_u1(&w, low);
    write_bytes(&w, body->data, body->size);
    if (w.bad || body->bad)
        d->ended = true;
    else
        (void)send_all(d, w.data, w.size);
    writer_free(&w);
}

void jdwp_send_events(struct jdwp *d, struct writer *body)
{
    send_packet(d, ++d->packet_id | 0x80000000u, 0, 64, 100, body);
    writer_free(body);
}

void jdwp_text(struct writer *out, const char *text)
{
    size_t size = strlen(text);
    struct writer w = { 0 };
    if (!mutf8_to_utf8(text, size, &w))
        w.size = 0;
    bool converted = w.size > 0;
    write_u4(out, (uint32_t)(converted ? w.size : size));
    write_bytes(out, converted ? (const void *)w.data : text, converted ? w.size : size);
    writer_free(&w);
}

const char *jdwp_read_text(struct jdwp *d, struct reader *in)
{
    uint32_t size = read_u4(in);
    const uint8_t *bytes = read_span(in, size);
    char *text = bytes != NULL ? arena_chars(&d->arena, (size_t)size + 1) : NULL;
    if (text == NULL)
        return NULL;
    memcpy(text, bytes, size);
    text[size] = '\0';
    return text;
}

/* ---- one connection ---- */

static void handle(struct jdwp *d, const uint8_t *packet, size_t size)
{
    struct reader in = reader_of(packet + HEAD, size - HEAD);
    struct writer out = { 0 };
    enum jdwp_error error = JDWP_NOT_IMPLEMENTED;
    if ((packet[8] & 0x80) != 0)
        return;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].set == packet[9] && rows[i].number == packet[10])
            error = rows[i].run(d, &in, &out);
    if (error == JDWP_NONE && in.bad)
        error = JDWP_ILLEGAL_ARGUMENT;
    if (error == JDWP_NONE && out.bad)
        error = JDWP_OUT_OF_MEMORY;
    if (error != JDWP_NONE) {
        writer_free(&out);
        out = (struct writer){ 0 };
    }
    send_packet(d, be4(packet + 4), 0x80, (uint8_t)(error >> 8), (uint8_t)error, &out);
    writer_free(&out);
}

static bool greet(struct jdwp *d)
{
    size_t size = sizeof handshake - 1;
    while (d->in.size < size)
        if (!receive(d))
            return false;
    if (memcmp(d->in.data, handshake, size) != 0) {
        d->bad = "it does not begin with "
                 "JDWP-Handshake";
        return false;
    }
    d->in_at = size;
    return send_all(d, handshake, size);
}

static void serve(struct jdwp *d)
{
    if (!greet(d))
        return;
    jdwp_start_event(d);
    while (!d->ended) {
        size_t size = whole(d, d->in_at);
        if (d->run && size == 0)
            jdwp_resume(d);
        else if (size > 0) {
            size_t at = d->in_at;
            d->in_at += size;
            d->handling = true;
            handle(d, d->in.data + at, size);
            d->handling = false;
        } else if (!d->ended)
            (void)receive(d);
    }
}

static void serve_one(const char *command, hs_trace *trace, int fd, uint64_t at)
{
    struct jdwp d = { .fd = fd, .command = command, .trace = trace, .text = { .fd = -1 }, .suspends = 1 };
    struct error err = { 0 };
    if (!out_init_memory(&d.text) || !show_init(&d.show, trace, &d.text) || nav_open(trace, &d.nav, &err) != OK ||
        (at != HS_NO_SEQ && nav_go(d.nav, at, &err) != OK) || !jdwp_types_open(&d))
        (void)cli_fail(EXIT_FAILED, command, "%s", err.text[0] != '\0' ? err.text : "out of memory");
    else {
        nav_set_pass(d.nav, jdwp_pass, &d);
        nav_set_poll(d.nav, jdwp_poll, &d);
        serve(&d);
    }
    if (d.bad != NULL)
        (void)cli_fail(EXIT_FAILED, command, "the connection is given up: %s", d.bad);
    jdwp_requests_done(&d);
    nav_close(d.nav);
    show_done(&d.show);
    out_done(&d.text);
    vec_free(&d.types);
    map_free(&d.by_name);
    map_free(&d.by_class);
    vec_free(&d.made);
    vec_free(&d.thread_suspends);
    vec_free(&d.hit);
    writer_free(&d.in);
    arena_done(&d.arena);
}

int jdwp_listen(const char *command, hs_trace *trace, uint16_t port, uint64_t at)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port) };
    socklen_t size = sizeof address;
    const int yes = 1;
    int status = EXIT_DONE, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(fd, (struct sockaddr *)&address, size) != 0 || listen(fd, 4) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &size) != 0)
        status = cli_fail(EXIT_FAILED, command, "--port %u: %s", port, strerror(errno));
    (void)signal(SIGPIPE, SIG_IGN);
    if (status == EXIT_DONE) {
        (void)printf("Listening for transport dt_socket at address: %u\n", ntohs(address.sin_port));
        (void)fflush(stdout);
    }
    while (status == EXIT_DONE) {
        int client = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
        if (client < 0 && errno != EINTR && errno != ECONNABORTED)
            status = cli_fail(EXIT_FAILED, command, "--port %u: %s", port, strerror(errno));
        if (client < 0)
            continue;
        serve_one(command, trace, client, at);
        (void)close(client);
    }
    if (fd >= 0)
        (void)close(fd);
    return status;
}

/* ---- the VM ---- */

#define COMMAND_OF(name) enum jdwp_error jdwp_##name(struct jdwp *d, struct reader *in, struct writer *out)

/* Commands that change nothing here. */
static enum jdwp_error accept_it(struct jdwp *d, struct reader *in, struct writer *out)
{
    (void)d;
    (void)in;
    (void)out;
    return JDWP_NONE;
}
COMMAND_OF(dispose_objects) { return accept_it(d, in, out); }
COMMAND_OF(hold_events) { return accept_it(d, in, out); }
COMMAND_OF(release_events) { return accept_it(d, in, out); }

/* Version 1.8: clients then ask for generic signatures, but for no modules. */
COMMAND_OF(version)
{
    const char *jvm = hs_info(d->trace, "jvm");
    (void)in;
    jdwp_text(out, "Hindsight: a recorded run, which can be debugged forwards and backwards (hindsight.Time)");
    write_u4(out, 1);
    write_u4(out, 8);
    jdwp_text(out, "1.8");
    jdwp_text(out, jvm != NULL ? jvm : "Hindsight");
    return JDWP_NONE;
}

COMMAND_OF(id_sizes)
{
    (void)d;
    (void)in;
    for (int i = 0; i < 5; i++)
        write_u4(out, 8);
    return JDWP_NONE;
}

COMMAND_OF(dispose)
{
    d->ended = true;
    return accept_it(d, in, out);
}
COMMAND_OF(exit) { return jdwp_dispose(d, in, out); }

COMMAND_OF(suspend)
{
    (void)in;
    (void)out;
    d->run = false;
    if (d->suspends < UINT32_MAX)
        d->suspends++;
    return JDWP_NONE;
}

COMMAND_OF(resume_all)
{
    (void)in;
    (void)out;
    if (d->suspends > 0)
        d->suspends--;
    for (size_t i = 0; i < d->thread_suspends.count; i++)
        d->thread_suspends.items[i] -= d->thread_suspends.items[i] > 0;
    d->run = d->suspends == 0;
    return JDWP_NONE;
}

COMMAND_OF(create_string)
{
    const char *text = jdwp_read_text(d, in);
    if (text == NULL || d->made.count >= MADE_MAX)
        return text == NULL ? JDWP_INVALID_STRING : JDWP_OUT_OF_MEMORY;
    const char **to = vec_push(&d->made);
    if (to == NULL)
        return JDWP_OUT_OF_MEMORY;
    *to = text;
    write_u8(out, jdwp_id(SPACE_TEXT, (uint32_t)d->made.count));
    return JDWP_NONE;
}

static void capabilities(struct writer *out, size_t count)
{
    /* field writes, field reads, -, synthetic, owned monitors, contended monitor, -; -, -, -, pop frames, instance
     * filters, -, VM death, ..., 18: monitor frames */
    static const char can[] = "1101110000110100010";
    for (size_t i = 0; i < count; i++)
        write_u1(out, i < sizeof can - 1 && can[i] == '1');
}
COMMAND_OF(capabilities)
{
    (void)d;
    (void)in;
    capabilities(out, 7);
    return JDWP_NONE;
}
COMMAND_OF(capabilities_new)
{
    (void)d;
    (void)in;
    capabilities(out, 32);
    return JDWP_NONE;
}

COMMAND_OF(class_paths)
{
    (void)d;
    (void)in;
    jdwp_text(out, "/");
    write_u4(out, 0);
    write_u4(out, 0);
    return JDWP_NONE;
}
