/* derive_records.c - puts records of the hook into a derived chunk; see derive_encoder.h. What records that begin with
 * a data ID hold is found out once. Most hold nothing but what follows: these are counted in one loop, put_straight. */
#include "formats/derive_encoder.h"

#include <string.h>

#include "formats/roles.h"

/* Adds the next event of a record, of the same method as its first one. */
static void add_event(struct record *r, uint32_t row, unsigned kind)
{
    const bool has_value = kind != KIND_VOID;
    const unsigned role = row & SITE_ROLE, k = r->events;
    uint8_t at = (uint8_t)(k | (kind == KIND_REF ? VALUE_REFERENCE : 0u));
    bool plain = (row & SITE_RECORDED) == 0 && (r->flags & (RECORD_LAST | RECORD_EXITS)) == 0;
    switch (role) {
    case SITE_IMPLIED:
    case SITE_BLOCK: break;
    case SITE_INPUT:
        plain = plain && has_value;
        at |= VALUE_STORED;
        break;
    case SITE_CALL:
        plain = plain && (r->flags & RECORD_CALLS) == 0;
        r->flags |= RECORD_CALLS;
        r->call = (uint8_t)k;
        break;
    case SITE_ARGUMENT: r->flags |= RECORD_ARGUMENTS; break;
    case SITE_RESULT:
        plain = plain && k == 0;
        r->flags |= RECORD_RETURNS;
        break;
    case SITE_EXIT: r->flags |= RECORD_EXITS; break;
    default: plain = false; break;
    }
    if ((row & SITE_LAST) != 0)
        r->flags |= RECORD_LAST;
    if (has_value && r->values == JOURNAL_RECORD_VALUES)
        r->form = RECORD_BY_CALLER;
    if (has_value && r->values < JOURNAL_RECORD_VALUES)
        r->at[r->values++] = at;
    if (has_value && (row & (SITE_FLOAT | SITE_DOUBLE)) != 0 && role != SITE_RESULT)
        r->flags |= RECORD_FLOATS;
    if (!plain && r->form == RECORD_PLAIN)
        r->form = RECORD_EVENTS;
    r->events++;
}

static inline unsigned value_at(const struct record *r, unsigned k) { return r->at[k] & VALUE_AT; }

/* The record begins with an entry: has it all parameters, and no value behind them? */
static void examine_entry(const struct derive_encoder *e, uint32_t first, struct record *r)
{
    const struct derive_sites *sites = &e->tables.sites;
    uint32_t n = 1;
    if ((sites->rows[first] & (SITE_RECORDED | SITE_ROLE)) != SITE_ENTRY || r->form != RECORD_EVENTS)
        return;
    while (first + n < sites->count && sites->rows[first + n] >> SITE_METHOD_SHIFT == r->method &&
           (sites->rows[first + n] & SITE_ROLE) == SITE_PARAMETER)
        n++;
    const bool shown = kind_of(e, first) != KIND_VOID;
    bool complete = n <= r->events && r->values == n - !shown && (r->values == 0 || value_at(r, r->values - 1u) < n);
    for (uint32_t k = n; k < r->events; k++) {
        const uint32_t role = sites->rows[first + k] & SITE_ROLE;
        complete = complete && (role == SITE_IMPLIED || role == SITE_BLOCK);
    }
    if (complete) {
        r->form = RECORD_ENTRY;
        r->call = (uint8_t)(n - 1);
    }
}

/* Finds out what the records hold that begin with a data ID. */
static void examine(struct derive_encoder *e, uint32_t first, struct record *r)
{
    const struct derive_tables *tables = &e->tables;
    const uint32_t *rows = tables->sites.rows;
    *r = (struct record){ .form = RECORD_PLAIN, .method = rows[first] >> SITE_METHOD_SHIFT };
    for (uint32_t id = first;; id++) {
        unsigned role = tables->roles[id];
        if (role == ROLE_SUPER || role == ROLE_SUPER_MARK || rows[id] >> SITE_METHOD_SHIFT != r->method) {
            r->form = RECORD_BY_CALLER;
            return;
        }
        if (role == ROLE_CATCH)
            r->flags |= RECORD_CATCH;
        add_event(r, rows[id], kind_of(e, id));
        if (r->events == JOURNAL_RECORD_EVENTS || id + 1 >= tables->kinds.count || id + 1 >= tables->sites.count ||
            !(tables->kinds.letters[id + 1] & KIND_JOINED))
            break;
    }
    examine_entry(e, first, r);
    if (r->form == RECORD_PLAIN && (rows[first] & SITE_INPUTS) != 0) {
        const struct block_place *place = blocks_place(&e->blocks, first);
        if (place == NULL) {
            r->form = RECORD_BY_CALLER; /* no memory */
            return;
        }
        r->place = *place;
        place += r->events - 1; /* move_to */
        if (place->first != r->place.first || place->number != r->place.number + r->events - 1)
            r->form = RECORD_EVENTS;
    }
    if (r->form == RECORD_PLAIN && r->flags == 0 && r->values <= STRAIGHT_VALUES)
        r->form = RECORD_STRAIGHT;
}

static __attribute__((noinline)) const struct record *new_record(struct derive_encoder *e, uint32_t id)
{
    if (id >= e->records.count && (id >= e->tables.sites.count || !vec_extend(&e->records, e->tables.sites.count)))
        return NULL;
    struct record *r = &e->records.items[id];
    if (r->form == RECORD_UNKNOWN)
        examine(e, id, r);
    return r;
}

/* NULL: no memory, or the data ID has no row. */
static inline const struct record *record_of(struct derive_encoder *e, uint32_t id)
{
    bool known = id < e->records.count && e->records.items[id].form != RECORD_UNKNOWN;
    return known ? &e->records.items[id] : new_record(e, id);
}

static bool has_nan(const struct derive_encoder *e, const struct record *r, uint32_t id, const uint64_t *words)
{
    for (unsigned k = 0; k < r->values; k++) {
        const uint32_t row = e->tables.sites.rows[id + value_at(r, k)];
        if ((row & SITE_ROLE) != SITE_RESULT && is_nan((row & SITE_FLOAT) != 0, (row & SITE_DOUBLE) != 0, words[k]))
            return true;
    }
    return false;
}

static inline uint64_t value_of(const struct record *r, unsigned k, const uint64_t *words)
{
    return (r->at[k] & VALUE_REFERENCE) != 0 ? object_id(words[k]) : words[k];
}

/* RECORD_RETURNS. False: the top frame does not wait for this return. */
static inline bool put_return(struct derive_encoder *e, struct derive_frame *top, const struct record *r, uint32_t id,
                              const uint64_t *words)
{
    struct derive_thread *t = e->t;
    const uint64_t returned = r->values > 0 && value_at(r, 0) == 0 ? value_of(r, 0, words) : 0;
    if (id != top->pending_call + 1 || top->recorded || t->state == DERIVE_RUNS ||
        (t->state == DERIVE_RETURNS && returned != t->returned))
        return false;
    if (t->state == DERIVE_OPEN)
        encoder_store_named(e, e->count, id, returned);
    top->pending_call = DERIVE_NO_CALL;
    t->state = DERIVE_RUNS;
    return true;
}

/* The last event of the record, which begins with `id`, is the last one of the top frame. */
static inline void move_to(struct derive_encoder *e, struct derive_frame *top, const struct record *r, uint32_t id)
{
    top->last_id = e->at_id = id + r->events - 1u;
    e->at = r->place;
    e->at.number = (uint16_t)(e->at.number + r->events - 1u);
}

/* False: nothing was put, since the top frame does not run up to the record, or a value is a NaN. */
static inline bool put_plain(struct derive_encoder *e, const struct record *r, uint32_t id, const uint64_t *words)
{
    struct derive_thread *t = e->t;
    struct derive_frame *top = derive_top(t);
    const bool inputs = r->place.first != 0;
    if (top == NULL || top->method != r->method || ((r->flags & RECORD_FLOATS) != 0 && has_nan(e, r, id, words)))
        return false;
    if ((r->flags & RECORD_RETURNS) != 0) {
        if (!put_return(e, top, r, id, words))
            return false;
    } else if (t->state != DERIVE_RUNS) {
        return false;
    } else if (inputs && !count_implied_to(e, top, id, r->place, r->events)) {
        return true;
    }
    if (inputs)
        move_to(e, top, r, id);
    else
        top->last_id = id + r->events - 1u;
    const uint32_t i = e->count;
    if ((r->flags & RECORD_CALLS) != 0)
        begin_call(e, i + r->call, id + r->call, 0);
    for (unsigned k = 0; k < r->values; k++) {
        const uint32_t at = value_at(r, k);
        const uint64_t value = value_of(r, k, words);
        store_if(e, (r->at[k] & VALUE_STORED) != 0, i + at, id + at, value);
        if ((r->flags & (RECORD_CALLS | RECORD_ARGUMENTS)) != 0)
            note_argument(e, i + at, value);
    }
    e->count = i + r->events;
    if ((r->flags & RECORD_LAST) != 0)
        derive_call(t, top, id + r->events - 1u, i + r->events - 1u);
    else if ((r->flags & RECORD_EXITS) != 0) {
        const unsigned last = r->values - 1u;
        derive_exit(t, r->values > 0 && value_at(r, last) == r->events - 1u ? value_of(r, last, words) : 0);
    }
    return true;
}

/* The values that the words of a record stand for. */
static inline void read_values(const struct record *r, const uint64_t *words, uint64_t out[JOURNAL_RECORD_VALUES])
{
    for (unsigned k = 0; k < r->values; k++)
        out[k] = value_of(r, k, words);
}

/* The values of all events of a record. */
static void spread(const struct record *r, const uint64_t *values, uint64_t *out)
{
    memset(out, 0, r->events * sizeof *out);
    for (unsigned k = 0; k < r->values; k++)
        out[value_at(r, k)] = values[k];
}

/* Continues `all`, the values of the first `known` events of consecutive data IDs, with those in the records at `at`,
 * up to `wanted`, as far as they come into this chunk. Returns how many there are then. */
static uint32_t look_ahead(struct derive_encoder *e, uint32_t id, const uint64_t *at, const uint64_t *end,
                           uint64_t *all, uint32_t known, uint32_t wanted)
{
    const uint32_t head = 1u + e->tables.timed;
    while (known < wanted && at < end && (uint32_t)*at == id + known && (uint32_t)(*at >> 32) == (uint32_t)e->stamp &&
           e->count + known <= DERIVE_CHUNK_FULL) {
        const struct record *r = record_of(e, id + known);
        if (r == NULL || r->form == RECORD_BY_CALLER || (size_t)(end - at) < head + r->values ||
            known + r->events > wanted)
            break;
        uint64_t values[JOURNAL_RECORD_VALUES];
        read_values(r, at + head, values);
        spread(r, values, all + known);
        at += head + r->values;
        known += r->events;
    }
    return known;
}

/* Of a METHOD_EXCEPTIONAL_EXIT with inputs two records come. The word of the first one is -1 - the pc of the
 * instruction that threw, that of the second one the exception. */
static inline bool is_position(uint32_t row, const uint64_t *words)
{
    return (row & (SITE_INPUTS | SITE_ROLE)) == (SITE_INPUTS | SITE_THROWN) && (int64_t)words[0] < 0;
}

bool derive_is_position(const struct derive_encoder *e, uint32_t id, uint64_t word)
{
    return id < e->tables.sites.count && is_position(e->tables.sites.rows[id], &word);
}

uint32_t derive_record_events(const struct derive_encoder *e, uint32_t id, const uint64_t *words)
{
    return is_position(e->tables.sites.rows[id], words) ? 0 : e->records.items[id].events;
}

static void put_events(struct derive_encoder *e, const struct record *r, uint32_t id, const uint64_t *words,
                       const uint64_t *end)
{
    uint64_t all[ARGUMENTS_MAX + JOURNAL_RECORD_EVENTS], values[JOURNAL_RECORD_VALUES];
    uint32_t known = r->events, row = e->tables.sites.rows[id], parameters;
    read_values(r, words, values);
    spread(r, values, all);
    if ((row & SITE_ROLE) == SITE_ENTRY && is_called(e->t, e->count)) {
        parameters = encoder_parameters(e, id, e->count);
        if (parameters < ARGUMENTS_MAX)
            known = look_ahead(e, id, words + r->values, end, all, known, parameters + 1);
    }
    for (uint32_t k = 0; k < r->events; k++)
        if (!encoder_put_event(e, id + k, all + k, known - k, r->events - k))
            return;
}

/* RECORD_ENTRY. False: nothing was put, since it does not come right after a call with these arguments, or one is a
 * NaN. */
static inline bool put_direct(struct derive_encoder *e, const struct record *r, uint32_t id, const uint64_t *words)
{
    const uint32_t i = e->count;
    if (!is_called(e->t, i) || encoder_parameters(e, id, i) != r->call || i + r->events > CHUNK_EVENTS_MAX ||
        ((r->flags & RECORD_FLOATS) != 0 && has_nan(e, r, id, words)))
        return false;
    const unsigned first = r->call + 1u - r->values; /* 1: the entry itself has no value */
    if (first > 0 && e->arguments[0] != 0)
        return false;
    for (unsigned k = 0; k < r->values; k++)
        if (value_of(r, k, words) != e->arguments[first + k])
            return false;
    encoder_enter_direct(e, i, id, r->method);
    derive_top(e->t)->last_id = id + r->events - 1u;
    e->count = i + r->events;
    return true;
}

/* The record, whose stamp is noted. */
static inline void put_record(struct derive_encoder *e, const struct record *r, uint32_t id, const uint64_t *words,
                              const uint64_t *end)
{
    bool put = false;
    if (r->form == RECORD_PLAIN || r->form == RECORD_STRAIGHT)
        put = put_plain(e, r, id, words);
    else if (r->form == RECORD_ENTRY)
        put = put_direct(e, r, id, words);
    else if (is_position(e->tables.sites.rows[id], words)) {
        struct derive_frame *top = derive_top(e->t);
        if (e->t->state == DERIVE_RUNS && has_inputs(top, e->tables.sites.rows[id]))
            (void)encoder_count_implied_thrown(e, top, id, (uint32_t)(-1 - (int64_t)words[0]), 0);
        return;
    }
    if (!put)
        put_events(e, r, id, words, end);
    set_running(e);
}

const uint64_t *derive_put_record(struct derive_encoder *e, uint32_t id, uint64_t stamp, const uint64_t *words,
                                  const uint64_t *end)
{
    const struct record *r = record_of(e, id);
    if (r == NULL || r->form == RECORD_BY_CALLER || end - words < r->values ||
        e->count > (uint32_t)CHUNK_EVENTS_MAX - r->events)
        return NULL;
    note_stamp(e, stamp);
    put_record(e, r, id, words, end);
    return e->full ? NULL : words + r->values;
}

/* A value of a straight record whose first event is number i: stores it if it is an input, and returns what it adds to
 * the check value. */
static inline uint64_t put_value(struct chunk_columns *stored, uint32_t i, uint32_t id, uint8_t place, uint64_t word)
{
    uint32_t at = place & VALUE_AT, is_stored = (place & VALUE_STORED) != 0;
    uint64_t value = (place & VALUE_REFERENCE) != 0 ? object_id(word) : word;
    stored->ids[stored->count] = id + at;
    stored->values[stored->count] = value;
    stored->count += is_stored;
    return derive_check(0, i + at, id + at, value) & (0 - (uint64_t)is_stored);
}

/* Puts the straight records at `p`, of the top frame's code, and returns where they end. */
static const uint64_t *put_straight(struct derive_encoder *e, const uint64_t *p, const uint64_t *end)
{
    const struct record *records = e->records.items;
    const uint32_t known = (uint32_t)e->records.count, running = e->running, stamp = (uint32_t)e->stamp;
    struct chunk_columns stored = e->rest.stored;
    uint64_t check = e->check;
    uint32_t count = e->count, last = UINT32_MAX;
    struct derive_frame *top = derive_top(e->t);
    struct block_place at = { 0, 0, 0 };
    if (top->last_id == e->at_id)
        at = e->at;
    else if (has_inputs(top, e->tables.sites.rows[top->last_id]) && top->last_id < e->blocks.places.count)
        at = e->blocks.places.items[top->last_id];
    while (end - p > STRAIGHT_VALUES && count <= DERIVE_CHUNK_FULL) {
        uint32_t id = (uint32_t)*p;
        if (id >= known || (uint32_t)(*p >> 32) != stamp)
            break;
        const struct record *r = &records[id];
        if (r->form != RECORD_STRAIGHT || r->method != running)
            break;
        uint32_t i = count + blocks_between(at, r->place);
        if (i > DERIVE_CHUNK_FULL)
            break;
        at = r->place;
        at.number = (uint16_t)(at.number + (at.first != 0 ? r->events - 1u : 0));
        last = id + r->events - 1u;
        count = i + r->events;
        /* branches, since they are predicted: the next record is then read before this one is done */
        if (r->values == 0) {
            p++;
            continue;
        }
        check += put_value(&stored, i, id, r->at[0], p[1]);
        if (r->values == 1) {
            p += 2;
            continue;
        }
        check += put_value(&stored, i, id, r->at[1], p[2]);
        p += 3;
    }
    if (last == UINT32_MAX)
        return p;
    e->check = check;
    e->count = count;
    e->rest.stored.count = stored.count;
    top->last_id = last;
    if (at.first != 0) {
        e->at = at;
        e->at_id = last;
    }
    return p;
}

const uint64_t *derive_put_records(struct derive_encoder *e, uint32_t first, uint64_t below, const uint64_t *p,
                                   const uint64_t *end)
{
    while (e->count > 0 && p < end) {
        if (e->running != UINT32_MAX)
            p = put_straight(e, p, end);
        if (p >= end || e->count > DERIVE_CHUNK_FULL || (uint32_t)*p < first)
            break;
        uint32_t id = (uint32_t)*p;
        const uint64_t stamp = journal_full_stamp(e->stamp, (uint32_t)(*p >> 32));
        const struct record *r = record_of(e, id);
        if (r == NULL || r->form == RECORD_BY_CALLER || (r->flags & RECORD_CATCH) != 0 || end - p - 1 < r->values ||
            stamp >= below)
            break;
        note_stamp(e, stamp);
        put_record(e, r, id, p + 1, end);
        if (e->full)
            break;
        p += 1 + r->values;
    }
    return p;
}
