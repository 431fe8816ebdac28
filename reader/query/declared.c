/* declared.c - where fields are declared, and what classes extend, for callers that rebuild objects. */
#include "reader/code/code.h"

const char *hs_field_declaring(hs_trace *t, uint32_t dataid)
{
    const struct field f = sites_field(t, dataid);
    return f.declaring != NULL && *f.declaring != '\0' ? f.declaring : NULL;
}

const char *hs_class_super(hs_trace *t, const char *name, uint64_t loader)
{
    const struct lineage *c = lineage_of(t, name, loader);
    return c != NULL ? lineage_super_name(c) : NULL;
}

const struct hs_class *hs_class_find(hs_trace *t, const char *name, uint64_t loader)
{
    const struct lineage *c = lineage_of(t, name, loader);
    return c != NULL ? c->row : NULL;
}
