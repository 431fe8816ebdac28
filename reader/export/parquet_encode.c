/* parquet_encode.c - see parquet_encode.h. */
#include "reader/export/parquet_encode.h"

enum { BLOCK = 128, MINIBLOCKS = 4, MINIBLOCK = BLOCK / MINIBLOCKS };

/* Room for n bytes at the end of w, which are zero; NULL: out of memory. */
static uint8_t *extend(struct writer *w, size_t n)
{
    if (w->cap - w->size < n && !writer_reserve(w, n))
        return NULL;
    uint8_t *p = w->data + w->size;
    memset(p, 0, n);
    w->size += n;
    return p;
}

/* Bit i is byte i, which is 0 or 1, of at most eight: the multiplication moves bit 8i to 56 + i. */
static uint8_t gather_bits(const uint8_t *bytes, size_t n)
{
    uint64_t word = 0;
    if (n == 8)
        memcpy(&word, bytes, 8);
    else
        memcpy(&word, bytes, n);
    return (uint8_t)(word * UINT64_C(0x0102040810204080) >> 56);
}

void encode_levels(struct writer *w, const uint8_t *present, size_t rows, bool all)
{
    size_t at = w->size;
    write_le4(w, 0);
    if (all) { /* one run */
        write_varint(w, (uint64_t)rows << 1);
        write_u1(w, 1);
    } else { /* groups of eight bits */
        size_t groups = (rows + 7) / 8;
        write_varint(w, (uint64_t)groups << 1 | 1);
        uint8_t *p = extend(w, groups);
        for (size_t i = 0; p != NULL && i < groups; i++)
            p[i] = gather_bits(present + 8 * i, rows - 8 * i < 8 ? rows - 8 * i : 8);
    }
    if (w->bad)
        return;
    size_t bytes = w->size - at - 4;
    for (int i = 0; i < 4; i++)
        w->data[at + (size_t)i] = (uint8_t)(bytes >> 8 * i);
}

static unsigned width_of(uint64_t v) { return v == 0 ? 0 : 64 - (unsigned)__builtin_clzll(v); }

/* A miniblock: values of `width` bits, the lowest bit first. `out` has room for eight bytes more. */
static void pack(uint8_t *out, const uint64_t values[MINIBLOCK], unsigned width)
{
    uint64_t word = 0;
    unsigned used = 0;
    for (size_t i = 0; i < MINIBLOCK; i++) {
        word |= values[i] << used;
        used += width;
        if (used < 64)
            continue;
        used -= 64;
        memcpy(out, &word, 8); /* little-endian, as every machine that this runs on */
        out += 8;
        word = used > 0 ? values[i] >> (width - used) : 0;
    }
    memcpy(out, &word, 8);
}

static void encode_block(struct writer *w, const int64_t *before, size_t n)
{
    uint64_t above[BLOCK] = { 0 }, any[MINIBLOCKS] = { 0 };
    int64_t deltas[BLOCK], least = INT64_MAX, greatest = INT64_MIN;
    for (size_t i = 0; i < n; i++) {
        deltas[i] = (int64_t)((uint64_t)before[i + 1] - (uint64_t)before[i]);
        least = deltas[i] < least ? deltas[i] : least;
        greatest = deltas[i] > greatest ? deltas[i] : greatest;
    }
    write_svarint(w, least);
    if (least == greatest) { /* no bits: seq, thread */
        write_le4(w, 0);
        return;
    }
    for (size_t i = 0; i < n; i++)
        above[i] = (uint64_t)deltas[i] - (uint64_t)least;
    for (size_t i = 0; i < BLOCK; i++)
        any[i / MINIBLOCK] |= above[i];
    for (size_t i = 0; i < MINIBLOCKS; i++)
        write_u1(w, width_of(any[i]));
    for (size_t i = 0; i * MINIBLOCK < n; i++) {
        unsigned width = width_of(any[i]);
        size_t bytes = (size_t)width * MINIBLOCK / 8;
        if (width > 0 && writer_reserve(w, bytes + 8)) {
            pack(w->data + w->size, above + i * MINIBLOCK, width);
            w->size += bytes;
        }
    }
}

void encode_deltas(struct writer *w, const int64_t *values, size_t n)
{
    write_varint(w, BLOCK);
    write_varint(w, MINIBLOCKS);
    write_varint(w, n);
    write_svarint(w, n > 0 ? values[0] : 0);
    for (size_t at = 1; at < n;) {
        size_t count = n - at < BLOCK ? n - at : BLOCK;
        encode_block(w, values + at - 1, count);
        at += count;
    }
}

static void put_indexes(uint8_t *p, const uint32_t *indexes, size_t n, size_t bytes)
{
    for (size_t i = 0; i < n && bytes == 1; i++)
        p[i] = (uint8_t)indexes[i];
    for (size_t i = 0; i < n && bytes == 2; i++) {
        p[2 * i] = (uint8_t)indexes[i];
        p[2 * i + 1] = (uint8_t)(indexes[i] >> 8);
    }
    if (bytes == 4)
        memcpy(p, indexes, n * 4);
}

void encode_indexes(struct writer *w, const uint32_t *indexes, size_t n, uint32_t count)
{
    size_t bytes = count <= 0x100 ? 1 : count <= 0x10000 ? 2 : 4, same = 1, groups = (n + 7) / 8;
    while (same < n && indexes[same] == indexes[0])
        same++;
    write_u1(w, (unsigned)(8 * bytes));
    if (n == 0)
        return;
    write_varint(w, same == n ? (uint64_t)n << 1 : (uint64_t)groups << 1 | 1);
    uint8_t *p = extend(w, same == n ? bytes : groups * 8 * bytes);
    put_indexes(p, indexes, p == NULL ? 0 : same == n ? 1 : n, bytes);
}

void encode_bits(struct writer *w, const int64_t *values, size_t n)
{
    uint8_t *p = extend(w, (n + 7) / 8);
    for (size_t i = 0; p != NULL && i < n; i++)
        p[i / 8] = (uint8_t)(p[i / 8] | (values[i] != 0) << i % 8);
}
