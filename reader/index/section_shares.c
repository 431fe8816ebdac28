/* section_shares.c - the number of events of each data ID in the index, and its bytes (formats/chunk_shares.c). Counts
 * add segments up instead of reading all events.
 *
 *     section  varint n | n times: varint data ID - the one before - 1 (first: data ID), varint events,
 *              varint bytes
 *
 * A segment has none if a chunk of it cannot be read; its chunks are read then. */
#include <stdlib.h>
#include <string.h>

#include "reader/index/sections.h"

enum status shares_add_chunk(hs_trace *t, struct dataid_share *shares, struct chunk_decoder *d,
                             const struct chunk_ref *c, const struct chunk_columns *columns, struct error *err)
{
    const struct chunk_share *of_chunk;
    struct error why;
    uint32_t count;
    enum status st = trace_shares(t, d, c, &of_chunk, &count, &why);
    if (st == OK) { /* the decoder has checked the ids against the kinds */
        for (uint32_t i = 0; i < count; i++) {
            struct dataid_share *to = &shares[same_place(t, of_chunk[i].dataid)];
            to->events += of_chunk[i].events;
            to->share += of_chunk[i].share;
        }
        return OK;
    }
    if (st != ERR_FORMAT)
        return error_set(err, st, "%s", why.text);
    trace_damaged(t, &why);
    for (uint32_t i = 0; i < columns->count; i++)
        shares[columns->ids[i]].events++;
    return OK;
}

void shares_encode(const struct dataid_share *shares, uint32_t id_count, struct writer *w)
{
    uint64_t n = 0, next = 0, sum = 0; /* the sum is rounded, not each share, so that nothing is lost */
    for (uint32_t id = 0; id < id_count; id++)
        n += shares[id].events > 0;
    write_varint(w, n);
    for (uint32_t id = 0; id < id_count; id++) {
        if (shares[id].events == 0)
            continue;
        write_varint(w, id - next);
        write_varint(w, shares[id].events);
        uint64_t before = sum >> (CHUNK_SHARE_BITS - SHARE_KEPT_BITS);
        sum += shares[id].share;
        write_varint(w, (sum >> (CHUNK_SHARE_BITS - SHARE_KEPT_BITS)) - before);
        next = (uint64_t)id + 1;
    }
}

/* Adds counts encoded by shares_encode to the sums. */
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

/* The sums of one segment from its chunks, encoded as in the index. */
static enum status shares_of_segment(hs_trace *t, const struct numbered *chunks, size_t count,
                                     struct dataid_share *shares, struct writer *w, struct error *err)
{
    memset(shares, 0, (size_t)t->kind_count * sizeof *shares);
    for (size_t i = 0; i < count; i++) {
        struct chunk_columns columns;
        struct error why = { 0 };
        enum status st = trace_decode(t, t->decoder, chunks[i].chunk, CHUNK_IDS, &columns, &why);
        if (st == ERR_FORMAT) {
            trace_damaged(t, &why);
            continue;
        }
        if (st != OK)
            return error_set(err, st, "%s", why.text);
        st = shares_add_chunk(t, shares, t->decoder, chunks[i].chunk, &columns, err);
        if (st != OK)
            return st;
    }
    w->size = 0;
    shares_encode(shares, t->kind_count, w);
    return w->bad ? error_memory(err, "%s", t->dir) : OK;
}

enum status index_count_dataids(hs_trace *t, uint64_t *counts, uint64_t *shares, struct error *err)
{
    size_t n = 0;
    const struct numbered *all = index_numbered(t, &n);
    struct dataid_share *own = calloc((size_t)t->kind_count + 1, sizeof *own);
    struct writer w = { 0 };
    enum status st = OK;
    if (all == NULL || own == NULL) {
        st = error_memory(err, "%s", t->dir);
        goto out;
    }
    for (size_t i = 0, next; i < n; i = next) {
        uint64_t segment = index_segment(all[i].chunk);
        size_t size;
        for (next = i; next < n && index_segment(all[next].chunk) == segment;)
            next++;
        uint8_t *section = index_section(t, segment, SECTION_COUNTS, &size);
        if (section == NULL)
            st = shares_of_segment(t, &all[i], next - i, own, &w, err);
        if (st != OK)
            goto out;
        if (!shares_add(section != NULL ? section : w.data, section != NULL ? size : w.size, counts, shares,
                        t->kind_count))
            st = error_set(err, ERR_FORMAT, "%s/" INDEX_FILE ": its counts are damaged: delete it", t->dir);
        free(section);
        if (st != OK)
            goto out;
    }
out:
    writer_free(&w);
    free(own);
    return st;
}
