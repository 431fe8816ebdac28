/* setup_pom.c - where pom.xml sets argLine: as a property of the project, or in the configuration of a plugin.
 *
 * Only the nesting of elements is followed. A file that is no XML gives fewer or other words of itself, which are
 * printed and no more. */
#include "reader/cli/setup_pom.h"

#include <string.h>

enum { NAMES_MAX = 64 };
struct name {
    const char *at;
    size_t length;
};

static bool is(const struct name *n, const char *text)
{
    return n->length == strlen(text) && memcmp(n->at, text, n->length) == 0;
}

static const char *behind(const char *at, const char *end, const char *text)
{
    const char *found = memmem(at, (size_t)(end - at), text, strlen(text));
    return found != NULL ? found + strlen(text) : end;
}

/* An element argLine begins behind `*names`; its text is at `text`. */
static void found(struct setup_pom *p, const struct name *names, size_t depth, const char *text, const char *end)
{
    for (size_t i = 0; i < depth; i++)
        if (is(&names[i], "profiles"))
            return;
    const char *less = memchr(text, '<', (size_t)(end - text));
    if (depth == 2 && is(&names[1], "properties")) {
        p->property = true;
    } else if (depth > 2 && is(&names[depth - 1], "configuration") && p->words == NULL && less != NULL) {
        p->words = text;
        p->length = (size_t)(less - text);
    }
}

static void scan(struct setup_pom *p, const char *at, const char *end)
{
    struct name names[NAMES_MAX];
    size_t depth = 0;
    while ((at = behind(at, end, "<")) < end) {
        if (*at == '!') {
            at = behind(at, end, end - at > 2 && at[1] == '-' ? "-->" : ">");
            continue;
        }
        const char *close = memchr(at, '>', (size_t)(end - at));
        if (close == NULL)
            return;
        if (*at == '/') {
            depth -= depth > 0;
        } else if (*at != '?' && close[-1] != '/') {
            struct name n = { at, 0 };
            while (at + n.length < close && strchr(" \t\r\n", at[n.length]) == NULL)
                n.length++;
            if (is(&n, "argLine"))
                found(p, names, depth, close + 1, end);
            if (depth == NAMES_MAX)
                return;
            names[depth++] = n;
        }
        at = close;
    }
}

void setup_pom_read(struct setup_pom *out)
{
    *out = (struct setup_pom){ 0 };
    if (failure_file_read("pom.xml", &out->bytes))
        scan(out, out->bytes.items, out->bytes.items + out->bytes.count);
}
