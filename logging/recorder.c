/* recorder.c - a recording from its beginning to its end, and the ticker, which moves the shared stamp on, so that stamps also tell the
 * time. What the drain thread does is storing.c. See recorder.h. */
#include "logging/recorder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "formats/files.h"
#include "logging/storing.h"

enum {
    TICK_NS = 1000000,
    PAUSED_TICK_NS = 20 * TICK_NS,
};

uint64_t recorder_clock(clockid_t id)
{
    struct timespec t;
    (void)clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

uint64_t recorder_now(const struct recorder *r) { return recorder_clock(CLOCK_MONOTONIC) - r->start_clock_ns; }

static void path_in(char *out, size_t size, const char *dir, const char *file) { (void)snprintf(out, size, "%s/%s", dir, file); }

static bool is_ours(const char *name)
{
    static const char *const files[] = { TRACE_DATA_FILE, TRACE_LOCK_FILE, TRACE_JOURNAL_FILE, TRACE_PENDING_FILE, TRACE_CONTROL_SOCKET, TRACE_STATE_FILE, TRACE_INTERVALS_FILE, "reserve" };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strcmp(name, files[i]) == 0)
            return true;
    return false;
}

/* The directory exists and is usable, or is made. */
static enum status prepare_dir(const char *dir, bool overwrite, struct error *err)
{
    if (dir_make(AT_FDCWD, dir))
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
    return s == OK ? dir_take(dir, err) : s;
}

enum status recorder_open(struct recorder *r, const char *dir, bool overwrite, bool timed, struct error *err)
{
    char path[4096 + 32];
    *r = (struct recorder){ .start_clock_ns = recorder_clock(CLOCK_MONOTONIC), .start_epoch_ns = recorder_clock(CLOCK_REALTIME) };
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
    if (s == OK) {
        r->journal.head->start_ns = r->start_clock_ns;
        pendinglog_tell(&r->pending, &r->journal.head->pending);
    }
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

void recorder_edge(struct recorder *r, struct thread_desc *d, uint32_t id, bool release, const uint64_t values[JOURNAL_RECORD_EVENTS])
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
    if (pthread_create(&r->drain_thread, NULL, storing_run, r) != 0)
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
    if (!r->failed && storing_last(r, &err) != OK) {
        r->failed = true;
        r->error = err;
    }
    bool told = storing_end(r, &err) == OK && store_sync(r->store, &err) == OK;
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
