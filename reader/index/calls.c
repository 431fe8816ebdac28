/* calls.c - the call table: per segment of the index, how often each data ID came and what the calls of each
 * method took, with the calls that were open behind it. Counts and reports add segments up instead of reading all
 * events.
 *
 *     counts   varint n | n times: varint data ID - the one before - 1 (first: data ID), varint events, varint bytes in
 * 1/16 calls    varint n | n times: varint method - the one before - 1 (first: method), varint calls begun, calls left,
 *                         exceptions, total ns, self ns, and if calls were left: least ns, greatest - least,
 *                         u1 histogram entries | each: u1 i, varint calls that took from 2^i ns to below twice that
 *              varint threads | each: varint thread, varint its events until here, varint open calls | each, outermost
 * first: varint method, svarint ns at entry - that of the call before, varint ns of calls it made
 *
 * A segment has no counts if a chunk of it cannot be read, and no calls either if its recording had not ended (the
 * clock was not complete) or the calls open before it are not known; whoever wants them reads the events then. */
#include "reader/index/index.h"

#include <stdlib.h>
#include <string.h>

/* ---- counts ---- */

enum { SHARE_BITS = 20, KEPT_BITS = 4 };

void shares_add_chunk(struct dataid_share *shares, const struct chunk_ref *c, const uint32_t *ids, uint32_t count)
{
    uint64_t share = ((uint64_t)c->bytes << SHARE_BITS) / (c->count > 0 ? c->count : 1);
    for (uint32_t i = 0; i < count; i++) { /* the decoder has checked the ids against the kinds */
        shares[ids[i]].events++;
        shares[ids[i]].share += share;
    }
}

void shares_encode(const struct dataid_share *shares, uint32_t id_count, struct writer *w)
{
    uint64_t n = 0, next = 0;
    for (uint32_t id = 0; id < id_count; id++)
        n += shares[id].events > 0;
    write_varint(w, n);
    for (uint32_t id = 0; id < id_count; id++) {
        if (shares[id].events == 0)
            continue;
        write_varint(w, id - next);
        write_varint(w, shares[id].events);
        write_varint(w, shares[id].share >> (SHARE_BITS - KEPT_BITS));
        next = (uint64_t)id + 1;
    }
}

/* Adds what shares_encode wrote to the sums. */
static bool shares_add(const void *data, size_t size, uint64_t *counts, uint64_t *shares, uint32_t id_count)
{
    struct reader r = reader_of(data, size);
    uint64_t n = read_varint(&r), id = 0;
    for (uint64_t i = 0; i < n && !r.bad; i++) {
        id += read_varint(&r);
        uint64_t events = read_varint(&r), share = read_varint(&r);
        if (r.bad || id >= id_count)
            return false;
        counts[id] += events;
        shares[id] += share;
        id++;
    }
    return !r.bad;
}

/* The sums of one segment from its chunks, encoded as the index would have them. */
static enum status shares_of_segment(hs_trace *t, const struct numbered *chunks, size_t count,
                                     struct dataid_share *shares, struct writer *w, struct error *err)
{
    memset(shares, 0, (size_t)t->kind_count * sizeof *shares);
    for (size_t i = 0; i < count; i++) {
        struct chunk_columns columns;
        struct error why = { 0 };
        enum status st = trace_decode(t, t->decoder, chunks[i].chunk, CHUNK_IDS, &columns, &why);
        if (st == ERR_FORMAT)
            trace_damaged(t, &why);
        else if (st != OK)
            return error_set(err, st, "%s", why.text);
        else
            shares_add_chunk(shares, chunks[i].chunk, columns.ids, columns.count);
    }
    w->size = 0;
    shares_encode(shares, t->kind_count, w);
    return w->bad ? error_set(err, ERR_MEMORY, "%s: out of memory", t->dir) : OK;
}

static enum status count_all(hs_trace *t, uint64_t *counts, uint64_t *shares, struct error *err)
{
    size_t n = 0;
    (void)index_present(t);
    const struct numbered *all = t->index != NULL ? index_numbered(t, &n) : NULL;
    struct dataid_share *own = calloc((size_t)t->kind_count + 1, sizeof *own);
    struct writer w = { 0 };
    enum status st = all != NULL && own != NULL ? OK : error_set(err, ERR_MEMORY, "%s: out of memory", t->dir);
    for (size_t i = 0, next; st == OK && i < n; i = next) {
        uint64_t segment = index_segment(all[i].chunk);
        size_t size;
        for (next = i; next < n && index_segment(all[next].chunk) == segment;)
            next++;
        uint8_t *section = index_section(t, segment, SECTION_COUNTS, &size);
        if (section == NULL && (st = shares_of_segment(t, &all[i], next - i, own, &w, err)) != OK)
            break;
        if (!shares_add(section != NULL ? section : w.data, section != NULL ? size : w.size, counts, shares,
                        t->kind_count))
            st = error_set(err, ERR_FORMAT, "%s/" INDEX_FILE ": its counts are damaged: delete it", t->dir);
        free(section);
    }
    writer_free(&w);
    free(own);
    return st;
}

int hs_count_dataids(hs_trace *t, uint64_t *counts, double *bytes, struct hs_error *error)
{
    struct error err = { 0 };
    uint64_t *shares = calloc((size_t)t->kind_count + 1, sizeof *shares);
    memset(counts, 0, t->kind_count * sizeof *counts);
    enum status st = OK;
    if (shares == NULL)
        st = error_set(&err, ERR_MEMORY, "%s: out of memory", t->dir);
    else
        st = t->chunk_count > 0 ? count_all(t, counts, shares, &err) : dataid_stats_counts(t, counts, &err);
    for (uint32_t i = 0; st == OK && bytes != NULL && i < t->kind_count; i++)
        bytes[i] = (double)shares[i] / (1 << KEPT_BITS);
    free(shares);
    return st == OK ? 0 : give(error, &err);
}

/* ---- calls ---- */

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

/* Adds the sums to `c`; with `c` NULL passes over them. */
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

enum status index_each(hs_trace *t, enum index_section which, index_section_fn *each, void *context, struct error *err)
{
    struct hs_index_info info;
    size_t n, size;
    hs_index_info(t, &info);
    if (info.indexed != t->chunk_count || t->chunk_count == 0)
        return ERR_NOT_FOUND;
    const struct numbered *all = index_numbered(t, &n);
    for (size_t i = 0; i < n; i++) {
        uint64_t segment = index_segment(all[i].chunk);
        if (i > 0 && index_segment(all[i - 1].chunk) == segment)
            continue;
        uint8_t *section = index_section(t, segment, which, &size);
        enum status st = section != NULL ? each(context, section, size, err) : ERR_NOT_FOUND;
        free(section);
        if (st != OK)
            return st;
    }
    return OK;
}

static enum status add_section(void *context, const void *data, size_t size, struct error *err)
{
    struct costs *c = context;
    struct reader r = reader_of(data, size);
    bool no_memory = false;
    bool ok = add_sums(&r, c, &no_memory);
    if (no_memory)
        return error_set(err, ERR_MEMORY, "%s: out of memory", c->trace->dir);
    return ok ? OK : ERR_NOT_FOUND;
}

enum status index_costs(hs_trace *t, struct costs *c, struct error *err)
{
    return index_each(t, SECTION_CALLS, add_section, c, err);
}
