/* sockets.h - what the servers share: a port of this machine, one connection after the other, and a token. */
#ifndef READER_CLI_SERVE_SOCKETS_H
#define READER_CLI_SERVE_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

/* Listens at the address, of `size` bytes, which becomes the one in use (its port may have been 0). -1 with errno. */
int socket_listen(struct sockaddr_storage *at, socklen_t size);
/* Serves connections one after the other; returns errno when no more can be accepted. SIGPIPE is ignored from now on.
 */
int socket_serve(int fd, void (*serve)(void *context, int client), void *context);
/* Fills it with random hexadecimal digits and a zero byte; `size` is odd. False with errno. */
bool make_token(char *token, size_t size);

#endif
