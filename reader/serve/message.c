/* message.c - see message.h. */
#include "reader/serve/message.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char NO_END[] = "a header line that does not end", NO_LENGTH[] = "a message without Content-Length",
                  WRONG_LENGTH[] = "a Content-Length that is no number up to 16 MB, or a second one",
                  OTHER_LINE[] = "a header line other than Content-Length";

void connection_init(struct connection *c, int in, int out) { *c = (struct connection){ .in = in, .out = out }; }
void connection_done(struct connection *c)
{
    vec_free(&c->read);
    vec_free(&c->message);
}

static bool read_more(struct connection *c)
{
    enum { PIECE = 65536 };
    if (c->at > 1) { /* what was taken makes room; a byte of it stays, over which a message can move */
        memmove(c->read.items, c->read.items + c->at - 1, c->read.count - c->at + 1);
        c->read.count -= c->at - 1;
        c->at = 1;
    }
    if (!vec_reserve(&c->read, c->read.count + PIECE + 1)) {
        c->bad = "out of memory";
        return false;
    }
    ssize_t n;
    do
        n = read(c->in, c->read.items + c->read.count, PIECE);
    while (n < 0 && errno == EINTR);
    if (n <= 0)
        return false;
    c->read.count += (size_t)n;
    return true;
}

bool connection_fill(struct connection *c, size_t want)
{
    while (c->read.count - c->at < want)
        if (!read_more(c))
            return false;
    return true;
}

/* One header line without its end: takes the length of the message from it, SIZE_MAX before its line. NULL, or what is
 * wrong. */
static const char *take_line(const char *line, size_t *length)
{
    static const char key[] = "content-length:", type[] = "content-type:";
    if (*length != SIZE_MAX && strncasecmp(line, type, sizeof type - 1) == 0)
        return NULL;
    if (strncasecmp(line, key, sizeof key - 1) != 0)
        return OTHER_LINE;
    const char *digits = line + sizeof key - 1;
    digits += strspn(digits, " ");
    char *rest;
    errno = 0;
    unsigned long long n = strtoull(digits, &rest, 10);
    if (errno != 0 || *digits < '0' || *digits > '9' || *rest != '\0' || n > MESSAGE_MAX || *length != SIZE_MAX)
        return WRONG_LENGTH;
    *length = (size_t)n;
    return NULL;
}

/* Takes the header lines; SIZE_MAX: there are no more, or they are wrong. */
static size_t read_head(struct connection *c)
{
    size_t length = SIZE_MAX;
    for (;;) {
        char *line = c->read.items != NULL ? c->read.items + c->at : NULL;
        char *end = line != NULL ? memchr(line, '\n', c->read.count - c->at) : NULL;
        if (end == NULL) {
            if (c->read.count - c->at > MESSAGE_HEAD_MAX) {
                c->bad = NO_END;
                return SIZE_MAX;
            }
            if (!read_more(c))
                return SIZE_MAX;
            continue;
        }
        *end = '\0';
        c->at += (size_t)(end - line) + 1;
        line[strcspn(line, "\r")] = '\0';
        if (*line == '\0') {
            if (length != SIZE_MAX)
                return length;
            c->bad = NO_LENGTH;
            return SIZE_MAX;
        }
        c->bad = take_line(line, &length);
        if (c->bad != NULL)
            return SIZE_MAX;
    }
}

bool connection_has_message(const char *bytes, size_t size, const char **bad)
{
    char head[MESSAGE_HEAD_MAX];
    const char *end = memmem(bytes, size, "\r\n\r\n", 4);
    size_t n = end != NULL ? (size_t)(end - bytes) : size, length = SIZE_MAX;
    if (n >= sizeof head) {
        *bad = NO_END;
        return false;
    }
    if (end == NULL)
        return false;
    memcpy(head, bytes, n);
    head[n] = '\0';
    for (char *rest = head, *line; (line = strsep(&rest, "\n")) != NULL;) {
        line[strcspn(line, "\r")] = '\0';
        *bad = take_line(line, &length);
        if (*bad != NULL)
            return false;
    }
    if (length == SIZE_MAX)
        *bad = NO_LENGTH;
    return length != SIZE_MAX && size - n - 4 >= length;
}

char *connection_read(struct connection *c, size_t *size)
{
    if (c->read_message != NULL)
        return c->read_message(c, size);
    size_t n = read_head(c);
    if (n == SIZE_MAX || !connection_fill(c, n))
        return NULL;
    if (c->at + n == c->read.count && !vec_reserve(&c->read, c->read.count + 1)) {
        c->bad = "out of memory";
        return NULL;
    }
    /* the byte behind it belongs to the next message: the message moves over its own header */
    char *message = c->read.items + c->at - 1;
    memmove(message, message + 1, n);
    message[n] = '\0';
    c->at += n;
    *size = n;
    return message;
}

bool connection_waits(struct connection *c)
{
    struct pollfd p = { .fd = c->in, .events = POLLIN };
    return c->read.count > c->at || poll(&p, 1, 0) > 0;
}

void connection_send(struct connection *c, const void *bytes, size_t n)
{
    const char *p = bytes;
    while (n > 0 && !c->broken) {
        ssize_t done = send(c->out, p, n, MSG_NOSIGNAL);
        if (done < 0 && errno == ENOTSOCK)
            done = write(c->out, p, n);
        if (done < 0 && errno == EINTR)
            continue;
        c->broken = done <= 0;
        p += done > 0 ? done : 0;
        n -= done > 0 ? (size_t)done : 0;
    }
}

void connection_write(struct connection *c, const void *message, size_t size)
{
    char head[64];
    if (c->write_message != NULL) {
        c->write_message(c, message, size);
        return;
    }
    int n = snprintf(head, sizeof head, "Content-Length: %zu\r\n\r\n", size);
    connection_send(c, head, (size_t)n);
    connection_send(c, message, size);
}
