/* program.c - translates a method to steps (program.h). */
#include "reader/derive/program.h"

#include "reader/code/code.h"
#include "reader/derive/uninitialized.h"

struct maker {
    hs_trace *trace;
    const struct code_event *events; /* by data ID */
    const struct method *m;
    VEC(struct step) steps;
    VEC(struct step_switch) switches;
    uint32_t *step_of; /* by instruction */
    bool bad;
};

static void no_memory(struct maker *k)
{
    trace_no_memory(k->trace);
    k->bad = true;
}

static struct step *add(struct maker *k, enum step_code code)
{
    static struct step nowhere;
    struct step *s = vec_push(&k->steps);
    if (s == NULL) {
        no_memory(k);
        return &nowhere;
    }
    *s = (struct step){ .code = (uint8_t)code };
    return s;
}

static void move(struct maker *k, uint32_t dst, uint32_t from)
{
    struct step *s = add(k, STEP_MOVE);
    s->dst = (uint16_t)dst;
    s->a = (uint16_t)from;
}

static void constant(struct maker *k, uint32_t dst, uint64_t value)
{
    struct step *s = add(k, STEP_CONSTANT);
    s->dst = (uint16_t)dst;
    s->x = (uint32_t)value;
    s->y = (uint32_t)(value >> 32);
}

static const struct code_event *site(const struct maker *k, uint32_t id) { return &k->events[id]; }

static bool is_argument(unsigned event) { return event == EVENT_CALL_PARAM || event == EVENT_INVOKE_DYNAMIC_PARAM; }
static bool is_call(unsigned event) { return event == EVENT_CALL || event == EVENT_INVOKE_DYNAMIC; }

static uint32_t below(uint32_t top, int slots) { return top - (uint32_t)slots; }

/* Does the instruction call a constructor? */
static bool calls_constructor(const struct maker *k, const struct code_event *p)
{
    const struct insn *in = k->m->insns[p->insn].in;
    struct member_ref ref;
    return in->op == OPC_invokespecial && cpool_member(&k->m->classfile->cp, (uint32_t)in->operand, &ref) &&
           text_is(ref.name, "<init>");
}

/* The step of an event; `top` is the register behind the top of the stack when it is recorded. */
static void make_event(struct maker *k, uint32_t id, uint32_t top, bool last)
{
    const struct code_event *p = site(k, id);
    bool valued = p->kind != KIND_VOID;
    uint32_t value = p->in_local ? p->local : p->slots > 0 ? top - p->slots : 0;
    unsigned role = derive_site_row(&(struct derive_site){ .event = p->event, .kind = p->kind }) & SITE_ROLE;
    struct step *s = add(k, valued ? STEP_VALUE : STEP_VOID);
    s->x = id;
    switch (role) {
    case SITE_PARAMETER: s->code = STEP_PARAM; break;
    case SITE_RESULT:
        s->code = STEP_RESULT;
        s->b = valued;
        break;
    case SITE_EXIT:
        s->code = STEP_EXIT;
        s->b = valued;
        break;
    case SITE_CALL:
    case SITE_ARGUMENT:
        if (last) {
            s->code = STEP_CALL_IT;
            s->b = valued;
            s->dst = (uint16_t)below(top, k->m->insns[p->insn].in->pops);
            s->y = calls_constructor(k, p);
        }
        break;
    case SITE_INPUT:
        s->code = STEP_INPUT;
        if (p->event == EVENT_NEW_OBJECT_CREATED || p->event == EVENT_METHOD_OBJECT_INITIALIZED) {
            s->code = STEP_INITIALIZED;
            s->y = p->event == EVENT_NEW_OBJECT_CREATED ? (uint32_t)attribute_number(p->row, "created", 0) : PC_OF_THIS;
        }
        k->bad |= !valued;
        break;
    default:
        if (p->event == EVENT_LABEL) {
            s->code = STEP_FROM_PC;
        } else if (p->event == EVENT_LOCAL_INCREMENT) {
            s->code = STEP_INCREMENT;
            s->y = (uint32_t)k->m->insns[p->insn].in->operand;
        } else if (event_operand(p->event) == OPERAND_LAST_POPPED) {
            value = top; /* popped, but still there */
        } else {
            k->bad |= valued && p->slots == 0 && !p->in_local;
        }
        break;
    }
    s->a = (uint16_t)value;
}

/* Moves from the highest register down; one that was popped is then read from where it was last put. */
static void dup_family(struct maker *k, unsigned op, uint32_t top)
{
    const char *order = op_dup_order((uint8_t)op);
    const uint32_t pops = (uint32_t)op_table[op].pops, base = top - pops;
    uint32_t at[] = { top - 1, top - 2, top - 3, top - 4 };
    if (op == OPC_swap) {
        move(k, top, at[0]);
        at[0] = top;
    }
    for (uint32_t n = (uint32_t)strlen(order); n-- > 0;) {
        const uint32_t popped = (uint32_t)(order[n] - '0');
        if (base + n == top - 1 - popped)
            continue; /* it is there already */
        move(k, base + n, at[popped]);
        at[popped] = base + n;
    }
}

static void make_switch(struct maker *k, const struct insn *in, uint32_t value)
{
    uint32_t count = switch_count(k->m->code.bytes, in) - 1;
    int32_t *keys = arena_array(&k->trace->arena, (size_t)count + 1, sizeof *keys);
    uint32_t *targets = arena_array(&k->trace->arena, (size_t)count + 1, sizeof *targets);
    struct step_switch *table = vec_push(&k->switches);
    struct step *s = add(k, STEP_SWITCH);
    if (keys == NULL || targets == NULL || table == NULL) {
        no_memory(k);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        keys[i] = switch_key(k->m->code.bytes, in, i + 1);
        k->bad |= i > 0 && keys[i] <= keys[i - 1];
    }
    for (uint32_t i = 0; i <= count; i++) /* instructions now, steps when all are known */
        targets[i] = code_insn_at(&k->m->code, switch_target(k->m->code.bytes, in, i < count ? i + 1 : 0));
    *table = (struct step_switch){ keys, targets, count };
    s->a = (uint16_t)value;
    s->x = (uint32_t)k->switches.count - 1;
    s->y = in->pc;
}

static void make_branch(struct maker *k, const struct method_insn *i, uint32_t top)
{
    unsigned op = i->in->op;
    bool always = op == OPC_goto || op == OPC_goto_w;
    struct step *s = add(k, always ? STEP_GOTO : STEP_IF);
    if (!always) {
        s->a = (uint16_t)below(top, i->in->pops);
        s->dst = (uint16_t)(top - 1);
        s->b = (uint16_t)op;
    }
    s->x = code_insn_at(&k->m->code, i->in->operand);
    s->y = i->in->pc;
}

/* What the instruction does between the events before and those after it. */
static void make_insn(struct maker *k, const struct method_insn *i, uint32_t top)
{
    const struct op_info *op = &op_table[i->in->op];
    unsigned code = i->in->op;
    uint64_t value;
    if (op->flags & OP_LOAD) {
        move(k, top, i->in->local);
    } else if (op->flags & OP_STORE) {
        struct step *s = add(k, STEP_STORE);
        s->dst = i->in->local;
        s->a = (uint16_t)below(top, i->in->pops);
    } else if (code >= OPC_dup && code <= OPC_swap) {
        dup_family(k, code, top);
    } else if (code >= OPC_aconst_null && code <= OPC_ldc2_w) {
        if (code_constant(&k->m->classfile->cp, i->in, &value))
            constant(k, top, value);
        else
            k->bad |= i->after == 0;
    } else if (code == OPC_new) {
        struct step *s = add(k, STEP_NEW);
        s->dst = (uint16_t)top;
        s->y = i->in->pc;
    } else if (code >= OPC_iadd && code <= OPC_dcmpg) {
        bool one = (code >= OPC_ineg && code <= OPC_dneg) || (code >= OPC_i2l && code <= OPC_i2s);
        bool shift = code >= OPC_ishl && code <= OPC_lushr;
        struct step *s = add(k, one ? STEP_UNARY : STEP_BINARY);
        s->dst = s->a = (uint16_t)below(top, i->in->pops);
        if (one) {
            s->b = (uint16_t)code;
        } else {
            s->b = (uint16_t)below(top, shift ? 1 : i->in->pops / 2);
            s->x = code;
        }
    } else if (code == OPC_tableswitch || code == OPC_lookupswitch) {
        make_switch(k, i->in, top - 1);
    } else if ((op->flags & OP_COND) || code == OPC_goto || code == OPC_goto_w) {
        make_branch(k, i, top);
    } else if (code == OPC_athrow) {
        (void)add(k, STEP_STOP);
    }
}

static bool has_label(const struct maker *k, const struct method_insn *i)
{
    for (uint32_t e = 0; e < i->before; e++)
        if (site(k, k->m->ids[i->first + e])->event == EVENT_LABEL)
            return true;
    return false;
}

static bool needs_result(unsigned op)
{
    return op == OPC_iinc || op == OPC_getfield || op == OPC_getstatic || op == OPC_instanceof ||
           op == OPC_arraylength || op == OPC_newarray || op == OPC_anewarray || op == OPC_multianewarray ||
           (op >= OPC_iaload && op <= OPC_saload);
}

static void make_at(struct maker *k, struct program *p, uint32_t n)
{
    const struct method *m = k->m;
    const struct method_insn *i = &m->insns[n];
    uint32_t top = m->code.max_locals + (uint32_t)i->depth;
    k->step_of[n] = (uint32_t)k->steps.count;
    if (i->depth == NOT_REACHED) { /* never reached */
        (void)add(k, STEP_STOP);
        return;
    }
    for (uint32_t e = 0; e < i->before; e++) {
        uint32_t id = m->ids[i->first + e];
        unsigned event = site(k, id)->event;
        if (event == EVENT_CATCH_LABEL) {
            struct step *stop = add(k, STEP_STOP);
            stop->x = p->handler_of[n] = (uint32_t)k->steps.count;
            continue;
        }
        bool last = (is_call(event) || is_argument(event)) &&
                    !(e + 1 < i->before && is_argument(site(k, m->ids[i->first + e + 1])->event));
        make_event(k, id, top, last);
    }
    make_insn(k, i, top);
    if (op_table[i->in->op].flags & OP_END)
        return;
    top = below(top, i->in->pops - i->in->pushes);
    k->bad |= needs_result(i->in->op) && i->after == 0;
    for (uint32_t e = 0; e < i->after; e++) {
        uint32_t id = m->ids[i->first + i->before + e];
        unsigned event = site(k, id)->event;
        if (event != EVENT_MULTI_NEW_ARRAY_OWNER && event != EVENT_MULTI_NEW_ARRAY_ELEMENT)
            make_event(k, id, top, false);
    }
    if (n + 1 < m->count && has_label(k, &m->insns[n + 1])) {
        struct step *s = add(k, STEP_SET_FROM_PC);
        s->x = i->in->pc;
    }
}

static bool program_possible(const struct method *m)
{
    if (!m->followed || (uint32_t)m->code.max_locals + m->code.max_stack > DERIVE_REGISTERS_MAX ||
        m->insns[m->count].before == 0)
        return false;
    for (uint32_t n = 0; n < m->count; n++)
        if (m->insns[n].in->op == OPC_ret || (op_table[m->insns[n].in->op].flags & OP_JSR))
            return false;
    return true;
}

/* Branches go to instructions until the steps of all are known. */
static void resolve(struct maker *k)
{
    for (size_t n = 0; n < k->steps.count; n++) {
        struct step *s = &k->steps.items[n];
        if (s->code == STEP_GOTO || s->code == STEP_IF) {
            k->bad |= s->x >= k->m->count;
            s->x = k->bad ? 0 : k->step_of[s->x];
        }
    }
    for (size_t n = 0; n < k->switches.count; n++) {
        struct step_switch *w = &k->switches.items[n];
        uint32_t *targets = (uint32_t *)(uintptr_t)w->steps;
        for (uint32_t i = 0; i <= w->count; i++) {
            k->bad |= targets[i] >= k->m->count;
            targets[i] = k->bad ? 0 : k->step_of[targets[i]];
        }
    }
}

/* Rows and code may be damaged: every register exists. */
static void check_registers(struct maker *k, uint32_t registers)
{
    for (size_t n = 0; n < k->steps.count; n++) {
        const struct step *s = &k->steps.items[n];
        k->bad |= s->a >= registers || s->dst >= registers || (s->code == STEP_BINARY && s->b >= registers);
    }
}

static struct program *finish(struct maker *k, struct program *p)
{
    p->count = (uint32_t)k->steps.count;
    p->steps = arena_array(&k->trace->arena, k->steps.count + 1, sizeof *p->steps);
    p->switches = arena_array(&k->trace->arena, k->switches.count + 1, sizeof *p->switches);
    if (k->bad || p->steps == NULL || p->switches == NULL)
        return NULL;
    memcpy(p->steps, k->steps.items, k->steps.count * sizeof *p->steps);
    p->steps[p->count] = (struct step){ .code = STEP_STOP };
    if (k->switches.count > 0)
        memcpy(p->switches, k->switches.items, k->switches.count * sizeof *p->switches);
    return p;
}

struct program *program_of(hs_trace *t, const struct method *m)
{
    if (!program_possible(m))
        return NULL;
    struct maker k = { .trace = t, .events = code_events(t), .m = m };
    struct program *p = arena_array(&t->arena, 1, sizeof *p);
    k.step_of = calloc((size_t)m->count + 1, sizeof *k.step_of);
    if (p != NULL)
        p->handler_of = arena_array(&t->arena, (size_t)m->count + 1, sizeof *p->handler_of);
    if (p == NULL || k.step_of == NULL || p->handler_of == NULL) {
        free(k.step_of);
        trace_no_memory(t);
        return NULL;
    }
    p->method = m;
    p->registers = (uint32_t)m->code.max_locals + m->code.max_stack + PROGRAM_SCRATCH;
    const struct method_insn *prologue = &m->insns[m->count];
    for (uint32_t e = 1; e < prologue->before; e++) /* the first is METHOD_ENTRY */
        make_event(&k, m->ids[prologue->first + e], 0, false);
    if (has_label(&k, &m->insns[0]))
        (void)add(&k, STEP_SET_FROM_PC);
    for (uint32_t n = 0; n < m->count; n++)
        make_at(&k, p, n);
    resolve(&k);
    check_registers(&k, p->registers);
    struct program *made = finish(&k, p);
    if (made != NULL && !uninitialized_find(made, k.step_of, &t->arena)) {
        trace_no_memory(t);
        made = NULL;
    }
    free(k.step_of);
    vec_free(&k.steps);
    vec_free(&k.switches);
    return made;
}
