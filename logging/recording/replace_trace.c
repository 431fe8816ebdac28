/* replace_trace.c - see replace_trace.h.
 *
 * The new environment is written in a directory beside the trace, so that it is on the same file system, and its data
 * file renamed over the old one. Processes that have the trace open keep the old file; the lock file goes with it,
 * since its numbers of transactions are not those of the new one. */
#include "logging/recording/replace_trace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/files.h"
#include "formats/trace_files.h"

struct replacing {
    char trace[PATH_MAX], beside[PATH_MAX + 16]; /* the trace and where the new one is written */
    int trace_fd, beside_fd;
    struct error *err;
};

static enum status io_failed(struct replacing *c, const char *path, const char *what)
{
    return error_set(c->err, errno == ENOSPC ? ERR_FULL : ERR_IO, "%s: %s: %s", path, what, strerror(errno));
}

/* The directory beside the trace: .NAME.compact, locked while it is written. */
static enum status make_beside(struct replacing *c)
{
    char *slash = strrchr(c->trace, '/');
    size_t parent = slash != NULL ? (size_t)(slash + 1 - c->trace) : 0;
    if (slash == NULL || slash[1] == '\0')
        return error_set(c->err, ERR_USAGE, "%s: a trace there cannot be compacted", c->trace);
    (void)snprintf(c->beside, sizeof c->beside, "%.*s.%s.compact", (int)parent, c->trace, slash + 1);
    if (!dir_make(AT_FDCWD, c->beside) && errno != EEXIST)
        return io_failed(c, c->beside, "cannot be made");
    c->beside_fd = open(c->beside, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (c->beside_fd < 0)
        return io_failed(c, c->beside, "cannot be opened");
    if (flock(c->beside_fd, LOCK_EX | LOCK_NB) == 0)
        return OK;
    enum status st = error_set(c->err, ERR_EXISTS, "%s: is being compacted by another process", c->trace);
    (void)close(c->beside_fd);
    c->beside_fd = -1;
    return st;
}

static void empty_beside(const struct replacing *c)
{
    (void)unlinkat(c->beside_fd, TRACE_DATA_FILE, 0);
    (void)unlinkat(c->beside_fd, TRACE_LOCK_FILE, 0);
    (void)unlinkat(c->beside_fd, TRACE_RESERVE_FILE, 0);
}

static enum status sizes(struct replacing *c, struct compact_result *out)
{
    struct stat before, after;
    if (fstatat(c->trace_fd, TRACE_DATA_FILE, &before, AT_SYMLINK_NOFOLLOW) != 0)
        return io_failed(c, c->trace, TRACE_DATA_FILE);
    if (fstatat(c->beside_fd, TRACE_DATA_FILE, &after, AT_SYMLINK_NOFOLLOW) != 0)
        return io_failed(c, c->beside, TRACE_DATA_FILE);
    bool same_owner = before.st_uid == after.st_uid && before.st_gid == after.st_gid;
    if (!same_owner && fchownat(c->beside_fd, TRACE_DATA_FILE, before.st_uid, before.st_gid, AT_SYMLINK_NOFOLLOW) != 0)
        return io_failed(c, c->beside, "cannot get the owner of the trace");
    out->before = (uint64_t)before.st_size;
    out->after = (uint64_t)after.st_size;
    return OK;
}

static enum status replace(struct replacing *c)
{
    if (renameat(c->beside_fd, TRACE_DATA_FILE, c->trace_fd, TRACE_DATA_FILE) != 0)
        return io_failed(c, c->trace, TRACE_DATA_FILE " cannot be replaced");
    trace_files_end(c->trace_fd, LIFE_DERIVED);
    if (fsync(c->trace_fd) != 0)
        return io_failed(c, c->trace, "cannot sync");
    return OK;
}

enum status replace_trace(const struct trace_copy *copy, bool always, struct compact_result *out, struct error *err)
{
    struct replacing c = { .trace_fd = -1, .beside_fd = -1, .err = err };
    struct trace_copy how = *copy;
    enum status st = ERR_IO;
    *out = (struct compact_result){ 0 };
    if (realpath(copy->trace_dir, c.trace) == NULL)
        return io_failed(&c, copy->trace_dir, "cannot be opened");
    c.trace_fd = open(c.trace, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (c.trace_fd < 0)
        return io_failed(&c, c.trace, "cannot be opened");
    st = make_beside(&c);
    if (st != OK)
        goto out;
    empty_beside(&c); /* of a process that was killed */
    how.trace_dir = c.trace;
    how.out_dir = c.beside;
    st = copy_trace_into(&how, err);
    if (st == OK)
        st = sizes(&c, out);
    if (st != OK || (out->after >= out->before && !always))
        goto out;
    st = replace(&c);
    out->replaced = st == OK;
out:
    if (c.beside_fd >= 0) {
        empty_beside(&c);
        (void)rmdir(c.beside);
        (void)close(c.beside_fd);
    }
    (void)close(c.trace_fd);
    return st;
}
