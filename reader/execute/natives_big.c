/* natives_big.c - BigInteger and BigDecimal: arithmetic of executed code, exact, as java.math has it; see natives.h.
 *
 * A number of the heap is what its text says, since toString() is one to one; so is one that is made: its units are
 * that text. What a method gives is never said to be the same object as another one. */
#include <stdio.h>
#include <stdlib.h>

#include "formats/jvm/arithmetic.h"
#include "reader/execute/natives_big.h"

static const struct big one = { false, 1, (const uint32_t[]){ 1 } };

/* The mode that a constant of RoundingMode names. */
static const char *mode_of(struct machine *m, struct jvalue v)
{
    if (!known(m, v))
        return NULL;
    if (v.bits == 0)
        return throws_unsaid(m, "java.lang.NullPointerException"), NULL;
    const struct made *made = made_of(m, v);
    if (made != NULL && made->is == MADE_ENUM)
        return made->name;
    const struct hs_object_value *value = v.bits < MADE_FIRST ? m->heap.value(m->heap.context, (uint32_t)v.bits) : NULL;
    if (value == NULL || !value->is_constant)
        return end_not_known(m, "the rounding mode"), NULL;
    return value->text;
}

/* ---- the methods of both ---- */

static bool is_integer(const struct invocation *i, struct machine *m)
{
    return nature_of(m, i->given[0]) == NATURE_BIG_INTEGER;
}

bool big_made_number(struct machine *m, bool integer, const struct decimal *d, struct jvalue *out)
{
    return integer ? decimal_make_integer(m, &d->n, out) : decimal_make(m, d, out);
}

/* add, subtract, multiply, max, min */
bool big_calculated(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal a, b, result = { { 0 }, 0 };
    const struct text name = i->ref.name;
    if (!decimal_of(m, i->given[0], &a) || !decimal_of(m, i->given[1], &b))
        return false;
    const bool integer = is_integer(i, m);
    if (text_is(name, "multiply"))
        return decimal_multiplied(m, &a, &b, &result) && big_made_number(m, integer, &result, out);
    if (!decimal_aligned(m, &a, &b))
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
    return decimal_done(m, big_add(&m->arena, &a.n, &b.n, &result.n)) && big_made_number(m, integer, &result, out);
}

/* BigInteger: divide, remainder, mod */
bool big_parted(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal a, b;
    struct big whole, rest;
    if (!decimal_of(m, i->given[0], &a) || !decimal_of(m, i->given[1], &b))
        return false;
    const bool mod = text_is(i->ref.name, "mod");
    if (mod && (b.n.count == 0 || b.n.negative))
        return throws(m, "java.lang.ArithmeticException", "BigInteger: modulus not positive");
    if (b.n.count == 0)
        return throws(m, "java.lang.ArithmeticException", "BigInteger divide by zero");
    if (!big_divide(&m->arena, &a.n, &b.n, &whole, &rest) ||
        (mod && rest.negative && !big_add(&m->arena, &rest, &b.n, &rest)))
        return end_memory(m);
    return decimal_make_integer(m, text_is(i->ref.name, "divide") ? &whole : &rest, out);
}

/* BigDecimal: divide, with a scale and a rounding mode or not */
bool big_divided(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal a, b, result;
    if (!decimal_of(m, i->given[0], &a) || !decimal_of(m, i->given[1], &b))
        return false;
    if (i->count == 2)
        return decimal_exact_quotient(m, &a, &b, &result) && decimal_make(m, &result, out);
    const char *mode = mode_of(m, i->given[i->count - 1]);
    if (mode == NULL || !known(m, i->given[2]))
        return false;
    const int64_t scale = i->count == 4 ? (int32_t)i->given[2].bits : a.scale;
    return decimal_quotient(m, &a, &b, scale, mode, &result) && decimal_make(m, &result, out);
}

/* setScale */
bool big_rescaled(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal d, result;
    const char *mode = i->count > 2 ? mode_of(m, i->given[2]) : "UNNECESSARY";
    if (mode == NULL || !decimal_of(m, i->given[0], &d) || !known(m, i->given[1]))
        return false;
    return decimal_scaled(m, &d, (int32_t)i->given[1].bits, mode, &result) && decimal_make(m, &result, out);
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
        return throws_unsaid(m, "java.lang.NullPointerException");
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

bool big_context(struct machine *m, struct jvalue v, int64_t *precision, const char **mode)
{
    const struct made *context = made_of(m, v);
    if (!known(m, v))
        return false;
    if (v.bits == 0)
        return throws_unsaid(m, "java.lang.NullPointerException");
    if (context == NULL || context->is != MADE_CONTEXT)
        return end_not_known(m, "the precision of a MathContext");
    *precision = (int32_t)context->values[0].bits;
    *mode = context->values[1].bits == 0 ? "HALF_UP" : mode_of(m, context->values[1]);
    return *mode != NULL;
}

/* round, multiply, divide with a MathContext */
bool big_in_context(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal a, b = { one, 0 }, result;
    const char *mode;
    int64_t precision;
    if (!decimal_of(m, i->given[0], &a) || (i->count > 2 && !decimal_of(m, i->given[1], &b)) ||
        !big_context(m, i->given[i->count - 1], &precision, &mode))
        return false;
    result = a;
    if (text_is(i->ref.name, "divide") ? !(precision == 0 ? decimal_exact_quotient(m, &a, &b, &result)
                                                          : decimal_quotient_in(m, &a, &b, precision, mode, &result))
                                       : i->count > 2 && !decimal_multiplied(m, &a, &b, &result))
        return false;
    return decimal_rounded(m, &result, precision, mode) && decimal_make(m, &result, out);
}

/* ---- others ---- */

/* negate, abs, pow, stripTrailingZeros */
bool big_changed(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal d, result = { one, 0 };
    if (!decimal_of(m, i->given[0], &d))
        return false;
    const bool integer = is_integer(i, m);
    if (text_is(i->ref.name, "stripTrailingZeros")) {
        if (d.n.count == 0)
            d.scale = 0;
        else if (!decimal_stripped(m, &d, INT32_MIN))
            return false;
        return decimal_make(m, &d, out);
    }
    if (!text_is(i->ref.name, "pow")) {
        if (d.n.negative || text_is(i->ref.name, "negate"))
            d.n = big_negated(&d.n);
        return big_made_number(m, integer, &d, out);
    }
    if (!known(m, i->given[1]))
        return false;
    const int32_t power = (int32_t)i->given[1].bits;
    if (power < 0 || (!integer && power > 999999999))
        return throws(m, "java.lang.ArithmeticException", integer ? "Negative exponent" : "Invalid operation");
    if (power > BIG_DIGITS_MAX)
        return decimal_too_long(m);
    for (int32_t k = 0; k < power; k++)
        if (!decimal_multiplied(m, &result, &d, &result))
            return false;
    return big_made_number(m, integer, &result, out);
}

/* signum, scale, precision, compareTo, equals, hashCode */
bool big_asked(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal a, b;
    const struct text name = i->ref.name;
    const bool equals = text_is(name, "equals");
    if (!decimal_of(m, i->given[0], &a))
        return false;
    if (equals && (!known(m, i->given[1]) || nature_of(m, i->given[1]) != nature_of(m, i->given[0])))
        return *out = int_value(0), m->ended == OUTCOME_VALUE;
    if (text_is(name, "signum"))
        *out = int_value(a.n.count == 0 ? 0 : a.n.negative ? -1 : 1);
    else if (text_is(name, "scale"))
        *out = int_value(a.scale);
    else if (text_is(name, "precision")) {
        const char *digits = big_write(&m->arena, &a.n);
        *out = int_value(digits != NULL ? decimal_digits(digits) : 0);
        return decimal_done(m, digits != NULL);
    } else if (text_is(name, "hashCode")) {
        uint32_t hash = 0;
        for (uint32_t k = a.n.count; k-- > 0;)
            hash = 31 * hash + a.n.limbs[k];
        hash = a.n.negative ? 0 - hash : hash;
        *out = int_value((int32_t)(is_integer(i, m) ? hash : 31 * hash + (uint32_t)a.scale));
    } else {
        if (!decimal_of(m, i->given[1], &b))
            return false;
        if (equals)
            return *out = int_value(a.scale == b.scale && big_compared(&a.n, &b.n) == 0), true;
        if (!decimal_aligned(m, &a, &b))
            return false;
        *out = int_value(big_compared(&a.n, &b.n));
    }
    return true;
}

/* intValue, longValue, doubleValue */
bool big_narrowed(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal d, whole;
    if (!decimal_of(m, i->given[0], &d))
        return false;
    const bool to_float = text_is(i->ref.name, "floatValue");
    if (to_float || text_is(i->ref.name, "doubleValue")) {
        const char *digits = big_write(&m->arena, &d.n);
        char *text = digits != NULL ? arena_chars(&m->arena, strlen(digits) + 32) : NULL;
        if (text == NULL)
            return end_memory(m);
        (void)snprintf(text, strlen(digits) + 32, "%se%lld", digits, (long long)-d.scale);
        *out = to_float ? number_value('F', of_float(strtof(text, NULL)))
                        : number_value('D', of_double(strtod(text, NULL)));
        return true;
    }
    if (!decimal_scaled(m, &d, 0, "DOWN", &whole))
        return false;
    const int64_t low = big_to_long(&whole.n);
    *out = text_is(i->ref.name, "intValue") ? int_value((int32_t)low) : number_value('J', (uint64_t)low);
    return true;
}

/* unscaledValue, toBigInteger */
bool big_whole(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal d;
    if (!decimal_of(m, i->given[0], &d))
        return false;
    if (text_is(i->ref.name, "toBigInteger") && !decimal_scaled(m, &d, 0, "DOWN", &d))
        return false;
    return decimal_make_integer(m, &d.n, out);
}

bool big_plain(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal d;
    if (!decimal_of(m, i->given[0], &d) || (d.scale < 0 && !decimal_scaled(m, &d, 0, "UNNECESSARY", &d)))
        return false;
    const char *digits = big_write(&m->arena, &d.n);
    if (digits == NULL)
        return end_memory(m);
    const size_t sign = digits[0] == '-', count = strlen(digits) - sign;
    if (d.scale > BIG_DIGITS_MAX)
        return decimal_too_long(m);
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
