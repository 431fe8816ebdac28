/* bound.c - see bound.h. */
#include "logging/bound.h"

#include <stdio.h>
#include <string.h>

#include "formats/chunk.h"

/* Journal and pending rows lie beside the store, and pages that were freed are not filled to the last. */
static uint64_t store_share(uint64_t bytes)
{
    const uint64_t beside = 16 << 20, share = bytes - bytes / 8;
    return share > 2 * beside ? share - beside : share / 2;
}

/* Removes chunks until the store has room. */
static enum status drop(struct bound *b, struct store *store, uint64_t used, uint64_t goal, struct error *err)
{
    enum status s = OK;
    while (s == OK && used > goal) {
        uint64_t key;
        const void *data;
        size_t size;
        struct chunk_info info;
        s = store_first(store, DB_CHUNKDIR, &key, &data, &size, err);
        if (s == ERR_NOT_FOUND)
            return error_set(err, ERR_FULL, "types and strings alone take more than maxbytes=%llu", (unsigned long long)b->bytes);
        if (s == OK)
            s = chunk_info_decode(data, size, &info);
        if (s == OK)
            s = store_delete(store, DB_CHUNKDIR, key, err);
        if (s == OK)
            s = store_delete(store, DB_CHUNK, key, err);
        if (s != OK)
            return s;
        b->dropped += info.count;
        used -= info.bytes < used ? info.bytes : used;
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
    enum status s = drop(b, store, used, share - share / 16, err);
    char text[24];
    int n = snprintf(text, sizeof text, "%llu", (unsigned long long)b->dropped);
    return s != OK ? s : store_put_text(store, DB_INFO, "dropped", strlen("dropped"), text, (size_t)n, err);
}
