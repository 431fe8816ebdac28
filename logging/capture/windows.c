/* windows.c - see windows.h. */
#include "logging/capture/windows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "formats/search.h"

enum { TRIGGER_ROOM_BYTES = 128 };
static const uint64_t rooms[WINDOWS_TABLES] = { SNAPSHOTS_MAX * sizeof(struct snapshot_request),
                                                WINDOWS_MAX * sizeof(struct window) };

static uint64_t now_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* Time since the beginning; never less than before. The mutex is held. */
static uint64_t time_ns(struct windows *v)
{
    int64_t time = (int64_t)(now_ns() - v->start_ns);
    v->last_ns = time > v->last_ns ? time : v->last_ns;
    return (uint64_t)v->last_ns;
}

static void path_of(char *path, size_t size, const char *dir)
{
    (void)snprintf(path, size, "%s/%s", dir, TRACE_INTERVALS_FILE);
}

/* Sets up the pointers into the tables after opening them. */
static enum status begin(struct windows *v, enum status s)
{
    if (s != OK) {
        regions_close(&v->tables);
        return s;
    }
    v->head = (struct windows_head *)v->tables.head;
    v->requests = (struct snapshot_request *)v->tables.at[WINDOWS_REQUESTS];
    v->list = (struct window *)v->tables.at[WINDOWS_LIST];
    return OK;
}

enum status windows_create(struct windows *v, const char *dir, const struct window_options *options, uint64_t start_ns,
                           struct error *err)
{
    char path[4096 + 32];
    *v = (struct windows){ 0 };
    (void)pthread_mutex_init(&v->mutex, NULL);
    path_of(path, sizeof path, dir);
    enum status s = begin(v, regions_create(&v->tables, path, rooms, WINDOWS_TABLES, err));
    if (s != OK)
        return s;
    v->options = *options;
    v->start_ns = start_ns;
    v->tests.keep = options->keep;
    *v->head = (struct windows_head){ .filters = (options->starts || options->ends) && !options->later,
                                      .resets = options->save == SAVE_PARTIAL };
    v->head->magic = WINDOWS_MAGIC;
    return OK;
}

/* The number of valid windows: the file may be damaged. */
static uint32_t sane_count(const struct windows *v)
{
    uint32_t count = v->head->count, n = 0;
    if (count > v->tables.ready[WINDOWS_LIST] / sizeof *v->list)
        return 0;
    while (n < count && v->list[n].begin < v->list[n].end && (n == 0 || v->list[n - 1].end <= v->list[n].begin))
        n++;
    return n;
}

enum status windows_open(struct windows *v, const char *dir, struct error *err)
{
    char path[4096 + 32];
    *v = (struct windows){ 0 };
    (void)pthread_mutex_init(&v->mutex, NULL);
    path_of(path, sizeof path, dir);
    enum status s = begin(v, regions_open(&v->tables, path, false, rooms, WINDOWS_TABLES, err));
    if (s == OK &&
        (v->head->magic != WINDOWS_MAGIC || v->head->cuts > v->tables.ready[WINDOWS_REQUESTS] / sizeof *v->requests ||
         v->head->cuts > SNAPSHOTS_MAX || sane_count(v) < v->head->count))
        s = error_set(err, ERR_FORMAT, "%s is malformed", path);
    if (s != OK)
        windows_close(v);
    return s;
}

void windows_close(struct windows *v)
{
    regions_close(&v->tables);
    test_parts_free(&v->tests);
    v->head = NULL;
}

/* Allocates disk for the first `bytes` of a list. Mutex held. */
static bool provide(struct windows *v, unsigned table, uint64_t bytes)
{
    if (regions_provide(&v->tables, table, bytes, "the list of intervals", &v->error) != OK)
        v->failed = true;
    return !v->failed;
}

/* ---- windows; the mutex is held ---- */

static void open_window(struct windows *v, struct journal *j, uint32_t id, uint32_t thread)
{
    uint32_t n = v->head->count;
    if (n == WINDOWS_MAX) {
        v->failed = true;
        (void)error_set(&v->error, ERR_LIMIT, "more than %d intervals", WINDOWS_MAX);
    }
    if (v->failed || !provide(v, WINDOWS_LIST, (uint64_t)(n + 1) * sizeof *v->list))
        return;
    v->list[n] = (struct window){ .begin = journal_bump(j),
                                  .end = UINT64_MAX,
                                  .begin_ns = time_ns(v),
                                  .start_id = id,
                                  .end_id = NO_DATAID,
                                  .start_thread = thread };
    __atomic_store_n(&v->head->count, n + 1, __ATOMIC_RELEASE);
}

static bool add_request(struct windows *v, const struct snapshot_request *request)
{
    uint32_t n = v->head->cuts;
    if (n == SNAPSHOTS_MAX || v->failed || !provide(v, WINDOWS_REQUESTS, (uint64_t)(n + 1) * sizeof *v->requests))
        return false;
    v->requests[n] = *request;
    __atomic_store_n(&v->head->cuts, n + 1, __ATOMIC_RELEASE);
    return true;
}

/* True: a cut was added. */
static bool close_window(struct windows *v, struct journal *j, uint32_t id, uint32_t thread)
{
    uint32_t n = v->head->count;
    struct window *last = n > 0 ? &v->list[n - 1] : NULL;
    if (last == NULL || last->end != UINT64_MAX)
        return false;
    uint64_t end = journal_bump(j);
    last->end_ns = time_ns(v);
    last->end_id = id;
    last->end_thread = thread;
    __atomic_store_n(&last->end, end, __ATOMIC_RELEASE);
    struct snapshot_request cut = {
        .stamp = end, .ns = last->end_ns, .kind = SNAPSHOT_INTERVAL, .thread = thread, .interval = n - 1
    };
    return v->options.save != SAVE_NOTHING && add_request(v, &cut);
}

static void start(struct windows *v, struct journal *j, uint32_t id, uint32_t thread)
{
    if (v->level == 0)
        open_window(v, j, id, thread);
    v->level = v->options.nested ? v->level + 1 : 1;
}

static bool end(struct windows *v, struct journal *j, uint32_t id, uint32_t thread)
{
    if (v->level > 0)
        v->level = v->options.nested ? v->level - 1 : 0;
    return v->level == 0 && close_window(v, j, id, thread);
}

/* ---- keep=failed: a window ends where the events of a passed test begin ---- */

static void drop_part(struct windows *v, const struct part_edge *from, const struct part_edge *to)
{
    const uint32_t n = v->head->count;
    struct window *last = n > 0 ? &v->list[n - 1] : NULL;
    if (last == NULL || last->end != UINT64_MAX || from->stamp == to->stamp || v->failed)
        return;
    const struct window next = { .begin = to->stamp,
                                 .end = UINT64_MAX,
                                 .begin_ns = to->ns,
                                 .start_id = to->id,
                                 .end_id = NO_DATAID,
                                 .start_thread = to->thread };
    if (last->begin == from->stamp) { /* nothing is between two that are dropped */
        *last = next;
        return;
    }
    if (n == WINDOWS_MAX || !provide(v, WINDOWS_LIST, (uint64_t)(n + 1) * sizeof *v->list))
        return; /* more is kept */
    v->list[n] = next;
    last->end_ns = from->ns;
    last->end_id = from->id;
    last->end_thread = from->thread;
    __atomic_store_n(&last->end, from->stamp, __ATOMIC_RELEASE);
    __atomic_store_n(&v->head->count, n + 1, __ATOMIC_RELEASE);
}

/* The edge of a method of a test framework; `behind` its event. */
static void test_edge(struct windows *v, struct journal *j, uint32_t id, uint32_t thread, unsigned edges, bool behind)
{
    struct test_parts *p = &v->tests;
    const struct part_edge at = { .stamp = journal_bump(j), .ns = time_ns(v), .id = id, .thread = thread };
    if (!behind) {
        if (edges & EDGE_TEST_FAILS)
            test_parts_fail(p, thread);
        if (edges & EDGE_TEST_HOLDS)
            test_parts_hold(p, thread);
        if (edges & EDGE_TEST_ENDS)
            test_parts_end(p, at);
        if (edges & EDGE_TEST_SPAN)
            test_parts_begin_span(p, at);
    } else {
        if (edges & EDGE_TEST_SPAN)
            test_parts_end_span(p, at);
        if (edges & EDGE_TEST_BEGINS)
            test_parts_begin(p, at);
    }
    struct part_edge from, to;
    while (test_parts_settle(p, &from, &to))
        drop_part(v, &from, &to);
}

/* ---- events ---- */

static void begin_call(struct windows *v, struct journal *j, uint32_t id, uint32_t thread, unsigned edges)
{
    if (v->options.keep != KEEP_ALL)
        test_edge(v, j, id, thread, edges, false);
    else
        start(v, j, id, thread);
}

static bool end_call(struct windows *v, struct journal *j, uint32_t id, uint32_t thread, unsigned edges)
{
    if (v->options.keep == KEEP_ALL)
        return end(v, j, id, thread);
    test_edge(v, j, id, thread, edges, true);
    return false;
}

bool windows_record_trigger(struct windows *v, struct journal *j, struct thread_desc *d,
                            const struct trigger_call *call)
{
    uint64_t room =
        journal_room(j, d, TRIGGER_ROOM_BYTES); /* waits before the lock is taken, since the drain takes it too */
    uint32_t id = call->id, value = 0;
    bool cut = false;
    if (room == 0 || id >= call->kind_count || id < __atomic_load_n(&j->head->first_dataid, __ATOMIC_ACQUIRE))
        return false; /* or of code that was woven for an earlier period: its events are not stored */
    uint64_t *p = (uint64_t *)(uintptr_t)room;
    (void)pthread_mutex_lock(&v->mutex);
    if (__atomic_load_n(&j->ended, __ATOMIC_ACQUIRE)) { /* ended meanwhile: a record written now would not be read */
        (void)pthread_mutex_unlock(&v->mutex);
        return false;
    }
    do {
        uint32_t first = id;
        if (call->triggers[first] & EDGE_START)
            begin_call(v, j, first, d->thread, call->triggers[first]);
        *p++ = journal_stamp(j) << 32 | first;
        if (call->timed)
            *p++ = now_ns();
        do
            if ((call->kinds[id] & (uint8_t)~KIND_JOINED) != KIND_VOID && value < JOURNAL_RECORD_VALUES)
                *p++ = call->values.at[value++];
        while (++id < call->kind_count && (call->kinds[id] & KIND_JOINED));
        __atomic_store_n(&d->pos, (uint64_t)(uintptr_t)p, __ATOMIC_RELEASE);
        if (call->triggers[first] & EDGE_END)
            cut |= end_call(v, j, first, d->thread, call->triggers[first]);
    } while (id < call->kind_count && (call->triggers[id] & EDGE_SAME_CALL));
    if (call->release)
        (void)journal_bump(j);
    (void)pthread_mutex_unlock(&v->mutex);
    return cut;
}

void windows_begin(struct windows *v, struct journal *j)
{
    (void)pthread_mutex_lock(&v->mutex);
    if (v->options.keep != KEEP_ALL) {
        open_window(v, j, NO_DATAID, 0);
        test_parts_start(&v->tests, (struct part_edge){ .stamp = journal_stamp(j), .id = NO_DATAID });
    } else if (v->options.ends && !v->options.starts) {
        start(v, j, NO_DATAID, 0);
    }
    (void)pthread_mutex_unlock(&v->mutex);
}

void windows_end(struct windows *v, struct journal *j)
{
    (void)pthread_mutex_lock(&v->mutex);
    v->level = 0;
    test_parts_stop(&v->tests);
    (void)close_window(v, j, NO_DATAID, 0);
    (void)pthread_mutex_unlock(&v->mutex);
}

void windows_finish(struct windows *v)
{
    (void)pthread_mutex_lock(&v->mutex);
    (void)pthread_mutex_unlock(&v->mutex);
}

bool windows_request_snapshot(struct windows *v, struct journal *j, enum snapshot_kind kind, uint32_t thread,
                              uint32_t object, const char *type)
{
    struct snapshot_request cut = { .kind = kind, .thread = thread, .object = object };
    (void)snprintf(cut.type, sizeof cut.type, "%s", type);
    (void)pthread_mutex_lock(&v->mutex);
    cut.stamp = journal_bump(j);
    cut.ns = time_ns(v);
    bool ok = add_request(v, &cut);
    (void)pthread_mutex_unlock(&v->mutex);
    return ok;
}

uint32_t windows_request_count(struct windows *v)
{
    (void)pthread_mutex_lock(
        &v->mutex); /* a window whose stamp another thread has seen is in the list or being added under the mutex */
    uint32_t cuts = v->head->cuts;
    (void)pthread_mutex_unlock(&v->mutex);
    return cuts;
}

/* ---- filter ---- */

/* The first window that ends behind the stamp, `count` if none does. Stamps mostly rise. */
static uint32_t find(const struct windows *v, uint32_t count, uint32_t from, uint64_t stamp)
{
    if (from >= count || (from > 0 && v->list[from - 1].end > stamp))
        from = 0;
    uint32_t step = 1, to = from;
    while (to < count && v->list[to].end <= stamp) {
        from = to + 1;
        to += step;
        step *= 2;
    }
    to = to < count ? to : count;
    LOWER_BOUND_FROM(from, from, to, v->list[from].end <= stamp);
    return from;
}

void windows_filter(struct windows *v, struct chunk_columns *c)
{
    uint32_t n = 0;
    if (v->head->filters == 0)
        return;
    (void)pthread_mutex_lock(&v->mutex);
    uint32_t count = v->head->count, at = v->kept_at;
    for (uint32_t i = 0; i < c->count;) {
        at = find(v, count, at, c->stamps[i]);
        if (at == count)
            break;
        uint64_t begin = v->list[at].begin, end = v->list[at].end;
        while (i < c->count && c->stamps[i] < begin)
            i++;
        uint32_t first = i;
        while (i < c->count && c->stamps[i] < end)
            i++;
        if (n != first) {
            memmove(c->ids + n, c->ids + first, (i - first) * sizeof *c->ids);
            memmove(c->values + n, c->values + first, (i - first) * sizeof *c->values);
            memmove(c->stamps + n, c->stamps + first, (i - first) * sizeof *c->stamps);
            if (c->times != NULL)
                memmove(c->times + n, c->times + first, (i - first) * sizeof *c->times);
        }
        n += i - first;
    }
    v->kept_at = at;
    (void)pthread_mutex_unlock(&v->mutex);
    c->count = n;
}

uint64_t windows_tests_dropped(struct windows *v)
{
    (void)pthread_mutex_lock(&v->mutex);
    const uint64_t dropped = v->tests.dropped;
    (void)pthread_mutex_unlock(&v->mutex);
    return dropped;
}

uint64_t windows_next_begin(struct windows *v, uint64_t stamp)
{
    uint64_t next = UINT64_MAX;
    if (v->head->filters == 0)
        return next;
    (void)pthread_mutex_lock(&v->mutex);
    uint32_t count = v->head->count, at = find(v, count, v->kept_at, stamp);
    at += at < count && v->list[at].begin <= stamp;
    if (at < count)
        next = v->list[at].begin;
    (void)pthread_mutex_unlock(&v->mutex);
    return next;
}

/* ---- rows ---- */

enum status windows_store(struct windows *v, struct store *store, struct error *err)
{
    struct writer w = { 0 };
    enum status s = OK;
    (void)pthread_mutex_lock(&v->mutex);
    uint32_t count = v->head->count;
    struct window block[WINDOW_BLOCK];
    for (uint32_t first = v->stored / WINDOW_BLOCK * WINDOW_BLOCK; first < count && v->stored < count && s == OK;
         first += WINDOW_BLOCK) {
        uint32_t n = count - first < WINDOW_BLOCK ? count - first : WINDOW_BLOCK;
        memcpy(block, v->list + first, n * sizeof *block);
        (void)pthread_mutex_unlock(&v->mutex);
        w.size = 0;
        windows_encode(block, n, &w);
        s = w.bad ? error_memory(err, "intervals") : store_put(store, DB_INTERVAL, first, w.data, w.size, err);
        (void)pthread_mutex_lock(&v->mutex);
        if (s == OK)
            v->stored = first + n - (block[n - 1].end == UINT64_MAX); /* one that is open will change */
    }
    (void)pthread_mutex_unlock(&v->mutex);
    writer_free(&w);
    return s;
}
