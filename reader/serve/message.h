/* message.h - messages of the debug adapter protocol over two descriptors.
 *
 *     Content-Length: 119\r\n\r\n{"seq":1,"type":"request","command":"initialize",...}
 *
 * A connection is a pair of pipes or a socket; on a socket whose client begins with an HTTP request for a WebSocket,
 * each message is a frame (websocket.h). Sizes are limited: what comes from outside never decides on memory.
 *
 * The first line is Content-Length, and no line but Content-Type may follow: the request of a browser is no message. */
#ifndef READER_SERVE_MESSAGE_H
#define READER_SERVE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/bytes.h"
#include "formats/vec.h"

enum { MESSAGE_MAX = 16 << 20, MESSAGE_HEAD_MAX = 4096 };

struct connection {
    int in, out;
    /* What the client has to show before it may run programs; NULL: nothing, it is who started us, or has shown it. */
    const char *token;
    /* how messages are framed (websocket.c); NULL: by Content-Length */
    char *(*read_message)(struct connection *c, size_t *size);
    void (*write_message)(struct connection *c, const void *message, size_t size);
    VEC(char) read;
    size_t at;         /* of `read` that was taken */
    VEC(char) message; /* of several frames */
    bool broken;       /* writing failed */
    const char *bad;   /* why reading ended; NULL: the other side closed it */
};

void connection_init(struct connection *c, int in, int out);
void connection_done(struct connection *c); /* does not close the descriptors */
/* The next message, borrowed until the next call, ended with NUL; NULL: there are no more. */
char *connection_read(struct connection *c, size_t *size);
/* Do these bytes, which begin with a header, hold a whole message? `bad` says why they cannot become one. */
bool connection_has_message(const char *bytes, size_t size, const char **bad);
/* Is a whole message, or more of one, there to be read? */
bool connection_waits(struct connection *c);
void connection_write(struct connection *c, const void *message, size_t size);

/* For other framings: makes `want` bytes available at `read.items + at`; false: the other side has closed it, or
 * `bad`. */
bool connection_fill(struct connection *c, size_t want);
void connection_send(struct connection *c, const void *bytes, size_t n);

#endif
