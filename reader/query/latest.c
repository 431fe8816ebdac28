/* latest.c - the last events of each data ID.
 *
 * format=latest stores them, one row per data ID; their global order (seq) needs the rows of all data IDs, their values
 * only the row of one. In a stream they are found by walking back from its end, through the chunks that the index names
 * for these data IDs. */
#include <stdlib.h>
#include <string.h>

#include "formats/dataid_stats.h"
#include "formats/journal.h"
#include "formats/search.h"
#include "reader/cursor/cursor.h"

enum { LAST_OF_STREAM = 32, DROP_SHARE = 8, THREADS_MAX = 1 << 24 };

struct latest {
    hs_cursor base;
    hs_trace *t;
    VEC(struct hs_event) events; /* the answer */
    size_t given;                /* of `events` */
    bool timed;
    uint32_t snapshot; /* hs_use_snapshot, when it was opened */
    /* format=latest: seq of every event, in the order of data IDs, once they were asked for */
    u64_vec seqs;
    size_t *first; /* by data ID: its first one in seqs; one more than there are data IDs */
    /* of a stream: what was read last */
    VEC(struct hs_event) found; /* newest first */
    u32_vec ids;                /* ascending */
    u32_vec starts;             /* by position in ids: its first one in order; one more */
    u32_vec order;              /* by data ID, oldest first: positions in found */
};

static enum status no_memory(const hs_trace *t, struct error *err) { return error_memory(err, "%s", t->dir); }

/* ---- rows of format=latest ---- */

static enum status decode_checked(hs_trace *t, uint64_t id, struct text value, last_event_vec *out, struct error *err)
{
    if (id >= t->kind_count)
        return error_set(err, ERR_FORMAT, "last events of data ID %llu: the trace has %u data IDs",
                         (unsigned long long)id, t->kind_count);
    enum status st = last_events_decode(value.data, value.size, out, err);
    if (st != OK)
        return st;
    for (size_t i = 0; i < out->count; i++)
        if (out->items[i].thread >= THREADS_MAX)
            return error_set(err, ERR_FORMAT, "last events of data ID %llu: thread %u: the most is %d",
                             (unsigned long long)id, out->items[i].thread, THREADS_MAX - 1);
    return OK;
}

/* The rows of one data ID; none if they are malformed. */
static enum status decode(hs_trace *t, uint64_t id, struct text value, last_event_vec *out)
{
    struct error err;
    enum status st = decode_checked(t, id, value, out, &err);
    if (st != ERR_FORMAT)
        return st;
    trace_damaged(t, &err);
    out->count = 0;
    return OK;
}

/* Row `i` of a data ID that is stored as an event. Its seq is known if rows were numbered, and if it was not added
 * since by a recording that still runs. */
static struct hs_event make_event(const struct latest *l, uint32_t id, size_t i, const struct last_event *e)
{
    bool numbered = l->first != NULL && l->first[id] + i < l->first[id + 1];
    return (struct hs_event){ .seq = numbered ? l->seqs.items[l->first[id] + i] : HS_NO_SEQ,
                              .dataid = same_place(l->t, id),
                              .thread = e->thread,
                              .value = e->value,
                              .stamp = e->stamp,
                              .position = e->number,
                              .time_ns = l->timed ? e->time : HS_NO_TIME,
                              .kind = (char)(l->t->kinds[id] & ~KIND_JOINED) };
}

/* Appends the events of a data ID that is stored. */
static enum status add_stored(struct latest *l, uint32_t id, struct error *err)
{
    hs_trace *t = l->t;
    last_event_vec rows = { 0 };
    struct text value;
    enum status st = env_begin(&t->env, err);
    if (st != OK)
        return st;
    st = l->snapshot == 0 ? env_get(&t->env, DB_LATEST, id, &value, err)
                          : env_get(&t->env, DB_SAVED, saved_key(l->snapshot, DB_LATEST, id), &value, err);
    if (st == OK && decode(t, id, value, &rows) != OK)
        st = no_memory(t, err);
    env_end(&t->env);
    if (st != OK)
        goto out;
    for (size_t i = 0; i < rows.count; i++) {
        struct hs_event *to = vec_push(&l->events);
        if (to == NULL) {
            st = no_memory(t, err);
            goto out;
        }
        *to = make_event(l, id, i, &rows.items[i]);
    }
out:
    vec_free(&rows);
    return st == ERR_NOT_FOUND ? OK : st;
}

static int in_order(const void *a, const void *b)
{
    const struct hs_event *x = a, *y = b;
    if (x->stamp != y->stamp)
        return x->stamp < y->stamp ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return x->position < y->position ? -1 : x->position > y->position;
}

/* The last events of a place, of all its weavings: so many as are kept of one data ID. */
static enum status read_row(struct latest *l, uint32_t id, struct error *err)
{
    const char *size = hs_info(l->t, "size");
    const uint64_t most = size != NULL ? strtoull(size, NULL, 10) : UINT64_MAX;
    l->events.count = 0;
    enum status st = add_stored(l, id, err);
    if (st != OK || other_of_place(l->t, id) == 0)
        return st;
    for (uint32_t other = id; st == OK && (other = other_of_place(l->t, other)) != 0;)
        st = add_stored(l, other, err);
    if (l->events.count > 1)
        qsort(l->events.items, l->events.count, sizeof *l->events.items, in_order);
    l->given = l->events.count > most ? l->events.count - (size_t)most : 0;
    return st;
}

/* ---- the order of all events ---- */

/* What an event is ordered by. */
struct order_key {
    uint64_t stamp, number;
    uint32_t thread;
    uint32_t at; /* in seqs */
};

struct order_keys {
    struct latest *l;
    VEC(struct order_key) list;
    uint64_t next; /* data ID */
};

static enum status add_keys(void *context, struct text key, struct text value, struct error *err)
{
    struct order_keys *k = context;
    last_event_vec rows = { 0 };
    uint64_t id = env_integer(key);
    enum status st = decode(k->l->t, id, value, &rows);
    if (st != OK || !vec_reserve(&k->list, k->list.count + rows.count) || k->list.count + rows.count > UINT32_MAX) {
        vec_free(&rows);
        return no_memory(k->l->t, err);
    }
    for (; rows.count > 0 && k->next <= id; k->next++)
        k->l->first[k->next] = k->list.count;
    for (size_t i = 0; i < rows.count; i++) {
        const struct last_event *e = &rows.items[i];
        k->list.items[k->list.count] = (struct order_key){ e->stamp, e->number, e->thread, (uint32_t)k->list.count };
        k->list.count++;
    }
    vec_free(&rows);
    return OK;
}

static uint64_t stamp_of(const struct order_key *k) { return k->stamp; }
static uint64_t number_of(const struct order_key *k) { return k->number; }
static uint64_t thread_of(const struct order_key *k) { return k->thread; }

/* Stable radix sort by one field, 16 bits at a time; digits that are the same in all keys are skipped. */
static void sort_by(uint64_t (*field)(const struct order_key *), struct order_key **keys, struct order_key **other,
                    size_t n, size_t *counts)
{
    enum { DIGIT_BITS = 16, DIGITS = 1 << DIGIT_BITS };
    uint64_t set = 0, all = UINT64_MAX;
    for (size_t i = 0; i < n; i++) {
        set |= field(&(*keys)[i]);
        all &= field(&(*keys)[i]);
    }
    for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
        if (((set ^ all) >> shift & (DIGITS - 1)) == 0)
            continue;
        memset(counts, 0, DIGITS * sizeof *counts);
        for (size_t i = 0; i < n; i++)
            counts[field(&(*keys)[i]) >> shift & (DIGITS - 1)]++;
        for (size_t d = 0, sum = 0; d < DIGITS; d++) {
            size_t here = counts[d];
            counts[d] = sum;
            sum += here;
        }
        for (size_t i = 0; i < n; i++)
            (*other)[counts[field(&(*keys)[i]) >> shift & (DIGITS - 1)]++] = (*keys)[i];
        struct order_key *swap = *keys;
        *keys = *other;
        *other = swap;
    }
}

/* Makes a vector of numbers longer, with zeros. */
static bool grow_zeroed(u64_vec *v, size_t count)
{
    if (count <= v->count)
        return true;
    if (!vec_reserve(v, count))
        return false;
    memset(&v->items[v->count], 0, (count - v->count) * sizeof *v->items);
    v->count = count;
    return true;
}

/* The seq of an event: how many events are known to come before it. Each thread adds the number of its last kept event
 * so far, so with one thread seq is the position in the stream. */
static enum status number_events(struct latest *l, struct order_key *keys, size_t n, struct error *err)
{
    u64_vec done = { 0 }; /* by thread: its events up to the last one numbered */
    uint64_t total = 0;
    enum status st = OK;
    if (!vec_reserve(&l->seqs, n + 1)) {
        st = no_memory(l->t, err);
        goto out;
    }
    for (size_t i = 0; i < n; i++) {
        const struct order_key *k = &keys[i];
        if (!grow_zeroed(&done, (size_t)k->thread + 1)) {
            st = no_memory(l->t, err);
            goto out;
        }
        total += k->number + 1 - done.items[k->thread];
        done.items[k->thread] = k->number + 1;
        l->seqs.items[k->at] = total - 1;
    }
out:
    l->seqs.count = n;
    vec_free(&done);
    return st;
}

/* Reads the rows of all data IDs, as of the snapshot. */
static enum status read_keys(struct latest *l, struct order_keys *k, struct error *err)
{
    uint32_t used = l->t->snapshot;
    l->t->snapshot = l->snapshot;
    enum status st = dataid_stats_each(l->t, DB_LATEST, add_keys, k, err);
    l->t->snapshot = used;
    if (st != OK)
        return st;
    for (; k->next <= l->t->kind_count; k->next++)
        l->first[k->next] = k->list.count;
    return OK;
}

/* Numbers the events of all rows in the order of stamp, thread, number, as a stream is ordered (order.h). */
static enum status order_all(struct latest *l, struct error *err)
{
    enum status st = OK;
    struct order_keys k = { .l = l };
    struct order_key *other = NULL;
    size_t *counts = malloc((1 << 16) * sizeof *counts);
    l->first = calloc((size_t)l->t->kind_count + 1, sizeof *l->first);
    if (l->first == NULL || counts == NULL) {
        st = no_memory(l->t, err);
        goto out;
    }
    st = read_keys(l, &k, err);
    if (st != OK)
        goto out;
    size_t n = k.list.count;
    other = malloc((n + 1) * sizeof *other);
    if (other == NULL) {
        st = no_memory(l->t, err);
        goto out;
    }
    sort_by(number_of, &k.list.items, &other, n, counts);
    sort_by(thread_of, &k.list.items, &other, n, counts);
    sort_by(stamp_of, &k.list.items, &other, n, counts);
    st = number_events(l, k.list.items, n, err);
out:
    if (st != OK) {
        free(l->first);
        l->first = NULL;
    }
    free(counts);
    free(other);
    vec_free(&k.list);
    return st;
}

/* ---- the end of a stream ---- */

/* The search for the last events of some data IDs. */
struct last_search {
    uint32_t *position; /* by data ID: in ids, + 1 */
    uint8_t *counts;    /* by position in ids: events found */
    uint32_t *full;     /* data IDs that have LAST_OF_STREAM events, not dropped from the walk yet */
    size_t left, full_count;
};

/* Keeps an event of the walk; false: out of memory. */
static bool add_found(struct latest *l, struct last_search *s, const struct hs_event *e, hs_cursor *c)
{
    uint8_t *count = &s->counts[s->position[e->dataid] - 1];
    if (*count == LAST_OF_STREAM)
        return true;
    struct hs_event *out = l->found.count < UINT32_MAX ? vec_push(&l->found) : NULL;
    if (out == NULL)
        return false;
    *out = *e;
    if (++*count < LAST_OF_STREAM)
        return true;
    s->full[s->full_count++] = e->dataid;
    s->left--;
    if (s->full_count > s->left / DROP_SHARE) { /* several at once, since each call reads all data IDs */
        cursor_drop_ids(c, s->full, s->full_count);
        s->full_count = 0;
    }
    return true;
}

/* Walks back from the end until every data ID has its events. */
static enum status search_last(struct latest *l, struct last_search *s, struct error *err)
{
    struct walk w;
    struct hs_event e;
    walk_open_ids(&w, l->t, &l->ids, 0, UINT64_MAX);
    walk_seek(&w, UINT64_MAX);
    while (s->left > 0 && walk_previous(&w, &e)) {
        if (!add_found(l, s, &e, w.cursor)) {
            (void)walk_close(&w, NULL);
            return no_memory(l->t, err);
        }
    }
    return walk_close(&w, err);
}

/* Groups what was found by data ID, each oldest first; the newest was found first. */
static bool group_found(struct latest *l, const struct last_search *s)
{
    size_t n = l->ids.count;
    uint32_t end = 0;
    if (!vec_reserve(&l->starts, n + 1) || !vec_reserve(&l->order, l->found.count))
        return false;
    for (size_t i = 0; i < n; i++) /* at first the end of each; every event moves it one down */
    {
        end += s->counts[i];
        l->starts.items[i] = end;
    }
    l->starts.items[n] = end;
    for (size_t i = 0; i < l->found.count; i++)
        l->order.items[--l->starts.items[s->position[l->found.items[i].dataid] - 1]] = (uint32_t)i;
    return true;
}

static enum status read_stream(struct latest *l, struct error *err)
{
    enum status st = OK;
    size_t n = l->ids.count;
    struct last_search s = { .position = calloc((size_t)l->t->kind_count + 1, sizeof *s.position),
                             .counts = calloc(n + 1, 1),
                             .full = malloc((n + 1) * sizeof *s.full),
                             .left = n };
    l->found.count = 0;
    if (s.position == NULL || s.counts == NULL || s.full == NULL) {
        st = no_memory(l->t, err);
        goto out;
    }
    for (size_t i = 0; i < n; i++)
        s.position[l->ids.items[i]] = (uint32_t)i + 1;
    if (n > 0)
        st = search_last(l, &s, err);
    if (st == OK && !group_found(l, &s))
        st = no_memory(l->t, err);
out:
    if (st != OK)
        l->ids.count = 0;
    free(s.position);
    free(s.counts);
    free(s.full);
    return st;
}

/* The events of one data ID among those read last. */
static enum status find_in_stream(struct latest *l, uint32_t id, struct error *err)
{
    size_t low;
    l->events.count = 0;
    LOWER_BOUND(low, l->ids.count, l->ids.items[low] < id);
    if (low == l->ids.count || l->ids.items[low] != id)
        return OK;
    for (uint32_t i = l->starts.items[low]; i < l->starts.items[low + 1]; i++) {
        struct hs_event *out = vec_push(&l->events);
        if (out == NULL)
            return no_memory(l->t, err);
        *out = l->found.items[l->order.items[i]];
    }
    return OK;
}

/* ---- the cursor ---- */

static int next_latest(hs_cursor *base, const void **row, struct hs_error *error)
{
    struct latest *l = (struct latest *)base;
    (void)error;
    if (l->given == l->events.count)
        return 0;
    *row = &l->events.items[l->given++];
    return 1;
}

static void close_latest(hs_cursor *base)
{
    struct latest *l = (struct latest *)base;
    vec_free(&l->events);
    vec_free(&l->found);
    vec_free(&l->ids);
    vec_free(&l->order);
    vec_free(&l->starts);
    vec_free(&l->seqs);
    free(l->first);
    free(l);
}

static const struct cursor_ops latest_ops = { .row = ROW_event, .next = next_latest, .close = close_latest };

int hs_latest_open(hs_trace *t, hs_cursor **out, struct hs_error *error)
{
    struct error err = { 0 };
    struct latest *l = calloc(1, sizeof *l);
    if (l == NULL) {
        (void)no_memory(t, &err);
        return give(error, &err);
    }
    l->base.ops = &latest_ops;
    l->t = t;
    l->snapshot = t->snapshot;
    l->timed = trace_timed(t);
    *out = &l->base;
    return 0;
}

static enum status set_ids(struct latest *l, const uint32_t *dataids, size_t n, struct error *err)
{
    l->ids.count = 0;
    for (size_t i = 0; i < n; i++) {
        if (dataids[i] >= l->t->kind_count)
            return error_set(err, ERR_USAGE, "data ID %u: the trace has %u", dataids[i], l->t->kind_count);
        if (i > 0 && dataids[i] <= dataids[i - 1])
            return error_set(err, ERR_USAGE, "data ID %u follows %u: pass them in ascending order", dataids[i],
                             dataids[i - 1]);
        uint32_t *to = vec_push(&l->ids);
        if (to == NULL)
            return no_memory(l->t, err);
        *to = dataids[i];
    }
    return OK;
}

int hs_latest_read(hs_cursor *c, const uint32_t *dataids, size_t n, bool numbered, struct hs_error *error)
{
    struct error err = { 0 };
    enum status st = OK;
    struct latest *l = (struct latest *)c;
    if (cursor_expect(c, &latest_ops, "hs_latest_read", error) != 0)
        return -1;
    struct phase phase PHASE_ENDS = trace_phase(l->t, "last events");
    l->given = l->events.count = 0;
    if (l->t->chunk_count > 0) {
        index_wish(l->t);
        st = set_ids(l, dataids, n, &err);
        if (st == OK)
            st = read_stream(l, &err);
    } else if (numbered && l->first == NULL) {
        st = order_all(l, &err);
    }
    return st == OK ? 0 : give(error, &err);
}

int hs_latest_select(hs_cursor *c, uint32_t dataid, size_t *count, struct hs_error *error)
{
    struct error err = { 0 };
    enum status st = OK;
    struct latest *l = (struct latest *)c;
    if (cursor_expect(c, &latest_ops, "hs_latest_select", error) != 0)
        return -1;
    l->given = l->events.count = 0;
    if (dataid < l->t->kind_count && same_place(l->t, dataid) == dataid)
        st = l->t->chunk_count > 0 ? find_in_stream(l, dataid, &err) : read_row(l, dataid, &err);
    if (st == ERR_FORMAT) /* a row that cannot be read counts as not held */
        trace_damaged(l->t, &err);
    else if (st != OK)
        return give(error, &err);
    *count = l->events.count - l->given;
    return 0;
}
