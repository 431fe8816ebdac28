/* websocket.h - WebSocket on the port of a server (RFC 6455): the handshake, and messages as frames. */
#ifndef READER_CLI_SERVE_WEBSOCKET_H
#define READER_CLI_SERVE_WEBSOCKET_H

#include "reader/cli/serve/message.h"

enum { WEBSOCKET_HEAD_MAX = 16 << 10 };

/* A connection that begins with "GET " asks for a WebSocket: `?token=TOKEN` in its path is required. Answers it, and
 * from then on text and binary frames are messages; false: it was refused, with an HTTP answer. Pings are answered. A
 * message may carry its Content-Length header, as some clients send it. Other connections are left as they are. */
bool websocket_accept(struct connection *c, const char *token);
/* Does the first line of this HTTP request have the token? */
bool websocket_has_token(const char *head, size_t size, const char *token);

#endif
