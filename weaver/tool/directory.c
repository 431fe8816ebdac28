/* directory.c - a directory tree as input and output of offline weaving.
 *
 * A directory is entered once, by the first path that leads to it: symbolic links may form cycles, or lead to one
 * directory by very many paths. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/files.h"
#include "formats/map.h"
#include "weaver/tool/parts.h"

#define TOO_LONG "%.200s...: the path has more than %d characters"

struct directory_key {
    uint64_t hash; /* of the other two (map.h) */
    dev_t dev;
    ino_t ino;
};
struct walk {
    struct offline *offline;
    char in[PATH_MAX], out[PATH_MAX]; /* the current path; `out` is empty if nothing is written */
    MAP(struct directory_key) visited;
};

enum visit { VISIT_FIRST, VISIT_AGAIN, VISIT_NO_MEMORY };

static enum visit visit(struct walk *w, const struct stat *st)
{
    const uint64_t words[] = { (uint64_t)st->st_dev, (uint64_t)st->st_ino };
    uint64_t hash = map_hash(words, sizeof words);
    struct directory_key *key;
    for (; (key = map_get(&w->visited, hash)) != NULL; hash = map_next_hash(hash))
        if (key->dev == st->st_dev && key->ino == st->st_ino)
            return VISIT_AGAIN;
    key = map_put(&w->visited, hash);
    if (key == NULL)
        return VISIT_NO_MEMORY;
    key->dev = st->st_dev;
    key->ino = st->st_ino;
    return VISIT_FIRST;
}

/* "path/name" in place of "path"; false: too long. */
static bool append_name(char path[PATH_MAX], const char *name)
{
    size_t at = strlen(path), n = strlen(name);
    if (at + n + 2 > PATH_MAX)
        return false;
    path[at] = '/';
    memcpy(path + at + 1, name, n + 1);
    return true;
}

static bool walk_directory(struct walk *w);

/* The file or directory at w->in, which is called `name`. */
static bool walk_path(struct walk *w, const char *name)
{
    struct stat st;
    if (stat(w->in, &st) != 0)
        return true; /* a dangling link */
    if (S_ISREG(st.st_mode) && is_class_name(name))
        return offline_file(w->offline, w->in, w->out[0] != '\0' ? w->out : NULL);
    if (!S_ISDIR(st.st_mode))
        return true;
    switch (visit(w, &st)) {
    case VISIT_FIRST: return walk_directory(w);
    case VISIT_AGAIN: return true;
    case VISIT_NO_MEMORY: break;
    }
    return offline_fail(w->offline, "%s: out of memory", w->in);
}

static bool walk_entry(struct walk *w, const char *name)
{
    size_t in = strlen(w->in), out = strlen(w->out);
    bool fits = append_name(w->in, name) && (out == 0 || append_name(w->out, name));
    bool ok = fits ? walk_path(w, name) : offline_fail(w->offline, TOO_LONG, w->in, PATH_MAX - 1);
    w->in[in] = '\0';
    w->out[out] = '\0';
    return ok;
}

/* Makes the directory w->out, which counts as visited: a link in the input may lead to it. */
static bool make_output(struct walk *w)
{
    struct stat st;
    if (mkdir(w->out, 0777) != 0 && errno != EEXIST)
        return offline_fail(w->offline, "%s: %s", w->out, make_error_text(errno));
    if (stat(w->out, &st) != 0)
        return true;
    if (!S_ISDIR(st.st_mode))
        return offline_fail(w->offline, "%s: not a directory, but the input is one", w->out);
    if (visit(w, &st) == VISIT_NO_MEMORY)
        return offline_fail(w->offline, "%s: out of memory", w->out);
    return true;
}

static bool walk_directory(struct walk *w)
{
    struct dirent **names;
    bool ok = true;
    if (w->out[0] != '\0' && !make_output(w))
        return false;
    int n = scandir(w->in, &names, NULL, alphasort);
    if (n < 0)
        return offline_fail(w->offline, "%s: %s", w->in, strerror(errno));
    for (int i = 0; i < n; i++) {
        const char *name = names[i]->d_name;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && !walk_entry(w, name))
            ok = false;
        free(names[i]);
    }
    free(names);
    return ok;
}

/* Cuts the last name off; false: there is none. */
static bool parent(char *path)
{
    char *slash = strrchr(path, '/');
    if (strcmp(path, ".") == 0 || strcmp(path, "/") == 0)
        return false;
    if (slash == NULL) {
        path[0] = '.';
        path[1] = '\0';
    } else {
        slash[slash == path] = '\0'; /* keeps "/" */
    }
    return true;
}

/* Is `path` in the directory `above`, or that directory? For a path that does not exist yet the nearest existing parent
 * decides, since it will be created there. */
static bool is_inside(const char *path, const struct stat *above)
{
    char nearest[PATH_MAX], real[PATH_MAX];
    struct stat st;
    if ((size_t)snprintf(nearest, sizeof nearest, "%s", path) >= sizeof nearest)
        return false;
    while (realpath(nearest, real) == NULL)
        if (!parent(nearest))
            return false;
    do {
        if (stat(real, &st) == 0 && st.st_dev == above->st_dev && st.st_ino == above->st_ino)
            return true;
    } while (parent(real));
    return false;
}

static bool check_apart(struct offline *o, const char *in, const char *out, const struct stat *in_stat)
{
    struct stat out_stat;
    if (is_inside(out, in_stat))
        return offline_fail(o, "%s: OUT lies in IN (%s); name a directory outside of it", out, in);
    if (stat(out, &out_stat) == 0 && is_inside(in, &out_stat))
        return offline_fail(o, "%s: IN lies in OUT (%s), and the input is never overwritten", in, out);
    return true;
}

bool offline_directory(struct offline *o, const char *in, const char *out)
{
    struct stat st;
    bool ok = false;
    if (stat(in, &st) != 0)
        return offline_fail(o, "%s: %s", in, strerror(errno));
    if (out != NULL && !check_apart(o, in, out, &st))
        return false;
    struct walk *w = calloc(1, sizeof *w);
    if (w == NULL)
        return offline_fail(o, "%s: out of memory", in);
    w->offline = o;
    int in_length = snprintf(w->in, sizeof w->in, "%s", in);
    int out_length = snprintf(w->out, sizeof w->out, "%s", out != NULL ? out : "");
    if (in_length >= PATH_MAX || out_length >= PATH_MAX)
        (void)offline_fail(o, TOO_LONG, in_length >= PATH_MAX ? in : out, PATH_MAX - 1);
    else if (visit(w, &st) == VISIT_NO_MEMORY)
        (void)offline_fail(o, "%s: out of memory", in);
    else
        ok = walk_directory(w);
    map_free(&w->visited);
    free(w);
    return ok;
}
