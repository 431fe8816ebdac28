/* plan_label.c - groups LABEL and LINE, and CATCH: where control goes.
 *
 * kept.from holds the pc of the last instruction that jumped, fell into a label, or may have thrown. Labels record
 * it. */
#include "weaver/plan.h"

static void set_from(struct method_plan *m, uint32_t pc)
{
    if (m->kept.has_from && !plan_counts_only(m))
        plan_set_from(m, pc);
}

static bool is_transfer(const struct insn *in)
{
    const struct op_info *op = &op_table[in->op];
    return (op->flags & (OP_COND | OP_JSR)) ||
           ((op->flags & OP_END) && !(op->flags & OP_RETURN) && in->op != OPC_athrow);
}

static bool sets_from_before(const struct method_plan *m, const struct insn *in)
{
    const unsigned flags = op_table[in->op].flags;
    if (m->inputs && (flags & (OP_THROWS | OP_RETURN))) /* METHOD_EXCEPTIONAL_EXIT records it */
        return true;
    return is_transfer(in) || ((flags & OP_THROWS) && (m->scan.code.flags[in->pc] & PC_GUARDED));
}

void plan_from_before(struct method_plan *m, uint32_t index, const struct insn *in)
{
    const struct op_info *op = &op_table[in->op];
    bool jump = op->format == OPF_BRANCH2 || op->format == OPF_BRANCH4;
    bool divide = in->op == OPC_idiv || in->op == OPC_ldiv || in->op == OPC_irem || in->op == OPC_lrem;
    (void)index;
    if (jump || divide) {
        struct attr_list a;
        a.count = 0;
        attr_text(&a, ATTR_instruction, (struct text){ op->name, strlen(op->name) });
        if (jump)
            attr_int(&a, ATTR_jumpto, in->operand);
        plan_static(m, jump ? EVENT_JUMP : EVENT_DIVIDE, in->pc, KIND_VOID, &a);
    }
    if (sets_from_before(m, in))
        set_from(m, in->pc);
}

void plan_from_after(struct method_plan *m, uint32_t index, const struct insn *in)
{
    (void)index;
    if (!sets_from_before(m, in))
        set_from(m, in->pc);
}

/* Attributes of CATCH: what all table entries of this handler have in common. */
static void catch_attrs(struct method_plan *m, uint32_t pc, struct attr_list *a)
{
    const struct handler *first = NULL;
    bool same_type = true, same_start = true, same_end = true, same_block = true;
    for (size_t i = 0; i < m->scan.code.handlers.count; i++) {
        const struct handler *h = &m->scan.code.handlers.items[i];
        if (h->handler != pc)
            continue;
        if (first == NULL)
            first = h;
        same_type &= h->type == first->type;
        same_block &= (h->type == 0) == (first->type == 0);
        same_start &= h->start == first->start;
        same_end &= h->end == first->end;
    }
    a->count = 0;
    if (same_block)
        attr_text(a, ATTR_blocktype, first->type == 0 ? TEXT_OF("FINALLY") : TEXT_OF("CATCH"));
    if (same_end)
        attr_int(a, ATTR_end, first->end);
    if (same_start)
        attr_int(a, ATTR_start, first->start);
    if (same_type && first->type != 0)
        attr_text(a, ATTR_type, source_of_class(m->c, first->type));
}

/* Does the handler at `pc` cover a call of this(...) or super(...)? The verifier of class files up to version 49
 * accepts that. */
static bool covers_super(const struct method_plan *m, uint32_t pc)
{
    const struct code *c = &m->scan.code;
    for (size_t k = 0; m->scan.is_constructor && k < c->handlers.count; k++) {
        const struct handler *h = &c->handlers.items[k];
        for (size_t i = 0; h->handler == pc && i < c->insns.count; i++) {
            const struct insn *in = &c->insns.items[i];
            if (in->pc >= h->start && in->pc < h->end && m->scan.flow.reached[i] && scan_calls_super(&m->scan, i))
                return true;
        }
    }
    return false;
}

void plan_label_before(struct method_plan *m, uint32_t index, const struct insn *in)
{
    bool handler = m->scan.flow.caught[index];
    if (handler) {
        plan_unwound(m);
        plan_cut(m);
    }
    if (plan_has(m, EVENT_LABEL))
        record_value(m, handler ? EVENT_CATCH_LABEL : EVENT_LABEL, in->pc, KIND_PC,
                     m->kept.has_from ? m->kept.from : SLOT_ZERO, false, NULL);
    /* then the constructor was not left, as the drain would think */
    const bool goes_on = handler && covers_super(m, in->pc);
    if (goes_on && plan_has(m, EVENT_LABEL))
        plan_role(m, ROLE_SUPER_DONE);
    if (handler && plan_has(m, EVENT_CATCH)) {
        struct attr_list a;
        catch_attrs(m, in->pc, &a);
        record_top(m, EVENT_CATCH, in->pc, KIND_REF, &a);
        if (goes_on && !plan_has(m, EVENT_LABEL))
            plan_role(m, ROLE_SUPER_DONE);
    }
}

void plan_line_before(struct method_plan *m, uint32_t index, const struct insn *in)
{
    (void)index;
    int32_t line = m->scan.lines[in->pc];
    for (size_t i = m->scan.lines_ascend ? m->next_line : 0; i < m->scan.line_entries.count; i++) {
        if (m->scan.lines_ascend && m->scan.line_entries.items[i].pc > in->pc) {
            m->next_line = i;
            break;
        }
        if (m->scan.line_entries.items[i].pc != in->pc)
            continue;
        m->scan.lines[in->pc] = m->scan.line_entries.items[i].line;
        record_void(m, EVENT_LINE_NUMBER, in->pc, false, NULL);
    }
    m->scan.lines[in->pc] = line;
}
