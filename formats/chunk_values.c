/* chunk_values.c - the value columns: each data ID expects its value from one place, its mode.
 *
 *     MODE_LAST    the value it had last            MODE_STRIDE  that + a difference that has occurred twice
 *     MODE_COPY    the value k values ago           MODE_FRESH   the newest object id + 1
 *     MODE_CONTEXT the value it had when the value before it was the same: a field of that object, an element there
 *
 * Most values of a program are copies of earlier ones: a loaded local is stored, passed, returned. So a data ID often
 * repeats the value k values ago, with the same k. A miss stores in one code byte where the value was found instead;
 * when misses have used up the trust that hits built, that becomes the mode. New objects get ascending ids, hence
 * `newest`.
 *
 * Encoder and decoder must change the state in the same way: everything that both do is in the shared helpers. */
#include "formats/chunk_parts.h"

enum { TRUST_MAX = 3, TRUST_LOSS = 2, NEAR_VALUES = 64, COPY_MAX = 16383 };

struct newest_object {
    uint64_t id;   /* of the object that this thread made last */
    uint64_t seen; /* encoder: the last other id that needed a literal */
};

/* The cell for this slot after what stands before value j: a reference alone (a field's owner), else two values (array
 * and index). Only slots that miss or are in MODE_CONTEXT touch the table. */
static inline uint64_t *context_of(struct chunk_tables *t, uint32_t slot, uint32_t j)
{
    const uint64_t *stream = t->cells + STREAM_AT;
    uint64_t key = t->ids[slot];
    if (j != 0)
        key ^= stream[j - 1] << 24;
    if (j > 1 && (t->flags[t->value_slots[j - 1]] & SLOT_REF) == 0)
        key += stream[j - 2] * UINT64_C(0xd6e8feb86659fd93);
    return &t->context[key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - CONTEXT_BITS)];
}

static inline void set_context(struct chunk_tables *t, uint64_t *cell, uint64_t v)
{
    touch(&t->context_touched, (uint64_t)(cell - t->context), *cell == 0);
    *cell = v;
}

static void clear_context(struct chunk_tables *t)
{
    struct touched *d = &t->context_touched;
    if (d->count == TOUCHED_MANY)
        memset(t->context, 0, sizeof t->context);
    for (uint32_t i = 0; i < d->count && d->count < TOUCHED_MANY; i++)
        t->context[d->cells[i]] = 0;
    d->count = 0;
}

static inline uint64_t expected(const uint64_t *cells, const struct value_state *s, uint32_t j)
{
    int32_t mask = s->mask;
    return cells[s->at + (j & (uint32_t)mask)] + s->add;
}

static inline void state_hit(struct value_state *s, uint64_t v)
{
    s->hits++;
    s->before = s->last;
    s->last = v;
}

/* After a miss: the mode may change, and with it what is expected. The stride is not kept up outside MODE_STRIDE,
 * because a slot enters it only when the difference has just occurred twice. */
static inline void state_miss(struct value_state *s, uint16_t *tail, uint32_t slot, enum value_code code,
                              uint32_t distance, uint64_t v)
{
    uint32_t at = slot * STATE_CELLS, to = *tail & TAIL_DISTANCE;
    uint64_t add = 0, step = v - s->last, delta = s->last - s->before;
    int16_t mask = 0;
    bool stays = s->hits >= TRUST_LOSS;
    switch (code) {
    case CODE_LAST: break;
    case CODE_STRIDE: to |= TAIL_STRIDE; break;
    case CODE_COPY: to = distance; /* fall through */
    case CODE_COPY_SAME:
        at = STREAM_AT - to;
        mask = -1;
        break;
    case CODE_CONTEXT: mask = MASK_CONTEXT; break;
    case CODE_FRESH:
    case CODE_JUMP:
        at = NEWEST_AT;
        add = 1;
        break;
    case CODE_LITERAL:
    case CODE_WIDE:
    case CODE_REF:
    case CODE_NEAR:
    case CODE_LIMIT:
        at = s->at;
        mask = s->mask;
        add = s->add;
        to = *tail;
        break;
    }
    s->hits = (uint16_t)((s->hits < TRUST_MAX ? s->hits : TRUST_MAX) - (stays ? TRUST_LOSS : s->hits));
    s->at = stays ? s->at : at;
    s->mask = stays ? s->mask : mask;
    s->add = stays ? s->add : add;
    *tail = (uint16_t)(stays ? *tail : to);
    if ((*tail & TAIL_STRIDE) != 0 && step == delta)
        s->add = step;
    s->before = s->last;
    s->last = v;
}

static inline uint32_t hash_of(uint64_t v)
{
    return (uint32_t)(v * UINT64_C(0x9e3779b97f4a7c15) >> (64 - RECENT_BITS));
}

/* The distance to the last known occurrence of v; 0 if there is none in reach. */
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

static enum value_code put_miss(struct value_state *s, unsigned k, const uint64_t *stream, uint32_t j, uint64_t v,
                                uint64_t context, uint32_t distance, unsigned letter, struct newest_object *newest,
                                struct column *columns)
{
    if (k != 0 && stream[j - k] == v)
        return CODE_COPY_SAME;
    if (v == s->last)
        return CODE_LAST;
    if (v == 2 * s->last - s->before)
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

/* An event whose value is not what its slot expects outside MODE_CONTEXT: true if it is a miss. */
static __attribute__((noinline)) bool put_unexpected(struct chunk_tables *t, uint32_t slot, uint32_t j, uint64_t v,
                                                     const uint16_t *recent, struct newest_object *newest,
                                                     struct column *columns)
{
    struct value_state *s = &t->states[slot];
    uint64_t *cell = context_of(t, slot, j), context = *cell;
    set_context(t, cell, v);
    if (s->mask == MASK_CONTEXT && context == v) {
        state_hit(s, v);
        return false;
    }
    const uint64_t *stream = t->cells + STREAM_AT;
    unsigned letter = t->letters[t->ids[slot]] & ~KIND_JOINED;
    uint32_t distance = find_recent(stream, recent, j, v);
    enum value_code code =
        put_miss(s, t->tails[slot] & TAIL_DISTANCE, stream, j, v, context, distance, letter, newest, columns);
    *columns[COL_VALUE_CODES].at++ = (uint8_t)code;
    state_miss(s, &t->tails[slot], slot, code, distance, v);
    return true;
}

void values_encode(struct chunk_tables *t, const uint64_t *values, uint32_t value_count, uint16_t *recent,
                   struct column *columns)
{
    struct newest_object newest = { 0 };
    /* copies: the loop need not read them again after a call */
    uint64_t *const cells = t->cells, *const stream = cells + STREAM_AT;
    const uint16_t *const slots = t->value_slots, *const events = t->value_events;
    cells[NEWEST_AT] = 0;
    memset(recent, 0, RECENT_COUNT * sizeof *recent);
    clear_context(t);
    for (uint32_t j = 0; j < value_count;) {
        uint32_t stop = value_count - j < 64 ? value_count : j + 64;
        uint64_t word = 0;
        for (uint32_t b = 0; j < stop; b++, j++) {
            uint32_t slot = slots[j];
            uint64_t v = values[events[j]];
            struct value_state *s = &t->states[slot];
            if (v == expected(cells, s, j) && s->mask != MASK_CONTEXT)
                state_hit(s, v);
            else if (put_unexpected(t, slot, j, v, recent, &newest, columns))
                word |= UINT64_C(1) << b;
            stream[j] = v;
            recent[hash_of(v)] = (uint16_t)j;
            newest.id += v == newest.id + 1 && (t->flags[slot] & SLOT_REF) != 0;
            cells[NEWEST_AT] = newest.id;
        }
        column_put_word(&columns[COL_VALUE_BITS], word);
    }
}

static struct miss_columns misses_of(const struct column *columns)
{
    return (struct miss_columns){ columns[COL_VALUE_CODES], columns[COL_DISTANCES], columns[COL_LITERALS],
                                  columns[COL_WIDE] };
}

static bool misses_finished(const struct miss_columns *m)
{
    return column_finished(&m->codes) && column_finished(&m->distances) && column_finished(&m->literals) &&
           column_finished(&m->wide);
}

/* The value of a miss and what it does to its slot, the inverse of put_miss. The commonest codes come first. */
static inline bool take_miss(struct value_state *s, uint16_t *tail, const uint64_t *stream, uint32_t slot, uint32_t j,
                             const uint64_t *context, uint64_t *newest, uint64_t *value, struct miss_columns *c)
{
    uint64_t v, distance = 0;
    if (c->codes.at == c->codes.end)
        return false;
    enum value_code code = *c->codes.at++;
    if (code == CODE_COPY) {
        distance = column_take_varint(&c->distances);
        if (distance == 0 || distance > j || distance > COPY_MAX)
            return false;
        *value = v = stream[j - distance];
        state_miss(s, tail, slot, CODE_COPY, (uint32_t)distance, v);
        return true;
    }
    if (code == CODE_LITERAL) {
        *value = v = s->last + unzigzag(column_take_varint(&c->literals));
        state_miss(s, tail, slot, CODE_LITERAL, 0, v);
        return true;
    }
    switch (code) {
    case CODE_COPY_SAME:
        if ((*tail & TAIL_DISTANCE) == 0)
            return false;
        v = stream[j - (*tail & TAIL_DISTANCE)];
        break;
    case CODE_LAST: v = s->last; break;
    case CODE_STRIDE: v = 2 * s->last - s->before; break;
    case CODE_FRESH: v = *newest + 1; break;
    case CODE_CONTEXT: v = *context; break;
    case CODE_WIDE: v = column_take_word(&c->wide); break;
    case CODE_REF: v = *newest + unzigzag(column_take_varint(&c->literals)); break;
    case CODE_NEAR: v = (j != 0 ? stream[j - 1] : 0) + unzigzag(column_take_varint(&c->literals)); break;
    case CODE_JUMP:
        v = *newest + unzigzag(column_take_varint(&c->literals));
        *newest = v;
        break;
    case CODE_COPY:
    case CODE_LITERAL:
    case CODE_LIMIT:
    default: return false;
    }
    *value = v;
    state_miss(s, tail, slot, code, 0, v);
    return true;
}

bool values_decode(struct chunk_tables *t, uint64_t *values, uint32_t value_count, struct column *columns)
{
    uint64_t *const cells = t->cells, *const stream = cells + STREAM_AT;
    struct column bits = columns[COL_VALUE_BITS];
    struct miss_columns misses = misses_of(columns);
    uint64_t newest = 0;
    cells[NEWEST_AT] = 0;
    clear_context(t);
    for (uint32_t j = 0; j < value_count;) {
        uint32_t first = j, stop = value_count - j < 64 ? value_count : j + 64;
        uint64_t word = column_take_word(&bits), v, fresh = newest + 1;
        while (j < stop) {
            uint32_t miss = word != 0 ? first + (uint32_t)__builtin_ctzll(word) : stop;
            miss = miss < stop ? miss : stop;
            for (; j < miss; j++) {
                uint32_t slot = t->value_slots[j];
                struct value_state *s = &t->states[slot];
                KEEP_ADDRESS(s);
                v = s->mask != MASK_CONTEXT ? expected(cells, s, j) : *context_of(t, slot, j);
                state_hit(s, v);
                stream[j] = values[t->value_events[j]] = v;
                if (v == fresh && (t->flags[slot] & SLOT_REF) != 0)
                    cells[NEWEST_AT] = fresh++;
            }
            if (j == stop)
                break;
            word &= word - 1;
            uint32_t slot = t->value_slots[j];
            uint64_t *context = context_of(t, slot, j);
            struct value_state *s = &t->states[slot];
            KEEP_ADDRESS(s);
            newest = fresh - 1;
            if (!take_miss(s, &t->tails[slot], stream, slot, j, context, &newest, &v, &misses))
                return false;
            set_context(t, context, v);
            stream[j] = values[t->value_events[j]] = v;
            newest += v == newest + 1 && (t->flags[slot] & SLOT_REF) != 0;
            cells[NEWEST_AT] = newest;
            fresh = newest + 1;
            j++;
        }
        newest = fresh - 1;
    }
    return column_finished(&bits) && misses_finished(&misses);
}

/* ---- one by one ---- */

void values_begin(struct chunk_tables *t, struct value_reader *r, const struct column *columns)
{
    t->cells[NEWEST_AT] = 0;
    clear_context(t);
    *r = (struct value_reader){ .bits = columns[COL_VALUE_BITS], .misses = misses_of(columns) };
}

bool values_take(struct chunk_tables *t, struct value_reader *r, uint32_t slot, uint64_t *value)
{
    uint64_t *stream = t->cells + STREAM_AT, v;
    uint32_t j = r->taken++;
    struct value_state *s = &t->states[slot];
    if (j % 64 == 0)
        r->word = column_take_word(&r->bits);
    bool miss = (r->word & 1) != 0;
    r->word >>= 1;
    if (!miss) {
        v = s->mask != MASK_CONTEXT ? expected(t->cells, s, j) : *context_of(t, slot, j);
        state_hit(s, v);
    } else {
        uint64_t *context = context_of(t, slot, j);
        if (!take_miss(s, &t->tails[slot], stream, slot, j, context, &r->newest, &v, &r->misses))
            return false;
        set_context(t, context, v);
    }
    stream[j] = *value = v;
    r->newest += v == r->newest + 1 && (t->flags[slot] & SLOT_REF) != 0;
    t->cells[NEWEST_AT] = r->newest;
    return true;
}

bool values_finished(const struct value_reader *r)
{
    return column_finished(&r->bits) && misses_finished(&r->misses) && r->word == 0;
}
