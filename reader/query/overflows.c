/* overflows.c - hs_overflows_open: arithmetic that did not give the exact result.
 *
 * One pass over the events of the methods asked for. Of each method the plan (code/arithmetic_plan.h) says which events
 * have the operands of its arithmetic; each open call of it has slots for them. A method that computes nothing has no
 * plan, and no calls here. */
#include <stdlib.h>
#include <string.h>

#include "reader/code/arithmetic_plan.h"
#include "reader/cursor/cursor.h"
#include "reader/query/loss_text.h"
#include "reader/query/place.h"

/* Of a thread: what its calls hold is forgotten when there are more. */
enum { SLOTS_MAX = 1 << 22 };

/* A value of an open call, and when it was set; at 0: it was not. */
struct slot {
    uint64_t value, at;
    bool known;
};
struct open_call {
    const struct plan *plan;
    size_t slots; /* its first one */
};
struct thread_calls {
    uint64_t thread; /* + 1 */
    uint64_t gap;    /* gap_passed */
    VEC(struct open_call) calls;
    VEC(struct slot) slots;
};
/* What a data ID is. */
struct id_use {
    struct plan *plan; /* NULL: none, if it is read */
    bool read, enters, leaves, left_out;
};
/* One time. */
struct found {
    uint64_t seq;
    const struct plan *plan;
    const struct plan_step *step;
    uint64_t left, right;
    uint32_t thread, dataid;
};
/* All times of an instruction. */
struct place {
    struct found first;
    uint64_t last, count;
};
struct overflows {
    struct list_answer base;
    struct hs_overflow *rows;
    bool cut;
    uint64_t unknown, unknown_times;
};
struct pass {
    hs_trace *trace;
    const struct hs_overflow_options *options;
    struct overflows *out;
    struct id_use *sites;
    uint32_t site_count;
    MAP(struct thread_calls) threads;
    struct thread_calls *thread; /* of the last event */
    VEC(struct place) places;
    VEC(struct found) each; /* a ring of `max` of them */
    uint64_t each_count;
    uint64_t clock; /* counts events */
    size_t max;
    bool no_memory;
};

static void overflows_done(struct list_answer *base)
{
    struct overflows *o = (struct overflows *)base;
    free(o->rows);
    arena_done(&o->base.arena);
    free(o);
}

/* ---- rows ---- */

static const char *keep_text(struct arena *a, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = arena_chars(a, size);
    if (copy != NULL)
        memcpy(copy, text, size);
    return copy != NULL ? copy : "";
}

static uint64_t result_of(const struct plan_step *s, uint64_t left, uint64_t right)
{
    if (s->op == OPC_iinc)
        return arithmetic_binary(OPC_iadd, left, right);
    return s->count > 1 ? arithmetic_binary(s->op, left, right) : arithmetic_unary(s->op, right);
}

static void fill_row(struct pass *p, struct arena *arena, const struct found *f, struct hs_overflow *row)
{
    const struct plan_step *s = f->step;
    const struct method *m = f->plan->method;
    const struct insn *in = m->insns[s->insn].in;
    const struct loss loss = loss_of(s->op, f->left, f->right);
    struct hs_place at;
    const bool two = s->count > 1 || s->op == OPC_iinc;
    const char in_kind = s->op == OPC_iinc ? 'I' : op_table[s->op].popped[0];
    char text[LOSS_TEXT_ROOM];
    *row = (struct hs_overflow){ .seq = f->seq,
                                 .last = f->seq,
                                 .count = 1,
                                 .thread = f->thread,
                                 .dataid = f->dataid,
                                 .method_id = m->row->method_id,
                                 .pc = in->pc,
                                 .op = op_table[s->op].name,
                                 .symbol = s->op == OPC_iinc ? "+" : arithmetic_words(s->op),
                                 .loss = (enum hs_loss)loss.kind,
                                 .bits = loss.bits,
                                 .right = { f->right, in_kind },
                                 .result = { result_of(s, f->left, f->right),
                                             s->op == OPC_iinc ? 'I' : op_table[s->op].pushed[0] } };
    if (two)
        row->left = (struct hs_value){ f->left, in_kind };
    place_of_pc(p->trace, m, in->pc, &at);
    row->line = at.line;
    row->file = at.file;
    loss_text(s->op, &loss, text);
    row->what = keep_text(arena, text);
    if (loss.is_exact) {
        loss_exact_text(&loss, text);
        row->exact = keep_text(arena, text);
    }
}

static bool passes(struct pass *p, const struct found *f)
{
    struct hs_overflow row;
    struct arena arena = { 0 };
    if (p->options->where == NULL)
        return true;
    fill_row(p, &arena, f, &row);
    const bool yes = hs_condition_overflow(p->options->where, p->trace, &row) == HS_TRUE;
    arena_done(&arena);
    return yes;
}

static void add(struct pass *p, const struct found *f, struct plan_step *step)
{
    if (f->seq < p->options->from || !passes(p, f))
        return;
    if (p->options->each) {
        const bool full = p->each.count == p->max;
        struct found *to = full ? &p->each.items[p->each_count % p->max] : vec_push(&p->each);
        p->no_memory |= to == NULL;
        p->out->cut |= full;
        p->each_count++;
        if (to != NULL)
            *to = *f;
        return;
    }
    struct place *place = step->place > 0 ? &p->places.items[step->place - 1] : NULL;
    if (place == NULL) {
        place = p->places.count < HS_OVERFLOWS_MAX ? vec_push(&p->places) : NULL;
        p->no_memory |= place == NULL && p->places.count < HS_OVERFLOWS_MAX;
        p->out->cut |= place == NULL;
        if (place == NULL)
            return;
        step->place = (uint32_t)p->places.count;
        *place = (struct place){ .first = *f };
    }
    place->last = f->seq;
    place->count++;
}

/* ---- one event ---- */

static const struct id_use *use_of(struct pass *p, uint32_t id)
{
    if (id >= p->site_count)
        return NULL;
    if (p->sites[id].read)
        return &p->sites[id];
    struct plan *plan = arithmetic_plan(p->trace, &p->out->base.arena, id, &p->no_memory);
    const struct method *m = plan != NULL ? plan->method : method_of_event(p->trace, id);
    const uint32_t first = m != NULL ? m->first_id : id, end = m != NULL ? m->first_id + m->id_count : id + 1;
    for (uint32_t i = first; i < end && i < p->site_count; i++) {
        const struct effect *f = effects_get(p->trace, i);
        p->sites[i] =
            (struct id_use){ plan, true, f->op == EFFECT_ENTER, f->op == EFFECT_LEAVE, f->op == EFFECT_LEFT_OUT };
    }
    if (plan != NULL)
        p->out->unknown += plan->missed;
    p->sites[id].read = true;
    return &p->sites[id];
}

static void pop_to(struct thread_calls *t, size_t count)
{
    if (count < t->calls.count)
        t->slots.count = t->calls.items[count].slots;
    t->calls.count = count;
}

static struct open_call *push(struct pass *p, const struct plan *plan)
{
    struct thread_calls *t = p->thread;
    if (t->slots.count + plan->slot_count > SLOTS_MAX)
        pop_to(t, 0);
    const size_t first = t->slots.count;
    struct open_call *c = vec_reserve(&t->slots, first + plan->slot_count) ? vec_push(&t->calls) : NULL;
    if (c == NULL) {
        p->no_memory = true;
        return NULL;
    }
    memset(t->slots.items + first, 0, plan->slot_count * sizeof *t->slots.items);
    t->slots.count += plan->slot_count;
    *c = (struct open_call){ plan, first };
    return c;
}

/* The call that an event belongs to: those above it have ended without an event. */
static struct open_call *own_call(struct pass *p, const struct plan *plan)
{
    struct thread_calls *t = p->thread;
    size_t n = t->calls.count;
    while (n > 0 && t->calls.items[n - 1].plan != plan)
        n--;
    if (n == 0)
        return push(p, plan);
    pop_to(t, n);
    return &t->calls.items[n - 1];
}

/* The slot of an operand that was set last; NULL: none is known. */
static const struct slot *operand(const struct plan *plan, const struct slot *slots, struct plan_operand o)
{
    const struct slot *found = NULL;
    for (uint32_t i = 0; i < o.count; i++) {
        const struct slot *s = &slots[plan->choices[o.first + i]];
        if (found == NULL || s->at > found->at)
            found = s;
    }
    return found != NULL && found->known ? found : NULL;
}

static void compute(struct pass *p, const struct plan *plan, struct slot *slots, struct plan_step *s,
                    const struct hs_event *e)
{
    struct slot *to = &slots[s->slot];
    uint64_t left = 0, right = s->value;
    if (s->op == OPC_iinc) {
        to->known = e->kind == 'I';
        left = arithmetic_binary(OPC_isub, e->value, right);
    } else {
        const struct slot *b = operand(plan, slots, s->right), *a = s->count > 1 ? operand(plan, slots, s->left) : b;
        to->known = a != NULL && b != NULL;
        left = a != NULL && s->count > 1 ? a->value : 0;
        right = b != NULL ? b->value : 0;
    }
    to->at = p->clock;
    to->value = to->known ? result_of(s, left, right) : 0;
    p->out->unknown_times += s->loses && !to->known;
    if (s->loses && to->known && loss_of(s->op, left, right).kind != LOSS_NONE)
        add(p, &(struct found){ e->seq, plan, s, left, right, e->thread, e->dataid }, s);
}

static void take(struct pass *p, const struct hs_event *e)
{
    const struct id_use *site = use_of(p, e->dataid);
    if (site == NULL || site->plan == NULL)
        return;
    if (p->thread == NULL || p->thread->thread != (uint64_t)e->thread + 1)
        p->thread = map_put(&p->threads, (uint64_t)e->thread + 1);
    struct plan *plan = site->plan;
    if (p->thread == NULL) {
        p->no_memory = true;
        return;
    }
    if (gap_passed(p->trace, &p->thread->gap, e->stamp))
        pop_to(p->thread, 0);
    struct open_call *c = site->enters ? push(p, plan) : own_call(p, plan);
    const struct plan_event *at = &plan->events[e->dataid - plan->first_id];
    if (c == NULL)
        return;
    struct slot *slots = p->thread->slots.items + c->slots;
    p->clock++;
    if (site->left_out)
        memset(slots, 0, plan->slot_count * sizeof *slots);
    for (uint32_t i = 0; i < at->count; i++) {
        struct plan_step *s = &plan->steps[at->first + i];
        switch (s->what) {
        case PLAN_KEEP: slots[s->slot] = (struct slot){ e->value, p->clock, e->kind != KIND_VOID }; break;
        case PLAN_CONSTANT: slots[s->slot] = (struct slot){ s->value, p->clock, true }; break;
        case PLAN_COMPUTE: compute(p, plan, slots, s, e); break;
        }
    }
    if (site->leaves)
        pop_to(p->thread, p->thread->calls.count - 1);
}

/* ---- the answer ---- */

static int newest_first(const void *a, const void *b)
{
    const struct hs_overflow *x = a, *y = b;
    return x->last != y->last ? (x->last < y->last ? 1 : -1) : x->pc < y->pc ? 1 : x->pc > y->pc ? -1 : 0;
}

static size_t make_rows(struct pass *p)
{
    struct overflows *o = p->out;
    const size_t count = p->options->each ? p->each.count : p->places.count;
    o->rows = calloc(count + 1, sizeof *o->rows);
    if (o->rows == NULL) {
        p->no_memory = true;
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        const struct place *place = p->options->each ? NULL : &p->places.items[i];
        fill_row(p, &o->base.arena, place != NULL ? &place->first : &p->each.items[i], &o->rows[i]);
        if (place != NULL) {
            o->rows[i].last = place->last;
            o->rows[i].count = place->count;
        }
    }
    if (count > 1)
        qsort(o->rows, count, sizeof *o->rows, newest_first);
    return count;
}

static int run(struct pass *p, struct hs_error *error)
{
    const struct hs_overflow_options *o = p->options;
    const struct hs_filter filter = { .size = sizeof filter,
                                      .to = o->to,
                                      .threads = o->threads,
                                      .thread_count = o->thread_count,
                                      .class_glob = o->class_glob,
                                      .method_glob = o->method_glob };
    const struct hs_event *e;
    struct walk w;
    walk_open_filter(&w, p->trace, &filter);
    while (!p->no_memory && walk_step(&w, &e))
        take(p, e);
    return walk_finish(&w, error);
}

int hs_overflows_open(hs_trace *t, const struct hs_overflow_options *options, hs_cursor **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(t, "overflows");
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    if (options == NULL || options->size != sizeof *options) {
        (void)error_set(&err, ERR_USAGE, "struct hs_overflow_options has another size than this library knows");
        return give(error, &err);
    }
    struct overflows *answer = calloc(1, sizeof *answer);
    struct pass p = { .trace = t, .options = options, .out = answer, .site_count = hs_dataid_count(t) };
    if (answer == NULL)
        return give(error, &err);
    answer->base.done = overflows_done;
    p.max = options->max > 0 && options->max < HS_OVERFLOWS_MAX ? options->max : HS_OVERFLOWS_MAX;
    p.sites = calloc((size_t)p.site_count + 1, sizeof *p.sites);
    p.no_memory = p.sites == NULL || code_events(t) == NULL || !effects_ready(t);
    size_t count = 0;
    int failed = p.no_memory ? 0 : run(&p, error);
    if (failed == 0 && !p.no_memory)
        count = make_rows(&p);
    for (size_t i = 0; i < p.threads.cap; i++) {
        vec_free(&p.threads.slots[i].calls);
        vec_free(&p.threads.slots[i].slots);
    }
    map_free(&p.threads);
    free(p.sites);
    vec_free(&p.places);
    vec_free(&p.each);
    if (failed != 0 || p.no_memory) {
        list_answer_free(&answer->base);
        return failed != 0 ? -1 : give(error, &err);
    }
    return cursor_over(ROW_overflow, answer->rows, sizeof *answer->rows, count, &answer->base, out, error);
}

bool hs_overflows_cut(const hs_cursor *cursor)
{
    const struct overflows *o = (const struct overflows *)cursor_answer(cursor, ROW_overflow);
    return o != NULL && o->cut;
}

uint64_t hs_overflows_unknown(const hs_cursor *cursor, uint64_t *times)
{
    const struct overflows *o = (const struct overflows *)cursor_answer(cursor, ROW_overflow);
    if (times != NULL)
        *times = o != NULL ? o->unknown_times : 0;
    return o != NULL ? o->unknown : 0;
}
