/* expression.h - the public header of this folder: the one language of conditions and expressions (--where, --value,
 * breakpoints, log points, watches), read into a tree, and its evaluation. Nothing here knows a trace: what names,
 * members and calls give, and what is known of objects, the caller answers through struct expression_host.
 *
 *     conditional  or ? expression : conditional
 *     or           a || b                        unknown || true is true
 *     and          a && b                        unknown && false is false
 *     then         | ^ &   == != =~   < <= > >= instanceof   << >> >>>   + -   * / %
 *     unary        ! ~ - + (Type)
 *     suffix       .member  [index]  .method(a, b)
 *     value        literal  this  name  a.b.Class.name  #12 (the object)  method(a)  new Type(a)  new int[] {1, 2}
 *
 * Operators are those of Java, with its types, promotions and overflow. `!a == b` is `!(a == b)`, which for booleans is
 * what Java means. =~ is: the text has a match of this extended regular expression.
 *
 * What stands behind a comparison may also be written as answers show values (shown.h): a word (the constant of an
 * enum, the name of a class or thread), a date, a list, Type#12, "text"#12, "begin"..., 'x' (120). Where it can be
 * read as an expression too, the host decides which reading comes first (struct expression_host, as_shown).
 *
 * A value is known, unknown, or an exception that Java would throw. What is computed from an unknown value is unknown,
 * also behind a !; && || & | need only what decides them. */
#ifndef READER_EXPRESSION_EXPRESSION_H
#define READER_EXPRESSION_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/arena.h"
#include "formats/bytes.h"
#include "formats/status.h"
#include "formats/vec.h"
#include "reader/expression/shown.h"

/* ---- values ---- */

enum { EXPRESSION_TEXT = 'T' }; /* the kind of a text that was computed */
#define EXPRESSION_UNSURE "!"
struct expression_value {
    bool known;    /* false: not recorded, or thrown */
    char kind;     /* enum hs_kind, or EXPRESSION_TEXT */
    uint64_t bits; /* of kinds but EXPRESSION_TEXT; as events have them */
    const char
        *text;     /* of EXPRESSION_TEXT; of a name that stands for a text as well as a number, that. It may be NULL */
    bool is_class; /* `text` is the name of a class */
    bool is_id;    /* `bits` is the id of an object, though the kind is a number */
    bool stale;    /* the object was handed to code that is not woven since; it may have been written unseen */
    bool unrecorded;  /* recording was stopped since: what was written meanwhile is not known */
    uint64_t seq;     /* of the event that has it; UINT64_MAX: none, or not looked for */
    uint64_t moment;  /* of which what may change (a collection, an AtomicInteger) is asked; UINT64_MAX: the host's */
    const char *note; /* how it was found, where that is not plain: "returned next"; NULL */
    /* The type that javac knows, as types.h writes it: it decides which of several fields or methods of a name are
     * meant. NULL: the class that the object has; EXPRESSION_UNSURE: it is not known. */
    const char *type;
    const char *missing; /* unknown: what was not recorded; NULL: not said */
    const char *thrown;  /* "java.lang.ArithmeticException: / by zero": Java throws this; NULL: it does not */
    /* Others of the same name, such as fields of several types: a comparison is true if it is true of one. */
    const struct expression_value *more;
    size_t more_count;
};
extern const struct expression_value expression_unknown;
struct expression_value expression_number(char kind, uint64_t bits);
struct expression_value expression_boolean(bool v);
/* The kind of a primitive type of this name; 0: there is none. */
char expression_kind_called(const char *name);
/* The kind of a value by its type as in Java source. */
char expression_kind_of(const char *type);

/* ---- the tree ---- */

enum expression_type {
    EXPRESSION_LITERAL,     /* value */
    EXPRESSION_NAME,        /* name: also "x:long" and "[3]", behind which a comparison stands */
    EXPRESSION_MEMBER,      /* left.name */
    EXPRESSION_ELEMENT,     /* left[right] */
    EXPRESSION_CALL,        /* left.name(arguments); left NULL: a method of this or its class */
    EXPRESSION_NEW,         /* new name(arguments) */
    EXPRESSION_ARRAY,       /* new int[][] { arguments }, or int[argument][] if `op` is OPERATOR_NONE; name: int[][] */
    EXPRESSION_UNARY,       /* op left */
    EXPRESSION_CALCULATION, /* left op right */
    EXPRESSION_COMPARISON,  /* left op right, or left op shown, or either */
    EXPRESSION_AND,         /* arguments, all joined by && */
    EXPRESSION_OR,
    EXPRESSION_CONDITIONAL, /* left ? right : third */
    EXPRESSION_CAST,        /* (name) left */
    EXPRESSION_INSTANCEOF,  /* left instanceof name */
};
struct expression {
    enum expression_type type;
    enum expression_operator op;
    const char *name;
    const char *path; /* of a NAME, or a MEMBER of nothing but names: all of it, a.b.c; else NULL */
    const struct expression *left, *right, *third;
    const struct expression *const *arguments;
    size_t count;
    struct expression_value value;
    const struct shown_value *shown;
    size_t at;      /* where it begins in the text */
    unsigned depth; /* of the tree, 1 without anything below */
};

struct expression_tree {
    struct arena arena;
    const struct expression *root;
    VEC(struct shown_value *) shown; /* all that were read */
};
/* Reads a text. ERR_USAGE: "'TEXT', character N: expected WHAT". */
enum status expression_parse(const char *text, struct expression_tree **out, struct error *err);
void expression_free(struct expression_tree *tree); /* NULL is allowed */

/* ---- evaluation ---- */

enum expression_answer { EXPRESSION_NO, EXPRESSION_YES, EXPRESSION_NOT_KNOWN };

/* What is known of objects. `context` is that of the host. */
struct expression_objects {
    /* Appends the text of a string. NO: it is no string; NOT_KNOWN: its text was not recorded. `cut`: it goes on. */
    enum expression_answer (*string)(void *context, uint64_t id, struct writer *out, bool *cut);
    /* What is in an Integer, Long, ... . NO: it is no box. */
    enum expression_answer (*number)(void *context, uint64_t id, struct expression_value *out);
    /* What it stands for: a number, or a text of toString(), borrowed until the next question. `moment` as in struct
     * expression_value. NO: for itself. */
    enum expression_answer (*stands_for)(void *context, uint64_t id, uint64_t moment, struct expression_standing *out);
    const char *(*type)(void *context, uint64_t id); /* NULL: not known */
    /* Is it of this class or interface? `*full`: the whole name of that. */
    enum expression_answer (*is_a)(void *context, uint64_t id, const char *name, const char **full);
    /* The object that is the constant `name` of the enum which is the object's class; 0: none. */
    uint64_t (*constant)(void *context, uint64_t id, const char *name);
    bool (*class_matches)(const char *typed, const char *name);
};

/* A lookup that fails for another reason than that there is no such thing sets this. */
struct evaluation {
    const struct expression_host *host;
    struct arena *arena;
    enum status status; /* the first failure: ERR_USAGE where operators do not fit */
    struct error *err;
    bool nameless; /* the failure is a name that nothing has */
};

struct expression_call {
    const struct expression_value *object; /* NULL: of this, or of its class */
    const char *owner;                     /* of `new` the class, else NULL */
    const char *name;                      /* "<init>" of `new` */
    const struct expression_value *arguments;
    size_t count;
};

/* Each gives a value, also one that is not known, or fails by evaluation_fail. NULL: nothing of the kind is known. */
struct expression_host {
    void *context;
    /* False: nothing has the name. */
    bool (*lookup)(struct evaluation *e, const char *name, struct expression_value *out);
    struct expression_value (*member)(struct evaluation *e, const struct expression_value *object, const char *name);
    struct expression_value (*element)(struct evaluation *e, const struct expression_value *array, uint64_t index);
    struct expression_value (*call)(struct evaluation *e, const struct expression_call *call);
    /* new type[values[0]] if `sized`, else new type[] { values }; `type` may end in [] */
    struct expression_value (*array)(struct evaluation *e, const char *type, const struct expression_value *values,
                                     size_t count, bool sized);
    /* The text that a value has in a concatenation. False: that of values as answers show them. */
    bool (*text)(struct evaluation *e, const struct expression_value *v, struct expression_value *out);
    const struct expression_objects *objects;
    /* A value behind a comparison is one that answers show, before it is an expression: for rows. There a comparison
     * that does not fit is not known, instead of a failure. */
    bool as_shown;
};
/* ERR_USAGE, or what is given, with "what: name". The first failure counts. Unknown. */
struct expression_value evaluation_fail(struct evaluation *e, const char *what, const char *name);
struct expression_value expression_evaluate(struct evaluation *e, const struct expression *tree);
/* Is the condition true? A failure is NOT_KNOWN here, and so is what is no boolean. */
enum expression_answer expression_decide(struct evaluation *e, const struct expression *tree);

/* ---- values.c: the operators, for hosts ---- */

/* The text that was written, which is taken out of the writer. */
struct expression_value value_text(struct evaluation *e, struct writer *w);
/* Appends the text that a known value has in a concatenation, as far as it can be known without a call: of others
 * Type#12. */
void value_write(struct evaluation *e, const struct expression_value *v, struct writer *w);
bool value_is_text(struct evaluation *e, const struct expression_value *v);
bool value_is_number(const struct expression_value *v);
bool value_is_null(const struct expression_value *v);
/* Have they equal contents? Not known of strings that were recorded in part or not at all. */
struct expression_value value_same_text(struct evaluation *e, const struct expression_value *a,
                                        const struct expression_value *b);
/* A number (or what is in its box) as one of this kind, a boolean as a boolean. JLS 5.1.3. */
struct expression_value value_cast(struct evaluation *e, char kind, const struct expression_value *v);
/* Of a box what is in it, not known if that is not recorded; anything else as it is. */
struct expression_value value_unboxed(struct evaluation *e, const struct expression_value *v);
struct expression_value value_thrown(const char *thrown);
/* Is `a op b` true, where a is less than b (-1), equal (0) or more (1)? Of == != < <= > >=. */
bool operator_holds(enum expression_operator op, int order);
struct expression_value value_calculated(struct evaluation *e, enum expression_operator op,
                                         const struct expression_value *a, const struct expression_value *b);
struct expression_value value_compared(struct evaluation *e, enum expression_operator op,
                                       const struct expression_value *a, const struct expression_value *b);
struct expression_value value_of_unary(struct evaluation *e, enum expression_operator op,
                                       const struct expression_value *v);
/* compare.c: with a value as answers show it. `*fits` false: it is none of that kind, and the answer that of two
 * different things. */
enum expression_answer value_is_shown(struct evaluation *e, enum expression_operator op,
                                      const struct expression_value *v, const struct shown_value *shown, bool *fits);

/* ---- template.c: a text with expressions in it, as log points and `hindsight watch` take it ----
 *
 *     order {id} of {customer.name}: {{total}} is {total}
 *
 * {{ and }} are braces. An expression ends at the } that no brace or quotation mark of it holds. */
struct template_part {
    const char *text; /* to be written, or of the expression */
    size_t size;
    struct expression_tree *tree; /* NULL: it is text */
};
struct template
{
    VEC(struct template_part) parts;
    struct arena arena;
    size_t expressions;
};
/* ERR_USAGE: a sentence; the template is then empty. template_done in any case. */
enum status template_parse(const char *text, struct template *out, struct error *err);
void template_done(struct template *t);

#endif
