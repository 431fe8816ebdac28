/* order.c - merges the streams of the threads into the global order (stream.h).
 *
 * Forwards, a heap orders the threads by (stamp, number) of their next event, least on top; backwards by that of the
 * previous event, greatest on top. Changing direction rebuilds the heap. A thread whose chunk is not decoded is ordered
 * by the stamps in the chunk directory, so that a hundred thousand short threads do not need as many decoded chunks.
 *
 * Columns: there is one decoder, which lends its columns to the chunk opened last. They are copied when another chunk
 * is decoded, so as long as one thread runs alone nothing is copied.
 *
 * A seek searches for the stamp that the wanted number of events is below, by bisection with counts from the directory.
 * Of chunks only those that straddle a tested stamp are decoded (their stamps), at most one per thread. */
#include "reader/stream/stream.h"

#include <stdlib.h>
#include <string.h>

#include "formats/search.h"
#include "reader/stream/stamps.h"

struct stream {
    const struct thread_chunks *thread;
    size_t chunk; /* current chunk; count of chunks at the end of the stream */
    uint32_t at;  /* events of it that lie before the position */
    bool open;    /* columns are there */
    bool lent;    /* columns belong to the decoder, not to us */
    struct chunk_columns columns;
    uint64_t key; /* stamp by which the heap orders it */
};

struct order {
    hs_trace *trace;
    struct chunk_decoder *decoder; /* its own, as its columns stay lent between calls */
    order_want_fn *want;
    void *context;
    bool stored;            /* data IDs as they are stored */
    struct stream *streams; /* by thread number */
    size_t stream_count;
    struct stream **heap; /* those that have events in the current direction */
    size_t heap_count;
    int direction;           /* 1, -1; 0: the heap must be built */
    struct stream *borrower; /* whose columns are lent by the decoder; NULL none */
    struct stream *advance;  /* top of the heap, moved but not sifted down yet, as the caller uses its batch */
    struct chunk_probe probe;
    struct read_ahead *ahead; /* NULL: chunks are decoded when they are opened */
    unsigned in_a_row;        /* chunks decoded forwards since the last seek or turn; READ_AHEAD_AFTER: it was tried */
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
    s->open = false;
    s->lent = false;
}

static bool copy_column(void *column, size_t count, size_t size)
{
    void *from, *to;
    memcpy(&from, column, sizeof from);
    if (from == NULL)
        return true;
    to = malloc(count * size);
    if (to != NULL)
        memcpy(to, from, count * size);
    memcpy(column, &to, sizeof to);
    return to != NULL;
}

/* The columns, which are borrowed, become copies. */
static enum status own_columns(struct order *o, struct stream *s, struct error *err)
{
    s->lent = false;
    size_t n = s->columns.count;
    bool ok = copy_column(&s->columns.ids, n, sizeof *s->columns.ids);
    ok = copy_column(&s->columns.values, n, sizeof *s->columns.values) && ok;
    ok = copy_column(&s->columns.stamps, n, sizeof *s->columns.stamps) && ok;
    ok = copy_column(&s->columns.times, n, sizeof *s->columns.times) && ok;
    if (ok)
        return OK;
    close_columns(o, s);
    return error_memory(err, "%s", o->trace->dir);
}

/* Before the decoder is used: the stream that borrows its columns gets copies of them. */
static enum status free_decoder(struct order *o, struct error *err)
{
    struct stream *s = o->borrower;
    o->borrower = NULL;
    return s != NULL ? own_columns(o, s, err) : OK;
}

/* ---- reading ahead ---- */

static size_t ahead_from(void *context, size_t stream)
{
    const struct order *o = context;
    const struct stream *s = &o->streams[stream];
    return s->chunk + (s->open || s->at > 0);
}

static unsigned wanted_of(const struct order *o, uint32_t thread, const struct chunk_ref *c)
{
    unsigned want = CHUNK_ALL & ~CHUNK_STAMPS;
    if (o->want != NULL)
        want = o->want(o->context, thread, c);
    return want | (c->first_stamp != c->last_stamp ? CHUNK_STAMPS : 0);
}

static unsigned ahead_want(void *context, const struct chunk_ref *c)
{
    const struct order *o = context;
    size_t s;
    LOWER_BOUND(s, o->stream_count, o->trace->streams[s].chunks + o->trace->streams[s].count <= c);
    return wanted_of(o, o->trace->streams[s].thread, c);
}

static void stop_ahead(struct order *o)
{
    read_ahead_end(o->ahead);
    o->ahead = NULL;
    o->in_a_row = 0;
}

/* Before a chunk is decoded. */
static void reach_ahead(struct order *o)
{
    if (o->direction > 0 && o->in_a_row < READ_AHEAD_AFTER && ++o->in_a_row == READ_AHEAD_AFTER)
        o->ahead = read_ahead_begin(o->trace, ahead_from, ahead_want, o, &o->probe);
}

static enum status decode_columns(struct order *o, struct stream *s, unsigned want, struct error *err)
{
    struct error damage = { 0 };
    const struct loaded *kept = o->stored ? NULL : positions_kept(o->trace, current(s), want);
    if (kept != NULL) { /* a session asks many questions about one moment */
        enum status step = progress_step(&o->trace->progress, err);
        if (step != OK)
            return step;
        s->columns = (struct chunk_columns){
            .count = kept->count,
            .ids = (want & (CHUNK_IDS | CHUNK_VALUES)) != 0 ? kept->ids : NULL,
            .values = (want & CHUNK_VALUES) != 0 ? kept->values : NULL,
            .stamps = (want & CHUNK_STAMPS) != 0 ? kept->stamps : NULL,
            .times = (want & CHUNK_TIMES) != 0 && kept->timed ? kept->times : NULL,
        };
        s->open = true;
        return own_columns(o, s, err);
    }
    enum status st = free_decoder(o, err);
    if (st != OK)
        return st;
    reach_ahead(o);
    st = trace_decode_some(o->trace, o->decoder, current(s), want, &o->probe, o->stored, &s->columns, &damage);
    if (st == ERR_FORMAT) { /* its events keep their seq but are not shown */
        trace_damaged(o->trace, &damage);
        return OK;
    }
    if (st != OK)
        return error_set(err, st, "%s", damage.text);
    s->lent = true;
    o->borrower = s;
    if ((want & CHUNK_VALUES) == 0) /* decoders may give more columns than wanted */
        s->columns.values = NULL;
    if ((want & (CHUNK_IDS | CHUNK_VALUES)) == 0)
        s->columns.ids = NULL;
    return OK;
}

static enum status open_columns(struct order *o, struct stream *s, struct error *err)
{
    const struct chunk_ref *c = current(s);
    if (s->open)
        return OK;
    unsigned want = wanted_of(o, s->thread->thread, c);
    if (want != 0) {
        enum status st = decode_columns(o, s, want, err);
        if (st != OK)
            return st;
    }
    if (o->ahead != NULL)
        read_ahead_drop(o->ahead, c);
    s->columns.count = c->count;
    s->open = true;
    return OK;
}

static uint64_t stamp_at(const struct stream *s, uint32_t i)
{
    return s->columns.stamps != NULL ? s->columns.stamps[i] : current(s)->first_stamp;
}

/* ---- positions ---- */

/* Moves to the next chunk, or the previous one, if none of this one's events is left; false at the end of the
 * stream. */
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
    stop_ahead(o);
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

/* The stream on top has moved: sifts it down, or removes it at its end. */
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

static enum status update_heap(struct order *o, int direction, struct error *err)
{
    if (o->direction != direction)
        return build_heap(o, direction, err);
    return o->advance != NULL ? settle_top(o, err) : OK;
}

/* Brings the stream with the next event to the top, and opens its columns. ERR_NOT_FOUND: none is left. */
static enum status open_top(struct order *o, int direction, struct error *err)
{
    enum status st = update_heap(o, direction, err);
    if (st != OK)
        goto failed;
    for (;;) {
        if (o->heap_count == 0)
            return ERR_NOT_FOUND;
        struct stream *s = o->heap[0];
        st = open_columns(o, s, err);
        if (st != OK)
            goto failed;
        uint64_t real = stamp_at(s, direction > 0 ? s->at : s->at - 1);
        if (real == s->key)
            return OK;
        s->key = real; /* the stamp in the directory was wrong: a damaged trace */
        sift_down(o, 0);
        if (o->heap[0] == s)
            return OK;
    }
failed:
    o->direction = 0;
    return st;
}

/* ---- batches ---- */

/* The stream that comes next after the one on top, NULL if there is none. */
static const struct stream *second(const struct order *o)
{
    if (o->heap_count < 2)
        return NULL;
    if (o->heap_count > 2 && comes_first(o->heap[2], o->heap[1], o->direction))
        return o->heap[2];
    return o->heap[1];
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

/* The end of the batch [s->at, end) of the stream on top that comes before all events of the others. */
static uint32_t batch_end(const struct order *o, uint32_t max)
{
    const struct stream *s = o->heap[0], *next = second(o);
    uint32_t end = s->columns.count;
    if (next != NULL && s->columns.stamps != NULL) {
        bool with_equal = s->thread->thread < next->thread->thread; /* thread numbers order equal stamps */
        if (!with_equal)
            end = first_not_below(s->columns.stamps, s->at, end, next->key);
        else if (next->key < UINT64_MAX)
            end = first_not_below(s->columns.stamps, s->at, end, next->key + 1);
    }
    if (end <= s->at)
        end = s->at + 1; /* impossible, but the merge must always advance */
    return end - s->at > max ? s->at + max : end;
}

/* Backwards: the begin of the batch [begin, s->at) that comes after all events of the others. */
static uint32_t batch_begin(const struct order *o, uint32_t max)
{
    const struct stream *s = o->heap[0], *next = second(o);
    uint32_t begin = 0;
    if (next != NULL && s->columns.stamps != NULL) {
        bool with_equal = s->thread->thread > next->thread->thread;
        uint64_t least = with_equal ? next->key : next->key + 1; /* no overflow: the stamp of s is greater */
        begin = first_not_below(s->columns.stamps, 0, s->at, least);
    }
    if (begin >= s->at)
        begin = s->at - 1;
    return s->at - begin > max ? s->at - max : begin;
}

static enum status step(struct order *o, int direction, uint32_t max, struct order_batch *out, struct error *err)
{
    enum status st = open_top(o, direction, err);
    if (st != OK)
        return st;
    struct stream *s = o->heap[0];
    uint32_t from = direction > 0 ? s->at : batch_begin(o, max);
    uint32_t to = direction > 0 ? batch_end(o, max) : s->at;
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

/* How many events of a stream have a stamp below `stamp`, without those of the chunk *straddling (NULL: none), which
 * must be decoded to count them. */
static uint64_t count_below(const struct thread_chunks *t, uint64_t stamp, const struct chunk_ref **straddling)
{
    size_t low; /* first chunk whose last stamp is not below */
    LOWER_BOUND(low, t->count, t->chunks[low].last_stamp < stamp);
    *straddling = low < t->count && t->chunks[low].first_stamp < stamp ? &t->chunks[low] : NULL;
    return low < t->count ? t->chunks[low].before : t->events;
}

/* How many events of a stream have a stamp below `stamp`. */
static enum status exact_below(hs_trace *t, const struct thread_chunks *s, uint64_t stamp, uint64_t *out,
                               struct error *err)
{
    const struct chunk_ref *c;
    uint64_t n = count_below(s, stamp, &c), more = 0;
    enum status st = c != NULL ? stamps_below(t, c, stamp, &more, err) : OK;
    *out = n + more;
    return st;
}

/* The greatest stamp with at most `seq` events below it. */
static enum status find_stamp(hs_trace *t, uint64_t seq, uint64_t *out, struct error *err)
{
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
            enum status st = exact_below(t, &t->streams[i], mid, &n, err);
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

/* Puts a stream after its first `before` events. */
static void set_before(struct stream *s, uint64_t before)
{
    const struct thread_chunks *t = s->thread;
    size_t low; /* last chunk that begins at or before it */
    LOWER_BOUND(low, t->count, t->chunks[low].before <= before);
    s->chunk = low > 0 ? low - 1 : 0;
    s->at = t->count > 0 ? (uint32_t)(before - t->chunks[s->chunk].before) : 0;
}

/* Puts all streams after their events below `stamp`, and after as many with that stamp as `seq` leaves, by thread
 * number. */
static enum status set_all_before(struct order *o, uint64_t seq, uint64_t stamp, struct error *err)
{
    hs_trace *t = o->trace;
    uint64_t left = seq;
    for (size_t i = 0; i < t->stream_count; i++) {
        uint64_t below;
        enum status st = exact_below(t, &t->streams[i], stamp, &below, err);
        if (st != OK)
            return st;
        set_before(&o->streams[i], below);
        left -= below;
    }
    for (size_t i = 0; left > 0 && i < t->stream_count; i++) {
        uint64_t below, end = t->streams[i].events;
        enum status st = exact_below(t, &t->streams[i], stamp, &below, err);
        if (st != OK)
            return st;
        if (stamp < UINT64_MAX)
            st = exact_below(t, &t->streams[i], stamp + 1, &end, err);
        if (st != OK)
            return st;
        uint64_t equal = end - below < left ? end - below : left;
        set_before(&o->streams[i], below + equal);
        left -= equal;
    }
    return OK;
}

enum status order_seek(struct order *o, uint64_t seq, struct error *err)
{
    const hs_trace *t = o->trace;
    uint64_t stamp = 0;
    stop_ahead(o);
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
    enum status st = find_stamp(o->trace, seq, &stamp, err);
    if (st == OK)
        st = set_all_before(o, seq, stamp, err);
    if (st == OK)
        o->position = seq;
    return st;
}

enum status order_new(hs_trace *t, order_want_fn *want, void *context, struct order **out, struct error *err)
{
    struct order *o = calloc(1, sizeof *o);
    if (o == NULL)
        return error_memory(err, "%s", t->dir);
    o->trace = t;
    o->want = want;
    o->context = context;
    o->stream_count = t->stream_count;
    o->decoder = chunk_decoder_new();
    o->streams = calloc(t->stream_count + 1, sizeof *o->streams);
    o->heap = calloc(t->stream_count + 1, sizeof(struct stream *));
    if (o->decoder == NULL || o->streams == NULL || o->heap == NULL) {
        order_free(o);
        return error_memory(err, "%s", t->dir);
    }
    for (size_t i = 0; i < t->stream_count; i++)
        o->streams[i].thread = &t->streams[i];
    *out = o;
    return OK;
}

enum status order_new_stored(hs_trace *t, struct order **out, struct error *err)
{
    enum status st = order_new(t, NULL, NULL, out, err);
    if (st == OK)
        (*out)->stored = true;
    return st;
}

void order_probe(struct order *o, const uint64_t *ids, uint32_t count)
{
    o->probe = (struct chunk_probe){ ids, count };
}

void order_free(struct order *o)
{
    if (o == NULL)
        return;
    stop_ahead(o);
    for (size_t i = 0; o->streams != NULL && i < o->stream_count; i++)
        close_columns(o, &o->streams[i]);
    if (o->decoder != NULL)
        chunk_decoder_free(o->decoder);
    free(o->streams);
    free(o->heap);
    free(o);
}
