/* decimal.c - see decimal.h. */
#include "reader/execute/decimal.h"

#include <string.h>

#include "reader/code/types.h"

static const struct big one = { false, 1, (const uint32_t[]){ 1 } };

/* ---- reading and writing ---- */

int decimal_read(struct machine *m, const char *text, size_t size, struct decimal *out)
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
        return (void)decimal_too_long(m), -1;
    out->scale = (int64_t)behind - exponent;
    if (!big_read(&m->arena, digits, count, &out->n))
        return (void)end_memory(m), -1;
    return spend(m, out->n.count * out->n.count / 8) ? 1 : -1;
}

bool decimal_of(struct machine *m, struct jvalue v, struct decimal *out)
{
    const struct made *made = made_of(m, v);
    if (!known(m, v))
        return false;
    if (v.bits == 0)
        return throws_unsaid(m, "java.lang.NullPointerException");
    const struct hs_object_value *value = made == NULL ? m->heap.value(m->heap.context, (uint32_t)v.bits) : NULL;
    const char *text = value != NULL ? value->text : NULL;
    const size_t size = made != NULL ? made->count : text != NULL ? strlen(text) : 0;
    char *copy = arena_chars(&m->arena, size + 1);
    if (copy == NULL)
        return end_memory(m);
    for (size_t i = 0; i < size; i++)
        copy[i] = made == NULL ? text[i] : decimal_ascii(made->units[i]);
    const int good = (made == NULL || made->is == MADE_BIG) && size > 0 ? decimal_read(m, copy, size, out) : 0;
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

bool decimal_make_integer(struct machine *m, const struct big *n, struct jvalue *out)
{
    const char *digits = big_write(&m->arena, n);
    return digits != NULL ? make_big(m, "java.math.BigInteger", digits, strlen(digits), out) : end_memory(m);
}

bool decimal_make(struct machine *m, const struct decimal *d, struct jvalue *out)
{
    const char *digits = big_write(&m->arena, &d->n);
    struct writer w = { 0 };
    if (d->scale > BIG_SCALE_MAX || d->scale < -BIG_SCALE_MAX)
        return end_not_known(m, "a number with so large a scale");
    if (digits != NULL)
        value_big_decimal(&w, digits, d->scale);
    const bool good = digits != NULL && !w.bad ? make_big(m, "java.math.BigDecimal", (const char *)w.data, w.size, out)
                                               : end_memory(m);
    writer_free(&w);
    return good;
}

/* n times 10 to that power, which is not negative. */
static bool shifted(struct machine *m, const struct big *n, int64_t power, struct big *out)
{
    if (power > BIG_DIGITS_MAX || n->count > BIG_DIGITS_MAX / 9 + 1)
        return decimal_too_long(m);
    return decimal_done(m, big_shifted(&m->arena, n, (uint32_t)power, out));
}

bool decimal_aligned(struct machine *m, struct decimal *a, struct decimal *b)
{
    struct decimal *low = a->scale < b->scale ? a : b;
    const int64_t scale = low == a ? b->scale : a->scale;
    if (!shifted(m, &low->n, scale - low->scale, &low->n))
        return false;
    low->scale = scale;
    return true;
}

/* ---- rounding ---- */

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
    return !away || decimal_done(m, big_add(&m->arena, out, &step, out));
}

bool decimal_scaled(struct machine *m, const struct decimal *d, int64_t scale, const char *mode, struct decimal *out)
{
    const int64_t more = scale - d->scale;
    struct big n = d->n, power;
    out->scale = scale;
    if (more >= 0)
        return shifted(m, &n, more, &out->n);
    return shifted(m, &one, -more, &power) && divided(m, &n, &power, mode, &out->n);
}

bool decimal_stripped(struct machine *m, struct decimal *d, int64_t least)
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

bool decimal_multiplied(struct machine *m, const struct decimal *a, const struct decimal *b, struct decimal *out)
{
    if ((uint64_t)a->n.count + b->n.count > BIG_DIGITS_MAX / 9)
        return decimal_too_long(m);
    out->scale = a->scale + b->scale;
    return decimal_done(m, big_multiply(&m->arena, &a->n, &b->n, &out->n));
}

/* ---- quotients ---- */

static bool by_zero(struct machine *m, const struct big *n)
{
    static const int64_t least = INT64_MIN;
    const bool compact = n->count < 2 || (n->count == 2 && n->limbs[1] >> 31 == 0 && big_to_long(n) != least);
    return throws(m, "java.lang.ArithmeticException", compact ? "/ by zero" : "BigInteger divide by zero");
}

bool decimal_quotient(struct machine *m, const struct decimal *a, const struct decimal *b, int64_t scale,
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
bool decimal_exact_quotient(struct machine *m, const struct decimal *a, const struct decimal *b, struct decimal *out)
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
    const int64_t more = (10 * decimal_digits(digits) + 2) / 3; /* enough for each factor 2 of the divisor */
    if (!shifted(m, &a->n, more, &n))
        return false;
    if (!big_divide(&m->arena, &n, &b->n, &out->n, &rest))
        return end_memory(m);
    if (rest.count > 0)
        return throws(m, "java.lang.ArithmeticException",
                      "Non-terminating decimal expansion; no exact representable decimal result.");
    out->scale = least + more;
    return decimal_stripped(m, out, least);
}

/* So many digits at most; 0: all. Rounding 9.99 up makes one more, which is rounded again. */
bool decimal_rounded(struct machine *m, struct decimal *d, int64_t precision, const char *mode)
{
    for (;;) {
        const char *digits = big_write(&m->arena, &d->n);
        if (digits == NULL)
            return end_memory(m);
        const int64_t drop = precision == 0 || d->n.count == 0 ? 0 : decimal_digits(digits) - precision;
        if (drop <= 0)
            return true;
        if (!decimal_scaled(m, d, d->scale - drop, mode, d))
            return false;
    }
}

/* The scale that gives the quotient as many digits as the precision says, then without zeros behind them. */
bool decimal_quotient_in(struct machine *m, const struct decimal *a, const struct decimal *b, int64_t precision,
                         const char *mode, struct decimal *out)
{
    const char *x = big_write(&m->arena, &a->n), *y = big_write(&m->arena, &b->n);
    const int64_t least = a->scale - b->scale;
    struct big p, q;
    if (x == NULL || y == NULL)
        return end_memory(m);
    const int64_t more = decimal_digits(x) - decimal_digits(y);
    if (b->n.count == 0)
        return throws(m, "java.lang.ArithmeticException", a->n.count == 0 ? "Division undefined" : "Division by zero");
    *out = (struct decimal){ a->n, least };
    if (a->n.count == 0)
        return true;
    if (!shifted(m, &a->n, more < 0 ? -more : 0, &p) || !shifted(m, &b->n, more > 0 ? more : 0, &q))
        return false;
    const int64_t scale = least - more - (big_magnitudes(&p, &q) > 0) + precision;
    struct decimal back, whole = *a;
    if (!decimal_quotient(m, a, b, scale, mode, out) || !decimal_multiplied(m, out, b, &back) ||
        !decimal_aligned(m, &back, &whole))
        return false;
    return big_compared(&back.n, &whole.n) != 0 || decimal_stripped(m, out, least);
}
