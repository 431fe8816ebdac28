/* timing.c - format timing: calls, total and self time of every method, from its METHOD_ENTRY and exits with their
 * clock values, from which the hooks' own time is taken off (hook_cost.h).
 *
 * Running calls are kept in this process only: after a crash, calls that were open at the last commit have no end. A
 * call is counted when it begins. An exit belongs to the innermost call whose METHOD_ENTRY is the last one before the
 * exit among the data IDs.
 *
 * Methods that are short and frequent have counters in the hooks (counter_tables.h), for entry and exits. In turns
 * these are used, and not: then all calls are timed (timing_sample.h). This changes at a time, not at a record: a call
 * that was entered before has no exit, or an exit no entry. Both are dropped: of counted methods no call is taken to
 * run across a change.
 *
 * Calls of this(...) and super(...) have no mark (weave_config.frames_only): one would keep all that is called in a
 * constructor from being counted. An exception that leaves one is seen when an outer frame is, or by an exit that is
 * missing. */
#include <stdlib.h>
#include <time.h>

#include "formats/calls.h"
#include "formats/dataid_stats.h"
#include "formats/roles.h"
#include "logging/aggregate/counts.h"
#include "logging/aggregate/dataid_stats.h"
#include "logging/capture/windows.h"
#include "logging/sinks/hook_cost.h"
#include "logging/sinks/sink.h"
#include "logging/sinks/timing_sample.h"

enum {
    WINDOW_EVENTS = 1 << 16,  /* that are timed before methods are counted again */
    REST_FIRST_NS = 50000000, /* so long they are counted at first, */
    REST_MAX_NS = 1000000000, /* then twice as long each time, up to this */
    SHORT_NS = 10000,         /* methods that take less on the average are counted, */
    SAMPLE = 8,
    FREQUENT = 4 /* if they are frequent, as in counter_tables.c */
};

/* In the heap, by BLOCK of the METHOD_ENTRY's data ID. */
struct timing_state {
    struct timing_kept now, before;
    uint64_t txn;
};

struct running {
    struct call_stack calls;
    struct hook_cost cost;
    size_t changes; /* of timing_scratch, those before its last event */
};
struct timing_scratch {
    VEC(struct running *) threads;
    uint32_t hook_bound;
    bool counting;           /* methods with exits are counted, not timed */
    uint64_t events;         /* since they are timed */
    uint64_t rest_ns, until; /* how long they are counted, and this time */
    u64_vec changes;         /* times at which `counting` changed, or more methods are counted */
    bool thrown;             /* a woven method was left by an exception, or has caught one */
    struct dataid_stats seen;
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
    vec_free(&x->changes);
    free(x->seen.of);
    vec_free(&x->seen.touched);
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

static struct timing_kept *kept_of(struct state *s, uint32_t entry)
{
    uint64_t *block = state_row(s, STATE_BLOCK, entry);
    if (block == NULL)
        return NULL;
    if (*block == 0) {
        uint64_t at = state_alloc(s, sizeof(struct timing_state));
        if (at == 0)
            return NULL;
        struct timing_kept *fresh = state_block(s, at);
        fresh->row.min_ns = UINT64_MAX;
        __atomic_store_n(block, at, __ATOMIC_RELEASE);
    }
    return state_touch(s, state_block(s, *block), sizeof(struct timing_kept));
}

/* NULL: the method has no times. */
static const struct timing_kept *kept_at(const struct state *s, uint64_t entry)
{
    const uint64_t *block = state_peek(s, STATE_BLOCK, entry);
    return block != NULL && *block != 0 ? state_value(s, state_block(s, *block), sizeof(struct timing_kept)) : NULL;
}

static bool is_constructor(const struct sink_batch *b, uint32_t entry)
{
    for (uint32_t id = entry + 1; id < b->kinds.count; id++)
        switch (b->roles[id]) {
        case ROLE_NEUTRAL: return true; /* METHOD_OBJECT_INITIALIZED */
        case ROLE_ENTER:
        case ROLE_EXCEPTIONAL: return false;
        default: break;
        }
    return false;
}

static bool enter(struct state *s, struct call_stack *c, const struct sink_batch *b, uint32_t entry, uint64_t now)
{
    struct timing_kept *kept = kept_of(s, entry);
    if (kept == NULL || calls_enter(c, entry, now) == NULL)
        return false;
    if (kept->row.calls++ == 0)
        kept->constructor = is_constructor(b, entry);
    return true;
}

/* What the hooks took in the innermost call. */
static bool take_off(struct state *s, const struct call_stack *c, uint64_t ns)
{
    if (ns == 0 || c->calls.count == 0)
        return true;
    struct timing_kept *kept = kept_of(s, c->calls.items[c->calls.count - 1].method);
    if (kept != NULL)
        kept->row.hooks_ns += ns;
    return kept != NULL;
}

static uint32_t entry_of(const uint8_t *roles, uint32_t id)
{
    while (id > 0 && roles[id] != ROLE_ENTER)
        id--;
    return id;
}

/* The innermost call of the method ends. */
static bool leave(struct state *s, struct call_stack *c, uint32_t entry, bool exception, uint64_t now)
{
    struct call_took took;
    if (!calls_leave(c, entry, now, &took))
        return true;
    struct timing_kept *kept = kept_of(s, entry);
    if (kept == NULL)
        return false;
    if (kept->exits != 0) {
        const uint32_t caller = c->calls.count > 0 ? c->calls.items[c->calls.count - 1].method : 0;
        const struct timing_kept *above = caller != 0 ? kept_at(s, caller) : NULL;
        timing_sample_add(kept, above != NULL && above->exits == 0 ? caller : 0, &took);
    }
    struct timing_row *row = &kept->row;
    row->left++;
    row->exceptions += exception;
    row->self_ns += took.self;
    row->total_ns += took.nested ? 0 : took.total;
    row->min_ns = took.total < row->min_ns ? took.total : row->min_ns;
    row->max_ns = took.total > row->max_ns ? took.total : row->max_ns;
    row->histogram[timing_bucket(took.total)]++;
    return true;
}

/* The method goes on, or is left: calls above it have been left. Of constructors that were in this(...) or super(...)
 * there is no exit (super_calls.h); of those that may be counted exits are missing in the end (exits_missing). */
static bool leave_above(struct state *s, struct call_stack *c, uint32_t entry, uint64_t now)
{
    struct call top;
    bool ok = true;
    while (ok && c->calls.items[c->calls.count - 1].method != entry && calls_above(c, entry, &top)) {
        const struct timing_kept *kept = kept_at(s, top.method);
        if (kept != NULL && kept->constructor && kept->exits == 0)
            ok = leave(s, c, top.method, true, now);
        else
            calls_drop(c);
    }
    return ok;
}

/* An exit or a catch. */
static bool end_calls(struct timing_scratch *x, struct state *s, struct call_stack *c, const uint8_t *roles,
                      uint32_t id, uint64_t now)
{
    const uint8_t role = roles[id];
    const uint32_t entry = entry_of(roles, id);
    x->thrown = x->thrown || role != ROLE_LEAVE;
    return (c->calls.count == 0 || leave_above(s, c, entry, now)) &&
           (role == ROLE_CATCH || leave(s, c, entry, role == ROLE_EXCEPTIONAL, now));
}

/* Methods that are counted from then on, or were before, are not known to run. */
static bool change(const struct state *s, struct call_stack *c)
{
    VEC(struct call) runs = { 0 };
    bool ok = vec_reserve(&runs, c->calls.count);
    for (size_t i = 0; i < c->calls.count && ok; i++) {
        const struct timing_kept *kept = kept_at(s, c->calls.items[i].method);
        if (kept == NULL || kept->exits == 0)
            runs.items[runs.count++] = c->calls.items[i];
    }
    if (ok && runs.count < c->calls.count) {
        calls_forget(c);
        for (size_t i = 0; i < runs.count && ok; i++) {
            struct call *call = calls_enter(c, runs.items[i].method, runs.items[i].entered);
            ok = call != NULL;
            if (ok)
                call->inner = runs.items[i].inner;
        }
    }
    vec_free(&runs);
    return ok;
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
        for (; ok && running->changes < x->changes.count && c->times[i] >= x->changes.items[running->changes];
             running->changes++)
            ok = change(s, calls);
        uint64_t taken, now = hook_cost_correct(&running->cost, x->hook_bound, c->times[i], &taken);
        ok = ok && counts_add(s, c->ids[i], 1) && take_off(s, calls, taken);
        if (ok && role == ROLE_ENTER)
            ok = enter(s, calls, b, c->ids[i], now);
        else if (ok && (role == ROLE_LEAVE || role == ROLE_EXCEPTIONAL || role == ROLE_CATCH))
            ok = end_calls(x, s, calls, b->roles, c->ids[i], now);
    }
    if (ok)
        return OK;
    return s->error.status != OK ? (*err = s->error).status : error_memory(err, "running calls");
}

/* ---- calls that are counted ---- */

static void add_below(void *state, uint32_t caller, uint64_t ns)
{
    struct timing_kept *kept = kept_at(state, caller) != NULL ? kept_of(state, caller) : NULL;
    if (kept != NULL)
        kept->counted_below_ns += ns;
}

/* Of all methods that may be counted. */
static void look(struct state *s)
{
    for (uint64_t id = 0; id < s->head->rows[STATE_BLOCK]; id++) {
        const struct timing_kept *kept = kept_at(s, id);
        if (kept != NULL && kept->exits != 0)
            timing_sample_look(kept_of(s, (uint32_t)id), state_number_value(s, STATE_COUNT, id), add_below, s);
    }
}

/* The exits of a method; 0: it has more than can be kept. */
static uint64_t exits_of(const struct sink_batch *b, uint32_t entry, uint32_t *exceptional)
{
    uint64_t exits = 0;
    *exceptional = 0;
    for (uint32_t n = 0; n < TIMING_EXITS_MAX && entry + 1 + n < b->kinds.count; n++) {
        const uint8_t role = b->roles[entry + 1 + n];
        if (role == ROLE_ENTER)
            return exits;
        if (role == ROLE_LEAVE)
            exits |= UINT64_C(1) << n;
        if (role == ROLE_EXCEPTIONAL) {
            *exceptional = entry + 1 + n;
            return exits;
        }
    }
    return 0;
}

/* Counters for a method in the thread of the batch. */
static bool count_method(struct state *s, struct counter_tables *tables, const struct sink_batch *b, uint32_t entry)
{
    struct timing_kept *kept = kept_of(s, entry);
    uint32_t exceptional;
    if (kept == NULL || (kept->row.left == 0 && !kept->constructor) ||
        (kept->row.left > 0 && kept->row.total_ns / kept->row.left >= SHORT_NS))
        return false;
    const uint64_t exits = exits_of(b, entry, &exceptional);
    bool ok = exits != 0 && counter_tables_may(tables, entry, b->kinds.letters, b->roles);
    for (uint32_t n = 0; n < TIMING_EXITS_MAX && ok; n++)
        ok = !(exits >> n & 1) || counter_tables_may(tables, entry + 1 + n, b->kinds.letters, b->roles);
    if (!ok || !counter_tables_add(tables, b->desc, entry))
        return false;
    for (uint32_t n = 0; n < TIMING_EXITS_MAX; n++)
        if ((exits >> n & 1) || (entry + 1 + n < exceptional && b->roles[entry + 1 + n] == ROLE_NEUTRAL))
            (void)counter_tables_add(tables, b->desc, entry + 1 + n);
    if (kept->exits == 0)
        timing_sample_begin(kept, state_number_value(s, STATE_COUNT, entry));
    kept->exits = exits;
    kept->exceptional = exceptional;
    return true;
}

/* Hooks count the methods that have counters, or time them. */
static void count_from_now(struct timing_scratch *x, struct counter_tables *tables, bool counting, uint64_t now)
{
    uint64_t *at = vec_push(&x->changes);
    if (at == NULL)
        return;
    counter_tables_use(tables, counting);
    x->counting = counting;
    *at = now;
}

static void learn(struct sink_output *out, struct counter_tables *tables, const struct sink_batch *b, uint64_t start_ns)
{
    struct timing_scratch *x = scratch_of(out->state);
    struct timespec t;
    bool more = false;
    if (x == NULL)
        return;
    x->events += b->count;
    for (uint32_t i = b->count % SAMPLE; i < b->count; i += SAMPLE)
        if (b->roles[b->columns->ids[i]] == ROLE_ENTER)
            (void)dataid_stats_add(&x->seen, b->columns->ids[i]);
    const bool ready = x->seen.touched.count > 0 && counter_tables_ready(tables, b->desc, b->thread);
    for (size_t i = 0; i < x->seen.touched.count; i++) {
        const uint32_t entry = x->seen.touched.items[i], samples = x->seen.of[entry];
        x->seen.of[entry] = 0;
        if (ready && samples >= FREQUENT)
            more |= count_method(out->state, tables, b, entry);
    }
    x->seen.touched.count = 0;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    const uint64_t now = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec - start_ns;
    if (x->counting && more) {
        count_from_now(x, tables, true, now);
    } else if (!x->counting && x->events >= WINDOW_EVENTS && counter_tables_any(tables)) {
        look(out->state);
        x->rest_ns = x->rest_ns == 0 ? REST_FIRST_NS : 2 * x->rest_ns < REST_MAX_NS ? 2 * x->rest_ns : REST_MAX_NS;
        x->until = now + x->rest_ns;
        count_from_now(x, tables, true, now);
    }
}

static void look_again(struct sink_output *out, struct counter_tables *tables, uint64_t now)
{
    struct timing_scratch *x = out->state->scratch;
    if (x == NULL || !x->counting || now < x->until)
        return;
    x->events = 0;
    count_from_now(x, tables, false, now);
}

/* ---- the end ---- */

static uint64_t left_of(const struct state *s, const struct timing_kept *kept, uint64_t entry)
{
    uint64_t left = kept->exceptional != 0 ? state_number_value(s, STATE_COUNT, kept->exceptional) : 0;
    for (uint32_t n = 0; n < TIMING_EXITS_MAX; n++)
        if (kept->exits >> n & 1)
            left += state_number_value(s, STATE_COUNT, entry + 1 + n);
    return left;
}

static const struct timing_kept *find_caller(const void *state, uint32_t entry) { return kept_at(state, entry); }

/* Of a constructor that is counted: calls without an exit, which were left by an exception. One that still runs is
 * taken for such a call, but only where there were exceptions. */
static uint64_t exits_missing(const struct state *s, const struct timing_kept *kept, uint64_t calls, uint64_t left)
{
    const struct timing_scratch *x = s->scratch;
    return kept->constructor && x != NULL && x->thrown && calls > left ? calls - left : 0;
}

/* For info: methods of which calls were counted, how many, and what they took. */
static enum status save_counted(const struct state *s, struct store *store, struct error *err)
{
    struct timing_times all = { 0 };
    uint64_t methods = 0, error_ns = 0;
    for (uint64_t id = 0; id < s->head->rows[STATE_BLOCK]; id++) {
        const struct timing_kept *kept = kept_at(s, id);
        if (kept == NULL || kept->counted.left == 0)
            continue;
        methods++;
        const struct timing_times counted = timing_sample_counted(kept, timing_sample_beyond(kept, find_caller, s));
        all.left += counted.left;
        all.self_ns += counted.self_ns;
        error_ns += kept->error_ns + kept->counted.self_ns - counted.self_ns;
    }
    const struct {
        const char *key;
        uint64_t value;
    } rows[] = { { "counted_methods", methods },
                 { "counted_calls", all.left },
                 { "counted_ns", all.self_ns },
                 { "counted_error_ns", error_ns } };
    enum status st = OK;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && methods > 0 && st == OK; i++)
        st = store_put_number(store, rows[i].key, rows[i].value, err);
    return st;
}

static enum status save(struct state *s, struct store *store, struct error *err)
{
    enum status st = counts_save(s, store, err);
    struct writer w = { 0 };
    look(s);
    if (st == OK)
        st = save_counted(s, store, err);
    for (uint64_t id = 0; id < s->head->rows[STATE_BLOCK] && st == OK; id++) {
        const struct timing_kept *kept = kept_at(s, id);
        if (kept == NULL || kept->row.calls == 0)
            continue; /* dropped with a snapshot */
        const uint64_t calls = state_number_value(s, STATE_COUNT, id),
                       left = kept->exits != 0 ? left_of(s, kept, id) : 0,
                       missing = exits_missing(s, kept, calls, left),
                       thrown = kept->exceptional != 0 ? state_number_value(s, STATE_COUNT, kept->exceptional) : 0;
        const struct timing_times counted = timing_sample_counted(kept, timing_sample_beyond(kept, find_caller, s));
        const struct timing_row row =
            timing_sample_row(kept, &counted, calls, left < calls ? left + missing : calls, thrown + missing);
        w.size = 0;
        timing_row_encode(&row, &w);
        st = w.bad ? error_memory(err, "times") : store_put(store, DB_TIMING, id, w.data, w.size, err);
    }
    writer_free(&w);
    return st;
}

static void reset(struct state *s)
{
    counts_reset(s);
    for (uint64_t id = 0; id < s->head->rows[STATE_BLOCK]; id++) {
        struct timing_kept *kept = kept_at(s, id) != NULL ? kept_of(s, (uint32_t)id) : NULL;
        if (kept != NULL)
            *kept = (struct timing_kept){ .row = { .min_ns = UINT64_MAX } };
    }
}

static bool sane(const struct state *s, const void *block, uint64_t room)
{
    (void)s;
    (void)block;
    return room >= sizeof(struct timing_state);
}

const struct sink sink_timing = { .storage = &sink_storage_state,
                                  .counters = true,
                                  .learn = learn,
                                  .look_again = look_again,
                                  .import_batch = import_batch,
                                  .save = save,
                                  .done = done,
                                  .sane = sane,
                                  .reset = reset };
