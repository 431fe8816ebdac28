/* followers.c - see followers.h. A row: pairs of svarint data ID - that of the pair before (0), svarint what came after
 * it - the data ID. */
#include "formats/followers.h"

void followers_done(struct followers *f)
{
    vec_free(&f->first);
    vec_free(&f->met);
    writer_free(&f->row);
}

static void put(struct followers *f, uint32_t from, uint32_t id)
{
    write_svarint(&f->row, (int64_t)from - f->last);
    write_svarint(&f->row, (int64_t)id - from);
    f->last = from;
}

bool followers_meet(struct followers *f, uint32_t from, uint32_t id, uint32_t count, uint32_t *first)
{
    *first = 0;
    if (from >= count)
        return true;
    if (from >= f->first.count && !f->fixed && (!vec_extend(&f->first, count) || !vec_extend(&f->met, count / 32 + 1)))
        return false;
    *first = followers_first(f, from);
    if (f->fixed || (f->met.items[from / 32] >> from % 32 & 1) != 0)
        return true;
    f->met.items[from / 32] |= 1u << from % 32;
    if (id != from + 1 && id != 0) {
        *first = f->first.items[from] = id;
        put(f, from, id);
    }
    return true;
}

void followers_take_row(struct followers *f, struct writer *row)
{
    struct writer taken = f->row;
    row->size = 0;
    f->row = *row;
    *row = taken;
    f->last = 0;
}

void followers_repeat(struct followers *f)
{
    writer_free(&f->row);
    f->last = 0;
    for (uint32_t from = 0; from < f->first.count; from++)
        if (f->first.items[from] != 0)
            put(f, from, f->first.items[from]);
}

enum status followers_read(struct followers *f, const void *data, size_t size, uint32_t count, struct error *err)
{
    struct reader r = reader_of(data, size);
    int64_t from = 0;
    if (!vec_extend(&f->first, count))
        return error_memory(err, "%u data IDs", count);
    while (!r.bad && r.at < r.size) {
        from += read_svarint(&r);
        int64_t id = from + read_svarint(&r);
        if (r.bad || from < 0 || from >= count || id <= 0 || id >= count)
            return error_set(err, ERR_FORMAT, "a data ID that came first after another is impossible");
        f->first.items[from] = (uint32_t)id;
    }
    return r.bad ? error_set(err, ERR_FORMAT, "the row is cut off") : OK;
}
