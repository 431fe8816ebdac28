/* code.c - parses a Code attribute, checks that every pc is the start of an instruction, and follows control. */
#include "formats/jvm/code.h"

#include <stdlib.h>

static enum status mark(struct code *c, uint32_t from, int64_t target, unsigned flag, struct error *err)
{
    if (target < 0 || target >= (int64_t)c->length || !(c->flags[target] & PC_INSN))
        return error_set(err, ERR_FORMAT, "pc %u: %lld is not the start of an instruction", from, (long long)target);
    c->flags[target] |= (uint8_t)flag;
    return OK;
}

static enum status read_insns(struct code *c, struct error *err)
{
    for (uint32_t pc = 0; pc < c->length;) {
        if (c->insns.count == c->insns.cap && !vec_reserve(&c->insns, c->insns.count + 1))
            return error_memory(err, "instructions");
        struct insn *in = &c->insns.items[c->insns.count];
        if (!insn_decode(c->bytes, c->length, pc, in))
            return error_set(err, ERR_FORMAT, "pc %u: malformed instruction (opcode %u)", pc, c->bytes[pc]);
        c->flags[pc] |= PC_INSN;
        for (uint32_t i = 0; i < in->length; i++)
            c->index_of_pc[pc + i] = (uint32_t)c->insns.count + (i > 0);
        c->insns.count++;
        pc += in->length;
    }
    c->index_of_pc[c->length] = (uint32_t)c->insns.count;
    return OK;
}

static enum status mark_targets(struct code *c, struct error *err)
{
    enum status s = OK;
    for (size_t i = 0; i < c->insns.count && s == OK; i++) {
        const struct insn *in = &c->insns.items[i];
        const struct op_info *op = &op_table[in->op];
        uint32_t next = in->pc + in->length;
        if (op->format == OPF_BRANCH2 || op->format == OPF_BRANCH4) {
            c->has_jumps = true;
            s = mark(c, in->pc, in->operand, PC_TARGET, err);
            if (s == OK && (op->flags & (OP_COND | OP_JSR)))
                s = next < c->length ? mark(c, in->pc, next, PC_AFTER, err)
                                     : error_set(err, ERR_FORMAT, "control falls off the end of the code");
            c->has_jsr |= (op->flags & OP_JSR) != 0;
        } else if (op->format == OPF_TABLESWITCH || op->format == OPF_LOOKUPSWITCH) {
            c->has_jumps = true;
            uint32_t n = switch_count(c->bytes, in);
            for (uint32_t k = 0; k < n && s == OK; k++)
                s = mark(c, in->pc, switch_target(c->bytes, in, k), PC_TARGET, err);
        }
    }
    return s;
}

static enum status read_handlers(struct code *c, struct reader *r, struct error *err)
{
    uint32_t n = read_u2(r);
    for (uint32_t i = 0; i < n && !r->bad; i++) {
        struct handler h = { read_u2(r), 0, 0, 0 };
        h.end = read_u2(r);
        h.handler = read_u2(r);
        h.type = read_u2(r);
        if (r->bad)
            break;
        if (h.start >= h.end || h.end > c->length || !(c->flags[h.start] & PC_INSN) ||
            (h.end < c->length && !(c->flags[h.end] & PC_INSN)))
            return error_set(err, ERR_FORMAT, "exception table entry %u covers no instructions (%u to %u)", i, h.start,
                             h.end);
        enum status s = mark(c, h.start, h.handler, PC_HANDLER, err);
        if (s != OK)
            return s;
        for (uint32_t pc = h.start; pc < h.end; pc++)
            c->flags[pc] |= PC_GUARDED;
        struct handler *slot = vec_push(&c->handlers);
        if (slot == NULL)
            return error_memory(err, "an exception table");
        *slot = h;
        c->has_jumps = true;
    }
    return OK;
}

enum status code_read(struct code *c, const uint8_t *data, size_t size, struct error *err)
{
    *c = (struct code){ 0 };
    struct reader r = reader_of(data, size);
    c->max_stack = read_u2(&r);
    c->max_locals = read_u2(&r);
    c->length = read_u4(&r);
    c->bytes = read_span(&r, c->length);
    if (r.bad || c->length == 0 || c->length > 65535)
        return error_set(err, ERR_FORMAT, "code_length %u does not fit the Code attribute of %zu bytes", c->length,
                         size);
    c->index_of_pc = malloc((c->length + 1) * sizeof *c->index_of_pc);
    c->flags = calloc(c->length + 1, 1);
    if (c->index_of_pc == NULL || c->flags == NULL || !vec_reserve(&c->insns, c->length / 2 + 8))
        return error_memory(err, "%u bytes of code", c->length);
    enum status s = read_insns(c, err);
    if (s == OK)
        s = mark_targets(c, err);
    if (s == OK)
        s = read_handlers(c, &r, err);
    if (s != OK)
        return s;
    uint32_t attributes;
    s = attributes_read(&r, &c->attributes, &attributes);
    if (s == ERR_MEMORY)
        return error_memory(err, "the attributes of %u bytes of code", c->length);
    if (s != OK || r.at != size)
        return error_set(err, ERR_FORMAT, "the attributes of the Code attribute do not fill it");
    return OK;
}

void code_done(struct code *c)
{
    vec_free(&c->insns);
    vec_free(&c->handlers);
    vec_free(&c->attributes);
    free(c->index_of_pc);
    free(c->flags);
    free(c->depths);
}

uint32_t code_target_count(const struct code *c, const struct insn *in)
{
    switch (op_table[in->op].format) {
    case OPF_BRANCH2:
    case OPF_BRANCH4: return 1;
    case OPF_TABLESWITCH:
    case OPF_LOOKUPSWITCH: return switch_count(c->bytes, in);
    default: return 0;
    }
}

uint32_t code_target(const struct code *c, const struct insn *in, uint32_t k)
{
    const unsigned format = op_table[in->op].format;
    const bool branch = format == OPF_BRANCH2 || format == OPF_BRANCH4;
    return (uint32_t)(branch ? in->operand : switch_target(c->bytes, in, k));
}

/* ---- the operand stack ---- */

static bool measure_field(struct insn *in, const struct cpool *cp)
{
    struct member_ref ref;
    if (!cpool_member(cp, (uint32_t)in->operand, &ref) || ref.tag != CONSTANT_Fieldref || ref.desc.size == 0 ||
        ref.desc.data[0] == 'V' || descriptor_type_length(ref.desc.data, ref.desc.size) != ref.desc.size)
        return false;
    const int16_t width = (int16_t)type_slots(ref.desc.data[0]);
    const bool put = in->op == OPC_putfield || in->op == OPC_putstatic;
    in->pops = (int16_t)((in->op == OPC_getfield || in->op == OPC_putfield) + (put ? width : 0));
    in->pushes = put ? 0 : width;
    return true;
}

static bool measure_call(struct insn *in, const struct cpool *cp)
{
    struct member_ref ref;
    struct text name, desc, result;
    unsigned arguments;
    uint32_t bootstrap;
    if (in->op == OPC_invokedynamic) {
        if (!cpool_dynamic(cp, (uint32_t)in->operand, &bootstrap, &name, &desc))
            return false;
    } else if (cpool_member(cp, (uint32_t)in->operand, &ref)) {
        desc = ref.desc;
    } else {
        return false;
    }
    if (!descriptor_measure(desc, &arguments, &result))
        return false;
    in->pops = (int16_t)(arguments + (in->op != OPC_invokestatic && in->op != OPC_invokedynamic));
    in->pushes = (int16_t)type_slots(result.data[0]);
    return true;
}

bool code_measure(struct code *c, const struct cpool *cp)
{
    bool all = true;
    for (size_t i = 0; i < c->insns.count; i++) {
        struct insn *in = &c->insns.items[i];
        if (in->op >= OPC_getstatic && in->op <= OPC_putfield)
            all &= measure_field(in, cp);
        else if ((op_table[in->op].flags & OP_INVOKE) || in->op == OPC_invokedynamic)
            all &= measure_call(in, cp);
    }
    return all;
}

/* The instruction behind the jsr of that number. */
static uint32_t return_point(const struct code *c, uint32_t number)
{
    for (uint32_t i = 0; i < c->insns.count; i++)
        if ((op_table[c->insns.items[i].op].flags & OP_JSR) && number-- == 0)
            return i + 1 < c->insns.count ? i + 1 : NO_INSN;
    return NO_INSN;
}

bool code_next(struct successors *s)
{
    const struct code *c = s->code;
    const struct insn *in = &c->insns.items[s->insn];
    const uint32_t targets = code_target_count(c, in), number = s->number++;
    s->to = NO_INSN;
    if (in->op == OPC_ret)
        s->to = return_point(c, number);
    else if (number < targets)
        s->to = code_insn_at(c, code_target(c, in, number));
    else if (number == targets && !(op_table[in->op].flags & (OP_END | OP_JSR)) && s->insn + 1 < c->insns.count)
        s->to = s->insn + 1;
    return s->to != NO_INSN;
}

/* Control reaches an instruction with this depth; false: out of memory. */
static bool reach(struct code *c, uint32_t insn, uint32_t depth, u32_vec *work)
{
    if (insn >= c->insns.count || c->depths[insn] != NOT_REACHED || depth >= NOT_REACHED)
        return true;
    uint32_t *to = vec_push(work);
    if (to == NULL)
        return false;
    *to = insn;
    c->depths[insn] = (uint16_t)depth;
    return true;
}

/* Passes the depth behind an instruction to all that control may reach from it. */
static enum status reach_from(struct code *c, uint32_t insn, u32_vec *work, struct error *err)
{
    const struct insn *in = &c->insns.items[insn];
    const uint32_t depth = c->depths[insn];
    bool room = true;
    for (size_t i = 0; (c->flags[in->pc] & PC_GUARDED) != 0 && i < c->handlers.count; i++) {
        const struct handler *h = &c->handlers.items[i];
        if (h->start <= in->pc && in->pc < h->end)
            room = room && reach(c, code_index(c, h->handler), 1, work);
    }
    if (in->pops < 0 || (int32_t)depth < in->pops)
        return error_set(err, ERR_FORMAT, "pc %u: %s: the operand stack has %u slots", in->pc, op_table[in->op].name,
                         depth);
    struct successors s = { .code = c, .insn = insn };
    while (in->op != OPC_ret && code_next(&s)) /* the jsr has set the depth at its return point */
        room = room && reach(c, s.to, (uint32_t)((int32_t)depth - in->pops + in->pushes), work);
    if (op_table[in->op].flags & OP_JSR)
        room = room && reach(c, insn + 1, depth, work);
    return room ? OK : error_memory(err, "the depths of a method");
}

enum status code_depths(struct code *c, struct error *err)
{
    u32_vec work = { 0 };
    c->depths = malloc((c->insns.count + 1) * sizeof *c->depths);
    if (c->depths == NULL)
        return error_memory(err, "the depths of a method");
    for (size_t i = 0; i <= c->insns.count; i++)
        c->depths[i] = NOT_REACHED;
    enum status s = reach(c, 0, 0, &work) ? OK : error_memory(err, "the depths of a method");
    while (s == OK && work.count > 0)
        s = reach_from(c, work.items[--work.count], &work, err);
    vec_free(&work);
    return s;
}

bool code_constant(const struct cpool *cp, const struct insn *in, uint64_t *value)
{
    const unsigned op = in->op;
    static const uint64_t fixed[] = { 0, UINT64_MAX, 0,          1, 2,
                                      3, 4,          5,          0, 1,
                                      0, 0x3f800000, 0x40000000, 0, UINT64_C(0x3ff0000000000000) };
    if (op >= OPC_aconst_null && op <= OPC_dconst_1) {
        *value = fixed[op - OPC_aconst_null];
        return true;
    }
    if (op == OPC_bipush || op == OPC_sipush) {
        *value = (uint64_t)(int64_t)in->operand;
        return true;
    }
    const uint8_t *p = op >= OPC_ldc && op <= OPC_ldc2_w ? cpool_entry(cp, (uint32_t)in->operand) : NULL;
    switch (p != NULL ? *p++ : 0) {
    case CONSTANT_Integer: *value = (uint64_t)(int64_t)(int32_t)be4(p); return true;
    case CONSTANT_Float: *value = be4(p); return true;
    case CONSTANT_Long:
    case CONSTANT_Double: *value = (uint64_t)be4(p) << 32 | be4(p + 4); return true;
    default: return false;
    }
}
