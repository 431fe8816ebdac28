/* code.h - one parsed Code attribute: instructions, exception table, attributes, and where control enters.
 *
 * JVMS 4.7.3. Everything points into the class file; nothing is changed here. */
#ifndef WEAVER_CODE_H
#define WEAVER_CODE_H

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
    bool has_jumps; /* any branch, switch, jsr or handler: frames are needed from version 51 on */
    bool has_jsr;
};

/* Parses the attribute's content. Free with code_done, also after a failure. */
enum status code_read(struct code *c, const uint8_t *data, size_t size, struct error *err);
void code_done(struct code *c);

/* Where a branch or a switch may lead, by number: pcs. Other instructions have none. */
uint32_t code_target_count(const struct code *c, const struct insn *in);
uint32_t code_target(const struct code *c, const struct insn *in, uint32_t k);

static inline uint32_t code_index(const struct code *c, uint32_t pc) { return c->index_of_pc[pc]; }

#endif
