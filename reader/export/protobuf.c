/* protobuf.c - see protobuf.h. */
#include "reader/export/protobuf.h"

#include <assert.h>

#include "formats/visible.h"

enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_LENGTH = 2 };

static void tag(struct protobuf *p, unsigned field, enum wire_type type)
{
    write_varint(&p->bytes, (uint64_t)field << 3 | type);
}

void protobuf_u64(struct protobuf *p, unsigned field, uint64_t v)
{
    tag(p, field, WIRE_VARINT);
    write_varint(&p->bytes, v);
}

void protobuf_i64(struct protobuf *p, unsigned field, int64_t v) { protobuf_u64(p, field, (uint64_t)v); }

void protobuf_fixed64(struct protobuf *p, unsigned field, uint64_t v)
{
    tag(p, field, WIRE_FIXED64);
    write_le8(&p->bytes, v);
}

void protobuf_double(struct protobuf *p, unsigned field, uint64_t bits) { protobuf_fixed64(p, field, bits); }

void protobuf_begin(struct protobuf *p, unsigned field)
{
    assert(p->depth < PROTOBUF_DEPTH_MAX);
    tag(p, field, WIRE_LENGTH);
    p->begun[p->depth++] = p->bytes.size;
}

/* Moves the content up to make room for its length. */
void protobuf_end(struct protobuf *p)
{
    struct writer *w = &p->bytes;
    assert(p->depth > 0);
    const size_t begun = p->begun[--p->depth];
    const uint64_t length = w->size - begun;
    size_t width = 1;
    for (uint64_t v = length; v >= 0x80; v >>= 7)
        width++;
    if (w->bad || !writer_reserve(w, width))
        return;
    memmove(w->data + begun + width, w->data + begun, (size_t)length);
    w->size = begun;
    write_varint(w, length);
    w->size += (size_t)length;
}

void protobuf_text_n(struct protobuf *p, unsigned field, const void *s, size_t n)
{
    protobuf_begin(p, field);
    visible_write(s, n, &p->bytes);
    protobuf_end(p);
}

void protobuf_text(struct protobuf *p, unsigned field, const char *s) { protobuf_text_n(p, field, s, strlen(s)); }

void protobuf_packed(struct protobuf *p, unsigned field, const uint64_t *values, size_t n)
{
    protobuf_begin(p, field);
    for (size_t i = 0; i < n; i++)
        write_varint(&p->bytes, values[i]);
    protobuf_end(p);
}

bool protobuf_write(struct protobuf *p, struct out *out)
{
    assert(p->depth == 0);
    if (p->bytes.bad)
        return false;
    out_bytes(out, p->bytes.data, p->bytes.size);
    p->bytes.size = 0;
    return true;
}

void protobuf_done(struct protobuf *p)
{
    writer_free(&p->bytes);
    *p = (struct protobuf){ 0 };
}
