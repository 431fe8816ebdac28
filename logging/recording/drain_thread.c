/* drain_thread.c - see drain_thread.h. */
#include "logging/recording/drain_thread.h"

#include <string.h>

#include "formats/schema.h"
#include "logging/recording/storing.h"

/* Everything is stored at least this often: not more often, since full chunks and packs compress better. */
enum { FLUSH_MS = 1000, BOUNDED_MS = 50 /* so often what is bounded, or timed in windows, is looked at */ };

/* State of the drain thread and its current round. */
struct drain_thread {
    struct recorder *r;
    struct held held;
    u32_vec queue;
    active_vec active;
    uint64_t now_ns;     /* when the round's buffers were collected */
    uint64_t flushed_ns; /* `now_ns` of the last round in which everything was stored */
    uint64_t snapshots;  /* snapshots requested at the beginning of the round */
    uint32_t requests;   /* requests of snapshots (windows.h) at the beginning of the round */
    bool snapshot;       /* a thread waits for a snapshot */
    bool everything;     /* all groups are stored, not only full chunks */
    bool last;           /* the journal has ended */
    bool again;          /* more requests came: another round first */
};

/* Ends the recording after a failure. The program continues; if the disk is full its events are counted. */
static void fail(struct recorder *r, const struct error *err)
{
    if (!r->failed) {
        r->error = *err;
        r->failed = true;
        if (r->ended_early != NULL)
            r->ended_early();
    }
    if (storing_counts_records(r)) {
        journal_count_only(&r->journal);
        r->journal.head->given_up = 1; /* if the process is killed: what comes now is not in the file */
    } else {
        journal_end(&r->journal);
    }
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

static enum status no_memory(struct error *err) { return error_set(err, ERR_MEMORY, "no memory in the drain"); }

/* Waits for full buffers and takes them; if everything is wanted, also the buffers that threads are writing. */
static enum status collect(struct drain_thread *t, struct error *err)
{
    struct recorder *r = t->r;
    t->queue.count = t->active.count = 0;
    t->snapshots = snapshots_wanted(r);
    t->requests = storing_requests(r);
    t->snapshot = t->snapshots > r->snapshots_done; /* only this thread changes that */
    if (t->snapshot && r->drain.batch.counters != NULL)
        journal_freeze_counters(&r->journal);
    bool all = t->snapshot || t->requests > r->requests_served;
    bool ok = !all || journal_active(&r->journal, &t->active);
    t->last = __atomic_load_n(&r->journal.ended, __ATOMIC_ACQUIRE);
    const struct batch *b = &r->drain.batch;
    const bool looks = b->counters != NULL && b->sink->look_again != NULL;
    journal_collect(&r->journal, &t->queue, all ? 0 : r->bound.bytes > 0 || looks ? BOUNDED_MS : FLUSH_MS);
    t->now_ns = clock_now(&r->clock);
    if (looks)
        b->sink->look_again(&r->drain.batch.output, b->counters, t->now_ns);
    t->everything = t->last || t->snapshot || t->now_ns - t->flushed_ns >= FLUSH_MS * UINT64_C(1000000) ||
                    journal_pressed(&r->journal) || storing_has_pending(r);
    if (!ok || !held_add(&t->held, &r->journal, &t->queue))
        return no_memory(err);
    return OK;
}

/* True if more requests came during this round: what was collected may lie behind them. */
static bool more_requests(const struct drain_thread *t)
{
    struct recorder *r = t->r;
    return storing_requests(r) > t->requests && !r->journal.failed && !r->windows.failed;
}

/* Sets t->again if a new round must begin first. */
static enum status store(void *thread, struct error *err)
{
    struct drain_thread *t = thread;
    struct recorder *r = t->r;
    if (t->snapshot)
        store_flush_packs(r->store);
    enum status s = storing_serve_requests(r, &t->held, &t->active, t->requests, err);
    if (s != OK)
        return s;
    t->again = more_requests(t);
    if (t->again)
        return OK;
    if (!t->snapshot)
        t->active.count = 0;
    if (t->everything || held_has_chunk(&t->held))
        s = storing_store(r, &t->held, t->everything, &t->active, NO_REQUEST, err);
    if (s != OK || !t->snapshot)
        return s;
    return storing_save_state(r, err);
}

/* Has somebody cut a file that is mapped? */
static enum status files_whole(const struct recorder *r, struct error *err)
{
    const char *file = r->journal.cut             ? TRACE_JOURNAL_FILE
                       : r->state.tables.shrunk   ? TRACE_STATE_FILE
                       : r->windows.tables.shrunk ? TRACE_INTERVALS_FILE
                                                  : NULL;
    return file == NULL ? OK : error_set(err, ERR_IO, "%s: somebody has cut %s while it was recorded", r->dir, file);
}

/* Checks for failures of other parts. */
static enum status check(struct drain_thread *t, struct error *err)
{
    struct recorder *r = t->r;
    if (files_whole(r, err) != OK)
        return err->status;
    if (r->windows.failed) {
        *err = r->windows.error;
        return err->status;
    }
    enum status s = syncer_status(&r->syncer, err);
    if (s != OK)
        return s;
    if (t->everything && !trace_dir_locate(&r->trace, NULL, 0)) /* else a deleted file would keep growing */
        return error_set(err, ERR_NOT_FOUND, RECORDER_REMOVED);
    if (r->journal.failed) {
        *err = r->journal.error;
        return ERR_FULL;
    }
    if (r->pending.failed)
        return error_set(err, ERR_FULL, "the list of classes and threads cannot grow: %s", strerror(r->pending.failed));
    return OK;
}

/* After a failure: counts. */
static void run_counting(struct drain_thread *t)
{
    struct error err = { 0 };
    if (collect(t, &err) != OK)
        journal_end(&t->r->journal);
    storing_count_held(t->r, &t->held);
    answer_snapshots(t->r, t->snapshots, t->last);
}

static enum status give_up(void *thread, struct error *err)
{
    struct drain_thread *t = thread;
    (void)err;
    storing_give_up(t->r, &t->held);
    return OK;
}

static void run_round(struct drain_thread *t)
{
    struct recorder *r = t->r;
    struct error err = { 0 };
    t->again = false;
    enum status s = collect(t, &err);
    if (s == OK)
        s = files_whole(r, &err);
    if (s == OK)
        s = store_guarded(r->store, store, t, &err);
    if (s != OK)
        (void)files_whole(r, &err); /* which names the cause */
    if (t->again) {
        t->last = false;
        return;
    }
    if (r->journal.counters_frozen)
        journal_thaw_counters(&r->journal);
    if (t->everything)
        t->flushed_ns = t->now_ns;
    if (s == OK)
        s = check(t, &err);
    if (s != OK)
        fail(r, &err);
    if (r->failed) {
        (void)store_guarded(r->store, give_up, t, &err);
        t->last = __atomic_load_n(&r->journal.ended, __ATOMIC_ACQUIRE);
    }
    answer_snapshots(r, t->snapshots, t->last);
}

void *drain_thread_run(void *recorder)
{
    struct drain_thread t = { .r = recorder };
    t.flushed_ns = clock_now(&t.r->clock);
    while (!t.last)
        if (t.r->failed)
            run_counting(&t);
        else
            run_round(&t);
    held_free(&t.held);
    vec_free(&t.active);
    vec_free(&t.queue);
    return NULL;
}
