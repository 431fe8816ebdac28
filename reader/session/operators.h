/* operators.h - values of expressions: how they are made, calculated with and compared, as Java does. expression.c
 * reads the expressions. */
#ifndef READER_SESSION_OPERATORS_H
#define READER_SESSION_OPERATORS_H

#include "formats/bytes.h"
#include "reader/session/nav.h"

/* What an expression is read with. The first failure sets `status` and `err`. */
struct reading {
    struct nav *nav; /* NULL: only the form is checked */
    uint32_t thread;
    size_t frame;
    struct arena *arena;
    const char *at;
    unsigned depth;
    enum status status;
    struct error *err;
    bool skip; /* the value is not needed */
};

extern const struct nav_value value_unknown;
/* ERR_USAGE with "what: name"; unknown. */
struct nav_value value_fail(struct reading *r, const char *what, const char *name);
struct nav_value value_number(char kind, uint64_t bits);
struct nav_value value_boolean(bool v);
/* The text that was written, which is taken out of the writer. */
struct nav_value value_text(struct reading *r, struct writer *w);
/* The recorded string that a value refers to; NULL: it does not. */
const struct hs_object *value_string(struct reading *r, const struct nav_value *v);
bool value_is_text(struct reading *r, const struct nav_value *v);
bool value_is_number(const struct nav_value *v);
/* Have they equal contents? Not known of strings that were recorded in part or not at all. */
struct nav_value value_same_text(struct reading *r, const struct nav_value *a, const struct nav_value *b);
/* calls.c: what the method returned last for an object when it was given these arguments in this thread, up to the
 * moment, or else next. `object` 0: a static method of the class `owner`. */
struct nav_value value_called(struct reading *r, uint32_t object, const char *owner, const char *name,
                              const struct nav_value *arguments, size_t n);
/* held.c: what size, isEmpty, get, contains or containsKey give for a collection of the JDK whose contents are known at
 * the moment, with the note value_note_contents; else not known. */
extern const char value_note_contents[];
struct nav_value value_held(struct reading *r, uint32_t object, const char *name, const struct nav_value *arguments,
                            size_t n);
/* The kind of a primitive type of this name; 0: there is none. */
char value_kind_called(const char *name);
/* A number (or what is in its box) as one of this kind, a boolean as a boolean. JLS 5.1.3. */
struct nav_value value_cast(struct reading *r, char kind, const struct nav_value *v);
/* Is it an Integer, Long, ...? NULL is allowed. */
bool value_is_box(const struct hs_object *o);
/* Of a box what is in it, not known if that is not recorded; anything else as it is. */
struct nav_value value_unboxed(struct reading *r, const struct nav_value *v);
/* + - * / % & | ^ << >> >>> and == != < <= > >= */
struct nav_value value_calculated(struct reading *r, const char *op, const struct nav_value *a,
                                  const struct nav_value *b);
struct nav_value value_compared(struct reading *r, const char *op, const struct nav_value *a,
                                const struct nav_value *b);

#endif
