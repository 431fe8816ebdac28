/* chunk_pool.h - encodes chunks on threads beside the drain thread. They come out in the order in which they were put.
 *
 * All functions are called by one thread, the owner. A chunk that no thread has begun when the owner needs it is
 * encoded by the owner, so that a pool without threads works as well. */
#ifndef LOGGING_CHUNK_POOL_H
#define LOGGING_CHUNK_POOL_H

#include "formats/derive_write.h"

enum { CHUNK_POOL_THREADS_MAX = 3 };

/* A chunk on its way. The owner fills it, up to chunk_pool_put, and reads `info`, `blob`, `status` and `error` once
 * chunk_pool_oldest gave it back. */
struct chunk_job {
    struct chunk_info info;
    struct chunk_columns columns; /* of chunk_columns_init, which the owner exchanges for its own */
    struct derived_rest rest;     /* of derived chunks, instead: of derived_rest_init, exchanged as well */
    struct writer followers;      /* of derived chunks: the row of DB_FOLLOWER, for the owner */
    struct kind_table kinds;
    struct writer blob; /* of derived chunks: their heads */
    enum status status;
    struct error error;
};

struct chunk_pool;
struct chunk_pool *chunk_pool_new(void); /* without threads. NULL: no memory */
/* Waits for the threads; chunks that are left are dropped. */
void chunk_pool_free(struct chunk_pool *p);
/* Starts up to `threads` threads, at most CHUNK_POOL_THREADS_MAX; before the first chunk. */
void chunk_pool_start(struct chunk_pool *p, unsigned threads);
/* Threads that help on this machine: one for each processor that the process may use, without that of the program. */
unsigned chunk_pool_useful_threads(void);

/* Is a chunk free to be filled? Else the oldest one must be taken first. */
bool chunk_pool_has_room(const struct chunk_pool *p);
/* The next chunk, with an empty blob; the same one until it is put. The pool has room. */
struct chunk_job *chunk_pool_next(struct chunk_pool *p);
void chunk_pool_put(struct chunk_pool *p);
/* The oldest chunk, encoded; waits for it. NULL: none is left. It is valid until chunk_pool_take, which frees it for
 * the next one. */
struct chunk_job *chunk_pool_oldest(struct chunk_pool *p);
void chunk_pool_take(struct chunk_pool *p);

#endif
