/* offline.c - the choice between class file, directory and jar; see offline.h. */
#include "weaver/tool/offline.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "weaver/tool/parts.h"

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool offline_weave(struct offline *o, const char *in, const char *out)
{
    struct stat st;
    if (out != NULL && is_same_file(in, out))
        return offline_fail(o, "%s: OUT is IN, and the input is never overwritten", out);
    if (stat(in, &st) != 0)
        return offline_fail(o, "%s: %s", in, strerror(errno));
    if (S_ISDIR(st.st_mode))
        return offline_directory(o, in, out);
    if (out != NULL && stat(out, &st) == 0 && S_ISDIR(st.st_mode))
        return offline_fail(o, "%s: is a directory; name the file to write", out);
    return is_class_name(in) ? offline_file(o, in, out) : offline_jar(o, in, out);
}
