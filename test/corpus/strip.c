/* strip.c - see strip.h. The weaver is not asked what it inserted: both class files are read, and an alignment of the
 * instructions of each method is looked for, in which every instruction of the original stands in the woven code in its
 * order, and what is between two of them
 *
 *     - consists of constants, loads, dup forms, swap, pop, stores to locals behind those of the original, and calls of
 *       static methods of java.lang.Hindsight* classes, leaves the stack as it was and no value of the original
 *       anywhere else: shown by executing it with a symbol for each slot; or
 *     - is a goto_w behind an instruction that never falls through (a trampoline).
 *
 * Behind the last instruction stand handlers that call hooks and throw what they caught; one behind such a handler,
 * which covers it, writes to fields of java.lang.Hindsight* and their arrays, of which it may hold the monitor of one,
 * and throws what that handler caught; where it holds one, a third handler exits it and throws what it caught itself.
 * Branches, switches, exception ranges and line numbers then must mean the same: a branch may land anywhere between two
 * instructions from where the rest of the inserted code leaves the stack as it was. Frames are left to a JVM's verifier
 * (corpus/run.sh). */
#include "test/corpus/strip.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/jvm/code.h"
#include "formats/vec.h"

enum { STACK_MAX = 2048, DEPTH = STACK_MAX / 2, STEPS_MAX = 1 << 24 };

struct side {
    struct classfile cf;
    struct code code;
};
struct method {
    const struct side *was, *now;
    uint32_t *place; /* by instruction of the original: its index in the woven code */
    uint32_t tail;   /* index in the woven code where the handlers begin */
    struct strip_result *out;
};

static bool wrong(struct method *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static bool wrong(struct method *m, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(m->out->why, sizeof m->out->why, fmt, ap);
    va_end(ap);
    return false;
}
static const struct insn *was_at(const struct method *m, uint32_t i) { return &m->was->code.insns.items[i]; }
static const struct insn *now_at(const struct method *m, uint32_t i) { return &m->now->code.insns.items[i]; }

/* ---- executing inserted code ---- */

/* A symbol for each slot: n + 1 for what was n slots below the top at the begin, OTHER for constants and locals. */
enum { OTHER = 0, ERROR_OF_HOOK = 0x7ffffffe, HOOK_FIELD = 0x7fffffff, LOCALS_MAX = 65536 };
struct machine {
    uint32_t stack[STACK_MAX];        /* DEPTH slots of the program are below the code that runs */
    unsigned top, low;                /* all slots below `low` are as at the begin */
    uint32_t run;                     /* number of this run, for `scratch` */
    uint32_t scratch_run[LOCALS_MAX]; /* the run that stored to the local last */
    uint32_t scratch[LOCALS_MAX];
    unsigned monitors; /* of arrays of the hook class, that are held */
};
static struct machine machine;

static void machine_begin(struct machine *v)
{
    if (v->run++ == 0)
        v->low = 0;
    for (; v->low < DEPTH; v->low++)
        v->stack[v->low] = DEPTH - v->low;
    v->top = DEPTH;
    v->monitors = 0;
}
/* The handler of the code that ran last: an error of a hook is on the stack, the locals are as they were. */
static void machine_begin_again(struct machine *v)
{
    const uint32_t run = v->run;
    machine_begin(v);
    v->run = run;
    v->stack[v->top - 1] = ERROR_OF_HOOK;
    v->low = v->top - 1;
}

static bool is_neutral(const struct machine *v)
{
    bool same = v->top == DEPTH;
    for (unsigned i = v->low; same && i < DEPTH; i++)
        same = v->stack[i] == DEPTH - i;
    return same;
}

/* Slots from here on may change. */
static bool touch(struct machine *v, unsigned count)
{
    if (count > v->top)
        return false;
    if (v->top - count < v->low)
        v->low = v->top - count;
    return true;
}
static bool pop(struct machine *v, unsigned count)
{
    bool ok = touch(v, count);
    v->top -= ok ? count : 0;
    return ok;
}

static bool push(struct machine *v, uint32_t symbol)
{
    if (v->top == STACK_MAX)
        return false;
    v->stack[v->top++] = symbol;
    return true;
}

/* dup and its forms: a copy of the top `count` slots goes below them and `below` more. */
static bool copy_down(struct machine *v, unsigned count, unsigned below)
{
    uint32_t *from = v->stack + v->top - count - below, copy[2];
    if (!touch(v, count + below) || v->top + count > STACK_MAX)
        return false;
    memcpy(copy, v->stack + v->top - count, count * sizeof *copy);
    memmove(from + count, from, (count + below) * sizeof *from);
    memcpy(from, copy, count * sizeof *copy);
    v->top += count;
    return true;
}

/* A member of a class of the hooks? */
static bool is_of_hooks(const struct side *side, const struct insn *in, struct member_ref *ref)
{
    static const char prefix[] = "java/lang/Hindsight";
    return cpool_member(&side->cf.cp, (uint32_t)in->operand, ref) && ref->owner.size >= sizeof prefix - 1 &&
           memcmp(ref->owner.data, prefix, sizeof prefix - 1) == 0;
}

/* Is it a call of a hook? Then also how many slots it takes, and how many it returns. */
static bool is_hook(const struct side *side, const struct insn *in, unsigned *slots, unsigned *returns)
{
    struct member_ref ref;
    struct text result;
    if (in->op != OPC_invokestatic || !is_of_hooks(side, in, &ref) || !descriptor_measure(ref.desc, slots, &result))
        return false;
    const bool entry = ref.name.size > 5 && memcmp(ref.name.data, "loop_", 5) == 0;
    *returns = text_is(result, "I") &&
                       (text_is(ref.name, "tick") || text_is(ref.name, "addMany") || text_is(ref.name, "called"))
                   ? 1
               : text_is(ref.name, "thread") && text_is(ref.desc, "()Ljava/lang/Object;")                  ? 1
               : text_is(result, "J") && (entry || text_is(ref.name, "number") || text_is(ref.name, "at")) ? 2
                                                                                                           : 0;
    return *returns > 0 || text_is(result, "V");
}

static bool is_field_of_hook(const struct side *side, const struct insn *in)
{
    struct member_ref ref;
    return is_of_hooks(side, in, &ref) && ref.desc.data[0] != 'J' && ref.desc.data[0] != 'D';
}

/* Of a handler of a hook: what it does with the fields of the hook class. */
static bool step_fields(struct machine *v, const struct method *m, const struct insn *in)
{
    const unsigned top = v->top;
    switch ((unsigned)in->op) {
    case OPC_getstatic: return is_field_of_hook(m->now, in) && push(v, HOOK_FIELD);
    case OPC_putstatic: return is_field_of_hook(m->now, in) && pop(v, 1);
    case OPC_iand:
    case OPC_ixor: return top >= 2 && v->stack[top - 1] == OTHER && v->stack[top - 2] != ERROR_OF_HOOK && pop(v, 1);
    case OPC_aastore:
    case OPC_iastore: return top >= 3 && v->stack[top - 3] == HOOK_FIELD && pop(v, 3);
    case OPC_monitorenter: v->monitors++; return top >= 1 && v->stack[top - 1] == HOOK_FIELD && pop(v, 1);
    case OPC_monitorexit: return top >= 1 && v->stack[top - 1] == HOOK_FIELD && v->monitors-- == 1 && pop(v, 1);
    default: return false;
    }
}

/* Executes one instruction; false: inserted code does not have it. */
static bool step(struct machine *v, const struct method *m, const struct insn *in)
{
    const struct op_info *op = &op_table[in->op];
    unsigned slots, local, returns;
    if (op->flags & (OP_LOAD | OP_STORE)) {
        local = in->local;
        slots = (unsigned)(op->flags & OP_LOAD ? op->pushes : op->pops);
        if (op->flags & OP_STORE && local < m->was->code.max_locals)
            return false;
        if (op->flags & OP_STORE && !pop(v, slots))
            return false;
        for (unsigned i = 0; i < slots; i++)
            if (op->flags & OP_STORE) {
                v->scratch[local + i] = v->stack[v->top + i];
                v->scratch_run[local + i] = v->run;
            } else if (!push(v, v->scratch_run[local + i] == v->run ? v->scratch[local + i] : OTHER)) {
                return false;
            }
        return true;
    }
    if (is_hook(m->now, in, &slots, &returns))
        return pop(v, slots) && (returns < 1 || push(v, OTHER)) && (returns < 2 || push(v, OTHER));
    if (step_fields(v, m, in))
        return true;
    switch ((unsigned)in->op) {
    case OPC_ldc:
    case OPC_ldc_w: return cpool_tag(&m->now->cf.cp, (uint32_t)in->operand) == CONSTANT_Integer && push(v, OTHER);
    case OPC_pop: return pop(v, 1);
    case OPC_pop2: return pop(v, 2);
    case OPC_dup: return copy_down(v, 1, 0);
    case OPC_dup_x1: return copy_down(v, 1, 1);
    case OPC_dup_x2: return copy_down(v, 1, 2);
    case OPC_dup2: return copy_down(v, 2, 0);
    case OPC_dup2_x1: return copy_down(v, 2, 1);
    case OPC_dup2_x2: return copy_down(v, 2, 2);
    case OPC_i2l:
        return v->top > 0 && v->stack[v->top - 1] == OTHER && push(v, OTHER); /* the number of the next event */
    case OPC_ladd: return v->top >= 4 && v->stack[v->top - 3] == OTHER && v->stack[v->top - 4] == OTHER && pop(v, 2);
    case OPC_i2c: return v->top > 0 && v->stack[v->top - 1] == OTHER; /* constants above 32767 */
    case OPC_iadd: /* of a data ID that no constant holds alone, or of a field of the hook class */
        return v->top >= 2 && v->stack[v->top - 1] == OTHER &&
               (v->stack[v->top - 2] == OTHER || v->stack[v->top - 2] == HOOK_FIELD) && pop(v, 1);
    case OPC_swap:
        if (!touch(v, 2))
            return false;
        slots = v->stack[v->top - 1];
        v->stack[v->top - 1] = v->stack[v->top - 2];
        v->stack[v->top - 2] = slots;
        return true;
    default:
        if (in->op > OPC_sipush || in->op == OPC_nop) /* constants are the first instructions */
            return false;
        for (int i = 0; i < op->pushes; i++)
            if (!push(v, OTHER))
                return false;
        return true;
    }
}

/* ---- alignment ---- */

static bool same_insn(const struct method *m, const struct insn *a, const struct insn *b)
{
    unsigned op = b->op == OPC_goto_w ? OPC_goto : b->op == OPC_jsr_w ? OPC_jsr : b->op;
    unsigned old = a->op == OPC_goto_w ? OPC_goto : a->op == OPC_jsr_w ? OPC_jsr : a->op;
    unsigned format = op_table[a->op].format;
    const uint8_t *p = m->was->code.bytes + a->pc, *q = m->now->code.bytes + b->pc;
    if (old != op)
        return false;
    if (format == OPF_BRANCH2 || format == OPF_BRANCH4)
        return true; /* its target is compared later */
    if (format == OPF_TABLESWITCH || format == OPF_LOOKUPSWITCH) {
        uint32_t count = switch_count(m->was->code.bytes, a);
        p += 4 - a->pc % 4;
        q += 4 - b->pc % 4;
        if (count != switch_count(m->now->code.bytes, b))
            return false;
        if (format == OPF_TABLESWITCH)
            return memcmp(p + 4, q + 4, 8) == 0;
        for (uint32_t i = 1; i < count; i++)
            if (memcmp(p + 8 * i, q + 8 * i, 4) != 0)
                return false;
        return true;
    }
    return a->length == b->length && memcmp(p, q, a->length) == 0;
}

struct attempt {
    size_t first, next; /* its candidates, those from `next` on were not tried */
};
typedef VEC(uint32_t) index_vec;

/* Appends the places in the woven code where this instruction of the original can stand, if inserted code begins at
 * `at`. The last one is tried first. */
static bool add_candidates(const struct method *m, uint32_t i, uint32_t at, index_vec *out)
{
    bool falls = i == 0 || !(op_table[was_at(m, i - 1)->op].flags & OP_END);
    machine_begin(&machine);
    for (; at < m->now->code.insns.count; at++) {
        const struct insn *in = now_at(m, at);
        bool neutral = is_neutral(&machine);
        if (neutral && same_insn(m, was_at(m, i), in)) {
            uint32_t *slot = vec_push(out);
            if (slot == NULL)
                return false;
            *slot = at;
        }
        bool trampoline = neutral && !falls && in->op == OPC_goto_w;
        if (!trampoline && !step(&machine, m, in))
            break;
    }
    return true;
}

/* Finds m->place, from the first instruction on, going back where it does not go on. */
static bool align(struct method *m)
{
    uint32_t count = (uint32_t)m->was->code.insns.count, i = 0;
    index_vec candidates = { 0 };
    struct attempt *attempts = calloc(count + 1, sizeof *attempts);
    bool ok = attempts != NULL && add_candidates(m, 0, 0, &candidates);
    uint32_t furthest = 0, steps = 0;
    attempts[0] = (struct attempt){ 0, candidates.count };
    while (ok && i < count && steps++ < STEPS_MAX) {
        struct attempt *a = &attempts[i];
        if (a->next == a->first) { /* none is left */
            candidates.count = a->first;
            ok = i-- > 0;
            continue;
        }
        m->place[i] = candidates.items[--a->next];
        i++;
        furthest = i > furthest ? i : furthest;
        attempts[i].first = candidates.count;
        ok = i == count || add_candidates(m, i, m->place[i - 1] + 1, &candidates);
        attempts[i].next = candidates.count;
    }
    ok &= i == count;
    vec_free(&candidates);
    free(attempts);
    return ok || wrong(m, "nothing that can be left out makes it the original from pc %u on",
                       was_at(m, furthest < count ? furthest : count - 1)->pc);
}

/* ---- what the rest of the code means ---- */

/* Is this pc of the woven code that of instruction `i`, or of what was inserted before it? */
static bool stands_before(const struct method *m, uint32_t pc, uint32_t i)
{
    const struct code *now = &m->now->code;
    if (pc >= now->length || !(now->flags[pc] & PC_INSN))
        return false;
    uint32_t at = code_index(now, pc);
    return at <= m->place[i] && (i == 0 || at > m->place[i - 1]);
}

/* Does control that comes to `pc` of the woven code do nothing but inserted code before instruction `i`? */
static bool leads_to(const struct method *m, uint32_t pc, uint32_t i)
{
    if (!stands_before(m, pc, i))
        return false;
    uint32_t at = code_index(&m->now->code, pc), end = m->place[i];
    machine_begin(&machine);
    while (at < end && step(&machine, m, now_at(m, at)))
        at++;
    return at == end && is_neutral(&machine);
}

/* The same for a branch, which may go through a trampoline. */
static bool branch_leads_to(const struct method *m, int32_t pc, int32_t old)
{
    const struct code *now = &m->now->code, *was = &m->was->code;
    uint32_t i = code_index(was, (uint32_t)old);
    if (pc < 0 || (uint32_t)pc >= now->length || leads_to(m, (uint32_t)pc, i))
        return pc >= 0 && (uint32_t)pc < now->length;
    const struct insn *in = now->flags[pc] & PC_INSN ? now_at(m, code_index(now, (uint32_t)pc)) : NULL;
    return in != NULL && in->op == OPC_goto_w && leads_to(m, (uint32_t)in->operand, i);
}

static bool same_targets(struct method *m)
{
    for (uint32_t i = 0; i < m->was->code.insns.count; i++) {
        const struct insn *a = was_at(m, i), *b = now_at(m, m->place[i]);
        unsigned format = op_table[a->op].format;
        bool same = true;
        if (format == OPF_BRANCH2 || format == OPF_BRANCH4)
            same = branch_leads_to(m, b->operand, a->operand);
        else if (format == OPF_TABLESWITCH || format == OPF_LOOKUPSWITCH)
            for (uint32_t k = 0; same && k < switch_count(m->was->code.bytes, a); k++)
                same = branch_leads_to(m, switch_target(m->now->code.bytes, b, k),
                                       switch_target(m->was->code.bytes, a, k));
        if (!same)
            return wrong(m, "%s at pc %u goes somewhere else", op_table[a->op].name, a->pc);
    }
    return true;
}

/* The first entry from `*at` on that covers the pc; NULL: none. */
static const struct handler *next_handler(const struct code *c, uint32_t pc, size_t *at)
{
    while (*at < c->handlers.count) {
        const struct handler *h = &c->handlers.items[(*at)++];
        if (h->start <= pc && pc < h->end)
            return h;
    }
    return NULL;
}

/* A handler that covers itself unlocks; woven, an exception in it leads to a copy of it without hooks, behind the code
 * (build.c). Returns how many instructions from `at` on are such a copy of the handler, up to its athrow; 0: none. */
static uint32_t bare_copy(const struct method *m, const struct handler *h, uint32_t at)
{
    const struct code *was = &m->was->code, *now = &m->now->code;
    uint32_t i = code_index(was, h->handler);
    if (h->type != 0 || h->handler < h->start || h->handler >= h->end || at < m->tail)
        return 0;
    for (uint32_t n = 0; i + n < was->insns.count && at + n < now->insns.count; n++) {
        if (!same_insn(m, was_at(m, i + n), now_at(m, at + n)))
            return 0;
        if (was_at(m, i + n)->op == OPC_athrow)
            return n + 1;
    }
    return 0;
}

/* Each instruction has its handlers in their order, and behind them at most those that were inserted. */
static bool same_handlers(struct method *m)
{
    uint32_t tail_pc = m->tail < m->now->code.insns.count ? now_at(m, m->tail)->pc : UINT32_MAX;
    for (uint32_t i = 0; i < m->was->code.insns.count; i++) {
        size_t old_at = 0, new_at = 0;
        const struct handler *a, *b;
        while ((a = next_handler(&m->was->code, was_at(m, i)->pc, &old_at)) != NULL) {
            b = next_handler(&m->now->code, now_at(m, m->place[i])->pc, &new_at);
            if (b == NULL || b->type != a->type ||
                (!leads_to(m, b->handler, code_index(&m->was->code, a->handler)) &&
                 bare_copy(m, a, code_index(&m->now->code, b->handler)) == 0))
                return wrong(m, "pc %u has lost its handler at pc %u", was_at(m, i)->pc, a->handler);
        }
        while ((b = next_handler(&m->now->code, now_at(m, m->place[i])->pc, &new_at)) != NULL)
            if (b->type != 0 || b->handler < tail_pc)
                return wrong(m, "pc %u has a handler that it did not have", was_at(m, i)->pc);
    }
    return true;
}

/* Does the handler at that pc cover inserted handlers alone? */
static bool handles_tail(const struct method *m, uint32_t pc)
{
    const struct code *now = &m->now->code;
    bool any = false;
    for (size_t i = 0; i < now->handlers.count; i++) {
        const struct handler *h = &now->handlers.items[i];
        if (h->handler != pc)
            continue;
        if (h->type != 0 || h->start < now_at(m, m->tail)->pc)
            return false;
        any = true;
    }
    return any;
}

/* Does the handler at that pc cover the code behind a monitorenter that was inserted? */
static bool handles_monitor(const struct method *m, uint32_t pc)
{
    const struct code *now = &m->now->code;
    for (size_t i = 0; i < now->handlers.count; i++) {
        const struct handler *h = &now->handlers.items[i];
        if (h->handler == pc && h->start > now_at(m, m->tail)->pc &&
            now_at(m, code_index(now, h->start) - 1)->op == OPC_monitorenter)
            return true;
    }
    return false;
}

/* Nothing but the error that the handler caught is on the stack in place of the exception. */
static bool is_error_alone(const struct machine *v)
{
    return v->top == DEPTH && v->low == DEPTH - 1 && v->stack[DEPTH - 1] == ERROR_OF_HOOK;
}

/* What was inserted behind the code: handlers that throw what they caught, and copies of the original's. */
static bool tail_throws(struct method *m)
{
    bool ended = true, releases = false;
    for (uint32_t at = m->tail; at < m->now->code.insns.count; at++) {
        const struct insn *in = now_at(m, at);
        uint32_t copied = 0;
        for (size_t h = 0; ended && copied == 0 && h < m->was->code.handlers.count; h++)
            copied = bare_copy(m, &m->was->code.handlers.items[h], at);
        if (copied > 0) {
            at += copied - 1;
            continue;
        }
        if (ended) {
            releases = handles_monitor(m, in->pc);
            if (handles_tail(m, in->pc))
                machine_begin_again(&machine);
            else
                machine_begin(&machine);
            machine.monitors = releases;
        }
        ended = in->op == OPC_athrow && machine.monitors == 0 &&
                (releases ? is_error_alone(&machine) : is_neutral(&machine));
        if (!ended && in->op == OPC_goto_w && is_neutral(&machine))
            ended = true; /* a trampoline behind the last instruction */
        else if (!ended && !step(&machine, m, in))
            return wrong(m, "%s behind the end of the code", op_table[in->op].name);
    }
    return ended || wrong(m, "the code ends without a throw");
}

static const struct attribute *lines_of(const struct side *side)
{
    for (size_t i = 0; i < side->code.attributes.count; i++) {
        struct text name;
        if (cpool_utf8(&side->cf.cp, side->code.attributes.items[i].name, &name) && text_is(name, "LineNumberTable"))
            return &side->code.attributes.items[i];
    }
    return NULL;
}

/* The first LineNumberTable: the same lines, of the same instructions. */
static bool same_lines(struct method *m)
{
    const struct attribute *a = lines_of(m->was), *b = lines_of(m->now);
    if (a == NULL || b == NULL)
        return a == b || wrong(m, "its lines are lost");
    struct reader old = reader_of(a->data, a->length), new = reader_of(b->data, b->length);
    unsigned count = read_u2(&old);
    if (count != read_u2(&new))
        return wrong(m, "it has another number of lines");
    for (unsigned i = 0; i < count; i++) {
        unsigned pc = read_u2(&old), line = read_u2(&old), new_pc = read_u2(&new);
        if (line != read_u2(&new) || !stands_before(m, new_pc, code_index(&m->was->code, pc)))
            return wrong(m, "line %u of pc %u stands somewhere else", line, pc);
    }
    return true;
}

/* ---- classes ---- */

static bool same_code(struct method *m)
{
    uint32_t count = (uint32_t)m->was->code.insns.count;
    m->place = calloc(count + 1, sizeof *m->place);
    bool ok = m->place != NULL && align(m);
    m->tail = ok ? m->place[count - 1] + 1 : 0;
    bool falls = ok && !(op_table[was_at(m, count - 1)->op].flags & OP_END);
    ok = ok && (falls || tail_throws(m)) && same_targets(m) && same_handlers(m) && same_lines(m);
    free(m->place);
    m->out->instructions += count;
    m->out->inserted += m->now->code.insns.count - count;
    return ok;
}

static const struct attribute *code_of(const struct side *side, size_t i)
{
    const struct member *m = &side->cf.methods.items[i];
    return classfile_attribute(&side->cf, m->first_attribute, m->attribute_count, "Code");
}

static bool same_method(struct side *was, struct side *now, size_t i, struct strip_result *out)
{
    const struct attribute *a = code_of(was, i), *b = code_of(now, i);
    const struct member *x = &was->cf.methods.items[i], *y = &now->cf.methods.items[i];
    struct method m = { .was = was, .now = now, .out = out };
    struct error err = { 0 };
    if (x->access != y->access || x->name != y->name || x->desc != y->desc || (a == NULL) != (b == NULL))
        return wrong(&m, "another method");
    if (a == NULL || (a->length == b->length && memcmp(a->data, b->data, a->length) == 0))
        return true;
    out->methods++;
    bool ok = code_read(&was->code, a->data, a->length, &err) == OK;
    ok = code_read(&now->code, b->data, b->length, &err) == OK && ok;
    ok = ok ? same_code(&m) : wrong(&m, "%s", err.text);
    code_done(&was->code);
    code_done(&now->code);
    return ok;
}

bool strip_compare(const void *original, size_t original_size, const void *woven, size_t woven_size,
                   struct strip_result *out)
{
    struct side was = { 0 }, now = { 0 };
    struct error err = { 0 };
    bool ok = classfile_read(&was.cf, original, original_size, &err) == OK;
    ok = classfile_read(&now.cf, woven, woven_size, &err) == OK && ok;
    if (!ok)
        memcpy(out->why, err.text, sizeof out->why);
    else if (was.cf.methods.count != now.cf.methods.count || was.cf.fields.count != now.cf.fields.count ||
             was.cf.access != now.cf.access || was.cf.this_class != now.cf.this_class ||
             was.cf.super_class != now.cf.super_class || was.cf.cp.count > now.cf.cp.count ||
             memcmp(was.cf.cp.data, now.cf.cp.data, was.cf.cp.size) != 0) {
        memcpy(out->why, "another class", sizeof "another class");
        ok = false;
    }
    for (size_t i = 0; ok && i < was.cf.methods.count; i++) {
        ok = same_method(&was, &now, i, out);
        if (!ok) {
            struct error why;
            struct text name = { 0 };
            (void)cpool_utf8(&was.cf.cp, was.cf.methods.items[i].name, &name);
            (void)error_set(&why, ERR_FORMAT, "%.*s: %s", (int)name.size, name.data, out->why);
            memcpy(out->why, why.text, sizeof out->why);
        }
    }
    classfile_done(&was.cf);
    classfile_done(&now.cf);
    return ok;
}
