/* infer.c - code without frames: types are followed until they do not change any more. JVMS 4.10.2.
 *
 * Where paths meet the types are merged, and two classes merge to `some object`. A subroutine comes back behind its jsr
 * with the stack as it was before it; a local that some instruction of the method stores to can hold anything then. */
#include "weaver/verify/method.h"

#include <stdlib.h>

struct inference {
    struct method_check *m;
    size_t kept;              /* slots of all states */
    struct type_state *saved; /* by instruction, where paths can meet; slots NULL: not reached yet */
    u32_vec work;
    uint8_t *stored; /* by local: some instruction stores to it */
    bool has_ret;    /* else no subroutine comes back */
};

/* Joins the locals of m->now and this stack into the types before instruction `to`. */
static bool join(struct inference *f, uint32_t to, const vtype *stack, uint32_t depth)
{
    struct method_check *m = f->m;
    struct type_state *s = &f->saved[to];
    bool changed = s->slots == NULL;
    if (depth > m->slots - m->locals)
        return method_fault(m, "an exception does not fit max_stack %u", m->slots - m->locals);
    if (changed) {
        f->kept += m->slots;
        if (f->kept > CODE_SLOTS_KEPT_MAX)
            return method_limit(m, "its branch targets have more types of locals and stack than are kept");
        s->slots = malloc((m->slots + 1) * sizeof *s->slots);
        if (s->slots == NULL)
            return method_no_memory(m);
        memcpy(s->slots, m->now.slots, m->locals * sizeof *s->slots);
        memcpy(s->slots + m->locals, stack, depth * sizeof *s->slots);
        s->depth = depth;
        s->this_uninit = m->now.this_uninit;
    } else if (s->depth != depth) {
        return method_fault(m, "pc %u is reached with stacks of %u and %u slots", m->code.insns.items[to].pc, s->depth,
                            depth);
    } else {
        for (uint32_t i = 0; i < m->locals + depth; i++) {
            vtype both = types_merge(m->t, s->slots[i], i < m->locals ? m->now.slots[i] : stack[i - m->locals]);
            changed |= both != s->slots[i];
            s->slots[i] = both;
        }
        changed |= m->now.this_uninit && !s->this_uninit;
        s->this_uninit |= m->now.this_uninit;
    }
    uint32_t *slot = changed ? vec_push(&f->work) : &to;
    if (slot == NULL)
        return method_no_memory(m);
    *slot = to;
    return true;
}

static bool join_now(struct inference *f, uint32_t to)
{
    return join(f, to, f->m->now.slots + f->m->locals, f->m->now.depth);
}

static bool join_handlers(struct inference *f)
{
    struct method_check *m = f->m;
    const struct code *c = &m->code;
    if (!(c->flags[m->at->pc] & PC_GUARDED))
        return true;
    for (size_t k = 0; k < c->handlers.count; k++) {
        const struct handler *h = &c->handlers.items[k];
        vtype caught = type_known(NAME_THROWABLE);
        if (h->type != 0)
            (void)types_of_class(m->t, h->type, &caught);
        if (h->start <= m->at->pc && m->at->pc < h->end && !join(f, code_index(c, h->handler), &caught, 1))
            return false;
    }
    return true;
}

/* The return point of a jsr: see above. */
static bool join_behind_jsr(struct inference *f, uint32_t to)
{
    struct method_check *m = f->m;
    vtype *before = malloc((m->locals + 1) * sizeof *before);
    if (before == NULL)
        return method_no_memory(m);
    memcpy(before, m->now.slots, m->locals * sizeof *before);
    for (uint32_t i = 0; i < m->locals; i++)
        if (f->stored[i])
            m->now.slots[i] = TYPE_ANYTHING;
    bool done = join_now(f, to);
    memcpy(m->now.slots, before, m->locals * sizeof *before);
    free(before);
    return done;
}

/* Follows control from instruction `i` to the end of its straight line. */
static bool follow(struct inference *f, uint32_t i)
{
    struct method_check *m = f->m;
    const struct code *c = &m->code;
    memcpy(m->now.slots, f->saved[i].slots, m->slots * sizeof *m->now.slots);
    m->now.depth = f->saved[i].depth;
    m->now.this_uninit = f->saved[i].this_uninit;
    m->locals_changed = true;
    for (;; i++) {
        m->at = &c->insns.items[i];
        const struct op_info *op = &op_table[m->at->op];
        if ((m->locals_changed || (c->flags[m->at->pc] & PC_RANGE_START)) && !join_handlers(f))
            return false;
        m->locals_changed = false;
        if ((op->flags & OP_JSR) && f->has_ret && !join_behind_jsr(f, i + 1))
            return false;
        if (!method_step(m))
            return false;
        if ((op->format == OPF_BRANCH2 || op->format == OPF_BRANCH4) &&
            !join_now(f, code_index(c, (uint32_t)m->at->operand)))
            return false;
        if (op->format == OPF_TABLESWITCH || op->format == OPF_LOOKUPSWITCH)
            for (uint32_t k = 0; k < switch_count(c->bytes, m->at); k++)
                if (!join_now(f, code_index(c, (uint32_t)switch_target(c->bytes, m->at, k))))
                    return false;
        if (op->flags & (OP_END | OP_JSR))
            return true;
        if (i + 1 == c->insns.count)
            return method_fault(m, "control falls off the end of the code");
        if (c->flags[c->insns.items[i + 1].pc] & PC_LABEL)
            return join_now(f, i + 1);
    }
}

bool method_infer(struct method_check *m)
{
    struct inference f = { .m = m };
    size_t n = m->code.insns.count;
    f.saved = calloc(n, sizeof *f.saved);
    f.stored = calloc(m->locals + 2, 1);
    bool good = f.saved != NULL && f.stored != NULL ? method_start(m) : method_no_memory(m);
    for (size_t i = 0; i < n && good; i++) {
        const struct insn *in = m->at = &m->code.insns.items[i];
        f.has_ret |= in->op == OPC_ret;
        bool local = (op_table[in->op].flags & (OP_LOAD | OP_STORE)) || in->op == OPC_iinc || in->op == OPC_ret;
        if (local && in->local >= m->locals) /* also where control does not come */
            good = method_fault(m, "local variable %u is not below max_locals %u", in->local, m->locals);
        else if (op_table[in->op].flags & OP_STORE)
            f.stored[in->local] = f.stored[in->local + 1] = 1;
    }
    m->at = m->code.insns.items;
    good = good && join_now(&f, 0);
    while (good && f.work.count > 0)
        good = follow(&f, f.work.items[--f.work.count]);
    for (size_t i = 0; f.saved != NULL && i < n; i++)
        free(f.saved[i].slots);
    free(f.saved);
    free(f.stored);
    vec_free(&f.work);
    return good;
}
