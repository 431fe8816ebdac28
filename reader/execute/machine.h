/* machine.h - what the files of this folder share; see execute.h. */
#ifndef READER_MACHINE_H
#define READER_MACHINE_H

#include "formats/arena.h"
#include "formats/jvm/primitive.h"
#include "formats/map.h"
#include "reader/execute/execute.h"

/* Bounds of what is executed. A value is a slot of the stacks of all frames together. */
enum { STEPS_MAX = 10000000, CALLS_MAX = 512, VALUES_MAX = 1 << 16, ARENA_MAX = 256 << 20, UNITS_MAX = 1 << 24 };
enum { WRITTEN_MAX = 1 << 21 };

/* An object that executed code made. */
enum made_is {
    MADE_PLAIN,      /* of a woven class; its fields are in the layer of writes */
    MADE_UNWOVEN,    /* of another class, before its constructor has run */
    MADE_STRING,     /* units */
    MADE_BUILDER,    /* units, which may grow */
    MADE_ARRAY,      /* values */
    MADE_BOX,        /* values[0] */
    MADE_THROWN,     /* of the JDK: values[0] the message, values[1] the cause */
    MADE_LAMBDA,     /* values: what was captured */
    MADE_LIST,       /* values, which may grow */
    MADE_FIXED_LIST, /* values */
    MADE_VIEW,       /* values: keys, values or entries of a map */
    MADE_ITERATOR,   /* values; `at` is the next one */
    MADE_ENTRY,      /* values[0] the key, values[1] the value */
    MADE_OPTIONAL,   /* values: one or none */
    MADE_STREAM,     /* natives_streams.c */
    MADE_BIG,        /* a BigInteger or BigDecimal: units, its text */
    MADE_COLLECTOR,  /* values: the arguments of Collectors.joining; `at` 0: toList */
    MADE_MAP,        /* values: `cap` keys, then as many values */
    MADE_COMPARATOR, /* natives_sorting.c */
    MADE_ENUM,       /* a constant of the JDK: its name, `at` its place */
    MADE_CLASS,      /* an object of a class: name, loader */
    MADE_CONTEXT     /* a MathContext: values[0] the precision, values[1] the mode */
};
struct made {
    enum made_is is;
    const char *type;            /* with dots, as in Java source */
    const struct lineage *class; /* of MADE_PLAIN */
    bool shared;                 /* the JVM may have one object for equal ones: == is not known */
    bool unordered;              /* of a view */
    char element;                /* of an array: descriptor letter */
    uint32_t count, cap, at;
    uint32_t changes;          /* how often it was changed */
    const struct made *source; /* of a view or iterator: what it shows, and how often that was changed by then */
    uint32_t source_changes;
    uint16_t *units;
    struct jvalue *values;
    const char *name; /* of a class or constant; of a lambda the method that it has */
    uint64_t loader;
    /* of a lambda: the method that it stands for, its kind of method handle (JVMS 4.4.8), the class that made it */
    struct member_ref target;
    unsigned handle_kind;
    const struct hs_class *from;
};

/* A call. */
struct invocation {
    struct member_ref ref;
    bool is_static, special;     /* invokestatic, invokespecial */
    const struct hs_class *from; /* the class whose code calls */
    const struct jvalue *given;  /* the receiver first */
    unsigned count;
};

/* The field that an instruction names. `member`: one address for one field; object 0 has the statics. */
struct field_site {
    uint64_t key;
    const void *code;
    uint64_t constant;
    struct field field;
    const char *member;
    char letter;
};

struct machine {
    hs_trace *trace;
    struct heap heap;
    struct arena arena;
    VEC(struct made *) made;
    MAP(struct written {
        uint64_t key;
        uint64_t object;
        const void *member; /* the name of a field in one place; of an element NULL */
        uint64_t index;
        struct jvalue value; /* kind 0: forgotten */
    })
    written;
    MAP(struct field_site) fields;
    VEC(const char *) reasons;
    VEC(const char *) names; /* texts that are compared by address: one for each content */
    struct jvalue *values;   /* VALUES_MAX: of all frames */
    uint32_t used;
    uint32_t steps, calls;
    bool (*invoke)(struct machine *m, const struct invocation *i, struct jvalue *out); /* invoke.c, for all below it */
    enum outcome ended;                                                                /* OUTCOME_VALUE: it goes on */
    const char *why;
    struct jvalue thrown;
};

/* ---- ends: all return false, for `return ends...` ---- */
bool end_not_known(struct machine *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool end_limit(struct machine *m, const char *what);
bool end_memory(struct machine *m);
/* So many instructions more: work of a method of the JDK, which would be a loop of them. An instruction stands for so
 * many characters or elements, a call for so many instructions. */
enum { STEP_UNITS = 16, CALL_STEPS = 4 };
bool spend(struct machine *m, uint64_t steps);
/* The value is known; else it ends with the reason. */
bool known(struct machine *m, struct jvalue v);
/* Execution goes on in a handler. `type` with dots; message NULL: null. */
bool throws(struct machine *m, const char *type, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* With a message that depends on the release of the JDK: it is not known. */
bool throws_unsaid(struct machine *m, const char *type);
bool throws_object(struct machine *m, struct jvalue exception);

/* Of a type as in Java source, that of its descriptor: L of all that are not primitive. */
static inline char type_letter(struct text type)
{
    const struct primitive *p = primitive_named(type.data, type.size);
    return p != NULL ? p->letter : 'L';
}

/* ---- made.c ---- */
struct jvalue unknown(struct machine *m, char kind, const char *why);
struct made *make(struct machine *m, enum made_is is, const char *type, struct jvalue *out); /* NULL: ended */
struct made *made_of(const struct machine *m, struct jvalue v);                              /* NULL: it is none */
bool make_string(struct machine *m, const uint16_t *units, size_t count, struct jvalue *out);
bool make_text(struct machine *m, const char *utf8, size_t size, struct jvalue *out);
bool make_box(struct machine *m, char kind, uint64_t bits, struct jvalue *out);
/* `values` are copied; NULL: zeros of the kind. */
bool make_values(struct machine *m, enum made_is is, const char *type, const struct jvalue *values, size_t count,
                 char element, struct jvalue *out);
/* An array of arrays as multianewarray makes it; `type`: its own, with at least so many dimensions, 1 or more. */
bool make_arrays(struct machine *m, const char *type, const int32_t *lengths, unsigned dimensions, struct jvalue *out);
bool get_member(struct machine *m, struct jvalue object, const struct field_site *s, struct jvalue *out);
void forget_written(struct machine *m); /* of all but what was made */
bool put_member(struct machine *m, struct jvalue object, const struct field_site *s, struct jvalue v);
/* A member that executed code has written; false: it has not. */
/* True once for each initializer of a class. */
bool begins_initializer(struct machine *m, const struct hs_method *initializer);
bool written_member(struct machine *m, struct jvalue object, const struct field_site *s, struct jvalue *out);
bool get_element(struct machine *m, struct jvalue array, struct jvalue index, char kind, struct jvalue *out);
bool put_element(struct machine *m, struct jvalue array, struct jvalue index, struct jvalue v);
bool array_count(struct machine *m, struct jvalue array, struct jvalue *out);
struct jvalue int_value(int64_t v);
struct jvalue number_value(char kind, uint64_t bits);
struct jvalue null_value(void);
/* A view or iterator shows `source`, if that was made. */
void made_from(struct machine *m, struct jvalue view, struct jvalue source);
/* What it shows was changed since. */
static inline bool is_outdated(const struct made *view)
{
    return view->source != NULL && view->source->changes != view->source_changes;
}
const char *keep_text(struct machine *m, struct text t, bool dots); /* one address for one content; NULL: ended */

/* ---- classes.c ---- */
const struct lineage *class_of_object(struct machine *m, struct jvalue v); /* NULL: not known */
const struct lineage *class_named(struct machine *m, struct text internal, uint64_t loader);
/* The field that a constant of a method's class names; NULL: ended. */
const struct field_site *field_site_of(struct machine *m, const struct hs_class *of, const struct method *code,
                                       uint32_t constant);
/* As field_site_of, of a field that is known. */
const struct field_site *field_site_named(struct machine *m, const struct field *f);
/* The method of that name and descriptor that objects of the class have. */
const struct hs_method *select_method(struct machine *m, const struct lineage *c, struct text name, struct text desc,
                                      const struct hs_class **of);
bool is_jdk_type(const char *name); /* of jdk_types.def */
enum sure { SURE_NO, SURE_YES, UNSURE };
enum sure is_instance(struct machine *m, struct jvalue v, struct text internal);
enum sure is_subtype(struct machine *m, const char *type, const struct lineage *c, const char *super);

/* ---- invoke.c ---- */
bool invoke_method(struct machine *m, const struct hs_class *of, const struct hs_method *method,
                   const struct jvalue *given, unsigned count, struct jvalue *out);
bool invoke(struct machine *m, const struct invocation *i, struct jvalue *out);

/* ---- interpret.c ---- */
bool interpret(struct machine *m, const struct hs_class *of, const struct method *code, const struct jvalue *given,
               unsigned count, struct jvalue *out);

/* ---- dynamic.c ---- */
bool invoke_dynamic(struct machine *m, const struct hs_class *of, const struct method *code, const struct insn *in,
                    const struct jvalue *given, unsigned count, struct jvalue *out);
bool class_constant(struct machine *m, const struct cpool *cp, uint32_t index, struct jvalue *out);

/* ---- natives.c ---- */
bool invoke_native(struct machine *m, const struct invocation *i, struct jvalue *out);

#endif
