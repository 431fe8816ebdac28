/* latest.c - format latest: the last events of every data ID.
 *
 * A ring is a block of the heap: a head and entries in the order in which they came. It grows by doubling as events
 * come, to size + size / 2 + ROOM_MIN entries, and when it is full the last `size` go into a fresh block; so blocks are
 * only appended to, and replaced by one store to BLOCK: a killed process leaves a consistent ring. Events of several
 * threads come out of order; entries are sorted by (stamp, thread, order) before they are saved, and events that a
 * recovery imported twice are dropped. Events that hooks keep in counters get into the rings when the counters are
 * imported.
 *
 * Memory: at most the budget of the state for rings and counters. At that bound rings keep their size, and new ones
 * stay at ROOM_MIN entries; the number of rings that are too small is counted (state_head.limited). */
#include <stdlib.h>

#include "formats/dataid_stats.h"
#include "formats/event.h"
#include "formats/journal.h"
#include "formats/search.h"
#include "logging/aggregate/counts.h"
#include "logging/aggregate/dataid_stats.h"
#include "logging/sinks/sink.h"

enum { ROOM_MIN = 4, CLASSES = 40 };

struct entry {
    uint64_t stamp, order; /* of sink_order */
    uint64_t value, time;
    uint64_t thread;
};
struct ring {
    uint32_t room, used, limited, pad;
    struct entry entries[];
};

/* State of this process: how often each data ID is in the batch, and free blocks by room. */
struct latest_scratch {
    struct dataid_stats seen;
    u64_vec copy; /* entries of a ring */
    struct {
        uint32_t room;
        u64_vec offsets;
    } spare[CLASSES];
};

static struct latest_scratch *scratch_of(struct state *s)
{
    if (s->scratch == NULL)
        s->scratch = calloc(1, sizeof(struct latest_scratch));
    return s->scratch;
}

static void done(struct state *s)
{
    struct latest_scratch *x = s->scratch;
    if (x == NULL)
        return;
    dataid_stats_free(&x->seen);
    vec_free(&x->copy);
    for (int i = 0; i < CLASSES; i++)
        vec_free(&x->spare[i].offsets);
    free(x);
    s->scratch = NULL;
}

static uint64_t block_bytes(uint32_t room) { return sizeof(struct ring) + (uint64_t)room * sizeof(struct entry); }
static uint32_t full_room(const struct state *s) { return s->head->size + s->head->size / 2 + ROOM_MIN; }

/* The free blocks of that room; NULL: too many different sizes, which does not happen. */
static u64_vec *spares(struct latest_scratch *x, uint32_t room)
{
    for (int i = 0; i < CLASSES; i++)
        if (x->spare[i].room == room || x->spare[i].room == 0) {
            x->spare[i].room = room;
            return &x->spare[i].offsets;
        }
    return NULL;
}

/* An empty block; 0: no disk. */
static uint64_t new_block(struct state *s, uint32_t room)
{
    u64_vec *v = spares(s->scratch, room);
    uint64_t at = v != NULL && v->count > 0 ? v->items[--v->count] : state_alloc(s, block_bytes(room));
    if (at != 0)
        *(struct ring *)state_block(s, at) = (struct ring){ .room = room };
    return at;
}

static void spare_block(struct state *s, uint64_t at)
{
    u64_vec *v = spares(s->scratch, ((struct ring *)state_block(s, at))->room);
    uint64_t *slot = v != NULL ? vec_push(v) : NULL;
    if (slot != NULL)
        *slot = at;
}

static int by_order(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->stamp != y->stamp)
        return x->stamp < y->stamp ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Sorts and removes duplicates. Returns how many entries remain. */
static uint32_t settle(struct entry *e, uint32_t count)
{
    uint32_t n = 0;
    bool sorted = true;
    for (uint32_t i = 1; i < count && sorted; i++)
        sorted = by_order(&e[i - 1], &e[i]) < 0;
    if (sorted)
        return count;
    qsort(e, count, sizeof *e, by_order);
    for (uint32_t i = 0; i < count; i++)
        if (n == 0 || by_order(&e[n - 1], &e[i]) != 0)
            e[n++] = e[i];
    return n;
}

/* Replaces the ring at *block, which is full or missing, by one with room for another entry. */
static struct ring *renew(struct state *s, uint64_t *block)
{
    struct ring *old = *block != 0 ? state_block(s, *block) : NULL;
    uint32_t room = old != NULL ? old->room : 0, full = full_room(s),
             wanted = room == 0         ? ROOM_MIN
                      : room < full / 2 ? 2 * room
                                        : full;
    if (wanted > full)
        wanted = full;
    bool limited = old != NULL && old->limited != 0;
    if (old != NULL && wanted > room && s->head->rows[STATE_HEAP] + block_bytes(wanted) > s->budget) {
        s->head->limited += !limited;
        limited = true;
        wanted = room;
    }
    uint64_t at = new_block(s, wanted);
    if (at == 0)
        return NULL;
    struct ring *r = state_block(s, at);
    r->limited = limited;
    if (old != NULL) { /* sorted in the new block, which is not in use yet: the old one must stay consistent */
        memcpy(r->entries, old->entries, old->used * sizeof *r->entries);
        uint32_t count = settle(r->entries, old->used), keep = wanted > room ? count
                                                               : limited     ? room - room / 4
                                                                             : s->head->size;
        if (keep > count)
            keep = count;
        memmove(r->entries, r->entries + count - keep, keep * sizeof *r->entries);
        r->used = keep;
    }
    uint64_t before = *block;
    __atomic_store_n(block, at, __ATOMIC_RELEASE);
    if (before != 0)
        spare_block(s, before);
    return r;
}

static bool append(struct state *s, uint32_t id, const struct entry *e)
{
    uint64_t *block = state_row(s, STATE_BLOCK, id);
    if (block == NULL)
        return false;
    struct ring *r = *block != 0 ? state_block(s, *block) : NULL;
    if ((r == NULL || r->used >= r->room) && (r = renew(s, block)) == NULL)
        return false;
    r->entries[r->used] = *e;
    __atomic_store_n(&r->used, r->used + 1, __ATOMIC_RELEASE);
    return true;
}

/* Of a batch only the last `size` events of each data ID can matter. */
static enum status import_batch(struct sink_output *out, const struct sink_batch *b, struct error *err)
{
    struct state *s = out->state;
    const struct chunk_columns *c = b->columns;
    struct latest_scratch *x = scratch_of(s);
    if (x == NULL)
        return error_memory(err, "the last events");
    x->seen.touched.count = 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (!dataid_stats_add(&x->seen, c->ids[i]))
            return error_memory(err, "the last events");
    bool ok = true;
    for (size_t i = 0; i < x->seen.touched.count && ok; i++)
        ok = counts_add(s, x->seen.touched.items[i], x->seen.of[x->seen.touched.items[i]]);
    for (uint32_t i = 0; i < c->count; i++) {
        if (x->seen.of[c->ids[i]]-- > s->head->size)
            continue;
        struct entry e = {
            c->stamps[i], b->order[i], c->values[i], c->times != NULL ? c->times[i] : 0, b->thread,
        };
        ok = ok && append(s, c->ids[i], &e);
    }
    if (!ok)
        *err = s->error;
    return ok ? OK : err->status;
}

/* Copies the last entries, as many as are kept, but those that were imported: [*first, *count). A loop may go on for a
 * while (weaver/ring.c), so they are copied until none was written over meanwhile. False: no memory. */
static bool copy_ring(const struct state *s, const struct counter *c, uint32_t size, struct latest_scratch *x,
                      uint64_t *first, uint64_t *count)
{
    const uint64_t room = counter_room(c), kept = room - 1 < size ? room - 1 : size;
    do {
        *count = counter_count(s, c);
        *first = *count - (*count < kept ? *count : kept);
        if (*first < c->ring_taken)
            *first = c->ring_taken < *count ? c->ring_taken : *count;
        if (!vec_reserve(&x->copy, (*count - *first) * c->words + 1))
            return false;
        for (uint64_t n = *first; n < *count; n++)
            memcpy(x->copy.items + (n - *first) * c->words, counter_entry(s, c, n), 8 * (size_t)c->words);
        __atomic_thread_fence(__ATOMIC_ACQUIRE); /* the copies come before the look at what was written meanwhile */
    } while (counter_count(s, c) - *count >= room - kept);
    return true;
}

/* The last entries of a counter. Entries that a killed process had imported already are duplicates and are dropped
 * later. */
static enum status import_ring(const struct counter_importer *h, struct counter *c, struct error *err)
{
    struct state *s = h->state;
    struct latest_scratch *x = scratch_of(s);
    const uint64_t head = s->head->timed ? 3 : 2;
    uint64_t first, count;
    if (x == NULL || !copy_ring(s, c, s->head->size, x, &first, &count))
        return error_memory(err, "the last events");
    for (uint64_t n = first; n < count; n++) {
        const uint64_t *words = x->copy.items + (n - first) * c->words, *value = words + head, *end = words + c->words;
        for (uint32_t k = 0; k < c->events; k++) {
            uint8_t letter = h->kinds.letters[c->id + k];
            bool has = (letter & (uint8_t)~KIND_JOINED) != KIND_VOID && value < end;
            struct entry e = { words[0], sink_order(words[1] + k), has ? journal_value(letter, *value++) : 0,
                               head > 2 ? words[2] - h->start_ns : 0, c->thread };
            if (!append(s, c->id + k, &e))
                return (*err = s->error).status;
        }
    }
    c->ring_taken = count;
    return OK;
}

/* Inferred exits, which the numbers of events leave out: pairs of thread and order. Sorted, each once. */
typedef VEC(uint64_t) exit_vec;

static int by_thread_and_order(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    if (x[0] != y[0])
        return x[0] < y[0] ? -1 : 1;
    return x[1] < y[1] ? -1 : x[1] > y[1];
}

static bool load_exits(const struct state *s, exit_vec *out)
{
    size_t count = s->head->rows[STATE_EXIT], n = 0;
    if (!vec_reserve(out, 2 * count + 2))
        return false;
    for (size_t i = 0; i < count; i++)
        memcpy(&out->items[2 * i], state_peek(s, STATE_EXIT, i), 16);
    qsort(out->items, count, 16, by_thread_and_order);
    for (size_t i = 0; i < count; i++)
        if (n == 0 || by_thread_and_order(&out->items[2 * n - 2], &out->items[2 * i]) != 0) {
            memmove(&out->items[2 * n], &out->items[2 * i], 16);
            n++;
        }
    out->count = 2 * n;
    return true;
}

/* The event's number with inferred exits counted. */
static uint64_t number_of(const exit_vec *exits, const struct entry *e)
{
    const uint64_t from[2] = { e->thread, 0 }, until[2] = { e->thread, e->order };
    size_t first[2];
    for (int i = 0; i < 2; i++) {
        size_t low;
        LOWER_BOUND(low, exits->count / 2, by_thread_and_order(&exits->items[2 * low], i == 0 ? from : until) < 0);
        first[i] = low;
    }
    return (e->order >> ORDER_BITS) + (first[1] - first[0]);
}

static enum status save(struct state *s, struct store *store, struct error *err)
{
    enum status st = counts_save(s, store, err);
    struct writer w = { 0 };
    last_event_vec events = { 0 };
    VEC(struct entry) sorted = { 0 };
    exit_vec exits = { 0 };
    if (st == OK && !load_exits(s, &exits))
        st = error_memory(err, "the last events");
    /* older events were dropped with a snapshot: rings need not be changed for that */
    uint64_t floor = state_number_value(s, STATE_REQUEST, REQUESTS_FLOOR);
    for (uint64_t id = 0; id < s->head->rows[STATE_BLOCK] && st == OK; id++) {
        const uint64_t *block = state_peek(s, STATE_BLOCK, id);
        if (*block == 0)
            continue;
        const struct ring *r = state_block(s, *block);
        events.count = 0;
        w.size = 0;
        if (!vec_reserve(&sorted, r->used) || !vec_reserve(&events, r->used)) {
            st = error_memory(err, "the last events");
            break;
        }
        memcpy(sorted.items, r->entries, r->used * sizeof *r->entries);
        uint32_t count = settle(sorted.items, r->used), first = count > s->head->size ? count - s->head->size : 0;
        while (first < count && sorted.items[first].stamp < floor)
            first++;
        for (uint32_t i = first; i < count; i++) {
            const struct entry *e = &sorted.items[i];
            events.items[events.count++] = (struct last_event){
                e->stamp, (uint32_t)e->thread, number_of(&exits, e), e->value, e->time,
            };
        }
        if (events.count == 0)
            continue;
        last_events_encode(events.items, events.count, &w);
        st = w.bad ? error_memory(err, "the last events") : store_put(store, DB_LATEST, id, w.data, w.size, err);
    }
    if (st == OK && s->head->limited > 0)
        st = store_put_number(store, "limited", s->head->limited, err);
    writer_free(&w);
    vec_free(&events);
    vec_free(&sorted);
    vec_free(&exits);
    return st;
}

static bool sane(const struct state *s, const void *block, uint64_t room)
{
    const struct ring *r = block;
    return room >= sizeof *r && r->room > 0 && r->room <= full_room(s) && r->used <= r->room &&
           block_bytes(r->room) <= room;
}

const struct sink sink_latest = { .storage = &sink_storage_state,
                                  .counters = true,
                                  .ordered = true,
                                  .import_batch = import_batch,
                                  .import_ring = import_ring,
                                  .save = save,
                                  .done = done,
                                  .sane = sane,
                                  .reset = counts_reset };
