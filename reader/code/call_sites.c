/* call_sites.c - the data IDs of a call instruction, and the methods that it can enter; see code.h. */
#include "reader/code/code.h"

#include <string.h>

const struct hs_dataid *call_site(hs_trace *t, const struct hs_dataid *d)
{
    for (uint32_t id = d->dataid + 1; id-- > 0;) { /* the rows of an instruction stand beside each other, CALL first */
        const struct hs_dataid *c = hs_dataid_get(t, id);
        if (c == NULL || c->method_id != d->method_id || c->pc != d->pc)
            return NULL;
        if (c->event == EVENT_CALL)
            return c;
    }
    return NULL;
}

static bool same_text(const char *a, const char *b) { return a != NULL && b != NULL && strcmp(a, b) == 0; }

bool call_names(const struct hs_dataid *call, const struct hs_method *m)
{
    return same_text(attribute_text(call, "name"), m->name) && same_text(attribute_text(call, "desc"), m->desc);
}

bool call_can_enter(hs_trace *t, const struct hs_dataid *call, uint32_t method_id)
{
    const struct hs_method *m = hs_method_get(t, method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
    if (c == NULL || !call_names(call, m))
        return false;
    return strcmp(m->name, "<init>") != 0 || same_text(attribute_text(call, "owner"), c->name);
}

bool initialized_outside(hs_trace *t, const struct hs_dataid *d)
{
    const struct hs_dataid *call = call_site(t, d);
    const char *owner = call != NULL ? attribute_text(call, "owner") : NULL;
    const bool of_jdk = owner != NULL && (strncmp(owner, "java.", 5) == 0 || strncmp(owner, "javax.", 6) == 0);
    return owner != NULL && !of_jdk && !has_woven_class(t, owner);
}
