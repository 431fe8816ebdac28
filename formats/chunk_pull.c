/* chunk_pull.c - see chunk_pull.h. */
#include "formats/chunk_pull.h"

#include "formats/chunk_parts.h"

enum status chunk_pull_begin(struct chunk_decoder *d, struct kind_table kinds, const void *blob, size_t size,
                             uint32_t *count, struct error *err)
{
    struct chunk_head f;
    d->lent = 0;
    d->done = 0;
    const char *wrong = frame_read(blob, size, &f);
    if (wrong == NULL && (f.flags & CHUNK_NAMED) == 0)
        wrong = "all its data IDs are stored";
    if (wrong == NULL && !tables_begin(&d->tables, kinds))
        return error_memory(err, "chunk decoder for %u data IDs", kinds.count);
    if (wrong == NULL && !frame_unpack(d, &f, CHUNK_ALL))
        wrong = "a column does not decompress";
    if (wrong != NULL)
        return error_set(err, ERR_FORMAT, "chunk of %zu bytes: %s", size, wrong);
    names_begin(&d->tables, &d->names, d->columns);
    values_begin(&d->tables, &d->values, d->columns);
    d->pulled = d->named = d->value_count = 0;
    *count = d->count = f.count;
    d->sum = f.sum;
    d->size = size;
    return OK;
}

bool chunk_pull_known(struct chunk_decoder *d, uint32_t id, uint64_t *value)
{
    struct chunk_tables *t = &d->tables;
    if (d->pulled >= d->count)
        return false;
    uint32_t slot = slot_find(t, id);
    if (slot == SLOT_NONE || t->letterless)
        return false;
    slot_place(t, slot, d->pulled++, d->value_count);
    *value = 0;
    if ((t->flags[slot] & SLOT_VALUE) == 0)
        return true;
    d->value_count++;
    return values_take(t, &d->values, slot, value);
}

bool chunk_pull_named(struct chunk_decoder *d, uint32_t from, uint32_t first, uint32_t *id, uint64_t *value)
{
    uint64_t named = names_take(&d->tables, &d->names, from, first);
    *id = (uint32_t)named;
    if (named != *id || !chunk_pull_known(d, *id, value))
        return false;
    d->tables.named_slots[d->named++] = d->tables.slot_list[d->pulled - 1];
    return true;
}

bool chunk_pull_finished(const struct chunk_decoder *d)
{
    return d->pulled == d->count && names_finished(&d->names) && values_finished(&d->values);
}
