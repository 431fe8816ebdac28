/* parse_literals.c - numbers, objects and quoted texts: see parse.h. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/jvm/arithmetic.h"
#include "formats/mutf8.h"
#include "reader/expression/parse.h"

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

const struct expression *parse_number(struct parser *p)
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
            return parse_fail(p, "a number");
        p->at += length + (letter != '\0' && strchr("fFdD", letter) != NULL);
        return parse_literal(p, at, v);
    }
    errno = 0;
    uint64_t v = strtoull(binary ? digits + 2 : digits, &end, binary ? 2 : 0);
    if (errno != 0 || *end != '\0')
        return parse_fail(p, "a number of at most 64 bits");
    p->at += length;
    if (*p->at == 'L' || *p->at == 'l') {
        p->at++;
        return parse_literal(p, at, expression_number('J', v));
    }
    const bool decimal = !hex && !binary && digits[0] != '0';
    return parse_literal(p, at,
                         v <= (decimal ? (uint64_t)INT32_MAX + 1 : UINT32_MAX)
                             ? expression_number('I', of_int((int32_t)(uint32_t)v))
                             : expression_number('J', v));
}

/* #12: the object; a dot behind it begins a member, not a fraction. */
const struct expression *parse_object_number(struct parser *p)
{
    const size_t at = (size_t)(p->at - p->text);
    char *end;
    p->at++;
    if (!isdigit((unsigned char)*p->at))
        return parse_fail(p, "the number of an object");
    errno = 0;
    uint64_t id = strtoull(p->at, &end, 10);
    if (errno != 0)
        return parse_fail(p, "a number of at most 64 bits");
    p->at = end;
    return parse_literal(p, at, expression_number('L', id));
}

/* "..." or 'x', with the escapes of shown.h. */
const struct expression *parse_quoted(struct parser *p)
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
        e = parse_fail(p, "the end of the quoted text");
    else if (quote == '\'' && (n == 0 || n != w.size || code > UINT16_MAX))
        e = parse_fail(p, "one character between apostrophes");
    else if (quote == '\'')
        e = parse_literal(p, at, expression_number('C', code));
    else {
        write_u1(&w, 0);
        const char *text = w.bad ? NULL : parse_copied(p, (const char *)w.data, w.size - 1);
        e = text == NULL ? parse_memory(p)
                         : parse_literal(p, at,
                                         (struct expression_value){
                                             .known = true, .kind = EXPRESSION_TEXT, .text = text, .seq = UINT64_MAX });
    }
    p->at += p->status == OK;
    writer_free(&w);
    return e;
}
