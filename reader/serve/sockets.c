/* sockets.c - see sockets.h. */
#include "reader/serve/sockets.h"

#include <errno.h>
#include <unistd.h>

int socket_listen(struct sockaddr_storage *at, socklen_t size)
{
    const int yes = 1;
    socklen_t bound = sizeof *at;
    int fd = socket(at->ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
        bind(fd, (const struct sockaddr *)at, size) == 0 && listen(fd, SOMAXCONN) == 0 &&
        getsockname(fd, (struct sockaddr *)at, &bound) == 0)
        return fd;
    int e = errno;
    (void)close(fd);
    errno = e;
    return -1;
}
