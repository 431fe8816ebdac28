/* why_link.c - what a link of the chain says, and where it goes on: see why.h. */
#include "reader/query/why.h"

#include <stdarg.h>
#include <stdio.h>

enum status why_ends(struct why *w, const char *end, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(w->because, sizeof w->because, fmt, ap);
    va_end(ap);
    w->end = end;
    return OK;
}

enum status why_goes_on(struct why *w, const struct hs_event *next, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(w->because, sizeof w->because, fmt, ap);
    va_end(ap);
    w->next = *next;
    w->end = NULL;
    return OK;
}

enum status why_number(struct why *w, struct hs_event *e, struct error *err)
{
    return e->seq != UINT64_MAX ? OK : positions_number(w->trace, e, err);
}
