/* place.h - where a fleet is: a folder (store.h), or a bucket of S3 (bucket.h) with a folder of this process before it.
 *
 *     push   trace -> folder/tmp/ -> bucket            query, open   bucket -> folder/runs/ -> as from a folder
 *
 * The folder before a bucket is made below TMPDIR and removed at the end. */
#ifndef READER_FLEET_PLACE_H
#define READER_FLEET_PLACE_H

#include "reader/fleet/bucket.h"
#include "reader/fleet/store.h"

struct place {
    struct fleet folder;
    struct s3 s3;
    bool in_bucket;
    char path[PATH_MAX]; /* of the folder before a bucket; empty: none */
    int lock;            /* on that folder, while this process lives */
};
/* Opens the folder or s3://BUCKET/PREFIX; `make`: the folder may be new. place_close in any case, also
 * before rows are written, as the program ends when their reader goes away. */
enum status place_open(struct place *p, const char *where, const char *endpoint, bool make, struct error *err);
void place_close(struct place *p);
/* What distinguishes the fleet from all others. */
uint64_t place_identity(const struct place *p);
/* All runs, with what is said of their catalogues; `odd` (NULL: not wanted) gets what is none. */
enum status place_list(struct place *p, stored_runs *out, oddities *odd, struct error *err);
/* All runs, the oldest first, in a folder with `sizes` as wanted, and in a bucket with them; `sweep`: removes what
 * processes that died have left. */
enum status place_survey(struct place *p, uint64_t now_ns, bool sweep, bool sizes, stored_runs *out, struct error *err);
/* The size of all files of a run of a survey without sizes. */
void place_measure(const struct place *p, struct stored_run *run);
/* Is the run of the trace that is being pushed there? */
enum status place_has(struct place *p, const struct push *push, bool *there, struct error *err);
/* All of them, faster than one by one in a bucket. */
enum status place_remove(struct place *p, const stored_runs *runs, struct error *err);
/* A push of p->folder becomes a run. *added false: it was there already. */
enum status place_publish(struct place *p, struct push *push, bool *added, struct error *err);
/* From now on p->folder has the catalogues of the runs, as far as the status of each says so. */
enum status place_get(struct place *p, struct fetched *catalogues, size_t n, struct error *err);
/* A push of p->folder takes the place of the run that is there. */
enum status place_replace(struct place *p, struct push *push, struct error *err);
/* From now on p->folder has the trace of the run below runs/. */
enum status place_get_trace(struct place *p, const struct run_id *id, struct error *err);
/* Copies the trace of the run whose name begins with `prefix` to the new directory `output`, or hindsight-ID. */
enum status place_copy_out(struct place *p, const struct run_id *id, const char *output, struct error *err);
enum status place_find(struct place *p, const char *prefix, struct run_id *out, struct error *err);

#endif
