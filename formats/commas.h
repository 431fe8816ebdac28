/* commas.h - numbers for people: 12345678 as "12,345,678". */
#ifndef FORMATS_COMMAS_H
#define FORMATS_COMMAS_H

#include <stddef.h>
#include <stdio.h>

enum { COMMAS_MAX = 32 }; /* bytes of the longest, with its end */

static inline const char *with_commas(char *out, size_t size, unsigned long long v)
{
    char digits[32];
    int n = snprintf(digits, sizeof digits, "%llu", v);
    size_t at = 0;
    for (int i = 0; i < n && at + 2 < size; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = '\0';
    return out;
}

#endif
