/* storing.c - see storing.h. */
#include "logging/recording/storing.h"

#include <stdlib.h>
#include <string.h>

#include "formats/files.h"
#include "logging/recording/snapshot_requests.h"

/* The pending file is emptied when it has this size, or this part of a bound. */
enum { PENDING_BYTES = 4 << 20, PENDING_PART = 128 };

/* Rows of a class are added before its data IDs can occur: rows that are taken after this call include all the data IDs
 * it sees. */
static void update_format(struct recorder *r)
{
    struct record_format *f = &r->drain.format;
    f->kinds = (struct kind_table){ r->kinds, __atomic_load_n(&r->kind_count, __ATOMIC_ACQUIRE) };
    f->roles = r->roles;
    if (r->sites != NULL)
        r->deriver.sites = (struct derive_sites){ r->sites, f->kinds.count };
}

bool storing_has_pending(const struct recorder *r)
{
    uint64_t bound = r->bound.bytes > 0 ? r->bound.bytes / PENDING_PART : PENDING_BYTES;
    return r->pending.size - r->pending.hole > (bound < PENDING_BYTES ? bound : PENDING_BYTES);
}

/* Stores the rows of the agent and the clock pairs. */
static enum status store_rows(struct recorder *r, struct error *err)
{
    bool damaged;
    struct writer rows;
    if (r->failed) /* a transaction with rows was rolled back: read them all again */
        pendinglog_reread(&r->pending, &rows);
    else
        pendinglog_take_rows(&r->pending, &rows);
    enum status s = rows.size > 0 ? pending_store(r->store, rows.data, rows.size, &damaged, err) : OK;
    writer_free(&rows);
    if (s != OK)
        return s;
    return clock_store(&r->clock, r->store, err);
}

/* Imports the counters of the hooks, as far as possible. */
static enum status import_counters(struct recorder *r, bool rings, struct error *err)
{
    struct batch *b = &r->drain.batch;
    if (b->counters == NULL || b->use == DRAIN_OBJECTS)
        return OK;
    struct counter_importer h = { .state = &r->state,
                                  .import_ring = b->sink->import_ring,
                                  .kinds = r->drain.format.kinds,
                                  .start_ns = r->clock.start_ns,
                                  .rings = rings };
    enum status s = counters_import(&h, err);
    if (s == OK)
        s = counter_tables_retire(&r->counters, &h, err);
    b->events += h.events;
    b->imported += h.events;
    return s;
}

/* Ends the transaction. The state is committed after the store, which then has the objects of its events. */
static enum status commit(struct recorder *r, enum status s, struct error *err)
{
    struct batch *b = &r->drain.batch;
    bool state = b->sink->storage->uses_state;
    if (s == OK)
        s = chunk_writer_finish(&b->output.chunks, r->store, err);
    if (s == OK)
        s = store_commit(r->store, err);
    else if (store_in_transaction(r->store))
        store_abort(r->store);
    if (s != OK) {
        chunk_writer_drop(&b->output.chunks);
        batch_given_up(b);
        if (state)
            state_give_up(&r->state);
        return s;
    }
    if (state)
        state_commit(&r->state);
    if (b->counters != NULL)
        counter_tables_committed(&r->counters);
    batch_committed(b);
    return OK;
}

/* Stores the active buffers up to the collected positions. Those of a descriptor follow each other. */
static enum status store_active(struct recorder *r, const struct held *h, const active_vec *active, struct error *err)
{
    const u64_vec *positions = &r->drain.positions;
    uint32_t stopped = NO_DESC;
    for (size_t i = 0; i < active->count; i++) {
        const struct active_buffer *a = &active->items[i];
        if (held_has(h, a->desc) || a->desc == stopped)
            continue; /* a buffer before it was not drained to its end */
        struct drain_buffer b = { journal_buffer(&r->journal, a->buffer), a->used };
        uint64_t done = a->desc < positions->count ? positions->items[a->desc] : 0;
        if (journal_position(a->sequence, a->used) <= done || a->used <= sizeof *b.head)
            continue; /* it is in the queue as well, or is empty */
        enum status s = drain_group(&r->drain, a->desc, &b, 1, err);
        if (s != OK)
            return s;
        if (r->drain.reader.stopped)
            stopped = a->desc;
    }
    return OK;
}

enum groups { GROUPS_OF_A_CHUNK, GROUPS_OF_GUESTS, GROUPS_ALL };

static bool is_guests(const struct recorder *r, const u32_vec *buffers)
{
    for (size_t i = 0; i < buffers->count; i++)
        if (journal_buffer(&r->journal, buffers->items[i])->guest)
            return true;
    return false;
}

static bool is_due(const struct recorder *r, const u32_vec *buffers, enum groups which)
{
    if (buffers->count == 0 || which == GROUPS_ALL)
        return buffers->count > 0;
    return which == GROUPS_OF_GUESTS ? is_guests(r, buffers) : buffers->count >= CHUNK_BUFFERS;
}

/* Moves buffers that were drained to their end to `done`. */
static enum status store_groups(struct recorder *r, struct held *h, enum groups which, u32_vec *done, struct error *err)
{
    drain_buffer_vec group = { 0 };
    enum status s = OK;
    for (size_t i = 0; i < h->count; i++) {
        size_t count = h->lists[i].count;
        if (!is_due(r, &h->lists[i], which))
            continue;
        if (!held_group(h, &r->journal, i, &group) || !vec_reserve(done, done->count + count)) {
            s = error_set(err, ERR_MEMORY, "no memory in the drain");
            break;
        }
        s = drain_group(&r->drain, (uint32_t)i, group.items, group.count, err);
        if (s != OK)
            break;
        (void)held_move(h, i, r->drain.whole, done); /* cannot fail: `done` has room */
    }
    vec_free(&group);
    return s;
}

/* Collects queued and active buffers. False: no memory. */
static bool collect_rest(struct recorder *r, struct held *h, active_vec *active)
{
    u32_vec queue = { 0 };
    bool ok = journal_active(&r->journal, active);
    journal_collect(&r->journal, &queue, 0); /* after the active ones: a buffer queued in between is in both */
    ok = ok && held_add(h, &r->journal, &queue);
    vec_free(&queue);
    return ok;
}

static void keep_guests(const struct recorder *r, active_vec *active)
{
    size_t kept = 0;
    for (size_t i = 0; i < active->count; i++)
        if (journal_buffer(&r->journal, active->items[i].buffer)->guest)
            active->items[kept++] = active->items[i];
    active->count = kept;
}

/* What virtual threads recorded on one carrier waits for what they recorded on others before, which is in the journal
 * by now: reads that, too. It waits for nothing that was recorded later. */
static enum status store_waiting(struct recorder *r, struct held *h, u32_vec *done, struct error *err)
{
    struct drain *d = &r->drain;
    active_vec active = { 0 };
    enum status s = OK;
    for (bool moved = true; s == OK && d->reader.waits && moved;) {
        moved = false;
        active.count = 0;
        if (!collect_rest(r, h, &active))
            s = error_set(err, ERR_MEMORY, "no memory in the drain");
        keep_guests(r, &active);
        update_format(r); /* classes may have been woven since */
        if (s == OK)
            s = store_rows(r, err);
        for (d->moved = true; s == OK && d->reader.waits && d->moved; moved |= d->moved) {
            d->reader.waits = d->moved = false;
            s = store_groups(r, h, GROUPS_OF_GUESTS, done, err);
            if (s == OK)
                s = store_active(r, h, &active, err);
        }
    }
    d->reader.waits = false;
    vec_free(&active);
    return s;
}

static enum status store_windows(struct recorder *r, struct error *err)
{
    return windows_present(&r->windows) ? windows_store(&r->windows, r->store, err) : OK;
}

/* Begins it, with what has been decided of tests. */
static enum status begin_transaction(struct recorder *r, struct error *err)
{
    const struct batch *b = &r->drain.batch;
    enum status s = store_begin(r->store, err);
    if (s != OK || b->windows == NULL || b->windows->options.keep == KEEP_ALL)
        return s;
    return store_put_number(r->store, "tests_to_drop", windows_tests_dropped(b->windows), err);
}

/* The parts of the transaction. */
static enum status store_parts(struct recorder *r, struct held *h, bool everything, const active_vec *active,
                               uint32_t request, u32_vec *done, struct error *err)
{
    enum status s = begin_transaction(r, err);
    if (s != OK)
        return s;
    s = store_rows(r, err);
    if (s != OK)
        return s;
    s = store_groups(r, h, everything ? GROUPS_ALL : GROUPS_OF_A_CHUNK, done, err);
    if (s != OK)
        return s;
    s = store_active(r, h, active, err);
    if (s != OK)
        return s;
    s = store_waiting(r, h, done, err);
    if (s != OK)
        return s;
    s = drain_put_left_out(&r->drain, err);
    if (s != OK)
        return s;
    if (everything && request == NO_REQUEST)
        s = import_counters(r, r->journal.counters_frozen, err);
    if (s != OK)
        return s;
    s = store_windows(r, err);
    if (s != OK || request == NO_REQUEST)
        return s;
    return snapshot_request_serve(&r->drain.batch, request, err);
}

/* The disk space beside the data, and what is still to be stored while it is taken: pending rows, the rows of a state,
 * which are much shorter. */
static uint64_t bytes_beside(const struct recorder *r)
{
    uint64_t bytes = STORE_RESERVE_BYTES + journal_disk_bytes(&r->journal) + 2 * file_disk_bytes(r->pending.fd);
    if (windows_present(&r->windows))
        bytes += file_disk_bytes(r->windows.tables.fd);
    if (r->drain.batch.sink->storage->uses_state)
        bytes += file_disk_bytes(r->state.tables.fd) / 4 * 5;
    return bytes;
}

enum status storing_store(struct recorder *r, struct held *h, bool everything, const active_vec *active,
                          uint32_t request, struct error *err)
{
    u32_vec done = { 0 };
    bool full = false; /* the bound is reached, and this transaction is committed all the same */
    struct error bound_error = { 0 };
    update_format(r);
    r->drain.reader.until = request != NO_REQUEST ? r->windows.requests[request].stamp : UINT64_MAX;
    enum status s = store_parts(r, h, everything, active, request, &done, err);
    r->drain.reader.until = UINT64_MAX;
    if (storing_has_pending(r))
        store_flush_packs(r->store);
    if (s == OK)
        s = chunk_writer_finish(&r->drain.batch.output.chunks, r->store, err);
    if (s == OK) {
        s = bound_keep(&r->bound, r->store, bytes_beside(r), &bound_error);
        full = s == ERR_FULL && r->bound.drop_oldest;
        if (s != OK)
            *err = bound_error;
        if (full)
            s = OK;
    }
    /* derived chunks cannot be read without the class files, also while the recording goes on */
    if (r->sites != NULL && store_waits(r->store))
        store_flush_packs(r->store);
    s = commit(r, s, err);
    bool stored = s == OK;
    if (full && stored) {
        *err = bound_error;
        s = ERR_FULL;
    }
    if (s == OK && !store_waits(r->store))
        pendinglog_stored(&r->pending);
    if (stored)
        journal_recycle(&r->journal, done.items, done.count);
    else
        (void)held_add(h, &r->journal, &done); /* for storing_give_up */
    vec_free(&done);
    return s;
}

uint32_t storing_requests(struct recorder *r)
{
    return windows_present(&r->windows) ? windows_request_count(&r->windows) : 0;
}

enum status storing_serve_requests(struct recorder *r, struct held *h, const active_vec *active, uint32_t wanted,
                                   struct error *err)
{
    for (; r->requests_served < wanted; r->requests_served++) {
        enum status s = storing_store(r, h, true, active, r->requests_served, err);
        if (s != OK)
            return s;
    }
    return OK;
}

enum status storing_save_state(struct recorder *r, struct error *err)
{
    if (r->drain.batch.sink->save == NULL)
        return OK;
    enum status s = store_begin(r->store, err);
    if (s != OK)
        return s;
    return commit(r, snapshot_save_state(&r->drain.batch, err), err);
}

static int by_sequence(const void *a, const void *b)
{
    uint64_t x = ((const struct drain_buffer *)a)->head->sequence, y = ((const struct drain_buffer *)b)->head->sequence;
    return x < y ? -1 : x > y;
}

bool storing_counts_records(const struct recorder *r)
{
    return r->failed && r->error.status == ERR_FULL && r->drain.batch.sink == &sink_omni &&
           !windows_present(&r->windows) && r->drain.batch.percall == NULL;
}

void storing_count_lost(struct recorder *r, const struct held *h, const active_vec *active)
{
    drain_buffer_vec group = { 0 };
    struct error err;
    update_format(r);
    r->drain.batch.use = DRAIN_COUNT;
    r->drain.batch.error = (struct error){ 0 };
    r->drain.reader.until = UINT64_MAX;
    for (size_t i = 0; i < h->count; i++) {
        if (h->lists[i].count == 0 || !held_group(h, &r->journal, i, &group))
            continue;
        /* buffers of a transaction that was rolled back were appended last */
        qsort(group.items, group.count, sizeof *group.items, by_sequence);
        (void)drain_group(&r->drain, (uint32_t)i, group.items, group.count, &err);
    }
    (void)store_active(r, &(struct held){ 0 }, active, &err);
    vec_free(&group);
}

void storing_count_held(struct recorder *r, struct held *h)
{
    u32_vec done = { 0 };
    storing_count_lost(r, h, &(active_vec){ 0 });
    for (size_t i = 0; i < h->count; i++)
        if (h->lists[i].count > 0 && !held_move(h, i, h->lists[i].count, &done))
            journal_end(&r->journal); /* no memory: its buffers stay in use */
    journal_recycle(&r->journal, done.items, done.count);
    vec_free(&done);
    r->journal.head->lost = storing_lost(r);
}

/* Stores the objects that held buffers describe. A transaction that was rolled back is not stored, whatever the
 * positions are. */
static void store_objects(struct recorder *r, struct held *h, const active_vec *active)
{
    u64_vec *positions = &r->drain.positions, counted = { 0 };
    size_t bytes = positions->count * sizeof *positions->items;
    struct error err = { 0 };
    if (!vec_reserve(&counted, positions->count + 1))
        return;
    if (bytes > 0) {
        memcpy(counted.items, positions->items, bytes);
        memset(positions->items, 0, bytes);
    }
    r->drain.batch.use = DRAIN_OBJECTS;
    (void)storing_store(r, h, true, active, NO_REQUEST, &err);
    if (bytes > 0)
        memcpy(positions->items, counted.items, bytes);
    vec_free(&counted);
}

void storing_give_up(struct recorder *r, struct held *h)
{
    active_vec active = { 0 };
    store_release_reserve(r->store);
    journal_give_back(&r->journal);
    r->bound.bytes = 0;
    if (collect_rest(r, h, &active)) {
        storing_count_lost(r, h, &active);
        store_objects(r, h, &active);
    }
    vec_free(&active);
    storing_count_held(r, h);
}

/* At the end of such a recording: counts events that threads were just writing when it failed, and events that got no
 * room since. The rest of the journal is lost and must not be stored later. */
static void count_last(struct recorder *r)
{
    active_vec active = { 0 };
    struct held h = { 0 };
    if (collect_rest(r, &h, &active))
        storing_count_lost(r, &h, &active);
    r->journal.head->period_end = 0;
    held_free(&h);
    vec_free(&active);
}

static int by_desc(const void *a, const void *b)
{
    const struct active_buffer *x = a, *y = b;
    if (x->desc != y->desc)
        return x->desc < y->desc ? -1 : 1;
    return x->sequence < y->sequence ? -1 : x->sequence > y->sequence;
}

/* Collects buffers that are not full. A thread that noticed the end after the drain's last round has queued its buffer:
 * it is the last one of its descriptor, since no buffer is begun any more. False: no memory. */
static bool collect_last(struct recorder *r, active_vec *active)
{
    u32_vec queue = { 0 };
    bool ok = journal_active(&r->journal, active);
    /* after the active ones: a buffer queued in between is in both, and stored once */
    journal_collect(&r->journal, &queue, 0);
    for (size_t i = 0; i < queue.count && ok; i++) {
        const struct buffer_head *b = journal_buffer(&r->journal, queue.items[i]);
        struct active_buffer *a = vec_push(active);
        ok = a != NULL;
        if (ok)
            *a = (struct active_buffer){ b->desc, queue.items[i], b->sequence, b->used };
    }
    vec_free(&queue);
    if (ok && active->count > 1)
        qsort(active->items, active->count, sizeof *active->items, by_desc);
    return ok;
}

/* Parts of virtual threads for which something is missing are read last. */
static enum status store_last_buffers(struct recorder *r, const active_vec *active, struct error *err)
{
    const struct held none = { 0 };
    struct drain *d = &r->drain;
    enum status s;
    do {
        d->reader.waits = d->moved = false;
        s = store_active(r, &none, active, err);
    } while (s == OK && d->reader.waits && d->moved);
    if (s != OK || !d->reader.waits)
        return s;
    d->reader.positions = NULL;
    return store_active(r, &none, active, err);
}

static enum status store_last(struct recorder *r, const active_vec *active, struct error *err)
{
    struct held none = { 0 };
    enum status s = storing_serve_requests(r, &none, active, storing_requests(r), err);
    if (s != OK)
        return s;
    s = begin_transaction(r, err);
    if (s != OK)
        return s;
    update_format(r);
    s = store_last_buffers(r, active, err);
    if (s != OK)
        return s;
    s = drain_rest(&r->drain, err);
    if (s != OK)
        return s;
    s = drain_put_left_out(&r->drain, err);
    if (s != OK)
        return s;
    return import_counters(r, true, err);
}

enum status storing_last(struct recorder *r, struct error *err)
{
    active_vec active = { 0 };
    enum status s = collect_last(r, &active) ? OK : error_set(err, ERR_MEMORY, "no memory in the drain");
    if (s == OK)
        s = store_last(r, &active, err);
    s = commit(r, s, err);
    if (s != OK)
        storing_count_lost(r, &(struct held){ 0 }, &active);
    vec_free(&active);
    return s;
}

static void put_text(struct recorder *r, const char *key, const char *text)
{
    (void)store_put_text(r->store, DB_INFO, key, strlen(key), text, strlen(text), NULL);
}

/* Writes how the recording ended. */
static void put_end(struct recorder *r)
{
    /* by the clock of the events: the other one may have been set meanwhile */
    (void)store_put_number(r->store, "ended", r->clock.start_epoch_ns + clock_now(&r->clock), NULL);
    (void)store_put_number(r->store, "lost", storing_lost(r), NULL);
    (void)store_put_number(r->store, "waited_ns", r->journal.waited_ns, NULL);
    (void)store_put_number(r->store, "stamp", journal_stamp(&r->journal), NULL);
    put_text(r, "end", r->failed ? "truncated" : "clean");
    if (r->failed)
        put_text(r, "lost_reason", r->error.text);
    if (r->failed && r->sites != NULL && storing_lost_exactly(r))
        put_text(r, "lost_exact", "1");
}

/* Stores the remaining rows and how the recording ended. */
static enum status store_end(struct recorder *r, bool counters, struct error *err)
{
    enum status s = begin_transaction(r, err);
    if (s != OK)
        return s;
    s = store_rows(r, err);
    if (s != OK)
        return s;
    if (r->failed)
        r->windows.stored = 0; /* rows may have been rolled back as well */
    s = store_windows(r, err);
    if (s != OK)
        return s;
    if (r->failed && counters)
        s = import_counters(r, true, err);
    if (s != OK)
        return s;
    s = snapshot_save_state(&r->drain.batch, err);
    if (s != OK)
        return s;
    put_end(r);
    return OK;
}

uint64_t storing_lost(const struct recorder *r) { return r->drain.batch.lost + r->lost_at_end; }

bool storing_lost_exactly(const struct recorder *r)
{
    return !r->failed || r->sites == NULL ||
           (storing_counts_records(r) && atomic_load_explicit(&r->refused, memory_order_relaxed) == 0);
}

enum status storing_end(struct recorder *r, struct error *err)
{
    struct batch *b = &r->drain.batch;
    if (r->failed) {
        store_release_reserve(r->store);
        count_last(r);
        r->lost_at_end = atomic_load_explicit(&r->refused, memory_order_relaxed);
        r->journal.head->given_up = 1;
    }
    store_flush_packs(r->store);
    enum status s = commit(r, store_end(r, true, err), err);
    if (s != OK && r->failed) { /* once more, without the counters of the hooks */
        uint64_t left = b->counters != NULL ? counters_pending(&r->state, r->drain.format.kinds) : 0;
        r->lost_at_end += left;
        store_flush_packs(r->store);
        s = commit(r, store_end(r, false, err), err);
        if (s != OK) { /* left to recovery */
            r->lost_at_end -= left;
            b->events += left;
        }
    }
    r->journal.head->lost = storing_lost(r);
    return s;
}
