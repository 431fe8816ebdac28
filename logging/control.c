/* control.c - see control.h. */
#include "logging/control.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "formats/schema.h"

/* A socket, and its address by way of a descriptor of the directory, which the caller closes. */
static int open_socket(const char *dir, int *dir_fd, struct sockaddr_un *a, struct error *err)
{
    *a = (struct sockaddr_un){ .sun_family = AF_UNIX };
    *dir_fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (*dir_fd < 0) {
        (void)error_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "%s: %s", dir, strerror(errno));
        return -1;
    }
    (void)snprintf(a->sun_path, sizeof a->sun_path, "/proc/self/fd/%d/%s", *dir_fd, TRACE_CONTROL_SOCKET);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        (void)error_set(err, ERR_IO, "%s: no socket: %s", dir, strerror(errno));
    return fd;
}

int control_listen(const char *dir, struct error *err)
{
    struct sockaddr_un a;
    int dir_fd, fd = open_socket(dir, &dir_fd, &a, err);
    if (fd >= 0) {
        (void)unlinkat(dir_fd, TRACE_CONTROL_SOCKET, 0);
        /* the mode first: nobody else can connect at any moment, whatever the umask */
        if (fchmod(fd, 0600) != 0 || bind(fd, (const struct sockaddr *)&a, sizeof a) != 0 ||
            fchmodat(dir_fd, TRACE_CONTROL_SOCKET, 0600, 0) != 0 /* what the umask took */ || listen(fd, 16) != 0) {
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
                        e == ENOENT         ? "it is not being recorded (or with control=off)"
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

bool control_read_line(int fd, char line[CONTROL_LINE_MAX], int timeout_s)
{
    struct timeval t = { timeout_s, 0 };
    size_t n = 0;
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t);
    while (n < CONTROL_LINE_MAX) {
        ssize_t k = read(fd, line + n, CONTROL_LINE_MAX - n);
        if (k < 0 && errno == EINTR)
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

bool control_write(int fd, const void *data, size_t size)
{
    const char *p = data;
    while (size > 0) {
        ssize_t k = send(fd, p, size, MSG_NOSIGNAL);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        p += k;
        size -= (size_t)k;
    }
    return true;
}
