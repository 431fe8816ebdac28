/* decode.c - decodes the chunks of a trace, whether all of their events are stored or not. */
#include "reader/derive/deriving.h"

typedef enum status decode_fn(struct chunk_decoder *d, struct kind_table kinds, const void *blob, size_t size,
                              unsigned want, struct chunk_columns *out, struct error *err);

/* In a transaction. */
static enum status decode_stored(hs_trace *t, struct chunk_decoder *d, decode_fn *fn, const struct chunk_ref *c,
                                 unsigned want, struct chunk_columns *out, struct error *err)
{
    struct text blob;
    enum status st = chunk_blob(t, c, &blob, err);
    if (st != OK)
        return st;
    st = fn(d, (struct kind_table){ t->kinds, t->kind_count }, blob.data, blob.size, want, out, err);
    if (st != OK)
        return st;
    if (out->count != c->count)
        return error_set(err, ERR_FORMAT, "it has %u events, the directory says %u", out->count, c->count);
    return OK;
}

static enum status decode(hs_trace *t, struct chunk_decoder *d, decode_fn *fn, const struct chunk_ref *c, unsigned want,
                          struct chunk_columns *out, struct error *err)
{
    struct error why;
    struct chunk_columns columns;
    enum status st;
    if (c->derived) {
        st = derived_decode(t, d, c, want, fn == chunk_decode_more, &columns, &why);
    } else {
        st = env_begin(&t->env, err);
        if (st != OK)
            return st;
        t->decoded += fn == chunk_decode;
        st = decode_stored(t, d, fn, c, want, &columns, &why);
        env_end(&t->env);
    }
    if (st == ERR_NOT_FOUND)
        return st;
    if (st != OK)
        return error_set(err, why.status, "%s: chunk %llu: %s", t->dir, (unsigned long long)c->number, why.text);
    /* order.c relies on stamps that never go back within a thread and lie in the directory's range */
    for (uint32_t i = 0; columns.stamps != NULL && i < columns.count; i++) {
        if (columns.stamps[i] >= c->first_stamp)
            break;
        columns.stamps[i] = c->first_stamp;
    }
    *out = columns;
    return OK;
}

enum status trace_decode_stored(hs_trace *t, struct chunk_decoder *d, const struct chunk_ref *c, unsigned want,
                                struct chunk_columns *out, struct error *err)
{
    enum status st = decode(t, d, chunk_decode, c, want, out, err);
    return st == OK ? progress_step(&t->progress, err) : st;
}

enum status trace_stamp_changes(hs_trace *t, const struct chunk_ref *c, struct stamp_changes *out, struct error *err)
{
    struct error why;
    enum status st = c->derived ? derived_stamps(t, c, out, &why) : ERR_NOT_FOUND;
    if (st == ERR_NOT_FOUND)
        return st;
    if (st != OK)
        return error_set(err, st, "%s: chunk %llu: %s", t->dir, (unsigned long long)c->number, why.text);
    return progress_step(&t->progress, err);
}

enum status trace_decode_more_stored(hs_trace *t, struct chunk_decoder *d, const struct chunk_ref *c, unsigned want,
                                     struct chunk_columns *out, struct error *err)
{
    return decode(t, d, chunk_decode_more, c, want, out, err);
}

enum status trace_shares(hs_trace *t, struct chunk_decoder *d, const struct chunk_ref *c,
                         const struct chunk_share **out, uint32_t *count, struct error *err)
{
    struct text blob;
    struct error why;
    if (c->derived)
        return derived_shares(t, d, c, out, count, err);
    enum status st = env_begin(&t->env, err);
    if (st != OK)
        return st;
    st = chunk_blob(t, c, &blob, &why);
    if (st == OK)
        st = chunk_shares(d, (struct kind_table){ t->kinds, t->kind_count }, blob.data, blob.size, out, count, &why);
    env_end(&t->env);
    if (st == OK)
        return OK;
    return error_set(err, ERR_FORMAT, "%s: chunk %llu: %s", t->dir, (unsigned long long)c->number, why.text);
}

/* In place: it may be done again. */
void decode_name_places(hs_trace *t, const struct chunk_columns *c)
{
    if (c->ids == NULL || !weavings_known(t))
        return;
    for (uint32_t i = 0; i < c->count; i++)
        c->ids[i] = same_place(t, c->ids[i]);
}

enum status trace_decode(hs_trace *t, struct chunk_decoder *d, const struct chunk_ref *c, unsigned want,
                         struct chunk_columns *out, struct error *err)
{
    enum status st = trace_decode_stored(t, d, c, want, out, err);
    if (st == OK)
        decode_name_places(t, out);
    return st;
}

enum status trace_decode_more(hs_trace *t, struct chunk_decoder *d, const struct chunk_ref *c, unsigned want,
                              struct chunk_columns *out, struct error *err)
{
    enum status st = trace_decode_more_stored(t, d, c, want, out, err);
    if (st == OK)
        decode_name_places(t, out);
    return st;
}

static bool occurs(const struct chunk_probe *probe, const struct chunk_columns *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t id = c->ids[i];
        if (id < probe->count && (probe->ids[id / 64] >> (id % 64) & 1) != 0)
            return true;
    }
    return false;
}

/* The data IDs of a stored chunk take a third of the time. */
enum status decode_some(hs_trace *t, struct chunk_decoder *d, const struct chunk_ref *c, unsigned want,
                        const struct chunk_probe *probe, bool stored, struct chunk_columns *out, struct error *err)
{
    const bool probed = probe != NULL && probe->ids != NULL;
    const unsigned first = probed && !c->derived ? (want & CHUNK_STAMPS) | CHUNK_IDS : want, rest = want & ~first;
    struct chunk_columns more = { 0 };
    enum status st = (stored ? trace_decode_stored : trace_decode)(t, d, c, first, out, err);
    if (st != OK || !probed || out->ids == NULL)
        return st;
    if (!occurs(probe, out)) {
        *out = (struct chunk_columns){ .count = out->count, .stamps = out->stamps };
        return OK;
    }
    if (rest != 0)
        st = (stored ? trace_decode_more_stored : trace_decode_more)(t, d, c, rest, &more, err);
    out->values = more.values != NULL ? more.values : out->values;
    out->times = more.times != NULL ? more.times : out->times;
    return st;
}
