/* shown.h - a value as answers show it, and as users type it behind a comparison:
 *
 *     42  0x2a  -1.5  NaN  true  null     numbers and the like
 *     word  2026-01-02  [1, 2]            a text: the constant of an enum, a class, what an object stands for
 *     Type#12  #12  "text"#12             an object
 *     "text"  'text'                      with escapes: \n \t \" \u001b; "begin"... how a string begins
 *     'x'  'x' (120)                      a character */
#ifndef READER_EXPRESSION_SHOWN_H
#define READER_EXPRESSION_SHOWN_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/bytes.h"

enum expression_operator {
    OPERATOR_NONE,
#define OPERATOR(name, text, level) OPERATOR_##name,
#include "reader/expression/operators.def"
#undef OPERATOR
    OPERATOR_LIMIT
};

struct shown_value {
    char *text; /* owned; with its escapes read; it may hold zeros */
    size_t size;
    bool quoted, integer, real, has_regex, is_object;
    bool begins;       /* "text"...: how a string begins */
    bool is_character; /* 'x' (120): no string */
    bool bits;         /* 0xff...: `pattern` are the bits of a number of any width */
    int64_t number;
    uint64_t pattern;
    double fraction;
    /* Of Type#12 and "text"#12, if is_object; the type is the first characters of the text, and that of "text"#12
     * the text, with is_string. */
    uint32_t object;
    size_t type_length;
    bool is_string;
    regex_t regex; /* of =~ */
};
/* What an object stands for. */
struct expression_standing {
    char kind; /* of the number in a box; 0: it has only a text */
    uint64_t bits;
    bool is_constant; /* `text` is the name of an enum constant */
    const char *text;
    const char *constant_of; /* the enum, `constant_size` characters */
    size_t constant_size;
};

/* What a backslash begins (`*at` stands behind it), appended as UTF-8. `regex`: what has no meaning here has one
 * there. */
void shown_escape(const char **at, bool regex, struct writer *out);
/* Reads the value at *at, and goes behind it. NULL, or what is expected at *at instead; "" is out of memory. In any
 * case shown_done frees it. */
const char *shown_read(const char **at, enum expression_operator op, struct shown_value *out);
void shown_done(struct shown_value *s);

#endif
