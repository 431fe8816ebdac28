/* trace_files.c - see trace_files.h. */
#include "formats/trace_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/files.h"
#include "formats/journal.h"
#include "formats/schema.h"

static const struct row {
    const char *name;
    enum trace_life life;
    mode_t type;
    bool mapped;    /* opened by readers and recovery, so it must be a regular file */
    uint64_t magic; /* first 8 bytes, found only in a trace; 0: nothing (any LMDB environment has a data.mdb) */
} table[] = {
    { TRACE_RUN_FILE, LIFE_KEPT, S_IFREG, false, TRACE_RUN_MAGIC },
    { TRACE_DATA_FILE, LIFE_KEPT, S_IFREG, true, 0 },
    { TRACE_WOVEN_DIR, LIFE_KEPT, S_IFDIR, false, 0 },
    { TRACE_JOURNAL_FILE, LIFE_RECORDING, S_IFREG, true, JOURNAL_MAGIC },
    { TRACE_PENDING_FILE, LIFE_RECORDING, S_IFREG, true, 0 },
    { TRACE_INTERVALS_FILE, LIFE_RECORDING, S_IFREG, true, 0 },
    { TRACE_STATE_FILE, LIFE_RECORDING, S_IFREG, true, 0 },
    { TRACE_RESERVE_FILE, LIFE_RECORDING, S_IFREG, false, 0 },
    { TRACE_CONTROL_SOCKET, LIFE_RECORDING, S_IFSOCK, false, 0 },
    { TRACE_LOCK_FILE, LIFE_DERIVED, S_IFREG, false, 0 },
    { TRACE_INDEX_FILE, LIFE_DERIVED, S_IFREG, true, 0 },
};
enum {
    ROWS = sizeof table / sizeof *table,
    DEPTH_MAX = 300 /* class names have at most 65535 bytes, directories stay below PATH_MAX */
};

static const struct row *find(const char *name)
{
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

bool trace_file_is(const char *name, enum trace_life life)
{
    const struct row *r = find(name);
    return r != NULL && r->life == life;
}

static bool has_magic(int dir, const struct row *r)
{
    uint64_t found = 0;
    int fd = r->magic != 0 ? openat(dir, r->name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
    bool yes = fd >= 0 && pread(fd, &found, sizeof found, 0) == (ssize_t)sizeof found && found == r->magic;
    if (fd >= 0)
        (void)close(fd);
    return yes;
}

/* Entries of a directory, without . and ..; NULL at the end. */
static struct dirent *next_entry(DIR *d)
{
    struct dirent *e;
    do
        e = readdir(d);
    while (e != NULL && (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0));
    return e;
}

static DIR *open_below(int dir, const char *name)
{
    int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    if (d == NULL && fd >= 0)
        (void)close(fd);
    return d;
}

static bool is_class_file(const char *name)
{
    static const char end[] = ".class";
    size_t n = strlen(name);
    return n >= sizeof end - 1 && strcmp(name + n - (sizeof end - 1), end) == 0;
}

/* What dump=true wrote: directories and class files alone. With `remove` it is deleted. False: there is something else,
 * or it cannot be. */
static bool walk_woven(int dir, const char *name, bool remove, unsigned depth)
{
    DIR *d = depth < DEPTH_MAX ? open_below(dir, name) : NULL;
    bool good = d != NULL;
    struct stat st;
    for (struct dirent *e; good && (e = next_entry(d)) != NULL;) {
        if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
            good = false;
        else if (S_ISDIR(st.st_mode))
            good = walk_woven(dirfd(d), e->d_name, remove, depth + 1);
        else
            good =
                S_ISREG(st.st_mode) && is_class_file(e->d_name) && (!remove || unlinkat(dirfd(d), e->d_name, 0) == 0);
    }
    if (d != NULL)
        (void)closedir(d);
    return good && (!remove || unlinkat(dir, name, AT_REMOVEDIR) == 0);
}

static enum status strange(const char *path, const char *name, struct error *err)
{
    return error_set(err, ERR_IO, "%s is not empty (%s) and no trace; accepted is a new or empty directory", path,
                     name);
}

enum status trace_files_check(int dir, const char *path, struct error *err)
{
    DIR *d = open_below(dir, ".");
    if (d == NULL)
        return error_set(err, ERR_IO, "%s: %s", path, strerror(errno));
    enum status s = OK;
    char some[sizeof((struct dirent *)0)->d_name] = "";
    bool proved = false;
    for (struct dirent *e; s == OK && (e = next_entry(d)) != NULL;) {
        const struct row *r = find(e->d_name);
        struct stat st;
        if (r == NULL || fstatat(dir, r->name, &st, AT_SYMLINK_NOFOLLOW) != 0 || (st.st_mode & S_IFMT) != r->type ||
            (r->type == S_IFDIR && !walk_woven(dir, r->name, false, 0)))
            s = strange(path, e->d_name, err);
        memcpy(some, e->d_name, sizeof some);
        proved = proved || (r != NULL && has_magic(dir, r));
    }
    (void)closedir(d);
    if (s == OK && some[0] == '\0')
        return ERR_NOT_FOUND;
    return s == OK && !proved ? strange(path, some, err) : s;
}

static const char *type_text(mode_t mode)
{
    return S_ISLNK(mode) ? "a symbolic link" : S_ISDIR(mode) ? "a directory" : "a pipe, device or socket";
}

enum status trace_files_regular(const char *dir, struct error *err)
{
    char path[4096];
    struct stat info;
    for (size_t i = 0; i < ROWS; i++) {
        if (!table[i].mapped)
            continue;
        if ((size_t)snprintf(path, sizeof path, "%s/%s", dir, table[i].name) >= sizeof path)
            return error_set(err, ERR_LIMIT, "%.400s: the name is too long", dir);
        if (lstat(path, &info) != 0) {
            if (errno == ENOENT)
                continue;
            return error_set(err, ERR_IO, "%.400s: %s", path, strerror(errno));
        }
        if (!S_ISREG(info.st_mode))
            return error_set(err, ERR_FORMAT, "%.400s: is %s, not a regular file", path, type_text(info.st_mode));
    }
    return OK;
}

/* False with errno. */
static bool copy_bytes(int from, int to)
{
    enum { PIECE = 64 * 1024 };
    static const uint8_t zeros[PIECE];
    uint8_t *piece = malloc(PIECE);
    off_t at = 0;
    ssize_t n = -1;
    bool good = piece != NULL;
    while (good && (n = read(from, piece, PIECE)) > 0) {
        bool empty = memcmp(piece, zeros, (size_t)n) == 0;
        at += n;
        good = empty ? lseek(to, at, SEEK_SET) == at : file_write(to, piece, (size_t)n);
    }
    free(piece);
    return good && n == 0 && ftruncate(to, at) == 0;
}

static bool copy_file(int from, int to, const char *name)
{
    int source = openat(from, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), e = errno;
    if (source < 0)
        return e == ENOENT;
    int target = file_make(to, name, O_WRONLY | O_EXCL);
    bool good = target >= 0 && copy_bytes(source, target);
    e = errno;
    (void)close(source);
    if (target >= 0 && close(target) != 0 && good)
        return false;
    errno = e;
    return good;
}

enum status trace_files_copy(int from, const char *path, int to, struct error *err)
{
    enum status s = trace_files_regular(path, err);
    for (size_t i = 0; s == OK && i < ROWS; i++)
        if ((table[i].mapped && table[i].life != LIFE_DERIVED) || strcmp(table[i].name, TRACE_RUN_FILE) == 0)
            if (!copy_file(from, to, table[i].name))
                s = error_set(err, ERR_IO, "%.400s/%s: cannot be copied: %s", path, table[i].name, strerror(errno));
    return s;
}

void trace_files_end(int dir, enum trace_life life)
{
    for (size_t i = 0; i < ROWS; i++)
        if (table[i].life == life && table[i].type != S_IFDIR)
            (void)unlinkat(dir, table[i].name, 0);
}

enum status trace_files_remove(int dir, const char *path, struct error *err)
{
    for (size_t i = 0; i < ROWS; i++) {
        const struct row *r = &table[i];
        if (strcmp(r->name, TRACE_RUN_FILE) == 0)
            continue;
        bool gone = r->type == S_IFDIR ? walk_woven(dir, r->name, true, 0) : unlinkat(dir, r->name, 0) == 0;
        if (!gone && faccessat(dir, r->name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
            return error_set(err, ERR_IO, "%s/%s cannot be removed: %s", path, r->name, strerror(errno));
    }
    return OK;
}
