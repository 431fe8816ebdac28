/* code.h - the model of a method's code, for weaver and reader: instructions, exception table, attributes, where
 * control goes, and how deep the operand stack is.
 *
 * JVMS 4.7.3. Everything points into the class file; nothing is changed here. */
#ifndef FORMATS_JVM_CODE_H
#define FORMATS_JVM_CODE_H

#include "formats/jvm/classfile.h"
#include "formats/jvm/opcode.h"

struct handler {
    uint16_t start, end, handler, type; /* pcs of the original code; type 0 catches anything */
};

/* Types of locals and stack that are kept, together, where control meets: a method can have 65,535 branches to states
 * of 131,070 slots. */
enum { CODE_SLOTS_KEPT_MAX = 1 << 24 };

/* What control flow says about the instruction that starts at a pc. */
enum pc_flag {
    PC_INSN = 1,     /* an instruction starts here */
    PC_TARGET = 2,   /* a branch or switch leads here */
    PC_AFTER = 4,    /* fall-through of a conditional branch, or the return point of a jsr */
    PC_HANDLER = 8,  /* an exception handler starts here */
    PC_GUARDED = 16, /* some exception handler covers it */
    PC_LINE = 32,    /* LineNumberTable has an entry for it */
    PC_LABEL = PC_TARGET | PC_AFTER | PC_HANDLER, /* entered other than from the instruction before */
};

struct code {
    uint16_t max_stack, max_locals;
    const uint8_t *bytes;
    uint32_t length;
    VEC(struct insn) insns;
    uint32_t *index_of_pc; /* length + 1 entries: index of the instruction at or behind a pc; insns.count at the end */
    uint8_t *flags;        /* enum pc_flag by pc */
    VEC(struct handler) handlers;
    attribute_vec attributes;
    uint16_t *depths; /* code_depths */
    bool has_jumps;   /* any branch, switch, jsr or handler: frames are needed from version 51 on */
    bool has_jsr;
};

/* Parses the attribute's content. Free with code_done, also after a failure. */
enum status code_read(struct code *c, const uint8_t *data, size_t size, struct error *err);
void code_done(struct code *c);

/* Sets pops and pushes of the instructions for which the constant pool has them; those whose constant is not what the
 * instruction requires keep -1. False: there are such. */
bool code_measure(struct code *c, const struct cpool *cp);

/* Where a branch or a switch may lead, by number: pcs. Other instructions have none. */
uint32_t code_target_count(const struct code *c, const struct insn *in);
uint32_t code_target(const struct code *c, const struct insn *in, uint32_t k);

/* The instruction at or behind a pc. */
static inline uint32_t code_index(const struct code *c, uint32_t pc) { return c->index_of_pc[pc]; }

enum { NO_INSN = UINT32_MAX };
/* The instruction at a pc, which may be any number; NO_INSN: none begins there. */
static inline uint32_t code_insn_at(const struct code *c, int64_t pc)
{
    return pc >= 0 && pc < (int64_t)c->length && (c->flags[pc] & PC_INSN) != 0 ? c->index_of_pc[pc] : NO_INSN;
}
/* The same; NULL: none begins there. */
static inline const struct insn *code_at(const struct code *c, int64_t pc)
{
    const uint32_t i = code_insn_at(c, pc);
    return i != NO_INSN ? &c->insns.items[i] : NULL;
}

/* Where control may go from an instruction, without exceptions:
 *
 *     struct successors s = { c, insn };
 *     while (code_next(&s)) ... s.to
 *
 * A subroutine (jsr) may return behind any jsr. */
struct successors {
    const struct code *code;
    uint32_t insn, number, to;
};
bool code_next(struct successors *s);

enum { NOT_REACHED = UINT16_MAX };
/* Fills `depths`: the slots on the stack before each instruction, which are the same on all paths (JVMS 4.10);
 * NOT_REACHED where control does not come. ERR_FORMAT: an instruction pops more than there is, or its constant is not
 * what it requires. */
enum status code_depths(struct code *c, struct error *err);

/* The value that a constant instruction, or an ldc of a number, pushes; false: it pushes another one. */
bool code_constant(const struct cpool *cp, const struct insn *in, uint64_t *value);

#endif
