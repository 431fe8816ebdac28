/* bound.c - see bound.h. */
#include "logging/store/bound.h"

#include <string.h>

#include "formats/chunk.h"

/* Journal and pending rows lie beside the store, and freed pages are not reused completely. */
static uint64_t store_share(uint64_t bytes)
{
    const uint64_t beside = 16 << 20, share = bytes - bytes / 8;
    return share > 2 * beside ? share - beside : share / 2;
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
    s = store_delete(store, DB_CHUNK, key, key, err);
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
        enum status s = drop_chunks(b, store, goal / 64, err);
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

enum status bound_keep(struct bound *b, struct store *store, struct error *err)
{
    uint64_t share = store_share(b->bytes), used = b->bytes > 0 ? store_used(store) : 0;
    if (b->bytes == 0 || used <= share)
        return OK;
    if (!b->drop_oldest)
        return error_set(err, ERR_FULL, "the bound maxbytes=%llu is reached", (unsigned long long)b->bytes);
    enum status s = drop(b, store, share - share / 16, err);
    return s != OK ? s : store_put_number(store, "dropped", b->dropped, err);
}
