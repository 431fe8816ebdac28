/* store_copy.c - see store_copy.h. The chunk directory is written with the chunks, not copied. */
#include "logging/recording/store_copy.h"

enum { COMMIT_BYTES = 32 << 20 };

struct copying {
    const struct store_copy *copy;
    enum schema_db db;  /* being copied */
    uint64_t waiting;   /* bytes not committed yet */
    uint64_t done;      /* bytes of rows */
    struct writer blob; /* scratch */
    struct error *err;
};

static enum status commit(struct copying *c)
{
    enum status st = store_commit(c->copy->to, c->err);
    c->waiting = 0;
    return st == OK ? store_begin(c->copy->to, c->err) : st;
}

/* Packs are full only if no commit comes between their rows. */
static enum status copied(struct copying *c, size_t size)
{
    const struct store_copy *copy = c->copy;
    c->waiting += size;
    c->done += size;
    if (copy->step != NULL &&
        copy->step(copy->step_context, c->done < copy->total ? c->done : copy->total, copy->total, copy->phase) != 0)
        return error_set(c->err, ERR_CANCELLED, "%s: cancelled; it is as it was", copy->trace);
    return c->waiting < COMMIT_BYTES || (schema_packed(c->db) && c->db != DB_CHUNKPACK) ? OK : commit(c);
}

static enum status copy_chunk(struct copying *c, uint64_t key, const void *data, size_t size)
{
    const void *row;
    size_t row_size;
    struct chunk_info info;
    enum status st = store_get(c->copy->from, DB_CHUNKDIR, key, &row, &row_size, c->err);
    if (st == ERR_NOT_FOUND)
        return error_set(c->err, ERR_FORMAT, "%s: chunk %llu is stored but not in the directory", c->copy->trace,
                         (unsigned long long)key);
    if (st != OK)
        return st;
    if (chunk_info_decode(row, row_size, &info) != OK)
        return error_set(c->err, ERR_FORMAT, "%s: a row of the chunk directory is malformed", c->copy->trace);
    c->blob.size = 0;
    st = c->copy->rewrite(c->copy->context, key, data, size, &info, &c->blob, c->err);
    if (st != OK || info.count == 0)
        return st;
    info.bytes = (uint32_t)c->blob.size;
    st = store_put(c->copy->to, chunk_table(&info), key, c->blob.data, c->blob.size, c->err);
    if (st != OK)
        return st;
    c->blob.size = 0;
    chunk_info_encode(&info, &c->blob);
    if (c->blob.bad)
        return error_memory(c->err, "%s", c->copy->trace);
    return store_put(c->copy->to, DB_CHUNKDIR, key, c->blob.data, c->blob.size, c->err);
}

/* The row as it is to be in *data and *size; NULL: it is left out. */
static enum status rewrite(struct copying *c, uint64_t key, const void **data, size_t *size)
{
    bool keep = true;
    if (c->copy->row == NULL)
        return OK;
    c->blob.size = 0;
    enum status st = c->copy->row(c->copy->context, c->db, key, *data, *size, &keep, &c->blob, c->err);
    if (st == OK && c->blob.bad)
        st = error_memory(c->err, "%s", c->copy->trace);
    *data = !keep ? NULL : c->blob.size > 0 ? (const void *)c->blob.data : "";
    *size = c->blob.size;
    return st;
}

static enum status copy_row(void *context, uint64_t key, const void *data, size_t size)
{
    struct copying *c = context;
    const size_t was = size;
    enum status st;
    if (c->db == DB_CHUNK || c->db == DB_CHUNKPACK) {
        st = copy_chunk(c, key, data, size);
    } else {
        st = rewrite(c, key, &data, &size);
        if (st == OK && data != NULL)
            st = store_put(c->copy->to, c->db, key, data, size, c->err);
    }
    return st == OK ? copied(c, was) : st;
}

static enum status copy_text_row(void *context, const char *key, size_t key_size, const void *data, size_t size)
{
    struct copying *c = context;
    enum status st = rewrite(c, 0, &data, &size);
    return st == OK && data != NULL ? store_put_text(c->copy->to, c->db, key, key_size, data, size, c->err) : st;
}

enum status store_copy(const struct store_copy *copy, struct error *err)
{
    struct copying c = { .copy = copy, .err = err };
    enum status st = store_begin(copy->to, err);
    for (unsigned db = 0; db < DB_COUNT && st == OK; db++) {
        c.db = (enum schema_db)db;
        if (schema_key_type(c.db) == KEY_TEXT)
            st = store_each_text(copy->from, c.db, copy_text_row, &c, err);
        else if (c.db != DB_CHUNKDIR)
            st = store_each(copy->from, c.db, copy_row, &c, err);
    }
    store_flush_packs(copy->to);
    if (st == OK)
        st = store_commit(copy->to, err);
    writer_free(&c.blob);
    return st == OK ? store_sync(copy->to, err) : st;
}
