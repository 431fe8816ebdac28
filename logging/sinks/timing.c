/* timing.c - format timing: calls, total and self time of every method, from its METHOD_ENTRY and exits with their
 * clock values, from which the hooks' own time is taken off (hook_cost.h).
 *
 * Running calls are kept in this process only: after a crash, calls that were open at the last commit have no end. A
 * call is counted when it begins. An exit belongs to the innermost call whose METHOD_ENTRY is the last one before the
 * exit among the data IDs. */
#include <stdlib.h>

#include "formats/calls.h"
#include "formats/dataid_stats.h"
#include "formats/roles.h"
#include "logging/aggregate/counts.h"
#include "logging/capture/windows.h"
#include "logging/sinks/hook_cost.h"
#include "logging/sinks/sink.h"

/* In the heap, by BLOCK of the METHOD_ENTRY's data ID. */
struct timing_state {
    struct timing_row now, before;
    uint64_t txn;
};

struct running {
    struct call_stack calls;
    struct hook_cost cost;
};
struct timing_scratch {
    VEC(struct running *) threads;
    uint32_t hook_bound;
};

static void done(struct state *s)
{
    struct timing_scratch *x = s->scratch;
    if (x == NULL)
        return;
    for (size_t i = 0; i < x->threads.count; i++)
        if (x->threads.items[i] != NULL) {
            calls_done(&x->threads.items[i]->calls);
            free(x->threads.items[i]);
        }
    vec_free(&x->threads);
    free(x);
    s->scratch = NULL;
}

static struct timing_scratch *scratch_of(struct state *s)
{
    struct timing_scratch *x = s->scratch;
    if (x == NULL && (x = s->scratch = calloc(1, sizeof *x)) != NULL)
        x->hook_bound = hook_cost_bound();
    return x;
}

static struct running *running_of(struct timing_scratch *x, uint32_t thread)
{
    if (x == NULL || !vec_reserve(&x->threads, (size_t)thread + 1))
        return NULL;
    for (; x->threads.count <= thread; x->threads.count++)
        x->threads.items[x->threads.count] = NULL;
    struct running **r = &x->threads.items[thread];
    if (*r == NULL)
        *r = calloc(1, sizeof **r);
    return *r;
}

static struct timing_row *row_of(struct state *s, uint32_t entry)
{
    uint64_t *block = state_row(s, STATE_BLOCK, entry);
    if (block == NULL)
        return NULL;
    if (*block == 0) {
        uint64_t at = state_alloc(s, sizeof(struct timing_state));
        if (at == 0)
            return NULL;
        struct timing_row *fresh = state_block(s, at);
        fresh->min_ns = UINT64_MAX;
        __atomic_store_n(block, at, __ATOMIC_RELEASE);
    }
    return state_touch(s, state_block(s, *block), sizeof(struct timing_row));
}

static bool enter(struct state *s, struct call_stack *c, uint32_t entry, uint64_t now)
{
    struct timing_row *row = row_of(s, entry);
    if (row == NULL || calls_enter(c, entry, now) == NULL)
        return false;
    row->calls++;
    return true;
}

/* What the hooks took in the innermost call. */
static bool take_off(struct state *s, const struct call_stack *c, uint64_t ns)
{
    if (ns == 0 || c->calls.count == 0)
        return true;
    struct timing_row *row = row_of(s, c->calls.items[c->calls.count - 1].method);
    if (row != NULL)
        row->hooks_ns += ns;
    return row != NULL;
}

static bool leave(struct state *s, struct call_stack *c, const uint8_t *roles, uint32_t exit, uint64_t now)
{
    struct call_took took;
    uint32_t entry = exit;
    while (entry > 0 && roles[entry] != ROLE_ENTER)
        entry--;
    if (!calls_leave(c, entry, now, &took))
        return true;
    struct timing_row *row = row_of(s, entry);
    if (row == NULL)
        return false;
    row->left++;
    row->exceptions += roles[exit] == ROLE_EXCEPTIONAL;
    row->self_ns += took.self;
    row->total_ns += took.nested ? 0 : took.total;
    row->min_ns = took.total < row->min_ns ? took.total : row->min_ns;
    row->max_ns = took.total > row->max_ns ? took.total : row->max_ns;
    row->histogram[timing_bucket(took.total)]++;
    return true;
}

static enum status import_batch(struct sink_output *out, const struct sink_batch *b, struct error *err)
{
    struct state *s = out->state;
    const struct chunk_columns *c = b->columns;
    struct timing_scratch *x = scratch_of(s);
    struct running *running = running_of(x, b->thread);
    struct call_stack *calls = running != NULL ? &running->calls : NULL;
    bool ok = calls != NULL;
    for (uint32_t i = 0; i < c->count && ok; i++) {
        uint8_t role = b->roles[c->ids[i]];
        if (b->windows != NULL && c->stamps[i] >= calls->gap) {
            calls_forget(calls);
            calls->gap = windows_next_begin(b->windows, c->stamps[i]);
        }
        uint64_t taken, now = hook_cost_correct(&running->cost, x->hook_bound, c->times[i], &taken);
        ok = counts_add(s, c->ids[i], 1) && take_off(s, calls, taken);
        if (ok && role == ROLE_ENTER)
            ok = enter(s, calls, c->ids[i], now);
        else if (ok && (role == ROLE_LEAVE || role == ROLE_EXCEPTIONAL))
            ok = leave(s, calls, b->roles, c->ids[i], now);
    }
    if (ok)
        return OK;
    return s->error.status != OK ? (*err = s->error).status : error_memory(err, "running calls");
}

static enum status save(struct state *s, struct store *store, struct error *err)
{
    enum status st = counts_save(s, store, err);
    struct writer w = { 0 };
    for (uint64_t id = 0; id < s->head->rows[STATE_BLOCK] && st == OK; id++) {
        const uint64_t *block = state_peek(s, STATE_BLOCK, id);
        if (*block == 0)
            continue;
        w.size = 0;
        if (((const struct timing_row *)state_value(s, state_block(s, *block), sizeof(struct timing_row)))->calls == 0)
            continue; /* dropped with a snapshot */
        timing_row_encode(state_value(s, state_block(s, *block), sizeof(struct timing_row)), &w);
        st = w.bad ? error_memory(err, "times") : store_put(store, DB_TIMING, id, w.data, w.size, err);
    }
    writer_free(&w);
    return st;
}

static void reset(struct state *s)
{
    counts_reset(s);
    for (uint64_t id = 0; id < s->head->rows[STATE_BLOCK]; id++) {
        const uint64_t *block = state_peek(s, STATE_BLOCK, id);
        struct timing_row *row = *block != 0 ? row_of(s, (uint32_t)id) : NULL;
        if (row != NULL)
            *row = (struct timing_row){ .min_ns = UINT64_MAX };
    }
}

static bool sane(const struct state *s, const void *block, uint64_t room)
{
    (void)s;
    (void)block;
    return room >= sizeof(struct timing_state);
}

const struct sink sink_timing = { .storage = &sink_storage_state,
                                  .import_batch = import_batch,
                                  .save = save,
                                  .done = done,
                                  .sane = sane,
                                  .reset = reset };
