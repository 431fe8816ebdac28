/* parse.h - what the parts of the parser share: parse.c (names, suffixes, operators by their levels), parse_literals.c,
 * parse_words.c. They stop at the first failure: from then on every function gives NULL or false. */
#ifndef READER_EXPRESSION_PARSE_H
#define READER_EXPRESSION_PARSE_H

#include "formats/vec.h"
#include "reader/expression/expression.h"

struct parser {
    const char *text, *at;
    struct arena *arena; /* of the tree */
    unsigned depth;
    unsigned inside; /* so many ? : and lists of arguments, whose colons and commas end a value */
    enum status status;
    const char *expected; /* of the first failure, at `failed` */
    const char *failed;
    struct expression_tree *tree;
};

typedef VEC(const struct expression *) expression_list;

/* ---- failures: NULL ---- */

const struct expression *parse_fail(struct parser *p, const char *expected);
const struct expression *parse_memory(struct parser *p);

/* ---- words ---- Blanks before them are passed over. */

void parse_blanks(struct parser *p);
/* Takes what is next if it is this. */
bool parse_take(struct parser *p, const char *word);
bool parse_next_is(struct parser *p, const char *word);
bool parse_next_is_word(struct parser *p, const char *word); /* and no longer name */
size_t parse_name_length(const char *at);
const char *parse_copied(struct parser *p, const char *from, size_t size); /* in the tree */
const char *parse_name(struct parser *p);                                  /* NULL: there is none */
const char *parse_class(struct parser *p); /* a.b.Class, and [] behind it; NULL: there is none */

/* ---- nodes ---- */

struct expression *parse_node(struct parser *p, enum expression_type type, size_t at);
/* The node is complete: fails if the tree below it is too deep, since evaluation goes down as far. */
const struct expression *parse_completed(struct parser *p, struct expression *e);
const struct expression *parse_joined(struct parser *p, enum expression_type type, enum expression_operator op,
                                      const struct expression *left, const struct expression *right);
const struct expression *parse_literal(struct parser *p, size_t at, struct expression_value v);
bool parse_add(struct parser *p, expression_list *list, const struct expression *e);
/* Gives the list to the node, and ends it. */
const struct expression *parse_with_arguments(struct parser *p, struct expression *e, expression_list *list);

/* ---- literals: of what is next ---- */

const struct expression *parse_number(struct parser *p);
const struct expression *parse_object_number(struct parser *p);
const struct expression *parse_quoted(struct parser *p);

#endif
