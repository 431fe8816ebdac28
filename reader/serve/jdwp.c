/* jdwp.c - the packets of a connection, one after the other, and the commands about the VM; see jdwp.h.
 *
 * A program in a browser cannot begin with the handshake, and programs of other users are refused: a port of this
 * machine needs no token. */
#include "reader/serve/jdwp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "reader/command/cli.h"
#include "reader/serve/sockets.h"

enum { MADE_MAX = 1 << 16 };
static const char handshake[] = "JDWP-Handshake", NO_HANDSHAKE[] = "it does not begin with JDWP-Handshake";

static const struct {
    uint8_t set, number;
    jdwp_fn *run;
} rows[] = {
#define JDWP(set, number, name) { set, number, jdwp_##name },
#include "reader/serve/jdwp_commands.def"
#undef JDWP
};

/* ---- one connection ---- */

static void handle(struct jdwp *d, const uint8_t *packet, size_t size)
{
    struct reader in = reader_of(packet + JDWP_HEAD, size - JDWP_HEAD);
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
    jdwp_send_packet(d, be4(packet + 4), 0x80, (uint8_t)(error >> 8), (uint8_t)error, &out);
    writer_free(&out);
}

static bool greet(struct jdwp *d)
{
    size_t size = sizeof handshake - 1;
    while (d->in.size < size)
        if (!jdwp_receive(d))
            return false;
    if (memcmp(d->in.data, handshake, size) != 0) {
        d->bad = NO_HANDSHAKE;
        return false;
    }
    d->in_at = size;
    return jdwp_send(d, handshake, size);
}

static void serve(struct jdwp *d)
{
    if (!greet(d))
        return;
    jdwp_start_event(d);
    while (!d->ended) {
        size_t size = jdwp_whole(d, d->in_at);
        if (d->run && size == 0)
            jdwp_resume(d);
        else if (size > 0) {
            size_t at = d->in_at;
            d->in_at += size;
            d->handling = true;
            handle(d, d->in.data + at, size);
            d->handling = false;
        } else if (!d->ended)
            (void)jdwp_receive(d);
    }
}

void jdwp_serve(struct context *context, hs_trace *trace, int fd, uint64_t at)
{
    struct jdwp d = {
        .fd = fd, .context = context, .trace = trace, .text = { .fd = -1 }, .suspends = 1, .written = HS_NO_SEQ
    };
    struct error err = { 0 };
    if (!out_init_memory(&d.text) || !show_init(&d.show, trace, &d.text) || nav_open(trace, &d.nav, &err) != OK ||
        (at != HS_NO_SEQ && nav_go(d.nav, at, &err) != OK) || !jdwp_types_open(&d))
        (void)cli_fail(EXIT_FAILED, context, "%s", err.text[0] != '\0' ? err.text : "out of memory");
    else {
        nav_set_pass(d.nav, jdwp_pass, &d);
        nav_set_poll(d.nav, jdwp_poll, &d);
        serve(&d);
    }
    if (d.bad != NULL)
        (void)cli_fail(EXIT_FAILED, context, "the connection is given up: %s", d.bad);
    jdwp_requests_done(&d);
    jdwp_forget_made(&d);
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
    jdwp_forget_answers(&d);
    arena_done(&d.arena);
}

struct target {
    struct context *context;
    const char *dir;
    uint64_t at;
};

static enum greeting greet_one(const char *bytes, size_t size, const char **why)
{
    const size_t want = sizeof handshake - 1;
    if (memcmp(bytes, handshake, size < want ? size : want) == 0)
        return size >= want ? GREETING_WHOLE : GREETING_PART;
    *why = NO_HANDSHAKE;
    return GREETING_REFUSED;
}

/* In a process of its own, which opens the trace itself: LMDB cannot be used behind a fork. */
static void serve_one(const void *context, int fd)
{
    const struct target *t = context;
    struct hs_error error = HS_ERROR_INIT;
    hs_trace *trace;
    if (session_open_trace(t->context, t->dir, 0, NULL, &trace, &error) != 0) {
        (void)cli_fail(EXIT_FAILED, t->context, "%s", error.text);
        return;
    }
    jdwp_serve(t->context, trace, fd, t->at);
    hs_close(trace);
}

int jdwp_listen(const struct common *common, struct context *context, const char *dir, uint16_t port, uint64_t at)
{
    struct sockaddr_storage address = { 0 };
    struct sockaddr_in *v4 = (struct sockaddr_in *)&address;
    *v4 = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(port) };
    v4->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket_listen(&address, sizeof *v4), failed = errno;
    if (fd >= 0) {
        char number[16];
        (void)snprintf(number, sizeof number, "%u", ntohs(v4->sin_port));
        cli_address(common, "Listening for transport dt_socket at address: ", number);
        failed =
            socket_serve(fd, &(struct service){ greet_one, serve_one, &(struct target){ context, dir, at }, context });
        (void)close(fd);
    }
    return cli_fail(EXIT_FAILED, context, "--port %u: %s", port, strerror(failed));
}

/* ---- the VM ---- */

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
    /* field writes, field reads, -, synthetic, owned monitors, contended monitor, monitor info; -, -, -, pop frames,
     * instance filters, source debug extension, VM death, ..., 18: monitor frames */
    static const char can[] = "1101111000111100010";
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
