/* place.c - see place.h. */
#include "logging/recording/place.h"

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

/* A recorder has the whole file, recovery the second byte: so nobody records over a trace that is being recovered, and
 * to a reader such a trace does not look as if it were being recorded. */
enum { RECORDER_BYTE, RECOVERY_BYTE };
static struct flock whole_file(void) { return (struct flock){ .l_type = F_WRLCK, .l_whence = SEEK_SET }; }
static struct flock one_byte(off_t at)
{
    return (struct flock){ .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = at, .l_len = 1 };
}

/* By the numbers in the journal: this machine, this pid namespace. */
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

bool place_taken(const char *dir)
{
    int fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
    bool taken = fd >= 0 && taken_below(fd);
    if (fd >= 0)
        (void)close(fd);
    return taken;
}

int place_recover(const char *dir)
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

/* May this directory become a trace? *empty: it holds nothing. */
static enum status check(int fd, const char *dir, bool overwrite, bool *empty, struct error *err)
{
    enum status s = trace_files_check(fd, dir, err);
    *empty = s == ERR_NOT_FOUND;
    if (s != OK)
        return *empty ? OK : s;
    if (taken_below(fd))
        return refuse_taken(dir, err);
    return overwrite ? OK
                     : error_set(err, ERR_EXISTS,
                                 "%s holds a trace already; accepted is a new directory, or overwrite=true", dir);
}

/* The lock of the directory, or ERR_EXISTS. *made: TRACE/run was not there. */
static enum status lock(struct place *p, const char *dir, bool *made, struct error *err)
{
    struct stat here, there;
    struct flock l = whole_file();
    p->lock = file_make(p->fd, TRACE_RUN_FILE, O_RDWR | O_EXCL);
    *made = p->lock >= 0;
    if (p->lock < 0 && errno == EEXIST)
        p->lock = openat(p->fd, TRACE_RUN_FILE, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (p->lock < 0)
        return error_set(err, ERR_IO, "%s cannot be written: %s", dir, strerror(errno));
    if (fcntl(p->lock, F_OFD_SETLK, &l) != 0 && (errno == EAGAIN || errno == EACCES)) {
        *made = false; /* not ours to remove */
        return refuse_taken(dir, err);
    }
    /* it may have been removed by the one who had it before */
    bool same = fstat(p->lock, &here) == 0 && fstatat(p->fd, TRACE_RUN_FILE, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
                here.st_ino == there.st_ino;
    return same ? OK : refuse_taken(dir, err);
}

static enum status write_run(const struct place *p, const char *run, struct error *err)
{
    char text[RUN_TEXT_MAX];
    int n = run_text(run, text);
    if (ftruncate(p->lock, 0) == 0 && pwrite(p->lock, text, (size_t)n, 0) == n)
        return OK;
    return error_set(err, ERR_FULL, "%s/%s cannot be written: %s", p->dir, TRACE_RUN_FILE, strerror(errno));
}

static void close_all(struct place *p)
{
    if (p->lock >= 0)
        (void)close(p->lock);
    if (p->fd >= 0)
        (void)close(p->fd);
    p->lock = p->fd = -1;
}

/* All is checked before anything of an old trace is removed. */
enum status place_take(struct place *p, const char *dir, bool overwrite, const char *run, struct error *err)
{
    bool empty = true, made_run = false;
    *p = (struct place){ .fd = -1, .lock = -1 };
    p->made = dir_make(AT_FDCWD, dir);
    if (!p->made && errno != EEXIST)
        return error_set(err, ERR_IO, "%s cannot be made: %s", dir, strerror(errno));
    p->fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (p->fd < 0)
        return error_set(err, ERR_IO, "%s: %s", dir, strerror(errno));
    char *absolute = realpath(dir, NULL);
    enum status s = absolute == NULL ? error_set(err, ERR_IO, "%s: %s", dir, strerror(errno))
                    : strlen(absolute) + 1 > sizeof p->dir
                        ? error_set(err, ERR_USAGE, "the path has more than %zu characters", sizeof p->dir - 1)
                        : OK;
    if (s == OK)
        (void)snprintf(p->dir, sizeof p->dir, "%s", absolute);
    free(absolute);
    if (s == OK)
        s = check(p->fd, dir, overwrite, &empty, err);
    if (s == OK && access(dir, W_OK | X_OK) != 0)
        s = error_set(err, ERR_IO, "%s cannot be written: %s", dir, strerror(errno));
    if (s == OK)
        s = dir_take(dir, err);
    if (s == OK)
        s = lock(p, dir, &made_run, err);
    if (s == OK)
        s = write_run(p, run, err);
    if (s == OK) /* somebody may have put something there meanwhile; TRACE/run is a trace's now */
        s = trace_files_check(p->fd, dir, err);
    if (s == OK)
        s = trace_files_remove(p->fd, dir, err);
    if (s != OK && made_run)
        (void)unlinkat(p->fd, TRACE_RUN_FILE, 0);
    if (s != OK && p->made)
        (void)rmdir(dir);
    if (s != OK)
        close_all(p);
    return s;
}

void place_filled(struct place *p)
{
    struct stat st;
    if (fstatat(p->fd, TRACE_DATA_FILE, &st, AT_SYMLINK_NOFOLLOW) == 0) {
        p->device = st.st_dev;
        p->data = st.st_ino;
    }
}

void place_abandon(struct place *p)
{
    struct error ignored;
    if (p->fd < 0)
        return;
    if (trace_files_remove(p->fd, p->dir, &ignored) == OK && unlinkat(p->fd, TRACE_RUN_FILE, 0) == 0 && p->made)
        (void)rmdir(p->dir);
    close_all(p);
}

void place_leave(struct place *p) { close_all(p); }

bool place_there(const struct place *p, char *where, size_t size)
{
    struct stat st, named;
    char link[64];
    if (p->fd < 0 || fstatat(p->fd, TRACE_DATA_FILE, &st, AT_SYMLINK_NOFOLLOW) != 0 || st.st_dev != p->device ||
        st.st_ino != p->data)
        return false;
    if (where == NULL || size == 0)
        return true;
    (void)snprintf(where, size, "%s", p->dir);
    if (fstat(p->fd, &st) == 0 && stat(p->dir, &named) == 0 && named.st_dev == st.st_dev && named.st_ino == st.st_ino)
        return true;
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", p->fd);
    ssize_t n = readlink(link, where, size - 1);
    if (n > 0)
        where[n] = '\0';
    return true;
}
