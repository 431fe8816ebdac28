/* expand_source.c - every event of a trace, chunk by chunk: what `hindsight expand` writes. */
#include "reader/derive/derive.h"

static enum status decode_number(void *context, uint64_t chunk, struct chunk_columns *out, struct error *err)
{
    hs_trace *t = context;
    for (size_t i = 0; i < t->chunk_count; i++)
        if (t->chunks[i].number == chunk)
            return trace_decode_stored(t, t->decoder, &t->chunks[i], CHUNK_ALL, out, err);
    return error_set(err, ERR_FORMAT, "%s: chunk %llu is not in the directory", t->dir, (unsigned long long)chunk);
}

uint64_t derive_count(const hs_trace *t)
{
    uint64_t count = 0;
    for (size_t i = 0; i < t->chunk_count; i++)
        count += t->chunks[i].derived;
    return count;
}

struct expand_source derive_source(hs_trace *t)
{
    return (struct expand_source){ t->dir, { t->kinds, t->kind_count }, decode_number, t };
}
