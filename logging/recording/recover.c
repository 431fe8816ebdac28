/* recover.c - completes a trace whose recorder died, by draining its journal from the file.
 *
 * Events before the stored positions are skipped, so that nothing is stored twice after an interrupted recovery, or
 * after a recorder that died between commit and recycling. */
#include "formats/recover.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/format.h"
#include "formats/limits.h"
#include "formats/trace_files.h"
#include "logging/recording/dead_journal.h"
#include "logging/recording/recover_derived.h"
#include "logging/recording/snapshot_requests.h"
#include "logging/recording/trace_dir.h"
#include "logging/store/pendinglog.h"

static bool has_journal(const char *trace_dir)
{
    char path[4096 + 64];
    struct stat st;
    (void)snprintf(path, sizeof path, "%s/" TRACE_JOURNAL_FILE, trace_dir);
    /* a recorder that died very early has left only pending rows */
    return lstat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool recover_needed(const char *trace_dir) { return has_journal(trace_dir) && !trace_dir_in_use(trace_dir); }
bool recover_recording(const char *trace_dir) { return has_journal(trace_dir) && trace_dir_in_use(trace_dir); }

bool recover_stopped(const char *trace_dir, uint32_t *period)
{
    char path[4096 + 64];
    struct journal_head h;
    if (!recover_recording(trace_dir))
        return false;
    (void)snprintf(path, sizeof path, "%s/" TRACE_JOURNAL_FILE, trace_dir);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return false;
    bool whole = pread(fd, &h, sizeof h, 0) == (ssize_t)sizeof h;
    (void)close(fd);
    if (!whole || h.magic != JOURNAL_MAGIC || h.version != JOURNAL_VERSION)
        return false;
    *period = h.period;
    return h.stored == 1 && h.period_end != UINT64_MAX;
}

/* Kind letters and roles of all data IDs, from the store. */
struct kinds {
    uint8_t *letters, *roles;
    uint32_t count;
    uint64_t stored; /* that have rows, up to the one that was read last */
};

struct recovery {
    const char *trace_dir;
    struct map journal, pending;
    const struct journal_head *head; /* NULL: there is no journal, or it is malformed */
    struct journal_head given_up;    /* a copy of it, where its events are lost: they are counted in it */
    struct store *store;
    struct drain drain;
    struct kinds kinds;
    struct derived_recovery derived;
    struct state state;
    struct windows windows;
    struct recover_result *out;
};

static bool grow(uint8_t **bytes, uint32_t from, uint32_t to)
{
    uint8_t *p = realloc(*bytes, to);
    if (p == NULL)
        return false;
    memset(p + from, 0, to - from);
    *bytes = p;
    return true;
}

static enum status add_kinds(void *context, uint64_t key, const void *data, size_t size)
{
    struct kinds *k = context;
    if (key > UINT32_MAX / 2 || size > UINT32_MAX / 2 || key > k->stored + NUMBERS_MISSING_MAX)
        return ERR_FORMAT;
    k->stored += size;
    uint32_t end = (uint32_t)(key + size);
    if (end > k->count) {
        if (!grow(&k->letters, k->count, end) || !grow(&k->roles, k->count, end))
            return ERR_MEMORY;
        k->count = end;
    }
    memcpy(k->letters + key, data, size);
    return OK;
}

/* After add_kinds: the table has an entry for every data ID. */
static enum status add_roles(void *context, uint64_t key, const void *data, size_t size)
{
    struct kinds *k = context;
    struct reader r = reader_of(data, size);
    for (uint64_t id = key; r.at < r.size && !r.bad;) {
        id += read_varint(&r);
        uint64_t role = read_varint(&r);
        if (r.bad || id >= k->count || role >= ROLE_COUNT)
            return ERR_FORMAT;
        k->roles[id] = (uint8_t)role;
    }
    return OK;
}

/* ---- the drain as the recorder had it ---- */

static enum status load_kinds(struct recovery *x, struct error *err)
{
    enum status s = store_each(x->store, DB_KIND, add_kinds, &x->kinds, err);
    if (s != OK)
        return s;
    s = store_each(x->store, DB_ROLE, add_roles, &x->kinds, err);
    if (s != OK)
        return s;
    if (x->head != NULL && x->head->counts_only)
        kinds_without_values(x->kinds.letters, x->kinds.count);
    x->drain.format.kinds = (struct kind_table){ x->kinds.letters, x->kinds.count };
    x->drain.format.roles = x->kinds.roles;
    return OK;
}

/* The sink of the trace's format; omni if the trace does not name one. */
static const struct sink *find_sink(struct store *store)
{
    const void *data;
    size_t size;
    char name[16] = "";
    if (store_get_text(store, DB_INFO, "format", &data, &size, NULL) == OK && size < sizeof name)
        memcpy(name, data, size);
    const struct format *format = format_find(name);
    return sink_of(format != NULL ? format->id : FORMAT_OMNI);
}

/* Drops malformed blocks of the state: their offsets could point anywhere. */
static void drop_malformed_blocks(const struct sink *sink, struct state *state, struct recover_result *out)
{
    uint64_t end = state->head->rows[STATE_HEAP];
    for (uint64_t id = 0; sink->sane != NULL && id < state->head->rows[STATE_BLOCK]; id++) {
        uint64_t *at = state_peek(state, STATE_BLOCK, id);
        if (*at == 0 || (*at % 8 == 0 && *at < end && sink->sane(state, state_block(state, *at), end - *at)))
            continue;
        *at = 0;
        recover_lose(out, 1, "parts of the file " TRACE_STATE_FILE " are malformed");
    }
}

/* Opens the sink with the state of the dead recorder. */
static enum status resume_sink(struct recovery *x, struct error *err)
{
    struct batch *b = &x->drain.batch;
    b->sink = find_sink(x->store);
    if (b->sink->storage->uses_state) {
        b->output.state = &x->state;
        enum status s = state_open(&x->state, x->trace_dir, err);
        if (s != OK)
            return s;
        if (x->state.cut)
            recover_lose(x->out, 1, "the file " TRACE_STATE_FILE " is cut off");
        drop_malformed_blocks(b->sink, &x->state, x->out);
    }
    return b->sink->storage->get_thread_events(&b->output, &b->thread_events, err);
}

/* Opens the windows of a recording in parts. */
static enum status resume_windows(struct recovery *x, struct error *err)
{
    enum status s = windows_open(&x->windows, x->trace_dir, err);
    if (s == ERR_NOT_FOUND)
        return OK;
    if (s == OK)
        x->drain.batch.windows = &x->windows;
    return s;
}

/* A number of the info database; 0 if there is none. */
static uint64_t stored_number(struct store *store, const char *key)
{
    const void *data;
    size_t size;
    char text[24] = "";
    if (store_get_text(store, DB_INFO, key, &data, &size, NULL) == OK && size < sizeof text)
        memcpy(text, data, size);
    return strtoull(text, NULL, 10);
}

static void resume_percall(struct recovery *x)
{
    uint64_t most = stored_number(x->store, "percall");
    drain_limit_calls(&x->drain, most <= UINT32_MAX ? (uint32_t)most : 0);
    x->drain.percall.resumed = true;
    x->drain.percall.events = stored_number(x->store, "left_out");
    x->drain.percall.calls = stored_number(x->store, "left_out_calls");
}

static enum status resume_drain(struct recovery *x, struct error *err)
{
    struct drain *d = &x->drain;
    enum status s = drain_init(d, x->store, x->head != NULL && x->head->timed, err);
    if (s != OK)
        return s;
    if (x->head != NULL) {
        d->format.start_ns = x->head->start_ns;
        d->reader.journal = x->head;
    }
    d->objects.next_fragment = UINT32_C(1) << 31; /* above those of the dead recorder */
    s = load_kinds(x, err);
    if (s != OK)
        return s;
    s = derived_resume(&x->derived, d, x->store, x->kinds.letters, x->kinds.count, err);
    if (s != OK)
        return s;
    s = resume_sink(x, err);
    if (s != OK)
        return s;
    /* only such a sink keeps the order of events by their numbers, whatever the head says */
    d->format.numbered = x->head != NULL && x->head->numbered && d->batch.sink->ordered;
    s = resume_windows(x, err);
    if (s != OK)
        return s;
    resume_percall(x);
    return chunk_writer_resume(&d->batch.output.chunks, x->store, err);
}

/* ---- draining ---- */

/* Of all descriptors: some of which no buffer is left have what others wait for. */
static enum status resume_positions(struct recovery *x, const drain_buffer_vec *buffers, struct error *err)
{
    struct drain *d = &x->drain;
    struct batch *b = &d->batch;
    uint32_t count = x->head->desc_count < JOURNAL_DESCS_MAX ? x->head->desc_count : JOURNAL_DESCS_MAX;
    if (buffers->count > 0 && buffers->items[buffers->count - 1].head->desc >= count)
        count = buffers->items[buffers->count - 1].head->desc + 1; /* they are sorted */
    for (uint32_t desc = 0; desc < count; desc++) {
        uint64_t position;
        enum status s = b->sink->storage->get_position(&b->output, desc, &position, err);
        if (s != OK)
            return s;
        if (!drain_resume(d, desc, position))
            return error_set(err, ERR_MEMORY, "no memory to recover");
    }
    return OK;
}

static enum status drain_groups_once(struct drain *d, const drain_buffer_vec *buffers, struct error *err)
{
    for (size_t i = 0, next; i < buffers->count; i = next) {
        uint32_t desc = buffers->items[i].head->desc;
        for (next = i; next < buffers->count && buffers->items[next].head->desc == desc; next++) {
        }
        const struct drain_buffer *last = &buffers->items[next - 1];
        if (journal_position(last->head->sequence, last->used) <= d->positions.items[desc])
            continue;
        enum status s = drain_group(d, desc, buffers->items + i, next - i, err);
        if (s != OK)
            return s;
    }
    return OK;
}

/* Drains the rest of these buffers, up to reader.until. Parts of virtual threads for which something is missing are
 * read last. */
static enum status drain_groups(struct drain *d, const drain_buffer_vec *buffers, struct error *err)
{
    enum status s;
    do {
        d->reader.waits = d->moved = false;
        s = drain_groups_once(d, buffers, err);
    } while (s == OK && d->reader.waits && d->moved);
    if (s != OK || !d->reader.waits || d->reader.until != UINT64_MAX)
        return s;
    d->reader.positions = NULL;
    return drain_groups_once(d, buffers, err);
}

/* Serves the snapshot requests that are still open. */
static enum status serve_requests(struct drain *d, const drain_buffer_vec *buffers, struct error *err)
{
    struct batch *b = &d->batch;
    for (uint32_t i = snapshot_requests_served(b); b->windows != NULL && i < b->windows->head->cuts; i++) {
        d->reader.until = b->windows->requests[i].stamp;
        enum status s = drain_groups(d, buffers, err);
        if (s != OK)
            return s;
        s = snapshot_request_serve(b, i, err);
        if (s != OK)
            return s;
    }
    d->reader.until = UINT64_MAX;
    return OK;
}

static enum status drain_buffers(struct recovery *x, const drain_buffer_vec *buffers, struct error *err)
{
    struct drain *d = &x->drain;
    enum status s = resume_positions(x, buffers, err);
    if (s != OK)
        return s;
    s = dead_journal_check(&x->journal, buffers, &d->batch, x->out, err);
    if (s != OK)
        return s;
    s = serve_requests(d, buffers, err);
    if (s != OK)
        return s;
    s = drain_groups(d, buffers, err);
    if (s != OK)
        return s;
    return drain_rest(d, err);
}

static enum status drain_journal(struct recovery *x, struct error *err)
{
    drain_buffer_vec buffers = { 0 };
    if (x->head == NULL || x->drain.batch.sink->import_batch == NULL)
        return OK;
    enum status s = dead_journal_buffers(&x->journal, &buffers) ? drain_buffers(x, &buffers, err)
                                                                : error_set(err, ERR_MEMORY, "no memory to recover");
    vec_free(&buffers);
    return s;
}

/* Imports the counters of the hooks. */
static enum status import_counters(struct recovery *x, struct error *err)
{
    struct batch *b = &x->drain.batch;
    struct counter_importer h = { .state = &x->state,
                                  .import_ring = b->sink->import_ring,
                                  .kinds = x->drain.format.kinds,
                                  .start_ns = x->drain.format.start_ns,
                                  .rings = true };
    if (!b->sink->storage->uses_state)
        return OK;
    enum status s = counters_import(&h, err);
    b->events += h.events;
    if (h.malformed > 0)
        recover_lose(x->out, h.malformed, "parts of the file " TRACE_STATE_FILE " are malformed");
    return s;
}

/* ---- all of it ---- */

/* How many bytes of the pending rows to take. Of an append that was being written as the process died nothing: a class
 * has several rows, and without the last ones the others are of no use. */
static size_t whole_appends(const struct recovery *x)
{
    const uint64_t published = x->head != NULL ? x->head->pending : 0, size = x->pending.size;
    if (published == 0 || published >= size)
        return x->pending.size;
    struct reader r = reader_of(x->pending.data + published, size - published);
    struct pending_row row;
    enum pending_end end;
    while ((end = pending_decode(&r, &row)) == PENDING_ROW) {
    }
    return end == PENDING_TORN ? published : size;
}

/* Stores the remaining rows of the agent, in a separate transaction. */
static enum status store_pending(struct recovery *x, struct error *err)
{
    bool damaged = false;
    enum status s = store_begin(x->store, err);
    if (s != OK)
        return s;
    if (x->pending.size > 0)
        s = pending_store(x->store, x->pending.data, whole_appends(x), &damaged, err);
    if (damaged)
        recover_lose(x->out, 1, "rows in the file " TRACE_PENDING_FILE " are damaged");
    if (x->head != NULL && x->pending.size < x->head->pending)
        recover_lose(x->out, 1, "the file " TRACE_PENDING_FILE " is cut off");
    if (s != OK)
        return s;
    store_flush_packs(x->store);
    return store_commit(x->store, err);
}

static enum status put_info(struct store *s, const char *key, const char *value, struct error *err)
{
    return store_put_text(s, DB_INFO, key, strlen(key), value, strlen(value), err);
}

/* Was recording stopped when the process ended? All events of the last period are then stored, or were just now. */
static bool was_stopped(const struct journal_head *h)
{
    return h != NULL && h->period_end != UINT64_MAX && h->period_end != 0;
}

/* Writes how the recording ended. */
static enum status put_end(struct recovery *x, struct error *err)
{
    const struct journal_head *h = x->head;
    bool given_up = h != NULL && h->given_up != 0;
    if (given_up) /* the recorder could not write how it ended, or was killed later */
        recover_lose(x->out, h->lost, "the recording ended early, and the reason is not stored");
    enum status s = drain_put_left_out(&x->drain, err);
    if (s != OK)
        return s;
    if (x->drain.batch.lost > 0)
        recover_lose(x->out, x->drain.batch.lost, "records in the journal that could not be read");
    s = store_put_number(x->store, "lost", x->out->lost, err);
    if (s != OK)
        return s;
    if (h != NULL)
        s = store_put_number(x->store, "stamp", h->stamp, err);
    if (s != OK)
        return s;
    s = put_info(x->store, "end",
                 given_up                              ? "truncated"
                 : was_stopped(h) && x->out->lost == 0 ? "clean"
                                                       : "crashed",
                 err);
    if (s == OK && given_up) /* those of the last moments are not counted */
        s = put_info(x->store, "lost_exact", "0", err);
    if (s != OK || x->out->lost == 0)
        return s;
    return put_info(x->store, "lost_reason", x->out->note, err);
}

/* Everything but the rows of the agent, in one transaction. */
static enum status store_rest(struct recovery *x, struct error *err)
{
    struct batch *b = &x->drain.batch;
    enum status s = store_begin(x->store, err);
    if (s != OK)
        return s;
    s = resume_drain(x, err);
    if (s != OK)
        return s;
    s = drain_journal(x, err);
    if (s != OK)
        return s;
    s = import_counters(x, err);
    if (s != OK)
        return s;
    if (b->windows != NULL)
        s = windows_store(b->windows, x->store, err);
    if (s != OK)
        return s;
    s = snapshot_save_state(b, err);
    if (s != OK)
        return s;
    x->out->events = b->events;
    s = put_end(x, err);
    if (s != OK)
        return s;
    s = chunk_writer_finish(&b->output.chunks, x->store, err);
    if (s != OK)
        return s;
    s = store_commit(x->store, err);
    if (s == OK && b->sink->storage->uses_state)
        state_commit(&x->state);
    return s;
}

/* How the recording ended is stored with its last rows: only the files are left, which could not be removed, or were
 * about to be. */
static enum status find_end(struct recovery *x, bool *ended, struct error *err)
{
    const void *data;
    size_t size;
    enum status s = store_begin(x->store, err);
    if (s != OK)
        return s;
    *ended = store_get_text(x->store, DB_INFO, "end", &data, &size, NULL) == OK;
    store_abort(x->store);
    return OK;
}

static enum status store_all(struct recovery *x, struct error *err)
{
    bool ended = false;
    enum status s = find_end(x, &ended, err);
    if (s != OK || ended)
        return s;
    s = store_pending(x, err);
    if (s != OK)
        return s;
    s = store_rest(x, err);
    if (s != OK)
        return s;
    return store_sync(x->store, err);
}

static void close_drain(struct recovery *x)
{
    const struct sink *sink = x->drain.batch.sink;
    if (sink != NULL && sink->done != NULL)
        sink->done(&x->state);
    if (sink != NULL && sink->storage->uses_state)
        state_close(&x->state);
    if (x->drain.batch.windows != NULL)
        windows_close(&x->windows);
    drain_done(&x->drain);
    derived_done(&x->derived);
    free(x->kinds.letters);
    free(x->kinds.roles);
}

static enum status recover(const char *trace_dir, struct recover_result *out, struct error *err)
{
    struct recovery x = { .trace_dir = trace_dir, .state = { .tables = { .fd = -1 } }, .out = out };
    enum status s = map_open(&x.journal, trace_dir, TRACE_JOURNAL_FILE, err);
    if (s == OK)
        s = map_open(&x.pending, trace_dir, TRACE_PENDING_FILE, err);
    if (s != OK) /* what cannot be read now is kept for another time */
        goto out;
    if (x.journal.data != NULL) {
        x.head = dead_journal_head(&x.journal);
        if (x.head != NULL && x.head->given_up != 0) {
            x.given_up = *x.head;
            x.given_up.period_end = 0;
            x.head = &x.given_up;
        }
        if (x.head == NULL)
            recover_lose(out, 1, "the journal is malformed and was left out");
    }
    s = store_open(trace_dir, false, &x.store, err);
    if (s != OK)
        goto out;
    s = store_all(&x, err);
    if (s != OK && store_in_transaction(x.store))
        store_abort(x.store);
    close_drain(&x);
out:
    store_close(x.store);
    map_close(&x.journal);
    map_close(&x.pending);
    return s;
}

static void remove_files(const char *trace_dir)
{
    int dir = open(trace_dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0)
        return;
    trace_files_end(dir, LIFE_RECORDING);
    (void)close(dir);
}

enum status recover_trace(const char *trace_dir, struct recover_result *out, struct error *err)
{
    struct recover_result result = { 0 };
    enum status s = OK;
    *out = result;
    int guard = recover_needed(trace_dir) ? trace_dir_lock_recovery(trace_dir) : -1;
    result.needed = out->needed = recover_needed(trace_dir); /* another process may just have done it */
    if (!result.needed)
        goto out;
    s = recover(trace_dir, &result, err);
    if (s != OK)
        goto out;
    remove_files(trace_dir);
    *out = result;
out:
    if (guard >= 0)
        (void)close(guard);
    return s;
}
