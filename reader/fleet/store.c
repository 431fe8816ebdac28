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
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "formats/files.h"
#include "formats/schema.h"
#include "reader/fleet/dirs.h"

#define IDENTITY_FILE "identity"
enum { BLOCK_BYTES = 512 };

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

bool dir_is_shared(int dir)
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
    if (st == OK)
        st = fleet_identify(&f, err);
    fleet_close(&f);
    return st;
}

enum status fleet_identify(const struct fleet *f, struct error *err)
{
    struct run_id id;
    XXH128_hash_t chance;
    int fd = file_make(f->dir, IDENTITY_FILE, O_WRONLY | O_CREAT | O_EXCL);
    if (fd < 0) /* others have made it, or will */
        return errno == EEXIST || errno == EACCES || errno == EPERM || errno == EROFS
                   ? OK
                   : failed(err, f->path, IDENTITY_FILE);
    bool done = getrandom(&chance, sizeof chance, 0) == sizeof chance;
    if (done) {
        run_id_set(&id, chance);
        done = file_write(fd, id.text, RUN_ID_CHARS) && (!dir_is_shared(f->dir) || fchmod(fd, SHARED_FILE) == 0);
    }
    if (closed(&fd) && done)
        return OK;
    enum status st = failed(err, f->path, IDENTITY_FILE);
    (void)unlinkat(f->dir, IDENTITY_FILE, 0);
    return st;
}

uint64_t fleet_identity(const struct fleet *f)
{
    struct {
        uint64_t device, inode;
        struct run_id id;
    } all = { 0 };
    struct stat runs, file;
    int fd = open_regular(f->dir, IDENTITY_FILE, &file);
    if (fd < 0 || read(fd, all.id.text, RUN_ID_CHARS) != RUN_ID_CHARS || !run_id_is(all.id.text))
        memset(&all.id, 0, sizeof all.id);
    (void)closed(&fd);
    if (fstat(f->runs, &runs) == 0) {
        all.device = all.id.text[0] == '\0' ? runs.st_dev : 0; /* hosts may call a disk differently */
        all.inode = runs.st_ino;
    }
    return XXH3_64bits(&all, sizeof all);
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

void run_id_set(struct run_id *id, XXH128_hash_t h)
{
    (void)snprintf(id->text, sizeof id->text, "%016llx%016llx", (unsigned long long)h.high64,
                   (unsigned long long)h.low64);
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
    if (odd->count >= ODD_MAX)
        return true;
    struct oddity *o = vec_push(odd);
    if (o != NULL)
        (void)snprintf(o->text, sizeof o->text, "%.*s: %s", ODD_CHARS / 2, name, what);
    return o != NULL;
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* False with errno; ENOENT: it is not there any more. Nothing but a directory is opened. A file that is large without
 * room on the disk would have prune remove the runs of others. */
static bool measure(const struct fleet *f, const char *name, struct stored_run *out)
{
    struct stat st;
    int fd = open_dir(f->runs, name);
    if (fd < 0)
        return false;
    out->pushed_ns = fstatat(fd, TRACE_DATA_FILE, &st, AT_SYMLINK_NOFOLLOW) == 0 ? time_ns(st.st_mtim) : 0;
    DIR *d = entries(fd);
    const bool read = d != NULL;
    for (const struct dirent *e; (e = next_entry(d)) != NULL;)
        if (fstatat(fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
            out->bytes += least((uint64_t)st.st_size, (uint64_t)st.st_blocks * BLOCK_BYTES);
    (void)closed(&fd);
    return read;
}

uint64_t fleet_run_bytes(const struct fleet *f, const struct run_id *id)
{
    struct stored_run run = { 0 };
    return measure(f, id->text, &run) ? run.bytes : 0;
}

static bool measure_time(const struct fleet *f, const char *name, struct stored_run *out)
{
    char path[RUN_ID_CHARS + 32];
    struct stat st;
    (void)snprintf(path, sizeof path, "%s/%s", name, TRACE_DATA_FILE);
    if (fstatat(f->runs, path, &st, AT_SYMLINK_NOFOLLOW) == 0)
        out->pushed_ns = time_ns(st.st_mtim);
    else
        return errno == ENOENT && fstatat(f->runs, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
    return true;
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
    (void)snprintf(path, sizeof path, "%s/%s", name, CATALOGUE_FILE);
    if (fstatat(f->runs, path, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return false;
    out->catalogue_bytes = st.st_size > 0 ? (uint64_t)st.st_size : 0;
    out->catalogue_ns = time_ns(st.st_mtim);
    out->owner = st.st_uid;
    errno = EINVAL;
    return S_ISREG(st.st_mode);
}

typedef bool measure_fn(const struct fleet *f, const char *name, struct stored_run *out);
static measure_fn *const measures[] = {
    [LIST_NAMES] = NULL, [LIST_CATALOGUES] = measure_catalogue, [LIST_TIMES] = measure_time, [LIST_SIZES] = measure
};

/* One entry of runs/. False: out of memory. */
static bool list_entry(const struct fleet *f, const struct dirent *e, measure_fn *take, stored_runs *out, oddities *odd)
{
    const char *name = e->d_name;
    struct stored_run run = { 0 }, *row;
    struct stat st;
    if (!run_id_is(name) || (e->d_type != DT_DIR && e->d_type != DT_UNKNOWN))
        return odd == NULL || odd_add(odd, name, "is no run");
    if (take != NULL && !take(f, name, &run)) {
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
    char name[RUN_ID_CHARS + 32]; /* that nobody has made before */
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    (void)snprintf(name, sizeof name, "%s.%llx", id->text, (unsigned long long)time_ns(now));
    if (renameat(f->runs, id->text, f->tmp, name) != 0)
        return errno == ENOENT ? OK : failed(err, f->path, id->text);
    return remove_files(f->tmp, name) ? OK : failed(err, f->path, id->text);
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
        if (!remove_files(below, e->d_name))
            (void)unlinkat(below, e->d_name, 0);
    (void)unlinkat(parent, name, AT_REMOVEDIR);
}

void fleet_delete(const struct fleet *f)
{
    remove_all(f->dir, f->runs, "runs");
    remove_all(f->dir, f->tmp, "tmp");
    (void)rmdir(f->path);
}
