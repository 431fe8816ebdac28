/* code.c - parses a Code attribute and checks that every pc is the start of an instruction. */
#include "weaver/code.h"

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
