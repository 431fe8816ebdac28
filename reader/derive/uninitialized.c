/* uninitialized.c - see uninitialized.h.
 *
 * Each step is visited once, on some path from the begin of the method, with what every register holds on that path.
 * One path is enough. What is on all paths to a step is also on that one; and what is not, the verifier lets no code
 * use from there on (JVMS 4.10.1: an uninitialized type merges with nothing but itself), so it does not matter which
 * id such a register gets. A register with a long, though, has it on every path.
 *
 * Paths are walked depth first, and writes are undone up to the branch where the next path begins: time and memory are
 * those of the code, whatever it is. */
#include "reader/derive/uninitialized.h"

struct write {
    uint16_t reg;
    uint32_t before;
};
struct begin {
    uint32_t step;
    size_t writes; /* that came before it */
};

struct paths {
    struct program *p;
    const uint32_t *step_of;
    uint32_t *insn_at;            /* by step: the first instruction that begins there, NO_INSN */
    uint8_t *seen, *handler_seen; /* by step; by handler */
    uint32_t *holds;              /* by register: pc + 1 of the `new`, 0 no such object */
    VEC(struct write) writes;
    VEC(struct begin) begins;
    VEC(uint16_t) found;
    bool no_memory;
};

static void set(struct paths *w, uint16_t reg, uint32_t what)
{
    if (w->holds[reg] == what)
        return;
    struct write *to = vec_push(&w->writes);
    if (to == NULL) {
        w->no_memory = true;
        return;
    }
    *to = (struct write){ reg, w->holds[reg] };
    w->holds[reg] = what;
}

static void begin_at(struct paths *w, uint32_t step)
{
    struct begin *to = w->seen[step] ? NULL : vec_push(&w->begins);
    if (to != NULL)
        *to = (struct begin){ step, w->writes.count };
    else
        w->no_memory |= !w->seen[step];
}

/* An exception in the instructions that begin at the step goes on in their handlers, with the same locals. */
static void begin_handlers(struct paths *w, uint32_t step)
{
    const struct method *m = w->p->method;
    for (uint32_t n = w->insn_at[step]; n < m->count && w->step_of[n] == step; n++)
        for (size_t i = 0; m->insns[n].covered && i < m->code.handlers.count; i++) {
            const struct handler *h = &m->code.handlers.items[i];
            uint32_t to = w->p->handler_of[code_index(&m->code, h->handler)], pc = m->insns[n].in->pc;
            if (to == 0 || w->handler_seen[i] || pc < h->start || pc >= h->end)
                continue;
            w->handler_seen[i] = true;
            begin_at(w, to);
        }
}

/* The object gets its id. */
static void made(struct paths *w, struct step *s)
{
    size_t begin = w->found.count;
    uint16_t *count = vec_push(&w->found);
    uint32_t what = s->y <= PC_OF_THIS ? s->y + 1 : UINT32_MAX, n = 0;
    for (uint32_t reg = 0; count != NULL && reg < w->p->registers; reg++) {
        if (w->holds[reg] != what)
            continue;
        uint16_t *to = vec_push(&w->found);
        if (to == NULL)
            break;
        *to = (uint16_t)reg;
        n++;
        set(w, (uint16_t)reg, 0);
    }
    w->no_memory |= w->found.count != begin + 1 + n || begin > UINT32_MAX - 1 - n;
    if (w->no_memory)
        return;
    w->found.items[begin] = (uint16_t)n;
    s->y = (uint32_t)begin;
}

/* What the step writes. Returns the one behind it; UINT32_MAX: nothing goes on there. */
static uint32_t pass(struct paths *w, uint32_t at)
{
    struct step *s = &w->p->steps[at];
    switch ((enum step_code)s->code) {
    case STEP_INPUT:
    case STEP_PARAM: set(w, s->a, 0); break;
    case STEP_RESULT:
        if (s->b)
            set(w, s->a, 0);
        break;
    case STEP_INITIALIZED: made(w, s); break;
    case STEP_MOVE:
    case STEP_STORE: set(w, s->dst, w->holds[s->a]); break;
    case STEP_NEW: set(w, s->dst, s->y + 1); break;
    case STEP_CONSTANT:
    case STEP_UNARY:
    case STEP_BINARY: set(w, s->dst, 0); break;
    case STEP_GOTO: return s->x;
    case STEP_IF: begin_at(w, s->x); break;
    case STEP_SWITCH: {
        const struct step_switch *table = &w->p->switches[s->x];
        for (uint32_t i = 0; i <= table->count; i++)
            begin_at(w, table->steps[i]);
        return UINT32_MAX;
    }
    case STEP_EXIT: return UINT32_MAX;
    case STEP_STOP: return s->x != 0 ? s->x : UINT32_MAX; /* code may branch to a handler, too */
    case STEP_VOID:
    case STEP_VALUE:
    case STEP_FROM_PC:
    case STEP_INCREMENT:
    case STEP_CALL_IT:
    case STEP_SET_FROM_PC: break;
    }
    return at + 1;
}

static void walk_paths(struct paths *w)
{
    begin_at(w, 0);
    while (w->begins.count > 0 && !w->no_memory) {
        struct begin b = w->begins.items[--w->begins.count];
        while (w->writes.count > b.writes) {
            struct write last = w->writes.items[--w->writes.count];
            w->holds[last.reg] = last.before;
        }
        for (uint32_t at = b.step; at < w->p->count && !w->seen[at] && !w->no_memory;) {
            w->seen[at] = true;
            begin_handlers(w, at);
            at = pass(w, at);
        }
    }
}

static bool has_made(const struct program *p)
{
    uint32_t i = 0;
    while (i < p->count && p->steps[i].code != STEP_INITIALIZED)
        i++;
    return i < p->count;
}

/* Steps that no path reaches name nothing. */
static void forget_unreached(struct paths *w)
{
    for (uint32_t i = 0; i < w->p->count; i++)
        if (w->p->steps[i].code == STEP_INITIALIZED && !w->seen[i])
            w->p->steps[i].y = 0;
}

bool uninitialized_find(struct program *p, const uint32_t *step_of, struct arena *arena)
{
    const struct method *m = p->method;
    if (!has_made(p))
        return true;
    struct paths w = { .p = p, .step_of = step_of };
    w.insn_at = malloc(((size_t)p->count + 1) * sizeof *w.insn_at);
    w.seen = calloc((size_t)p->count + 1, 1);
    w.handler_seen = calloc(m->code.handlers.count + 1, 1);
    w.holds = calloc(p->registers, sizeof *w.holds);
    uint16_t *none = vec_push(&w.found); /* at 0 */
    w.no_memory = w.insn_at == NULL || w.seen == NULL || w.handler_seen == NULL || w.holds == NULL || none == NULL;
    if (!w.no_memory) {
        *none = 0;
        memset(w.insn_at, 0xff, ((size_t)p->count + 1) * sizeof *w.insn_at);
        for (uint32_t n = m->count; n-- > 0;)
            w.insn_at[step_of[n]] = n;
        if (m->is_constructor)
            w.holds[0] = PC_OF_THIS + 1;
        walk_paths(&w);
        forget_unreached(&w);
        uint16_t *found = arena_array(arena, w.found.count, sizeof *found);
        w.no_memory |= found == NULL;
        if (found != NULL)
            memcpy(found, w.found.items, w.found.count * sizeof *found);
        p->uninitialized = found;
    }
    free(w.insn_at);
    free(w.seen);
    free(w.handler_seen);
    free(w.holds);
    vec_free(&w.writes);
    vec_free(&w.begins);
    vec_free(&w.found);
    return !w.no_memory;
}
