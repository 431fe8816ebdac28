/* frames_at.c - the frames of a thread at a moment, and the events of one frame backwards.
 *
 * The state is that of the last keyframe before the moment and a replay of less than a chunk; without an index, a
 * replay from the start of the thread. The last states of threads are kept, so that a walk forwards costs each
 * event once, and states inside of chunks, so that questions that go back do not apply a chunk for each. */
#include <stdlib.h>

#include "reader/index/sections.h"

static enum status no_memory(const hs_trace *t, struct error *err) { return error_memory(err, "%s", t->dir); }

/* ---- state at a moment ---- */

/* The first varint of a keyframe is the number of frames shared with the one before: 0 begins a chain. Every thread's
 * first keyframe of a segment does. */
static bool apply_keyframe(hs_trace *t, const struct chunk_ref *chunk, struct replay *frames)
{
    struct error err;
    size_t size;
    const uint8_t *raw = index_keyframe(t, chunk, &size);
    return raw != NULL && replay_decode(frames, raw, size, &err) == OK;
}

/* The first chunk of the thread in the segment of this one. */
static const struct chunk_ref *chain_begin(const struct thread_chunks *own, const struct chunk_ref *chunk)
{
    const struct chunk_ref *first = chunk;
    while (first > own->chunks && index_segment(first - 1) == index_segment(chunk) &&
           (first - 1)->number < first->number)
        first--;
    return first;
}

/* Fills `frames` (fresh) with the state before the chunk; false if the index does not have it. */
static bool state_before(hs_trace *t, const struct chunk_ref *chunk, struct replay *frames)
{
    const struct thread_chunks *own = &t->streams[frames->stream];
    if (!index_has_keyframe(t, chunk))
        return false;
    const struct chunk_ref *first = chain_begin(own, chunk);
    for (const struct chunk_ref *c = first; c <= chunk; c++)
        if (!apply_keyframe(t, c, frames)) {
            replay_clear(frames);
            return false;
        }
    frames->position = chunk->before;
    return true;
}

/* States of the last queries: a question that goes from thread to thread does not begin anew each time. */
enum { STATES = 16 };

static void states_free(void *what)
{
    struct replay *states = what;
    for (size_t i = 0; i < STATES; i++)
        replay_done(&states[i]);
    free(states);
}

static struct replay *last_state(hs_trace *t, uint32_t stream)
{
    struct replay *states = trace_attached(t, ATTACHED_FRAMES);
    if (states == NULL) {
        states = calloc(STATES, sizeof *states);
        if (states == NULL)
            return NULL;
        for (size_t i = 0; i < STATES; i++)
            replay_init(&states[i], t, UINT32_MAX);
        trace_attach(t, ATTACHED_FRAMES, states, states_free);
    }
    return &states[stream % STATES];
}

static const bool no_stop[EVENT_LIMIT];

/* Applies the events from the state's position up to `until`. */
enum status frames_run(struct replay *f, uint64_t until, struct error *err)
{
    while (f->position < until) {
        const struct loaded *l;
        const struct chunk_ref *c = positions_chunk(f->trace, (struct event_position){ f->stream, f->position });
        if (c == NULL)
            return error_set(err, ERR_NOT_FOUND, "%s: no such event", f->trace->dir);
        enum status st = positions_load(f->trace, c, CHUNK_ALL, &l, err);
        if (st != OK)
            return st;
        uint64_t end = c->before + c->count < until ? c->before + c->count : until;
        while (f->position < end && f->position - c->before < l->count && !f->no_memory) {
            const uint64_t i = f->position - c->before,
                           rest = (l->count < end - c->before ? l->count : end - c->before) - i;
            if (replay_run(f, l->ids + i, l->values + i, l->stamps + i, (uint32_t)rest, no_stop) == 0)
                replay_apply(f, l->ids[i], l->values[i], l->stamps[i]);
        }
        if (f->no_memory)
            return no_memory(f->trace, err);
        f->position = end; /* a chunk that cannot be read is skipped */
    }
    return OK;
}

/* ---- states inside of chunks, at equal distances: of chunks to which questions have gone back before ---- */

enum { MARKS = 256, MARKED_CHUNKS = 32, MARKS_BYTES = 1 << 20, RECENT = 256 };

struct marked_chunk {
    const struct chunk_ref *chunk;
    struct replay marks[MARKS]; /* before the events at multiples of `distance`; trace NULL: not kept */
    uint64_t distance, used;
    size_t bytes;
};
struct marked {
    struct marked_chunk chunks[MARKED_CHUNKS];
    const struct chunk_ref *recent[RECENT]; /* to which a question went back, by number */
    uint64_t clock;
};

static void forget_marks(struct marked_chunk *m)
{
    for (size_t i = 0; i < MARKS; i++)
        replay_done(&m->marks[i]);
    *m = (struct marked_chunk){ 0 };
}

static void marked_free(void *what)
{
    struct marked *all = what;
    for (size_t i = 0; i < MARKED_CHUNKS; i++)
        if (all->chunks[i].chunk != NULL) /* pages of the others were never touched */
            forget_marks(&all->chunks[i]);
    free(all);
}

/* NULL: no states of the chunk are kept. */
static struct marked_chunk *marks_of(hs_trace *t, const struct chunk_ref *chunk)
{
    struct marked *all = trace_attached(t, ATTACHED_FRAME_MARKS);
    for (size_t i = 0; all != NULL && i < MARKED_CHUNKS; i++)
        if (all->chunks[i].chunk == chunk) {
            all->chunks[i].used = ++all->clock;
            return &all->chunks[i];
        }
    return NULL;
}

/* A question has gone back into the chunk: for the second time, states of it are kept from now on. */
static struct marked_chunk *note_going_back(hs_trace *t, const struct chunk_ref *chunk)
{
    struct marked *all = trace_attached(t, ATTACHED_FRAME_MARKS);
    if (all == NULL && (all = calloc(1, sizeof *all)) != NULL)
        trace_attach(t, ATTACHED_FRAME_MARKS, all, marked_free);
    if (all == NULL)
        return NULL;
    const struct chunk_ref **recent = &all->recent[chunk->number % RECENT];
    if (*recent != chunk) {
        *recent = chunk;
        return NULL;
    }
    struct marked_chunk *oldest = &all->chunks[0];
    for (size_t i = 1; i < MARKED_CHUNKS; i++)
        if (all->chunks[i].used < oldest->used)
            oldest = &all->chunks[i];
    forget_marks(oldest);
    oldest->chunk = chunk;
    oldest->distance = chunk->count / MARKS + 1;
    oldest->used = ++all->clock;
    return oldest;
}

/* The last state that is kept at or before the position; NULL: there is none. */
static const struct replay *mark_before(const struct marked_chunk *m, uint64_t position)
{
    for (uint64_t i = (position - m->chunk->before) / m->distance + 1; i-- > 0;)
        if (m->marks[i].trace != NULL)
            return &m->marks[i];
    return NULL;
}

/* Keeps a state of the chunk, unless those that are kept are too large. */
static void add_mark(struct marked_chunk *m, const struct replay *f)
{
    const uint64_t at = f->position - m->chunk->before;
    const size_t bytes = f->stack.count * sizeof *f->stack.items + f->locals.count * sizeof *f->locals.items +
                         f->monitors.count * sizeof *f->monitors.items;
    struct replay *to = &m->marks[at / m->distance];
    if (at % m->distance != 0 || to->trace != NULL || m->bytes + bytes > MARKS_BYTES)
        return;
    m->bytes += bytes;
    replay_init(to, f->trace, f->stream);
    if (!replay_copy(to, f)) {
        replay_done(to);
        to->trace = NULL;
    }
}

/* frames_run within a chunk, of which states are kept (NULL: none are). */
static enum status run_marking(struct replay *f, uint64_t until, struct marked_chunk *m, struct error *err)
{
    while (m != NULL && f->position < until && f->position >= m->chunk->before) {
        add_mark(m, f);
        const uint64_t rest = m->distance - (f->position - m->chunk->before) % m->distance;
        enum status st = frames_run(f, until - f->position < rest ? until : f->position + rest, err);
        if (st != OK)
            return st;
    }
    return frames_run(f, until, err);
}

enum status frames_at(hs_trace *t, struct event_position at, const struct replay **out, struct error *err)
{
    struct replay *f = last_state(t, at.stream);
    if (f == NULL)
        return no_memory(t, err);
    const struct thread_chunks *s = &t->streams[at.stream];
    if (at.position > s->events || !effects_ready(t))
        return error_set(err, ERR_NOT_FOUND, "%s: thread %u has no event %llu", t->dir, s->thread,
                         (unsigned long long)at.position);
    bool usable = f->stream == at.stream && f->position <= at.position, restored = false;
    const struct chunk_ref *k = at.position == s->events ? s->chunks + s->count : positions_chunk(t, at) + 1;
    struct marked_chunk *marked = at.position == s->events ? NULL : marks_of(t, k - 1);
    const struct replay *mark = marked != NULL ? mark_before(marked, at.position) : NULL;
    if (mark != NULL && (!usable || f->position < mark->position))
        usable = replay_copy(f, mark);
    else if (marked == NULL && !usable && at.position < s->events)
        marked = note_going_back(t, k - 1);
    uint64_t kept = usable ? f->position : 0;
    while (!restored && k-- > s->chunks && k->before > kept) { /* look for a later keyframe to begin from */
        struct replay fresh;
        replay_init(&fresh, t, at.stream);
        restored = state_before(t, k, &fresh);
        if (restored) {
            replay_done(f);
            *f = fresh;
            f->position = k->before;
            f->gap = k > s->chunks ? gap_behind(t, k[-1].last_stamp) : 0;
        } else {
            replay_done(&fresh);
        }
    }
    if (!restored && !usable) {
        replay_clear(f);
        f->stream = at.stream;
    }
    enum status st = run_marking(f, at.position, marked, err);
    if (st != OK) {
        f->stream = UINT32_MAX;
        f->no_memory = false;
        return st;
    }
    /* behind a gap no frame is open */
    if (t->intervals.count > 0 && f->stack.count > 0 && at.position < s->events) {
        struct hs_event next;
        if (positions_event(t, at, &next, err) == OK)
            replay_gap(f, next.stamp);
    }
    *out = f;
    return OK;
}

enum status frames_copy(hs_trace *t, struct event_position at, struct replay *f, struct error *err)
{
    const struct replay *kept;
    struct writer w = { 0 };
    enum status st = frames_at(t, at, &kept, err);
    if (st != OK)
        return st;
    replay_encode(kept, 0, &w);
    st = w.bad ? no_memory(t, err) : replay_decode(f, w.data, w.size, err);
    writer_free(&w);
    f->position = at.position;
    f->gap = kept->gap;
    return st;
}

/* ---- the states before chunks ---- */

void frame_scan_init(struct frame_scan *s, hs_trace *t, uint32_t stream)
{
    replay_init(&s->frames, t, stream);
    s->next = SIZE_MAX;
}

void frame_scan_done(struct frame_scan *s) { replay_done(&s->frames); }

const struct replay *frame_scan_to(struct frame_scan *s, size_t chunk)
{
    hs_trace *t = s->frames.trace;
    const struct thread_chunks *own = &t->streams[s->frames.stream];
    if (s->next != SIZE_MAX && chunk + 1 == s->next)
        return &s->frames;
    size_t first = (size_t)(chain_begin(own, &own->chunks[chunk]) - own->chunks);
    if (s->next == SIZE_MAX || s->next < first || s->next > chunk)
        s->next = first;
    for (; s->next <= chunk; s->next++)
        if (!index_has_keyframe(t, &own->chunks[s->next]) || !apply_keyframe(t, &own->chunks[s->next], &s->frames)) {
            replay_clear(&s->frames);
            s->next = SIZE_MAX;
            return NULL;
        }
    return &s->frames;
}

/* ---- walking back in one frame ---- */

void frame_walk_begin(struct frame_walk *w, hs_trace *t, struct event_position at, const struct call_frame *frame)
{
    *w = (struct frame_walk){ .trace = t,
                              .stream = at.stream,
                              .method = frame->method,
                              .entry = frame->entry,
                              .position = at.position,
                              .begin = NO_POSITION };
}

/* At the head of a chunk, inside calls: moves to the frame's own latest event. */
static void jump(struct frame_walk *w)
{
    const struct chunk_ref *c = positions_chunk(w->trace, (struct event_position){ w->stream, w->position });
    struct replay state;
    if (c == NULL || c->before != w->position || w->entry == NO_POSITION || w->entry >= c->before)
        return;
    replay_init(&state, w->trace, w->stream);
    if (state_before(w->trace, c, &state))
        for (size_t i = state.stack.count; i-- > 0;)
            if (state.stack.items[i].entry == w->entry && i + 1 == state.stack.count - w->depth) {
                w->position = state.stack.items[i].last + 1;
                w->depth = 0;
                break;
            }
    replay_done(&state);
}

/* Passes over the events of the calls that the frame made, as far as they lie in the chunk. */
static void skip_calls(struct frame_walk *w, const struct loaded *l)
{
    const struct effect *rows = effects_known(w->trace);
    const uint64_t before = l->chunk->before;
    const uint64_t least = w->entry != NO_POSITION && w->entry > before ? w->entry + 1 : before + 1;
    while (rows != NULL && w->position > least && w->position - 1 - before < l->count) {
        const unsigned op = rows[l->ids[w->position - 1 - before]].op;
        if (op == EFFECT_ENTER || op == EFFECT_LEAVE)
            return;
        w->position--;
    }
}

enum status frame_walk_back(struct frame_walk *w, struct hs_event *out, struct error *err)
{
    while (!w->done && w->position > 0 && (w->entry == NO_POSITION || w->position > w->entry)) {
        if (w->depth > 0) {
            jump(w);
            const struct chunk_ref *c =
                positions_chunk(w->trace, (struct event_position){ w->stream, w->position - 1 });
            const struct loaded *l = c != NULL ? positions_kept(w->trace, c, CHUNK_ALL) : NULL;
            if (w->depth > 0 && l != NULL && w->begin != NO_POSITION && l->stamps[0] >= w->begin)
                skip_calls(w, l);
        }
        struct event_position at = { w->stream, --w->position };
        enum status st = positions_event(w->trace, at, out, err);
        if (st == ERR_NOT_FOUND)
            continue; /* a chunk that cannot be read */
        if (st != OK)
            return st;
        if (w->begin == NO_POSITION)
            w->begin = gap_before(w->trace, out->stamp);
        if (out->stamp < w->begin)
            break;
        const struct effect *f = effects_get(w->trace, out->dataid);
        if (f->op == EFFECT_LEAVE && (w->depth > 0 || w->position != w->entry)) {
            w->depth++;
            continue;
        }
        if (f->op == EFFECT_ENTER && w->depth > 0) {
            w->depth--;
            continue;
        }
        if (w->depth > 0 || f->op == EFFECT_STRANGE || f->method != w->method)
            continue;
        w->done = f->op == EFFECT_ENTER;
        return OK;
    }
    w->done = true;
    return ERR_NOT_FOUND;
}
