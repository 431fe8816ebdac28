/* method.h - the model of a method of a trace: its code, and the events of each instruction. A public header of this
 * folder.
 *
 * methods.c reads class files and methods, once per trace; events.c places the data IDs of a method at its
 * instructions. All of it lives until hs_close. Pcs, slots: formats/jvm/code.h.
 *
 *     pc 4   aload_0                       LOCAL_LOAD             behind it
 *     pc 5   getfield Order.total    GET_INSTANCE_FIELD before it, GET_INSTANCE_FIELD_RESULT behind it
 *     prologue                             METHOD_ENTRY, METHOD_PARAM
 *     exceptional exit                     METHOD_EXCEPTIONAL_EXIT */
#ifndef READER_CODE_METHOD_H
#define READER_CODE_METHOD_H

#include "formats/event.h"
#include "formats/jvm/code.h"
#include "reader/trace/open_trace.h"

enum { NO_ID = UINT32_MAX };

/* ---- methods.c ---- */

/* A row of LocalVariableTable. */
struct variable_scope {
    const char *name, *desc; /* in the trace's arena */
    uint32_t start, end;     /* pcs in which it has a value */
    uint16_t slot;
    const char *signature; /* that of LocalVariableTypeTable; NULL: its type is not generic */
    const char *type;      /* types.c; NULL: it was not asked for */
};
struct line_entry {
    uint32_t pc;
    int32_t line;
};

/* An instruction, and the events of the trace that it gives: events.c. */
struct method_insn {
    const struct insn *in; /* NULL of prologue and exceptional exit */
    uint32_t first;        /* in method.ids: events before it, then events behind it */
    uint16_t before, after;
    uint16_t depth; /* of the stack before it; NOT_REACHED */
    bool covered;   /* by a handler */
    uint32_t mark;  /* of the last search that came here: fsck/reach.c */
};

struct method {
    const struct hs_method *row;
    const struct hs_class *owner;
    const struct classfile *classfile;
    struct code code;
    bool is_static, is_constructor;
    bool has_this;     /* slot 0 holds the receiver: it is not static, and nothing else is stored there */
    bool is_intrinsic; /* the JVM may replace its code */
    /* It may hold or exit monitors that it did not enter: then IllegalMonitorStateException leaves it, in place of what
     * would have (JVMS 2.11.10, HotSpot). */
    bool has_monitors;
    uint16_t argument_slots;                /* with the receiver */
    const struct variable_scope *variables; /* those that can be read */
    const struct line_entry *lines;         /* as in LineNumberTable */
    uint32_t variable_count, line_count;
    struct stack_states *states; /* producers.c */
    struct control *control;     /* control.c */

    /* Of these only after method_of_event. */
    const char *fault; /* why its events cannot be placed, as a sentence; NULL */
    bool followed;     /* EXEC is woven and every event is placed: it has frames */
    uint32_t first_id, id_count;
    struct method_insn *insns; /* code.insns, then the prologue, then the exceptional exit */
    uint32_t count;            /* instructions */
    uint32_t *ids;             /* of all insns */
    uint32_t exit_id;          /* METHOD_EXCEPTIONAL_EXIT, NO_ID */
    bool has_multi;            /* MULTI_NEW_ARRAY, whose events are as many as there are arrays */
    uint32_t mark;
};

/* NULL if the trace has no class file of it, or that cannot be parsed, or the method has no code. Of a method that was
 * woven several times the first weaving's. */
struct method *method_get(hs_trace *t, uint32_t method_id);
/* The method of this very row. */
struct method *method_of_row(hs_trace *t, const struct hs_method *row);

/* The method of a row in the class file of its class. */
const struct member *method_member(const struct classfile *cf, const struct hs_class *c, const struct hs_method *row);

/* Is a text of a class file, in Modified UTF-8, that of a row, in UTF-8? */
bool name_is(struct text name, const char *utf8);

/* The class file of a class; NULL as method_get. `*why` (unless NULL): what is wrong with it. */
const struct classfile *class_file(hs_trace *t, const struct hs_class *c, const char **why);

/* The variable in the slot at this pc: its scope holds the pc, or begins right behind the instruction at the pc (a
 * store). */
const struct variable_scope *method_variable(const struct method *m, uint16_t slot, uint32_t pc);
/* The variable that the store at this pc writes: that, or the one whose scope is the next of the slot, if no other
 * store lies between. */
const struct variable_scope *method_stored_variable(const struct method *m, uint16_t slot, uint32_t pc);

/* The line of an instruction in LineNumberTable; -1: the class file has none. */
int32_t method_line(const struct method *m, uint32_t pc);

/* ---- events.c ---- */

/* Where an event stands: the column `stands` of events.def. */
enum side { SIDE_BEFORE, SIDE_AFTER };
struct event_stand {
    enum { STANDS_NOWHERE, AT_ENTRY, AT_EXIT, AT_INSN } where;
    enum side side;
    uint8_t low, high; /* opcodes; 0, 0: any */
};
const struct event_stand *event_stand(unsigned event);

/* A data ID, and the instruction of its event. */
struct code_event {
    struct method *method; /* NULL: its method is not read, or it has no place in it */
    const struct hs_dataid *row;
    uint32_t insn;  /* index of its instruction; count: the prologue, count + 1: the exceptional exit */
    uint16_t at;    /* its number among the events of its side */
    uint16_t slots; /* the value's first slot is that many below the top of the stack + 1; 0: it is not on the stack */
    uint16_t local; /* in_local: the slot of its value */
    bool in_local;
    uint8_t event, kind, side;
    bool loaded;
    const char *fault; /* why it has no place; NULL */
};

/* By data ID, hs_dataid_count of them; those of methods that were not asked for yet are zero. NULL: no memory. */
struct code_event *code_events(hs_trace *t);
/* The method of a data ID as it is stored, with its events placed; NULL: its code cannot be read, or the event has no
 * place in it. `code_events` has been called. */
struct method *method_of_event(hs_trace *t, uint32_t id);
void code_event_text(const struct code_event *e, char *out, size_t size); /* "a.b.C.m pc 12 LOCAL_LOAD" */

#endif
