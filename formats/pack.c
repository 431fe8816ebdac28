/* pack.c - see pack.h. */
#include "formats/pack.h"

#include <stdlib.h>
#include <zstd.h>

#include "formats/unpack.h"

enum { PACK_QUICK_LEVEL = 1, PACK_LEVEL = 6, PACK_SMALL_LEVEL = 19, PACK_RAW_MAX = 1 << 30 };

void pack_done(struct pack *p)
{
    writer_free(&p->index);
    writer_free(&p->rows);
    *p = (struct pack){ 0 };
}

bool pack_add(struct pack *p, uint64_t key, const void *data, size_t size)
{
    if (p->count > 0 && (key <= p->last || p->rows.size >= PACK_BYTES))
        return false;
    if (p->count == 0)
        p->first = p->last = key;
    write_varint(&p->index, key - p->last);
    write_varint(&p->index, size);
    write_bytes(&p->rows, data, size);
    p->last = key;
    p->count++;
    return true;
}

enum status pack_encode(struct pack *p, struct writer *out, struct error *err)
{
    struct writer raw = { 0 };
    write_varint(&raw, p->count);
    write_bytes(&raw, p->index.data, p->index.size);
    write_bytes(&raw, p->rows.data, p->rows.size);
    bool bad = p->index.bad || p->rows.bad || raw.bad || raw.size > PACK_RAW_MAX;
    size_t bound = ZSTD_compressBound(raw.size);
    if (!bad) {
        write_le4(out, (uint32_t)raw.size);
        bad = !writer_reserve(out, bound);
    }
    size_t n = bad ? 0
                   : ZSTD_compress(out->data + out->size, out->cap - out->size, raw.data, raw.size,
                                   p->quick   ? PACK_QUICK_LEVEL
                                   : p->small ? PACK_SMALL_LEVEL
                                              : PACK_LEVEL);
    bad = bad || ZSTD_isError(n);
    if (!bad)
        out->size += n;
    writer_free(&raw);
    p->index.size = p->rows.size = 0;
    p->count = 0;
    return bad ? error_memory(err, "pack of rows") : OK;
}

enum status pack_open(struct pack_reader *r, uint64_t first, const void *value, size_t size, struct error *err)
{
    *r = (struct pack_reader){ 0 };
    struct reader in = reader_of(value, size);
    size_t raw = read_le4(&in);
    if (in.bad || raw > PACK_RAW_MAX || raw / 20000 > size) /* zstd cannot compress more than that into a byte */
        return error_set(err, ERR_FORMAT, "a pack of rows is malformed");
    r->data = malloc(raw + 1);
    if (r->data == NULL)
        return error_memory(err, "a pack of %zu bytes", raw);
    enum status st = unpack(r->data, raw, (const uint8_t *)value + 4, size - 4);
    if (st != OK)
        return st == ERR_MEMORY ? error_memory(err, "a pack of %zu bytes", raw)
                                : error_set(err, st, "a pack of rows is damaged");
    r->size = raw;
    pack_rewind(r, first);
    return r->index.bad ? error_set(err, ERR_FORMAT, "a pack of rows is malformed") : OK;
}

void pack_rewind(struct pack_reader *r, uint64_t first)
{
    r->index = reader_of(r->data, r->size);
    uint64_t count = read_varint(&r->index);
    struct reader skip = r->index;
    for (uint64_t i = 0; i < 2 * count && !skip.bad; i++)
        (void)read_varint(&skip);
    r->index.bad |= skip.bad || count > UINT32_MAX;
    r->left = r->index.bad ? 0 : (uint32_t)count;
    r->key = first;
    r->at = skip.at;
}

bool pack_next(struct pack_reader *r, uint64_t *key, const uint8_t **data, size_t *size)
{
    if (r->left == 0)
        return false;
    r->key += read_varint(&r->index);
    uint64_t n = read_varint(&r->index);
    if (r->index.bad || n > r->size - r->at) {
        r->index.bad = true;
        r->left = 0;
        return false;
    }
    *key = r->key;
    *data = r->data + r->at;
    *size = (size_t)n;
    r->at += (size_t)n;
    r->left--;
    return true;
}

void pack_reader_done(struct pack_reader *r)
{
    free(r->data);
    *r = (struct pack_reader){ 0 };
}
