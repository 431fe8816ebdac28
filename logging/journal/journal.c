/* journal.c - descriptors and buffers in the shared file. See journal.h for who may call what. */
#include "logging/journal/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "formats/files.h"
#include "formats/limits.h"
#include "formats/schema.h"
#include "logging/journal/cut_guard.h"
#include "logging/journal/process.h"

enum { GROW_BUFFERS = 16, WAKE_BUFFERS = 8, MEMORY_PARTS = 48, BUFFERS_LEAST = 4 * JOURNAL_BUFFERS_SPARE };
/* with a bound: its parts that spare buffers take, and that all may take; bytes of the least buffer */
enum { SPARE_PART = 32, ALL_PART = 4, USED_PART = 512, USED_LEAST = JOURNAL_ROOM_MAX + 4096, PAGE = 4096 };

static size_t file_size(uint32_t buffers) { return JOURNAL_BUFFERS_AT + (size_t)buffers * JOURNAL_BUFFER_BYTES; }

/* Descriptors in a page whose content is gone (cut_guard.h): their threads record nothing. */
static void put_idle_descs(void *journal, uint8_t *page, size_t page_bytes, size_t offset)
{
    const struct journal *j = journal;
    struct thread_desc *d = (struct thread_desc *)page;
    if (offset < JOURNAL_DESCS_AT || offset >= JOURNAL_BUFFERS_AT)
        return;
    for (size_t i = 0; i < page_bytes / sizeof *d; i++)
        d[i] = (struct thread_desc){ .index = (uint32_t)((offset - JOURNAL_DESCS_AT) / sizeof *d + i),
                                     .buffer = NO_BUFFER,
                                     .state = DESC_LIVE,
                                     .busy = BUSY_PAUSED,
                                     .cells = j->no_counters,
                                     .no_cells = j->no_counters };
}

enum status journal_open(struct journal *j, const char *path, bool timed, struct error *err)
{
    *j = (struct journal){ .fd = -1 };
    (void)pthread_mutex_init(&j->mutex, NULL);
    pthread_condattr_t attr;
    (void)pthread_condattr_init(&attr);
    (void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&j->filled, &attr);
    (void)pthread_cond_init(&j->freed, &attr);
    (void)pthread_condattr_destroy(&attr);
    j->fd = file_make(AT_FDCWD, path, O_RDWR | O_EXCL);
    if (j->fd < 0)
        return error_set(err, ERR_IO, "%s: %s", path, strerror(errno));
    int e = file_size(0) > limit_file_bytes() ? EFBIG
                                              : limit_allocate(j->fd, 0, JOURNAL_DESCS_AT + 16 * JOURNAL_DESC_BYTES);
    if (e == 0 && ftruncate(j->fd, (off_t)file_size(0)) != 0)
        e = errno;
    if (e != 0)
        return error_set(err, ERR_FULL, "%s: %s", path, strerror(e));
    j->buffers_max = (uint32_t)(limit_memory_part((uint64_t)JOURNAL_BUFFERS_MAX * JOURNAL_BUFFER_BYTES, MEMORY_PARTS,
                                                  (uint64_t)BUFFERS_LEAST * JOURNAL_BUFFER_BYTES) /
                                JOURNAL_BUFFER_BYTES);
    j->base = mmap(NULL, file_size(j->buffers_max + JOURNAL_BUFFERS_COUNTING), PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_NORESERVE, j->fd, 0);
    if (j->base == MAP_FAILED)
        return error_set(err, ERR_MEMORY, "%s: %s", path, strerror(errno));
    j->used_bytes = JOURNAL_BUFFER_BYTES;
    j->spare = JOURNAL_BUFFERS_SPARE;
    j->each = 2;
    cut_guard_add(&(struct cut_area){ j->base, file_size(j->buffers_max + JOURNAL_BUFFERS_COUNTING), &j->cut,
                                      put_idle_descs, j, NULL });
    j->head = (struct journal_head *)j->base;
    j->descs = (struct thread_desc *)(j->base + JOURNAL_DESCS_AT);
    *j->head = (struct journal_head){
        .version = JOURNAL_VERSION,
        .pid = (uint32_t)getpid(),
        .pid_start = process_start((uint32_t)getpid()),
        .base = (uint64_t)(uintptr_t)j->base,
        .timed = timed,
        .object_next = 1,
        .stamp = 1,
        .period_end = UINT64_MAX,
    };
    __atomic_store_n(&j->head->magic, JOURNAL_MAGIC, __ATOMIC_RELEASE);
    return OK;
}

static uint64_t between(uint64_t least, uint64_t value, uint64_t most)
{
    return value < least ? least : value > most ? most : value;
}

void journal_bound(struct journal *j, uint64_t bytes)
{
    j->used_bytes = (uint32_t)(between(USED_LEAST, bytes / USED_PART, JOURNAL_BUFFER_BYTES) / PAGE * PAGE);
    j->spare = (uint32_t)between(WAKE_BUFFERS, bytes / SPARE_PART / j->used_bytes, JOURNAL_BUFFERS_SPARE);
    j->each = 1;
    j->buffers_max = (uint32_t)between(GROW_BUFFERS, bytes / ALL_PART / j->used_bytes, j->buffers_max);
}

uint64_t journal_disk_bytes(const struct journal *j) { return file_disk_bytes(j->fd); }

static void fail(struct journal *j, const char *what, int e)
{
    if (!j->failed)
        (void)error_set(&j->error, ERR_FULL, "%s: %s", what, strerror(e));
    j->failed = true;
    (void)pthread_cond_broadcast(&j->freed);
    (void)pthread_cond_signal(&j->filled);
}

/* The file cannot grow, and the drain has not seen it yet: it will count what is recorded, or end the recording. */
static bool is_unseen(const struct journal *j) { return j->failed && j->drained && !j->counting && !j->ended; }

static void wait_for_drain(struct journal *j)
{
    (void)pthread_cond_signal(&j->filled);
    (void)pthread_cond_wait(&j->freed, &j->mutex);
}

/* Makes these bytes of the mapping memory of the process; they need no disk space any more. */
static bool in_memory(void *at, size_t bytes)
{
    return mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == at;
}

/* More buffers that are not in the file. Called with the mutex held. */
static bool grow_memory(struct journal *j)
{
    uint32_t n = j->memory_end;
    if (n + GROW_BUFFERS > j->buffers_max + JOURNAL_BUFFERS_COUNTING ||
        !vec_reserve(&j->free_buffers, n + GROW_BUFFERS) || !vec_reserve(&j->queue, n + GROW_BUFFERS) ||
        !in_memory(journal_buffer(j, n), (size_t)GROW_BUFFERS * JOURNAL_BUFFER_BYTES))
        return false;
    for (uint32_t i = GROW_BUFFERS; i-- > 0;)
        j->free_buffers.items[j->free_buffers.count++] = n + i;
    j->memory_end = n + GROW_BUFFERS;
    return true;
}

/* More buffers. Called with the mutex held. */
static bool grow(struct journal *j)
{
    uint32_t n = j->head->buffer_count;
    if (j->counting)
        return grow_memory(j);
    uint32_t more = j->spare / 4 < GROW_BUFFERS ? j->spare / 4 : GROW_BUFFERS;
    const bool whole = j->used_bytes == JOURNAL_BUFFER_BYTES;
    struct stat st;
    if (!j->failed && !whole && (fstat(j->fd, &st) != 0 || (uint64_t)st.st_size < file_size(n))) {
        j->cut = true; /* growing it would put zeros in place of what is gone */
        fail(j, "the journal cannot grow", EIO);
    }
    if (!j->failed && n + more > j->buffers_max)
        fail(j, "the journal cannot grow", ENOMEM);
    if (j->failed || !vec_reserve(&j->free_buffers, n + more) || !vec_reserve(&j->queue, n + more))
        return false;
    int e = whole ? limit_append(j->fd, file_size(n), file_size(n + more) - file_size(n)) : 0;
    for (uint32_t i = 0; i < more && e == 0 && !whole; i++)
        e = limit_allocate(j->fd, file_size(n + i), j->used_bytes);
    if (e == 0 && !whole && ftruncate(j->fd, (off_t)file_size(n + more)) != 0)
        e = errno;
    if (e != 0) {
        j->cut = j->cut || e == ESTALE;
        fail(j, "the journal cannot grow", e);
        return false;
    }
    for (uint32_t i = more; i-- > 0;) {
        (void)memset(journal_buffer(j, n + i), 0, j->used_bytes); /* allocate the pages now, not event by event */
        j->free_buffers.items[j->free_buffers.count++] = n + i;
    }
    __atomic_store_n(&j->head->buffer_count, n + more, __ATOMIC_RELEASE);
    return true;
}

/* Makes the descriptor `n`, for which the file has no room, memory of the process. The pages of those before it stay as
 * they are: the file has a block for each of them. */
static bool desc_in_memory(struct journal *j, uint32_t n)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), at = JOURNAL_DESCS_AT + (size_t)n * JOURNAL_DESC_BYTES;
    if (!j->memory_descs && j->counting && at % page == 0)
        j->memory_descs = in_memory(j->base + at, JOURNAL_BUFFERS_AT - at);
    return j->memory_descs;
}

struct thread_desc *journal_desc_acquire(struct journal *j, uint32_t thread)
{
    struct thread_desc *d = NULL;
    (void)pthread_mutex_lock(&j->mutex);
    while (is_unseen(j) && j->free_descs.count == 0)
        wait_for_drain(j);
    if (!j->ended) {
        uint32_t n = j->head->desc_count;
        if (j->free_descs.count > 0) {
            d = &j->descs[j->free_descs.items[--j->free_descs.count]];
        } else if (n < JOURNAL_DESCS_MAX) {
            int e = j->memory_descs
                        ? 0
                        : posix_fallocate(j->fd, JOURNAL_DESCS_AT + (off_t)n * JOURNAL_DESC_BYTES, JOURNAL_DESC_BYTES);
            if (e == 0 || desc_in_memory(j, n)) {
                d = &j->descs[n];
                d->index = n;
                j->head->desc_count = n + 1;
            } else {
                fail(j, "the journal cannot grow", e);
            }
        }
        if (d != NULL) {
            *d = (struct thread_desc){ .pos = d->pos, /* for journal_place */
                                       .index = d->index,
                                       .sequence = d->sequence,
                                       .thread = thread,
                                       .buffer = NO_BUFFER,
                                       .state = DESC_LIVE,
                                       .period = j->head->period,
                                       .busy = j->paused ? BUSY_PAUSED : 0,
                                       .cells = j->no_counters,
                                       .no_cells = j->no_counters };
            j->live_descs++;
            /* A second thread records: from now on releases move the shared stamp (HindsightHook.release). The flag is
             * set before the stamp moves: events that the first thread recorded without incrementing it precede
             * everything that the second thread sees. Counts, and records that nobody reads, need no order. */
            if (j->head->desc_count > 1 && !j->unread && !j->head->counts_only) {
                __atomic_store_n(&j->head->many, 1, __ATOMIC_SEQ_CST);
                (void)journal_bump(j);
            }
        }
    }
    (void)pthread_mutex_unlock(&j->mutex);
    return d;
}

/* Hands the current buffer to the drain. Called with the mutex held. */
static void queue_buffer(struct journal *j, struct thread_desc *d)
{
    if (d->buffer == NO_BUFFER)
        return;
    struct buffer_head *b = journal_buffer(j, d->buffer);
    b->used = d->pos - (uint64_t)(uintptr_t)b;
    __atomic_store_n(&b->state, BUFFER_FULL, __ATOMIC_RELEASE);
    j->queue.items[j->queue.count++] = d->buffer; /* grow() reserved an entry for every buffer */
    d->buffer = NO_BUFFER;
    __atomic_store_n(&d->limit, 0, __ATOMIC_RELEASE);
}

void journal_desc_release(struct journal *j, struct thread_desc *d)
{
    (void)pthread_mutex_lock(&j->mutex);
    queue_buffer(j, d);
    d->cells = d->no_cells;
    d->table = 0;
    d->state = DESC_ENDED;
    uint32_t *slot = vec_push(&j->free_descs);
    if (slot != NULL)
        *slot = d->index;
    j->live_descs--;
    (void)pthread_mutex_unlock(&j->mutex);
}

static size_t in_use(const struct journal *j)
{
    const size_t in_file = j->head->buffer_count;
    return (j->counting ? j->memory_end - in_file : in_file) - j->free_buffers.count;
}
static size_t allowed(const struct journal *j)
{
    return j->counting ? GROW_BUFFERS + (size_t)j->live_descs : j->spare + j->each * (size_t)j->live_descs;
}

/* True if the owner can continue in its buffer. It cannot if stamps could exceed 32 bits (formats/journal.h). Mutex
 * held, because other threads change the period and the limit. */
static bool goes_on(const struct journal *j, const struct thread_desc *d, uint32_t bytes)
{
    if (d->buffer == NO_BUFFER || j->ended || (d->period != j->head->period && !j->paused))
        return false;
    const struct buffer_head *b = journal_buffer(j, d->buffer);
    uint64_t end = (uint64_t)(uintptr_t)b + j->used_bytes - JOURNAL_RECORD_MAX_BYTES;
    return d->pos < end && end + JOURNAL_RECORD_MAX_BYTES - d->pos >= bytes &&
           journal_stamp(j) - b->first_stamp < UINT64_C(1) << 31;
}

/* In a new period a thread has a new number, because its stream of events is a new one. */
static void enter_period(struct journal *j, struct thread_desc *d)
{
    uint32_t period = __atomic_load_n(&j->head->period, __ATOMIC_ACQUIRE);
    if (d->period == period || __atomic_load_n(&j->paused, __ATOMIC_ACQUIRE))
        return;
    uint32_t number = j->renumber != NULL ? j->renumber(d) : d->thread;
    (void)pthread_mutex_lock(&j->mutex);
    queue_buffer(j, d);
    d->period = period;
    d->thread = number;
    d->cells = d->no_cells;
    d->table = d->number = 0;
    d->in_loop = 0;
    d->site = SITE_NONE;
    d->supers = d->supers_left =
        0; /* calls still running are of older woven code, whose hooks do not count their ends */
    (void)pthread_mutex_unlock(&j->mutex);
}

/* Takes the mutex with the thread in the period that goes on: recording may stop and start before it is taken. */
static void lock_in_period(struct journal *j, struct thread_desc *d)
{
    enter_period(j, d);
    (void)pthread_mutex_lock(&j->mutex);
    while (d->period != j->head->period && !j->paused) {
        (void)pthread_mutex_unlock(&j->mutex);
        enter_period(j, d);
        (void)pthread_mutex_lock(&j->mutex);
    }
}

/* Lets the hook write up to the end of the buffer. Mutex held. */
static void set_limit(const struct journal *j, struct thread_desc *d)
{
    uint64_t end = (uint64_t)(uintptr_t)journal_buffer(j, d->buffer) + j->used_bytes - JOURNAL_RECORD_MAX_BYTES;
    __atomic_store_n(&d->limit, j->paused ? 0 : end,
                     __ATOMIC_RELEASE); /* paused: the next event enters native code again */
    d->cells = d->table == 0 || j->paused || j->counters_frozen || d->busy != 0 ? d->no_cells : d->table;
}

static bool must_wait(const struct journal *j)
{
    return is_unseen(j) || (!j->ended && (j->counting || !j->failed) && in_use(j) >= allowed(j));
}

static uint64_t now_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* How long that was. */
static uint64_t wait_for_room(struct journal *j)
{
    if (!must_wait(j))
        return 0;
    uint64_t began = now_ns();
    while (must_wait(j))
        wait_for_drain(j);
    uint64_t waited = now_ns() - began;
    j->waited_ns += waited;
    return waited;
}

static uint64_t take_room(struct journal *j, struct thread_desc *d, uint32_t bytes)
{
    uint64_t pos = 0, waited = 0;
    lock_in_period(j, d);
    if (goes_on(j, d, bytes)) {
        set_limit(j, d);
        pos = d->pos;
        (void)pthread_mutex_unlock(&j->mutex);
        return pos;
    }
    if (j->unread && d->buffer != NO_BUFFER && d->period == j->head->period && !j->ended) {
        struct buffer_head *b = journal_buffer(j, d->buffer);
        b->first_stamp = journal_stamp(j);
        pos = d->pos = (uint64_t)(uintptr_t)(b + 1);
        set_limit(j, d);
        (void)pthread_mutex_unlock(&j->mutex);
        return pos;
    }
    queue_buffer(j, d);
    /* a thread gets its first buffer without waiting: waiting is safe, since the drain needs nothing that the program
     * holds, but would stall it for nothing */
    do /* again if the file could not grow just now */
        waited += wait_for_room(j);
    while (!j->ended && j->free_buffers.count == 0 && !grow(j) && is_unseen(j));
    if (!j->ended && j->free_buffers.count > 0) {
        uint32_t index = j->free_buffers.items[--j->free_buffers.count];
        struct buffer_head *b = journal_buffer(j, index);
        *b = (struct buffer_head){
            .state = BUFFER_FREE,
            .desc = d->index,
            .sequence = ++d->sequence,
            .first_stamp = journal_stamp(j),
            .thread = d->thread,
            .period = d->period,
            .first_dataid = j->head->first_dataid,
            .guest = d->is_guest,
            .waited_ns = waited,
        };
        pos = (uint64_t)(uintptr_t)(b + 1);
        d->pos = pos;
        __atomic_thread_fence(__ATOMIC_RELEASE);
        d->buffer = index;
        __atomic_store_n(&b->state, BUFFER_ACTIVE, __ATOMIC_RELEASE);
        set_limit(j, d);
    } else {
        d->lost++;
    }
    if (j->queue.count % WAKE_BUFFERS == WAKE_BUFFERS - 1) /* waking the drain costs more than filling a buffer */
        (void)pthread_cond_signal(&j->filled);
    (void)pthread_mutex_unlock(&j->mutex);
    return pos;
}

uint64_t journal_room(struct journal *j, struct thread_desc *d, uint32_t bytes)
{
    return __atomic_load_n(&d->busy, __ATOMIC_ACQUIRE) != 0 ? 0 : take_room(j, d, bytes);
}

uint64_t journal_reserve(struct journal *j, struct thread_desc *d, uint32_t bytes)
{
    uint64_t limit = __atomic_load_n(&d->limit, __ATOMIC_ACQUIRE);
    if (__atomic_load_n(&d->busy, __ATOMIC_ACQUIRE) & BUSY_JDK)
        return 0;
    if (d->pos < limit && limit + JOURNAL_RECORD_MAX_BYTES - d->pos >= bytes)
        return d->pos;
    return take_room(j, d, bytes);
}

bool journal_reserve_ids(struct journal *j, struct thread_desc *d)
{
    uint32_t first = __atomic_load_n(&j->head->object_next, __ATOMIC_RELAXED), end;
    do {
        if (first > OBJECT_ID_MAX)
            return false;
        end = (first | (OBJECT_PAGE_IDS - 1)) + 1;
    } while (
        !__atomic_compare_exchange_n(&j->head->object_next, &first, end, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    d->object_next = first;
    d->object_end = end;
    return true;
}

bool journal_pressed(struct journal *j)
{
    (void)pthread_mutex_lock(&j->mutex);
    bool pressed = in_use(j) + j->spare / 4 >= allowed(j) || j->ended;
    (void)pthread_mutex_unlock(&j->mutex);
    return pressed;
}
