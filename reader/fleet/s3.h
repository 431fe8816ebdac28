/* s3.h - objects of a bucket: Amazon's S3, or a server that speaks its protocol.
 *
 *     s3://BUCKET/PREFIX    with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION (or
 *                           AWS_DEFAULT_REGION; us-east-1), and AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL
 *
 * Without keys nothing is signed, which public buckets allow. An object is put whole or not at all, which S3 promises.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/ */
#ifndef READER_FLEET_S3_H
#define READER_FLEET_S3_H

#include <stdbool.h>

#include "reader/command/http.h"

enum { S3_AT_ONCE = 16 };
struct s3 {
    struct http *http;
    const char *place; /* s3://BUCKET/PREFIX, for messages */
    http_text bucket;  /* its URL, with a zero */
    http_text prefix;  /* of all keys: empty, or it ends with '/'; with a zero */
    char sign[96], token[2048];
    const char *key_id, *secret;   /* NULL: nothing is signed */
    struct http *more[S3_AT_ONCE]; /* for s3_at_once, as far as they were needed */
};
bool s3_is(const char *place);
/* endpoint NULL: of the environment, or Amazon's. ERR_USAGE: the address is wrong. s3_close in any case. */
enum status s3_open(struct s3 *s, const char *place, const char *endpoint, struct error *err);
void s3_close(struct s3 *s);

/* Names are those of objects, behind the prefix. */
/* Puts what is in the file. `only_new`: *added is false, and nothing is changed, if there is such an object. Servers
 * that do not know this condition put it anyway. A request whose answer was lost is sent again, so that *added may be
 * true of one that came second. */
enum status s3_put(struct s3 *s, const char *name, int fd, bool only_new, bool *added, struct error *err);
/* The object of so many bytes, as the list says; other numbers are errors. ERR_NOT_FOUND if there is none. */
enum status s3_get(struct s3 *s, const char *name, int fd, uint64_t bytes, struct error *err);
/* Has it, which has as many bytes, the contents of the file? Asks for its checksum, and if that does not say so gets it
 * into a file without a name in `dir`. */
enum status s3_same(struct s3 *s, const char *name, int fd, int dir, bool *same, struct error *err);
/* They may be gone already. Many at once, or, where the server does not know that request, one after the other. */
enum { S3_NAME_CHARS = 128 };
struct s3_name {
    char text[S3_NAME_CHARS];
};
typedef VEC(struct s3_name) s3_names;
enum status s3_delete(struct s3 *s, const s3_names *names, struct error *err);
/* Calls `each` for all objects whose names begin with `name`, in the order of their names; `modified_ns` since 1970.
 * Whatever is no such list, whole, is an error (ERR_FORMAT). */
typedef enum status s3_each_fn(void *context, const char *name, uint64_t bytes, uint64_t modified_ns);
/* Names behind `from`, up to `to` (NULL: from the first, to the last); `one_page`: no more than the server gives at
 * once, and `more` says whether that is all. */
struct s3_range {
    const char *from, *to;
    bool one_page, more;
};
enum status s3_list(struct s3 *s, const char *name, struct s3_range *range, s3_each_fn *each, void *context,
                    uint64_t *objects, struct error *err); /* range NULL: all */
/* Calls `job` for 0, 1, ... in several threads, each with an `s3` of its own, until one fails or all are done. */
typedef enum status s3_job_fn(struct s3 *s, void *context, size_t i, struct error *err);
enum status s3_at_once(struct s3 *s, size_t jobs, s3_job_fn *job, void *context, struct error *err);

/* ---- for s3_list.c ---- */

enum { KEY_MAX = 1024, LIST_MAX_BYTES = 16 << 20, TOKEN_MAX = 4096 };
/* The address of an object, or (name NULL) of the bucket. False: out of memory. */
bool s3_address(const struct s3 *s, const char *name, http_text *url);
/* Sends with what all requests have, and ends the URL; `whole` false: it is not, as memory was out. */
enum status s3_send(struct s3 *s, struct http_request *q, http_text *url, bool whole, struct http_answer *a,
                    struct error *err);
/* What the server says of a request that it refused: its code and message. */
enum status s3_refused(const struct s3 *s, const struct http_answer *a, const char *name, struct error *err);

#endif
