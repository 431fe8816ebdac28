/* parse.c - expressions and conditions into trees, by recursive descent: names, what stands behind them, and operators
 * by their levels; see expression.h. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/expression/parse.h"

enum { NESTING_MAX = 200, LEVELS = 8, LEVEL_EQUAL = 3, LEVEL_ORDER = 4, DIMENSIONS_MAX = 255 };

static const struct {
    const char *text;
    unsigned level;
} operators[OPERATOR_LIMIT] = {
#define OPERATOR(name, text, level) [OPERATOR_##name] = { text, level },
#include "reader/expression/operators.def"
#undef OPERATOR
};

static const struct expression *expression(struct parser *p);

/* ---- words ---- */

/* The operator that is next, of any level; NONE: there is none. */
static enum expression_operator next_operator(struct parser *p)
{
    enum expression_operator op = OPERATOR_EQ;
    parse_blanks(p);
    if (strncmp(p->at, "&&", 2) == 0 || strncmp(p->at, "||", 2) == 0)
        return OPERATOR_NONE;
    while (op < OPERATOR_NOT && strncmp(p->at, operators[op].text, strlen(operators[op].text)) != 0)
        op++;
    return op < OPERATOR_NOT ? op : OPERATOR_NONE;
}

static const struct expression *elements(struct parser *p, const char *type);

/* Takes (a, b) or {a, b} behind the opening bracket; `nested`: the type of elements in braces, or NULL. */
static const struct expression *take_list(struct parser *p, const char *close, struct expression *e, const char *nested)
{
    expression_list list = { 0 };
    p->inside++;
    if (!parse_take(p, close))
        do {
            const bool inner = nested != NULL && parse_next_is(p, "{");
            if (!parse_add(p, &list, inner ? elements(p, nested) : expression(p)) || parse_take(p, close))
                break;
            if (!parse_take(p, ","))
                (void)parse_fail(p, *close == ')' ? "&&, || or )" : ", or the end of the list");
        } while (p->status == OK);
    p->inside--;
    return parse_with_arguments(p, e, &list);
}

static const struct expression *take_arguments(struct parser *p, const char *close, struct expression *e)
{
    return take_list(p, close, e, NULL);
}

/* ---- names ---- */

/* The length of ":long" behind a name, before a comparison; 0: there is none. */
static size_t type_behind(const struct parser *p)
{
    const char *s = p->at;
    if (*s != ':' || p->inside > 0)
        return 0;
    size_t n = 1 + strspn(s + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.[]");
    const char *behind = s + n + strspn(s + n, " \t\r\n");
    return n > 1 && *behind != '\0' && strchr("=!<>", *behind) != NULL ? n : 0;
}

static const struct expression *named(struct parser *p)
{
    const size_t at = (size_t)(p->at - p->text);
    const size_t size = *p->at == '[' ? strspn(p->at + 1, "0123456789") + 2 : parse_name_length(p->at);
    struct expression *e = parse_node(p, EXPRESSION_NAME, at);
    const char *start = p->at;
    p->at += size;
    p->at += type_behind(p);
    if (e != NULL)
        e->name = e->path = parse_copied(p, start, (size_t)(p->at - start));
    return e;
}

/* { a, b } of an array of that type, in which there may be others. */
static const struct expression *elements(struct parser *p, const char *type)
{
    struct expression *e = parse_node(p, EXPRESSION_ARRAY, (size_t)(p->at - p->text));
    const size_t size = strlen(type);
    if (e == NULL)
        return NULL;
    if (!parse_take(p, "{"))
        return parse_fail(p, "{ and the elements");
    e->name = type;
    e->op = OPERATOR_EQ;
    return take_list(p, "}", e, size > 4 && type[size - 3] == ']' ? parse_copied(p, type, size - 2) : NULL);
}

/* The lengths of an array of arrays, the first ones at least: [2][3][] */
static const struct expression *lengths(struct parser *p, const char *of)
{
    struct expression *e = parse_node(p, EXPRESSION_ARRAY, (size_t)(p->at - p->text));
    expression_list list = { 0 };
    struct writer type = { 0 };
    bool open = false;
    write_bytes(&type, of, strlen(of));
    while (parse_take(p, "[")) {
        write_bytes(&type, "[]", 2);
        if (parse_take(p, "]")) {
            open = true;
            continue;
        }
        if (open || list.count >= DIMENSIONS_MAX) {
            (void)parse_fail(p, open ? "[] without a length" : "fewer dimensions");
            break;
        }
        p->inside++;
        const bool added = parse_add(p, &list, expression(p));
        p->inside--;
        if (!added || !parse_take(p, "]")) {
            (void)parse_fail(p, "] behind the length");
            break;
        }
    }
    if (e != NULL)
        e->name = type.bad ? NULL : parse_copied(p, (const char *)type.data, type.size);
    writer_free(&type);
    return parse_with_arguments(p, e, &list);
}

/* Takes <> or <a.b.Class, ?> behind the name of a class: arguments of types say nothing at run time. */
static bool take_type_arguments(struct parser *p)
{
    static const char of_types[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.,?[]& \t";
    unsigned open = 0;
    if (!parse_next_is(p, "<"))
        return true;
    do {
        p->at += strspn(p->at, of_types);
        if (*p->at != '<' && *p->at != '>')
            return (void)parse_fail(p, "> behind the arguments of the type"), false;
        open = *p->at == '<' ? open + 1 : open - 1;
        p->at++;
    } while (open > 0);
    return true;
}

static const struct expression *created(struct parser *p)
{
    const size_t at = (size_t)(p->at - p->text);
    p->at += 3;
    const char *name = parse_class(p);
    if (name == NULL)
        return parse_fail(p, "the class behind new");
    if (!take_type_arguments(p))
        return NULL;
    const char *dimensions = strchr(name, '[');
    if (dimensions != NULL)
        return strlen(dimensions) <= 2 * DIMENSIONS_MAX ? elements(p, name) : parse_fail(p, "fewer dimensions");
    if (parse_next_is(p, "["))
        return lengths(p, name);
    struct expression *e = parse_node(p, EXPRESSION_NEW, at);
    if (e == NULL)
        return NULL;
    e->name = name;
    if (!parse_take(p, "("))
        return parse_fail(p, "( and the arguments");
    return take_arguments(p, ")", e);
}

static const struct expression *primary(struct parser *p)
{
    const struct expression *e;
    parse_blanks(p);
    const size_t at = (size_t)(p->at - p->text);
    if (parse_take(p, "(")) {
        const unsigned inside = p->inside;
        p->inside = 0;
        e = expression(p);
        p->inside = inside;
        return parse_take(p, ")") ? e : parse_fail(p, "&&, || or )");
    }
    if (isdigit((unsigned char)*p->at) || (*p->at == '.' && isdigit((unsigned char)p->at[1])))
        return parse_number(p);
    if (*p->at == '"' || *p->at == '\'')
        return parse_quoted(p);
    if (*p->at == '#')
        return parse_object_number(p);
    if (parse_next_is_word(p, "new"))
        return created(p);
    if (parse_next_is_word(p, "true") || parse_next_is_word(p, "false") || parse_next_is_word(p, "null")) {
        struct expression_value v = *p->at == 'n' ? expression_number('L', 0) : expression_boolean(*p->at == 't');
        p->at += parse_name_length(p->at);
        return parse_literal(p, at, v);
    }
    if (*p->at == '[' && p->at[1 + strspn(p->at + 1, "0123456789")] == ']' && p->at[1] != ']')
        return named(p);
    if (parse_name_length(p->at) == 0)
        return parse_fail(p, "a name or a value");
    size_t n = parse_name_length(p->at);
    if (p->at[n + strspn(p->at + n, " \t\r\n")] == '(') {
        struct expression *call = parse_node(p, EXPRESSION_CALL, at);
        const char *name = parse_name(p);
        if (call == NULL || name == NULL || !parse_take(p, "("))
            return NULL;
        call->name = name;
        return take_arguments(p, ")", call);
    }
    return named(p);
}

/* .name, .name(...) or [index] behind a value. */
static const struct expression *suffix(struct parser *p, const struct expression *left)
{
    const bool dot = p->at[-1] == '.';
    if (!dot) {
        const struct expression *index = expression(p);
        if (p->status == OK && !parse_take(p, "]"))
            return parse_fail(p, "]");
        return parse_joined(p, EXPRESSION_ELEMENT, OPERATOR_NONE, left, index);
    }
    const char *name = parse_name(p);
    if (name == NULL)
        return parse_fail(p, "a name behind the dot");
    struct expression *e = parse_node(p, EXPRESSION_MEMBER, left->at);
    if (e == NULL)
        return NULL;
    e->left = left;
    e->name = name;
    if (parse_take(p, "(")) {
        e->type = EXPRESSION_CALL;
        return take_arguments(p, ")", e);
    }
    if (left->path != NULL && left->path[0] != '[' && strcmp(left->path, "this") != 0) {
        const size_t type = type_behind(p), size = strlen(left->path) + strlen(name) + type + 2;
        char *path = arena_chars(p->arena, size);
        if (path == NULL)
            return parse_memory(p);
        (void)snprintf(path, size, "%s.%s%.*s", left->path, name, (int)type, p->at);
        p->at += type;
        e->path = path;
    }
    return parse_completed(p, e);
}

/* The class in brackets of a cast, as in (Base) this; NULL: what is next is none, and nothing is taken. */
static const char *take_cast(struct parser *p)
{
    const char *start = p->at;
    const char *name = parse_take(p, "(") ? parse_class(p) : NULL;
    const bool taken = name != NULL && parse_take(p, ")");
    parse_blanks(p);
    const bool value = parse_name_length(p->at) > 0 || isdigit((unsigned char)*p->at) ||
                       (*p->at != '\0' && strchr("\"'(#!~", *p->at) != NULL && p->at[1] != '=');
    if (taken && (value || expression_kind_called(name) != '\0') && !parse_next_is_word(p, "instanceof"))
        return name;
    p->at = start;
    return NULL;
}

static const struct expression *unary(struct parser *p)
{
    static const enum expression_operator ops[] = { OPERATOR_NOT, OPERATOR_COMPLEMENT, OPERATOR_SUB, OPERATOR_ADD };
    const struct expression *e = NULL;
    parse_blanks(p);
    const size_t at = (size_t)(p->at - p->text);
    if (p->depth >= NESTING_MAX)
        return parse_fail(p, "fewer parentheses");
    p->depth++;
    const char *name = take_cast(p);
    if (name != NULL) {
        const struct expression *value = unary(p);
        struct expression *c = parse_node(p, EXPRESSION_CAST, at);
        if (c != NULL) {
            c->name = name;
            c->left = value;
        }
        p->depth--;
        return parse_completed(p, c);
    }
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        if (!parse_take(p, operators[ops[i]].text))
            continue;
        const struct expression *value = unary(p);
        struct expression *u = parse_node(p, EXPRESSION_UNARY, at);
        if (u != NULL) {
            u->op = ops[i];
            u->left = value;
        }
        p->depth--;
        return parse_completed(p, u);
    }
    e = primary(p);
    while (p->status == OK && (parse_take(p, ".") || parse_take(p, "[")))
        e = suffix(p, e);
    p->depth--;
    return e;
}

/* ---- comparisons ---- */

/* May a condition go on like this behind a comparison? */
static bool ends_comparison(const char *at)
{
    at += strspn(at, " \t\r\n");
    return *at == '\0' || strchr(")]},?:", *at) != NULL || strncmp(at, "&&", 2) == 0 || strncmp(at, "||", 2) == 0;
}

/* Reads the value behind a comparison as answers show it; false: it is none, and nothing is taken. */
static bool read_shown(struct parser *p, enum expression_operator op, struct shown_value **out, const char **expected)
{
    struct shown_value *s = arena_get(p->arena, sizeof *s), **to = s != NULL ? vec_push(&p->tree->shown) : NULL;
    parse_blanks(p);
    const char *start = p->at;
    *out = NULL;
    if (to == NULL) {
        (void)parse_memory(p);
        return false;
    }
    *to = s;
    *expected = shown_read(&p->at, op, s);
    if (*expected != NULL && **expected == '\0')
        (void)parse_memory(p);
    if (*expected == NULL && ends_comparison(p->at)) {
        *out = s;
        return true;
    }
    if (*expected == NULL)
        p->at = start;
    return false;
}

static const struct expression *level(struct parser *p, unsigned n);

/* Where a value that is written in Java ends inside of `end`, though what answers show goes on: x==1?2:3, f(x==1,2). */
static bool ends_inside(const struct parser *p, const char *at, const char *end)
{
    return (p->inside > 0 && strchr(",:]}", *at) != NULL) ||
           (*at == '?' && memchr(at, ':', (size_t)(end - at)) != NULL);
}

/* Behind `left op`: what is compared with, read in both ways. The reading that goes further counts; where both end at
 * the same place, both. */
static const struct expression *comparison(struct parser *p, enum expression_operator op, const struct expression *left)
{
    struct shown_value *shown = NULL;
    const char *expected = NULL;
    struct expression *e = parse_node(p, EXPRESSION_COMPARISON, left->at);
    parse_blanks(p);
    const char *start = p->at;
    const bool is_shown = e != NULL && read_shown(p, op, &shown, &expected);
    const char *stopped = p->at;
    parse_blanks(p);
    const char *shown_end = p->at;
    if (e == NULL || p->status != OK)
        return NULL;
    e->op = op;
    e->left = left;
    if (op == OPERATOR_MATCH) {
        e->shown = shown;
        return is_shown ? e : parse_fail(p, expected != NULL ? expected : "&& or ||");
    }
    const struct parser before = *p;
    p->at = start;
    const struct expression *right = level(p, operators[op].level + 1);
    const bool is_right = p->status == OK && (!is_shown || p->at >= shown_end || ends_inside(p, p->at, shown_end));
    if (is_right)
        e->right = right;
    if (is_shown && p->status != ERR_MEMORY && (!is_right || p->at == shown_end)) {
        *p = before;
        e->shown = shown;
    }
    if (is_right && expected != NULL && *p->at == '(') /* 'x' (121): no value is followed by a bracket */
        (void)parse_fail(p, expected);
    if (p->status == ERR_USAGE && expected != NULL) { /* what a value lacks is plainer than what an expression does */
        p->expected = expected;
        p->failed = stopped;
    }
    return parse_completed(p, e);
}

/* !a == b is !(a == b). */
static const struct expression *hoisted(struct parser *p, const struct expression *left, enum expression_operator op)
{
    const struct expression *inner = left->left;
    if (inner->type == EXPRESSION_UNARY && inner->op == OPERATOR_NOT && p->text[inner->at] == '!')
        inner = hoisted(p, inner, op);
    else
        inner = comparison(p, op, inner);
    struct expression *e = parse_node(p, EXPRESSION_UNARY, left->at);
    if (e != NULL) {
        e->op = OPERATOR_NOT;
        e->left = inner;
    }
    return parse_completed(p, e);
}

static const struct expression *instance_of(struct parser *p, const struct expression *left)
{
    p->at += strlen("instanceof");
    const char *name = parse_class(p);
    struct expression *e = parse_node(p, EXPRESSION_INSTANCEOF, left->at);
    if (name == NULL)
        return parse_fail(p, "a class behind instanceof");
    if (e != NULL) {
        e->name = name;
        e->left = left;
    }
    return parse_completed(p, e);
}

static const struct expression *level(struct parser *p, unsigned n)
{
    if (n == LEVELS)
        return unary(p);
    parse_blanks(p);
    const char *start = p->at;
    const struct expression *e = level(p, n + 1);
    while (p->status == OK) {
        if (n == LEVEL_ORDER && parse_next_is_word(p, "instanceof")) {
            e = instance_of(p, e);
            continue;
        }
        const enum expression_operator op = next_operator(p);
        if (op == OPERATOR_NONE || operators[op].level != n)
            break;
        p->at += strlen(operators[op].text);
        if (n != LEVEL_EQUAL && n != LEVEL_ORDER) {
            const struct expression *right = level(p, n + 1);
            e = parse_joined(p, EXPRESSION_CALCULATION, op, e, right);
        } else if (e->type == EXPRESSION_UNARY && e->op == OPERATOR_NOT && *start == '!') {
            e = hoisted(p, e, op);
        } else {
            e = comparison(p, op, e);
        }
    }
    return e;
}

static const struct expression *bits(struct parser *p) { return level(p, 0); }

/* part && part ...: of many one node. */
static const struct expression *chain(struct parser *p, enum expression_type type, const char *word,
                                      const struct expression *(*part)(struct parser *))
{
    const struct expression *e = part(p);
    if (p->status != OK || !parse_next_is(p, word))
        return e;
    expression_list list = { 0 };
    struct expression *all = parse_node(p, type, e->at);
    while (parse_add(p, &list, e) && parse_take(p, word))
        e = part(p);
    return parse_with_arguments(p, all, &list);
}

static const struct expression *conjunction(struct parser *p) { return chain(p, EXPRESSION_AND, "&&", bits); }

static const struct expression *expression(struct parser *p)
{
    const struct expression *e = chain(p, EXPRESSION_OR, "||", conjunction);
    if (p->status != OK || !parse_take(p, "?"))
        return e;
    if (p->depth >= NESTING_MAX)
        return parse_fail(p, "fewer parentheses");
    p->depth++;
    p->inside++;
    const struct expression *yes = expression(p);
    p->inside--;
    if (p->status == OK && !parse_take(p, ":"))
        return parse_fail(p, ":");
    const struct expression *no = expression(p);
    struct expression *c = parse_node(p, EXPRESSION_CONDITIONAL, e->at);
    if (c != NULL) {
        c->left = e;
        c->right = yes;
        c->third = no;
    }
    p->depth--;
    return parse_completed(p, c);
}

enum status expression_parse(const char *text, struct expression_tree **out, struct error *err)
{
    struct expression_tree *tree = calloc(1, sizeof *tree);
    if (tree == NULL)
        return error_memory(err, "expression");
    struct parser p = { .text = text, .at = text, .arena = &tree->arena, .tree = tree };
    tree->root = expression(&p);
    parse_blanks(&p);
    if (p.status == OK && *p.at != '\0')
        (void)parse_fail(&p, tree->root->path != NULL ? "one of == != < <= > >= =~" : "&& or ||");
    if (p.status == OK) {
        *out = tree;
        return OK;
    }
    expression_free(tree);
    if (p.status == ERR_USAGE)
        return error_set(err, ERR_USAGE, "'%.300s', character %zu: expected %s", text, (size_t)(p.failed - text) + 1,
                         p.expected);
    return error_memory(err, "expression");
}

void expression_free(struct expression_tree *tree)
{
    if (tree == NULL)
        return;
    for (size_t i = 0; i < tree->shown.count; i++)
        shown_done(tree->shown.items[i]);
    vec_free(&tree->shown);
    arena_done(&tree->arena);
    free(tree);
}
