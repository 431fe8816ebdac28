/* where.h - conditions that users write: --where 'state == EXPIRED && !(price < 20 || customer == null)'.
 *
 *     or         and || and ...
 *     and        not && not ...
 *     not        ! not    ( or )    NAME OPERATOR VALUE
 *     OPERATOR   == != < <= > >=, or =~: the text has a match of this extended regular expression
 *     VALUE      42  0x2a  -1.5  NaN  true  null  word, an object: Type#12  #12  "text"#12, a character: 'x' (120)
 *                "text"  'text'  with escapes as answers show them: \n \t \" \u001b; "begin"... how a string begins
 *
 * In a regular expression in quotes a backslash that is none of these escapes belongs to the expression: "a\.b".
 *
 * What a NAME means is the caller's (where_lookup): a command has its own names, and those of fields, parameters and
 * variables of the recorded program. A word stands for a text, a class as hs_class_matches compares it, or the constant
 * of an enum, with its class (State.SENT) or without. A comparison with what is not known, or
 * what the row does not have, is neither true nor false, also with != and behind a !; only a row passes for which the
 * whole condition is true. */
#ifndef READER_COMMAND_WHERE_H
#define READER_COMMAND_WHERE_H

#include "reader/trace.h"

/* What a name stands for in a row; zero: the row has nothing of this name. A number or reference may have a text as
 * well. */
struct where_value {
    const char *text; /* NULL: it is none */
    bool is_class;    /* the text is the name of a class */
    bool is_id;       /* the number is the id of an object: it may be compared with Type#12 */
    char kind;        /* enum hs_kind of `bits`; 0: none */
    uint64_t bits;
    uint64_t at; /* the moment, of what may change: a collection, an AtomicInteger; 0: none */
    /* Others of the same name, such as fields of other types: a comparison is true if it is true of one of them. */
    const struct where_value *more;
    size_t more_count;
};
typedef struct where_value where_lookup(void *context, const char *name);

struct where;
/* PARSED, or the exit status after the error was told. `text` NULL: every row passes (*out is NULL). */
int where_parse(const char *command, const char *text, struct where **out);
/* Does the row pass? `where` NULL: yes. */
bool where_passes(struct where *where, hs_trace *trace, where_lookup *lookup, void *context);
/* A name of the condition that no row has had, from position *at on, which moves behind it; NULL: no more. */
const char *where_next_unknown(const struct where *where, size_t *at);
/* The next name in the condition; NULL: there are no more. `at` is 0 to begin. */
const char *where_next_name(const struct where *where, size_t *at);
/* Two names that are compared in conditions joined by && alone. */
struct where_joined {
    size_t left, right; /* zero: begin */
    const char *names[2];
    bool whole; /* the whole condition is false if one of them is missing */
};
bool where_next_joined(const struct where *where, struct where_joined *at);
void where_free(struct where *where);

#define WHERE_HELP                                                                                                     \
    "A condition is NAME == VALUE, with one of == != < <= > >= =~ (regular expression), joined by &&, || and ! with "  \
    "parentheses. VALUE is as answers show it: a number, true, null, \"text\" (with \\n, \\t, \\u001b), "              \
    "\"begin\"..., 'x' (120), Type#12; or a word: a text, or the constant of an enum. "                                \
    "What is not known satisfies no comparison."
#endif
