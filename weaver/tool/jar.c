/* jar.c - a jar as input and output of offline weaving.
 *
 * One class at a time is in memory. Entries that are not classes are copied compressed, as they are stored. Woven
 * classes wait in an unlinked temporary file until libzip compresses them, which happens when all of them are known to
 * be good. libzip writes under a temporary name and renames at the end. Names of entries never become paths. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include "formats/files.h"
#include "weaver/tool/parts.h"

struct jar_copy {
    struct offline *offline;
    const char *in, *out;
    zip_t *from, *to;        /* to: NULL if nothing is written */
    char real_out[PATH_MAX]; /* `out` with links resolved */
    int classes;             /* the woven classes, one after the other; -1: not open */
    zip_uint64_t classes_bytes;
};

static bool fail_entry(struct jar_copy *c, const char *name, const char *why)
{
    return offline_fail(c->offline, "%s: entry %s: %s", c->in, name, why);
}

/* NULL, or why it cannot be read. */
static const char *read_entry(zip_t *from, zip_uint64_t index, struct writer *w)
{
    char buffer[65536];
    zip_int64_t n;
    zip_file_t *f = zip_fopen_index(from, index, 0);
    if (f == NULL)
        return zip_strerror(from);
    do {
        n = zip_fread(f, buffer, sizeof buffer);
        if (n > 0)
            write_bytes(w, buffer, (size_t)n);
    } while (n > 0 && w->size <= CLASS_BYTES_MAX);
    bool closed = zip_fclose(f) == 0; /* checks the CRC */
    if (w->size > CLASS_BYTES_MAX)
        return CLASS_TOO_LARGE;
    if (n != 0 || !closed)
        return "damaged, it cannot be read";
    return w->bad ? "out of memory" : NULL;
}

/* Appends a woven class to those that wait; NULL with errno. */
static zip_source_t *keep_class(struct jar_copy *c, const struct writer *woven)
{
    char path[64];
    zip_uint64_t start = c->classes_bytes;
    size_t written = 0;
    while (written < woven->size) {
        ssize_t n = pwrite(c->classes, woven->data + written, woven->size - written, (off_t)(start + written));
        if (n < 0)
            return NULL;
        written += (size_t)n;
    }
    c->classes_bytes = start + written;
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", c->classes);
    errno = ENOMEM;
    return zip_source_file(c->to, path, start, (zip_int64_t)woven->size);
}

/* Adds an entry to the output; takes `source`. */
static bool add_entry(struct jar_copy *c, const char *name, const zip_stat_t *st, zip_source_t *source)
{
    if (source == NULL)
        return fail_entry(c, name, strerror(errno));
    zip_int64_t index = zip_file_add(c->to, name, source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        bool twice = zip_error_code_zip(zip_get_error(c->to)) == ZIP_ER_EXISTS;
        return fail_entry(c, name, twice ? "the jar contains this name twice" : zip_strerror(c->to));
    }
    /* the time of the original: the same input gives the same jar */
    time_t time = st->valid & ZIP_STAT_MTIME ? st->mtime : 0;
    return zip_file_set_mtime(c->to, (zip_uint64_t)index, time, 0) == 0 || fail_entry(c, name, zip_strerror(c->to));
}

/* A signature is of classes before weaving. The manifest stays as it is: without signatures its digests mean
 * nothing. */
static bool is_signature(const char *name)
{
    static const char *const ends[] = { ".SF", ".RSA", ".DSA", ".EC" };
    static const char folder[] = "META-INF/";
    if (strncasecmp(name, folder, sizeof folder - 1) != 0 || strchr(name + sizeof folder - 1, '/') != NULL)
        return false;
    if (strncasecmp(name + sizeof folder - 1, "SIG-", 4) == 0)
        return true;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t n = strlen(name), m = strlen(ends[i]);
        if (n > m && strcasecmp(name + n - m, ends[i]) == 0)
            return true;
    }
    return false;
}

static bool weave_class_entry(struct jar_copy *c, zip_uint64_t index, const char *name, const zip_stat_t *st)
{
    struct writer data = { 0 }, woven = { 0 };
    bool ok = false;
    const char *why = read_entry(c->from, index, &data);
    if (why != NULL) {
        (void)fail_entry(c, name, why);
        goto out;
    }
    if (!offline_class(c->offline, name, data.data, data.size, &woven))
        goto out;
    ok = c->to == NULL || add_entry(c, name, st, keep_class(c, &woven));
out:
    writer_free(&woven);
    writer_free(&data);
    return ok;
}

static bool weave_entry(struct jar_copy *c, zip_uint64_t index)
{
    zip_stat_t st;
    const char *name = zip_get_name(c->from, index, 0);
    if (name == NULL)
        return offline_fail(c->offline, "%s: %s", c->in, zip_strerror(c->from));
    zip_stat_init(&st);
    (void)zip_stat_index(c->from, index, 0, &st);
    if (is_class_name(name))
        return weave_class_entry(c, index, name, &st);
    if (c->to != NULL && !c->offline->identity && is_signature(name)) {
        offline_note(c->offline, "%s: entry %s: a signature, left out: woven classes do not have it", c->in, name);
        return true;
    }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* libzip before 1.10 has no other */
    return c->to == NULL || add_entry(c, name, &st, zip_source_zip(c->to, c->from, index, 0, 0, -1));
#pragma GCC diagnostic pop
}

/* NULL, or why there can be no output. */
static const char *open_output(struct jar_copy *c)
{
    struct stat st;
    char waiting[PATH_MAX + 16];
    int code = 0;
    bool exists = stat(c->out, &st) == 0;
    if (exists && !S_ISREG(st.st_mode))
        return "is no regular file, which a jar has to be";
    if (exists && realpath(c->out, c->real_out) == NULL) /* rename would replace a link, not the file it names */
        return strerror(errno);
    if (!exists && (size_t)snprintf(c->real_out, sizeof c->real_out, "%s", c->out) >= sizeof c->real_out)
        return strerror(ENAMETOOLONG);
    (void)snprintf(waiting, sizeof waiting, "%s.XXXXXX", c->real_out);
    c->classes = mkostemp(waiting, O_CLOEXEC);
    if (c->classes < 0)
        return make_error_text(errno);
    (void)unlink(waiting);
    c->to = zip_open(c->real_out, ZIP_CREATE | ZIP_TRUNCATE, &code);
    return c->to != NULL ? NULL : "cannot be created";
}

static bool weave_entries(struct jar_copy *c)
{
    bool ok = true;
    zip_int64_t count = zip_get_num_entries(c->from, 0);
    for (zip_int64_t i = 0; i < count; i++)
        if (!weave_entry(c, (zip_uint64_t)i))
            ok = false;
    return ok;
}

/* Writes the output under its name. */
static bool close_output(struct jar_copy *c)
{
    static const char empty[22] = "PK\5\6"; /* libzip does not write a jar without entries */
    if (zip_get_num_entries(c->from, 0) == 0)
        return write_whole_file(c->out, empty, sizeof empty) ||
               offline_fail(c->offline, "%s: %s", c->out, make_error_text(errno));
    if (zip_close(c->to) != 0)
        return offline_fail(c->offline, "%s: %s", c->out, zip_strerror(c->to));
    c->to = NULL;
    return true;
}

bool offline_jar(struct offline *o, const char *in, const char *out)
{
    struct jar_copy c = { .offline = o, .in = in, .out = out, .classes = -1 };
    int code = 0;
    bool ok = false;
    c.from = zip_open(in, ZIP_RDONLY, &code);
    if (c.from == NULL) {
        zip_error_t e;
        zip_error_init_with_code(&e, code);
        (void)offline_fail(o, "%s: neither a class file nor a jar: %s", in, zip_error_strerror(&e));
        zip_error_fini(&e);
        return false;
    }
    const char *why = out != NULL ? open_output(&c) : NULL;
    if (why != NULL) {
        (void)offline_fail(o, "%s: %s", out, why);
        goto out;
    }
    if (!weave_entries(&c))
        goto out;
    ok = c.to == NULL || close_output(&c);
out:
    if (c.to != NULL)
        zip_discard(c.to);
    if (c.classes >= 0)
        (void)close(c.classes);
    zip_discard(c.from);
    return ok;
}
