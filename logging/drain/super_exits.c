/* super_exits.c - see super_exits.h. */
#include "logging/drain/super_exits.h"

#include <string.h>

/* An unknown, non-null reference: never an id, since ids have 31 bits. */
#define VALUE_UNKNOWN UINT64_MAX

void super_exits_done(struct super_exits *x)
{
    for (size_t i = 0; i < x->threads.count; i++)
        super_calls_done(&x->threads.items[i]);
    vec_free(&x->threads);
}

struct super_calls *super_exits_of(struct super_exits *x, uint32_t thread)
{
    if (thread >= x->threads.count) {
        if (!vec_reserve(&x->threads, (size_t)thread + 1))
            return NULL;
        memset(x->threads.items + x->threads.count, 0, (thread + 1 - x->threads.count) * sizeof *x->threads.items);
        x->threads.count = (size_t)thread + 1;
    }
    return &x->threads.items[thread];
}

/* The order of the exit inserted as the k-th before the event with that number; kept in the state, because numbers do
 * not include inferred exits. False: no disk. */
static bool set_order(struct batch *b, uint32_t n, uint64_t number, uint32_t k)
{
    enum { EXITS_MAX = 1 << 24 };
    struct state *state = b->output.state;
    b->order[n] = number << ORDER_BITS | (k < ORDER_EVENT ? k : ORDER_EVENT - 1);
    uint64_t count = state->head->rows[STATE_EXIT];
    if (count >= EXITS_MAX)
        return true;
    uint64_t *row = state_row(state, STATE_EXIT, count);
    if (row == NULL)
        return false;
    row[0] = b->thread;
    row[1] = b->order[n];
    return true;
}

/* The data ID of METHOD_EXCEPTIONAL_EXIT of the method with that call; the number of data IDs if there is none. */
static uint32_t exit_of(const struct record_format *f, uint32_t call)
{
    uint32_t exit = call;
    while (exit < f->kinds.count && f->roles[exit] != ROLE_EXCEPTIONAL)
        exit++;
    return exit;
}

void super_exits_insert(struct super_exits *x, struct super_calls *calls, struct batch *b, const struct record *next)
{
    uint8_t role = b->format->roles[next->id];
    uint32_t inserted = 0;
    x->unsure = b->counted && next->number != calls->next_number;
    /* perhaps before the window of `id` began */
    bool between = b->windows != NULL && windows_next_begin(b->windows, calls->last_stamp) <= next->stamp;
    for (super_calls_meet(calls, b->format->roles, next->id); super_calls_left_by(calls, b->format->roles, next->id);
         super_calls_meet(calls, b->format->roles, next->id)) {
        batch_make_room(b);
        uint32_t exit = exit_of(b->format, super_calls_top(calls));
        super_calls_pop(calls);
        if (b->counters != NULL)
            journal_super_left(b->counters->journal, b->desc, b->thread);
        if (exit == b->format->kinds.count || between)
            continue;
        bool known = (role == ROLE_EXCEPTIONAL || role == ROLE_CATCH) && !x->unsure;
        if (b->percall != NULL) /* an exit is kept */
            (void)batch_keeps(b, &(struct record){ .id = exit, .count = 1, .stamp = next->stamp, .time = next->time });
        uint32_t n = b->columns.count;
        batch_put(b, exit, known ? next->values[0] : VALUE_UNKNOWN, next->stamp, next->time);
        if (b->counted && b->use == DRAIN_STORE && !set_order(b, n, next->number, inserted++)) {
            b->error = b->output.state->error;
            b->use = DRAIN_COUNT;
        }
    }
}

void super_exits_complete(const struct super_exits *x, struct batch *b, uint64_t exception)
{
    const struct chunk_columns *c = &b->columns;
    const uint8_t *roles = b->format->roles;
    uint32_t n = c->count;
    if (b->deriving && !x->unsure)
        derive_complete(b->output.chunks.deriver->encoder, VALUE_UNKNOWN, exception);
    if (b->deriving || n == 0 || roles[c->ids[n - 1]] != ROLE_CATCH_LABEL || x->unsure)
        return;
    for (n--; n > 0 && roles[c->ids[n - 1]] == ROLE_EXCEPTIONAL && c->values[n - 1] == VALUE_UNKNOWN; n--)
        c->values[n - 1] = exception;
}
