/* bucket.c - see bucket.h. */
#include "reader/fleet/bucket.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/files.h"
#include "formats/schema.h"
#include "reader/fleet/catalogue.h"
#include "reader/fleet/dirs.h"
#include "reader/fleet/merged.h"

#define RUNS       "runs/"
#define CATALOGUES "catalogues/"
#define TABLES     "tables/"
static const uint64_t left_ns = (uint64_t)86400 * 1000000000u; /* a push takes less */

/* The files of a run, in the order in which they are put. */
enum bucket_part { BUCKET_TRACE, BUCKET_DATABASE, BUCKET_PARQUET };
struct part_row {
    const char *name;
    enum bucket_part part;
};
static const struct part_row parts[] = {
    { TRACE_DATA_FILE, BUCKET_TRACE },
    { TRACE_RUN_FILE, BUCKET_TRACE },
#define TABLE(name, summary) { #name ".parquet", BUCKET_PARQUET },
#include "reader/fleet/catalogue.def"
    { CATALOGUE_FILE, BUCKET_DATABASE },
};
enum { PARTS = sizeof parts / sizeof *parts };

static const char *object_name(const struct run_id *id, size_t part, char out[S3_NAME_CHARS])
{
    if (parts[part].part == BUCKET_DATABASE)
        (void)snprintf(out, S3_NAME_CHARS, CATALOGUES "%s", id->text);
    else
        (void)snprintf(out, S3_NAME_CHARS, RUNS "%s/%s", id->text, parts[part].name);
    return out;
}

struct sized_object {
    const char *name;
    uint64_t bytes;
    bool there;
};

/* ---- lists ---- */

/* A list without an end would take all memory. */
enum { ABSENT = -1, RANGES = 16, RUNS_MAX = 4 << 20 };
struct listed {
    struct run_id id;
    uint64_t bytes, changed_ns;
    int64_t sizes[PARTS]; /* ABSENT: no such object */
};
struct listing {
    VEC(struct listed) runs;
    oddities *odd; /* NULL: not wanted */
    bool ranged;   /* it is one of RANGES, which have about as many runs each */
};

/* runs/ID/FILE, catalogues/ID; objects of one run follow each other. */
static bool parse_name(const char *name, struct run_id *id, size_t *part)
{
    const bool whole = strncmp(name, CATALOGUES, strlen(CATALOGUES)) == 0;
    const size_t at = strlen(whole ? CATALOGUES : RUNS), behind = at + RUN_ID_CHARS;
    *part = PARTS - 1;
    if (strlen(name) < behind || name[behind] != (whole ? '\0' : '/'))
        return false;
    (void)snprintf(id->text, sizeof id->text, "%s", name + at);
    if (!whole)
        for (*part = 0; *part < PARTS - 1 && strcmp(name + behind + 1, parts[*part].name) != 0; ++*part)
            ;
    return run_id_is(id->text) && (whole || *part < PARTS - 1);
}

static enum status add_object(void *context, const char *name, uint64_t bytes, uint64_t modified_ns)
{
    struct listing *l = context;
    struct run_id id;
    size_t part;
    if (name[strlen(name) - 1] == '/') /* a folder, as consoles make them */
        return OK;
    if (!parse_name(name, &id, &part) || bytes > INT64_MAX)
        return l->odd == NULL || odd_add(l->odd, name, "is no file of a run") ? OK : ERR_MEMORY;
    struct listed *run = l->runs.count > 0 ? &l->runs.items[l->runs.count - 1] : NULL;
    if (run == NULL || strcmp(run->id.text, id.text) != 0) {
        if (l->runs.count >= (l->ranged ? RUNS_MAX / RANGES * 2 : RUNS_MAX))
            return ERR_LIMIT;
        if ((run = vec_push(&l->runs)) == NULL)
            return ERR_MEMORY;
        *run = (struct listed){ .id = id };
        for (size_t i = 0; i < PARTS; i++)
            run->sizes[i] = ABSENT;
    }
    run->sizes[part] = (int64_t)bytes;
    if (__builtin_add_overflow(run->bytes, bytes, &run->bytes))
        run->bytes = UINT64_MAX;
    if (modified_ns > run->changed_ns)
        run->changed_ns = modified_ns;
    return OK;
}

/* The first page is all of a small fleet. Of a large one ranges are asked for at once: names are hashes, so that each
 * has about as many. */
struct ranges {
    const char *below;
    struct listing parts[RANGES];
    oddities odd[RANGES];
    uint64_t objects[RANGES];
};

static enum status list_range(struct s3 *s, void *context, size_t i, struct error *err)
{
    struct ranges *r = context;
    char from[S3_NAME_CHARS], to[S3_NAME_CHARS];
    struct s3_range range = { i > 0 ? from : NULL, i + 1 < RANGES ? to : NULL, false, false };
    (void)snprintf(from, sizeof from, "%s%zx", r->below, i);
    (void)snprintf(to, sizeof to, "%s%zx", r->below, i + 1);
    return s3_list(s, r->below, &range, add_object, &r->parts[i], &r->objects[i], err);
}

static enum status list_ranges(struct s3 *s, const char *below, struct listing *l, struct error *err)
{
    struct ranges *r = calloc(1, sizeof *r);
    bool room = r != NULL;
    if (room)
        r->below = below;
    for (size_t i = 0; room && i < RANGES; i++)
        r->parts[i] = (struct listing){ .odd = l->odd != NULL ? &r->odd[i] : NULL, .ranged = true };
    enum status st = room ? s3_at_once(s, RANGES, list_range, r, err) : error_memory(err, "%s", s->place);
    for (size_t i = 0; r != NULL && i < RANGES; i++) {
        const struct listing *part = &r->parts[i];
        const size_t runs = part->runs.count, odd = r->odd[i].count;
        room = room && st == OK && vec_reserve(&l->runs, l->runs.count + runs) &&
               (odd == 0 || vec_reserve(l->odd, l->odd->count + odd));
        if (room && runs > 0)
            memcpy(&l->runs.items[l->runs.count], part->runs.items, runs * sizeof *part->runs.items);
        if (room && odd > 0)
            memcpy(&l->odd->items[l->odd->count], r->odd[i].items, odd * sizeof *r->odd[i].items);
        l->runs.count += room ? runs : 0;
        if (room && odd > 0)
            l->odd->count += odd;
        vec_free(&r->parts[i].runs);
        vec_free(&r->odd[i]);
    }
    free(r);
    return room || st != OK ? st : error_memory(err, "%s", s->place);
}

/* What there is in a folder (RUNS or CATALOGUES) and begins so. */
static enum status list_all(struct s3 *s, const char *below, const char *begin, struct listing *l, uint64_t *objects,
                            struct error *err)
{
    char name[S3_NAME_CHARS];
    struct s3_range page = { .one_page = begin[0] == '\0' };
    const size_t odd = l->odd != NULL ? l->odd->count : 0;
    (void)snprintf(name, sizeof name, "%s%s", below, begin);
    enum status st = s3_list(s, name, &page, add_object, l, objects, err);
    if (st != OK || !page.one_page || !page.more)
        return st;
    l->runs.count = 0;
    if (l->odd != NULL)
        l->odd->count = odd;
    return list_ranges(s, below, l, err);
}

/* Of a run whose catalogue is there, and its other files (NULL: they were not listed). */
static bool add_run(stored_runs *out, const struct listed *catalogue, const struct listed *files)
{
    struct stored_run *row = vec_push(out);
    if (row == NULL)
        return false;
    *row = (struct stored_run){ .id = catalogue->id,
                                .bytes = catalogue->bytes,
                                .pushed_ns = catalogue->changed_ns,
                                .catalogue_bytes = catalogue->bytes,
                                .catalogue_ns = catalogue->changed_ns };
    if (files != NULL && __builtin_add_overflow(row->bytes, files->bytes, &row->bytes))
        row->bytes = UINT64_MAX;
    return true;
}

/* Nothing at all is no fleet, as of a prefix that is spelt wrongly. */
enum status bucket_list(struct s3 *s, const char *begin, stored_runs *out, oddities *odd, struct error *err)
{
    struct listing l = { .odd = odd };
    uint64_t objects;
    struct s3_range page = { .one_page = true };
    enum status st = list_all(s, CATALOGUES, begin, &l, &objects, err);
    const bool none = st == OK && objects == 0 && begin[0] == '\0';
    if (none) /* a push may have begun */
        st = s3_list(s, RUNS, &page, add_object, &l, &objects, err);
    if (none && st == OK && objects == 0)
        st = error_set(err, ERR_NOT_FOUND, "%s: no fleet: it has no run, and never had one or none is left", s->place);
    for (size_t i = 0; st == OK && !none && i < l.runs.count; i++)
        if (!add_run(out, &l.runs.items[i], NULL))
            st = error_memory(err, "%s", s->place);
    vec_free(&l.runs);
    stored_runs_sort(out);
    return st;
}

static int by_id(const void *a, const void *b) { return strcmp(a, b); }
_Static_assert(offsetof(struct listed, id) == 0, "a name is compared with names");

/* Catalogues are listed behind the files, as a push puts them last. */
enum status bucket_survey(struct s3 *s, uint64_t now_ns, bool sweep, stored_runs *out, struct error *err)
{
    struct listing files = { 0 }, whole = { 0 };
    stored_runs left = { 0 };
    uint64_t objects;
    enum status st = list_all(s, RUNS, "", &files, &objects, err);
    if (st == OK)
        st = list_all(s, CATALOGUES, "", &whole, &objects, err);
    for (size_t i = 0, at = 0; st == OK && (i < files.runs.count || at < whole.runs.count);) {
        const int order = i == files.runs.count    ? 1
                          : at == whole.runs.count ? -1
                                                   : by_id(&files.runs.items[i], &whole.runs.items[at]);
        const struct listed *run = order <= 0 ? &files.runs.items[i++] : NULL,
                            *catalogue = order >= 0 ? &whole.runs.items[at++] : NULL;
        bool room = true;
        if (catalogue != NULL)
            room = add_run(out, catalogue, run);
        else if (run->changed_ns < now_ns && now_ns - run->changed_ns > left_ns)
            room = add_run(&left, run, NULL);
        st = room ? OK : error_memory(err, "%s", s->place);
    }
    if (st == OK && sweep)
        st = bucket_remove(s, &left, err);
    vec_free(&files.runs);
    vec_free(&whole.runs);
    vec_free(&left);
    stored_runs_sort(out);
    return st;
}

/* ---- one run ---- */

/* The sizes of its files, ABSENT of those that are not there. */
static enum status list_run(struct s3 *s, const struct run_id *id, int64_t sizes[PARTS], struct error *err)
{
    char name[S3_NAME_CHARS];
    struct listing l = { 0 };
    uint64_t objects;
    (void)snprintf(name, sizeof name, RUNS "%s/", id->text);
    enum status st = s3_list(s, name, NULL, add_object, &l, &objects, err);
    for (size_t i = 0; i < PARTS; i++)
        sizes[i] = st == OK && l.runs.count > 0 ? l.runs.items[0].sizes[i] : ABSENT;
    vec_free(&l.runs);
    return st;
}

static enum status keep_size(void *context, const char *name, uint64_t bytes, uint64_t modified_ns)
{
    struct sized_object *o = context;
    (void)modified_ns;
    if (strcmp(name, o->name) == 0) {
        o->bytes = bytes;
        o->there = true;
    }
    return OK;
}

/* A run, and the directory of its files. */
struct putting {
    const struct run_id *id;
    int dir;
};

/* A list is asked, as there are servers that answer 200 to whatever they are asked for. */
static enum status is_listed(struct s3 *s, const struct run_id *id, int dir, bool *there, struct error *err)
{
    int64_t sizes[PARTS];
    char name[S3_NAME_CHARS];
    struct sized_object catalogue = { .name = object_name(id, PARTS - 1, name) };
    uint64_t objects;
    struct stat file;
    enum status st = s3_list(s, name, NULL, keep_size, &catalogue, &objects, err);
    if (st == OK && catalogue.there)
        st = list_run(s, id, sizes, err);
    *there = st == OK && catalogue.there;
    for (size_t i = 0; *there && i < PARTS; i++)
        if (parts[i].part == BUCKET_TRACE &&
            (fstatat(dir, parts[i].name, &file, AT_SYMLINK_NOFOLLOW) != 0 || file.st_size != sizes[i]))
            *there = false;
    return st;
}

static enum status compare_part(struct s3 *s, void *context, size_t i, struct error *err)
{
    const struct putting *p = context;
    char name[S3_NAME_CHARS];
    bool same = true;
    int fd = parts[i].part == BUCKET_TRACE ? openat(p->dir, parts[i].name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
    enum status st = fd >= 0 ? s3_same(s, object_name(p->id, i, name), fd, p->dir, &same, err) : OK;
    (void)closed(&fd);
    return st != OK || same ? st : run_differs(s->place, p->id, err);
}

enum status bucket_has(struct s3 *s, const struct run_id *id, int dir, bool *there, struct error *err)
{
    enum status st = is_listed(s, id, dir, there, err);
    return st == OK && *there ? s3_at_once(s, PARTS, compare_part, &(struct putting){ id, dir }, err) : st;
}

/* One file of the directory. */
static enum status put_file(struct s3 *s, const char *object, int dir, const char *file, bool only_new, bool *added,
                            struct error *err)
{
    int fd = openat(dir, file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return error_set(err, ERR_IO, "%s: %s", file, strerror(errno));
    enum status st = s3_put(s, object, fd, only_new, added, err);
    (void)close(fd);
    return st;
}

static enum status put_part(struct s3 *s, void *context, size_t i, struct error *err)
{
    const struct putting *p = context;
    char name[S3_NAME_CHARS];
    bool added;
    return put_file(s, object_name(p->id, i, name), p->dir, parts[i].name, false, &added, err);
}

/* The catalogue is the last one. */
enum status bucket_put(struct s3 *s, const struct run_id *id, int dir, bool replace, bool *added, struct error *err)
{
    char name[S3_NAME_CHARS];
    const char *last = parts[PARTS - 1].name;
    bool there = false;
    enum status st = s3_at_once(s, PARTS - 1, put_part, &(struct putting){ id, dir }, err);
    if (st == OK)
        st = put_file(s, object_name(id, PARTS - 1, name), dir, last, !replace, added, err);
    if (st == OK)
        st = is_listed(s, id, dir, &there, err);
    return st != OK || there
               ? st
               : error_set(err, ERR_IO, "%s: the server took the run %s, and does not list it", s->place, id->text);
}

static const char *table_name(const char *part, const char *file, char out[S3_NAME_CHARS])
{
    (void)snprintf(out, S3_NAME_CHARS, TABLES "%s/%s", part, file);
    return out;
}

enum status bucket_put_tables(struct s3 *s, const struct run_id *part, int dir, struct error *err)
{
    char name[S3_NAME_CHARS];
    bool added;
    enum status st = put_file(s, table_name(part->text, MERGED_KNOWN, name), dir, MERGED_KNOWN, false, &added, err);
    for (size_t i = 0; st == OK && i < PARTS; i++)
        if (parts[i].part != BUCKET_TRACE)
            st = put_file(s, table_name(part->text, parts[i].name, name), dir, parts[i].name, false, &added, err);
    return st;
}

struct old_tables {
    const run_ids *current, *before;
    uint64_t now_ns;
    s3_names old;
};

static enum status add_old_table(void *context, const char *name, uint64_t bytes, uint64_t modified_ns)
{
    struct old_tables *o = context;
    struct s3_name *object;
    char part[RUN_ID_CHARS + 1];
    (void)bytes;
    (void)snprintf(part, sizeof part, "%s", name + strlen(TABLES));
    if (!run_id_is(part) || strlen(name) >= S3_NAME_CHARS || run_ids_find(o->current, part) != NULL ||
        run_ids_find(o->before, part) != NULL || modified_ns > o->now_ns || o->now_ns - modified_ns < left_ns)
        return OK;
    if ((object = vec_push(&o->old)) == NULL)
        return ERR_MEMORY;
    (void)snprintf(object->text, sizeof object->text, "%s", name);
    return OK;
}

/* What was current before is left for those who read it. */
enum status bucket_put_current(struct s3 *s, int dir, const run_ids *before, const run_ids *current, struct error *err)
{
    struct old_tables o = { .current = current, .before = before, .now_ns = (uint64_t)time(NULL) * 1000000000u };
    bool added;
    uint64_t objects;
    enum status st = put_file(s, TABLES MERGED_CURRENT, dir, MERGED_CURRENT, false, &added, err);
    if (st == OK)
        st = s3_list(s, TABLES, NULL, add_old_table, &o, &objects, err);
    if (st == OK)
        st = s3_delete(s, &o.old, err);
    vec_free(&o.old);
    return st;
}

enum status bucket_get_table(struct s3 *s, const char *file, int fd, struct error *err)
{
    char name[S3_NAME_CHARS];
    struct sized_object o = { .name = name };
    uint64_t objects;
    (void)snprintf(name, sizeof name, TABLES "%s", file);
    enum status st = s3_list(s, name, NULL, keep_size, &o, &objects, err);
    if (st != OK)
        return st;
    return o.there ? s3_get(s, name, fd, o.bytes, err) : error_set(err, ERR_NOT_FOUND, "%s%s: none", s->place, name);
}

/* The catalogues first. */
enum status bucket_remove(struct s3 *s, const stored_runs *runs, struct error *err)
{
    s3_names catalogues = { 0 }, files = { 0 };
    bool room = true;
    for (size_t i = 0; room && i < runs->count * PARTS; i++) {
        const size_t part = i % PARTS;
        struct s3_name *name = vec_push(parts[part].part == BUCKET_DATABASE ? &catalogues : &files);
        room = name != NULL;
        if (room)
            (void)object_name(&runs->items[i / PARTS].id, part, name->text);
    }
    enum status st = room ? s3_delete(s, &catalogues, err) : error_memory(err, "%s", s->place);
    if (st == OK)
        st = s3_delete(s, &files, err);
    vec_free(&catalogues);
    vec_free(&files);
    return st;
}

/* The file `part` of a run, of so many bytes. */
static enum status get_part(struct s3 *s, const struct run_id *id, size_t part, uint64_t bytes, int dir,
                            struct error *err)
{
    char name[S3_NAME_CHARS];
    int fd = file_make(dir, parts[part].name, O_RDWR | O_CREAT | O_EXCL);
    if (fd < 0)
        return error_set(err, ERR_IO, "%s: %s", parts[part].name, strerror(errno));
    enum status st = s3_get(s, object_name(id, part, name), fd, bytes, err);
    if (close(fd) != 0 && st == OK)
        st = error_set(err, ERR_IO, "%s: %s", parts[part].name, strerror(errno));
    return st;
}

static enum status get_catalogue(struct s3 *s, void *context, size_t i, struct error *err)
{
    struct fetched *f = &((struct fetched *)context)[i];
    const unsigned long long bytes = f->run->catalogue_bytes;
    (void)err;
    f->status = bytes > READ_MAX_BYTES ? error_set(&f->err, ERR_FORMAT, CATALOGUE_FILE ": it has %llu bytes", bytes)
                                       : get_part(s, &f->run->id, PARTS - 1, bytes, f->dir, &f->err);
    return OK;
}

enum status bucket_get_catalogues(struct s3 *s, struct fetched *catalogues, size_t n, struct error *err)
{
    return s3_at_once(s, n, get_catalogue, catalogues, err);
}

enum status bucket_get_trace(struct s3 *s, const struct run_id *id, int dir, struct error *err)
{
    int64_t sizes[PARTS];
    enum status st = list_run(s, id, sizes, err);
    for (size_t i = 0; st == OK && i < PARTS; i++) {
        if (parts[i].part != BUCKET_TRACE)
            continue;
        st = sizes[i] < 0 ? error_set(err, ERR_NOT_FOUND, "%s: run %s has no %s", s->place, id->text, parts[i].name)
                          : get_part(s, id, i, (uint64_t)sizes[i], dir, err);
    }
    return st;
}
