/* offline.c - the choice between class file, directory and jar; see offline.h. */
#include "weaver/tool/offline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "weaver/tool/parts.h"

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static bool is_directory_at(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool to_a_directory(struct offline *o, const char *out)
{
    return offline_fail(o, "%s: is a directory; name the file to write", out);
}

/* A directory or jar, and the file for prewoven=. */
static bool weave_and_save(struct offline *o, const char *in, const char *out, bool is_directory)
{
    struct offline_saved *saved = malloc(sizeof *saved);
    bool ok = false;
    if (saved == NULL)
        return offline_fail(o, "%s: out of memory", in);
    if (!saved_file_init(saved, out, is_directory)) {
        (void)offline_fail(o, "%s: the path is too long", out);
        goto out;
    }
    if (!is_directory && is_directory_at(out)) {
        (void)to_a_directory(o, out);
        goto out;
    }
    o->saved = saved;
    ok = is_directory ? offline_directory(o, in, out) : offline_jar(o, in, out);
    ok = saved_file_end(o, ok) && ok;
    o->saved = NULL;
out:
    free(saved);
    return ok;
}

bool offline_weave(struct offline *o, const char *in, const char *out)
{
    struct stat st;
    if (out != NULL && is_same_file(in, out))
        return offline_fail(o, "%s: OUT is IN, and the input is never overwritten", out);
    if (stat(in, &st) != 0)
        return offline_fail(o, "%s: %s", in, strerror(errno));
    bool is_directory = S_ISDIR(st.st_mode);
    if (out != NULL && !o->identity && (is_directory || !is_class_name(in)))
        return weave_and_save(o, in, out, is_directory);
    if (is_directory)
        return offline_directory(o, in, out);
    if (out != NULL && is_directory_at(out))
        return to_a_directory(o, out);
    return is_class_name(in) ? offline_file(o, in, out) : offline_jar(o, in, out);
}
