/* derive_write.c - see derive_write.h; derived.c has the layout of the bytes. Here chunks begin and end; events and
 * records are put by derive_event.c and derive_records.c. */
#include "formats/derive_encoder.h"

#include <stdlib.h>
#include <string.h>

#include "formats/derive_parts.h"

struct derive_encoder *derive_encoder_new(void)
{
    struct derive_encoder *e = calloc(1, sizeof *e);
    if (e == NULL)
        return NULL;
    e->at_id = UINT32_MAX;
    e->chunks = chunk_encoder_new();
    if (!derived_rest_init(&e->rest) || e->chunks == NULL) {
        derive_encoder_free(e);
        return NULL;
    }
    return e;
}

void derive_encoder_free(struct derive_encoder *e)
{
    if (e == NULL)
        return;
    chunk_encoder_free(e->chunks);
    derived_rest_done(&e->rest);
    followers_done(&e->followers);
    vec_free(&e->records);
    vec_free(&e->fits);
    blocks_done(&e->blocks);
    writer_free(&e->explicit_events);
    writer_free(&e->stamps);
    writer_free(&e->times);
    free(e);
}

void derive_begin(struct derive_encoder *e, struct derive_thread *t, bool reset, const struct derive_tables *tables)
{
    e->tables = *tables;
    e->blocks.sites = tables->sites;
    e->blocks.pcs = tables->pcs;
    e->full = false;
    e->t = t;
    e->reset = reset;
    e->rest.names.count = 0;
    e->count = e->rest.stored.count = e->explicit_count = e->stamp_count = e->explicit_last = e->stamped_event = 0;
    e->time_count = e->timed_event = 0;
    e->check = e->stamp = e->stamped = e->time = 0;
    e->stamp_event = UINT32_MAX;
    e->explicit_events.size = e->stamps.size = e->times.size = 0;
    e->bad = !followers_make_room(&e->followers, tables->sites.count);
    if (reset)
        derive_forget(t);
    derive_begin_chunk(t);
    set_running(e);
}

uint32_t derive_events(const struct derive_encoder *e) { return e->count; }

const struct chunk_columns *derive_stored(const struct derive_encoder *e) { return &e->rest.stored; }

uint64_t derive_stamp(const struct derive_encoder *e) { return e->stamp; }

uint64_t derive_event_stamp(const struct derive_encoder *e)
{
    return e->stamp_event < e->count ? e->stamp : e->stamped;
}

bool derive_full(const struct derive_encoder *e) { return e->full; }

_Static_assert(JOURNAL_RECORD_EVENTS <= 1 << DERIVED_SPAN_BITS, "the events of a record are counted in so many bits");

void derive_time(struct derive_encoder *e, uint64_t time, uint32_t events)
{
    const uint32_t first = e->count > events ? e->count - events : 0;
    if (events == 0 || e->count == 0 || (e->time_count > 0 && first <= e->timed_event))
        return;
    time = time > e->time ? time : e->time;
    write_varint(&e->times, first - e->timed_event);
    write_varint(&e->times, (time - e->time) << DERIVED_SPAN_BITS | (e->count - first - 1));
    e->time = time;
    e->timed_event = first;
    e->time_count++;
}

uint64_t derive_take_dropped(struct derive_encoder *e)
{
    uint64_t dropped = e->dropped;
    e->dropped = 0;
    return dropped;
}

/* ---- the end of a chunk ---- */

static enum status write_head(struct derive_encoder *e, struct writer *out, struct error *err)
{
    if (e->bad)
        return error_set(err, ERR_LIMIT,
                         "chunk of %u events: it has more than %d, a data ID is not known, or memory is out", e->count,
                         CHUNK_EVENTS_MAX);
    encoder_write_stamp(e);
    write_u1(out, DERIVED_MAGIC);
    write_le4(out, 0);
    write_le8(out, e->check);
    write_u1(out, (e->reset ? DERIVED_RESET : 0u) | (e->tables.timed ? DERIVED_TIMED : 0u));
    write_varint(out, e->count);
    e->rest.lists.size = 0;
    write_varint(&e->rest.lists, e->explicit_count);
    write_bytes(&e->rest.lists, e->explicit_events.data, e->explicit_events.size);
    write_varint(&e->rest.lists, e->stamp_count);
    write_bytes(&e->rest.lists, e->stamps.data, e->stamps.size);
    if (e->tables.timed) {
        write_varint(&e->rest.lists, e->time_count);
        write_bytes(&e->rest.lists, e->times.data, e->times.size);
    }
    return out->bad || e->rest.lists.bad || e->explicit_events.bad || e->stamps.bad || e->times.bad
               ? error_memory(err, "chunk of %u events", e->count)
               : OK;
}

bool derived_rest_init(struct derived_rest *r)
{
    return chunk_columns_init(&r->stored, false) && vec_reserve(&r->names, DERIVE_NAMES_ROOM);
}

void derived_rest_done(struct derived_rest *r)
{
    chunk_columns_free(&r->stored);
    vec_free(&r->names);
    writer_free(&r->lists);
}

enum status derive_end_head(struct derive_encoder *e, struct derived_rest *rest, struct writer *out, struct error *err)
{
    enum status s = write_head(e, out, err);
    const struct derived_rest mine = e->rest;
    if (s != OK)
        return s;
    e->rest = *rest;
    *rest = mine;
    return OK;
}

enum status derive_end_rest(struct chunk_encoder *c, struct kind_table kinds, const struct derived_rest *rest,
                            size_t start, struct writer *out, struct error *err)
{
    enum status s = chunk_pack_bytes(c, rest->lists.data, rest->lists.size, out)
                        ? chunk_encode_named(c, kinds, &rest->stored, &rest->names, out, err)
                        : error_memory(err, "the lists of a chunk");
    if (s == OK)
        derived_set_checksum(out, start);
    return s;
}

enum status derive_end(struct derive_encoder *e, struct writer *out, struct error *err)
{
    size_t start = out->size;
    enum status s = write_head(e, out, err);
    if (s == OK)
        s = derive_end_rest(e->chunks, e->tables.kinds, &e->rest, start, out, err);
    if (s != OK)
        out->size = start;
    return s;
}

struct followers *derive_followers(struct derive_encoder *e) { return &e->followers; }

enum status derive_encode(struct derive_encoder *e, struct derive_thread *t, bool reset, struct derive_sites sites,
                          struct kind_table kinds, const struct chunk_columns *in, struct writer *out,
                          struct error *err)
{
    derive_begin(e, t, reset, &(struct derive_tables){ .sites = sites, .kinds = kinds });
    for (uint32_t i = 0; i < in->count; i++) {
        uint32_t id = in->ids[i], known = 1;
        if (id < sites.count && (sites.rows[id] & SITE_ROLE) == SITE_ENTRY)
            while (known < ARGUMENTS_MAX && i + known < in->count && in->ids[i + known] == id + known)
                known++;
        e->bad |= !derive_put(e, id, in->stamps[i], in->values + i, known);
    }
    return derive_end(e, out, err);
}
