/* compare.c - is a value what answers show as this? See shown.h.
 *
 * A number is compared as one, also that in a box; a float with a decimal as floats (0.1 is 0.1f). A digit is also the
 * character. A text is compared with texts, the names of enum constants and classes, and what objects stand for.
 * `fits`: the two can be compared; else == gives no, != yes, and what has no order is not known. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/json.h"
#include "formats/jvm/arithmetic.h"
#include "formats/mutf8.h"
#include "reader/expression/expression.h"

struct comparing {
    struct evaluation *e;
    enum expression_operator op;
    const struct shown_value *s;
    bool fits;
};

static enum expression_answer answer_of(enum expression_operator op, int order)
{
    return op == OPERATOR_MATCH ? EXPRESSION_NOT_KNOWN : (enum expression_answer)operator_holds(op, order);
}

/* Of things without an order, such as objects. */
static enum expression_answer answer_same(enum expression_operator op, bool same)
{
    return op == OPERATOR_EQ   ? (enum expression_answer)same
           : op == OPERATOR_NE ? (enum expression_answer) !same
                               : EXPRESSION_NOT_KNOWN;
}

/* Of what the value cannot be. */
static enum expression_answer different(struct comparing *c)
{
    c->fits = false;
    return answer_same(c->op, false);
}

static bool is_ordered(enum expression_operator op)
{
    return op != OPERATOR_EQ && op != OPERATOR_NE && op != OPERATOR_MATCH;
}

/* ---- texts ---- */

/* `text` ends with a zero that is not counted. `cut`: it goes on, but that was not recorded. */
static enum expression_answer compare_bytes(const struct comparing *c, const char *text, size_t size, bool cut)
{
    const struct shown_value *s = c->s;
    size_t both = size < s->size ? size : s->size;
    regmatch_t whole = { .rm_eo = (regoff_t)size }; /* with REG_STARTEND a zero is a character */
    const int end = cut ? REG_STARTEND | REG_NOTEOL : REG_STARTEND;
    if (c->op == OPERATOR_MATCH)
        return size <= INT_MAX && regexec(&s->regex, text, 1, &whole, end) == 0 ? EXPRESSION_YES
               : cut                                                            ? EXPRESSION_NOT_KNOWN
                                                                                : EXPRESSION_NO;
    int order = memcmp(text, s->text, both);
    if (order == 0 && cut && size < s->size)
        return EXPRESSION_NOT_KNOWN;
    if (s->begins)
        return answer_same(c->op, order == 0 && both == s->size);
    return answer_of(c->op, order != 0 ? order : size < s->size ? -1 : size > s->size || cut);
}

static enum expression_answer compare_text(const struct comparing *c, const char *text)
{
    return compare_bytes(c, text, strlen(text), false);
}

/* ---- numbers ---- */

static enum expression_answer compare_integer(struct comparing *c, int64_t value)
{
    const struct shown_value *s = c->s;
    if (c->op == OPERATOR_MATCH) {
        char text[32];
        (void)snprintf(text, sizeof text, "%lld", (long long)value);
        return compare_text(c, text);
    }
    if (s->integer)
        return answer_of(c->op, value < s->number ? -1 : value > s->number);
    if (s->real && !isnan(s->fraction))
        return answer_of(c->op, (double)value < s->fraction ? -1 : (double)value > s->fraction);
    return different(c);
}

static enum expression_answer compare_real(struct comparing *c, char kind, uint64_t bits)
{
    const bool is_float = kind == 'F';
    const double value = is_float ? (double)as_float(bits) : as_double(bits);
    const double fraction = is_float ? (double)(float)c->s->fraction : c->s->fraction;
    if (c->op == OPERATOR_MATCH) { /* as it is shown */
        char text[JSON_NUMBER_MAX];
        return compare_text(c, is_float ? json_float_digits((uint32_t)bits, text) : json_double_digits(bits, text));
    }
    if (!c->s->real)
        return different(c);
    if ((isnan(value) || isnan(fraction)) && is_ordered(c->op))
        return EXPRESSION_NO; /* as in Java */
    if (isnan(value) || isnan(fraction))
        return answer_same(c->op, isnan(value) && isnan(fraction));
    return answer_of(c->op, value < fraction ? -1 : value > fraction);
}

static enum expression_answer compare_boolean(struct comparing *c, bool value)
{
    const struct shown_value *s = c->s;
    if (s->real && c->op != OPERATOR_MATCH)
        return answer_same(c->op, s->integer && s->number == (int64_t)value);
    c->fits = c->op == OPERATOR_MATCH || strcmp(s->text, "true") == 0 || strcmp(s->text, "false") == 0;
    return compare_text(c, value ? "true" : "false");
}

static enum expression_answer compare_char(struct comparing *c, uint16_t unit)
{
    const struct shown_value *s = c->s;
    struct writer text = { 0 };
    const bool digit = s->text[1] == '\0' && !is_ordered(c->op); /* == 5 is '5' */
    if (s->real && !s->quoted && !s->is_character && !digit && c->op != OPERATOR_MATCH)
        return compare_integer(c, unit);
    utf16le_to_utf8((uint8_t[]){ (uint8_t)unit, (uint8_t)(unit >> 8) }, 2, &text);
    write_u1(&text, 0);
    c->fits = c->op == OPERATOR_MATCH || s->quoted || s->is_character || s->size <= 1 || (uint8_t)s->text[0] >= 0x80;
    enum expression_answer answer =
        text.bad ? EXPRESSION_NOT_KNOWN : compare_bytes(c, (const char *)text.data, text.size - 1, false);
    writer_free(&text);
    return answer;
}

static enum expression_answer compare_reference(struct comparing *c, const struct expression_value *v);

static enum expression_answer compare_number(struct comparing *c, const struct expression_value *v)
{
    switch (v->kind) {
    case 'Z': return compare_boolean(c, v->bits != 0);
    case 'C': return compare_char(c, (uint16_t)v->bits);
    case 'F':
    case 'D': return compare_real(c, v->kind, v->bits);
    case 'L': return compare_reference(c, v);
    default: return compare_integer(c, (int64_t)v->bits);
    }
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

/* ---- objects ---- */

static const struct expression_objects *objects_of(const struct comparing *c) { return c->e->host->objects; }

/* Does the text, so many characters of it, name the class? */
static bool names_class(const struct comparing *c, const char *text, size_t length, const char *class_name)
{
    char *typed = strndup(text, length);
    bool same = typed != NULL && objects_of(c)->class_matches(typed, class_name);
    free(typed);
    return same;
}

/* With Type#12. */
static enum expression_answer compare_object(struct comparing *c, uint64_t id)
{
    const struct shown_value *s = c->s;
    const bool same = id == s->object;
    const char *type = same && s->type_length > 0 ? objects_of(c)->type(c->e->host->context, id) : NULL;
    if (!same || s->type_length == 0)
        return answer_same(c->op, same);
    return answer_same(c->op, names_class(c, s->text, s->type_length, type != NULL ? type : "object"));
}

/* ArrayList[1, 2] as [1, 2], Optional.empty as empty. */
static const char *without_type(const char *text)
{
    size_t n = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    if (n > 0 && text[n] == '[')
        return text + n;
    return strncmp(text, "Optional", 8) == 0 && text[n] == '.' && strcmp(text + n, ".empty") == 0 ? "empty" : text;
}

/* What an object stands for: the number in a box, a constant by its name, with its class or without, else a text; two
 * decimal numbers by their size, so that 120 is 120.00. */
static enum expression_answer compare_standing(struct comparing *c, const struct expression_standing *v)
{
    const struct shown_value *s = c->s;
    struct decimal own, given;
    const char *dot = v->is_constant && c->op != OPERATOR_MATCH ? strrchr(s->text, '.') : NULL;
    if (v->kind != 0) {
        const struct expression_value number = expression_number(v->kind, v->bits);
        return compare_number(c, &number);
    }
    if (!s->quoted && c->op != OPERATOR_MATCH && read_decimal(v->text, &own) && read_decimal(s->text, &given))
        return answer_of(c->op, compare_decimals(&own, &given));
    if (s->real && is_ordered(c->op))
        return EXPRESSION_NOT_KNOWN; /* a text has no order among numbers */
    if (dot == NULL || strcmp(dot + 1, v->text) != 0) {
        const char *shown = without_type(v->text);
        return compare_text(c, strcmp(shown, s->text) == 0 ? shown : v->text);
    }
    char *of = v->constant_of != NULL ? strndup(v->constant_of, v->constant_size) : NULL;
    bool same = of != NULL && names_class(c, s->text, (size_t)(dot - s->text), of);
    free(of);
    return answer_same(c->op, same);
}

/* The string as its text; EXPRESSION_NOT_KNOWN with `*is` false: it is none. */
static enum expression_answer compare_string(struct comparing *c, uint64_t id, bool *is)
{
    const struct shown_value *s = c->s;
    struct writer text = { 0 };
    bool cut = false;
    *is = objects_of(c)->string(c->e->host->context, id, &text, &cut) == EXPRESSION_YES;
    write_u1(&text, 0);
    enum expression_answer answer = EXPRESSION_NOT_KNOWN;
    if (*is && s->real && is_ordered(c->op))
        answer = EXPRESSION_NOT_KNOWN; /* a text has no order among numbers */
    else if (*is && s->is_character)
        answer = answer_same(c->op, false);
    else if (*is && !text.bad)
        answer = compare_bytes(c, (const char *)text.data, text.size - 1, cut);
    writer_free(&text);
    return answer;
}

static enum expression_answer compare_reference(struct comparing *c, const struct expression_value *v)
{
    const struct expression_objects *objects = objects_of(c);
    void *context = c->e->host->context;
    const struct shown_value *s = c->s;
    struct expression_standing standing;
    const bool null = !s->quoted && strcmp(s->text, "null") == 0;
    bool is_string;
    if (null || v->bits == 0)
        return answer_same(c->op, null && v->bits == 0);
    if (objects == NULL)
        return EXPRESSION_NOT_KNOWN;
    enum expression_answer answer = compare_string(c, v->bits, &is_string);
    if (is_string)
        return answer;
    if (objects->stands_for(context, v->bits, v->moment, &standing) == EXPRESSION_YES)
        return compare_standing(c, &standing);
    if (c->op == OPERATOR_MATCH) {
        const char *type = objects->type(context, v->bits);
        return type != NULL ? compare_text(c, type) : EXPRESSION_NOT_KNOWN;
    }
    const bool name = strchr("0123456789+-", s->text[0]) == NULL && strpbrk(s->text, "#[:.") == NULL;
    const uint64_t constant = name ? objects->constant(context, v->bits, s->text) : 0;
    c->fits = constant != 0;
    return constant != 0 ? answer_same(c->op, constant == v->bits) : EXPRESSION_NOT_KNOWN;
}

enum expression_answer value_is_shown(struct evaluation *e, enum expression_operator op,
                                      const struct expression_value *v, const struct shown_value *shown, bool *fits)
{
    struct comparing c = { e, op, shown, true };
    enum expression_answer answer;
    if (!v->known)
        answer = EXPRESSION_NOT_KNOWN;
    else if (shown->is_object && (v->is_id || v->kind == 'L') && e->host->objects != NULL)
        answer = compare_object(&c, v->bits);
    else if (shown->is_string) /* that string, and no other text */
        answer = different(&c);
    else if (v->kind != EXPRESSION_TEXT && (v->text == NULL || shown->integer))
        answer = compare_number(&c, v);
    else if (v->text != NULL && v->is_class && !is_ordered(op) && op != OPERATOR_MATCH)
        answer = answer_same(op, names_class(&c, shown->text, shown->size, v->text));
    else
        answer = v->text != NULL ? compare_text(&c, v->text) : EXPRESSION_NOT_KNOWN;
    *fits = c.fits;
    return answer;
}
