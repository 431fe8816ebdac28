/* section_calls.c - the call table of the index: times of the calls of each method, and the calls that were open behind
 * the segment. Reports add segments up instead of reading all events.
 *
 *     section  varint n | n times: varint method - the one before - 1 (first: method), varint calls begun, calls left,
 *                         exceptions, total ns, self ns, and if calls were left: least ns, greatest - least,
 *                         u1 histogram entries | each: u1 i, varint calls that took from 2^i ns to below twice that
 *              varint threads | each: varint thread, varint its events until here, varint open calls
 *                         | each, outermost first: varint method, svarint ns at entry - that of the call before,
 *                         varint ns of calls it made
 *
 * A segment has none if a chunk of it cannot be read, or if the calls open before it are not known; then the events are
 * read. */
#include <stdlib.h>
#include <string.h>

#include "reader/index/sections.h"

void calls_encode_sums(struct costs *c, struct writer *w)
{
    uint64_t next = 0;
    costs_sort(c);
    write_varint(w, c->list.count);
    for (size_t i = 0; i < c->list.count; i++) {
        const struct hs_cost *k = &c->list.items[i];
        write_varint(w, k->method_id - next);
        next = (uint64_t)k->method_id + 1;
        write_varint(w, k->calls);
        write_varint(w, k->left);
        write_varint(w, k->exceptions);
        write_varint(w, k->total_ns);
        write_varint(w, k->self_ns);
        if (k->left == 0)
            continue;
        write_varint(w, k->min_ns);
        write_varint(w, k->max_ns - k->min_ns);
        unsigned used = 0;
        for (unsigned bit = 0; bit < 64; bit++)
            used += k->histogram[bit] > 0;
        write_u1(w, used);
        for (unsigned bit = 0; bit < 64; bit++)
            if (k->histogram[bit] > 0) {
                write_u1(w, bit);
                write_varint(w, k->histogram[bit]);
            }
    }
}

/* Adds the sums to `c`; with `c` NULL skips them. */
static bool add_sums(struct reader *r, struct costs *c, bool *no_memory)
{
    uint64_t n = read_varint(r), method = 0;
    for (uint64_t i = 0; i < n && !r->bad; i++) {
        method += read_varint(r);
        struct hs_cost k = { 0 };
        k.calls = read_varint(r);
        k.left = read_varint(r);
        k.exceptions = read_varint(r);
        k.total_ns = read_varint(r);
        k.self_ns = read_varint(r);
        k.min_ns = k.left > 0 ? read_varint(r) : UINT64_MAX;
        k.max_ns = k.left > 0 ? k.min_ns + read_varint(r) : 0;
        for (unsigned used = k.left > 0 ? read_u1(r) : 0; used > 0 && !r->bad; used--) {
            unsigned bit = read_u1(r) % 64;
            k.histogram[bit] = read_varint(r);
        }
        if (r->bad || method > UINT32_MAX || (c != NULL && hs_method_get(c->trace, (uint32_t)method) == NULL))
            return false;
        struct hs_cost *to = c != NULL ? costs_of(c, (uint32_t)method) : NULL;
        if (to != NULL) {
            to->calls += k.calls;
            to->left += k.left;
            to->exceptions += k.exceptions;
            to->total_ns += k.total_ns;
            to->self_ns += k.self_ns;
            to->min_ns = k.min_ns < to->min_ns ? k.min_ns : to->min_ns;
            to->max_ns = k.max_ns > to->max_ns ? k.max_ns : to->max_ns;
            for (unsigned bit = 0; bit < 64; bit++)
                to->histogram[bit] += k.histogram[bit];
        } else if (c != NULL) {
            *no_memory = true;
            return false;
        }
        method++;
    }
    return !r->bad;
}

void calls_encode_open(uint32_t thread, uint64_t events, const struct call_stack *s, struct writer *w)
{
    uint64_t before = 0;
    write_varint(w, thread);
    write_varint(w, events);
    write_varint(w, s->calls.count);
    for (size_t i = 0; i < s->calls.count; i++) {
        write_varint(w, s->calls.items[i].method);
        write_svarint(w, (int64_t)(s->calls.items[i].entered - before));
        write_varint(w, s->calls.items[i].inner);
        before = s->calls.items[i].entered;
    }
}

/* Reads the open calls of one thread; onto `s` unless it is NULL. */
static bool read_open(struct reader *r, hs_trace *t, uint32_t *thread, uint64_t *events, struct call_stack *s)
{
    uint64_t entered = 0;
    *thread = (uint32_t)read_varint(r);
    *events = read_varint(r);
    uint64_t n = read_varint(r);
    for (uint64_t i = 0; i < n && !r->bad; i++) {
        uint64_t method = read_varint(r);
        entered += (uint64_t)read_svarint(r);
        uint64_t inner = read_varint(r);
        if (s == NULL)
            continue;
        bool known = !r->bad && method <= UINT32_MAX && hs_method_get(t, (uint32_t)method) != NULL;
        struct call *call = known ? calls_enter(s, (uint32_t)method, entered) : NULL;
        if (call == NULL)
            return false;
        call->inner = inner;
    }
    return !r->bad;
}

bool index_open_calls(hs_trace *t, const struct thread_chunks *own, const struct chunk_ref *chunk, struct call_stack *s)
{
    size_t size;
    bool ignored = false, found = false;
    uint32_t thread;
    uint64_t events;
    uint8_t *section = chunk > own->chunks ? index_section(t, index_segment(chunk - 1), SECTION_CALLS, &size) : NULL;
    if (section == NULL)
        return false;
    struct reader r = reader_of(section, size);
    uint64_t threads = add_sums(&r, NULL, &ignored) ? read_varint(&r) : 0;
    for (uint64_t i = 0; i < threads && !r.bad && !found; i++) {
        struct reader again = r;
        if (!read_open(&r, t, &thread, &events, NULL) || thread != own->thread || events != chunk->before)
            continue;
        found = read_open(&again, t, &thread, &events, s);
        break;
    }
    free(section);
    if (!found)
        calls_done(s);
    return found;
}

static enum status add_section(void *context, uint64_t segment, const void *data, size_t size, struct error *err)
{
    struct costs *c = context;
    struct reader r = reader_of(data, size);
    (void)segment;
    bool no_memory = false;
    bool ok = add_sums(&r, c, &no_memory);
    if (no_memory)
        return error_memory(err, "%s", c->trace->dir);
    return ok ? OK : ERR_NOT_FOUND;
}

enum status index_costs(hs_trace *t, struct costs *c, struct error *err)
{
    return index_each(t, SECTION_CALLS, add_section, c, err);
}
