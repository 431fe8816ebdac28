/* test_builder.h - what the files of hs_test_sources_open share: the text of a test while it is written.
 *
 *     test_builder.c  the text, refusals, what is known of objects and classes
 *     test_window.c   what the call read and wrote, whom it called
 *     test_names.c    types, literals and names as Java source
 *     test_construct.c   constructors and setters that make them
 *     test_objects.c  objects as the call found them: statements that make them
 *     test_containers.c  of these arrays, collections, stubs
 *     test_result.c   assertions about what it gave
 *     test_source.c   the call, the whole text
 *
 * Failures are kept in the builder: once `status` is not OK, or `why` is set, nothing that is written counts. */
#ifndef READER_TEST_BUILDER_H
#define READER_TEST_BUILDER_H

#include "formats/map.h"
#include "formats/vec.h"
#include "reader/code/code.h"
#include "reader/cursor/cursor.h"

enum test_helper {
#define TEST_HELPER(name, needs, source) HELPER_##name,
#include "reader/query/test_helpers.def"
#undef TEST_HELPER
    HELPER_COUNT
};

/* A field or element that the call read before it wrote it, or wrote. */
struct test_member {
    uint64_t object;              /* 0: static */
    const char *declaring, *name; /* NULL: an element */
    uint64_t index;
    bool read; /* `before` is what it held as the call began */
    struct hs_value before;
    bool written; /* `after`: the last that the call wrote */
    struct hs_value after;
    bool is_final; /* of a static field */
};
/* A call of code that is not woven. */
struct test_outside {
    uint64_t receiver;
    const struct hs_dataid *site;
    struct hs_value result;
    bool threw;
    uint64_t exception;
};
/* A field that a constructor or a setter stores, and nothing else that it does. */
struct test_store {
    const char *declaring, *name;
    bool from_parameter, is_constant; /* neither: an object that it makes */
    unsigned parameter;
    uint64_t bits; /* of a constant */
};
enum { TEST_STORES_MAX = 32 };
struct test_stores {
    const struct hs_method *method;
    unsigned parameter_count;
    size_t count;
    struct test_store items[TEST_STORES_MAX];
    struct hs_value arguments[TEST_STORES_MAX];
};
struct test_made {
    uint64_t id;
    const char *text;                 /* an expression without effects: its variable; NULL: it is being made */
    const char *declared;             /* type of the variable; NULL: Object */
    const struct test_stores *stores; /* of the constructor that makes it; NULL: none is called */
    bool is_found;                    /* it is there: the value of a static final field */
};

struct test_builder {
    hs_trace *trace;
    struct arena *arena;
    enum status status;
    struct error *err;
    const char *why; /* there is no test; NULL */
    VEC(const char *) doubts;

    /* the call */
    struct hs_event entry, exit;
    bool left, threw;
    struct method *method;
    uint64_t self; /* of a constructor the object that it made; 0: static */
    VEC(struct hs_value) arguments;
    VEC(struct test_member) members;
    MAP(struct test_member_at {
        uint64_t key; /* hash of what it is */
        uint32_t at;
    })
    member_of;
    VEC(struct test_outside) outside;
    MAP(struct test_object {
        uint64_t id;
        bool called;  /* code that is not woven was called on it */
        bool passed;  /* and given it */
        u32_vec list; /* its members */
    })
    objects;

    /* the text */
    const char *package; /* with dots; "" */
    struct writer body;
    MAP(struct test_made) made;
    u32_vec to_fill;     /* ids of objects that are made, whose members are not set yet */
    size_t packed_bytes; /* of it, in strings: no code */
    unsigned helpers;
    unsigned depth;
    /* test_value and test_fill, for objects in containers */
    const char *(*value)(struct test_builder *b, struct hs_value v);
    void (*fill)(struct test_builder *b);
};

/* ---- test_builder.c ---- */

/* Appends to the body, or to any writer. */
void test_say(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *test_format(struct test_builder *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The value, a primitive or not, as an object. */
const char *test_object(struct test_builder *b, const char *value);
void test_refuse(struct test_builder *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void test_doubt(struct test_builder *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool test_stopped(const struct test_builder *b);
void test_memory(struct test_builder *b);
const char *test_object_type(struct test_builder *b, uint64_t id);
/* The woven class of that name; NULL: there is none. */
const struct hs_class *test_woven(struct test_builder *b, const char *type);
/* Is the class that one, or below it? */
bool test_extends(struct test_builder *b, const char *type, const char *above);
/* What a field held as the call began. False: that is not known. */
bool test_field_before(struct test_builder *b, uint64_t id, const char *declaring, const char *name,
                       struct hs_value *out);
static inline void test_uses(struct test_builder *b, enum test_helper h) { b->helpers |= 1u << h; }

/* ---- test_window.c ---- */

/* Reads the call that event `seq` stands in. */
void test_read_call(struct test_builder *b, uint64_t seq);

/* ---- test_names.c ---- */

/* A type (a.b.C$D, int[]) as the test can name it; NULL: it cannot, the type is private or has no name. */
const char *test_type(struct test_builder *b, const char *type);
/* The class object of a type: "a.b.C.class", "type("a.b.C$1")". */
const char *test_class(struct test_builder *b, const char *type);
/* A text in quotes. */
const char *test_quoted(struct test_builder *b, const char *utf8);
/* The recorded content of a string; NULL: it is not known, or too long. */
const char *test_string(struct test_builder *b, uint32_t id);
/* A value of a primitive type. */
const char *test_literal(struct test_builder *b, struct hs_value v);
/* Can the name stand in source? */
bool test_is_identifier(const char *name);
/* Of an element of an array. */
const char *test_element(struct test_builder *b, const char *array);
/* Is it no class whose objects need one of the class around it? */
bool test_is_static(struct test_builder *b, const struct hs_class *c);
/* The value as an argument or element of that type: with a cast, unless it needs none. */
const char *test_cast(struct test_builder *b, const char *type, struct hs_value v, const char *text);
bool test_is_record(struct test_builder *b, const char *type);

/* A number of an array as part of a string: `later`, behind another; a character as itself. */
void test_pack(struct writer *w, struct test_builder *b, struct hs_value v, bool later);

/* ---- test_objects.c ---- */

/* The value as the call found it: an expression, whose variables are made before. */
const char *test_value(struct test_builder *b, struct hs_value v);
/* The members of all objects that were made, and of those that this makes. */
void test_fill(struct test_builder *b);
/* A string, box, enum constant or other value without identity as an expression; NULL: it is none. */
const char *test_plain(struct test_builder *b, uint64_t id);
/* The objects that static fields hold, before others are made; and these fields, when all others are. */
void test_find_statics(struct test_builder *b);
void test_set_statics(struct test_builder *b);

static inline struct test_object *test_object_of(struct test_builder *b, uint64_t id)
{
    return map_get(&b->objects, id);
}

/* ---- test_containers.c ---- */

/* How a class of the JDK is made: a row of test_values.def. */
struct test_form {
    const char *type;
    enum { FORM_VALUE, FORM_PLAIN, FORM_HOLDER, FORM_FIXED } form;
    const char *expression;
};
const struct test_form *test_form_of(const char *type);
/* The expression of a form with `text` in place of its %s. */
const char *test_with(struct test_builder *b, const struct test_form *f, const char *text);
/* Declares the variable of an object. `declared`: its type in source; NULL: Object. */
const char *test_declare(struct test_builder *b, uint64_t id, const char *type, const char *declared, bool cast,
                         const char *made);
const char *test_array(struct test_builder *b, uint64_t id, const char *type);
void test_fill_array(struct test_builder *b, uint64_t id, const char *type, const char *name);
/* An object of an interface that answers what it answered then. */
const char *test_stub(struct test_builder *b, uint64_t id, const char *type);
/* Did code that is not woven get it, or was it called on it? */
bool test_matters(struct test_builder *b, uint64_t id);
const char *test_holder(struct test_builder *b, uint64_t id, const char *type, const struct test_form *f);
void test_fill_holder(struct test_builder *b, uint64_t id, const char *name, bool clear);

/* ---- test_construct.c ---- */

/* A constructor that the test can call, with arguments. False: there is none that does nothing else. */
bool test_find_constructor(struct test_builder *b, uint64_t id, const struct hs_class *c, struct test_stores *out);
/* May the test call the method, of a class that it can name? */
bool test_may_call(const struct test_builder *b, const char *declaring, unsigned access);
/* Does a field have that value after it? */
bool test_stores_field(const struct test_stores *s, const char *declaring, const char *name, struct hs_value v);
/* The name of a setter; NULL: there is none that the test can call. */
const char *test_setter(struct test_builder *b, const char *type, const char *declaring, const char *name);

/* ---- test_result.c ---- */

/* Assertions about what the call gave: its result, in the variable `result`, the exception, in `thrown`, and the fields
 * that it wrote. */
void test_expect(struct test_builder *b, bool is_boxed);

#endif
