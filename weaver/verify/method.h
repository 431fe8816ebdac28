/* method.h - one method being verified: the types of locals and operand stack at an instruction, and its effect on
 * them.
 *
 * method.c has what it begins with; step.c knows what each instruction does; check.c goes through the code in its order
 * with the frames of a StackMapTable, infer.c follows control until nothing changes any more. Faults are kept in `err`,
 * once. */
#ifndef WEAVER_VERIFY_METHOD_H
#define WEAVER_VERIFY_METHOD_H

#include "formats/jvm/code.h"
#include "weaver/verify/types.h"

enum { PC_RANGE_START = 64 }; /* in code.flags: an exception range starts there */

struct type_state {
    vtype *slots;     /* max_locals, then max_stack */
    uint32_t depth;   /* slots of the operand stack */
    bool this_uninit; /* in a constructor, before this(...) or super(...) has returned */
};

struct method_check {
    struct class_types *t;
    const struct member *member;
    struct text name, desc;
    bool is_constructor; /* not of java.lang.Object */
    bool inferred;       /* without StackMapTable: jsr and ret are allowed */
    bool returns_void;
    vtype result;
    struct code code;
    struct stack_map frames; /* their VT_OBJECTs are names (types.h) */
    uint32_t locals, slots;  /* max_locals; max_locals + max_stack */
    struct type_state now;
    bool locals_changed; /* since handlers were checked last */
    bool initialized;    /* the instruction has called a constructor of an object */
    const struct insn *at;
    struct error *err;
    enum status status;
};

/* Keeps the first fault. Returns false. */
bool method_fault(struct method_check *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool method_no_memory(struct method_check *m);
/* There is no verdict: it is beyond what this verifier keeps (ERR_LIMIT). */
bool method_limit(struct method_check *m, const char *what);

/* The types of receiver and parameters, one each; false: malformed, or there are more than 255 slots. Sets
 * m->result. */
bool method_parameters(struct method_check *m, vtype out[256], uint16_t *count);
/* Sets m->now to what the method begins with. */
bool method_start(struct method_check *m);
/* Applies the instruction m->at to m->now. */
bool method_step(struct method_check *m);
/* JVMS 4.10.1: code with frames. */
bool method_check_frames(struct method_check *m);
/* JVMS 4.10.2. */
bool method_infer(struct method_check *m);

#endif
