/* chunk_values.c - the value columns: each data ID expects its value from one place, its mode.
 *
 *     MODE_LAST    the value it had last            MODE_STRIDE  that + a difference that has occurred twice
 *     MODE_COPY    the value k values ago           MODE_FRESH   the newest object id + 1
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

static inline struct value_state *state_of(struct chunk_tables *t, uint32_t id)
{
    struct value_state *s = &t->values[id];
    if (s->generation != t->generation)
        *s = (struct value_state){ .generation = t->generation };
    return s;
}

static inline uint64_t expected(const struct value_state *s, const uint64_t *stream, uint32_t j, uint64_t newest)
{
    uint64_t v = s->last + (s->mode == MODE_STRIDE ? s->stride : 0);
    uint64_t copy = stream[j - s->k];
    v = s->mode == MODE_COPY ? copy : v;
    return s->mode == MODE_FRESH ? newest + 1 : v;
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
    s->trust = (uint8_t)(s->trust + (s->trust < TRUST_MAX));
}

static inline void state_miss(struct value_state *s, enum value_code code, uint32_t distance)
{
    static const uint8_t mode_after[CODE_LIMIT] = {
        [CODE_LAST] = MODE_LAST, [CODE_STRIDE] = MODE_STRIDE, [CODE_COPY_SAME] = MODE_COPY, [CODE_FRESH] = MODE_FRESH,
        [CODE_COPY] = MODE_COPY, [CODE_JUMP] = MODE_FRESH,
    };
    if (s->trust >= TRUST_LOSS) {
        s->trust = (uint8_t)(s->trust - TRUST_LOSS);
        return;
    }
    s->trust = 0;
    if (code == CODE_LITERAL || code == CODE_WIDE || code == CODE_REF)
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
        unsigned letter = letters[ids[i]] & ~KIND_JOINED;
        places[n] = i | (letter == KIND_REF ? PLACE_REF : 0);
        n += letter != KIND_VOID;
        missing |= letter == 0;
    }
    return missing != 0 ? UINT32_MAX : n;
}

/* The nearest place where v is known to have stood; 0 if there is none worth naming. */
static inline uint32_t find_recent(const uint64_t *stream, const uint16_t *recent, uint32_t j, uint64_t v, uint32_t hash)
{
    uint32_t at = recent[hash];
    return at < j && stream[at] == v && j - at <= COPY_MAX ? j - at : 0;
}

static inline uint32_t hash_of(uint64_t v) { return (uint32_t)(v * UINT64_C(0x9e3779b97f4a7c15) >> (64 - RECENT_BITS)); }

/* Is naming a distance cheaper than the value itself? */
static inline bool copy_pays(uint32_t distance, uint64_t literal)
{
    return distance != 0 && (distance <= NEAR_VALUES || literal >= 1 << 14);
}

static enum value_code put_miss(struct value_state *s, const uint64_t *stream, uint32_t j, uint64_t v, uint32_t distance,
                                unsigned letter, struct newest_object *newest, struct column *columns)
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
    uint64_t literal = zigzag(v - (ref ? newest->id : s->last));
    if (copy_pays(distance, literal)) {
        column_put_varint(&columns[COL_DISTANCES], distance);
        return CODE_COPY;
    }
    if (letter == KIND_DOUBLE || literal >> 56 != 0) {
        column_put_word(&columns[COL_WIDE], v);
        return CODE_WIDE;
    }
    column_put_varint(&columns[COL_LITERALS], literal);
    if (!ref)
        return CODE_LITERAL;
    /* Another thread's object may have a higher id; two neighbours in a row bring `newest` back to our own. */
    if (v > newest->id || v == newest->seen + 1) {
        newest->id = v;
        return CODE_JUMP;
    }
    newest->seen = v;
    return CODE_REF;
}

void values_encode(struct chunk_tables *t, const uint8_t *letters, const struct chunk_columns *in, uint32_t value_count,
                   uint16_t *recent, struct column *columns)
{
    struct newest_object newest = { 0 };
    uint64_t *stream = t->stream;
    memset(recent, 0, RECENT_COUNT * sizeof *recent);
    for (uint32_t j = 0; j < value_count;) {
        uint32_t stop = value_count - j < 64 ? value_count : j + 64;
        uint64_t word = 0;
        for (uint32_t b = 0; j < stop; b++, j++) {
            uint32_t place = t->places[j], i = place & ~PLACE_REF;
            uint64_t v = in->values[i];
            struct value_state *s = state_of(t, in->ids[i]);
            uint32_t hash = hash_of(v);
            if (v == expected(s, stream, j, newest.id)) {
                state_hit(s);
            } else {
                uint32_t distance = find_recent(stream, recent, j, v, hash);
                enum value_code code =
                    put_miss(s, stream, j, v, distance, letters[in->ids[i]] & ~KIND_JOINED, &newest, columns);
                *columns[COL_VALUE_CODES].at++ = (uint8_t)code;
                word |= UINT64_C(1) << b;
                state_miss(s, code, distance);
            }
            state_update(s, v);
            stream[j] = v;
            recent[hash] = (uint16_t)j;
            newest.id += (place & PLACE_REF) != 0 && v == newest.id + 1;
        }
        column_put_word(&columns[COL_VALUE_BITS], word);
    }
}

/* The value of a miss, the inverse of put_miss. */
static bool take_miss(struct value_state *s, const uint64_t *stream, uint32_t j, uint64_t *newest, uint64_t *value,
                      struct column *columns)
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
    case CODE_COPY:
        distance = column_take_varint(&columns[COL_DISTANCES]);
        if (distance == 0 || distance > j || distance > COPY_MAX)
            return false;
        v = stream[j - distance];
        break;
    case CODE_WIDE: v = column_take_word(&columns[COL_WIDE]); break;
    case CODE_LITERAL: v = s->last + unzigzag(column_take_varint(&columns[COL_LITERALS])); break;
    case CODE_REF: v = *newest + unzigzag(column_take_varint(&columns[COL_LITERALS])); break;
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

bool values_decode(struct chunk_tables *t, const uint32_t *ids, uint64_t *values, uint32_t value_count,
                   struct column *columns)
{
    uint64_t newest = 0;
    uint64_t *stream = t->stream;
    for (uint32_t j = 0; j < value_count;) {
        uint32_t stop = value_count - j < 64 ? value_count : j + 64;
        uint64_t word = column_take_word(&columns[COL_VALUE_BITS]);
        for (; j < stop; j++, word >>= 1) {
            uint32_t place = t->places[j], i = place & ~PLACE_REF;
            struct value_state *s = state_of(t, ids[i]);
            uint64_t v = expected(s, stream, j, newest);
            if ((word & 1) == 0)
                state_hit(s);
            else if (!take_miss(s, stream, j, &newest, &v, columns))
                return false;
            state_update(s, v);
            stream[j] = v;
            values[i] = v;
            newest += (place & PLACE_REF) != 0 && v == newest + 1;
        }
    }
    for (int c = COL_VALUE_BITS; c <= COL_WIDE; c++)
        if (!column_finished(&columns[c]))
            return false;
    return true;
}
