/* jdwp_made.c - what calls of a debugger gave that is not in the trace: objects that they made, reasons why their
 * answer is not known; and the methods of the JDK that can be called. */
#include <string.h>

#include "reader/serve/jdwp.h"

const char jdwp_not_recorded[] = "not recorded";

/* The last event that the values of fields show: that of the moment, or, where a write was stopped at before it is
 * done, the one before it. */
uint64_t jdwp_values_seq(const struct jdwp *d)
{
    uint64_t seq = nav_seq(d->nav);
    return seq == d->written && seq > 0 ? seq - 1 : seq;
}

void jdwp_forget_made(struct jdwp *d)
{
    if (d->calls != NULL)
        d->made_before += (uint32_t)nav_calls_made(d->calls);
    nav_calls_free(d->calls);
    d->calls = NULL;
}

struct nav_calls *jdwp_calls(struct jdwp *d)
{
    const uint64_t seq = jdwp_values_seq(d);
    if (d->calls != NULL && nav_calls_seq(d->calls) != seq)
        jdwp_forget_made(d);
    if (d->calls == NULL)
        d->calls = nav_calls_new(d->nav, seq);
    return d->calls;
}

uint64_t jdwp_made_id(const struct jdwp *d, uint64_t object)
{
    return jdwp_id(SPACE_MADE, d->made_before + (uint32_t)(object - NAV_MADE));
}

const char *jdwp_made_type(struct jdwp *d, uint64_t id, uint64_t *object, uint64_t *loader)
{
    *object = NAV_MADE + (uint32_t)((uint32_t)id - d->made_before);
    return id >> 32 == SPACE_MADE && jdwp_calls(d) != NULL ? nav_made_type(d->calls, *object, loader) : NULL;
}

bool jdwp_jdk_method(struct jdwp *d, const struct jdwp_type *t, size_t *at, struct nav_jdk_method *out)
{
    if (jdwp_calls(d) == NULL)
        return false;
    while (nav_jdk_method(d->calls, t->name, t->loader, at, out))
        if (strcmp(out->name, "toString") != 0 || out->is_static) /* that is OWN_TEXT */
            return true;
    return false;
}

const char *jdwp_unknown_text(struct jdwp *d, uint64_t id)
{
    const uint32_t number = (uint32_t)id;
    return number > 1 && number - 2 < d->made.count ? d->made.items[number - 2] : jdwp_not_recorded;
}
