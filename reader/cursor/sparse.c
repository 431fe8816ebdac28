/* sparse.c - see sparse.h.
 *
 * A heap orders the streams by their next event that passes or, while the next candidate chunk is not decoded, by the
 * least (backwards: greatest) stamp of that chunk; it is decoded when it comes to the top. The position is a cut
 * through all streams: (stamp, stream, position). Changing direction or seeking rebuilds the heap from the cut. */
#include "reader/cursor/sparse.h"

#include "reader/cursor/elements.h"

#include <stdlib.h>
#include <string.h>

#include "formats/search.h"

/* KEEP_CHUNKS: a cursor that has come through more chunks leaves those behind it (positions_leave).
 * FIRST_EVENTS: of the first chunk of a walk at most so many events are looked at, and the others when these are behind
 * it: many walks are for one event beside the cut. */
enum { MANY_IDS = 128, KEEP_CHUNKS = 8, FIRST_EVENTS = 256 };

struct match {
    uint64_t value, stamp, time_ns, position;
    uint32_t id;
    char kind;
};

struct run {
    uint32_t stream;
    size_t chunk; /* the candidate; backwards it counts from 1, 0 is the end */
    bool loaded;
    bool begun; /* a chunk was loaded since the heap was built */
    bool rest;  /* of the chunk that is loaded, events behind the matches were not looked at */
    VEC(struct match) matches;
    size_t at; /* next match; backwards matches[at - 1] */
    uint64_t key;
};

struct cut {
    uint64_t stamp, position;
    uint32_t stream;
};

struct sparse {
    hs_trace *trace;
    const struct filter *filter;
    struct run *runs; /* of the streams that are wanted, rising */
    size_t run_count;
    struct run **heap;
    size_t heap_count;
    int direction;        /* 0: to be built */
    struct cut cut;       /* events below it lie before the position */
    uint64_t least, most; /* stamps that from and to of the filter leave */
    uint64_t *candidates; /* by segment */
    bool *known;
    uint64_t segment_count;
    struct read_ahead *ahead;
    unsigned in_a_row;   /* candidates loaded forwards since the last seek or turn, up to READ_AHEAD_AFTER */
    unsigned loads;      /* chunks decoded, up to KEEP_CHUNKS */
    uint32_t ids_wanted; /* data IDs that the filter lets pass, up to MANY_IDS */
    uint32_t ids[MANY_IDS];
    struct element_memos memos;
};

static enum status no_memory(const hs_trace *t, struct error *err) { return error_memory(err, "%s", t->dir); }

static void stop_ahead(struct sparse *s)
{
    read_ahead_end(s->ahead);
    s->ahead = NULL;
    s->in_a_row = 0;
}

/* The streams of the threads that are wanted: a trace may have very many others. */
static void choose_streams(struct sparse *s)
{
    const struct filter *f = s->filter;
    size_t n = 0;
    for (size_t i = 0; i < s->run_count; i++) {
        uint32_t stream = f->any_thread ? (uint32_t)i : positions_stream(s->trace, f->threads[i]);
        if (stream != UINT32_MAX && (n == 0 || s->runs[n - 1].stream != stream))
            s->runs[n++].stream = stream;
    }
    s->run_count = n;
}

static void count_segments(struct sparse *s, const struct thread_chunks *own)
{
    for (size_t i = 0; i < own->count; i++)
        if (index_segment(&own->chunks[i]) >= s->segment_count)
            s->segment_count = index_segment(&own->chunks[i]) + 1;
}

enum status sparse_new(hs_trace *t, const struct filter *filter, struct sparse **out, struct error *err)
{
    struct sparse *s = calloc(1, sizeof *s);
    if (s == NULL)
        return no_memory(t, err);
    s->trace = t;
    s->filter = filter;
    s->run_count = filter->any_thread ? t->stream_count : filter->thread_count;
    s->runs = calloc(s->run_count + 1, sizeof *s->runs);
    s->heap = calloc(s->run_count + 1, sizeof(struct run *));
    if (s->runs == NULL || s->heap == NULL) {
        sparse_free(s);
        return no_memory(t, err);
    }
    choose_streams(s);
    for (size_t i = 0; i < s->run_count; i++)
        count_segments(s, &t->streams[s->runs[i].stream]);
    if (s->segment_count > t->chunk_count + SEGMENT_CHUNKS)
        s->segment_count = 0; /* numbers of a damaged directory: every chunk is a candidate */
    s->candidates = calloc(s->segment_count + 1, sizeof *s->candidates);
    s->known = calloc(s->segment_count + 1, sizeof *s->known);
    if (s->candidates == NULL || s->known == NULL) {
        sparse_free(s);
        return no_memory(t, err);
    }
    sparse_narrowed(s);
    s->most = UINT64_MAX;
    *out = s;
    return OK;
}

void sparse_free(struct sparse *s)
{
    if (s == NULL)
        return;
    stop_ahead(s);
    for (size_t i = 0; s->runs != NULL && i < s->run_count; i++)
        vec_free(&s->runs[i].matches);
    free(s->runs);
    free(s->heap);
    free(s->candidates);
    free(s->known);
    free(s);
}

void sparse_narrowed(struct sparse *s)
{
    const struct filter *f = s->filter;
    stop_ahead(s);
    s->ids_wanted = 0;
    for (uint32_t i = 0; f->ids != NULL && i < f->id_count / 64 + 1; i++)
        for (uint64_t left = f->ids[i]; left != 0 && s->ids_wanted < MANY_IDS; left &= left - 1)
            s->ids[s->ids_wanted++] = i * 64 + (uint32_t)__builtin_ctzll(left);
    memset(s->known, 0, s->segment_count * sizeof *s->known);
}

/* ---- candidates ---- */

/* Data IDs of a segment whose events may have the value that is wanted. */
struct with_value {
    const struct sparse *s;
    u32_vec references; /* all that the filter lets pass */
    bool stood_for;     /* objects may stand for it */
    bool no_memory;
};

static bool may_have(void *context, uint32_t id, const struct segment_values *values)
{
    struct with_value *v = context;
    const hs_trace *t = v->s->trace;
    const struct filter *f = v->s->filter;
    if (id >= t->kind_count) {
        v->stood_for = v->stood_for || wanted_stood_for(&f->wanted, (uint8_t)(id - t->kind_count), values);
        return false;
    }
    const uint8_t kind = t->kinds[id] & 0x7f;
    if (!filter_id(f, id))
        return false;
    uint32_t *to = kind == KIND_REF ? vec_push(&v->references) : NULL;
    if (to != NULL)
        *to = id;
    v->no_memory = v->no_memory || (kind == KIND_REF && to == NULL);
    return !(kind == KIND_REF && f->only_found) && wanted_among(&f->wanted, kind, values);
}

/* The chunks that have one of the data IDs. */
static uint64_t chunks_with(struct sparse *s, uint64_t segment, const struct index_want *want, const u32_vec *ids)
{
    struct index_want some = *want;
    some.objects = NULL;
    some.many = false;
    some.list = ids->items;
    some.list_count = (uint32_t)ids->count;
    return ids->count > 0 ? index_candidates(s->trace, segment, &some) : 0;
}

/* The chunks of a segment that may have the value. Objects that were found are looked up by themselves. */
static uint64_t chunks_with_value(struct sparse *s, uint64_t segment, const struct index_want *want)
{
    struct with_value v = { .s = s };
    struct index_want all = *want;
    u32_vec ids = { 0 };
    uint64_t bits = want->objects != NULL ? index_candidates(s->trace, segment, want) : 0;
    all.objects = NULL;
    if (!index_values(s->trace, segment, may_have, &v, &ids) || v.no_memory)
        bits = index_candidates(s->trace, segment, &all);
    else
        bits |= chunks_with(s, segment, want, &ids) | (v.stood_for ? chunks_with(s, segment, want, &v.references) : 0);
    vec_free(&ids);
    vec_free(&v.references);
    return bits;
}

bool sparse_candidate(struct sparse *s, const struct chunk_ref *c)
{
    const struct filter *f = s->filter;
    uint64_t segment = index_segment(c);
    if (segment >= s->segment_count)
        return true;
    if (!s->known[segment]) {
        struct index_want want = { .ids = f->ids,
                                   .id_count = f->id_count,
                                   .list = s->ids,
                                   .list_count = s->ids_wanted,
                                   .object = f->object,
                                   .objects = f->only_found ? &f->found : NULL,
                                   .keys = f->keys.items,
                                   .key_count = f->keys.count,
                                   .many = s->ids_wanted >= MANY_IDS };
        s->candidates[segment] = f->by_value && f->object == 0 && !f->by_text && f->keys.count == 0
                                     ? chunks_with_value(s, segment, &want)
                                     : index_candidates(s->trace, segment, &want);
        s->known[segment] = true;
    }
    return (s->candidates[segment] & index_bit(c)) != 0;
}

bool sparse_pays(struct sparse *s, uint64_t *first)
{
    size_t n = 0;
    *first = UINT64_MAX;
    if (s->trace->stream_count <= 1 || s->filter->object != 0) /* events of one object are few among all */
        return true;
    for (size_t i = 0; i < s->run_count; i++) {
        const struct thread_chunks *own = &s->trace->streams[s->runs[i].stream];
        for (size_t k = 0; k < own->count; k++) {
            bool may = sparse_candidate(s, &own->chunks[k]);
            n += may;
            if (may && own->chunks[k].first_stamp < *first)
                *first = own->chunks[k].first_stamp;
        }
    }
    return n < s->trace->chunk_count / 2 + 8;
}

/* The kind of event `i` of a chunk, as the cursor over all chunks has it. */
static char kind_of(struct sparse *s, const struct run *r, const struct loaded *l, uint32_t i)
{
    hs_trace *t = s->trace;
    uint32_t id = l->ids[i];
    char kind = (char)(id < t->kind_count ? t->kinds[id] & 0x7f : KIND_VOID);
    if (kind != KIND_BYTE)
        return kind;
    struct hs_event e = { .thread = t->streams[r->stream].thread,
                          .dataid = id,
                          .value = l->values[i],
                          .stamp = l->stamps[i],
                          .kind = kind,
                          .position = l->chunk->before + i };
    return element_kind_in(t, &s->memos, &e, l->ids + i, l->values + i, i);
}

static bool before_cut(const struct cut *cut, uint64_t stamp, uint32_t stream, uint64_t position)
{
    if (stamp != cut->stamp)
        return stamp < cut->stamp;
    return stream != cut->stream ? stream < cut->stream : position < cut->position;
}

/* Moves to the next candidate chunk, which may be the current one; false at the end of the stream. */
static bool find_candidate(struct sparse *s, struct run *r)
{
    const struct thread_chunks *own = &s->trace->streams[r->stream];
    r->loaded = false;
    if (s->direction > 0) {
        while (r->chunk < own->count && own->chunks[r->chunk].first_stamp <= s->most &&
               !sparse_candidate(s, &own->chunks[r->chunk]))
            r->chunk++;
        if (r->chunk == own->count || own->chunks[r->chunk].first_stamp > s->most)
            return false;
        r->key = own->chunks[r->chunk].first_stamp;
    } else {
        while (r->chunk > 0 && own->chunks[r->chunk - 1].last_stamp >= s->least &&
               !sparse_candidate(s, &own->chunks[r->chunk - 1]))
            r->chunk--;
        if (r->chunk == 0 || own->chunks[r->chunk - 1].last_stamp < s->least)
            return false;
        r->key = own->chunks[r->chunk - 1].last_stamp;
    }
    return true;
}

static const struct chunk_ref *candidate_of(const struct sparse *s, const struct run *r)
{
    return &s->trace->streams[r->stream].chunks[s->direction > 0 ? r->chunk : r->chunk - 1];
}

static size_t ahead_from(void *context, size_t stream)
{
    const struct sparse *s = context;
    size_t i;
    LOWER_BOUND(i, s->run_count, s->runs[i].stream < stream);
    return i < s->run_count && s->runs[i].stream == stream ? s->runs[i].chunk + s->runs[i].loaded : SIZE_MAX;
}

static unsigned ahead_want(void *context, const struct chunk_ref *c)
{
    struct sparse *s = context;
    return c->first_stamp <= s->most && sparse_candidate(s, c) ? CHUNK_ALL : 0;
}

/* Before a candidate is loaded. */
static void reach_ahead(struct sparse *s)
{
    if (s->direction > 0 && s->in_a_row < READ_AHEAD_AFTER && ++s->in_a_row == READ_AHEAD_AFTER)
        s->ahead = read_ahead_begin(s->trace, ahead_from, ahead_want, s, NULL);
}

/* The first event of the chunk that is not before the cut. */
static uint32_t find_cut(const struct sparse *s, const struct run *r, const struct loaded *l)
{
    uint32_t i;
    LOWER_BOUND(i, l->count, before_cut(&s->cut, l->stamps[i], r->stream, l->chunk->before + i));
    return i;
}

/* Keeps what passes of the events `i` to `end`. */
static enum status keep_matches(struct sparse *s, struct run *r, const struct loaded *l, uint32_t i, uint32_t end,
                                struct error *err)
{
    hs_trace *t = s->trace;
    const bool values_matter = filter_value_matters(s->filter);
    r->matches.count = 0;
    for (; (i = filter_scan(s->filter, t, l->ids, l->values, i, end)) < end; i++) {
        uint32_t id = l->ids[i];
        char kind = kind_of(s, r, l, i);
        if (values_matter && !filter_value(s->filter, t, (uint8_t)kind, l->values[i]))
            continue;
        struct match *m = vec_push(&r->matches);
        if (m == NULL)
            return no_memory(t, err);
        *m = (struct match){ l->values[i],         l->stamps[i], l->timed ? l->times[i] : HS_NO_TIME,
                             l->chunk->before + i, id,           kind };
    }
    return OK;
}

/* Decodes the candidate and keeps what passes and lies on the right side of the cut. */
static enum status load(struct sparse *s, struct run *r, struct error *err)
{
    const struct chunk_ref *c = candidate_of(s, r);
    const struct loaded *l;
    reach_ahead(s);
    enum status st = positions_load(s->trace, c, CHUNK_ALL, &l, err);
    if (s->ahead != NULL)
        read_ahead_drop(s->ahead, c);
    if (st != OK)
        return st;
    uint32_t cut = find_cut(s, r, l), first = s->direction > 0 ? cut : 0, end = s->direction > 0 ? l->count : cut;
    r->rest = !r->begun && end - first > FIRST_EVENTS;
    if (r->rest)
        st = s->direction > 0 ? keep_matches(s, r, l, first, first + FIRST_EVENTS, err)
                              : keep_matches(s, r, l, end - FIRST_EVENTS, end, err);
    r->rest = r->rest && r->matches.count > 0; /* the cut does not move without one */
    if (st == OK && !r->rest)
        st = keep_matches(s, r, l, first, end, err);
    if (st != OK)
        return st;
    r->begun = r->loaded = true;
    s->loads += s->loads < KEEP_CHUNKS;
    r->at = s->direction > 0 ? 0 : r->matches.count;
    return OK;
}

/* ---- heap ---- */

static bool comes_first(const struct run *a, const struct run *b, int direction)
{
    bool less = a->key != b->key ? a->key < b->key : a->stream < b->stream;
    return direction > 0 ? less : !less;
}

static void sift_down(struct sparse *s, size_t i)
{
    struct run *r = s->heap[i];
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= s->heap_count)
            break;
        if (child + 1 < s->heap_count && comes_first(s->heap[child + 1], s->heap[child], s->direction))
            child++;
        if (!comes_first(s->heap[child], r, s->direction))
            break;
        s->heap[i] = s->heap[child];
        i = child;
    }
    s->heap[i] = r;
}

/* First chunk that can hold events behind the cut, or (from 1) last one that can hold some before it. Many chunks may
 * have the stamp of the cut. */
static size_t chunk_at_cut(const struct sparse *s, uint32_t stream)
{
    const struct thread_chunks *own = &s->trace->streams[stream];
    const struct chunk_ref *c = own->chunks;
    const struct cut *cut = &s->cut;
    size_t at;
    if (stream == cut->stream)
        LOWER_BOUND(at, own->count,
                    s->direction > 0 ? c[at].before + c[at].count <= cut->position : c[at].before < cut->position);
    else if (s->direction > 0)
        LOWER_BOUND(at, own->count, before_cut(cut, c[at].last_stamp, stream, 0));
    else
        LOWER_BOUND(at, own->count, before_cut(cut, c[at].first_stamp, stream, 0));
    return at;
}

static void build_heap(struct sparse *s, int direction)
{
    stop_ahead(s);
    s->direction = direction;
    s->heap_count = 0;
    for (size_t i = 0; i < s->run_count; i++) {
        struct run *r = &s->runs[i];
        r->chunk = chunk_at_cut(s, r->stream);
        r->begun = r->rest = false;
        if (find_candidate(s, r))
            s->heap[s->heap_count++] = r;
    }
    for (size_t i = s->heap_count / 2; i-- > 0;)
        sift_down(s, i);
}

/* Sifts the run on top down after it has moved by one chunk or event. */
static void settle_top(struct sparse *s)
{
    struct run *r = s->heap[0];
    bool more = r->loaded && (s->direction > 0 ? r->at < r->matches.count : r->at > 0);
    if (more) {
        r->key = r->matches.items[s->direction > 0 ? r->at : r->at - 1].stamp;
    } else if (r->loaded && r->rest) { /* it stays on top: its key is that of the event before */
        r->loaded = r->rest = false;
    } else {
        if (r->loaded && s->loads == KEEP_CHUNKS)
            positions_leave(s->trace,
                            s->direction > 0 ? candidate_of(s, r)->last_stamp : candidate_of(s, r)->first_stamp,
                            s->direction);
        r->chunk += s->direction > 0 ? 1 : (size_t)-1;
        if (s->trace->stream_count > 64)
            vec_free(&r->matches);
        if (!find_candidate(s, r))
            s->heap[0] = s->heap[--s->heap_count];
    }
    if (s->heap_count > 0)
        sift_down(s, 0);
}

static enum status step(struct sparse *s, int direction, struct hs_event *out, struct error *err)
{
    if (s->direction != direction)
        build_heap(s, direction);
    for (;;) {
        if (s->heap_count == 0)
            return ERR_NOT_FOUND;
        struct run *r = s->heap[0];
        if (r->loaded)
            break;
        enum status st = load(s, r, err);
        if (st != OK) {
            s->direction = 0;
            return st;
        }
        settle_top(s);
    }
    struct run *r = s->heap[0];
    const struct match *m = &r->matches.items[direction > 0 ? r->at++ : --r->at];
    *out = (struct hs_event){ .seq = UINT64_MAX,
                              .thread = s->trace->streams[r->stream].thread,
                              .dataid = m->id,
                              .value = m->value,
                              .stamp = m->stamp,
                              .time_ns = m->time_ns,
                              .position = m->position,
                              .kind = m->kind };
    s->cut = (struct cut){ m->stamp, m->position + (direction > 0 ? 1 : 0), r->stream };
    settle_top(s);
    return positions_number(s->trace, out, err);
}

enum status sparse_next(struct sparse *s, struct hs_event *out, struct error *err) { return step(s, 1, out, err); }
enum status sparse_previous(struct sparse *s, struct hs_event *out, struct error *err) { return step(s, -1, out, err); }

/* Place and stamp of event `seq`. */
static enum status stamp_at(hs_trace *t, uint64_t seq, struct event_position *at, uint64_t *stamp, struct error *err)
{
    enum status st = positions_find(t, seq, at, err);
    return st == OK ? positions_stamp(t, *at, stamp, err) : st;
}

enum status sparse_seek(struct sparse *s, uint64_t seq, struct error *err)
{
    struct event_position at;
    uint64_t stamp;
    stop_ahead(s);
    s->direction = 0;
    if (seq == 0) {
        s->cut = (struct cut){ 0 };
        return OK;
    }
    if (seq >= s->trace->events) {
        s->cut = (struct cut){ UINT64_MAX, UINT64_MAX, UINT32_MAX };
        return OK;
    }
    enum status st = stamp_at(s->trace, seq, &at, &stamp, err);
    if (st == OK)
        s->cut = (struct cut){ stamp, at.position, at.stream };
    return st;
}

enum status sparse_bound(struct sparse *s, struct error *err)
{
    const struct filter *f = s->filter;
    struct event_position at;
    enum status st = OK;
    if (f->from > 0 && f->from < s->trace->events)
        st = stamp_at(s->trace, f->from, &at, &s->least, err);
    if (st == OK && f->to < s->trace->events)
        st = stamp_at(s->trace, f->to, &at, &s->most, err);
    return st;
}
