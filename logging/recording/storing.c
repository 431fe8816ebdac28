/* storing.c - see storing.h. */
#include "logging/recording/storing.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "logging/aggregate/snapshot_requests.h"

enum {
    /* buffers of one thread that are stored together: a full chunk; more would not stay in the cache */
    CHUNK_BUFFERS = 16,
    /* everything is stored at least this often: seldom, since fuller chunks and packs are smaller */
    FLUSH_MS = 1000,
    PENDING_BYTES = 4 << 20, /* the pending file is emptied at the latest when it is this long */
};

#define NO_REQUEST UINT32_MAX

/* Buffers taken from the queue and not stored yet, by descriptor. */
struct held {
    u32_vec *lists;
    size_t count, total;
};

static int by_sequence(const void *a, const void *b)
{
    uint64_t x = ((const struct drain_buffer *)a)->head->sequence, y = ((const struct drain_buffer *)b)->head->sequence;
    return x < y ? -1 : x > y;
}

static bool hold(struct held *h, struct journal *j, const u32_vec *queue)
{
    for (size_t i = 0; i < queue->count; i++) {
        uint32_t desc = journal_buffer(j, queue->items[i])->desc;
        if (desc >= h->count) {
            u32_vec *lists = realloc(h->lists, ((size_t)desc + 16) * sizeof *lists);
            if (lists == NULL)
                return false;
            memset(lists + h->count, 0, (desc + 16 - h->count) * sizeof *lists);
            h->lists = lists;
            h->count = (size_t)desc + 16;
        }
        uint32_t *slot = vec_push(&h->lists[desc]);
        if (slot == NULL)
            return false;
        *slot = queue->items[i];
        h->total++;
    }
    return true;
}

static enum status store_clock(struct recorder *r, struct error *err)
{
    struct writer w = { 0 };
    (void)pthread_mutex_lock(&r->clock_mutex);
    uint64_t stamp = 0, ns = 0, key = r->clock.count > 0 ? r->clock.items[0] : 0;
    for (size_t i = 0; i + 1 < r->clock.count; i += 2) {
        write_varint(&w, r->clock.items[i] - (i == 0 ? key : stamp));
        write_varint(&w, r->clock.items[i + 1] - ns);
        stamp = r->clock.items[i];
        ns = r->clock.items[i + 1];
    }
    bool any = r->clock.count > 0;
    r->clock.count = 0;
    (void)pthread_mutex_unlock(&r->clock_mutex);
    enum status s = any ? store_put(r->store, DB_CLOCK, key, w.data, w.size, err) : OK;
    writer_free(&w);
    return s;
}

/* What the agent has written, and what time it was. */
static enum status store_rows(struct recorder *r, struct error *err)
{
    bool damaged;
    struct writer rows;
    if (r->failed) /* a transaction was given up, and rows with it: take them all again */
        pendinglog_reread(&r->pending, &rows);
    else
        pendinglog_take_rows(&r->pending, &rows);
    enum status s = rows.size > 0 ? pending_store(r->store, rows.data, rows.size, &damaged, err) : OK;
    writer_free(&rows);
    return s == OK ? store_clock(r, err) : s;
}

/* What hooks keep by themselves, as far as it can be taken. */
static enum status counter_importer(struct recorder *r, bool rings, struct error *err)
{
    if (r->drain.counters == NULL || r->drain.use == DRAIN_OBJECTS)
        return OK;
    struct counter_importer h = { .state = &r->state,
                                  .sink = r->drain.sink,
                                  .kinds = r->drain.kinds,
                                  .start_ns = r->start_clock_ns,
                                  .rings = rings };
    enum status s = counters_import(&h, err);
    if (s == OK)
        s = counter_tables_retire(&r->counters, &h, err);
    r->drain.events += h.events;
    r->drain.imported += h.events;
    return s;
}

/* Ends the transaction. The state follows the store: what it counts has its objects there. */
static enum status commit(struct recorder *r, enum status s, struct error *err)
{
    if (s == OK)
        s = store_commit(r->store, err);
    else if (store_in_transaction(r->store))
        store_abort(r->store);
    if (s == OK && r->drain.sink != NULL)
        state_commit(&r->state);
    if (s == OK && r->drain.counters != NULL)
        counter_tables_committed(&r->counters);
    if (s == OK) {
        drain_committed(&r->drain);
    } else {
        drain_given_up(&r->drain);
        if (r->drain.sink != NULL)
            state_give_up(&r->state);
    }
    return s;
}

/* What was written by then into buffers that threads still write. */
static enum status store_active(struct recorder *r, const struct held *h, const active_vec *active, struct error *err)
{
    enum status s = OK;
    for (size_t i = 0; i < active->count && s == OK && !r->discard; i++) {
        const struct active_buffer *a = &active->items[i];
        if (a->desc < h->count && h->lists[a->desc].count > 0)
            continue; /* one before it was not drained to its end */
        struct drain_buffer b = { journal_buffer(&r->journal, a->buffer), a->used };
        uint64_t done = a->desc < r->drain.positions.count ? r->drain.positions.items[a->desc] : 0;
        /* else it came from the queue as well */
        if (drain_position(a->sequence, a->used) > done && a->used > sizeof *b.head)
            s = drain_group(&r->drain, a->desc, &b, 1, err);
    }
    return s;
}

/* Stores the groups that are worth it (all of them with `everything`), `active`, pending rows and clock, in one
 * transaction. With the number of a snapshot request: only what lies before it, and the snapshot; what lies behind is
 * still held. */
static enum status store_held(struct recorder *r, struct held *h, bool everything, const active_vec *active,
                              uint32_t request, struct error *err)
{
    u32_vec done = { 0 };
    VEC(struct drain_buffer) group = { 0 };
    enum status s = store_begin(r->store, err);
    /* kinds first: rows of a class are added before its data IDs can show, so what we take covers what we see */
    r->drain.kinds = (struct kind_table){ r->kinds, __atomic_load_n(&r->kind_count, __ATOMIC_ACQUIRE) };
    r->drain.roles = r->roles;
    if (s == OK)
        s = store_rows(r, err);
    r->drain.until = request != NO_REQUEST ? r->windows.requests[request].stamp : UINT64_MAX;
    for (size_t i = 0; i < h->count && s == OK; i++) {
        u32_vec *list = &h->lists[i];
        if (list->count == 0 || (!everything && list->count < CHUNK_BUFFERS))
            continue;
        group.count = 0;
        if (!vec_reserve(&group, list->count) || !vec_reserve(&done, done.count + list->count)) {
            s = error_set(err, ERR_MEMORY, "no memory in the drain");
            break;
        }
        for (size_t k = 0; k < list->count; k++) {
            const struct buffer_head *b = journal_buffer(&r->journal, list->items[k]);
            group.items[group.count++] = (struct drain_buffer){ b, b->used };
        }
        if (!r->discard && (s = drain_group(&r->drain, (uint32_t)i, group.items, group.count, err)) != OK)
            break;
        size_t whole = r->discard ? group.count : r->drain.whole;
        memcpy(done.items + done.count, list->items, whole * sizeof *done.items);
        done.count += whole;
        h->total -= whole;
        list->count -= whole;
        memmove(list->items, list->items + whole, list->count * sizeof *list->items);
    }
    if (s == OK)
        s = store_active(r, h, active, err);
    if (s == OK && everything && request == NO_REQUEST)
        s = counter_importer(r, r->journal.counters_frozen, err);
    if (s == OK && windows_present(&r->windows))
        s = windows_store(&r->windows, r->store, err);
    if (s == OK && request != NO_REQUEST)
        s = snapshot_request_serve(&r->drain, r->store, request, err);
    r->drain.until = UINT64_MAX;
    enum status room = s == OK ? bound_keep(&r->bound, r->store, err) : OK;
    if (room != ERR_FULL && s == OK)
        s = room;
    s = commit(r, s, err);
    if (s == OK)
        s = room; /* the bound is reached: what was taken is stored all the same */
    if (s == OK && !store_waits(r->store))
        pendinglog_stored(&r->pending);
    if (r->pending.size > PENDING_BYTES)
        store_flush_packs(r->store);
    if (s == OK || s == room)
        journal_recycle(&r->journal, done.items, done.count);
    else
        (void)hold(h, &r->journal, &done); /* for describe_rest */
    vec_free(&done);
    vec_free(&group);
    return s;
}

/* Of events that were seen before: all requests with stamps up to theirs. */
static uint32_t requests_wanted(struct recorder *r)
{
    return windows_present(&r->windows) ? windows_request_count(&r->windows) : 0;
}

/* The snapshots up to that number: `h` and `active` hold everything before them. */
static enum status serve_requests(struct recorder *r, struct held *h, const active_vec *active, uint32_t wanted,
                                  struct error *err)
{
    enum status s = OK;
    for (; s == OK && r->snapshot_requests_served < wanted; r->snapshot_requests_served++)
        s = store_held(r, h, true, active, r->snapshot_requests_served, err);
    return s;
}

/* The recording cannot go on. The program does. */
static void give_up(struct recorder *r, const struct error *err)
{
    if (!r->failed)
        r->error = *err;
    r->failed = true;
    journal_end(&r->journal);
}

/* Of a recording that cannot go on: what is in these buffers happened, and is lost. */
static void count_rest(struct recorder *r, const struct held *h, const active_vec *active)
{
    VEC(struct drain_buffer) group = { 0 };
    struct error err;
    r->drain.kinds = (struct kind_table){ r->kinds, __atomic_load_n(&r->kind_count, __ATOMIC_ACQUIRE) };
    r->drain.roles = r->roles;
    r->drain.use = DRAIN_COUNT;
    r->drain.error = (struct error){ 0 };
    r->drain.until = UINT64_MAX;
    for (size_t i = 0; i < h->count && !r->discard; i++) {
        const u32_vec *list = &h->lists[i];
        if (list->count == 0 || !vec_reserve(&group, list->count))
            continue;
        for (group.count = 0; group.count < list->count; group.count++) {
            const struct buffer_head *b = journal_buffer(&r->journal, list->items[group.count]);
            group.items[group.count] = (struct drain_buffer){ b, b->used };
        }
        /* those of a transaction that was given up came back last */
        qsort(group.items, group.count, sizeof *group.items, by_sequence);
        (void)drain_group(&r->drain, (uint32_t)i, group.items, group.count, &err);
    }
    (void)store_active(r, &(struct held){ 0 }, active, &err);
    vec_free(&group);
}

/* What is stored may show objects that one of the buffers left describes. */
static void describe_rest(struct recorder *r, struct held *h)
{
    active_vec active = { 0 };
    u32_vec queue = { 0 };
    struct error err = { 0 };
    store_release_reserve(r->store);
    journal_give_back(&r->journal);
    r->bound.bytes = 0;
    bool ok = journal_active(&r->journal, &active);
    journal_collect(&r->journal, &queue, 0);
    ok = ok && hold(h, &r->journal, &queue);
    if (ok)
        count_rest(r, h, &active);
    u64_vec counted = { 0 };
    if (ok && vec_reserve(&counted, r->drain.positions.count + 1)) {
        /* a transaction that was given up is not stored, whatever positions say */
        memcpy(counted.items, r->drain.positions.items, r->drain.positions.count * sizeof *counted.items);
        counted.count = r->drain.positions.count;
        memset(r->drain.positions.items, 0, r->drain.positions.count * sizeof *counted.items);
        r->drain.use = DRAIN_OBJECTS;
        (void)store_held(r, h, true, &active, NO_REQUEST, &err);
        memcpy(r->drain.positions.items, counted.items, counted.count * sizeof *counted.items);
    }
    vec_free(&counted);
    vec_free(&active);
    vec_free(&queue);
}

/* At the end of such a recording: what threads were just writing when it failed, and what they had no room for since.
 * From now on nobody takes the rest of the journal for something that could be stored. */
static void count_last(struct recorder *r)
{
    active_vec active = { 0 };
    u32_vec queue = { 0 };
    struct held h = { 0 };
    bool ok = journal_active(&r->journal, &active);
    journal_collect(&r->journal, &queue, 0);
    if (ok && hold(&h, &r->journal, &queue))
        count_rest(r, &h, &active);
    r->journal.head->period_end = 0;
    for (size_t i = 0; i < h.count; i++)
        vec_free(&h.lists[i]);
    free(h.lists);
    vec_free(&active);
    vec_free(&queue);
}

static uint64_t snapshots_wanted(struct recorder *r)
{
    (void)pthread_mutex_lock(&r->snapshot_mutex);
    uint64_t wanted = r->snapshots_wanted;
    (void)pthread_mutex_unlock(&r->snapshot_mutex);
    return wanted;
}

static void answer_snapshots(struct recorder *r, uint64_t wanted, bool last)
{
    (void)pthread_mutex_lock(&r->snapshot_mutex);
    r->snapshots_done = wanted;
    r->drain_over = last;
    (void)pthread_cond_broadcast(&r->snapshot_done);
    (void)pthread_mutex_unlock(&r->snapshot_mutex);
}

void *storing_run(void *arg)
{
    struct recorder *r = arg;
    struct held h = { 0 };
    u32_vec queue = { 0 };
    active_vec active = { 0 };
    uint64_t flushed = recorder_now(r);
    for (bool last = false; !last;) {
        queue.count = active.count = 0;
        uint64_t wanted = snapshots_wanted(r);
        uint32_t requests = requests_wanted(r);
        bool snapshot = wanted > r->snapshots_done; /* nobody else changes that */
        if (snapshot && r->drain.counters != NULL)
            journal_freeze_counters(&r->journal);
        bool all = snapshot || requests > r->snapshot_requests_served;
        bool seen = !all || journal_active(&r->journal, &active);
        last = __atomic_load_n(&r->journal.ended, __ATOMIC_ACQUIRE);
        journal_collect(&r->journal, &queue, all ? 0 : FLUSH_MS);
        uint64_t now = recorder_now(r);
        struct error err = { 0 };
        bool everything =
            last || snapshot || now - flushed >= FLUSH_MS * UINT64_C(1000000) || journal_pressed(&r->journal);
        bool full = false;
        enum status s =
            seen && hold(&h, &r->journal, &queue) ? OK : error_set(&err, ERR_MEMORY, "no memory in the drain");
        for (size_t i = 0; i < h.count && !full; i++)
            full = h.lists[i].count >= CHUNK_BUFFERS;
        if (snapshot)
            store_flush_packs(r->store);
        if (s == OK)
            s = serve_requests(r, &h, &active, requests, &err);
        /* what was collected may lie behind those */
        if (s == OK && requests_wanted(r) > requests && !r->journal.failed && !r->windows.failed) {
            last = false;
            continue;
        }
        if (s == OK && !snapshot)
            active.count = 0;
        if (s == OK && (everything || full))
            s = store_held(r, &h, everything, &active, NO_REQUEST, &err);
        if (s == OK && snapshot && r->drain.sink != NULL && (s = store_begin(r->store, &err)) == OK)
            s = commit(r, snapshot_save_state(&r->drain, r->store, &err), &err);
        if (r->journal.counters_frozen)
            journal_thaw_counters(&r->journal);
        if (s == OK && r->windows.failed)
            err = r->windows.error, s = err.status;
        if (everything)
            flushed = now;
        if (s == OK)
            s = syncer_status(&r->syncer, &err);
        if (s == OK && everything &&
            !trace_dir_locate(&r->trace, NULL, 0)) /* else an invisible file would go on growing */
            s = error_set(&err, ERR_NOT_FOUND, RECORDER_REMOVED);
        if (s == OK && r->journal.failed)
            err = r->journal.error, s = ERR_FULL;
        if (s == OK && r->pending.failed)
            s = error_set(&err, ERR_FULL, "the list of classes and threads cannot grow: %s",
                          strerror(r->pending.failed));
        if (s != OK)
            give_up(r, &err);
        if (r->failed) {
            last = true;
            describe_rest(r, &h);
        }
        answer_snapshots(r, wanted, last);
    }
    vec_free(&active);
    for (size_t i = 0; i < h.count; i++)
        vec_free(&h.lists[i]);
    free(h.lists);
    vec_free(&queue);
    return NULL;
}

/* What threads have written into buffers that are not full. A thread that met the end after the drain's last look has
 * handed its buffer over: that one is in the queue, and since nothing is begun any more, the last of its descriptor. */
enum status storing_last(struct recorder *r, struct error *err)
{
    active_vec active = { 0 };
    u32_vec queue = { 0 };
    struct held none = { 0 };
    enum status s = journal_active(&r->journal, &active) ? OK : error_set(err, ERR_MEMORY, "no memory in the drain");
    /* after the others: whoever hands over in between is in both, and stored once */
    journal_collect(&r->journal, &queue, 0);
    for (size_t i = 0; i < queue.count && s == OK; i++) {
        const struct buffer_head *b = journal_buffer(&r->journal, queue.items[i]);
        struct active_buffer *a = vec_push(&active);
        if (a == NULL)
            s = error_set(err, ERR_MEMORY, "no memory in the drain");
        else
            *a = (struct active_buffer){ b->desc, queue.items[i], b->sequence, b->used };
    }
    if (s == OK)
        s = serve_requests(r, &none, &active, requests_wanted(r), err);
    if (s == OK)
        s = store_begin(r->store, err);
    r->drain.kinds = (struct kind_table){ r->kinds, r->kind_count };
    r->drain.roles = r->roles;
    if (s == OK)
        s = store_active(r, &none, &active, err);
    if (s == OK)
        s = drain_rest(&r->drain, err);
    if (s == OK)
        s = counter_importer(r, true, err);
    s = commit(r, s, err);
    if (s != OK)
        count_rest(r, &none, &active);
    vec_free(&queue);
    vec_free(&active);
    return s;
}

static void put_text(struct recorder *r, const char *key, const char *text)
{
    (void)store_put_text(r->store, DB_INFO, key, strlen(key), text, strlen(text), NULL);
}

/* The end note, and rows that are not stored yet. */
static enum status end_transaction(struct recorder *r, bool counters, struct error *err)
{
    enum status s = store_begin(r->store, err);
    if (s == OK)
        s = store_rows(r, err);
    if (r->failed)
        r->windows.stored = 0; /* rows may have been given up as well */
    if (s == OK && windows_present(&r->windows))
        s = windows_store(&r->windows, r->store, err);
    if (s == OK && r->failed && counters)
        s = counter_importer(r, true, err);
    if (s == OK)
        s = snapshot_save_state(&r->drain, r->store, err);
    if (s == OK) {
        (void)store_put_number(r->store, "ended", recorder_clock(CLOCK_REALTIME), NULL);
        (void)store_put_number(r->store, "lost", storing_lost(r), NULL);
        (void)store_put_number(r->store, "stamp", journal_stamp(&r->journal), NULL);
        put_text(r, "end", r->failed ? "truncated" : "clean");
        if (r->failed)
            put_text(r, "lost_reason", r->error.text);
    }
    return commit(r, s, err);
}

uint64_t storing_lost(const struct recorder *r) { return r->drain.lost + r->lost_at_end; }

enum status storing_end(struct recorder *r, struct error *err)
{
    uint64_t left;
    if (r->failed) {
        store_release_reserve(r->store);
        count_last(r);
        r->lost_at_end = __atomic_load_n(&r->refused, __ATOMIC_RELAXED);
        r->journal.head->given_up = 1;
    }
    store_flush_packs(r->store);
    enum status s = end_transaction(r, true, err);
    if (s != OK && r->failed) { /* once more, without what hooks keep by themselves */
        left = r->drain.counters != NULL ? counters_pending(&r->state, r->drain.kinds) : 0;
        r->lost_at_end += left;
        store_flush_packs(r->store);
        s = end_transaction(r, false, err);
        r->lost_at_end -= s != OK ? left : 0;
        r->drain.events += s != OK ? left : 0; /* recovery takes it */
    }
    r->journal.head->lost = storing_lost(r);
    return s;
}
