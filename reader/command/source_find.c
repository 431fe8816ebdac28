/* source_find.c - see source_find.h. */
#include "reader/command/source_find.h"

#include <fts.h>
#include <string.h>
#include <zip.h>

#include "formats/search.h"

enum { FILES_MAX = 200000, LEVELS_MAX = 64 };

static bool add(struct listed_files *all, size_t place, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *copy = strdup(path);
    struct listed_file *to = copy != NULL ? vec_push(&all->files) : NULL;
    if (to == NULL) {
        free(copy);
        return false;
    }
    *to =
        (struct listed_file){ .name = slash != NULL ? copy + (slash + 1 - path) : copy, .path = copy, .place = place };
    return true;
}

static bool add_folder(struct listed_files *all, size_t place, const char *folder)
{
    char *roots[] = { (char *)(uintptr_t)folder, NULL };
    const size_t root = strlen(folder) + (folder[strlen(folder) - 1] != '/');
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR | FTS_NOSTAT, NULL);
    FTSENT *e;
    bool ok = walk != NULL;
    while (ok && (e = fts_read(walk)) != NULL) {
        all->cut |= all->files.count >= FILES_MAX;
        if (all->cut)
            break;
        if (e->fts_info == FTS_D && e->fts_level > 0 && (e->fts_name[0] == '.' || e->fts_level > LEVELS_MAX))
            (void)fts_set(walk, e, FTS_SKIP);
        else if (e->fts_info == FTS_F || e->fts_info == FTS_NSOK)
            ok = add(all, place, e->fts_path + root);
    }
    if (walk != NULL)
        (void)fts_close(walk);
    return ok;
}

bool listed_add(struct listed_files *all, size_t place, const char *folder, zip_t *archive)
{
    if (archive == NULL)
        return add_folder(all, place, folder);
    const zip_int64_t count = zip_get_num_entries(archive, 0);
    bool ok = true;
    for (zip_int64_t i = 0; i < count && ok && !all->cut; i++) {
        const char *name = zip_get_name(archive, (zip_uint64_t)i, 0);
        all->cut = all->files.count >= FILES_MAX;
        if (!all->cut && name != NULL && *name != '\0' && name[strlen(name) - 1] != '/')
            ok = add(all, place, name);
    }
    return ok;
}

static int by_name(const void *a, const void *b)
{
    const struct listed_file *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order != 0 ? order : strcmp(x->path, y->path);
}

void listed_sort(struct listed_files *all)
{
    if (all->files.count > 0)
        qsort(all->files.items, all->files.count, sizeof *all->files.items, by_name);
}

void listed_done(struct listed_files *all)
{
    for (size_t i = 0; i < all->files.count; i++)
        free(all->files.items[i].path);
    vec_free(&all->files);
}

const struct listed_file *listed_named(const struct listed_files *all, const char *name, size_t *count)
{
    size_t first;
    *count = 0;
    LOWER_BOUND(first, all->files.count, strcmp(all->files.items[first].name, name) < 0);
    while (first + *count < all->files.count && strcmp(all->files.items[first + *count].name, name) == 0)
        ++*count;
    return *count > 0 ? &all->files.items[first] : NULL;
}

/* The name behind `package` in the first line that begins so; its size 0: there is none. */
static const char *declared_package(const char *text, size_t size, size_t *length)
{
    static const char word[] = "package";
    for (const char *line = text, *end = text + size; line != NULL && line < end;) {
        while (line < end && (*line == ' ' || *line == '\t'))
            line++;
        if ((size_t)(end - line) > sizeof word && memcmp(line, word, sizeof word - 1) == 0 &&
            (line[sizeof word - 1] == ' ' || line[sizeof word - 1] == '\t')) {
            const char *name = line + sizeof word;
            while (name < end && (*name == ' ' || *name == '\t'))
                name++;
            *length = 0;
            while (name + *length < end && strchr("; \t\r\n{/", name[*length]) == NULL)
                ++*length;
            return name;
        }
        line = memchr(line, '\n', (size_t)(end - line));
        line = line != NULL ? line + 1 : NULL;
    }
    *length = 0;
    return text;
}

bool declares_other_package(const char *text, size_t size, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length, package = slash != NULL ? (size_t)(slash - path) : 0, at = 0;
    const char *name = declared_package(text, size, &length);
    for (size_t i = 0; i < length; i++) {
        if (name[i] == '`') /* of Kotlin and Scala, around words of the language */
            continue;
        if (at == package || (path[at] == '/' ? '.' : path[at]) != name[i])
            return true;
        at++;
    }
    return length > 0 && at < package && path[at] != '/';
}
