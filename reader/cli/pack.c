/* pack.c - see pack.h. */
#include "reader/cli/pack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/bundle.h"
#include "formats/schema.h"
#include "formats/trace_files.h"
#include "reader/trace.h"

#define COPY "trace"

static enum status io_failed(const char *path, struct error *err)
{
    return error_set(err, errno == ENOSPC ? ERR_FULL : ERR_IO, "%s: %s", path, strerror(errno));
}

enum status pack_begin(const char *file, char beside[PATH_MAX], struct error *err)
{
    struct stat info;
    const char *slash = strrchr(file, '/');
    const int parent = slash != NULL ? (int)(slash + 1 - file) : 0;
    beside[0] = '\0';
    if (stat(file, &info) == 0 && !bundle_is(file))
        return error_set(err, ERR_EXISTS, "%s: exists and is no trace in one file; another name is needed", file);
    if ((size_t)snprintf(beside, PATH_MAX, "%.*s.hindsight-pack.XXXXXX", parent, file) >= PATH_MAX - sizeof "/" COPY) {
        beside[0] = '\0';
        return error_set(err, ERR_LIMIT, "%.400s: the name is too long", file);
    }
    if (mkdtemp(beside) != NULL)
        return OK;
    beside[0] = '\0';
    return io_failed(file, err);
}

static void remove_below(const char *beside, const char *name)
{
    char path[PATH_MAX];
    struct error ignored;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", beside, name) >= sizeof path)
        return;
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return;
    (void)trace_files_remove(fd, path, &ignored);
    (void)close(fd);
    (void)rmdir(path);
}

void pack_end(const char *beside)
{
    if (beside[0] == '\0')
        return;
    remove_below(beside, COPY);
    remove_below(beside, PACK_REDACTED);
    (void)rmdir(beside);
}

/* Makes the whole index of the copy; its events. */
static enum status make_index(const char *dir, compact_step_fn *step, void *context, uint64_t *events,
                              struct error *err)
{
    struct hs_error error = HS_ERROR_INIT;
    hs_trace *t;
    if (hs_open(dir, 0, NULL, &t, &error) != 0)
        return error_set(err, (enum status)error.code, "%s", error.text);
    hs_set_progress(t, step, context);
    *events = hs_event_count(t);
    const int failed = *events > 0 ? hs_index_build(t, &error) : 0;
    hs_close(t);
    return failed != 0 ? error_set(err, (enum status)error.code, "%s", error.text) : OK;
}

enum status pack_write(const char *trace, const char *run, const char *beside, const char *file, compact_step_fn *step,
                       void *context, struct packed_file *out, struct error *err)
{
    char dir[PATH_MAX], data[PATH_MAX];
    struct stat info;
    *out = (struct packed_file){ 0 };
    if ((size_t)snprintf(dir, sizeof dir, "%s/" COPY, beside) >= sizeof dir ||
        (size_t)snprintf(data, sizeof data, "%s/" TRACE_DATA_FILE, dir) >= sizeof data ||
        (size_t)snprintf(out->path, sizeof out->path, "%s", file) >= sizeof out->path)
        return error_set(err, ERR_LIMIT, "%.400s: the name is too long", file);
    enum status st = compact_copy(trace, dir, step, context, err);
    if (st == OK)
        st = make_index(dir, step, context, &out->events, err);
    if (st == OK)
        st = bundle_make(dir, run, err);
    if (st != OK)
        return st;
    if (stat(data, &info) != 0 || rename(data, file) != 0)
        return io_failed(file, err);
    out->bytes = (uint64_t)info.st_size;
    return OK;
}
