/* events.c - cursors over the global order.
 *
 * A cursor holds the current batch of order.c and a position in it. With a filter on data IDs the ids of a chunk are
 * decoded first, which costs a third of the whole; the other columns only if one of the ids is in the filter's bitmap.
 * With an index and a filter on data IDs or an object, and with a filter on few threads, sparse.c gives the same events
 * from fewer chunks. */
#include "reader/cursor/elements.h"
#include "reader/cursor/filter.h"
#include "reader/cursor/sparse.h"

#include <stdlib.h>
#include <string.h>

struct event_cursor {
    hs_cursor base;
    hs_trace *trace;
    struct filter filter;
    struct order *order;   /* NULL: sparse */
    struct sparse *sparse; /* NULL: order */
    struct sparse *index;  /* with order: says which chunks to look at; NULL: there is no index */
    struct order_batch batch;
    uint32_t at; /* events of the batch that lie before the position */
    bool has_batch;
    bool again; /* the last step failed: the merge is put at again_at first */
    uint64_t again_at;
    uint64_t read; /* phase_resume */
    struct hs_event event;
    struct element_memos memos;
};

static unsigned wanted(void *context, uint32_t thread, const struct chunk_ref *chunk)
{
    struct event_cursor *c = context;
    if (chunk->before > c->filter.to || !filter_thread(&c->filter, thread))
        return 0;
    if (c->index != NULL && !sparse_candidate(c->index, chunk))
        return 0;
    return CHUNK_IDS | CHUNK_VALUES | CHUNK_TIMES;
}

/* The least stamp of the threads that are wanted. */
static uint64_t first_of_threads(const hs_trace *t, const struct filter *f)
{
    uint64_t stamp = UINT64_MAX;
    for (size_t i = 0; i < t->stream_count; i++)
        if (t->streams[i].count > 0 && t->streams[i].chunks[0].first_stamp < stamp &&
            filter_thread(f, t->streams[i].thread))
            stamp = t->streams[i].chunks[0].first_stamp;
    return stamp;
}

/* Nothing passes before this stamp: a merge that began at 0 would read all events up to there. */
static enum status skip_to(hs_trace *t, struct filter *f, uint64_t stamp, struct error *err)
{
    uint64_t seq;
    if (stamp == 0 || stamp == UINT64_MAX)
        return OK;
    enum status st = positions_below(t, stamp, &seq, err);
    if (st == OK && seq > f->from)
        f->from = seq;
    return st;
}

static int next_event(hs_cursor *base, const void **event, struct hs_error *error);
static int previous_event(hs_cursor *base, const void **event, struct hs_error *error);
static int seek_event(hs_cursor *base, uint64_t seq, struct hs_error *error);
static void close_events(hs_cursor *base);
static const struct cursor_ops event_ops = { ROW_event, next_event, previous_event, seek_event, close_events };

static enum status init_filter(struct event_cursor *c, const struct hs_filter *filter, const uint32_t *ids,
                               size_t id_count, struct error *err)
{
    static const struct hs_filter all = HS_FILTER_ALL;
    enum status st = event_filter_init(&c->filter, c->trace, filter != NULL ? filter : &all, err);
    if (st != OK || ids == NULL)
        return st;
    return filter_only_ids(&c->filter, c->trace, ids, id_count, err);
}

/* Chooses between the index alone (sparse) and a merge of the streams, and opens it. */
static enum status open_source(struct event_cursor *c, struct error *err)
{
    uint64_t first = UINT64_MAX;
    enum status st;
    bool indexed = (c->filter.ids != NULL || c->filter.object != 0) && index_present(c->trace);
    if (indexed || !c->filter.any_thread) {
        st = sparse_new(c->trace, &c->filter, &c->sparse, err);
        if (st != OK)
            return st;
        if (sparse_pays(c->sparse, &first)) /* also without an index, if it is of a few threads */
            return sparse_bound(c->sparse, err);
        if (indexed)
            c->index = c->sparse;
        else
            sparse_free(c->sparse);
        c->sparse = NULL;
    }
    if (first == UINT64_MAX)
        first = first_of_threads(c->trace, &c->filter);
    st = skip_to(c->trace, &c->filter, first, err);
    if (st != OK)
        return st;
    st = order_new(c->trace, wanted, c, &c->order, err);
    if (st == OK && c->index == NULL)
        order_probe(c->order, c->filter.ids, c->filter.id_count);
    return st;
}

static enum status seek_source(struct event_cursor *c, uint64_t seq, struct error *err)
{
    return c->sparse != NULL ? sparse_seek(c->sparse, seq, err) : order_seek(c->order, seq, err);
}

/* To execute derived chunks from there on takes the state of their threads. */
static enum status seek_far(struct event_cursor *c, uint64_t seq, struct error *err)
{
    index_reach(c->trace, seq);
    return seek_source(c, seq, err);
}

int cursor_open_ids(hs_trace *trace, const struct hs_filter *filter, const uint32_t *ids, size_t id_count,
                    hs_cursor **out, struct hs_error *error)
{
    struct error err;
    struct event_cursor *c = calloc(1, sizeof *c);
    if (c == NULL) {
        (void)error_memory(&err, "%s", trace->dir);
        return give(error, &err);
    }
    c->base.ops = &event_ops;
    c->trace = trace;
    enum status st = init_filter(c, filter, ids, id_count, &err);
    if (st != OK)
        goto failed;
    st = open_source(c, &err);
    if (st != OK)
        goto failed;
    if (c->filter.from > 0)
        st = seek_far(c, c->filter.from, &err);
    if (st != OK)
        goto failed;
    *out = &c->base;
    return 0;
failed:
    hs_cursor_close(&c->base);
    return give(error, &err);
}

int hs_events_open(hs_trace *trace, const struct hs_filter *filter, hs_cursor **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(trace, "events");
    return cursor_open_ids(trace, filter, NULL, 0, out, error);
}

static void close_events(hs_cursor *base)
{
    struct event_cursor *c = (struct event_cursor *)base;
    order_free(c->order);
    sparse_free(c->sparse);
    sparse_free(c->index);
    event_filter_done(&c->filter);
    free(c);
}

static int seek_event(hs_cursor *base, uint64_t seq, struct hs_error *error)
{
    struct event_cursor *c = (struct event_cursor *)base;
    struct error err;
    if (seq < c->filter.from)
        seq = c->filter.from;
    if (seq > c->filter.to && c->filter.to < UINT64_MAX)
        seq = c->filter.to + 1;
    c->has_batch = c->again = false;
    struct phase phase PHASE_ENDS = trace_phase_resume(c->trace, "events", &c->read);
    return seek_far(c, seq, &err) == OK ? 0 : give(error, &err);
}

/* Fills c->event with event i of the batch if it passes. */
static bool passes(struct event_cursor *c, uint32_t i)
{
    const struct order_batch *b = &c->batch;
    uint32_t id = b->ids[i];
    if (!filter_id(&c->filter, id))
        return false;
    uint8_t kind = id < c->trace->kind_count ? c->trace->kinds[id] & 0x7f : KIND_VOID;
    c->event = (struct hs_event){ .seq = b->seq + i,
                                  .thread = b->thread,
                                  .dataid = id,
                                  .value = b->values[i],
                                  .stamp = b->stamps != NULL ? b->stamps[i] : b->first_stamp,
                                  .time_ns = b->times != NULL ? b->times[i] : HS_NO_TIME,
                                  .kind = (char)kind,
                                  .position = b->chunk->before + b->first + i };
    if (kind == KIND_BYTE)
        c->event.kind = element_kind_in(c->trace, &c->memos, &c->event, b->ids + i, b->values + i, b->first + i);
    return !filter_value_matters(&c->filter) ||
           filter_value(&c->filter, c->trace, (uint8_t)c->event.kind, c->event.value);
}

/* Seeks the merge to the cursor's position, unless it stands there: it does not within a batch, and after a change of
 * direction. */
static enum status turn(struct event_cursor *c, struct error *err)
{
    if (!c->has_batch)
        return OK;
    uint64_t here = c->batch.seq + c->at;
    c->has_batch = false;
    if (order_position(c->order) == here)
        return OK;
    return order_seek(c->order, here, err);
}

/* The batch behind (or before) the cursor. ERR_NOT_FOUND: there is none. */
static enum status next_batch(struct event_cursor *c, int direction, struct error *err)
{
    struct phase phase PHASE_ENDS = trace_phase_resume(c->trace, "events", &c->read);
    uint64_t here = c->again ? c->again_at : c->has_batch ? c->batch.seq + c->at : order_position(c->order);
    enum status st = c->again ? order_seek(c->order, here, err) : turn(c, err);
    if (st == OK)
        st = direction > 0 ? order_next(c->order, UINT32_MAX, &c->batch, err)
                           : order_previous(c->order, UINT32_MAX, &c->batch, err);
    c->again = st != OK && st != ERR_NOT_FOUND;
    c->again_at = here;
    c->has_batch = st == OK;
    c->at = st == OK && direction < 0 ? c->batch.count : 0;
    return st;
}

/* One step of a sparse walk; at the ends of from..to it stays where it is. */
static int sparse_step(struct event_cursor *c, int direction, const void **event, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase_resume(c->trace, "events", &c->read);
    struct error err;
    enum status st =
        direction > 0 ? sparse_next(c->sparse, &c->event, &err) : sparse_previous(c->sparse, &c->event, &err);
    if (st == ERR_NOT_FOUND)
        return 0;
    if (st != OK)
        return give(error, &err);
    if (direction > 0 ? c->event.seq > c->filter.to : c->event.seq < c->filter.from) {
        uint64_t end = direction > 0 ? c->filter.to + 1 : c->filter.from;
        return sparse_seek(c->sparse, end, &err) == OK ? 0 : give(error, &err);
    }
    *event = &c->event;
    return 1;
}

static void narrowed(struct event_cursor *c)
{
    if (c->sparse != NULL)
        sparse_narrowed(c->sparse);
    if (c->index != NULL)
        sparse_narrowed(c->index);
}

void cursor_drop_ids(hs_cursor *base, const uint32_t *ids, size_t count)
{
    struct event_cursor *c = (struct event_cursor *)base;
    for (size_t i = 0; i < count; i++)
        if (ids[i] < c->filter.id_count)
            c->filter.ids[ids[i] / 64] &= ~((uint64_t)1 << (ids[i] % 64));
    narrowed(c);
}

void cursor_set_keys(hs_cursor *base, const struct index_key *keys, size_t count)
{
    struct event_cursor *c = (struct event_cursor *)base;
    struct index_key *to = NULL;
    c->filter.keys.count = 0;
    for (size_t i = 0; i < count && (to = vec_push(&c->filter.keys)) != NULL; i++)
        *to = keys[i];
    if (to == NULL)
        c->filter.keys.count = 0; /* more chunks are read */
    narrowed(c);
}

/* The events of the batch up to the end of the filter. */
static uint32_t end_of_batch(const struct event_cursor *c)
{
    const uint64_t left = c->batch.seq > c->filter.to ? 0 : c->filter.to - c->batch.seq;
    return left < c->batch.count ? (uint32_t)left + (c->batch.seq <= c->filter.to) : c->batch.count;
}

/* The first event of the batch from `i` to `end` that may pass. */
static uint32_t scan(const struct event_cursor *c, uint32_t i, uint32_t end)
{
    hs_condition *where = !filter_value_matters(&c->filter) ? c->filter.where : NULL;
    const uint32_t *ids = c->batch.ids;
    do {
        i = filter_scan(&c->filter, c->trace, ids, c->batch.values, i, end);
        if (where != NULL)
            i = where->scan(where, c->trace, ids, c->batch.values, i, end);
    } while (i < end && !filter_id(&c->filter, ids[i]));
    return i;
}

static int filtered_next(hs_cursor *base, const void **event, struct hs_error *error)
{
    struct event_cursor *c = (struct event_cursor *)base;
    struct error err;
    if (c->sparse != NULL)
        return sparse_step(c, 1, event, error);
    for (;;) {
        const uint32_t end = c->has_batch ? end_of_batch(c) : 0;
        while (c->has_batch && c->at < end) {
            if (c->batch.ids != NULL)
                c->at = scan(c, c->at, end);
            else
                c->at = c->batch.count;
            if (c->at < end && passes(c, c->at++)) {
                *event = &c->event;
                return 1;
            }
        }
        if (c->has_batch && c->at < c->batch.count)
            return 0;
        enum status st = next_batch(c, 1, &err);
        if (st == ERR_NOT_FOUND)
            return 0;
        if (st != OK)
            return give(error, &err);
    }
}

static int filtered_previous(hs_cursor *base, const void **event, struct hs_error *error)
{
    struct event_cursor *c = (struct event_cursor *)base;
    struct error err;
    if (c->sparse != NULL)
        return sparse_step(c, -1, event, error);
    for (;;) {
        while (c->has_batch && c->at > 0) {
            if (c->batch.seq + c->at - 1 < c->filter.from)
                return 0;
            if (c->batch.ids == NULL) {
                c->at = 0;
                break;
            }
            if (passes(c, --c->at)) {
                *event = &c->event;
                return 1;
            }
        }
        enum status st = next_batch(c, -1, &err);
        if (st == ERR_NOT_FOUND)
            return 0;
        if (st != OK)
            return give(error, &err);
    }
}

/* The condition asks for objects and other events, so it is decided when a step is done. */
static bool is_true(const hs_cursor *base, const void *event)
{
    const struct event_cursor *c = (const struct event_cursor *)base;
    return c->filter.where == NULL || c->filter.where->passes(c->filter.where, c->trace, event);
}

static int next_event(hs_cursor *base, const void **event, struct hs_error *error)
{
    int more;
    while ((more = filtered_next(base, event, error)) > 0 && !is_true(base, *event))
        ;
    return more;
}

static int previous_event(hs_cursor *base, const void **event, struct hs_error *error)
{
    int more;
    while ((more = filtered_previous(base, event, error)) > 0 && !is_true(base, *event))
        ;
    return more;
}
