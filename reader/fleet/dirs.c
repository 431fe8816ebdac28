/* dirs.c - see dirs.h. */
#include "reader/fleet/dirs.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int open_dir(int dir, const char *name) { return openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW); }

bool closed(int *fd)
{
    bool done = *fd < 0 || close(*fd) == 0;
    *fd = -1;
    return done;
}

DIR *entries(int dir)
{
    int fd = open_dir(dir, ".");
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    const int failed = errno;
    if (d == NULL)
        (void)closed(&fd);
    errno = failed;
    return d;
}

const struct dirent *next_entry(DIR *d)
{
    const struct dirent *e = NULL;
    while (d != NULL && (errno = 0, e = readdir(d)) != NULL && e->d_name[0] == '.')
        ;
    const int failed = errno;
    if (d != NULL && e == NULL)
        (void)closedir(d);
    errno = failed;
    return e;
}

int open_regular(int dir, const char *name, struct stat *st)
{
    if (dir < 0 || fstatat(dir, name, st, AT_SYMLINK_NOFOLLOW) != 0)
        return -1;
    errno = EINVAL;
    int fd = S_ISREG(st->st_mode) ? openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
    if (fd >= 0 && (fstat(fd, st) != 0 || !S_ISREG(st->st_mode))) {
        (void)closed(&fd);
        errno = EINVAL;
    }
    return fd;
}

bool remove_files(int parent, const char *name)
{
    int fd = open_dir(parent, name);
    if (fd < 0)
        return errno == ENOENT;
    DIR *d = entries(fd);
    for (const struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
        (void)unlinkat(fd, e->d_name, 0);
    if (d != NULL)
        (void)closedir(d);
    (void)closed(&fd);
    return unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT;
}
