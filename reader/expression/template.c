/* template.c - see expression.h. */
#include "reader/expression/expression.h"

#include <string.h>

/* Where the expression that begins here ends: at its }, or NULL. */
static const char *expression_end(const char *at)
{
    size_t open = 0;
    for (char quote = 0; *at != '\0'; at++) {
        if (quote != 0 && *at == '\\' && at[1] != '\0')
            at++;
        else if (quote != 0)
            quote = *at == quote ? 0 : quote;
        else if (*at == '"' || *at == '\'')
            quote = *at;
        else if (*at == '{')
            open++;
        else if (*at == '}' && open-- == 0)
            return at;
    }
    return NULL;
}

static enum status add(struct template *t, const char *text, size_t size, struct expression_tree *tree,
                       struct error *err)
{
    struct template_part *to = vec_push(&t->parts);
    if (to == NULL) {
        expression_free(tree);
        return error_memory(err, "template");
    }
    *to = (struct template_part){ text, size, tree };
    t->expressions += tree != NULL;
    return OK;
}

static enum status add_expression(struct template *t, const char *text, size_t size, struct error *err)
{
    struct expression_tree *tree = NULL;
    char *copy = arena_chars(&t->arena, size + 1);
    if (copy == NULL)
        return error_memory(err, "template");
    memcpy(copy, text, size);
    copy[size] = '\0';
    if (copy[strspn(copy, " \t")] == '\0')
        return error_set(err, ERR_USAGE, "an expression is missing between { and }; {{ is a brace");
    const enum status st = expression_parse(copy, &tree, err);
    return st == OK ? add(t, copy, size, tree, err) : st;
}

static enum status parse(struct template *t, const char *text, struct error *err)
{
    char *plain = arena_chars(&t->arena, strlen(text) + 1);
    enum status st = plain != NULL ? OK : error_memory(err, "template");
    size_t size = 0;
    for (const char *at = text; st == OK; at++) {
        if ((*at == '{' || *at == '}') && at[1] == *at) {
            plain[size++] = *at++;
        } else if (*at == '}') {
            st = error_set(err, ERR_USAGE, "character %zu: a } without {; }} is a brace", (size_t)(at - text) + 1);
        } else if (*at == '{' || *at == '\0') {
            const char *end = *at == '{' ? expression_end(at + 1) : at;
            if (size > 0)
                st = add(t, plain, size, NULL, err);
            plain += size;
            size = 0;
            if (end == NULL)
                return error_set(err, ERR_USAGE, "character %zu: a { without }; {{ is a brace",
                                 (size_t)(at - text) + 1);
            if (*at == '\0')
                return st;
            if (st == OK)
                st = add_expression(t, at + 1, (size_t)(end - at) - 1, err);
            at = end;
        } else {
            plain[size++] = *at;
        }
    }
    return st;
}

enum status template_parse(const char *text, struct template *out, struct error *err)
{
    *out = (struct template){ 0 };
    return parse(out, text, err);
}

void template_done(struct template *t)
{
    for (size_t i = 0; i < t->parts.count; i++)
        expression_free(t->parts.items[i].tree);
    vec_free(&t->parts);
    arena_done(&t->arena);
}
