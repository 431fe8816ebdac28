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
#include "logging/store/store.h"

enum { COMMIT_BYTES = 32 << 20 };

struct compact {
    char trace[PATH_MAX], beside[PATH_MAX + 16]; /* the trace and where the new one is written */
    int trace_fd, beside_fd;
    struct store *from, *to;
    compact_step_fn *step;
    uint64_t done, total; /* bytes of rows, and of the old file */
    enum schema_db db;    /* being copied */
    uint64_t waiting;     /* bytes not committed yet */
    struct writer blob;   /* scratch */
    struct error *err;
};

/* ---- copying ---- */

static enum status commit(struct compact *c)
{
    enum status st = store_commit(c->to, c->err);
    c->waiting = 0;
    return st == OK ? store_begin(c->to, c->err) : st;
}

/* Packs are full only if no commit comes between their rows. */
static enum status copied(struct compact *c, size_t size)
{
    c->waiting += size;
    c->done += size;
    if (c->step(NULL, c->done < c->total ? c->done : c->total, c->total, "compact") != 0)
        return error_set(c->err, ERR_CANCELLED, "%s: cancelled; it is as it was", c->trace);
    return c->waiting < COMMIT_BYTES || schema_packed(c->db) ? OK : commit(c);
}

static enum status copy_chunk(struct compact *c, uint64_t key, const void *data, size_t size)
{
    c->blob.size = 0;
    enum status st = derived_is(data, size) ? derived_chunk_repack(data, size, &c->blob, c->err)
                                            : chunk_repack(data, size, &c->blob, c->err);
    return st == OK ? store_put(c->to, DB_CHUNK, key, c->blob.data, c->blob.size, c->err) : st;
}

/* With the size of the new chunk. */
static enum status copy_chunk_info(struct compact *c, uint64_t key, const void *data, size_t size)
{
    struct chunk_info info;
    const void *chunk;
    size_t chunk_bytes;
    enum status st = chunk_info_decode(data, size, &info);
    if (st != OK)
        return error_set(c->err, st, "%s: a row of the chunk directory is malformed", c->trace);
    st = store_get(c->to, DB_CHUNK, key, &chunk, &chunk_bytes, c->err);
    if (st == ERR_NOT_FOUND)
        return error_set(c->err, ERR_FORMAT, "%s: chunk %llu is in the directory but not stored", c->trace,
                         (unsigned long long)key);
    if (st != OK)
        return st;
    info.bytes = (uint32_t)chunk_bytes; /* no more than before */
    c->blob.size = 0;
    chunk_info_encode(&info, &c->blob);
    if (c->blob.bad)
        return error_memory(c->err, "%s", c->trace);
    return store_put(c->to, DB_CHUNKDIR, key, c->blob.data, c->blob.size, c->err);
}

static enum status copy_row(void *context, uint64_t key, const void *data, size_t size)
{
    struct compact *c = context;
    enum status st;
    if (c->db == DB_CHUNK)
        st = copy_chunk(c, key, data, size);
    else if (c->db == DB_CHUNKDIR)
        st = copy_chunk_info(c, key, data, size);
    else
        st = store_put(c->to, c->db, key, data, size, c->err);
    return st == OK ? copied(c, size) : st;
}

static enum status copy_text_row(void *context, const char *key, size_t key_size, const void *data, size_t size)
{
    struct compact *c = context;
    return store_put_text(c->to, c->db, key, key_size, data, size, c->err);
}

static enum status copy_all(struct compact *c)
{
    enum status st = store_begin(c->to, c->err);
    for (unsigned db = 0; db < DB_COUNT && st == OK; db++) {
        c->db = (enum schema_db)db;
        if (schema_key_type(c->db) == KEY_TEXT)
            st = store_each_text(c->from, c->db, copy_text_row, c, c->err);
        else
            st = store_each(c->from, c->db, copy_row, c, c->err);
    }
    store_flush_packs(c->to);
    if (st == OK)
        st = store_commit(c->to, c->err);
    return st == OK ? store_sync(c->to, c->err) : st;
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
        st = copy_all(c);
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
    writer_free(&c.blob);
    return st;
}
