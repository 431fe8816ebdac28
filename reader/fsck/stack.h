/* stack.h - the effect of each instruction on known values of the operand stack and locals */
#ifndef READER_FSCK_STACK_H
#define READER_FSCK_STACK_H

#include "reader/fsck/threads.h"

void stack_run(struct fthread *t, struct fframe *f,
               const struct method_insn *i); /* the instruction completes normally */
int stack_decide(struct fthread *t, struct fframe *f, const struct method_insn *i,
                 uint32_t *to); /* 1 decided, 0 not known */
void stack_forget(struct fthread *t, struct fframe *f, uint32_t depth, bool locals_too);
static inline struct slot *frame_local(struct fthread *t, struct fframe *f, uint32_t n)
{
    return &t->slots.items[f->base + n];
}
static inline struct slot *frame_stack(struct fthread *t, struct fframe *f, uint32_t n)
{
    return &t->slots.items[f->base + f->method->code.max_locals + n];
}

#endif
