/* plan.h - one method being woven: the passes and what they hand on.
 *
 *     scan    what the method is                          scan.h     struct method_scan
 *     plan    which events are recorded where, and        plan_*.c   struct planned: steps, in order
 *             code beside them; data IDs                  plan.c
 *     group   events of one call of a hook                group.h    struct record
 *     lower   code of steps and records; in loops, of     lower.h    struct inserted
 *             counters and rings                          loops.h
 *     layout  addresses                                   layout.h   struct layout
 *     build   the new Code attribute                      build.h
 *
 * For every reachable instruction each planner of planners.def whose groups are chosen may add steps that run before
 * the instruction and steps that run after it. Their code is straight-line: it never branches, so the frames of the
 * original stay valid, and it leaves stack and locals as it found them (its scratch locals lie behind max_locals and
 * are never live across an instruction's surroundings; references in them are cleared, so that no object is kept
 * alive).
 *
 *     label(pc):  [before]  instruction  [after]      branches to pc land on [before]
 *
 * No pass changes what an earlier one has made. */
#ifndef WEAVER_PLAN_H
#define WEAVER_PLAN_H

#include "formats/journal.h"
#include "formats/roles.h"
#include "weaver/emit.h"
#include "weaver/loops.h"
#include "weaver/places.h"
#include "weaver/scan.h"

/* The other roles mean that a frame begins or ends: such an event begins its record and no other joins it (plan_role
 * closes it as well). */
static inline bool plain_role(uint8_t role) { return role == ROLE_NONE || role == ROLE_NEUTRAL; }

/* ---- planned code: what is inserted at one place, in order ---- */
enum step_kind {
    STEP_CODE,     /* code that records nothing; bytes of method_plan.glue */
    STEP_VALUE,    /* an event */
    STEP_SEQUENCE, /* events with values in locals, or one on top of the stack */
    STEP_PAIR,     /* two events, whose values are on top of the stack */
    STEP_PUSHED,   /* events whose values the code in front has pushed for the hook */
    STEP_ALONE,    /* as STEP_PUSHED, of a record of its own */
    STEP_MARK,     /* the events so far must be recorded (record_mark) */
    STEP_CLOSE,    /* record_close */
    STEP_HARMLESS, /* record_harmless */
};
struct step {
    enum step_kind kind;
    bool release;
    uint8_t hook, on_stack;       /* of STEP_PUSHED and STEP_ALONE */
    uint16_t scratch;             /* first free scratch local */
    uint32_t first, end;          /* bytes, or events */
    uint32_t record, records_end; /* those whose code is here: values that are pushed, calls (group.c) */
};
enum { NO_RECORD = UINT32_MAX, NO_EVENT = UINT32_MAX };
struct planned_event {
    enum event event;
    unsigned kind;
    int32_t slot;    /* of its value, as sequence_item.slot */
    uint32_t id;     /* data ID */
    uint32_t row;    /* of it (dataid_rows_join) */
    uint32_t record; /* that it is in, or NO_RECORD */
};

/* Events that share a call of a hook (group.c). */
struct record {
    uint32_t first;  /* data ID */
    unsigned events; /* with consecutive data IDs */
    enum hook hook;
    bool release;
    uint8_t pairs;     /* how many times the two values on top of the stack are pushed, instead of these: */
    uint8_t count;     /* of values */
    uint8_t under;     /* 1 + the one that is on top of the stack while those in front of it are pushed: by way of */
    uint16_t scratch;  /* that local */
    uint16_t on_stack; /* slots of all */
    struct {
        unsigned kind;
        int32_t slot;
        uint32_t step; /* where it is pushed */
    } values[JOURNAL_RECORD_VALUES];
    uint32_t call;          /* step where the hook is called */
    uint32_t end;           /* of that call, in method_plan.inserted */
    int counter;            /* in a loop (loop_plan.counter); -1 none */
    unsigned counters_used; /* and how many its nest had by then */
};

/* How much of the code behind a call of this(...) or super(...) it takes to record that the call has returned: up to
 * the end of the record with that event. */
struct super_recorded {
    uint32_t insn, event;
    uint32_t size; /* once it is lowered */
};

typedef VEC(struct step) step_vec;
typedef VEC(struct planned_event) event_vec;
typedef VEC(struct record) record_vec;

/* What planners make. Steps [places[2 * i], places[2 * i + 1]) are before instruction i, those up to places[2 * i + 2]
 * behind it, those in front of places[0] run once. */
struct planned {
    step_vec steps;
    event_vec events;
    uint32_t *places;                  /* 2 * insns + 1 */
    uint32_t entry;                    /* METHOD_ENTRY in `events`; NO_EVENT none */
    uint32_t events_taken, code_taken; /* that belong to steps: events, bytes of method_plan.glue */
    uint32_t not_asked;                /* byte to which the branch of plan_asked leads; 0 none */
};

/* Local variables of inserted code that live through the whole method, behind those of the original. */
struct kept_locals {
    bool has_from, has_thread, has_called; /* these are in use: */
    uint16_t from;                         /* int: the pc that control came from */
    uint16_t thread;                       /* the current thread (plan_overflow.c) */
    uint16_t called;                       /* int: not 0 if the method was called directly (plan_direct.c) */
    /* int, for RET: where the running jsr returns to; behind it the same by method_scan.returns */
    uint16_t jsr;
};

/* All inserted code: bytes from at[2 * i] are before instruction i, those from at[2 * i + 1] behind it. */
struct inserted {
    struct emitter emit;
    uint32_t *at;      /* 2 * insns + 1 offsets */
    uint32_t prologue; /* bytes at the start that run once, before instruction 0's label */
    uint32_t entered;  /* with has_thread: the end of the hook call of METHOD_ENTRY; 0 none */
};

/* Local variables of a handler behind the code, 0: none. */
struct exit_locals {
    unsigned exception, lock;
};
/* The handler of the handler (plan_overflow.c): offsets in `code` of the synchronized block and of its handler. */
struct missed_exit {
    struct writer code;
    uint32_t locked, unlocked, release, released;
};
/* The handler behind the code; empty: there is none. */
struct exit_code {
    struct writer code;
    struct exit_locals locals;
    struct missed_exit missed; /* with has_thread */
};

/* Buffers that methods of a class use one after another. */
struct plan_buffers {
    struct writer glue, inserted;
    step_vec steps;
    event_vec events;
    record_vec records;
};

struct method_plan {
    struct class_plan *c;
    struct method_scan scan;

    /* what is woven: decided for each attempt (method.c) */
    group_set groups;
    uint64_t events;                 /* those that the groups weave */
    struct method_triggers triggers; /* of its events */
    bool inputs;                     /* events that follow from the code are not recorded (group.c) */
    bool counts_whole; /* events are only counted, and a handler can see whenever an exception leaves the method */
    bool spans; /* then, with EXEC: pieces of code are counted that contain instructions that can fail (plan_span.c) */
    bool whole_pieces; /* there is no room for that */
    bool direct;       /* its calls may be direct; config->direct, and every release has a hook (plan_direct.c) */
    struct kept_locals kept;
    struct loop_plan loops;

    /* what planners make, and where they are */
    struct planned planned;
    struct emitter glue;                        /* code of steps */
    VEC(struct super_recorded) supers_recorded; /* their sizes are filled when code is lowered */
    uint32_t hidden;                            /* places that redact= names */
    bool hides_numbers;                         /* some events have no value because of it */
    uint16_t scratch, scratch_max;              /* first free scratch local; end of all that were used */
    uint32_t insn;                              /* the current instruction */
    int32_t stash;    /* scratch local that the current instruction's `before` left for its `after`, -1 none */
    size_t next_line; /* the first line entry not behind the current instruction, if they ascend */

    record_vec records;       /* group.c */
    struct inserted inserted; /* lower.c */
    struct exit_code exit;
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

/* Runs once, before everything: METHOD_ENTRY, METHOD_PARAM, and the first value of kept.from. */
void plan_prologue(struct method_plan *m);
/* Runs before the prologue: the call that config->uncaught requests. */
void plan_uncaught(struct method_plan *m);
/* The same for config->output. */
void plan_output(struct method_plan *m);
/* The same for config->asked (plan_loader.c). */
void plan_asked(struct method_plan *m);
/* Runs before the prologue: parameters that redact= names. */
void plan_redact_prologue(struct method_plan *m);
/* The kind with which a value is recorded: KIND_VOID for a number that is hidden. */
unsigned plan_hidden_kind(struct method_plan *m, unsigned kind, bool hidden);
/* Plans the handler behind the code, for METHOD_EXCEPTIONAL_EXIT and counters of loops, instead of what was planned
 * before: it expects the exception on the stack and ends in athrow. With has_thread it begins with a store of the
 * exception into exit.locals. Returns the data ID. */
uint32_t plan_exceptional_exit(struct method_plan *m);

/* ---- pieces of code that are counted (plan_span.c) ---- */
bool plan_spans(struct method_plan *m); /* sets counts_whole and spans, once the groups are known */
/* Such a piece goes on over this instruction, which does nothing that others can observe, but may fail. */
bool plan_only_fails(const struct method_plan *m, const struct insn *in);
/* With spans: at the begin of a handler, and of the exceptional exit: where the exception came from. */
void plan_cut(struct method_plan *m);

/* ---- calls that enter woven code at once (plan_direct.c) ---- */
void plan_direct_look(struct method_plan *m); /* sets direct and has_called, once the groups are known */
void plan_direct_begin(struct method_plan *m);
/* Could this call, of a method of that class, be direct? */
bool plan_direct_may(const struct method_plan *m, const struct insn *in, struct text owner);
/* Then: behind its records, the first of which has that data ID. `spilled`: its arguments are not on the stack. */
void plan_direct_call(struct method_plan *m, const struct insn *in, uint32_t id, bool spilled, unsigned arg_slots);
/* Behind the records of a call that certainly is. */
void plan_direct_enter(struct method_plan *m);
void plan_direct_leave(struct method_plan *m); /* before an exit */
/* Where an exception comes from a call that may not have entered anything. */
void plan_direct_forget(struct method_plan *m);

/* ---- the end of the stack (plan_overflow.c) ---- */
/* Records exits whose records are missing. */
void plan_record_missed(struct method_plan *m);
/* With kept.has_thread: at the begin of the method; at that of each handler; the handler for the code of
 * plan_exceptional_exit, which notes that the record is missing. */
void plan_keep_thread(struct method_plan *m);
void plan_unwound(struct method_plan *m);
void plan_missed_exit(struct method_plan *m, uint32_t id);

/* ---- data IDs ---- */
/* An event of the next step, at `pc`, with its data ID, which is returned. `attrs` may be NULL. */
uint32_t plan_event(struct method_plan *m, enum event e, uint32_t pc, unsigned kind, int32_t slot,
                    const struct attr_list *attrs);
void plan_items(struct method_plan *m, uint32_t pc, const struct sequence_item *items, unsigned count);
/* A data ID of which no code records an event. */
void plan_static(struct method_plan *m, enum event e, uint32_t pc, unsigned kind, const struct attr_list *attrs);
/* The event is of the record of the one in front of it. */
void plan_join(struct method_plan *m, const struct planned_event *ev);
/* Does one of these data IDs begin or end an interval? */
/* Must each event of the method have its own stamp, since an interval may begin or end there? */
bool plan_has_triggers(const struct method_plan *m);
bool plan_is_trigger(const struct method_plan *m, uint32_t id, unsigned events);
/* The role that follows from the event alone; those of calls of this(...) and super(...) are set by plan_call.c. */
uint8_t plan_role_of(const struct method_plan *m, enum event e);
static inline uint32_t plan_next_id(const struct method_plan *m)
{
    return m->c->config->first_dataid + m->c->out->dataids.count;
}
/* Changes the role of the data ID added last (formats/roles.h), if the method has EXEC. */
void plan_role(struct method_plan *m, uint8_t role);
/* A field is known not to be volatile if it is declared so in this very class. */
enum field_fact { FIELD_UNKNOWN, FIELD_PLAIN, FIELD_PLAIN_STATIC, FIELD_VOLATILE, FIELD_ELSEWHERE };
/* Of the field that an instruction names; kept in class_plan.facts. */
enum field_fact plan_field_fact(const struct class_plan *c, const struct insn *in, const struct member_ref *ref);
/* The instruction reads or writes such a field. */
bool plan_is_own_field(const struct method_plan *m, const struct insn *in);
static inline bool plan_counts_only(const struct method_plan *m) { return m->c->config->counts_only; }
static inline bool plan_has(const struct method_plan *m, enum event e) { return m->events >> e & 1; }
/* ---- what planners make: steps (plan.c) ---- */
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
void record_sequence(struct method_plan *m, uint32_t pc, const struct sequence_item *items, unsigned count,
                     bool release);
/* Two values on top of the stack, each of one slot, and the events of which they are values. */
void record_pair(struct method_plan *m, uint32_t pc, const struct sequence_item items[2], bool release);
/* The events added by plan_event since the last step, of one record, whose values the planner's own code has pushed:
 * they take `on_stack` slots. */
void record_pushed(struct method_plan *m, enum hook hook, bool release, unsigned on_stack);
/* As record_pushed, of a record of its own. */
void record_alone(struct method_plan *m, enum hook hook, bool release, unsigned on_stack);
/* No event behind joins a record in front. */
void record_close(struct method_plan *m);
/* The current instruction cannot fail, run other code or synchronize with another thread, though its opcode could. */
void record_harmless(struct method_plan *m);
/* With method_plan.inputs: the event follows from the code, and the hook is not given its value. */
bool plan_is_valueless(const struct method_plan *m, enum event e);
/* With method_plan.inputs: the instruction may initialize the class at this index of the pool, if it does so before its
 * own events; the drain must know by then how far the method has come. */
void record_mark(struct method_plan *m, uint32_t class_index);
/* The same behind the events in front of an instruction that names another class and does not initialize it. */
void record_mark_named(struct method_plan *m);
/* A scratch local of that type; free again when the planner for the instruction is done. */
unsigned plan_scratch(struct method_plan *m, char type);
/* Stores the pc into kept.from. */
static inline void plan_set_from(struct method_plan *m, uint32_t pc)
{
    emit_int(&m->glue, (int32_t)pc);
    emit_store(&m->glue, 'I', m->kept.from);
    emit_stack(&m->glue, 1);
}
/* What is planned from here on belongs to the next place: before, or behind an instruction, or behind all. */
uint32_t plan_place(struct method_plan *m);
/* Drops all steps. */
void plan_clear_steps(struct method_plan *m);

/* Computational type letters: of a kind as in hooks (i j f d l), of a kind as for locals (I J F D A). */
static inline char kind_shape(unsigned kind) { return (char)(kind_hook(kind & ~KIND_JOINED) | 0x20); }
static inline char kind_local(unsigned kind) { return kind_shape(kind) == 'l' ? 'A' : kind_hook(kind & ~KIND_JOINED); }
static inline unsigned descriptor_kind(char letter) { return letter == '[' ? KIND_REF : (unsigned char)letter; }

#endif
