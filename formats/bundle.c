/* bundle.c - see bundle.h. */
#include "formats/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "formats/files.h"
#include "formats/schema.h"

enum { PAGE_UNIT = 4096, PIECE = 64 * 1024 };

struct trailer {
    char magic[8];
    uint64_t bytes[BUNDLE_PARTS];
    uint64_t hash;
};
static const char magic[8] = { 'H', 'S', 'B', 'U', 'N', 'D', 'L', 'E' };

static uint64_t hash_of(const struct trailer *t) { return XXH64(t, offsetof(struct trailer, hash), 0); }

/* Do the parts fill the file? */
static bool parts_of(const struct trailer *t, uint64_t size, struct bundle *out)
{
    uint64_t at = 0;
    if (memcmp(t->magic, magic, sizeof magic) != 0 || t->hash != hash_of(t))
        return false;
    for (unsigned i = 0; i < BUNDLE_PARTS; i++) {
        if (t->bytes[i] > size - sizeof *t - at)
            return false;
        out->at[i] = at;
        out->bytes[i] = t->bytes[i];
        at += t->bytes[i];
    }
    return at == size - sizeof *t && t->bytes[BUNDLE_DATA] % PAGE_UNIT == 0;
}

enum status bundle_read(const char *path, struct bundle *out, struct error *err)
{
    struct trailer t;
    struct stat info;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return error_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "%s: %s", path, strerror(errno));
    bool regular = fstat(fd, &info) == 0 && S_ISREG(info.st_mode), whole = false;
    if (regular && (uint64_t)info.st_size > sizeof t)
        whole = pread(fd, &t, sizeof t, info.st_size - (off_t)sizeof t) == (ssize_t)sizeof t &&
                parts_of(&t, (uint64_t)info.st_size, out);
    (void)close(fd);
    if (!regular)
        return error_set(err, ERR_FORMAT, "%s: is not a trace: neither a directory nor a file", path);
    return whole ? OK
                 : error_set(err, ERR_FORMAT,
                             "%s: is not a trace: neither a directory nor a file that `hindsight pack` wrote, or it "
                             "was cut off",
                             path);
}

bool bundle_is(const char *path)
{
    struct bundle b;
    struct error why;
    return bundle_read(path, &b, &why) == OK;
}

/* Appends a file, if there is one; false with errno. */
static bool append(int to, const char *path, uint64_t *bytes)
{
    uint8_t piece[PIECE];
    ssize_t n = 0;
    const int from = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (from < 0)
        return errno == ENOENT || errno == ENOTDIR;
    bool good = true;
    while (good && (n = read(from, piece, sizeof piece)) > 0) {
        good = file_write(to, piece, (size_t)n);
        *bytes += (uint64_t)n;
    }
    const int why = errno;
    (void)close(from);
    errno = why;
    return good && n == 0;
}

enum status bundle_make(const char *dir, const char *run, struct error *err)
{
    struct trailer t = { 0 };
    struct stat info;
    char data[PATH_MAX], index[PATH_MAX];
    if ((size_t)snprintf(data, sizeof data, "%s/" TRACE_DATA_FILE, dir) >= sizeof data ||
        (size_t)snprintf(index, sizeof index, "%s/" TRACE_INDEX_FILE, dir) >= sizeof index)
        return error_set(err, ERR_LIMIT, "%.400s: the name is too long", dir);
    const int fd = open(data, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
    bool good = fd >= 0 && fstat(fd, &info) == 0;
    memcpy(t.magic, magic, sizeof magic);
    if (good) {
        t.bytes[BUNDLE_DATA] = (uint64_t)info.st_size;
        good = append(fd, index, &t.bytes[BUNDLE_INDEX]) && append(fd, run, &t.bytes[BUNDLE_RUN]);
    }
    t.hash = hash_of(&t);
    good = good && file_write(fd, &t, sizeof t) && fsync(fd) == 0;
    const int why = errno;
    if (fd >= 0)
        (void)close(fd);
    return good ? OK : error_set(err, why == ENOSPC ? ERR_FULL : ERR_IO, "%s: %s", data, strerror(why));
}

bool trace_is_at(const char *path)
{
    char data[PATH_MAX];
    struct stat info;
    if (path == NULL || stat(path, &info) != 0)
        return false;
    if (!S_ISDIR(info.st_mode))
        return S_ISREG(info.st_mode) && bundle_is(path);
    return (size_t)snprintf(data, sizeof data, "%s/" TRACE_DATA_FILE, path) < sizeof data && stat(data, &info) == 0;
}
