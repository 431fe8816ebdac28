/* bucket.c - see bucket.h. */
#include "reader/fleet/bucket.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/files.h"
#include "formats/schema.h"
#include "reader/fleet/catalogue.h"

#define RUNS "runs/"
static const uint64_t left_ns = (uint64_t)86400 * 1000000000u; /* a push takes less */

/* The files of a run, in the order in which they are put. */
struct part_row {
    const char *name;
    enum bucket_part part;
};
static const struct part_row parts[] = {
    { TRACE_DATA_FILE, BUCKET_TRACE },
    { TRACE_RUN_FILE, BUCKET_TRACE },
#define TABLE(name, summary) { #name ".parquet", BUCKET_PARQUET },
#define COLUMN(table, name, type, meaning)
#define END(table)
#include "reader/fleet/catalogue.def"
#undef TABLE
#undef COLUMN
#undef END
    { CATALOGUE_FILE, BUCKET_DATABASE },
};
enum { PARTS = sizeof parts / sizeof *parts, NAME_MAX_CHARS = sizeof RUNS + RUN_ID_CHARS + 64 };

static const char *object_name(const struct run_id *id, const char *file, char out[NAME_MAX_CHARS])
{
    (void)snprintf(out, NAME_MAX_CHARS, RUNS "%s/%s", id->text, file);
    return out;
}

/* ---- lists ---- */

struct listed {
    struct stored_run run; /* pushed_ns: when its catalogue was put; 0: it has none */
    uint64_t changed_ns;
};
typedef VEC(struct listed) listed_runs;

/* runs/ID/FILE; objects of one run follow each other. Other names are not ours. */
static enum status add_object(void *context, const char *name, uint64_t bytes, uint64_t modified_ns)
{
    listed_runs *runs = context;
    struct run_id id;
    const size_t behind = strlen(RUNS) + RUN_ID_CHARS;
    if (strlen(name) <= behind || name[behind] != '/')
        return OK;
    (void)snprintf(id.text, sizeof id.text, "%s", name + strlen(RUNS));
    if (!run_id_is(id.text))
        return OK;
    struct listed *run = runs->count > 0 ? &runs->items[runs->count - 1] : NULL;
    if (run == NULL || strcmp(run->run.id.text, id.text) != 0) {
        if ((run = vec_push(runs)) == NULL)
            return ERR_MEMORY;
        *run = (struct listed){ .run = { .id = id } };
    }
    if (__builtin_add_overflow(run->run.bytes, bytes, &run->run.bytes))
        run->run.bytes = UINT64_MAX;
    if (modified_ns > run->changed_ns)
        run->changed_ns = modified_ns;
    if (strcmp(name + behind + 1, CATALOGUE_FILE) == 0)
        run->run.pushed_ns = modified_ns > 0 ? modified_ns : 1;
    return OK;
}

enum status bucket_list(struct s3 *s, stored_runs *out, struct error *err)
{
    listed_runs runs = { 0 };
    enum status st = s3_list(s, RUNS, add_object, &runs, err);
    for (size_t i = 0; st == OK && i < runs.count; i++) {
        struct stored_run *row = runs.items[i].run.pushed_ns > 0 ? vec_push(out) : NULL;
        if (row != NULL)
            *row = runs.items[i].run;
        else if (runs.items[i].run.pushed_ns > 0)
            st = error_memory(err, "%s", s->place);
    }
    vec_free(&runs);
    stored_runs_sort(out);
    return st;
}

enum status bucket_sweep(struct s3 *s, uint64_t now_ns, struct error *err)
{
    listed_runs runs = { 0 };
    enum status st = s3_list(s, RUNS, add_object, &runs, err);
    for (size_t i = 0; st == OK && i < runs.count; i++) {
        const struct listed *run = &runs.items[i];
        if (run->run.pushed_ns == 0 && run->changed_ns < now_ns && now_ns - run->changed_ns > left_ns)
            st = bucket_remove(s, &run->run.id, err);
    }
    vec_free(&runs);
    return st;
}

/* ---- one run ---- */

enum status bucket_has(struct s3 *s, const struct run_id *id, bool *there, struct error *err)
{
    char name[NAME_MAX_CHARS];
    return s3_has(s, object_name(id, CATALOGUE_FILE, name), there, err);
}

enum status bucket_put(struct s3 *s, const struct run_id *id, int dir, bool *added, struct error *err)
{
    char name[NAME_MAX_CHARS];
    enum status st = OK;
    for (size_t i = 0; st == OK && i < PARTS; i++) {
        int fd = openat(dir, parts[i].name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        if (fd < 0)
            return error_set(err, ERR_IO, "%s: %s", parts[i].name, strerror(errno));
        st = s3_put(s, object_name(id, parts[i].name, name), fd, i == PARTS - 1, added, err);
        (void)close(fd);
    }
    return st;
}

enum status bucket_remove(struct s3 *s, const struct run_id *id, struct error *err)
{
    char name[NAME_MAX_CHARS];
    enum status st = OK;
    for (size_t i = 0; st == OK && i < PARTS; i++) /* the last one first */
        st = s3_delete(s, object_name(id, parts[PARTS - 1 - i].name, name), err);
    return st;
}

enum status bucket_get(struct s3 *s, const struct run_id *id, enum bucket_part part, int dir, struct error *err)
{
    char name[NAME_MAX_CHARS];
    enum status st = OK;
    for (size_t i = 0; st == OK && i < PARTS; i++) {
        if (parts[i].part != part)
            continue;
        int fd = file_make(dir, parts[i].name, O_WRONLY | O_CREAT | O_EXCL);
        if (fd < 0)
            return error_set(err, ERR_IO, "%s: %s", parts[i].name, strerror(errno));
        st = s3_get(s, object_name(id, parts[i].name, name), fd, err);
        if (close(fd) != 0 && st == OK)
            st = error_set(err, ERR_IO, "%s: %s", parts[i].name, strerror(errno));
    }
    return st;
}
