/* chunk_parts.h - internals of the chunk codec: the columns, and what chunk_ids.c, chunk_values.c, chunk_stamps.c
 * share.
 *
 * Encoding: each part turns events into raw columns; chunk.c compresses them and writes the frame. Decoding:
 * chunk_decode.c checks the frame and inflates the columns that are wanted; each part turns columns back into events.
 * Where data IDs are not stored (chunk_pull.h), events are decoded one by one. Raw columns of
 * an encoder have room for the worst case of CHUNK_EVENTS_MAX events, so its inner loops check nothing; a decoder
 * trusts no byte.
 *
 * A chunk numbers its data IDs in the order in which they first occur: slots. Prediction tables are indexed by slot, so
 * their size depends on how many different data IDs the chunk has, and they stay in the L1 cache however many data IDs
 * exist. Only `slot_of` is indexed by data ID; a cell of it belongs to the chunk if it carries the chunk's generation,
 * so that beginning a chunk costs nothing. */
#ifndef FORMATS_CHUNK_PARTS_H
#define FORMATS_CHUNK_PARTS_H

#include <zstd.h>

#include "formats/chunk.h"
#include "formats/event.h"
#include "formats/journal.h"

/* Columns in the order of the frame: name, most bytes per event (bits: 0), part of `enum chunk_want`. On disk. */
#define CHUNK_COLUMNS(X)                                                                                               \
    X(ID_BITS, 0, IDS)         /* per data ID that is stored: 1 where it is not the predicted one */                   \
    X(ID_MISSES, 5, IDS)       /* svarint: data ID - the one before */                                                 \
    X(VALUE_BITS, 0, VALUES)   /* per value: 1 where it is not the predicted one */                                    \
    X(VALUE_CODES, 1, VALUES)  /* per miss: enum value_code */                                                         \
    X(DISTANCES, 3, VALUES)    /* varint: distance in values (CODE_COPY) */                                            \
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

/* Where the value of a data ID is expected to come from. */
enum value_mode { MODE_LAST, MODE_STRIDE, MODE_COPY, MODE_FRESH, MODE_CONTEXT };

enum chunk_flags { CHUNK_TIMED = 1, CHUNK_NAMED = 2 /* data IDs of named events alone are stored */ };

/* What the value of a miss is. On disk. */
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

/* Prediction state of the values of a slot. As value j it expects `cells[at + (j & mask)] + add`: one sum for all modes
 * but MODE_CONTEXT, since which mode a slot has differs too irregularly from event to event for branches. */
struct value_state {
    uint64_t last; /* its last value, at first 0 */
    uint64_t add;
    uint64_t before; /* the value before the last one, at first 0 */
    uint32_t at;
    int16_t mask;  /* 0 or -1; MASK_CONTEXT: it expects the value in `context` */
    uint16_t hits; /* trust, but not capped: more than a chunk has events are not needed */
};
enum { MASK_CONTEXT = 1 };
/* What only misses need of a slot: k, and whether it is in MODE_STRIDE. */
enum { TAIL_STRIDE = 0x8000, TAIL_DISTANCE = 0x3fff };

/* Slots are begun in groups, so that whole words of `breaks` and vectors can be written. ROOM: loops may write or read
 * that many items behind the last one. The arrays are part of the struct: addresses are then this one and a number. */
enum {
    SLOTS_MAX = CHUNK_EVENTS_MAX,
    GROUP = 64,
    ROOM = CHUNK_ROOM,
    CONTEXT_BITS = 14,
    CONTEXT_COUNT = 1 << CONTEXT_BITS,
    FOLLOWER_BITS = 14,
    FOLLOWER_COUNT = 1 << FOLLOWER_BITS
};
enum { STATE_CELLS = 4, NEWEST_AT = SLOTS_MAX * STATE_CELLS, STREAM_AT = NEWEST_AT + STATE_CELLS };
enum { SLOT_VALUE = 1, SLOT_REF = 2, NEXT_UNKNOWN = 0xffff };

/* Which cells of a table may be other than 0: a chunk of few events, as each stay of a virtual thread on its carrier is
 * one, clears these instead of the whole table. TOUCHED_MANY: they are not known any more. */
enum { TOUCHED_MANY = 1024 };
struct touched {
    uint32_t count;
    uint16_t cells[TOUCHED_MANY + 1];
};
/* The cell is about to be written; it may `be_zero` so far. */
static inline void touch(struct touched *t, uint64_t cell, bool be_zero)
{
    t->cells[t->count] = (uint16_t)cell;
    t->count += be_zero & (t->count < TOUCHED_MANY);
}

struct chunk_tables {
    uint32_t size; /* data IDs that exist */
    uint64_t cap;
    uint32_t *slot_of;   /* by data ID: generation << 16 | slot */
    uint32_t generation; /* 16 bits */
    const uint8_t *letters;
    bool letterless; /* a data ID of the chunk has no kind letter: its values cannot be read */
    uint32_t slot_count, valued_count;
    /* by slot: */
    uint32_t ids[SLOTS_MAX + ROOM];
    uint8_t flags[SLOTS_MAX]; /* SLOT_* */
    uint16_t next[SLOTS_MAX]; /* the slot expected next. That NEXT_UNKNOWN is a slot as well does no harm: it can only
                                 be that of a chunk's last event */
    uint64_t breaks[SLOTS_MAX / GROUP]; /* bit: next is not this slot + 1 */
    uint16_t valued[SLOTS_MAX + ROOM];  /* those that have a value, in order */
    /* how many of them stand before this slot, mod 2^16; also of the slot yet to come */
    uint16_t valued_before[SLOTS_MAX + 1];
    uint32_t steps[SLOTS_MAX];
    uint16_t tails[SLOTS_MAX]; /* TAIL_* */
    /* by event, by value: */
    uint16_t slot_list[CHUNK_EVENTS_MAX + ROOM];
    uint16_t value_slots[CHUNK_EVENTS_MAX + ROOM];
    uint16_t value_events[CHUNK_EVENTS_MAX + ROOM]; /* the event it belongs to */
    uint16_t named_slots[CHUNK_EVENTS_MAX];         /* of named events, while they are read one by one */
    uint64_t context[CONTEXT_COUNT];                /* values by hash of the values before them */
    uint32_t followers[FOLLOWER_COUNT];             /* chunk_names.c: data ID + 1 by hash of chunk_name.from */
    struct touched context_touched, followers_touched;
    union {
        struct value_state states[SLOTS_MAX];
        uint64_t cells[STREAM_AT + CHUNK_EVENTS_MAX]; /* the states, the newest object id, the values in order */
    };
};
_Static_assert(sizeof(struct value_state) == STATE_CELLS * sizeof(uint64_t), "a state is a whole number of cells");

/* Makes the compiler keep the address in a register instead of computing it again for each use. */
#define KEEP_ADDRESS(p) __asm__("" : "+r"(p))

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

/* Past the end these give 0 and set `bad`, or leave a column that is not finished. COLUMN_SLACK bytes can be read
 * behind the end; they are 0. Lengths differ too irregularly for branches. */
enum { COLUMN_SLACK = 8 };
uint64_t column_take_long_varint(struct column *c); /* chunk_column.c */
static inline uint64_t column_take_varint(struct column *c)
{
    uint32_t w = (uint32_t)load_le8(c->at), last = ~w & 0x80808080;
    if (c->at >= c->end || last == 0)
        return column_take_long_varint(c);
    c->at += ((unsigned)__builtin_ctz(last) >> 3) + 1;
    w &= (last ^ (last - 1)) & 0x7f7f7f7f;
    w = (w & 0x007f007f) | (w & 0x7f007f00) >> 1;
    return (w & 0x00003fff) | (w & 0x3fff0000) >> 2;
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

/* A data ID without a slot gets one. */
uint32_t slot_new(struct chunk_tables *t, uint32_t id);
/* The slot of a data ID; SLOT_NONE if there is no such data ID. */
#define SLOT_NONE UINT32_MAX
static inline uint32_t slot_find(struct chunk_tables *t, uint64_t id)
{
    if (id >= t->size)
        return SLOT_NONE;
    uint32_t cell = t->slot_of[id];
    return cell >> 16 == t->generation ? cell & 0xffff : slot_new(t, (uint32_t)id);
}
/* Event number `i`, of that slot, and its value if it has one, of which there are `placed` so far. */
static inline void slot_place(struct chunk_tables *t, uint32_t slot, uint32_t i, uint32_t placed)
{
    t->slot_list[i] = t->value_slots[placed] = (uint16_t)slot;
    t->value_events[placed] = (uint16_t)i;
}

/* Both list slots and values of all events in `t`. False: a data ID is unknown, or the column is malformed. */
bool ids_encode(struct chunk_tables *t, const uint32_t *ids, uint32_t count, uint32_t *value_count,
                struct column *columns);
bool ids_decode(struct chunk_tables *t, uint32_t *ids, uint32_t count, uint32_t *value_count, struct column *columns);

/* chunk_names.c: as ids_encode, for a chunk with CHUNK_NAMED; its named events are read one by one. */
bool names_encode(struct chunk_tables *t, const struct chunk_columns *in, const chunk_name_vec *names,
                  uint32_t *value_count, struct column *columns);
struct name_reader {
    struct column bits, misses;
    uint64_t word;
    unsigned left; /* bits of `word` */
};
void names_begin(struct chunk_tables *t, struct name_reader *r, const struct column *columns);
/* The data ID of the next named event; any number if the columns are malformed. */
uint64_t names_take(struct chunk_tables *t, struct name_reader *r, uint32_t from, uint32_t first);
bool names_finished(const struct name_reader *r);

/* `recent` is scratch of RECENT_COUNT numbers. */
enum { RECENT_BITS = 12, RECENT_COUNT = 1 << RECENT_BITS };
void values_encode(struct chunk_tables *t, const uint64_t *values, uint32_t value_count, uint16_t *recent,
                   struct column *columns);
/* Leaves `values` of void events as they are. */
bool values_decode(struct chunk_tables *t, uint64_t *values, uint32_t value_count, struct column *columns);

/* The columns of misses while they are read: copies, which the compiler can keep in registers. */
struct miss_columns {
    struct column codes, distances, literals, wide;
};
/* Values that are read one by one. */
struct value_reader {
    struct column bits;
    struct miss_columns misses;
    uint64_t word, newest;
    uint32_t taken;
};
void values_begin(struct chunk_tables *t, struct value_reader *r, const struct column *columns);
/* The next value, of an event with that slot, which is placed. False: the columns are malformed. */
bool values_take(struct chunk_tables *t, struct value_reader *r, uint32_t slot, uint64_t *value);
bool values_finished(const struct value_reader *r);

void stamps_encode(struct chunk_tables *t, const uint64_t *stamps, uint32_t count, struct column *columns);
bool stamps_decode(struct chunk_tables *t, uint64_t *stamps, uint32_t count, uint64_t first, struct column *columns);
/* chunk_shares.c: what the bytes of a chunk are shared out by, by slot; and the shares. */
struct chunk_weights {
    uint32_t of[COL_COUNT][SLOTS_MAX]; /* raw bytes, or bits */
    uint32_t events[SLOTS_MAX];
    uint64_t shares[SLOTS_MAX];
};
/* Events whose data IDs are stored, by slot. */
struct stored_ids {
    const uint16_t *slots;
    uint32_t count;
};
/* Of a chunk whose data IDs are decoded in `t`, with all columns unpacked, their stored bytes, and its size. False: a
 * column is malformed. */
bool shares_count(const struct chunk_tables *t, uint32_t count, uint32_t value_count, struct stored_ids ids,
                  const struct column *columns, const size_t *stored, size_t size, struct chunk_weights *w);

/* ---- the frame: chunk.c, chunk_decode.c ---- */

/* A chunk without its checksum. */
struct chunk_head {
    unsigned flags; /* enum chunk_flags */
    uint32_t count;
    uint64_t first_stamp, sum;
    size_t raw[COL_COUNT], stored[COL_COUNT];
    const uint8_t *bytes[COL_COUNT];
};
enum { CHUNK_MAGIC = 0xc1 /* chunk, version 1 */, CHUNK_PACK_LEVEL = 1 };

size_t column_room(unsigned column, uint32_t count); /* most bytes of `count` events */
bool columns_new(struct column *columns);
void columns_free(struct column *columns);
/* Begins a chunk: room for the data IDs of `kinds`, all without state. False: no memory. */
bool tables_begin(struct chunk_tables *t, struct kind_table kinds);
/* Appends the column to `w` in the shorter of its two forms, and returns its bytes. */
size_t column_pack(ZSTD_CCtx *zstd, const void *data, size_t raw, struct writer *w);
/* Appends the frame around packed columns. False: out of memory, and nothing is appended. */
bool frame_write(struct writer *out, const struct chunk_head *f, const struct writer *packed);

struct chunk_decoder {
    struct chunk_tables tables;
    struct column columns[COL_COUNT];
    ZSTD_DCtx *zstd;
    struct chunk_columns decoded; /* its `count` is not used */
    uint64_t sum;                 /* of the chunk decoded last */
    size_t size;
    uint64_t lent; /* number + 1 of the chunk whose columns others have filled in; 0 none */
    unsigned done; /* its columns; 0: chunk_decode_more has nothing to add to */
    uint32_t value_count;
    struct chunk_weights *weights; /* chunk_shares; NULL until then */
    struct chunk_share *shares;
    /* chunk_pull.h: */
    struct name_reader names;
    struct value_reader values;
    uint32_t pulled, named, count; /* events taken, the named ones of them, and those of the chunk */
};
/* Reads the frame, and inflates the columns of `want` (enum chunk_want). NULL, or what is wrong. */
const char *frame_read(const void *blob, size_t size, struct chunk_head *f);
bool frame_unpack(struct chunk_decoder *d, const struct chunk_head *f, unsigned want);

void times_encode(const uint64_t *times, uint32_t count, struct column *column);
bool times_decode(uint64_t *times, uint32_t count, struct column *column);

#endif
