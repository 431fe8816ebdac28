/* recover.c - finishing a trace whose recorder died: the same drain over the same journal, read from the file.
 *
 * Nothing in the files is trusted: the journal's head, descriptors and buffers are checked against the size of the file
 * before they are used. What DRAINED says is stored is passed over, so that an interrupted recovery, or a
 * recorder that died between commit and recycling, stores nothing twice. */
#include "formats/recover.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/format.h"
#include "formats/trace_files.h"
#include "logging/aggregate/snapshot_requests.h"
#include "logging/recording/trace_dir.h"
#include "logging/store/pendinglog.h"

struct map {
    const uint8_t *data;
    size_t size;
};

static bool map_file(const char *dir, const char *name, struct map *m)
{
    char path[4096 + 64];
    struct stat st;
    *m = (struct map){ 0 };
    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK); /* a pipe in its place must not block */
    if (fd < 0)
        return false;
    bool ok = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    if (ok && st.st_size > 0) {
        void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        ok = p != MAP_FAILED;
        if (ok)
            *m = (struct map){ p, (size_t)st.st_size };
    }
    (void)close(fd);
    return ok;
}

static void unmap(struct map *m)
{
    if (m->data != NULL)
        (void)munmap((void *)(uintptr_t)m->data, m->size);
    *m = (struct map){ 0 };
}

static const struct journal_head *head_of(const struct map *m)
{
    const struct journal_head *h = (const struct journal_head *)m->data;
    if (m->size < JOURNAL_BUFFERS_AT || h->magic != JOURNAL_MAGIC || h->version != JOURNAL_VERSION)
        return NULL;
    return h;
}

bool recover_needed(const char *trace_dir)
{
    struct map m;
    if (!map_file(trace_dir, TRACE_JOURNAL_FILE, &m)) /* a recorder that died very early left only pending rows */
        return false;
    unmap(&m);
    return !trace_dir_in_use(trace_dir);
}

/* Something is missing; the first reason is told. */
static void lose(struct recover_result *r, unsigned long long count, const char *why)
{
    r->lost += count;
    if (r->note[0] == '\0')
        (void)snprintf(r->note, sizeof r->note, "%s", why);
}

/* Kind letters of all data IDs, from the KIND database. */
struct kinds {
    uint8_t *letters, *roles;
    uint32_t count;
};

static enum status add_kinds(void *context, uint64_t key, const void *data, size_t size)
{
    struct kinds *k = context;
    if (key > UINT32_MAX / 2 || size > UINT32_MAX / 2)
        return ERR_FORMAT;
    uint32_t end = (uint32_t)(key + size);
    if (end > k->count) {
        uint8_t *p = realloc(k->letters, end);
        if (p == NULL)
            return ERR_MEMORY;
        memset(p + k->count, 0, end - k->count);
        k->letters = p;
        p = realloc(k->roles, end);
        if (p == NULL)
            return ERR_MEMORY;
        memset(p + k->count, 0, end - k->count);
        k->roles = p;
        k->count = end;
    }
    memcpy(k->letters + key, data, size);
    return OK;
}

/* After add_kinds: every data ID has its place. */
static enum status add_roles(void *context, uint64_t key, const void *data, size_t size)
{
    struct kinds *k = context;
    struct reader r = reader_of(data, size);
    for (uint64_t id = key; r.at < r.size && !r.bad;) {
        id += read_varint(&r);
        uint64_t role = read_varint(&r);
        if (r.bad || id >= k->count || role > ROLE_NEUTRAL)
            return ERR_FORMAT;
        k->roles[id] = (uint8_t)role;
    }
    return OK;
}

static enum status count_events(void *context, uint64_t key, const void *data, size_t size)
{
    struct drain *d = context;
    struct chunk_info info;
    (void)key;
    if (chunk_info_decode(data, size, &info) != OK || info.thread > 1u << 28)
        return ERR_FORMAT;
    while (d->thread_events.count <= info.thread) {
        uint64_t *slot = vec_push(&d->thread_events);
        if (slot == NULL)
            return ERR_MEMORY;
        *slot = 0;
    }
    d->thread_events.items[info.thread] += info.count;
    return OK;
}

/* How far the buffers of a descriptor are stored; 0 if nothing is. */
static enum status drained_position(const struct drain *d, struct store *s, uint32_t desc, uint64_t *out,
                                    struct error *err)
{
    const void *data;
    size_t size;
    *out = d->sink != NULL ? state_number_value(d->state, STATE_DESC, desc) : 0;
    enum status st = d->sink == NULL ? store_get(s, DB_DRAINED, desc, &data, &size, err) : OK;
    if (st == OK && d->sink == NULL)
        for (size_t i = size; i-- > 0;)
            *out = *out << 8 | ((const uint8_t *)data)[i];
    return st == ERR_NOT_FOUND ? OK : st;
}

static int by_desc_and_sequence(const void *a, const void *b)
{
    const struct buffer_head *x = ((const struct drain_buffer *)a)->head, *y = ((const struct drain_buffer *)b)->head;
    if (x->desc != y->desc)
        return x->desc < y->desc ? -1 : 1;
    return x->sequence < y->sequence ? -1 : x->sequence > y->sequence;
}

typedef VEC(struct drain_buffer) buffer_vec;

/* Buffers that hold something, in order. */
static bool find_buffers(const struct map *m, buffer_vec *out)
{
    const struct journal_head *h = head_of(m);
    const struct thread_desc *descs = (const struct thread_desc *)(m->data + JOURNAL_DESCS_AT);
    size_t count = (m->size - JOURNAL_BUFFERS_AT) / JOURNAL_BUFFER_BYTES;
    if (h->buffer_count < count)
        count = h->buffer_count;
    for (size_t i = 0; i < count; i++) {
        const struct buffer_head *b =
            (const struct buffer_head *)(m->data + JOURNAL_BUFFERS_AT + i * JOURNAL_BUFFER_BYTES);
        uint64_t used = b->used;
        if ((b->state != BUFFER_ACTIVE && b->state != BUFFER_FULL) || b->desc >= JOURNAL_DESCS_MAX)
            continue;
        if (b->state == BUFFER_ACTIVE)
            used = descs[b->desc].pos - (h->base + JOURNAL_BUFFERS_AT + i * JOURNAL_BUFFER_BYTES);
        if (used < sizeof *b || used > JOURNAL_BUFFER_BYTES)
            continue; /* just begun, or not its descriptor's any more */
        struct drain_buffer *slot = vec_push(out);
        if (slot == NULL)
            return false;
        *slot = (struct drain_buffer){ b, used };
    }
    if (out->count > 1)
        qsort(out->items, out->count, sizeof *out->items, by_desc_and_sequence);
    return true;
}

/* Buffers of a descriptor are numbered without gaps: the one that was stored last, then those that are in the journal,
 * up to the one it began last (which need not have become a buffer yet). */
static enum status check_numbers(const struct drain *d, struct store *store, const struct map *m,
                                 const buffer_vec *buffers, struct recover_result *out, struct error *err)
{
    const struct journal_head *h = head_of(m);
    const struct thread_desc *descs = (const struct thread_desc *)(m->data + JOURNAL_DESCS_AT);
    uint32_t count = h->desc_count < JOURNAL_DESCS_MAX ? h->desc_count : JOURNAL_DESCS_MAX;
    if (h->buffer_count > (m->size - JOURNAL_BUFFERS_AT) / JOURNAL_BUFFER_BYTES)
        lose(out, 1, "the journal is cut off");
    size_t i = 0;
    enum status s = OK;
    for (uint32_t desc = 0; desc < count && s == OK; desc++) {
        uint64_t last = 0;
        s = drained_position(d, store, desc, &last, err);
        last >>= 16;
        for (; i < buffers->count && buffers->items[i].head->desc == desc; i++) {
            uint64_t number = buffers->items[i].head->sequence;
            if (number > last + 1)
                lose(out, 1, "buffers of the journal are missing");
            last = number > last ? number : last;
        }
        if (descs[desc].sequence > last + 1)
            lose(out, 1, "buffers of the journal are missing");
    }
    if (i < buffers->count)
        lose(out, 1, "buffers of the journal belong to nobody");
    return s;
}

/* What is not stored of these buffers, up to d->until. */
static enum status drain_groups(struct drain *d, const buffer_vec *buffers, struct error *err)
{
    enum status s = OK;
    for (size_t i = 0, next; i < buffers->count && s == OK; i = next) {
        uint32_t desc = buffers->items[i].head->desc;
        for (next = i; next < buffers->count && buffers->items[next].head->desc == desc; next++) {
        }
        const struct drain_buffer *last = &buffers->items[next - 1];
        if (drain_position(last->head->sequence, last->used) > d->positions.items[desc])
            s = drain_group(d, desc, buffers->items + i, next - i, err);
    }
    return s;
}

/* The snapshots that were asked for and not made; then the rest. */
static enum status drain_all(struct drain *d, struct store *store, const struct map *m, struct recover_result *out,
                             struct error *err)
{
    buffer_vec buffers = { 0 };
    enum status s = find_buffers(m, &buffers) ? OK : error_set(err, ERR_MEMORY, "no memory to recover");
    for (size_t i = 0; i < buffers.count && s == OK; i++) {
        uint32_t desc = buffers.items[i].head->desc;
        uint64_t position;
        if (i > 0 && desc == buffers.items[i - 1].head->desc)
            continue;
        s = drained_position(d, store, desc, &position, err);
        if (s == OK && !drain_resume(d, desc, position))
            s = error_set(err, ERR_MEMORY, "no memory to recover");
    }
    if (s == OK)
        s = check_numbers(d, store, m, &buffers, out, err);
    for (uint32_t request = snapshot_requests_served(d, store);
         s == OK && d->windows != NULL && request < d->windows->head->cuts; request++) {
        d->until = d->windows->requests[request].stamp;
        s = drain_groups(d, &buffers, err);
        if (s == OK)
            s = snapshot_request_serve(d, store, request, err);
    }
    d->until = UINT64_MAX;
    if (s == OK)
        s = drain_groups(d, &buffers, err);
    if (s == OK)
        s = drain_rest(d, err);
    vec_free(&buffers);
    return s;
}

static enum status put_info(struct store *s, const char *key, const char *value, struct error *err)
{
    return store_put_text(s, DB_INFO, key, strlen(key), value, strlen(value), err);
}

/* The format by the trace's info; NULL: it has no such key, or it is not known. */
static const struct format *format_of_store(struct store *store)
{
    const void *data;
    size_t size;
    char name[16] = "";
    if (store_get_text(store, DB_INFO, "format", &data, &size, NULL) == OK && size < sizeof name)
        memcpy(name, data, size);
    return format_find(name);
}

/* Blocks of the state that no recorder leaves so: following them could lead anywhere. */
static void leave_out_insane(const struct sink *sink, struct state *state, struct recover_result *out)
{
    uint64_t end = state->head->rows[STATE_HEAP];
    for (uint64_t id = 0; sink->sane != NULL && id < state->head->rows[STATE_BLOCK]; id++) {
        uint64_t *at = state_peek(state, STATE_BLOCK, id);
        if (*at == 0 || (*at % 8 == 0 && *at < end && sink->sane(state, state_block(state, *at), end - *at)))
            continue;
        *at = 0;
        lose(out, 1, "parts of the file " TRACE_STATE_FILE " make no sense");
    }
}

/* The sink of the trace's format, with the state that the dead recorder left. */
static enum status resume_sink(struct drain *d, struct store *store, const char *trace_dir, struct state *state,
                               struct recover_result *out, struct error *err)
{
    const struct format *format = format_of_store(store);
    d->sink = format != NULL ? sink_of(format->name) : NULL;
    if (d->sink == NULL)
        return OK;
    d->state = state;
    enum status s = state_open(state, trace_dir, err);
    if (s == OK && state->cut)
        lose(out, 1, "the file " TRACE_STATE_FILE " is cut off");
    if (s == OK)
        leave_out_insane(d->sink, state, out);
    for (uint64_t t = 0; s == OK && t < state->head->rows[STATE_THREAD]; t++) {
        uint64_t *slot = vec_push(&d->thread_events);
        if (slot == NULL)
            return error_set(err, ERR_MEMORY, "no memory for thread %llu", (unsigned long long)t);
        *slot = state_number_value(state, STATE_THREAD, t);
    }
    return s;
}

/* What is kept, if it is recorded in parts. */
static enum status resume_windows(struct drain *d, struct windows *v, const char *trace_dir, struct error *err)
{
    enum status s = windows_open(v, trace_dir, err);
    if (s == OK)
        d->windows = v;
    return s == ERR_NOT_FOUND ? OK : s;
}

static enum status resume_chunks(struct drain *d, struct store *store, struct error *err)
{
    uint64_t last;
    enum status s = store_last_key(store, DB_CHUNK, &last, err);
    if (s == OK)
        d->next_chunk = last + 1;
    return s == ERR_NOT_FOUND ? OK : s;
}

static enum status recover_into(struct store *store, const char *trace_dir, const struct map *journal,
                                const struct map *pending, struct recover_result *out, struct error *err)
{
    struct drain d = { 0 };
    struct kinds kinds = { 0 };
    struct state state = { .tables = { .fd = -1 } };
    struct windows windows;
    const struct journal_head *h = journal->data != NULL ? head_of(journal) : NULL;
    bool damaged = false;
    enum status s = store_begin(store, err);
    if (s == OK && pending->size > 0)
        s = pending_store(store, pending->data, pending->size, &damaged, err);
    if (damaged)
        lose(out, 1, "rows in the file " TRACE_PENDING_FILE " are damaged");
    if (h != NULL && pending->size < h->pending)
        lose(out, 1, "the file " TRACE_PENDING_FILE " is cut off");
    store_flush_packs(store);
    if (s == OK)
        s = store_commit(store, err);
    if (s == OK)
        s = store_begin(store, err);
    if (s == OK)
        s = drain_init(&d, store, h != NULL && h->timed, err);
    d.start_ns = h != NULL ? h->start_ns : 0;
    d.numbered = h != NULL && h->numbered;
    if (s == OK)
        s = store_each(store, DB_KIND, add_kinds, &kinds, err);
    if (s == OK)
        s = store_each(store, DB_ROLE, add_roles, &kinds, err);
    if (s == OK)
        s = store_each(store, DB_CHUNKDIR, count_events, &d, err);
    if (s == OK)
        s = resume_sink(&d, store, trace_dir, &state, out, err);
    if (s == OK)
        s = resume_windows(&d, &windows, trace_dir, err);
    if (s == OK)
        s = resume_chunks(&d, store, err);
    d.next_fragment = UINT32_C(1) << 31; /* above those of the dead recorder */
    d.kinds = (struct kind_table){ kinds.letters, kinds.count };
    d.roles = kinds.roles;
    d.journal = h;
    const struct format *format = format_of_store(store);
    if (s == OK && h != NULL && !(format != NULL && format_keeps_nothing(format)))
        s = drain_all(&d, store, journal, out, err);
    struct counter_importer counters = {
        .state = &state, .sink = d.sink, .kinds = d.kinds, .start_ns = d.start_ns, .rings = true
    };
    if (s == OK && d.sink != NULL)
        s = counters_import(&counters, err);
    d.events += counters.events;
    if (counters.malformed > 0)
        lose(out, counters.malformed, "parts of the file " TRACE_STATE_FILE " make no sense");
    if (s == OK && d.windows != NULL)
        s = windows_store(d.windows, store, err);
    if (s == OK)
        s = snapshot_save_state(&d, store, err);
    out->events = d.events;
    if (h != NULL && h->given_up != 0) /* the recorder could not write how it ended */
        lose(out, h->lost, "the recording ended early, and could not note why");
    if (d.lost > 0)
        lose(out, d.lost, "records in the journal that could not be read");
    if (s == OK)
        s = store_put_number(store, "lost", out->lost, err);
    if (s == OK && h != NULL)
        s = store_put_number(store, "stamp", h->stamp, err);
    if (s == OK)
        s = put_info(store, "end", h != NULL && h->given_up != 0 ? "truncated" : "crashed", err);
    if (s == OK && out->lost > 0)
        s = put_info(store, "lost_reason", out->note, err);
    if (s == OK)
        s = store_commit(store, err);
    else if (store_in_transaction(store))
        store_abort(store);
    if (s == OK && d.sink != NULL)
        state_commit(&state);
    if (d.sink != NULL && d.sink->done != NULL)
        d.sink->done(&state);
    if (d.sink != NULL)
        state_close(&state);
    if (d.windows != NULL)
        windows_close(d.windows);
    drain_done(&d);
    free(kinds.letters);
    free(kinds.roles);
    return s;
}

enum status recover_trace(const char *trace_dir, struct recover_result *out, struct error *err)
{
    struct recover_result result = { 0 };
    int guard = recover_needed(trace_dir) ? trace_dir_lock_recovery(trace_dir) : -1;
    result.needed = recover_needed(trace_dir); /* another process may just have done it */
    *out = result;
    if (!result.needed) {
        if (guard >= 0)
            (void)close(guard);
        return OK;
    }
    struct map journal, pending;
    struct store *store = NULL;
    (void)map_file(trace_dir, TRACE_JOURNAL_FILE, &journal);
    (void)map_file(trace_dir, TRACE_PENDING_FILE, &pending);
    enum status s = OK;
    if (journal.data != NULL && head_of(&journal) == NULL)
        lose(&result, 1, "the journal is malformed and was left out");
    s = store_open(trace_dir, false, &store, err);
    if (s == OK)
        s = recover_into(store, trace_dir, &journal, &pending, &result, err);
    if (s == OK)
        s = store_sync(store, err);
    store_close(store);
    unmap(&journal);
    unmap(&pending);
    if (s == OK) {
        int dir = open(trace_dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (dir >= 0) {
            trace_files_end(dir, LIFE_RECORDING);
            (void)close(dir);
        }
        *out = result;
    }
    if (guard >= 0)
        (void)close(guard);
    return s;
}
