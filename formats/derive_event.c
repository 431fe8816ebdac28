/* derive_event.c - puts one event into a derived chunk, and counts those that no record has; see derive_encoder.h. */
#include "formats/derive_encoder.h"

#include <string.h>

#include "formats/roles.h"

/* ---- events that no record has ---- */

bool encoder_count_implied(struct derive_encoder *e, struct derive_frame *top, uint32_t id, uint32_t n, uint32_t more)
{
    uint32_t room = (uint32_t)CHUNK_EVENTS_MAX - e->count, taken = n < room ? n : room;
    if (e->count + n + more <= CHUNK_EVENTS_MAX) {
        e->count += n;
        return true;
    }
    if (taken > 0)
        top->last_id = blocks_step(&e->blocks, top->last_id, id, taken);
    e->count += taken;
    e->full = true;
    return false;
}

bool encoder_count_implied_thrown(struct derive_encoder *e, struct derive_frame *top, uint32_t id, uint32_t pc,
                                  uint32_t more)
{
    if (blocks_place(&e->blocks, id) == NULL) {
        e->bad = true;
        return true;
    }
    uint32_t last = blocks_thrown(&e->blocks, top->last_id, id, pc);
    if (last == top->last_id)
        return encoder_count_implied(e, top, last, 0, more);
    const struct block_place *q = blocks_place(&e->blocks, last), *p = blocks_place(&e->blocks, top->last_id);
    if (p == NULL || q == NULL) {
        e->bad = true;
        return true;
    }
    if (!encoder_count_implied(e, top, last, blocks_between(*p, *q) + 1, more))
        return false;
    top->last_id = last;
    return true;
}

/* ---- one event ---- */

void encoder_write_stamp(struct derive_encoder *e)
{
    if (e->stamp_event >= e->count)
        return;
    write_varint(&e->stamps, e->stamp_event - e->stamped_event);
    write_varint(&e->stamps, e->stamp - e->stamped);
    e->stamped = e->stamp;
    e->stamped_event = e->stamp_event;
    e->stamp_count++;
}

static void list(struct derive_encoder *e, uint32_t i)
{
    write_varint(&e->explicit_events, i - e->explicit_last);
    e->explicit_last = i;
    e->explicit_count++;
}

/* Number of parameters of the entry `id` whose kinds are those of the arguments of the call `call`; UINT32_MAX if they
 * are not, or the arguments are not as many: code that is not woven was called then, and entered the method. If it
 * passed on the same values in the same slots, the reader may take them from the call. */
static uint32_t count_parameters(const struct derive_encoder *e, uint32_t id, uint32_t call, uint32_t arguments)
{
    const struct derive_sites *sites = &e->tables.sites;
    uint32_t method = sites->rows[id] >> SITE_METHOD_SHIFT, count = 0;
    if ((sites->rows[id] & SITE_RECORDED) != 0 || ((sites->rows[id] ^ sites->rows[call]) & SITE_CONSTRUCTOR) != 0)
        return UINT32_MAX;
    while (id + count + 1 < sites->count && (sites->rows[id + count + 1] & SITE_ROLE) == SITE_PARAMETER &&
           sites->rows[id + count + 1] >> SITE_METHOD_SHIFT == method)
        count++;
    if (count != arguments || count >= ARGUMENTS_MAX)
        return UINT32_MAX;
    for (uint32_t k = 0; k <= count; k++)
        if (kind_of(e, id + k) != kind_of(e, call + k))
            return UINT32_MAX;
    return count;
}

uint32_t encoder_parameters(struct derive_encoder *e, uint32_t id, uint32_t i)
{
    const struct derive_frame *top = derive_top(e->t);
    uint32_t arguments = i - e->t->call_at - 1;
    if (e->t->call_at >= i || top == NULL || top->pending_call != e->call + arguments)
        return UINT32_MAX;
    if (id >= e->fits.count && !vec_extend(&e->fits, e->tables.sites.count))
        return count_parameters(e, id, e->call, arguments);
    struct entry_fit *fit = &e->fits.items[id];
    if (fit->call != e->call + 1)
        *fit = (struct entry_fit){ e->call + 1, count_parameters(e, id, e->call, arguments) };
    return fit->parameters;
}

void encoder_store_named(struct derive_encoder *e, uint32_t i, uint32_t id, uint64_t value)
{
    uint32_t from = derive_named_after(e->t);
    followers_meet(&e->followers, from, id);
    e->rest.names.items[e->rest.names.count++] =
        (struct chunk_name){ e->rest.stored.count, from, followers_first(&e->followers, from) };
    e->t->named = id;
    store_if(e, true, i, id, value);
}

void encoder_enter_direct(struct derive_encoder *e, uint32_t i, uint32_t id, uint32_t method)
{
    e->named_at = i;
    encoder_store_named(e, i, id, 0);
    e->bad |= derive_event(e->t, id, method << SITE_METHOD_SHIFT | SITE_ENTRY, 0, true) == MOVE_NO_MEMORY;
}

/* Event `i`, which is stored with its data ID. */
static void put_named(struct derive_encoder *e, uint32_t i, uint32_t id, uint32_t row, const uint64_t *values,
                      uint32_t known)
{
    struct derive_thread *t = e->t;
    bool direct = false, is_explicit = t->state != DERIVE_OPEN;
    if ((row & SITE_ROLE) == SITE_ENTRY && is_called(t, i)) {
        uint32_t parameters = encoder_parameters(e, id, i);
        direct = parameters < known && memcmp(values, e->arguments, (parameters + 1) * sizeof *values) == 0;
        is_explicit = !direct;
    }
    if (t->state == DERIVE_RETURNS)
        t->state = DERIVE_OPEN;
    e->named_at = i;
    if (is_explicit)
        list(e, i);
    encoder_store_named(e, i, id, direct ? 0 : *values);
    enum derive_move move = derive_event(t, id, row, *values, direct);
    if (move == MOVE_NEXT && (row & SITE_ROLE) == SITE_EXIT) /* it returns a NaN: the top frame is its caller now */
        move = MOVE_LEFT;
    if (move != MOVE_LEFT && move != MOVE_FOREIGN && derive_top(t) != NULL)
        derive_top(t)->last_id = id;
    if (move == MOVE_NEXT && (row & SITE_ROLE) == SITE_CALL)
        begin_call(e, i, id, *values);
    if (move == MOVE_NEXT && (row & SITE_LAST) != 0)
        derive_call(t, derive_top(t), id, i);
    e->bad |= move == MOVE_NO_MEMORY;
}

/* Counts the events that must have happened before the next one, which is the first of `more` of a record. False: the
 * chunk is full. */
static bool count_implied_before(struct derive_encoder *e, uint32_t id, uint32_t row, uint64_t value, uint32_t more)
{
    struct derive_frame *top = derive_top(e->t);
    uint32_t role = row & SITE_ROLE;
    if (e->t->state != DERIVE_RUNS || !has_inputs(top, row) || role == SITE_ENTRY || role == SITE_EXPLICIT ||
        role == SITE_THROWN)
        return encoder_count_implied(e, top, id, 0, more);
    return role == SITE_CAUGHT ? encoder_count_implied_thrown(e, top, id, (uint32_t)value, more)
                               : count_implied(e, top, id, more);
}

bool encoder_put_event(struct derive_encoder *e, uint32_t id, const uint64_t *values, uint32_t known, uint32_t more)
{
    if (id >= e->tables.sites.count) {
        e->bad = true;
        return true;
    }
    uint32_t row = e->tables.sites.rows[id], role = row & SITE_ROLE;
    uint64_t value = *values;
    if (!count_implied_before(e, id, row, value, more))
        return false;
    struct derive_thread *t = e->t;
    struct derive_frame *top = derive_top(t);
    bool own = top != NULL && top->method == row >> SITE_METHOD_SHIFT;
    if ((row & SITE_VALUELESS) != 0 && (t->state != DERIVE_RUNS || !own)) {
        e->dropped++; /* its value is not known */
        return true;
    }
    uint32_t i = e->count++;
    if (role == SITE_ARGUMENT)
        note_argument(e, i, value);
    if (t->state == DERIVE_RUNS && own && !is_nan((row & SITE_FLOAT) != 0, (row & SITE_DOUBLE) != 0, value)) {
        top->last_id = id;
        switch (role) {
        case SITE_IMPLIED:
        case SITE_BLOCK:
        case SITE_ARGUMENT: break;
        case SITE_CALL: begin_call(e, i, id, value); break;
        case SITE_PARAMETER: store_if(e, !top->direct, i, id, value); return true;
        case SITE_INPUT: store_if(e, true, i, id, value); return true;
        case SITE_EXIT: derive_exit(t, value); return true;
        default: put_named(e, i, id, row, values, known); return true;
        }
        if ((row & SITE_LAST) != 0)
            derive_call(t, top, id, i);
        return true;
    }
    if (t->state == DERIVE_RETURNS && own && role == SITE_RESULT && id == top->pending_call + 1 &&
        value == t->returned) {
        top->pending_call = DERIVE_NO_CALL;
        top->last_id = id;
        t->state = DERIVE_RUNS;
        return true;
    }
    put_named(e, i, id, row, values, known);
    return true;
}

bool derive_put(struct derive_encoder *e, uint32_t id, uint64_t stamp, const uint64_t *values, uint32_t known)
{
    note_stamp(e, stamp);
    bool put = encoder_put_event(e, id, values, known, 1);
    set_running(e);
    return put;
}

void derive_complete(struct derive_encoder *e, uint64_t unknown, uint64_t value)
{
    uint32_t n = e->rest.stored.count, i = e->count;
    if (n == 0 || e->named_at + 1 != i || e->tables.roles[e->rest.stored.ids[n - 1]] != ROLE_CATCH_LABEL)
        return;
    for (; n > 1 && i > 1 && e->tables.roles[e->rest.stored.ids[n - 2]] == ROLE_EXCEPTIONAL &&
           e->rest.stored.values[n - 2] == unknown;
         n--, i--) {
        e->rest.stored.values[n - 2] = value;
        e->check += (value - unknown) * (DERIVE_CHECK_EVENT + 2 * (i - 2));
    }
}
