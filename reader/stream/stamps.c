/* stamps.c - see stamps.h. The stamps of a chunk rise, and most events have that of the event before, so they are kept
 * as runs: each stamp, and where its events end.
 *
 * The seq of one event asks one chunk of every other thread. Kept are the runs that were asked for last, of any number
 * of threads, in two generations of at most GENERATION_BYTES: what is asked for comes into the new one; when that is
 * full, the old one goes, and the new one is the old one. */
#include "reader/stream/stamps.h"

#include <stdlib.h>
#include <string.h>

#include "formats/map.h"
#include "formats/search.h"

enum { GENERATION_BYTES = 32 << 20 };

/* Stamps of a chunk that span less than 32 bits are kept as what they are above the first one. */
struct run {
    uint32_t above;
    uint32_t end; /* number of the event behind it */
};
struct chunk_runs {
    uint64_t key; /* the address of the chunk_ref */
    uint64_t first;
    struct run *runs;
    uint64_t *far; /* the stamps, if they span more; else NULL */
    size_t count;
    size_t last; /* what the last search found */
};
struct generation {
    MAP(struct chunk_runs) chunks;
    size_t bytes;
};
struct stamps {
    struct generation young, old;
};

static void runs_free(struct chunk_runs *r)
{
    free(r->runs);
    free(r->far);
}

static uint64_t stamp_of(const struct chunk_runs *r, size_t i)
{
    return r->far != NULL ? r->far[i] : r->first + r->runs[i].above;
}

static void generation_free(struct generation *g)
{
    for (size_t i = 0; i < g->chunks.cap; i++)
        if (g->chunks.slots[i].key != 0)
            runs_free(&g->chunks.slots[i]);
    map_free(&g->chunks);
    *g = (struct generation){ 0 };
}

static void stamps_free(void *what)
{
    struct stamps *s = what;
    generation_free(&s->young);
    generation_free(&s->old);
    free(s);
}

static struct stamps *stamps_of(hs_trace *t)
{
    struct stamps *s = trace_attached(t, ATTACHED_STAMPS);
    if (s == NULL && (s = calloc(1, sizeof *s)) != NULL)
        trace_attach(t, ATTACHED_STAMPS, s, stamps_free);
    return s;
}

static enum status no_memory(const hs_trace *t, struct error *err) { return error_memory(err, "%s", t->dir); }

/* The events before `end` from the last run on have this stamp. Room for it is there. */
static void add_run(struct chunk_runs *to, uint64_t stamp, uint32_t end)
{
    to->count += to->count == 0 || stamp_of(to, to->count - 1) != stamp;
    to->runs[to->count - 1] = (struct run){ (uint32_t)(stamp - to->first), end };
    if (to->far != NULL)
        to->far[to->count - 1] = stamp;
}

static bool make_room(struct chunk_runs *to, const struct chunk_ref *chunk, uint64_t last, size_t count)
{
    to->first = chunk->first_stamp;
    to->runs = malloc((count > 0 ? count : 1) * sizeof *to->runs);
    if (to->runs != NULL && last - to->first > UINT32_MAX && (to->far = malloc(count * sizeof *to->far)) == NULL) {
        free(to->runs);
        to->runs = NULL;
    }
    return to->runs != NULL;
}

/* Before the first change they have that of the chunk, as those that are below it (trace_decode). */
static bool runs_of_changes(struct chunk_runs *to, const struct stamp_changes *c, const struct chunk_ref *chunk)
{
    if (!make_room(to, chunk, c->count > 0 ? c->stamps[c->count - 1] : chunk->first_stamp, c->count + 1))
        return false;
    if (c->count == 0 || c->events[0] > 0)
        add_run(to, chunk->first_stamp, c->count > 0 ? c->events[0] : chunk->count);
    bool reached = false;
    for (size_t i = 0; i < c->count; i++) {
        reached = reached || c->stamps[i] >= chunk->first_stamp;
        add_run(to, reached ? c->stamps[i] : chunk->first_stamp, i + 1 < c->count ? c->events[i + 1] : chunk->count);
    }
    return true;
}

static bool runs_of_columns(struct chunk_runs *to, const struct chunk_columns *c, const struct chunk_ref *chunk)
{
    size_t n = c->count > 0;
    for (uint32_t i = 1; i < c->count; i++)
        n += c->stamps[i] != c->stamps[i - 1];
    if (!make_room(to, chunk, c->count > 0 ? c->stamps[c->count - 1] : chunk->first_stamp, n))
        return false;
    for (uint32_t i = 0; i < c->count; i++)
        if (i + 1 == c->count || c->stamps[i + 1] != c->stamps[i])
            add_run(to, c->stamps[i], i + 1);
    return true;
}

static enum status read_runs(hs_trace *t, const struct chunk_ref *chunk, struct chunk_runs *out, struct error *err)
{
    struct stamp_changes changes = { 0 };
    struct chunk_columns columns = { 0 };
    struct error damage = { 0 };
    bool room;
    enum status st = trace_stamp_changes(t, chunk, &changes, &damage);
    const bool changed = st == OK;
    t->decoded_stamps++;
    if (st == ERR_NOT_FOUND)
        st = trace_decode(t, t->decoder, chunk, CHUNK_STAMPS, &columns, &damage);
    if (st != OK && st != ERR_FORMAT)
        return error_set(err, st, "%s", damage.text);
    if (st == ERR_FORMAT)
        trace_damaged(t, &damage);
    if (changed) {
        room = runs_of_changes(out, &changes, chunk);
    } else if (columns.stamps != NULL) {
        room = runs_of_columns(out, &columns, chunk);
    } else if ((room = make_room(out, chunk, chunk->first_stamp, 1))) {
        add_run(out, chunk->first_stamp, chunk->count);
    }
    return room ? OK : no_memory(t, err);
}

static void put_young_aside(struct stamps *s)
{
    generation_free(&s->old);
    s->old = s->young;
    s->young = (struct generation){ 0 };
}

/* The runs of the chunk, in the young generation from now on. */
static enum status find_runs(hs_trace *t, const struct chunk_ref *chunk, struct chunk_runs **out, struct error *err)
{
    struct stamps *s = stamps_of(t);
    const uint64_t key = (uintptr_t)chunk;
    if (s == NULL)
        return no_memory(t, err);
    struct chunk_runs runs = { .key = key }, *slot = map_get(&s->young.chunks, key), *old;
    if (slot != NULL) {
        *out = slot;
        return OK;
    }
    if ((old = map_get(&s->old.chunks, key)) != NULL) {
        runs = *old;
        map_remove(&s->old.chunks, old);
    } else {
        enum status st = read_runs(t, chunk, &runs, err);
        if (st != OK)
            return st;
    }
    if (s->young.bytes > GENERATION_BYTES)
        put_young_aside(s);
    if ((slot = map_put(&s->young.chunks, key)) == NULL) {
        runs_free(&runs);
        return no_memory(t, err);
    }
    *slot = runs;
    s->young.bytes += runs.count * (sizeof *runs.runs + (runs.far != NULL ? sizeof *runs.far : 0));
    *out = slot;
    return OK;
}

/* The first run that is not below the stamp. Stamps that are asked for mostly rise by little. */
static size_t find_run(struct chunk_runs *r, uint64_t stamp)
{
    enum { NEAR = 8 };
    size_t low = r->last, end = low + NEAR < r->count ? low + NEAR : r->count;
    if (low > 0 && stamp_of(r, low - 1) >= stamp)
        low = end = 0;
    while (low < end && stamp_of(r, low) < stamp)
        low++;
    if (low == end)
        LOWER_BOUND_FROM(low, end, r->count, stamp_of(r, low) < stamp);
    return r->last = low;
}

enum status stamps_below(hs_trace *t, const struct chunk_ref *chunk, uint64_t stamp, uint64_t *out, struct error *err)
{
    struct chunk_runs *r = NULL;
    *out = stamp > chunk->last_stamp ? chunk->count : 0;
    if (stamp <= chunk->first_stamp || stamp > chunk->last_stamp)
        return OK;
    enum status st = find_runs(t, chunk, &r, err);
    if (st != OK)
        return st;
    const size_t low = find_run(r, stamp);
    *out = low > 0 ? r->runs[low - 1].end : 0;
    return OK;
}
