/* saved_file.c - the file that option prewoven= of the agent reads: one saved class after the other (weaver/saved.h),
 * written under a temporary name. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/files.h"
#include "weaver/saved.h"
#include "weaver/tool/parts.h"

bool saved_file_init(struct offline_saved *s, const char *out, bool is_directory)
{
    s->fd = -1;
    s->failed = false;
    int n = snprintf(s->path, sizeof s->path, "%s%s" SAVED_SUFFIX, out, is_directory ? "/hindsight" : "");
    return n > 0 && (size_t)n < sizeof s->path;
}

static bool fail(struct offline *o)
{
    if (!o->saved->failed)
        (void)offline_fail(o, "%s: %s", o->saved->path, strerror(errno));
    o->saved->failed = true;
    return false;
}

static bool make(struct offline_saved *s)
{
    (void)snprintf(s->temporary, sizeof s->temporary, "%s.XXXXXX", s->path);
    s->fd = mkostemp(s->temporary, O_CLOEXEC);
    mode_t mask = umask(0); /* the command has one thread */
    (void)umask(mask);
    return s->fd >= 0 && fchmod(s->fd, 0644 & ~mask) == 0; /* the agent refuses what others may write */
}

bool saved_file_add(struct offline *o, const struct weave_config *config, const void *original, size_t size,
                    const struct weave_result *r)
{
    struct offline_saved *s = o->saved;
    struct writer data = { 0 };
    bool ok = false;
    if (s->failed || (s->fd < 0 && !make(s)))
        return fail(o);
    errno = ENOMEM;
    if (!saved_encode(config, original, size, r, &data))
        goto out;
    ok = file_write(s->fd, data.data, data.size);
out:
    if (!ok)
        (void)fail(o);
    writer_free(&data);
    return ok;
}

bool saved_file_end(struct offline *o, bool keep)
{
    struct offline_saved *s = o->saved;
    if (s->fd < 0)
        return true;
    bool ok = close(s->fd) == 0 && (!keep || rename(s->temporary, s->path) == 0);
    if (!ok)
        (void)fail(o);
    if (!ok || !keep)
        (void)unlink(s->temporary);
    return ok;
}
