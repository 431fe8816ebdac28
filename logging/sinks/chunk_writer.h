/* chunk_writer.h - chunks of events as rows of the store. They are encoded by a pool of threads (chunk_pool.h) and
 * stored when they are ready: chunk_writer_finish comes before the end of the transaction. */
#ifndef LOGGING_CHUNK_WRITER_H
#define LOGGING_CHUNK_WRITER_H

#include "formats/bytes.h"
#include "formats/chunk.h"
#include "logging/sinks/chunk_pool.h"
#include "logging/sinks/deriver.h"
#include "logging/store/store.h"

struct chunk_writer {
    struct chunk_pool *pool;
    struct writer row;       /* of the directory */
    uint64_t next_chunk;     /* number of the next chunk */
    uint64_t stored;         /* of the next one that is to be stored */
    struct deriver *deriver; /* NULL: all events are stored; set by the owner */
};

enum status chunk_writer_init(struct chunk_writer *w, struct error *err);
void chunk_writer_done(struct chunk_writer *w);

/* Recovery: the number behind the last chunk of the store. */
enum status chunk_writer_resume(struct chunk_writer *w, struct store *store, struct error *err);

/* Stores the columns as the next chunk; `info` but for its `bytes`. The arrays of the columns are exchanged for
 * others. */
enum status chunk_writer_put(struct chunk_writer *w, struct store *store, struct kind_table kinds,
                             struct chunk_columns *columns, const struct chunk_info *info, struct error *err);
/* Stores the chunk that the deriver has begun. */
enum status chunk_writer_derive(struct chunk_writer *w, struct store *store, struct kind_table kinds,
                                const struct chunk_info *info, struct error *err);
/* All chunks so far are in the store. */
enum status chunk_writer_finish(struct chunk_writer *w, struct store *store, struct error *err);
/* The transaction is rolled back: forgets chunks that are not stored yet. */
void chunk_writer_drop(struct chunk_writer *w);

#endif
