/* replay_thread.c - see replay_thread.h. */
#include "reader/derive/replay_thread.h"

#include "formats/chunk_pull.h"
#include "formats/jvm/arithmetic.h"

/* A chunk being executed. */
struct run {
    const struct replay_code *code;
    struct replay_thread *t;
    struct derived_chunk *c;
    uint32_t *ids;
    uint64_t *values;
    uint32_t at;              /* events given */
    uint32_t taken;           /* events of the chunk used */
    uint32_t explicit_events; /* of these: used */
    uint32_t limit;           /* number of the next explicit event; behind them the number of events */
    uint64_t check;
    const char *wrong;
    uint32_t wrong_id; /* data ID of the method that is wrong; NO_ID none */
};

static const char no_memory[] = "no memory for its frames";
static const char cannot_be_followed[] = "the code of a method cannot be followed";

void replay_thread_done(struct replay_thread *t)
{
    vec_free(&t->state.frames);
    vec_free(&t->frames);
    vec_free(&t->registers);
}

void replay_thread_forget(struct replay_thread *t)
{
    derive_forget(&t->state);
    t->frames.count = 0;
}

/* With its program, else `wrong` is set. */
static struct replay_frame *top_of(struct run *r)
{
    struct replay_frame *f = &r->t->frames.items[r->t->frames.count - 1];
    const uint32_t id = f->unread;
    if (id != NO_ID && !replay_frame_read(r->code, f)) {
        r->wrong = cannot_be_followed;
        r->wrong_id = id;
    }
    return f;
}

/* The next event of the chunk: `pulled`: whether it could be decoded. */
static bool take(struct run *r, bool pulled, const uint32_t *id, const uint64_t *value)
{
    struct derived_chunk *c = r->c;
    if (r->taken >= c->stored || !pulled) {
        r->wrong = r->taken >= c->stored ? "it holds too few events" : "an event that it holds is malformed";
        return false;
    }
    c->ids[r->taken] = *id;
    c->values[r->taken++] = *value;
    r->check = derive_check(r->check, r->at, *id, *value);
    return true;
}

/* The next event of the chunk, that of `id`. */
static bool take_known(struct run *r, uint32_t id, uint64_t *value)
{
    return take(r, chunk_pull_known(r->c->pull, id, value), &id, value);
}

/* The next event of the chunk, whose data ID is stored. */
static bool take_named(struct run *r, uint32_t *id, uint64_t *value)
{
    uint32_t from = derive_named_after(&r->t->state);
    bool pulled = chunk_pull_named(r->c->pull, from, followers_first(r->code->followers, from), id, value);
    if (!take(r, pulled, id, value))
        return false;
    r->t->state.named = *id;
    return true;
}

static void put(struct run *r, uint32_t id, uint64_t value)
{
    r->ids[r->at] = id;
    r->values[r->at++] = value;
}

/* The object that a STEP_INITIALIZED gives has this id. */
static void name_object(const struct program *p, uint64_t *registers, const struct step *made, uint64_t id)
{
    const uint16_t *holds = p->uninitialized + made->y;
    for (uint32_t i = 1; i <= holds[0]; i++)
        registers[holds[i]] = id;
}

static uint32_t switch_step(const struct step_switch *w, int32_t key)
{
    uint32_t low = 0, high = w->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (w->keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < w->count && w->keys[low] == key ? w->steps[low] : w->steps[w->count];
}

/* Executes steps of the top frame. With `given` it stops at the first step that gives an event, and `*given` is that
 * one; else it gives events up to the limit, or until the state is not RUNS. */
static void run_code(struct run *r, const struct step **given)
{
    struct replay_frame *f = top_of(r);
    const struct program *p = f->program;
    uint64_t *regs = r->t->registers.items + f->base;
    uint32_t at = f->step, silent = 0, limit = r->limit;
    uint64_t value;
    if (p == NULL) /* top_of has set r->wrong */
        return;
    for (;;) {
        const struct step *s = &p->steps[at];
        if (s->code < STEP_GIVES) {
            if (given != NULL) {
                *given = s;
                break;
            }
            if (r->at >= limit)
                break;
            silent = 0;
        }
        at++;
        switch ((enum step_code)s->code) {
        case STEP_VOID: put(r, s->x, 0); break;
        case STEP_VALUE: put(r, s->x, regs[s->a]); break;
        case STEP_FROM_PC: put(r, s->x, f->from_pc); break;
        case STEP_INCREMENT:
            regs[s->a] = of_int((int32_t)((uint32_t)regs[s->a] + s->y));
            put(r, s->x, regs[s->a]);
            break;
        case STEP_PARAM:
            if (derive_top(&r->t->state)->direct) {
                put(r, s->x, regs[s->a]);
                break;
            } /* fall through */
        case STEP_INPUT:
        case STEP_INITIALIZED:
            if (!take_known(r, s->x, &value))
                goto out;
            if (s->code == STEP_INITIALIZED)
                name_object(p, regs, s, value);
            else
                regs[s->a] = value;
            put(r, s->x, value);
            break;
        case STEP_RESULT: /* reached without a call */ r->wrong = "a result without a call"; goto out;
        case STEP_EXIT:
            value = s->b ? regs[s->a] : 0;
            put(r, s->x, value);
            f->step = at;
            derive_exit(&r->t->state, value);
            r->t->frames.count--;
            return;
        case STEP_CALL_IT:
            put(r, s->x, s->b ? regs[s->a] : 0);
            f->step = at;
            derive_call(&r->t->state, derive_top(&r->t->state), s->x, r->at - 1);
            return;
        case STEP_STORE:
        case STEP_MOVE: regs[s->dst] = regs[s->a]; break;
        case STEP_CONSTANT: regs[s->dst] = s->x | (uint64_t)s->y << 32; break;
        case STEP_NEW: regs[s->dst] = uninitialized(s->y); break;
        case STEP_SET_FROM_PC: f->from_pc = s->x; break;
        case STEP_GOTO:
            f->from_pc = s->y;
            at = s->x;
            break;
        case STEP_IF:
            f->from_pc = s->y;
            if (arithmetic_taken(s->b, regs[s->a], regs[s->dst]))
                at = s->x;
            break;
        case STEP_SWITCH:
            f->from_pc = s->y;
            at = switch_step(&p->switches[s->x], (int32_t)regs[s->a]);
            break;
        case STEP_UNARY: regs[s->dst] = arithmetic_unary(s->b, regs[s->a]); break;
        case STEP_BINARY: regs[s->dst] = arithmetic_binary(s->x, regs[s->a], regs[s->b]); break;
        case STEP_STOP:
            at--;
            if (given != NULL || r->at < limit)
                r->wrong = "the code cannot go on";
            goto out;
        }
        if (++silent > p->count) { /* it was at one of them twice: where a loop begins there is a LABEL */
            r->wrong = "a loop of its code gives no event";
            r->wrong_id = p->method->ids[p->method->insns[p->method->count].first];
            break;
        }
    }
out:
    f->step = at;
}

/* ---- named events ---- */

const struct program *replay_program(const struct replay_code *code, uint32_t id)
{
    if (code->sites.rows[id] == 0 && (code->need == NULL || !code->need(code->context, id)))
        return NULL;
    uint32_t number = code->sites.rows[id] >> SITE_METHOD_SHIFT;
    if (number >= code->method_count)
        return NULL;
    if (code->programs[number] == NULL) {
        const struct method *m = method_of_event(code->trace, id);
        code->programs[number] = m != NULL ? program_of(code->trace, m) : NULL;
    }
    return code->programs[number];
}

bool replay_frame_read(const struct replay_code *code, struct replay_frame *f)
{
    const uint32_t id = f->unread;
    if (id == NO_ID)
        return true;
    f->unread = NO_ID;
    const struct program *p = id < code->sites.count ? replay_program(code, id) : NULL;
    if (p == NULL || p->registers != f->registers || f->step >= p->count)
        return false;
    f->program = p;
    return true;
}

/* Sets the registers of a frame that is entered: those of its arguments have the values of the call of the frame below,
 * or get them with events. `value` is that of METHOD_ENTRY. */
static void give_arguments(struct run *r, const struct replay_frame *f, const struct replay_frame *caller,
                           uint64_t value)
{
    const struct method *m = f->program->method;
    uint64_t *regs = r->t->registers.items + f->base;
    uint32_t given = 0;
    if (caller != NULL) {
        const struct step *call = &caller->program->steps[caller->step - 1];
        given = m->argument_slots;
        if (call->code != STEP_CALL_IT || call->y != m->is_constructor ||
            call->dst + given > caller->program->registers || given > f->program->registers) {
            r->wrong = "a method is called with other arguments";
            return;
        }
        /* they overlap where the frames below were forgotten */
        memmove(regs, r->t->registers.items + caller->base + call->dst, given * sizeof *regs);
    }
    memset(regs + given, 0, (f->program->registers - given) * sizeof *regs);
    if (caller != NULL && !m->is_static && !m->is_constructor)
        r->values[r->at - 1] = regs[0];
    else if (caller == NULL && !m->is_static)
        regs[0] = value;
    if (m->is_constructor)
        regs[0] = uninitialized(PC_OF_THIS);
}

static void enter(struct run *r, uint32_t id, uint64_t value, bool direct)
{
    struct replay_thread *t = r->t;
    bool recorded = derive_top(&t->state)->recorded;
    const struct program *p = recorded ? NULL : replay_program(r->code, id);
    if (!recorded && p == NULL) {
        r->wrong = cannot_be_followed;
        r->wrong_id = id;
        return;
    }
    const struct replay_frame caller = t->frames.count > 0 ? *top_of(r) : (struct replay_frame){ 0 };
    size_t base = replay_frame_end(&caller);
    if (t->state.frames.count <= t->frames.count) /* it was too deep: those below are forgotten */
        t->frames.count = base = 0;
    if (p != NULL && base + p->registers > REPLAY_REGISTERS_MAX) {
        r->wrong = "the locals and stacks of the thread's methods have more slots than are followed";
        r->wrong_id = id;
        return;
    }
    struct replay_frame *f = vec_push(&t->frames);
    if (f == NULL || (p != NULL && !vec_reserve(&t->registers, base + p->registers))) {
        r->wrong = no_memory;
        return;
    }
    *f =
        (struct replay_frame){ .program = p, .unread = NO_ID, .registers = p != NULL ? p->registers : 0, .base = base };
    put(r, id, value);
    if (p != NULL)
        give_arguments(r, f, direct ? &caller : NULL, value);
}

/* An event of the code of the top frame, with its value. */
static void next_event(struct run *r, uint32_t id, uint64_t value)
{
    const struct step *s = NULL;
    bool left = r->t->state.frames.count < r->t->frames.count; /* METHOD_NORMAL_EXIT */
    struct replay_frame *f = top_of(r);
    if (f->program == NULL) {
        r->wrong = "the frame of an event is not followed";
        return;
    }
    run_code(r, &s);
    if (r->wrong != NULL)
        return;
    if (s->x != id) {
        r->wrong = "an event is not the one that the code gives";
        return;
    }
    uint64_t *regs = r->t->registers.items + f->base;
    f->step++;
    put(r, id, value);
    switch (s->code) {
    case STEP_VALUE:
    case STEP_INPUT:
    case STEP_INCREMENT:
    case STEP_PARAM:
    case STEP_RESULT: regs[s->a] = value; break;
    case STEP_INITIALIZED: name_object(f->program, regs, s, value); break;
    case STEP_CALL_IT:
        if (s->b)
            regs[s->a] = value;
        derive_call(&r->t->state, derive_top(&r->t->state), id, r->at - 1);
        break;
    default: break;
    }
    if (left)
        r->t->frames.count--;
}

/* The top frame continues in a handler. */
static void enter_handler(struct run *r, uint32_t id, bool ran)
{
    struct replay_frame *f = top_of(r);
    const struct program *p = f->program;
    if (p == NULL)
        return;
    const struct code_event *site = &r->code->events[id];
    uint64_t *regs = r->t->registers.items + f->base;
    const struct step *s = &p->steps[f->step];
    if (ran && s->code == STEP_STORE)
        regs[s->dst] = regs[s->a];
    if (site->insn >= p->method->count || p->handler_of[site->insn] == 0) {
        r->wrong = "an exception is caught where no handler is";
        return;
    }
    f->step = p->handler_of[site->insn];
}

/* The result of the call of the top frame. */
static void give_result(struct run *r, uint32_t id, uint64_t value)
{
    struct replay_frame *f = top_of(r);
    if (f->program != NULL) {
        const struct step *s = &f->program->steps[f->step];
        if (s->code != STEP_RESULT || s->x != id) {
            r->wrong = "a result is not that of the call";
            return;
        }
        if (s->b)
            r->t->registers.items[f->base + s->a] = value;
        f->step++;
    }
    put(r, id, value);
}

static void forget_program(struct replay_frame *f)
{
    f->program = NULL;
    f->unread = NO_ID;
    f->registers = 0;
}

/* The next event, which is stored with its data ID. */
static void named_event(struct run *r)
{
    struct derive_thread *state = &r->t->state;
    uint32_t id;
    uint64_t value;
    if (!take_named(r, &id, &value))
        return;
    if (id >= r->code->sites.count || (r->code->sites.rows[id] == 0 && !r->code->need(r->code->context, id))) {
        r->wrong = "a data ID is not known";
        return;
    }
    uint32_t row = r->code->sites.rows[id];
    bool is_explicit = r->at == r->limit, ran = state->state == DERIVE_RUNS;
    bool direct = (row & SITE_ROLE) == SITE_ENTRY && state->state == DERIVE_OPEN && state->called == r->at &&
                  r->at > 0 && !is_explicit;
    if (is_explicit) {
        r->explicit_events++;
        r->limit = r->explicit_events < r->c->explicit_events.count ? r->c->explicit_events.items[r->explicit_events]
                                                                    : r->c->count;
    }
    if (direct && top_of(r)->program == NULL) {
        r->wrong = "a call of a frame that is not followed";
        return;
    }
    if (state->state == DERIVE_RETURNS)
        state->state = DERIVE_OPEN;
    enum derive_move move = derive_event(state, id, row, value, direct);
    if (move != MOVE_NEXT && move != MOVE_ENTERED && r->t->frames.count > state->frames.count)
        r->t->frames.count = state->frames.count;
    switch (move) {
    case MOVE_ENTERED: enter(r, id, value, direct); break;
    case MOVE_NEXT: next_event(r, id, value); break;
    case MOVE_CAUGHT:
        enter_handler(r, id, ran);
        put(r, id, value);
        break;
    case MOVE_RETURNED: give_result(r, id, value); break;
    case MOVE_RECORDED:
        if (state->frames.count > 0)
            forget_program(&r->t->frames.items[r->t->frames.count - 1]);
        put(r, id, value);
        break;
    case MOVE_LEFT:
    case MOVE_FOREIGN:
    case MOVE_EXTRA: put(r, id, value); break;
    case MOVE_NO_MEMORY: r->wrong = no_memory; break;
    }
}

enum status replay_chunk(const struct replay_code *code, struct replay_thread *t, struct derived_chunk *c,
                         uint32_t *ids, uint64_t *values, struct error *err)
{
    struct run r = { .code = code, .t = t, .c = c, .ids = ids, .values = values, .wrong_id = NO_ID };
    r.limit = c->explicit_events.count > 0 ? c->explicit_events.items[0] : c->count;
    if (c->reset)
        replay_thread_forget(t);
    derive_begin_chunk(&t->state);
    while (r.at < c->count && r.wrong == NULL) {
        if (t->state.state == DERIVE_OPEN || r.at == r.limit) {
            named_event(&r);
        } else if (t->state.state == DERIVE_RUNS) {
            run_code(&r, NULL);
        } else {
            struct derive_frame *top = derive_top(&t->state);
            if (top == NULL || top->pending_call == DERIVE_NO_CALL) {
                r.wrong = "a method returns to no call";
                break;
            }
            uint32_t id = top->pending_call + 1;
            top->pending_call = DERIVE_NO_CALL;
            t->state.state = DERIVE_RUNS;
            give_result(&r, id, t->state.returned);
        }
    }
    if (r.wrong == NULL && (r.taken != c->stored || !chunk_pull_finished(c->pull)))
        r.wrong = "it holds events that the code does not give";
    if (r.wrong == NULL && r.check != c->check)
        r.wrong = "the check value of its events is wrong";
    if (r.wrong == NULL)
        return OK;
    uint32_t at = r.at;
    replay_thread_forget(t);
    if (r.wrong == no_memory || code->trace->no_memory)
        return error_memory(err, "the events of a chunk");
    char where[256] = "";
    uint32_t id = r.wrong_id != NO_ID ? r.wrong_id : at > 0 ? ids[at - 1] : NO_ID;
    if (id < code->sites.count)
        code_event_text(&code->events[id], where, sizeof where);
    return error_set(err, ERR_FORMAT, "after %u of %u events the code and the chunk differ: %s: %s", at, c->count,
                     r.wrong, where);
}
