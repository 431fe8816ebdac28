/* code.h - the public header of this folder: the woven code and the meaning of its data IDs.
 *
 * method.h has a method with its events; control.h which branches decide whether an instruction runs; producers.c finds
 * what pushed an operand; expression_text.c how that stands in source; lambdas.c what makes lambdas in
 * them; throwers.c finds the instructions that can have thrown after an event; fields.c finds the class that declares a
 * field; effects.c has the effect of an event on the frames of its thread; sites.c lists the data IDs of an event
 * type. */
#ifndef READER_CODE_H
#define READER_CODE_H

#include <string.h>

#include "formats/event.h"
#include "formats/redact_trace.h"
#include "formats/values.h"
#include "reader/code/control.h"
#include "reader/code/method.h"
#include "reader/trace/open_trace.h"

/* ---- producers.c ----
 *
 * Which instruction pushed an operand:
 *
 *     pc 5   iload_1              pushes A
 *     pc 6   iload_2              pushes B
 *     pc 7   iadd                 pops B A, pushes C
 *     pc 8   istore_3             operand at depth 0: pushed by pc 7; operands of pc 7: depth 0 by pc 6, depth 1 by 5
 *
 * A data-flow analysis, once per method, finds for every slot of the operand stack before each instruction the pcs that
 * can have pushed it: several only where paths join with values on the stack (x ? a : b). dup, swap and checkcast keep
 * the pcs of the values they move. JVMS 4.7.3, 6.5. */
enum { PRODUCERS_MAX = 32 };
#define PRODUCER_CAUGHT 0x80000000u /* flag: the exception of a handler that begins at this pc */
struct producers {
    uint32_t pcs[PRODUCERS_MAX];
    uint8_t count; /* 0: not known */
    bool more;     /* than these */
};
/* The instructions that can have pushed the operand `depth` slots below the top of the stack before `pc`. */
struct producers method_producers(hs_trace *t, struct method *m, uint32_t pc, uint32_t depth);
void producers_free(struct method *m); /* what it keeps of a method */
/* The first pc of the basic block that holds `pc`. */
uint32_t method_block(const struct method *m, uint32_t pc);

/* ---- expression_text.c ---- */

/* Appends how the operand `depth` slots below the top of the stack before `pc` may stand in source: "order.state",
 * "items[i + 1]"; "..." for what is not known. The letter of its type in descriptors, 0: not known. `out->bad`: no
 * memory. */
char method_expression(hs_trace *t, struct method *m, uint32_t pc, uint32_t depth, struct writer *out);

/* ---- control.c: see control.h ---- */

/* NULL: out of memory. */
const struct control *method_control(hs_trace *t, struct method *m);
void method_control_free(struct method *m); /* what it keeps of a method */

/* ---- lambdas.c ---- */

/* What an invokedynamic of java.lang.invoke.LambdaMetafactory makes an object of: the body of a lambda, or the method
 * that is referred to. Its first parameters, the receiver included, are the captured values. */
struct lambda_site {
    struct member_ref method; /* borrowed from the class file */
    unsigned captured;        /* values */
};
/* The bootstrap method at that index of BootstrapMethods; `r` then stands before its arguments. */
bool code_bootstrap(const struct classfile *cf, uint32_t index, struct member_ref *method, struct reader *r);
/* False: the instruction at `pc` is none. */
bool method_lambda(const struct method *m, uint32_t pc, struct lambda_site *out);

/* ---- throwers.c ---- */

/* The instructions that can have thrown, their pcs rising, when `last` was the latest event of a frame: what control
 * reaches from it without another event. `last` UINT32_MAX: it is not known; all that can throw. Of the data IDs of the
 * method `id` is any one. False: out of memory. */
bool method_throwers(hs_trace *t, const struct method *m, uint32_t id, uint32_t last, u32_vec *pcs);

/* ---- fields.c ----
 *
 * Classes by name and loader, and the class that declares a field (JVMS 5.4.3.2).
 *
 *     class A { int x; }   class B extends A { int x; }   class C extends B {}
 *     C.x  is  B.x;   ((A) c).x  is  A.x             declaring class, name and type are the field
 *
 * Woven classes are known from their class files, their superclasses from hierarchy rows. With neither, the class that
 * the instruction names counts as the declaring one. Texts live as long as the trace. */
/* A field: `type` as in Java source; a class file may declare one name with several types. */
struct field {
    const char *declaring, *name, *type;
    bool is_static;  /* as its class declares it; false if that is not known */
    bool is_final;   /* as its class declares it, if that is woven */
    uint64_t loader; /* of the class that declares it */
};
static inline bool field_same(struct field a, struct field b)
{
    return (a.name == b.name && a.declaring == b.declaring && a.type == b.type) ||
           (strcmp(a.name, b.name) == 0 && strcmp(a.declaring, b.declaring) == 0 && strcmp(a.type, b.type) == 0);
}

/* One class. */
struct lineage {
    const char *name, *super;   /* with dots; super "" if none */
    uint64_t loader;            /* number of its loader */
    bool known;                 /* false: neither class file nor row; the members below are not set */
    bool woven;                 /* it is from its class file */
    const struct hs_class *row; /* of a woven class; NULL: only its hierarchy is known */
    const char *const *interfaces;
    const struct hs_field *fields; /* that it declares itself; is_final: false if it is not woven */
    size_t interface_count, field_count;
};
/* The class of that name and loader, else one of that name and another loader; NULL: the trace has none. */
const struct lineage *lineage_of(hs_trace *t, const char *name, uint64_t loader);
/* Its superclass; NULL if it has none, or that is not known: then `*unknown` is set. */
const struct lineage *lineage_super(hs_trace *t, const struct lineage *c, bool *unknown);
/* The name of its superclass, which need not be recorded; NULL: it has none, or that is not known. */
const char *lineage_super_name(const struct lineage *c);
/* The name of the class itself, or of the first class or interface above it, that matches; NULL: none does. Sets
 * `*unknown` if some of them are not known. */
typedef bool name_matches_fn(const void *wanted, const char *name);
const char *lineage_above(hs_trace *t, const struct lineage *c, name_matches_fn *matches, const void *wanted,
                          bool *unknown);
/* What is wrong with chains of superclasses, in sentences; NULL behind the last. Such a chain is cut when the classes
 * are loaded, so that every walk along it ends. */
const char *lineage_fault(hs_trace *t, size_t number);
/* All classes, one at a time: NULL after the last. */
const struct lineage *lineage_at(hs_trace *t, size_t position);
size_t lineage_position(hs_trace *t, const struct lineage *c);
const char *lineage_name_at(hs_trace *t, size_t position); /* without reading it */

/* The field that `owner`.`name` resolves to for a class of `loader`. `type` NULL: of any type. False: no known class
 * declares it, and `out` has the arguments. */
bool field_find(hs_trace *t, const char *owner, const char *name, const char *type, uint64_t loader, struct field *out);
/* The same from a class on. */
bool field_find_in(hs_trace *t, const struct lineage *c, const char *name, const char *type, struct field *out);
/* Does its class declare another one of this name? */
bool field_overloaded(hs_trace *t, struct field f);

/* ---- effects.c ----
 *
 * Frame effects: what an event of a data ID does to the frames of its thread. One small row per data ID, read a class
 * at a time. */
enum effect_op {
    EFFECT_UNREAD,      /* its class has not been read yet */
    EFFECT_STRANGE,     /* no such data ID, or of a method whose entries and exits are not recorded */
    EFFECT_INSIDE,      /* an event of the frame, nothing more */
    EFFECT_ENTER,       /* METHOD_ENTRY */
    EFFECT_LEAVE,       /* METHOD_NORMAL_EXIT, METHOD_EXCEPTIONAL_EXIT */
    EFFECT_INITIALIZED, /* METHOD_OBJECT_INITIALIZED: the receiver is known */
    EFFECT_WRITE,       /* METHOD_PARAM, LOCAL_STORE, LOCAL_INCREMENT: a local has a new value */
    EFFECT_READ,        /* LOCAL_LOAD: a local has this value */
    EFFECT_LOCK,        /* MONITOR_ENTER_RESULT: the frame holds the monitor */
    EFFECT_UNLOCK,      /* MONITOR_EXIT */
    EFFECT_LEFT_OUT,    /* EVENTS_LEFT_OUT: what the frame holds is not known any more */
};

struct effect {
    uint8_t op; /* enum effect_op */
    uint8_t event;
    /* WRITE, READ; of PUT_INSTANCE_FIELD and GET_INSTANCE_FIELD the field's part of a location key (location_key.h) */
    uint16_t slot;
    uint32_t method; /* method id */
};

/* The row of a data ID; never NULL: EFFECT_STRANGE if there is no such data ID. */
const struct effect *effects_get(hs_trace *t, uint32_t id);
/* The rows by data ID that are known, the others are EFFECT_UNREAD; NULL: out of memory. */
const struct effect *effects_known(hs_trace *t);
/* Slots of locals that events of the method name: greatest slot + 1. */
uint32_t effects_slots(hs_trace *t, uint32_t method_id);
bool effects_ready(hs_trace *t); /* false: out of memory */

/* The number or text of an attribute; `absent` or NULL if the data ID does not have it. */
int64_t attribute_number(const struct hs_dataid *d, const char *name, int64_t absent);
const char *attribute_text(const struct hs_dataid *d, const char *name);
/* The first slot of argument `index` (0 the receiver, if `instance`) of a descriptor; UINT32_MAX if there is none. */
uint32_t parameter_slot(const char *desc, bool instance, int64_t index);

/* ---- call_sites.c ---- */

/* The data ID of the CALL that one of its other events belongs to (CALL_PARAM, CALL_RETURN); NULL: there is none. */
const struct hs_dataid *call_site(hs_trace *t, const struct hs_dataid *d);
/* Has the method the name and the descriptor of the call? */
bool call_names(const struct hs_dataid *call, const struct hs_method *m);
/* Can the call enter this method? Compares name and descriptor, since the class is selected at run time; for a
 * constructor the class too. */
bool call_can_enter(hs_trace *t, const struct hs_dataid *call, uint32_t method_id);
/* METHOD_OBJECT_INITIALIZED: was the object in a constructor that is not woven, which may have written its fields until
 * now? The CALL of super(...) cannot show it. Those of the JDK write what the program's code neither writes nor
 * reads. */
bool initialized_outside(hs_trace *t, const struct hs_dataid *d);

/* ---- sites.c ----
 *
 * Sites: the data IDs of an event type, what they name, and the fields they access.
 *
 * Most queries need few of hundreds of thousands of data IDs. One pass over the stored rows keeps a small row each,
 * with hashes of names. Different names may have one hash, so callers check the data ID itself. */
struct site {
    uint32_t dataid, method_id;
    uint64_t name, owner; /* site_hash of these attributes, 0 without; `owner` of a NEW_OBJECT: of its class */
};
typedef VEC(struct site) site_vec;

/* All data IDs of an event type, ascending. Never NULL; rows that cannot be read are left out (hs_damage). */
const site_vec *sites_of(hs_trace *t, unsigned event);
/* Those of them that name a field, method or variable `name`: *count of them at the result. */
const struct site *sites_named(hs_trace *t, unsigned event, const char *name, size_t *count);
uint64_t site_hash(const char *text, size_t size);

/* The field that the instruction of a data ID accesses. */
struct field sites_field(hs_trace *t, uint32_t dataid);
bool sites_same_field(hs_trace *t, uint32_t dataid, struct field f);
/* The same; of a static field also of the same class, where several loaders have one of its name. */
bool sites_very_field(hs_trace *t, uint32_t dataid, struct field f);

/* ---- values.c ----
 *
 * Objects that are shown by what they stand for, as the agent has copied it (formats/values.def). */
/* What an object stands for. */
struct value {
    enum value_form form;
    char kind; /* of a NUMBER, else 0 */
    uint64_t bits;
    uint64_t length; /* of a list or map: its entries, of which the first ones are copied */
};
/* Appends the text that toString() would give, shortened where it is very long. `other` (may be NULL) is asked for
 * objects of which there is no copy; false: it does not know. False: the object has no copy. */
typedef bool value_other_fn(hs_trace *t, uint32_t id, unsigned depth, struct writer *w);
bool value_put(hs_trace *t, uint32_t id, unsigned depth, value_other_fn *other, struct value *out, struct writer *w);
/* The number that a copy has, without its text; false: there is none. */
bool value_number(hs_trace *t, uint32_t id, char *kind, uint64_t *bits);
/* Appends a part of such a text: a value of this kind. */
void value_put_part(hs_trace *t, char kind, uint64_t bits, unsigned depth, value_other_fn *other, struct writer *w);
/* Can the copy be read? What fsck asks. True if there is none. */
bool value_is_whole(hs_trace *t, uint32_t id);
/* Of any copy of the object: a copied_fn. */
bool value_look(void *trace, uint32_t id, struct text copy, struct copied_look *look);

#endif
