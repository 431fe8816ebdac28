/* latest.c - the last events of each data ID.
 *
 * format=latest stores them, a row per data ID. Their order among each other (`seq`) needs the rows of all; who only
 * wants values reads one row. Of a stream they are found from its end backwards, in the chunks that the index names for
 * the data IDs in question. */
#include <stdlib.h>
#include <string.h>

#include "formats/journal.h"
#include "formats/tallies.h"
#include "reader/cursor/cursor.h"

enum { LAST_OF_STREAM = 32, DROP_SHARE = 8, THREADS_MAX = 1 << 24 };

struct hs_latest {
    hs_trace *t;
    VEC(struct hs_event) events; /* the answer */
    bool timed;
    uint32_t snapshot; /* hs_use_snapshot, when it was opened */
    /* format=latest: seq of every event, in the order of data IDs, once they were asked for */
    u64_vec seqs;
    size_t *first; /* by data ID: its first one in seqs; one more than there are data IDs */
    /* of a stream: what was read last */
    VEC(struct hs_event) found; /* as they were met */
    u32_vec ids;                /* rising */
    u32_vec starts;             /* by position in ids: its first one in order; one more */
    u32_vec order;              /* by data ID, oldest first: positions in found */
};

static enum status no_memory(const hs_trace *t, struct error *err)
{
    return error_set(err, ERR_MEMORY, "%s: out of memory", t->dir);
}

/* ---- rows of format=latest ---- */

/* The rows of one data ID; none if they are malformed. */
static enum status decode(hs_trace *t, uint64_t id, struct text value, last_event_vec *out)
{
    struct error why;
    enum status st = id < t->kind_count ? last_events_decode(value.data, value.size, out, &why)
                                        : error_set(&why, ERR_FORMAT, "last events of data ID %llu, which nobody has",
                                                    (unsigned long long)id);
    for (size_t i = 0; st == OK && i < out->count; i++)
        if (out->items[i].thread >= THREADS_MAX)
            st = error_set(&why, ERR_FORMAT, "last events of data ID %llu: of thread %u, which nobody has",
                           (unsigned long long)id, out->items[i].thread);
    if (st != ERR_FORMAT)
        return st;
    trace_damaged(t, &why);
    out->count = 0;
    return OK;
}

static enum status read_row(struct hs_latest *l, uint32_t id, struct error *err)
{
    hs_trace *t = l->t;
    last_event_vec rows = { 0 };
    struct text value;
    l->events.count = 0;
    enum status st = env_begin(&t->env, err);
    if (st != OK)
        return st;
    st = l->snapshot == 0 ? env_get(&t->env, DB_LATEST, id, &value, err)
                          : env_get(&t->env, DB_SAVED, saved_key(l->snapshot, DB_LATEST, id), &value, err);
    if (st == OK && decode(t, id, value, &rows) != OK)
        st = no_memory(t, err);
    env_end(&t->env);
    for (size_t i = 0; st == OK && i < rows.count; i++) {
        const struct last_event *e = &rows.items[i];
        /* else it came since, by a recording that goes on */
        bool numbered = l->first != NULL && l->first[id] + i < l->first[id + 1];
        struct hs_event *out = vec_push(&l->events);
        if (out == NULL)
            st = no_memory(t, err);
        else
            *out = (struct hs_event){ .seq = numbered ? l->seqs.items[l->first[id] + i] : HS_NO_SEQ,
                                      .dataid = id,
                                      .thread = e->thread,
                                      .value = e->value,
                                      .stamp = e->stamp,
                                      .position = e->number,
                                      .time_ns = l->timed ? e->time : HS_NO_TIME,
                                      .kind = (char)(t->kinds[id] & ~KIND_JOINED) };
    }
    vec_free(&rows);
    return st == ERR_NOT_FOUND ? OK : st;
}

/* ---- their order ---- */

struct order_key {
    uint64_t stamp, number;
    uint32_t thread;
    uint32_t at; /* in seqs */
};

struct keys {
    struct hs_latest *l;
    VEC(struct order_key) list;
    uint64_t next; /* data ID */
};

static enum status add_keys(void *context, struct text key, struct text value, struct error *err)
{
    struct keys *k = context;
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

/* Sorts by one field, keeping the order of equals: 16 bits at a time, those that differ at all. */
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

/* An event's seq: the events that are known to lie before it. Of each thread those are as many as its latest kept event
 * says, so with one thread it is the position in the stream. */
static enum status number_events(struct hs_latest *l, struct order_key *keys, size_t n, struct error *err)
{
    u64_vec done = { 0 }; /* by thread: events that lie before, or are, its latest */
    uint64_t total = 0;
    enum status st = vec_reserve(&l->seqs, n + 1) ? OK : no_memory(l->t, err);
    for (size_t i = 0; st == OK && i < n; i++) {
        const struct order_key *k = &keys[i];
        size_t known = done.count;
        if (k->thread >= known) {
            if (!vec_reserve(&done, (size_t)k->thread + 1)) {
                st = no_memory(l->t, err);
                break;
            }
            done.count = (size_t)k->thread + 1;
            memset(&done.items[known], 0, (done.count - known) * sizeof *done.items);
        }
        total += k->number + 1 - done.items[k->thread];
        done.items[k->thread] = k->number + 1;
        l->seqs.items[k->at] = total - 1;
    }
    l->seqs.count = n;
    vec_free(&done);
    return st;
}

/* All rows: where each event lies in the order of stamp, thread, number, as the stream would be ordered (order.h). */
static enum status order_all(struct hs_latest *l, struct error *err)
{
    struct keys k = { .l = l };
    l->first = calloc((size_t)l->t->kind_count + 1, sizeof *l->first);
    uint32_t used = l->t->snapshot;
    l->t->snapshot = l->snapshot;
    enum status st = l->first != NULL ? dataid_stats_each(l->t, DB_LATEST, add_keys, &k, err) : no_memory(l->t, err);
    l->t->snapshot = used;
    size_t n = k.list.count;
    for (; st == OK && k.next <= l->t->kind_count; k.next++)
        l->first[k.next] = n;
    struct order_key *other = st == OK ? malloc((n + 1) * sizeof *other) : NULL;
    size_t *counts = malloc((1 << 16) * sizeof *counts);
    if (st == OK && (other == NULL || counts == NULL))
        st = no_memory(l->t, err);
    if (st == OK) {
        sort_by(number_of, &k.list.items, &other, n, counts);
        sort_by(thread_of, &k.list.items, &other, n, counts);
        sort_by(stamp_of, &k.list.items, &other, n, counts);
        st = number_events(l, k.list.items, n, err);
    }
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

struct gathering {
    uint32_t *position; /* by data ID: in ids, + 1 */
    uint8_t *counts;    /* by position in ids */
    uint32_t *full;     /* data IDs that have all they need, not dropped from the cursor yet */
    size_t left, full_count;
};

/* Walks back from the end until every data ID has its events. */
static int gather(struct hs_latest *l, struct gathering *g, hs_cursor *c, struct hs_error *error)
{
    const struct hs_event *e;
    struct error err;
    int more = hs_cursor_seek(c, UINT64_MAX, error);
    while (more >= 0 && g->left > 0 && (more = hs_cursor_previous(c, &e, error)) > 0) {
        uint8_t *count = &g->counts[g->position[e->dataid] - 1];
        if (*count == LAST_OF_STREAM)
            continue;
        struct hs_event *out = l->found.count < UINT32_MAX ? vec_push(&l->found) : NULL;
        if (out == NULL) {
            (void)no_memory(l->t, &err);
            return give(error, &err);
        }
        *out = *e;
        if (++*count < LAST_OF_STREAM)
            continue;
        g->full[g->full_count++] = e->dataid;
        g->left--;
        if (g->full_count > g->left / DROP_SHARE) { /* it costs a look at all data IDs */
            cursor_drop_ids(c, g->full, g->full_count);
            g->full_count = 0;
        }
    }
    return more < 0 ? -1 : 0;
}

/* Those that were found, by data ID: the newest of each was met first. */
static bool arrange(struct hs_latest *l, const struct gathering *g)
{
    size_t n = l->ids.count;
    uint32_t end = 0;
    if (!vec_reserve(&l->starts, n + 1) || !vec_reserve(&l->order, l->found.count))
        return false;
    for (size_t i = 0; i < n; i++) /* at first the end of each; every event moves it one down */
        l->starts.items[i] = end += g->counts[i];
    l->starts.items[n] = end;
    for (size_t i = 0; i < l->found.count; i++)
        l->order.items[--l->starts.items[g->position[l->found.items[i].dataid] - 1]] = (uint32_t)i;
    return true;
}

static int read_stream(struct hs_latest *l, struct hs_error *error)
{
    struct error err;
    hs_cursor *c = NULL;
    size_t n = l->ids.count;
    struct gathering g = { .position = calloc((size_t)l->t->kind_count + 1, sizeof *g.position),
                           .counts = calloc(n + 1, 1),
                           .full = malloc((n + 1) * sizeof *g.full),
                           .left = n };
    bool ok = g.position != NULL && g.counts != NULL && g.full != NULL;
    int failed = 0;
    l->found.count = 0;
    for (size_t i = 0; ok && i < n; i++)
        g.position[l->ids.items[i]] = (uint32_t)i + 1;
    if (ok && n > 0) {
        failed = cursor_open_ids(l->t, NULL, l->ids.items, n, 0, &c, error);
        if (failed == 0)
            failed = gather(l, &g, c, error);
        hs_cursor_close(c);
    }
    if (!ok || (failed == 0 && !arrange(l, &g))) {
        (void)no_memory(l->t, &err);
        failed = give(error, &err);
    }
    if (failed != 0)
        l->ids.count = 0;
    free(g.position);
    free(g.counts);
    free(g.full);
    return failed;
}

static enum status answer_of_stream(struct hs_latest *l, uint32_t id, struct error *err)
{
    size_t low = 0, high = l->ids.count;
    l->events.count = 0;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (l->ids.items[mid] < id)
            low = mid + 1;
        else
            high = mid;
    }
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

/* ---- the door ---- */

int hs_latest_open(hs_trace *t, struct hs_latest **out, struct hs_error *error)
{
    struct error err = { 0 };
    const char *timed = hs_info(t, "timed");
    struct hs_latest *l = calloc(1, sizeof *l);
    if (l == NULL) {
        (void)no_memory(t, &err);
        return give(error, &err);
    }
    l->t = t;
    l->snapshot = t->snapshot;
    l->timed = timed != NULL && strcmp(timed, "1") == 0;
    *out = l;
    return 0;
}

void hs_latest_close(struct hs_latest *l)
{
    if (l == NULL)
        return;
    vec_free(&l->events);
    vec_free(&l->found);
    vec_free(&l->ids);
    vec_free(&l->order);
    vec_free(&l->starts);
    vec_free(&l->seqs);
    free(l->first);
    free(l);
}

int hs_latest_read(struct hs_latest *l, const uint32_t *dataids, size_t n, bool numbered, struct hs_error *error)
{
    struct error err = { 0 };
    enum status st = OK;
    if (l->t->chunk_count > 0) {
        index_wish(l->t);
        l->ids.count = 0;
        for (size_t i = 0; st == OK && i < n; i++) {
            uint32_t *id =
                dataids[i] < l->t->kind_count && (i == 0 || dataids[i] > dataids[i - 1]) ? vec_push(&l->ids) : NULL;
            if (id != NULL)
                *id = dataids[i];
            else
                st = error_set(&err, ERR_USAGE, "data IDs that are asked for rise and exist");
        }
        return st == OK ? read_stream(l, error) : give(error, &err);
    }
    if (numbered && l->first == NULL)
        st = order_all(l, &err);
    return st == OK ? 0 : give(error, &err);
}

const struct hs_event *hs_latest_get(struct hs_latest *l, uint32_t dataid, size_t *count)
{
    struct error err = { 0 };
    enum status st = OK;
    *count = 0;
    if (dataid >= l->t->kind_count)
        return NULL;
    st = l->t->chunk_count > 0 ? answer_of_stream(l, dataid, &err) : read_row(l, dataid, &err);
    if (st != OK) {
        trace_damaged(l->t, &err);
        return NULL;
    }
    *count = l->events.count;
    return *count > 0 ? l->events.items : NULL;
}
