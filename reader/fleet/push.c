/* push.c - traces into the folder of a fleet and out of it (store.h). */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include <xxhash.h>

#include "formats/bundle.h"
#include "formats/files.h"
#include "formats/running.h"
#include "formats/schema.h"
#include "reader/command/interrupt.h"
#include "reader/fleet/dirs.h"
#include "reader/fleet/store.h"

/* What a run keeps of a trace: all that answers need. The other files are derived or of the recording. */
static const char *const trace_files[] = { TRACE_DATA_FILE, TRACE_RUN_FILE };
enum { TRACE_FILES = sizeof trace_files / sizeof *trace_files, COPY_BYTES = 1 << 20, RUN_FILE_MAX = 4096 };

static enum status failed(struct error *err, const char *what, const char *name)
{
    return error_set(err, ERR_IO, "%s/%s: %s", what, name, strerror(errno));
}

/* ---- copies ---- */

/* Appends name and size of a file to the hash, so that it depends on where each file ends. */
static void hash_file(XXH3_state_t *hash, const char *name, uint64_t bytes)
{
    char text[64];
    int n = snprintf(text, sizeof text, "%s %llu\n", name, (unsigned long long)bytes);
    (void)XXH3_128bits_update(hash, text, (size_t)n);
}

/* At most `most` bytes; `to` -1: they are hashed alone. */
static enum status copy_bytes(int from, int to, uint64_t most, uint8_t *buffer, XXH3_state_t *hash, uint64_t *bytes)
{
    while (*bytes < most) {
        const ssize_t n = read(from, buffer, most - *bytes < COPY_BYTES ? (size_t)(most - *bytes) : COPY_BYTES);
        if (n == 0)
            break;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return ERR_IO;
        if (interrupt_seen())
            return ERR_CANCELLED;
        (void)XXH3_128bits_update(hash, buffer, (size_t)n);
        *bytes += (uint64_t)n;
        if (to >= 0 && !file_write(to, buffer, (size_t)n))
            return ERR_IO;
    }
    return to < 0 || fsync(to) == 0 ? OK : ERR_IO;
}

/* A file of a trace: one below the directory `from`, or, of a trace in one file, which `from` is then, its part. */
static int open_file(int from, const struct bundle *b, const char *name, uint64_t *most)
{
    const enum bundle_part part = strcmp(name, TRACE_DATA_FILE) == 0 ? BUNDLE_DATA : BUNDLE_RUN;
    *most = b != NULL ? b->bytes[part] : UINT64_MAX;
    struct stat st;
    if (b == NULL)
        return open_regular(from, name, &st);
    return lseek(from, (off_t)b->at[part], SEEK_SET) >= 0 ? fcntl(from, F_DUPFD_CLOEXEC, 0) : -1;
}

/* A file that has the name of one of a trace and is one. ERR_FORMAT: it is a link, a pipe, or cannot be read. */
static enum status copy_file(int from, const struct bundle *b, int to, const char *name, uint8_t *buffer,
                             XXH3_state_t *hash, uint64_t *bytes)
{
    struct stat st;
    uint64_t most;
    int target = -1, source = open_file(from, b, name, &most);
    enum status status = ERR_IO;
    uint64_t copied = 0;
    if (source < 0 || fstat(source, &st) != 0 || !S_ISREG(st.st_mode)) {
        status = ERR_FORMAT;
        goto out;
    }
    target = to >= 0 ? file_make(to, name, O_WRONLY | O_CREAT | O_EXCL) : -1;
    if (target >= 0 || to < 0)
        status = copy_bytes(source, target, most, buffer, hash, &copied);
    hash_file(hash, name, copied);
    *bytes += copied;
out:
    (void)closed(&source);
    if (!closed(&target) && status == OK)
        status = ERR_IO;
    return status;
}

/* `path` and `where`: how messages name the two directories. `to` -1: only the hash is wanted. */
static enum status copy_trace(int from, const struct bundle *b, const char *path, int to, const char *where,
                              struct run_id *id, uint64_t *bytes, struct error *err)
{
    uint8_t *buffer = malloc(COPY_BYTES);
    XXH3_state_t *hash = XXH3_createState();
    enum status st = OK;
    *bytes = 0;
    if (buffer == NULL || hash == NULL || XXH3_128bits_reset(hash) != XXH_OK)
        st = error_memory(err, "%s", path);
    for (size_t i = 0; st == OK && i < TRACE_FILES; i++)
        if ((st = copy_file(from, b, to, trace_files[i], buffer, hash, bytes)) != OK)
            (void)error_set(err, st, "%s/%s: cannot be copied to %s: %s", path, trace_files[i], where,
                            st == ERR_CANCELLED                   ? status_text(st)
                            : st == ERR_FORMAT && errno == EINVAL ? "it is no regular file"
                                                                  : strerror(errno));
    if (st == OK)
        run_id_set(id, XXH3_128bits_digest(hash));
    free(buffer);
    (void)XXH3_freeState(hash);
    return st;
}

/* ---- push ---- */

/* Makes a directory and locks it. A sweep may remove it in between; then another one is made. */
enum status push_begin(struct push *p, const struct fleet *f, struct error *err)
{
    struct stat named, held;
    *p = (struct push){ .fleet = f, .dir = -1 };
    for (;;) {
        int n = snprintf(p->path, sizeof p->path, "%s/tmp/push.XXXXXX", f->path);
        if (n < 0 || (size_t)n >= sizeof p->path)
            return error_set(err, ERR_LIMIT, "%s: the path is too long", f->path);
        if (mkdtemp(p->path) == NULL)
            return failed(err, f->path, "tmp");
        (void)snprintf(p->name, sizeof p->name, "%s", strrchr(p->path, '/') + 1);
        p->dir = open_dir(f->tmp, p->name);
        if (p->dir >= 0 && flock(p->dir, LOCK_EX | LOCK_NB) == 0 && fstat(p->dir, &held) == 0 &&
            fstatat(f->tmp, p->name, &named, AT_SYMLINK_NOFOLLOW) == 0 && named.st_ino == held.st_ino)
            return OK;
        if (p->dir < 0 && errno != ENOENT)
            return failed(err, f->path, p->name);
        (void)closed(&p->dir);
    }
}

enum status push_copy(struct push *p, const char *trace, struct error *err)
{
    struct bundle b;
    struct error why;
    const bool bundle = bundle_read(trace, &b, &why) == OK;
    int from = open(trace, O_RDONLY | (bundle ? O_NONBLOCK : O_DIRECTORY) | O_CLOEXEC);
    if (from < 0)
        return error_set(err, ERR_IO, "%s: %s", trace, strerror(errno));
    enum status st = copy_trace(from, bundle ? &b : NULL, trace, p->dir, p->fleet->path, &p->id, &p->bytes, err);
    (void)closed(&from);
    return st;
}

enum status push_running(struct push *p, const char *trace, struct error *err)
{
    uint8_t *buffer = malloc(COPY_BYTES);
    XXH3_state_t *hash = XXH3_createState();
    uint64_t bytes = 0;
    enum status st = ERR_IO;
    int from = open(trace, O_RDONLY | O_DIRECTORY | O_CLOEXEC), data = -1;
    if (buffer == NULL || hash == NULL || XXH3_128bits_reset(hash) != XXH_OK) {
        st = error_memory(err, "%s", trace);
    } else if (from < 0 || copy_file(from, NULL, p->dir, TRACE_RUN_FILE, buffer, hash, &bytes) != OK ||
               (data = file_make(p->dir, TRACE_DATA_FILE, O_RDWR | O_CREAT | O_EXCL)) < 0) {
        (void)failed(err, trace, TRACE_RUN_FILE);
    } else {
        st = running_copy(trace, data, err);
    }
    (void)closed(&from);
    (void)closed(&data);
    free(buffer);
    (void)XXH3_freeState(hash);
    return st;
}

enum status push_recording(const struct push *p, const char *started, struct run_id *out, struct error *err)
{
    char text[RUN_FILE_MAX];
    int fd = openat(p->dir, TRACE_RUN_FILE, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text) : -1;
    (void)closed(&fd);
    if (n < 0)
        return failed(err, p->path, TRACE_RUN_FILE);
    const size_t room = sizeof text - (size_t)n, length = strlen(started);
    memcpy(text + n, started, length < room ? length : room);
    run_id_set(out, XXH3_128bits(text, (size_t)n + (length < room ? length : room)));
    return OK;
}

/* All files of the directory, and it, are on the disk, and have the modes of the fleet. */
static bool sync_files(const struct fleet *f, int dir)
{
    const bool shared = dir_is_shared(f->tmp);
    DIR *d = entries(dir);
    bool done = d != NULL;
    for (const struct dirent *e; (e = next_entry(d)) != NULL;) {
        int fd = done ? openat(dir, e->d_name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
        done = fd >= 0 && (!shared || fchmod(fd, SHARED_FILE) == 0) && fsync(fd) == 0;
        (void)closed(&fd);
    }
    return done && (!shared || fchmod(dir, SHARED_DIR) == 0) && fsync(dir) == 0;
}

bool push_sync(const struct push *p) { return sync_files(p->fleet, p->dir); }

enum status push_into(struct push *p, int into, const char *name, bool replace, struct error *err)
{
    const struct fleet *f = p->fleet;
    if (!sync_files(f, p->dir))
        return failed(err, f->path, p->name);
    if (renameat(f->tmp, p->name, into, name) == 0)
        p->name[0] = '\0';
    else if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR)
        return failed(err, f->path, name);
    else if (!replace)
        return OK;
    else if (renameat2(f->tmp, p->name, into, name, RENAME_EXCHANGE) != 0) /* push_end removes the old one */
        return failed(err, f->path, name);
    return fsync(into) == 0 ? OK : failed(err, f->path, name);
}

enum status run_differs(const char *place, const struct run_id *id, struct error *err)
{
    return error_set(err, ERR_EXISTS,
                     "%s: run %s: what is there has the sizes of this trace and other contents: it is damaged, or no "
                     "push wrote it; after fleet remove the trace can be pushed",
                     place, id->text);
}

enum status push_is_there(const struct push *p, bool *there_already, struct error *err)
{
    struct stat there, own;
    struct run_id found;
    uint64_t bytes;
    int dir = open_dir(p->fleet->runs, p->id.text);
    bool whole = dir >= 0 && fstatat(dir, CATALOGUE_FILE, &there, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(there.st_mode);
    for (size_t i = 0; whole && i < TRACE_FILES; i++)
        whole = fstatat(dir, trace_files[i], &there, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(there.st_mode) &&
                fstatat(p->dir, trace_files[i], &own, AT_SYMLINK_NOFOLLOW) == 0 && there.st_size == own.st_size;
    enum status st = whole ? copy_trace(dir, NULL, p->id.text, -1, "", &found, &bytes, err) : OK;
    if (whole && st == OK && strcmp(found.text, p->id.text) != 0)
        st = run_differs(p->fleet->path, &p->id, err);
    (void)closed(&dir);
    *there_already = whole;
    return st;
}

enum status push_publish(struct push *p, bool *added, struct error *err)
{
    bool there = false;
    enum status st = push_into(p, p->fleet->runs, p->id.text, false, err);
    *added = p->name[0] == '\0';
    if (st == OK && !*added)
        st = push_is_there(p, &there, err);
    if (st != OK || *added || there)
        return st;
    *added = true;
    return push_replace(p, err);
}

enum status push_replace(struct push *p, struct error *err)
{
    return push_into(p, p->fleet->runs, p->id.text, true, err);
}

void push_end(struct push *p)
{
    if (p->dir >= 0 && p->name[0] != '\0' && !remove_files(p->fleet->tmp, p->name))
        (void)unlinkat(p->fleet->tmp, p->name, 0); /* it was in the place of a run */
    (void)closed(&p->dir);
}

/* ---- back to a folder ---- */

/* RENAME_NOREPLACE: what is at `output`, even an empty directory, is somebody's. */
static enum status place(const char *temporary, const char *output, struct error *err)
{
    if (renameat2(AT_FDCWD, temporary, AT_FDCWD, output, RENAME_NOREPLACE) == 0)
        return OK;
    return error_set(err, errno == EEXIST ? ERR_EXISTS : ERR_IO, "%s: %s", output, strerror(errno));
}

enum status fleet_copy_out(const struct fleet *f, const struct run_id *id, const char *output, struct error *err)
{
    char temporary[PATH_MAX];
    struct run_id found;
    uint64_t bytes;
    int to = -1, from = open_dir(f->runs, id->text);
    enum status st;
    int n = snprintf(temporary, sizeof temporary, "%s.XXXXXX", output);
    if (from < 0)
        return failed(err, f->path, id->text);
    if (n < 0 || (size_t)n >= sizeof temporary || mkdtemp(temporary) == NULL) {
        st = error_set(err, ERR_IO, "%s: %s", output,
                       make_error_text(n > 0 && (size_t)n < PATH_MAX ? errno : ENAMETOOLONG));
        (void)closed(&from);
        return st;
    }
    to = open_dir(AT_FDCWD, temporary);
    st = to >= 0 ? copy_trace(from, NULL, id->text, to, output, &found, &bytes, err)
                 : error_set(err, ERR_IO, "%s: %s", temporary, strerror(errno));
    if (st == OK && strcmp(found.text, id->text) != 0)
        st = error_set(err, ERR_FORMAT, "run %s: its trace is damaged: it has the hash %s", id->text, found.text);
    if (st == OK)
        st = place(temporary, output, err);
    if (st != OK)
        (void)remove_files(AT_FDCWD, temporary);
    (void)closed(&from);
    (void)closed(&to);
    return st;
}
