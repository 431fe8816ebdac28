/* escape.c - see escape.h. */
#include "reader/export/escape.h"

#include <stdio.h>
#include <string.h>

void out_escaped(struct out *o, const char *text, const struct escape *how)
{
    static const char *const codes[] = { [ESCAPE_HEX] = "%04X", [ESCAPE_DECIMAL] = "%u" };
    for (; *text != '\0'; text++) {
        char code[8];
        if (strchr(how->special, *text) != NULL) {
            (void)snprintf(code, sizeof code, codes[how->code], (unsigned char)*text);
            out_bytes(o, how->before, strlen(how->before));
            out_bytes(o, code, strlen(code));
            out_bytes(o, how->after, strlen(how->after));
            continue;
        }
        if (how->backslashed != NULL && strchr(how->backslashed, *text) != NULL)
            out_char(o, '\\');
        out_char(o, *text);
    }
}
