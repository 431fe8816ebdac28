/* template.h - a text with expressions in it, as log points and `hindsight watch` take it:
 *
 *     order {id} of {customer.name}: {{total}} is {total}
 *
 * {{ and }} are braces. An expression ends at the } that no brace or quotation mark of it holds. */
#ifndef READER_EXPRESSION_TEMPLATE_H
#define READER_EXPRESSION_TEMPLATE_H

#include "reader/expression/expression.h"

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
