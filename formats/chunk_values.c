/* chunk_values.c - the value columns: each data ID expects its value from one place, its mode.
 *
 *     MODE_LAST    the value it had last            MODE_STRIDE  that + a difference that has occurred twice
 *     MODE_COPY    the value k values ago           MODE_FRESH   the newest object id + 1
 *     MODE_CONTEXT the value it had when the value before it was the same: a field of that object, an element there
 *
 * Most values of a program are moved, not made: a loaded local is stored, passed, returned, so that "what stood k values ago"
 * is what a data ID says again and again. A miss says in one code byte where the value was found instead; when misses have
 * used up the trust that hits built, that becomes the mode. New objects get ascending ids, hence `newest`.
 *
 * Encoder and decoder must change the state in the same way: everything that both do stands in the shared helpers. */
#include "formats/chunk_parts.h"

enum { TRUST_MAX = 3, TRUST_LOSS = 2, NEAR_VALUES = 64, COPY_MAX = 16383 };

struct newest_object {
    uint64_t id;   /* of the object that this thread made last */
    uint64_t seen; /* encoder: the last other id that needed a literal */
};

static inline struct value_state *state_of(struct value_state *states, uint32_t generation, uint32_t id)
{
    struct value_state *s = &states[id];
    if (s->generation != generation)
        *s = (struct value_state){ .generation = generation };
    return s;
}

/* The cell for this data ID after what stands before value j: a reference alone (a field's owner), else two values (array
 * and index). Only data IDs that miss or live by it touch the table. */
static inline uint64_t *context_of(const struct chunk_tables *t, uint32_t id, uint32_t j)
{
    uint64_t key = id;
    if (j != 0)
        key ^= t->stream[j - 1] << 24;
    if (j > 1 && (t->places[j - 1] & PLACE_REF) == 0)
        key += t->stream[j - 2] * UINT64_C(0xd6e8feb86659fd93);
    return &t->context[key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - CONTEXT_BITS)];
}

/* Modes of neighbouring events differ too irregularly for branches: this asks for conditional moves. */
#define EITHER(condition) __builtin_expect_with_probability((condition), 1, 0.5)

static inline uint64_t expected(const struct value_state *s, const uint64_t *stream, uint32_t j, uint64_t newest)
{
    uint64_t copy = stream[j - s->k], stride = s->stride, v = s->last;
    unsigned mode = s->mode;
    v += EITHER(mode == MODE_STRIDE) ? stride : 0;
    v = EITHER(mode == MODE_COPY) ? copy : v;
    return EITHER(mode == MODE_FRESH) ? newest + 1 : v;
}

static inline void state_update(struct value_state *s, uint64_t v)
{
    uint64_t delta = v - s->last;
    s->stride = delta == s->delta ? delta : s->stride;
    s->delta = delta;
    s->last = v;
}

static inline void state_hit(struct value_state *s)
{
    if (s->trust < TRUST_MAX)
        s->trust++;
}

static inline void state_miss(struct value_state *s, enum value_code code, uint32_t distance)
{
    static const uint8_t mode_after[CODE_LIMIT] = {
        [CODE_LAST] = MODE_LAST,   [CODE_STRIDE] = MODE_STRIDE,   [CODE_COPY_SAME] = MODE_COPY,
        [CODE_FRESH] = MODE_FRESH, [CODE_CONTEXT] = MODE_CONTEXT, [CODE_COPY] = MODE_COPY,
        [CODE_JUMP] = MODE_FRESH,
    };
    if (s->trust >= TRUST_LOSS) {
        s->trust = (uint8_t)(s->trust - TRUST_LOSS);
        return;
    }
    s->trust = 0;
    if (code >= CODE_LITERAL && code != CODE_JUMP)
        return;
    s->mode = mode_after[code];
    if (code == CODE_COPY)
        s->k = (uint16_t)distance;
}

uint32_t values_place(struct chunk_tables *t, const uint8_t *letters, const uint32_t *ids, uint32_t count)
{
    uint32_t *places = t->places;
    uint32_t n = 0, missing = 0;
    for (uint32_t i = 0; i < count; i++) {
        unsigned letter = letters[ids[i]];
        n = place_event(places, n, i, letter);
        missing |= (letter & ~KIND_JOINED) == 0;
    }
    return missing != 0 ? UINT32_MAX : n;
}

static inline uint32_t hash_of(uint64_t v)
{
    return (uint32_t)(v * UINT64_C(0x9e3779b97f4a7c15) >> (64 - RECENT_BITS));
}

/* The nearest place where v is known to have stood; 0 if there is none worth naming. */
static inline uint32_t find_recent(const uint64_t *stream, const uint16_t *recent, uint32_t j, uint64_t v)
{
    uint32_t at = recent[hash_of(v)];
    return at < j && stream[at] == v && j - at <= COPY_MAX ? j - at : 0;
}

/* Is naming a distance cheaper than the value itself? */
static inline bool copy_pays(uint32_t distance, uint64_t literal)
{
    return distance != 0 && (distance <= NEAR_VALUES || literal >= 1 << 14);
}

static enum value_code put_miss(struct value_state *s, const uint64_t *stream, uint32_t j, uint64_t v, uint64_t context,
                                uint32_t distance, unsigned letter, struct newest_object *newest,
                                struct column *columns)
{
    if (s->k != 0 && stream[j - s->k] == v)
        return CODE_COPY_SAME;
    if (v == s->last)
        return CODE_LAST;
    if (v == s->last + s->delta)
        return CODE_STRIDE;
    bool ref = letter == KIND_REF;
    if (ref && v == newest->id + 1)
        return CODE_FRESH;
    if (v == context)
        return CODE_CONTEXT;
    enum value_code code = CODE_LITERAL;
    uint64_t literal = zigzag(v - s->last);
    if (ref) {
        uint64_t near = zigzag(v - (j != 0 ? stream[j - 1] : 0)), to_newest = zigzag(v - newest->id);
        if (near < literal) {
            literal = near;
            code = CODE_NEAR;
        }
        if (to_newest <= literal) {
            literal = to_newest;
            code = CODE_REF;
        }
    }
    if (copy_pays(distance, literal)) {
        column_put_varint(&columns[COL_DISTANCES], distance);
        return CODE_COPY;
    }
    if (letter == KIND_DOUBLE || literal >> 56 != 0) {
        column_put_word(&columns[COL_WIDE], v);
        return CODE_WIDE;
    }
    /* Another thread's object may have a higher id; two neighbours in a row bring `newest` back to our own. */
    if (ref && (v > newest->id || v == newest->seen + 1)) {
        literal = zigzag(v - newest->id);
        newest->id = v;
        code = CODE_JUMP;
    }
    newest->seen = ref ? v : newest->seen;
    column_put_varint(&columns[COL_LITERALS], literal);
    return code;
}

/* An event whose value is not what its data ID expects outside MODE_CONTEXT: true if it is a miss. */
static __attribute__((noinline)) bool put_unexpected(struct chunk_tables *t, struct value_state *s, uint32_t id,
                                                     uint32_t j, uint64_t v, unsigned letter, const uint16_t *recent,
                                                     struct newest_object *newest, struct column *columns)
{
    uint64_t *cell = context_of(t, id, j), context = *cell;
    *cell = v;
    if (s->mode == MODE_CONTEXT && context == v) {
        state_hit(s);
        return false;
    }
    uint32_t distance = find_recent(t->stream, recent, j, v);
    enum value_code code = put_miss(s, t->stream, j, v, context, distance, letter, newest, columns);
    *columns[COL_VALUE_CODES].at++ = (uint8_t)code;
    state_miss(s, code, distance);
    return true;
}

void values_encode(struct chunk_tables *t, const uint8_t *letters, const struct chunk_columns *in, uint32_t value_count,
                   uint16_t *recent, struct column *columns)
{
    struct newest_object newest = { 0 };
    uint64_t *const stream = t->stream; /* copies: the loop need not read them again after a call */
    const uint32_t *const places = t->places, generation = t->generation;
    struct value_state *const states = t->values;
    memset(recent, 0, RECENT_COUNT * sizeof *recent);
    memset(t->context, 0, CONTEXT_COUNT * sizeof *t->context);
    for (uint32_t j = 0; j < value_count;) {
        uint32_t stop = value_count - j < 64 ? value_count : j + 64;
        uint64_t word = 0;
        for (uint32_t b = 0; j < stop; b++, j++) {
            uint32_t place = places[j], i = place & ~PLACE_REF, id = in->ids[i];
            uint64_t v = in->values[i];
            struct value_state *s = state_of(states, generation, id);
            bool missed = (v != expected(s, stream, j, newest.id)) | (s->mode == MODE_CONTEXT);
            if (!missed)
                state_hit(s);
            else if (put_unexpected(t, s, id, j, v, letters[id] & ~KIND_JOINED, recent, &newest, columns))
                word |= UINT64_C(1) << b;
            state_update(s, v);
            stream[j] = v;
            recent[hash_of(v)] = (uint16_t)j;
            newest.id += ((place & PLACE_REF) != 0) & (v == newest.id + 1);
        }
        column_put_word(&columns[COL_VALUE_BITS], word);
    }
}

/* The value of a miss, the inverse of put_miss. */
static bool take_miss(struct value_state *s, const uint64_t *stream, uint32_t j, uint64_t context, uint64_t *newest,
                      uint64_t *value, struct column *columns)
{
    struct column *codes = &columns[COL_VALUE_CODES];
    if (codes->at == codes->end)
        return false;
    unsigned code = *codes->at++;
    uint64_t distance = 0, v;
    switch (code) {
    case CODE_COPY_SAME:
        if (s->k == 0)
            return false;
        v = stream[j - s->k];
        break;
    case CODE_LAST: v = s->last; break;
    case CODE_STRIDE: v = s->last + s->delta; break;
    case CODE_FRESH: v = *newest + 1; break;
    case CODE_CONTEXT: v = context; break;
    case CODE_COPY:
        distance = column_take_varint(&columns[COL_DISTANCES]);
        if (distance == 0 || distance > j || distance > COPY_MAX)
            return false;
        v = stream[j - distance];
        break;
    case CODE_WIDE: v = column_take_word(&columns[COL_WIDE]); break;
    case CODE_LITERAL: v = s->last + unzigzag(column_take_varint(&columns[COL_LITERALS])); break;
    case CODE_REF: v = *newest + unzigzag(column_take_varint(&columns[COL_LITERALS])); break;
    case CODE_NEAR: v = (j != 0 ? stream[j - 1] : 0) + unzigzag(column_take_varint(&columns[COL_LITERALS])); break;
    case CODE_JUMP:
        v = *newest + unzigzag(column_take_varint(&columns[COL_LITERALS]));
        *newest = v;
        break;
    default: return false;
    }
    state_miss(s, (enum value_code)code, (uint32_t)distance);
    *value = v;
    return true;
}

/* The inverse of put_unexpected. */
static __attribute__((noinline)) bool take_unexpected(struct chunk_tables *t, struct value_state *s, uint32_t id,
                                                      uint32_t j, bool missed, uint64_t *newest, uint64_t *value,
                                                      struct column *columns)
{
    uint64_t *cell = context_of(t, id, j);
    *value = *cell;
    if (!missed)
        state_hit(s);
    else if (!take_miss(s, t->stream, j, *cell, newest, value, columns))
        return false;
    *cell = *value;
    return true;
}

bool values_decode(struct chunk_tables *t, const uint32_t *ids, uint64_t *values, uint32_t value_count,
                   struct column *columns)
{
    uint64_t newest = 0;
    uint64_t *const stream = t->stream; /* copies: the loop need not read them again after a call */
    const uint32_t *const places = t->places, generation = t->generation;
    struct value_state *const states = t->values;
    memset(t->context, 0, CONTEXT_COUNT * sizeof *t->context);
    for (uint32_t j = 0; j < value_count;) {
        uint32_t stop = value_count - j < 64 ? value_count : j + 64;
        uint64_t word = column_take_word(&columns[COL_VALUE_BITS]);
        for (; j < stop; j++, word >>= 1) {
            uint32_t place = places[j], i = place & ~PLACE_REF;
            struct value_state *s = state_of(states, generation, ids[i]);
            uint64_t v = expected(s, stream, j, newest);
            if (((word & 1) | (s->mode == MODE_CONTEXT)) == 0) {
                state_hit(s);
            } else {
                uint64_t now = newest, value; /* copies, so that the loop keeps its own in registers */
                if (!take_unexpected(t, s, ids[i], j, (word & 1) != 0, &now, &value, columns))
                    return false;
                newest = now;
                v = value;
            }
            state_update(s, v);
            stream[j] = v;
            values[i] = v;
            newest += ((place & PLACE_REF) != 0) & (v == newest + 1);
        }
    }
    for (int c = COL_VALUE_BITS; c <= COL_WIDE; c++)
        if (!column_finished(&columns[c]))
            return false;
    return true;
}
