/* chunk_column.c - reading a raw column where the fast path of chunk_parts.h does not fit: near its end, and long
 * numbers. */
#include "formats/chunk_parts.h"

#include "formats/bytes.h"

uint64_t column_take_long_varint(struct column *c)
{
    struct reader r = { .data = c->at, .size = (size_t)(c->end - c->at) };
    uint64_t v = read_varint(&r);
    c->at += r.at;
    c->bad |= r.bad;
    return v;
}
