/* fsck.h - what the files of the consistency check share. The rules are rules.def; hs_fsck (trace.h) is the door.
 *
 *     tables.c   the rows among themselves, chunks against their directory          rules table to object
 *     marks.c    marked intervals
 *     methods.c  a method as the check needs it: instructions, and which data IDs each of them gives, in order
 *     reach.c    where control can go from one event to the next without passing another
 *     stack.c    the operand stack: what each instruction does to values that are known
 *     objects.c  references: known, of one type, touched by one thread or several
 *     calls.c    which method a call certainly enters
 *     heap.c     the last value known of fields and array elements
 *     frames.c   the walk over the events of all threads
 *     parts.c    intervals of recordings in parts
 *
 * Memory: the methods that had events, five bytes per object, a fixed table for the heap, and the open frames. */
#ifndef READER_FSCK_FSCK_H
#define READER_FSCK_FSCK_H

#include "formats/event.h"
#include "formats/jvm/classfile.h"
#include "formats/jvm/opcode.h"
#include "reader/trace/open_trace.h"

enum rule {
#define RULE(name, text) RULE_##name,
#include "reader/fsck/rules.def"
#undef RULE
    RULE_COUNT
};

/* ---- methods.c ---- */

enum { NO_ID = UINT32_MAX, NO_INSN = UINT32_MAX };
enum side { SIDE_BEFORE, SIDE_AFTER };

/* What calling this instruction can mean for the heap. */
enum purity { CALL_ANYTHING, CALL_LIBRARY, CALL_PURE };

struct fmethod;

/* A data ID, and where its event stands. */
struct fsite {
    struct fmethod *method; /* NULL: not loaded, or not to be followed */
    const struct hs_dataid *row;
    uint32_t insn;  /* index of its instruction; count: the prologue, count + 1: the exceptional exit */
    uint16_t at;    /* its number among the events of its side */
    uint16_t slots; /* the value's first slot is that many slots below the top of the stack + 1; 0: it is not there */
    uint16_t local; /* METHOD_ENTRY, METHOD_PARAM, LOCAL_INCREMENT: the slot of its value */
    uint8_t event, kind;
    uint8_t side;
    uint8_t purity; /* CALL, INVOKE_DYNAMIC */
    bool loaded, bad;
    bool exact_type;       /* `type` is the type itself, else a supertype */
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
    bool is_intrinsic; /* the JVM may run code of its own instead */
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
    bool this_stored;      /* slot 0 is assigned to: it need not be `this` */
    uint32_t *marks, mark; /* searches: reach.c */
};

/* A field as its class declares it. */
struct ffield {
    struct fclass *declares; /* NULL: not by a woven class: nothing is known of it */
    uint64_t key;
    bool is_volatile, is_private, is_static;
    uint32_t thread; /* statics: the one that wrote; UINT32_MAX none */
    bool many;       /* statics: several wrote */
};

struct fclass {
    const struct hs_class *row;
    struct text bytes; /* of the class file; owned */
    struct classfile cf;
    bool tried, usable;
    struct fmethod *methods; /* by index */
    struct ffield *fields;   /* by index in the class file */
};

/* ---- threads and frames ---- */

/* FRESH: the object made by the `new` at pc v (UINT32_MAX: `this`), not initialized */
enum known { UNKNOWN, KNOWN, FRESH };
struct slot {
    uint64_t v;
    uint32_t known;
};

enum call_state { CALL_NONE, CALL_WAITS, CALL_INSIDE, CALL_RETURNED, CALL_THREW };

struct fframe {
    struct fmethod *method;
    uint64_t entered; /* seq */
    uint32_t insn;
    uint16_t at; /* events of this side that were seen */
    uint8_t side;
    bool is_callee; /* entered by the call of the frame below, certainly */
    uint8_t call;   /* enum call_state, of the call at which it stands */
    bool thrown_known;
    bool initialized; /* constructors: this(...) or super(...) has returned */
    size_t base;      /* in thread.slots: locals, then stack */
    uint32_t depth;   /* slots on the stack */
    uint64_t thrown, returned, object, index;
    uint64_t self;          /* constructors: the object; 0 not known yet */
    uint64_t made;          /* the object whose constructor the last call ran, 0 not known */
    uint64_t last;          /* seq of its last event */
    struct fmethod *target; /* of the call, NULL not certain */
};

struct fthread {
    VEC(struct fframe) frames;
    VEC(struct slot) slots;
    uint64_t epoch_any, epoch_hard; /* heap.c: code that is not known ran */
    uint64_t pending_seq;           /* of a violation that an error of the JVM would excuse */
    char *pending;                  /* its text, NULL none */
    enum rule pending_rule;
    bool lost; /* a chunk could not be read */
    /* an interval began in the middle of its frames (reader/trace/windows.c): the outer ones show when they go on */
    bool rootless;
    uint64_t gap; /* gap_passed */
    struct {
        bool there, erased_by_entry;
        uint64_t key, value, object;
        struct ffield *field;
        uint32_t frame; /* index */
        bool is_array;
    } store; /* a store whose instruction has not completed */
};

struct thread_life {
    uint32_t thread;
    uint64_t start, end; /* stamps */
};

struct fsck {
    hs_trace *trace;
    hs_violation_fn *tell;
    void *context;
    struct hs_fsck_result *result;
    bool clean;    /* the recording ended by itself: rows must be complete */
    bool tolerant; /* events were lost, or recording began in the middle: frames prove nothing */
    struct arena arena;
    struct fsite *sites; /* by data ID */
    uint32_t site_count;
    struct fclass *classes; /* by position */
    uint64_t last_stamp;    /* of the recording; UINT64_MAX: not told */
    u32_vec periods;        /* first data IDs of the second start and those after it, rising */
    struct name_slot *names;
    size_t name_cap;
    struct fthread *threads;
    size_t thread_count;
    VEC(struct thread_life) lives; /* by thread number */
    struct object_page **pages;
    struct type_memo *memo;
    struct known_value *known_values;
    struct {
        struct candidate *items;
        size_t count, cap;
    } candidates;
    struct {
        size_t at;    /* the interval whose events come */
        bool started; /* the thread that began it has shown an event in it */
        bool ending;  /* the thread that ended it has; the last one: */
        uint32_t last_id;
    } part; /* parts.c */
    bool no_memory;
};

void fsck_tell(struct fsck *f, enum rule rule, uint64_t seq, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
#define NO_SEQ UINT64_MAX /* of violations that no event stands for */

/* tables.c */
enum status fsck_tables(struct fsck *f, struct error *err);
/* marks.c; in a transaction, as the tables */
enum status fsck_marks(struct fsck *f, struct error *err);
void fsck_code(struct fsck *f); /* every woven class: class file, data IDs at their instructions */

/* Were both data IDs woven at the same start of recording? Else one class may run unwoven where the other tells. */
bool same_period(const struct fsck *f, uint32_t a, uint32_t b);

/* methods.c */
bool fclasses_init(struct fsck *f);
void fclasses_done(struct fsck *f);
/* The class of that name (as in Java source), NULL if there is none or more than one. */
struct fclass *class_by_name(struct fsck *f, const char *name, size_t size);
struct fclass *class_need(struct fsck *f, struct fclass *c); /* with its class file read; NULL if it cannot be */
/* The method at the data ID with all its sites; NULL if it is not to be followed. */
struct fmethod *method_of(struct fsck *f, uint32_t id);
void site_text(const struct fsite *p, char *out, size_t size); /* "a.b.C.m pc 12 LOCAL_LOAD" */
uint32_t stack_slots(unsigned kind);

/* reach.c */
bool reach_first(struct fmethod *m, uint32_t insn, uint32_t id);
/* Can control leave silently from here by an exception and come to `id` first? pc: of the instruction that throws, or
 * NO_INSN. */
bool reach_exception(struct fmethod *m, const struct fframe *at, uint32_t id, uint32_t pc);
/* The same for errors that the JVM throws anywhere. */
bool reach_error(struct fmethod *m, const struct fframe *at, uint32_t id);
bool reach_code(struct fmethod *m, const struct fframe *at); /* an instruction that can run other code */
uint32_t successors(const struct fmethod *m, uint32_t insn, uint32_t number); /* NO_INSN behind the last */
bool label_legal(const struct fmethod *m, uint32_t insn, uint64_t pc);

/* stack.c */
void stack_run(struct fthread *t, struct fframe *f, const struct finsn *i); /* the instruction completes normally */
int stack_decide(struct fthread *t, struct fframe *f, const struct finsn *i, uint32_t *to); /* 1 decided, 0 not known */
void stack_forget(struct fthread *t, struct fframe *f, uint32_t depth, bool locals_too);
static inline struct slot *frame_local(struct fthread *t, struct fframe *f, uint32_t n)
{
    return &t->slots.items[f->base + n];
}
static inline struct slot *frame_stack(struct fthread *t, struct fframe *f, uint32_t n)
{
    return &t->slots.items[f->base + f->method->max_locals + n];
}

/* objects.c */
bool objects_init(struct fsck *f);
void objects_check_done(struct fsck *f);
/* Looks at a reference in an event of `thread`. */
void reference_check(struct fsck *f, const struct fsite *p, uint32_t thread, uint64_t value, uint64_t seq);
bool object_shared(struct fsck *f, uint64_t id);
uint32_t object_class(struct fsck *f, uint64_t id); /* 0 unknown */
bool object_is_error(struct fsck *f, uint64_t id);  /* an Error that the JVM may throw anywhere, or not known */

/* calls.c */
struct fmethod *callee_of(struct fsck *f, struct fsite *p, uint64_t receiver);
enum purity call_purity(const struct hs_dataid *row);
struct ffield *field_of(struct fsck *f, const struct hs_dataid *row);
const char *attr_text_of(const struct hs_dataid *row, enum attr attr);
int64_t attr_int_of(const struct hs_dataid *row, enum attr attr, int64_t otherwise);

/* heap.c */
bool heap_init(struct fsck *f);
void heap_finish(struct fsck *f); /* tells what is still certain */
void heap_event(struct fsck *f, uint32_t thread, struct fthread *t, struct fframe *fr, struct fsite *p, uint64_t value,
                uint64_t seq);
void heap_settle(struct fsck *f, uint32_t thread, struct fthread *t, bool completed);

/* parts.c: each event, by rising stamps; then the end */
void parts_event(struct fsck *f, uint32_t thread, uint32_t id, uint64_t stamp, uint64_t seq);
void parts_done_check(struct fsck *f);

/* frames.c */
enum status fsck_walk(struct fsck *f, struct error *err);

#endif
