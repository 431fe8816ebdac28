/* methods.h - a method as the check needs it: instructions, and the data IDs of each of them, in order */
#ifndef READER_FSCK_METHODS_H
#define READER_FSCK_METHODS_H

#include "formats/event.h"
#include "formats/jvm/opcode.h"
#include "reader/fsck/classes.h"
#include "reader/fsck/members.h"

enum { NO_ID = UINT32_MAX, NO_INSN = UINT32_MAX };

/* A data ID, and the instruction of its event. */
struct fsite {
    struct fmethod *method; /* NULL: not loaded, or not checked */
    const struct hs_dataid *row;
    uint32_t insn; /* index of its instruction; count: the prologue, count + 1: the exceptional exit */
    uint16_t at;   /* its number among the events of its side */
    uint16_t
        slots; /* the value's first slot is that many slots below the top of the stack + 1; 0: it is not on the stack */
    uint16_t local; /* in_local: the slot of its value */
    bool in_local;
    uint8_t event, kind;
    uint8_t side;
    uint8_t purity; /* CALL, INVOKE_DYNAMIC */
    bool loaded, bad;
    bool exact_type;       /* `type` is the exact type, else a supertype */
    const char *type;      /* of a reference, as in Java source; NULL: any */
    struct ffield *field;  /* of field events */
    struct callee *callee; /* CALL: calls.c */
};

struct finsn {
    struct insn in;
    uint32_t first; /* in fmethod.ids: events before, then events after */
    uint16_t before, after;
    int16_t pops, pushes; /* slots */
    uint16_t depth;       /* of the stack before it; UINT16_MAX: never reached */
    bool covered;         /* by a handler */
};

struct fhandler {
    uint32_t start, end; /* pcs */
    uint32_t insn;       /* of the handler */
    uint16_t type;
};

struct fmethod {
    const struct hs_method *row;
    struct fclass *owner;
    bool followed; /* EXEC is woven and the code is known: it has frames */
    bool is_static, is_constructor;
    bool is_intrinsic; /* the JVM may replace its code */
    group_set groups;
    const uint8_t *code;
    uint32_t length, first_id, id_count;
    uint16_t max_stack, max_locals, argument_slots; /* with receiver */
    struct finsn *insns;                            /* count, then the prologue */
    uint32_t count;
    uint32_t *index_of_pc;
    uint32_t *ids;
    VEC(struct fhandler) handlers;
    uint32_t exit_id; /* METHOD_EXCEPTIONAL_EXIT, NO_ID */
    bool has_multi;
    /* It may hold or exit monitors that it did not enter: then IllegalMonitorStateException leaves it, in place of what
     * would have (JVMS 2.11.10, HotSpot). */
    bool has_monitors;
    bool this_stored;      /* slot 0 is assigned to: it need not be `this` */
    uint32_t *marks, mark; /* searches: reach.c */
};

bool methods_init(struct fsck *f);
void methods_done(struct fsck *f); /* before the classes */
/* The method at the data ID with all its sites; NULL if it cannot be checked. */
struct fmethod *method_of(struct fsck *f, uint32_t id);
/* The same without the other methods of its class, without fields and types of its sites, for which other classes must
 * be read, and without a report of what is wrong. One `struct fsck` has either calls of this or of method_of. */
struct fmethod *method_alone(struct fsck *f, uint32_t id);
void methods_load_all(struct fsck *f); /* every woven class: class file, data IDs at their instructions */
/* The value that a constant instruction, or an ldc of a number, pushes; false: it pushes another one. */
bool method_constant(const struct fmethod *m, const struct insn *in, uint64_t *value);
/* Successor `number` of an instruction, NO_INSN after the last. */
uint32_t successor(const struct fmethod *m, uint32_t insn, uint32_t number);
/* All successors:  struct successors s = { m, insn };  while (successors_next(&s)) ... s.to */
struct successors {
    const struct fmethod *m;
    uint32_t insn, number, to;
};
static inline bool successors_next(struct successors *s)
{
    s->to = successor(s->m, s->insn, s->number++);
    return s->to != NO_INSN;
}
void site_text(const struct fsite *p, char *out, size_t size); /* "a.b.C.m pc 12 LOCAL_LOAD" */
static inline uint32_t stack_slots(unsigned kind) { return kind == 'V' ? 0 : kind == 'J' || kind == 'D' ? 2 : 1; }

#endif
