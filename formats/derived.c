/* derived.c - the state that both sides of a derived chunk follow (derived.h), and its writer.
 *
 *     u1 DERIVED_MAGIC | le4 checksum of all that follows: XXH64, seed 0, low 32 bits
 *     le8 check value of all events | u1 fresh | varint count of all events | varint bytes of the lists, raw and stored
 *     the lists, zstd if that is shorter: varint count, { varint distance } listed events;
 *         varint count, { varint distance, varint difference to the stamp before } stamps that change
 *     a chunk (chunk.c) of the events that are held, without stamps */
#include "formats/derived.h"

#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

#include "formats/event.h"
#include "formats/journal.h" /* KIND_JOINED */

enum { DERIVED_MAGIC = 0xd1, ZSTD_LEVEL = 1, PACK_LEAST = 24, HEAD_BYTES = 5 };

static enum news role_of(unsigned event)
{
    switch (event) {
    case EVENT_METHOD_ENTRY: return NEWS_ENTRY;
    case EVENT_METHOD_PARAM: return NEWS_PARAMETER;
    case EVENT_METHOD_NORMAL_EXIT: return NEWS_EXIT;
    case EVENT_METHOD_EXCEPTIONAL_EXIT: return NEWS_THROWN;
    case EVENT_CATCH_LABEL: return NEWS_CAUGHT;
    case EVENT_CALL:
    case EVENT_INVOKE_DYNAMIC: return NEWS_CALL;
    case EVENT_CALL_PARAM:
    case EVENT_INVOKE_DYNAMIC_PARAM: return NEWS_ARGUMENT;
    case EVENT_CALL_RETURN:
    case EVENT_INVOKE_DYNAMIC_RESULT: return NEWS_RETURN;
    case EVENT_MULTI_NEW_ARRAY_OWNER:
    case EVENT_MULTI_NEW_ARRAY_ELEMENT: return NEWS_ALWAYS;
    case EVENT_METHOD_OBJECT_INITIALIZED:
    case EVENT_NEW_OBJECT_CREATED:
    case EVENT_GET_INSTANCE_FIELD_RESULT:
    case EVENT_GET_STATIC_FIELD:
    case EVENT_ARRAY_LOAD_RESULT:
    case EVENT_NEW_ARRAY_RESULT:
    case EVENT_MULTI_NEW_ARRAY:
    case EVENT_ARRAY_LENGTH_RESULT:
    case EVENT_OBJECT_CONSTANT_LOAD:
    case EVENT_OBJECT_INSTANCEOF_RESULT:
    case EVENT_CATCH: return NEWS_VALUE;
    default: return NEWS_FOLLOWS;
    }
}

/* Do further events come before the instruction of a call? */
static bool is_argument(unsigned event) { return event == EVENT_CALL_PARAM || event == EVENT_INVOKE_DYNAMIC_PARAM; }

uint32_t news_row(const struct news_site *site)
{
    uint32_t role = role_of(site->event), news = role, kind = site->kind & (uint8_t)~KIND_JOINED;
    if (kind == KIND_FLOAT)
        news |= NEWS_FLOAT;
    if (kind == KIND_DOUBLE)
        news |= NEWS_DOUBLE;
    if ((role == NEWS_CALL || role == NEWS_ARGUMENT) && !is_argument(site->next))
        news |= NEWS_LAST;
    if (!site->followed)
        news |= NEWS_RECORDED;
    return (site->method + 1) << NEWS_METHOD_SHIFT | news;
}

/* ---- the state ---- */

void derive_forget(struct derive_thread *t)
{
    t->frames.count = 0;
    t->state = DERIVE_OPEN;
    t->called = 0;
}

/* The state after the top frame has left or continues. */
static void settle(struct derive_thread *t)
{
    const struct derive_frame *top = derive_top(t);
    t->state = top != NULL && !top->recorded ? DERIVE_RUNS : DERIVE_OPEN;
}

void derive_exit(struct derive_thread *t, uint64_t value)
{
    const struct derive_frame left = *derive_top(t);
    t->frames.count--;
    t->state = DERIVE_OPEN;
    if (left.direct) {
        t->state = DERIVE_RETURNS;
        t->returned = value;
    } else if (left.interposed) {
        settle(t);
    }
}

static enum derive_move enter(struct derive_thread *t, uint32_t row, bool direct)
{
    bool interposed = t->state == DERIVE_RUNS;
    if (t->frames.count >= DERIVE_FRAMES_MAX)
        t->frames.count = 0;
    struct derive_frame *f = vec_push(&t->frames);
    if (f == NULL)
        return MOVE_NO_MEMORY;
    *f = (struct derive_frame){ .method = row >> NEWS_METHOD_SHIFT,
                                .call = DERIVE_NO_CALL,
                                .recorded = (row & NEWS_RECORDED) != 0,
                                .direct = direct,
                                .interposed = interposed };
    settle(t);
    return MOVE_ENTERED;
}

/* An event of the top frame, which runs its code, but not what was expected of it. */
static enum derive_move give_up(struct derive_thread *t, struct derive_frame *top)
{
    top->recorded = true;
    t->state = DERIVE_OPEN;
    return MOVE_RECORDED;
}

enum derive_move derive_event(struct derive_thread *t, uint32_t id, uint32_t row, uint64_t value, bool direct)
{
    unsigned role = row & NEWS_ROLE;
    bool removed = false;
    if (role == NEWS_ENTRY)
        return enter(t, row, direct);
    struct derive_frame *top = derive_top(t);
    for (; top != NULL && top->method != row >> NEWS_METHOD_SHIFT; top = derive_top(t)) {
        t->frames.count--;
        removed = true;
    }
    if (top == NULL) {
        t->state = DERIVE_OPEN;
        return MOVE_FOREIGN;
    }
    switch (role) {
    case NEWS_THROWN:
        t->frames.count--;
        t->state = DERIVE_OPEN;
        return MOVE_LEFT;
    case NEWS_CAUGHT:
        top->call = DERIVE_NO_CALL;
        settle(t);
        return MOVE_CAUGHT;
    default: break;
    }
    if (top->recorded) {
        t->state = DERIVE_OPEN;
        if (role != NEWS_EXIT)
            return MOVE_RECORDED;
        t->frames.count--;
        return MOVE_LEFT;
    }
    if (role == NEWS_RETURN && !removed && id == top->call + 1) {
        top->call = DERIVE_NO_CALL;
        t->state = DERIVE_RUNS;
        return MOVE_RETURNED;
    }
    if (removed || top->call != DERIVE_NO_CALL || role == NEWS_RETURN)
        return give_up(t, top);
    if (role == NEWS_ALWAYS)
        return MOVE_EXTRA;
    t->state = DERIVE_RUNS;
    if (role == NEWS_EXIT)
        derive_exit(t, value);
    return MOVE_NEXT;
}

/* ---- writing ---- */

struct derive_encoder {
    struct chunk_encoder *chunks;
    struct chunk_columns held;
    ZSTD_CCtx *zstd;
    struct writer listed, stamps, lists;
    uint32_t listed_count, stamp_count, listed_last;
};

struct derive_encoder *derive_encoder_new(void)
{
    struct derive_encoder *e = calloc(1, sizeof *e);
    if (e == NULL)
        return NULL;
    e->chunks = chunk_encoder_new();
    e->zstd = ZSTD_createCCtx();
    e->held.ids = malloc(CHUNK_EVENTS_MAX * sizeof *e->held.ids);
    e->held.values = malloc(CHUNK_EVENTS_MAX * sizeof *e->held.values);
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
    writer_free(&e->listed);
    writer_free(&e->stamps);
    writer_free(&e->lists);
    free(e);
}

static inline bool is_nan(uint32_t row, uint64_t value)
{
    if ((row & NEWS_DOUBLE) != 0)
        return (value & INT64_MAX) > UINT64_C(0x7ff0000000000000);
    return (row & NEWS_FLOAT) != 0 && (value & INT32_MAX) > 0x7f800000;
}

static inline void hold(struct derive_encoder *e, uint32_t id, uint64_t value)
{
    e->held.ids[e->held.count] = id;
    e->held.values[e->held.count++] = value;
}

static void list(struct derive_encoder *e, uint32_t i)
{
    write_varint(&e->listed, i - e->listed_last);
    e->listed_last = i;
    e->listed_count++;
}

static unsigned kind_of(struct kind_table kinds, uint32_t id) { return kinds.letters[id] & 0x7fu; }

/* Are the parameters of the entry `i` the arguments of the call that ends right before it? */
static bool is_direct(const struct derive_thread *t, struct news_table news, struct kind_table kinds,
                      const struct chunk_columns *in, uint32_t i)
{
    const uint32_t *ids = in->ids;
    uint32_t id = ids[i], call = t->call_at, arguments = i - call - 1, method = news.rows[id] >> NEWS_METHOD_SHIFT;
    if (call >= i || (news.rows[id] & NEWS_RECORDED) != 0)
        return false;
    uint32_t count = 0;
    while (id + count + 1 < news.count && (news.rows[id + count + 1] & NEWS_ROLE) == NEWS_PARAMETER &&
           news.rows[id + count + 1] >> NEWS_METHOD_SHIFT == method)
        count++;
    if (count != arguments || count >= in->count - i)
        return false;
    if (kind_of(kinds, id) != kind_of(kinds, ids[call]) || in->values[i] != in->values[call])
        return false;
    for (uint32_t k = 1; k <= count; k++)
        if (ids[i + k] != id + k || in->values[i + k] != in->values[call + k] ||
            kind_of(kinds, ids[i + k]) != kind_of(kinds, ids[call + k]))
            return false;
    return true;
}

/* The event `i`, which is in the chunk. */
static bool explicit_event(struct derive_encoder *e, struct derive_thread *t, struct news_table news,
                           struct kind_table kinds, const struct chunk_columns *in, uint32_t i)
{
    uint32_t id = in->ids[i], row = news.rows[id];
    bool direct = false, listed = t->state != DERIVE_OPEN;
    if ((row & NEWS_ROLE) == NEWS_ENTRY && t->state == DERIVE_OPEN && t->called == i && i > 0) {
        direct = is_direct(t, news, kinds, in, i);
        listed = !direct;
    }
    if (t->state == DERIVE_RETURNS)
        t->state = DERIVE_OPEN;
    if (listed)
        list(e, i);
    hold(e, id, direct ? 0 : in->values[i]);
    enum derive_move move = derive_event(t, id, row, in->values[i], direct);
    if (move == MOVE_NEXT && (row & NEWS_ROLE) == NEWS_CALL)
        t->call_at = i;
    if (move == MOVE_NEXT && (row & NEWS_LAST) != 0)
        derive_call(t, derive_top(t), id, i);
    return move != MOVE_NO_MEMORY;
}

static bool filter(struct derive_encoder *e, struct derive_thread *t, struct news_table news, struct kind_table kinds,
                   const struct chunk_columns *in, uint64_t *check)
{
    uint64_t sum = 0, stamp = 0;
    uint32_t stamp_at = 0;
    for (uint32_t i = 0; i < in->count; i++) {
        uint32_t id = in->ids[i];
        uint64_t value = in->values[i];
        if (id >= news.count)
            return false;
        uint32_t row = news.rows[id], role = row & NEWS_ROLE;
        sum = derive_check(sum, i, id, value);
        if (in->stamps[i] != stamp || i == 0) {
            write_varint(&e->stamps, i - stamp_at);
            write_varint(&e->stamps, in->stamps[i] - stamp);
            stamp = in->stamps[i];
            stamp_at = i;
            e->stamp_count++;
        }
        struct derive_frame *top = derive_top(t);
        bool own = top != NULL && top->method == row >> NEWS_METHOD_SHIFT;
        if (t->state == DERIVE_RUNS && own && !is_nan(row, value)) {
            switch (role) {
            case NEWS_FOLLOWS:
            case NEWS_ARGUMENT: break;
            case NEWS_CALL: t->call_at = i; break;
            case NEWS_PARAMETER:
                if (top->direct)
                    continue;
                hold(e, id, value);
                continue;
            case NEWS_VALUE: hold(e, id, value); continue;
            case NEWS_EXIT: derive_exit(t, value); continue;
            default: goto is_explicit;
            }
            if ((row & NEWS_LAST) != 0)
                derive_call(t, top, id, i);
            continue;
        }
        if (t->state == DERIVE_RETURNS && own && role == NEWS_RETURN && id == top->call + 1 && value == t->returned) {
            top->call = DERIVE_NO_CALL;
            t->state = DERIVE_RUNS;
            continue;
        }
    is_explicit:
        if (!explicit_event(e, t, news, kinds, in, i))
            return false;
    }
    *check = sum;
    return true;
}

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

/* Of what follows the head of the chunk that begins at `start`. */
static void write_checksum(struct writer *out, size_t start)
{
    uint64_t sum = XXH64(out->data + start + HEAD_BYTES, out->size - start - HEAD_BYTES, 0);
    for (unsigned i = 0; i < HEAD_BYTES - 1; i++)
        out->data[start + 1 + i] = (uint8_t)(sum >> 8 * i);
}

enum status derive_encode(struct derive_encoder *e, struct derive_thread *t, bool fresh, struct news_table news,
                          struct kind_table kinds, const struct chunk_columns *in, struct writer *out,
                          struct error *err)
{
    uint64_t check = 0;
    size_t start = out->size;
    if (in->count > CHUNK_EVENTS_MAX)
        return error_set(err, ERR_LIMIT, "chunk of %u events: at most %d are possible", in->count, CHUNK_EVENTS_MAX);
    e->held.count = e->listed_count = e->stamp_count = e->listed_last = 0;
    e->listed.size = e->stamps.size = 0;
    if (fresh)
        derive_forget(t);
    derive_begin_chunk(t);
    if (!filter(e, t, news, kinds, in, &check))
        return error_set(err, ERR_LIMIT, "chunk of %u events: a data ID is not known, or memory is out", in->count);
    write_u1(out, DERIVED_MAGIC);
    write_le4(out, 0);
    write_le8(out, check);
    write_u1(out, fresh);
    write_varint(out, in->count);
    write_lists(e, out);
    enum status s = chunk_encode(e->chunks, kinds, &e->held, out, err);
    if (s != OK)
        return s;
    if (out->bad || e->lists.bad || e->listed.bad || e->stamps.bad) {
        out->size = start;
        return error_memory(err, "chunk of %u events", in->count);
    }
    write_checksum(out, start);
    return OK;
}

/* ---- reading ---- */

bool derived_is(const void *blob, size_t size) { return size > 0 && *(const uint8_t *)blob == DERIVED_MAGIC; }

void derived_chunk_done(struct derived_chunk *c)
{
    free(c->ids);
    free(c->values);
    vec_free(&c->listed);
    vec_free(&c->stamp_events);
    vec_free(&c->stamps);
    *c = (struct derived_chunk){ 0 };
}

/* A list of event numbers below `count`, each with a number if `numbers` is not NULL. */
static const char *read_list(struct reader *r, uint32_t count, u32_vec *events, u64_vec *numbers)
{
    uint64_t n = read_varint(r), event = 0, number = 0;
    events->count = 0;
    if (numbers != NULL)
        numbers->count = 0;
    if (r->bad || n > count || !vec_extend(events, n) || (numbers != NULL && !vec_extend(numbers, n)))
        return "the number of listed events is impossible";
    for (uint64_t i = 0; i < n; i++) {
        uint64_t step = read_varint(r);
        if (r->bad || step >= count - event || (i > 0 && step == 0))
            return "the listed events do not rise";
        event += step;
        events->items[i] = (uint32_t)event;
        if (numbers != NULL)
            numbers->items[i] = number += read_varint(r);
    }
    return r->bad ? "a list is cut off" : NULL;
}

static const char *read_lists(struct derived_chunk *c, struct reader *r)
{
    enum { ENTRY_MAX = 30 };
    uint64_t raw = read_varint(r), stored = read_varint(r);
    const uint8_t *bytes =
        stored <= raw && raw <= (uint64_t)ENTRY_MAX * (CHUNK_EVENTS_MAX + 1) ? read_span(r, (size_t)stored) : NULL;
    if (bytes == NULL)
        return "the size of its lists is impossible";
    uint8_t *unpacked = NULL;
    if (stored < raw) {
        unpacked = malloc((size_t)raw);
        if (unpacked == NULL)
            return "no memory for its lists";
        size_t n = ZSTD_decompress(unpacked, (size_t)raw, bytes, (size_t)stored);
        if (ZSTD_isError(n) || n != raw) {
            free(unpacked);
            return "its lists do not decompress";
        }
    }
    struct reader lists = reader_of(unpacked != NULL ? unpacked : bytes, (size_t)raw);
    const char *wrong = read_list(&lists, c->count, &c->listed, NULL);
    if (wrong == NULL)
        wrong = read_list(&lists, c->count, &c->stamp_events, &c->stamps);
    if (wrong == NULL && lists.at != lists.size)
        wrong = "its lists have bytes left";
    free(unpacked);
    return wrong;
}

/* NULL, or what is wrong. */
static const char *read_head(struct derived_chunk *c, struct reader *r)
{
    if (read_u1(r) != DERIVED_MAGIC)
        return "not a derived chunk";
    uint32_t sum = read_le4(r);
    if (r->bad || (uint32_t)XXH64(r->data + r->at, r->size - r->at, 0) != sum)
        return "the checksum is wrong";
    c->check = read_le8(r);
    c->fresh = read_u1(r) != 0;
    uint64_t count = read_varint(r);
    if (r->bad || count > CHUNK_EVENTS_MAX)
        return "the number of events is impossible";
    c->count = (uint32_t)count;
    return read_lists(c, r);
}

bool derived_chunk_held(const void *blob, size_t size, const void **held, size_t *held_size)
{
    struct reader r = reader_of(blob, size);
    (void)read_span(&r, HEAD_BYTES + sizeof(uint64_t) + 1); /* magic, checksum, check value, fresh */
    (void)read_varint(&r);                                  /* count */
    (void)read_varint(&r);                                  /* raw bytes of the lists */
    (void)read_span(&r, (size_t)read_varint(&r));
    *held = r.data + r.at;
    *held_size = r.size - r.at;
    return !r.bad;
}

enum status derived_chunk_repack(const void *blob, size_t size, struct writer *out, struct error *err)
{
    const void *held;
    size_t held_size, start = out->size;
    if (!derived_chunk_held(blob, size, &held, &held_size))
        return error_set(err, ERR_FORMAT, "derived chunk of %zu bytes: it is cut off", size);
    write_bytes(out, blob, size - held_size);
    enum status s = chunk_repack(held, held_size, out, err);
    if (s == OK && out->bad)
        s = error_memory(err, "derived chunk of %zu bytes", size);
    if (s == OK)
        write_checksum(out, start);
    return s;
}

enum status derived_chunk_read(struct derived_chunk *c, struct chunk_decoder *d, struct kind_table kinds,
                               const void *blob, size_t size, struct error *err)
{
    struct chunk_columns held;
    struct reader r = reader_of(blob, size);
    const char *wrong = read_head(c, &r);
    if (wrong != NULL)
        return error_set(err, ERR_FORMAT, "derived chunk of %zu bytes: %s", size, wrong);
    if (c->ids == NULL)
        c->ids = malloc((CHUNK_EVENTS_MAX + CHUNK_ROOM) * sizeof *c->ids);
    if (c->values == NULL)
        c->values = malloc((CHUNK_EVENTS_MAX + CHUNK_ROOM) * sizeof *c->values);
    if (c->ids == NULL || c->values == NULL)
        return error_memory(err, "chunk of %u events", c->count);
    enum status s = chunk_decode(d, kinds, r.data + r.at, r.size - r.at, CHUNK_IDS | CHUNK_VALUES, &held, err);
    if (s != OK)
        return s;
    if (held.count > c->count)
        return error_set(err, ERR_FORMAT, "derived chunk of %zu bytes: it holds more events than it has", size);
    c->held = held.count;
    memcpy(c->ids, held.ids, held.count * sizeof *c->ids);
    memcpy(c->values, held.values, held.count * sizeof *c->values);
    return OK;
}
