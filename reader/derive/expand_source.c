/* expand_source.c - every event of a trace, chunk by chunk: what `hindsight expand` writes. */
#include "reader/derive/derive.h"

/* Mostly that behind the last one that was asked for. NULL with `err` set: there is none. */
static const struct chunk_ref *chunk_of_number(struct derive_source *s, uint64_t number, struct error *err)
{
    const hs_trace *t = s->trace;
    for (size_t i = 0; i < t->chunk_count; i++) {
        const size_t at = (s->last + i) % t->chunk_count;
        if (t->chunks[at].number == number) {
            s->last = at;
            return &t->chunks[at];
        }
    }
    (void)error_set(err, ERR_FORMAT, "%s: chunk %llu is not in the directory", t->dir, (unsigned long long)number);
    return NULL;
}

static enum status decode_number(void *context, uint64_t chunk, struct chunk_columns *out, struct error *err)
{
    struct derive_source *s = context;
    hs_trace *t = s->trace;
    const struct chunk_ref *c = chunk_of_number(s, chunk, err);
    return c != NULL ? trace_decode_stored(t, t->decoder, c, CHUNK_ALL, out, err) : ERR_FORMAT;
}

static enum status state_before_number(void *context, uint64_t chunk, struct writer *out, struct error *err)
{
    struct derive_source *s = context;
    const struct chunk_ref *c = chunk_of_number(s, chunk, err);
    return c != NULL ? derive_state_before(s->trace, c, out, err) : ERR_FORMAT;
}

uint64_t derive_count(const hs_trace *t)
{
    uint64_t count = 0;
    for (size_t i = 0; i < t->chunk_count; i++)
        count += t->chunks[i].derived;
    return count;
}

struct expand_source derive_source(struct derive_source *of)
{
    const hs_trace *t = of->trace;
    return (struct expand_source){ t->dir, { t->kinds, t->kind_count }, decode_number, state_before_number, of };
}
