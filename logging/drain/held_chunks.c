/* held_chunks.c - see held_chunks.h. */
#include "logging/drain/held_chunks.h"

#include "logging/drain/records.h"

enum { INFO_BYTES = 48 };

/* The chunk becomes one of the stream. */
static enum status keep(struct batch *b, struct held_chunk *h, struct writer *copy, struct error *err)
{
    const void *data;
    size_t size;
    uint64_t *before = batch_thread_events(b, h->info.thread);
    if (before == NULL)
        return error_memory(err, "thread %u", h->info.thread);
    enum status s = store_get(b->output.store, DB_HELD, h->key, &data, &size, err);
    if (s == ERR_NOT_FOUND) { /* of a transaction that was rolled back */
        b->lost += h->info.count;
        return OK;
    }
    if (s != OK)
        return s;
    copy->size = 0;
    write_bytes(copy, (const uint8_t *)data + INFO_BYTES, size - INFO_BYTES);
    if (copy->bad)
        return error_memory(err, "a chunk of a test");
    h->info.first_event = *before;
    s = chunk_writer_store(&b->output.chunks, b->output.store, &h->info, copy->data, copy->size, err);
    *before += h->info.count;
    b->events += h->info.count;
    return s;
}

enum status held_chunks_settle(struct batch *b, struct error *err)
{
    struct chunk_writer *w = &b->output.chunks;
    struct writer copy = { 0 };
    size_t left = 0;
    enum status s = OK;
    for (size_t i = 0; i < w->held.count; i++) {
        struct held_chunk *h = &w->held.items[i];
        if (s != OK || h->info.last_stamp >= b->decided) {
            w->held.items[left++] = *h;
            continue;
        }
        if (b->windows == NULL || windows_keep(b->windows, h->info.first_stamp))
            s = keep(b, h, &copy, err);
        else
            b->dropped += h->info.count;
        if (s == OK)
            s = store_delete(b->output.store, DB_HELD, h->key, h->key, err);
    }
    w->held.count = left;
    writer_free(&copy);
    return s;
}

static enum status add_row(void *context, uint64_t key, const void *data, size_t size)
{
    struct chunk_writer *w = context;
    struct chunk_info info;
    if (size < INFO_BYTES || chunk_info_decode(data, INFO_BYTES, &info) != OK || info.bytes != size - INFO_BYTES ||
        info.thread >= RECORDS_THREADS_MAX)
        return ERR_FORMAT;
    struct held_chunk *h = vec_push(&w->held);
    if (h == NULL)
        return ERR_MEMORY;
    *h = (struct held_chunk){ key, info };
    return OK;
}

enum status held_chunks_resume(struct batch *b, struct error *err)
{
    b->decided = UINT64_MAX;
    return store_each(b->output.store, DB_HELD, add_row, &b->output.chunks, err);
}
