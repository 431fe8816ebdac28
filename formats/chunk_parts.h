/* chunk_parts.h - inside of the chunk codec: the columns, and what chunk_ids.c, chunk_values.c, chunk_stamps.c share.
 *
 * Encoding: each part turns events into raw columns; chunk.c compresses them and writes the frame. Decoding: chunk.c checks
 * the frame and inflates the columns that are wanted; each part turns columns back into events. Raw columns of an encoder
 * have room for the worst case of CHUNK_EVENTS_MAX events, so its inner loops check nothing; a decoder trusts no byte.
 *
 * Prediction tables are indexed by data ID. A cell belongs to the chunk only if it carries the chunk's generation, so that
 * beginning a chunk costs nothing, however many data IDs there are. */
#ifndef FORMATS_CHUNK_PARTS_H
#define FORMATS_CHUNK_PARTS_H

#include "formats/chunk.h"
#include "formats/event.h"
#include "formats/journal.h"

/* Columns in the order of the frame: name, most bytes per event (bits: 0), part of `enum chunk_want`. On disk. */
#define CHUNK_COLUMNS(X)                                                                                               \
    X(ID_BITS, 0, IDS)         /* 1 where the data ID is not the predicted one */                                      \
    X(ID_MISSES, 5, IDS)       /* svarint: data ID - the one before */                                                 \
    X(VALUE_BITS, 0, VALUES)   /* per value: 1 where it is not the predicted one */                                    \
    X(VALUE_CODES, 1, VALUES)  /* per miss: enum value_code */                                                         \
    X(DISTANCES, 3, VALUES)    /* varint: how many values ago it stood (CODE_COPY) */                                  \
    X(LITERALS, 10, VALUES)    /* svarint: difference to a known value */                                              \
    X(WIDE, 8, VALUES)         /* le8: the value */                                                                    \
    X(STAMP_BITS, 0, STAMPS)   /* 1 where the step is not the predicted one; all or none */                            \
    X(STAMP_STEPS, 10, STAMPS) /* varint: the step */                                                                  \
    X(TIMES, 10, TIMES)        /* svarint: difference to the time before */

enum chunk_column {
#define X(name, bytes, want) COL_##name,
    CHUNK_COLUMNS(X)
#undef X
        COL_COUNT
};
enum { CHUNK_WORDS_MAX = CHUNK_EVENTS_MAX / 64 };

/* Where the value of a data ID is expected to come from. */
enum value_mode { MODE_LAST, MODE_STRIDE, MODE_COPY, MODE_FRESH, MODE_CONTEXT };

/* What a value is when it is not what was expected. On disk. */
enum value_code {
    CODE_LAST,      /* the last value of this data ID */
    CODE_STRIDE,    /* that + the last difference of this data ID */
    CODE_COPY_SAME, /* the value k values ago with the data ID's k */
    CODE_FRESH,     /* newest object id + 1 */
    CODE_CONTEXT,   /* what this data ID had after the same value (or two values) as now */
    CODE_COPY,      /* the value k values ago, k in DISTANCES becomes the data ID's */
    CODE_LITERAL,   /* LITERALS holds the difference to the last value of this data ID */
    CODE_WIDE,      /* WIDE holds it */
    CODE_REF,       /* LITERALS holds the difference to the newest object id */
    CODE_NEAR,      /* LITERALS holds the difference to the value before this one */
    CODE_JUMP,      /* as CODE_REF, and this is the newest object id from now on */
    CODE_LIMIT
};

struct value_state {
    uint64_t last, stride, delta;
    uint32_t generation;
    uint16_t k;
    uint8_t mode, trust;
};

/* Tables indexed by data ID; cells of `next` and `step` are generation << 32 | content. */
struct chunk_tables {
    uint32_t size; /* data IDs that exist */
    uint32_t generation;
    uint64_t cap;
    uint64_t *next, *step;
    struct value_state *values;
    uint64_t *context; /* CONTEXT_COUNT values by hash of what stood before them */
    uint64_t *stream;  /* the values of the chunk in order, void events left out */
    uint32_t *places;  /* per value: event it belongs to | PLACE_REF */
};
enum { CONTEXT_BITS = 14, CONTEXT_COUNT = 1 << CONTEXT_BITS };
#define PLACE_REF 0x80000000u

/* A raw column: written from `data` up to `at`, or read from `at` up to `end`. */
struct column {
    uint8_t *data, *at;
    const uint8_t *end;
    bool bad;
};

static inline uint64_t zigzag(uint64_t v) { return v << 1 ^ (0 - (v >> 63)); }
static inline uint64_t unzigzag(uint64_t v) { return v >> 1 ^ (0 - (v & 1)); }

static inline uint64_t load_le8(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}
static inline void store_le8(uint8_t *p, uint64_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    memcpy(p, &v, 8);
}

static inline void column_put_varint(struct column *c, uint64_t v)
{
    uint8_t *p = c->at;
    for (; v >= 0x80; v >>= 7)
        *p++ = (uint8_t)(v | 0x80);
    *p++ = (uint8_t)v;
    c->at = p;
}
static inline void column_put_word(struct column *c, uint64_t v)
{
    store_le8(c->at, v);
    c->at += 8;
}

/* Past the end these give 0 and set `bad`. */
uint64_t column_take_long_varint(struct column *c);
static inline uint64_t column_take_varint(struct column *c)
{
    if (c->at < c->end && *c->at < 0x80)
        return *c->at++;
    return column_take_long_varint(c);
}
static inline uint64_t column_take_word(struct column *c)
{
    if (c->end - c->at < 8) {
        c->bad = true;
        return 0;
    }
    c->at += 8;
    return load_le8(c->at - 8);
}
/* Was the whole column used, and not more? */
static inline bool column_finished(const struct column *c) { return !c->bad && c->at == c->end; }

/* What values need of a data ID: an entry of t->places if it has a value. */
static inline uint32_t place_event(uint32_t *places, uint32_t n, uint32_t i, unsigned letter)
{
    places[n] = i | ((letter & ~KIND_JOINED) == KIND_REF ? PLACE_REF : 0);
    return n + ((letter & ~KIND_JOINED) != KIND_VOID);
}

void ids_encode(struct chunk_tables *t, const uint32_t *ids, uint32_t count, struct column *columns);
/* With `letters`, also lists in t->places the events that have a value, and counts them. */
bool ids_decode(struct chunk_tables *t, uint32_t *ids, uint32_t count, const uint8_t *letters, uint32_t *value_count,
                struct column *columns);

/* The encoder's listing: the number of values, UINT32_MAX if a data ID has no kind letter. */
uint32_t values_place(struct chunk_tables *t, const uint8_t *letters, const uint32_t *ids, uint32_t count);
/* `recent` is scratch of RECENT_COUNT numbers. */
enum { RECENT_BITS = 12, RECENT_COUNT = 1 << RECENT_BITS };
void values_encode(struct chunk_tables *t, const uint8_t *letters, const struct chunk_columns *in, uint32_t value_count,
                   uint16_t *recent, struct column *columns);
bool values_decode(struct chunk_tables *t, const uint32_t *ids, uint64_t *values, uint32_t value_count,
                   struct column *columns);

void stamps_encode(struct chunk_tables *t, const uint32_t *ids, const uint64_t *stamps, uint32_t count,
                   struct column *columns);
bool stamps_decode(struct chunk_tables *t, const uint32_t *ids, uint64_t *stamps, uint32_t count, uint64_t first,
                   struct column *columns);
void times_encode(const uint64_t *times, uint32_t count, struct column *column);
bool times_decode(uint64_t *times, uint32_t count, struct column *column);

#endif
