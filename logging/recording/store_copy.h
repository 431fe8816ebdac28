/* store_copy.h - copies a store into another one, with its chunks written anew. */
#ifndef LOGGING_STORE_COPY_H
#define LOGGING_STORE_COPY_H

#include "formats/chunk.h"
#include "formats/compact.h"
#include "logging/store/store.h"

/* Appends the chunk as it is to be; `info`, its row of the directory, may be changed but for `bytes`. With a `count` of
 * 0 it is left out. */
typedef enum status rewrite_chunk_fn(void *context, uint64_t key, const void *data, size_t size,
                                     struct chunk_info *info, struct writer *out, struct error *err);

/* Appends the row as it is to be, or clears `keep`. The key of a database with texts as keys is 0. */
typedef enum status rewrite_row_fn(void *context, enum schema_db db, uint64_t key, const void *data, size_t size,
                                   bool *keep, struct writer *out, struct error *err);

struct store_copy {
    struct store *from; /* in a transaction */
    struct store *to;   /* empty */
    const char *trace;  /* for messages */
    rewrite_chunk_fn *rewrite;
    rewrite_row_fn *row; /* of the other databases; NULL: they stay as they are */
    void *context;
    compact_step_fn *step; /* called after each row; NULL: not wanted */
    void *step_context;
    uint64_t total; /* bytes of rows, about */
    const char *phase;
};
/* Copies all rows and syncs. ERR_CANCELLED: `step` did not return 0. */
enum status store_copy(const struct store_copy *copy, struct error *err);

#endif
