/* held.c - see held.h. */
#include "logging/recording/held.h"

#include <stdlib.h>
#include <string.h>

static bool provide(struct held *h, uint32_t desc)
{
    enum { MORE = 16 };
    if (desc < h->count)
        return true;
    u32_vec *lists = realloc(h->lists, ((size_t)desc + MORE) * sizeof *lists);
    if (lists == NULL)
        return false;
    memset(lists + h->count, 0, (desc + MORE - h->count) * sizeof *lists);
    h->lists = lists;
    h->count = (size_t)desc + MORE;
    return true;
}

bool held_add(struct held *h, const struct journal *j, const u32_vec *buffers)
{
    for (size_t i = 0; i < buffers->count; i++) {
        uint32_t desc = journal_buffer(j, buffers->items[i])->desc;
        uint32_t *slot = provide(h, desc) ? vec_push(&h->lists[desc]) : NULL;
        if (slot == NULL)
            return false;
        *slot = buffers->items[i];
    }
    return true;
}

bool held_has_chunk(const struct held *h)
{
    for (size_t i = 0; i < h->count; i++)
        if (h->lists[i].count >= CHUNK_BUFFERS)
            return true;
    return false;
}

bool held_group(const struct held *h, const struct journal *j, size_t desc, drain_buffer_vec *out)
{
    const u32_vec *list = &h->lists[desc];
    out->count = 0;
    if (!vec_reserve(out, list->count))
        return false;
    for (size_t i = 0; i < list->count; i++) {
        const struct buffer_head *b = journal_buffer(j, list->items[i]);
        out->items[out->count++] = (struct drain_buffer){ b, b->used };
    }
    return true;
}

bool held_move(struct held *h, size_t desc, size_t count, u32_vec *done)
{
    u32_vec *list = &h->lists[desc];
    if (!vec_reserve(done, done->count + count))
        return false;
    memcpy(done->items + done->count, list->items, count * sizeof *done->items);
    done->count += count;
    list->count -= count;
    memmove(list->items, list->items + count, list->count * sizeof *list->items);
    return true;
}

void held_free(struct held *h)
{
    for (size_t i = 0; i < h->count; i++)
        vec_free(&h->lists[i]);
    free(h->lists);
    *h = (struct held){ 0 };
}
