/* drop.c - see formats/drop.h. */
#include "formats/drop.h"

#include <stdlib.h>
#include <string.h>

#include "formats/map.h"
#include "formats/search.h"
#include "formats/windows.h"
#include "logging/recording/replace_trace.h"

/* What becomes of a chunk: `count` events, 0 none; it is copied, or was written anew. */
struct fate {
    uint64_t key; /* its number + 1 */
    struct chunk_info info;
    bool copied;
};
struct dropping {
    const struct drop_request *request;
    const struct expand_source *source;
    struct store *to;
    struct chunk_encoder *encoder;
    window_vec windows;
    VEC(struct fate) chunks; /* in the order of their threads, then by number */
    MAP(struct fate) fates;
    struct writer blob;
    uint64_t *events;
    uint64_t waiting; /* bytes not committed yet */
};
enum { COMMIT_BYTES = 32 << 20 };

/* ---- what is there ---- */

static enum status window_rows(void *context, uint64_t key, const void *data, size_t size)
{
    struct dropping *d = context;
    struct error ignored;
    const size_t before = d->windows.count;
    const enum status st = windows_decode(data, size, &d->windows, &ignored);
    const window_vec *w = &d->windows;
    const bool fits =
        key == before && (before == 0 || w->count == before || w->items[before - 1].end <= w->items[before].begin);
    return st != OK || fits ? st : ERR_FORMAT;
}

static enum status directory_row(void *context, uint64_t key, const void *data, size_t size)
{
    struct dropping *d = context;
    struct chunk_info info;
    if (key == UINT64_MAX || chunk_info_decode(data, size, &info) != OK)
        return ERR_FORMAT;
    struct fate *f = vec_push(&d->chunks);
    if (f == NULL)
        return ERR_MEMORY;
    *f = (struct fate){ key + 1, info, false };
    return OK;
}

static int compare(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

/* As the reader orders them. */
static int by_thread_stamp_number(const void *a, const void *b)
{
    const struct fate *x = a, *y = b;
    int order = compare(x->info.thread, y->info.thread);
    if (order == 0)
        order = compare(x->info.first_stamp, y->info.first_stamp);
    return order != 0 ? order : compare(x->key, y->key);
}

static int by_thread_number(const void *a, const void *b)
{
    const struct fate *x = a, *y = b;
    const int order = compare(x->info.thread, y->info.thread);
    return order != 0 ? order : compare(x->key, y->key);
}

/* The first window that ends behind the stamp. */
static size_t window_at(const struct dropping *d, uint64_t stamp)
{
    size_t at;
    LOWER_BOUND(at, d->windows.count, d->windows.items[at].end <= stamp);
    return at;
}

static enum status bad_trace(const struct dropping *d, enum status st, const char *what, struct error *err)
{
    return st == ERR_MEMORY ? error_memory(err, "%s", d->source->trace_dir)
                            : error_set(err, ERR_FORMAT, "%s: %s", d->source->trace_dir, what);
}

/* ---- chunks ---- */

static enum status commit(struct dropping *d, struct error *err)
{
    const enum status st = store_commit(d->to, err);
    d->waiting = 0;
    return st == OK ? store_begin(d->to, err) : st;
}

static enum status put(struct dropping *d, enum schema_db db, uint64_t number, struct error *err)
{
    if (d->blob.bad)
        return error_memory(err, "%s", d->source->trace_dir);
    const enum status st = store_put(d->to, db, number, d->blob.data, d->blob.size, err);
    d->waiting += d->blob.size;
    return st != OK || d->waiting < COMMIT_BYTES ? st : commit(d, err);
}

/* Leaves the events that are in a window. */
static void filter(const struct dropping *d, struct chunk_columns *c)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const size_t at = window_at(d, c->stamps[i]);
        if (at == d->windows.count)
            break;
        if (d->windows.items[at].begin > c->stamps[i])
            continue;
        c->ids[n] = c->ids[i];
        c->values[n] = c->values[i];
        c->stamps[n] = c->stamps[i];
        if (c->times != NULL)
            c->times[n] = c->times[i];
        n++;
    }
    c->count = n;
}

/* Writes the events that stay as a plain chunk. */
static enum status write_part(struct dropping *d, struct fate *f, struct error *err)
{
    const struct expand_source *source = d->source;
    struct chunk_columns columns;
    enum status st = source->chunk(source->context, f->key - 1, &columns, err);
    if (st != OK)
        return st;
    filter(d, &columns);
    f->info.count = columns.count;
    if (columns.count == 0)
        return OK;
    f->info.first_stamp = columns.stamps[0];
    f->info.last_stamp = columns.stamps[columns.count - 1];
    f->info.flags &= ~(uint64_t)CHUNK_IS_DERIVED;
    d->blob.size = 0;
    st = chunk_encode(d->encoder, source->kinds, &columns, &d->blob, err);
    f->info.bytes = (uint32_t)d->blob.size;
    return st == OK ? put(d, DB_CHUNK, f->key - 1, err) : st;
}

/* `follows`: the chunk before it is copied as well. */
static enum status decide(struct dropping *d, struct fate *f, bool follows, struct error *err)
{
    const size_t at = window_at(d, f->info.first_stamp);
    const struct window *w = at < d->windows.count ? &d->windows.items[at] : NULL;
    const bool derived = (f->info.flags & CHUNK_IS_DERIVED) != 0;
    f->copied = w != NULL && w->begin <= f->info.first_stamp && f->info.last_stamp < w->end;
    if (!f->copied && (w == NULL || w->begin > f->info.last_stamp)) {
        f->info.count = 0;
        return OK;
    }
    if (!f->copied)
        return write_part(d, f, err);
    if (!derived || follows)
        return OK;
    d->blob.size = 0;
    const enum status st = d->source->state(d->source->context, f->key - 1, &d->blob, err);
    return st == OK ? put(d, DB_STATE, f->key - 1, err) : st;
}

static enum status decide_all(struct dropping *d, struct error *err)
{
    enum status st = OK;
    bool follows = true;
    for (size_t i = 0; i < d->chunks.count && st == OK; i++) {
        struct fate *f = &d->chunks.items[i];
        const uint32_t count = f->info.count;
        if (i == 0 || f->info.thread != f[-1].info.thread)
            follows = true;
        st = decide(d, f, follows, err);
        follows = f->copied;
        *d->events += count - f->info.count;
    }
    return st;
}

/* Numbers the events of each thread, and writes the rows of what was written anew. */
static enum status number(struct dropping *d, struct error *err)
{
    uint64_t events = 0;
    enum status st = OK;
    qsort(d->chunks.items, d->chunks.count, sizeof *d->chunks.items, by_thread_number);
    for (size_t i = 0; i < d->chunks.count && st == OK; i++) {
        struct fate *f = &d->chunks.items[i];
        if (i == 0 || f->info.thread != f[-1].info.thread)
            events = 0;
        f->info.first_event = events;
        events += f->info.count;
        struct fate *to = map_put(&d->fates, f->key);
        if (to == NULL)
            return error_memory(err, "%s", d->source->trace_dir);
        *to = *f;
        if (f->copied || f->info.count == 0)
            continue;
        d->blob.size = 0;
        chunk_info_encode(&f->info, &d->blob);
        st = put(d, DB_CHUNKDIR, f->key - 1, err);
    }
    return st;
}

static enum status begin(void *context, struct store *from, struct store *to, struct error *err)
{
    struct dropping *d = context;
    d->to = to;
    enum status st = store_each(from, DB_INTERVAL, window_rows, d, err);
    if (st != OK)
        return bad_trace(d, st, "its intervals are malformed", err);
    st = store_each(from, DB_CHUNKDIR, directory_row, d, err);
    if (st != OK)
        return bad_trace(d, st, "its directory of chunks is malformed", err);
    if (d->chunks.count > 1)
        qsort(d->chunks.items, d->chunks.count, sizeof *d->chunks.items, by_thread_stamp_number);
    st = store_begin(to, err);
    if (st == OK)
        st = decide_all(d, err);
    if (st == OK)
        st = number(d, err);
    return st == OK ? store_commit(to, err) : st;
}

static enum status copy_chunk(void *context, uint64_t key, const void *data, size_t size, struct chunk_info *info,
                              struct writer *out, struct error *err)
{
    struct dropping *d = context;
    const struct fate *f = key != UINT64_MAX ? map_get(&d->fates, key + 1) : NULL;
    *info = f != NULL ? f->info : (struct chunk_info){ 0 };
    if (f == NULL || !f->copied)
        info->count = 0;
    else
        write_bytes(out, data, size);
    return out->bad ? error_memory(err, "%s", d->source->trace_dir) : OK;
}

/* States of threads for a recorder that goes on are left out: there is none. */
static enum status copy_row(void *context, enum schema_db db, uint64_t key, const void *data, size_t size, bool *keep,
                            struct writer *out, struct error *err)
{
    (void)context, (void)key, (void)err;
    *keep = db != DB_STATE && db != DB_DERIVED;
    write_bytes(out, data, size);
    return OK;
}

static enum status end(void *context, struct store *to, struct error *err)
{
    const struct dropping *d = context;
    const void *tests;
    size_t size;
    enum status st = store_get_text(to, DB_INFO, "tests_to_drop", &tests, &size, err);
    if (st == OK) {
        char text[24] = { 0 };
        memcpy(text, tests, size < sizeof text ? size : sizeof text - 1);
        st = store_put_text(to, DB_INFO, "dropped_tests", 13, text, strlen(text), err);
    } else if (st == ERR_NOT_FOUND) {
        st = OK;
    }
    if (st == OK)
        st = store_put_number(to, "dropped_events", *d->events, err);
    for (size_t i = 0; st == OK && i < d->request->row_count; i++)
        st = store_put(to, DB_PASSED, i, d->request->rows[i].data, d->request->rows[i].size, err);
    for (size_t i = 0; st == OK && i < d->request->left_count; i++)
        if (d->request->left[i].size > 0)
            st = store_put(to, DB_PASSED, PASSED_LEFT | i, d->request->left[i].data, d->request->left[i].size, err);
    return st;
}

enum status drop_outside(const struct drop_request *request, struct compact_result *out, uint64_t *events,
                         struct error *err)
{
    const char *dir = request->source->trace_dir;
    struct dropping d = {
        .request = request, .source = request->source, .encoder = chunk_encoder_new(), .events = events
    };
    *events = 0;
    *out = (struct compact_result){ 0 };
    enum status st = d.encoder == NULL ? error_memory(err, "%s", dir)
                                       : replace_trace(&(struct trace_copy){ .trace_dir = dir,
                                                                             .chunk = copy_chunk,
                                                                             .row = copy_row,
                                                                             .begin = begin,
                                                                             .end = end,
                                                                             .context = &d,
                                                                             .step = request->step,
                                                                             .step_context = request->step_context,
                                                                             .phase = "drop" },
                                                       true, out, err);
    chunk_encoder_free(d.encoder);
    vec_free(&d.windows);
    vec_free(&d.chunks);
    map_free(&d.fates);
    writer_free(&d.blob);
    return st;
}
