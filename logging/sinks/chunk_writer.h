/* chunk_writer.h - chunks of events as rows of the store. */
#ifndef LOGGING_CHUNK_WRITER_H
#define LOGGING_CHUNK_WRITER_H

#include "formats/bytes.h"
#include "formats/chunk.h"
#include "logging/sinks/deriver.h"
#include "logging/store/store.h"

struct chunk_writer {
    struct chunk_encoder *encoder;
    struct writer blob;      /* the row being written */
    uint64_t next_chunk;     /* number of the next chunk */
    struct deriver *deriver; /* NULL: all events are stored; set by the owner */
};

enum status chunk_writer_init(struct chunk_writer *w, struct error *err);
void chunk_writer_done(struct chunk_writer *w);

/* Recovery: the number behind the last chunk of the store. */
enum status chunk_writer_resume(struct chunk_writer *w, struct store *store, struct error *err);

/* Stores the columns as the next chunk; `info` but for its `bytes`. */
enum status chunk_writer_put(struct chunk_writer *w, struct store *store, struct kind_table kinds,
                             const struct chunk_columns *columns, struct chunk_info *info, struct error *err);
/* Stores the chunk that the deriver has begun. */
enum status chunk_writer_derive(struct chunk_writer *w, struct store *store, struct chunk_info *info,
                                struct error *err);

#endif
