/* natives_integers.c - bits and texts of whole numbers: static methods of Integer, Long, Short, Byte and Character; see
 * natives.h. */
#include "formats/jvm/arithmetic.h"
#include "reader/execute/natives.h"

static char letter_of(const struct invocation *i) { return i->ref.desc.size > 1 ? i->ref.desc.data[1] : ')'; }
static char result_letter(const struct invocation *i) { return i->ref.desc.data[i->ref.desc.size - 1]; }
static bool is_long(const struct invocation *i) { return letter_of(i) == 'J'; }

static bool all_known(struct machine *m, const struct invocation *i)
{
    for (unsigned k = 0; k < i->count; k++)
        if (!known(m, i->given[k]))
            return false;
    return true;
}

static struct jvalue whole(const struct invocation *i, uint64_t bits)
{
    return result_letter(i) == 'J' ? number_value('J', bits) : int_value((int32_t)(uint32_t)bits);
}

/* The bits of the first argument, without a sign. */
static uint64_t unsigned_of(const struct invocation *i, unsigned number)
{
    const uint64_t bits = i->given[number].bits;
    return is_long(i) ? bits : (uint32_t)bits;
}

/* ---- texts ---- */

static bool digits_text(struct machine *m, uint64_t v, bool negative, unsigned radix, struct jvalue *out)
{
    static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    char text[66], *at = text + sizeof text;
    *--at = '\0';
    do
        *--at = letters[v % radix];
    while ((v /= radix) > 0);
    if (negative)
        *--at = '-';
    return make_text(m, at, strlen(at), out);
}

/* toHexString, toBinaryString, toOctalString, toUnsignedString, toString with a radix. */
bool integer_text(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const struct text name = i->ref.name;
    if (!all_known(m, i))
        return false;
    if (!text_is(name, "toString"))
        return digits_text(m, unsigned_of(i, 0), false,
                           text_is(name, "toHexString")      ? 16
                           : text_is(name, "toBinaryString") ? 2
                           : text_is(name, "toOctalString")  ? 8
                                                             : 10,
                           out);
    const int64_t v = (int64_t)i->given[0].bits, radix = (int32_t)i->given[1].bits;
    return digits_text(m, v < 0 ? 0 - (uint64_t)v : (uint64_t)v, v < 0, radix < 2 || radix > 36 ? 10 : (unsigned)radix,
                       out);
}

/* The value of a digit in that base, of ASCII; -1. */
static int digit_of(uint64_t c, unsigned radix)
{
    const int v = c >= '0' && c <= '9'   ? (int)(c - '0')
                  : c >= 'a' && c <= 'z' ? (int)(c - 'a') + 10
                  : c >= 'A' && c <= 'Z' ? (int)(c - 'A') + 10
                                         : -1;
    return v < (int)radix ? v : -1;
}

/* parseInt, parseLong, valueOf of a text, of base ten or another. */
bool number_parsed(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    uint32_t count, at = 0;
    const char to = result_letter(i);
    const bool boxes = to == ';';
    const bool is_int = boxes ? text_is_class(i->ref.owner, "java.lang.Integer") : to == 'I';
    if (!all_known(m, i))
        return false;
    const int32_t base = i->count > 1 ? (int32_t)i->given[1].bits : 10;
    if (i->given[0].bits == 0 || base < 2 || base > 36)
        return throws_unsaid(m, "java.lang.NumberFormatException");
    const unsigned radix = (unsigned)base;
    const uint16_t *units = units_of(m, i->given[0], &count);
    if (units == NULL)
        return false;
    const bool minus = count > 0 && units[0] == '-';
    uint64_t value = 0;
    const uint64_t most = (is_int ? (uint64_t)INT32_MAX : (uint64_t)INT64_MAX) + minus;
    bool good = count > (at = minus || (count > 0 && units[0] == '+'));
    for (; at < count && good; at++) {
        const int digit = digit_of(units[at], radix);
        if (units[at] > 127)
            return end_not_known(m, "a number with digits beyond ASCII");
        good = digit >= 0 && value <= (most - (unsigned)digit) / radix;
        value = radix * value + (unsigned)digit;
    }
    if (!good)
        return throws_unsaid(m, "java.lang.NumberFormatException");
    value = minus ? 0 - value : value;
    if (boxes)
        return make_box(m, is_int ? 'I' : 'J', is_int ? of_int((int32_t)(uint32_t)value) : value, out);
    *out = number_value(is_int ? 'I' : 'J', value);
    return true;
}

bool boolean_parsed(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    static const char yes[] = "true";
    uint32_t count = 0;
    if (!known(m, i->given[0]))
        return false;
    const uint16_t *units = i->given[0].bits != 0 ? units_of(m, i->given[0], &count) : NULL;
    if (m->ended != OUTCOME_VALUE)
        return false;
    bool is = count == strlen(yes);
    for (uint32_t k = 0; is && k < count; k++)
        is = (units[k] == yes[k]) || (units[k] | 32) == yes[k];
    return result_letter(i) == ';' ? make_box(m, 'Z', is, out) : (*out = int_value(is), true);
}

/* ---- bits ---- */

static uint64_t reversed(uint64_t v, unsigned bits)
{
    uint64_t r = 0;
    for (unsigned k = 0; k < bits; k++)
        r |= (v >> k & 1) << (bits - 1 - k);
    return r;
}

static uint64_t rotated(uint64_t v, unsigned left, unsigned bits)
{
    left &= bits - 1;
    return left == 0 ? v : v << left | (bits == 64 ? v : (uint32_t)v) >> (bits - left);
}

bool integer_bits(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const struct text name = i->ref.name;
    const unsigned bits = is_long(i) ? 64 : 32;
    if (!all_known(m, i))
        return false;
    const uint64_t v = unsigned_of(i, 0);
    const unsigned leading = v == 0 ? bits : (unsigned)__builtin_clzll(v) - (64 - bits);
    const unsigned by = i->count > 1 ? (unsigned)i->given[1].bits : 0;
    uint64_t r;
    if (text_is(name, "bitCount"))
        r = (unsigned)__builtin_popcountll(v);
    else if (text_is(name, "numberOfLeadingZeros"))
        r = leading;
    else if (text_is(name, "numberOfTrailingZeros"))
        r = v == 0 ? bits : (unsigned)__builtin_ctzll(v);
    else if (text_is(name, "highestOneBit"))
        r = v == 0 ? 0 : (uint64_t)1 << (bits - 1 - leading);
    else if (text_is(name, "lowestOneBit"))
        r = v & (0 - v);
    else if (text_is(name, "reverse"))
        r = reversed(v, bits);
    else if (text_is(name, "reverseBytes"))
        r = __builtin_bswap64(v) >> (64 - bits);
    else if (text_is(name, "signum"))
        r = i->given[0].bits == 0 ? 0 : (int64_t)i->given[0].bits < 0 ? UINT64_MAX : 1;
    else
        r = rotated(v, text_is(name, "rotateLeft") ? by : 0 - by, bits);
    *out = whole(i, r);
    return true;
}

/* divideUnsigned, remainderUnsigned, compareUnsigned, toUnsignedInt, toUnsignedLong. */
bool integer_unsigned(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const struct text name = i->ref.name;
    if (!all_known(m, i))
        return false;
    if (i->count == 1) {
        const char from = letter_of(i);
        *out = whole(i, i->given[0].bits & (from == 'B' ? 0xff : from == 'S' ? 0xffff : UINT32_MAX));
        return true;
    }
    const uint64_t a = unsigned_of(i, 0), b = unsigned_of(i, 1);
    if (text_is(name, "compareUnsigned"))
        return *out = int_value(a < b ? -1 : a > b), true;
    if (b == 0)
        return throws(m, "java.lang.ArithmeticException", "/ by zero");
    *out = whole(i, text_is(name, "divideUnsigned") ? a / b : a % b);
    return true;
}

bool boolean_logic(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    if (!all_known(m, i))
        return false;
    const uint64_t a = i->given[0].bits, b = i->given[1].bits;
    *out = int_value((int64_t)(text_is(i->ref.name, "logicalAnd")  ? a & b
                               : text_is(i->ref.name, "logicalOr") ? a | b
                                                                   : a ^ b));
    return true;
}

/* ---- Character ---- */

/* digit, getNumericValue, forDigit: of ASCII. */
bool char_digit(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    if (!all_known(m, i))
        return false;
    const uint64_t c = i->given[0].bits;
    const int32_t radix = i->count > 1 ? (int32_t)i->given[1].bits : 36;
    if (text_is(i->ref.name, "forDigit")) {
        const bool good = radix >= 2 && radix <= 36 && (int32_t)c >= 0 && (int32_t)c < radix;
        return *out = int_value(!good ? 0 : c < 10 ? '0' + (int64_t)c : 'a' + (int64_t)c - 10), true;
    }
    if (c > 127)
        return end_not_known(m, "the kind of a character beyond ASCII");
    *out = int_value(radix < 2 || radix > 36 ? -1 : digit_of(c, (unsigned)radix));
    return true;
}

/* isSurrogate and the others, charCount. */
bool char_surrogate(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    if (!all_known(m, i))
        return false;
    const uint64_t c = i->given[0].bits;
    const bool high = c >= 0xd800 && c < 0xdc00, low = c >= 0xdc00 && c < 0xe000;
    if (text_is(i->ref.name, "charCount"))
        *out = int_value((int32_t)c >= 0x10000 ? 2 : 1);
    else
        *out = int_value(text_is(i->ref.name, "isHighSurrogate")  ? high
                         : text_is(i->ref.name, "isLowSurrogate") ? low
                                                                  : high || low);
    return true;
}
