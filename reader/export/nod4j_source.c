/* nod4j_source.c - the lines of source files, where words stand in them, and texts as the viewer wants them (nod4j.h).
 * This is no parser: words in comments and strings count, too. */
#include <string.h>

#include "reader/command/source.h"
#include "reader/export/nod4j.h"

void nod4j_text(struct out *o, const char *text, size_t n)
{
    json_text_begin(&o->json);
    while (n > 0) {
        const char *quote = memchr(text, '"', n);
        size_t run = quote != NULL ? (size_t)(quote - text) : n;
        json_text_part(&o->json, text, run);
        if (quote != NULL)
            json_text_part(&o->json, "\\\"", 2);
        text += run + (quote != NULL);
        n -= run + (quote != NULL);
    }
    json_text_end(&o->json);
}

bool nod4j_lines(struct export_job *x, const struct hs_class *c, const char *file, source_lines *lines)
{
    size_t size = 0;
    const char *text = x->session->sources != NULL ? sources_text(x->session->sources, c, file, &size) : NULL;
    lines->count = 0;
    while (text != NULL && size > 0) {
        const char *end = memchr(text, '\n', size);
        const size_t length = end != NULL ? (size_t)(end - text) : size, taken = length + (end != NULL);
        struct source_line *line = vec_push(lines);
        if (line == NULL)
            return export_fail(x, "out of memory");
        *line = (struct source_line){ text, length > 0 && text[length - 1] == '\r' ? length - 1 : length };
        text += taken;
        size -= taken;
    }
    return true;
}

static bool part_of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           (c & 0x80) != 0;
}

/* The next place of a word from `from` on; NULL: there is none. */
static const char *find_word(const struct source_line *line, const char *from, const char *word)
{
    const size_t length = strlen(word);
    const char *end = line->text + line->size, *at;
    for (; length > 0 && from < end && (at = memmem(from, (size_t)(end - from), word, length)) != NULL; from = at + 1)
        if ((at == line->text || !part_of_name(at[-1])) && (at + length == end || !part_of_name(at[length])))
            return at;
    return NULL;
}

size_t nod4j_count_word(const struct source_line *line, const char *word)
{
    size_t count = 0;
    for (const char *at = line->text; (at = find_word(line, at, word)) != NULL; at++)
        count++;
    return count;
}

/* Is this word the name in a declaration: `Type name(`, or `Name(` of a constructor, and not `return name(`? */
static bool declares(const struct source_line *line, const char *at, size_t length, bool constructor)
{
    static const char *const no_types[] = { "return", "new", "else", "throw" };
    const char *end = at + length, *before = at, *word;
    while (end < line->text + line->size && *end == ' ')
        end++;
    if (end == line->text + line->size || *end != '(')
        return false;
    while (before > line->text && (before[-1] == ' ' || before[-1] == '\t'))
        before--;
    if (before == line->text)
        return constructor;
    for (word = before; word > line->text && part_of_name(word[-1]);)
        word--;
    for (size_t i = 0; i < sizeof no_types / sizeof *no_types; i++)
        if (strlen(no_types[i]) == (size_t)(before - word) && memcmp(word, no_types[i], (size_t)(before - word)) == 0)
            return false;
    return word < before || before[-1] == '>' || before[-1] == ']';
}

/* What a method is called in the source. */
static const char *source_name(const struct hs_class *c, const struct hs_method *m)
{
    const char *name = c->name, *mark;
    if (strcmp(m->name, "<init>") != 0)
        return m->name;
    while ((mark = strpbrk(name, ".$")) != NULL)
        name = mark + 1;
    return name;
}

static bool has_declaration(const struct source_line *line, const char *name, bool constructor)
{
    for (const char *at = line->text; (at = find_word(line, at, name)) != NULL; at++)
        if (declares(line, at, strlen(name), constructor))
            return true;
    return false;
}

int32_t nod4j_parameter_line(const source_lines *lines, const struct hs_class *c, const struct hs_method *m,
                             const char *parameter, int32_t first)
{
    enum { FURTHEST = 60 }; /* lines of parameters and comments between a declaration and the code */
    const char *name = source_name(c, m);
    const bool constructor = name != m->name;
    if (first < 1 || (size_t)first > lines->count)
        return first;
    for (int32_t i = first; i >= 1 && i > first - FURTHEST; i--) {
        if (!has_declaration(&lines->items[i - 1], name, constructor))
            continue;
        for (; i < first && find_word(&lines->items[i - 1], lines->items[i - 1].text, parameter) == NULL;)
            i++;
        return i;
    }
    return first;
}
