/* shown.c - reads values as answers show them; see shown.h. compare.c compares with them. */
#include "reader/expression/shown.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/mutf8.h"

static void read_number(struct shown_value *s)
{
    const char *digits = s->text + (*s->text == '-' || *s->text == '+');
    const bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    char *end;
    errno = 0;
    s->number = strtoll(s->text, &end, hex ? 16 : 10);
    s->integer = errno == 0 && end != s->text && *end == '\0';
    if (hex && *s->text != '-') {
        errno = 0;
        s->pattern = strtoull(s->text, &end, 16);
        s->bits = errno == 0 && *end == '\0';
    }
    s->fraction = strtod(s->text, &end);
    s->real = end != s->text && *end == '\0';
}

/* The id of "#12"; 0: it is none. */
static uint32_t read_id(const char *hash)
{
    char *end;
    if (strspn(hash + 1, "0123456789") == 0)
        return 0;
    errno = 0;
    unsigned long long id = strtoull(hash + 1, &end, 10);
    return errno == 0 && *end == '\0' && id <= UINT32_MAX ? (uint32_t)id : 0;
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

void shown_escape(const char **at, bool regex, struct writer *out)
{
    static const char letters[] = "tnrbf", meanings[] = "\t\n\r\b\f";
    const char *letter = **at != '\0' ? strchr(letters, **at) : NULL;
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
    if (!regex && **at >= '0' && **at <= '7') { /* octal, up to \377 */
        unsigned code = 0;
        for (int i = 0; i < (**at <= '3' || i > 0 ? 3 : 2) && **at >= '0' && **at <= '7' && code < 32; i++)
            code = code * 8 + (unsigned)(*(*at)++ - '0');
        latin1_to_utf8((uint8_t[]){ (uint8_t)code }, 1, out);
        return;
    }
    if (letter != NULL && (!regex || letter - letters < 3)) { /* \b has a meaning in a regular expression */
        write_u1(out, (uint8_t)meanings[letter - letters]);
    } else if (!regex && **at == 's') {
        write_u1(out, ' ');
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
static bool take_bare_character(const char **at, struct shown_value *s, struct writer *text)
{
    const char *p = *at, *behind = p;
    if (p[0] != '\'' || (p[1] != '\'' && p[1] != '\\') || p[2] != '\'')
        return false;
    behind = p + 3;
    if (!take_code(&behind, (unsigned char)p[1]))
        return false;
    write_u1(text, (uint8_t)p[1]);
    *at = behind;
    s->is_character = true;
    return true;
}

/* Behind a text in apostrophes: is it a character with its code? False: the code is that of another. */
static bool read_code(const char **at, struct shown_value *s, const struct writer *text)
{
    const uint8_t *t = text->data;
    uint32_t c = t != NULL ? t[0] : 0;
    size_t length = text->size == 0 ? 0 : t[0] < 0x80 ? 1 : utf8_char(t, text->size, &c);
    if (strncmp(*at, " (", 2) != 0 || strspn(*at + 2, "0123456789") == 0)
        return true;
    s->is_character = true;
    return length != 0 && length == text->size && take_code(at, c);
}

/* Behind a text in quotes: "text"... or, of "text"#12 and "text"...#12, the id. */
static void read_string_end(const char **at, struct shown_value *s, struct writer *text)
{
    char id[24];
    s->begins = strncmp(*at, "...", 3) == 0;
    *at += s->begins ? 3 : 0;
    if (**at != '#')
        return;
    size_t size = strcspn(*at, " \t\r\n&|)");
    (void)snprintf(id, sizeof id, "%.*s", size < sizeof id ? (int)size : 0, *at);
    s->object = *id != '\0' ? read_id(id) : 0;
    s->is_object = s->is_string = s->object != 0;
    s->quoted = false;
    if (!s->is_object) { /* no id: a text that begins with # */
        text->size = 0;
        write_bytes(text, *at, size);
        s->begins = false;
    }
    *at += size;
}

static const char *read_quoted(const char **at, bool regex, struct shown_value *s, struct writer *text)
{
    char quote = **at;
    if (take_bare_character(at, s, text))
        return NULL;
    for (++*at; **at != '\0' && **at != quote;) {
        if (**at == '\\' && (*at)[1] != '\0') {
            ++*at;
            shown_escape(at, regex, text);
        } else {
            write_u1(text, (uint8_t) * (*at)++);
        }
    }
    if (**at == '\0')
        return "the end of the quoted text";
    ++*at;
    if (quote == '\'' && !read_code(at, s, text))
        return "the code of this character";
    read_string_end(at, s, text);
    return NULL;
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

/* Is it an object, Type#12? */
static void read_object(struct shown_value *s)
{
    const char *hash = strrchr(s->text, '#');
    s->object = hash != NULL ? read_id(hash) : 0;
    s->is_object = s->object != 0;
    s->type_length = s->is_object ? (size_t)(hash - s->text) : 0;
}

/* Behind Type#12: what the object stands for, as answers show it. */
static void skip_standing(const char **at)
{
    int open = 0;
    if (**at != ' ')
        return;
    for (; **at != '\0' && strncmp(*at, "&&", 2) != 0 && strncmp(*at, "||", 2) != 0; ++*at) {
        if (**at == ')' && open == 0)
            break;
        open += (**at == '(') - (**at == ')');
    }
}

const char *shown_read(const char **at, enum expression_operator op, struct shown_value *s)
{
    struct writer text = { 0 };
    const bool regex = op == OPERATOR_MATCH;
    const char *expected = NULL;
    *s = (struct shown_value){ .quoted = **at == '"' || **at == '\'' };
    if (s->quoted) {
        expected = read_quoted(at, regex, s, &text);
    } else {
        size_t size = regex ? 0 : bracketed(*at);
        size = size > 0 ? size : strcspn(*at, " \t\r\n&|)");
        write_bytes(&text, *at, size);
        *at += size;
    }
    s->size = text.size;
    write_u1(&text, 0);
    s->text = (char *)text.data;
    if (text.bad)
        return "";
    if (expected == NULL && s->size == 0 && !s->quoted && !s->is_string)
        expected = "a value";
    if (expected != NULL)
        return expected;
    if (!s->quoted && !s->is_string)
        read_number(s);
    if (!s->quoted && !s->is_string && !regex)
        read_object(s);
    if (s->is_object)
        skip_standing(at);
    if (regex) {
        s->has_regex = regcomp(&s->regex, s->text, REG_EXTENDED) == 0;
        return s->has_regex ? NULL : "a regular expression before this place";
    }
    return NULL;
}

void shown_done(struct shown_value *s)
{
    free(s->text);
    if (s->has_regex)
        regfree(&s->regex);
    *s = (struct shown_value){ 0 };
}
