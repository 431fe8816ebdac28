/* arithmetic_plan.h - where a method computes, as steps on the events of its frames. A public header of this folder.
 *
 * Arithmetic leaves no events: its operands do (loads, results of calls), and an event beside it shows that it ran.
 * The plan of a method says what each data ID is to it:
 *
 *     pc 0  iload_0     LOCAL_LOAD   keep the value in slot 0
 *     pc 1  iload_1     LOCAL_LOAD   keep the value in slot 1; compute pc 2: slot 2 = slot 0 * slot 1
 *     pc 2  imul
 *     pc 3  ireturn     METHOD_NORMAL_EXIT
 *
 * The event that stands for an instruction is the last one before it, if nothing between can throw or jump, else the
 * first one behind it in its block: then nothing that it took has another value. Where neither is recorded the
 * instruction is not computed. */
#ifndef READER_CODE_ARITHMETIC_PLAN_H
#define READER_CODE_ARITHMETIC_PLAN_H

#include "reader/code/method.h"

/* A value that an instruction may find on the stack: that of one of these slots, the one that was set last. */
struct plan_operand {
    uint32_t first, count; /* in plan.choices */
};
struct plan_step {
    enum { PLAN_KEEP, PLAN_CONSTANT, PLAN_COMPUTE } what;
    bool loses;                      /* PLAN_COMPUTE: an instruction that can lose something (formats/jvm/loss.h) */
    uint8_t op;                      /* of PLAN_COMPUTE */
    uint8_t count;                   /* operands: 1 or 2; of iinc 1, the new value, which the event has */
    uint32_t insn;                   /* its number in the code */
    uint32_t slot;                   /* that it sets */
    uint64_t value;                  /* of PLAN_CONSTANT; of iinc the amount */
    struct plan_operand left, right; /* one operand: `right` */
    uint32_t place;                  /* for the caller; 0 at first */
};
/* What a data ID is to the plan of its method. */
struct plan_event {
    uint32_t first, count; /* in plan.steps */
};
struct plan {
    struct method *method;
    uint32_t first_id, id_count;
    struct plan_event *events; /* by data ID from first_id on */
    struct plan_step *steps;
    uint32_t step_count;
    uint32_t *choices; /* slots */
    uint32_t slot_count;
    uint32_t losing, missed; /* instructions that can lose something; those of them that no event stands for */
};

/* The plan of the method of a data ID, which code_events has; in the arena. NULL: nothing in it can lose
 * something, or its code or events are not known; `*no_memory` is set if it is that. */
struct plan *arithmetic_plan(hs_trace *t, struct arena *arena, uint32_t dataid, bool *no_memory);

/* Slots of the two operands of an arithmetic instruction: right (on top) and left; 0 left for one operand, both 0 for
 * none. */
void arithmetic_slots(uint8_t op, unsigned *right, unsigned *left);
/* The instruction as it stands in source, "+", "(int)"; NULL: it stands there in other ways. */
const char *arithmetic_words(uint8_t op);

#endif
