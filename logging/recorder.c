/* recorder.c - the drain thread stores what is full, and everything a few times a second; the ticker moves the shared
 * stamp on, so that stamps also tell the time. See recorder.h. */
#include "logging/recorder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "logging/cuts.h"

enum {
    CHUNK_BUFFERS = 16,     /* buffers of one thread that are stored together: a full chunk; more would not stay in the cache */
    FLUSH_MS = 1000,        /* everything is stored at least this often: seldom, since fuller chunks and packs are smaller */
    TICK_NS = 1000000,
    PAUSED_TICK_NS = 20 * TICK_NS,
    PENDING_BYTES = 4 << 20, /* the pending file is emptied at the latest when it is this long */
};

static uint64_t clock_ns(clockid_t id)
{
    struct timespec t;
    (void)clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

uint64_t recorder_now(const struct recorder *r) { return clock_ns(CLOCK_MONOTONIC) - r->start_clock_ns; }

static void path_in(char *out, size_t size, const char *dir, const char *file) { (void)snprintf(out, size, "%s/%s", dir, file); }

static bool is_ours(const char *name)
{
    static const char *const files[] = { TRACE_DATA_FILE, "lock.mdb", TRACE_JOURNAL_FILE, TRACE_PENDING_FILE, TRACE_CONTROL_SOCKET, TRACE_STATE_FILE, TRACE_INTERVALS_FILE, "reserve" };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strcmp(name, files[i]) == 0)
            return true;
    return false;
}

/* The directory exists and is usable, or is made. */
static enum status prepare_dir(const char *dir, bool overwrite, struct error *err)
{
    if (mkdir(dir, 0777) == 0)
        return OK;
    if (errno != EEXIST)
        return error_set(err, ERR_IO, "%s cannot be made: %s", dir, strerror(errno));
    DIR *d = opendir(dir);
    if (d == NULL)
        return error_set(err, ERR_IO, "%s: %s", dir, strerror(errno));
    enum status s = OK;
    char path[4096 + 300];
    for (struct dirent *e; s == OK && (e = readdir(d)) != NULL;) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        path_in(path, sizeof path, dir, e->d_name);
        if (!overwrite && is_ours(e->d_name))
            s = error_set(err, ERR_EXISTS, "%s holds a trace already; accepted is a new directory, or overwrite=true", dir);
        else if (!is_ours(e->d_name) && strcmp(e->d_name, TRACE_WOVEN_DIR) != 0)
            s = error_set(err, ERR_EXISTS, "%s is not empty (%s) and no trace; accepted is a new or empty directory", dir, e->d_name);
        else if (is_ours(e->d_name) && unlink(path) != 0)
            s = error_set(err, ERR_IO, "%s: %s", path, strerror(errno));
    }
    (void)closedir(d);
    if (s == OK && access(dir, W_OK | X_OK) != 0)
        s = error_set(err, ERR_IO, "%s cannot be written: %s", dir, strerror(errno));
    return s;
}

enum status recorder_open(struct recorder *r, const char *dir, bool overwrite, bool timed, struct error *err)
{
    char path[4096 + 32];
    *r = (struct recorder){ .start_clock_ns = clock_ns(CLOCK_MONOTONIC), .start_epoch_ns = clock_ns(CLOCK_REALTIME) };
    (void)pthread_mutex_init(&r->kinds_mutex, NULL);
    (void)pthread_mutex_init(&r->clock_mutex, NULL);
    (void)pthread_mutex_init(&r->marks_mutex, NULL);
    (void)pthread_mutex_init(&r->snapshot_mutex, NULL);
    (void)pthread_cond_init(&r->snapshot_done, NULL);
    if (strlen(dir) >= sizeof r->dir)
        return error_set(err, ERR_USAGE, "the path has more than %zu characters", sizeof r->dir - 1);
    enum status s = prepare_dir(dir, overwrite, err);
    if (s != OK)
        return s;
    char *absolute = realpath(dir, NULL); /* the program may change its directory */
    if (absolute == NULL || strlen(absolute) >= sizeof r->dir) {
        free(absolute);
        return error_set(err, ERR_IO, "%s: %s", dir, strerror(errno));
    }
    (void)snprintf(r->dir, sizeof r->dir, "%s", absolute);
    free(absolute);
    r->kinds = mmap(NULL, 4 * (size_t)DATAIDS_MAX, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (r->kinds == MAP_FAILED)
        return error_set(err, ERR_MEMORY, "no address space for the data IDs: %s", strerror(errno));
    r->roles = r->kinds + DATAIDS_MAX;
    r->record_shapes = r->roles + DATAIDS_MAX;
    r->edges = r->record_shapes + DATAIDS_MAX;
    s = store_open(r->dir, true, &r->store, err);
    if (s == OK)
        s = drain_init(&r->drain, r->store, timed, err);
    r->drain.start_ns = r->start_clock_ns;
    path_in(path, sizeof path, r->dir, TRACE_PENDING_FILE);
    if (s == OK)
        s = pendinglog_open(&r->pending, path, err);
    path_in(path, sizeof path, r->dir, TRACE_JOURNAL_FILE);
    if (s == OK)
        s = journal_open(&r->journal, path, timed, err);
    r->drain.journal = r->journal.head;
    if (s == OK)
        r->journal.head->start_ns = r->start_clock_ns;
    return s;
}

enum status recorder_use_sink(struct recorder *r, const struct sink *sink, uint32_t size, bool cells, struct error *err)
{
    enum status s = state_create(&r->state, r->dir, size, r->drain.timed, err);
    r->drain.sink = sink;
    r->drain.state = &r->state;
    if (s == OK && cells && sink->cells) {
        s = hot_init(&r->hot, &r->state, &r->journal, r->record_shapes, sink->ordered ? size : 0, r->drain.timed, err);
        r->drain.hot = s == OK ? &r->hot : NULL;
        r->drain.numbered = s == OK && sink->ordered;
        r->journal.head->numbered = r->drain.numbered;
    }
    return s;
}

enum status recorder_use_intervals(struct recorder *r, const struct interval_options *options, struct error *err)
{
    enum status s = intervals_create(&r->intervals, r->dir, options, r->start_clock_ns, err);
    r->drain.intervals = s == OK ? &r->intervals : NULL;
    return s;
}

void recorder_edge(struct recorder *r, struct thread_desc *d, uint32_t id, bool release, const uint64_t values[3])
{
    struct edge_call call = { id, release, { values[0], values[1], values[2] }, r->kinds, r->edges,
                              __atomic_load_n(&r->kind_count, __ATOMIC_ACQUIRE), r->journal.head->timed };
    if (intervals_event(&r->intervals, &r->journal, d, &call))
        journal_wake(&r->journal);
}

bool recorder_freeze(struct recorder *r, enum snapshot_kind kind, uint32_t thread, uint32_t object, const char *type)
{
    bool ok = intervals_cut(&r->intervals, &r->journal, kind, thread, object, type);
    journal_wake(&r->journal);
    return ok;
}

uint32_t recorder_first_dataid(const struct recorder *r) { return r->kind_count; }

bool recorder_add_dataids(struct recorder *r, const uint8_t *letters, const uint8_t *roles, const uint8_t *edges, uint32_t count)
{
    if (count > DATAIDS_MAX - r->kind_count)
        return false;
    if (count == 0)
        return true;
    memcpy(r->kinds + r->kind_count, letters, count);
    memcpy(r->roles + r->kind_count, roles, count);
    for (uint32_t i = 0; i < count; i++)
        r->record_shapes[r->kind_count + i] = drain_record_shape(letters, roles, i, count);
    if (edges != NULL)
        memcpy(r->edges + r->kind_count, edges, count);
    __atomic_store_n(&r->kind_count, r->kind_count + count, __ATOMIC_RELEASE);
    return true;
}

/* ---- the drain thread ------------------------------------------------------------------------------------------------ */

#define NO_CUT UINT32_MAX

/* Buffers taken from the queue and not stored yet, by descriptor. */
struct held {
    u32_vec *lists;
    size_t count, total;
};

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

/* What hooks keep by themselves, as far as it can be taken. */
static enum status harvest(struct recorder *r, bool rings, struct error *err)
{
    if (r->drain.hot == NULL)
        return OK;
    struct harvest h = { .state = &r->state, .sink = r->drain.sink, .kinds = r->drain.kinds, .start_ns = r->start_clock_ns, .rings = rings };
    enum status s = cells_harvest(&h, err);
    if (s == OK)
        s = hot_retire(&r->hot, &h, err);
    r->drain.events += h.events;
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
    if (s == OK && r->drain.hot != NULL)
        hot_committed(&r->hot);
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
        if (drain_position(a->sequence, a->used) > done && a->used > sizeof *b.head) /* else it came from the queue as well */
            s = drain_group(&r->drain, a->desc, &b, 1, err);
    }
    return s;
}

/* Stores the groups that are worth it (all of them with `everything`), `active`, pending rows and clock, in one transaction. With a
 * number of a cut: only what lies before it, and the snapshot; what lies behind is still held. */
static enum status store_held(struct recorder *r, struct held *h, bool everything, const active_vec *active, uint32_t cut, struct error *err)
{
    u32_vec done = { 0 };
    VEC(struct drain_buffer) group = { 0 };
    struct writer rows;
    bool torn;
    enum status s = store_begin(r->store, err);
    /* kinds first: rows of a class are added before its data IDs can show, so what we take covers what we see */
    r->drain.kinds = (struct kind_table){ r->kinds, __atomic_load_n(&r->kind_count, __ATOMIC_ACQUIRE) };
    r->drain.roles = r->roles;
    pendinglog_take(&r->pending, &rows);
    if (s == OK && rows.size > 0)
        s = pending_store(r->store, rows.data, rows.size, &torn, err);
    writer_free(&rows);
    if (s == OK)
        s = store_clock(r, err);
    r->drain.until = cut != NO_CUT ? r->intervals.cuts[cut].stamp : UINT64_MAX;
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
    if (s == OK && everything && cut == NO_CUT)
        s = harvest(r, r->journal.frozen, err);
    if (s == OK && intervals_there(&r->intervals))
        s = intervals_store(&r->intervals, r->store, err);
    if (s == OK && cut != NO_CUT)
        s = cuts_serve(&r->drain, r->store, cut, err);
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

/* Of events that were seen before: all cuts with stamps up to theirs. */
static uint32_t cuts_wanted(struct recorder *r) { return intervals_there(&r->intervals) ? intervals_cuts(&r->intervals) : 0; }

/* The snapshots up to that number: `h` and `active` hold everything before them. */
static enum status serve_cuts(struct recorder *r, struct held *h, const active_vec *active, uint32_t wanted, struct error *err)
{
    enum status s = OK;
    for (; s == OK && r->cuts_served < wanted; r->cuts_served++)
        s = store_held(r, h, true, active, r->cuts_served, err);
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

/* Of a recording that cannot go on: what is stored may show objects that one of the buffers left describes. */
static void describe_rest(struct recorder *r, struct held *h)
{
    active_vec active = { 0 };
    u32_vec queue = { 0 };
    struct error err = { 0 };
    store_release_reserve(r->store);
    r->drain.objects_only = true;
    r->bound.bytes = 0;
    for (size_t i = 0; i < r->drain.positions.count; i++) /* a transaction that was given up is not stored, whatever they say */
        r->drain.positions.items[i] = 0;
    bool ok = journal_active(&r->journal, &active);
    journal_collect(&r->journal, &queue, 0);
    if (ok && hold(h, &r->journal, &queue))
        (void)store_held(r, h, true, &active, NO_CUT, &err);
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

bool recorder_snapshot(struct recorder *r)
{
    (void)pthread_mutex_lock(&r->snapshot_mutex);
    uint64_t mine = ++r->snapshots_wanted;
    journal_wake(&r->journal);
    while (r->snapshots_done < mine && !r->drain_over)
        (void)pthread_cond_wait(&r->snapshot_done, &r->snapshot_mutex);
    (void)pthread_mutex_unlock(&r->snapshot_mutex);
    return !r->failed;
}

static void *run_drain(void *arg)
{
    struct recorder *r = arg;
    struct held h = { 0 };
    u32_vec queue = { 0 };
    active_vec active = { 0 };
    uint64_t flushed = recorder_now(r);
    for (bool last = false; !last;) {
        queue.count = active.count = 0;
        uint64_t wanted = snapshots_wanted(r);
        uint32_t cuts = cuts_wanted(r);
        bool snapshot = wanted > r->snapshots_done; /* nobody else changes that */
        if (snapshot && r->drain.hot != NULL)
            journal_freeze(&r->journal);
        bool all = snapshot || cuts > r->cuts_served;
        bool seen = !all || journal_active(&r->journal, &active);
        last = __atomic_load_n(&r->journal.ended, __ATOMIC_ACQUIRE);
        journal_collect(&r->journal, &queue, all ? 0 : FLUSH_MS);
        uint64_t now = recorder_now(r);
        struct error err = { 0 };
        bool everything = last || snapshot || now - flushed >= FLUSH_MS * UINT64_C(1000000) || journal_pressed(&r->journal);
        bool full = false;
        enum status s = seen && hold(&h, &r->journal, &queue) ? OK : error_set(&err, ERR_MEMORY, "no memory in the drain");
        for (size_t i = 0; i < h.count && !full; i++)
            full = h.lists[i].count >= CHUNK_BUFFERS;
        if (snapshot)
            store_flush_packs(r->store);
        if (s == OK)
            s = serve_cuts(r, &h, &active, cuts, &err);
        if (s == OK && cuts_wanted(r) > cuts && !r->journal.failed && !r->intervals.failed) { /* what was collected may lie behind those */
            last = false;
            continue;
        }
        if (s == OK && !snapshot)
            active.count = 0;
        if (s == OK && (everything || full))
            s = store_held(r, &h, everything, &active, NO_CUT, &err);
        if (s == OK && snapshot && r->drain.sink != NULL && (s = store_begin(r->store, &err)) == OK)
            s = commit(r, cuts_save_state(&r->drain, r->store, &err), &err);
        if (r->journal.frozen)
            journal_thaw(&r->journal);
        if (s == OK && r->intervals.failed)
            err = r->intervals.error, s = err.status;
        if (everything)
            flushed = now;
        if (s == OK)
            s = syncer_status(&r->syncer, &err);
        if (s == OK && r->journal.failed)
            err = r->journal.error, s = ERR_FULL;
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

/* ---- the ticker ------------------------------------------------------------------------------------------------------ */

static void tick(struct recorder *r)
{
    uint64_t stamp = journal_bump(&r->journal), now = recorder_now(r);
    (void)pthread_mutex_lock(&r->clock_mutex);
    if (vec_reserve(&r->clock, r->clock.count + 2)) {
        r->clock.items[r->clock.count++] = stamp;
        r->clock.items[r->clock.count++] = now;
    }
    (void)pthread_mutex_unlock(&r->clock_mutex);
}

static void *run_ticker(void *arg)
{
    struct recorder *r = arg;
    uint64_t epoch = 0;
    while (!__atomic_load_n(&r->stop_ticker, __ATOMIC_ACQUIRE) && !r->failed) {
        bool paused = __atomic_load_n(&r->journal.paused, __ATOMIC_ACQUIRE);
        struct timespec t = { 0, paused ? PAUSED_TICK_NS : TICK_NS };
        (void)nanosleep(&t, NULL);
        if (!paused)
            tick(r);
        /* records hold 32 bits of the stamp: let no thread's last record fall 2^32 behind (journal.h) */
        if (journal_stamp(&r->journal) >> 30 != epoch) {
            epoch = journal_stamp(&r->journal) >> 30;
            journal_interrupt_all(&r->journal);
        }
    }
    return NULL;
}

enum status recorder_start(struct recorder *r, struct error *err)
{
    r->drain.bound = r->bound.bytes > 0 && r->bound.drop_oldest ? &r->bound : NULL;
    if (intervals_there(&r->intervals))
        intervals_begin(&r->intervals, &r->journal);
    tick(r);
    enum status s = syncer_start(&r->syncer, r->store, err);
    if (s != OK)
        return s;
    if (pthread_create(&r->drain_thread, NULL, run_drain, r) != 0)
        return error_set(err, ERR_MEMORY, "the drain thread cannot be started: %s", strerror(errno));
    if (pthread_create(&r->ticker_thread, NULL, run_ticker, r) != 0)
        return error_set(err, ERR_MEMORY, "the ticker cannot be started: %s", strerror(errno));
    (void)pthread_setname_np(r->drain_thread, "hindsight-drain");
    /* batch: the thread that wakes the drain goes on. Otherwise the kernel may run the drain at once on that thread's processor, which
     * cost half a millisecond at every wake (bench: recursive burst 5.5 -> 0.6 ns per event) */
    (void)pthread_setschedparam(r->drain_thread, SCHED_BATCH, &(struct sched_param){ 0 });
    (void)pthread_setname_np(r->ticker_thread, "hindsight-tick");
    r->threads_run = true;
    return OK;
}

bool recorder_pause(struct recorder *r)
{
    journal_pause(&r->journal);
    if (intervals_there(&r->intervals))
        intervals_end(&r->intervals, &r->journal);
    return recorder_snapshot(r);
}

void recorder_resume(struct recorder *r)
{
    for (uint32_t id = 0; id < recorder_first_dataid(r); id++)
        r->record_shapes[id] &= RECORD_EVENTS; /* what was woven before tells nothing of this period */
    journal_resume(&r->journal, recorder_first_dataid(r));
    if (intervals_there(&r->intervals))
        intervals_begin(&r->intervals, &r->journal);
    tick(r);
}

/* ---- the end --------------------------------------------------------------------------------------------------------- */

/* What threads have written into buffers that are not full. A thread that met the end after the drain's last look has handed its buffer over:
 * that one is in the queue, and since nothing is begun any more, the last of its descriptor. */
static enum status store_last(struct recorder *r, struct error *err)
{
    active_vec active = { 0 };
    u32_vec queue = { 0 };
    struct held none = { 0 };
    enum status s = journal_active(&r->journal, &active) ? OK : error_set(err, ERR_MEMORY, "no memory in the drain");
    journal_collect(&r->journal, &queue, 0); /* after the others: whoever hands over in between is in both, and stored once */
    for (size_t i = 0; i < queue.count && s == OK; i++) {
        const struct buffer_head *b = journal_buffer(&r->journal, queue.items[i]);
        struct active_buffer *a = vec_push(&active);
        if (a == NULL)
            s = error_set(err, ERR_MEMORY, "no memory in the drain");
        else
            *a = (struct active_buffer){ b->desc, queue.items[i], b->sequence, b->used };
    }
    if (s == OK)
        s = serve_cuts(r, &none, &active, cuts_wanted(r), err);
    if (s == OK)
        s = store_begin(r->store, err);
    r->drain.kinds = (struct kind_table){ r->kinds, r->kind_count };
    r->drain.roles = r->roles;
    if (s == OK)
        s = store_active(r, &none, &active, err);
    vec_free(&queue);
    vec_free(&active);
    if (s == OK)
        s = drain_rest(&r->drain, err);
    if (s == OK)
        s = harvest(r, true, err);
    return commit(r, s, err);
}

static void put_text(struct recorder *r, const char *key, const char *text)
{
    (void)store_put_text(r->store, DB_INFO, key, strlen(key), text, strlen(text), NULL);
}

static enum status store_end(struct recorder *r, struct error *err)
{
    struct writer rows;
    bool torn;
    if (r->failed)
        store_release_reserve(r->store);
    store_flush_packs(r->store);
    enum status s = store_begin(r->store, err);
    if (r->failed) /* a transaction was given up, and rows with it: take them all again */
        pendinglog_reread(&r->pending, r->dir, &rows);
    else
        pendinglog_take(&r->pending, &rows);
    if (s == OK && rows.size > 0)
        s = pending_store(r->store, rows.data, rows.size, &torn, err);
    writer_free(&rows);
    if (s == OK)
        s = store_clock(r, err);
    if (r->failed)
        r->intervals.stored = 0; /* rows may have been given up as well */
    if (s == OK && intervals_there(&r->intervals))
        s = intervals_store(&r->intervals, r->store, err);
    if (s == OK)
        s = cuts_save_state(&r->drain, r->store, err);
    if (s == OK) {
        (void)store_put_number(r->store, "ended", clock_ns(CLOCK_REALTIME), NULL);
        (void)store_put_number(r->store, "lost", r->drain.lost, NULL);
        (void)store_put_number(r->store, "stamp", journal_stamp(&r->journal), NULL);
        put_text(r, "end", r->failed ? "truncated" : "clean");
        if (r->failed)
            put_text(r, "lost_reason", r->error.text);
        s = store_commit(r->store, err);
    }
    if (s != OK && store_in_transaction(r->store))
        store_abort(r->store);
    return s;
}

static uint64_t dir_bytes(const char *dir)
{
    uint64_t total = 0;
    DIR *d = opendir(dir);
    char path[4096 + 300];
    struct stat st;
    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        path_in(path, sizeof path, dir, e->d_name);
        if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
            total += (uint64_t)st.st_size;
    }
    if (d != NULL)
        (void)closedir(d);
    return total;
}

void recorder_close(struct recorder *r, struct recorder_totals *out)
{
    char path[4096 + 32];
    journal_bump(&r->journal);
    journal_end(&r->journal);
    if (intervals_there(&r->intervals))
        intervals_settle(&r->intervals);
    __atomic_store_n(&r->stop_ticker, true, __ATOMIC_RELEASE);
    if (r->threads_run) {
        (void)pthread_join(r->drain_thread, NULL);
        (void)pthread_join(r->ticker_thread, NULL);
    }
    syncer_stop(&r->syncer);
    struct error err = { 0 };
    if (!r->failed && store_last(r, &err) != OK) {
        r->failed = true;
        r->error = err;
    }
    bool told = store_end(r, &err) == OK && store_sync(r->store, &err) == OK;
    store_close(r->store);
    r->store = NULL;
    if (told) { /* else they stay, and recovery can still read them */
        path_in(path, sizeof path, r->dir, TRACE_JOURNAL_FILE);
        (void)unlink(path);
        path_in(path, sizeof path, r->dir, TRACE_PENDING_FILE);
        (void)unlink(path);
        path_in(path, sizeof path, r->dir, TRACE_INTERVALS_FILE);
        (void)unlink(path);
        path_in(path, sizeof path, r->dir, TRACE_STATE_FILE);
        (void)unlink(path); /* last: while there is a journal, its state is needed */
    }
    *out = (struct recorder_totals){ r->drain.events, r->drain.lost, dir_bytes(r->dir) };
}
