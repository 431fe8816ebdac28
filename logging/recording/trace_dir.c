/* trace_dir.c - see trace_dir.h. */
#include "logging/recording/trace_dir.h"

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
#include "formats/trace_files.h"
#include "logging/journal/process.h"
#include "logging/recording/run.h"

/* A recorder locks the whole file, recovery the second byte: so no recorder overwrites a trace that is being recovered,
 * and a reader does not take such a trace for one being recorded. */
enum { RECORDER_BYTE, RECOVERY_BYTE };
/* How long another recorder may take to write into its TRACE/run; looks at a directory that changes; claims of one that
 * goes away. */
enum { WAIT_MS = 500, CHANGES = 20, TRIES = 100 };
static struct flock whole_file(void) { return (struct flock){ .l_type = F_WRLCK, .l_whence = SEEK_SET }; }
static struct flock one_byte(off_t at)
{
    return (struct flock){ .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = at, .l_len = 1 };
}

/* By process id and start time in the journal, in this pid namespace. */
static bool recorder_runs(int dir)
{
    struct journal_head h = { 0 };
    int fd = openat(dir, TRACE_JOURNAL_FILE, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool known = fd >= 0 && pread(fd, &h, sizeof h, 0) == (ssize_t)sizeof h && h.magic == JOURNAL_MAGIC;
    if (fd >= 0)
        (void)close(fd);
    uint64_t start = known ? process_start(h.pid) : 0;
    return start != 0 && start == h.pid_start;
}

static bool taken_below(int dir)
{
    struct flock l = one_byte(RECORDER_BYTE);
    int fd = openat(dir, TRACE_RUN_FILE, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool asked = fd >= 0 && fcntl(fd, F_OFD_GETLK, &l) == 0;
    if (fd >= 0)
        (void)close(fd);
    return asked ? l.l_type != F_UNLCK : recorder_runs(dir);
}

bool trace_dir_in_use(const char *dir)
{
    int fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
    bool taken = fd >= 0 && taken_below(fd);
    if (fd >= 0)
        (void)close(fd);
    return taken;
}

int trace_dir_lock_recovery(const char *dir)
{
    int below = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC), fd = -1;
    struct flock l = one_byte(RECOVERY_BYTE);
    if (below >= 0) {
        fd = openat(below, TRACE_RUN_FILE, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        (void)close(below);
    }
    while (fd >= 0 && fcntl(fd, F_OFD_SETLKW, &l) != 0 && errno == EINTR) {
    }
    return fd;
}

static enum status refuse_taken(const char *dir, struct error *err)
{
    return error_set(err, ERR_EXISTS,
                     "%s is being recorded (or recovered) by another process; accepted is another directory", dir);
}

/* A recorder has made TRACE/run, and writes into it next. */
static bool begins(int dir)
{
    struct stat st;
    return fstatat(dir, TRACE_RUN_FILE, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) && st.st_size == 0;
}

/* Checks that this directory may become a trace. *empty: it has no entries. */
static enum status check(int fd, const char *dir, bool overwrite, bool *empty, struct error *err)
{
    enum status s = trace_files_check(fd, dir, err);
    for (int i = 0; s == ERR_IO && i < WAIT_MS && (i < CHANGES || begins(fd)); i++) {
        (void)usleep(1000); /* it may have changed between two looks, too */
        s = trace_files_check(fd, dir, err);
    }
    *empty = s == ERR_NOT_FOUND;
    if (s != OK)
        return *empty ? OK : s;
    if (taken_below(fd))
        return refuse_taken(dir, err);
    return overwrite ? OK : error_set(err, ERR_EXISTS, "%s holds a trace already; accepted is a new directory", dir);
}

/* Locks the directory, or ERR_EXISTS. *made: TRACE/run did not exist. */
static enum status lock(struct trace_dir *t, const char *dir, bool *made, struct error *err)
{
    struct stat here, there;
    struct flock l = whole_file();
    t->lock = file_make(t->fd, TRACE_RUN_FILE, O_RDWR | O_EXCL);
    *made = t->lock >= 0;
    if (t->lock < 0 && errno == EEXIST)
        t->lock = openat(t->fd, TRACE_RUN_FILE, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (t->lock < 0)
        return error_set(err, ERR_IO, "%s cannot be written: %s", dir, strerror(errno));
    if (fcntl(t->lock, F_OFD_SETLK, &l) != 0 && (errno == EAGAIN || errno == EACCES)) {
        *made = false; /* it must not be removed */
        return refuse_taken(dir, err);
    }
    /* its previous owner may have removed it */
    bool same = fstat(t->lock, &here) == 0 && fstatat(t->fd, TRACE_RUN_FILE, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
                here.st_ino == there.st_ino;
    return same ? OK : refuse_taken(dir, err);
}

static enum status write_run(const struct trace_dir *t, const char *run, struct error *err)
{
    char text[RUN_TEXT_MAX];
    int n = run_text(run, text);
    if (ftruncate(t->lock, 0) == 0 && pwrite(t->lock, text, (size_t)n, 0) == n)
        return OK;
    return error_set(err, ERR_FULL, "%s/%s cannot be written: %s", t->dir, TRACE_RUN_FILE, strerror(errno));
}

static void close_all(struct trace_dir *t)
{
    if (t->lock >= 0)
        (void)close(t->lock);
    if (t->fd >= 0)
        (void)close(t->fd);
    t->lock = t->fd = -1;
}

static enum status set_absolute(struct trace_dir *t, const char *dir, struct error *err)
{
    char *absolute = realpath(dir, NULL);
    if (absolute == NULL)
        return error_set(err, ERR_IO, "%s: %s", dir, strerror(errno));
    bool fits = strlen(absolute) + 1 <= sizeof t->dir;
    if (fits)
        (void)snprintf(t->dir, sizeof t->dir, "%s", absolute);
    free(absolute);
    return fits ? OK : error_set(err, ERR_USAGE, "the path has more than %zu characters", sizeof t->dir - 1);
}

/* Everything is checked before anything of an old trace is removed. *made_run: TRACE/run did not exist. */
static enum status claim(struct trace_dir *t, const char *dir, bool overwrite, const char *run, bool *made_run,
                         struct error *err)
{
    bool empty = true;
    enum status s = set_absolute(t, dir, err);
    if (s != OK)
        return s;
    s = check(t->fd, dir, overwrite, &empty, err);
    if (s != OK)
        return s;
    if (access(dir, W_OK | X_OK) != 0)
        return error_set(err, ERR_IO, "%s cannot be written: %s", dir, strerror(errno));
    s = dir_take(dir, t->made, err);
    if (s != OK)
        return s;
    s = lock(t, dir, made_run, err);
    if (s != OK)
        return s;
    s = write_run(t, run, err);
    if (s != OK)
        return s;
    /* another process may have created files meanwhile; TRACE/run is there in any case now */
    s = trace_files_check(t->fd, dir, err);
    if (s != OK)
        return s;
    return trace_files_remove(t->fd, dir, err);
}

/* *gone: the directory was removed meanwhile, by a recorder that gave it up. */
static enum status try_claim(struct trace_dir *t, const char *dir, bool overwrite, const char *run, bool *gone,
                             struct error *err)
{
    bool made_run = false;
    struct stat st;
    *gone = false;
    *t = (struct trace_dir){ .fd = -1, .lock = -1 };
    t->made = dir_make(AT_FDCWD, dir);
    if (!t->made && errno != EEXIST)
        return error_set(err, ERR_IO, "%s cannot be made: %s", dir, make_error_text(errno));
    t->fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *gone = t->fd < 0 && errno == ENOENT;
    if (t->fd < 0)
        return error_set(err, ERR_IO, "%s: %s", dir, strerror(errno));
    enum status s = claim(t, dir, overwrite, run, &made_run, err);
    if (s == OK)
        return OK;
    *gone = fstat(t->fd, &st) == 0 && st.st_nlink == 0;
    if (made_run)
        (void)unlinkat(t->fd, TRACE_RUN_FILE, 0);
    if (t->made)
        (void)rmdir(dir);
    close_all(t);
    return s;
}

enum status trace_dir_claim(struct trace_dir *t, const char *dir, bool overwrite, const char *run, struct error *err)
{
    bool gone;
    enum status s;
    int tries = 0;
    do
        s = try_claim(t, dir, overwrite, run, &gone, err);
    while (s != OK && gone && ++tries < TRIES);
    return s;
}

void trace_dir_note_data(struct trace_dir *t)
{
    struct stat st;
    if (fstatat(t->fd, TRACE_DATA_FILE, &st, AT_SYMLINK_NOFOLLOW) == 0) {
        t->device = st.st_dev;
        t->data = st.st_ino;
    }
}

void trace_dir_abandon(struct trace_dir *t)
{
    struct error ignored;
    if (t->fd < 0)
        return;
    if (trace_files_remove(t->fd, t->dir, &ignored) == OK && unlinkat(t->fd, TRACE_RUN_FILE, 0) == 0 && t->made)
        (void)rmdir(t->dir);
    close_all(t);
}

void trace_dir_release(struct trace_dir *t) { close_all(t); }

bool trace_dir_locate(const struct trace_dir *t, char *where, size_t size)
{
    struct stat st, named;
    char link[64];
    if (t->fd < 0 || fstatat(t->fd, TRACE_DATA_FILE, &st, AT_SYMLINK_NOFOLLOW) != 0 || st.st_dev != t->device ||
        st.st_ino != t->data)
        return false;
    if (where == NULL || size == 0)
        return true;
    (void)snprintf(where, size, "%s", t->dir);
    if (fstat(t->fd, &st) == 0 && stat(t->dir, &named) == 0 && named.st_dev == st.st_dev && named.st_ino == st.st_ino)
        return true;
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", t->fd);
    ssize_t n = readlink(link, where, size - 1);
    if (n > 0)
        where[n] = '\0';
    return true;
}
