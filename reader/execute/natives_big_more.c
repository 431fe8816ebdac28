/* natives_big_more.c - the rarer methods of BigInteger and BigDecimal; see natives_big.h. */
#include "formats/jvm/arithmetic.h"
#include "reader/execute/natives_big.h"

static const char integer_type[] = "java.math.BigInteger";

static bool small(struct machine *m, int64_t v, struct big *out)
{
    return decimal_done(m, big_of_long(&m->arena, v, out));
}
static bool is_zero(const struct big *n) { return n->count == 0; }

/* base^power */
static bool powered(struct machine *m, int64_t base, uint32_t power, struct big *out)
{
    struct big b;
    if (power > 4 * BIG_DIGITS_MAX)
        return decimal_too_long(m);
    if (!small(m, 1, out) || !small(m, base, &b))
        return false;
    for (; power > 0; power >>= 1) {
        if ((power & 1) != 0 && !decimal_done(m, big_multiply(&m->arena, out, &b, out)))
            return false;
        if (power > 1 && !decimal_done(m, big_multiply(&m->arena, &b, &b, &b)))
            return false;
    }
    return out->count > BIG_DIGITS_MAX / 9 ? decimal_too_long(m) : spend(m, (uint64_t)out->count * out->count);
}

/* ---- texts and doubles ---- */

static int big_of_digits(struct machine *m, const char *text, size_t size, int32_t radix, struct big *out)
{
    const bool negative = size > 0 && text[0] == '-';
    size_t at = negative || (size > 0 && text[0] == '+');
    struct big base, digit;
    if (radix < 2 || radix > 36 || at == size)
        return 0;
    if (size > BIG_DIGITS_MAX)
        return (void)decimal_too_long(m), -1;
    if (!small(m, 0, out) || !small(m, radix, &base))
        return -1;
    for (; at < size; at++) {
        const char c = text[at];
        const int v = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 10
                      : c >= 'A' && c <= 'Z' ? c - 'A' + 10
                                             : 99;
        if (v >= radix)
            return 0;
        if (!small(m, v, &digit) || !decimal_done(m, big_multiply(&m->arena, out, &base, out)) ||
            !decimal_done(m, big_add(&m->arena, out, &digit, out)) || !spend(m, out->count))
            return -1;
    }
    if (negative)
        *out = big_negated(out);
    return 1;
}

/* The exact value: an odd number times a power of 2. */
static bool big_of_double(struct machine *m, uint64_t bits, struct decimal *out)
{
    enum { FRACTION_BITS = 52, BIAS = 1075, EXPONENT_MASK = 0x7ff };
    const unsigned exponent = (unsigned)(bits >> FRACTION_BITS) & EXPONENT_MASK;
    uint64_t n = (bits & (((uint64_t)1 << FRACTION_BITS) - 1)) | (exponent > 0 ? (uint64_t)1 << FRACTION_BITS : 0);
    int power = (int)(exponent > 0 ? exponent : 1) - BIAS;
    struct big factor;
    if (exponent == EXPONENT_MASK)
        return throws_unsaid(m, "java.lang.NumberFormatException");
    *out = (struct decimal){ { 0 }, 0 };
    if (n == 0)
        return true;
    for (; (n & 1) == 0; n >>= 1)
        power++;
    out->scale = power < 0 ? -power : 0;
    return small(m, (bits >> 63) != 0 ? -(int64_t)n : (int64_t)n, &out->n) &&
           powered(m, power < 0 ? 5 : 2, (uint32_t)(power < 0 ? -power : power), &factor) &&
           decimal_done(m, big_multiply(&m->arena, &out->n, &factor, &out->n));
}

/* BigInteger.toString(radix) */
bool big_text(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal d;
    struct big base, n, rest;
    int32_t radix;
    if (!decimal_of(m, i->given[0], &d) || !int_of(m, i->given[1], &radix))
        return false;
    radix = radix < 2 || radix > 36 ? 10 : radix;
    const size_t room = (size_t)d.n.count * 32 + 3;
    char *text = arena_chars(&m->arena, room), *at = text != NULL ? text + room - 1 : NULL;
    if (text == NULL)
        return end_memory(m);
    if (!small(m, radix, &base))
        return false;
    n = d.n;
    do {
        if (!decimal_done(m, big_divide(&m->arena, &n, &base, &n, &rest)) || !spend(m, 1 + n.count))
            return false;
        const int64_t digit = big_to_long(&rest);
        *--at = "0123456789abcdefghijklmnopqrstuvwxyz"[digit < 0 ? -digit : digit];
    } while (!is_zero(&n));
    if (d.n.negative)
        *--at = '-';
    return make_text(m, at, (size_t)(text + room - 1 - at), out);
}

/* ---- BigDecimal ---- */

static int64_t precision_of(struct machine *m, const struct big *n)
{
    const char *digits = big_write(&m->arena, n);
    return digits != NULL ? (int64_t)strlen(digits + (digits[0] == '-')) : 0;
}

/* One of them is 0: the other one, with the larger scale as far as the precision allows. */
static bool sum_with_zero(struct machine *m, const struct decimal *a, const struct decimal *b, int64_t precision,
                          const char *mode, struct decimal *out)
{
    const int64_t scale = a->scale > b->scale ? a->scale : b->scale;
    *out = is_zero(&a->n) ? *b : *a;
    if (is_zero(&out->n))
        return out->scale = scale, true;
    if (!decimal_rounded(m, out, precision, mode))
        return false;
    if (out->scale > scale)
        return decimal_stripped(m, out, scale);
    const int64_t room = precision - precision_of(m, &out->n), more = scale - out->scale;
    return decimal_scaled(m, out, out->scale + (room < more ? room : more), "UNNECESSARY", out);
}

/* add and subtract with a MathContext */
bool big_sum_in_context(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal a, b, sum;
    const char *mode;
    int64_t precision;
    if (!decimal_of(m, i->given[0], &a) || !decimal_of(m, i->given[1], &b) ||
        !big_context(m, i->given[2], &precision, &mode))
        return false;
    if (text_is(i->ref.name, "subtract"))
        b.n = big_negated(&b.n);
    if (precision > 0 && (is_zero(&a.n) || is_zero(&b.n)))
        return sum_with_zero(m, &a, &b, precision, mode, &sum) && decimal_make(m, &sum, out);
    if (!decimal_aligned(m, &a, &b))
        return false;
    sum.scale = a.scale;
    return decimal_done(m, big_add(&m->arena, &a.n, &b.n, &sum.n)) && decimal_rounded(m, &sum, precision, mode) &&
           decimal_make(m, &sum, out);
}

/* divideToIntegralValue */
static bool whole_quotient(struct machine *m, const struct decimal *a, const struct decimal *b, struct decimal *out)
{
    const int64_t scale = a->scale - b->scale;
    struct decimal x = *a, y = *b;
    struct big rest;
    if (is_zero(&b->n))
        return throws(m, "java.lang.ArithmeticException", is_zero(&a->n) ? "Division undefined" : "Division by zero");
    if (!decimal_aligned(m, &x, &y) || !decimal_done(m, big_divide(&m->arena, &x.n, &y.n, &out->n, &rest)))
        return false;
    out->scale = 0;
    if (is_zero(&out->n))
        return out->scale = scale, true;
    return scale < 0 ? decimal_stripped(m, out, scale) : decimal_scaled(m, out, scale, "UNNECESSARY", out);
}

/* remainder, divideToIntegralValue */
bool big_decimal_parted(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal a, b, whole, product;
    if (!decimal_of(m, i->given[0], &a) || !decimal_of(m, i->given[1], &b) || !whole_quotient(m, &a, &b, &whole))
        return false;
    if (text_is(i->ref.name, "divideToIntegralValue"))
        return decimal_make(m, &whole, out);
    if (!decimal_multiplied(m, &whole, &b, &product))
        return false;
    product.n = big_negated(&product.n);
    if (!decimal_aligned(m, &a, &product) || !decimal_done(m, big_add(&m->arena, &a.n, &product.n, &a.n)))
        return false;
    return decimal_make(m, &a, out);
}

/* movePointLeft, movePointRight, scaleByPowerOfTen, ulp */
bool big_moved(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal d;
    int32_t by = 0;
    const struct text name = i->ref.name;
    if (!decimal_of(m, i->given[0], &d) || (i->count > 1 && !int_of(m, i->given[1], &by)))
        return false;
    if (text_is(name, "ulp"))
        return small(m, 1, &d.n) && decimal_make(m, &d, out);
    d.scale += text_is(name, "movePointLeft") ? by : -(int64_t)by;
    if (by != 0 && d.scale < 0 && !text_is(name, "scaleByPowerOfTen") && !decimal_scaled(m, &d, 0, "UNNECESSARY", &d))
        return false;
    return decimal_make(m, &d, out);
}

/* intValueExact, longValueExact: of both */
bool big_exact(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal d;
    struct big low;
    const bool is_int = text_is(i->ref.name, "intValueExact");
    if (!decimal_of(m, i->given[0], &d))
        return false;
    if (!decimal_stripped(m, &d, 0) || (d.scale < 0 && !decimal_scaled(m, &d, 0, "UNNECESSARY", &d)))
        return false;
    const int64_t v = big_to_long(&d.n);
    if (!small(m, v, &low))
        return false;
    if ((d.scale > 0 && !is_zero(&d.n)) || big_compared(&low, &d.n) != 0 || (is_int && v != (int32_t)v))
        return throws_unsaid(m, "java.lang.ArithmeticException");
    *out = is_int ? int_value(v) : number_value('J', (uint64_t)v);
    return true;
}

/* ---- BigInteger ---- */

bool big_gcd(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal a, b;
    struct big whole, rest;
    if (!decimal_of(m, i->given[0], &a) || !decimal_of(m, i->given[1], &b))
        return false;
    while (!is_zero(&b.n)) {
        if (!decimal_done(m, big_divide(&m->arena, &a.n, &b.n, &whole, &rest)) ||
            !spend(m, (uint64_t)a.n.count * b.n.count))
            return false;
        a.n = b.n;
        b.n = rest;
    }
    a.n = a.n.negative ? big_negated(&a.n) : a.n;
    return decimal_make_integer(m, &a.n, out);
}

/* The remainder that is not negative. */
static bool modulo(struct machine *m, const struct big *n, const struct big *by, struct big *out)
{
    struct big whole;
    return spend(m, 1 + (uint64_t)n->count * by->count / 4) &&
           decimal_done(m, big_divide(&m->arena, n, by, &whole, out)) &&
           (!out->negative || decimal_done(m, big_add(&m->arena, out, by, out)));
}

bool big_mod_pow(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal base, power, by;
    struct big result, two, bit;
    if (!decimal_of(m, i->given[0], &base) || !decimal_of(m, i->given[1], &power) || !decimal_of(m, i->given[2], &by))
        return false;
    if (is_zero(&by.n) || by.n.negative)
        return throws(m, "java.lang.ArithmeticException", "BigInteger: modulus not positive");
    if (power.n.negative)
        return end_not_known(m, "modPow with a negative exponent");
    if (!small(m, 1, &result) || !small(m, 2, &two) || !modulo(m, &result, &by.n, &result) ||
        !modulo(m, &base.n, &by.n, &base.n))
        return false;
    while (!is_zero(&power.n)) {
        if (!decimal_done(m, big_divide(&m->arena, &power.n, &two, &power.n, &bit)))
            return false;
        if (!is_zero(&bit) && (!decimal_done(m, big_multiply(&m->arena, &result, &base.n, &result)) ||
                               !modulo(m, &result, &by.n, &result)))
            return false;
        if (!decimal_done(m, big_multiply(&m->arena, &base.n, &base.n, &base.n)) || !modulo(m, &base.n, &by.n, &base.n))
            return false;
    }
    return decimal_make_integer(m, &result, out);
}

/* n / 2^bits, towards negative infinity. */
static bool shifted_right(struct machine *m, const struct big *n, uint32_t bits, struct big *out)
{
    struct big power, rest, less;
    if (!powered(m, 2, bits, &power) || !decimal_done(m, big_divide(&m->arena, n, &power, out, &rest)))
        return false;
    return !rest.negative || (small(m, -1, &less) && decimal_done(m, big_add(&m->arena, out, &less, out)));
}

/* shiftLeft, shiftRight, testBit */
bool big_shifted_bits(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal d;
    struct big power;
    int32_t bits;
    const bool test = text_is(i->ref.name, "testBit");
    if (!decimal_of(m, i->given[0], &d) || !int_of(m, i->given[1], &bits))
        return false;
    if (test && bits < 0)
        return throws(m, "java.lang.ArithmeticException", "Negative bit address");
    if (bits > 4 * BIG_DIGITS_MAX || bits < -4 * BIG_DIGITS_MAX)
        return decimal_too_long(m);
    const bool left = !test && (text_is(i->ref.name, "shiftLeft") == (bits >= 0));
    const uint32_t by = (uint32_t)(bits < 0 ? -bits : bits);
    if (left ? !powered(m, 2, by, &power) || !decimal_done(m, big_multiply(&m->arena, &d.n, &power, &d.n))
             : !shifted_right(m, &d.n, by, &d.n))
        return false;
    if (d.n.count > BIG_DIGITS_MAX / 9)
        return decimal_too_long(m);
    if (test)
        return *out = int_value(big_to_long(&d.n) & 1), true;
    return decimal_make_integer(m, &d.n, out);
}

/* How many bits its two's complement has, without the sign. */
bool big_bit_length(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal d;
    struct big two, rest, one;
    int64_t bits = 0;
    if (!decimal_of(m, i->given[0], &d) || !small(m, 2, &two) || !small(m, 1, &one))
        return false;
    if (d.n.negative && !decimal_done(m, big_add(&m->arena, &d.n, &one, &d.n)))
        return false;
    for (; !is_zero(&d.n); bits++)
        if (!decimal_done(m, big_divide(&m->arena, &d.n, &two, &d.n, &rest)) || !spend(m, d.n.count))
            return false;
    *out = int_value(bits);
    return true;
}

/* The whole square root, by Newton's method from above. */
bool big_root(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal d;
    struct big x, next, rest, two;
    if (!decimal_of(m, i->given[0], &d))
        return false;
    if (d.n.negative)
        return throws(m, "java.lang.ArithmeticException", "Negative BigInteger");
    if (is_zero(&d.n))
        return decimal_make_integer(m, &d.n, out);
    const int64_t digits = precision_of(m, &d.n);
    if (!powered(m, 10, (uint32_t)(digits / 2 + 1), &next) || !small(m, 2, &two))
        return false;
    do {
        x = next;
        if (!spend(m, (uint64_t)x.count * d.n.count) ||
            !decimal_done(m, big_divide(&m->arena, &d.n, &x, &next, &rest)) ||
            !decimal_done(m, big_add(&m->arena, &next, &x, &next)) ||
            !decimal_done(m, big_divide(&m->arena, &next, &two, &next, &rest)))
            return false;
    } while (big_compared(&next, &x) < 0);
    return decimal_make_integer(m, &x, out);
}

bool big_both_parts(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct decimal a, b;
    struct big whole, rest;
    struct jvalue parts[2];
    if (!decimal_of(m, i->given[0], &a) || !decimal_of(m, i->given[1], &b))
        return false;
    if (is_zero(&b.n))
        return throws(m, "java.lang.ArithmeticException", "BigInteger divide by zero");
    return decimal_done(m, big_divide(&m->arena, &a.n, &b.n, &whole, &rest)) &&
           decimal_make_integer(m, &whole, &parts[0]) && decimal_make_integer(m, &rest, &parts[1]) &&
           make_values(m, MADE_ARRAY, "java.math.BigInteger[]", parts, 2, 'L', out);
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
        const int good = decimal_read(m, text, n, &d);
        return good > 0 ? decimal_make(m, &d, out)
                        : good == 0 && end_not_known(m, "the message of a NumberFormatException");
    }
    if (!big_of_long(&m->arena, (int64_t)i->given[0].bits, &d.n))
        return end_memory(m);
    d.scale = i->count > 1 ? (int32_t)i->given[1].bits : 0;
    return big_made_number(m, integer, &d, out);
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
    if (i->given[1].kind == 'D') {
        if (!big_of_double(m, i->given[1].bits, &d))
            return false;
    } else if (i->given[1].kind != 'A') {
        if (!big_of_long(&m->arena, (int64_t)i->given[1].bits, &d.n))
            return end_memory(m);
    } else if (i->given[1].bits == 0) {
        return throws_unsaid(m, "java.lang.NullPointerException");
    } else if (nature_of(m, i->given[1]) == NATURE_BIG_INTEGER) {
        if (!decimal_of(m, i->given[1], &d))
            return false;
        d.scale = i->count > 2 ? (int32_t)i->given[2].bits : 0;
    } else {
        const uint16_t *units = units_of(m, i->given[1], &count);
        char *text = units != NULL ? arena_chars(&m->arena, (size_t)count + 1) : NULL;
        if (text == NULL)
            return units != NULL && end_memory(m);
        for (uint32_t k = 0; k < count; k++)
            text[k] = integer && i->count < 3 && units[k] != 0 && strchr(".eE", units[k]) != NULL
                          ? '!'
                          : decimal_ascii(units[k]);
        const int good = integer && i->count > 2 ? big_of_digits(m, text, count, (int32_t)i->given[2].bits, &d.n)
                                                 : decimal_read(m, text, count, &d);
        if (good <= 0)
            return good == 0 &&
                   (memchr(text, '?', count) != NULL ? end_not_known(m, "a number with digits of a script")
                                                     : throws_unsaid(m, "java.lang.NumberFormatException"));
    }
    if (!big_made_number(m, integer, &d, &number))
        return false;
    const struct made *from = made_of(m, number);
    made->is = MADE_BIG;
    made->units = from->units;
    made->count = from->count;
    *out = (struct jvalue){ .kind = 'V' };
    return true;
}
