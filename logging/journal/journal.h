/* journal.h - the writing side of the journal (formats/journal.h): mapping, descriptors, buffers.
 *
 * Callers: hooks' slow paths (any thread of the program, in native state), the drain thread, the ticker. One mutex
 * guards the free list and the queue of full buffers; the hooks' fast path takes none. The mapping stays until the
 * process ends, since daemon threads may write during VM death. */
#ifndef LOGGING_JOURNAL_H
#define LOGGING_JOURNAL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "formats/journal.h"
#include "formats/status.h"
#include "formats/vec.h"

enum {
    JOURNAL_BUFFERS_MAX = 64 * 1024, /* 4 GiB of address space; the file grows only as needed */
    JOURNAL_BUFFERS_SPARE = 96,      /* at most, beyond those of live descriptors, before writers wait */
    JOURNAL_BUFFERS_COUNTING = 1024, /* address space of buffers for journal_count_only */
};

struct journal {
    int fd;
    uint8_t *base;
    struct journal_head *head;
    struct thread_desc *descs;
    pthread_mutex_t mutex; /* guards everything below and buffer states */
    pthread_cond_t filled; /* a buffer was queued, or the drain is to run */
    pthread_cond_t freed;  /* a buffer came back, or recording ended */
    u32_vec free_buffers;  /* last in, first out, so that buffers are still in the cache */
    u32_vec queue;         /* full, in order */
    u32_vec free_descs;
    uint32_t live_descs;
    bool ended; /* nothing is recorded any more */
    /* set before threads record: the sink reads no records, so that a thread goes on in the same buffer when it is
     * full */
    bool unread;
    bool paused; /* nothing is recorded until journal_resume */
    bool woken;  /* journal_collect is not to wait */
    /* the thread's number in a new period; NULL: as before. Called by the owner, mutex not held */
    uint32_t (*renumber)(struct thread_desc *d);
    bool failed;          /* the file cannot grow */
    bool cut;             /* somebody has cut the file (cut_guard.h): records in it are gone */
    bool counting;        /* journal_count_only */
    bool drained;         /* set before the drain thread is started */
    uint32_t used_bytes;  /* of each buffer; the rest takes no disk space */
    uint32_t spare;       /* buffers beyond those of live descriptors, before writers wait */
    uint32_t each;        /* buffers that a live descriptor may have */
    uint32_t buffers_max; /* buffers that the reserved address space can hold */
    uint32_t memory_end;  /* with `counting`: buffers from head->buffer_count up to here are memory of the process */
    bool memory_descs;    /* likewise descriptors for which the file has no room */
    uint64_t waited_ns;   /* by all threads, for a free buffer: for the drain */
    bool counters_frozen; /* hooks write no counters until journal_thaw_counters */
    /* initial table of the descriptors; set before the first one is acquired, 0 if the format has no counters */
    uint64_t no_counters;
    struct error error;
};

/* Creates TRACE/journal and maps it. */
enum status journal_open(struct journal *j, const char *path, bool timed, struct error *err);

/* For a trace that takes at most `bytes`: smaller and fewer buffers. Before there is a descriptor. */
void journal_bound(struct journal *j, uint64_t bytes);
/* The disk space that the file takes. */
uint64_t journal_disk_bytes(const struct journal *j);

static inline struct buffer_head *journal_buffer(const struct journal *j, uint32_t index)
{
    return (struct buffer_head *)(j->base + JOURNAL_BUFFERS_AT + (size_t)index * JOURNAL_BUFFER_BYTES);
}
static inline uint64_t journal_stamp(const struct journal *j)
{
    return __atomic_load_n(&j->head->stamp, __ATOMIC_SEQ_CST);
}
static inline uint64_t journal_bump(struct journal *j)
{
    return __atomic_add_fetch(&j->head->stamp, 1, __ATOMIC_SEQ_CST);
}

/* A descriptor for records of that thread, without a buffer yet; NULL when all are taken or recording ended. */
struct thread_desc *journal_desc_acquire(struct journal *j, uint32_t thread);
/* The thread has ended: queues the buffer and frees the descriptor for another thread. */
void journal_desc_release(struct journal *j, struct thread_desc *d);

/* Called by the owner when pos has reached limit (or limit was set to 0): continues in its buffer if possible, else
 * queues it and begins a new one, and waits when there are too many. Returns the position for the next record, 0 when
 * nothing is to be recorded. */
uint64_t journal_room(struct journal *j, struct thread_desc *d, uint32_t bytes);

/* Between journal_mute and journal_unmute the hooks of the descriptor's thread record nothing: they call journal_room,
 * which returns 0. */
static inline void journal_mute(struct thread_desc *d)
{
    (void)__atomic_fetch_or(&d->busy, BUSY_JDK, __ATOMIC_ACQ_REL);
    d->cells = d->no_cells;
    __atomic_store_n(&d->limit, 0, __ATOMIC_RELEASE);
}
static inline void journal_unmute(struct thread_desc *d)
{
    /* the next record restores the limit */
    (void)__atomic_fetch_and(&d->busy, (uint8_t)~BUSY_JDK, __ATOMIC_ACQ_REL);
}
/* Contiguous room for `bytes` (at most JOURNAL_ROOM_MAX) for records of the agent, also while paused: an object that
 * has an id must be described. 0 as above. The caller fills it and then adds to d->pos. */
enum { JOURNAL_ROOM_MAX = 20 * 1024 };
uint64_t journal_reserve(struct journal *j, struct thread_desc *d, uint32_t bytes);

/* Where the descriptor's records end now (journal_position); it may be another thread's. */
uint64_t journal_place(struct journal *j, const struct thread_desc *d);

/* A page of object ids for the descriptor; false when they are used up. */
bool journal_reserve_ids(struct journal *j, struct thread_desc *d);

/* Makes every thread enter native code with its next event. */
void journal_interrupt_all(struct journal *j);

/* Between freeze and thaw all events become records, and counters do not change (except one that a thread is just
 * writing). */
void journal_freeze_counters(struct journal *j);
void journal_thaw_counters(struct journal *j);
/* Lets the hooks of that thread write the counters of a table from now on; false: the descriptor serves another
 * thread. */
bool journal_set_counters(struct journal *j, uint32_t desc, uint32_t thread, uint64_t table);
/* From now on the descriptor serves that virtual thread; the counters of another one are not written any more. Called
 * by its carrier. */
void journal_serve(struct journal *j, struct thread_desc *guest, uint32_t thread);
/* True if the descriptor serves that thread. */
bool journal_serves(struct journal *j, uint32_t desc, uint32_t thread);
/* Identifies the descriptor's owner for as long as the owner lives; 0: it has none. */
uint64_t journal_owner(struct journal *j, uint32_t desc);
/* A constructor of that thread was left in its this(...) or super(...). */
void journal_super_left(struct journal *j, uint32_t desc, uint32_t thread);

/* Stops recording for a while: events after this are left out (formats/journal.h). Threads may still end one that they
 * have begun. */
void journal_pause(struct journal *j);
/* The next period: data IDs from `first_dataid` on are recorded. What was recorded before has been stored. */
void journal_resume(struct journal *j, uint32_t first_dataid);

/* A buffer that its thread still writes, as it is at a moment. */
struct active_buffer {
    uint32_t desc, buffer;
    uint64_t sequence, used;
};
typedef VEC(struct active_buffer) active_vec;
/* The active buffers now; false: no memory. Collect the queue after this, and store it before them. */
bool journal_active(struct journal *j, active_vec *out);
/* Ends the wait of journal_collect, or the next one. */
void journal_wake(struct journal *j);

/* For the drain thread: moves the queue to `out`, waiting at most `wait_ms` for something to be there. */
void journal_collect(struct journal *j, u32_vec *out, unsigned wait_ms);
/* Buffers are stored: they may be used again. */
void journal_recycle(struct journal *j, const uint32_t *buffers, size_t count);
/* True if writers are waiting, or soon will be: store now. */
bool journal_pressed(struct journal *j);

/* For the drain thread: the disk is full, what threads write from now on is counted, and not kept. Their next buffers
 * are memory of the process, the disk space of free ones is released. */
void journal_count_only(struct journal *j);
/* After the end: releases the disk space of free buffers. */
void journal_give_back(struct journal *j);

/* Ends recording: writers get 0 from now on. After this the drain may read up to each descriptor's pos. */
void journal_end(struct journal *j);

#endif
