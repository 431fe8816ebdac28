/* sockets.h - the door that all servers of a port share: who may come in, and the secret that a browser has to know.
 *
 * Any user of the machine can connect to a loopback address, and any page in a browser of this user as well. So every
 * server asks two questions, whatever it speaks:
 *   - who connects: the kernel says whose socket the other end is (peer.c). It must be of this user or of root.
 *   - does a program of the user speak, or a page that his browser shows? A first line that no page can make it send
 *     (Content-Length, JDWP-Handshake), or a token. */
#ifndef READER_SERVE_SOCKETS_H
#define READER_SERVE_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "reader/command/context.h"

/* Listens at the address, of `size` bytes, which becomes the one in use (its port may have been 0). -1 with errno. */
int socket_listen(struct sockaddr_storage *at, socklen_t size);
/* peer.c: was the end `there` of a connection within this machine opened by this user, or by root? */
bool socket_is_own(const struct sockaddr_storage *here, const struct sockaddr_storage *there);
#define SOCKET_OF_ANOTHER_USER "it is of another user"

/* ---- tokens (token.c) ---- */

enum { TOKEN_SIZE = 33 }; /* hexadecimal digits and a zero byte */
/* A random one. False with errno. */
bool token_make(char token[TOKEN_SIZE]);
/* The one in a file of this user that nobody else can read; a new one if the file is not there or empty. False: `why`
 * says why. */
bool token_keep(const char *path, char token[TOKEN_SIZE], char *why, size_t size);
/* Is the text the token? It takes as long whatever is different. */
bool token_is(const char *token, const char *text, size_t size);

/* ---- connections, each in a process of its own (sessions.c) ---- */

enum greeting { GREETING_PART, GREETING_WHOLE, GREETING_REFUSED };
struct service {
    /* What a client of this user has sent up to now, which stays in the socket: whole when it is enough to begin. It is
     * called again when there is more. `why` is set when it is refused. */
    enum greeting (*greet)(const char *bytes, size_t size, const char **why);
    /* One session, in a process of its own. */
    void (*serve)(const void *context, int client);
    const void *context;
    struct context *command; /* for messages */
};
/* Do the bytes begin with this text, or may they when there are more? */
bool greeting_begins(const char *bytes, size_t size, const char *text);
/* Serves connections; returns errno when no more can be accepted. SIGPIPE is ignored from now on. */
int socket_serve(int fd, const struct service *service);

#endif
