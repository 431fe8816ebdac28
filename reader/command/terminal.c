/* terminal.c - see terminal.h. */
#include "reader/command/terminal.h"

#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

enum { SIZE_MOST = 100000 };

/* A variable that holds a size; false: it is not set, or is no number. */
static bool size_of(const char *variable, unsigned *out)
{
    const char *text = getenv(variable);
    char *end;
    if (text == NULL || *text < '0' || *text > '9')
        return false;
    unsigned long size = strtoul(text, &end, 10);
    if (*end != '\0')
        return false;
    *out = size < SIZE_MOST ? (unsigned)size : 0;
    return true;
}

struct screen terminal_screen(int fd)
{
    struct winsize size = { 0 };
    struct screen screen = { 0 };
    if (isatty(fd) == 0)
        return screen;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0)
        screen = (struct screen){ .columns = size.ws_col, .rows = size.ws_row };
    (void)size_of("COLUMNS", &screen.columns);
    (void)size_of("LINES", &screen.rows);
    return screen;
}

bool terminal_has_colours(int fd, const char *when)
{
    const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    if (strcmp(when, "auto") != 0)
        return strcmp(when, "always") == 0;
    if (no_colour != NULL && *no_colour != '\0')
        return false;
    return isatty(fd) != 0 && term != NULL && strcmp(term, "dumb") != 0;
}

/* The character at the start of the text, which has `n` bytes, and its bytes; what is not UTF-8 counts as one. */
static uint32_t character(const unsigned char *p, size_t n, size_t *bytes)
{
    size_t length = p[0] < 0xc0 ? 1 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    *bytes = 1;
    if (length == 1 || length > n)
        return p[0];
    uint32_t c = p[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return p[0];
        c = c << 6 | (p[i] & 0x3fu);
    }
    *bytes = length;
    return c;
}

/* Bytes of the SGR sequence at the start of the text; 0: there is none. */
static size_t sequence(const char *p, size_t n)
{
    size_t i = 2;
    if (n < 3 || p[0] != '\033' || p[1] != '[')
        return 0;
    while (i < n && ((p[i] >= '0' && p[i] <= '9') || p[i] == ';'))
        i++;
    return i < n && p[i] == 'm' ? i + 1 : 0;
}

static size_t fit(const char *line, size_t n, unsigned columns)
{
    size_t used = 0, fits = 0; /* columns; bytes that leave one of them free */
    for (size_t i = 0; i < n;) {
        size_t bytes = sequence(line + i, n - i);
        if (bytes > 0) {
            i += bytes;
            continue;
        }
        uint32_t c = character((const unsigned char *)line + i, n - i, &bytes);
        int width = c < 0x7f ? 1 : wcwidth((wchar_t)c);
        used += width < 0 ? 1 : (size_t)width;
        if (used > columns)
            return fits;
        i += bytes;
        if (used < columns)
            fits = i;
    }
    return n;
}

size_t terminal_fit(const char *line, size_t n, unsigned columns)
{
    if (n <= columns) /* a character has at least as many bytes as columns */
        return n;
    /* wcwidth depends on the locale of the thread; our text is UTF-8 in any */
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0), before = (locale_t)0;
    if (utf8 != (locale_t)0)
        before = uselocale(utf8);
    size_t fits = fit(line, n, columns);
    if (utf8 != (locale_t)0) {
        (void)uselocale(before);
        freelocale(utf8);
    }
    return fits;
}
