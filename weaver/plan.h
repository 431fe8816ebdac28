/* plan.h - one method being woven: what planners read, and how they insert code.
 *
 * For every reachable instruction each planner of planners.def whose groups are chosen may append code that runs before
 * the instruction and code that runs after it. That code is straight-line: it never branches, so the frames of the
 * original stay valid, and it leaves stack and locals as it found them (its scratch locals lie behind max_locals and
 * are never live across an instruction's surroundings; references in them are cleared, so that no object is kept
 * alive).
 *
 *     label(pc):  [before]  instruction  [after]      branches to pc land on [before]
 *
 * Planners never edit the original; layout.h puts both together. */
#ifndef WEAVER_PLAN_H
#define WEAVER_PLAN_H

#include "formats/arena.h"
#include "formats/journal.h"
#include "formats/jvm/classfile.h"
#include "formats/jvm/code.h"
#include "formats/map.h"
#include "formats/roles.h"
#include "weaver/flow.h"
#include "weaver/hidden.h"
#include "weaver/hooks.h"
#include "weaver/weave.h"

/* The class being woven. */
enum { SOURCE_CACHE = 256, BASE_CONSTANTS = 256 };
struct source_cache {
    const char *desc; /* in the constant pool */
    size_t size;
    struct text source;
};

/* The pool's index of a class, by its name. */
struct class_constant {
    uint64_t hash; /* of the name (formats/map.h) */
    struct text name;
    uint32_t index; /* 0: not in the pool */
};

/* Fields and methods that inserted code uses beside the hooks (emit.c). */
enum woven_member {
    MEMBER_MISSED_THREADS,
    MEMBER_MISSED_EXCEPTIONS,
    MEMBER_MISSED_IDS,
    MEMBER_MISSED,
    MEMBER_UNWOUND,
    MEMBER_CUT,
    MEMBER_TICK,
    MEMBER_ADD,
    MEMBER_ADD_MANY,
    MEMBER_NUMBER,
    MEMBER_AT,
    MEMBER_LEAVE,
    MEMBER_CALLS,
    MEMBER_CALLS_STATIC,
    MEMBER_DIRECT,
    MEMBER_CALLED,
    MEMBER_LEAVING,
    MEMBER_FORGET,
    MEMBER_ARRIVE,
    MEMBER_NOTE,
    MEMBER_THREAD,
    MEMBER_ASKED,
    MEMBER_COUNT,
};

struct class_plan {
    struct classfile *cf;
    const struct weave_config *config;
    struct weave_result *out;
    struct arena arena;
    struct source_cache *descriptor_sources; /* SOURCE_CACHE of them */
    struct hook_refs hooks;
    struct text name;            /* internal name */
    const struct text **sources; /* by pool index: types as in Java source, made on first use */
    /* by pool index of a member: result of the analysis of field_fact.c or plan_call.c, 0 none yet */
    uint32_t *facts;
    /* indices of Integers, every 65536th data ID of the class; 0 until needed */
    uint32_t base_constants[BASE_CONSTANTS];
    uint32_t members[MEMBER_COUNT];             /* their Fieldrefs and Methodrefs, 0 until needed */
    uint32_t stack_map_utf8;                    /* index of "StackMapTable", 0 until needed */
    MAP(struct class_constant) class_constants; /* build.c */
    bool knows_constants;                       /* the constants of the pool are in it */
    struct attribute *bootstrap;                /* BootstrapMethods or NULL */
    bool frames_required;                       /* the verifier of this version wants StackMapTables */
    bool release_all;                           /* every hook is the releasing variant (design.md 4) */
    group_set groups;                           /* groups of the cached `events` */
    uint64_t events;                            /* events that these groups weave, a bit each */
    struct writer inserted, code;               /* buffers, reused by each method */
    struct sequence_item *items;                /* SEQUENCE_MAX items: too large for the stack of a program's thread */
};

/* A named local variable's range: LocalVariableTable, JVMS 4.7.13. */
struct local_name {
    uint16_t start, length, name, desc, slot;
};

struct line_entry {
    uint16_t pc, line; /* LineNumberTable, JVMS 4.7.12 */
};

#define NO_GAP UINT32_MAX
/* The other roles mean that a frame begins or ends: such an event begins its record and no other joins it (plan_role
 * closes it as well). */
static inline bool plain_role(uint8_t role) { return role == ROLE_NONE || role == ROLE_NEUTRAL; }

/* The record made last, while other events may join it (record.c). */
struct open_record {
    bool open;
    bool known;           /* its values are known; else only events without one can join */
    bool movable;         /* its values are locals that have not changed since */
    bool passed;          /* an instruction behind its code can fail (plan_only_fails) */
    uint32_t first, next; /* its first data ID, the one behind its last */
    unsigned count;       /* of its values */
    struct {
        unsigned kind;
        int32_t slot;
    } values[JOURNAL_RECORD_VALUES]; /* as sequence_item.slot */
    uint32_t gap;                    /* method_plan.gap where its code is */
    uint32_t top, pair;     /* and where its last value, or both its values, are also on top of the program's stack */
    uint32_t at, call, end; /* in `inserted`: where values are pushed, where the data ID is, its end */
    uint32_t size_at;       /* and where the number of its events is, if its code has that (plan_ring.c); else 0 */
};

/* How much of the code behind a call of this(...) or super(...) it takes to record that the call has returned. */
struct super_told {
    uint32_t insn, size;
};

/* Loops whose records are counted, or kept, with local variables (plan_loop.c, plan_ring.c). */
enum { LOOP_COUNTERS_MAX = 64 }; /* records of a method */
struct counted_loop {
    uint32_t first, end; /* instructions */
};
/* Loops that overlap or touch. */
struct loop_nest {
    struct counted_loop all;
    unsigned counter, room, used; /* its first counter, those reserved, those in use */
};
#define NOT_IN_LOOP UINT32_MAX
struct loop_counter {
    uint32_t id;   /* 1 + the first data ID of the record; 0 not in use */
    uint32_t loop; /* the innermost */
};
/* Where control may go from one loop to another, or into a nest. */
enum loop_edge_kind {
    EDGE_LEAVES,        /* what comes to the instruction may have left that loop, or, with NOT_IN_LOOP, the nest */
    EDGE_ENTERS,        /* the instruction may branch into the nest */
    EDGE_ENTERS_BEHIND, /* what comes behind the instruction is in the nest */
};
struct loop_edge {
    uint32_t insn;
    enum loop_edge_kind kind;
    uint32_t nest, loop;
};
struct loop_mark; /* by instruction, while loops are looked for */

struct method_plan {
    struct class_plan *c;
    const struct member *member;
    uint32_t index; /* of the method in its class */
    struct text name, desc;
    bool is_static, is_constructor;
    bool inputs;      /* events that follow from the code are not recorded (record.c) */
    bool this_stored; /* slot 0 of an instance method is assigned to: it need not be `this` */
    struct code code;
    struct stack_map frames;
    bool describes; /* a constructor of a class of described.def */
    bool has_frames;
    struct flow flow;
    group_set groups;
    uint64_t events;       /* those that the groups weave */
    uint64_t starts, ends; /* those that begin, end an interval (weave_triggers) */
    int32_t *lines;        /* by pc, -1 none */
    VEC(struct line_entry) line_entries;
    bool lines_ascend;
    size_t next_line; /* the first entry not behind the current instruction, if they ascend */
    VEC(struct local_name) locals;

    struct writer inserted; /* all inserted code; span i of `at` is before instruction i/2 (even) or after it (odd) */
    uint32_t *at;           /* 2 * insns + 1 offsets */
    uint32_t prologue;      /* bytes at the start of `inserted` that run once, before instruction 0's label */
    uint32_t not_asked;     /* in it: where the branch of plan_asked leads to; 0 none */
    bool has_from;          /* from_local is in use */
    uint16_t from_local;    /* int local with the pc that control came from */
    bool counts_whole;      /* events are only counted, and a handler can see whenever an exception leaves the method */
    bool spans; /* then, with EXEC: pieces of code are counted that contain instructions that can fail (plan_span.c) */
    bool whole_pieces; /* there is no room for that */
    VEC(struct counted_loop) loops;
    VEC(struct loop_nest) nests;
    VEC(struct loop_edge) loop_edges; /* by instruction */
    struct loop_mark *loop_marks;
    struct loop_nest *nest; /* that the current instruction is in, or NULL */
    bool loop_counts;       /* and its records are counted, or kept, there */
    uint32_t loop;          /* then: the innermost one, or NOT_IN_LOOP */
    bool keeps;             /* records of loops are kept (plan_ring.c), not counted */
    uint16_t loop_local;    /* int locals with the counters of loops; or long ones: a number, and places of entries */
    unsigned loop_counters; /* how many records have one */
    struct loop_counter counters[LOOP_COUNTERS_MAX];
    bool takes_overflow;   /* it has handlers, and exits are recorded (plan_overflow.c) */
    uint16_t thread_local; /* then: local with the current thread */
    uint32_t entered;      /* and in `inserted`: the end of the hook call of METHOD_ENTRY; 0 none */
    bool direct;           /* its calls may be direct; config->direct, and every release has a hook (plan_direct.c) */
    bool has_called;       /* its exits may be direct, too: */
    uint16_t called_local; /* int local: not 0 if the call was */
    bool leaves;           /* the event being recorded is such an exit */
    uint16_t scratch, scratch_max; /* first free scratch local; end of all that were used */
    uint16_t stack_extra;          /* deepest inserted use of the stack above what the instruction has */
    uint32_t hook_calls;
    struct hidden hidden_values; /* with redact=: of what has no name */
    uint32_t hidden;             /* places that redact= names */
    bool hides_numbers;          /* some events have no value because of it */
    /* index of the current instruction; of the one before which code is being inserted: this, or the next */
    uint32_t insn, gap;
    struct open_record open;
    uint32_t unmarked; /* 1 + data ID of the last event of this block, if no record has it; else 0 */
    VEC(struct super_told) supers_told;
    bool full; /* the constant pool has no room */
    /* the current instruction cannot fail, run other code or synchronize with another thread, though its opcode
     * could */
    bool harmless;
    int32_t stash; /* scratch local that the current instruction's `before` left for its `after`, -1 none */
    /* int locals for RET: where the running jsr returns to, and by slot of the return address */
    uint16_t jsr_local;
    uint16_t *ret_locals; /* NULL in methods without jsr */
};

/* The attributes of a data ID. They are written in place: structures with fields of many sizes are slow to copy. */
struct attr_list {
    unsigned count;
    struct attr_value items[DATAID_ATTRS_MAX];
};
static inline void attr_text(struct attr_list *l, enum attr a, struct text t)
{
    struct attr_value *v = &l->items[l->count++];
    v->attr = a;
    v->text = t;
}
static inline void attr_int(struct attr_list *l, enum attr a, int64_t number)
{
    struct attr_value *v = &l->items[l->count++];
    v->attr = a;
    v->number = number;
}

/* One event of a sequence (METHOD_ENTRY and its parameters, CALL and its arguments) and where its value is found. */
struct sequence_item {
    enum event event;
    unsigned kind;
    int32_t slot; /* where the value is: a local variable, SLOT_TOP, SLOT_ZERO */
    struct attr_list attrs;
};
enum {
    SLOT_TOP = -1,  /* on top of the operand stack, where it stays */
    SLOT_ZERO = -2, /* it is 0 */
    SEQUENCE_MAX = 260,
};
/* Leaves the attributes as they are: the array is large and little of it is used. */
static inline void sequence_item_init(struct sequence_item *it, enum event e, unsigned kind, int32_t slot)
{
    it->event = e;
    it->kind = kind;
    it->slot = slot;
    it->attrs.count = 0;
}
typedef void plan_fn(struct method_plan *m, uint32_t index, const struct insn *in);

/* A planner that inserts nothing. */
static inline void plan_nothing(struct method_plan *m, uint32_t index, const struct insn *in)
{
    (void)m, (void)index, (void)in;
}

#define PLANNER(name, groups, when, before, after) plan_fn before, after;
#define NOTHING                                    plan_nothing
#include "weaver/planners.def"
#undef NOTHING
#undef PLANNER

/* Runs once, before everything: METHOD_ENTRY, METHOD_PARAM, and the first value of from_local. */
void plan_prologue(struct method_plan *m);
/* Runs before the prologue: the call that config->uncaught requests. */
void plan_uncaught(struct method_plan *m);
/* The same for config->output. */
void plan_output(struct method_plan *m);
/* The same for config->asked (plan_loader.c). */
void plan_asked(struct method_plan *m);
/* Runs before the prologue: parameters that redact= names. */
void plan_redact_prologue(struct method_plan *m);
/* Does redact= name this place (redact.h): the named variable of a slot, a field, the result of a call (a method, or a
 * call site with its name), what this method returns, elements of arrays in the order of iaload laload faload daload
 * aaload baload caload saload? */
bool plan_hides_local(struct method_plan *m, unsigned slot, uint32_t pc);
bool plan_hides_field(struct method_plan *m, const struct member_ref *field);
bool plan_hides_result(struct method_plan *m, const struct insn *in, const struct member_ref *callee);
bool plan_hides_return(struct method_plan *m);
bool plan_hides_element(struct method_plan *m, unsigned offset);
bool plan_hides_type(struct method_plan *m, struct text type); /* as in Java source */
/* The kind with which a value is recorded: KIND_VOID for a number that is hidden. */
unsigned plan_hidden_kind(struct method_plan *m, unsigned kind, bool hidden);
/* The handler behind the code, for METHOD_EXCEPTIONAL_EXIT and counters of loops: expects the exception on the stack,
 * ends in athrow. With takes_overflow it begins with a store of the exception into `exception_local`. Returns the data
 * ID. */
uint32_t plan_exceptional_exit(struct method_plan *m, unsigned exception_local, struct writer *code);

/* ---- pieces of code that are counted (plan_span.c) ---- */
bool plan_spans(struct method_plan *m); /* sets counts_whole and spans, once the groups are known */
/* Such a piece goes on over this instruction, which does nothing that others can observe, but may fail. */
bool plan_only_fails(const struct method_plan *m, const struct insn *in);
/* With spans: at the begin of a handler, and of the exceptional exit: where the exception came from. */
void plan_cut(struct method_plan *m);

/* ---- records of loops (plan_loop.c) ---- */
unsigned plan_loops(struct method_plan *m); /* finds the loops; how many slots of locals they need */
void plan_loop_begin(struct method_plan *m);
/* Which loop this instruction is in. */
void plan_loop_at(struct method_plan *m, uint32_t index);
/* The record that begins with this data ID: which one of the loops it is, from 0; -1: it is none of them. */
int plan_loop_record(struct method_plan *m, enum hook hook, uint32_t id);
/* Once everything else is planned: inserts what enters and leaves loops. */
void plan_loop_edges(struct method_plan *m);
/* What leaves them where an exception leaves the method. */
void plan_loop_exit(struct method_plan *m);

/* ---- and those that are kept (plan_ring.c) ---- */
bool ring_possible(const struct method_plan *m); /* method_plan.keeps, once the groups are known */
/* May a loop whose records are kept have this instruction? */
bool ring_may_hold(struct method_plan *m, uint32_t index);
void ring_begin(struct method_plan *m);
void ring_enter(struct method_plan *m, const struct loop_nest *n);
void ring_leave(struct method_plan *m, unsigned record);
/* The hook call of a record of a loop: one that plan_loop_record found, or, with -1, one that is recorded as elsewhere.
 * Returns open_record.size_at. */
uint32_t ring_hook(struct method_plan *m, int record, enum hook hook, bool release, uint32_t id, unsigned on_stack);

/* ---- calls that enter woven code at once (plan_direct.c) ---- */
void plan_direct_look(struct method_plan *m); /* sets direct and has_called, once the groups are known */
void plan_direct_begin(struct method_plan *m);
/* Could this call, of a method of that class, be direct? */
bool plan_direct_may(const struct method_plan *m, const struct insn *in, struct text owner);
/* Then: behind its records, the first of which has that data ID. `spilled`: its arguments are not on the stack. */
void plan_direct_call(struct method_plan *m, const struct insn *in, uint32_t id, bool spilled, unsigned arg_slots);
/* Behind the records of a call that certainly is. */
void plan_direct_enter(struct method_plan *m);
void plan_direct_leave(struct method_plan *m); /* before the hook call of an exit */
/* Where an exception comes from a call that may not have entered anything. */
void plan_direct_forget(struct method_plan *m);

/* ---- the end of the stack (plan_overflow.c) ---- */
/* Records exits whose records are missing. */
void plan_record_missed(struct method_plan *m);
/* With takes_overflow: at the begin of the method; at that of each handler; the handler for the code of
 * plan_exceptional_exit, which notes that the record is missing. */
void plan_keep_thread(struct method_plan *m);
void plan_unwound(struct method_plan *m);
struct exit_locals {
    unsigned exception, lock; /* 0: none */
};
/* That handler: offsets in `code`, which the caller frees, of the block that is synchronized and of its handler. */
struct missed_exit {
    struct writer code;
    uint32_t locked, unlocked, release, released;
};
void plan_missed_exit(struct method_plan *m, const struct exit_locals *locals, uint32_t id, struct missed_exit *out);

/* ---- data IDs ---- */
/* Adds a data ID at `pc` with its line; returns the global id. `kind` may carry KIND_JOINED, `attrs` may be NULL. */
uint32_t plan_event(struct method_plan *m, enum event e, uint32_t pc, unsigned kind, const struct attr_list *attrs);
/* The role that follows from the event alone; those of calls of this(...) and super(...) are set by plan_call.c. */
uint8_t plan_role_of(const struct method_plan *m, enum event e);
static inline uint32_t plan_next_id(const struct method_plan *m)
{
    return m->c->config->first_dataid + m->c->out->dataids.count;
}
/* Changes the role of the data ID added last (formats/roles.h), if the method has EXEC. */
void plan_role(struct method_plan *m, uint8_t role);
/* "int[]" of a descriptor; "a.b.C" of a pool index of a class. Live as long as the class plan. */
struct text source_of_descriptor(struct class_plan *c, const char *desc, size_t size);
struct text source_of_class(struct class_plan *c, uint32_t index);
/* The declared name and type of a slot at a pc, or NULL. */
const struct local_name *plan_local_at(const struct method_plan *m, uint32_t slot, uint32_t pc);
/* The pc at which the variable is named that a store writes: right behind it, or where the next range of its slot
 * begins if no other store lies between, as compilers other than javac have it. */
uint32_t plan_store_pc(const struct method_plan *m, uint32_t index, const struct insn *in);
/* True if it certainly loads `this`. */
bool plan_loads_this(const struct method_plan *m, const struct insn *in);
/* A field is known not to be volatile if it is declared so in this very class. */
enum field_fact { FIELD_UNKNOWN, FIELD_PLAIN, FIELD_PLAIN_STATIC, FIELD_VOLATILE, FIELD_ELSEWHERE };
/* Of the field that an instruction names; kept in class_plan.facts. */
enum field_fact plan_field_fact(const struct class_plan *c, const struct insn *in, const struct member_ref *ref);
/* The instruction reads or writes such a field. */
bool plan_is_own_field(const struct method_plan *m, const struct insn *in);
static inline bool plan_counts_only(const struct method_plan *m) { return m->c->config->counts_only; }
static inline bool plan_has(const struct method_plan *m, enum event e) { return m->events >> e & 1; }
/* Is the instruction, which is reached, a call of this(...) or super(...)? */
static inline bool plan_calls_super(const struct method_plan *m, size_t index)
{
    return m->code.insns.items[index].op == OPC_invokespecial && subject_kind(m->flow.subjects[index]) == SUBJECT_THIS;
}

/* ---- inserted code ---- */
static inline void emit_op(struct method_plan *m, enum opcode op) { write_u1(&m->inserted, op); }
void emit_int(struct method_plan *m, int32_t value);
void emit_load(struct method_plan *m, char type, unsigned slot); /* type: I J F D A */
void emit_store(struct method_plan *m, char type, unsigned slot);
void emit_id(struct method_plan *m, uint32_t id);
void emit_from(struct method_plan *m, uint32_t pc); /* stores it into from_local */
void emit_member(struct method_plan *m, enum opcode op, enum woven_member which);
/* Calls one that is no record but counts as a hook call, with so many slots on the stack besides the program's. */
void emit_member_call(struct method_plan *m, enum woven_member which, unsigned on_stack);
/* Does one of the data IDs of this hook call begin or end an interval? */
bool plan_is_trigger(const struct method_plan *m, enum hook hook, uint32_t id);
/* data ID and call of that very method of the hook. */
void emit_hook_call(struct method_plan *m, enum hook_use use, enum hook hook, bool release, uint32_t id,
                    unsigned on_stack);
/* data ID and call; `on_stack` are the slots of the copies pushed for it (for max_stack). */
void emit_hook(struct method_plan *m, enum hook hook, bool release, uint32_t id, unsigned on_stack);
/* A Methodref, which is added to the pool; 0 when it is full, and then so is the method. */
uint32_t plan_method_ref(struct method_plan *m, const char *class, const char *name, const char *desc);
/* A scratch local of that type; free again when the planner for the instruction is done. */
unsigned plan_scratch(struct method_plan *m, char type);
/* Sets a scratch local of a reference to null. */
void plan_clear(struct method_plan *m, unsigned slot);

/* ---- records (record.c): as few hook calls as possible ---- */
/* One event with its value, or in record_void without; `release` as in hook.def. */
void record_value(struct method_plan *m, enum event e, uint32_t pc, unsigned kind, int32_t slot, bool release,
                  const struct attr_list *attrs);
void record_void(struct method_plan *m, enum event e, uint32_t pc, bool release, const struct attr_list *attrs);
static inline void record_top(struct method_plan *m, enum event e, uint32_t pc, unsigned kind,
                              const struct attr_list *attrs)
{
    record_value(m, e, pc, kind, SLOT_TOP, false, attrs);
}
/* The events in order; `release` applies to the last. */
void record_sequence(struct method_plan *m, uint32_t pc, struct sequence_item *items, unsigned count, bool release);
/* For a record whose values the planner pushes itself: plans its first event and returns the data ID to call the hook
 * with. `following` events, to be planned with KIND_JOINED, belong to it too. */
uint32_t record_begin(struct method_plan *m, enum event e, uint32_t pc, unsigned kind, const struct attr_list *attrs,
                      unsigned following);
/* Two values on top of the stack, each of one slot, and the events of which they are values. */
void record_pair(struct method_plan *m, uint32_t pc, const struct sequence_item items[2], bool release);
/* With method_plan.inputs: false if the event gets its hook; else it has been recorded without its value, if it must
 * be, or not at all. */
bool record_bare(struct method_plan *m, enum event e, uint32_t pc, unsigned kind, bool release,
                 const struct attr_list *attrs);
/* With method_plan.inputs: the instruction may initialize the class at this index of the pool, if it does so before its
 * own events; the drain must know by then how far the method has come. */
void record_mark(struct method_plan *m, uint32_t class_index);
/* The same behind the events in front of an instruction that names another class and does not initialize it. */
void record_mark_named(struct method_plan *m);
/* As record_begin, with the events that follow planned too. */
uint32_t record_ids(struct method_plan *m, uint32_t pc, const struct sequence_item *items, unsigned count);
/* Called for each instruction after its `before` code is planned. */
void record_pass(struct method_plan *m, const struct insn *in);

/* Computational type letters: of a kind as in hooks (i j f d l), of a kind as for locals (I J F D A). */
static inline char kind_shape(unsigned kind) { return (char)(kind_hook(kind & ~KIND_JOINED) | 0x20); }
static inline char kind_local(unsigned kind) { return kind_shape(kind) == 'l' ? 'A' : kind_hook(kind & ~KIND_JOINED); }
/* The five letters for locals in the order of the opcodes. */
static inline unsigned type_index(char type)
{
    return type == 'I' ? 0 : type == 'J' ? 1 : type == 'F' ? 2 : type == 'D' ? 3 : 4;
}
static inline unsigned descriptor_kind(char letter) { return letter == '[' ? KIND_REF : (unsigned char)letter; }

#endif
