/* emit.h - code that is inserted, instruction by instruction, with the stack and the constants that it needs. */
#ifndef WEAVER_EMIT_H
#define WEAVER_EMIT_H

#include "formats/jvm/code.h"
#include "weaver/class_plan.h"

struct emitter {
    struct class_plan *c;
    struct writer code; /* straight-line instructions */
    uint16_t stack;     /* its deepest use of the stack above what the program has there */
    uint32_t calls;     /* of hooks, and of members that count as such */
    bool full;          /* the constant pool has no room */
};

static inline void emit_op(struct emitter *e, enum opcode op) { write_u1(&e->code, op); }
void emit_int(struct emitter *e, int32_t value);
void emit_load(struct emitter *e, char type, unsigned slot); /* type: I J F D A */
void emit_store(struct emitter *e, char type, unsigned slot);
void emit_clear(struct emitter *e, unsigned slot); /* stores null */
enum { ID_STACK = 2 };                             /* a data ID may be the sum of two numbers */
void emit_id(struct emitter *e, uint32_t id);
void emit_member(struct emitter *e, enum opcode op, enum woven_member which);
/* Calls one that is no record but counts as a hook call, with so many slots on the stack besides the program's. */
void emit_member_call(struct emitter *e, enum woven_member which, unsigned on_stack);
/* The same for a static method that few classes call. */
void emit_static(struct emitter *e, const char *class, const char *name, const char *desc, unsigned on_stack);
/* Data ID and call of that very method of the hook; `on_stack` are the slots of the values pushed for it. */
void emit_hook_call(struct emitter *e, enum hook_use use, enum hook hook, bool release, uint32_t id, unsigned on_stack);
/* The five letters for locals in the order of the opcodes. */
static inline unsigned type_index(char type)
{
    return type == 'I' ? 0 : type == 'J' ? 1 : type == 'F' ? 2 : type == 'D' ? 3 : 4;
}
/* The code uses that many slots of the stack. */
static inline void emit_stack(struct emitter *e, unsigned slots)
{
    if (e->stack < slots)
        e->stack = (uint16_t)slots;
}

#endif
