/* journal_control.c - what other threads do with the journal than those whose descriptors it has: the drain takes full
 * buffers and gives them back, the agent stops and starts recording. See journal.h. */
#include "logging/journal/journal.h"

#include <fcntl.h>
#include <time.h>

/* With the mutex held, which owners hold too while they change buffers. */
static void interrupt_all(struct journal *j)
{
    for (uint32_t i = 0; i < j->head->desc_count; i++) {
        __atomic_store_n(&j->descs[i].cells, j->descs[i].no_cells, __ATOMIC_RELEASE);
        __atomic_store_n(&j->descs[i].limit, 0, __ATOMIC_RELEASE);
    }
}

static void set_frozen(struct journal *j, bool counters_frozen)
{
    (void)pthread_mutex_lock(&j->mutex);
    j->counters_frozen = counters_frozen;
    interrupt_all(j);
    (void)pthread_mutex_unlock(&j->mutex);
}

void journal_freeze_counters(struct journal *j) { set_frozen(j, true); }
void journal_thaw_counters(struct journal *j) { set_frozen(j, false); }

static bool serves(const struct thread_desc *d, uint32_t thread)
{
    return d->state == DESC_LIVE && d->thread == thread;
}

uint64_t journal_place(struct journal *j, const struct thread_desc *d)
{
    (void)pthread_mutex_lock(&j->mutex);
    const uint64_t pos = __atomic_load_n(&d->pos, __ATOMIC_ACQUIRE), sequence = d->sequence;
    (void)pthread_mutex_unlock(&j->mutex);
    const uint64_t first = (uint64_t)(uintptr_t)journal_buffer(j, 0);
    return journal_position(sequence, pos > first ? (pos - first - 1) % JOURNAL_BUFFER_BYTES + 1 : 0);
}

bool journal_serves(struct journal *j, uint32_t desc, uint32_t thread)
{
    (void)pthread_mutex_lock(&j->mutex);
    bool yes = serves(&j->descs[desc], thread);
    (void)pthread_mutex_unlock(&j->mutex);
    return yes;
}

uint64_t journal_owner(struct journal *j, uint32_t desc)
{
    (void)pthread_mutex_lock(&j->mutex);
    uint64_t owner = j->descs[desc].state == DESC_LIVE ? j->descs[desc].owner : 0;
    (void)pthread_mutex_unlock(&j->mutex);
    return owner;
}

void journal_super_left(struct journal *j, uint32_t desc, uint32_t thread)
{
    (void)pthread_mutex_lock(&j->mutex);
    if (serves(&j->descs[desc], thread))
        j->descs[desc].supers_left++;
    (void)pthread_mutex_unlock(&j->mutex);
}

bool journal_set_counters(struct journal *j, uint32_t desc, uint32_t thread, uint64_t table)
{
    struct thread_desc *d = &j->descs[desc];
    (void)pthread_mutex_lock(&j->mutex);
    bool yes = serves(d, thread);
    if (yes)
        d->table = table; /* the thread starts to use it in journal_room */
    (void)pthread_mutex_unlock(&j->mutex);
    return yes;
}

void journal_serve(struct journal *j, struct thread_desc *guest, uint32_t thread)
{
    (void)pthread_mutex_lock(&j->mutex);
    if (guest->thread != thread) {
        guest->cells = guest->no_cells;
        guest->table = 0;
        guest->thread = thread;
    }
    (void)pthread_mutex_unlock(&j->mutex);
}

void journal_pause(struct journal *j)
{
    (void)pthread_mutex_lock(&j->mutex);
    if (!j->paused) {
        /* The stamp is set first: events that follow an action of a stopped thread have at least this stamp, and are
         * left out as well. */
        __atomic_store_n(&j->head->period_end, journal_bump(j), __ATOMIC_RELEASE);
        __atomic_store_n(&j->paused, true, __ATOMIC_RELEASE);
        for (uint32_t i = 0; i < j->head->desc_count; i++)
            (void)__atomic_fetch_or(&j->descs[i].busy, BUSY_PAUSED, __ATOMIC_ACQ_REL);
        interrupt_all(j);
    }
    (void)pthread_mutex_unlock(&j->mutex);
}

void journal_resume(struct journal *j, uint32_t first_dataid)
{
    (void)pthread_mutex_lock(&j->mutex);
    if (j->paused) {
        (void)journal_bump(j);
        j->head->first_dataid = first_dataid;
        __atomic_store_n(&j->head->period, j->head->period + 1, __ATOMIC_RELEASE);
        __atomic_store_n(&j->head->period_end, UINT64_MAX, __ATOMIC_RELEASE);
        __atomic_store_n(&j->paused, false, __ATOMIC_RELEASE);
        interrupt_all(j);
        for (uint32_t i = 0; i < j->head->desc_count; i++)
            (void)__atomic_fetch_and(&j->descs[i].busy, (uint8_t)~BUSY_PAUSED, __ATOMIC_ACQ_REL);
    }
    (void)pthread_mutex_unlock(&j->mutex);
}

bool journal_active(struct journal *j, active_vec *out)
{
    bool ok = true;
    (void)pthread_mutex_lock(&j->mutex);
    for (uint32_t i = 0; i < j->head->desc_count && ok; i++) {
        const struct thread_desc *d = &j->descs[i];
        if (d->state != DESC_LIVE || d->buffer == NO_BUFFER)
            continue;
        struct active_buffer *a = vec_push(out);
        ok = a != NULL;
        if (ok)
            *a = (struct active_buffer){ i, d->buffer, d->sequence,
                                         __atomic_load_n(&d->pos, __ATOMIC_ACQUIRE) -
                                             (uint64_t)(uintptr_t)journal_buffer(j, d->buffer) };
    }
    (void)pthread_mutex_unlock(&j->mutex);
    return ok;
}

void journal_wake(struct journal *j)
{
    (void)pthread_mutex_lock(&j->mutex);
    j->woken = true;
    (void)pthread_cond_signal(&j->filled);
    (void)pthread_mutex_unlock(&j->mutex);
}

void journal_interrupt_all(struct journal *j)
{
    (void)pthread_mutex_lock(&j->mutex);
    interrupt_all(j);
    (void)pthread_mutex_unlock(&j->mutex);
}

void journal_collect(struct journal *j, u32_vec *out, unsigned wait_ms)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(wait_ms % 1000) * 1000000;
    until.tv_sec += wait_ms / 1000 + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    (void)pthread_mutex_lock(&j->mutex);
    if (j->queue.count == 0 && !j->ended && !j->woken)
        (void)pthread_cond_timedwait(&j->filled, &j->mutex, &until);
    j->woken = false;
    if (j->queue.count > 0 && vec_reserve(out, out->count + j->queue.count)) {
        memcpy(out->items + out->count, j->queue.items, j->queue.count * sizeof *out->items);
        out->count += j->queue.count;
        j->queue.count = 0;
    }
    (void)pthread_mutex_unlock(&j->mutex);
}

/* Of a buffer that no thread uses any more. */
static void release_space(struct journal *j, uint32_t buffer)
{
    const uint8_t *at = (const uint8_t *)journal_buffer(j, buffer);
    (void)fallocate(j->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at - j->base, JOURNAL_BUFFER_BYTES);
}

void journal_recycle(struct journal *j, const uint32_t *buffers, size_t count)
{
    (void)pthread_mutex_lock(&j->mutex);
    for (size_t i = count; i-- > 0;) {
        __atomic_store_n(&journal_buffer(j, buffers[i])->state, BUFFER_FREE, __ATOMIC_RELEASE);
        if (j->counting && buffers[i] < j->head->buffer_count)
            release_space(j, buffers[i]);
        else
            j->free_buffers.items[j->free_buffers.count++] = buffers[i];
    }
    (void)pthread_cond_broadcast(&j->freed);
    (void)pthread_mutex_unlock(&j->mutex);
}

void journal_end(struct journal *j)
{
    (void)pthread_mutex_lock(&j->mutex);
    __atomic_store_n(&j->ended, true, __ATOMIC_RELEASE);
    (void)pthread_cond_broadcast(&j->freed);
    (void)pthread_cond_broadcast(&j->filled);
    (void)pthread_mutex_unlock(&j->mutex);
    journal_interrupt_all(j);
}

void journal_count_only(struct journal *j)
{
    (void)pthread_mutex_lock(&j->mutex);
    for (; !j->ended && !j->counting && j->free_buffers.count > 0; j->free_buffers.count--)
        release_space(j, j->free_buffers.items[j->free_buffers.count - 1]);
    if (!j->ended && !j->counting) {
        j->memory_end = j->head->buffer_count;
        j->counting = true;
    }
    (void)pthread_cond_broadcast(&j->freed);
    (void)pthread_mutex_unlock(&j->mutex);
}

void journal_give_back(struct journal *j)
{
    (void)pthread_mutex_lock(&j->mutex);
    for (size_t i = 0; j->ended && !j->counting && i < j->free_buffers.count; i++) /* none is acquired any more */
        release_space(j, j->free_buffers.items[i]);
    (void)pthread_mutex_unlock(&j->mutex);
}
