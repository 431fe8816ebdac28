/* sockets.h - what the servers share: a port of this machine, its connections, and a token. */
#ifndef READER_CLI_SERVE_SOCKETS_H
#define READER_CLI_SERVE_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

/* Listens at the address, of `size` bytes, which becomes the one in use (its port may have been 0). -1 with errno. */
int socket_listen(struct sockaddr_storage *at, socklen_t size);
/* peer.c: was the other end of this connection of the same machine opened by this user, or by root? */
bool socket_peer_is_own(int fd);
/* Fills it with random hexadecimal digits and a zero byte; `size` is odd. False with errno. */
bool make_token(char *token, size_t size);

#define SOCKET_OF_ANOTHER_USER "it is of another user"
enum greeting { GREETING_PART, GREETING_WHOLE, GREETING_REFUSED };
struct service {
    /* What a client has sent up to now, which stays in the socket: whole when it is enough to begin. It is called again
     * when there is more. `why` is set when it is refused. */
    enum greeting (*greet)(const void *context, int client, const char *bytes, size_t size, const char **why);
    /* One session, in a process of its own. */
    void (*serve)(const void *context, int client);
    const void *context;
    const char *command; /* for messages */
};
/* Serves connections (sessions.c); returns errno when no more can be accepted. SIGPIPE is ignored from now on. */
int socket_serve(int fd, const struct service *service);

#endif
