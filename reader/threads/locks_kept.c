/* locks_kept.c - monitors and their order as the index keeps them: what lock_order_read finds of a trace that has
 * ended, and what answers show of it.
 *
 *     section  varint n | n times: varint object, 0: text name of the class | varint entered, contended, wait ns,
 *                         hold ns, waits unknown, holds unknown, still held, still waiting, thread + 1, 0: several
 *              varint n | n times: varint from, varint to, varint count, outer, inner, u1 circle
 *
 * Edges are sorted, as lock_order_read leaves them. */
#include <stdlib.h>
#include <string.h>

#include "reader/index/index.h"
#include "reader/threads/lock_order.h"

/* The sums of a monitor, in the order of the section. */
static const size_t sums[] = { offsetof(struct lock_use, entered),       offsetof(struct lock_use, contended),
                               offsetof(struct lock_use, wait_ns),       offsetof(struct lock_use, hold_ns),
                               offsetof(struct lock_use, waits_unknown), offsetof(struct lock_use, holds_unknown),
                               offsetof(struct lock_use, still_held),    offsetof(struct lock_use, still_waiting) };
enum { SUM_COUNT = sizeof sums / sizeof *sums };

static void encode_lock(struct writer *w, const struct lock_use *u)
{
    write_varint(w, u->object);
    if (u->object == 0)
        write_text(w, u->class_name, strlen(u->class_name));
    for (size_t i = 0; i < SUM_COUNT; i++) {
        uint64_t sum;
        memcpy(&sum, (const char *)u + sums[i], sizeof sum);
        write_varint(w, sum);
    }
    write_varint(w, u->thread == LOCK_MANY_THREADS ? 0 : (uint64_t)u->thread + 1);
}

static void encode_edge(struct writer *w, const struct lock_edge *e)
{
    write_varint(w, e->from);
    write_varint(w, e->to);
    write_varint(w, e->count);
    write_varint(w, e->outer);
    write_varint(w, e->inner);
    write_u1(w, e->circle);
}

void locks_keep(hs_trace *t, const struct lock_order *o)
{
    struct writer w = { 0 };
    if (!index_whole_wanted(t, SECTION_LOCKS))
        return;
    write_varint(&w, o->locks.count);
    for (size_t i = 0; i < o->locks.count; i++)
        encode_lock(&w, &o->locks.items[i]);
    write_varint(&w, o->edges.count);
    for (size_t i = 0; i < o->edges.count; i++)
        encode_edge(&w, &o->edges.items[i]);
    index_keep_whole(t, SECTION_LOCKS, &w);
}

static bool decode_lock(struct reader *r, struct arena *names, struct lock_use *u)
{
    size_t n;
    *u = (struct lock_use){ .object = read_varint(r) };
    if (u->object == 0) {
        const char *name = read_text(r, &n);
        char *copy = name != NULL ? arena_chars(names, n + 1) : NULL;
        if (copy != NULL) {
            memcpy(copy, name, n);
            copy[n] = '\0';
        }
        u->class_name = copy;
    }
    for (size_t i = 0; i < SUM_COUNT; i++) {
        const uint64_t sum = read_varint(r);
        memcpy((char *)u + sums[i], &sum, sizeof sum);
    }
    const uint64_t thread = read_varint(r);
    u->thread = thread == 0 ? LOCK_MANY_THREADS : (uint32_t)(thread - 1);
    return !r->bad && u->object <= UINT32_MAX && (u->object != 0 || u->class_name != NULL) && thread <= UINT32_MAX;
}

static bool decode_edge(const hs_trace *t, struct reader *r, size_t locks, struct lock_edge *e)
{
    const uint64_t from = read_varint(r), to = read_varint(r);
    *e = (struct lock_edge){ .from = (uint32_t)from, .to = (uint32_t)to, .count = read_varint(r) };
    e->outer = read_varint(r);
    e->inner = read_varint(r);
    e->circle = read_u1(r) != 0;
    return !r->bad && from < locks && to < locks && e->outer < t->events && e->inner < t->events;
}

static bool decode(const hs_trace *t, struct reader *r, struct arena *names, struct lock_order *o)
{
    for (uint64_t n = read_varint(r); n > 0 && !r->bad; n--) {
        struct lock_use *u = vec_push(&o->locks);
        if (u == NULL || !decode_lock(r, names, u))
            return false;
    }
    for (uint64_t n = read_varint(r); n > 0 && !r->bad; n--) {
        struct lock_edge *e = vec_push(&o->edges);
        if (e == NULL || !decode_edge(t, r, o->locks.count, e))
            return false;
    }
    return !r->bad;
}

bool locks_kept(hs_trace *t, struct arena *names, struct lock_order *o)
{
    size_t size;
    uint8_t *data = index_section(t, SEGMENT_WHOLE(SECTION_LOCKS), SECTION_LOCKS, &size);
    struct reader r = reader_of(data, size);
    *o = (struct lock_order){ 0 };
    const bool whole = data != NULL && decode(t, &r, names, o);
    if (!whole)
        lock_order_free(o);
    free(data);
    return whole;
}

int hs_index_build(hs_trace *trace, struct hs_error *error)
{
    struct lock_order o;
    struct error err;
    if (index_build(trace, error) != 0)
        return -1;
    if (class_pages_keep(trace, &err) != OK)
        return give(error, &err);
    if (!index_whole_wanted(trace, SECTION_LOCKS))
        return 0;
    const int failed = lock_order_read(&o, trace, error);
    if (failed == 0)
        locks_keep(trace, &o);
    lock_order_free(&o);
    return failed;
}
