/* section_repeats.c - chunks in which one frame makes nothing but equal calls, in the index: a tree counts them without
 * reading the chunk. Two calls are equal if they have the same entries and exits, in the same order: the methods, and
 * the classes of exceptions.
 *
 *     chunk     ... call |  call  call  call  ... |  call ...
 *                   head |  begin                 |  tail        a call that two chunks share is the tail of one and
 *                                                                the head of the other
 *
 *     section  per chunk that is so: varint number in the segment + 1, varint frames open around the calls,
 *              varint calls that begin and end in it, varint events in the head | call | head | tail | ... | varint 0
 *     part     varint entries and exits, u64 hash of them unless there are none
 *
 * A hash is a polynomial of the entries and exits modulo 2^61 - 1, so that the two parts of a call give that of the
 * whole. A chunk has none if frames are open whose entry was not recorded, or calls ended in another way than by their
 * own exit. */
#include <stdlib.h>
#include <string.h>

#include "reader/index/sections.h"

enum { REPEATS_LEAST = 2 };
#define PRIME ((UINT64_C(1) << 61) - 1)
#define BASE  UINT64_C(0x16a09e667f3bcc9)

static uint64_t multiply(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    uint64_t sum = (uint64_t)(product & PRIME) + (uint64_t)(product >> 61);
    return sum >= PRIME ? sum - PRIME : sum;
}

static uint64_t join(uint64_t hash, uint64_t next)
{
    uint64_t sum = multiply(hash, BASE) + (next & PRIME);
    return sum >= PRIME ? sum - PRIME : sum;
}

/* ---- writing ---- */

void repeat_segment_begin(struct repeat_writer *w) { w->section.size = 0; }

void repeat_chunk_begin(struct repeat_writer *w, const struct replay *f)
{
    w->now = (struct repeat_chunk){ .depth = (uint32_t)f->stack.count };
    w->all = (struct call_part){ 0 };
    w->broken = f->stack.count > UINT32_MAX;
}

static void part_add(struct call_part *p, uint64_t what)
{
    p->hash = join(p->hash, what);
    p->count++;
}

/* What an event does to the calls; 0: nothing that counts, UINT64_MAX: something that cannot be compared. */
static uint64_t what_of(hs_trace *t, const struct effect *effect, uint64_t value, size_t before, size_t now)
{
    if (effect->event == EVENT_METHOD_ENTRY && now == before + 1)
        return fold_mix(1, effect->method);
    if (effect->event == EVENT_METHOD_NORMAL_EXIT && now + 1 == before)
        return fold_mix(2, 0);
    if (effect->event == EVENT_METHOD_EXCEPTIONAL_EXIT && now + 1 == before) {
        uint32_t class = objects_class(t, value);
        return class != 0 ? fold_mix(3, class) : UINT64_MAX;
    }
    return now == before && effect->event != EVENT_EVENTS_LEFT_OUT && !event_has(effect->event, USE_ENTER | USE_LEAVE)
               ? 0
               : UINT64_MAX;
}

void repeat_event(struct repeat_writer *w, const struct replay *f, const struct effect *effect, uint64_t value,
                  size_t before, uint32_t at)
{
    struct repeat_chunk *c = &w->now;
    const size_t now = f->stack.count;
    if (w->broken)
        return;
    const uint64_t what = what_of(f->trace, effect, value, before, now);
    if (what == 0)
        return;
    w->broken = what == UINT64_MAX;
    part_add(&w->all, what);
    if (now < c->depth) { /* all of the chunk up to here is the end of one call */
        *c = (struct repeat_chunk){ .depth = (uint32_t)now, .begin = at + 1, .head = w->all };
        return;
    }
    part_add(&c->tail, what);
    if (now > c->depth)
        return;
    if (c->calls++ == 0)
        c->call = c->tail;
    w->broken |= c->tail.hash != c->call.hash || c->tail.count != c->call.count;
    c->tail = (struct call_part){ 0 };
}

static void write_part(struct writer *w, const struct call_part *p)
{
    write_varint(w, p->count);
    if (p->count > 0)
        write_le8(w, p->hash);
}

bool repeat_chunk_end(struct repeat_writer *w, const struct replay *f, const struct chunk_ref *chunk)
{
    const struct repeat_chunk *c = &w->now;
    if (w->broken || c->calls < REPEATS_LEAST || c->depth > LANE_FRAMES)
        return true;
    for (size_t i = 0; i < c->depth; i++)
        if (f->stack.items[i].entry == NO_POSITION)
            return true;
    write_varint(&w->section, chunk->number % SEGMENT_CHUNKS + 1);
    write_varint(&w->section, c->depth);
    write_varint(&w->section, c->calls);
    write_varint(&w->section, c->begin);
    write_part(&w->section, &c->call);
    write_part(&w->section, &c->head);
    write_part(&w->section, &c->tail);
    return !w->section.bad;
}

void repeat_segment_encode(const struct repeat_writer *w, struct writer *out)
{
    write_bytes(out, w->section.data, w->section.size);
    write_varint(out, 0);
}

/* ---- reading ---- */

static struct call_part read_part(struct reader *r)
{
    struct call_part p = { .count = read_varint(r) };
    if (p.count > 0)
        p.hash = read_le8(r) & PRIME;
    return p;
}

static bool read_repeats(struct reader *r, struct repeat_chunk *chunks)
{
    for (;;) {
        const uint64_t number = read_varint(r);
        if (number == 0 || number > SEGMENT_CHUNKS)
            return number == 0 && !r->bad;
        const uint64_t depth = read_varint(r), calls = read_varint(r), begin = read_varint(r);
        if (depth > LANE_FRAMES || calls > UINT32_MAX || begin > UINT32_MAX)
            return false;
        chunks[number - 1] =
            (struct repeat_chunk){ .depth = (uint32_t)depth, .calls = (uint32_t)calls, .begin = (uint32_t)begin };
        chunks[number - 1].call = read_part(r);
        chunks[number - 1].head = read_part(r);
        chunks[number - 1].tail = read_part(r);
    }
}

const struct repeat_chunk *repeats_of(struct repeat_scan *s, const struct chunk_ref *chunk)
{
    const uint64_t segment = index_segment(chunk);
    if (!s->read || s->segment != segment) {
        size_t size = 0;
        uint8_t *bytes = index_section(s->trace, segment, SECTION_REPEATS, &size);
        struct reader r = reader_of(bytes, size);
        memset(s->chunks, 0, sizeof s->chunks);
        if (bytes != NULL && !read_repeats(&r, s->chunks))
            memset(s->chunks, 0, sizeof s->chunks);
        free(bytes);
        s->segment = segment;
        s->read = true;
    }
    const struct repeat_chunk *c = &s->chunks[chunk->number % SEGMENT_CHUNKS];
    return c->calls > 0 && c->calls <= chunk->count && c->begin < chunk->count ? c : NULL;
}

bool repeats_go_on(const struct repeat_chunk *a, const struct repeat_chunk *b)
{
    uint64_t hash = a->tail.hash, power = BASE;
    if (a->depth != b->depth || a->call.hash != b->call.hash || a->call.count != b->call.count)
        return false;
    if (a->tail.count == 0 || b->head.count == 0)
        return a->tail.count == b->head.count;
    for (uint64_t n = b->head.count; n > 0; n >>= 1, power = multiply(power, power))
        hash = n & 1 ? multiply(hash, power) : hash;
    hash += b->head.hash;
    return (hash >= PRIME ? hash - PRIME : hash) == a->call.hash && a->tail.count + b->head.count == a->call.count;
}
