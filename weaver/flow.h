/* flow.h - which values are not initialized yet: one abstract pass over a method's instructions.
 *
 * The weaver must know for every instruction whether its value may be passed to a hook. The verifier calls a
 * value uninitialized between `new` and the constructor call, and `this` in a constructor before this(...) or
 * super(...) (JVMS 4.10.1.4); return addresses of jsr cannot be passed either. The pass tracks just these, per slot,
 * seeded by the StackMapTable where there is one (linear), else as a fix-point over the control flow. */
#ifndef WEAVER_FLOW_H
#define WEAVER_FLOW_H

#include "formats/jvm/code.h"
#include "weaver/stack_map.h"

/* What a slot holds. SUBJECT_NEW carries the pc of the `new` above its low byte. */
enum { SUBJECT_PLAIN = 0, SUBJECT_THIS = 1, SUBJECT_NEW = 2, SUBJECT_RETURN_ADDRESS = 3 };
typedef uint32_t subject;
static inline unsigned subject_kind(subject s) { return s & 0xff; }
static inline uint32_t subject_pc(subject s) { return s >> 8; }

struct flow {
    /* By instruction. The subject is the value loaded or stored, the receiver of putfield and of a constructor call,
     * the operand of monitorenter and monitorexit. */
    subject *subjects;
    uint8_t *reached;     /* control can come here */
    uint8_t *caught;      /* an exception can come here: not to a handler whose range control cannot reach */
    uint8_t *this_uninit; /* in a constructor, before this(...) or super(...) has returned */
};

struct flow_method {
    const struct cpool *cp;
    const struct code *code;
    const struct stack_map *frames; /* NULL: there are none, use the fix-point */
    bool is_static, is_constructor; /* not of java.lang.Object */
    struct text desc;
};

enum status flow_run(struct flow *f, const struct flow_method *m, struct error *err);
void flow_done(struct flow *f);

#endif
