/* s3_request.h - one request of a bucket, for s3.c and s3_list.c. */
#ifndef READER_FLEET_S3_REQUEST_H
#define READER_FLEET_S3_REQUEST_H

#include "reader/fleet/s3.h"

enum { KEY_MAX = 1024, LIST_MAX_BYTES = 16 << 20, TOKEN_MAX = 4096 };

/* The address of an object, or (name NULL) of the bucket. False: out of memory. */
bool s3_address(const struct s3 *s, const char *name, http_text *url);
/* Sends with what all requests have, and ends the URL; `whole` false: it is not, as memory was out. */
enum status s3_send(struct s3 *s, struct http_request *q, http_text *url, bool whole, struct http_answer *a,
                    struct error *err);
/* What the server says of a request that it refused: its code and message. */
enum status s3_refused(const struct s3 *s, const struct http_answer *a, const char *name, struct error *err);

#endif
