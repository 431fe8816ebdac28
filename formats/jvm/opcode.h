/* opcode.h - the instruction set as a table, and the decoder of one instruction. JVMS 6.5. */
#ifndef FORMATS_JVM_OPCODE_H
#define FORMATS_JVM_OPCODE_H

#include <stdbool.h>
#include <stdint.h>

enum opcode {
#define OP(code, name, format, pops, pushes, flags) OPC_##name = (code),
#include "formats/jvm/opcodes.def"
#undef OP
    OPC_COUNT
};

/* Bytes behind the opcode. */
enum op_format {
    OPF_NONE,
    OPF_BYTE,         /* s1 immediate, or the type code of newarray */
    OPF_SHORT,        /* s2 immediate */
    OPF_CP1,          /* u1 constant pool index */
    OPF_CP2,          /* u2 constant pool index */
    OPF_LOCAL,        /* u1 local variable slot, u2 behind wide */
    OPF_IINC,         /* u1 slot, s1 amount; u2, s2 behind wide */
    OPF_BRANCH2,      /* s2 distance */
    OPF_BRANCH4,      /* s4 distance */
    OPF_TABLESWITCH,  /* padding, default, low, high, distances */
    OPF_LOOKUPSWITCH, /* padding, default, npairs, pairs */
    OPF_INTERFACE,    /* u2 pool index, count, 0 */
    OPF_DYNAMIC,      /* u2 pool index, 0, 0 */
    OPF_MULTI,        /* u2 pool index, u1 dimensions */
    OPF_WIDE,         /* an OPF_LOCAL or OPF_IINC instruction follows */
};

enum op_flag {
    OP_COND = 1, /* conditional branch */
    OP_END = 2,  /* control never reaches the next instruction */
    OP_RETURN = 4,
    OP_THROWS = 8, /* may complete abruptly (apart from asynchronous exceptions) */
    OP_LOAD = 16,
    OP_STORE = 32,
    OP_INVOKE = 64,
    OP_JSR = 128,
};

struct op_info {
    const char *name;
    const char *popped, *pushed; /* types: opcodes.def */
    uint8_t format;
    int8_t pops, pushes; /* slots; -1: BY_POOL */
    uint8_t flags;
};
extern const struct op_info op_table[256]; /* name is NULL for a code that is no instruction */

/* One decoded instruction. `wide`: it has a wide prefix, and pc is that of the prefix. Pops and pushes are in stack
 * slots; -1 where they depend on the constant pool, which insn_decode does not know (code_measure). */
struct insn {
    uint32_t pc, length;
    uint8_t op;
    bool wide;
    int16_t pops, pushes;
    uint16_t local;  /* slot of loads, stores, iinc, ret */
    int32_t operand; /* immediate, iinc amount, pool index, or branch target as an absolute pc */
    uint8_t extra;   /* dimensions of multianewarray, count of invokeinterface */
};

/* Decodes the instruction at `pc`; false, with `in` undefined, if it is malformed or leaves the code. Switch operands
 * are not decoded, only their length is: see switch_case. Branch targets are not checked against the code's length. */
bool insn_decode(const uint8_t *code, uint32_t code_length, uint32_t pc, struct insn *in);

/* The targets of a tableswitch or lookupswitch: index 0 is the default, then `count - 1` cases. */
uint32_t switch_count(const uint8_t *code, const struct insn *in);
int32_t switch_target(const uint8_t *code, const struct insn *in, uint32_t index); /* absolute pc */
uint32_t switch_case(const uint8_t *code, const struct insn *in, int32_t value);   /* index of the case with it, or 0 */
int32_t switch_key(const uint8_t *code, const struct insn *in, uint32_t index);    /* of a case: index > 0 */

/* The dup family and swap: which of the popped slots (0 is the top) are pushed, bottom first. JVMS 6.5. */
const char *op_dup_order(uint8_t op);

/* For loads and stores in every form: the computational type letter I J F D A (A for references). */
char op_local_type(uint8_t op);

#endif
