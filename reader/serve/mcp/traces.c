/* traces.c - see traces.h. */
#include "reader/serve/mcp/traces.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "formats/bundle.h"
#include "reader/command/cli.h"

static bool fail(struct hs_error *error, enum hs_status code, const char *path, const char *why)
{
    error->code = code;
    (void)snprintf(error->text, sizeof error->text, "%s: %s", path, why);
    return false;
}

static bool add(struct traces *t, const char *name, const char *path, struct hs_error *error)
{
    struct trace *trace = vec_push(&t->list);
    if (trace == NULL)
        return fail(error, HS_ERR_MEMORY, path, "out of memory");
    *trace = (struct trace){ .name = strdup(name), .path = strdup(path) };
    return (trace->name != NULL && trace->path != NULL) || fail(error, HS_ERR_MEMORY, path, "out of memory");
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct trace *)a)->name, ((const struct trace *)b)->name);
}

bool traces_add(struct traces *t, const char *path, struct hs_error *error)
{
    size_t before = t->list.count;
    bool ok = true;
    if (trace_is_at(path))
        return add(t, path, path, error);
    DIR *folder = opendir(path);
    if (folder == NULL)
        return fail(error, HS_ERR_NOT_FOUND, path, strerror(errno));
    for (const struct dirent *e; ok && (e = readdir(folder)) != NULL;) {
        char below[PATH_MAX];
        if (e->d_name[0] != '.' && (size_t)snprintf(below, sizeof below, "%s/%s", path, e->d_name) < sizeof below &&
            trace_is_at(below))
            ok = add(t, e->d_name, below, error);
    }
    (void)closedir(folder);
    if (t->list.count > before)
        qsort(t->list.items + before, t->list.count - before, sizeof *t->list.items, by_name);
    else if (ok)
        ok = fail(error, HS_ERR_NOT_FOUND, path, "neither a trace nor a folder that holds traces");
    return ok;
}

void traces_done(struct traces *t)
{
    for (size_t i = 0; i < t->list.count; i++) {
        hs_close(t->list.items[i].open);
        free(t->list.items[i].name);
        free(t->list.items[i].path);
    }
    vec_free(&t->list);
}

struct trace *traces_default(struct traces *t)
{
    if (t->recorded > 0)
        return &t->list.items[t->recorded - 1];
    return t->list.count == 1 ? t->list.items : NULL;
}

struct trace *traces_find(struct traces *t, const char *name)
{
    for (size_t i = 0; i < t->list.count; i++)
        if (strcmp(t->list.items[i].name, name) == 0)
            return &t->list.items[i];
    return NULL;
}

int traces_open(struct traces *t, struct trace *trace, struct hs_error *error)
{
    size_t open = 0;
    struct trace *oldest = NULL;
    trace->used = ++t->clock;
    if (trace->open != NULL)
        return 0;
    for (size_t i = 0; i < t->list.count; i++) {
        struct trace *other = &t->list.items[i];
        if (other->open == NULL)
            continue;
        open++;
        if (oldest == NULL || other->used < oldest->used)
            oldest = other;
    }
    if (open >= TRACES_OPEN_MAX && oldest != NULL) {
        hs_close(oldest->open);
        oldest->open = NULL;
    }
    return session_open_trace(t->context, trace->path, HS_OPEN_READONLY, NULL, &trace->open, error);
}
