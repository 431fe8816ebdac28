/* derived.c - the state that both sides of a derived chunk follow (derived.h), and the reader of its bytes;
 * derive_write.c writes them:
 *
 *     u1 DERIVED_MAGIC | le4 checksum of all that follows: XXH64, seed 0, low 32 bits
 *     le8 check value of all events | u1 flags | varint count of all events | varint bytes of the lists, raw and stored
 *     the lists, zstd if that is shorter: varint count, { varint distance } explicit events;
 *         varint count, { varint distance, varint difference to the stamp before } stamps that change;
 *         with DERIVED_TIMED varint count, { varint distance, varint time (DERIVED_SPAN_BITS) } records
 *     a chunk (chunk.c) of the events that are stored, without stamps, and with the data IDs of named ones alone */
#include "formats/derived.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "formats/chunk_pull.h"
#include "formats/derive_parts.h"
#include "formats/event.h"
#include "formats/journal.h" /* KIND_JOINED */
#include "formats/unpack.h"

/* The column `derived` of events.def: a role, and IMPLIED_BIT if the event is recorded without its value or not at all
 * in a method that records inputs alone. */
enum {
    IMPLIED_BIT = 1 << 8,
    ROW_IMPLIED = SITE_IMPLIED | IMPLIED_BIT,
    ROW_RECORDED = SITE_IMPLIED,
    ROW_INPUT = SITE_INPUT,
    ROW_EXPLICIT = SITE_EXPLICIT,
    ROW_NEVER = SITE_NEVER,
    ROW_ENTRY = SITE_ENTRY,
    ROW_PARAMETER = SITE_PARAMETER,
    ROW_EXIT = SITE_EXIT,
    ROW_THROWN = SITE_THROWN,
    ROW_CALLS = SITE_CALL,
    ROW_ARGUMENT = SITE_ARGUMENT,
    ROW_RESULT = SITE_RESULT,
    ROW_CAUGHT = SITE_CAUGHT,
    ROW_BLOCK = SITE_BLOCK | IMPLIED_BIT,
    ROW_BLOCK_END = SITE_BLOCK_END,
};
static const uint16_t rows[EVENT_LIMIT] = {
#define EVENT(no, name, cond, value, at, derived, ...) [no] = ROW_##derived,
#include "formats/events.def"
#undef EVENT
};

/* A value that follows from the code is in some slot; of an event without one there is nothing to say. */
enum { HAS_NONE, HAS_OBJ, HAS_ANY, HAS_PCV, HAS_INTV };
#define EVENT(no, name, cond, value, at, derived, operand, ...)                                                        \
    _Static_assert((ROW_##derived & SITE_ROLE) != SITE_IMPLIED || HAS_##value == HAS_NONE ||                           \
                       OPERAND_##operand != OPERAND_NOWHERE,                                                           \
                   "events.def: " #name " follows from the code, but its operand is NOWHERE");
#include "formats/events.def"
#undef EVENT

/* Does it come behind its instruction? The column `at` of events.def. */
static const bool is_after[EVENT_LIMIT] = {
#define AT_ENTRY                              false
#define AT_EXIT                               false
#define ANYWHERE                              false
#define BEFORE(op)                            false
#define BEFORE_RANGE(first, last)             false
#define AFTER(op)                             true
#define AFTER_RANGE(first, last)              true
#define EVENT(no, name, cond, value, at, ...) [no] = at,
#include "formats/events.def"
#undef EVENT
};

bool derive_event_after(unsigned event) { return event < EVENT_LIMIT && is_after[event]; }

bool derive_event_valueless(unsigned event) { return event < EVENT_LIMIT && (rows[event] & IMPLIED_BIT) != 0; }

/* Do further events come before the instruction of a call? */
static bool is_argument(unsigned event) { return event == EVENT_CALL_PARAM || event == EVENT_INVOKE_DYNAMIC_PARAM; }

uint32_t derive_site_row(const struct derive_site *site)
{
    uint32_t event = site->event < EVENT_LIMIT ? site->event : 0;
    uint32_t role = rows[event] & SITE_ROLE, bits = role, kind = site->kind & (uint8_t)~KIND_JOINED;
    if (kind == KIND_FLOAT && role != SITE_INPUT)
        bits |= SITE_FLOAT;
    if (kind == KIND_DOUBLE && role != SITE_INPUT)
        bits |= SITE_DOUBLE;
    if (site->constructor && kind == KIND_VOID)
        bits |= SITE_CONSTRUCTOR;
    if ((role == SITE_CALL || role == SITE_ARGUMENT) && !is_argument(site->next))
        bits |= SITE_LAST;
    if (!site->followed)
        bits |= SITE_RECORDED;
    if (site->inputs)
        bits |=
            SITE_INPUTS | (derive_event_valueless(event) ? SITE_VALUELESS : 0u) | (is_after[event] ? SITE_AFTER : 0u);
    return (site->method + 1) << SITE_METHOD_SHIFT | bits;
}

/* ---- the state ---- */

void derive_forget(struct derive_thread *t)
{
    t->frames.count = 0;
    t->state = DERIVE_OPEN;
    t->called = 0;
}

/* The state after the top frame has left or continues. */
static void set_state(struct derive_thread *t)
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
    } else if (left.interrupts) {
        set_state(t);
    }
}

static enum derive_move enter(struct derive_thread *t, uint32_t row, bool direct)
{
    bool interrupts = t->state == DERIVE_RUNS;
    if (t->frames.count >= DERIVE_FRAMES_MAX)
        t->frames.count = 0;
    struct derive_frame *f = vec_push(&t->frames);
    if (f == NULL)
        return MOVE_NO_MEMORY;
    *f = (struct derive_frame){ .method = row >> SITE_METHOD_SHIFT,
                                .pending_call = DERIVE_NO_CALL,
                                .recorded = (row & SITE_RECORDED) != 0,
                                .direct = direct,
                                .interrupts = interrupts };
    set_state(t);
    return MOVE_ENTERED;
}

/* An event of the top frame, which runs its code, but not what was expected of it. */
static enum derive_move give_up(struct derive_thread *t, struct derive_frame *top)
{
    top->recorded = true;
    t->state = DERIVE_OPEN;
    return MOVE_RECORDED;
}

/* An event of a frame that has left already: the JVM may throw at a return whose event has been recorded
 * (weaver/monitors.h), and the method may go on in a handler of its own. */
static bool is_late(const struct derive_thread *t, uint32_t row)
{
    if ((row & SITE_ROLE) != SITE_THROWN && (row & SITE_RECORDED) == 0)
        return false;
    for (size_t i = t->frames.count; i-- > 0;)
        if (t->frames.items[i].method == row >> SITE_METHOD_SHIFT)
            return false;
    return true;
}

enum derive_move derive_event(struct derive_thread *t, uint32_t id, uint32_t row, uint64_t value, bool direct)
{
    unsigned role = row & SITE_ROLE;
    bool removed = false;
    if (role == SITE_ENTRY)
        return enter(t, row, direct);
    struct derive_frame *top = derive_top(t);
    if (top != NULL && top->method != row >> SITE_METHOD_SHIFT && is_late(t, row)) {
        t->state = DERIVE_OPEN;
        return MOVE_FOREIGN;
    }
    for (; top != NULL && top->method != row >> SITE_METHOD_SHIFT; top = derive_top(t)) {
        t->frames.count--;
        removed = true;
    }
    if (top == NULL) {
        t->state = DERIVE_OPEN;
        return MOVE_FOREIGN;
    }
    switch (role) {
    case SITE_THROWN: {
        const bool interrupts = top->interrupts;
        t->frames.count--;
        t->state = DERIVE_OPEN;
        if (interrupts)
            set_state(t); /* an initializer that is not woven may have caught it */
        return MOVE_LEFT;
    }
    case SITE_CAUGHT:
        top->pending_call = DERIVE_NO_CALL;
        set_state(t);
        return MOVE_CAUGHT;
    default: break;
    }
    if (top->recorded) {
        const bool interrupts = top->interrupts;
        t->state = DERIVE_OPEN;
        if (role != SITE_EXIT)
            return MOVE_RECORDED;
        t->frames.count--;
        if (interrupts)
            set_state(t);
        return MOVE_LEFT;
    }
    if (role == SITE_RESULT && !removed && id == top->pending_call + 1) {
        top->pending_call = DERIVE_NO_CALL;
        t->state = DERIVE_RUNS;
        return MOVE_RETURNED;
    }
    if (removed || top->pending_call != DERIVE_NO_CALL || role == SITE_RESULT)
        return give_up(t, top);
    if (role == SITE_EXPLICIT)
        return MOVE_EXTRA;
    t->state = DERIVE_RUNS;
    if (role == SITE_EXIT)
        derive_exit(t, value);
    return MOVE_NEXT;
}

/* ---- bytes ---- */

void derived_set_checksum(struct writer *out, size_t start)
{
    const size_t head = DERIVED_HEAD_BYTES;
    uint64_t sum = XXH64(out->data + start + head, out->size - start - head, 0);
    for (unsigned i = 0; i < head - 1; i++)
        out->data[start + 1 + i] = (uint8_t)(sum >> 8 * i);
}

bool derived_is(const void *blob, size_t size)
{
    const uint8_t *bytes = blob;
    return size > 0 && *bytes == DERIVED_MAGIC;
}

void derived_chunk_done(struct derived_chunk *c)
{
    free(c->ids);
    free(c->values);
    vec_free(&c->explicit_events);
    vec_free(&c->stamp_events);
    vec_free(&c->stamps);
    vec_free(&c->time_events);
    vec_free(&c->times);
    *c = (struct derived_chunk){ 0 };
}

static const char no_memory[] = "no memory for its lists";

/* A list of event numbers below `count`, each with a number if `numbers` is not NULL. */
static const char *read_list(struct reader *r, uint32_t count, u32_vec *events, u64_vec *numbers)
{
    uint64_t n = read_varint(r), event = 0, number = 0;
    events->count = 0;
    if (numbers != NULL)
        numbers->count = 0;
    if (r->bad || n > count)
        return "the number of explicit events is impossible";
    if (!vec_extend(events, n) || (numbers != NULL && !vec_extend(numbers, n)))
        return no_memory;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t step = read_varint(r);
        if (r->bad || step >= count - event || (i > 0 && step == 0))
            return "the explicit events do not rise";
        event += step;
        events->items[i] = (uint32_t)event;
        if (numbers != NULL)
            numbers->items[i] = number += read_varint(r);
    }
    return r->bad ? "a list is cut off" : NULL;
}

static const char *read_lists(struct derived_chunk *c, struct reader *r)
{
    enum { ENTRY_MAX = 45 };
    uint64_t raw = read_varint(r), stored = read_varint(r);
    const uint8_t *bytes =
        stored <= raw && raw <= (uint64_t)ENTRY_MAX * (CHUNK_EVENTS_MAX + 1) ? read_span(r, (size_t)stored) : NULL;
    if (bytes == NULL)
        return "the size of its lists is impossible";
    uint8_t *unpacked = NULL;
    if (stored < raw) {
        unpacked = malloc((size_t)raw);
        if (unpacked == NULL)
            return no_memory;
        const enum status s = unpack(unpacked, (size_t)raw, bytes, (size_t)stored);
        if (s != OK) {
            free(unpacked);
            return s == ERR_MEMORY ? no_memory : "its lists do not decompress";
        }
    }
    struct reader lists = reader_of(unpacked != NULL ? unpacked : bytes, (size_t)raw);
    const char *wrong = read_list(&lists, c->count, &c->explicit_events, NULL);
    if (wrong == NULL)
        wrong = read_list(&lists, c->count, &c->stamp_events, &c->stamps);
    if (wrong == NULL && c->timed)
        wrong = read_list(&lists, c->count, &c->time_events, &c->times);
    if (wrong == NULL && lists.at != lists.size)
        wrong = "its lists have bytes left";
    free(unpacked);
    return wrong;
}

/* NULL, or what is wrong. */
static const char *read_head(struct derived_chunk *c, struct chunk_decoder *d, struct reader *r)
{
    c->pull = d;
    if (read_u1(r) != DERIVED_MAGIC)
        return "not a derived chunk";
    uint32_t sum = read_le4(r);
    if (r->bad || (uint32_t)XXH64(r->data + r->at, r->size - r->at, 0) != sum)
        return "the checksum is wrong";
    c->check = read_le8(r);
    const unsigned flags = read_u1(r);
    c->reset = (flags & DERIVED_RESET) != 0;
    c->timed = (flags & DERIVED_TIMED) != 0;
    if (flags > (DERIVED_RESET | DERIVED_TIMED))
        return "a flag is not known";
    uint64_t count = read_varint(r);
    if (r->bad || count > CHUNK_EVENTS_MAX)
        return "the number of events is impossible";
    c->count = (uint32_t)count;
    return read_lists(c, r);
}

bool derived_chunk_stored(const void *blob, size_t size, const void **stored, size_t *stored_size)
{
    struct reader r = reader_of(blob, size);
    (void)read_span(&r, DERIVED_HEAD_BYTES + sizeof(uint64_t) + 1); /* magic, checksum, check value, flags */
    (void)read_varint(&r);                                          /* count */
    (void)read_varint(&r);                                          /* raw bytes of the lists */
    (void)read_span(&r, (size_t)read_varint(&r));
    *stored = r.data + r.at;
    *stored_size = r.size - r.at;
    return !r.bad;
}

enum status derived_chunk_repack(const void *blob, size_t size, struct writer *out, struct error *err)
{
    const void *stored;
    size_t stored_size, start = out->size;
    if (!derived_chunk_stored(blob, size, &stored, &stored_size))
        return error_set(err, ERR_FORMAT, "derived chunk of %zu bytes: it is cut off", size);
    write_bytes(out, blob, size - stored_size);
    enum status s = chunk_repack(stored, stored_size, out, err);
    if (s == OK && out->bad)
        s = error_memory(err, "derived chunk of %zu bytes", size);
    if (s == OK)
        derived_set_checksum(out, start);
    return s;
}

enum status derived_chunk_read(struct derived_chunk *c, struct chunk_decoder *d, struct kind_table kinds,
                               const void *blob, size_t size, struct error *err)
{
    struct reader r = reader_of(blob, size);
    const char *wrong = read_head(c, d, &r);
    if (wrong != NULL)
        return error_set(err, wrong == no_memory ? ERR_MEMORY : ERR_FORMAT, "derived chunk of %zu bytes: %s", size,
                         wrong);
    if (c->ids == NULL)
        c->ids = malloc((CHUNK_EVENTS_MAX + CHUNK_ROOM) * sizeof *c->ids);
    if (c->values == NULL)
        c->values = malloc((CHUNK_EVENTS_MAX + CHUNK_ROOM) * sizeof *c->values);
    if (c->ids == NULL || c->values == NULL)
        return error_memory(err, "chunk of %u events", c->count);
    enum status s = chunk_pull_begin(d, kinds, r.data + r.at, r.size - r.at, &c->stored, err);
    if (s == OK && c->stored > c->count)
        return error_set(err, ERR_FORMAT, "derived chunk of %zu bytes: it holds more events than it has", size);
    return s;
}
