/* chunk_writer.c - see chunk_writer.h. */
#include "logging/sinks/chunk_writer.h"

enum status chunk_writer_init(struct chunk_writer *w, struct error *err)
{
    *w = (struct chunk_writer){ .encoder = chunk_encoder_new() };
    return w->encoder != NULL ? OK : error_set(err, ERR_MEMORY, "no memory for the chunk encoder");
}

void chunk_writer_done(struct chunk_writer *w)
{
    if (w->encoder != NULL)
        chunk_encoder_free(w->encoder);
    w->encoder = NULL;
    writer_free(&w->blob);
}

enum status chunk_writer_resume(struct chunk_writer *w, struct store *store, struct error *err)
{
    uint64_t last;
    enum status s = store_last_key(store, DB_CHUNK, &last, err);
    if (s == ERR_NOT_FOUND)
        return OK;
    if (s == OK)
        w->next_chunk = last + 1;
    return s;
}

/* The blob and its directory entry. */
static enum status put_blob(struct chunk_writer *w, struct store *store, struct chunk_info *info, struct error *err)
{
    info->bytes = (uint32_t)w->blob.size;
    enum status s = store_put(store, DB_CHUNK, w->next_chunk, w->blob.data, w->blob.size, err);
    if (s != OK)
        return s;
    w->blob.size = 0;
    chunk_info_encode(info, &w->blob);
    s = store_put(store, DB_CHUNKDIR, w->next_chunk, w->blob.data, w->blob.size, err);
    if (s != OK)
        return s;
    w->next_chunk++;
    return OK;
}

enum status chunk_writer_put(struct chunk_writer *w, struct store *store, struct kind_table kinds,
                             const struct chunk_columns *columns, struct chunk_info *info, struct error *err)
{
    w->blob.size = 0;
    enum status s = chunk_encode(w->encoder, kinds, columns, &w->blob, err);
    return s == OK ? put_blob(w, store, info, err) : s;
}

enum status chunk_writer_derive(struct chunk_writer *w, struct store *store, struct chunk_info *info, struct error *err)
{
    w->blob.size = 0;
    info->flags = CHUNK_IS_DERIVED;
    enum status s = derive_end(w->deriver->encoder, &w->blob, err);
    return s == OK ? put_blob(w, store, info, err) : s;
}
