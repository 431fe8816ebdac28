/* weave_path.c - class files and directories as input and output of `hindsight weave`.
 *
 * A directory is entered once, by the first of its names: symbolic links may lead in circles, or in very many ways to
 * one place. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "weaver/tool/job.h"

struct place {
    dev_t dev;
    ino_t ino;
};
struct walk {
    struct job *job;
    char in[PATH_MAX], out[PATH_MAX]; /* of where it is; out is empty if nothing is written */
    struct place *seen;               /* a hash table of directories */
    size_t seen_count, seen_size;     /* size: a power of two */
};

bool is_class(const char *name)
{
    size_t n = strlen(name);
    return n > 6 && strcmp(name + n - 6, ".class") == 0;
}

/* ---- class files ---- */

/* NULL, or why it cannot be read. */
static const char *read_file(const char *path, struct writer *w)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return strerror(errno);
    const char *why = fstat(fd, &st) != 0 ? strerror(errno) : !S_ISREG(st.st_mode) ? "it is no regular file" : NULL;
    ssize_t n = 1;
    while (why == NULL && n > 0) {
        if (w->size > CLASS_BYTES_MAX || st.st_size > CLASS_BYTES_MAX)
            why = "it has more than " CLASS_BYTES_TEXT ", as no class file has";
        else if (!writer_reserve(w, w->size == 0 ? (size_t)st.st_size + 1 : 65536))
            why = "out of memory";
        else if ((n = read(fd, w->data + w->size, w->cap - w->size)) < 0)
            why = strerror(errno);
        else
            w->size += (size_t)n;
    }
    (void)close(fd);
    return why;
}

static bool write_all(int fd, const char *data, size_t size)
{
    for (ssize_t n; size > 0; data += n, size -= (size_t)n)
        if ((n = write(fd, data, size)) < 0)
            return false;
    return true;
}

bool write_file(const char *path, const void *data, size_t size)
{
    struct stat st;
    char real[PATH_MAX], temporary[PATH_MAX + 16];
    bool there = stat(path, &st) == 0;
    if (there && !S_ISREG(st.st_mode)) {
        int fd = S_ISDIR(st.st_mode) ? (errno = EISDIR, -1) : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        bool written = fd >= 0 && write_all(fd, data, size);
        return (fd < 0 || close(fd) == 0) && written;
    }
    if (there && realpath(path, real) == NULL) /* a link would be replaced, not what it names */
        return false;
    (void)snprintf(temporary, sizeof temporary, "%s.XXXXXX", there ? real : path);
    int fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0)
        return false;
    mode_t mask = umask(0); /* the command has one thread */
    (void)umask(mask);
    bool ok = write_all(fd, data, size) && fchmod(fd, there ? st.st_mode & 0777 : 0666 & ~mask) == 0;
    ok = close(fd) == 0 && ok;
    if (ok && rename(temporary, there ? real : path) == 0)
        return true;
    int e = errno;
    (void)unlink(temporary);
    errno = e;
    return false;
}

static int weave_file(struct job *j, const char *in, const char *out)
{
    struct writer data = { 0 }, woven = { 0 };
    const char *why = read_file(in, &data);
    int status = EXIT_DONE;
    if (why != NULL)
        status = cli_fail(EXIT_FAILED, "weave", "%s: %s", in, why);
    else if (!job_weave(j, in, data.data, data.size, &woven))
        status = EXIT_FAILED;
    else if (out != NULL && !write_file(out, woven.data, woven.size))
        status = cli_fail(EXIT_FAILED, "weave", "%s: %s", out, strerror(errno));
    writer_free(&data);
    writer_free(&woven);
    return status;
}

/* ---- directories ---- */

/* Where the place is in the table, or would be. */
static struct place *slot(const struct walk *w, struct place p)
{
    size_t at = (size_t)(p.ino * UINT64_C(0x9e3779b97f4a7c15) + p.dev);
    while (w->seen[at &= w->seen_size - 1].ino != 0 && (w->seen[at].ino != p.ino || w->seen[at].dev != p.dev))
        at++;
    return &w->seen[at];
}

/* Is it the first time here? */
static bool first_time(struct walk *w, const struct stat *st, bool *memory)
{
    struct place p = { st->st_dev, st->st_ino };
    if (2 * (w->seen_count + 1) > w->seen_size) {
        struct walk more = { .seen_size = w->seen_size == 0 ? 64 : 2 * w->seen_size };
        if ((more.seen = calloc(more.seen_size, sizeof *more.seen)) == NULL)
            return *memory = false;
        for (size_t i = 0; i < w->seen_size; i++)
            if (w->seen[i].ino != 0)
                *slot(&more, w->seen[i]) = w->seen[i];
        free(w->seen);
        w->seen = more.seen;
        w->seen_size = more.seen_size;
    }
    struct place *s = slot(w, p);
    bool first = s->ino == 0;
    *s = p;
    w->seen_count += first;
    return first;
}

/* "path/name" in place of "path"; false: too long. */
static bool enter(char path[PATH_MAX], const char *name)
{
    size_t at = strlen(path), n = strlen(name);
    if (at + n + 2 > PATH_MAX)
        return false;
    path[at] = '/';
    memcpy(path + at + 1, name, n + 1);
    return true;
}

static int walk_directory(struct walk *w);

/* What has this name where the walk is. */
static int walk_entry(struct walk *w, const char *name)
{
    struct stat st;
    size_t in = strlen(w->in), out = strlen(w->out);
    bool memory = true;
    int status = EXIT_DONE;
    if (!enter(w->in, name) || (out > 0 && !enter(w->out, name)))
        status = cli_fail(EXIT_FAILED, "weave", "%.200s...: the path has more than %d characters", w->in, PATH_MAX - 1);
    else if (stat(w->in, &st) != 0)
        status = EXIT_DONE; /* a link that leads nowhere */
    else if (S_ISDIR(st.st_mode)) {
        if (first_time(w, &st, &memory))
            status = walk_directory(w);
        else if (!memory)
            status = cli_fail(EXIT_FAILED, "weave", "%s: out of memory", w->in);
    } else if (S_ISREG(st.st_mode) && is_class(name))
        status = weave_file(w->job, w->in, out > 0 ? w->out : NULL);
    w->in[in] = w->out[out] = '\0';
    return status;
}

static int walk_directory(struct walk *w)
{
    struct dirent **names;
    struct stat st = { 0 };
    bool memory = true;
    int status = EXIT_DONE;
    if (w->out[0] != '\0' && mkdir(w->out, 0777) != 0 && errno != EEXIST)
        return cli_fail(EXIT_FAILED, "weave", "%s: %s", w->out, strerror(errno));
    if (w->out[0] != '\0' && stat(w->out, &st) == 0 && !S_ISDIR(st.st_mode))
        return cli_fail(EXIT_FAILED, "weave", "%s: it is no directory, as the input is", w->out);
    if (w->out[0] != '\0')
        (void)first_time(w, &st, &memory); /* a link in the input may lead to the output: no input then */
    int n = scandir(w->in, &names, NULL, alphasort);
    if (n < 0)
        return cli_fail(EXIT_FAILED, "weave", "%s: %s", w->in, strerror(errno));
    for (int i = 0; i < n; i++) {
        const char *name = names[i]->d_name;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
            int one = walk_entry(w, name);
            status = one != EXIT_DONE ? one : status;
        }
        free(names[i]);
    }
    free(names);
    return status;
}

/* Does the directory `below`, or the first above it that exists, lie in `above`, or is it that one? */
static bool lies_in(const char *below, const struct stat *above)
{
    char path[PATH_MAX], real[PATH_MAX];
    struct stat st;
    if ((size_t)snprintf(path, sizeof path, "%s", below) >= sizeof path)
        return false;
    while (realpath(path, real) == NULL) { /* what is not there yet will be made below what is */
        char *slash = strrchr(path, '/');
        if (strcmp(path, ".") == 0 || strcmp(path, "/") == 0)
            return false;
        if (slash == NULL)
            path[0] = '.', path[1] = '\0';
        else
            slash[slash == path] = '\0';
    }
    for (;;) {
        if (stat(real, &st) == 0 && st.st_dev == above->st_dev && st.st_ino == above->st_ino)
            return true;
        char *slash = strrchr(real, '/');
        if (slash == NULL || slash[1] == '\0')
            return false;
        slash[slash == real] = '\0';
    }
}

static int weave_directory(struct job *j, const char *in, const char *out, const struct stat *st)
{
    struct stat o;
    bool memory = true;
    int status;
    if (out != NULL && lies_in(out, st))
        return cli_fail(EXIT_FAILED, "weave",
                        "%s: OUT lies in IN, where it would be input as well; name a directory beside it", out);
    if (out != NULL && stat(out, &o) == 0 && lies_in(in, &o))
        return cli_fail(EXIT_FAILED, "weave", "%s: IN lies in OUT; the input is never overwritten", out);
    struct walk *w = calloc(1, sizeof *w);
    if (w == NULL)
        return cli_fail(EXIT_FAILED, "weave", "out of memory");
    w->job = j;
    if ((size_t)snprintf(w->in, sizeof w->in, "%s", in) >= sizeof w->in ||
        (size_t)snprintf(w->out, sizeof w->out, "%s", out != NULL ? out : "") >= sizeof w->out)
        status = cli_fail(EXIT_FAILED, "weave", "%.200s...: the path has more than %d characters", in, PATH_MAX - 1);
    else
        status = first_time(w, st, &memory) ? walk_directory(w) : cli_fail(EXIT_FAILED, "weave", "out of memory");
    free(w->seen);
    free(w);
    return status;
}

int weave_path(struct job *j, const char *in, const char *out)
{
    struct stat st;
    if (stat(in, &st) != 0)
        return cli_fail(EXIT_FAILED, "weave", "%s: %s", in, strerror(errno));
    if (S_ISDIR(st.st_mode))
        return weave_directory(j, in, out, &st);
    if (out != NULL && stat(out, &st) == 0 && S_ISDIR(st.st_mode))
        return cli_fail(EXIT_FAILED, "weave", "%s: it is a directory; name the file to write", out);
    return is_class(in) ? weave_file(j, in, out) : weave_jar(j, in, out);
}
