/* files.c - reads and writes whole class files. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/files.h"
#include "weaver/tool/parts.h"

enum { READ_BYTES = 64 << 10 };

bool is_class_name(const char *name)
{
    size_t n = strlen(name);
    return n > 6 && strcmp(name + n - 6, ".class") == 0;
}

/* Reads to the end of the file. NULL, or why it cannot be read. */
static const char *read_to_end(int fd, struct writer *w)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return strerror(errno);
    if (!S_ISREG(st.st_mode))
        return "not a regular file";
    if (st.st_size > CLASS_BYTES_MAX)
        return CLASS_TOO_LARGE;
    for (;;) {
        if (!writer_reserve(w, w->size == 0 ? (size_t)st.st_size + 1 : READ_BYTES))
            return "out of memory";
        ssize_t n = read(fd, w->data + w->size, w->cap - w->size);
        if (n < 0)
            return strerror(errno);
        if (n == 0)
            return NULL;
        w->size += (size_t)n;
        if (w->size > CLASS_BYTES_MAX)
            return CLASS_TOO_LARGE;
    }
}

static const char *read_file(const char *path, struct writer *w)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return strerror(errno);
    const char *why = read_to_end(fd, w);
    (void)close(fd);
    return why;
}

/* A pipe or device, which cannot be replaced by a renamed file. */
static bool write_directly(const char *path, const void *data, size_t size)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return false;
    bool written = file_write(fd, data, size);
    return close(fd) == 0 && written;
}

/* Writes a new file under a temporary name and renames it to `path`. */
static bool replace_file(const char *path, mode_t mode, const void *data, size_t size)
{
    char temporary[PATH_MAX + 16];
    (void)snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
    int fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0)
        return false;
    bool ok = file_write(fd, data, size) && fchmod(fd, mode) == 0;
    ok = close(fd) == 0 && ok;
    if (ok && rename(temporary, path) == 0)
        return true;
    int e = errno;
    (void)unlink(temporary);
    errno = e;
    return false;
}

bool write_whole_file(const char *path, const void *data, size_t size)
{
    struct stat st;
    char real[PATH_MAX];
    if (stat(path, &st) == 0) {
        if (S_ISDIR(st.st_mode)) {
            errno = EISDIR;
            return false;
        }
        if (!S_ISREG(st.st_mode))
            return write_directly(path, data, size);
        if (realpath(path, real) == NULL) /* rename would replace a link, not the file it names */
            return false;
        return replace_file(real, st.st_mode & 0777, data, size);
    }
    mode_t mask = umask(0); /* the command has one thread */
    (void)umask(mask);
    return replace_file(path, 0666 & ~mask, data, size);
}

bool offline_file(struct offline *o, const char *in, const char *out)
{
    struct writer data = { 0 }, woven = { 0 };
    bool ok = false;
    const char *why = read_file(in, &data);
    if (why != NULL) {
        (void)offline_fail(o, "%s: %s", in, why);
        goto out;
    }
    if (!offline_class(o, in, data.data, data.size, &woven))
        goto out;
    ok = out == NULL || write_whole_file(out, woven.data, woven.size) ||
         offline_fail(o, "%s: %s", out, make_error_text(errno));
out:
    writer_free(&woven);
    writer_free(&data);
    return ok;
}
