/* natives_format.c - String.format and formatted of arguments that are known; see natives.h.
 *
 * Numbers are written as in the locale that the JVM had when it began, if that has a decimal point and groups of three
 * digits joined by commas; of others, and of conversions that are not here, the text is not known. As Formatter does
 * it, the shortest digits of a double are rounded, half up: %.1f of 0.25 is 0.3. java.util.Formatter. */
#include <stdio.h>

#include "formats/json.h"
#include "formats/jvm/arithmetic.h"
#include "reader/execute/natives.h"

enum { WIDTH_MOST = 1000000, DIGITS_ROOM = 400 };

struct specifier {
    bool left, sharp, plus, space, zero, comma, paren, upper;
    int32_t width, precision; /* -1: none */
    char conversion;
};

struct formatting {
    struct machine *m;
    const uint16_t *units;
    uint32_t count, at;
    struct jvalue array;
    uint64_t length; /* of array */
    int64_t ordinary, last;
    units_vec out;
};

static bool add(struct formatting *f, uint16_t unit)
{
    uint16_t *to = f->out.count < UNITS_MAX ? vec_push(&f->out) : NULL;
    if (to == NULL)
        return f->out.count < UNITS_MAX ? end_memory(f->m) : end_limit(f->m, "a string is too long");
    *to = unit;
    return true;
}

static bool repeat(struct formatting *f, char c, int64_t times)
{
    while (times-- > 0)
        if (!add(f, (uint8_t)c))
            return false;
    return true;
}

static bool strange(struct formatting *f) { return end_not_known(f->m, "a format of String.format of this kind"); }

static bool plain_locale(struct machine *m)
{
    static const char *const plain[] = { "en", "en_US", "en_GB", "en_CA", "en_AU", "en_IE", "en_NZ" };
    const char *locale = hs_info(m->trace, "locale");
    for (size_t i = 0; locale != NULL && i < sizeof plain / sizeof *plain; i++)
        if (strcmp(locale, plain[i]) == 0)
            return true;
    return end_not_known(m, "how numbers are formatted in the locale %s", locale != NULL ? locale : "of the program");
}

/* A number in decimal or another base, with what stands before and behind it: sign or parenthesis, zeros of padding. */
static bool put_number(struct formatting *f, const struct specifier *s, bool negative, const char *prefix,
                       const char *digits, bool pads)
{
    const size_t whole = strcspn(digits, ".eE"), length = strlen(digits);
    const bool groups = s->comma && pads, close = negative && s->paren;
    const size_t commas = groups && whole > 0 ? (whole - 1) / 3 : 0;
    const char *sign = close ? "(" : negative ? "-" : s->plus ? "+" : s->space ? " " : "";
    const int64_t size = (int64_t)(strlen(sign) + strlen(prefix) + length + commas + close);
    const int64_t fill = s->width > size ? s->width - size : 0;
    const bool zeros = s->zero && pads;
    bool good = (zeros || s->left || repeat(f, ' ', fill)) && append_ascii(f->m, &f->out, sign) &&
                append_ascii(f->m, &f->out, prefix) && (!zeros || repeat(f, '0', fill));
    for (size_t i = 0; i < length && good; i++) {
        if (groups && i > 0 && i < whole && (whole - i) % 3 == 0)
            good = add(f, ',');
        good = good && add(f, (uint8_t)(s->upper && digits[i] >= 'a' && digits[i] <= 'z' ? digits[i] - 32 : digits[i]));
    }
    return good && (!close || add(f, ')')) && (!s->left || repeat(f, ' ', fill));
}

/* Text, cut at the precision. */
static bool put_text(struct formatting *f, const struct specifier *s, const uint16_t *units, size_t count)
{
    if (s->sharp || s->plus || s->space || s->zero || s->comma || s->paren)
        return strange(f);
    if (s->precision >= 0 && (size_t)s->precision < count)
        count = (size_t)s->precision;
    const int64_t fill = s->width > (int64_t)count ? s->width - (int64_t)count : 0;
    bool good = s->left || repeat(f, ' ', fill);
    for (size_t i = 0; i < count && good; i++) {
        if (s->upper && (units[i] > 127 || units[i] == 'i'))
            return end_not_known(f->m, "the case of letters in the locale of the program");
        good = add(f, s->upper && units[i] >= 'a' && units[i] <= 'z' ? (uint16_t)(units[i] - 32) : units[i]);
    }
    return good && (!s->left || repeat(f, ' ', fill));
}

static bool put_ascii(struct formatting *f, const struct specifier *s, const char *text)
{
    uint16_t units[DIGITS_ROOM];
    size_t n = 0;
    for (; text[n] != '\0' && n < DIGITS_ROOM; n++)
        units[n] = (uint8_t)text[n];
    return put_text(f, s, units, n);
}

static bool put_whole(struct formatting *f, const struct specifier *s, struct jvalue v, char letter)
{
    char digits[32];
    const int64_t n = (int64_t)v.bits;
    if (strchr("BSIJ", letter) == NULL || s->precision >= 0)
        return strange(f);
    if (s->conversion == 'd') {
        if (s->sharp || !plain_locale(f->m))
            return s->sharp ? strange(f) : false;
        (void)snprintf(digits, sizeof digits, "%llu", (unsigned long long)(n < 0 ? 0 - (uint64_t)n : (uint64_t)n));
        return put_number(f, s, n < 0, "", digits, true);
    }
    if (s->plus || s->space || s->comma || s->paren)
        return strange(f);
    const uint64_t mask = letter == 'J'   ? UINT64_MAX
                          : letter == 'I' ? UINT32_MAX
                          : letter == 'S' ? UINT16_MAX
                                          : UINT8_MAX;
    (void)snprintf(digits, sizeof digits, s->conversion == 'o' ? "%llo" : "%llx", (unsigned long long)(v.bits & mask));
    const char *prefix = !s->sharp ? "" : s->conversion == 'o' ? "0" : s->upper ? "0X" : "0x";
    return put_number(f, s, false, prefix, digits, true);
}

/* Rounds the digits, of which the point stands behind `*point`, half up to so many; zeros follow. */
static void round_digits(char *digits, size_t *count, int *point, int keep)
{
    bool up = keep >= 0 && (size_t)keep < *count && digits[keep] >= '5';
    if (keep < 0)
        keep = 0;
    while (*count > (size_t)keep)
        --*count;
    for (size_t i = *count; up && i-- > 0;) {
        up = digits[i] == '9';
        digits[i] = up ? '0' : (char)(digits[i] + 1);
    }
    if (up) {
        memmove(digits + 1, digits, *count);
        digits[0] = '1';
        ++*count;
        ++*point;
    }
}

/* The shortest digits without point and leading zeros; false: JDKs differ in them. */
static bool shortest(struct formatting *f, struct jvalue v, char letter, char *digits, size_t *count, int *point)
{
    char text[JSON_NUMBER_MAX];
    const double size = letter == 'F' ? (double)as_float(v.bits) : as_double(v.bits);
    const char *shown = letter == 'F' ? json_float_digits((uint32_t)v.bits, text) : json_double_digits(v.bits, text);
    bool behind = false;
    *count = 0;
    *point = 0;
    for (const char *p = shown; *p != '\0' && *p != 'e' && *p != 'E'; p++) {
        if (*p == '.') {
            behind = true;
        } else if (*p != '-') {
            if (*count == 0 && *p == '0') {
                *point -= behind;
                continue;
            }
            digits[(*count)++] = *p;
            *point += !behind;
        }
    }
    const double magnitude = size < 0 ? -size : size;
    const bool same = size == 0 || (magnitude >= 1e-3 && magnitude < 1e7 && *count <= (letter == 'F' ? 8u : 16u));
    return same ? true : end_not_known(f->m, "how this JDK writes the number %s", shown);
}

static bool put_real(struct formatting *f, const struct specifier *s, struct jvalue v, char letter)
{
    char digits[JSON_NUMBER_MAX + 2], text[DIGITS_ROOM];
    size_t count, n = 0;
    int point;
    const double x = letter == 'F' ? (double)as_float(v.bits) : as_double(v.bits);
    const bool negative = letter == 'F' ? (v.bits >> 31 & 1) != 0 : (int64_t)v.bits < 0;
    const int precision = s->precision < 0 ? 6 : s->precision;
    if ((letter != 'F' && letter != 'D') || s->sharp || precision > 300)
        return strange(f);
    if (x != x)
        return put_number(f, &(struct specifier){ .width = s->width, .left = s->left }, false, "",
                          s->upper ? "NAN" : "NaN", false);
    if (x - x != 0)
        return put_number(f, s, negative, "", "Infinity", false);
    if (!plain_locale(f->m) || !shortest(f, v, letter, digits, &count, &point))
        return false;
    const bool scientific = s->conversion == 'e';
    if (scientific && s->comma)
        return strange(f);
    if (count == 0)
        point = 1;
    round_digits(digits, &count, &point, scientific ? precision + 1 : point + precision);
    const int before = scientific ? 1 : point;
    if (before <= 0)
        text[n++] = '0';
    for (int i = 0; i < before; i++)
        text[n++] = (size_t)i < count ? digits[i] : '0';
    if (precision > 0)
        text[n++] = '.';
    for (int i = before; i < before + precision; i++)
        text[n++] = i >= 0 && (size_t)i < count ? digits[i] : '0';
    text[n] = '\0';
    if (scientific)
        (void)snprintf(text + n, sizeof text - n, "e%c%02d", point < 1 ? '-' : '+', point < 1 ? 1 - point : point - 1);
    return put_number(f, s, negative, "", text, true);
}

static bool put_char(struct formatting *f, const struct specifier *s, struct jvalue v, char letter)
{
    const uint16_t unit = (uint16_t)v.bits;
    if (strchr("CBSI", letter) == NULL || s->precision >= 0 || v.bits > 0xffff)
        return strange(f);
    return put_text(f, s, &unit, 1);
}

/* One argument that is not null. */
static bool put_object(struct formatting *f, const struct specifier *s, struct jvalue v)
{
    struct machine *m = f->m;
    struct jvalue number = { .kind = 'V' };
    char letter = 'L', hex[16];
    int32_t hash;
    const bool box = nature_of(m, v) == NATURE_BOX;
    if (box && !unboxed(m, v, &number, &letter))
        return false;
    switch (s->conversion) {
    case 'b': return put_ascii(f, s, letter == 'Z' && number.bits == 0 ? "false" : "true");
    case 'd':
    case 'o':
    case 'x': return put_whole(f, s, number, letter);
    case 'c': return put_char(f, s, number, letter);
    case 'e':
    case 'f': return put_real(f, s, number, letter);
    case 'h':
        if (!value_hash(m, v, &hash))
            return false;
        (void)snprintf(hex, sizeof hex, "%x", (unsigned)hash);
        return put_ascii(f, s, hex);
    case 's': {
        units_vec text = { 0 };
        const bool good = append_text(m, &text, v, 'L') && put_text(f, s, text.items, text.count);
        vec_free(&text);
        return good;
    }
    default: return strange(f);
    }
}

static bool argument(struct formatting *f, int64_t number, struct jvalue *v)
{
    if ((uint64_t)number >= f->length)
        return throws(f->m, "java.util.MissingFormatArgumentException", NULL);
    return get_element(f->m, f->array, int_value(number), 'A', v) && known(f->m, *v);
}

static bool read_digits(struct formatting *f, int32_t *out)
{
    const uint32_t from = f->at;
    for (*out = 0; f->at < f->count && f->units[f->at] >= '0' && f->units[f->at] <= '9' && *out < WIDTH_MOST; f->at++)
        *out = 10 * *out + (f->units[f->at] - '0');
    return f->at > from;
}

static bool read_flags(struct formatting *f, struct specifier *s)
{
    for (; f->at < f->count; f->at++) {
        bool *flag;
        switch (f->units[f->at]) {
        case '-': flag = &s->left; break;
        case '#': flag = &s->sharp; break;
        case '+': flag = &s->plus; break;
        case ' ': flag = &s->space; break;
        case '0': flag = &s->zero; break;
        case ',': flag = &s->comma; break;
        case '(': flag = &s->paren; break;
        default: return true;
        }
        if (*flag)
            return false;
        *flag = true;
    }
    return true;
}

/* Behind the %. */
static bool specifier(struct formatting *f)
{
    struct specifier s = { .width = -1, .precision = -1 };
    int64_t index = -1;
    int32_t n = 0;
    struct jvalue v;
    const uint32_t from = f->at;
    if (f->at < f->count && f->units[f->at] == '<') {
        index = f->last;
        f->at++;
        if (index < 0)
            return strange(f);
    } else if (read_digits(f, &n) && f->at < f->count && f->units[f->at] == '$' && n > 0) {
        index = n - 1;
        f->at++;
    } else {
        f->at = from;
    }
    if (!read_flags(f, &s))
        return strange(f);
    if (read_digits(f, &n))
        s.width = n;
    if (f->at < f->count && f->units[f->at] == '.') {
        f->at++;
        if (!read_digits(f, &s.precision))
            return strange(f);
    }
    if (f->at == f->count || f->units[f->at] > 127)
        return strange(f);
    const char c = (char)f->units[f->at++];
    s.upper = c >= 'A' && c <= 'Z';
    s.conversion = s.upper ? (char)(c + 32) : c;
    if ((s.left || s.zero) && s.width < 0)
        return strange(f);
    if ((s.left && s.zero) || (s.plus && s.space) || (s.upper && strchr("bhscxe", s.conversion) == NULL))
        return strange(f);
    if (c == 'n' || c == '%')
        return f->at == from + 1 ? add(f, c == 'n' ? '\n' : '%') : strange(f);
    if (strchr("bhscdoxef", s.conversion) == NULL)
        return end_not_known(f->m, "%%%c of String.format", c);
    index = index >= 0 ? index : f->ordinary++;
    f->last = index;
    if (!argument(f, index, &v))
        return false;
    if (v.bits == 0) {
        s.zero = s.plus = s.space = s.comma = s.paren = s.sharp = false;
        return put_ascii(f, &s, s.conversion == 'b' ? "false" : "null");
    }
    return put_object(f, &s, v);
}

bool text_formatted(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct formatting f = { .m = m, .last = -1, .array = i->given[1] };
    struct jvalue length;
    if (!known(m, i->given[0]) || !known(m, f.array))
        return false;
    if (i->given[0].bits == 0)
        return throws_unsaid(m, "java.lang.NullPointerException");
    f.units = units_of(m, i->given[0], &f.count);
    if (f.units == NULL)
        return false;
    if (f.array.bits == 0)
        return end_not_known(m, "String.format with an array that is null");
    if (!array_count(m, f.array, &length) || !known(m, length))
        return false;
    f.length = length.bits;
    bool good = true;
    while (f.at < f.count && good) {
        const uint16_t unit = f.units[f.at++];
        good = unit == '%' ? specifier(&f) : add(&f, unit);
    }
    return good ? finish_text(m, &f.out, out) : (vec_free(&f.out), false);
}
