/* shares.c - what the data IDs of a derived chunk take of its bytes: stored events as in a chunk (chunk_shares), the
 * rest of the chunk by events. */
#include "reader/derive/deriving.h"

/* The data IDs of the events of a chunk, and how many of each. */
static uint32_t count_dataids(struct deriving *d, const uint32_t *ids, uint32_t count)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *at = &d->share_of[ids[i]];
        if (*at == 0) {
            d->shares[found] = (struct chunk_share){ .dataid = ids[i] };
            *at = ++found;
        }
        d->shares[*at - 1].events++;
    }
    return found;
}

/* Shares of the stored events, then of the rest of the chunk by events: they are as many bytes as the chunk. */
static void add_shares(struct deriving *d, uint32_t found, const struct chunk_share *stored, uint32_t stored_count,
                       size_t size, uint32_t events)
{
    uint64_t rest = (uint64_t)size << CHUNK_SHARE_BITS, seen = 0, given = 0;
    for (uint32_t i = 0; i < stored_count; i++) {
        const uint32_t id = same_place(d->trace, stored[i].dataid);
        uint32_t at = id < d->code.sites.count ? d->share_of[id] : 0;
        if (at == 0)
            continue;
        d->shares[at - 1].share += stored[i].share;
        rest -= stored[i].share;
    }
    for (uint32_t i = 0; i < found; i++) {
        seen += d->shares[i].events;
        uint64_t upto = rest / events * seen + rest % events * seen / events;
        d->shares[i].share += upto - given;
        given = upto;
        d->share_of[d->shares[i].dataid] = 0;
    }
}

/* The shares of the chunk of the stored events. */
static enum status shares_of_stored(struct deriving *d, const struct chunk_ref *c, const struct chunk_share **stored,
                                    uint32_t *count, size_t *size, struct error *err)
{
    hs_trace *t = d->trace;
    struct kind_table kinds = { t->kinds, t->kind_count };
    struct chunk_columns columns;
    struct text blob;
    const void *data;
    size_t stored_size;
    enum status st =
        d->executed == c ? OK : deriving_execute(d, c, d->ids, d->values, err); /* they are in the decoder */
    if (st == OK)
        st = env_begin(&t->env, err);
    if (st != OK)
        return st;
    st = chunk_blob(t, c, &blob, err);
    if (st == OK && !derived_chunk_stored(blob.data, blob.size, &data, &stored_size))
        st = error_set(err, ERR_FORMAT, "it is cut off");
    if (st == OK && d->chunk.pull == NULL)
        st = chunk_decode(d->decoder, kinds, data, stored_size, CHUNK_IDS, &columns, err);
    if (st == OK)
        st = chunk_shares(d->decoder, kinds, data, stored_size, stored, count, err);
    *size = blob.size;
    env_end(&t->env);
    return st;
}

enum status derived_shares(hs_trace *t, struct chunk_decoder *decoder, const struct chunk_ref *c,
                           const struct chunk_share **out, uint32_t *count, struct error *err)
{
    struct error why = { .text = "it was not decoded" };
    struct deriving *d = deriving_of(t, err);
    if (d == NULL)
        return ERR_MEMORY;
    struct chunk_columns columns = chunk_decoder_lend(decoder, c->number, true);
    const struct chunk_share *stored = NULL;
    uint32_t stored_count = 0;
    size_t size = 0;
    if (d->share_of == NULL)
        d->share_of = calloc((size_t)d->code.sites.count + 1, sizeof *d->share_of);
    if (d->shares == NULL)
        d->shares = malloc(CHUNK_EVENTS_MAX * sizeof *d->shares);
    if (d->share_of == NULL || d->shares == NULL)
        return error_memory(err, "shares of a chunk");
    if (columns.ids == NULL || shares_of_stored(d, c, &stored, &stored_count, &size, &why) != OK)
        return error_set(err, ERR_FORMAT, "%s: chunk %llu: %s", t->dir, (unsigned long long)c->number, why.text);
    *count = count_dataids(d, columns.ids, c->count);
    add_shares(d, *count, stored, stored_count, size, c->count);
    *out = d->shares;
    return OK;
}
