/* order.c - merging the streams of the threads; see order.h for what the order is.
 *
 * Forwards, a heap holds each thread by the (stamp, number) of its next event, least on top; backwards by that of the
 * event before, greatest on top. Changing direction rebuilds the heap. A thread whose chunk is not decoded stands in
 * the heap by the stamps of the chunk directory, so a hundred thousand short threads cost a hundred thousand rows of
 * it, not decoders.
 *
 * Columns: the one decoder lends its columns to the last chunk opened. When another one needs the decoder the
 * lent columns are copied out once. Single-threaded stretches therefore never copy.
 *
 * Seeking finds the stamp at which the wanted number of events lies before, by bisection over stamps with counts from
 * the directory; only a chunk that straddles the stamp under test is decoded (its stamps), at most one per thread. */
#include "reader/stream/stream.h"

#include <stdlib.h>
#include <string.h>

#include "formats/search.h"

struct stream {
    const struct thread_chunks *thread;
    size_t chunk; /* current chunk; count of chunks at the end of the stream */
    uint32_t at;  /* events of it that lie before the position */
    bool open;    /* columns are there */
    bool lent;    /* columns belong to the decoder, not to us */
    struct chunk_columns columns;
    uint64_t key; /* stamp by which it stands in the heap */
};

struct order {
    hs_trace *trace;
    struct chunk_decoder *decoder; /* its own, as its columns stay lent between calls */
    order_want_fn *want;
    void *context;
    struct stream *streams; /* by thread number */
    size_t stream_count;
    struct stream **heap; /* those that have events in the current direction */
    size_t heap_count;
    int direction;           /* 1, -1; 0: the heap must be built */
    struct stream *borrower; /* whose columns are lent by the decoder; NULL none */
    struct stream *advance;  /* top of the heap, moved but not yet put in its place: its batch is with the caller */
    uint64_t position;
};

static const struct chunk_ref *current(const struct stream *s) { return &s->thread->chunks[s->chunk]; }

/* ---- columns ---- */

static void close_columns(struct order *o, struct stream *s)
{
    if (s->open && !s->lent) {
        free(s->columns.ids);
        free(s->columns.values);
        free(s->columns.stamps);
        free(s->columns.times);
    }
    if (o->borrower == s)
        o->borrower = NULL;
    s->columns = (struct chunk_columns){ 0 };
    s->open = s->lent = false;
}

static bool copy_column(void *column, size_t count, size_t size)
{
    void *from, *to;
    memcpy(&from, column, sizeof from);
    if (from == NULL)
        return true;
    if ((to = malloc(count * size)) != NULL)
        memcpy(to, from, count * size);
    memcpy(column, &to, sizeof to);
    return to != NULL;
}

/* The decoder is about to be used: whoever borrows its columns gets copies. */
static enum status free_decoder(struct order *o, struct error *err)
{
    struct stream *s = o->borrower;
    o->borrower = NULL;
    if (s == NULL)
        return OK;
    s->lent = false;
    size_t n = s->columns.count;
    bool ok = copy_column(&s->columns.ids, n, sizeof *s->columns.ids);
    ok = copy_column(&s->columns.values, n, sizeof *s->columns.values) && ok;
    ok = copy_column(&s->columns.stamps, n, sizeof *s->columns.stamps) && ok;
    ok = copy_column(&s->columns.times, n, sizeof *s->columns.times) && ok;
    if (ok)
        return OK;
    close_columns(o, s);
    return error_set(err, ERR_MEMORY, "%s: out of memory", o->trace->dir);
}

static enum status open_columns(struct order *o, struct stream *s, struct error *err)
{
    const struct chunk_ref *c = current(s);
    if (s->open)
        return OK;
    unsigned want = o->want != NULL ? o->want(o->context, s->thread->thread, c) : (unsigned)(CHUNK_ALL & ~CHUNK_STAMPS);
    if (c->first_stamp != c->last_stamp)
        want |= CHUNK_STAMPS;
    enum status st = want != 0 ? free_decoder(o, err) : OK;
    if (st == OK && want != 0) {
        struct error why = { 0 };
        st = trace_decode(o->trace, o->decoder, c, want, &s->columns, &why);
        if (st == ERR_FORMAT) { /* its events keep their seq but are not shown */
            trace_damaged(o->trace, &why);
            st = OK;
        } else if (st != OK) {
            return error_set(err, st, "%s", why.text);
        } else {
            s->lent = true;
            o->borrower = s;
            if ((want & CHUNK_VALUES) == 0) /* decoders may give more than was asked for */
                s->columns.values = NULL;
            if ((want & (CHUNK_IDS | CHUNK_VALUES)) == 0)
                s->columns.ids = NULL;
        }
    }
    if (st != OK)
        return st;
    s->columns.count = c->count;
    s->open = true;
    return OK;
}

static uint64_t stamp_at(const struct stream *s, uint32_t i)
{
    return s->columns.stamps != NULL ? s->columns.stamps[i] : current(s)->first_stamp;
}

/* ---- positions ---- */

/* Puts the position where an event follows (forwards) or precedes (backwards); false if there is none. */
static bool settle(struct order *o, struct stream *s, int direction)
{
    if (direction > 0) {
        while (s->chunk < s->thread->count && s->at == current(s)->count) {
            close_columns(o, s);
            s->chunk++;
            s->at = 0;
        }
        return s->chunk < s->thread->count;
    }
    while (s->at == 0) {
        if (s->chunk == 0)
            return false;
        close_columns(o, s);
        s->chunk--;
        s->at = current(s)->count;
    }
    return true;
}

static enum status find_key(struct order *o, struct stream *s, int direction, struct error *err)
{
    const struct chunk_ref *c = current(s);
    if (!s->open && direction > 0 && s->at == 0) {
        s->key = c->first_stamp;
        return OK;
    }
    if (!s->open && direction < 0 && s->at == c->count) {
        s->key = c->last_stamp;
        return OK;
    }
    if (!s->open && c->first_stamp == c->last_stamp) {
        s->key = c->first_stamp;
        return OK;
    }
    enum status st = open_columns(o, s, err);
    if (st == OK)
        s->key = stamp_at(s, direction > 0 ? s->at : s->at - 1);
    return st;
}

/* ---- heap ---- */

static bool comes_first(const struct stream *a, const struct stream *b, int direction)
{
    bool less = a->key != b->key ? a->key < b->key : a->thread->thread < b->thread->thread;
    return direction > 0 ? less : !less;
}

static void sift_down(struct order *o, size_t i)
{
    struct stream *s = o->heap[i];
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= o->heap_count)
            break;
        if (child + 1 < o->heap_count && comes_first(o->heap[child + 1], o->heap[child], o->direction))
            child++;
        if (!comes_first(o->heap[child], s, o->direction))
            break;
        o->heap[i] = o->heap[child];
        i = child;
    }
    o->heap[i] = s;
}

static enum status build_heap(struct order *o, int direction, struct error *err)
{
    o->heap_count = 0;
    o->direction = 0;
    o->advance = NULL;
    for (size_t i = 0; i < o->stream_count; i++) {
        struct stream *s = &o->streams[i];
        if (!settle(o, s, direction))
            continue;
        enum status st = find_key(o, s, direction, err);
        if (st != OK)
            return st;
        o->heap[o->heap_count++] = s;
    }
    o->direction = direction;
    for (size_t i = o->heap_count / 2; i-- > 0;)
        sift_down(o, i);
    return OK;
}

/* The stream on top has moved: give it its new place, or drop it at its end. */
static enum status settle_top(struct order *o, struct error *err)
{
    struct stream *s = o->heap[0];
    o->advance = NULL;
    if (settle(o, s, o->direction)) {
        enum status st = find_key(o, s, o->direction, err);
        if (st != OK) {
            o->direction = 0;
            return st;
        }
    } else {
        close_columns(o, s);
        o->heap[0] = o->heap[--o->heap_count];
    }
    if (o->heap_count > 0)
        sift_down(o, 0);
    return OK;
}

/* The stream that must be asked next is on top and open. ERR_NOT_FOUND: none is left. */
static enum status ready(struct order *o, int direction, struct error *err)
{
    enum status st = OK;
    if (o->direction != direction)
        st = build_heap(o, direction, err);
    else if (o->advance != NULL)
        st = settle_top(o, err);
    while (st == OK) {
        if (o->heap_count == 0)
            return ERR_NOT_FOUND;
        struct stream *s = o->heap[0];
        st = open_columns(o, s, err);
        if (st != OK)
            break;
        uint64_t real = stamp_at(s, direction > 0 ? s->at : s->at - 1);
        if (real == s->key)
            return OK;
        s->key = real; /* the directory was not exact: a damaged trace */
        sift_down(o, 0);
        if (o->heap[0] == s)
            return OK;
    }
    if (st != ERR_NOT_FOUND)
        o->direction = 0;
    return st;
}

/* ---- how far one stream may run ---- */

/* The other stream that comes next, NULL if there is none. */
static const struct stream *rival(const struct order *o)
{
    if (o->heap_count < 2)
        return NULL;
    return o->heap_count > 2 && comes_first(o->heap[2], o->heap[1], o->direction) ? o->heap[2] : o->heap[1];
}

/* First index in [from, count) whose stamp is >= `stamp`; galloping, as runs are short where threads interleave. */
static uint32_t first_not_below(const uint64_t *stamps, uint32_t from, uint32_t count, uint64_t stamp)
{
    uint32_t step = 1, low = from, high;
    while (low < count && count - low > step && stamps[low + step] < stamp) {
        low += step;
        step *= 2;
    }
    high = count - low > step ? low + step : count;
    LOWER_BOUND_FROM(low, low, high, stamps[low] < stamp);
    return low;
}

/* Events [*from, *to) of the top stream's chunk come before (behind, when going back) everything of the others. */
static void run_of(const struct order *o, uint32_t max, uint32_t *from, uint32_t *to)
{
    const struct stream *s = o->heap[0], *r = rival(o);
    uint32_t count = s->columns.count;
    const uint64_t *stamps = s->columns.stamps;
    *from = o->direction > 0 ? s->at : 0;
    *to = o->direction > 0 ? count : s->at;
    /* against the rival an equal stamp is decided by the thread numbers: s comes first of the two now */
    if (r != NULL && o->direction > 0) {
        bool equal_too = s->thread->thread < r->thread->thread;
        uint64_t end = equal_too && r->key < UINT64_MAX ? r->key + 1 : r->key;
        if (stamps != NULL && !(equal_too && r->key == UINT64_MAX))
            *to = first_not_below(stamps, s->at, count, end);
    } else if (r != NULL && stamps != NULL) {
        bool equal_too = s->thread->thread > r->thread->thread;
        uint64_t begin = equal_too ? r->key : r->key + 1; /* s is greater, so no overflow */
        *from = first_not_below(stamps, 0, s->at, begin);
    }
    if (o->direction > 0) {
        if (*to <= s->at)
            *to = s->at + 1; /* cannot be, but never stand still */
        if (*to - s->at > max)
            *to = s->at + max;
    } else {
        if (*from >= s->at)
            *from = s->at - 1;
        if (s->at - *from > max)
            *from = s->at - max;
    }
}

static enum status step(struct order *o, int direction, uint32_t max, struct order_batch *out, struct error *err)
{
    uint32_t from, to;
    enum status st = ready(o, direction, err);
    if (st != OK)
        return st;
    struct stream *s = o->heap[0];
    run_of(o, max, &from, &to);
    s->at = direction > 0 ? to : from;
    o->advance = s;
    if (direction < 0)
        o->position -= to - from;
    const struct chunk_columns *c = &s->columns;
    *out = (struct order_batch){ .thread = s->thread->thread,
                                 .count = to - from,
                                 .seq = o->position,
                                 .ids = c->ids != NULL ? c->ids + from : NULL,
                                 .values = c->values != NULL ? c->values + from : NULL,
                                 .times = c->times != NULL ? c->times + from : NULL,
                                 .stamps = c->stamps != NULL ? c->stamps + from : NULL,
                                 .first_stamp = stamp_at(s, from),
                                 .chunk = current(s),
                                 .first = from };
    if (direction > 0)
        o->position += to - from;
    return OK;
}

enum status order_next(struct order *o, uint32_t max, struct order_batch *out, struct error *err)
{
    return step(o, 1, max, out, err);
}

enum status order_previous(struct order *o, uint32_t max, struct order_batch *out, struct error *err)
{
    return step(o, -1, max, out, err);
}

uint64_t order_position(const struct order *o) { return o->position; }

/* ---- seeking ---- */

/* How many events of a stream have a stamp below `stamp`. *exact false: only a lower bound, the rest of `straddling`
 * may be below too. Decoding that chunk tells. */
static uint64_t count_below(const struct thread_chunks *t, uint64_t stamp, const struct chunk_ref **straddling)
{
    size_t low; /* first chunk whose last stamp is not below */
    LOWER_BOUND(low, t->count, t->chunks[low].last_stamp < stamp);
    *straddling = low < t->count && t->chunks[low].first_stamp < stamp ? &t->chunks[low] : NULL;
    return low < t->count ? t->chunks[low].before : t->events;
}

/* The stamps of one chunk per stream, kept while a seek narrows down. */
struct straddler {
    const struct chunk_ref *chunk;
    uint64_t *stamps;
};

static enum status exact_below(struct order *o, struct straddler *keep, const struct thread_chunks *t, uint64_t stamp,
                               uint64_t *out, struct error *err)
{
    const struct chunk_ref *c;
    uint64_t n = count_below(t, stamp, &c);
    if (c != NULL && keep->chunk != c) {
        struct chunk_columns columns;
        struct error why = { 0 };
        enum status st = trace_decode(o->trace, o->decoder, c, CHUNK_STAMPS, &columns, &why);
        if (st != OK && st != ERR_FORMAT)
            return error_set(err, st, "%s", why.text);
        free(keep->stamps);
        keep->chunk = NULL;
        if ((keep->stamps = malloc(c->count * sizeof *keep->stamps)) == NULL)
            return error_set(err, ERR_MEMORY, "%s: out of memory", o->trace->dir);
        for (uint32_t i = 0; i < c->count; i++) /* a damaged chunk stands at its first stamp, as when walking */
            keep->stamps[i] = st == OK ? columns.stamps[i] : c->first_stamp;
        keep->chunk = c;
    }
    *out = n + (c != NULL ? first_not_below(keep->stamps, 0, c->count, stamp) : 0);
    return OK;
}

/* The greatest stamp with at most `seq` events below it. */
static enum status stamp_of(struct order *o, struct straddler *keep, uint64_t seq, uint64_t *out, struct error *err)
{
    const hs_trace *t = o->trace;
    uint64_t low = 0, high = UINT64_MAX; /* below(low) <= seq; the answer is in [low, high] */
    while (low < high) {
        uint64_t mid = low + (high - low) / 2 + 1, least = 0, most = 0, exact = 0;
        for (size_t i = 0; i < t->stream_count; i++) {
            const struct chunk_ref *c;
            uint64_t n = count_below(&t->streams[i], mid, &c);
            least += n;
            most += n + (c != NULL ? c->count : 0);
        }
        if (most <= seq) {
            low = mid;
            continue;
        }
        for (size_t i = 0; least <= seq && i < t->stream_count; i++) {
            uint64_t n;
            enum status st = exact_below(o, &keep[i], &t->streams[i], mid, &n, err);
            if (st != OK)
                return st;
            exact += n;
        }
        if (least > seq || exact > seq)
            high = mid - 1;
        else
            low = mid;
    }
    *out = low;
    return OK;
}

static void set_before(struct stream *s, uint64_t before)
{
    const struct thread_chunks *t = s->thread;
    size_t low; /* last chunk that begins at or before it */
    LOWER_BOUND(low, t->count, t->chunks[low].before <= before);
    s->chunk = low > 0 ? low - 1 : 0;
    s->at = t->count > 0 ? (uint32_t)(before - t->chunks[s->chunk].before) : 0;
}

/* Events with a stamp below `stamp` lie before; of those with that stamp, the first `seq - below` by thread number. */
static enum status set_all_before(struct order *o, struct straddler *keep, uint64_t seq, uint64_t stamp,
                                  struct error *err)
{
    const hs_trace *t = o->trace;
    uint64_t left = seq, n, end;
    enum status st = OK;
    for (size_t i = 0; st == OK && i < t->stream_count; i++)
        if ((st = exact_below(o, &keep[i], &t->streams[i], stamp, &n, err)) == OK) {
            set_before(&o->streams[i], n);
            left -= n;
        }
    for (size_t i = 0; st == OK && left > 0 && i < t->stream_count; i++) {
        st = exact_below(o, &keep[i], &t->streams[i], stamp, &n, err);
        end = t->streams[i].events;
        if (st == OK && stamp < UINT64_MAX)
            st = exact_below(o, &keep[i], &t->streams[i], stamp + 1, &end, err);
        if (st == OK) {
            uint64_t take = end - n < left ? end - n : left;
            set_before(&o->streams[i], n + take);
            left -= take;
        }
    }
    return st;
}

enum status order_seek(struct order *o, uint64_t seq, struct error *err)
{
    const hs_trace *t = o->trace;
    uint64_t stamp = 0;
    for (size_t i = 0; i < o->stream_count; i++)
        close_columns(o, &o->streams[i]);
    o->direction = 0;
    o->advance = NULL;
    if (seq > t->events)
        seq = t->events;
    if (seq == 0 || seq == t->events) {
        for (size_t i = 0; i < o->stream_count; i++)
            set_before(&o->streams[i], seq == 0 ? 0 : t->streams[i].events);
        o->position = seq;
        return OK;
    }
    struct straddler *keep = calloc(t->stream_count, sizeof *keep);
    if (keep == NULL)
        return error_set(err, ERR_MEMORY, "%s: out of memory", t->dir);
    enum status st = stamp_of(o, keep, seq, &stamp, err);
    if (st == OK)
        st = set_all_before(o, keep, seq, stamp, err);
    for (size_t i = 0; i < t->stream_count; i++)
        free(keep[i].stamps);
    free(keep);
    if (st == OK)
        o->position = seq;
    return st;
}

enum status order_new(hs_trace *t, order_want_fn *want, void *context, struct order **out, struct error *err)
{
    struct order *o = calloc(1, sizeof *o);
    if (o == NULL || (o->decoder = chunk_decoder_new()) == NULL ||
        (o->streams = calloc(t->stream_count + 1, sizeof *o->streams)) == NULL ||
        (o->heap = calloc(t->stream_count + 1, sizeof(struct stream *))) == NULL) {
        order_free(o);
        return error_set(err, ERR_MEMORY, "%s: out of memory", t->dir);
    }
    o->trace = t;
    o->want = want;
    o->context = context;
    o->stream_count = t->stream_count;
    for (size_t i = 0; i < t->stream_count; i++)
        o->streams[i].thread = &t->streams[i];
    *out = o;
    return OK;
}

void order_free(struct order *o)
{
    if (o == NULL)
        return;
    for (size_t i = 0; o->streams != NULL && i < o->stream_count; i++)
        close_columns(o, &o->streams[i]);
    if (o->decoder != NULL)
        chunk_decoder_free(o->decoder);
    free(o->streams);
    free(o->heap);
    free(o);
}
