/* recover_copy.c - completing a trace that cannot be changed (recover.h). */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/recover.h"
#include "formats/schema.h"
#include "formats/trace_files.h"

static int open_dir(const char *path) { return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC); }

static enum status copy_and_recover(const char *trace_dir, const char *copy, struct error *err)
{
    struct recover_result result;
    int from = open_dir(trace_dir), to = open_dir(copy);
    enum status s = from >= 0 && to >= 0
                        ? trace_files_copy(from, trace_dir, to, err)
                        : error_set(err, ERR_IO, "%s: %s", from < 0 ? trace_dir : copy, strerror(errno));
    if (from >= 0)
        (void)close(from);
    if (to >= 0)
        (void)close(to);
    return s == OK ? recover_trace(copy, &result, err) : s;
}

enum status recover_copy_make(const char *trace_dir, struct recover_copy *copy, struct error *err)
{
    const char *tmp = getenv("TMPDIR");
    tmp = tmp != NULL && *tmp != '\0' ? tmp : "/tmp";
    int n = snprintf(copy->dir, sizeof copy->dir, "%s/hindsight-recovered.XXXXXX", tmp);
    if (n < 0 || (size_t)n >= sizeof copy->dir || mkdtemp(copy->dir) == NULL)
        return error_set(err, ERR_IO, "a directory below %s: %s", tmp, strerror(errno));
    enum status s = copy_and_recover(trace_dir, copy->dir, err);
    if (s != OK)
        recover_copy_remove(copy);
    return s;
}

void recover_copy_remove(const struct recover_copy *copy)
{
    struct error err;
    int dir = open_dir(copy->dir);
    if (dir < 0)
        return;
    (void)trace_files_remove(dir, copy->dir, &err);
    (void)unlinkat(dir, TRACE_RUN_FILE, 0);
    (void)close(dir);
    (void)rmdir(copy->dir);
}
