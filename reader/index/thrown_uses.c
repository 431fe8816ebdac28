/* thrown_uses.c - events that have an exception as their value after it was thrown, while an index is built: whether
 * one that was caught is used again.
 *
 * Chunks come in the order of their numbers, and those of several threads overlap in time. An exception may so be used
 * in a chunk that came before the one that throws it: then it is noted as unsure, and its uses have to be searched for.
 * Of uses of one object behind each other, by one method in one thread, the last one is kept. */
#include "reader/index/sections.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_BITS = 16, PAGES = 1 << (32 - PAGE_BITS), PAGE_WORDS = (1 << PAGE_BITS) / 64 };

/* The last use of an object in the segment. */
struct last_use {
    uint64_t id;
    size_t use; /* position + 1; 0: the object was thrown since */
};

/* A bitmap of objects. */
struct object_bits {
    uint64_t *pages[PAGES];
};

struct thrown_uses {
    hs_trace *trace;
    struct object_bits thrown, before, held; /* before: in segments that passed; held: by those of them */
    MAP(struct last_use) last;
    /* of earlier segments; of the chunks of this one, by bit */
    uint32_t greatest, greatest_here;
    uint64_t until, until_here, chunk_until[SEGMENT_CHUNKS];
};

struct thrown_uses *thrown_uses_new(hs_trace *t)
{
    struct thrown_uses *u = calloc(1, sizeof *u);
    if (u != NULL)
        u->trace = t;
    return u;
}

static void bits_free(struct object_bits *b)
{
    for (size_t i = 0; i < PAGES; i++)
        free(b->pages[i]);
}

void thrown_uses_free(struct thrown_uses *u)
{
    if (u == NULL)
        return;
    bits_free(&u->thrown);
    bits_free(&u->before);
    bits_free(&u->held);
    map_free(&u->last);
    free(u);
}

static bool bits_set(struct object_bits *b, uint32_t object)
{
    uint64_t **page = &b->pages[object >> PAGE_BITS];
    if (*page == NULL && (*page = calloc(PAGE_WORDS, sizeof **page)) == NULL)
        return false;
    (*page)[object % (1 << PAGE_BITS) / 64] |= (uint64_t)1 << object % 64;
    return true;
}

static bool bits_have(const struct object_bits *b, uint32_t object)
{
    const uint64_t *page = b->pages[object >> PAGE_BITS];
    return page != NULL && (page[object % (1 << PAGE_BITS) / 64] >> object % 64 & 1) != 0;
}

bool thrown_uses_note(struct thrown_uses *u, uint32_t object) { return bits_set(&u->thrown, object); }

static bool was_thrown(const struct thrown_uses *u, uint32_t object) { return bits_have(&u->thrown, object); }

bool thrown_before(const struct thrown_uses *u, uint32_t object) { return bits_have(&u->before, object); }

bool held_before(const struct thrown_uses *u, uint32_t object) { return bits_have(&u->held, object); }

bool thrown_uses_passed(struct thrown_uses *u, const struct exception_lists *l)
{
    bool room = true;
    for (size_t i = 0; room && i < l->events.count; i++)
        room = bits_set(&u->before, l->events.items[i].object);
    for (size_t i = 0; room && i < l->held.count; i++)
        room = bits_set(&u->held, l->held.items[i]);
    return room;
}

void thrown_uses_segment(struct thrown_uses *u)
{
    u->greatest = u->greatest_here > u->greatest ? u->greatest_here : u->greatest;
    u->until = u->until_here > u->until ? u->until_here : u->until;
    u->greatest_here = 0;
    u->until_here = 0;
    memset(u->chunk_until, 0, sizeof u->chunk_until);
    map_clear(&u->last);
}

void thrown_uses_earlier(struct thrown_uses *u, uint64_t until)
{
    u->greatest = UINT32_MAX;
    u->until = until > u->until ? until : u->until;
}

void thrown_uses_chunk(struct thrown_uses *u, const struct chunk_ref *chunk)
{
    u->chunk_until[chunk->number % SEGMENT_CHUNKS] = chunk->last_stamp;
    u->until_here = chunk->last_stamp > u->until_here ? chunk->last_stamp : u->until_here;
}

/* Can a chunk that came before have the object behind this stamp? `chunks`: those of the segment that have it. */
static bool may_be_used_before(const struct thrown_uses *u, uint32_t object, uint64_t stamp, uint64_t chunks)
{
    for (uint64_t left = chunks; left != 0; left &= left - 1)
        if (u->chunk_until[__builtin_ctzll(left)] >= stamp)
            return true;
    return object <= u->greatest && stamp <= u->until;
}

static bool add_use(struct thrown_uses *u, const struct exception_use *use, struct exception_lists *out)
{
    struct last_use *last = map_put(&u->last, use->object);
    if (last == NULL)
        return false;
    if (last->use != 0) {
        struct exception_use *before = &out->uses.items[last->use - 1];
        const struct effect *is = effects_get(u->trace, use->dataid), *was = effects_get(u->trace, before->dataid);
        if (before->thread == use->thread && was->method == is->method && was->event == is->event) {
            *before = *use;
            return true;
        }
    }
    struct exception_use *to = vec_push(&out->uses);
    if (to == NULL)
        return false;
    *to = *use;
    last->use = out->uses.count;
    return true;
}

bool thrown_uses_event(struct thrown_uses *u, const struct exception_use *use, unsigned event, uint64_t chunks,
                       struct exception_lists *out)
{
    if (use->object > u->greatest_here)
        u->greatest_here = use->object;
    if (!is_exception_event(event))
        return event == EVENT_LOCAL_STORE || !was_thrown(u, use->object) || add_use(u, use, out);
    if (was_thrown(u, use->object)) {
        struct last_use *last = map_get(&u->last, use->object);
        if (last != NULL)
            last->use = 0;
        return true;
    }
    if (may_be_used_before(u, use->object, use->stamp, chunks)) {
        uint32_t *to = vec_push(&out->unsure);
        if (to == NULL)
            return false;
        *to = use->object;
    }
    return thrown_uses_note(u, use->object);
}
