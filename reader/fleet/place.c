/* place.c - see place.h. */
#include "reader/fleet/place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/files.h"
#include "reader/command/progress_line.h"
#include "reader/fleet/dirs.h"

#define TEMPORARY "hindsight-fleet."
enum { TEMPORARY_TRIES = 100 };

/* A folder that is there, and nobody else's now; -1: it is not. Nothing is made or removed below it without. */
static int lock_folder(const char *path)
{
    struct stat held;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &held) == 0 && held.st_nlink > 0)
        return fd;
    (void)closed(&fd);
    return -1;
}

/* Removes what processes of this user that died have left below TMPDIR. */
static void sweep_temporary(const char *tmp)
{
    DIR *d = opendir(tmp);
    char path[PATH_MAX];
    struct fleet f;
    struct stat st;
    struct error none;
    for (const struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        int n = snprintf(path, sizeof path, "%s/%s", tmp, e->d_name);
        if (strncmp(e->d_name, TEMPORARY, strlen(TEMPORARY)) != 0 || n < 0 || (size_t)n >= sizeof path ||
            lstat(path, &st) != 0 || !S_ISDIR(st.st_mode) || st.st_uid != geteuid())
            continue;
        int lock = lock_folder(path);
        if (lock >= 0) {
            if (fleet_open(&f, path, true, &none) == OK)
                fleet_delete(&f);
            fleet_close(&f);
            (void)close(lock);
        }
    }
    if (d != NULL)
        (void)closedir(d);
}

/* It is locked while this process lives; one that was made just now may be swept before. */
static enum status open_temporary(struct place *p, const char *tmp, struct error *err)
{
    for (int i = 0; i < TEMPORARY_TRIES; i++) {
        int n = snprintf(p->path, sizeof p->path, "%s/" TEMPORARY "XXXXXX", tmp);
        if (n < 0 || (size_t)n >= sizeof p->path || mkdtemp(p->path) == NULL) {
            p->path[0] = '\0';
            return error_set(err, ERR_IO, "a folder below %s: %s", tmp, strerror(errno));
        }
        if ((p->lock = lock_folder(p->path)) >= 0)
            return fleet_open(&p->folder, p->path, true, err);
    }
    p->path[0] = '\0';
    return error_set(err, ERR_IO, "a folder below %s: it cannot be locked", tmp);
}

static enum status open_bucket(struct place *p, const char *where, const char *endpoint, struct error *err)
{
    const char *tmp = getenv("TMPDIR");
    enum status st = s3_open(&p->s3, where, endpoint, err);
    if (tmp == NULL || *tmp == '\0')
        tmp = "/tmp";
    if (st != OK)
        return st;
    sweep_temporary(tmp);
    return open_temporary(p, tmp, err);
}

enum status place_open(struct place *p, const char *where, const char *endpoint, bool make, struct error *err)
{
    memset(p, 0, sizeof *p);
    p->lock = -1;
    p->folder = (struct fleet){ .path = where, .dir = -1, .runs = -1, .tmp = -1 };
    p->in_bucket = s3_is(where);
    if (p->in_bucket)
        return open_bucket(p, where, endpoint, err);
    if (endpoint != NULL)
        return error_set(err, ERR_USAGE, "--endpoint is for s3://BUCKET/PREFIX, not for %s", where);
    if (strstr(where, "://") != NULL)
        return error_set(err, ERR_USAGE, "%.*s://...: neither a folder nor s3://BUCKET/PREFIX",
                         (int)strcspn(where, ":"), where); /* it may have a password */
    enum status st = fleet_open(&p->folder, where, make, err);
    return st == OK && make ? fleet_identify(&p->folder, err) : st;
}

uint64_t place_identity(const struct place *p)
{
    return !p->in_bucket ? fleet_identity(&p->folder)
                         : XXH3_64bits(p->s3.bucket.items, p->s3.bucket.count) ^
                               XXH3_64bits_withSeed(p->s3.prefix.items, p->s3.prefix.count, 1);
}

void place_close(struct place *p)
{
    if (p->path[0] != '\0')
        fleet_delete(&p->folder);
    p->path[0] = '\0';
    fleet_close(&p->folder);
    (void)closed(&p->lock);
    if (p->in_bucket)
        s3_close(&p->s3);
}

enum status place_list(struct place *p, stored_runs *out, oddities *odd, struct error *err)
{
    return p->in_bucket ? bucket_list(&p->s3, "", out, odd, err)
                        : fleet_list(&p->folder, LIST_CATALOGUES, out, odd, err);
}

enum status place_survey(struct place *p, uint64_t now_ns, bool sweep, bool sizes, stored_runs *out, struct error *err)
{
    if (p->in_bucket)
        return bucket_survey(&p->s3, now_ns, sweep, out, err);
    if (sweep)
        fleet_sweep(&p->folder);
    return fleet_list(&p->folder, sizes ? LIST_SIZES : LIST_TIMES, out, NULL, err);
}

void place_measure(const struct place *p, struct stored_run *run)
{
    if (!p->in_bucket)
        run->bytes = fleet_run_bytes(&p->folder, &run->id);
}

enum status place_has(struct place *p, const struct push *push, bool *there, struct error *err)
{
    return p->in_bucket ? bucket_has(&p->s3, &push->id, push->dir, there, err) : push_is_there(push, there, err);
}

enum status place_remove(struct place *p, const stored_runs *runs, struct error *err)
{
    enum status st = p->in_bucket ? bucket_remove(&p->s3, runs, err) : OK;
    for (size_t i = 0; st == OK && !p->in_bucket && i < runs->count; i++)
        st = fleet_remove(&p->folder, &runs->items[i].id, err);
    return st;
}

enum status place_publish(struct place *p, struct push *push, bool *added, struct error *err)
{
    return p->in_bucket ? bucket_put(&p->s3, &push->id, push->dir, false, added, err) : push_publish(push, added, err);
}

enum status place_find(struct place *p, const char *prefix, struct run_id *out, struct error *err)
{
    stored_runs runs = { 0 };
    size_t found = 0;
    const bool is_name =
        prefix[0] != '\0' && strlen(prefix) <= RUN_ID_CHARS && strspn(prefix, "0123456789abcdef") == strlen(prefix);
    enum status st = !is_name       ? OK
                     : p->in_bucket ? bucket_list(&p->s3, prefix, &runs, NULL, err)
                                    : fleet_list(&p->folder, LIST_NAMES, &runs, NULL, err);
    for (size_t i = 0; st == OK && i < runs.count; i++)
        if (strncmp(runs.items[i].id.text, prefix, strlen(prefix)) == 0 && found++ == 0)
            *out = runs.items[i].id;
    vec_free(&runs);
    if (st == OK && found != 1)
        st = error_set(err, ERR_NOT_FOUND,
                       found == 0 ? "%s: %s has no such run" : "%s: several runs of %s have names that begin so",
                       prefix, p->in_bucket ? p->s3.place : p->folder.path);
    return st;
}

/* ---- from the bucket into the folder ---- */

static enum status run_directory(struct place *p, const struct run_id *id, int *dir, struct error *err)
{
    *dir = fleet_make_run(&p->folder, id);
    return *dir >= 0 ? OK : error_set(err, ERR_IO, "%s/runs/%s: %s", p->path, id->text, strerror(errno));
}

enum status place_get(struct place *p, struct fetched *catalogues, size_t n, struct error *err)
{
    enum status st = OK;
    for (size_t i = 0; i < n; i++) {
        catalogues[i].dir = -1;
        catalogues[i].status = OK;
    }
    for (size_t i = 0; st == OK && p->in_bucket && i < n; i++)
        st = run_directory(p, &catalogues[i].run->id, &catalogues[i].dir, err);
    if (st == OK && p->in_bucket)
        st = bucket_get_catalogues(&p->s3, catalogues, n, err);
    for (size_t i = 0; i < n; i++)
        if (catalogues[i].dir >= 0)
            (void)close(catalogues[i].dir);
    return st;
}

enum status place_get_trace(struct place *p, const struct run_id *id, struct error *err)
{
    int dir = -1;
    enum status st = p->in_bucket ? run_directory(p, id, &dir, err) : OK;
    if (st == OK && p->in_bucket) {
        st = bucket_get_trace(&p->s3, id, dir, err);
        (void)close(dir);
    }
    return st;
}

enum status place_copy_out(struct place *p, const struct run_id *id, const char *output, struct error *err)
{
    enum status st = place_get_trace(p, id, err);
    return st == OK ? fleet_copy_out(&p->folder, id, output, err) : st;
}

enum status place_replace(struct place *p, struct push *push, struct error *err)
{
    bool added;
    return p->in_bucket ? bucket_put(&p->s3, &push->id, push->dir, true, &added, err) : push_replace(push, err);
}
