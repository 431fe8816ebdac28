/* where.c - see where.h: a parser by recursive descent into a vector of nodes, and their evaluation. */
#include "reader/command/where.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/map.h"
#include "formats/mutf8.h"
#include "formats/values.h"
#include "formats/vec.h"
#include "reader/command/cli.h"
#include "reader/command/names.h"
#include "reader/command/show.h"

enum node_type { NODE_OR, NODE_AND, NODE_NOT, NODE_COMPARISON };
enum comparator {
    OPERATOR_EQ,
    OPERATOR_NE,
    OPERATOR_LE,
    OPERATOR_GE,
    OPERATOR_LT,
    OPERATOR_GT,
    OPERATOR_MATCH,
    OPERATORS
};
static const char *const operators[] = {
    [OPERATOR_EQ] = "==", [OPERATOR_NE] = "!=", [OPERATOR_LE] = "<=",   [OPERATOR_GE] = ">=",
    [OPERATOR_LT] = "<",  [OPERATOR_GT] = ">",  [OPERATOR_MATCH] = "=~"
};
enum { DEPTH_MAX = 200 };

/* The object that a class has as the constant of the value's name; 0: none. */
struct constant {
    uint64_t class_id;
    uint32_t object;
};
struct node {
    enum node_type type;
    size_t left, right; /* indexes of nodes */
    size_t all;         /* nodes with the same number are joined by && alone; that of the whole condition is 0 */
    /* of a comparison */
    char *name, *value; /* owned; the value may hold zeros */
    size_t value_size;
    enum comparator op;
    bool quoted, integer, real, has_regex, is_object;
    bool begins;       /* "text"...: how a string begins */
    bool is_character; /* 'x' (120): no string */
    bool asked, seen;  /* it was evaluated; some row has the name */
    int64_t number;
    double fraction;
    uint32_t object; /* of Type#12, if is_object; its type is the first characters of the value */
    size_t type_length;
    regex_t regex;
    MAP(struct constant) constants; /* of each class that was looked into */
};
struct where {
    VEC(struct node) nodes;
    size_t root;
};

/* ---- parsing ---- */

struct parser {
    const char *command, *text, *at;
    struct where *where;
    unsigned depth;
    int status;
};

static size_t fail(struct parser *p, const char *what)
{
    if (p->status == PARSED)
        p->status = cli_fail(EXIT_USAGE, p->command, "--where: '%s', character %zu: expected %s", p->text,
                             (size_t)(p->at - p->text) + 1, what);
    return 0;
}

static void skip_blanks(struct parser *p) { p->at += strspn(p->at, " \t\r\n"); }

static bool take(struct parser *p, const char *word)
{
    skip_blanks(p);
    if (strncmp(p->at, word, strlen(word)) != 0)
        return false;
    p->at += strlen(word);
    return true;
}

static size_t add(struct parser *p, struct node node)
{
    struct node *to = p->status == PARSED ? vec_push(&p->where->nodes) : NULL;
    if (to != NULL) {
        *to = node;
        return p->where->nodes.count - 1;
    }
    free(node.name);
    free(node.value);
    if (p->status == PARSED)
        p->status = cli_fail(EXIT_FAILED, p->command, "out of memory");
    return 0;
}

static void read_number(struct node *n)
{
    char *end;
    bool hex = strncmp(n->value, "0x", 2) == 0 || strncmp(n->value, "-0x", 3) == 0;
    errno = 0;
    n->number = strtoll(n->value, &end, hex ? 16 : 10);
    n->integer = errno == 0 && end != n->value && *end == '\0';
    n->fraction = strtod(n->value, &end);
    n->real = end != n->value && *end == '\0';
}

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *at = c != '\0' ? strchr(digits, c) : NULL;
    return at != NULL ? (int)((at - digits) % 16) : -1;
}

/* The UTF-16 unit of "u0041". */
static bool take_unit(const char **at, uint8_t unit[2])
{
    unsigned code = 0;
    if (**at != 'u')
        return false;
    for (int i = 1; i <= 4; i++) {
        int digit = hex_digit((*at)[i]);
        if (digit < 0)
            return false;
        code = code << 4 | (unsigned)digit;
    }
    unit[0] = (uint8_t)code;
    unit[1] = (uint8_t)(code >> 8);
    *at += 5;
    return true;
}

/* What stands behind a backslash, as answers show it. `regex`: what has no meaning here has one there. */
static void take_escape(const char **at, bool regex, struct writer *out)
{
    static const char letters[] = "tnrbf", meanings[] = "\t\n\r\b\f";
    const char *letter = strchr(letters, **at);
    uint8_t units[4];
    size_t size = 0;
    while (size < sizeof units && take_unit(at, units + size)) { /* two that belong together, or each by itself */
        size += 2;
        if ((*at)[0] != '\\' || (*at)[1] != 'u' || (units[1] & 0xfc) != 0xd8)
            break;
        *at += size < sizeof units;
    }
    if (size > 0) {
        utf16le_to_utf8(units, size, out);
        return;
    }
    if (letter != NULL && (!regex || letter - letters < 3)) { /* \b has a meaning in a regular expression */
        write_u1(out, (uint8_t)meanings[letter - letters]);
    } else {
        if (regex && **at != '"' && **at != '\'')
            write_u1(out, '\\');
        write_u1(out, (uint8_t) * *at);
    }
    (*at)++;
}

/* ' (120)' behind the text of a character: its code. Goes behind it. */
static bool take_code(const char **at, unsigned code)
{
    char text[16];
    int n = snprintf(text, sizeof text, " (%u)", code);
    if (strncmp(*at, text, (size_t)n) != 0)
        return false;
    *at += n;
    return true;
}

/* '\' (92) and ''' (39), as answers show them. */
static bool take_bare_character(struct parser *p, struct node *n, struct writer *text)
{
    const char *behind = p->at + 3;
    if (p->at[0] != '\'' || (p->at[1] != '\'' && p->at[1] != '\\') || p->at[2] != '\'' ||
        !take_code(&behind, (unsigned char)p->at[1]))
        return false;
    write_u1(text, (uint8_t)p->at[1]);
    p->at = behind;
    n->is_character = true;
    return true;
}

/* Behind a text in apostrophes: is it a character with its code? */
static void read_code(struct parser *p, struct node *n, const struct writer *text)
{
    const uint8_t *s = text->data;
    uint32_t c = s != NULL ? s[0] : 0;
    size_t length = text->size == 0 ? 0 : s[0] < 0x80 ? 1 : utf8_char(s, text->size, &c);
    if (strncmp(p->at, " (", 2) != 0 || strspn(p->at + 2, "0123456789") == 0)
        return;
    if (length == 0 || length != text->size || !take_code(&p->at, c))
        (void)fail(p, "the code of this character");
    n->is_character = true;
}

/* Behind a text in quotes: "text"... or, of "text"#12 and "text"...#12, the id. */
static void read_string_end(struct parser *p, struct node *n, struct writer *text)
{
    n->begins = strncmp(p->at, "...", 3) == 0;
    p->at += n->begins ? 3 : 0;
    if (*p->at != '#')
        return;
    size_t size = strcspn(p->at, " \t\r\n&|)");
    text->size = 0;
    write_bytes(text, p->at, size);
    p->at += size;
    n->quoted = n->begins = false;
}

static void read_quoted(struct parser *p, struct node *n, struct writer *text)
{
    char quote = *p->at;
    if (take_bare_character(p, n, text))
        return;
    for (p->at++; *p->at != '\0' && *p->at != quote;) {
        if (*p->at == '\\' && p->at[1] != '\0') {
            p->at++;
            take_escape(&p->at, n->op == OPERATOR_MATCH, text);
        } else {
            write_u1(text, (uint8_t)*p->at++);
        }
    }
    if (*p->at == '\0') {
        (void)fail(p, "the end of the quoted text");
        return;
    }
    p->at++;
    if (quote == '\'')
        read_code(p, n, text);
    read_string_end(p, n, text);
}

/* The length of a value in brackets, [1, 2] or {a=[b]}, that ends where they close; 0: none. */
static size_t bracketed(const char *text)
{
    size_t depth = 0;
    for (size_t i = 0; text[i] != '\0'; i++) {
        depth += text[i] == '[' || text[i] == '{';
        if (depth == 0)
            return 0;
        depth -= text[i] == ']' || text[i] == '}';
        if (depth == 0)
            return i + 1;
    }
    return 0;
}

/* "text" or 'text' with escapes, what stands in brackets, or all up to a blank, & | or ). */
static void read_value(struct parser *p, struct node *n)
{
    struct writer text = { 0 };
    n->quoted = *p->at == '"' || *p->at == '\'';
    if (n->quoted) {
        read_quoted(p, n, &text);
    } else {
        size_t size = n->op != OPERATOR_MATCH ? bracketed(p->at) : 0;
        size = size > 0 ? size : strcspn(p->at, " \t\r\n&|)");
        write_bytes(&text, p->at, size);
        p->at += size;
    }
    n->value_size = text.size;
    write_u1(&text, 0);
    if (text.bad) {
        writer_free(&text);
        if (p->status == PARSED)
            p->status = cli_fail(EXIT_FAILED, p->command, "out of memory");
        return;
    }
    n->value = (char *)text.data;
}

/* Behind Type#12: what the object stands for, as answers show it. */
static void skip_shown(struct parser *p)
{
    int open = 0;
    if (*p->at != ' ')
        return;
    for (; *p->at != '\0' && strncmp(p->at, "&&", 2) != 0 && strncmp(p->at, "||", 2) != 0; p->at++) {
        if (*p->at == ')' && open == 0)
            break;
        open += (*p->at == '(') - (*p->at == ')');
    }
}

static size_t comparison(struct parser *p)
{
    struct node n = { .type = NODE_COMPARISON };
    size_t length;
    skip_blanks(p);
    length = strcspn(p->at, " \t\r\n=!<>&|()\"'");
    if (length == 0)
        return fail(p, "a name");
    const char *name = p->at;
    p->at += length;
    while (n.op < OPERATORS && !take(p, operators[n.op]))
        n.op++;
    if (n.op == OPERATORS)
        return fail(p, "one of == != < <= > >= =~");
    skip_blanks(p);
    n.name = strndup(name, length);
    if (n.name == NULL)
        p->status = cli_fail(EXIT_FAILED, p->command, "out of memory");
    read_value(p, &n);
    if (n.value != NULL && n.value[0] == '\0' && !n.quoted)
        (void)fail(p, "a value");
    if (n.value != NULL && !n.quoted)
        read_number(&n);
    if (n.value != NULL && !n.quoted && n.op != OPERATOR_MATCH && strchr(n.value, '#') != NULL)
        n.is_object = cli_object(n.value, &n.object, &n.type_length);
    if (n.is_object)
        skip_shown(p);
    if (n.value != NULL && n.op == OPERATOR_MATCH && p->status == PARSED) {
        int bad = regcomp(&n.regex, n.value, REG_EXTENDED);
        n.has_regex = bad == 0;
        if (bad != 0)
            (void)fail(p, "a regular expression before this place");
    }
    if (p->status != PARSED && n.has_regex)
        regfree(&n.regex);
    return add(p, n);
}

static size_t expression(struct parser *p);

static size_t negation(struct parser *p)
{
    size_t inner;
    if (p->depth == DEPTH_MAX)
        return fail(p, "fewer parentheses");
    p->depth++;
    if (take(p, "!")) {
        inner = negation(p);
        inner = add(p, (struct node){ .type = NODE_NOT, .left = inner });
    } else if (take(p, "(")) {
        inner = expression(p);
        if (!take(p, ")"))
            (void)fail(p, "&&, || or )");
    } else {
        inner = comparison(p);
    }
    p->depth--;
    return inner;
}

static size_t conjunction(struct parser *p)
{
    size_t left = negation(p);
    while (p->status == PARSED && take(p, "&&")) {
        size_t right = negation(p);
        left = add(p, (struct node){ .type = NODE_AND, .left = left, .right = right });
    }
    return left;
}

static size_t expression(struct parser *p)
{
    size_t left = conjunction(p);
    while (p->status == PARSED && take(p, "||")) {
        size_t right = conjunction(p);
        left = add(p, (struct node){ .type = NODE_OR, .left = left, .right = right });
    }
    return left;
}

/* Numbers the nodes below `at`; `next` is the next number that is free. */
static void join(struct where *w, size_t at, size_t all, size_t *next)
{
    struct node *n = &w->nodes.items[at];
    n->all = all;
    const bool both = n->type == NODE_AND, two = both || n->type == NODE_OR;
    if (n->type != NODE_COMPARISON)
        join(w, n->left, both ? all : (*next)++, next);
    if (two)
        join(w, n->right, both ? all : (*next)++, next);
}

int where_parse(const char *command, const char *text, struct where **out)
{
    *out = NULL;
    if (text == NULL)
        return PARSED;
    struct parser p = { command, text, text, calloc(1, sizeof *p.where), 0, PARSED };
    if (p.where == NULL)
        return cli_fail(EXIT_FAILED, command, "out of memory");
    p.where->root = expression(&p);
    skip_blanks(&p);
    if (p.status == PARSED && *p.at != '\0')
        (void)fail(&p, "&& or ||");
    if (p.status == PARSED) {
        size_t next = 1;
        join(p.where, p.where->root, 0, &next);
        *out = p.where;
    } else {
        where_free(p.where);
    }
    return p.status;
}

void where_free(struct where *where)
{
    for (size_t i = 0; where != NULL && i < where->nodes.count; i++) {
        struct node *n = &where->nodes.items[i];
        free(n->name);
        free(n->value);
        map_free(&n->constants);
        if (n->has_regex)
            regfree(&n->regex);
    }
    if (where != NULL)
        vec_free(&where->nodes);
    free(where);
}

/* ---- comparing ---- */

enum answer { NO, YES, NOT_KNOWN };

static enum answer answer_of(enum comparator op, int order)
{
    switch (op) {
    case OPERATOR_EQ: return order == 0;
    case OPERATOR_NE: return order != 0;
    case OPERATOR_LE: return order <= 0;
    case OPERATOR_GE: return order >= 0;
    case OPERATOR_LT: return order < 0;
    case OPERATOR_GT: return order > 0;
    case OPERATOR_MATCH:
    case OPERATORS: return NOT_KNOWN;
    }
    return NOT_KNOWN;
}

/* Of things without an order, such as objects. */
static enum answer answer_same(enum comparator op, bool same)
{
    return op == OPERATOR_EQ ? (enum answer)same : op == OPERATOR_NE ? (enum answer) !same : NOT_KNOWN;
}

/* `text` ends with a zero that is not counted. `cut`: it goes on, but that was not recorded. */
static enum answer compare_bytes(const struct node *n, const char *text, size_t size, bool cut)
{
    size_t both = size < n->value_size ? size : n->value_size;
    regmatch_t whole = { .rm_eo = (regoff_t)size }; /* with REG_STARTEND a zero is a character */
    const int end = cut ? REG_STARTEND | REG_NOTEOL : REG_STARTEND;
    if (n->op == OPERATOR_MATCH)
        return size <= INT_MAX && regexec(&n->regex, text, 1, &whole, end) == 0 ? YES : cut ? NOT_KNOWN : NO;
    int order = memcmp(text, n->value, both);
    if (order == 0 && cut && size < n->value_size)
        return NOT_KNOWN;
    if (n->begins)
        return answer_same(n->op, order == 0 && both == n->value_size);
    return answer_of(n->op, order != 0 ? order : size < n->value_size ? -1 : size > n->value_size || cut);
}

static enum answer compare_text(const struct node *n, const char *text)
{
    return compare_bytes(n, text, strlen(text), false);
}

static enum answer compare_integer(const struct node *n, int64_t value)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%lld", (long long)value);
    if (n->op == OPERATOR_MATCH)
        return compare_text(n, text);
    if (n->integer)
        return answer_of(n->op, value < n->number ? -1 : value > n->number);
    if (n->real && !isnan(n->fraction))
        return answer_of(n->op, (double)value < n->fraction ? -1 : (double)value > n->fraction);
    return answer_same(n->op, false);
}

/* `text`: the value as it is shown. `is_float`: it is one, so the number of the condition counts as one, as in Java:
 * 0.1 is 0.1f. */
static enum answer compare_real(const struct node *n, double value, bool is_float, const char *text)
{
    double fraction = is_float ? (double)(float)n->fraction : n->fraction;
    if (n->op == OPERATOR_MATCH)
        return compare_text(n, text);
    if (!n->real)
        return answer_same(n->op, false);
    if ((isnan(value) || isnan(fraction)) && n->op != OPERATOR_EQ && n->op != OPERATOR_NE)
        return NO; /* as in Java */
    if (isnan(value) || isnan(fraction))
        return answer_same(n->op, isnan(value) && isnan(fraction));
    return answer_of(n->op, value < fraction ? -1 : value > fraction);
}

static enum answer compare_boolean(const struct node *n, bool value)
{
    if (n->real && n->op != OPERATOR_MATCH)
        return answer_same(n->op, n->integer && n->number == (int64_t)value);
    return compare_text(n, value ? "true" : "false");
}

static enum answer compare_char(const struct node *n, uint16_t unit)
{
    struct writer text = { 0 };
    const bool digit = n->value[1] == '\0' && (n->op == OPERATOR_EQ || n->op == OPERATOR_NE); /* == 5 is '5' */
    if (n->real && !n->quoted && !n->is_character && !digit && n->op != OPERATOR_MATCH)
        return compare_integer(n, unit);
    utf16le_to_utf8((uint8_t[]){ (uint8_t)unit, (uint8_t)(unit >> 8) }, 2, &text);
    write_u1(&text, 0);
    enum answer answer = text.bad ? NOT_KNOWN : compare_bytes(n, (const char *)text.data, text.size - 1, false);
    writer_free(&text);
    return answer;
}

static enum answer compare_string(const struct node *n, const struct hs_object *o)
{
    struct writer text = { 0 };
    if (n->real && (n->op == OPERATOR_LT || n->op == OPERATOR_LE || n->op == OPERATOR_GT || n->op == OPERATOR_GE))
        return NOT_KNOWN; /* a text has no order among numbers */
    if (n->is_character)
        return answer_same(n->op, false);
    (o->latin1 ? latin1_to_utf8 : utf16le_to_utf8)(o->data, o->data_bytes, &text);
    write_u1(&text, 0);
    enum answer answer = text.bad ? NOT_KNOWN : compare_bytes(n, (const char *)text.data, text.size - 1, o->cut);
    writer_free(&text);
    return answer;
}

/* The object that the static field of this name holds in the class of the object: the constant of an enum. 0: none. */
static uint32_t find_constant(struct node *n, hs_trace *t, const struct hs_object *o)
{
    const struct hs_write *w;
    size_t size = strlen(o->type) + strlen(n->value) + 2;
    bool is_number = strchr("0123456789+-", n->value[0]) != NULL;
    if (o->class_id == 0 || is_number || strpbrk(n->value, "#[:.") != NULL) /* not the name of a field */
        return 0;
    struct constant *c = map_get(&n->constants, o->class_id);
    if (c != NULL)
        return c->object;
    char *place = malloc(size);
    c = place != NULL ? map_put(&n->constants, o->class_id) : NULL;
    if (c != NULL) {
        (void)snprintf(place, size, "%s.%s", o->type, n->value);
        if (hs_last_write(t, place, HS_NO_SEQ, &w, NULL) > 0 && w->event->kind == HS_KIND_REF)
            c->object = (uint32_t)w->event->value;
    }
    free(place);
    return c != NULL ? c->object : 0;
}

/* Of an object, or 0, with one that the condition names. */
static enum answer compare_object(const struct node *n, hs_trace *t, uint64_t id)
{
    bool same = id == n->object;
    return answer_same(n->op, same && names_has_type(hs_object_get(t, n->object), n->value, n->type_length));
}

/* A decimal number as its sign, the digits before the point and those behind it, without zeros that say nothing. */
struct decimal {
    int sign;
    const char *whole, *fraction;
    int whole_size, fraction_size;
};
static bool read_decimal(const char *text, struct decimal *d)
{
    static const char digits[] = "0123456789";
    *d = (struct decimal){ .sign = *text == '-' ? -1 : 1 };
    text += *text == '-' || *text == '+';
    const char *first = text + strspn(text, "0");
    d->whole = first;
    d->whole_size = (int)strspn(first, digits);
    d->fraction = first + d->whole_size + (first[d->whole_size] == '.');
    d->fraction_size = (int)strspn(d->fraction, digits);
    bool all = (first > text || d->whole_size > 0 || d->fraction_size > 0) && d->fraction[d->fraction_size] == '\0';
    while (d->fraction_size > 0 && d->fraction[d->fraction_size - 1] == '0')
        d->fraction_size--;
    if (d->whole_size == 0 && d->fraction_size == 0)
        d->sign = 0;
    return all;
}

static int compare_decimals(const struct decimal *a, const struct decimal *b)
{
    if (a->sign != b->sign)
        return a->sign < b->sign ? -1 : 1;
    int order = a->whole_size - b->whole_size,
        both = a->fraction_size < b->fraction_size ? a->fraction_size : b->fraction_size;
    if (order == 0)
        order = memcmp(a->whole, b->whole, (size_t)a->whole_size);
    if (order == 0)
        order = memcmp(a->fraction, b->fraction, (size_t)both);
    if (order == 0)
        order = a->fraction_size - b->fraction_size;
    return a->sign * order;
}

static enum answer compare_number(struct node *n, hs_trace *t, const struct where_value *v);

/* What an object stands for: the number in a box, a constant by its name, with its class or without, else a text; two
 * decimal numbers by their size, so that 120 is 120.00. */
static enum answer compare_value(struct node *n, hs_trace *t, const struct hs_object_value *v)
{
    const bool ordered = n->op != OPERATOR_EQ && n->op != OPERATOR_NE && n->op != OPERATOR_MATCH;
    struct decimal own, given;
    const char *dot = v->is_constant && n->op != OPERATOR_MATCH ? strrchr(n->value, '.') : NULL;
    if (v->kind != 0)
        return compare_number(n, t, &(struct where_value){ .kind = v->kind, .bits = v->bits });
    if (!n->quoted && n->op != OPERATOR_MATCH && read_decimal(v->text, &own) && read_decimal(n->value, &given))
        return answer_of(n->op, compare_decimals(&own, &given));
    if (n->real && ordered)
        return NOT_KNOWN; /* a text has no order among numbers */
    if (dot == NULL || strcmp(dot + 1, v->text) != 0) {
        const char *shown = show_without_type(v->text);
        return strcmp(shown, n->value) == 0 ? compare_text(n, shown) : compare_text(n, v->text);
    }
    const struct hs_object *o = hs_object_get(t, v->id);
    char *named = strndup(n->value, (size_t)(dot - n->value)),
         *enum_type = o != NULL && o->type != NULL ? strndup(o->type, value_enum_length(o->type)) : NULL;
    bool same = named != NULL && enum_type != NULL && hs_class_matches(named, enum_type);
    free(named);
    free(enum_type);
    return answer_same(n->op, same);
}

static enum answer compare_reference(struct node *n, hs_trace *t, uint64_t value, uint64_t at)
{
    bool null = !n->quoted && strcmp(n->value, "null") == 0;
    if (null || value == 0)
        return answer_same(n->op, null && value == 0);
    const struct hs_object *o = value <= UINT32_MAX ? hs_object_get(t, (uint32_t)value) : NULL;
    if (o == NULL)
        return NOT_KNOWN;
    if (o->has_string)
        return compare_string(n, o);
    const struct hs_object_value *v = hs_object_value_get(t, (uint32_t)value, at != 0 ? at : HS_NO_SEQ);
    if (v != NULL)
        return compare_value(n, t, v);
    o = hs_object_get(t, (uint32_t)value);
    if (o == NULL)
        return NOT_KNOWN;
    if (n->op == OPERATOR_MATCH)
        return o->type != NULL ? compare_text(n, o->type) : NOT_KNOWN;
    uint32_t constant = o->type != NULL ? find_constant(n, t, o) : 0;
    return constant != 0 ? answer_same(n->op, constant == value) : NOT_KNOWN;
}

static enum answer compare_number(struct node *n, hs_trace *t, const struct where_value *v)
{
    float single;
    double real;
    char text[JSON_NUMBER_MAX];
    uint32_t bits = (uint32_t)v->bits;
    switch (v->kind) {
    case HS_KIND_BOOLEAN: return compare_boolean(n, v->bits != 0);
    case HS_KIND_CHAR: return compare_char(n, (uint16_t)v->bits);
    case HS_KIND_FLOAT:
        memcpy(&single, &bits, sizeof single);
        return compare_real(n, (double)single, true, json_float_digits(bits, text));
    case HS_KIND_DOUBLE:
        memcpy(&real, &v->bits, sizeof real);
        return compare_real(n, real, false, json_double_digits(v->bits, text));
    case HS_KIND_REF: return compare_reference(n, t, v->bits, v->at);
    default: return compare_integer(n, (int64_t)v->bits);
    }
}

static enum answer compare_one(struct node *n, hs_trace *t, const struct where_value *v)
{
    if (n->is_object && (v->is_id || v->kind == HS_KIND_REF))
        return compare_object(n, t, v->bits);
    if (v->kind != 0 && (v->text == NULL || n->integer))
        return compare_number(n, t, v);
    if (v->text != NULL && v->is_class && (n->op == OPERATOR_EQ || n->op == OPERATOR_NE))
        return answer_same(n->op, hs_class_matches(n->value, v->text));
    return v->text != NULL ? compare_text(n, v->text) : NOT_KNOWN;
}

static enum answer compare(struct node *n, hs_trace *t, where_lookup *lookup, void *context)
{
    const struct where_value v = lookup(context, n->name);
    enum answer answer = compare_one(n, t, &v);
    n->asked = true;
    n->seen |= v.text != NULL || v.kind != 0;
    for (size_t i = 0; i < v.more_count && answer != YES; i++) {
        enum answer next = compare_one(n, t, &v.more[i]);
        answer = next == NO ? answer : next;
    }
    return answer;
}

static enum answer negated(enum answer a) { return a == NOT_KNOWN ? NOT_KNOWN : a == YES ? NO : YES; }

/* What is not known decides nothing, also behind a !. */
static enum answer evaluate(struct where *w, size_t at, hs_trace *t, where_lookup *lookup, void *context)
{
    struct node *n = &w->nodes.items[at];
    enum answer decides = n->type == NODE_OR ? YES : NO, left, right;
    if (n->type == NODE_COMPARISON)
        return compare(n, t, lookup, context);
    left = evaluate(w, n->left, t, lookup, context);
    if (n->type == NODE_NOT)
        return negated(left);
    if (left == decides)
        return left;
    right = evaluate(w, n->right, t, lookup, context);
    return right == decides || left != NOT_KNOWN ? right : NOT_KNOWN;
}

bool where_passes(struct where *where, hs_trace *trace, where_lookup *lookup, void *context)
{
    return where == NULL || evaluate(where, where->root, trace, lookup, context) == YES;
}

const char *where_next_unknown(const struct where *where, size_t *at)
{
    while (where != NULL && *at < where->nodes.count) {
        const struct node *n = &where->nodes.items[(*at)++];
        if (n->type == NODE_COMPARISON && n->asked && !n->seen)
            return n->name;
    }
    return NULL;
}

const char *where_next_name(const struct where *where, size_t *at)
{
    while (where != NULL && *at < where->nodes.count) {
        const struct node *n = &where->nodes.items[(*at)++];
        if (n->type == NODE_COMPARISON)
            return n->name;
    }
    return NULL;
}

bool where_next_joined(const struct where *where, struct where_joined *at)
{
    const size_t count = where != NULL ? where->nodes.count : 0;
    for (; at->left < count; at->left++, at->right = 0) {
        const struct node *a = &where->nodes.items[at->left];
        size_t begin = at->right > at->left ? at->right : at->left + 1;
        for (size_t i = begin; i < count && a->type == NODE_COMPARISON; i++) {
            const struct node *b = &where->nodes.items[i];
            if (b->type != NODE_COMPARISON || b->all != a->all || strcmp(a->name, b->name) == 0)
                continue;
            at->right = i + 1;
            at->names[0] = a->name;
            at->names[1] = b->name;
            at->whole = a->all == 0;
            return true;
        }
    }
    return false;
}
