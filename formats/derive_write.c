/* derive_write.c - see derive_write.h; derived.c has the layout of the bytes. derive_put_record is a hot path. */
#include "formats/derive_write.h"

#include <zstd.h>

#include "formats/derive_parts.h"
#include "formats/event.h"
#include "formats/roles.h"

enum { ZSTD_LEVEL = 1, PACK_LEAST = 24, ARGUMENTS_MAX = 256 };

/* How the records are put that begin with a data ID. */
enum record_form {
    RECORD_UNKNOWN, /* not yet found out */
    RECORD_PLAIN,   /* events of one frame that follow or hold a value */
    RECORD_EVENTS,  /* one by one */
    RECORD_ASIDE,   /* by the caller */
};
enum record_flag {
    RECORD_RETURNS = 1,   /* the first event is the return of a call */
    RECORD_CALLS = 2,     /* the event number `call` begins a call */
    RECORD_ARGUMENTS = 4, /* of a call that began before */
    RECORD_LAST = 8,      /* the last event is the last one of a call */
    RECORD_EXITS = 16,    /* the last event is the exit of the method */
    RECORD_FLOATS = 32,   /* a value may be a NaN */
    RECORD_CATCH = 64,    /* the first event is a CATCH */
};
struct record {
    uint8_t form, flags;
    uint8_t events, values, call;
    uint8_t held;                      /* bits by value */
    uint8_t at[JOURNAL_RECORD_VALUES]; /* of a value: number of its event in the record */
};
/* The same of a plain record without flags, in few bytes: the table has an entry per data ID and is read all the time.
 */
enum { STRAIGHT_VALUES = 2, STRAIGHT_HELD = 0x80 };
struct straight {
    uint32_t method; /* derive_frame.method; 0: the record is not straight, or not yet examined */
    uint8_t events;
    uint8_t values;
    uint8_t at[STRAIGHT_VALUES]; /* | STRAIGHT_HELD */
};
_Static_assert(sizeof(struct straight) == 8, "eight a cache line");

/* What the data IDs id, id + 1, ... of a record with some number of events add to the check value (derive_check), if
 * its first event is number i: DERIVE_CHECK_ID * (id * ids + fixed + 2 * i * (id * events + sum)). */
struct record_check {
    uint64_t ids, fixed, sum;
};

struct derive_encoder {
    struct derive_tables tables;
    struct derive_thread *t;
    uint32_t count;
    uint64_t check, stamp;
    uint32_t explicit_at; /* number of the last event of put_explicit */
    uint32_t stamp_event;
    struct chunk_columns held;
    uint64_t arguments[ARGUMENTS_MAX]; /* of the call that begins at t->call_at: values of its events */
    uint32_t call;                     /* data ID of that event */
    bool fresh;
    bool bad;                   /* too many events, no memory, or a data ID without a row */
    uint32_t running;           /* derive_frame.method of the top frame in DERIVE_RUNS; else UINT32_MAX */
    VEC(struct record) records; /* by data ID, as the following ones */
    VEC(struct straight) straight;
    struct record_check checks[JOURNAL_RECORD_EVENTS + 1]; /* by number of events */
    struct chunk_encoder *chunks;
    ZSTD_CCtx *zstd;
    struct writer listed, stamps, lists;
    uint32_t listed_count, stamp_count, listed_last;
};

static void init_checks(struct record_check *checks)
{
    for (uint64_t n = 1, sum = 0, squares = 0; n <= JOURNAL_RECORD_EVENTS; sum += n, squares += n * n, n++)
        checks[n] =
            (struct record_check){ n * DERIVE_CHECK_EVENT + 2 * sum, DERIVE_CHECK_EVENT * sum + 2 * squares, sum };
}

struct derive_encoder *derive_encoder_new(void)
{
    struct derive_encoder *e = calloc(1, sizeof *e);
    if (e == NULL)
        return NULL;
    init_checks(e->checks);
    e->chunks = chunk_encoder_new();
    e->zstd = ZSTD_createCCtx();
    e->held.ids = malloc((CHUNK_EVENTS_MAX + 1) * sizeof *e->held.ids); /* hold_if writes one more */
    e->held.values = malloc((CHUNK_EVENTS_MAX + 1) * sizeof *e->held.values);
    e->held.stamps = calloc(CHUNK_EVENTS_MAX, sizeof *e->held.stamps);
    if (e->chunks == NULL || e->zstd == NULL || e->held.ids == NULL || e->held.values == NULL ||
        e->held.stamps == NULL) {
        derive_encoder_free(e);
        return NULL;
    }
    return e;
}

void derive_encoder_free(struct derive_encoder *e)
{
    if (e == NULL)
        return;
    chunk_encoder_free(e->chunks);
    ZSTD_freeCCtx(e->zstd);
    free(e->held.ids);
    free(e->held.values);
    free(e->held.stamps);
    vec_free(&e->records);
    vec_free(&e->straight);
    writer_free(&e->listed);
    writer_free(&e->stamps);
    writer_free(&e->lists);
    free(e);
}

/* After a step of the state. */
static inline void set_running(struct derive_encoder *e)
{
    e->running = e->t->state == DERIVE_RUNS ? derive_top(e->t)->method : UINT32_MAX;
}

void derive_begin(struct derive_encoder *e, struct derive_thread *t, bool fresh, const struct derive_tables *tables)
{
    e->tables = *tables;
    e->t = t;
    e->fresh = fresh;
    e->count = e->held.count = e->listed_count = e->stamp_count = e->listed_last = e->stamp_event = 0;
    e->check = e->stamp = 0;
    e->listed.size = e->stamps.size = 0;
    e->bad = false;
    if (fresh)
        derive_forget(t);
    derive_begin_chunk(t);
    set_running(e);
}

uint32_t derive_events(const struct derive_encoder *e) { return e->count; }

/* ---- one event ---- */

static inline bool is_nan(bool is_float, bool is_double, uint64_t value)
{
    return (is_double && (value & INT64_MAX) > UINT64_C(0x7ff0000000000000)) ||
           (is_float && (value & INT32_MAX) > 0x7f800000);
}

static inline void hold_if(struct derive_encoder *e, bool held, uint32_t id, uint64_t value)
{
    e->held.ids[e->held.count] = id;
    e->held.values[e->held.count] = value;
    e->held.count += held;
}

static void list(struct derive_encoder *e, uint32_t i)
{
    write_varint(&e->listed, i - e->listed_last);
    e->listed_last = i;
    e->listed_count++;
}

static inline void note_stamp(struct derive_encoder *e, uint64_t stamp)
{
    if (stamp == e->stamp && e->count > 0)
        return;
    write_varint(&e->stamps, e->count - e->stamp_event);
    write_varint(&e->stamps, stamp - e->stamp);
    e->stamp = stamp;
    e->stamp_event = e->count;
    e->stamp_count++;
}

/* The event `i` begins a call. */
static inline void begin_call(struct derive_encoder *e, uint32_t i, uint32_t id, uint64_t value)
{
    e->t->call_at = i;
    e->call = id;
    e->arguments[0] = value;
}

static inline void note_argument(struct derive_encoder *e, uint32_t i, uint64_t value)
{
    if (i - e->t->call_at < ARGUMENTS_MAX) /* wraps if there is no call */
        e->arguments[i - e->t->call_at] = value;
}

static unsigned kind_of(const struct derive_encoder *e, uint32_t id) { return e->tables.kinds.letters[id] & 0x7fu; }

/* Number of parameters of the entry `id`, whose kinds are those of the arguments of the call that ends right before
 * event `i`; UINT32_MAX if they are not. */
static uint32_t matching_parameters(const struct derive_encoder *e, uint32_t id, uint32_t i)
{
    const struct news_table *news = &e->tables.news;
    const struct derive_frame *top = derive_top(e->t);
    uint32_t method = news->rows[id] >> NEWS_METHOD_SHIFT, arguments = i - e->t->call_at - 1, count = 0;
    if (e->t->call_at >= i || (news->rows[id] & NEWS_RECORDED) != 0 || top == NULL || top->call != e->call + arguments)
        return UINT32_MAX;
    while (id + count + 1 < news->count && (news->rows[id + count + 1] & NEWS_ROLE) == NEWS_PARAMETER &&
           news->rows[id + count + 1] >> NEWS_METHOD_SHIFT == method)
        count++;
    if (count != arguments || count >= ARGUMENTS_MAX)
        return UINT32_MAX;
    for (uint32_t k = 0; k <= count; k++)
        if (kind_of(e, id + k) != kind_of(e, e->call + k))
            return UINT32_MAX;
    return count;
}

/* Is event `i` an entry right after a call? */
static inline bool is_called(const struct derive_thread *t, uint32_t i)
{
    return t->state == DERIVE_OPEN && t->called == i && i > 0;
}

/* Event `i`, which is in the chunk. */
static void put_explicit(struct derive_encoder *e, uint32_t i, uint32_t id, uint32_t row, const uint64_t *values,
                         uint32_t known)
{
    struct derive_thread *t = e->t;
    bool direct = false, listed = t->state != DERIVE_OPEN;
    if ((row & NEWS_ROLE) == NEWS_ENTRY && is_called(t, i)) {
        uint32_t parameters = matching_parameters(e, id, i);
        direct = parameters < known && memcmp(values, e->arguments, (parameters + 1) * sizeof *values) == 0;
        listed = !direct;
    }
    if (t->state == DERIVE_RETURNS)
        t->state = DERIVE_OPEN;
    e->explicit_at = i;
    if (listed)
        list(e, i);
    hold_if(e, true, id, direct ? 0 : *values);
    enum derive_move move = derive_event(t, id, row, *values, direct);
    if (move == MOVE_NEXT && (row & NEWS_ROLE) == NEWS_CALL)
        begin_call(e, i, id, *values);
    if (move == MOVE_NEXT && (row & NEWS_LAST) != 0)
        derive_call(t, derive_top(t), id, i);
    e->bad |= move == MOVE_NO_MEMORY;
}

/* The next event, whose stamp is noted. */
static void put_event(struct derive_encoder *e, uint32_t id, const uint64_t *values, uint32_t known)
{
    if (id >= e->tables.news.count || e->count >= CHUNK_EVENTS_MAX) {
        e->bad = true;
        return;
    }
    struct derive_thread *t = e->t;
    struct derive_frame *top = derive_top(t);
    uint32_t row = e->tables.news.rows[id], role = row & NEWS_ROLE, i = e->count++;
    uint64_t value = *values;
    bool own = top != NULL && top->method == row >> NEWS_METHOD_SHIFT;
    e->check = derive_check(e->check, i, id, value);
    if (role == NEWS_ARGUMENT)
        note_argument(e, i, value);
    if (t->state == DERIVE_RUNS && own && !is_nan((row & NEWS_FLOAT) != 0, (row & NEWS_DOUBLE) != 0, value)) {
        switch (role) {
        case NEWS_FOLLOWS:
        case NEWS_ARGUMENT: break;
        case NEWS_CALL: begin_call(e, i, id, value); break;
        case NEWS_PARAMETER: hold_if(e, !top->direct, id, value); return;
        case NEWS_VALUE: hold_if(e, true, id, value); return;
        case NEWS_EXIT: derive_exit(t, value); return;
        default: put_explicit(e, i, id, row, values, known); return;
        }
        if ((row & NEWS_LAST) != 0)
            derive_call(t, top, id, i);
        return;
    }
    if (t->state == DERIVE_RETURNS && own && role == NEWS_RETURN && id == top->call + 1 && value == t->returned) {
        top->call = DERIVE_NO_CALL;
        t->state = DERIVE_RUNS;
        return;
    }
    put_explicit(e, i, id, row, values, known);
}

void derive_put(struct derive_encoder *e, uint32_t id, uint64_t stamp, const uint64_t *values, uint32_t known)
{
    note_stamp(e, stamp);
    put_event(e, id, values, known);
    set_running(e);
}

void derive_complete(struct derive_encoder *e, uint64_t unknown, uint64_t value)
{
    uint32_t n = e->held.count, i = e->count;
    if (n == 0 || e->explicit_at + 1 != i || e->tables.roles[e->held.ids[n - 1]] != ROLE_CATCH_LABEL)
        return;
    for (;
         n > 1 && i > 1 && e->tables.roles[e->held.ids[n - 2]] == ROLE_EXCEPTIONAL && e->held.values[n - 2] == unknown;
         n--, i--) {
        e->held.values[n - 2] = value;
        e->check += (value - unknown) * (DERIVE_CHECK_EVENT + 2 * (i - 2));
    }
}

/* ---- a record ---- */

static inline uint64_t check_ids(const struct record_check *checks, uint64_t id, unsigned events, uint64_t i)
{
    const struct record_check *c = &checks[events];
    return DERIVE_CHECK_ID * (id * c->ids + c->fixed + 2 * i * (id * events + c->sum));
}

/* Adds the next event of a record, of the same method as its first one. */
static void add_event(struct record *r, uint32_t row, bool has_value)
{
    unsigned role = row & NEWS_ROLE, k = r->events, bit = 1u << r->values;
    bool plain = (row & NEWS_RECORDED) == 0 && (r->flags & (RECORD_LAST | RECORD_EXITS)) == 0;
    switch (role) {
    case NEWS_FOLLOWS: break;
    case NEWS_VALUE:
        plain = plain && has_value;
        r->held |= (uint8_t)bit;
        break;
    case NEWS_CALL:
        plain = plain && (r->flags & RECORD_CALLS) == 0;
        r->flags |= RECORD_CALLS;
        r->call = (uint8_t)k;
        break;
    case NEWS_ARGUMENT: r->flags |= RECORD_ARGUMENTS; break;
    case NEWS_RETURN:
        plain = plain && k == 0;
        r->flags |= RECORD_RETURNS;
        break;
    case NEWS_EXIT: r->flags |= RECORD_EXITS; break;
    default: plain = false; break;
    }
    if ((row & NEWS_LAST) != 0)
        r->flags |= RECORD_LAST;
    if (has_value && r->values == JOURNAL_RECORD_VALUES)
        r->form = RECORD_ASIDE;
    if (has_value && r->values < JOURNAL_RECORD_VALUES)
        r->at[r->values++] = (uint8_t)k;
    if ((row & (NEWS_FLOAT | NEWS_DOUBLE)) != 0 && role != NEWS_RETURN)
        r->flags |= RECORD_FLOATS;
    if (!plain && r->form == RECORD_PLAIN)
        r->form = RECORD_EVENTS;
    r->events++;
}

static uint8_t straight_value(const struct record *r, unsigned k)
{
    return (uint8_t)(r->at[k] | ((r->held >> k & 1) != 0 ? STRAIGHT_HELD : 0));
}

/* Finds out what the records hold that begin with a data ID. */
static void examine(struct derive_encoder *e, uint32_t first, struct record *r)
{
    const struct derive_tables *tables = &e->tables;
    const uint32_t *rows = tables->news.rows;
    *r = (struct record){ .form = RECORD_PLAIN };
    for (uint32_t id = first;; id++) {
        unsigned role = tables->roles[id];
        if (role == ROLE_SUPER || role == ROLE_SUPER_MARK ||
            rows[id] >> NEWS_METHOD_SHIFT != rows[first] >> NEWS_METHOD_SHIFT) {
            r->form = RECORD_ASIDE;
            return;
        }
        if (role == ROLE_CATCH)
            r->flags |= RECORD_CATCH;
        add_event(r, rows[id], kind_of(e, id) != KIND_VOID);
        if (r->events == JOURNAL_RECORD_EVENTS || id + 1 >= tables->kinds.count || id + 1 >= tables->news.count ||
            !(tables->kinds.letters[id + 1] & KIND_JOINED))
            break;
    }
    if (r->form == RECORD_PLAIN && r->flags == 0 && r->values <= STRAIGHT_VALUES)
        e->straight.items[first] = (struct straight){ .method = rows[first] >> NEWS_METHOD_SHIFT,
                                                      .events = r->events,
                                                      .values = r->values,
                                                      .at = { straight_value(r, 0), straight_value(r, 1) } };
}

/* NULL: no memory, or the data ID has no row. */
static inline const struct record *record_of(struct derive_encoder *e, uint32_t id)
{
    if (id >= e->records.count && (id >= e->tables.news.count || !vec_extend(&e->straight, e->tables.news.count) ||
                                   !vec_extend(&e->records, e->tables.news.count)))
        return NULL;
    struct record *r = &e->records.items[id];
    if (r->form == RECORD_UNKNOWN)
        examine(e, id, r);
    return r;
}

static bool has_nan(const struct derive_encoder *e, const struct record *r, uint32_t id, const uint64_t *values)
{
    for (unsigned k = 0; k < r->values; k++) {
        uint32_t row = e->tables.news.rows[id + r->at[k]];
        if ((row & NEWS_ROLE) != NEWS_RETURN && is_nan((row & NEWS_FLOAT) != 0, (row & NEWS_DOUBLE) != 0, values[k]))
            return true;
    }
    return false;
}

/* False: nothing was put, since the top frame does not run up to the record, or a value is a NaN. */
static inline bool put_plain(struct derive_encoder *e, const struct record *r, uint32_t id, const uint64_t *values)
{
    struct derive_thread *t = e->t;
    struct derive_frame *top = derive_top(t);
    if (top == NULL || top->method != e->tables.news.rows[id] >> NEWS_METHOD_SHIFT ||
        ((r->flags & RECORD_FLOATS) != 0 && has_nan(e, r, id, values)))
        return false;
    if ((r->flags & RECORD_RETURNS) != 0) {
        uint64_t returned = r->values > 0 && r->at[0] == 0 ? values[0] : 0;
        if (id != top->call + 1 || top->recorded || t->state == DERIVE_RUNS ||
            (t->state == DERIVE_RETURNS && returned != t->returned))
            return false;
        hold_if(e, t->state == DERIVE_OPEN, id, returned);
        top->call = DERIVE_NO_CALL;
        t->state = DERIVE_RUNS;
    } else if (t->state != DERIVE_RUNS) {
        return false;
    }
    uint32_t i = e->count;
    uint64_t check = e->check + check_ids(e->checks, id, r->events, i), factor = DERIVE_CHECK_EVENT + 2 * (uint64_t)i;
    if ((r->flags & RECORD_CALLS) != 0)
        begin_call(e, i + r->call, id + r->call, 0);
    for (unsigned k = 0; k < r->values; k++) {
        uint32_t at = r->at[k];
        check += values[k] * (factor + 2 * at);
        hold_if(e, (r->held >> k & 1) != 0, id + at, values[k]);
        if ((r->flags & (RECORD_CALLS | RECORD_ARGUMENTS)) != 0)
            note_argument(e, i + at, values[k]);
    }
    e->check = check;
    e->count = i + r->events;
    if ((r->flags & RECORD_LAST) != 0)
        derive_call(t, top, id + r->events - 1, i + r->events - 1);
    else if ((r->flags & RECORD_EXITS) != 0)
        derive_exit(t, r->values > 0 && r->at[r->values - 1] == r->events - 1 ? values[r->values - 1] : 0);
    return true;
}

/* The values of all events of a record. */
static void spread(const struct record *r, const uint64_t *values, uint64_t *out)
{
    memset(out, 0, r->events * sizeof *out);
    for (unsigned k = 0; k < r->values; k++)
        out[r->at[k]] = values[k];
}

/* Continues `all`, the values of the first `known` events of consecutive data IDs, with those in the records at `at`,
 * up to `wanted`, as far as they come into this chunk. Returns how many there are then. */
static uint32_t look_ahead(struct derive_encoder *e, uint32_t id, const uint64_t *at, const uint64_t *end,
                           uint64_t *all, uint32_t known, uint32_t wanted)
{
    while (known < wanted && at < end && (uint32_t)*at == id + known && (uint32_t)(*at >> 32) == (uint32_t)e->stamp &&
           e->count + known <= DERIVE_CHUNK_FULL) {
        const struct record *r = record_of(e, id + known);
        if (r == NULL || r->form == RECORD_ASIDE || end - at - 1 < r->values || known + r->events > wanted)
            break;
        spread(r, at + 1, all + known);
        at += 1 + r->values;
        known += r->events;
    }
    return known;
}

static void put_events(struct derive_encoder *e, const struct record *r, uint32_t id, const uint64_t *values,
                       const uint64_t *end)
{
    uint64_t all[ARGUMENTS_MAX + JOURNAL_RECORD_EVENTS];
    uint32_t known = r->events, row = e->tables.news.rows[id], parameters;
    spread(r, values, all);
    if ((row & NEWS_ROLE) == NEWS_ENTRY && is_called(e->t, e->count)) {
        parameters = matching_parameters(e, id, e->count);
        if (parameters < ARGUMENTS_MAX)
            known = look_ahead(e, id, values + r->values, end, all, known, parameters + 1);
    }
    for (uint32_t k = 0; k < r->events; k++)
        put_event(e, id + k, all + k, known - k);
}

/* The record, whose stamp is noted. */
static void put_record(struct derive_encoder *e, const struct record *r, uint32_t id, const uint64_t *values,
                       const uint64_t *end)
{
    if (r->form != RECORD_PLAIN || !put_plain(e, r, id, values))
        put_events(e, r, id, values, end);
    set_running(e);
}

const uint64_t *derive_put_record(struct derive_encoder *e, uint32_t id, uint64_t stamp, const uint64_t *values,
                                  const uint64_t *end)
{
    const struct record *r = record_of(e, id);
    if (r == NULL || r->form == RECORD_ASIDE || end - values < r->values ||
        e->count > (uint32_t)CHUNK_EVENTS_MAX - r->events)
        return NULL;
    note_stamp(e, stamp);
    put_record(e, r, id, values, end);
    return values + r->values;
}

/* A value of a straight record: holds it if it is to be held, and returns what it adds to the check value. */
static inline uint64_t put_value(struct chunk_columns *held, uint32_t id, uint8_t place, uint64_t value,
                                 uint64_t factor)
{
    uint32_t at = place & (STRAIGHT_HELD - 1u);
    held->ids[held->count] = id + at;
    held->values[held->count] = value;
    held->count += place / STRAIGHT_HELD;
    return value * (factor + 2 * at);
}

/* Puts the straight records at `p`, of the top frame's code, and returns where they end. */
static const uint64_t *put_straight(struct derive_encoder *e, const uint64_t *p, const uint64_t *end)
{
    const struct straight *records = e->straight.items;
    const uint32_t known = (uint32_t)e->straight.count, running = e->running, stamp = (uint32_t)e->stamp;
    struct chunk_columns held = e->held;
    uint64_t check = e->check;
    uint32_t count = e->count;
    while (end - p > STRAIGHT_VALUES && count <= DERIVE_CHUNK_FULL) {
        uint32_t id = (uint32_t)*p;
        if (id >= known || (uint32_t)(*p >> 32) != stamp)
            break;
        const struct straight r = records[id];
        if (r.method != running)
            break;
        uint64_t factor = DERIVE_CHECK_EVENT + 2 * (uint64_t)count;
        check += check_ids(e->checks, id, r.events, count);
        count += r.events;
        /* branches, since they are predicted: the next record is then read before this one is done */
        if (r.values == 0) {
            p++;
            continue;
        }
        check += put_value(&held, id, r.at[0], p[1], factor);
        if (r.values == 1) {
            p += 2;
            continue;
        }
        check += put_value(&held, id, r.at[1], p[2], factor);
        p += 3;
    }
    e->check = check;
    e->count = count;
    e->held.count = held.count;
    return p;
}

const uint64_t *derive_put_records(struct derive_encoder *e, uint32_t first, const uint64_t *p, const uint64_t *end)
{
    const uint32_t stamp = (uint32_t)e->stamp;
    while (e->count > 0 && p < end) {
        p = put_straight(e, p, end);
        if (p >= end || e->count > DERIVE_CHUNK_FULL || (uint32_t)(*p >> 32) != stamp || (uint32_t)*p < first)
            break;
        uint32_t id = (uint32_t)*p;
        const struct record *r = record_of(e, id);
        if (r == NULL || r->form == RECORD_ASIDE || (r->flags & RECORD_CATCH) != 0 || end - p - 1 < r->values)
            break;
        put_record(e, r, id, p + 1, end);
        p += 1 + r->values;
    }
    return p;
}

/* ---- the chunk ---- */

/* Appends the lists, packed. */
static void write_lists(struct derive_encoder *e, struct writer *out)
{
    e->lists.size = 0;
    write_varint(&e->lists, e->listed_count);
    write_bytes(&e->lists, e->listed.data, e->listed.size);
    write_varint(&e->lists, e->stamp_count);
    write_bytes(&e->lists, e->stamps.data, e->stamps.size);
    size_t raw = e->lists.size, bound = ZSTD_compressBound(raw);
    write_varint(out, raw);
    if (raw >= PACK_LEAST && writer_reserve(&e->listed, e->listed.size + bound)) {
        size_t n = ZSTD_compressCCtx(e->zstd, e->listed.data + e->listed.size, bound, e->lists.data, raw, ZSTD_LEVEL);
        if (!ZSTD_isError(n) && n < raw) {
            write_varint(out, n);
            write_bytes(out, e->listed.data + e->listed.size, n);
            return;
        }
    }
    write_varint(out, raw);
    write_bytes(out, e->lists.data, raw);
}

enum status derive_end(struct derive_encoder *e, struct writer *out, struct error *err)
{
    size_t start = out->size;
    if (e->bad)
        return error_set(err, ERR_LIMIT,
                         "chunk of %u events: it has more than %d, a data ID is not known, or memory is out", e->count,
                         CHUNK_EVENTS_MAX);
    write_u1(out, DERIVED_MAGIC);
    write_le4(out, 0);
    write_le8(out, e->check);
    write_u1(out, e->fresh);
    write_varint(out, e->count);
    write_lists(e, out);
    enum status s = chunk_encode(e->chunks, e->tables.kinds, &e->held, out, err);
    if (s != OK)
        return s;
    if (out->bad || e->lists.bad || e->listed.bad || e->stamps.bad) {
        out->size = start;
        return error_memory(err, "chunk of %u events", e->count);
    }
    derived_set_checksum(out, start);
    return OK;
}

enum status derive_encode(struct derive_encoder *e, struct derive_thread *t, bool fresh, struct news_table news,
                          struct kind_table kinds, const struct chunk_columns *in, struct writer *out,
                          struct error *err)
{
    derive_begin(e, t, fresh, &(struct derive_tables){ .news = news, .kinds = kinds });
    for (uint32_t i = 0; i < in->count; i++) {
        uint32_t id = in->ids[i], known = 1;
        if (id < news.count && (news.rows[id] & NEWS_ROLE) == NEWS_ENTRY)
            while (known < ARGUMENTS_MAX && i + known < in->count && in->ids[i + known] == id + known)
                known++;
        derive_put(e, id, in->stamps[i], in->values + i, known);
    }
    return derive_end(e, out, err);
}
