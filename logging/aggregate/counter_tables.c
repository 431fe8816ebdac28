/* counter_tables.c - see counter_tables.h. */
#include "logging/aggregate/counter_tables.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "formats/event.h"
#include "formats/limits.h"
#include "formats/roles.h"

enum {
    SAMPLE = 8,           /* one of so many events of a batch is sampled */
    FREQUENT_SAMPLES = 4, /* and so many samples make a data ID frequent: 32 of 65536 events */
    SLAB_BYTES = 1 << 18,
    TABLE_BYTES = COUNTER_IDS * sizeof(int64_t),
    MEMORY_PARTS = 48,
    TABLES_LEAST = 4,
};

bool counter_tables_possible(void)
{
    return limit_memory_part(UINT64_MAX, MEMORY_PARTS, 0) / TABLE_BYTES >= TABLES_LEAST;
}

/* NULL: there is no address space, or the rest is left to the program. */
static int64_t *reserve_table(struct counter_tables *h, int protection)
{
    if (++h->reserved > limit_memory_part(UINT64_MAX, MEMORY_PARTS, 0) / TABLE_BYTES)
        return NULL;
    void *p = mmap(NULL, TABLE_BYTES, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p != MAP_FAILED ? p : NULL;
}

static uint64_t ring_bytes(const struct counter_tables *h, uint32_t words)
{
    return words == 0 ? COUNTER_BYTES : (uint64_t)h->ring_room * words * 8;
}

/* Of a page of the state whose content is gone: hooks may take any part of it for a counter. */
static void put_idle_counters(void *tables, uint8_t *page, size_t page_bytes)
{
    const struct counter_tables *h = tables;
    struct counter *c = (struct counter *)page;
    for (size_t i = 0; i < page_bytes / sizeof *c; i++)
        c[i] = (struct counter){ .ring = (uint64_t)(uintptr_t)h->nowhere };
}

enum status counter_tables_init(struct counter_tables *h, struct state *s, struct journal *j, const uint8_t *shapes,
                                uint32_t size, bool timed, struct error *err)
{
    *h = (struct counter_tables){ .state = s, .journal = j, .shapes = shapes, .timed = timed, .ring_room = 1 };
    h->none = reserve_table(h, PROT_READ);
    if (h->none == NULL)
        return error_set(err, ERR_MEMORY, "no address space: %s", strerror(errno));
    while (size > 0 && (uint32_t)h->ring_room <= size)
        h->ring_room *= 2;
    j->no_counters = (uint64_t)(uintptr_t)h->none;
    h->nowhere = mmap(NULL, ring_bytes(h, COUNTER_WORDS_MAX), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (h->nowhere != MAP_FAILED) {
        s->tables.fill_context = h;
        s->tables.fill = put_idle_counters;
    }
    return OK;
}

/* Room in the heap for entries of so many words, or with 0 for a counter, at an address that its size divides; 0: that
 * would exceed the budget, or there is no disk. */
static uint64_t carve(struct counter_tables *h, uint32_t words)
{
    struct state *s = h->state;
    const uint64_t bytes = ring_bytes(h, words);
    if (h->slabs[words].end - h->slabs[words].at < bytes) {
        uint64_t more = (bytes > SLAB_BYTES ? bytes : SLAB_BYTES) + bytes;
        uint64_t at = s->head->rows[STATE_HEAP] + more <= s->budget / 2 ? state_alloc(s, more) : 0;
        if (at == 0)
            return 0;
        h->slabs[words].at = at + (-(uint64_t)(uintptr_t)state_block(s, at) & (bytes - 1));
        h->slabs[words].end = at + more;
    }
    h->slabs[words].at += bytes;
    return h->slabs[words].at - bytes;
}

static struct counter *new_counter(struct counter_tables *h, uint32_t words)
{
    struct state *s = h->state;
    if (h->spare[words].count > 0) {
        struct counter *used = h->spare[words].items[--h->spare[words].count];
        if (words > 0)
            memset((void *)(uintptr_t)used->ring, 0, ring_bytes(h, words)); /* no number is left */
        return used;
    }
    const uint64_t ring = words > 0 ? carve(h, words) : 0, at = words == 0 || ring != 0 ? carve(h, 0) : 0;
    uint64_t *row = at != 0 ? state_row(s, STATE_COUNTER, s->head->rows[STATE_COUNTER]) : NULL;
    if (row == NULL)
        return NULL;
    struct counter *c = state_block(s, at);
    *c = (struct counter){ .words = (uint16_t)words };
    if (words > 0)
        c->ring = (uint64_t)(uintptr_t)state_block(s, ring);
    *row = at;
    return c;
}

/* The descriptor's table for that thread, created if missing; NULL: it cannot have one. */
static struct counter_table *table_of(struct counter_tables *h, uint32_t desc, uint32_t thread)
{
    if (desc >= h->table_count) {
        struct counter_table *p = realloc(h->tables, ((size_t)desc + 16) * sizeof *p);
        if (p == NULL)
            return NULL;
        memset(p + h->table_count, 0, (desc + 16 - h->table_count) * sizeof *p);
        h->tables = p;
        h->table_count = (size_t)desc + 16;
    }
    struct counter_table *t = &h->tables[desc];
    if (t->counters != NULL && t->used.count > 0)
        return t->thread == thread ? t : NULL; /* else the old thread's table is not retired yet */
    if (t->counters == NULL && (t->counters = reserve_table(h, PROT_READ | PROT_WRITE)) == NULL)
        return NULL;
    t->thread = thread;
    t->owner = journal_owner(h->journal, desc);
    return journal_set_counters(h->journal, desc, thread, (uint64_t)(uintptr_t)t->counters) ? t : NULL;
}

/* Rings begin at different entries, as if they had been there already: at the same distance from addresses that their
 * size divides, those that are written in turn would share the same few lines of the processor's cache. */
static void start_counter(struct counter_tables *h, struct counter *c)
{
    enum { STEP = 5 };
    const uint64_t first = c->words > 0 ? h->started++ * STEP % (uint64_t)h->ring_room : 0;
    c->position = first * c->words * 8;
    c->taken[0] = c->taken[1] = c->ring_taken = first;
    c->taken[2] = 0;
}

/* A counter with entries of so many words for the data ID; NULL: there is no room. */
static struct counter *new_assigned(struct counter_tables *h, struct counter_table *t, uint32_t id, uint32_t words)
{
    struct counter *c = vec_reserve(&t->used, t->used.count + 1) ? new_counter(h, words) : NULL;
    if (c == NULL)
        return NULL;
    start_counter(h, c);
    c->events = (uint16_t)(h->shapes[id] & RECORD_EVENTS);
    c->id = id;
    c->thread = t->thread;
    __atomic_store_n(&c->bytes, words > 0 ? (uint32_t)ring_bytes(h, words) : 1, __ATOMIC_RELEASE);
    t->used.items[t->used.count++] = c;
    return c;
}

static void assign_counter(struct counter_tables *h, struct counter_table *t, uint32_t id, bool negated,
                           const uint8_t *letters)
{
    uint32_t events = h->shapes[id] & RECORD_EVENTS, words = 0;
    for (uint32_t k = 0; k < events && h->ring_room > 1; k++)
        words += (letters[id + k] & (uint8_t)~KIND_JOINED) != KIND_VOID;
    if (h->ring_room > 1)
        words += h->timed ? 3 : 2;
    while ((words & (words - 1)) != 0)
        words++;
    const struct counter *c = new_assigned(h, t, id, words);
    if (c == NULL)
        return;
    int64_t address = (int64_t)(uintptr_t)c;
    __atomic_store_n(&t->counters[id], negated ? -address : address, __ATOMIC_RELEASE);
}

/* True if the data ID begins a record of which no event has a role that the drain must see. *negated: it must see one
 * while `supers` is set. */
static bool may_have_counter(const struct counter_tables *h, uint32_t id, const uint8_t *letters, const uint8_t *roles,
                             bool *negated)
{
    uint32_t events = h->shapes[id];
    if (id >= COUNTER_IDS || (letters[id] & KIND_JOINED) || events == 0 || events > RECORD_EVENTS)
        return false;
    *negated = false;
    for (uint32_t k = 0; k < events; k++) {
        uint8_t role = roles[id + k];
        *negated |= role == ROLE_ENTER || role == ROLE_LEAVE;
        if (role != ROLE_NONE && role != ROLE_NEUTRAL && role != ROLE_ENTER && role != ROLE_LEAVE)
            return false;
    }
    return true;
}

void counter_tables_learn(struct counter_tables *h, uint32_t desc, uint32_t thread, const struct chunk_columns *c,
                          const uint8_t *letters, const uint8_t *roles)
{
    bool ok = true;
    for (uint32_t i = c->count % SAMPLE; i < c->count && ok; i += SAMPLE)
        ok = dataid_stats_add(&h->seen, c->ids[i]);
    struct counter_table *t = NULL;
    for (size_t i = 0; i < h->seen.touched.count; i++) {
        uint32_t id = h->seen.touched.items[i], samples = h->seen.of[id];
        h->seen.of[id] = 0;
        bool negated;
        if (samples < FREQUENT_SAMPLES || !may_have_counter(h, id, letters, roles, &negated))
            continue;
        if (t == NULL && (t = table_of(h, desc, thread)) == NULL)
            continue;
        if (t->counters[id] == 0)
            assign_counter(h, t, id, negated, letters);
    }
    h->seen.touched.count = 0;
}

bool counter_tables_may(const struct counter_tables *h, uint32_t id, const uint8_t *letters, const uint8_t *roles)
{
    bool negated;
    return may_have_counter(h, id, letters, roles, &negated);
}

bool counter_tables_ready(struct counter_tables *h, uint32_t desc, uint32_t thread)
{
    const struct counter_table *t = table_of(h, desc, thread);
    return t != NULL &&
           __atomic_load_n(&h->journal->descs[desc].cells, __ATOMIC_ACQUIRE) == (uint64_t)(uintptr_t)t->counters;
}

bool counter_tables_add(struct counter_tables *h, uint32_t desc, uint32_t id)
{
    struct counter_table *t = &h->tables[desc];
    for (size_t i = 0; i < t->used.count; i++)
        if (t->used.items[i]->id == id)
            return false;
    return new_assigned(h, t, id, 0) != NULL;
}

bool counter_tables_any(const struct counter_tables *h)
{
    for (size_t i = 0; i < h->table_count; i++)
        if (h->tables[i].used.count > 0)
            return true;
    return false;
}

void counter_tables_use(struct counter_tables *h, bool on)
{
    for (size_t i = 0; i < h->table_count; i++)
        for (size_t k = 0; k < h->tables[i].used.count; k++) {
            const struct counter *c = h->tables[i].used.items[k];
            __atomic_store_n(&h->tables[i].counters[c->id], on ? (int64_t)(uintptr_t)c : 0, __ATOMIC_RELEASE);
        }
}

static void make_spare(struct counter_tables *h, struct counter *c)
{
    struct counter **slot = vec_push(&h->spare[c->words]);
    if (slot != NULL)
        *slot = c;
}

/* Where the owner has gone, what is left of its earlier periods is free. */
static void free_old(struct counter_tables *h, struct counter_table *t)
{
    while (t->old.count > 0)
        make_spare(h, t->old.items[--t->old.count]);
}

enum status counter_tables_retire(struct counter_tables *h, struct counter_importer *importer, struct error *err)
{
    enum status st = OK;
    for (size_t i = 0; i < h->table_count && st == OK; i++) {
        struct counter_table *t = &h->tables[i];
        if (t->used.count == 0 && t->old.count == 0)
            continue;
        const uint64_t owner = journal_owner(h->journal, (uint32_t)i);
        const bool same_owner = owner != 0 && owner == t->owner;
        if (!same_owner)
            free_old(h, t);
        if (t->used.count == 0 || journal_serves(h->journal, (uint32_t)i, t->thread) ||
            !vec_reserve(&h->retired, h->retired.count + t->used.count))
            continue;
        importer->rings = true;
        for (size_t k = 0; k < t->used.count && st == OK; k++) {
            t->counters[t->used.items[k]->id] = 0;
            st = counter_import(importer, t->used.items[k], err);
            h->retired.items[h->retired.count++] = (struct retired_counter){ t->used.items[k], i, same_owner };
        }
        t->used.count = 0;
    }
    return st;
}

void counter_tables_committed(struct counter_tables *h)
{
    while (h->retired.count > 0) {
        const struct retired_counter r = h->retired.items[--h->retired.count];
        struct counter **slot = r.same_owner ? vec_push(&h->tables[r.table].old) : NULL;
        __atomic_store_n(&r.c->bytes, 0, __ATOMIC_RELEASE);
        if (slot != NULL)
            *slot = r.c;
        else if (!r.same_owner)
            make_spare(h, r.c);
    }
}
