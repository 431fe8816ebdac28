/* natives_numbers.c - boxes, Math, and the static methods of the classes of boxes; see natives.h. */
#include <math.h>
#include <stdlib.h>

#include "formats/jvm/arithmetic.h"
#include "reader/execute/natives.h"

static char letter_of(const struct invocation *i) { return i->ref.desc.size > 1 ? i->ref.desc.data[1] : ')'; }
static char result_letter(const struct invocation *i) { return i->ref.desc.data[i->ref.desc.size - 1]; }

/* The arguments are numbers that are known. */
static bool all_known(struct machine *m, const struct invocation *i)
{
    for (unsigned k = 0; k < i->count; k++)
        if (!known(m, i->given[k]))
            return false;
    return true;
}

bool unboxed(struct machine *m, struct jvalue box, struct jvalue *out, char *letter)
{
    const struct made *made = made_of(m, box);
    if (made != NULL && made->is == MADE_BOX) {
        *out = made->values[0];
        *letter = made->element;
        return true;
    }
    const struct hs_object_value *v =
        made == NULL && box.bits != 0 ? m->heap.value(m->heap.context, (uint32_t)box.bits) : NULL;
    if (v == NULL || v->kind == 0)
        return end_not_known(m, "the number in the box %llu was not recorded", (unsigned long long)box.bits);
    *letter = v->kind;
    *out = number_value(jvalue_kind(v->kind), v->bits);
    return true;
}

bool box_made(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    return all_known(m, i) && make_box(m, letter_of(i), i->given[0].bits, out);
}

static double real_of(struct jvalue v)
{
    return v.kind == 'F' ? (double)as_float(v.bits) : v.kind == 'D' ? as_double(v.bits) : (double)(int64_t)v.bits;
}

/* A number as another type of number has it. JVMS 2.11.4: as the conversions i2b, d2i and the others. */
static uint64_t converted(struct jvalue v, char to)
{
    if (to == 'F')
        return v.kind == 'F' ? v.bits : of_float(v.kind == 'D' ? (float)as_double(v.bits) : (float)(int64_t)v.bits);
    if (to == 'D')
        return v.kind == 'D' ? v.bits : of_double(real_of(v));
    const bool real = v.kind == 'F' || v.kind == 'D';
    const int64_t whole = !real ? (int64_t)v.bits : to == 'J' ? to_long(real_of(v)) : to_int(real_of(v));
    return to == 'J'                ? (uint64_t)whole
           : to == 'I' || to == 'Z' ? of_int((int32_t)whole)
                                    : arithmetic_narrowed((unsigned char)to, (uint64_t)whole);
}

/* intValue() and the like. */
bool box_value(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct jvalue v;
    char letter;
    const char to = result_letter(i);
    if (!unboxed(m, i->given[0], &v, &letter))
        return false;
    *out = number_value(jvalue_kind(to), converted(v, to));
    return true;
}

static int compared(struct jvalue a, struct jvalue b)
{
    if (a.kind != 'F' && a.kind != 'D')
        return (int64_t)a.bits < (int64_t)b.bits ? -1 : a.bits != b.bits;
    const double x = real_of(a), y = real_of(b);
    if (x < y)
        return -1;
    if (x > y)
        return 1;
    const uint64_t p = isnan(x) ? of_double((double)NAN) : of_double(x),
                   q = isnan(y) ? of_double((double)NAN) : of_double(y);
    const bool nan = isnan(x), other = isnan(y);
    return nan || other ? (int)nan - (int)other : (int64_t)p < (int64_t)q ? -1 : p != q;
}

bool number_compared(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    if (!all_known(m, i))
        return false;
    const char letter = letter_of(i);
    const int64_t difference = (int64_t)(i->given[0].bits - i->given[1].bits);
    *out = int_value(letter == 'B' || letter == 'S' || letter == 'C' ? difference : compared(i->given[0], i->given[1]));
    return true;
}

bool box_compared(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct jvalue a, b;
    char letter, other;
    if (!all_known(m, i))
        return false;
    if (i->given[1].bits == 0)
        return throws_unsaid(m, "java.lang.NullPointerException");
    if (!unboxed(m, i->given[0], &a, &letter) || !unboxed(m, i->given[1], &b, &other))
        return false;
    if (letter != other)
        return throws_unsaid(m, "java.lang.ClassCastException");
    *out = int_value(letter == 'B' || letter == 'S' || letter == 'C' ? (int64_t)(a.bits - b.bits) : compared(a, b));
    return true;
}

/* max, min, sum. */
bool number_chosen(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    static const unsigned adds[] = { ['I'] = OPC_iadd, ['J'] = OPC_ladd, ['F'] = OPC_fadd, ['D'] = OPC_dadd };
    if (!all_known(m, i))
        return false;
    const struct jvalue a = i->given[0], b = i->given[1];
    if (text_is(i->ref.name, "sum")) {
        *out = number_value(a.kind, arithmetic_binary(adds[(unsigned char)a.kind], a.bits, b.bits));
        return true;
    }
    const bool real = a.kind == 'F' || a.kind == 'D';
    if (real && (isnan(real_of(a)) || isnan(real_of(b))))
        return *out = isnan(real_of(a)) ? a : b, true;
    *out = (compared(a, b) >= 0) == text_is(i->ref.name, "max") ? a : b;
    return true;
}

bool number_absolute(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    if (!all_known(m, i))
        return false;
    *out = i->given[0];
    switch (out->kind) {
    case 'F': out->bits &= 0x7fffffffu; break;
    case 'D': out->bits &= INT64_MAX; break;
    case 'J': out->bits = (int64_t)out->bits < 0 ? 0 - out->bits : out->bits; break;
    default: out->bits = (int64_t)out->bits < 0 ? of_int((int32_t)(0 - (uint32_t)out->bits)) : out->bits; break;
    }
    return true;
}

bool number_floored(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    if (!all_known(m, i))
        return false;
    const int64_t a = (int64_t)i->given[0].bits, b = (int64_t)i->given[1].bits;
    const char kind = jvalue_kind(result_letter(i));
    const bool remainder = text_is(i->ref.name, "floorMod");
    if (b == 0)
        return throws(m, "java.lang.ArithmeticException", "/ by zero");
    if (b == -1) {
        *out = number_value(kind, remainder ? 0 : 0 - (uint64_t)a);
    } else {
        const int64_t rest = a % b, quotient = a / b;
        const bool down = rest != 0 && (rest < 0) != (b < 0);
        *out = number_value(kind, (uint64_t)(remainder ? rest + (down ? b : 0) : quotient - down));
    }
    if (kind == 'I')
        out->bits = of_int((int32_t)out->bits);
    return true;
}

/* addExact and the others. */
bool number_exact(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    if (!all_known(m, i))
        return false;
    const int64_t a = (int64_t)i->given[0].bits, b = i->count > 1 ? (int64_t)i->given[1].bits : 0;
    const bool is_int = result_letter(i) == 'I';
    int64_t r;
    bool over = text_is(i->ref.name, "addExact")         ? __builtin_add_overflow(a, b, &r)
                : text_is(i->ref.name, "subtractExact")  ? __builtin_sub_overflow(a, b, &r)
                : text_is(i->ref.name, "multiplyExact")  ? __builtin_mul_overflow(a, b, &r)
                : text_is(i->ref.name, "negateExact")    ? __builtin_sub_overflow((int64_t)0, a, &r)
                : text_is(i->ref.name, "incrementExact") ? __builtin_add_overflow(a, (int64_t)1, &r)
                : text_is(i->ref.name, "decrementExact") ? __builtin_sub_overflow(a, (int64_t)1, &r)
                                                         : (r = a, false);
    over |= is_int && r != (int32_t)r;
    if (over)
        return throws(m, "java.lang.ArithmeticException", is_int ? "integer overflow" : "long overflow");
    *out = number_value(is_int ? 'I' : 'J', (uint64_t)r);
    return true;
}

/* Those of Math whose result IEEE 754 or the specification fixes. */
bool number_real(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    if (!all_known(m, i))
        return false;
    const double x = real_of(i->given[0]);
    double r;
    if (text_is(i->ref.name, "sqrt"))
        r = sqrt(x);
    else if (text_is(i->ref.name, "floor"))
        r = floor(x);
    else if (text_is(i->ref.name, "ceil"))
        r = ceil(x);
    else
        r = rint(x);
    *out = number_value('D', of_double(r));
    return true;
}

/* Math.round: floor(x + 1/2), ties upwards. */
bool number_rounded(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    if (!all_known(m, i))
        return false;
    const double x = real_of(i->given[0]), down = floor(x);
    const double r = isnan(x) ? 0 : x - down >= 0.5 ? down + 1 : down;
    *out = result_letter(i) == 'I' ? int_value(to_int(r)) : number_value('J', (uint64_t)to_long(r));
    return true;
}

/* isNaN, isInfinite, isDigit, ...: of a static method or a box. */
bool number_asked(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct jvalue v = i->given[0];
    char letter;
    if (!all_known(m, i) || (!i->is_static && !unboxed(m, v, &v, &letter)))
        return false;
    const double real = real_of(v);
    *out = int_value(text_is(i->ref.name, "isNaN")      ? isnan(real)
                     : text_is(i->ref.name, "isFinite") ? isfinite(real)
                                                        : isinf(real));
    return true;
}

/* Character.isDigit and the like, of ASCII. */
bool char_asked(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    if (!all_known(m, i))
        return false;
    const uint64_t c = i->given[0].bits;
    const bool digit = c >= '0' && c <= '9', up = c >= 'A' && c <= 'Z', down = c >= 'a' && c <= 'z';
    if (c > 127)
        return end_not_known(m, "the kind of a character beyond ASCII");
    const struct text n = i->ref.name;
    if (text_is(n, "toUpperCase") || text_is(n, "toLowerCase")) {
        *out = int_value((int64_t)(down && text_is(n, "toUpperCase") ? c - 32
                                   : up && text_is(n, "toLowerCase") ? c + 32
                                                                     : c));
        return true;
    }
    *out = int_value(text_is(n, "isDigit")                                  ? digit
                     : text_is(n, "isLetter") || text_is(n, "isAlphabetic") ? up || down
                     : text_is(n, "isLetterOrDigit")                        ? digit || up || down
                     : text_is(n, "isUpperCase")                            ? up
                     : text_is(n, "isLowerCase")                            ? down
                     : text_is(n, "isSpaceChar")                            ? c == ' '
                                                 : (c >= 9 && c <= 13) || (c >= 28 && c <= 32));
    return true;
}

bool number_bits(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    if (!all_known(m, i))
        return false;
    const char to = result_letter(i);
    if (text_is(i->ref.name, "doubleToLongBits") && isnan(as_double(i->given[0].bits)))
        return *out = number_value('J', of_double((double)NAN)), true;
    if (text_is(i->ref.name, "floatToIntBits") && isnan(as_float(i->given[0].bits)))
        return *out = int_value((int32_t)of_float((float)NAN)), true;
    *out = number_value(to, to == 'I'   ? of_int((int32_t)i->given[0].bits)
                            : to == 'F' ? (uint32_t)i->given[0].bits
                                        : i->given[0].bits);
    return true;
}

/* Math.signum, copySign. */
bool number_signed(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    if (!all_known(m, i))
        return false;
    const struct jvalue a = i->given[0];
    const uint64_t sign = a.kind == 'F' ? 0x80000000u : (uint64_t)1 << 63;
    *out = a;
    if (i->count > 1) /* of a NaN each sign would do */
        out->bits = (a.bits & ~sign) | (i->given[1].bits & sign);
    else if (real_of(a) > 0 || real_of(a) < 0)
        out->bits = (a.bits & sign) | (a.kind == 'F' ? of_float(1) : of_double(1));
    return i->count < 2 || !isnan(real_of(i->given[1])) ? true : end_not_known(m, "the sign of a NaN");
}

/* Math.pow where its specification leaves no choice: of whole numbers whose power is one that a double has. */
bool number_power(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    enum { EXACT_BITS = 53, LARGEST_EXPONENT = 1023 };
    if (!all_known(m, i))
        return false;
    const double x = real_of(i->given[0]), y = real_of(i->given[1]);
    double r = 1;
    bool exact = x == rint(x) && y == rint(y) && y >= 0;
    if (y == 0 || y == 1 || isnan(y)) { /* of any x */
        *out = number_value('D', of_double(y == 0 ? 1 : y == 1 ? x : (double)NAN));
        return true;
    }
    if (x == 2 && y == rint(y) && y >= -LARGEST_EXPONENT && y <= LARGEST_EXPONENT)
        return *out = number_value('D', of_double(ldexp(1, (int)y))), true;
    exact = exact && y <= EXACT_BITS;
    for (double k = 0; exact && k < y; k++) {
        r *= x;
        exact = r <= ldexp(1, EXACT_BITS) && r >= -ldexp(1, EXACT_BITS);
    }
    if (!exact)
        return end_not_known(m, "Math.pow, where the last digit depends on the JVM");
    *out = number_value('D', of_double(r));
    return true;
}

/* Double.parseDouble, Float.parseFloat, valueOf: of the texts that strtod reads as Java does. */
bool real_parsed(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    enum { NUMBER_CHARS_MAX = 400 };
    char text[NUMBER_CHARS_MAX + 1], *end;
    uint32_t count;
    const bool boxes = result_letter(i) == ';';
    const bool is_float = boxes ? text_is_class(i->ref.owner, "java.lang.Float") : result_letter(i) == 'F';
    if (!all_known(m, i))
        return false;
    if (i->given[0].bits == 0)
        return text_is(i->ref.name, "parseDouble") || !is_float ? throws_unsaid(m, "java.lang.NullPointerException")
                                                                : end_not_known(m, "what a number of null is");
    const uint16_t *units = units_of(m, i->given[0], &count);
    if (units == NULL)
        return false;
    size_t size = 0, digits = 0;
    while (count > 0 && units[count - 1] <= ' ')
        count--;
    for (uint32_t k = 0; k < count && size < NUMBER_CHARS_MAX; k++) {
        if (size == 0 && units[k] <= ' ')
            continue;
        if (units[k] > 127 || strchr("0123456789+-.eE", (int)units[k]) == NULL || units[k] == 0)
            return (units[k] | 32) >= 'a' && (units[k] | 32) <= 'z' && strchr("nNiIxXfFdDpP", (int)units[k]) != NULL
                       ? end_not_known(m, "a number in another form than digits with a point and an exponent")
                       : throws_unsaid(m, "java.lang.NumberFormatException");
        digits += units[k] >= '0' && units[k] <= '9';
        text[size++] = (char)units[k];
    }
    if (size == NUMBER_CHARS_MAX)
        return end_limit(m, "a number has too many digits");
    text[size] = '\0';
    const float single = strtof(text, &end);
    const double real = strtod(text, &end);
    if (digits == 0 || *end != '\0')
        return throws_unsaid(m, "java.lang.NumberFormatException");
    const uint64_t bits = is_float ? of_float(single) : of_double(real);
    const char letter = is_float ? 'F' : 'D';
    return boxes ? make_box(m, letter, bits, out) : (*out = number_value(letter, bits), true);
}
