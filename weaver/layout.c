/* layout.c - the fixed point of addresses. See layout.h. */
#include "weaver/layout.h"

#include <stdlib.h>

enum branch_form { BRANCH_SHORT, BRANCH_WIDE, BRANCH_TRAMPOLINE };
enum { GOTO_W_BYTES = 5, REACH = 32767 };

static uint32_t before_size(const struct method_plan *m, size_t i)
{
    return m->inserted.at[2 * i + 1] - (i == 0 ? m->inserted.prologue : m->inserted.at[2 * i]);
}
static uint32_t after_size(const struct method_plan *m, size_t i)
{
    return m->inserted.at[2 * i + 2] - m->inserted.at[2 * i + 1];
}

static bool is_branch(const struct insn *in)
{
    return op_table[in->op].format == OPF_BRANCH2 || op_table[in->op].format == OPF_BRANCH4;
}

static uint32_t insn_size(const struct layout *l, const struct insn *in, size_t i, uint32_t new_pc)
{
    if (in->op == OPC_tableswitch || in->op == OPC_lookupswitch) {
        uint32_t old_padding = 3 - (in->pc & 3), padding = 3 - (new_pc & 3);
        return in->length - old_padding + padding;
    }
    return l->wide[i] == BRANCH_WIDE ? GOTO_W_BYTES : in->length;
}

static uint32_t assign(struct layout *l, const struct method_plan *m)
{
    uint32_t pc = m->inserted.prologue;
    size_t t = 0;
    for (size_t i = 0; i < m->scan.code.insns.count; i++) {
        const struct insn *in = &m->scan.code.insns.items[i];
        l->label_pc[i] = pc;
        l->insn_pc[i] = pc + before_size(m, i);
        pc = l->insn_pc[i] + insn_size(l, in, i, l->insn_pc[i]) + after_size(m, i);
        for (; t < l->trampolines.count && l->trampolines.items[t].host == i; t++) {
            l->trampolines.items[t].new_pc = pc;
            pc += GOTO_W_BYTES;
        }
    }
    l->label_pc[m->scan.code.insns.count] = pc;
    return pc;
}

static int64_t distance(uint32_t from, uint32_t to) { return (int64_t)to - (int64_t)from; }
static bool reaches(int64_t d) { return d >= -REACH - 1 && d <= REACH; }

/* A trampoline to `target` behind the transfer nearest to instruction i; an existing one if it is near enough. */
static bool place_trampoline(struct layout *l, const struct method_plan *m, size_t i, uint32_t target)
{
    const int64_t safe = REACH - 4096; /* later rounds may still increase distances */
    for (size_t t = 0; t < l->trampolines.count; t++) {
        const struct trampoline *tr = &l->trampolines.items[t];
        int64_t d = distance(l->insn_pc[i], tr->new_pc);
        if (tr->target == target && tr->new_pc != 0 && d > -safe && d < safe) {
            l->via[i] = (uint32_t)t;
            return true;
        }
    }
    size_t best = SIZE_MAX;
    for (size_t k = 0; k < m->scan.code.insns.count; k++) {
        if (!(op_table[m->scan.code.insns.items[k].op].flags & OP_END))
            continue;
        int64_t d = llabs(distance(l->insn_pc[i], l->label_pc[k + 1]));
        if (d < safe && (best == SIZE_MAX || d < llabs(distance(l->insn_pc[i], l->label_pc[best + 1]))))
            best = k;
    }
    if (best == SIZE_MAX || vec_push(&l->trampolines) == NULL)
        return false;
    size_t at = l->trampolines.count - 1;
    for (; at > 0 && l->trampolines.items[at - 1].host > best; at--)
        l->trampolines.items[at] = l->trampolines.items[at - 1];
    l->trampolines.items[at] = (struct trampoline){ (uint32_t)best, target, l->label_pc[best + 1] };
    for (size_t k = 0; k < m->scan.code.insns.count; k++)
        if (l->wide[k] == BRANCH_TRAMPOLINE && l->via[k] >= at && k != i)
            l->via[k]++;
    l->via[i] = (uint32_t)at;
    return true;
}

/* Widens branches that do not reach their target. Returns -1 on failure, else how many branches changed. */
static int widen(struct layout *l, const struct method_plan *m)
{
    int changed = 0;
    for (size_t i = 0; i < m->scan.code.insns.count; i++) {
        const struct insn *in = &m->scan.code.insns.items[i];
        if (op_table[in->op].format != OPF_BRANCH2)
            continue;
        uint32_t target = code_index(&m->scan.code, (uint32_t)in->operand);
        if (l->wide[i] == BRANCH_SHORT && !reaches(distance(l->insn_pc[i], l->label_pc[target]))) {
            bool conditional = op_table[in->op].flags & OP_COND;
            if (conditional && !place_trampoline(l, m, i, target))
                return -1;
            l->wide[i] = conditional ? BRANCH_TRAMPOLINE : BRANCH_WIDE;
            changed++;
        } else if (l->wide[i] == BRANCH_TRAMPOLINE &&
                   !reaches(distance(l->insn_pc[i], l->trampolines.items[l->via[i]].new_pc))) {
            if (!place_trampoline(l, m, i, target))
                return -1;
            changed++;
        }
    }
    return changed;
}

enum status layout_run(struct layout *l, const struct method_plan *m, struct error *err)
{
    size_t n = m->scan.code.insns.count;
    *l = (struct layout){ 0 };
    l->label_pc = malloc((n + 1) * (3 * sizeof *l->label_pc + sizeof *l->wide)); /* one piece for all four */
    if (l->label_pc == NULL)
        return error_memory(err, "layout of %zu instructions", n);
    l->insn_pc = l->label_pc + n + 1;
    l->via = l->insn_pc + n + 1;
    l->wide = memset(l->via + n + 1, BRANCH_SHORT, n + 1);
    for (int round = 0;; round++) {
        l->length = assign(l, m);
        if (l->length > CODE_MAX)
            return error_set(err, ERR_LIMIT, "the woven code has %u bytes, %d are allowed", l->length, CODE_MAX);
        int changed = l->length > REACH ? widen(l, m) : 0;
        if (changed == 0)
            return OK;
        if (changed < 0 || round > 200)
            return error_set(err, ERR_LIMIT, "a conditional branch of the woven code cannot reach its target");
    }
}

void layout_done(struct layout *l)
{
    free(l->label_pc);
    vec_free(&l->trampolines);
}

static void write_branch(const struct layout *l, const struct method_plan *m, size_t i, struct writer *w)
{
    const struct insn *in = &m->scan.code.insns.items[i];
    uint32_t to = l->label_pc[code_index(&m->scan.code, (uint32_t)in->operand)];
    if (l->wide[i] == BRANCH_TRAMPOLINE)
        to = l->trampolines.items[l->via[i]].new_pc;
    int64_t d = distance(l->insn_pc[i], to);
    if (op_table[in->op].format == OPF_BRANCH4 || l->wide[i] == BRANCH_WIDE) {
        write_u1(w, in->op == OPC_goto || in->op == OPC_goto_w ? OPC_goto_w : OPC_jsr_w);
        write_u4(w, (uint32_t)(int32_t)d);
    } else {
        write_u1(w, in->op);
        write_u2(w, (uint16_t)(int16_t)d);
    }
}

static void write_switch(const struct layout *l, const struct method_plan *m, size_t i, struct writer *w)
{
    const struct insn *in = &m->scan.code.insns.items[i];
    const uint8_t *p = m->scan.code.bytes + (in->pc & ~3u) + 4;
    uint32_t from = l->insn_pc[i], n = switch_count(m->scan.code.bytes, in);
#define NEW_DISTANCE(k)                                                                                                \
    (l->label_pc[code_index(&m->scan.code, (uint32_t)switch_target(m->scan.code.bytes, in, (k)))] - from)
    write_u1(w, in->op);
    for (uint32_t pad = 3 - (from & 3); pad > 0; pad--)
        write_u1(w, 0);
    write_u4(w, NEW_DISTANCE(0));
    if (in->op == OPC_tableswitch) {
        write_bytes(w, p + 4, 8);
        for (uint32_t k = 1; k < n; k++)
            write_u4(w, NEW_DISTANCE(k));
    } else {
        write_bytes(w, p + 4, 4);
        for (uint32_t k = 1; k < n; k++) {
            write_bytes(w, p + 8 * k, 4);
            write_u4(w, NEW_DISTANCE(k));
        }
    }
#undef NEW_DISTANCE
}

/* Copies inserted code from `*from` to `to`. */
static void write_inserted(const struct method_plan *m, uint32_t *from, uint32_t to, struct writer *w)
{
    if (to > *from) /* without any inserted code there is no buffer */
        write_bytes(w, m->inserted.emit.code.data + *from, to - *from);
    *from = to;
}

void layout_write(const struct layout *l, const struct method_plan *m, struct writer *w)
{
    size_t t = 0;
    uint32_t from = 0; /* code behind one instruction and before the next is contiguous */
    (void)writer_reserve(w, l->length);
    for (size_t i = 0; i < m->scan.code.insns.count; i++) {
        const struct insn *in = &m->scan.code.insns.items[i];
        write_inserted(m, &from, m->inserted.at[2 * i + 1], w);
        if (is_branch(in))
            write_branch(l, m, i, w);
        else if (in->op == OPC_tableswitch || in->op == OPC_lookupswitch)
            write_switch(l, m, i, w);
        else if (in->length == 1)
            write_u1(w, in->op);
        else
            write_bytes(w, m->scan.code.bytes + in->pc, in->length);
        for (; t < l->trampolines.count && l->trampolines.items[t].host == i; t++) {
            const struct trampoline *tr = &l->trampolines.items[t];
            write_inserted(m, &from, m->inserted.at[2 * i + 2], w);
            write_u1(w, OPC_goto_w);
            write_u4(w, l->label_pc[tr->target] - tr->new_pc);
        }
    }
    write_inserted(m, &from, m->inserted.at[2 * m->scan.code.insns.count], w);
}

uint32_t layout_insn_end(const struct layout *l, const struct method_plan *m, size_t i)
{
    return l->insn_pc[i] + insn_size(l, &m->scan.code.insns.items[i], i, l->insn_pc[i]);
}

/* Where the code of instruction i ends, trampolines behind it not counted. */
static uint32_t end_of(const struct layout *l, const struct method_plan *m, size_t i)
{
    return layout_insn_end(l, m, i) + after_size(m, i);
}

uint32_t layout_range_start(const struct layout *l, const struct method_plan *m, uint32_t pc)
{
    uint32_t i = code_index(&m->scan.code, pc);
    if (i > 0 && m->scan.code.insns.items[i - 1].op == OPC_monitorenter)
        return l->insn_pc[i - 1] + 1;
    return l->label_pc[i];
}

uint32_t layout_range_end(const struct layout *l, const struct method_plan *m, uint32_t pc)
{
    uint32_t i = code_index(&m->scan.code, pc);
    return i > 0 ? end_of(l, m, i - 1) : 0;
}

uint32_t layout_pc(const struct layout *l, const struct method_plan *m, uint32_t pc)
{
    return l->label_pc[code_index(&m->scan.code, pc)];
}
