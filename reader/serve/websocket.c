/* websocket.c - see websocket.h.
 *
 *     frame   FIN opcode | MASK length | length of 2 or 8 bytes, big-endian | mask of 4 bytes | bytes ^ mask
 *
 * A client masks its frames, a server does not (RFC 6455 5.1). A message may come in several frames. */
#include "reader/serve/websocket.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/serve/sockets.h"

enum { OP_MORE = 0, OP_TEXT = 1, OP_BINARY = 2, OP_CLOSE = 8, OP_PING = 9, OP_PONG = 10 };

/* ---- SHA-1 and Base64, for the answer to the key (RFC 6455 4.2.2) ---- */

static uint32_t rotated(uint32_t v, unsigned n) { return v << n | v >> (32 - n); }

static void sha1_block(uint32_t h[5], const uint8_t *p)
{
    static const uint32_t k[] = { 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6 };
    uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    for (unsigned i = 0; i < 16; i++)
        w[i] = be4(p + 4 * i);
    for (unsigned i = 16; i < 80; i++)
        w[i] = rotated(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    for (unsigned i = 0; i < 80; i++) {
        uint32_t f = i < 20 ? (b & c) | (~b & d) : i >= 40 && i < 60 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
        uint32_t next = rotated(a, 5) + f + e + k[i / 20] + w[i];
        e = d;
        d = c;
        c = rotated(b, 30);
        b = a;
        a = next;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
}

/* Of a text of at most 119 bytes. */
static void sha1(const char *text, size_t n, uint8_t out[20])
{
    uint32_t h[5] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0 };
    uint8_t blocks[128] = { 0 };
    size_t size = n < 56 ? 64 : 128;
    memcpy(blocks, text, n);
    blocks[n] = 0x80;
    put_be4(blocks + size - 4, (uint32_t)n * 8);
    for (size_t at = 0; at < size; at += 64)
        sha1_block(h, blocks + at);
    for (unsigned i = 0; i < 5; i++)
        put_be4(out + 4 * i, h[i]);
}

static void base64(const uint8_t *p, size_t n, char *out)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        uint32_t v = (uint32_t)p[i] << 16 | (i + 1 < n ? (uint32_t)p[i + 1] << 8 : 0) | (i + 2 < n ? p[i + 2] : 0);
        *out++ = letters[v >> 18];
        *out++ = letters[v >> 12 & 63];
        *out++ = i + 1 < n ? letters[v >> 6 & 63] : '=';
        *out++ = i + 2 < n ? letters[v & 63] : '=';
    }
    *out = '\0';
}

/* ---- frames ---- */

static void send_frame(struct connection *c, unsigned opcode, const void *bytes, size_t n)
{
    uint8_t head[10] = { (uint8_t)(0x80 | opcode) };
    size_t size = 2;
    if (n < 126) {
        head[1] = (uint8_t)n;
    } else if (n <= UINT16_MAX) {
        head[1] = 126;
        put_be2(head + 2, (unsigned)n);
        size = 4;
    } else {
        head[1] = 127;
        put_be4(head + 2, (uint32_t)((uint64_t)n >> 32));
        put_be4(head + 6, (uint32_t)n);
        size = 10;
    }
    connection_send(c, head, size);
    connection_send(c, bytes, n);
}

static void write_message(struct connection *c, const void *message, size_t size)
{
    send_frame(c, OP_TEXT, message, size);
}

/* The next frame, unmasked; its bytes begin at `at` and are `size`. */
static bool read_frame(struct connection *c, unsigned *opcode, bool *last, size_t *size)
{
    uint64_t n;
    size_t head = 2;
    if (!connection_fill(c, 2))
        return false;
    const uint8_t *p = (const uint8_t *)c->read.items + c->at;
    *opcode = p[0] & 15;
    *last = (p[0] & 0x80) != 0;
    bool masked = (p[1] & 0x80) != 0;
    n = p[1] & 127;
    head += n == 126 ? 2 : n == 127 ? 8 : 0;
    if (!masked || (p[0] & 0x70) != 0) {
        c->bad = "a WebSocket frame that is not masked, or has reserved bits";
        return false;
    }
    if (!connection_fill(c, head + 4))
        return false;
    p = (const uint8_t *)c->read.items + c->at;
    if (n == 126)
        n = be2(p + 2);
    else if (n == 127)
        n = (uint64_t)be4(p + 2) << 32 | be4(p + 6);
    if (n > MESSAGE_MAX) {
        c->bad = "a WebSocket frame of more than 16 MB";
        return false;
    }
    if (!connection_fill(c, head + 4 + (size_t)n))
        return false;
    uint8_t *bytes = (uint8_t *)c->read.items + c->at + head + 4, mask[4];
    memcpy(mask, bytes - 4, 4);
    for (size_t i = 0; i < n; i++)
        bytes[i] ^= mask[i & 3];
    c->at += head + 4;
    *size = (size_t)n;
    return true;
}

/* Without the header that some clients send in front. */
static char *without_head(struct connection *c, size_t *size)
{
    char *text = c->message.items, *end;
    if (*size > 15 && strncasecmp(text, "Content-Length:", 15) == 0 && (end = strstr(text, "\r\n\r\n")) != NULL) {
        *size -= (size_t)(end + 4 - text);
        text = end + 4;
    }
    return text;
}

static char *read_message(struct connection *c, size_t *size)
{
    unsigned opcode;
    bool last;
    size_t n;
    c->message.count = 0;
    while (read_frame(c, &opcode, &last, &n)) {
        const char *bytes = c->read.items + c->at;
        c->at += n;
        if (opcode == OP_CLOSE)
            return NULL;
        if (opcode == OP_PING)
            send_frame(c, OP_PONG, bytes, n);
        if (opcode > OP_BINARY)
            continue;
        if (c->message.count + n > MESSAGE_MAX || !vec_reserve(&c->message, c->message.count + n + 1)) {
            c->bad = "a WebSocket message of more than 16 MB";
            return NULL;
        }
        memcpy(c->message.items + c->message.count, bytes, n);
        c->message.count += n;
        if (!last)
            continue;
        c->message.items[c->message.count] = '\0';
        *size = c->message.count;
        return without_head(c, size);
    }
    return NULL;
}

/* ---- the handshake ---- */

static bool refuse(struct connection *c, const char *status)
{
    char text[200];
    int n = snprintf(text, sizeof text, "HTTP/1.1 %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", status);
    connection_send(c, text, (size_t)n);
    return false;
}

/* The value of a header line, up to the end of the line; NULL: there is none. */
static const char *header(const char *head, const char *name)
{
    size_t n = strlen(name);
    for (const char *line = strstr(head, "\r\n"); line != NULL; line = strstr(line, "\r\n")) {
        line += 2;
        if (strncasecmp(line, name, n) == 0 && line[n] == ':')
            return line + n + 1 + strspn(line + n + 1, " ");
    }
    return NULL;
}

/* Does the path in the first line have the token? */
static bool has_token(const char *head, const char *token)
{
    size_t line = strcspn(head, "\r");
    const char *at = memmem(head, line, "token=", 6);
    return at != NULL && token_is(token, at + 6, strcspn(at + 6, " &\r"));
}

bool websocket_accept(struct connection *c)
{
    static const char magic[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    char joined[64 + sizeof magic], answer[400], sum64[32];
    uint8_t sum[20];
    char *end = NULL;
    if (!connection_fill(c, 4) || memcmp(c->read.items + c->at, "GET ", 4) != 0)
        return !c->bad && c->read.count > c->at;
    for (size_t have = 4; end == NULL; have = c->read.count - c->at + 1) {
        if (have > WEBSOCKET_HEAD_MAX)
            return refuse(c, "431 Request Header Fields Too Large");
        if (!connection_fill(c, have))
            return false;
        end = memmem(c->read.items + c->at, c->read.count - c->at, "\r\n\r\n", 4);
    }
    end[2] = '\0';
    const char *head = c->read.items + c->at;
    if (memchr(head, '\0', (size_t)(end - head)) != NULL || !has_token(head, c->token))
        return refuse(c, "403 Forbidden");
    const char *key = header(head, "Sec-WebSocket-Key"), *upgrade = header(head, "Upgrade");
    if (upgrade == NULL || strncasecmp(upgrade, "websocket", 9) != 0)
        return refuse(c, "426 Upgrade Required");
    size_t n = key != NULL ? strcspn(key, "\r") : 0;
    if (n == 0 || n > 64)
        return refuse(c, "400 Bad Request");
    memcpy(joined, key, n);
    memcpy(joined + n, magic, sizeof magic);
    sha1(joined, n + sizeof magic - 1, sum);
    base64(sum, sizeof sum, sum64);
    int length = snprintf(answer, sizeof answer,
                          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          "Sec-WebSocket-Accept: %s\r\n\r\n",
                          sum64);
    c->at = (size_t)(end - c->read.items) + 4;
    connection_send(c, answer, (size_t)length);
    c->token = NULL;
    c->read_message = read_message;
    c->write_message = write_message;
    return true;
}
