/* thrift.c - see thrift.h. */
#include "reader/export/thrift.h"

#include <assert.h>

void thrift_begin(struct thrift *t)
{
    assert(t->depth < THRIFT_DEPTH_MAX);
    t->last[t->depth++] = 0;
}

void thrift_end(struct thrift *t)
{
    write_u1(&t->out, 0);
    t->depth--;
}

void thrift_field(struct thrift *t, unsigned number, enum thrift_type type)
{
    unsigned *last = &t->last[t->depth - 1];
    assert(number > *last && number - *last <= 15);
    write_u1(&t->out, (number - *last) << 4 | type);
    *last = number;
}

void thrift_i32(struct thrift *t, unsigned number, int32_t v)
{
    thrift_field(t, number, THRIFT_I32);
    write_svarint(&t->out, v);
}

void thrift_i64(struct thrift *t, unsigned number, int64_t v)
{
    thrift_field(t, number, THRIFT_I64);
    write_svarint(&t->out, v);
}

void thrift_binary(struct thrift *t, unsigned number, const void *p, size_t n)
{
    thrift_field(t, number, THRIFT_BINARY);
    write_text(&t->out, p, n);
}

void thrift_text(struct thrift *t, unsigned number, const char *s) { thrift_binary(t, number, s, strlen(s)); }

void thrift_list(struct thrift *t, unsigned number, enum thrift_type type, size_t count)
{
    thrift_field(t, number, THRIFT_LIST);
    write_u1(&t->out, (unsigned)(count < 15 ? count : 15) << 4 | type);
    if (count >= 15)
        write_varint(&t->out, count);
}
