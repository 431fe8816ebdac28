/* input_log.h - bench_derive -l: what would a log of the hooks' records cost, that is packed by prediction later? Three
 * of them: records as they are; their values alone, as if the replay knew the data ID and the stamp of each one; and
 * values in as many bytes as their types have. Each is copied, and compressed by zstd, level LOG_LEVEL. */
#ifndef BENCH_INPUT_LOG_H
#define BENCH_INPUT_LOG_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "formats/chunk.h"
#include "formats/journal.h"

enum { LOG_RECORDS, LOG_VALUES, LOG_NARROW, LOG_WAYS, LOG_LEVEL = 1 };
enum { LOG_CHUNK_BYTES = 4 * CHUNK_EVENTS_MAX * sizeof(uint64_t), LOG_RING = 16 /* chunks: as much as all buffers */ };
static const char *const log_names[] = { "records", "values", "values of their width" };

struct input_log {
    ZSTD_CCtx *c;
    ZSTD_DCtx *d;
    uint8_t *text[LOG_WAYS], *ring, *packed, *back;
    unsigned chunks, wrong;
    struct {
        double bytes, packed, copy_s, pack_s, unpack_s;
    } sums[LOG_WAYS];
};

/* Bytes of the value of a kind. */
static inline size_t log_width(uint8_t kind)
{
    switch (kind) {
    case KIND_BOOLEAN:
    case KIND_BYTE: return 1;
    case KIND_CHAR:
    case KIND_SHORT: return 2;
    case KIND_LONG:
    case KIND_DOUBLE: return 8;
    default: return 4; /* references too: hooks write the low half of an object's word, and flags */
    }
}

static inline bool log_init(struct input_log *l)
{
    *l = (struct input_log){ .c = ZSTD_createCCtx(), .d = ZSTD_createDCtx() };
    l->ring = calloc(LOG_RING, LOG_CHUNK_BYTES);
    l->packed = malloc(ZSTD_compressBound(LOG_CHUNK_BYTES));
    l->back = malloc(LOG_CHUNK_BYTES);
    bool ok = l->c != NULL && l->d != NULL && l->ring != NULL && l->packed != NULL && l->back != NULL;
    for (unsigned w = 0; w < LOG_WAYS; w++)
        ok = (l->text[w] = malloc(LOG_CHUNK_BYTES)) != NULL && ok;
    return ok;
}

static inline void log_done(struct input_log *l)
{
    (void)ZSTD_freeCCtx(l->c);
    (void)ZSTD_freeDCtx(l->d);
    free(l->ring);
    free(l->packed);
    free(l->back);
    for (unsigned w = 0; w < LOG_WAYS; w++)
        free(l->text[w]);
}

static inline void log_way(struct input_log *l, unsigned w, size_t size, double (*now_s)(void))
{
    const uint8_t *text = l->text[w];
    const double a = now_s();
    memcpy(l->ring + (size_t)(l->chunks % LOG_RING) * LOG_CHUNK_BYTES, text, size);
    const double b = now_s();
    const size_t n = ZSTD_compressCCtx(l->c, l->packed, ZSTD_compressBound(LOG_CHUNK_BYTES), text, size, LOG_LEVEL);
    const double c = now_s();
    const size_t back = ZSTD_decompressDCtx(l->d, l->back, LOG_CHUNK_BYTES, l->packed, n);
    l->sums[w].unpack_s += now_s() - c;
    l->sums[w].pack_s += c - b;
    l->sums[w].copy_s += b - a;
    l->sums[w].bytes += (double)size;
    l->sums[w].packed += (double)n;
    l->wrong += ZSTD_isError(n) || back != size || memcmp(l->back, text, size) != 0;
}

/* The records of a chunk; `letters` are the kinds of the data IDs. */
static inline void log_chunk(struct input_log *l, const uint8_t *letters, uint32_t count, const uint64_t *p,
                             const uint64_t *end, double (*now_s)(void))
{
    size_t values = 0, narrow = 0;
    const size_t size = (size_t)(end - p) * sizeof *p;
    memcpy(l->text[LOG_RECORDS], p, size);
    while (p < end) {
        uint32_t id = (uint32_t)*p++;
        do {
            const uint8_t kind = letters[id] & (uint8_t)~KIND_JOINED;
            if (kind == KIND_VOID || p == end)
                continue;
            memcpy(l->text[LOG_VALUES] + values, p, sizeof *p);
            memcpy(l->text[LOG_NARROW] + narrow, p++, log_width(kind));
            values += sizeof *p;
            narrow += log_width(kind);
        } while (++id < count && (letters[id] & KIND_JOINED) != 0);
    }
    log_way(l, LOG_RECORDS, size, now_s);
    log_way(l, LOG_VALUES, values, now_s);
    log_way(l, LOG_NARROW, narrow, now_s);
    l->chunks++;
}

static inline void log_print(const struct input_log *l, double records, double events)
{
    for (unsigned w = 0; w < LOG_WAYS; w++)
        printf(
            "    log of %s: %.2f bytes a record; ns a record: copy %.2f, zstd -%d %.2f, back %.2f; packed %.3f bytes "
            "an event, wrong %u\n",
            log_names[w], l->sums[w].bytes / records, l->sums[w].copy_s / records * 1e9, LOG_LEVEL,
            l->sums[w].pack_s / records * 1e9, l->sums[w].unpack_s / records * 1e9, l->sums[w].packed / events,
            l->wrong);
}

#endif
