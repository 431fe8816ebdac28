/* jdwp_wire.c - packets to and from the client, and the texts in them.
 *
 *     length u4 (with this head)   id u4   flags u1 (0x80: a reply)   set u1, command u1 | error u2   data */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "formats/mutf8.h"
#include "reader/serve/jdwp.h"

enum { PACKET_MAX = 1 << 20, KEPT_MAX = 64 << 20 };

bool jdwp_send(struct jdwp *d, const void *data, size_t size)
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

bool jdwp_receive(struct jdwp *d)
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

size_t jdwp_whole(struct jdwp *d, size_t at)
{
    size_t have = d->in.size - at;
    if (have < 4)
        return 0;
    uint32_t size = be4(d->in.data + at);
    if (size < JDWP_HEAD || size > PACKET_MAX) {
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
        (void)jdwp_receive(d);
    for (size_t at = d->in_at, size; !d->ended && (size = jdwp_whole(d, at)) > 0; at += size) {
        const uint8_t *head = d->in.data + at;
        unsigned set = head[9], number = head[10];
        bool stops = (set == 1 && (number == 6 || number == 8 || number == 10)) || (set == 11 && number == 2);
        if ((head[8] & 0x80) == 0 && stops)
            return true;
    }
    return d->ended;
}

void jdwp_send_packet(struct jdwp *d, uint32_t id, uint8_t flags, uint8_t high, uint8_t low, struct writer *body)
{
    struct writer w = { 0 };
    write_u4(&w, (uint32_t)(JDWP_HEAD + body->size));
    write_u4(&w, id);
    write_u1(&w, flags);
    write_u1(&w, high);
    write_u1(&w, low);
    write_bytes(&w, body->data, body->size);
    if (w.bad || body->bad)
        d->ended = true;
    else
        (void)jdwp_send(d, w.data, w.size);
    writer_free(&w);
}

void jdwp_send_events(struct jdwp *d, struct writer *body)
{
    jdwp_send_packet(d, ++d->packet_id | 0x80000000u, 0, 64, 100, body);
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

void jdwp_put_rows(struct writer *out, uint32_t count, struct writer *rows)
{
    write_u4(out, count);
    write_bytes(out, rows->data, rows->size);
    out->bad |= rows->bad;
    writer_free(rows);
}

char *jdwp_chars(struct jdwp *d, size_t size)
{
    return d->arena.bytes < KEPT_MAX ? arena_chars(&d->arena, size) : NULL;
}

const char *jdwp_read_text(struct jdwp *d, struct reader *in)
{
    uint32_t size = read_u4(in);
    const uint8_t *bytes = read_span(in, size);
    char *text = bytes != NULL ? jdwp_chars(d, (size_t)size + 1) : NULL;
    if (text == NULL)
        return NULL;
    memcpy(text, bytes, size);
    text[size] = '\0';
    return text;
}
