/* store.c - see store.h. */
#include "reader/fleet/store.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stddef.h>
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

/* What a run keeps of a trace: all that answers need. The other files are derived or of the recording. */
static const char *const trace_files[] = { TRACE_DATA_FILE, TRACE_RUN_FILE };
enum { TRACE_FILES = sizeof trace_files / sizeof *trace_files, COPY_BYTES = 1 << 20, RUN_FILE_MAX = 4096 };
enum { READ_MAX_BYTES = 1 << 30 };
#define FLEET_CATALOGUE "catalogue.db"

static enum status failed(struct error *err, const char *what, const char *name)
{
    return error_set(err, ERR_IO, "%s/%s: %s", what, name, strerror(errno));
}

/* ---- the folder ---- */

int open_below(const struct fleet *f, const char *name, bool make)
{
    return !make || dir_make(f->dir, name) || errno == EEXIST ? open_dir(f->dir, name) : -1;
}

enum status fleet_open(struct fleet *f, const char *path, bool make, struct error *err)
{
    *f = (struct fleet){ .path = path, .dir = -1, .runs = -1, .tmp = -1 };
    if (make && !dir_make(AT_FDCWD, path) && errno != EEXIST)
        return error_set(err, ERR_IO, "%s: %s", path, strerror(errno));
    f->dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (f->dir < 0)
        return error_set(err, ERR_IO, "%s: %s", path, strerror(errno));
    if ((f->runs = open_below(f, "runs", make)) < 0 || (f->tmp = open_below(f, "tmp", make)) < 0)
        return error_set(err, ERR_NOT_FOUND, "%s: not the folder of a fleet; fleet push makes one", path);
    return OK;
}

/* ---- shared by a group ---- */

/* The set-group-ID bit gives what is made below the group of the folder. Everybody of the group makes and renames in
 * `runs`, `tmp` and `tables`, the sticky bit keeps what belongs to others; a run is read by the group, and changed by
 * nobody. */
enum { SHARED_DIR = 02750, SHARED_FILE = 0640, SHARED_PLACE = 03770 };

static bool is_shared(int dir)
{
    struct stat st;
    return fstat(dir, &st) == 0 && (st.st_mode & S_ISGID) != 0;
}

static bool share(int dir, gid_t group, mode_t mode)
{
    return fchown(dir, (uid_t)-1, group) == 0 && fchmod(dir, mode) == 0;
}

enum status fleet_init(const char *path, const char *group, struct error *err)
{
    static const char *const places[] = { "runs", "tmp", "tables" };
    struct fleet f;
    struct group *g = NULL;
    if (group != NULL && (errno = 0, g = getgrnam(group)) == NULL)
        return error_set(err, ERR_USAGE, "--group %s: %s", group,
                         errno != 0 ? strerror(errno) : "there is no such group");
    enum status st = fleet_open(&f, path, true, err);
    for (size_t i = 0; st == OK && g != NULL && i < sizeof places / sizeof *places; i++) {
        int place = open_below(&f, places[i], true);
        if (place < 0 || !share(place, g->gr_gid, SHARED_PLACE))
            st = failed(err, path, places[i]);
        (void)closed(&place);
    }
    if (st == OK && g != NULL && !share(f.dir, g->gr_gid, SHARED_DIR))
        st = error_set(err, ERR_IO, "%s: %s", path, strerror(errno));
    fleet_close(&f);
    return st;
}

void fleet_close(struct fleet *f)
{
    (void)closed(&f->runs);
    (void)closed(&f->tmp);
    (void)closed(&f->dir);
}

bool run_id_is(const char *name)
{
    return strlen(name) == RUN_ID_CHARS && strspn(name, "0123456789abcdef") == RUN_ID_CHARS;
}

static int by_text(const void *text, const void *id) { return strcmp(text, ((const struct run_id *)id)->text); }
_Static_assert(offsetof(struct run_id, text) == 0, "a name is compared with names");

const struct run_id *run_ids_find(const run_ids *ids, const char *name)
{
    return ids->count > 0 ? bsearch(name, ids->items, ids->count, sizeof *ids->items, by_text) : NULL;
}

void run_ids_sort(run_ids *ids)
{
    if (ids->count > 0)
        qsort(ids->items, ids->count, sizeof *ids->items, by_text);
}

static uint64_t time_ns(struct timespec t) { return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec; }

bool odd_add(oddities *odd, const char *name, const char *what)
{
    struct oddity *o = vec_push(odd);
    if (o != NULL)
        (void)snprintf(o->text, sizeof o->text, "%.*s: %s", ODD_CHARS / 2, name, what);
    return o != NULL;
}

/* False with errno; ENOENT: it is not there any more. Nothing but a directory is opened. */
static bool measure(const struct fleet *f, const char *name, struct stored_run *out)
{
    struct stat st;
    int fd = open_dir(f->runs, name);
    if (fd < 0)
        return false;
    out->pushed_ns = fstatat(fd, trace_files[0], &st, AT_SYMLINK_NOFOLLOW) == 0 ? time_ns(st.st_mtim) : 0;
    DIR *d = entries(fd);
    const bool read = d != NULL;
    for (const struct dirent *e; (e = next_entry(d)) != NULL;)
        if (fstatat(fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
            out->bytes += (uint64_t)st.st_size;
    (void)closed(&fd);
    return read;
}

static int older(const void *a, const void *b)
{
    const struct stored_run *x = a, *y = b;
    if (x->pushed_ns != y->pushed_ns)
        return x->pushed_ns < y->pushed_ns ? -1 : 1;
    return strcmp(x->id.text, y->id.text);
}

void stored_runs_sort(stored_runs *runs)
{
    if (runs->count > 0)
        qsort(runs->items, runs->count, sizeof *runs->items, older);
}

/* The catalogue of a run alone. False with errno. */
static bool measure_catalogue(const struct fleet *f, const char *name, struct stored_run *out)
{
    char path[RUN_ID_CHARS + 32];
    struct stat st;
    (void)snprintf(path, sizeof path, "%s/%s", name, FLEET_CATALOGUE);
    if (fstatat(f->runs, path, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return false;
    out->catalogue_bytes = st.st_size > 0 ? (uint64_t)st.st_size : 0;
    out->catalogue_ns = time_ns(st.st_mtim);
    out->owner = st.st_uid;
    errno = EINVAL;
    return S_ISREG(st.st_mode);
}

static bool measure_nothing(const struct fleet *f, const char *name, struct stored_run *out)
{
    (void)f;
    (void)name;
    (void)out;
    return true;
}

typedef bool measure_fn(const struct fleet *f, const char *name, struct stored_run *out);
static measure_fn *const measures[] = {
    [LIST_NAMES] = measure_nothing, [LIST_CATALOGUES] = measure_catalogue, [LIST_SIZES] = measure
};

/* One entry of runs/. False: out of memory. */
static bool list_entry(const struct fleet *f, const struct dirent *e, measure_fn *take, stored_runs *out, oddities *odd)
{
    const char *name = e->d_name;
    struct stored_run run = { 0 }, *row;
    struct stat st;
    if (!run_id_is(name) || (e->d_type != DT_DIR && e->d_type != DT_UNKNOWN))
        return odd == NULL || odd_add(odd, name, "is no run");
    if (!take(f, name, &run)) {
        const int failed = errno;
        if (odd == NULL || fstatat(f->runs, name, &st, AT_SYMLINK_NOFOLLOW) != 0) /* gone */
            return true;
        return odd_add(odd, name,
                       !S_ISDIR(st.st_mode) ? "is no run"
                       : failed == ENOENT   ? "it has no catalogue"
                       : failed == EINVAL   ? "its catalogue is no file"
                                            : strerror(failed));
    }
    memcpy(run.id.text, name, sizeof run.id.text);
    if ((row = vec_push(out)) != NULL)
        *row = run;
    return row != NULL;
}

enum status fleet_list(const struct fleet *f, enum list_detail detail, stored_runs *out, oddities *odd,
                       struct error *err)
{
    DIR *d = entries(f->runs);
    enum status st = OK;
    if (d == NULL)
        return failed(err, f->path, "runs");
    /* names with a dot are of the file system, or of a program that leaves such files */
    for (const struct dirent *e; (e = next_entry(d)) != NULL;)
        if (st == OK && !list_entry(f, e, measures[detail], out, odd))
            st = error_memory(err, "%s", f->path);
    if (st == OK && errno != 0)
        st = failed(err, f->path, "runs");
    stored_runs_sort(out);
    return st;
}

enum status fleet_read(const struct fleet *f, const struct run_id *id, const char *name, char **bytes, size_t *n,
                       struct error *err)
{
    struct stat st;
    int dir = open_dir(f->runs, id->text), fd = open_regular(dir, name, &st);
    enum status status = OK;
    *n = 0;
    *bytes = NULL;
    if (fd < 0)
        status = error_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_FORMAT, "%s: %s", name,
                           errno == EINVAL ? "it is no file" : strerror(errno));
    else if (st.st_size <= 0 || st.st_size > READ_MAX_BYTES)
        status = error_set(err, ERR_FORMAT, "%s: it has %lld bytes", name, (long long)st.st_size);
    else if ((*bytes = malloc((size_t)st.st_size)) == NULL)
        status = error_memory(err, "%s", name);
    for (ssize_t got; status == OK && *n < (size_t)st.st_size; *n += (size_t)got)
        if ((got = read(fd, *bytes + *n, (size_t)st.st_size - *n)) <= 0)
            status = error_set(err, ERR_FORMAT, "%s: %s", name, got < 0 ? strerror(errno) : "it is cut");
    (void)closed(&fd);
    (void)closed(&dir);
    if (status != OK)
        *n = 0;
    return status;
}

bool fleet_has(const struct fleet *f, const struct run_id *id)
{
    struct stat st;
    return fstatat(f->runs, id->text, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

/* ---- removing ---- */

enum status fleet_remove(const struct fleet *f, const struct run_id *id, struct error *err)
{
    if (renameat(f->runs, id->text, f->tmp, id->text) != 0)
        return errno == ENOENT ? OK : failed(err, f->path, id->text);
    return remove_files(f->tmp, id->text) ? OK : failed(err, f->path, id->text);
}

void fleet_sweep(const struct fleet *f)
{
    DIR *d = entries(f->tmp);
    for (const struct dirent *e; (e = next_entry(d)) != NULL;) {
        int fd = open_dir(f->tmp, e->d_name);
        if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
            (void)remove_files(f->tmp, e->d_name);
        (void)closed(&fd);
    }
}

int fleet_make_run(const struct fleet *f, const struct run_id *id)
{
    return dir_make(f->runs, id->text) ? open_dir(f->runs, id->text) : -1;
}

static void remove_all(int parent, int below, const char *name)
{
    DIR *d = below >= 0 ? entries(below) : NULL;
    for (const struct dirent *e; (e = next_entry(d)) != NULL;)
        (void)remove_files(below, e->d_name);
    (void)unlinkat(parent, name, AT_REMOVEDIR);
}

void fleet_delete(const struct fleet *f)
{
    remove_all(f->dir, f->runs, "runs");
    remove_all(f->dir, f->tmp, "tmp");
    (void)rmdir(f->path);
}

/* ---- copies ---- */

void run_id_set(struct run_id *id, XXH128_hash_t h)
{
    (void)snprintf(id->text, sizeof id->text, "%016llx%016llx", (unsigned long long)h.high64,
                   (unsigned long long)h.low64);
}

/* Appends to the hash what tells where a file ends. */
static void hash_file(XXH3_state_t *hash, const char *name, uint64_t bytes)
{
    char text[64];
    int n = snprintf(text, sizeof text, "%s %llu\n", name, (unsigned long long)bytes);
    (void)XXH3_128bits_update(hash, text, (size_t)n);
}

/* At most `most` bytes. */
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
        if (!file_write(to, buffer, (size_t)n))
            return ERR_IO;
    }
    return fsync(to) == 0 ? OK : ERR_IO;
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

/* A file that has the name of one of a trace and is one; what is linked or a pipe is refused. */
static enum status copy_file(int from, const struct bundle *b, int to, const char *name, uint8_t *buffer,
                             XXH3_state_t *hash, uint64_t *bytes)
{
    struct stat st;
    uint64_t most;
    int target = -1, source = open_file(from, b, name, &most);
    enum status status = ERR_IO;
    uint64_t copied = 0;
    if (source < 0 || fstat(source, &st) != 0)
        goto out;
    errno = EINVAL;
    if (!S_ISREG(st.st_mode))
        goto out;
    target = file_make(to, name, O_WRONLY | O_CREAT | O_EXCL);
    if (target >= 0)
        status = copy_bytes(source, target, most, buffer, hash, &copied);
    hash_file(hash, name, copied);
    *bytes += copied;
out:
    (void)closed(&source);
    if (!closed(&target) && status == OK)
        status = ERR_IO;
    return status;
}

/* `path` and `where`: how messages name the two directories. */
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
                            st == ERR_CANCELLED ? status_text(st) : strerror(errno));
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
    const bool shared = is_shared(f->tmp);
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
    else if (errno != EEXIST && errno != ENOTEMPTY)
        return failed(err, f->path, name);
    else if (!replace)
        return OK;
    else if (renameat2(f->tmp, p->name, into, name, RENAME_EXCHANGE) != 0) /* push_end removes the old one */
        return failed(err, f->path, name);
    return fsync(into) == 0 ? OK : failed(err, f->path, name);
}

enum status push_publish(struct push *p, bool *added, struct error *err)
{
    enum status st = push_into(p, p->fleet->runs, p->id.text, false, err);
    *added = p->name[0] == '\0';
    return st;
}

enum status push_replace(struct push *p, struct error *err)
{
    return push_into(p, p->fleet->runs, p->id.text, true, err);
}

void push_end(struct push *p)
{
    if (p->dir >= 0 && p->name[0] != '\0')
        (void)remove_files(p->fleet->tmp, p->name);
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
