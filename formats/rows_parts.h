/* rows_parts.h - what the encoders and decoders of rows (rows.h) share; included by them alone. */
#ifndef FORMATS_ROWS_PARTS_H
#define FORMATS_ROWS_PARTS_H

#include "formats/mutf8.h"
#include "formats/rows.h"

enum { ROW_VERSION = 1 };

static inline void put_text(struct writer *w, struct text t) { write_text(w, t.data, t.size); }

/* A text from a class file or the JVM, which is Modified UTF-8 there and UTF-8 in the trace. */
static inline void put_name(struct writer *w, struct text t)
{
    if (mutf8_is_ascii(t.data, t.size)) {
        put_text(w, t);
        return;
    }
    struct writer utf8 = { 0 };
    (void)mutf8_to_utf8(t.data, t.size, &utf8);
    write_text(w, (const char *)utf8.data, utf8.size);
    w->bad |= utf8.bad;
    writer_free(&utf8);
}

static inline struct text get_text(struct reader *r)
{
    struct text t;
    t.data = read_text(r, &t.size);
    return t;
}

/* A number that has to fit 32 bits; anything larger makes the stream bad. */
static inline uint32_t get_u32(struct reader *r)
{
    uint64_t v = read_varint(r);
    if (v > UINT32_MAX)
        r->bad = true;
    return r->bad ? 0 : (uint32_t)v;
}

static inline bool get_version(struct reader *r) { return read_u1(r) == ROW_VERSION && !r->bad; }

#endif
