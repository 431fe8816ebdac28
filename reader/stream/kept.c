/* kept.c - the chunks that were used last, decoded; see stream.h. */
#include "reader/stream/kept.h"

#include <stdlib.h>

/* PASSED: after so many chunks one behind the other, those behind are not kept. */
enum { KEPT_LEAST = 40, KEPT_MOST = 128, PASSED = 8 };

struct kept {
    struct loaded chunks[KEPT_MOST];
    unsigned keeps;       /* how many of them are used */
    unsigned latest_kept; /* the one that was asked for last */
    uint64_t clock;
    uint64_t stamp;  /* that of kept_walk_to */
    unsigned passed; /* chunks that were decoded while it rose */
};

static void kept_free(void *what)
{
    struct kept *k = what;
    for (unsigned i = 0; i < k->keeps; i++) {
        free(k->chunks[i].ids);
        free(k->chunks[i].values);
        free(k->chunks[i].stamps);
        free(k->chunks[i].times);
    }
    free(k);
}

static struct kept *kept_of(hs_trace *t)
{
    struct kept *k = trace_attached(t, ATTACHED_KEPT);
    if (k != NULL)
        return k;
    k = calloc(1, sizeof *k);
    if (k == NULL)
        return NULL;
    /* where the chunks of all threads overlap, a walk needs one of each, and a few for what it asks beside */
    const size_t wanted = t->stream_count + KEPT_LEAST / 2;
    k->keeps = wanted < KEPT_LEAST ? KEPT_LEAST : wanted > KEPT_MOST ? KEPT_MOST : (unsigned)wanted;
    trace_attach(t, ATTACHED_KEPT, k, kept_free);
    return k;
}

/* Memory for the columns of one chunk. Pages of columns that are not decoded are never used. */
static bool make_room(struct loaded *l)
{
    if (l->ids == NULL)
        l->ids = malloc((CHUNK_EVENTS_MAX + CHUNK_ROOM) * sizeof *l->ids);
    if (l->values == NULL)
        l->values = malloc((CHUNK_EVENTS_MAX + CHUNK_ROOM) * sizeof *l->values);
    if (l->stamps == NULL)
        l->stamps = malloc((CHUNK_EVENTS_MAX + CHUNK_ROOM) * sizeof *l->stamps);
    if (l->times == NULL)
        l->times = malloc((CHUNK_EVENTS_MAX + CHUNK_ROOM) * sizeof *l->times);
    return l->ids != NULL && l->values != NULL && l->stamps != NULL && l->times != NULL;
}

/* Takes the filled arrays from the decoder and gives it ours instead. */
static void swap_columns(struct chunk_decoder *d, struct loaded *l, const struct chunk_columns *filled)
{
    struct chunk_columns c = { .ids = filled->ids != NULL ? l->ids : NULL,
                               .values = filled->values != NULL ? l->values : NULL,
                               .stamps = filled->stamps != NULL ? l->stamps : NULL,
                               .times = filled->times != NULL ? l->times : NULL };
    chunk_decoder_swap(d, &c);
    if (c.ids != NULL)
        l->ids = c.ids;
    if (c.values != NULL)
        l->values = c.values;
    if (c.stamps != NULL)
        l->stamps = c.stamps;
    if (c.times != NULL)
        l->times = c.times;
}

/* The slot that has the chunk, else the one used longest ago. */
static struct loaded *find_slot(struct kept *k, const struct chunk_ref *chunk)
{
    struct loaded *oldest = NULL;
    if (k->chunks[k->latest_kept].chunk == chunk)
        return &k->chunks[k->latest_kept];
    for (unsigned i = 0; i < k->keeps; i++) {
        struct loaded *l = &k->chunks[i];
        if (l->chunk == chunk) {
            k->latest_kept = i;
            return l;
        }
        if (oldest == NULL || l->used < oldest->used)
            oldest = l;
    }
    return oldest;
}

/* Decodes what is wanted of the chunk into the slot, beside the columns that it has already. */
static enum status decode_into(hs_trace *t, struct loaded *to, const struct chunk_ref *chunk, unsigned want,
                               struct error *err)
{
    struct chunk_columns c;
    struct error damage = { 0 };
    enum status st = ERR_NOT_FOUND;
    unsigned have = to->chunk == chunk ? to->have : 0;
    to->chunk = NULL;
    if (!make_room(to))
        return error_memory(err, "%s", t->dir);
    if (have != 0 && (!chunk->derived || (have & CHUNK_IDS) != 0))
        st = trace_decode_more(t, t->decoder, chunk, want & ~have, &c, &damage);
    if (st == ERR_NOT_FOUND) {
        /* data IDs come with the values of a derived chunk, which must be executed for them */
        want |= have | (chunk->derived ? 0 : CHUNK_IDS);
        have = 0;
        st = trace_decode_some(t, t->decoder, chunk, want, NULL, false, &c, &damage);
    }
    if (st == ERR_FORMAT) {
        trace_damaged(t, &damage);
        c = (struct chunk_columns){ 0 };
    } else if (st != OK) {
        return error_set(err, st, "%s", damage.text);
    }
    swap_columns(t->decoder, to, &c);
    if (have == 0 || (want & CHUNK_TIMES) != 0)
        to->timed = c.times != NULL;
    to->count = c.count;
    to->have = have | want;
    to->chunk = chunk;
    return OK;
}

enum status positions_load(hs_trace *t, const struct chunk_ref *chunk, unsigned want, const struct loaded **out,
                           struct error *err)
{
    struct kept *k = kept_of(t);
    if (k == NULL)
        return error_memory(err, "%s", t->dir);
    struct loaded *l = find_slot(k, chunk);
    l->used = ++k->clock;
    if (l->chunk != chunk || (want & ~l->have) != 0) {
        enum status st = decode_into(t, l, chunk, want, err);
        k->passed++;
        if (st != OK)
            return st;
    }
    *out = l;
    return OK;
}

const struct loaded *positions_kept(const hs_trace *t, const struct chunk_ref *chunk, unsigned want)
{
    const struct kept *k = trace_attached(t, ATTACHED_KEPT);
    for (unsigned i = 0; k != NULL && i < k->keeps; i++) {
        const struct loaded *l = &k->chunks[i];
        if (l->chunk == chunk && l->count > 0 && (want & ~l->have) == 0)
            return l;
    }
    return NULL;
}

void positions_leave(hs_trace *t, uint64_t stamp, int direction)
{
    struct kept *k = trace_attached(t, ATTACHED_KEPT);
    for (unsigned i = 0; k != NULL && i < k->keeps; i++) {
        const struct chunk_ref *kept = k->chunks[i].chunk;
        if (kept != NULL && (direction > 0 ? kept->last_stamp <= stamp : kept->first_stamp >= stamp))
            k->chunks[i].used = 0;
    }
}

void kept_walk_to(hs_trace *t, uint64_t stamp)
{
    struct kept *k = trace_attached(t, ATTACHED_KEPT);
    if (k == NULL)
        return;
    if (stamp < k->stamp)
        k->passed = 0;
    k->stamp = stamp;
    if (k->passed > PASSED) {
        positions_leave(t, stamp, 1);
        k->passed = PASSED - 1;
    }
}
