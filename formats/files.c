/* files.c - see files.h. */
#include "formats/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MODE = 0600, DIR_MODE = 0700 };

/* A file that is there already: no pipe, which would wait for its other end, and no second name of another file. It is
 * emptied (O_TRUNC) when that is known. */
static int open_plain(int dir, const char *name, int flags)
{
    struct stat st;
    int fd = openat(dir, name, (flags & ~(O_CREAT | O_TRUNC)) | O_NONBLOCK), e = EACCES;
    if (fd < 0)
        return -1;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink == 1) {
        if ((flags & O_TRUNC) == 0 || ftruncate(fd, 0) == 0)
            return fd;
        e = errno;
    }
    (void)close(fd);
    errno = e;
    return -1;
}

int file_make(int dir, const char *name, int flags)
{
    flags |= O_CLOEXEC | O_NOFOLLOW;
    int fd = openat(dir, name, flags | O_CREAT | O_EXCL, FILE_MODE);
    if (fd < 0)
        return errno == EEXIST && (flags & O_EXCL) == 0 ? open_plain(dir, name, flags) : -1;
    (void)fchmod(fd, FILE_MODE); /* fails where files have no modes */
    return fd;
}

void files_fill_standard(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) >= 0)
            continue;
        int made = open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY); /* the lowest one that is free */
        if (made > STDERR_FILENO)                                               /* another thread has taken it */
            (void)close(made);
    }
}

/* Only a lack of room is a failure: some file systems cannot reserve any. */
static bool reserve(int fd, unsigned bytes)
{
    int e = bytes > 0 ? posix_fallocate(fd, 0, (off_t)bytes) : 0;
    errno = e;
    return e != ENOSPC && e != EDQUOT && e != EFBIG && e != EIO;
}

bool file_touch(const char *dir, const char *name, int flags, unsigned bytes)
{
    int below = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC),
        fd = below >= 0 ? file_make(below, name, O_WRONLY | flags) : -1, e = errno;
    if (below >= 0)
        (void)close(below);
    bool made = fd >= 0 && reserve(fd, bytes);
    if (fd >= 0) {
        e = errno;
        (void)close(fd);
    }
    errno = e;
    return made;
}

bool dir_make(int dir, const char *name)
{
    if (mkdirat(dir, name, DIR_MODE) != 0)
        return false;
    (void)fchmodat(dir, name, DIR_MODE, 0);
    return true;
}

/* The component that begins at `name`, as a string; false if it could lead elsewhere. */
static bool component(const char *name, size_t size, char out[NAME_MAX + 1])
{
    const char *slash = memchr(name, '/', size);
    size_t n = slash != NULL ? (size_t)(slash - name) : size;
    if (n == 0 || n > NAME_MAX || memchr(name, '\0', n) != NULL)
        return false;
    memcpy(out, name, n);
    out[n] = '\0';
    return strcmp(out, ".") != 0 && strcmp(out, "..") != 0;
}

int file_make_below(int dir, const char *name, size_t size, int flags)
{
    char part[NAME_MAX + 1];
    size_t at = 0;
    do { /* check all components first: nothing is created for a refused name */
        if (!component(name + at, size - at, part))
            return errno = EINVAL, -1;
        at += strlen(part) + 1;
    } while (at <= size);
    int here = dir;
    for (at = 0; here >= 0 && component(name + at, size - at, part) && at + strlen(part) < size;
         at += strlen(part) + 1) {
        int next = dir_make(here, part) || errno == EEXIST
                       ? openat(here, part, O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
                       : -1,
            e = errno;
        if (here != dir)
            (void)close(here);
        here = next;
        errno = e;
    }
    int fd = here >= 0 ? file_make(here, part, flags) : -1, e = errno;
    if (here >= 0 && here != dir)
        (void)close(here);
    errno = e;
    return fd;
}

uint64_t file_disk_bytes(int fd)
{
    enum { BLOCK = 512 };
    struct stat st;
    return fstat(fd, &st) == 0 ? (uint64_t)st.st_blocks * BLOCK : 0;
}

bool file_write(int fd, const void *bytes, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, bytes, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        bytes = (const char *)bytes + done;
        n -= (size_t)done;
    }
    return true;
}

enum status dir_take(const char *path, bool made, struct error *err)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    enum status s = OK;
    if (fd < 0 || fstat(fd, &st) != 0)
        s = error_set(err, ERR_IO, "%s: %s", path, strerror(errno));
    else if ((fchmod(fd, DIR_MODE) != 0 || !made) && st.st_uid != geteuid())
        s = error_set(err, ERR_IO,
                      "%s belongs to another user, who could change the trace; accepted is a new directory, or an "
                      "empty one of your own",
                      path);
    if (fd >= 0)
        (void)close(fd);
    return s;
}

const char *make_error_text(int number)
{
    return number == ENOENT ? "its directory does not exist; make it first" : strerror(number);
}

const char *path_from_here(const char *path)
{
    char here[PATH_MAX];
    if (*path != '/' || getcwd(here, sizeof here) == NULL)
        return path;
    size_t n = strlen(here);
    return strncmp(path, here, n) == 0 && path[n] == '/' && path[n + 1] != '\0' ? path + n + 1 : path;
}
