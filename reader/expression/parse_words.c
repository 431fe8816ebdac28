/* parse_words.c - the words of a text, and the nodes of its tree: see parse.h. */
#include <ctype.h>
#include <string.h>

#include "reader/expression/parse.h"

enum { DEPTH_MAX = 1000 };

const struct expression *parse_fail(struct parser *p, const char *expected)
{
    if (p->status == OK) {
        p->status = ERR_USAGE;
        p->expected = expected;
        p->failed = p->at;
    }
    return NULL;
}

const struct expression *parse_memory(struct parser *p)
{
    if (p->status == OK || p->status == ERR_USAGE)
        p->status = ERR_MEMORY;
    return NULL;
}

void parse_blanks(struct parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
}

bool parse_take(struct parser *p, const char *word)
{
    parse_blanks(p);
    if (strncmp(p->at, word, strlen(word)) != 0)
        return false;
    p->at += strlen(word);
    return true;
}

bool parse_next_is(struct parser *p, const char *word)
{
    parse_blanks(p);
    return strncmp(p->at, word, strlen(word)) == 0;
}

static bool begins_name(char c)
{
    return isalpha((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

size_t parse_name_length(const char *at)
{
    size_t n = 0;
    while (begins_name(at[n]) || (n > 0 && isdigit((unsigned char)at[n])))
        n++;
    return n;
}

const char *parse_copied(struct parser *p, const char *from, size_t size)
{
    char *copy = arena_chars(p->arena, size + 1);
    if (copy == NULL) {
        (void)parse_memory(p);
        return NULL;
    }
    memcpy(copy, from, size);
    copy[size] = '\0';
    return copy;
}

const char *parse_name(struct parser *p)
{
    parse_blanks(p);
    size_t n = parse_name_length(p->at);
    const char *name = n > 0 ? parse_copied(p, p->at, n) : NULL;
    p->at += name != NULL ? n : 0;
    return name;
}

const char *parse_class(struct parser *p)
{
    parse_blanks(p);
    const char *start = p->at;
    size_t n = parse_name_length(p->at), more;
    if (n == 0)
        return NULL;
    while (p->at[n] == '.' && (more = parse_name_length(p->at + n + 1)) > 0)
        n += 1 + more;
    while (p->at[n] == '[' && p->at[n + 1] == ']')
        n += 2;
    p->at += n;
    return parse_copied(p, start, n);
}

bool parse_next_is_word(struct parser *p, const char *word)
{
    return parse_next_is(p, word) && parse_name_length(p->at) == strlen(word);
}

/* ---- nodes ---- */

struct expression *parse_node(struct parser *p, enum expression_type type, size_t at)
{
    struct expression *e = p->status == OK ? arena_get(p->arena, sizeof *e) : NULL;
    if (e == NULL) {
        if (p->status == OK)
            (void)parse_memory(p);
        return NULL;
    }
    e->type = type;
    e->at = at;
    return e;
}

const struct expression *parse_completed(struct parser *p, struct expression *e)
{
    const struct expression *below[] = { e != NULL ? e->left : NULL, e != NULL ? e->right : NULL,
                                         e != NULL ? e->third : NULL };
    unsigned depth = 0;
    if (e == NULL || p->status != OK)
        return NULL;
    for (size_t i = 0; i < 3 + e->count; i++) {
        const struct expression *b = i < 3 ? below[i] : e->arguments[i - 3];
        depth = b != NULL && b->depth > depth ? b->depth : depth;
    }
    e->depth = depth + 1;
    return e->depth <= DEPTH_MAX ? e : parse_fail(p, "fewer operators");
}

const struct expression *parse_joined(struct parser *p, enum expression_type type, enum expression_operator op,
                                      const struct expression *left, const struct expression *right)
{
    struct expression *e = parse_node(p, type, left != NULL ? left->at : 0);
    if (e == NULL)
        return NULL;
    e->op = op;
    e->left = left;
    e->right = right;
    return parse_completed(p, e);
}

const struct expression *parse_literal(struct parser *p, size_t at, struct expression_value v)
{
    struct expression *e = parse_node(p, EXPRESSION_LITERAL, at);
    if (e != NULL)
        e->value = v;
    return e;
}

bool parse_add(struct parser *p, expression_list *list, const struct expression *e)
{
    const struct expression **to = p->status == OK ? vec_push(list) : NULL;
    if (p->status == OK && to == NULL)
        (void)parse_memory(p);
    if (to != NULL)
        *to = e;
    return to != NULL;
}

const struct expression *parse_with_arguments(struct parser *p, struct expression *e, expression_list *list)
{
    const struct expression **copy = p->status == OK ? arena_array(p->arena, list->count + 1, sizeof *copy) : NULL;
    if (p->status == OK && copy == NULL)
        (void)parse_memory(p);
    if (copy != NULL && list->count > 0)
        memcpy(copy, list->items, list->count * sizeof *copy);
    if (e != NULL && copy != NULL) {
        e->arguments = copy;
        e->count = list->count;
    }
    vec_free(list);
    return parse_completed(p, e);
}
