/* recorder.c - begin, pause and end of a recording, and the ticker, which increments the shared stamp so that stamps
 * can be mapped to times. The drain thread is in drain_thread.c and storing.c. See recorder.h. */
#include "logging/recording/recorder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/limits.h"
#include "formats/trace_files.h"
#include "logging/recording/drain_thread.h"
#include "logging/recording/run.h"
#include "logging/recording/storing.h"

enum {
    TICK_NS = 1000000,
    FEW_TICKS_NS = 20 * TICK_NS,
    TABLES = 4, /* by data ID: see recorder.h */
    DATAIDS_LEAST = 1 << 20,
    MEMORY_PARTS = 48, /* the tables' part of memory where that is limited */
    STATE_PART = 4,    /* the part of a bound on the trace that counters and rings get */
};

static void path_in(char *out, size_t size, const char *dir, const char *file)
{
    (void)snprintf(out, size, "%s/%s", dir, file);
}

/* Tables by data ID: address space only, pages are allocated on use. */
static enum status reserve_kinds(struct recorder *r, struct error *err)
{
    uint64_t most = TABLES * (uint64_t)DATAIDS_MAX, least = TABLES * (uint64_t)DATAIDS_LEAST;
    r->kinds_max = (uint32_t)(limit_memory_part(most, MEMORY_PARTS, least) / TABLES);
    r->kinds = mmap(NULL, TABLES * (size_t)r->kinds_max, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (r->kinds == MAP_FAILED)
        return error_set(err, ERR_MEMORY, "no address space for the data IDs: %s", strerror(errno));
    r->roles = r->kinds + r->kinds_max;
    r->record_shapes = r->roles + r->kinds_max;
    r->triggers = r->record_shapes + r->kinds_max;
    return OK;
}

static enum status open_parts(struct recorder *r, bool timed, struct error *err)
{
    char path[4096 + 32];
    enum status s = reserve_kinds(r, err);
    if (s != OK)
        return s;
    s = store_open(r->dir, true, &r->store, err);
    if (s != OK)
        return s;
    s = drain_init(&r->drain, r->store, timed, err);
    if (s != OK)
        return s;
    path_in(path, sizeof path, r->dir, TRACE_PENDING_FILE);
    s = pendinglog_open(&r->pending, path, err);
    if (s != OK)
        return s;
    path_in(path, sizeof path, r->dir, TRACE_JOURNAL_FILE);
    s = journal_open(&r->journal, path, timed, err);
    if (s != OK)
        return s;
    r->drain.format.start_ns = r->clock.start_ns;
    r->drain.reader.journal = r->journal.head;
    r->journal.head->start_ns = r->clock.start_ns;
    pendinglog_publish_size(&r->pending, &r->journal.head->pending);
    return OK;
}

void recorder_abandon(struct recorder *r)
{
    store_close(r->store);
    r->store = NULL;
    trace_dir_abandon(&r->trace);
}

enum status recorder_open(struct recorder *r, const struct recorder_target *where, bool timed, struct error *err)
{
    *r = (struct recorder){ 0 };
    clock_init(&r->clock);
    (void)pthread_mutex_init(&r->kinds_mutex, NULL);
    (void)pthread_mutex_init(&r->marks_mutex, NULL);
    (void)pthread_mutex_init(&r->snapshot_mutex, NULL);
    (void)pthread_cond_init(&r->snapshot_done, NULL);
    pthread_condattr_t attr;
    (void)pthread_condattr_init(&attr);
    (void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&r->ticker_stops, &attr);
    (void)pthread_condattr_destroy(&attr);
    char run[RUN_NAME_MAX];
    run_name_new(run);
    enum status s =
        trace_dir_claim(&r->trace, where->dir, where->overwrite, where->run != NULL ? where->run : run, err);
    if (s != OK)
        return s;
    r->dir = r->trace.dir;
    s = open_parts(r, timed, err);
    if (s != OK) {
        recorder_abandon(r);
        return s;
    }
    trace_dir_note_data(&r->trace);
    return OK;
}

/* If there is address space, hooks count frequent data IDs in counters. */
static enum status use_counters(struct recorder *r, const struct sink *sink, uint32_t size, struct error *err)
{
    bool timed = r->drain.format.timed;
    if (!counter_tables_possible())
        return OK;
    enum status s = counter_tables_init(&r->counters, &r->state, &r->journal, r->record_shapes,
                                        sink->ordered ? size : 0, timed, err);
    if (s != OK)
        return s;
    r->drain.batch.counters = &r->counters;
    r->drain.format.numbered = sink->ordered;
    r->journal.head->numbered = sink->ordered;
    return OK;
}

enum status recorder_use_sink(struct recorder *r, const struct sink *sink, uint32_t size, bool counters,
                              struct error *err)
{
    r->drain.batch.sink = sink;
    r->journal.unread = sink->import_batch == NULL;
    if (!sink->storage->uses_state)
        return OK;
    enum status s = state_create(&r->state, r->dir, size, r->drain.format.timed, err);
    r->drain.batch.output.state = &r->state;
    if (s != OK || !counters || !sink->counters)
        return s;
    return use_counters(r, sink, size, err);
}

void recorder_count_only(struct recorder *r)
{
    r->journal.head->counts_only = cuts_init(&r->cuts, r->kinds_max); /* else hooks give values, which are not kept */
}

bool recorder_use_deriver(struct recorder *r)
{
    size_t bytes = r->kinds_max * (sizeof *r->sites + sizeof *r->pcs);
    if (!deriver_init(&r->deriver))
        return false;
    void *sites = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (sites == MAP_FAILED) {
        deriver_done(&r->deriver);
        return false;
    }
    r->sites = sites;
    r->pcs = (uint16_t *)(r->sites + r->kinds_max);
    r->deriver.pcs = r->pcs;
    r->drain.batch.output.chunks.deriver = &r->deriver;
    return true;
}

void recorder_use_bound(struct recorder *r, uint64_t bytes, bool drop_oldest)
{
    r->bound = (struct bound){ .bytes = bytes, .drop_oldest = drop_oldest };
    journal_bound(&r->journal, bytes);
    if (drop_oldest)
        store_chunks_alone(r->store);
    if (bytes / STATE_PART < r->state.budget)
        r->state.budget = bytes / STATE_PART; /* rings that are too short are better than an early end */
}

enum status recorder_use_windows(struct recorder *r, const struct window_options *options, struct error *err)
{
    enum status s = windows_create(&r->windows, r->dir, options, r->clock.start_ns, err);
    r->drain.batch.windows = s == OK ? &r->windows : NULL;
    return s;
}

void recorder_record_trigger(struct recorder *r, struct thread_desc *d, uint32_t id, bool release,
                             const struct record_values *values)
{
    struct trigger_call call = { id,
                                 release,
                                 *values,
                                 r->kinds,
                                 r->triggers,
                                 __atomic_load_n(&r->kind_count, __ATOMIC_ACQUIRE),
                                 r->journal.head->timed };
    if (windows_record_trigger(&r->windows, &r->journal, d, &call))
        journal_wake(&r->journal);
}

bool recorder_request_snapshot(struct recorder *r, enum snapshot_kind kind, uint32_t thread, uint32_t object,
                               const char *type)
{
    bool ok = windows_request_snapshot(&r->windows, &r->journal, kind, thread, object, type);
    journal_wake(&r->journal);
    return ok;
}

bool recorder_counts_lost(const struct recorder *r) { return r->failed && r->error.status == ERR_FULL; }

/* Not counted in a recording in parts: it is not known which events would have been kept. */
static bool counts_refused(const struct recorder *r, const struct thread_desc *d, uint32_t id)
{
    return (r->failed || r->journal.failed) && !r->journal.paused &&
           id < __atomic_load_n(&r->kind_count, __ATOMIC_ACQUIRE) && id >= r->journal.head->first_dataid &&
           (d == NULL || d->busy == 0) && !(windows_present(&r->windows) && r->windows.head->filters);
}

void recorder_count_refused(struct recorder *r, const struct thread_desc *d, uint32_t id)
{
    if (counts_refused(r, d, id))
        (void)atomic_fetch_add_explicit(&r->refused, r->record_shapes[id] & RECORD_EVENTS, memory_order_relaxed);
}

void recorder_record_cut(struct recorder *r, struct thread_desc *d, uint32_t id, uint32_t pc)
{
    uint32_t first = 0,
             n = cuts_find(&r->cuts, r->kinds, __atomic_load_n(&r->kind_count, __ATOMIC_ACQUIRE), id, pc, &first);
    uint64_t at = n > 0 ? journal_room(&r->journal, d, JOURNAL_RECORD_MAX_BYTES) : 0;
    uint64_t *p = (uint64_t *)(uintptr_t)at;
    if (n > 0 && p == NULL && counts_refused(r, d, first))
        (void)atomic_fetch_add_explicit(&r->refused, n, memory_order_relaxed);
    if (p == NULL)
        return;
    p[0] = journal_stamp(&r->journal) << 32 | (REC_FIRST | REC_CUT);
    p[1] = first | (uint64_t)n << 32;
    __atomic_store_n(&d->pos, at + 2 * sizeof *p, __ATOMIC_RELEASE);
}

uint32_t recorder_first_dataid(const struct recorder *r) { return r->kind_count; }

void recorder_add_sites(struct recorder *r, const uint32_t *rows, const uint16_t *pcs, uint32_t count)
{
    if (r->sites == NULL || count > r->kinds_max - r->kind_count)
        return;
    memcpy(r->sites + r->kind_count, rows, count * sizeof *rows);
    memcpy(r->pcs + r->kind_count, pcs, count * sizeof *pcs);
}

bool recorder_add_dataids(struct recorder *r, const uint8_t *letters, const uint8_t *roles, const uint8_t *triggers,
                          uint32_t count)
{
    if (count > r->kinds_max - r->kind_count)
        return false;
    if (count == 0)
        return true;
    memcpy(r->kinds + r->kind_count, letters, count);
    if (r->journal.head->counts_only)
        kinds_without_values(r->kinds + r->kind_count, count);
    for (uint32_t i = r->kind_count; r->sites != NULL && i < r->kind_count + count; i++)
        if (r->sites[i] & SITE_VALUELESS)
            r->kinds[i] = KIND_VOID | (r->kinds[i] & KIND_JOINED);
    memcpy(r->roles + r->kind_count, roles, count);
    for (uint32_t i = 0; i < count; i++)
        r->record_shapes[r->kind_count + i] = record_shape_of(letters, roles, i, count);
    if (triggers != NULL)
        memcpy(r->triggers + r->kind_count, triggers, count);
    __atomic_store_n(&r->kind_count, r->kind_count + count, __ATOMIC_RELEASE);
    return true;
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

/* ---- the ticker ---- */

void recorder_tick(struct recorder *r)
{
    (void)pthread_mutex_lock(&r->snapshot_mutex); /* pairs are in order */
    clock_add(&r->clock, journal_bump(&r->journal));
    (void)pthread_mutex_unlock(&r->snapshot_mutex);
}

/* Until it is time for the next tick; false: the recording has ended. */
static bool rest(struct recorder *r, long ns)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (until.tv_nsec + ns) / 1000000000;
    until.tv_nsec = (until.tv_nsec + ns) % 1000000000;
    (void)pthread_mutex_lock(&r->snapshot_mutex);
    while (!r->stop_ticker && pthread_cond_timedwait(&r->ticker_stops, &r->snapshot_mutex, &until) != ETIMEDOUT)
        continue;
    const bool stops = r->stop_ticker;
    (void)pthread_mutex_unlock(&r->snapshot_mutex);
    return !stops && !__atomic_load_n(&r->journal.ended, __ATOMIC_ACQUIRE);
}

static void stop_ticker(struct recorder *r)
{
    (void)pthread_mutex_lock(&r->snapshot_mutex);
    r->stop_ticker = true;
    (void)pthread_cond_broadcast(&r->ticker_stops);
    (void)pthread_mutex_unlock(&r->snapshot_mutex);
}

static void *run_ticker(void *arg)
{
    struct recorder *r = arg;
    uint64_t epoch = 0;
    bool paused = false;
    while (rest(r, paused || r->few_ticks ? FEW_TICKS_NS : TICK_NS)) {
        paused = __atomic_load_n(&r->journal.paused, __ATOMIC_ACQUIRE);
        if (!paused && !r->failed)
            recorder_tick(r);
        /* records hold 32 bits of the stamp: no thread's last record may fall 2^32 behind (journal.h) */
        if (journal_stamp(&r->journal) >> 30 != epoch) {
            epoch = journal_stamp(&r->journal) >> 30;
            journal_interrupt_all(&r->journal);
        }
    }
    return NULL;
}

enum status recorder_start(struct recorder *r, struct error *err)
{
    r->drain.batch.bound = r->bound.bytes > 0 && r->bound.drop_oldest ? &r->bound : NULL;
    if (windows_present(&r->windows))
        windows_begin(&r->windows, &r->journal);
    recorder_tick(r);
    if (r->drain.batch.sink == &sink_omni)
        chunk_pool_start(r->drain.batch.output.chunks.pool, chunk_pool_useful_threads());
    enum status s = syncer_start(&r->syncer, r->store, err);
    if (s != OK)
        return s;
    int e = pthread_create(&r->ticker_thread, NULL, run_ticker, r);
    if (e != 0)
        return error_set(err, ERR_MEMORY, "the ticker cannot be started: %s", strerror(e));
    r->journal.drained = true;
    e = pthread_create(&r->drain_thread, NULL, drain_thread_run, r); /* last: it uses the store until it has ended */
    if (e != 0) {
        r->journal.drained = false;
        stop_ticker(r);
        (void)pthread_join(r->ticker_thread, NULL);
        return error_set(err, ERR_MEMORY, "the drain thread cannot be started: %s", strerror(e));
    }
    (void)pthread_setname_np(r->drain_thread, "hindsight-drain");
    /* batch: so that the thread that wakes the drain continues. Otherwise the kernel may run the drain at once on that
     * thread's processor, which cost half a millisecond at every wake (bench: recursive burst 5.5 -> 0.6 ns per
     * event) */
    (void)pthread_setschedparam(r->drain_thread, SCHED_BATCH, &(struct sched_param){ 0 });
    (void)pthread_setname_np(r->ticker_thread, "hindsight-tick");
    r->threads_run = true;
    return OK;
}

bool recorder_pause(struct recorder *r)
{
    journal_pause(&r->journal);
    if (windows_present(&r->windows))
        windows_end(&r->windows, &r->journal);
    bool stored = recorder_snapshot(r);
    bool whole = stored && r->drain.batch.lost == 0 && atomic_load_explicit(&r->refused, memory_order_relaxed) == 0;
    __atomic_store_n(&r->journal.head->stored, whole, __ATOMIC_RELEASE);
    return stored;
}

void recorder_resume(struct recorder *r)
{
    __atomic_store_n(&r->journal.head->stored, 0, __ATOMIC_RELEASE);
    for (uint32_t id = 0; id < recorder_first_dataid(r); id++)
        r->record_shapes[id] &= RECORD_EVENTS; /* code woven before says nothing about this period */
    journal_resume(&r->journal, recorder_first_dataid(r));
    if (windows_present(&r->windows))
        windows_begin(&r->windows, &r->journal);
    recorder_tick(r);
}

uint64_t recorder_events(const struct recorder *r)
{
    uint64_t dropped = __atomic_load_n(&r->bound.dropped, __ATOMIC_RELAXED);
    return __atomic_load_n(&r->drain.batch.events, __ATOMIC_RELAXED) - dropped;
}

/* ---- the end ---- */

/* Allocated blocks, not lengths: the files of a failed recording are sparse. Without what is derived from others, as
 * hs_disk_bytes counts it. */
static uint64_t bytes_below(int dir, const char *name, unsigned depth)
{
    enum { BLOCK = 512, DEPTH_MAX = 16 };
    uint64_t total = 0;
    int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    struct stat st;
    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
            (depth == 0 && trace_file_is(e->d_name, LIFE_DERIVED)) ||
            fstatat(fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX)
            total += bytes_below(fd, e->d_name, depth + 1);
        else if (S_ISREG(st.st_mode))
            total += (uint64_t)st.st_blocks * BLOCK;
    }
    if (d != NULL)
        (void)closedir(d);
    else if (fd >= 0)
        (void)close(fd);
    return total;
}
static uint64_t dir_bytes(int dir) { return bytes_below(dir, ".", 0); }

/* The trace was deleted while it was recorded. */
static void close_removed(struct recorder *r, struct recorder_totals *out)
{
    store_close(r->store);
    r->store = NULL;
    trace_dir_release(&r->trace);
    r->failed = true;
    (void)error_set(&r->error, ERR_NOT_FOUND, RECORDER_REMOVED);
    *out = (struct recorder_totals){ .lost = r->drain.batch.events + r->drain.batch.lost + r->refused };
    (void)snprintf(out->where, sizeof out->where, "%s", r->dir);
}

static enum status store_last(void *recorder, struct error *err) { return storing_last(recorder, err); }

static enum status store_end(void *recorder, struct error *err)
{
    struct recorder *r = recorder;
    enum status s = storing_end(r, err);
    return s == OK ? store_sync(r->store, err) : s;
}

void recorder_close(struct recorder *r, struct recorder_totals *out)
{
    *out = (struct recorder_totals){ 0 };
    recorder_tick(r); /* times of a run that is shorter than a tick have an end */
    journal_end(&r->journal);
    if (windows_present(&r->windows))
        windows_finish(&r->windows);
    stop_ticker(r);
    if (r->threads_run) {
        (void)pthread_join(r->drain_thread, NULL);
        (void)pthread_join(r->ticker_thread, NULL);
    }
    syncer_stop(&r->syncer);
    struct error err = { 0 };
    if (!r->failed && store_guarded(r->store, store_last, r, &err) != OK) {
        r->failed = true;
        r->error = err;
    }
    if (!trace_dir_locate(&r->trace, out->where, sizeof out->where)) {
        close_removed(r, out);
        return;
    }
    bool ended = store_guarded(r->store, store_end, r, &err) == OK;
    store_close(r->store);
    r->store = NULL;
    if (ended) { /* else they are kept for recovery */
        trace_files_end(r->trace.fd, LIFE_RECORDING);
        out->bytes = dir_bytes(r->trace.fd);
        /* else the lock is kept until the process ends: threads may still write into the journal */
        trace_dir_release(&r->trace);
    } else {
        out->bytes = dir_bytes(r->trace.fd);
    }
    out->dropped = r->bound.dropped;
    out->events = recorder_events(r);
    out->lost = storing_lost(r);
    out->at_least = !storing_lost_exactly(r);
}
