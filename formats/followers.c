/* followers.c - see followers.h. A row: pairs of svarint data ID - that of the pair before (0), svarint what came after
 * it - the data ID; without those that the next number came after. */
#include "formats/followers.h"

void followers_done(struct followers *f)
{
    vec_free(&f->first);
    writer_free(&f->row);
}

bool followers_make_room(struct followers *f, uint32_t count) { return vec_extend(&f->first, count); }

static void put(struct followers *f, uint32_t from, uint32_t id)
{
    if (id == from + 1)
        return;
    write_svarint(&f->row, (int64_t)from - f->last);
    write_svarint(&f->row, (int64_t)id - from);
    f->last = from;
}

void followers_note(struct followers *f, uint32_t from, uint32_t id)
{
    f->first.items[from] = id + 1;
    put(f, from, id);
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
            put(f, from, f->first.items[from] - 1);
}

enum status followers_read(struct followers *f, const void *data, size_t size, uint32_t count, struct error *err)
{
    struct reader r = reader_of(data, size);
    int64_t from = 0;
    if (!followers_make_room(f, count))
        return error_memory(err, "%u data IDs", count);
    while (!r.bad && r.at < r.size) {
        from += read_svarint(&r);
        int64_t id = from + read_svarint(&r);
        if (r.bad || from < 0 || from >= count || id < 0 || id >= count)
            return error_set(err, ERR_FORMAT, "a data ID that came first after another is impossible");
        f->first.items[from] = (uint32_t)id + 1;
    }
    return r.bad ? error_set(err, ERR_FORMAT, "the row is cut off") : OK;
}
