/* compact.c - see formats/compact.h.
 *
 * The new environment is written in a directory beside the trace, so that it is on the same file system, and its data
 * file renamed over the old one. Processes that have the trace open keep the old file; the lock file goes with it,
 * since its numbers of transactions are not those of the new one. */
#include "formats/compact.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/derived.h"
#include "formats/files.h"
#include "formats/trace_files.h"
#include "logging/recording/copy_trace.h"

struct compact {
    char trace[PATH_MAX], beside[PATH_MAX + 16]; /* the trace and where the new one is written */
    int trace_fd, beside_fd;
    struct store *from, *to;
    compact_step_fn *step;
    uint64_t total; /* bytes of the old file */
    struct error *err;
};

/* ---- copying ---- */

static enum status repack(void *context, uint64_t key, const void *data, size_t size, struct chunk_info *info,
                          struct writer *out, struct error *err)
{
    (void)context;
    (void)key;
    (void)info;
    return derived_is(data, size) ? derived_chunk_repack(data, size, out, err) : chunk_repack(data, size, out, err);
}

static enum status write_beside(struct compact *c)
{
    enum status st = store_open(c->trace, false, &c->from, c->err);
    if (st == OK)
        st = store_open(c->beside, true, &c->to, c->err);
    if (st != OK)
        goto out;
    store_small(c->to);
    st = store_begin(c->from, c->err);
    if (st == OK)
        st = store_copy(&(struct store_copy){ .from = c->from,
                                              .to = c->to,
                                              .trace = c->trace,
                                              .rewrite = repack,
                                              .step = c->step,
                                              .total = c->total,
                                              .phase = "compact" },
                        c->err);
out:
    store_close(c->to);
    store_close(c->from);
    c->from = c->to = NULL;
    return st;
}

/* ---- directories and files ---- */

static enum status io_failed(struct compact *c, const char *path, const char *what)
{
    return error_set(c->err, errno == ENOSPC ? ERR_FULL : ERR_IO, "%s: %s: %s", path, what, strerror(errno));
}

/* The directory beside the trace: .NAME.compact, locked while it is written. */
static enum status make_beside(struct compact *c)
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

static void empty_beside(const struct compact *c)
{
    (void)unlinkat(c->beside_fd, TRACE_DATA_FILE, 0);
    (void)unlinkat(c->beside_fd, TRACE_LOCK_FILE, 0);
    (void)unlinkat(c->beside_fd, TRACE_RESERVE_FILE, 0);
}

static enum status sizes(struct compact *c, struct compact_result *out)
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

static enum status replace(struct compact *c)
{
    if (renameat(c->beside_fd, TRACE_DATA_FILE, c->trace_fd, TRACE_DATA_FILE) != 0)
        return io_failed(c, c->trace, TRACE_DATA_FILE " cannot be replaced");
    trace_files_end(c->trace_fd, LIFE_DERIVED);
    if (fsync(c->trace_fd) != 0)
        return io_failed(c, c->trace, "cannot sync");
    return OK;
}

enum status compact_trace(const char *trace_dir, compact_step_fn *step, struct compact_result *out, struct error *err)
{
    struct compact c = { .trace_fd = -1, .beside_fd = -1, .step = step, .err = err };
    enum status st = ERR_IO;
    *out = (struct compact_result){ 0 };
    if (realpath(trace_dir, c.trace) == NULL)
        return io_failed(&c, trace_dir, "cannot be opened");
    c.trace_fd = open(c.trace, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (c.trace_fd < 0)
        return io_failed(&c, c.trace, "cannot be opened");
    st = make_beside(&c);
    if (st != OK)
        goto out;
    empty_beside(&c); /* of a process that was killed */
    struct stat info;
    if (fstatat(c.trace_fd, TRACE_DATA_FILE, &info, AT_SYMLINK_NOFOLLOW) == 0)
        c.total = (uint64_t)info.st_size;
    st = write_beside(&c);
    if (st == OK)
        st = sizes(&c, out);
    if (st != OK || out->after >= out->before)
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

enum status compact_copy(const char *trace, const char *out_dir, compact_step_fn *step, void *context,
                         struct error *err)
{
    return copy_trace(&(struct trace_copy){ .trace_dir = trace,
                                            .out_dir = out_dir,
                                            .chunk = repack,
                                            .small = true,
                                            .step = step,
                                            .step_context = context,
                                            .phase = "pack" },
                      err);
}
