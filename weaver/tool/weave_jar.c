/* weave_jar.c - a jar as input and output of `hindsight weave`.
 *
 * One class at a time is in memory: entries that are no classes are copied as they are stored, compressed; woven
 * classes wait in a file without a name until libzip compresses them, when all of them are known to be good. libzip
 * writes under another name and renames at its end. The names of entries are copied and never become paths. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include "weaver/tool/job.h"

struct copy {
    const char *in, *out;
    zip_t *from, *to;    /* to: NULL if nothing is written */
    char real[PATH_MAX]; /* what is written: where a link leads */
    int classes;         /* woven ones, one behind the other */
    zip_uint64_t at;
};

static int fail(const char *path, const char *name, const char *why)
{
    return name != NULL ? cli_fail(EXIT_FAILED, "weave", "%s: entry %s: %s", path, name, why)
                        : cli_fail(EXIT_FAILED, "weave", "%s: %s", path, why);
}

/* NULL, or why it cannot be read. */
static const char *read_entry(zip_t *from, zip_uint64_t index, struct writer *w)
{
    zip_file_t *f = zip_fopen_index(from, index, 0);
    char buffer[65536];
    if (f == NULL)
        return zip_strerror(from);
    zip_int64_t n;
    while ((n = zip_fread(f, buffer, sizeof buffer)) > 0 && w->size <= CLASS_BYTES_MAX)
        write_bytes(w, buffer, (size_t)n);
    bool cut = w->size > CLASS_BYTES_MAX, closed = zip_fclose(f) == 0;
    return cut                 ? "it has more than " CLASS_BYTES_TEXT ", as no class file has"
           : n != 0 || !closed ? "it cannot be read"
           : w->bad            ? "out of memory"
                               : NULL;
}

/* A woven class among those that wait; NULL with errno. */
static zip_source_t *keep(struct copy *c, const struct writer *woven)
{
    char path[64];
    zip_uint64_t start = c->at;
    for (size_t at = 0; at < woven->size;) {
        ssize_t n = pwrite(c->classes, woven->data + at, woven->size - at, (off_t)c->at);
        if (n < 0)
            return NULL;
        at += (size_t)n;
        c->at += (zip_uint64_t)n;
    }
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", c->classes);
    errno = ENOMEM;
    return zip_source_file(c->to, path, start, (zip_int64_t)woven->size);
}

/* Adds an entry to the copy; `source` is taken. NULL, or why not. */
static const char *put_entry(struct copy *c, const char *name, const zip_stat_t *st, zip_source_t *source)
{
    if (source == NULL)
        return strerror(errno);
    zip_int64_t index = zip_file_add(c->to, name, source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        return zip_error_code_zip(zip_get_error(c->to)) == ZIP_ER_EXISTS ? "it is there twice" : zip_strerror(c->to);
    }
    /* the time of the original: the same input gives the same jar */
    return zip_file_set_mtime(c->to, (zip_uint64_t)index, st->valid & ZIP_STAT_MTIME ? st->mtime : 0, 0) == 0
               ? NULL
               : zip_strerror(c->to);
}

static int weave_entry(struct job *j, struct copy *c, zip_uint64_t index)
{
    const char *name = zip_get_name(c->from, index, 0), *why;
    struct writer data = { 0 }, woven = { 0 };
    zip_stat_t st;
    int status = EXIT_DONE;
    zip_stat_init(&st);
    (void)zip_stat_index(c->from, index, 0, &st);
    if (name == NULL)
        return fail(c->in, NULL, zip_strerror(c->from));
    if (!is_class(name)) {
        why = c->to == NULL ? NULL : put_entry(c, name, &st, zip_source_zip(c->to, c->from, index, 0, 0, -1));
        return why == NULL ? EXIT_DONE : fail(c->in, name, why);
    }
    if ((why = read_entry(c->from, index, &data)) != NULL)
        status = fail(c->in, name, why);
    else if (!job_weave(j, name, data.data, data.size, &woven))
        status = EXIT_FAILED;
    else if (c->to != NULL && (why = put_entry(c, name, &st, keep(c, &woven))) != NULL)
        status = fail(c->in, name, why);
    writer_free(&data);
    writer_free(&woven);
    return status;
}

/* NULL, or why there can be no output. */
static const char *open_output(struct copy *c)
{
    struct stat st;
    char waiting[PATH_MAX + 16];
    int code = 0;
    bool there = stat(c->out, &st) == 0;
    if (there && !S_ISREG(st.st_mode))
        return "it is no regular file, as a jar has to be";
    if (there && realpath(c->out, c->real) == NULL) /* a link would be replaced, not what it names */
        return strerror(errno);
    if (!there && (size_t)snprintf(c->real, sizeof c->real, "%s", c->out) >= sizeof c->real)
        return strerror(ENAMETOOLONG);
    (void)snprintf(waiting, sizeof waiting, "%s.XXXXXX", c->real);
    c->classes = mkostemp(waiting, O_CLOEXEC);
    if (c->classes < 0)
        return strerror(errno);
    (void)unlink(waiting);
    c->to = zip_open(c->real, ZIP_CREATE | ZIP_TRUNCATE, &code);
    return c->to != NULL ? NULL : "it cannot be made";
}

int weave_jar(struct job *j, const char *in, const char *out)
{
    static const char empty[22] = "PK\5\6"; /* libzip writes no jar without entries */
    struct copy c = { .in = in, .out = out, .classes = -1 };
    int code = 0, status = EXIT_DONE;
    zip_error_t e;
    c.from = zip_open(in, ZIP_RDONLY, &code);
    if (c.from == NULL) {
        zip_error_init_with_code(&e, code);
        status = cli_fail(EXIT_FAILED, "weave", "%s: neither a class file nor a jar: %s", in, zip_error_strerror(&e));
        zip_error_fini(&e);
        return status;
    }
    const char *why = out != NULL ? open_output(&c) : NULL;
    if (why != NULL)
        status = fail(out, NULL, why);
    zip_int64_t count = zip_get_num_entries(c.from, 0);
    for (zip_int64_t i = 0; i < count && why == NULL; i++) {
        int one = weave_entry(j, &c, (zip_uint64_t)i);
        status = one != EXIT_DONE ? one : status;
    }
    if (c.to != NULL && status == EXIT_DONE && count == 0)
        status = write_file(out, empty, sizeof empty) ? EXIT_DONE : fail(out, NULL, strerror(errno));
    else if (c.to != NULL && status == EXIT_DONE && zip_close(c.to) == 0)
        c.to = NULL;
    else if (c.to != NULL && status == EXIT_DONE)
        status = fail(out, NULL, zip_strerror(c.to));
    if (c.to != NULL)
        zip_discard(c.to);
    if (c.classes >= 0)
        (void)close(c.classes);
    zip_discard(c.from);
    return status;
}
