/* bytecode.h - the original class files of a trace: local variable tables, and which instruction pushed an operand.
 *
 *     pc 5   iload_1              pushes A
 *     pc 6   iload_2              pushes B
 *     pc 7   iadd                 pops B A, pushes C
 *     pc 8   istore_3             operand at depth 0: produced by pc 7; operands of pc 7: depth 0 by pc 6, depth 1 by
 * pc 5
 *
 * The abstract pass walks the code once per method and keeps, for every slot of the operand stack before each
 * instruction, the pcs that can have pushed it: more than one only where paths meet with something on the stack (x ? a
 * : b). dup, swap and checkcast hand values on. JVMS 4.7.3, 6.5. */
#ifndef READER_BYTECODE_H
#define READER_BYTECODE_H

#include "formats/jvm/classfile.h"
#include "formats/jvm/opcode.h"
#include "reader/trace/internal.h"

struct variable_scope {
    const char *name, *desc; /* in the trace's arena */
    uint32_t start, end;     /* pcs in which it has a value */
    uint16_t slot;
};

/* The code of one method. Lives until hs_close. */
struct code {
    const struct classfile *classfile;
    const struct hs_method *method;
    const uint8_t *bytes;
    uint32_t length;
    uint16_t max_stack, max_locals;
    const struct variable_scope *variables;
    uint32_t variable_count;
    struct stack_states *states; /* made when first asked for */
};

/* NULL if the trace has no class file of it, or that cannot be parsed, or the method has no code. */
struct code *codes_get(hs_trace *t, uint32_t method_id);
void codes_done(hs_trace *t);

/* The variable that lives in the slot at this pc: one whose scope holds the pc, or begins right behind the store at the
 * pc. */
const struct variable_scope *code_variable(const struct code *c, uint16_t slot, uint32_t pc);

enum { PRODUCERS_MAX = 8 };
#define PRODUCER_CAUGHT 0x80000000u /* flag: the exception that a handler beginning at this pc was entered with */
struct producers {
    uint32_t pcs[PRODUCERS_MAX];
    uint8_t count; /* 0: not known */
    bool more;     /* than these */
};
/* What can have pushed the operand `depth` slots below the top of the stack before the instruction at pc. */
struct producers code_producers(hs_trace *t, struct code *c, uint32_t pc, uint32_t depth);
/* The first pc of the basic block that holds `pc`, as far as jumps and handlers tell. */
uint32_t code_block(hs_trace *t, struct code *c, uint32_t pc);

/* The class file of a class; NULL as codes_get. */
const struct classfile *codes_classfile(hs_trace *t, const struct hs_class *c);

#endif
