/* merged.h - the tables of many runs as a few files, for engines that read files by themselves, and for questions that
 * have no cache:
 *
 *     tables/current                               the parts that are meant, one name a line
 *     tables/PART/runs.parquet calls.parquet ...   the rows of the runs of a part; they never change
 *                 catalogue.db                     the same rows, for `fleet query`
 *                 known                            which runs: RUN BYTES NS a line, size and time of its catalogue
 *
 * The parts that tables/current names have each run once. They are believed if this user, root or the owner of the
 * folder has written them, and of runs whose catalogue has still that size and time. */
#ifndef READER_FLEET_MERGED_H
#define READER_FLEET_MERGED_H

#include "reader/fleet/place.h"

struct merged {
    struct place *place;
    int dir;       /* tables/ of a folder; -1: there is none */
    run_ids parts; /* that tables/current names, in the order of their names, as below */
};
typedef VEC(struct stored_run) part_runs; /* of each what is said of its catalogue */

/* `change`: the folder may be new, and no other process changes it until merged_close. ERR_NOT_FOUND: there are no
 * merged tables. merged_close in any case. */
enum status merged_open(struct merged *m, struct place *p, bool change, struct error *err);
void merged_close(struct merged *m);
/* The runs of a part, in the order of its file; it may be gone, foreign or damaged, which is no failure of the
 * fleet. */
enum status merged_runs(struct merged *m, const struct run_id *part, part_runs *out, struct error *err);
/* Its catalogue, to be closed. */
enum status merged_rows(struct merged *m, const struct run_id *part, int *fd, struct error *err);
/* A directory with all files of a part becomes that. */
enum status merged_put(struct merged *m, struct push *push, const struct run_id *part, struct error *err);
/* From now on these are the parts. Others are removed when they have not been current for an hour in a folder, or
 * are a day old in a bucket, as somebody may be reading them. */
enum status merged_put_current(struct merged *m, struct push *push, const run_ids *parts, struct error *err);

#define MERGED_KNOWN   "known"
#define MERGED_CURRENT "current"

#endif
