/* chunk_writer.c - see chunk_writer.h. */
#include "logging/sinks/chunk_writer.h"

enum status chunk_writer_init(struct chunk_writer *w, struct error *err)
{
    *w = (struct chunk_writer){ .pool = chunk_pool_new() };
    return w->pool != NULL ? OK : error_memory(err, "the chunk encoder");
}

void chunk_writer_done(struct chunk_writer *w)
{
    chunk_pool_free(w->pool);
    w->pool = NULL;
    writer_free(&w->row);
}

enum status chunk_writer_resume(struct chunk_writer *w, struct store *store, struct error *err)
{
    uint64_t last;
    enum status s = store_last_key(store, DB_CHUNKDIR, &last, err);
    if (s == ERR_NOT_FOUND)
        return OK;
    if (s == OK)
        w->next_chunk = w->stored = last + 1;
    return s;
}

/* The blob and its directory entry. */
static enum status store_blob(struct chunk_writer *w, struct store *store, const struct chunk_info *info,
                              const void *blob, size_t size, struct error *err)
{
    enum status s = store_put(store, chunk_table(info), w->stored, blob, size, err);
    if (s != OK)
        return s;
    w->row.size = 0;
    chunk_info_encode(info, &w->row);
    if (w->row.bad)
        return error_memory(err, "the directory's row of a chunk");
    s = store_put(store, DB_CHUNKDIR, w->stored, w->row.data, w->row.size, err);
    if (s == OK)
        w->stored++;
    return s;
}

/* What was encoded, and what the reader needs besides. */
static enum status store_chunk(struct chunk_writer *w, struct store *store, struct chunk_job *j, struct error *err)
{
    if (j->status != OK) {
        *err = j->error;
        return j->status;
    }
    j->info.bytes = (uint32_t)j->blob.size;
    enum status s = OK;
    if (j->followers.size > 0)
        s = store_put(store, DB_FOLLOWER, w->stored, j->followers.data, j->followers.size, err);
    return s == OK ? store_blob(w, store, &j->info, j->blob.data, j->blob.size, err) : s;
}

static enum status store_oldest(struct chunk_writer *w, struct store *store, struct error *err)
{
    enum status s = store_chunk(w, store, chunk_pool_oldest(w->pool), err);
    chunk_pool_take(w->pool);
    return s;
}

/* The next chunk of the pool. */
static enum status next_job(struct chunk_writer *w, struct store *store, struct chunk_job **out, struct error *err)
{
    if (!chunk_pool_has_room(w->pool)) {
        enum status s = store_oldest(w, store, err);
        if (s != OK)
            return s;
    }
    *out = chunk_pool_next(w->pool);
    return OK;
}

static enum status no_memory(const struct chunk_writer *w, struct error *err)
{
    return error_memory(err, "chunk %llu", (unsigned long long)w->next_chunk);
}

static void put(struct chunk_writer *w, struct chunk_job *j, struct kind_table kinds, const struct chunk_info *info)
{
    j->info = *info;
    j->kinds = kinds;
    w->next_chunk++;
    chunk_pool_put(w->pool);
}

enum status chunk_writer_put(struct chunk_writer *w, struct store *store, struct kind_table kinds,
                             struct chunk_columns *columns, const struct chunk_info *info, struct error *err)
{
    struct chunk_job *j;
    enum status s = next_job(w, store, &j, err);
    if (s != OK)
        return s;
    if (j->columns.ids == NULL && !chunk_columns_init(&j->columns, columns->times != NULL)) {
        chunk_columns_free(&j->columns);
        return no_memory(w, err);
    }
    struct chunk_columns other = j->columns;
    j->columns = *columns;
    other.count = columns->count;
    *columns = other;
    put(w, j, kinds, info);
    return OK;
}

enum status chunk_writer_derive(struct chunk_writer *w, struct store *store, struct kind_table kinds,
                                const struct chunk_info *info, struct error *err)
{
    struct chunk_job *j;
    struct chunk_info derived = *info;
    enum status s = next_job(w, store, &j, err);
    if (s == OK && j->rest.stored.ids == NULL && !derived_rest_init(&j->rest)) {
        derived_rest_done(&j->rest);
        s = no_memory(w, err);
    }
    if (s == OK)
        s = derive_end_head(w->deriver->encoder, &j->rest, &j->blob, err);
    if (s != OK)
        return s;
    followers_take_row(derive_followers(w->deriver->encoder), &j->followers);
    if (j->followers.bad) {
        writer_free(&j->followers);
        return no_memory(w, err);
    }
    derived.flags = CHUNK_IS_DERIVED;
    put(w, j, kinds, &derived);
    return OK;
}

enum status chunk_writer_finish(struct chunk_writer *w, struct store *store, struct error *err)
{
    enum status s = OK;
    while (s == OK && chunk_pool_oldest(w->pool) != NULL)
        s = store_oldest(w, store, err);
    return s;
}

void chunk_writer_drop(struct chunk_writer *w)
{
    while (chunk_pool_oldest(w->pool) != NULL)
        chunk_pool_take(w->pool);
    w->stored = w->next_chunk;
    if (w->deriver != NULL)
        followers_repeat(derive_followers(w->deriver->encoder));
}
