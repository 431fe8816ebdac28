/* positions.c - random access to the events of one thread, and their seq; see stream.h. */
#include "reader/stream/stream.h"

#include <stdlib.h>

#include "formats/search.h"
#include "reader/stream/kept.h"
#include "reader/stream/sequence.h"
#include "reader/stream/stamps.h"

/* VISITS: chunks that straddle a stamp are looked at so many times while the stamps of one are decoded. MERGE_CHUNKS: a
 * merge of all stamps takes as long as to decode them twice, and so many more. */
enum { VISITS = 8192, MERGE_CHUNKS = 64 };
#define NO_SPAN SIZE_MAX

/* A chunk, for counting the events below a stamp. */
struct span {
    uint64_t first_stamp, last_stamp;
    uint32_t stream;
    const struct chunk_ref *chunk;
};

/* Where an event is. */
struct place {
    bool known;
    uint64_t seq, stamp;
    struct event_position at;
};

struct positions {
    struct place found, given; /* the last results of positions_find and of positions_seq */
    struct span *spans;        /* by first_stamp; NULL until needed */
    uint64_t *latest;      /* the greatest last stamp of spans: latest[leaves + i] is that of span i, latest[k] the */
    size_t leaves;         /* greater one of latest[2k] and latest[2k + 1] */
    uint64_t *last_stamps; /* sorted */
    uint64_t *counts;      /* counts[i]: events of the chunks with the i least last stamps */
    uint64_t visits;       /* of chunks that straddled a stamp */
    struct sequence *sequence; /* NULL: not made */
    bool no_sequence;          /* it takes too much memory */
};

static enum status no_memory(const hs_trace *t, struct error *err) { return error_memory(err, "%s", t->dir); }

static void positions_free(void *what)
{
    struct positions *p = what;
    free(p->spans);
    free(p->latest);
    free(p->last_stamps);
    free(p->counts);
    sequence_free(p->sequence);
    free(p);
}

static struct positions *positions_of(hs_trace *t)
{
    struct positions *p = trace_attached(t, ATTACHED_POSITIONS);
    if (p != NULL)
        return p;
    p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    trace_attach(t, ATTACHED_POSITIONS, p, positions_free);
    return p;
}

const struct chunk_ref *positions_chunk(const hs_trace *t, struct event_position at)
{
    struct thread_chunks *s = &t->streams[at.stream];
    size_t behind = s->last + 1; /* the last chunk that begins at or before it stands before this one */
    if (at.position >= s->events)
        return NULL;
    if (behind > s->count || s->chunks[behind - 1].before > at.position ||
        (behind < s->count && s->chunks[behind].before <= at.position))
        LOWER_BOUND(behind, s->count, s->chunks[behind].before <= at.position);
    s->last = behind - 1;
    return &s->chunks[behind - 1];
}

enum status positions_event(hs_trace *t, struct event_position at, struct hs_event *out, struct error *err)
{
    const struct loaded *l;
    const struct chunk_ref *c = positions_chunk(t, at);
    if (c == NULL)
        return error_set(err, ERR_NOT_FOUND, "%s: no such event", t->dir);
    enum status st = positions_load(t, c, CHUNK_ALL, &l, err);
    if (st != OK)
        return st;
    uint64_t i = at.position - c->before;
    if (i >= l->count)
        return error_set(err, ERR_NOT_FOUND, "%s: the event lies in a chunk that cannot be read", t->dir);
    uint32_t id = l->ids[i];
    *out = (struct hs_event){ .seq = UINT64_MAX,
                              .thread = t->streams[at.stream].thread,
                              .dataid = id,
                              .value = l->values[i],
                              .stamp = l->stamps[i],
                              .time_ns = l->timed ? l->times[i] : HS_NO_TIME,
                              .kind = (char)(id < t->kind_count ? t->kinds[id] & 0x7f : 'V'),
                              .position = at.position };
    return OK;
}

enum status positions_stamp(hs_trace *t, struct event_position at, uint64_t *stamp, struct error *err)
{
    const struct loaded *l;
    const struct chunk_ref *c = positions_chunk(t, at);
    if (c == NULL)
        return error_set(err, ERR_NOT_FOUND, "%s: no such event", t->dir);
    *stamp = c->first_stamp;
    if (c->first_stamp == c->last_stamp)
        return OK;
    enum status st = positions_load(t, c, CHUNK_STAMPS, &l, err);
    if (st == OK && at.position - c->before < l->count)
        *stamp = l->stamps[at.position - c->before];
    return st;
}

uint32_t positions_stream(const hs_trace *t, uint32_t thread)
{
    size_t low;
    LOWER_BOUND(low, t->stream_count, t->streams[low].thread < thread);
    return low < t->stream_count && t->streams[low].thread == thread ? (uint32_t)low : UINT32_MAX;
}

/* ---- position -> seq ---- */

static int by_first_stamp(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    return x->first_stamp < y->first_stamp ? -1 : x->first_stamp > y->first_stamp;
}

static int by_last_stamp(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    return x->last_stamp < y->last_stamp ? -1 : x->last_stamp > y->last_stamp;
}

static bool make_spans(hs_trace *t, struct positions *p)
{
    size_t n = 0;
    for (p->leaves = 1; p->leaves <= t->chunk_count;) /* one more than spans: span_before the end */
        p->leaves *= 2;
    p->latest = calloc(2 * p->leaves, sizeof *p->latest);
    p->spans = malloc((t->chunk_count + 1) * sizeof *p->spans);
    p->last_stamps = malloc((t->chunk_count + 1) * sizeof *p->last_stamps);
    p->counts = malloc((t->chunk_count + 1) * sizeof *p->counts);
    if (p->spans == NULL || p->latest == NULL || p->last_stamps == NULL || p->counts == NULL) {
        free(p->spans);
        free(p->latest);
        free(p->last_stamps);
        free(p->counts);
        p->spans = NULL;
        p->latest = NULL;
        p->last_stamps = NULL;
        p->counts = NULL;
        return false;
    }
    for (size_t s = 0; s < t->stream_count; s++)
        for (size_t i = 0; i < t->streams[s].count; i++) {
            const struct chunk_ref *c = &t->streams[s].chunks[i];
            p->spans[n++] = (struct span){ c->first_stamp, c->last_stamp, (uint32_t)s, c };
        }
    qsort(p->spans, n, sizeof *p->spans, by_last_stamp);
    p->counts[0] = 0;
    for (size_t i = 0; i < n; i++) {
        p->last_stamps[i] = p->spans[i].last_stamp;
        p->counts[i + 1] = p->counts[i] + p->spans[i].chunk->count;
    }
    qsort(p->spans, n, sizeof *p->spans, by_first_stamp);
    for (size_t i = 0; i < n; i++)
        p->latest[p->leaves + i] = p->spans[i].last_stamp;
    for (size_t k = p->leaves - 1; k > 0; k--)
        p->latest[k] = p->latest[2 * k] > p->latest[2 * k + 1] ? p->latest[2 * k] : p->latest[2 * k + 1];
    return true;
}

/* The last one before span i whose last stamp is not below `stamp`; NO_SPAN if there is none. */
static size_t span_before(const struct positions *p, size_t i, uint64_t stamp)
{
    size_t k = p->leaves + i;
    while (k > 1 && (k % 2 == 0 || p->latest[k - 1] < stamp)) /* to a neighbour on the left that has one */
        k /= 2;
    if (k-- <= 1)
        return NO_SPAN;
    while (k < p->leaves)
        k = 2 * k + (p->latest[2 * k + 1] >= stamp);
    return k - p->leaves;
}

/* How many of n sorted stamps are below `stamp`. */
static uint64_t below(const uint64_t *stamps, size_t n, uint64_t stamp)
{
    size_t low;
    LOWER_BOUND(low, n, stamps[low] < stamp);
    return low;
}

/* Events of the event's own stream in chunks wholly below the stamp; its position counts them already. */
static uint64_t own_below(const struct thread_chunks *s, uint64_t stamp)
{
    size_t low;
    LOWER_BOUND(low, s->count, s->chunks[low].last_stamp < stamp);
    return low < s->count ? s->chunks[low].before : s->events;
}

/* Counts the events below the stamp in a chunk that straddles it; with `equal` those with the stamp itself too. */
static enum status count_straddling(hs_trace *t, const struct chunk_ref *c, uint64_t stamp, bool equal, uint64_t *out,
                                    struct error *err)
{
    *out = c->count;
    return equal && stamp == UINT64_MAX ? OK : stamps_below(t, c, equal ? stamp + 1 : stamp, out, err);
}

/* When the work of counting has come to that of the merge, the rest is taken from that: twice the least at most. */
static enum status want_sequence(hs_trace *t, struct positions *p, struct error *err)
{
    if (p->sequence != NULL || p->no_sequence ||
        p->visits / VISITS + t->decoded_stamps < 2 * t->chunk_count + MERGE_CHUNKS)
        return OK;
    enum status st = sequence_new(t, &p->sequence, err);
    p->no_sequence = st == OK && p->sequence == NULL;
    return st;
}

enum status positions_seq(hs_trace *t, struct event_position at, uint64_t stamp, uint64_t *seq, struct error *err)
{
    struct positions *p = positions_of(t);
    if (t->stream_count == 1) {
        *seq = at.position;
        return OK;
    }
    if (p == NULL || (p->spans == NULL && !make_spans(t, p)))
        return no_memory(t, err);
    if (p->given.known && p->given.at.stream == at.stream && p->given.stamp == stamp) { /* no other is between */
        *seq = p->given.seq + (at.position - p->given.at.position);
        p->given = (struct place){ true, *seq, stamp, at };
        return OK;
    }
    p->given.known = false;
    kept_walk_to(t, stamp);
    enum status made = want_sequence(t, p, err);
    if (made != OK)
        return made;
    if (p->sequence != NULL) {
        *seq = sequence_seq(p->sequence, at);
        return OK;
    }
    size_t low; /* spans that begin at or below the stamp */
    LOWER_BOUND(low, t->chunk_count, p->spans[low].first_stamp <= stamp);
    uint64_t n = p->counts[below(p->last_stamps, t->chunk_count, stamp)] - own_below(&t->streams[at.stream], stamp) +
                 at.position;
    for (size_t i = low; (i = span_before(p, i, stamp)) != NO_SPAN;) {
        const struct span *s = &p->spans[i];
        uint64_t more;
        p->visits++;
        if (s->stream == at.stream)
            continue;
        enum status st = count_straddling(t, s->chunk, stamp, s->stream < at.stream, &more, err);
        if (st != OK)
            return st;
        n += more;
    }
    *seq = n;
    p->given = (struct place){ true, n, stamp, at };
    return OK;
}

enum status positions_number(hs_trace *t, struct hs_event *e, struct error *err)
{
    return positions_seq(t, (struct event_position){ positions_stream(t, e->thread), e->position }, e->stamp, &e->seq,
                         err);
}

/* ---- seq -> position ---- */

/* How many spans begin at or below the stamp. Of these, those whose last stamp is not below it hold events of the stamp
 * or straddle it. */
static size_t spans_up_to(const hs_trace *t, const struct positions *p, uint64_t stamp)
{
    size_t low;
    LOWER_BOUND(low, t->chunk_count, p->spans[low].first_stamp <= stamp);
    return low;
}

/* How many events have a stamp below `stamp`. */
static enum status count_exactly_below(hs_trace *t, uint64_t stamp, uint64_t *out, struct error *err)
{
    struct positions *p = trace_attached(t, ATTACHED_POSITIONS);
    uint64_t n = p->counts[below(p->last_stamps, t->chunk_count, stamp)], more;
    for (size_t i = spans_up_to(t, p, stamp); (i = span_before(p, i, stamp)) != NO_SPAN;) {
        const struct span *s = &p->spans[i];
        if (s->first_stamp >= stamp)
            continue;
        enum status st = count_straddling(t, s->chunk, stamp, false, &more, err);
        if (st != OK)
            return st;
        n += more;
    }
    *out = n;
    return OK;
}

enum status positions_below(hs_trace *t, uint64_t stamp, uint64_t *seq, struct error *err)
{
    struct positions *p = positions_of(t);
    if (p == NULL || (p->spans == NULL && !make_spans(t, p)))
        return no_memory(t, err);
    return count_exactly_below(t, stamp, seq, err);
}

/* How many events have a stamp below `stamp`: exactly, or bounds *least and *most where these are enough to compare the
 * number with `seq`. */
static enum status count_below(hs_trace *t, uint64_t stamp, uint64_t seq, uint64_t *least, uint64_t *most,
                               struct error *err)
{
    struct positions *p = trace_attached(t, ATTACHED_POSITIONS);
    size_t end = spans_up_to(t, p, stamp);
    *least = p->counts[below(p->last_stamps, t->chunk_count, stamp)];
    *most = *least;
    for (size_t i = end; (i = span_before(p, i, stamp)) != NO_SPAN;)
        if (p->spans[i].first_stamp < stamp)
            *most += p->spans[i].chunk->count;
    if (*least > seq || *most <= seq)
        return OK;
    enum status st = count_exactly_below(t, stamp, least, err);
    *most = *least;
    return st;
}

/* The greatest stamp with at most `seq` events below it, and their number *below_it. */
static enum status find_stamp(hs_trace *t, uint64_t seq, uint64_t *stamp, uint64_t *below_it, struct error *err)
{
    uint64_t low = 0, high = UINT64_MAX, least, most;
    while (low < high) {
        uint64_t mid = low + (high - low) / 2 + 1;
        enum status st = count_below(t, mid, seq, &least, &most, err);
        if (st != OK)
            return st;
        if (least > seq)
            high = mid - 1;
        else
            low = mid; /* least is exact here, or most is not above seq */
    }
    *stamp = low;
    return count_exactly_below(t, low, below_it, err);
}

/* Adds to *position, which is where the chunks wholly below the stamp end, the events below the stamp in the next
 * chunk; with `equal` those with the stamp itself too. */
static enum status add_straddling(hs_trace *t, uint32_t stream, uint64_t stamp, bool equal, uint64_t *position,
                                  struct error *err)
{
    const struct chunk_ref *c = positions_chunk(t, (struct event_position){ stream, *position });
    uint64_t more = 0;
    if (c == NULL)
        return OK;
    enum status st = count_straddling(t, c, stamp, equal, &more, err);
    if (st == OK && c->first_stamp <= stamp)
        *position += more;
    return st;
}

/* The events of one stream below the stamp; with `equal` those with the stamp itself too. */
static enum status count_of_stream(hs_trace *t, uint32_t stream, uint64_t stamp, bool equal, uint64_t *out,
                                   struct error *err)
{
    const struct thread_chunks *s = &t->streams[stream];
    if (equal && stamp == UINT64_MAX) {
        *out = s->events;
        return OK;
    }
    *out = own_below(s, equal ? stamp + 1 : stamp);
    return add_straddling(t, stream, stamp, equal, out, err);
}

/* The least stream from `next` on that can hold events of the stamp; UINT32_MAX: none. */
static uint32_t next_stream(const hs_trace *t, const struct positions *p, uint64_t stamp, uint32_t next)
{
    uint32_t stream = UINT32_MAX;
    for (size_t i = spans_up_to(t, p, stamp); (i = span_before(p, i, stamp)) != NO_SPAN;)
        if (p->spans[i].stream >= next && p->spans[i].stream < stream)
            stream = p->spans[i].stream;
    return stream;
}

/* The event number `left`, by the order of streams, of those with the stamp. */
static enum status find_with_stamp(hs_trace *t, uint64_t stamp, uint64_t left, struct event_position *out,
                                   struct error *err)
{
    struct positions *p = trace_attached(t, ATTACHED_POSITIONS);
    uint32_t next = 0;
    for (;;) {
        uint64_t first, end;
        uint32_t stream = next_stream(t, p, stamp, next);
        if (stream == UINT32_MAX)
            return error_set(err, ERR_FORMAT, "%s: the chunk directory contradicts the stamps", t->dir);
        enum status st = count_of_stream(t, stream, stamp, false, &first, err);
        if (st == OK)
            st = count_of_stream(t, stream, stamp, true, &end, err);
        if (st != OK)
            return st;
        if (left < end - first) {
            *out = (struct event_position){ stream, first + left };
            return OK;
        }
        left -= end - first;
        next = stream + 1;
    }
}

enum status positions_find(hs_trace *t, uint64_t seq, struct event_position *out, struct error *err)
{
    struct positions *p = positions_of(t);
    uint64_t below_it;
    if (seq >= t->events)
        return error_set(err, ERR_NOT_FOUND, "%s: there is no event %llu, the last one is %llu", t->dir,
                         (unsigned long long)seq, (unsigned long long)(t->events == 0 ? 0 : t->events - 1));
    if (t->stream_count == 1) {
        *out = (struct event_position){ 0, seq };
        return OK;
    }
    if (p == NULL || (p->spans == NULL && !make_spans(t, p)))
        return no_memory(t, err);
    if (p->given.known && p->given.seq == seq)
        p->found = p->given;
    if (!p->found.known || p->found.seq != seq) {
        p->found.known = false;
        enum status st = find_stamp(t, seq, &p->found.stamp, &below_it, err);
        if (st != OK)
            return st;
        st = find_with_stamp(t, p->found.stamp, seq - below_it, &p->found.at, err);
        if (st != OK)
            return st;
        p->found.known = true;
        p->found.seq = seq;
    }
    *out = p->found.at;
    return OK;
}

enum status positions_up_to(hs_trace *t, uint64_t seq, uint32_t stream, uint64_t *count, struct error *err)
{
    struct event_position at;
    enum status st = positions_find(t, seq, &at, err);
    if (st != OK)
        return st;
    *count = at.position + 1;
    return at.stream == stream
               ? OK
               : count_of_stream(t, stream, positions_of(t)->found.stamp, stream < at.stream, count, err);
}
