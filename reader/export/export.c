/* export.c - see export.h: the events, the failures, and the files of an export. */
#include "reader/export/export.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/files.h"

/* ---- failures ---- */

static bool keep(struct export_job *x, bool usage, const char *fmt, va_list ap)
{
    if (export_ok(x)) {
        x->usage = usage;
        (void)vsnprintf(x->error.text, sizeof x->error.text, fmt, ap);
    }
    return false;
}

bool export_fail(struct export_job *x, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    (void)keep(x, false, fmt, ap);
    va_end(ap);
    return false;
}

bool export_wrong(struct export_job *x, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    (void)keep(x, true, fmt, ap);
    va_end(ap);
    return false;
}

bool export_failed(struct export_job *x, const struct hs_error *error) { return export_fail(x, "%s", error->text); }

bool export_ok(const struct export_job *x)
{
    return x->error.text[0] == '\0' && x->status == PARSED && (x->out == NULL || x->out->failed == 0);
}

/* ---- events ---- */

bool export_has_stream(struct export_job *x)
{
    const char *format = format_without_stream(x->trace);
    return format == NULL || export_fail(x, "%s: " NO_STREAM_TEXT, hs_dir(x->trace), format);
}

void export_unwoven(const struct export_job *x, const char *what, uint32_t uses)
{
    char text[NAMES_UNWOVEN_MAX];
    if (export_ok(x) && *names_unwoven_uses(x->session, uses, text) != '\0')
        names_empty_without(x->session, 0, 1, what, uses);
}

bool export_events_open(struct export_job *x)
{
    if (!export_has_stream(x))
        return false;
    hs_cursor_close(x->cursor);
    x->cursor = NULL;
    x->left = x->limit;
    x->events = 0;
    x->reads_events = true;
    x->status = chosen_open(x->filter, x->session->context, &x->cursor);
    return x->status == PARSED;
}

bool export_event_next(struct export_job *x, const struct hs_event **event)
{
    struct hs_error error = HS_ERROR_INIT;
    if (!export_ok(x) || x->left == 0)
        return false;
    x->left--;
    int more = hs_event_next(x->cursor, event, &error);
    if (more < 0)
        (void)export_failed(x, &error);
    x->events += more > 0;
    return more > 0;
}

/* ---- files ---- */

/* A name beside `output` that mkstemp and mkdtemp complete. False: too long. */
static bool name_temporary(struct export_job *x, const char *output)
{
    const char *slash = strrchr(output, '/'), *base = slash != NULL ? slash + 1 : output;
    int n = snprintf(x->temporary, sizeof x->temporary, "%.*s.%s.XXXXXX", (int)(base - output), output, base);
    return n > 0 && (size_t)n < sizeof x->temporary;
}

/* A directory that is there may be replaced if it is empty. */
static bool begin_directory(struct export_job *x)
{
    const char *output = x->options.output;
    if (output == NULL)
        return export_wrong(x, "%s is several files: -o DIR names their directory", x->exporter->name);
    if (rmdir(output) != 0 && errno != ENOENT)
        return export_fail(x, "%s: %s", output, errno == ENOTEMPTY ? "the directory is not empty" : strerror(errno));
    if (!name_temporary(x, output))
        return export_fail(x, "%s: the name is too long", output);
    if (mkdtemp(x->temporary) == NULL) {
        x->temporary[0] = '\0';
        return export_fail(x, "%s: %s", output, make_error_text(errno));
    }
    x->dir = open(x->temporary, O_DIRECTORY | O_CLOEXEC);
    return x->dir >= 0 || export_fail(x, "%s: %s", x->temporary, strerror(errno));
}

static bool begin_file(struct export_job *x, const char *output)
{
    struct stat there;
    if (stat(output, &there) == 0 && !S_ISREG(there.st_mode))
        return export_fail(x, "%s: not a file that can be replaced", output);
    if (!name_temporary(x, output))
        return export_fail(x, "%s: the name is too long", output);
    int fd = mkostemp(x->temporary, O_CLOEXEC);
    if (fd < 0) {
        x->temporary[0] = '\0';
        return export_fail(x, "%s: %s", output, make_error_text(errno));
    }
    if (x->shape == EXPORT_SEEKABLE) {
        (void)close(fd); /* its writer opens it; its mode is that of mkstemp */
        return true;
    }
    if (!out_init_file(&x->file, fd))
        return export_fail(x, "out of memory");
    x->out = &x->file;
    return true;
}

static enum export_shape find_shape(const struct export_job *x)
{
    const char *table = x->options.table;
    const enum export_shape shape = x->exporter->shape;
    if (shape != EXPORT_TABLE && shape != EXPORT_TABLES)
        return shape;
    if (table == NULL)
        return shape == EXPORT_TABLE ? EXPORT_FILE : EXPORT_DIRECTORY;
    return strcmp(table, "all") == 0 ? EXPORT_DIRECTORY : EXPORT_FILE;
}

bool export_begin(struct export_job *x)
{
    const char *output = x->options.output;
    char beneath[PATH_MAX];
    x->shape = find_shape(x);
    x->dir = -1;
    x->status = PARSED;
    x->error = (struct hs_error)HS_ERROR_INIT;
    if (output != NULL || x->shape == EXPORT_SEEKABLE) /* what is being made is removed first */
        out_unwatch(&x->session->out);
    switch (x->shape) {
    case EXPORT_TABLE:
    case EXPORT_TABLES:
    case EXPORT_DIRECTORY: return begin_directory(x);
    case EXPORT_SERVER: return output == NULL || export_wrong(x, "%s goes to --server, not to -o", x->exporter->name);
    case EXPORT_FILE: x->out = &x->session->out; return output == NULL || begin_file(x, output);
    case EXPORT_SEEKABLE:
        if (output != NULL)
            return begin_file(x, output);
        if (isatty(STDOUT_FILENO))
            return export_wrong(x, "%s is not for a terminal: -o FILE names a file", x->exporter->name);
        const char *tmp = getenv("TMPDIR");
        (void)snprintf(beneath, sizeof beneath, "%s/hindsight.%s", tmp != NULL ? tmp : "/tmp", x->exporter->name);
        return begin_file(x, beneath);
    }
    return false;
}

/* Writes out the file that is open, and closes it. */
static bool close_file(struct export_job *x)
{
    if (x->out != &x->file)
        return true;
    int failed = out_flush(&x->file), fd = x->file.fd;
    out_done(&x->file);
    if (close(fd) != 0 && failed == 0)
        failed = errno;
    x->out = NULL;
    return failed == 0 || export_fail(x, "%s: %s", x->options.output, strerror(failed));
}

bool export_file_open(struct export_job *x, const char *name)
{
    if (!close_file(x) || !export_ok(x))
        return false;
    int fd = file_make(x->dir, name, O_WRONLY | O_CREAT | O_EXCL);
    if (fd < 0)
        return export_fail(x, "%s/%s: %s", x->options.output, name, strerror(errno));
    if (!out_init_file(&x->file, fd)) {
        (void)close(fd);
        return export_fail(x, "out of memory");
    }
    x->out = &x->file;
    return true;
}

const char *export_path(const struct export_job *x) { return x->temporary; }

static bool copy_to_output(struct export_job *x)
{
    struct out *out = &x->session->out;
    char piece[1 << 16];
    ssize_t n = 0;
    int fd = open(x->temporary, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return export_fail(x, "%s: %s", x->temporary, strerror(errno));
    (void)unlink(x->temporary); /* a reader that closes the pipe ends this process */
    while (out->failed == 0 && (n = read(fd, piece, sizeof piece)) > 0)
        out_bytes(out, piece, (size_t)n);
    (void)close(fd);
    return n == 0 || export_fail(x, "%s: %s", x->temporary, strerror(errno));
}

static void remove_directory(struct export_job *x)
{
    DIR *dir = opendir(x->temporary);
    const struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            (void)unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir != NULL)
        (void)closedir(dir);
    (void)rmdir(x->temporary);
}

bool export_end(struct export_job *x, bool done)
{
    const bool directory = x->shape == EXPORT_DIRECTORY;
    hs_cursor_close(x->cursor);
    done = export_ok(x) && done;
    if (done && session_no_memory(x->session))
        done = export_fail(x, "%s: out of memory", hs_dir(x->trace));
    done = close_file(x) && done;
    if (x->dir >= 0)
        (void)close(x->dir);
    if (x->temporary[0] == '\0')
        return done;
    if (done && x->options.output == NULL)
        done = copy_to_output(x);
    else if (done && rename(x->temporary, x->options.output) == 0)
        return true;
    else if (done)
        done = export_fail(x, "%s: %s", x->options.output, strerror(errno));
    if (directory)
        remove_directory(x);
    else
        (void)unlink(x->temporary);
    return done;
}
