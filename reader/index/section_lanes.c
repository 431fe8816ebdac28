/* section_lanes.c - what each thread did, in the index: its events in pieces, and the calls open at the begin of each.
 * A picture of a long run is drawn from these; a piece is small beside what is shown then.
 *
 *     section  per chunk: varint number in the segment + 1, varint thread, varint pieces | each piece | ... | varint 0
 *     piece    varint events, varint calls begun, varint exits by an exception, varint stamp - that of the one before
 *              (first: of the chunk), varint ns of its first event (0: no clock),
 *              varint depth before it, varint depth - least in it, varint most in it - depth
 *              pause before it: varint ns, 0 none | varint data ID of the event before, svarint its value, varint its
 *                     stamp
 *              frames: varint number shared with the piece before, varint others | each: varint method,
 *                     svarint position of the entry + 1 - that of the frame below (0: not recorded)
 *
 * A piece begins with each chunk, behind LANE_EVENTS events and behind a pause; the last one of a thread has no events,
 * and the calls that were open at the end. Only the LANE_FRAMES outermost frames are kept. A segment has none if a
 * chunk of it cannot be read, or if its recording had not ended: the clock was not complete. */
#include "reader/index/sections.h"

#include <stdlib.h>

/* ---- writing ---- */

bool lane_writer_init(struct lane_writer *w, hs_trace *t)
{
    *w = (struct lane_writer){ .trace = t };
    w->last = calloc(t->stream_count + 1, sizeof *w->last);
    return w->last != NULL;
}

void lane_writer_done(struct lane_writer *w)
{
    writer_free(&w->section);
    writer_free(&w->pieces);
    vec_free(&w->frames);
    free(w->last);
}

void lane_segment_begin(struct lane_writer *w) { w->section.size = 0; }

static void end_piece(struct lane_writer *w)
{
    const struct lane_piece *p = &w->piece;
    struct writer *o = &w->pieces;
    write_varint(o, p->events);
    write_varint(o, p->calls);
    write_varint(o, p->exceptions);
    write_varint(o, p->stamp - w->stamp);
    write_varint(o, p->ns);
    write_varint(o, p->depth);
    write_varint(o, p->depth - p->least);
    write_varint(o, p->most - p->depth);
    write_varint(o, w->pause.ns);
    if (w->pause.ns > 0) {
        write_varint(o, w->pause.dataid);
        write_svarint(o, (int64_t)w->pause.value);
        write_varint(o, w->pause.begin_stamp);
    }
    write_varint(o, w->shared);
    write_varint(o, w->frames.count - w->shared);
    uint64_t below = w->shared > 0 ? w->frames.items[w->shared - 1].entry + 1 : 0;
    for (size_t i = w->shared; i < w->frames.count; i++) {
        const struct lane_frame *f = &w->frames.items[i];
        write_varint(o, f->method);
        write_svarint(o, (int64_t)(f->entry + 1 - below)); /* NO_POSITION + 1 is 0 */
        below = f->entry + 1;
    }
    w->stamp = p->stamp;
    w->count++;
}

/* The frames of the piece: those of the one before that are still open are shared with it. */
static bool take_frames(struct lane_writer *w, const struct replay *f)
{
    size_t n = f->stack.count < LANE_FRAMES ? f->stack.count : LANE_FRAMES, same = 0;
    while (same < n && same < w->frames.count && w->frames.items[same].method == f->stack.items[same].method &&
           w->frames.items[same].entry == f->stack.items[same].entry)
        same++;
    w->shared = same;
    w->frames.count = same;
    for (size_t i = same; i < n; i++) {
        struct lane_frame *to = vec_push(&w->frames);
        if (to == NULL)
            return false;
        *to = (struct lane_frame){ .method = f->stack.items[i].method, .entry = f->stack.items[i].entry };
    }
    return true;
}

static bool begin_piece(struct lane_writer *w, const struct replay *f, uint64_t stamp, uint64_t ns)
{
    uint32_t depth = f->stack.count < UINT32_MAX ? (uint32_t)f->stack.count : UINT32_MAX;
    w->piece = (struct lane_piece){ .stamp = stamp, .ns = ns, .depth = depth, .least = depth, .most = depth };
    w->pause = (struct lane_pause){ 0 };
    return take_frames(w, f);
}

void lane_chunk_begin(struct lane_writer *w, uint32_t stream, const struct chunk_ref *chunk)
{
    struct lane_last *last = &w->last[stream];
    struct hs_event e;
    struct error ignored;
    w->stream = stream;
    w->chunk = chunk;
    w->stamp = chunk->first_stamp;
    w->count = 0;
    w->pieces.size = 0;
    w->piece.events = 0;
    w->frames.count = 0;
    if (chunk->before == 0 || last->position == chunk->before)
        return;
    *last = (struct lane_last){ 0 }; /* an earlier part is indexed, or chunks were stored out of order */
    if (positions_event(w->trace, (struct event_position){ stream, chunk->before - 1 }, &e, &ignored) == OK)
        *last = (struct lane_last){ chunk->before, e.stamp,
                                    call_time_ns(w->trace, e.stamp, e.time_ns != HS_NO_TIME ? &e.time_ns : NULL,
                                                 &w->clock_at),
                                    e.value, e.dataid };
}

bool lane_event(struct lane_writer *w, const struct replay *f, uint32_t id, uint64_t value, uint64_t stamp,
                const uint64_t *time_ns)
{
    struct lane_last *last = &w->last[w->stream];
    bool same = time_ns == NULL && last->position > 0 && last->stamp == stamp;
    uint64_t ns = same ? last->ns : call_time_ns(w->trace, stamp, time_ns, &w->clock_at);
    const struct effect *effect = effects_get(w->trace, id);
    struct lane_piece *p = &w->piece;
    bool paused = last->position > 0 && ns >= last->ns + PAUSE_NS && gap_behind(w->trace, last->stamp) > stamp;
    if (p->events == LANE_EVENTS || (paused && p->events > 0)) {
        end_piece(w);
        p->events = 0;
    }
    if (p->events == 0 && !begin_piece(w, f, stamp, ns))
        return false;
    if (paused)
        w->pause = (struct lane_pause){
            .ns = ns - last->ns, .begin_stamp = last->stamp, .value = last->value, .dataid = last->id
        };
    uint32_t depth = f->stack.count < UINT32_MAX ? (uint32_t)f->stack.count : UINT32_MAX;
    p->least = depth < p->least ? depth : p->least;
    p->most = depth > p->most ? depth : p->most;
    p->calls += effect->op == EFFECT_ENTER;
    p->exceptions += effect->event == EVENT_METHOD_EXCEPTIONAL_EXIT;
    p->events++;
    *last = (struct lane_last){ f->position + 1, stamp, ns, value, id };
    return true;
}

void lane_run(struct lane_writer *w, const struct replay *f, uint32_t count, uint32_t id, uint64_t value)
{
    struct lane_last *last = &w->last[w->stream];
    struct lane_piece *p = &w->piece;
    uint32_t depth = f->stack.count < UINT32_MAX ? (uint32_t)f->stack.count : UINT32_MAX;
    p->least = depth < p->least ? depth : p->least;
    p->most = depth > p->most ? depth : p->most;
    p->events += count;
    *last = (struct lane_last){ f->position, last->stamp, last->ns, value, id };
}

bool lane_chunk_end(struct lane_writer *w, const struct replay *f)
{
    const struct thread_chunks *own = &w->trace->streams[w->stream];
    struct lane_last *last = &w->last[w->stream];
    if (w->piece.events > 0)
        end_piece(w);
    if (w->chunk == own->chunks + own->count - 1 && last->position > 0) {
        if (!begin_piece(w, f, last->stamp, last->ns))
            return false;
        end_piece(w);
    }
    write_varint(&w->section, w->chunk->number % SEGMENT_CHUNKS + 1);
    write_varint(&w->section, own->thread);
    write_varint(&w->section, w->count);
    write_bytes(&w->section, w->pieces.data, w->pieces.size);
    return !w->section.bad && !w->pieces.bad;
}

void lane_segment_encode(const struct lane_writer *w, struct writer *out)
{
    write_bytes(out, w->section.data, w->section.size);
    write_varint(out, 0);
}

/* ---- reading ---- */

/* Passes the frames of a piece; onto `stack` unless it is NULL. */
static bool read_frames(struct reader *r, hs_trace *t, lane_frame_vec *stack)
{
    uint64_t shared = read_varint(r), more = read_varint(r), below = 0;
    if (stack != NULL) {
        if (shared > stack->count)
            return false;
        stack->count = shared;
        below = shared > 0 ? stack->items[shared - 1].entry + 1 : 0;
    }
    if (shared + more > LANE_FRAMES || more > LANE_FRAMES)
        return false;
    for (uint64_t i = 0; i < more && !r->bad; i++) {
        uint64_t method = read_varint(r);
        below += (uint64_t)read_svarint(r);
        struct lane_frame *f = stack != NULL ? vec_push(stack) : NULL;
        if (stack == NULL)
            continue;
        if (f == NULL || method > UINT32_MAX || hs_method_get(t, (uint32_t)method) == NULL)
            return false;
        *f = (struct lane_frame){ .method = (uint32_t)method, .entry = below - 1 };
    }
    return !r->bad;
}

static bool read_piece(struct reader *r, hs_trace *t, struct lane_piece *p, struct lane_pause *pause)
{
    uint64_t events = read_varint(r), calls = read_varint(r), exceptions = read_varint(r);
    p->stamp += read_varint(r);
    p->ns = read_varint(r);
    uint64_t depth = read_varint(r), less = read_varint(r), more = read_varint(r);
    *pause = (struct lane_pause){ .ns = read_varint(r) };
    if (pause->ns > 0) {
        uint64_t dataid = read_varint(r);
        pause->value = (uint64_t)read_svarint(r);
        pause->begin_stamp = read_varint(r);
        if (dataid >= t->kind_count)
            return false;
        pause->dataid = (uint32_t)dataid;
    }
    if (r->bad || events > LANE_EVENTS || calls > events || exceptions > events || depth > UINT32_MAX || less > depth ||
        more > UINT32_MAX - depth)
        return false;
    p->events = (uint32_t)events;
    p->calls = (uint32_t)calls;
    p->exceptions = (uint32_t)exceptions;
    p->depth = (uint32_t)depth;
    p->least = (uint32_t)(depth - less);
    p->most = (uint32_t)(depth + more);
    p->frames = r->at;
    return read_frames(r, t, NULL);
}

bool lane_read_chunk(struct reader *r, hs_trace *t, const struct thread_chunks *own, const struct chunk_ref *chunk,
                     lane_piece_fn *each, void *context)
{
    uint64_t n = read_varint(r);
    struct lane_piece p = { .stamp = chunk->first_stamp, .position = chunk->before };
    struct lane_pause pause;
    for (uint64_t i = 0; i < n; i++) {
        if (!read_piece(r, t, &p, &pause) || p.events > own->events - p.position || (p.position == 0 && pause.ns > 0) ||
            !each(context, &p, &pause))
            return false;
        p.position += p.events;
    }
    return p.position == chunk->before + chunk->count;
}

bool lane_skip_chunk(struct reader *r, hs_trace *t)
{
    struct lane_piece p = { 0 };
    struct lane_pause pause;
    uint64_t n = read_varint(r);
    for (uint64_t i = 0; i < n; i++)
        if (!read_piece(r, t, &p, &pause))
            return false;
    return !r->bad;
}

bool lane_read_frames(hs_trace *t, const void *section, size_t size, size_t at, lane_frame_vec *stack)
{
    struct reader r = reader_of(section, size);
    r.at = at;
    return read_frames(&r, t, stack);
}

bool lane_pass_joined(hs_trace *t, const void *section, size_t size, const struct lane_piece *p, lane_frame_vec *stack)
{
    struct reader r = reader_of(section, size);
    struct lane_piece next = { 0 };
    struct lane_pause pause;
    r.at = p->frames;
    bool ok = read_frames(&r, t, NULL);
    for (uint32_t i = 0; ok && i < p->joined; i++)
        ok = read_piece(&r, t, &next, &pause) && lane_read_frames(t, section, size, next.frames, stack);
    return ok;
}
