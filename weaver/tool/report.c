/* report.c - errors and notes, as text for the callbacks of offline.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "weaver/tool/parts.h"

bool offline_fail(struct offline *o, const char *fmt, ...)
{
    va_list ap;
    char *text = NULL;
    va_start(ap, fmt);
    int n = vasprintf(&text, fmt, ap);
    va_end(ap);
    if (n < 0) {
        o->failed(o->context, "out of memory");
        return false;
    }
    o->failed(o->context, text);
    free(text);
    return false;
}

void offline_note(struct offline *o, const char *fmt, ...)
{
    va_list ap;
    char *text = NULL;
    va_start(ap, fmt);
    int n = vasprintf(&text, fmt, ap);
    va_end(ap);
    if (n < 0)
        return;
    o->note(o->context, text);
    free(text);
}
