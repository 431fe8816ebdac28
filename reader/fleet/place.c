/* place.c - see place.h. */
#include "reader/fleet/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/files.h"
#include "reader/command/progress_line.h"

static enum status open_bucket(struct place *p, const char *where, const char *endpoint, struct error *err)
{
    const char *tmp = getenv("TMPDIR");
    enum status st = s3_open(&p->s3, where, endpoint, err);
    if (st != OK)
        return st;
    int n = snprintf(p->path, sizeof p->path, "%s/hindsight-fleet.XXXXXX", tmp != NULL && *tmp != '\0' ? tmp : "/tmp");
    if (n < 0 || (size_t)n >= sizeof p->path || mkdtemp(p->path) == NULL) {
        st = error_set(err, ERR_IO, "a folder below %s: %s", tmp != NULL ? tmp : "/tmp", strerror(errno));
        p->path[0] = '\0';
        return st;
    }
    return fleet_open(&p->folder, p->path, true, err);
}

enum status place_open(struct place *p, const char *where, const char *endpoint, bool make, struct error *err)
{
    memset(p, 0, sizeof *p);
    p->folder = (struct fleet){ .path = where, .dir = -1, .runs = -1, .tmp = -1 };
    p->in_bucket = s3_is(where);
    if (p->in_bucket)
        return open_bucket(p, where, endpoint, err);
    if (endpoint != NULL)
        return error_set(err, ERR_USAGE, "--endpoint is for s3://BUCKET/PREFIX, not for %s", where);
    if (strstr(where, "://") != NULL)
        return error_set(err, ERR_USAGE, "%s: neither a folder nor s3://BUCKET/PREFIX", where);
    return fleet_open(&p->folder, where, make, err);
}

void place_close(struct place *p)
{
    if (p->path[0] != '\0')
        fleet_delete(&p->folder);
    p->path[0] = '\0';
    fleet_close(&p->folder);
    if (p->in_bucket)
        s3_close(&p->s3);
}

enum status place_list(struct place *p, stored_runs *out, struct error *err)
{
    return p->in_bucket ? bucket_list(&p->s3, out, err) : fleet_list(&p->folder, out, err);
}

enum status place_has(struct place *p, const struct run_id *id, bool *there, struct error *err)
{
    if (p->in_bucket)
        return bucket_has(&p->s3, id, there, err);
    *there = fleet_has(&p->folder, id);
    return OK;
}

enum status place_remove(struct place *p, const struct run_id *id, struct error *err)
{
    return p->in_bucket ? bucket_remove(&p->s3, id, err) : fleet_remove(&p->folder, id, err);
}

enum status place_sweep(struct place *p, uint64_t now_ns, struct error *err)
{
    if (p->in_bucket)
        return bucket_sweep(&p->s3, now_ns, err);
    fleet_sweep(&p->folder);
    return OK;
}

enum status place_publish(struct place *p, struct push *push, bool *added, struct error *err)
{
    return p->in_bucket ? bucket_put(&p->s3, &push->id, push->dir, added, err) : push_publish(push, added, err);
}

enum status place_find(struct place *p, const char *prefix, struct run_id *out, struct error *err)
{
    stored_runs runs = { 0 };
    size_t found = 0;
    enum status st = place_list(p, &runs, err);
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

static enum status get_run(struct place *p, const struct run_id *id, enum bucket_part part, struct error *err)
{
    int dir = fleet_make_run(&p->folder, id);
    if (dir < 0)
        return error_set(err, ERR_IO, "%s/runs/%s: %s", p->path, id->text, strerror(errno));
    enum status st = bucket_get(&p->s3, id, part, dir, err);
    (void)close(dir);
    return st;
}

enum status place_read(struct place *p, enum bucket_part part, struct error *err)
{
    stored_runs runs = { 0 };
    enum status st = p->in_bucket ? bucket_list(&p->s3, &runs, err) : OK;
    for (size_t i = 0; st == OK && i < runs.count; i++) {
        progress_line_show("catalogues", i, runs.count);
        st = get_run(p, &runs.items[i].id, part, err);
        if (st == ERR_NOT_FOUND) /* it was removed meanwhile */
            st = fleet_remove(&p->folder, &runs.items[i].id, err);
    }
    progress_line_erase();
    vec_free(&runs);
    return st;
}

enum status place_copy_out(struct place *p, const struct run_id *id, const char *output, struct error *err)
{
    enum status st = p->in_bucket ? get_run(p, id, BUCKET_TRACE, err) : OK;
    return st == OK ? fleet_copy_out(&p->folder, id, output, err) : st;
}
