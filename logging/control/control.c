/* control.c - see control.h. */
#include "logging/control/control.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "formats/schema.h"

#define NOT_RECORDED "it is not being recorded (or with control=off)"

/* Creates a socket, and its address through a descriptor of the directory, which the caller closes. */
static int open_socket(const char *dir, int *dir_fd, struct sockaddr_un *a, struct error *err)
{
    *a = (struct sockaddr_un){ .sun_family = AF_UNIX };
    *dir_fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (*dir_fd < 0) {
        (void)error_set(err, errno == ENOENT || errno == ENOTDIR ? ERR_NOT_FOUND : ERR_IO, "%s: %s", dir,
                        errno == ENOTDIR ? NOT_RECORDED : strerror(errno));
        return -1;
    }
    (void)snprintf(a->sun_path, sizeof a->sun_path, "/proc/self/fd/%d/%s", *dir_fd, TRACE_CONTROL_SOCKET);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        (void)error_set(err, ERR_IO, "%s: cannot create a socket: %s", dir, strerror(errno));
    return fd;
}

int control_listen(const char *dir, struct error *err)
{
    struct sockaddr_un a;
    int dir_fd, fd = open_socket(dir, &dir_fd, &a, err);
    if (fd >= 0) {
        (void)unlinkat(dir_fd, TRACE_CONTROL_SOCKET, 0);
        /* set the mode before bind: no other user can connect at any time, whatever the umask */
        if (fchmod(fd, 0600) != 0 || bind(fd, (const struct sockaddr *)&a, sizeof a) != 0 ||
            fchmodat(dir_fd, TRACE_CONTROL_SOCKET, 0600, 0) != 0 /* bits that the umask cleared */ ||
            listen(fd, 16) != 0) {
            (void)error_set(err, ERR_IO, "%s/%s: %s", dir, TRACE_CONTROL_SOCKET, strerror(errno));
            (void)close(fd);
            fd = -1;
        }
    }
    if (dir_fd >= 0)
        (void)close(dir_fd);
    return fd;
}

int control_connect(const char *dir, struct error *err)
{
    struct sockaddr_un a;
    int dir_fd, fd = open_socket(dir, &dir_fd, &a, err);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)&a, sizeof a) != 0) {
        int e = errno;
        (void)error_set(err, e == ENOENT ? ERR_NOT_FOUND : ERR_IO, "%s: %s", dir,
                        e == ENOENT         ? NOT_RECORDED
                        : e == ECONNREFUSED ? "its recorder has died"
                        : e == EACCES       ? "it is recorded by another user"
                                            : strerror(e));
        (void)close(fd);
        fd = -1;
    }
    if (dir_fd >= 0)
        (void)close(dir_fd);
    return fd;
}

uint64_t control_now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* Waits until the socket is ready; false: not in time. */
static bool ready(int fd, short events, uint64_t until_ns)
{
    struct pollfd p = { .fd = fd, .events = events };
    for (uint64_t now; (now = control_now()) < until_ns;) {
        int n = poll(&p, 1, (int)((until_ns - now) / 1000000) + 1);
        if (n > 0)
            return true;
        if (n < 0 && errno != EINTR)
            return false;
    }
    return false;
}

bool control_read_line(int fd, char line[CONTROL_LINE_MAX], int timeout_s)
{
    uint64_t until = control_now() + (uint64_t)timeout_s * UINT64_C(1000000000);
    size_t n = 0;
    while (n < CONTROL_LINE_MAX && ready(fd, POLLIN, until)) {
        ssize_t k = recv(fd, line + n, CONTROL_LINE_MAX - n, MSG_DONTWAIT);
        if (k < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (k <= 0)
            return false;
        char *end = memchr(line + n, '\n', (size_t)k);
        if (end != NULL) {
            *end = '\0';
            return true;
        }
        n += (size_t)k;
    }
    return false;
}

bool control_write(int fd, const void *data, size_t size, int timeout_s)
{
    uint64_t until = control_now() + (uint64_t)timeout_s * UINT64_C(1000000000);
    const char *p = data;
    while (size > 0 && ready(fd, POLLOUT, until)) {
        ssize_t k = send(fd, p, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (k < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (k <= 0)
            return false;
        p += k;
        size -= (size_t)k;
    }
    return size == 0;
}

bool control_peer(int fd, struct ucred *peer)
{
    socklen_t size = sizeof *peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, peer, &size) == 0;
}
