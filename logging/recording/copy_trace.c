/* copy_trace.c - see copy_trace.h. */
#include "logging/recording/copy_trace.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "formats/files.h"
#include "formats/trace_files.h"

static enum status end_store(const struct trace_copy *c, struct store *to, struct error *err)
{
    enum status st = store_begin(to, err);
    if (st == OK)
        st = c->end(c->context, to, err);
    if (st == OK)
        st = store_commit(to, err);
    return st == OK ? store_sync(to, err) : st;
}

enum status copy_trace_into(const struct trace_copy *c, struct error *err)
{
    struct store *from = NULL, *to = NULL;
    enum status st = store_open_source(c->trace_dir, &from, err);
    if (st == OK)
        st = store_open(c->out_dir, true, &to, err);
    if (st == OK && c->small)
        store_small(to);
    if (st == OK)
        st = store_begin(from, err);
    if (st == OK && c->begin != NULL)
        st = c->begin(c->context, from, to, err);
    if (st == OK)
        st = store_copy(&(struct store_copy){ .from = from,
                                              .to = to,
                                              .trace = c->trace_dir,
                                              .rewrite = c->chunk,
                                              .row = c->row,
                                              .context = c->context,
                                              .step = c->step,
                                              .step_context = c->step_context,
                                              .total = store_used(from),
                                              .phase = c->phase },
                        err);
    if (st == OK && c->end != NULL)
        st = end_store(c, to, err);
    store_close(to);
    store_close(from);
    return st;
}

static void remove_directory(const char *dir)
{
    static const char *const files[] = { TRACE_DATA_FILE, TRACE_LOCK_FILE, TRACE_RESERVE_FILE };
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    for (size_t i = 0; fd >= 0 && i < sizeof files / sizeof *files; i++)
        (void)unlinkat(fd, files[i], 0);
    if (fd >= 0)
        (void)close(fd);
    (void)rmdir(dir);
}

enum status copy_trace(const struct trace_copy *copy, struct error *err)
{
    if (!dir_make(AT_FDCWD, copy->out_dir))
        return error_set(err, errno == EEXIST ? ERR_EXISTS : ERR_IO, "%s: %s", copy->out_dir,
                         errno == EEXIST ? "exists already; a new directory is needed" : make_error_text(errno));
    enum status st = copy_trace_into(copy, err);
    if (st != OK)
        remove_directory(copy->out_dir);
    return st;
}
