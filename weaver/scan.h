/* scan.h - what a method is before anything is planned: the first pass. Nothing of it changes later.
 *
 * Its code as instructions, its lines and named variables, its frames, and which values may be shown (flow.h,
 * hidden.h). */
#ifndef WEAVER_SCAN_H
#define WEAVER_SCAN_H

#include "formats/jvm/code.h"
#include "formats/vec.h"
#include "weaver/class_plan.h"
#include "weaver/flow.h"
#include "weaver/hidden.h"

/* A named local variable's range: LocalVariableTable, JVMS 4.7.13. */
struct local_name {
    uint16_t start, length, name, desc, slot;
};

struct line_entry {
    uint16_t pc, line; /* LineNumberTable, JVMS 4.7.12 */
};

struct method_scan {
    struct class_plan *c;
    const struct member *member;
    uint32_t index; /* of the method in its class */
    struct text name, desc;
    bool is_static, is_constructor;
    bool describes;   /* a constructor of a class of described.def or values.def, whose objects are copied */
    bool this_stored; /* slot 0 of an instance method is assigned to: it need not be `this` */
    struct code code;
    struct stack_map frames;
    bool has_frames;
    struct flow flow;
    int32_t *lines; /* by pc, -1 none */
    VEC(struct line_entry) line_entries;
    bool lines_ascend;
    VEC(struct local_name) locals;
    uint16_t *returns; /* by slot: number from 1 of those that a ret uses, 0 for others; NULL: there is no ret */
    unsigned return_count;
    struct hidden hidden_values; /* with redact=: of what has no name */
};

/* Fills what stands behind `desc`, but `hidden_values` (hidden_look); the code is read already (code_read). */
enum status scan_method(struct method_scan *s, struct error *err);
void scan_done(struct method_scan *s);

/* The types of the locals at the begin. Those of references stand for classes without a constant: they are equal only
 * to themselves, and numbered above every index of the pool. Returns how many; `out` has room for 256. */
enum { VTYPE_UNNAMED = 0x10000 };
uint16_t scan_initial_frame(const struct method_scan *s, vtype *out);
/* The declared name and type of a slot at a pc, or NULL. */
const struct local_name *scan_local_at(const struct method_scan *s, uint32_t slot, uint32_t pc);
/* The pc at which the variable is named that a store writes: right behind it, or where the next range of its slot
 * begins if no other store lies between, as compilers other than javac have it. */
uint32_t scan_store_pc(const struct method_scan *s, uint32_t index, const struct insn *in);
/* True if it certainly loads `this`. */
bool scan_loads_this(const struct method_scan *s, const struct insn *in);
/* Is the instruction, which is reached, a call of this(...) or super(...)? */
static inline bool scan_calls_super(const struct method_scan *s, size_t index)
{
    return s->code.insns.items[index].op == OPC_invokespecial && subject_kind(s->flow.subjects[index]) == SUBJECT_THIS;
}

#endif
