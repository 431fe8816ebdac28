/* websocket.h - WebSocket on the port of a server (RFC 6455): the handshake, and messages as frames. */
#ifndef READER_SERVE_WEBSOCKET_H
#define READER_SERVE_WEBSOCKET_H

#include "reader/serve/message.h"

enum { WEBSOCKET_HEAD_MAX = 16 << 10 };

/* A connection that begins with "GET " asks for a WebSocket: `?token=` in its path with the token of the connection is
 * required, which is shown by that. Answers it, and from then on text and binary frames are messages; false: it was
 * refused, with an HTTP answer. Pings are answered. A message may carry its Content-Length header, as some clients send
 * it. Other connections are left as they are. */
bool websocket_accept(struct connection *c);

#endif
