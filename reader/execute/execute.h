/* execute.h - the public header of this folder: executes recorded methods over the heap of a past moment.
 *
 *     struct machine *m = machine_new(trace, &heap);
 *     switch (machine_invoke(m, class, method, arguments, count, &result)) ...
 *     machine_free(m);
 *
 * The instructions are those of the class files in the trace. What they read comes from the heap, which knows objects
 * and statics as they were; what they write is kept in the machine, so nothing of the trace changes. A value that the
 * heap does not know is carried along, with the reason, until a branch or the result depends on it: an answer is never
 * guessed. Methods of classes that are not woven are those of natives.def.
 *
 * machine.h is private: interpret.c executes instructions, invoke.c calls, dynamic.c invokedynamic, natives*.c methods
 * of the JDK; classes.c finds classes and methods, resolve.c the method that source would call; made.c keeps what was
 * made and written; primitives.c has the primitive types. One thread at a time. JVMS 2.11, 6.5. */
#ifndef READER_EXECUTE_H
#define READER_EXECUTE_H

#include "reader/code/code.h"

/* A value on the operand stack; long and double take one. */
struct jvalue {
    char kind; /* of the computational type: I J F D A; V none */
    bool unknown;
    uint64_t bits; /* as events have them; of A an object id, or MADE_FIRST and more; unknown: which reason */
};
/* The computational type of a descriptor letter. */
char jvalue_kind(char letter);
#define MADE_FIRST ((uint64_t)1 << 32) /* objects that the executed code made */

/* What a collection, builder or box of the JDK held. */
struct held {
    enum hs_contents_shape shape;
    bool ordered;
    size_t count;
    const struct jvalue *keys, *values; /* keys: of a map */
    const char *text;                   /* of HS_CONTENTS_TEXT, UTF-8 */
};

/* The heap at the moment. Each returns false where it does not know, after setting `*why` to a phrase that lives as
 * long as the machine. */
struct heap {
    void *context;
    bool (*field)(void *context, uint32_t object, const struct field *f, struct jvalue *out, const char **why);
    bool (*static_field)(void *context, const struct field *f, struct jvalue *out, const char **why);
    bool (*element)(void *context, uint32_t array, uint64_t index, struct jvalue *out, const char **why);
    /* Did its initializer <clinit> begin before the moment, as far as known? It has one. */
    bool (*initialized)(void *context, const struct hs_method *initializer);
    bool (*length)(void *context, uint32_t array, uint64_t *out, const char **why);
    bool (*contents)(void *context, uint32_t object, struct held *out, const char **why);
    /* what the object stands for; NULL: itself */
    const struct hs_object_value *(*value)(void *context, uint32_t object);
    /* getMessage and getCause of an exception, as the JVM made it */
    bool (*message)(void *context, uint32_t exception, const char **text, const char **why);
};

enum outcome {
    OUTCOME_VALUE,
    OUTCOME_NOT_KNOWN, /* machine_why */
    OUTCOME_THROWN,    /* the result is the exception; machine_why has its text as toString gives it */
    OUTCOME_LIMIT,     /* machine_why */
    OUTCOME_NO_MEMORY
};

struct machine;
/* NULL: out of memory. */
struct machine *machine_new(hs_trace *t, const struct heap *heap);
void machine_free(struct machine *m);

/* Calls that very method; the receiver is the first argument. */
enum outcome machine_invoke(struct machine *m, const struct hs_class *of, const struct hs_method *method,
                            const struct jvalue *arguments, unsigned count, struct jvalue *result);
/* A method by its names, with dots and as a descriptor. */
struct machine_method {
    const char *owner, *name, *desc;
    bool is_static;
};
/* Calls as an instruction in code of the class `from` (NULL: of the JDK) would: of an instance method that which the
 * receiver's class has. */
enum outcome machine_dispatch(struct machine *m, const struct hs_class *from, const struct machine_method *method,
                              const struct jvalue *arguments, unsigned count, struct jvalue *result);
/* The next method of the JDK, from number `*at` on, that can be executed for objects of a type or is a static one of
 * it, but no constructor; `*at` becomes the number behind it. False: there are no more. */
bool machine_jdk_method(struct machine *m, const char *type, uint64_t loader, size_t *at, struct machine_method *out);
bool machine_jdk_method_at(size_t number, struct machine_method *out); /* false: there is none of this number */
/* An object of a woven class before its constructor has run. False: out of memory, or a limit is reached. */
bool machine_object(struct machine *m, const struct hs_class *of, struct jvalue *out);
/* What was written to objects and statics of the past, and which classes were initialized, is forgotten; what was made
 * stays as it is. */
void machine_forget(struct machine *m);
/* How many objects were made. */
size_t machine_made(const struct machine *m);
/* Calls the method that Java source with these arguments would call (JLS 15.12.2): of the receiver's class, of `owner`
 * a static one, or with name "<init>" its constructor, whose result is the object. Types are those that javac knows
 * (types.h); NULL: the class that the object has. */
struct machine_call {
    const char *owner; /* with dots; NULL: it has a receiver */
    uint64_t loader;   /* of the class whose code asks */
    struct jvalue receiver;
    const char *receiver_type;
    const char *name;
    const struct jvalue *arguments;
    const char *letters;      /* of the arguments' descriptors; of a reference L */
    const char *const *types; /* of arguments */
    unsigned count;
};
struct machine_answer {
    struct jvalue value;
    char letter;      /* of its descriptor */
    const char *type; /* of an object */
};
enum outcome machine_call(struct machine *m, const struct machine_call *call, struct machine_answer *out);
/* A sentence; of OUTCOME_VALUE "". */
const char *machine_why(const struct machine *m);

/* A string, as a value for arguments; false: out of memory. */
bool machine_string(struct machine *m, const char *utf8, struct jvalue *out);
/* The text of a value as String.valueOf gives it, in UTF-8, which lives as long as the machine; `kind`: the letter of
 * its descriptor. */
enum outcome machine_text(struct machine *m, struct jvalue v, char kind, const char **out);
/* What is in an object that executed code made: a field by name, of an object of that type; an element, or the length
 * of an array (index -1). */
enum outcome machine_member(struct machine *m, struct jvalue object, const char *type, const char *name,
                            struct machine_answer *out);
enum outcome machine_element(struct machine *m, struct jvalue array, int64_t index, struct machine_answer *out);
/* An array of these values, or of so many dimensions of zeros; `type`: of it, as in Java source. */
enum outcome machine_array(struct machine *m, const char *type, char element, const struct jvalue *values, size_t count,
                           struct jvalue *out);
enum outcome machine_arrays(struct machine *m, const char *type, const int32_t *lengths, unsigned dimensions,
                            struct jvalue *out);
/* A static field of the JDK that has an object, by its class (with dots) and name; false: it is none that is known. */
bool machine_static(struct machine *m, const char *owner, const char *name, struct machine_answer *out);
/* The box of a number; false: out of memory. */
bool machine_box(struct machine *m, char letter, uint64_t bits, struct jvalue *out);
/* The number in a box that executed code made; false: it is none. */
bool machine_unboxed(struct machine *m, struct jvalue v, struct jvalue *out, char *letter);
/* Is it a class of the JDK some of whose methods can be executed? By its full name. */
bool machine_knows(const char *name);
/* Is the object, which executed code made, an instance of that class (its full name)? 1, 0; -1: not known. */
int machine_is_instance(struct machine *m, struct jvalue v, const char *class_name);
/* The type of an object, as in Java source; NULL: not known. */
const char *machine_type(struct machine *m, uint64_t object);
/* As machine_type, and the loader of its class; 0: not known, or of the boot loader. */
const char *machine_class(struct machine *m, uint64_t object, uint64_t *loader);

#endif
