/* natives_big.c - BigInteger and BigDecimal: arithmetic of executed code, exact, as java.math has it; see natives.h.
 *
 * A number of the heap is what its text says, since toString() is one to one; so is one that is made: its units are
 * that text. What a method gives is never said to be the same object as another one. */
#include <stdio.h>
#include <stdlib.h>

#include "reader/code/types.h"
#include "reader/execute/big.h"
#include "reader/execute/natives.h"

/* More digits than these are not known: time grows with their square. */
enum { BIG_DIGITS_MAX = 5000, BIG_SCALE_MAX = 1000000 };
static const char integer_type[] = "java.math.BigInteger", decimal_type[] = "java.math.BigDecimal";

/* n / 10^scale */
struct decimal {
    struct big n;
    int64_t scale;
};

static bool too_long(struct machine *m) { return end_limit(m, "a number has too many digits"); }
static bool done(struct machine *m, bool good) { return good ? true : end_memory(m); }

/* ---- reading and writing ---- */

static char ascii(uint16_t unit) { return unit > 127 ? '?' : (char)unit; }

/* [sign] digits [. digits] [E [sign] digits], as toString gives it and the constructors take it. 1; 0: it is no number;
 * -1: ended. */
static int parse(struct machine *m, const char *text, size_t size, struct decimal *out)
{
    char *digits = arena_chars(&m->arena, size + 1);
    size_t count = 0, at = 0, behind = 0, any = 0;
    int64_t exponent = 0;
    if (digits == NULL)
        return (void)end_memory(m), -1;
    if (at < size && (text[at] == '-' || text[at] == '+'))
        digits[count++] = text[at++];
    for (bool point = false; at < size && ((text[at] >= '0' && text[at] <= '9') || (text[at] == '.' && !point)); at++) {
        if (text[at] == '.') {
            point = true;
            continue;
        }
        digits[count++] = text[at];
        behind += point;
        any++;
    }
    if (any == 0)
        return 0;
    if (at < size && (text[at] == 'E' || text[at] == 'e')) {
        const bool negative = at + 1 < size && text[at + 1] == '-';
        at++;
        if (at < size && (text[at] == '-' || text[at] == '+'))
            at++;
        if (at == size || size - at > 10)
            return 0;
        for (; at < size && text[at] >= '0' && text[at] <= '9'; at++)
            exponent = 10 * exponent + (text[at] - '0');
        exponent = negative ? -exponent : exponent;
    }
    if (at < size)
        return 0;
    if (any > BIG_DIGITS_MAX)
        return (void)too_long(m), -1;
    out->scale = (int64_t)behind - exponent;
    if (!big_read(&m->arena, digits, count, &out->n))
        return (void)end_memory(m), -1;
    return spend(m, out->n.count * out->n.count / 8) ? 1 : -1;
}

static bool number_of(struct machine *m, struct jvalue v, struct decimal *out)
{
    const struct made *made = made_of(m, v);
    if (!known(m, v))
        return false;
    if (v.bits == 0)
        return throws(m, "java.lang.NullPointerException", NULL);
    const struct hs_object_value *value = made == NULL ? m->heap.value(m->heap.context, (uint32_t)v.bits) : NULL;
    const char *text = value != NULL ? value->text : NULL;
    const size_t size = made != NULL ? made->count : text != NULL ? strlen(text) : 0;
    char *copy = arena_chars(&m->arena, size + 1);
    if (copy == NULL)
        return end_memory(m);
    for (size_t i = 0; i < size; i++)
        copy[i] = made == NULL ? text[i] : ascii(made->units[i]);
    const int good = (made == NULL || made->is == MADE_BIG) && size > 0 ? parse(m, copy, size, out) : 0;
    return good > 0 || (good == 0 &&
                        end_not_known(m, "the number in the object %llu was not recorded", (unsigned long long)v.bits));
}

static bool make_big(struct machine *m, const char *type, const char *text, size_t size, struct jvalue *out)
{
    struct jvalue string;
    struct made *made = make_text(m, text, size, &string) ? make(m, MADE_BIG, type, out) : NULL;
    if (made == NULL)
        return false;
    const struct made *from = made_of(m, string);
    made->units = from->units;
    made->count = from->count;
    made->shared = true;
    return true;
}

static bool make_integer(struct machine *m, const struct big *n, struct jvalue *out)
{
    const char *digits = big_write(&m->arena, n);
    return digits != NULL ? make_big(m, integer_type, digits, strlen(digits), out) : end_memory(m);
}

static bool make_decimal(struct machine *m, const struct decimal *d, struct jvalue *out)
{
    const char *digits = big_write(&m->arena, &d->n);
    struct writer w = { 0 };
    if (d->scale > BIG_SCALE_MAX || d->scale < -BIG_SCALE_MAX)
        return end_not_known(m, "a number with so large a scale");
    if (digits != NULL)
        value_big_decimal(&w, digits, d->scale);
    const bool good =
        digits != NULL && !w.bad ? make_big(m, decimal_type, (const char *)w.data, w.size, out) : end_memory(m);
    writer_free(&w);
    return good;
}

static int64_t digit_count(const char *digits) { return (int64_t)strlen(digits + (digits[0] == '-')); }

/* n times 10 to that power, which is not negative. */
static bool shifted(struct machine *m, const struct big *n, int64_t power, struct big *out)
{
    if (power > BIG_DIGITS_MAX || n->count > BIG_DIGITS_MAX / 9 + 1)
        return too_long(m);
    return done(m, big_shifted(&m->arena, n, (uint32_t)power, out));
}

/* Both with the larger of their scales. */
static bool aligned(struct machine *m, struct decimal *a, struct decimal *b)
{
    struct decimal *low = a->scale < b->scale ? a : b;
    const int64_t scale = low == a ? b->scale : a->scale;
    if (!shifted(m, &low->n, scale - low->scale, &low->n))
        return false;
    low->scale = scale;
    return true;
}

/* ---- rounding ---- */

static const struct big one = { false, 1, (const uint32_t[]){ 1 } };

/* The mode that a constant of RoundingMode names. */
static const char *mode_of(struct machine *m, struct jvalue v)
{
    if (!known(m, v))
        return NULL;
    if (v.bits == 0)
        return throws(m, "java.lang.NullPointerException", NULL), NULL;
    const struct hs_object_value *value = v.bits < MADE_FIRST ? m->heap.value(m->heap.context, (uint32_t)v.bits) : NULL;
    if (value == NULL || !value->is_constant)
        return end_not_known(m, "the rounding mode"), NULL;
    return value->text;
}

/* n / by, rounded. */
static bool divided(struct machine *m, const struct big *n, const struct big *by, const char *mode, struct big *out)
{
    struct big rest, twice;
    if (!big_divide(&m->arena, n, by, out, &rest) || !big_add(&m->arena, &rest, &rest, &twice))
        return end_memory(m);
    if (rest.count == 0)
        return true;
    const bool negative = n->negative != by->negative, odd = out->count > 0 && (out->limbs[0] & 1) != 0;
    const int half = big_magnitudes(&twice, by);
    bool away;
    if (strcmp(mode, "UNNECESSARY") == 0)
        return throws(m, "java.lang.ArithmeticException", "Rounding necessary");
    if (strncmp(mode, "HALF_", 5) == 0)
        away = half > 0 || (half == 0 && (strcmp(mode, "HALF_UP") == 0 || (strcmp(mode, "HALF_EVEN") == 0 && odd)));
    else
        away = strcmp(mode, "UP") == 0 || strcmp(mode, negative ? "FLOOR" : "CEILING") == 0;
    const struct big step = { negative, one.count, one.limbs };
    return !away || done(m, big_add(&m->arena, out, &step, out));
}

/* `out` may be `d`. */
static bool scaled(struct machine *m, const struct decimal *d, int64_t scale, const char *mode, struct decimal *out)
{
    const int64_t more = scale - d->scale;
    struct big n = d->n, power;
    out->scale = scale;
    if (more >= 0)
        return shifted(m, &n, more, &out->n);
    return shifted(m, &one, -more, &power) && divided(m, &n, &power, mode, &out->n);
}

/* Fewer digits behind the point, as long as those are 0, but not below that scale. */
static bool stripped(struct machine *m, struct decimal *d, int64_t least)
{
    const struct big ten = { false, 1, (const uint32_t[]){ 10 } };
    while (d->scale > least) {
        struct big shorter, rest;
        if (!big_divide(&m->arena, &d->n, &ten, &shorter, &rest))
            return end_memory(m);
        if (rest.count > 0)
            break;
        d->n = shorter;
        d->scale--;
    }
    return true;
}

static bool by_zero(struct machine *m, const struct big *n)
{
    static const int64_t least = INT64_MIN;
    const bool compact = n->count < 2 || (n->count == 2 && n->limbs[1] >> 31 == 0 && big_to_long(n) != least);
    return throws(m, "java.lang.ArithmeticException", compact ? "/ by zero" : "BigInteger divide by zero");
}

static bool quotient(struct machine *m, const struct decimal *a, const struct decimal *b, int64_t scale,
                     const char *mode, struct decimal *out)
{
    const int64_t power = scale - a->scale + b->scale;
    struct big n = a->n, by = b->n;
    if (!shifted(m, power >= 0 ? &n : &by, power >= 0 ? power : -power, power >= 0 ? &n : &by))
        return false;
    out->scale = scale;
    return by.count == 0 ? by_zero(m, &n) : divided(m, &n, &by, mode, &out->n);
}

/* divide(BigDecimal): the exact quotient, with the scale that is nearest to the difference of both. */
static bool exact_quotient(struct machine *m, const struct decimal *a, const struct decimal *b, struct decimal *out)
{
    const char *digits = big_write(&m->arena, &b->n);
    const int64_t least = a->scale - b->scale;
    struct big n, rest;
    if (digits == NULL)
        return end_memory(m);
    if (b->n.count == 0)
        return throws(m, "java.lang.ArithmeticException", a->n.count == 0 ? "Division undefined" : "Division by zero");
    *out = (struct decimal){ a->n, least };
    if (a->n.count == 0)
        return true;
    const int64_t more = (10 * digit_count(digits) + 2) / 3; /* enough for each factor 2 of the divisor */
    if (!shifted(m, &a->n, more, &n))
        return false;
    if (!big_divide(&m->arena, &n, &b->n, &out->n, &rest))
        return end_memory(m);
    if (rest.count > 0)
        return throws(m, "java.lang.ArithmeticException",
                      "Non-terminating decimal expansion; no exact representable decimal result.");
    out->scale = least + more;
    return stripped(m, out, least);
}

/* ---- the methods of both ---- */

static bool is_integer(const struct invocation *i, struct machine *m)
{
    return nature_of(m, i->given[0]) == NATURE_BIG_INTEGER;
}

static bool made_number(struct machine *m, bool integer, const struct decimal *d, struct jvalue *out)
{
    return integer ? make_integer(m, &d->n, out) : make_decimal(m, d, out);
}

static bool multiplied(struct machine *m, const struct decimal *a, const struct decimal *b, struct decimal *out)
{
    if ((uint64_t)a->n.count + b->n.count > BIG_DIGITS_MAX / 9)
        return too_long(m);
    out->scale = a->scale + b->scale;
    return done(m, big_multiply(&m->arena, &a->n, &b->n, &out->n));
}

/* add, subtract, multiply, max, min */
bool big_calculated(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal a, b, result = { { 0 }, 0 };
    const struct text name = i->ref.name;
    if (!number_of(m, i->given[0], &a) || !number_of(m, i->given[1], &b))
        return false;
    const bool integer = is_integer(i, m);
    if (text_is(name, "multiply"))
        return multiplied(m, &a, &b, &result) && made_number(m, integer, &result, out);
    if (!aligned(m, &a, &b))
        return false;
    if (text_is(name, "max") || text_is(name, "min")) {
        const int order = big_compared(&a.n, &b.n);
        const bool equal = order == 0 && !integer; /* then BigDecimal has this, BigInteger the other */
        *out = i->given[equal || (text_is(name, "max") ? order > 0 : order < 0) ? 0 : 1];
        return true;
    }
    if (text_is(name, "subtract"))
        b.n = big_negated(&b.n);
    result.scale = a.scale;
    return done(m, big_add(&m->arena, &a.n, &b.n, &result.n)) && made_number(m, integer, &result, out);
}

/* BigInteger: divide, remainder, mod */
bool big_parted(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal a, b;
    struct big whole, rest;
    if (!number_of(m, i->given[0], &a) || !number_of(m, i->given[1], &b))
        return false;
    const bool mod = text_is(i->ref.name, "mod");
    if (mod && (b.n.count == 0 || b.n.negative))
        return throws(m, "java.lang.ArithmeticException", "BigInteger: modulus not positive");
    if (b.n.count == 0)
        return throws(m, "java.lang.ArithmeticException", "BigInteger divide by zero");
    if (!big_divide(&m->arena, &a.n, &b.n, &whole, &rest) ||
        (mod && rest.negative && !big_add(&m->arena, &rest, &b.n, &rest)))
        return end_memory(m);
    return make_integer(m, text_is(i->ref.name, "divide") ? &whole : &rest, out);
}

/* BigDecimal: divide, with a scale and a rounding mode or not */
bool big_divided(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal a, b, result;
    if (!number_of(m, i->given[0], &a) || !number_of(m, i->given[1], &b))
        return false;
    if (i->count == 2)
        return exact_quotient(m, &a, &b, &result) && make_decimal(m, &result, out);
    const char *mode = mode_of(m, i->given[i->count - 1]);
    if (mode == NULL || !known(m, i->given[2]))
        return false;
    const int64_t scale = i->count == 4 ? (int32_t)i->given[2].bits : a.scale;
    return quotient(m, &a, &b, scale, mode, &result) && make_decimal(m, &result, out);
}

/* setScale */
bool big_rescaled(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal d, result;
    const char *mode = i->count > 2 ? mode_of(m, i->given[2]) : "UNNECESSARY";
    if (mode == NULL || !number_of(m, i->given[0], &d) || !known(m, i->given[1]))
        return false;
    return scaled(m, &d, (int32_t)i->given[1].bits, mode, &result) && make_decimal(m, &result, out);
}

/* ---- java.math.MathContext ---- */

bool context_made(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct made *made = made_of(m, i->given[0]);
    if (made == NULL || made->is != MADE_UNWOVEN)
        return end_not_known(m, "a constructor on an object that exists");
    if (!known(m, i->given[1]) || (i->count > 2 && !known(m, i->given[2])))
        return false;
    if ((int32_t)i->given[1].bits < 0)
        return throws(m, "java.lang.IllegalArgumentException", "Digits < 0");
    if (i->count > 2 && i->given[2].bits == 0)
        return throws(m, "java.lang.NullPointerException", NULL);
    made->values = arena_array(&m->arena, 2, sizeof *made->values);
    if (made->values == NULL)
        return end_memory(m);
    made->is = MADE_CONTEXT;
    made->values[0] = i->given[1];
    made->values[1] = i->count > 2 ? i->given[2] : null_value(); /* HALF_UP */
    made->count = 2;
    *out = (struct jvalue){ .kind = 'V' };
    return true;
}

/* So many digits at most; 0: all. Rounding 9.99 up makes one more, which is rounded again. */
static bool rounded(struct machine *m, struct decimal *d, int64_t precision, const char *mode)
{
    for (;;) {
        const char *digits = big_write(&m->arena, &d->n);
        if (digits == NULL)
            return end_memory(m);
        const int64_t drop = precision == 0 || d->n.count == 0 ? 0 : digit_count(digits) - precision;
        if (drop <= 0)
            return true;
        if (!scaled(m, d, d->scale - drop, mode, d))
            return false;
    }
}

/* The scale that gives the quotient as many digits as the precision says, then without zeros behind them. */
static bool quotient_in(struct machine *m, const struct decimal *a, const struct decimal *b, int64_t precision,
                        const char *mode, struct decimal *out)
{
    const char *x = big_write(&m->arena, &a->n), *y = big_write(&m->arena, &b->n);
    const int64_t least = a->scale - b->scale;
    struct big p, q;
    if (x == NULL || y == NULL)
        return end_memory(m);
    const int64_t more = digit_count(x) - digit_count(y);
    if (b->n.count == 0)
        return throws(m, "java.lang.ArithmeticException", a->n.count == 0 ? "Division undefined" : "Division by zero");
    *out = (struct decimal){ a->n, least };
    if (a->n.count == 0)
        return true;
    if (!shifted(m, &a->n, more < 0 ? -more : 0, &p) || !shifted(m, &b->n, more > 0 ? more : 0, &q))
        return false;
    const int64_t scale = least - more - (big_magnitudes(&p, &q) > 0) + precision;
    struct decimal back, whole = *a;
    if (!quotient(m, a, b, scale, mode, out) || !multiplied(m, out, b, &back) || !aligned(m, &back, &whole))
        return false;
    return big_compared(&back.n, &whole.n) != 0 || stripped(m, out, least);
}

/* round, multiply, divide with a MathContext */
bool big_in_context(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal a, b = { one, 0 }, result;
    const struct made *context = made_of(m, i->given[i->count - 1]);
    if (!number_of(m, i->given[0], &a) || (i->count > 2 && !number_of(m, i->given[1], &b)) ||
        !known(m, i->given[i->count - 1]))
        return false;
    if (i->given[i->count - 1].bits == 0)
        return throws(m, "java.lang.NullPointerException", NULL);
    if (context == NULL || context->is != MADE_CONTEXT)
        return end_not_known(m, "the precision of a MathContext");
    const int64_t precision = (int32_t)context->values[0].bits;
    const char *mode = context->values[1].bits == 0 ? "HALF_UP" : mode_of(m, context->values[1]);
    if (mode == NULL)
        return false;
    result = a;
    if (text_is(i->ref.name, "divide")
            ? !(precision == 0 ? exact_quotient(m, &a, &b, &result) : quotient_in(m, &a, &b, precision, mode, &result))
            : i->count > 2 && !multiplied(m, &a, &b, &result))
        return false;
    return rounded(m, &result, precision, mode) && make_decimal(m, &result, out);
}

/* ---- others ---- */

/* negate, abs, pow, stripTrailingZeros */
bool big_changed(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal d, result = { one, 0 };
    if (!number_of(m, i->given[0], &d))
        return false;
    const bool integer = is_integer(i, m);
    if (text_is(i->ref.name, "stripTrailingZeros")) {
        if (d.n.count == 0)
            d.scale = 0;
        else if (!stripped(m, &d, INT32_MIN))
            return false;
        return make_decimal(m, &d, out);
    }
    if (!text_is(i->ref.name, "pow")) {
        if (d.n.negative || text_is(i->ref.name, "negate"))
            d.n = big_negated(&d.n);
        return made_number(m, integer, &d, out);
    }
    if (!known(m, i->given[1]))
        return false;
    const int32_t power = (int32_t)i->given[1].bits;
    if (power < 0 || (!integer && power > 999999999))
        return throws(m, "java.lang.ArithmeticException", integer ? "Negative exponent" : "Invalid operation");
    if (power > BIG_DIGITS_MAX)
        return too_long(m);
    for (int32_t k = 0; k < power; k++)
        if (!multiplied(m, &result, &d, &result))
            return false;
    return made_number(m, integer, &result, out);
}

/* signum, scale, precision, compareTo, equals, hashCode */
bool big_asked(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal a, b;
    const struct text name = i->ref.name;
    const bool equals = text_is(name, "equals");
    if (!number_of(m, i->given[0], &a))
        return false;
    if (equals && (!known(m, i->given[1]) || nature_of(m, i->given[1]) != nature_of(m, i->given[0])))
        return *out = int_value(0), m->ended == OUTCOME_VALUE;
    if (text_is(name, "signum"))
        *out = int_value(a.n.count == 0 ? 0 : a.n.negative ? -1 : 1);
    else if (text_is(name, "scale"))
        *out = int_value(a.scale);
    else if (text_is(name, "precision")) {
        const char *digits = big_write(&m->arena, &a.n);
        *out = int_value(digits != NULL ? digit_count(digits) : 0);
        return done(m, digits != NULL);
    } else if (text_is(name, "hashCode")) {
        uint32_t hash = 0;
        for (uint32_t k = a.n.count; k-- > 0;)
            hash = 31 * hash + a.n.limbs[k];
        hash = a.n.negative ? 0 - hash : hash;
        *out = int_value((int32_t)(is_integer(i, m) ? hash : 31 * hash + (uint32_t)a.scale));
    } else {
        if (!number_of(m, i->given[1], &b))
            return false;
        if (equals)
            return *out = int_value(a.scale == b.scale && big_compared(&a.n, &b.n) == 0), true;
        if (!aligned(m, &a, &b))
            return false;
        *out = int_value(big_compared(&a.n, &b.n));
    }
    return true;
}

/* intValue, longValue, doubleValue */
bool big_narrowed(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal d, whole;
    if (!number_of(m, i->given[0], &d))
        return false;
    if (text_is(i->ref.name, "doubleValue")) {
        const char *digits = big_write(&m->arena, &d.n);
        char *text = digits != NULL ? arena_chars(&m->arena, strlen(digits) + 32) : NULL;
        if (text == NULL)
            return end_memory(m);
        (void)snprintf(text, strlen(digits) + 32, "%se%lld", digits, (long long)-d.scale);
        const double value = strtod(text, NULL);
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        *out = number_value('D', bits);
        return true;
    }
    if (!scaled(m, &d, 0, "DOWN", &whole))
        return false;
    const int64_t low = big_to_long(&whole.n);
    *out = text_is(i->ref.name, "intValue") ? int_value((int32_t)low) : number_value('J', (uint64_t)low);
    return true;
}

/* unscaledValue, toBigInteger */
bool big_whole(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal d;
    if (!number_of(m, i->given[0], &d))
        return false;
    if (text_is(i->ref.name, "toBigInteger") && !scaled(m, &d, 0, "DOWN", &d))
        return false;
    return make_integer(m, &d.n, out);
}

bool big_plain(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal d;
    if (!number_of(m, i->given[0], &d) || (d.scale < 0 && !scaled(m, &d, 0, "UNNECESSARY", &d)))
        return false;
    const char *digits = big_write(&m->arena, &d.n);
    if (digits == NULL)
        return end_memory(m);
    const size_t sign = digits[0] == '-', count = strlen(digits) - sign;
    if (d.scale > BIG_DIGITS_MAX)
        return too_long(m);
    const size_t scale = (size_t)d.scale, zeros = scale >= count ? scale + 1 - count : 0;
    char *text = arena_chars(&m->arena, strlen(digits) + zeros + 2), *at = text;
    if (text == NULL)
        return end_memory(m);
    if (sign > 0)
        *at++ = '-';
    for (size_t k = 0; k < zeros + count; k++) {
        if (k == zeros + count - scale)
            *at++ = '.';
        *at++ = k < zeros ? '0' : digits[sign + k - zeros];
    }
    return make_text(m, text, (size_t)(at - text), out);
}

/* ---- making them ---- */

/* valueOf of a long, with a scale or not, or of a double */
bool big_valued(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const bool integer = text_is_class(i->ref.owner, integer_type);
    struct decimal d = { { 0 }, 0 };
    for (unsigned k = 0; k < i->count; k++)
        if (!known(m, i->given[k]))
            return false;
    if (i->given[0].kind == 'D') { /* as Double.toString writes it */
        units_vec units = { 0 };
        struct jvalue string = null_value();
        const bool written = append_text(m, &units, i->given[0], 'D') && finish_text(m, &units, &string);
        const struct made *made = written ? made_of(m, string) : NULL;
        char text[64];
        size_t n = 0;
        if (made == NULL)
            return vec_free(&units), false;
        for (; n < made->count && n < sizeof text; n++)
            text[n] = (char)made->units[n];
        const int good = parse(m, text, n, &d);
        return good > 0 ? make_decimal(m, &d, out)
                        : good == 0 && end_not_known(m, "the message of a NumberFormatException");
    }
    if (!big_of_long(&m->arena, (int64_t)i->given[0].bits, &d.n))
        return end_memory(m);
    d.scale = i->count > 1 ? (int32_t)i->given[1].bits : 0;
    return made_number(m, integer, &d, out);
}

/* The constructors of a text, an int, a long; of BigDecimal also of a BigInteger, with a scale or not */
bool big_made(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct made *made = made_of(m, i->given[0]);
    const bool integer = made != NULL && strcmp(made->type, integer_type) == 0;
    struct decimal d = { { 0 }, 0 };
    struct jvalue number;
    uint32_t count;
    if (made == NULL || made->is != MADE_UNWOVEN)
        return end_not_known(m, "a constructor on an object that exists");
    if (!known(m, i->given[1]) || (i->count > 2 && !known(m, i->given[2])))
        return false;
    if (i->given[1].kind != 'A') {
        if (!big_of_long(&m->arena, (int64_t)i->given[1].bits, &d.n))
            return end_memory(m);
    } else if (i->given[1].bits == 0) {
        return throws(m, "java.lang.NullPointerException", NULL);
    } else if (nature_of(m, i->given[1]) == NATURE_BIG_INTEGER) {
        if (!number_of(m, i->given[1], &d))
            return false;
        d.scale = i->count > 2 ? (int32_t)i->given[2].bits : 0;
    } else {
        const uint16_t *units = units_of(m, i->given[1], &count);
        char *text = units != NULL ? arena_chars(&m->arena, (size_t)count + 1) : NULL;
        if (text == NULL)
            return units != NULL && end_memory(m);
        for (uint32_t k = 0; k < count; k++)
            text[k] = integer && strchr(".eE", units[k]) != NULL ? '?' : ascii(units[k]);
        const int good = parse(m, text, count, &d);
        if (good <= 0)
            return good == 0 && end_not_known(m, "the message of a NumberFormatException, or digits of a script");
    }
    if (!made_number(m, integer, &d, &number))
        return false;
    const struct made *from = made_of(m, number);
    made->is = MADE_BIG;
    made->units = from->units;
    made->count = from->count;
    *out = (struct jvalue){ .kind = 'V' };
    return true;
}
