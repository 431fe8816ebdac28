/* bound.c - see bound.h. */
#include "logging/store/bound.h"

#include <string.h>

#include "formats/chunk.h"

/* Journal and pending rows lie beside the store, and pages that were freed are not filled to the last. */
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

/* Removes the oldest chunks, of so many bytes at least. ERR_NOT_FOUND: there are none. */
static enum status drop_chunks(struct bound *b, struct store *store, uint64_t bytes, struct error *err)
{
    enum status s = OK;
    for (uint64_t freed = 0; s == OK && freed < bytes;) {
        uint64_t key;
        const void *data;
        size_t size;
        struct chunk_info info;
        s = store_first(store, DB_CHUNKDIR, &key, &data, &size, err);
        if (s == ERR_NOT_FOUND)
            return freed > 0 ? OK : s;
        if (s == OK && (s = chunk_info_decode(data, size, &info)) != OK)
            return error_set(err, s, "a row of the chunk directory is malformed");
        if (s == OK)
            s = store_delete(store, DB_CHUNKDIR, key, key, err);
        if (s == OK)
            s = store_delete(store, DB_CHUNK, key, key, err);
        b->dropped += s == OK ? info.count : 0;
        freed += info.bytes + 1;
    }
    return s;
}

/* Removes pages of objects that no chunk left shows. */
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

/* Removes what is oldest until the store has room. */
static enum status drop(struct bound *b, struct store *store, uint64_t goal, struct error *err)
{
    enum status s = OK;
    while (s == OK && store_used(store) > goal) {
        s = drop_chunks(b, store, goal / 64, err);
        if (s == ERR_NOT_FOUND)
            return error_set(err, ERR_FULL, "classes and objects alone take more than maxbytes=%llu",
                             (unsigned long long)b->bytes);
        if (s == OK)
            s = drop_objects(b, store, err);
    }
    return s;
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
