/* parse.c - expressions and conditions into trees, by recursive descent; see expression.h. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/jvm/arithmetic.h"
#include "formats/mutf8.h"
#include "formats/vec.h"
#include "reader/expression/expression.h"

enum { NESTING_MAX = 200, DEPTH_MAX = 1000, LEVELS = 8, LEVEL_EQUAL = 3, LEVEL_ORDER = 4, DIMENSIONS_MAX = 255 };

static const struct {
    const char *text;
    unsigned level;
} operators[OPERATOR_LIMIT] = {
#define OPERATOR(name, text, level) [OPERATOR_##name] = { text, level },
#include "reader/expression/operators.def"
#undef OPERATOR
};

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

static const struct expression *expression(struct parser *p);

/* ---- failures and words ---- */

static const struct expression *fail(struct parser *p, const char *expected)
{
    if (p->status == OK) {
        p->status = ERR_USAGE;
        p->expected = expected;
        p->failed = p->at;
    }
    return NULL;
}

static const struct expression *memory(struct parser *p)
{
    if (p->status == OK || p->status == ERR_USAGE)
        p->status = ERR_MEMORY;
    return NULL;
}

static void blanks(struct parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
}

/* Takes what is next if it is this. */
static bool take(struct parser *p, const char *word)
{
    blanks(p);
    if (strncmp(p->at, word, strlen(word)) != 0)
        return false;
    p->at += strlen(word);
    return true;
}

static bool next_is(struct parser *p, const char *word)
{
    blanks(p);
    return strncmp(p->at, word, strlen(word)) == 0;
}

/* The operator that is next, of any level; NONE: there is none. */
static enum expression_operator next_operator(struct parser *p)
{
    enum expression_operator op = OPERATOR_EQ;
    blanks(p);
    if (strncmp(p->at, "&&", 2) == 0 || strncmp(p->at, "||", 2) == 0)
        return OPERATOR_NONE;
    while (op < OPERATOR_NOT && strncmp(p->at, operators[op].text, strlen(operators[op].text)) != 0)
        op++;
    return op < OPERATOR_NOT ? op : OPERATOR_NONE;
}

static bool begins_name(char c)
{
    return isalpha((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static size_t name_length(const char *at)
{
    size_t n = 0;
    while (begins_name(at[n]) || (n > 0 && isdigit((unsigned char)at[n])))
        n++;
    return n;
}

static const char *copied(struct parser *p, const char *from, size_t size)
{
    char *copy = arena_chars(p->arena, size + 1);
    if (copy == NULL) {
        (void)memory(p);
        return NULL;
    }
    memcpy(copy, from, size);
    copy[size] = '\0';
    return copy;
}

/* An identifier; NULL: there is none. */
static const char *take_name(struct parser *p)
{
    blanks(p);
    size_t n = name_length(p->at);
    const char *name = n > 0 ? copied(p, p->at, n) : NULL;
    p->at += name != NULL ? n : 0;
    return name;
}

/* a.b.Class, and [] behind it; NULL: there is none. */
static const char *take_class(struct parser *p)
{
    blanks(p);
    const char *start = p->at;
    size_t n = name_length(p->at), more;
    if (n == 0)
        return NULL;
    while (p->at[n] == '.' && (more = name_length(p->at + n + 1)) > 0)
        n += 1 + more;
    while (p->at[n] == '[' && p->at[n + 1] == ']')
        n += 2;
    p->at += n;
    return copied(p, start, n);
}

static bool next_is_word(struct parser *p, const char *word)
{
    return next_is(p, word) && name_length(p->at) == strlen(word);
}

/* ---- nodes ---- */

static struct expression *node(struct parser *p, enum expression_type type, size_t at)
{
    struct expression *e = p->status == OK ? arena_get(p->arena, sizeof *e) : NULL;
    if (e == NULL) {
        if (p->status == OK)
            (void)memory(p);
        return NULL;
    }
    e->type = type;
    e->at = at;
    return e;
}

/* The node is complete: how deep is the tree below it? Evaluation goes down as far. */
static const struct expression *completed(struct parser *p, struct expression *e)
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
    return e->depth <= DEPTH_MAX ? e : fail(p, "fewer operators");
}

static const struct expression *joined(struct parser *p, enum expression_type type, enum expression_operator op,
                                       const struct expression *left, const struct expression *right)
{
    struct expression *e = node(p, type, left != NULL ? left->at : 0);
    if (e == NULL)
        return NULL;
    e->op = op;
    e->left = left;
    e->right = right;
    return completed(p, e);
}

static const struct expression *literal(struct parser *p, size_t at, struct expression_value v)
{
    struct expression *e = node(p, EXPRESSION_LITERAL, at);
    if (e != NULL)
        e->value = v;
    return e;
}

typedef VEC(const struct expression *) expression_list;

static bool add(struct parser *p, expression_list *list, const struct expression *e)
{
    const struct expression **to = p->status == OK ? vec_push(list) : NULL;
    if (p->status == OK && to == NULL)
        (void)memory(p);
    if (to != NULL)
        *to = e;
    return to != NULL;
}

/* Gives the list to the node, and ends it. */
static const struct expression *with_arguments(struct parser *p, struct expression *e, expression_list *list)
{
    const struct expression **copy = p->status == OK ? arena_array(p->arena, list->count + 1, sizeof *copy) : NULL;
    if (p->status == OK && copy == NULL)
        (void)memory(p);
    if (copy != NULL && list->count > 0)
        memcpy(copy, list->items, list->count * sizeof *copy);
    if (e != NULL && copy != NULL) {
        e->arguments = copy;
        e->count = list->count;
    }
    vec_free(list);
    return completed(p, e);
}

static const struct expression *elements(struct parser *p, const char *type);

/* Takes (a, b) or {a, b} behind the opening bracket; `nested`: the type of elements in braces, or NULL. */
static const struct expression *take_list(struct parser *p, const char *close, struct expression *e, const char *nested)
{
    expression_list list = { 0 };
    p->inside++;
    if (!take(p, close))
        do {
            const bool inner = nested != NULL && next_is(p, "{");
            if (!add(p, &list, inner ? elements(p, nested) : expression(p)) || take(p, close))
                break;
            if (!take(p, ","))
                (void)fail(p, *close == ')' ? "&&, || or )" : ", or the end of the list");
        } while (p->status == OK);
    p->inside--;
    return with_arguments(p, e, &list);
}

static const struct expression *take_arguments(struct parser *p, const char *close, struct expression *e)
{
    return take_list(p, close, e, NULL);
}

/* ---- literals ---- */

/* Copies the digits of a number without their underscores; the length that they have in the text. */
static size_t plain_digits(const char *at, char *to, size_t room, bool hex)
{
    size_t n = 0, used = 0;
    for (; used < room - 1; n++) {
        const char c = at[n];
        const bool sign = (c == '+' || c == '-') && n > 0 && !hex && (at[n - 1] == 'e' || at[n - 1] == 'E');
        if (c == '_' && n > 0)
            continue;
        if (!sign && (c == '\0' || strchr(hex ? "0123456789abcdefABCDEFxX" : "0123456789.eEbBxX", c) == NULL))
            break;
        if (!hex && (c == 'b' || c == 'B') && n != 1)
            break;
        to[used++] = c;
    }
    to[used] = '\0';
    return n;
}

static const struct expression *number(struct parser *p)
{
    char digits[200], *end = NULL;
    const size_t at = (size_t)(p->at - p->text);
    const bool hex = p->at[0] == '0' && (p->at[1] == 'x' || p->at[1] == 'X');
    const bool binary = p->at[0] == '0' && (p->at[1] == 'b' || p->at[1] == 'B');
    const size_t length = plain_digits(p->at, digits, sizeof digits, hex);
    const char letter = p->at[length];
    const bool is_float = !hex && !binary && (letter == 'f' || letter == 'F');
    const bool is_double = !hex && !binary && (letter == 'd' || letter == 'D' || strpbrk(digits, ".eE") != NULL);
    if (is_float || is_double) {
        double d = strtod(digits, &end);
        struct expression_value v =
            is_float ? expression_number('F', of_float(strtof(digits, NULL))) : expression_number('D', of_double(d));
        if (*end != '\0')
            return fail(p, "a number");
        p->at += length + (letter != '\0' && strchr("fFdD", letter) != NULL);
        return literal(p, at, v);
    }
    errno = 0;
    uint64_t v = strtoull(binary ? digits + 2 : digits, &end, binary ? 2 : 0);
    if (errno != 0 || *end != '\0')
        return fail(p, "a number of at most 64 bits");
    p->at += length;
    if (*p->at == 'L' || *p->at == 'l') {
        p->at++;
        return literal(p, at, expression_number('J', v));
    }
    const bool decimal = !hex && !binary && digits[0] != '0';
    return literal(p, at,
                   v <= (decimal ? (uint64_t)INT32_MAX + 1 : UINT32_MAX)
                       ? expression_number('I', of_int((int32_t)(uint32_t)v))
                       : expression_number('J', v));
}

/* #12: the object; a dot behind it begins a member, not a fraction. */
static const struct expression *object_number(struct parser *p)
{
    const size_t at = (size_t)(p->at - p->text);
    char *end;
    p->at++;
    if (!isdigit((unsigned char)*p->at))
        return fail(p, "the number of an object");
    errno = 0;
    uint64_t id = strtoull(p->at, &end, 10);
    if (errno != 0)
        return fail(p, "a number of at most 64 bits");
    p->at = end;
    return literal(p, at, expression_number('L', id));
}

/* "..." or 'x', with the escapes of shown.h. */
static const struct expression *quoted(struct parser *p)
{
    const size_t at = (size_t)(p->at - p->text);
    const char quote = *p->at++;
    struct writer w = { 0 };
    uint32_t code = 0;
    while (*p->at != quote && *p->at != '\0') {
        if (*p->at == '\\' && p->at[1] != '\0') {
            p->at++;
            shown_escape(&p->at, false, &w);
        } else {
            write_u1(&w, (unsigned char)*p->at++);
        }
    }
    const struct expression *e = NULL;
    size_t n = w.size > 0 && w.data[0] >= 0x80 ? utf8_char(w.data, w.size, &code) : w.size;
    if (w.size > 0 && w.data[0] < 0x80)
        code = w.data[0];
    if (*p->at == '\0')
        e = fail(p, "the end of the quoted text");
    else if (quote == '\'' && (n == 0 || n != w.size || code > UINT16_MAX))
        e = fail(p, "one character between apostrophes");
    else if (quote == '\'')
        e = literal(p, at, expression_number('C', code));
    else {
        write_u1(&w, 0);
        const char *text = w.bad ? NULL : copied(p, (const char *)w.data, w.size - 1);
        e = text == NULL ? memory(p)
                         : literal(p, at,
                                   (struct expression_value){
                                       .known = true, .kind = EXPRESSION_TEXT, .text = text, .seq = UINT64_MAX });
    }
    p->at += p->status == OK;
    writer_free(&w);
    return e;
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
    const size_t size = *p->at == '[' ? strspn(p->at + 1, "0123456789") + 2 : name_length(p->at);
    struct expression *e = node(p, EXPRESSION_NAME, at);
    const char *start = p->at;
    p->at += size;
    p->at += type_behind(p);
    if (e != NULL)
        e->name = e->path = copied(p, start, (size_t)(p->at - start));
    return e;
}

/* { a, b } of an array of that type, in which there may be others. */
static const struct expression *elements(struct parser *p, const char *type)
{
    struct expression *e = node(p, EXPRESSION_ARRAY, (size_t)(p->at - p->text));
    const size_t size = strlen(type);
    if (e == NULL)
        return NULL;
    if (!take(p, "{"))
        return fail(p, "{ and the elements");
    e->name = type;
    e->op = OPERATOR_EQ;
    return take_list(p, "}", e, size > 4 && type[size - 3] == ']' ? copied(p, type, size - 2) : NULL);
}

/* The lengths of an array of arrays, the first ones at least: [2][3][] */
static const struct expression *lengths(struct parser *p, const char *of)
{
    struct expression *e = node(p, EXPRESSION_ARRAY, (size_t)(p->at - p->text));
    expression_list list = { 0 };
    struct writer type = { 0 };
    bool open = false;
    write_bytes(&type, of, strlen(of));
    while (take(p, "[")) {
        write_bytes(&type, "[]", 2);
        if (take(p, "]")) {
            open = true;
            continue;
        }
        if (open || list.count >= DIMENSIONS_MAX) {
            (void)fail(p, open ? "[] without a length" : "fewer dimensions");
            break;
        }
        p->inside++;
        const bool added = add(p, &list, expression(p));
        p->inside--;
        if (!added || !take(p, "]")) {
            (void)fail(p, "] behind the length");
            break;
        }
    }
    if (e != NULL)
        e->name = type.bad ? NULL : copied(p, (const char *)type.data, type.size);
    writer_free(&type);
    return with_arguments(p, e, &list);
}

/* Takes <> or <a.b.Class, ?> behind the name of a class: arguments of types say nothing at run time. */
static bool take_type_arguments(struct parser *p)
{
    static const char of_types[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.,?[]& \t";
    unsigned open = 0;
    if (!next_is(p, "<"))
        return true;
    do {
        p->at += strspn(p->at, of_types);
        if (*p->at != '<' && *p->at != '>')
            return (void)fail(p, "> behind the arguments of the type"), false;
        open = *p->at == '<' ? open + 1 : open - 1;
        p->at++;
    } while (open > 0);
    return true;
}

static const struct expression *created(struct parser *p)
{
    const size_t at = (size_t)(p->at - p->text);
    p->at += 3;
    const char *name = take_class(p);
    if (name == NULL)
        return fail(p, "the class behind new");
    if (!take_type_arguments(p))
        return NULL;
    const char *dimensions = strchr(name, '[');
    if (dimensions != NULL)
        return strlen(dimensions) <= 2 * DIMENSIONS_MAX ? elements(p, name) : fail(p, "fewer dimensions");
    if (next_is(p, "["))
        return lengths(p, name);
    struct expression *e = node(p, EXPRESSION_NEW, at);
    if (e == NULL)
        return NULL;
    e->name = name;
    if (!take(p, "("))
        return fail(p, "( and the arguments");
    return take_arguments(p, ")", e);
}

static const struct expression *primary(struct parser *p)
{
    const struct expression *e;
    blanks(p);
    const size_t at = (size_t)(p->at - p->text);
    if (take(p, "(")) {
        const unsigned inside = p->inside;
        p->inside = 0;
        e = expression(p);
        p->inside = inside;
        return take(p, ")") ? e : fail(p, "&&, || or )");
    }
    if (isdigit((unsigned char)*p->at) || (*p->at == '.' && isdigit((unsigned char)p->at[1])))
        return number(p);
    if (*p->at == '"' || *p->at == '\'')
        return quoted(p);
    if (*p->at == '#')
        return object_number(p);
    if (next_is_word(p, "new"))
        return created(p);
    if (next_is_word(p, "true") || next_is_word(p, "false") || next_is_word(p, "null")) {
        struct expression_value v = *p->at == 'n' ? expression_number('L', 0) : expression_boolean(*p->at == 't');
        p->at += name_length(p->at);
        return literal(p, at, v);
    }
    if (*p->at == '[' && p->at[1 + strspn(p->at + 1, "0123456789")] == ']' && p->at[1] != ']')
        return named(p);
    if (name_length(p->at) == 0)
        return fail(p, "a name or a value");
    size_t n = name_length(p->at);
    if (p->at[n + strspn(p->at + n, " \t\r\n")] == '(') {
        struct expression *call = node(p, EXPRESSION_CALL, at);
        const char *name = take_name(p);
        if (call == NULL || name == NULL || !take(p, "("))
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
        if (p->status == OK && !take(p, "]"))
            return fail(p, "]");
        return joined(p, EXPRESSION_ELEMENT, OPERATOR_NONE, left, index);
    }
    const char *name = take_name(p);
    if (name == NULL)
        return fail(p, "a name behind the dot");
    struct expression *e = node(p, EXPRESSION_MEMBER, left->at);
    if (e == NULL)
        return NULL;
    e->left = left;
    e->name = name;
    if (take(p, "(")) {
        e->type = EXPRESSION_CALL;
        return take_arguments(p, ")", e);
    }
    if (left->path != NULL && left->path[0] != '[' && strcmp(left->path, "this") != 0) {
        const size_t type = type_behind(p), size = strlen(left->path) + strlen(name) + type + 2;
        char *path = arena_chars(p->arena, size);
        if (path == NULL)
            return memory(p);
        (void)snprintf(path, size, "%s.%s%.*s", left->path, name, (int)type, p->at);
        p->at += type;
        e->path = path;
    }
    return completed(p, e);
}

/* The class in brackets of a cast, as in (Base) this; NULL: what is next is none, and nothing is taken. */
static const char *take_cast(struct parser *p)
{
    const char *start = p->at;
    const char *name = take(p, "(") ? take_class(p) : NULL;
    const bool taken = name != NULL && take(p, ")");
    blanks(p);
    const bool value = begins_name(*p->at) || isdigit((unsigned char)*p->at) ||
                       (*p->at != '\0' && strchr("\"'(#!~", *p->at) != NULL && p->at[1] != '=');
    if (taken && (value || expression_kind_called(name) != '\0') && !next_is_word(p, "instanceof"))
        return name;
    p->at = start;
    return NULL;
}

static const struct expression *unary(struct parser *p)
{
    static const enum expression_operator ops[] = { OPERATOR_NOT, OPERATOR_COMPLEMENT, OPERATOR_SUB, OPERATOR_ADD };
    const struct expression *e = NULL;
    blanks(p);
    const size_t at = (size_t)(p->at - p->text);
    if (p->depth >= NESTING_MAX)
        return fail(p, "fewer parentheses");
    p->depth++;
    const char *name = take_cast(p);
    if (name != NULL) {
        const struct expression *value = unary(p);
        struct expression *c = node(p, EXPRESSION_CAST, at);
        if (c != NULL) {
            c->name = name;
            c->left = value;
        }
        p->depth--;
        return completed(p, c);
    }
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        if (!take(p, operators[ops[i]].text))
            continue;
        const struct expression *value = unary(p);
        struct expression *u = node(p, EXPRESSION_UNARY, at);
        if (u != NULL) {
            u->op = ops[i];
            u->left = value;
        }
        p->depth--;
        return completed(p, u);
    }
    e = primary(p);
    while (p->status == OK && (take(p, ".") || take(p, "[")))
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
    blanks(p);
    const char *start = p->at;
    *out = NULL;
    if (to == NULL) {
        (void)memory(p);
        return false;
    }
    *to = s;
    *expected = shown_read(&p->at, op, s);
    if (*expected != NULL && **expected == '\0')
        (void)memory(p);
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
    struct expression *e = node(p, EXPRESSION_COMPARISON, left->at);
    blanks(p);
    const char *start = p->at;
    const bool is_shown = e != NULL && read_shown(p, op, &shown, &expected);
    const char *stopped = p->at;
    blanks(p);
    const char *shown_end = p->at;
    if (e == NULL || p->status != OK)
        return NULL;
    e->op = op;
    e->left = left;
    if (op == OPERATOR_MATCH) {
        e->shown = shown;
        return is_shown ? e : fail(p, expected != NULL ? expected : "&& or ||");
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
        (void)fail(p, expected);
    if (p->status == ERR_USAGE && expected != NULL) { /* what a value lacks is plainer than what an expression does */
        p->expected = expected;
        p->failed = stopped;
    }
    return completed(p, e);
}

/* !a == b is !(a == b). */
static const struct expression *hoisted(struct parser *p, const struct expression *left, enum expression_operator op)
{
    const struct expression *inner = left->left;
    if (inner->type == EXPRESSION_UNARY && inner->op == OPERATOR_NOT && p->text[inner->at] == '!')
        inner = hoisted(p, inner, op);
    else
        inner = comparison(p, op, inner);
    struct expression *e = node(p, EXPRESSION_UNARY, left->at);
    if (e != NULL) {
        e->op = OPERATOR_NOT;
        e->left = inner;
    }
    return completed(p, e);
}

static const struct expression *instance_of(struct parser *p, const struct expression *left)
{
    p->at += strlen("instanceof");
    const char *name = take_class(p);
    struct expression *e = node(p, EXPRESSION_INSTANCEOF, left->at);
    if (name == NULL)
        return fail(p, "a class behind instanceof");
    if (e != NULL) {
        e->name = name;
        e->left = left;
    }
    return completed(p, e);
}

static const struct expression *level(struct parser *p, unsigned n)
{
    if (n == LEVELS)
        return unary(p);
    blanks(p);
    const char *start = p->at;
    const struct expression *e = level(p, n + 1);
    while (p->status == OK) {
        if (n == LEVEL_ORDER && next_is_word(p, "instanceof")) {
            e = instance_of(p, e);
            continue;
        }
        const enum expression_operator op = next_operator(p);
        if (op == OPERATOR_NONE || operators[op].level != n)
            break;
        p->at += strlen(operators[op].text);
        if (n != LEVEL_EQUAL && n != LEVEL_ORDER) {
            const struct expression *right = level(p, n + 1);
            e = joined(p, EXPRESSION_CALCULATION, op, e, right);
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
    if (p->status != OK || !next_is(p, word))
        return e;
    expression_list list = { 0 };
    struct expression *all = node(p, type, e->at);
    while (add(p, &list, e) && take(p, word))
        e = part(p);
    return with_arguments(p, all, &list);
}

static const struct expression *conjunction(struct parser *p) { return chain(p, EXPRESSION_AND, "&&", bits); }

static const struct expression *expression(struct parser *p)
{
    const struct expression *e = chain(p, EXPRESSION_OR, "||", conjunction);
    if (p->status != OK || !take(p, "?"))
        return e;
    if (p->depth >= NESTING_MAX)
        return fail(p, "fewer parentheses");
    p->depth++;
    p->inside++;
    const struct expression *yes = expression(p);
    p->inside--;
    if (p->status == OK && !take(p, ":"))
        return fail(p, ":");
    const struct expression *no = expression(p);
    struct expression *c = node(p, EXPRESSION_CONDITIONAL, e->at);
    if (c != NULL) {
        c->left = e;
        c->right = yes;
        c->third = no;
    }
    p->depth--;
    return completed(p, c);
}

enum status expression_parse(const char *text, struct expression_tree **out, struct error *err)
{
    struct expression_tree *tree = calloc(1, sizeof *tree);
    if (tree == NULL)
        return error_memory(err, "expression");
    struct parser p = { .text = text, .at = text, .arena = &tree->arena, .tree = tree };
    tree->root = expression(&p);
    blanks(&p);
    if (p.status == OK && *p.at != '\0')
        (void)fail(&p, tree->root->path != NULL ? "one of == != < <= > >= =~" : "&& or ||");
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
