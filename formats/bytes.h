/* bytes.h - bounded byte streams with a sticky error.
 *
 * Reading: after the first read past the end `bad` is set and every further read gives 0 (or NULL), so that a parser
 * checks once per structure. Writing: after the first failed growth `bad` is set and writes do nothing. u1 u2 u4 u8 are
 * big-endian as in class files (JVMS 4); le4 le8 and varint are those of the trace. A varint is LEB128: seven bits a
 * byte, low bits first; svarint maps sign by zigzag (0 -1 1 -2 2 ...). */
#ifndef FORMATS_BYTES_H
#define FORMATS_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct reader {
    const uint8_t *data; /* borrowed */
    size_t size, at;
    bool bad;
};

struct writer {
    uint8_t *data; /* owned; free with writer_free */
    size_t size, cap;
    bool bad;
};

static inline struct reader reader_of(const void *data, size_t size)
{
    return (struct reader){ .data = data, .size = size };
}

/* A pointer to the next n bytes, or NULL when there are not that many. */
static inline const uint8_t *read_span(struct reader *r, size_t n)
{
    if (r->bad || n > r->size - r->at) {
        r->bad = true;
        return NULL;
    }
    const uint8_t *p = r->data + r->at;
    r->at += n;
    return p;
}

static inline uint16_t be2(const uint8_t *p) { return (uint16_t)(p[0] << 8 | p[1]); }
static inline uint32_t be4(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}
static inline void put_be2(uint8_t *p, unsigned v)
{
    p[0] = (uint8_t)(v >> 8);
    p[1] = (uint8_t)v;
}
static inline void put_be4(uint8_t *p, uint32_t v)
{
    put_be2(p, v >> 16);
    put_be2(p + 2, v & 0xffff);
}

static inline uint8_t read_u1(struct reader *r)
{
    const uint8_t *p = read_span(r, 1);
    return p ? *p : 0;
}
static inline uint16_t read_u2(struct reader *r)
{
    const uint8_t *p = read_span(r, 2);
    return p ? be2(p) : (uint16_t)0;
}
static inline uint32_t read_u4(struct reader *r)
{
    const uint8_t *p = read_span(r, 4);
    return p ? be4(p) : 0;
}
static inline uint64_t read_u8(struct reader *r)
{
    uint64_t high = read_u4(r);
    return high << 32 | read_u4(r);
}
static inline uint32_t le4(const uint8_t *p)
{
    return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}
static inline void put_le4(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}
static inline uint32_t read_le4(struct reader *r)
{
    const uint8_t *p = read_span(r, 4);
    return p ? le4(p) : 0;
}
static inline uint64_t read_le8(struct reader *r)
{
    uint64_t low = read_le4(r);
    return (uint64_t)read_le4(r) << 32 | low;
}

uint64_t read_varint_long(struct reader *r);
static inline uint64_t read_varint(struct reader *r)
{
    if (!r->bad && r->at < r->size && r->data[r->at] < 0x80)
        return r->data[r->at++];
    return read_varint_long(r);
}
static inline int64_t read_svarint(struct reader *r)
{
    uint64_t v = read_varint(r);
    return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}
/* A varint length and that many bytes; *n is 0 and the result NULL on a bad stream. */
const char *read_text(struct reader *r, size_t *n);

bool writer_reserve(struct writer *w, size_t more); /* sets bad on failure */
void writer_free(struct writer *w);

static inline void write_bytes(struct writer *w, const void *p, size_t n)
{
    if (n != 0 && (w->cap - w->size >= n || writer_reserve(w, n))) {
        memcpy(w->data + w->size, p, n);
        w->size += n;
    }
}
static inline void write_u1(struct writer *w, unsigned v)
{
    if (w->size < w->cap || writer_reserve(w, 1))
        w->data[w->size++] = (uint8_t)v;
}
static inline void write_u2(struct writer *w, unsigned v)
{
    if (w->cap - w->size >= 2 || writer_reserve(w, 2)) {
        put_be2(w->data + w->size, v);
        w->size += 2;
    }
}
static inline void write_u4(struct writer *w, uint32_t v)
{
    if (w->cap - w->size >= 4 || writer_reserve(w, 4)) {
        put_be4(w->data + w->size, v);
        w->size += 4;
    }
}
static inline void write_u8(struct writer *w, uint64_t v)
{
    write_u4(w, (uint32_t)(v >> 32));
    write_u4(w, (uint32_t)v);
}
static inline void write_le4(struct writer *w, uint32_t v)
{
    uint8_t b[4] = { (uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24) };
    write_bytes(w, b, 4);
}
static inline void write_le8(struct writer *w, uint64_t v)
{
    write_le4(w, (uint32_t)v);
    write_le4(w, (uint32_t)(v >> 32));
}
static inline void write_varint(struct writer *w, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        write_u1(w, (unsigned)(v | 0x80) & 0xff);
    write_u1(w, (unsigned)v);
}
static inline void write_svarint(struct writer *w, int64_t v)
{
    write_varint(w, (uint64_t)v << 1 ^ (uint64_t)(v >> 63));
}
static inline void write_text(struct writer *w, const char *s, size_t n)
{
    write_varint(w, n);
    write_bytes(w, s, n);
}

#endif
