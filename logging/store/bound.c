/* bound.c - see bound.h. */
#include "logging/store/bound.h"

#include <string.h>

#include "formats/chunk.h"

/* Of the bound: for small files, and for what a commit and the end of the recording add to the data; the share that is
 * dropped at a time. */
enum { MARGIN_PART = 64, DROP_PART = 64 };
/* With drop-oldest there is room for so many of the largest transactions, of which each counts as at most that part. */
enum { AHEAD = 4, GROWTH_PART = 128 };

/* What the file of the store may have. */
static uint64_t store_share(const struct bound *b, uint64_t beside)
{
    uint64_t kept = beside + b->bytes / MARGIN_PART;
    return b->bytes > kept ? b->bytes - kept : 0;
}

bool bound_grow(struct bound *b, uint64_t page)
{
    size_t count = (size_t)page + 1024;
    if (!vec_reserve(&b->shown, count))
        return false;
    memset(b->shown.items + b->shown.count, 0, (count - b->shown.count) * sizeof *b->shown.items);
    b->shown.count = count;
    return true;
}

/* Removes the oldest chunk. *freed: its bytes. ERR_NOT_FOUND: there is none. */
static enum status drop_chunk(struct bound *b, struct store *store, uint64_t *freed, struct error *err)
{
    uint64_t key;
    const void *data;
    size_t size;
    struct chunk_info info;
    enum status s = store_first(store, DB_CHUNKDIR, &key, &data, &size, err);
    if (s != OK)
        return s;
    s = chunk_info_decode(data, size, &info);
    if (s != OK)
        return error_set(err, s, "a row of the chunk directory is malformed");
    s = store_delete(store, DB_CHUNKDIR, key, key, err);
    if (s != OK)
        return s;
    s = store_delete(store, chunk_table(&info), key, key, err);
    if (s != OK)
        return s;
    b->dropped += info.count;
    *freed = info.bytes + 1;
    return OK;
}

/* Removes the oldest chunks, at least `bytes` in total. ERR_NOT_FOUND: there are none. */
static enum status drop_chunks(struct bound *b, struct store *store, uint64_t bytes, struct error *err)
{
    for (uint64_t total = 0, freed = 0; total < bytes; total += freed) {
        enum status s = drop_chunk(b, store, &freed, err);
        if (s == ERR_NOT_FOUND && total > 0)
            return OK;
        if (s != OK)
            return s;
    }
    return OK;
}

/* Removes pages of objects that no remaining chunk refers to. */
static enum status drop_objects(struct bound *b, struct store *store, struct error *err)
{
    uint64_t first;
    const void *data;
    size_t size;
    enum status s = store_first(store, DB_CHUNKDIR, &first, &data, &size, err);
    if (s == ERR_NOT_FOUND)
        return OK;
    for (uint64_t page = 0; s == OK && page < b->shown.count; page++) {
        uint32_t chunk = b->shown.items[page];
        if (chunk == 0 || chunk - 1 >= (uint32_t)first)
            continue;
        s = store_delete(store, DB_OBJECT, page << 32, page << 32 | UINT32_MAX, err);
        b->shown.items[page] = 0;
    }
    return s;
}

/* Removes the oldest events until the store has room. */
static enum status drop(struct bound *b, struct store *store, uint64_t goal, struct error *err)
{
    while (store_used(store) > goal) {
        enum status s = drop_chunks(b, store, b->bytes / DROP_PART, err);
        if (s == ERR_NOT_FOUND)
            return error_set(err, ERR_FULL, "classes and objects alone take more than maxbytes=%llu",
                             (unsigned long long)b->bytes);
        if (s != OK)
            return s;
        s = drop_objects(b, store, err);
        if (s != OK)
            return s;
    }
    return OK;
}

/* What rows may take so that the file stays below `share`: pages that a transaction frees are used again by the second
 * one after it, as far as they lie together. Where that was not enough, less. */
static uint64_t rows_share(struct bound *b, struct store *store, uint64_t share)
{
    uint64_t used = store_used(store), growth = used > b->used ? used - b->used : 0;
    uint64_t file = store_file_bytes(store) - growth; /* of the last commit */
    if (growth > b->growth)
        b->growth = growth < b->bytes / GROWTH_PART ? growth : b->bytes / GROWTH_PART;
    uint64_t ahead = AHEAD * b->growth;
    if (file > b->file && file + ahead > share)
        b->scattered += ahead;
    b->file = file;
    uint64_t kept = ahead + b->scattered;
    return share > kept ? share - kept : 0;
}

enum status bound_keep(struct bound *b, struct store *store, uint64_t beside, struct error *err)
{
    if (b->bytes == 0)
        return OK;
    uint64_t share = store_share(b, beside);
    if (!b->drop_oldest)
        return store_file_bytes(store) <= share
                   ? OK
                   : error_set(err, ERR_FULL, "the bound maxbytes=%llu is reached", (unsigned long long)b->bytes);
    if (store_file_bytes(store) + beside > b->bytes) /* dropping more would not make it smaller */
        return error_set(err, ERR_FULL, "the bound maxbytes=%llu is passed: a reader of the trace holds its pages",
                         (unsigned long long)b->bytes);
    share = rows_share(b, store, share);
    enum status s = OK;
    if (store_used(store) > share) {
        s = drop(b, store, share, err);
        if (s == OK)
            s = store_put_number(store, "dropped", b->dropped, err);
    }
    b->used = store_used(store);
    return s;
}
