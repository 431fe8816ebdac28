/* section_stacks.c - where the stack of a thread changes in a chunk, in the index: of chunks whose calls follow a
 * pattern that takes few bytes. So the calls that are open at a position are known without reading the chunk.
 *
 *     section  per chunk that is so: varint number in the segment + 1, varint bytes of its list, varint bytes of that
 *              packed | packed list | ... | varint 0
 *     list     frames before the chunk: varint count | each: varint method, svarint position of the entry + 1 - that of
 *              the frame below (0: not recorded) | changes
 *     change   varint 4 * events since the one before (first: of the chunk) + kind
 *              | ENTERED, STRAY: varint method | ENDED: varint 2 * frames that ended + (1: with an exit)
 *
 * A chunk has none if its list is long beside it, if more than LANE_FRAMES frames are open before it, or if it has
 * events of methods whose entries are not recorded. A trace of few threads, of which few chunks are read for a moment,
 * has none at all, as one that was recorded in parts. */
#include <stdlib.h>

#include "reader/index/sections.h"

enum { LIST_MAX = 1 << 18, LIST_SHARE = 16, LIST_LEAST = 40, STREAMS_LEAST = 8, ZSTD_LEVEL = 1 };
/* What an event does to the stack: METHOD_ENTRY; the exit of the innermost call; any event of a method of which no
 * frame is open; calls end in another way. */
enum change { ENTERED, LEFT, STRAY, ENDED };

/* ---- writing ---- */

void stack_segment_begin(struct stack_writer *w) { w->section.size = 0; }

void stack_chunk_begin(struct stack_writer *w, const struct replay *f)
{
    const size_t n = f->stack.count;
    uint64_t below = 0;
    w->list.size = 0;
    w->last = 0;
    w->broken = f->trace->stream_count < STREAMS_LEAST || f->trace->intervals.count > 0 || n > LANE_FRAMES;
    if (w->broken)
        return;
    write_varint(&w->list, n);
    for (size_t i = 0; i < n; i++) {
        const struct call_frame *frame = &f->stack.items[i];
        write_varint(&w->list, frame->method);
        write_svarint(&w->list, (int64_t)(frame->entry + 1 - below)); /* NO_POSITION + 1 is 0 */
        below = frame->entry + 1;
    }
}

void stack_event(struct stack_writer *w, const struct replay *f, const struct effect *effect, size_t before,
                 uint32_t at)
{
    const size_t now = f->stack.count;
    const bool leaves = effect->op == EFFECT_LEAVE;
    w->broken |= effect->op == EFFECT_STRANGE || w->list.size > LIST_MAX;
    if (w->broken || (now == before && !leaves))
        return;
    const enum change kind = now > before                  ? effect->op == EFFECT_ENTER ? ENTERED : STRAY
                             : leaves && now + 1 == before ? LEFT
                                                           : ENDED;
    write_varint(&w->list, (uint64_t)(at - w->last) << 2 | kind);
    w->last = at;
    if (kind == ENTERED || kind == STRAY)
        write_varint(&w->list, replay_top(f)->method);
    else if (kind == ENDED)
        write_varint(&w->list, (uint64_t)(before - now) << 1 | leaves);
}

bool stack_chunk_end(struct stack_writer *w, const struct chunk_ref *chunk, ZSTD_CCtx *zstd)
{
    struct writer *to = &w->section;
    if (w->broken || w->list.bad || w->list.size > LIST_MAX)
        return !w->list.bad;
    w->packed.size = 0;
    if (!writer_reserve(&w->packed, ZSTD_compressBound(w->list.size)))
        return false;
    const size_t n = ZSTD_compressCCtx(zstd, w->packed.data, w->packed.cap, w->list.data, w->list.size, ZSTD_LEVEL);
    if (ZSTD_isError(n) || (n > LIST_LEAST && n > chunk->bytes / LIST_SHARE))
        return true;
    write_varint(to, chunk->number % SEGMENT_CHUNKS + 1);
    write_varint(to, w->list.size);
    write_varint(to, n);
    write_bytes(to, w->packed.data, n);
    return !to->bad;
}

void stack_segment_encode(const struct stack_writer *w, struct writer *out)
{
    write_bytes(out, w->section.data, w->section.size);
    write_varint(out, 0);
}

void stack_writer_done(struct stack_writer *w)
{
    writer_free(&w->section);
    writer_free(&w->list);
    writer_free(&w->packed);
}

/* ---- reading ---- */

/* Which lists the section has; false: it is damaged. */
static bool read_lists(struct stack_segment *s)
{
    struct reader r = reader_of(s->bytes, s->size);
    for (;;) {
        const uint64_t number = read_varint(&r);
        if (number == 0 || number > SEGMENT_CHUNKS)
            return number == 0 && !r.bad;
        const uint64_t raw = read_varint(&r), packed = read_varint(&r);
        if (r.bad || raw > LIST_MAX || packed > s->size - r.at)
            return false;
        s->lists[number - 1] = (struct stack_list){ r.at, (uint32_t)packed, (uint32_t)raw };
        r.at += packed;
    }
}

static void segment_done(struct stack_segment *s)
{
    free(s->bytes);
    *s = (struct stack_segment){ 0 };
}

/* The list of the chunk, unpacked. */
static bool unpack(struct stack_scan *s, const struct chunk_ref *chunk, struct reader *out)
{
    const uint64_t segment = index_segment(chunk);
    struct stack_segment *of = &s->segments[segment % STACK_SEGMENTS];
    if (of->number != segment + 1) {
        segment_done(of);
        of->number = segment + 1;
        of->bytes = index_section(s->trace, segment, SECTION_STACKS, &of->size);
        if (of->bytes == NULL || !read_lists(of))
            for (size_t i = 0; i < SEGMENT_CHUNKS; i++)
                of->lists[i] = (struct stack_list){ 0 };
    }
    const struct stack_list *l = &of->lists[chunk->number % SEGMENT_CHUNKS];
    if (l->raw == 0 || (s->list == NULL && (s->list = malloc(LIST_MAX)) == NULL) ||
        ZSTD_decompress(s->list, LIST_MAX, of->bytes + l->at, l->packed) != l->raw)
        return false;
    *out = reader_of(s->list, l->raw);
    return true;
}

static bool push(hs_trace *t, lane_frame_vec *stack, uint64_t method, uint64_t entry)
{
    if (method > UINT32_MAX || hs_method_get(t, (uint32_t)method) == NULL)
        return false;
    struct lane_frame *to = vec_push(stack);
    if (to != NULL)
        *to = (struct lane_frame){ .method = (uint32_t)method, .entry = entry };
    return to != NULL;
}

static bool read_frames(struct reader *r, hs_trace *t, lane_frame_vec *stack)
{
    const uint64_t n = read_varint(r);
    uint64_t below = 0;
    if (n > LANE_FRAMES)
        return false;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t method = read_varint(r);
        below += (uint64_t)read_svarint(r);
        if (r->bad || !push(t, stack, method, below - 1))
            return false;
    }
    return !r->bad;
}

bool stack_scan_at(struct stack_scan *s, uint32_t stream, uint64_t count, lane_frame_vec *stack, bool *leaves)
{
    const struct chunk_ref *chunk =
        count > 0 ? positions_chunk(s->trace, (struct event_position){ stream, count - 1 }) : NULL;
    struct reader r;
    stack->count = 0;
    *leaves = false;
    if (chunk == NULL || !unpack(s, chunk, &r) || !read_frames(&r, s->trace, stack))
        return false;
    uint64_t at = chunk->before;
    while (r.at < r.size) {
        const uint64_t head = read_varint(&r), more = (head & 3) != LEFT ? read_varint(&r) : 3;
        const bool leaving = (head & 3) == LEFT || ((head & 3) == ENDED && (more & 1) != 0);
        at += head >> 2;
        if (r.bad || at >= chunk->before + chunk->count)
            return false;
        if (at >= count - leaving) { /* an exit is before its call ends */
            *leaves = leaving && at == count - 1;
            return true;
        }
        if ((head & 3) == ENTERED || (head & 3) == STRAY) {
            if (!push(s->trace, stack, more, (head & 3) == ENTERED ? at : NO_POSITION))
                return false;
        } else if (more >> 1 > stack->count) {
            return false;
        } else {
            stack->count -= more >> 1;
        }
    }
    return true;
}

void stack_scan_done(struct stack_scan *s)
{
    for (size_t i = 0; i < STACK_SEGMENTS; i++)
        segment_done(&s->segments[i]);
    free(s->list);
}
