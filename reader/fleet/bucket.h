/* bucket.h - a fleet in a bucket of S3: the same files as in a folder (store.h).
 *
 *     PREFIX/runs/ID/data.mdb run *.parquet
 *            catalogues/ID                      its catalogue.db
 *
 * A bucket has no rename of many objects. The catalogue of a run is put last and removed first: a run is there when
 * that object is, and then it is whole. A question lists the catalogues alone, a tenth of the objects. What a push that
 * died has left is removed by bucket_survey when it is a day old. Two pushes of one trace put the same objects, and the
 * condition of the last one (If-None-Match) says which came first. */
#ifndef READER_FLEET_BUCKET_H
#define READER_FLEET_BUCKET_H

#include "reader/fleet/s3.h"
#include "reader/fleet/store.h"

/* The runs that are whole and have names that begin so, the oldest first, with the sizes of their catalogues alone;
 * `odd` (NULL: not wanted) gets what is none. ERR_NOT_FOUND: there is nothing at all. */
enum status bucket_list(struct s3 *s, const char *begin, stored_runs *out, oddities *odd, struct error *err);
/* The runs that are whole, the oldest first, with the sizes of all their files; `sweep`: removes what pushes that died
 * have left. */
enum status bucket_survey(struct s3 *s, uint64_t now_ns, bool sweep, stored_runs *out, struct error *err);
/* Is the run there, whole, with a trace of the sizes of that in the directory `dir`? ERR_EXISTS: and of other
 * contents. */
enum status bucket_has(struct s3 *s, const struct run_id *id, int dir, bool *there, struct error *err);
/* Puts the files of the directory `dir`, which has all of them. *added false: the run was there already; `replace`: its
 * objects are replaced then. */
enum status bucket_put(struct s3 *s, const struct run_id *id, int dir, bool replace, bool *added, struct error *err);
/* Puts the files of the directory, which are those of a part (merged.h). */
enum status bucket_put_tables(struct s3 *s, const struct run_id *part, int dir, struct error *err);
/* Puts tables/current from the directory, and removes parts that are neither in it nor were before. */
enum status bucket_put_current(struct s3 *s, int dir, const run_ids *before, const run_ids *current, struct error *err);
/* A file below tables/. */
enum status bucket_get_table(struct s3 *s, const char *file, int fd, struct error *err);
enum status bucket_remove(struct s3 *s, const stored_runs *runs, struct error *err);

/* Gets catalogues, several at once, each into its directory `dir`. */
struct fetched {
    const struct stored_run *run;
    int dir;
    enum status status; /* ERR_NOT_FOUND: it is not there any more */
    struct error err;
};
enum status bucket_get_catalogues(struct s3 *s, struct fetched *catalogues, size_t n, struct error *err);
/* Gets the trace of a run into the directory. */
enum status bucket_get_trace(struct s3 *s, const struct run_id *id, int dir, struct error *err);

#endif
