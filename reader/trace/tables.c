/* tables.c - loads the tables that are read when a trace is opened: kinds, chunk directory, threads, types.
 *
 * Rows that cannot be decoded are left out and remembered as damage: one bad row must not hide the other thousand. */
#include "reader/trace/loading.h"

#include <stdlib.h>
#include <string.h>

#include "formats/limits.h"
#include "formats/search.h"

static enum status no_memory(const hs_trace *t, struct error *err) { return error_memory(err, "%s", t->dir); }

/* ---- kinds ---- */

static enum status kind_row(void *context, struct text key, struct text value, struct error *err)
{
    hs_trace *t = context;
    uint64_t first = env_integer(key), end = first + value.size;
    if (end > UINT32_MAX || first > t->kinds_stored + NUMBERS_MISSING_MAX) {
        struct error why;
        (void)error_set(&why, ERR_FORMAT, "%s: data IDs up to %llu", t->dir, (unsigned long long)end);
        trace_damaged(t, &why);
        return OK;
    }
    t->kinds_stored += value.size;
    if (end > t->kind_count) { /* keys ascend: data IDs in between have no class */
        size_t cap = t->kind_count, want = (size_t)end;
        void *kinds = t->kinds;
        if (!vec_grow_raw(&kinds, &cap, want, 1))
            return no_memory(t, err);
        t->kinds = kinds;
        memset(t->kinds + t->kind_count, 0, want - t->kind_count);
        t->kind_count = (uint32_t)end;
    }
    memcpy(t->kinds + first, value.data, value.size);
    return OK;
}

/* ---- chunk directory ---- */

struct directory {
    hs_trace *t;
    VEC(struct directory_row {
        uint32_t thread;
        struct chunk_ref ref;
    })
    rows;
};

static enum status directory_row(void *context, struct text key, struct text value, struct error *err)
{
    struct directory *d = context;
    struct chunk_info info;
    if (chunk_info_decode(value.data, value.size, &info) != OK || info.count > CHUNK_EVENTS_MAX ||
        info.last_stamp < info.first_stamp || info.thread >= NUMBERS_MISSING_MAX) {
        struct error why;
        (void)error_set(&why, ERR_FORMAT, "%s: chunk %llu: its row in the directory is damaged", d->t->dir,
                        (unsigned long long)env_integer(key));
        trace_damaged(d->t, &why);
        return OK;
    }
    if (info.count == 0)
        return OK;
    struct directory_row *row = vec_push(&d->rows);
    if (row == NULL)
        return no_memory(d->t, err);
    *row = (struct directory_row){ info.thread,
                                   { .number = env_integer(key),
                                     .first_stamp = info.first_stamp,
                                     .last_stamp = info.last_stamp,
                                     .count = info.count,
                                     .bytes = info.bytes,
                                     .derived = (info.flags & CHUNK_IS_DERIVED) != 0 } };
    return OK;
}

static int by_thread_stamp_number(const void *a, const void *b)
{
    const struct directory_row *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->ref.first_stamp != y->ref.first_stamp)
        return x->ref.first_stamp < y->ref.first_stamp ? -1 : 1;
    return x->ref.number < y->ref.number ? -1 : x->ref.number > y->ref.number;
}

static enum status streams_of(hs_trace *t, const struct directory_row *rows, size_t count, struct error *err)
{
    size_t streams = 0;
    for (size_t i = 0; i < count; i++)
        streams += i == 0 || rows[i].thread != rows[i - 1].thread;
    t->chunks = arena_array(&t->arena, count, sizeof *t->chunks);
    t->streams = arena_array(&t->arena, streams, sizeof *t->streams);
    if (t->chunks == NULL || t->streams == NULL)
        return no_memory(t, err);
    t->chunk_count = count;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || rows[i].thread != rows[i - 1].thread)
            t->streams[t->stream_count++] = (struct thread_chunks){ .thread = rows[i].thread, .chunks = &t->chunks[i] };
        struct thread_chunks *s = &t->streams[t->stream_count - 1];
        struct chunk_ref *c = &t->chunks[i];
        *c = rows[i].ref;
        c->before = s->events;
        if (s->count > 0) {
            /* stamps that go back in a damaged trace are replaced by the greatest before: see trace_decode */
            uint64_t least = c[-1].last_stamp;
            c->first_stamp = c->first_stamp < least ? least : c->first_stamp;
            c->last_stamp = c->last_stamp < least ? least : c->last_stamp;
        }
        s->events += rows[i].ref.count;
        s->count++;
        t->events += rows[i].ref.count;
    }
    return OK;
}

static enum status load_directory(hs_trace *t, struct error *err)
{
    struct directory d = { .t = t };
    enum status st = env_each(&t->env, DB_CHUNKDIR, directory_row, &d, err);
    if (st != OK)
        goto out;
    if (d.rows.count > 0)
        qsort(d.rows.items, d.rows.count, sizeof *d.rows.items, by_thread_stamp_number);
    st = streams_of(t, d.rows.items, d.rows.count, err);
out:
    vec_free(&d.rows);
    return st;
}

/* ---- threads and types ---- */

static enum status thread_table_row(void *context, struct text key, struct text value, struct error *err)
{
    hs_trace *t = context;
    struct thread_row row = { .thread = (uint32_t)env_integer(key) };
    struct error why;
    if (thread_row_decode(value.data, value.size, &row, &why) != OK) {
        trace_damaged(t, &why);
        return OK;
    }
    struct hs_thread *out = vec_push(&t->threads);
    if (out == NULL)
        return no_memory(t, err);
    *out = (struct hs_thread){ .thread = (uint32_t)env_integer(key),
                               .tid = row.tid,
                               .known = true,
                               .name = trace_text(t, row.name, false),
                               .group = trace_text(t, row.group, false),
                               .daemon = row.daemon,
                               .is_virtual = row.is_virtual,
                               .start_ns = row.start_ns,
                               .end_ns = row.end_ns,
                               .object_id = row.object_id };
    return out->name != NULL && out->group != NULL ? OK : no_memory(t, err);
}

static int by_number(const void *a, const void *b)
{
    const struct hs_thread *x = a, *y = b;
    return x->thread < y->thread ? -1 : x->thread > y->thread;
}

/* A thread's events. One that recorded events but has no row (a crash came first) gets one, so that every event's
 * thread is listed. The first `rows` threads are in order. */
static enum status set_events(hs_trace *t, size_t rows, uint32_t number, uint64_t events, struct error *err)
{
    size_t low;
    LOWER_BOUND(low, rows, t->threads.items[low].thread < number);
    if (low < rows && t->threads.items[low].thread == number) {
        t->threads.items[low].events = events;
        return OK;
    }
    struct hs_thread *out = vec_push(&t->threads);
    if (out == NULL)
        return no_memory(t, err);
    *out = (struct hs_thread){
        .thread = number, .name = "", .group = "", .start_ns = HS_NO_TIME, .end_ns = HS_NO_TIME, .events = events
    };
    return OK;
}

struct tallied {
    hs_trace *t;
    size_t rows;
};

static enum status tally_row(void *context, struct text key, struct text value, struct error *err)
{
    struct tallied *x = context;
    struct reader r = reader_of(value.data, value.size);
    uint64_t events = read_varint(&r);
    return r.bad ? OK : set_events(x->t, x->rows, (uint32_t)env_integer(key), events, err);
}

static enum status add_events_to_threads(hs_trace *t, struct error *err)
{
    struct tallied x = { t, t->threads.count };
    enum status st;
    for (size_t i = 0; i < t->stream_count; i++) {
        st = set_events(t, x.rows, t->streams[i].thread, t->streams[i].events, err);
        if (st != OK)
            return st;
    }
    st = env_each(&t->env, DB_TALLY, tally_row, &x, err);
    if (st != OK)
        return st;
    if (t->threads.count > x.rows)
        qsort(t->threads.items, t->threads.count, sizeof *t->threads.items, by_number);
    return OK;
}

static enum status type_table_row(void *context, struct text key, struct text value, struct error *err)
{
    hs_trace *t = context;
    struct type_row row = { .id = (uint32_t)env_integer(key) };
    struct error why;
    if (type_row_decode(value.data, value.size, &row, &why) != OK) {
        trace_damaged(t, &why);
        return OK;
    }
    struct hs_type *out = vec_push(&t->types);
    if (out == NULL)
        return no_memory(t, err);
    *out = (struct hs_type){ .id = (uint32_t)env_integer(key),
                             .name = trace_text(t, row.name, false),
                             .loader = row.loader,
                             .access = row.access };
    return out->name != NULL ? OK : no_memory(t, err);
}

enum status tables_load(hs_trace *t, struct error *err)
{
    enum status st = env_each(&t->env, DB_KIND, kind_row, t, err);
    if (st != OK)
        return st;
    st = load_directory(t, err);
    if (st != OK)
        return st;
    st = env_each(&t->env, DB_THREAD, thread_table_row, t, err);
    if (st != OK)
        return st;
    st = add_events_to_threads(t, err);
    if (st != OK)
        return st;
    return env_each(&t->env, DB_TYPE, type_table_row, t, err);
}

void tables_done(hs_trace *t)
{
    free(t->kinds);
    vec_free(&t->threads);
    vec_free(&t->types);
}

size_t hs_thread_count(const hs_trace *t) { return t->threads.count; }
size_t hs_type_count(const hs_trace *t) { return t->types.count; }

int hs_threads_open(hs_trace *t, hs_cursor **out, struct hs_error *error)
{
    return cursor_over(ROW_thread, t->threads.items, sizeof *t->threads.items, t->threads.count, NULL, out, error);
}

int hs_types_open(hs_trace *t, hs_cursor **out, struct hs_error *error)
{
    return cursor_over(ROW_type, t->types.items, sizeof *t->types.items, t->types.count, NULL, out, error);
}

const struct hs_thread *hs_thread_get(const hs_trace *t, uint32_t thread)
{
    size_t i;
    LOWER_BOUND(i, t->threads.count, t->threads.items[i].thread < thread);
    return i < t->threads.count && t->threads.items[i].thread == thread ? &t->threads.items[i] : NULL;
}

const struct hs_type *hs_type_get(const hs_trace *t, uint32_t class_id)
{
    size_t i;
    LOWER_BOUND(i, t->types.count, t->types.items[i].id < class_id);
    return i < t->types.count && t->types.items[i].id == class_id ? &t->types.items[i] : NULL;
}
