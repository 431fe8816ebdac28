/* columns.c - rows of a section, one column behind the other: what hardly changes from row to row, or repeats after a
 * few, packs to next to nothing that way.
 *
 *     columns  varint rows | for each column: varint bytes | the columns, one varint a row in each
 */
#include "reader/index/sections.h"

void columns_end(struct column_writer *c, unsigned count, struct writer *to)
{
    write_varint(to, c->rows);
    for (unsigned i = 0; i < count; i++)
        write_varint(to, c->columns[i].size);
    for (unsigned i = 0; i < count; i++) {
        write_bytes(to, c->columns[i].data, c->columns[i].size);
        to->bad |= c->columns[i].bad;
        writer_free(&c->columns[i]);
    }
}

bool columns_begin(struct reader *r, unsigned count, struct column_reader *c)
{
    uint64_t bytes[COLUMNS_MOST];
    *c = (struct column_reader){ .rows = read_varint(r) };
    for (unsigned i = 0; i < count; i++)
        bytes[i] = read_varint(r);
    for (unsigned i = 0; i < count && !r->bad; i++) {
        const uint8_t *column = read_span(r, bytes[i]);
        if (column != NULL)
            c->columns[i] = reader_of(column, bytes[i]);
        if (bytes[i] < c->rows) /* a value has a byte at least */
            r->bad = true;
    }
    return !r->bad;
}

void place_encode(struct column_writer *c, const struct exception_use *x, struct exception_use *before)
{
    const int64_t position = (int64_t)(x->position - before->position);
    write_varint(&c->columns[PLACE_THREAD], x->thread);
    write_svarint(&c->columns[PLACE_POSITION], position);
    /* of one thread alone both go on by as much */
    write_svarint(&c->columns[PLACE_STAMP], (int64_t)((x->stamp - before->stamp) - (uint64_t)position));
    write_varint(&c->columns[PLACE_DATAID], x->dataid);
    write_svarint(&c->columns[PLACE_OBJECT], (int64_t)x->object - (int64_t)before->object);
    c->rows++;
    *before = *x;
}

bool place_decode(const hs_trace *t, struct column_reader *c, struct exception_use *x)
{
    struct reader *r = c->columns;
    const uint64_t thread = read_varint(&r[PLACE_THREAD]), position = (uint64_t)read_svarint(&r[PLACE_POSITION]);
    x->position += position;
    x->stamp += position + (uint64_t)read_svarint(&r[PLACE_STAMP]);
    const uint64_t dataid = read_varint(&r[PLACE_DATAID]);
    const uint64_t object = x->object + (uint64_t)read_svarint(&r[PLACE_OBJECT]);
    const uint32_t stream = thread < UINT32_MAX ? positions_stream(t, (uint32_t)thread) : UINT32_MAX;
    bool bad = false;
    for (unsigned i = 0; i < PLACE_COLUMNS; i++)
        bad |= r[i].bad;
    if (bad || stream == UINT32_MAX || x->position >= t->streams[stream].events || dataid >= t->kind_count ||
        object == 0 || object > UINT32_MAX)
        return false;
    x->thread = (uint32_t)thread;
    x->dataid = (uint32_t)dataid;
    x->object = (uint32_t)object;
    return true;
}
