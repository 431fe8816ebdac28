/* lanes.c - the pieces of all threads in a part of the trace, and where they stand in the global order; see index.h.
 *
 * The seq of a piece is its position and the events of all other threads before it. Of chunks and pieces that the stamp
 * lies in, it is not known how many events are before it without decoding them. So the pieces are swept in the order of
 * their stamps; of those that are open there a share is counted, as if their events were spread evenly over their
 * stamps. The same sweep over the chunk directory gives the chunks that a part of the trace can be in. */
#include <stdlib.h>

#include "reader/index/sections.h"

/* What is swept: some events of one stream, between two stamps; with none, a moment of it. */
struct stop {
    uint64_t position, begin, end;
    uint32_t stream, events;
    uint64_t *seq; /* results: of the first event; its bounds, unless NULL */
    struct bounds *bounds;
};
struct bounds {
    uint64_t least, most;
};
typedef VEC(struct stop) stop_vec;

static enum status no_memory(const hs_trace *t, struct error *err) { return error_memory(err, "%s", t->dir); }

/* Mostly there is one thread that did nearly everything, whose items come in their order. */
static void sort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    for (size_t i = 1; i < count; i++)
        if (compare((const char *)items + (i - 1) * size, (const char *)items + i * size) > 0) {
            qsort(items, count, size, compare);
            return;
        }
}

static int by_stamp(const void *a, const void *b)
{
    const struct stop *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    return x->position != y->position ? (x->position < y->position ? -1 : 1)
                                      : (x->events < y->events ? -1 : x->events > y->events);
}

/* Events of a stop that lie before the stamp in a stream. */
static uint64_t share_before(const struct stop *s, uint64_t stamp, uint32_t stream)
{
    if (stamp > s->end || (stamp == s->end && s->stream < stream))
        return s->events;
    if (stamp <= s->begin)
        return stamp == s->begin && s->end == s->begin && s->stream < stream ? s->events : 0;
    return (uint64_t)((unsigned __int128)s->events * (stamp - s->begin) / (s->end - s->begin + 1));
}

/* Gives each stop its seq. `before`: by stream, the events before its first stop. */
static bool sweep(stop_vec *stops, uint64_t *before, size_t streams)
{
    VEC(size_t) open = { 0 };
    uint64_t all = 0;
    bool ok = true;
    sort(stops->items, stops->count, sizeof *stops->items, by_stamp);
    for (size_t s = 0; s < streams; s++)
        all += before[s];
    for (size_t i = 0; ok && i < stops->count; i++) {
        struct stop *x = &stops->items[i];
        uint64_t others = all - before[x->stream], missing = 0, unsure = 0;
        for (size_t k = 0; k < open.count;) {
            const struct stop *o = &stops->items[open.items[k]];
            if (o->end < x->begin) {
                open.items[k] = open.items[--open.count];
                continue;
            }
            if (o->stream != x->stream) {
                missing += o->events - share_before(o, x->begin, x->stream);
                unsure += o->events;
            }
            k++;
        }
        *x->seq = x->position + others - missing;
        if (x->bounds != NULL)
            *x->bounds = (struct bounds){ x->position + others - unsure, x->position + others };
        if (x->events == 0)
            continue;
        all += x->position + x->events - before[x->stream];
        before[x->stream] = x->position + x->events;
        size_t *slot = vec_push(&open);
        ok = slot != NULL;
        if (ok)
            *slot = i;
    }
    vec_free(&open);
    return ok;
}

/* ---- chunks ---- */

/* Marks the chunks (of t->chunks) that may have events from..to, and the one before them in each stream. */
static enum status choose_chunks(hs_trace *t, uint64_t from, uint64_t to, bool *chosen, struct error *err)
{
    stop_vec stops = { 0 };
    uint64_t *before = calloc(t->stream_count + 1, sizeof *before), seq;
    struct bounds *bounds = calloc(t->chunk_count + 1, sizeof *bounds);
    enum status st = OK;
    bool ok = before != NULL && bounds != NULL && vec_reserve(&stops, t->chunk_count);
    for (uint32_t s = 0; ok && s < t->stream_count; s++)
        for (const struct chunk_ref *c = t->streams[s].chunks; c < t->streams[s].chunks + t->streams[s].count; c++)
            stops.items[stops.count++] = (struct stop){ .stream = s,
                                                        .position = c->before,
                                                        .events = c->count,
                                                        .begin = c->first_stamp,
                                                        .end = c->last_stamp,
                                                        .seq = &seq,
                                                        .bounds = &bounds[c - t->chunks] };
    if (!ok || !sweep(&stops, before, t->stream_count)) {
        st = no_memory(t, err);
        goto out;
    }
    for (size_t s = 0; s < t->stream_count; s++) {
        const struct chunk_ref *end = t->streams[s].chunks + t->streams[s].count;
        for (const struct chunk_ref *c = t->streams[s].chunks; c < end; c++) {
            const struct bounds *b = &bounds[c - t->chunks];
            chosen[c - t->chunks] = b->least <= to && (c + 1 == end || b[1].most >= from);
        }
    }
out:
    vec_free(&stops);
    free(before);
    free(bounds);
    return st;
}

/* ---- pieces ---- */

struct loading {
    hs_trace *trace;
    struct lanes *out;
    uint32_t stream, joined; /* joined: pieces of the index in one, at most */
    size_t begin;            /* the first piece of the chunk */
    uint64_t last_stamp;     /* of the chunk */
};

/* Adds the piece to the one before it in the chunk. */
static void join(struct lane_piece *p, const struct lane_piece *next)
{
    p->events += next->events;
    p->calls += next->calls;
    p->exceptions += next->exceptions;
    p->least = next->least < p->least ? next->least : p->least;
    p->most = next->most > p->most ? next->most : p->most;
    p->joined++;
}

static bool take_piece(void *context, const struct lane_piece *piece, const struct lane_pause *pause)
{
    const struct loading *l = context;
    const size_t count = l->out->pieces.count;
    struct lane_piece *before = count > l->begin ? &l->out->pieces.items[count - 1] : NULL;
    if (before != NULL && before->joined + 1 < l->joined && pause->ns == 0 && piece->events > 0) {
        join(before, piece);
        return true;
    }
    struct lane_piece *p = vec_push(&l->out->pieces);
    struct lane_pause *kept = pause->ns > 0 && p != NULL ? vec_push(&l->out->pauses) : NULL;
    if (p == NULL || (pause->ns > 0 && kept == NULL))
        return false;
    *p = *piece;
    p->stream = l->stream;
    p->end = l->last_stamp;
    p->segment = (uint32_t)l->out->segments.count - 1;
    p->pause = SIZE_MAX;
    if (kept != NULL) {
        *kept = *pause;
        p->pause = l->out->pauses.count - 1;
    }
    return true;
}

/* The pieces of the chosen chunks of one segment; false: it is damaged, or no memory. */
static bool load_segment(hs_trace *t, uint64_t segment, const bool *chosen, uint32_t joined, struct lanes *out)
{
    size_t count, size, first;
    uint64_t hash;
    const struct numbered *all = index_numbered(t, &count);
    uint8_t *bytes = index_section(t, segment, SECTION_LANES, &size);
    struct lane_segment *kept = bytes != NULL ? vec_push(&out->segments) : NULL;
    if (kept == NULL) {
        free(bytes);
        return false;
    }
    *kept = (struct lane_segment){ segment, bytes, size };
    size_t n = index_rows(t, all, count, segment, &first, &hash);
    struct reader r = reader_of(bytes, size);
    for (uint64_t number; (number = read_varint(&r)) > 0 && !r.bad;) {
        uint64_t thread = read_varint(&r);
        const struct numbered *found = NULL;
        for (size_t i = 0; i < n; i++)
            if (all[first + i].chunk->number % SEGMENT_CHUNKS == number - 1)
                found = &all[first + i];
        if (found == NULL || t->streams[found->stream].thread != thread)
            return false;
        struct loading l = { t, out, found->stream, joined, out->pieces.count, found->chunk->last_stamp };
        bool ok = chosen[found->chunk - t->chunks]
                      ? lane_read_chunk(&r, t, &t->streams[found->stream], found->chunk, take_piece, &l)
                      : lane_skip_chunk(&r, t);
        if (!ok)
            return false;
    }
    return !r.bad;
}

static int by_place(const void *a, const void *b)
{
    const struct lane_piece *x = a, *y = b;
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    return x->position != y->position ? (x->position < y->position ? -1 : 1)
                                      : (x->events > y->events ? -1 : x->events < y->events);
}

/* The stamp at which a piece ends: that of the event before a pause, of the next piece, or of the end of the chunk. */
static uint64_t end_of(const struct lanes *l, size_t i)
{
    const struct lane_piece *p = &l->pieces.items[i], *next = p + 1;
    bool follows = i + 1 < l->pieces.count && next->stream == p->stream && next->position == p->position + p->events;
    uint64_t end = p->end;
    if (follows)
        end = next->pause != SIZE_MAX ? l->pauses.items[next->pause].begin_stamp
              : next->stamp < end     ? next->stamp
                                      : end;
    return end > p->stamp ? end : p->stamp;
}

static bool add_moment(stop_vec *stops, uint32_t stream, uint64_t position, uint64_t stamp, uint64_t *seq)
{
    struct stop *s = vec_push(stops);
    if (s != NULL)
        *s = (struct stop){ .stream = stream, .position = position, .begin = stamp, .end = stamp, .seq = seq };
    return s != NULL;
}

/* The pieces and pauses as what is swept. */
static bool add_stops(struct lanes *l, stop_vec *stops)
{
    for (size_t i = 0; i < l->pieces.count; i++) {
        struct lane_piece *p = &l->pieces.items[i];
        struct lane_pause *x = p->pause != SIZE_MAX ? &l->pauses.items[p->pause] : NULL;
        /* a piece with a pause has an event before it: lane_read_chunk */
        if ((x != NULL && !add_moment(stops, p->stream, p->position - 1, x->begin_stamp, &x->begin)) ||
            !add_moment(stops, p->stream, p->position, p->stamp, &p->seq))
            return false;
        stops->items[stops->count - 1].events = p->events;
        stops->items[stops->count - 1].end = end_of(l, i);
    }
    return true;
}

/* Gives the pieces and pauses their seq. */
static enum status number_pieces(hs_trace *t, struct lanes *l, struct error *err)
{
    stop_vec stops = { 0 };
    uint64_t *before = calloc(t->stream_count + 1, sizeof *before), first = UINT64_MAX;
    bool ok = before != NULL && add_stops(l, &stops);
    for (size_t i = 0; i < l->pieces.count; i++)
        first = l->pieces.items[i].stamp < first ? l->pieces.items[i].stamp : first;
    for (size_t s = 0; ok && s < t->stream_count; s++) /* of threads without pieces: all that lies before */
        for (size_t i = 0; i < t->streams[s].count && t->streams[s].chunks[i].last_stamp <= first; i++)
            before[s] = t->streams[s].chunks[i].before + t->streams[s].chunks[i].count;
    for (size_t i = l->pieces.count; ok && i-- > 0;)
        before[l->pieces.items[i].stream] = l->pieces.items[i].position;
    ok = ok && sweep(&stops, before, t->stream_count);
    vec_free(&stops);
    free(before);
    return ok ? OK : no_memory(t, err);
}

enum status lanes_load(hs_trace *t, uint64_t from, uint64_t to, uint64_t most, struct lanes *out, struct error *err)
{
    size_t count;
    *out = (struct lanes){ 0 };
    index_wish(t);
    const struct numbered *all = index_numbered(t, &count);
    bool *chosen = calloc(t->chunk_count + 1, sizeof *chosen);
    if (all == NULL || chosen == NULL) {
        free(chosen);
        return no_memory(t, err);
    }
    enum status st = choose_chunks(t, from, to, chosen, err);
    uint64_t events = 0;
    for (size_t i = 0; st == OK && i < t->chunk_count; i++)
        events += chosen[i] ? t->chunks[i].count : 0;
    const uint64_t joined = events / LANE_EVENTS / most + 1;
    for (size_t i = 0; st == OK && i < count;) {
        uint64_t segment = index_segment(all[i].chunk);
        bool any = false;
        for (; i < count && index_segment(all[i].chunk) == segment; i++)
            any |= chosen[all[i].chunk - t->chunks];
        if (any && !load_segment(t, segment, chosen, joined < UINT32_MAX ? (uint32_t)joined : UINT32_MAX, out))
            st = error_set(err, ERR_NOT_FOUND, "%s: the index does not have this part of the trace", t->dir);
    }
    free(chosen);
    sort(out->pieces.items, out->pieces.count, sizeof *out->pieces.items, by_place);
    return st == OK ? number_pieces(t, out, err) : st;
}

void lanes_done(struct lanes *l)
{
    for (size_t i = 0; i < l->segments.count; i++)
        free(l->segments.items[i].bytes);
    vec_free(&l->segments);
    vec_free(&l->pieces);
    vec_free(&l->pauses);
}

bool lanes_frames(hs_trace *t, const struct lanes *l, const struct lane_piece *p, lane_frame_vec *stack)
{
    const struct lane_segment *s = &l->segments.items[p->segment];
    if (p > l->pieces.items && p[-1].joined > 0 && p[-1].segment == p->segment && p[-1].stream == p->stream &&
        !lane_pass_joined(t, s->bytes, s->size, p - 1, stack))
        return false;
    return lane_read_frames(t, s->bytes, s->size, p->frames, stack);
}
